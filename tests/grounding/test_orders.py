"""Orders on a made-up harbor: what utterances become, what is asked back, and that nothing is lost."""

from __future__ import annotations

import importlib
import json
import lzma
import random
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonground.errors import GroundingError
from commonground.geometry import from_xyz_yaw
from commonground.grounding.answers import Grounding
from commonground.grounding.english.names import Names
from commonground.grounding.english.reader import MAX_CHARACTERS, Domain, Reading
from commonground.grounding.english.symbols import BEGIN, CLOSE, POINTER, Item, Place, read
from commonground.grounding.english.utterance import Crew, Part, Phrase, Span, Utterance
from commonground.grounding.frontends.reading import ReadBackend
from commonground.grounding.grounder import Grounder
from commonground.grounding.meaning import Act, Assignment, Instruction, Thing, Who
from commonground.grounding.orders import Orders, instruction_of
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.resolver.goals import GoalMaker
from commonground.grounding.resolver.tasks import KEEP_AWAY_M
from commonground.grounding.settings import GroundingSettings
from commonground.grounding.world import World
from commonground.planning.pddl import equivalent, parse_formula
from commonground.robots import Robot, Team
from tests.grounding.said import (
    a,
    at,
    best,
    both,
    by,
    do,
    either,
    never,
    node,
    place,
    said,
    then,
    words,
)  # fmt: skip
from tests.grounding.sites import STYLES, Style, make_site

SITE = make_site(STYLES["harbour"], 1)
WORLD = World(SITE.graph, SITE.team)
ORDERS = Orders(WORLD, GroundingSettings())


def answer(text: str, *parts: Part) -> Grounding:
    return ORDERS.ground(said(text, *parts), text)


def nearest_place(xy: Any) -> str:
    layer = SITE.graph.surface_places
    return str(layer.symbols[int(np.argmin(np.hypot(*(layer.positions[:, :2] - xy).T)))])


def place_of(symbol: str) -> str:
    return nearest_place(SITE.positions[SITE.symbols.index(symbol), :2])


# ---- what orders become ------------------------------------------------------------------------------

