"""Finding things of a map by words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from commonground.arrays import Floats32
from commonground.errors import GroundingError
from commonground.grounding.lookup import find
from commonground.grounding.lookup.looks import directions
from commonground.grounding.lookup.meaning import known_as, parts, plain
from commonground.looks import WEIGHT, Calibration
from commonground.mapping.objects.looks import LENGTH, looks_made_by, looks_of, with_region_looks
from commonground.objects import ObjectMap
from commonground.scene import Layer, SceneGraph, load_scene, save_scene
from commonground.scene.layer import OBJECTS, REGIONS
from commonground.symbols import node_ids

KINDS = ("bench", "car", "barrel", "barrel")


class Axes:
    """An encoder that gives words it knows an axis each, and all other words the last one."""

    scale = 20.0
    bias: float | None = None
    taught: Sequence[str] = ()
    calibration = Calibration()

    def __init__(self, *known: str, name: str = "axes") -> None:
        self.known, self.name = known, name

    def words(self, words: Sequence[str], prompts: Sequence[str]) -> Floats32:
        axes = [self.known.index(w) if w in self.known else len(self.known) for w in words]
        return np.eye(len(self.known) + 1, dtype=np.float32)[axes]


class ColorBlind(Axes):
    """One to which what is said in front of a noun makes no difference."""

    def words(self, words: Sequence[str], prompts: Sequence[str]) -> Floats32:
        return super().words([w.split()[-1] for w in words], prompts)


def world(looks: Floats32 | None = None, model: str = "axes") -> SceneGraph:
    n = len(KINDS)
    objects = Layer.of(
        OBJECTS,
        node_ids("O", np.arange(n)),
        np.c_[10.0 * np.arange(n), np.zeros((n, 2))],
        labels=[0, 1, 2, 2],
        names=KINDS,
        features=looks,
    )
    regions = Layer.of(
        REGIONS, node_ids("R", np.arange(2)), np.zeros((2, 3)), names=("", "charging bay")
    )
    graph = SceneGraph(metadata={"embedding_model": model})
    graph = graph.with_layer("objects", objects, {0: "bench", 1: "car", 2: "barrel"})
    graph = graph.with_layer("regions", regions, {})
    return graph.with_links("objects", "regions", [[0, 0], [1, 0], [2, 0], [3, 1]])


def symbols(graph: SceneGraph, words: str, **more: object) -> list[str]:
    return [h.symbol for h in find(graph, words, **more).hits]  # type: ignore[arg-type]


def test_classes_kinds_and_names_are_found() -> None:
    assert symbols(world(), "the barrels") == ["O2", "O3"]
    assert symbols(world(), "a vehicle") == ["O1"]
    assert symbols(world(), "the Charging Bay") == ["R1"]
    assert symbols(world(), "hippopotamus") == []


def test_words_alone_claim_no_probability_and_say_what_they_could_not_check() -> None:
    found = find(world(), "the red car")
    assert [h.symbol for h in found.hits] == ["O1"] and found.hits[0].probability is None
    assert not found.by_looks and any("'red'" in note for note in found.notes)


def test_looks_find_what_no_class_names() -> None:
    encoder = Axes("hydrant", "red hydrant", "blue hydrant")
    plain, red, blue, other = np.eye(4, dtype=np.float32)
    looks = np.array([other, other, plain + blue, plain + red]) / np.sqrt([[1], [1], [2], [2]])
    found = find(world(looks.astype(np.float32)), "a red hydrant", encoder=encoder)
    best, second = found.hits[:2]
    assert found.by_looks and best.symbol == "O3"
    assert best.probability is not None and second.probability is not None
    assert best.probability > 0.9 > 0.1 > second.probability


def test_words_that_those_asked_for_imply_are_no_rivals() -> None:
    """A barrel that looks just as much like a red barrel as like a barrel may well be one."""
    looks = Axes().words(["x"] * 4, [])
    encoder = Axes()  # all words are the same to it
    everything, implied = (
        find(world(looks), words, encoder=encoder).hits[0].probability
        for words in ("hydrant", "old car bench barrel")
    )
    assert everything is not None and implied is not None and implied > everything


def test_a_model_that_judges_each_word_by_itself_is_taken_at_its_word() -> None:
    encoder = Axes("hydrant")
    encoder.bias = -18.0
    looks = encoder.words(["hydrant", "hydrant", "x", "x"], [])
    likely = [h.probability for h in find(world(looks), "hydrant", encoder=encoder).hits]
    assert likely == pytest.approx([0.881, 0.881, 0.0, 0.0], abs=1e-3)


def test_what_was_hardly_seen_is_less_sure() -> None:
    encoder = Axes("hydrant")
    encoder.calibration = Calibration(prior=-1.0, clarity=0.5)
    plain = np.eye(2, dtype=np.float32)
    graph = world(np.array([plain[0] + 0.9 * plain[1], plain[0] + 0.9 * plain[1], *plain[[1, 1]]]))
    columns = {WEIGHT: np.array([8.0, 0.3, 1e300, np.nan])}
    graph = graph.with_layer("objects", replace(graph.objects, columns=columns))
    well, hardly = find(graph, "hydrant", encoder=encoder).hits[:2]
    assert (well.symbol, hardly.symbol) == ("O0", "O1")
    assert well.probability is not None and hardly.probability is not None
    odds = [p / (1 - p) for p in (well.probability, hardly.probability)]
    assert odds[0] / odds[1] == pytest.approx((8.0 / 0.3) ** 0.5, rel=1e-3)


def test_what_is_not_sure_stays_below_one_half_in_its_order() -> None:
    odds = np.linspace(-4, 4, 81)
    surely, plain = Calibration(sure=0.8).chances(odds, np.ones(81)), 1 / (1 + np.exp(-odds))
    assert (np.diff(surely) > 0).all()
    assert ((surely >= 0.5) == (plain >= 0.8)).all()
    untouched = (plain < 0.4) | (plain >= 0.8)
    np.testing.assert_allclose(surely[untouched], plain[untouched])
    np.testing.assert_allclose(Calibration().chances(odds, np.ones(81)), plain)


def test_an_attribute_that_is_said_is_as_likely_beforehand_as_its_rivals() -> None:
    """To a model that sees no colors each is as likely as any other; who says one has seen it."""
    encoder = ColorBlind("hydrant")
    looks = encoder.words(["hydrant"] * 4, [])
    plain, red = (
        find(world(looks), words, encoder=encoder).hits[0].probability
        for words in ("hydrant", "red hydrant")
    )
    assert plain is not None and red == pytest.approx(plain / 2, rel=1e-3)


def test_what_is_not_there_is_not_likely() -> None:
    looks = Axes("hydrant").words(["x"] * 4, [])
    found = find(world(looks), "hydrant", encoder=Axes("hydrant"))
    assert all(h.probability is not None and h.probability < 0.1 for h in found.hits)
    assert any("nothing here looks like 'hydrant'" in note for note in found.notes)
    with pytest.raises(GroundingError, match="nothing in this map looks like 'a hydrant'"):
        find(world(looks), "bench", encoder=Axes("hydrant"), where="near a hydrant")


def test_words_are_linked_as_in_instructions() -> None:
    assert symbols(world(), "barels") == ["O2", "O3"]
    assert find(world(), "automobile").hits[0].why == "a car goes with 'automobile'"
    with pytest.raises(GroundingError, match="nothing 'hydrant'.* looks were not compared"):
        find(world(), "bench", where="near hydrant")


def test_a_place_by_looks_may_be_any_of_what_looks_so() -> None:
    encoder = Axes("hydrant")
    for shown in (("hydrant", "x"), ("hydrant",) * 2):
        graph = world(encoder.words([*shown, "x", "x"], []))
        assert symbols(graph, "charging bay", encoder=encoder, where="near a hydrant") == ["R1"]


def test_what_the_map_calls_so_is_likely_whatever_it_looks_like() -> None:
    encoder = Axes("barrel", "hydrant")
    looks = encoder.words(["x", "hydrant", "x", "x"], [])  # nothing looks like a barrel
    graph = world(looks)
    colors = ({}, {}, {"metadata": {"color": "blue"}}, {"metadata": {"color": "red"}})
    graph = graph.with_layer(
        "objects", replace(graph.objects, extras=colors), {0: "bench", 1: "car", 2: "barrel"}
    )
    for words, meant in (
        ("barrels", ["O2", "O3"]),
        ("barrel", ["O2", "O3"]),
        ("a blue barrel", ["O2"]),
    ):
        found = find(graph, words, encoder=encoder)
        assert [h.symbol for h in found.hits if h.is_likely] == meant
        assert found.count == len(meant) and "looks" not in found.hits[0].why
        assert all(h.probability is not None and h.probability < 1.0 for h in found.hits)
    # nothing in the map tells what is wooden: looks decide
    assert not any(h.is_likely for h in find(graph, "wooden barrel", encoder=encoder).hits)


def test_a_name_outdoes_looks() -> None:
    looks = Axes("charging bay").words(["charging bay"] * 4, [])
    assert symbols(world(looks), "charging bay", encoder=Axes("charging bay"))[0] == "R1"


def test_a_picture_finds_what_it_shows() -> None:
    encoder = Axes("bench", "hydrant")
    graph = world(encoder.words(["bench", "hydrant", "x", "x"], []))
    (shown,) = encoder.words(["bench"], [])
    found = find(graph, picture=shown, encoder=encoder)
    best, second = found.hits[:2]
    assert best.symbol == "O0" and found.asked == "the picture"
    assert (best.probability or 0) > 0.9 > 0.1 > (second.probability or 0)
    assert symbols(graph, "", picture=shown, encoder=encoder, where="in charging bay") == ["O3"]
    with pytest.raises(GroundingError, match="no embeddings"):
        find(world(), picture=shown, encoder=encoder)


def test_looks_take_little_of_a_map_and_come_back_as_they_were(tmp_path: Path) -> None:
    numbers = np.random.default_rng(0).normal(size=(100, 768)).astype(np.float32)
    numbers /= np.linalg.norm(numbers, axis=1, keepdims=True)
    sizes = []
    for looks in (None, np.round(LENGTH * numbers)):
        layer = Layer.of(OBJECTS, node_ids("O", np.arange(100)), np.zeros((100, 3)), features=looks)
        file = save_scene(SceneGraph().with_layer("objects", layer, {}), tmp_path / "scene.json")
        sizes.append(file.stat().st_size)
    assert sizes[1] - sizes[0] < 100 * 3000
    back = load_scene(file).objects.features
    assert back is not None and back.tolist() == np.round(LENGTH * numbers).tolist()
    cosines = directions(back) @ directions(back).T
    np.testing.assert_allclose(cosines, numbers @ numbers.T, atol=2e-3)


def test_nodes_never_seen_are_no_numbers_and_stay_out() -> None:
    looks = Axes("hydrant").words(["hydrant"] * 4, [])
    looks[0] = np.nan
    assert symbols(world(looks), "hydrant", encoder=Axes("hydrant")) == ["O1", "O2", "O3"]


def test_another_model_is_refused_with_both_names() -> None:
    looks = Axes("hydrant").words(["hydrant"] * 4, [])
    with pytest.raises(GroundingError, match="'axes'.*'other'"):
        find(world(looks), "hydrant", encoder=Axes("hydrant", name="other"))
    with pytest.raises(GroundingError, match="2 numbers.* 3"):
        find(world(looks, model=""), "hydrant", encoder=Axes("hydrant", "pump"))


def test_where_narrows_it_down() -> None:
    assert symbols(world(), "barrel", where="in R1") == ["O3"]
    assert symbols(world(), "barrel", where="in charging bay") == ["O3"]
    assert symbols(world(), "barrel", where="near O2") == []
    with pytest.raises(GroundingError, match="O2 or O3"):
        find(world(), "bench", where="near a barrel")
    more = replace(world().objects, labels=np.array([2, 1, 2, 2], np.int32), names=("",) * 4)
    three = world().with_layer("objects", more, {1: "car", 2: "barrel"})
    with pytest.raises(GroundingError, match="may be O0 or O2 or O3: say"):
        find(three, "car", where="near a barrel")
    with pytest.raises(GroundingError, match="no region"):
        find(world(), "barrel", where="in O1")
    with pytest.raises(GroundingError, match="'near X', 'in X' or"):
        find(world(), "barrel", where="behind O1")


@pytest.mark.parametrize("words", ["", "  ", "?!", "the"])
def test_words_that_are_none(words: str) -> None:
    if words == "the":
        assert symbols(world(), words) == []
    else:
        with pytest.raises(GroundingError, match="no word"):
            find(world(), words)


def test_looks_and_their_model_come_back_from_a_file(tmp_path: Path) -> None:
    v = np.random.default_rng(0).normal(size=(4, 512))
    v /= np.linalg.norm(v, axis=1, keepdims=True)
    objects = ObjectMap.of(
        np.zeros((4, 3)), embeddings=v.astype(np.float32), embedding_model="axes"
    )
    made_by = looks_made_by(objects)
    without, file = tmp_path / "without.json", tmp_path / "scene.json"
    save_scene(world(), without)
    save_scene(world(looks_of(objects), made_by["embedding_model"]), file)
    back = load_scene(file)
    assert back.metadata["embedding_model"] == "axes"
    kept = back.objects.features
    assert kept is not None and np.einsum("nd,nd->n", directions(kept), v).min() > 0.999
    assert (file.stat().st_size - without.stat().st_size) / 4 < 3_000


def test_regions_look_like_what_is_in_them(tmp_path: Path) -> None:
    encoder = Axes("kettle", "stove")
    made = world(encoder.words(["kettle", "kettle", "stove", "x"], []))
    file = tmp_path / "scene.json"
    save_scene(with_region_looks(made), file)
    kept = load_scene(file).regions.features
    assert kept is not None
    assert directions(kept)[0] == pytest.approx(np.array([2, 1, 0]) / 5**0.5, abs=1e-3)
    assert np.isnan(kept[1]).all(), "one thing says nothing of where it is"
    assert with_region_looks(world()).regions.features is None


def test_maps_without_embeddings_name_no_model() -> None:
    objects = ObjectMap.of(np.zeros((2, 3)), embedding_model="axes")
    assert looks_of(objects) is None and looks_made_by(objects) == {}


def test_a_phrase_that_nobody_says_is_refused_before_it_is_read() -> None:
    with pytest.raises(GroundingError, match="more than 40 words"):
        find(world(), "(not " * 41 + "bench")


@pytest.mark.parametrize(
    ("asked", "attributes", "noun"),
    [
        ("red hydrants", ["red"], "hydrant"),
        ("bench made of wood", ["wooden"], "bench"),
        ("grey umbrella with stripes", ["gray", "striped"], "umbrella"),
        ("something green", ["green"], ""),
        ("anything with stripes on it", ["striped"], ""),
        ("whatever has stripes", ["striped"], ""),
        ("all the red goods", ["red"], ""),
        ("one of those benches in a striped finish, please", ["striped"], "bench"),
        ("bucket of paint", [], "bucket of paint"),
    ],
)
def test_attributes_stand_before_and_behind_a_noun(
    asked: str, attributes: list[str], noun: str
) -> None:
    said, left = parts(plain(asked))
    assert (sorted(said), left) == (sorted(attributes), noun)


@pytest.mark.parametrize(
    ("noun", "known"),
    [
        ("hydrant", {"hydrant"}),
        ("rucksack", {"backpack"}),
        ("brolly", {"umbrella"}),
        ("timepiece", {"clock", "sundial"}),
        ("construction crane", {"crane"}),
        ("volcano", {"volcano"}),
        ("smoothie machine", {"smoothie machine"}),
        ("smoothie maker", {"blender"}),
        ("washingmachines", {"washing machine"}),
        ("telling machine", {"telling machine"}),
        ("lifebelt", {"life buoy"}),
        ("phone box", {"telephone booth"}),
        ("gym weight", {"dumbbell"}),
        ("umbrella for the beach", {"umbrella"}),
        ("machine for washing", {"washing machine"}),
    ],
)
def test_a_model_of_a_small_world_is_asked_in_its_own_words(noun: str, known: set[str]) -> None:
    taught = {"hydrant", "backpack", "umbrella", "clock", "sundial", "crane", "washing machine"}
    taught |= {"blender", "life buoy", "telephone booth", "dumbbell", "box"}
    assert set(known_as(noun, frozenset(taught))) == known
