"""Instructions about things that no class of the map covers: known by their looks, or asked about."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from commonground.arrays import Floats32
from commonground.errors import MappingError
from commonground.geometry import from_xyz_yaw
from commonground.grounding.frontends.prompt import Prompt
from commonground.grounding.grounder import Grounder, Grounding
from commonground.grounding.lookup import find
from commonground.grounding.lookup.meaning import plain
from commonground.grounding.words.functions import named_by_function, serving
from commonground.grounding.words.purposes import kinds_for
from commonground.grounding.world import World
from commonground.looks import Calibration
from commonground.robots import Robot, Team
from commonground.scene import Layer, SceneGraph
from commonground.scene.layer import OBJECTS
from commonground.symbols import node_ids

SPOT = Robot("spot", from_xyz_yaw([0, -5, 0, 0]), frozenset({"goto", "inspect", "pick", "place"}))
SHOWN = ("red hydrant", "blue hydrant", "metal bench", "wooden bench", "gnome", "gnome windmill")
CLASSES = (None, None, "bench", "bench", None, None)


class Bag:
    """An encoder that adds up words: what has words in common lies near."""

    scale, name = 20.0, "bag"
    taught: Sequence[str] = ()
    calibration = Calibration()

    def __init__(self, bias: float | None = None) -> None:
        self.bias = bias
        self.known: dict[str, int] = {}

    def words(self, words: Sequence[str], prompts: Sequence[str]) -> Floats32:
        out = np.zeros((len(words), 2000), np.float32)
        for row, phrase in enumerate(words):
            for word in phrase.split():
                out[row, self.known.setdefault(word, len(self.known))] = 1.0
        return np.asarray(out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-9))


class Blind(Bag):
    """An encoder whose weights are nowhere."""

    def words(self, words: Sequence[str], prompts: Sequence[str]) -> Floats32:
        raise MappingError("no weights")


def world(encoder: Bag, shown: Sequence[str] = SHOWN) -> SceneGraph:
    bench = [-1 if c is None else 0 for c in CLASSES]
    layer = Layer.of(
        OBJECTS,
        node_ids("O", np.arange(len(shown))),
        np.c_[20.0 * np.arange(len(shown)), np.zeros((len(shown), 2))],
        labels=bench,
        features=Bag.words(encoder, shown, ()),
    )
    graph = SceneGraph(metadata={"embedding_model": "bag"})
    return graph.with_layer("objects", layer, {0: "bench"})


def grounder(encoder: Bag) -> Grounder:
    return Grounder(world(encoder), Team({"spot": SPOT}), encoder=encoder)


PLAIN = grounder(Bag())


def ground(text: str, found: Grounder = PLAIN) -> Grounding:
    return found.ground(text)


def goal(text: str) -> str:
    answer = ground(text)
    assert answer.goals is not None, answer.message
    return answer.goals["spot"]


@pytest.mark.parametrize(
    "text, expected",
    [
        ("Spot, inspect the red hydrant.", "(safe O0)"),
        ("Spot, inspect the blue hydrant.", "(safe O1)"),
        ("Spot, inspect all hydrants.", "(and (safe O0) (safe O1))"),
        ("Spot, inspect both hydrants.", "(and (safe O0) (safe O1))"),
        ("Spot, inspect the hydrant nearest to the wooden bench.", "(safe O1)"),
        ("Spot, inspect the wooden bench.", "(safe O3)"),
        ("Spot, inspect the bench nearest to the blue hydrant.", "(safe O2)"),
        ("Spot, inspect all hydrants except the red one.", "(safe O1)"),
    ],
)
def test_looks_stand_in_for_classes(text: str, expected: str) -> None:
    assert goal(text) == expected


def test_what_was_taken_is_said_with_how_likely_it_is() -> None:
    (reason,) = ground("Spot, inspect the red hydrant.").reasons
    assert "no class is called 'hydrant'" in reason["note"] and "O0 (" in reason["note"]


def test_several_are_asked_about_and_the_answer_counts() -> None:
    asked = ground("Spot, inspect the hydrant.")
    assert asked.goals is None and set(asked.candidates) == {"O0", "O1"}
    told = ground("Spot, inspect the hydrant.", PLAIN.answering(["O1"]))
    assert told.goals == {"spot": "(safe O1)"}


def test_what_nothing_looks_like_is_not_there() -> None:
    asked = ground("Spot, inspect the volcano.")
    assert asked.goals is None and "no volcano" in asked.message and not asked.candidates


def test_doubts_are_asked_about() -> None:
    """Of a thing that looks like two, a model that judges each word by itself is half sure at best."""
    asked = ground("Spot, inspect the windmill.", grounder(Bag(bias=-15.0)))
    assert asked.goals is None and asked.candidates == ("O5",) and "(30%)" in asked.message


def test_classes_come_first() -> None:
    """No weights are needed for what a class covers; without them the reason is given."""
    blind = grounder(Blind())
    (found,) = (ground("Spot, inspect both benches.", blind).goals or {}).values()
    assert found == "(and (safe O2) (safe O3))"
    assert "no weights" in ground("Spot, inspect the gnome.", blind).message


@pytest.mark.parametrize(
    "said, named",
    [
        ("go to something to sit on near the flag.", "go to a seat near the flag."),
        ("find anything that can put out a fire", "find any fire extinguisher"),
        ("is there a thing one can sleep in?", "is there a bed?"),
        ("something to sit on and something to drink", "a seat and a drink"),
        ("bring me a tool for cutting planks, then wait", "bring me a saw, then wait"),
        ("inspect something that is red", "inspect something that is red"),
    ],
)
def test_things_are_known_by_what_they_are_for(said: str, named: str) -> None:
    assert named_by_function(said).text == named


def test_what_serves_a_purpose_is_looked_for_or_asked_about() -> None:
    found = ground("Spot, inspect something to sit on near the red hydrant.")
    assert found.goals is not None, found.message
    assert "for a seat" in found.message and set(found.goals["spot"].split()) & {"O2)", "O2))"}
    asked = ground("Spot, go to something to sing opera with.")
    assert asked.goals is None and "sing opera" in asked.message


@pytest.mark.parametrize(
    "purpose, kind",
    [
        ("tell the time", "clock"),
        ("storing my shirts in", "wardrobe"),
        ("cuts the hedge", "knife"),
        ("put rubbish in", "waste bin"),
        ("keep milk cold", "fridge"),
        ("play chess with", ""),
        ("put out the cat", ""),
    ],
)
def test_purposes_are_known_in_many_words(purpose: str, kind: str) -> None:
    """Forms of verbs, words that say the same and kinds of what is acted on count; other objects do not."""
    kinds = kinds_for(purpose)
    assert kind in kinds if kind else not kinds


@pytest.mark.parametrize(
    "said, kind",
    [
        ("where the dog can sleep", "kennel"),
        ("where can I lock away my money", "safe"),
        ("somewhere to sleep for the night", "bed"),
        ("to see what time it is", "clock"),
        ("for cooling the room down", "fan"),
        ("what can I throw to a drowning person", "life buoy"),
        ("what people cook meat on", "barbecue"),
        ("a place to sleep at night", "bed"),
        ("an instrument to make music with", "guitar"),
        ("the red bench", None),
        ("the bench that is red", None),
        ("the robot that carries boxes", None),
        ("where can I sing", ""),
    ],
)
def test_what_is_asked_for_may_be_a_purpose_as_a_whole(said: str, kind: str | None) -> None:
    found = serving(plain(said))
    assert found is None if kind is None else kind in found if kind else found == ()


def test_the_kind_that_a_map_has_serves_a_purpose() -> None:
    """Of all that shades, the gnome's map has what looks like an umbrella alone."""
    encoder = Bag()
    graph = world(encoder, ("red hydrant", "umbrella", "metal bench", "gnome", "gnome", "gnome"))
    found = find(graph, "to give shade", encoder=encoder)
    assert found.hits[0].symbol == "O1" and any("parasol" in note for note in found.notes)
    spot = Grounder(graph, Team({"spot": SPOT}), encoder=encoder)
    answer = spot.ground("Spot, inspect something that gives shade.")
    assert answer.goals == {"spot": "(safe O1)"}, answer.message
    unknown = find(graph, "something to sing opera with", encoder=encoder)
    assert any("nothing is known" in note for note in unknown.notes)


def test_a_model_is_told_what_looks_like_a_noun_that_no_class_covers() -> None:
    asked = Prompt(PLAIN.world).messages("Spot, inspect the hydrant near the bench.")[-1]["content"]
    assert "hydrant by its looks: O" in asked and "%)" in asked and "bench by" not in asked
    plain = Prompt(World(world(Bag()), Team({"spot": SPOT})))
    assert "looks" not in plain.messages("Spot, inspect the hydrant.")[-1]["content"]