HERE = nearest_place((45.0, 63.0))
"""Where anna stands."""
NEAR_DECOR = place_of("O1552")
GOALS: list[tuple[str, list[Part], dict[str, str]]] = [
    ("Anna, inspect the boxes on the south pier.",
     [by("Anna", do("inspect", a("boxes", "the", at("on", place("south pier")))))],
     {"anna": "(and (safe O415) (safe O1050))"}),
    ("Bert, go to the sign closest to the sculpture.",
     [by("Bert", do("go to", a("sign", best=best("nearest", a("sculpture")))))],
     {"bert": "(visited-object O367)"}),
    ("Anna, the bag second nearest to the decor: check it.",
     [by("Anna", do("inspect", a("bag", best=best("nearest", a("decor"), "second"))))],
     {"anna": "(safe O270)"}),
    ("One goes to the decor, the other inspects the lunch.",
     [by("any one", do("go to", a("decor"))), by("other", do("inspect", a("lunch")))],
     {"bert": "(visited-object O1552)", "anna": "(safe O1016)"}),
    ("There is a lunch and a sculpture. Anna, take the one and look at the other.",
     [by("Anna", then(do("hold", a(again=["lunch"])), do("inspect", a(again=["sculpture"]))),
         a("lunch", "any one"), a("sculpture", "any one"))],
     {"anna": "(and (holding O1016) (safe O1552))"}),
    ("Boats lie at the harbour road. Bert, check them both.",
     [by("Bert", do("inspect", a(again=["boats"], det="both")),
         a("boats", "all", at("in", place("harbour road"))))],
     {"bert": "(and (safe O326) (safe O1215))"}),
    ("There are bags, any of them will do. Anna, get it, then be there at the flag by the decor.",
     [by("Anna", then(do("hold", a(again=["bags"])),
                      do("go to", a("flag", "the", at("near", a("decor"))))), a("bags", "any one"))],
     {"anna": "(and (or (holding O103) (holding O270) (holding O1592)) (at-object O471))"}),
    ("Anna, inspect two bags.", [by("Anna", do("inspect", a("bags", "any", count="two")))],
     {"anna": "(or (and (safe O103) (safe O270)) (and (safe O103) (safe O1592))"
              " (and (safe O270) (safe O1592)))"}),
    ("Anna, inspect all bags except the red one.",
     [by("Anna", do("inspect", a("bags", "all", but=replace(a(color="red"), same_noun=True))))],
     {"anna": "(and (safe O103) (safe O270))"}),
    ("Anna, a sign in the parking area or one on the sidewalk, look at it.",
     [by("Anna", do("inspect", either(
         a("sign", "any one", at("in", a("parking area"))),
         replace(a("", "any one", at("in", a("sidewalk"))), same_noun=True))))],
     {"anna": "(or (safe O367) (safe O147) (safe O597))"}),
    ("Anna, inspect objects 36, 46 and O84.",
     [by("Anna", do("inspect", both(node("objects 36"), node("46"), node("O84"))))],
     {"anna": "(and (safe O36) (safe O46) (safe O84))"}),
    ("Bert, regions 1 and 2, but never region 5.",
     [by("Bert", do("go to", node("regions 1 and 2"))), by("", never("enter", node("region 5")))],
     {"bert": "(and (visited-region R1) (visited-region R2) (not (visited-region R5)))"}),
    ("Bert, the storage on your left: go there.",
     [by("Bert", do("go to", a("storage", "the", at("on the left"))))],
     {"bert": "(visited-object O994)"}),
    ("Anna, go to the shore and come back.",
     [by("Anna", then(do("go to", a("shore")), do("come back")))],
     {"anna": f"(and (visited-region R7) (at-place {HERE}))"}),
    ("Anna, be at the lunch first, in the end at the decor.",
     [by("Anna", then(do("end up at", a("lunch")), do("end up at", a("decor"))))],
     {"anna": "(and (visited-object O1016) (at-object O1552))"}),
    ("Anna, stay put.", [by("Anna", do("stay"))], {"anna": f"(at-place {HERE})"}),
    ("Share it out: the north pier and the south pier.",
     [by("all", do("go to", both(place("north pier"), place("south pier"))), shared=True)],
     {"anna": "(visited-region R1)", "bert": "(visited-region R2)"}),
    ("Among you, somebody inspect the lunch.",
     [by("all", do("inspect", a("lunch")), shared=True)], {"anna": "(safe O1016)"}),
    ("Everybody but Anna goes to the shore.",
     [Part(do("go to", a("shore")), Crew("all but", (words("Anna"),)))],
     {"bert": "(visited-region R7)"}),
    ("Whoever can lift things takes the lunch.",
     [Part(do("hold", a("lunch")), Crew("able", can="pick things up"))], {"anna": "(holding O1016)"}),
    ("Whoever is nearest to the decor checks it.",
     [Part(do("inspect", a(again=["decor"])), Crew("nearest", near=a("decor")))],
     {"bert": "(safe O1552)"}),
    ("Anna, to the shore. Bert, to the decor. Nobody goes into the parking area.",
     [by("Anna", do("go to", a("shore"))), by("Bert", do("go to", a("decor"))),
      by("", never("enter", a("parking area")))],
     {"anna": "(and (visited-region R7) (not (visited-region R3)))",
      "bert": "(and (visited-object O1552) (not (visited-region R3)))"}),
    ("Anna, to the shore. Bert, to the decor but not through the parking area.",
     [by("Anna", do("go to", a("shore"))), by("Bert", do("go to", a("decor"))),
      by("", never("enter", a("parking area")))],
     {"anna": "(visited-region R7)", "bert": "(and (visited-object O1552) (not (visited-region R3)))"}),
    ("Anna, check the lunch and do not touch the flags.",
     [by("Anna", do("inspect", a("lunch"))), by("", never("touch", a("flags")))],
     {"anna": "(and (safe O1016) (not (holding O471)) (not (holding O674)))"}),
    ("Anna takes the lunch to P3. Anna leaves the clothes beside the decor.",
     [by("Anna", do("put", a("lunch"), goal=node("P3"))),
      by("Anna", do("put", a("clothes"), goal=a(beside=a("decor"))))],
     {"anna": f"(and (object-in-place O1016 P3) (object-in-place O1401 {NEAR_DECOR}))"}),
    ("Either check the lunch or go to the decor, Bert.",
     [by("Bert", replace(then(do("inspect", a("lunch")), do("go to", a("decor"))), join="one of"))],
     {"bert": "(or (safe O1016) (visited-object O1552))"}),
    ("Every sign on site, Bert, check it.",
     [by("Bert", do("inspect", a("sign", "each", at("in", a("site")))))],
     {"bert": "(and (safe O84) (safe O147) (safe O332) (safe O367) (safe O597) (safe O1024) (safe O1072))"}),
    ("Not to the flag, Bert, scratch that. Go to the decor.",
     [by("Bert", do("go to", a("flag")), stands="taken back"), by("unnamed", do("go to", a("decor")))],
     {"bert": "(visited-object O1552)"}),
    ("Anna, to the shore. Bert, to the flag, no, to the decor.",
     [by("Anna", do("go to", a("shore"))), by("Bert", do("go to", a("flag")), stands="taken back"),
      by("unnamed", do("go to", a("decor")))],
     {"anna": "(visited-region R7)", "bert": "(visited-object O1552)"}),
    ("Anna, inspect O36 or O46.", [by("Anna", do("inspect", node("O36 or O46")))],
     {"anna": "(or (safe O36) (safe O46))"}),
    ("Anna, go to places 3 to 5 and P9.",
     [by("Anna", do("go to", both(node("places 3 to 5"), node("P9"))))],
     {"anna": "(and (visited-place P3) (visited-place P4) (visited-place P5) (visited-place P9))"}),
    ("Anna, go to the area with the decor in it.",
     [by("Anna", do("go to", a("area", "the", at("holds", a("decor")))))],
     {"anna": "(visited-region R6)"}),
    ("Anna, take the lunch over to P3.", [by("Anna", do("take", a("lunch"), goal=node("P3")))],
     {"anna": "(object-in-place O1016 P3)"}),
    ("Anna, check all there is in the shelter, the flag excepted.",
     [by("Anna", do("inspect", replace(
         a("", but=a("flag")), everything=True, located=a("shelter"))))],
     {"anna": "(and (safe O167) (safe O268) (safe O678) (safe O681) (safe O938) (safe O1515) (safe O1552)"
              " (safe O1592) (safe O1646))"}),
    ("Whoever isn't Bert inspects the lunch.",
     [Part(do("inspect", a("lunch")), Crew("all but", (words("Bert"),)))], {"anna": "(safe O1016)"}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "parts", "goals"), GOALS, ids=[row[0] for row in GOALS])
def test_orders_become_goals(text: str, parts: list[Part], goals: dict[str, str]) -> None:
    found = answer(text, *parts)
    assert found.goals is not None, found.message
    assert found.goals.keys() == goals.keys()
    for robot, goal in goals.items():
        assert equivalent(parse_formula(found.goals[robot]), parse_formula(goal)), found.goals


def test_what_is_only_mentioned_is_not_shared_out() -> None:
    both_of = Who(("Anna", "Bert"), choose="share")
    told = Assignment(both_of, Act("mention", Thing(noun="lunch")))
    done = Assignment(both_of, Act("inspect", Thing(noun="lunch")))
    goals = GoalMaker(WORLD, GroundingSettings()).goals(Instruction((told, done)))
    assert {name: str(goal) for name, goal in goals.by_robot.items()} == {"anna": "(safe O1016)"}


def test_to_keep_away_is_to_keep_off_the_places_around() -> None:
    text = "Bert, go to the decor and never go near the flag at the harbour road."
    flag = a("flag", "the", at("in", place("harbour road")))
    found = answer(text, by("Bert", do("go to", a("decor"))), by("", never("come near", flag)))
    row = SITE.symbols.index("O674")
    around = [
        symbol
        for symbol, xy in zip(
            SITE.graph.surface_places.symbols,
            SITE.graph.surface_places.positions[:, :2],
            strict=True,
        )
        if np.hypot(*(xy - SITE.positions[row, :2])) <= KEEP_AWAY_M
    ]
    assert found.goals is not None
    off = [p for p in SITE.graph.surface_places.symbols if f"place {p})" in found.goals["bert"]]
    assert set(off) == {*around, place_of("O674")}
    assert "(not (visited-object O674))" in found.goals["bert"]


# ---- what is asked back --------------------------------------------------------------------------------

CAR = a("car", "the", at("in", a("shelter")))
QUESTIONS: list[tuple[str, list[Part], str]] = [
    ("Anna, check the lunch if the door is open.",
     [by("Anna", do("inspect", a("lunch"), condition=do("be like", a("door"), state="open")))],
     "Only if the door is open"),
    ("Anna, check the lunch unless it rains.",
     [by("Anna", do("inspect", a("lunch"), condition=do("other", verb="rains", mood="tell", negated=True)))],
     "Unless rains"),
    ("Anna, go to the", [by("", do("other"))], "No robot here can do that"),
    ("Anna, to the shore within ten minutes.",
     [by("Anna", do("go to", a("shore"), manner="within ten minutes"))], "'within ten minutes'"),
    ("Anna, inspect the flag and then the decor.",
     [by("Anna", do("inspect", a("decor"))), by("Anna", do("inspect", a("flag")), then=True)],
     "comes first in the text"),
    ("Anna, inspect the flag and the decor.", [by("Anna", do("inspect", a("flag")))],
     "speaks of the decor, which is left out"),
    ("Anna, repaint the flag.", [by("Anna", do("other", a("flag"), verb="repaint"))],
     "No robot here can repaint the flag"),
    ("Anna, inspect P3, P4 and P5 or P6.", [by("Anna", do("go to", node("P3, P4 and P5 or P6")))],
     "all of them, or one"),
    ("Anna, inspect objects 9 to 3.", [by("Anna", do("inspect", node("objects 9 to 3")))], "Which nodes"),
    ("Anna, go to Bert.", [by("Anna", do("go to", place("Bert")))], "is a robot"),
    ("Anna, leave the shelter.", [by("Anna", do("leave", a("shelter")))], "Where to"),
    ("Anna, bring me the lunch.",
     [by("Anna", do("give", a("lunch"), goal=replace(a(), speaker=True)))], "No robot here can give"),
    ("Anna, do the laundry.", [by("Anna", do("routine", verb="laundry"))], "do 'laundry'"),
    ("Anna, take Ada's lunch.", [by("Anna", do("hold", a("lunch", owner=a(person="Ada"))))],
     "belongs to whom"),
    ("Anna, go to Ada.", [by("Anna", do("go to", a(person="Ada")))], "where people are"),
    ("Anna, come to me.", [by("Anna", do("go to", replace(a(), speaker=True)))], "where you are"),
    ("Zoe, go to the shore.", [by("Zoe", do("go to", a("shore")))], "no robot called Zoe"),
    ("Anna, forget the lunch.", [by("Anna", do("inspect", a("lunch")), stands="taken back")],
     "taken back"),
    ("Anna, the same as yesterday.", [by("Anna", do("other"), stands="again as before")], "no record"),
    ("Anna, go to the flag opposite the decor.",
     [by("Anna", do("go to", a("flag", "the", at("opposite", a("decor")))))], "opposite the decor"),
    ("Anna, inspect the heaviest box.",
     [by("Anna", do("inspect", a("box", best=best("", other="heaviest"))))], "heaviest"),
    ("Anna, inspect the third flag.", [by("Anna", do("inspect", a("flag", attribute="third")))],
     "number 3"),
    ("Anna, inspect the two bags.", [by("Anna", do("inspect", a("bags", count="two")))],
     "There are 3 bags, not 2"),
    ("Anna, inspect a few boxes.", [by("Anna", do("inspect", a("boxes", count="a few")))], "How many boxes"),
    ("Anna, put the lunch at P3 and do not touch the lunch.",
     [by("Anna", do("put", a("lunch"), goal=node("P3"))), by("", never("touch", a("lunch#2")))],
     "not be touched"),
    ("Anna, go there.", [by("Anna", do("go to", a("there")))], "Nothing said before fits"),
    ("Anna, go.", [by("Anna", do("go to"))], "Where should the robot go"),
    ("Somebody left a bag. Anna, get it.",
     [by("Anna", do("hold", a(again=["bag"])), a("bag", "any one"))], "Which of O103, O270 and O1592"),
    ("Bert, be at the shore and at the decor in the end.",
     [by("Bert", do("end up at", both(a("shore"), a("decor"))))], "contradicts itself"),
    ("Anna, to the flag 5 paces from the decor.",
     [by("Anna", do("go to", a("flag", "the", at("within", a("decor"), far="5 paces"))))], "5 paces"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "parts", "asked"), QUESTIONS, ids=[row[0] for row in QUESTIONS])
def test_what_no_goal_can_hold_is_asked(text: str, parts: list[Part], asked: str) -> None:
    found = answer(text, *parts)
    assert found.status == "clarify" and found.goals is None
    assert asked in found.message


def test_haste_is_noted_and_who_waits_for_others_is_in_the_order() -> None:
    text = "Anna, quickly check the lunch. When that is done Bert goes to the decor."
    first = do("inspect", a("lunch"), manner="quickly")
    found = answer(text, by("Anna", first), by("Bert", do("go to", a("decor")), then=True))
    assert found.goals == {"anna": "(safe O1016)", "bert": "(visited-object O1552)"}
    assert "'quickly' is no part of the goal" in found.message
    assert [(a.robot, b.robot) for a, b in found.order] == [("anna", "bert")]


@pytest.mark.parametrize(
    ("sense", "about", "told"),
    [
        ("where is", a("decor"), "O1552 is in bus shelter R6"),
        ("how many", a("signs", "all"), "There are 7"),
        ("is there", a("helicopter", "any one"), "The map has no helicopter"),
        ("nearest robot", a("decor"), "bert is nearest, 30.1 m"),
        ("who has", a("decor"), "does not tell"),
    ],
)
def test_questions_are_answered_and_ask_for_nothing(sense: Any, about: Any, told: str) -> None:
    text = "decor signs helicopter?"
    found = answer(text, by("", replace(do(sense, about), mood="ask")))
    assert found.goals is None and told in found.message


# ---- words and things -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("noun", "cls"),
    [
        ("barels", "barrel"), ("oil drums", "barrel"), ("trashcan", "trash"), ("rubbish bins", "trash"),
        ("card board boxes", "box"), ("cable barrel", "barrel"), ("crates", "box"), ("flagpole", "flag"),
        ("traffic-light", "signal"), ("fridge", "appliance"), ("car", "vehicle"), ("bycicles", None),
        ("swimming pool", None), ("red box", None), ("zzyx box", None), ("first box", None),
    ],
)  # fmt: skip
def test_nouns_find_the_classes_they_mean(noun: str, cls: str | None) -> None:
    pools = WORLD.pools(noun, ("object",))
    assert {WORLD.objects.words[int(r)] for p in pools for r in p.rows} == ({cls} if cls else set())


def test_areas_are_their_names() -> None:
    regions = (
        ("dock", "dock two"), ("field", "the Elms"), ("field", "Hangar One"), ("parking", "north lot"),
        ("shelter", ""), ("road", "Station Road"),
    )  # fmt: skip
    site = make_site(Style(("anna", "bert"), regions, (("box", 3),)), 2)
    world = World(site.graph, site.team)
    for noun, symbol in (
        ("dock two", "R1"), ("elms", "R2"), ("hangar one", "R3"), ("north lot", "R4"),
        ("north parking lot", "R4"), ("staton road", "R6"), ("pavilion", "R5"), ("south lot", ""),
        ("main road", ""), ("dock three", ""),
    ):  # fmt: skip
        found = [s for pool in world.pools(noun, ("region",)) for s in pool.symbols()]
        assert found == ([symbol] if symbol else []), noun


# ---- all that people said ---------------------------------------------------------------------------------

READING = Path(__file__).resolve().parents[2] / "tools" / "reading"
PALETTE = (
    "red blue green yellow white black gray brown orange purple pink gold silver beige navy maroon"
)


@cache
def wordings(step: int) -> list[tuple[str, Utterance]]:
    """Return texts of orders with what they say, every so many of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(READING)
        meanings = importlib.import_module("meanings")
    files = sorted(READING.glob("wordings/*.jsonl.xz"))
    lines = (line for file in files for line in lzma.decompress(file.read_bytes()).splitlines())
    rows = [row for row in map(json.loads, lines) if row["domain"] == "scene"]
    return [meanings.told(row)[:2] for row in rows[::step]]


def parts_of(value: Any, kind: type) -> Iterator[Any]:
    if isinstance(value, kind):
        yield value
    inner = value if isinstance(value, tuple) else ()
    if is_dataclass(value):
        inner = tuple(getattr(value, f.name) for f in fields(value))
    for part in inner:
        yield from parts_of(part, kind)


@cache
def busy_site() -> Orders:
    """Return a site with one or more of each thing and area that people spoke of."""
    nouns, names = {"bench": 1}, {}
    for _, utterance in wordings(48):
        for phrase in parts_of(utterance, Phrase):
            if phrase.noun is not None:
                nouns[phrase.noun.text.lower()] = 1 + len(phrase.noun.text) % 3
            if phrase.name is not None:
                names[phrase.name.text] = "area"
    regions = tuple((word, name) for name, word in names.items())
    style = Style(("anna", "bert"), regions, tuple(nouns.items()), tuple(nouns))
    site = make_site(style, 3, place_m=10.0)
    return Orders(World(site.graph, site.team), GroundingSettings())


def team_of(utterance: Utterance) -> Team:
    """Return the robots that an utterance names, two at least, able to do anything."""
    named = [span.text.lower() for crew in parts_of(utterance, Crew) for span in crew.names]
    names = [*dict.fromkeys([*named, "zulu", "yankee"])][: max(2, len(set(named)))]
    able = frozenset({"goto", "inspect", "pick", "place"})
    poses = ((50.0 + 9 * i, 40.0, 0.5, 0.3) for i in range(len(names)))
    return Team({n: Robot(n, from_xyz_yaw(p), able) for n, p in zip(names, poses, strict=True)})


def test_every_wording_gets_an_answer() -> None:
    orders = busy_site()
    seen = {"ok": 0, "clarify": 0}
    for text, utterance in wordings(48):
        orders.maker.world.team = team_of(utterance)
        found = orders.ground(utterance, text)
        assert found.goals or found.message, text
        seen[found.status] += 1
    assert seen["ok"] > 20 and seen["clarify"] > 200


def test_nothing_that_was_said_is_lost() -> None:
    """Without any one of its pieces an utterance means something else."""
    alike = {
        "det",
        "same_noun",
        "corrected",
        "crew",
    }  # equal where the number, noun or crew says it too
    checked = 0
    for text, utterance in wordings(48):
        whole = meaning(utterance, text)
        if whole is None or any(part.stands for part in utterance.parts):
            continue
        for name, less in with_less(utterance):
            if name not in alike:
                checked += 1
                assert meaning(less, text) != whole, (text, name)
    assert checked > 750


def meaning(utterance: Utterance, text: str) -> Any:
    try:
        return instruction_of(utterance, text)
    except Unclear:
        return None


def with_less(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield a value without each of its pieces in turn."""
    for field in fields(value):
        held = getattr(value, field.name)
        if field.default is not MISSING and held != field.default:
            yield field.name, replace(value, **{field.name: field.default})
        many = held if isinstance(held, tuple) else (held,)
        for i, one in enumerate(many):
            if isinstance(held, tuple) and len(held) > 1:
                yield field.name, replace(value, **{field.name: (*held[:i], *held[i + 1 :])})
            if is_dataclass(one) and not isinstance(one, Span):
                for name, less in with_less(one):
                    kept = (*held[:i], less, *held[i + 1 :]) if isinstance(held, tuple) else less
                    yield name, replace(value, **{field.name: kept})


SAID = (
    "benches . boxes . 12 m . two . third . red . O44 . object 12 . regions 3, 4 . bus shelter . you . "
    "there . anna . quickly"
)
SPANS = [Span(i, i + len(w), w) for w in SAID.split(" . ") for i in [SAID.index(w)]]


@given(st.integers(0, 10**9))
@settings(max_examples=150)
def test_whatever_a_reader_may_write_gets_an_answer(seed: int) -> None:
    chance, row = random.Random(seed), list[Item]()
    place: Place | None = BEGIN
    plain = (
        "sense=go",
        "sense=ins",
        "sense=put",
        "sense=hold",
        "theme",
        "goal",
        "noun",
        "where",
        "best",
    )
    while place is not None:
        allowed = place.allowed()
        likely = [s for s in allowed if s.startswith(plain)] if chance.random() < 0.7 else []
        ends = CLOSE in allowed and (len(row) > 60 or chance.random() < 0.4)
        pick = CLOSE if ends else chance.choice(likely or list(allowed))
        row.append(chance.choice(SPANS) if pick == POINTER else pick)
        place = place.after(pick)
    found = ORDERS.ground(read(row), SAID)
    assert (found.goals is not None) == (found.status == "ok") and (found.goals or found.message)


# ---- reading first ------------------------------------------------------------------------------------


class Known:
    """A reader of one text."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading

    def read(self, text: str, domain: Domain, names: Names) -> Reading:
        assert text and domain == "scene"
        assert names.hints(["the", "Bus", "shelter"]) and names.hints(["ANNA"])
        return self.reading


def heard(text: str, reading: Reading) -> Grounding:
    return ReadBackend(WORLD, GroundingSettings(), Known(reading)).ground(text)


def test_what_was_not_read_for_sure_is_asked_about() -> None:
    text = "Anna, check the lunch."
    sure = said(text, by("Anna", do("inspect", a("lunch"))))
    for reading, told in (
        (Reading(sure, 0.0), "Anna: inspect the lunch"),
        (Reading(sure, 0.9, (Span(6, 11, "check"),)), "'check'"),
        (Reading(None, problem="That is too long."), "too long"),
    ):
        found = heard(text, reading)
        assert found.goals is None and told in found.message and not found.understood
    assert heard(text, Reading(sure, 0.9)).goals == {"anna": "(safe O1016)"}


def test_what_the_reader_passed_over_is_asked_about() -> None:
    for text, missing in (
        ("Anna and Bert, check the lunch.", "'Bert'"),
        ("Anna, check the lunch, not in the bus shelter.", "'bus shelter'"),
        ("Anna, check the lunch and O36.", "'O36'"),
    ):
        found = heard(text, Reading(said(text, by("Anna", do("inspect", a("lunch")))), 0.99))
        assert found.goals is None and not found.understood
        assert missing in found.message and "Anna: inspect the lunch" in found.message


class Silent:
    """A reader that must not be asked, or that hears nothing in what it is given."""

    def read(self, text: str, domain: Domain, names: Names) -> Reading:
        assert len(text) <= MAX_CHARACTERS and text.isprintable()
        return Reading(None, problem="Nothing was said.")


BAD = {
    "a megabyte": "go " * 350_000,
    "one word": "a" * 100_000,
    "many sentences": "Anna, check the lunch. " * 10_000,
    "control characters": "\x00\x1b[2J\x07Anna\x7f\r\n\x00, go\u0085",
    "right to left": "\u202eAnna, \u05dc\u05da \u05dc\u05e9\u05dd\u200f\u2066 go\ufeff",
    "emoji": "\U0001f916\u200d\U0001f525 \U0001f4a3" * 300,
    "nested": "Anna, go to the box" + " that is by the box" * 200,
}


@pytest.mark.parametrize("text", BAD.values(), ids=BAD)
def test_bad_input_gets_one_clear_line(text: str) -> None:
    found = ReadBackend(WORLD, GroundingSettings(), Silent()).ground(text)
    assert found.goals is None and not found.understood
    assert found.message.isprintable() and 20 < len(found.message) < 200


def test_what_is_repeated_in_a_question_is_one_short_line() -> None:
    text = f"Anna, go to the {'very ' * 500}\x1b[31m\nbox."
    heard_of = Span(16, 16 + 2500, text[16:2516])
    found = heard(text, Reading(said(text, by("Anna", do("go to", Phrase(noun=heard_of)))), 0.1))
    assert found.message.isprintable() and len(found.message) < 600


def test_a_robot_need_not_be_named() -> None:
    found = Grounder(SITE.graph, SITE.team).ground("Inspect the lunch.")
    assert found.goals is not None, found.message
    assert list(found.goals.values()) == ["(safe O1016)"]


def test_a_network_that_is_named_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(GroundingError, match="reader of English"):
        Grounder(SITE.graph, SITE.team, GroundingSettings(network=str(tmp_path)))
    grounder = Grounder(SITE.graph, SITE.team)
    assert grounder.ground("Anna, check the lunch.").goals == {"anna": "(safe O1016)"}
