"""What utterances ask of a house: goals, what comes before, what is spared, and what is asked about."""

from __future__ import annotations

from typing import Any

import pytest

from commonground.datasets.household import RobotSpec
from commonground.datasets.household.tasks import SKILLS
from commonground.grounding.english.utterance import Part, Relation
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.problem_writer.goals import Wish
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.kinds import Kinds
from commonground.grounding.problem_writer.purposes import Purposes
from commonground.grounding.problem_writer.wishes.account import Accounts
from commonground.grounding.problem_writer.wishes.wishing import WishTable
from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import equivalent, parse_formula, to_pddl
from tests.grounding.household.houses import graph_of, several_of_a_kind
from tests.grounding.household.said import a, also, both, by, do, either, it, never, said, then

TEAM = tuple(RobotSpec(name, frozenset(SKILLS), 3.0) for name in ("robot1", "robot2"))
ALL_VASES = "(and (contains Bed Vase_1) (contains Bed Vase_2) (contains Bed Vase_3))"


@pytest.fixture(scope="module")
def table() -> WishTable:
    return WishTable(Kinds.load())


@pytest.fixture(scope="module")
def graph() -> HouseGraph:
    return graph_of(several_of_a_kind(), TEAM)


def _wish(table: WishTable, graph: HouseGraph, text: str, *parts: Any) -> Wish:
    return table.wish(said(text, *parts), Accounts(text, table.home(graph)))


UNDERSTOOD: list[tuple[str, Any, str]] = [
    # states and places
    ("rinse the lettuce and set it with the tomato on the counter",
     then(do("clean", "lettuce"), do("put", both(it("lettuce"), "tomato"), "counter")),
     "(and (state Lettuce CLEAN) (contains CounterTop Lettuce) (contains CounterTop Tomato))"),
    ("toss the fork into the garbage bin", do("throw away", "fork"), "(contains GarbageCan Fork)"),
    ("the fridge closed and the microwave open",
     also(do("be closed", "fridge"), do("be open", "microwave")),
     "(and (state Fridge CLOSED) (state Microwave OPENED))"),
    ("turn on the sink", do("switch on", "sink"), "(state Faucet ON)"),
    ("open the tap", do("open", "tap"), "(state Faucet ON)"),
    ("boil the potato", do("cook", "potato"), "(state Potato COOKED)"),
    ("warm up the plate in the microwave oven", do("heat", "plate", location="microwave oven"),
     "(and (state Plate HOT) (contains Microwave Plate))"),
    ("push the sofa", do("move", "sofa"), "(state Sofa MOVED)"),
    ("let it be dark", do("darken the room"),
     "(and (state LightSwitch_1 OFF) (state FloorLamp_1 OFF) (state Blinds_1 CLOSED))"),
    ("water at the sink", do("run water", location="sink"), "(state Faucet ON)"),
    ("clear off the desk", do("clear", "desk"), "(state Desk EMPTY)"),
    ("put the pan on the stove burner and turn it on",
     also(do("put", "pan", "stove burner"), do("switch on", it("stove burner"))),
     "(and (contains StoveBurner Pan) (state StoveKnob ON))"),
    ("cool the potato in the fridge", do("chill", "potato", location="fridge"),
     "(and (state Potato COLD) (contains Fridge Potato))"),
    ("fill the mug at the sink", do("fill", "mug", location="sink"), "(state Mug FILLED)"),
    ("the potato cold", do("be like", "potato", state="cold"), "(state Potato COLD)"),
    # slices
    ("put a slice of bread on the plate", do("put", a("slice of bread", det="any one"), "plate"),
     "(and (state Bread SLICED) (contains Plate BreadSliced))"),
    ("cut up the tomato and put the slices in the bowl",
     also(do("cut up", "tomato"), do("put", a("slices", det="all"), "bowl")),
     "(and (state Tomato SLICED) (contains Bowl TomatoSliced))"),
    ("store the sliced lettuce in the fridge", do("put", a("lettuce", attribute="sliced"), "fridge"),
     "(and (state Lettuce SLICED) (contains Fridge Lettuce))"),
    ("toast some bread", do("toast", "bread"), "(and (state Bread SLICED) (state Bread TOASTED))"),
    ("toast the bread in the toaster", do("toast", "bread", location="toaster"),
     "(and (state Bread SLICED) (state Bread TOASTED))"),
    # how many, which
    ("either the apple or the tomato into the bowl", do("put", either("apple", "tomato"), "bowl"),
     "(or (contains Bowl Apple) (contains Bowl Tomato))"),
    ("two vegetables into the fridge", do("put", a("vegetables", count="two", det="any"), "fridge"),
     "(or (and (contains Fridge Lettuce) (contains Fridge Tomato))"
     " (and (contains Fridge Lettuce) (contains Fridge Potato))"
     " (and (contains Fridge Tomato) (contains Fridge Potato)))"),
    ("all vases on the bed", do("put", a("vases", det="all"), "bed"), ALL_VASES),
    ("the vases on the bed", do("put", "vases", "bed"), ALL_VASES),
    ("the vase on the desk to the bed", do("put", a("vase", located=a("desk")), "bed"),
     "(contains Bed Vase_3)"),
    ("take the vase from the dining table to the bed", do("put", "vase", "bed", source="dining table"),
     "(contains Bed Vase_1)"),
    ("all vases except the one on the sofa on the bed",
     do("put", a("vases", det="all", but=a(same_noun=True, located=a("sofa"))), "bed"),
     "(and (contains Bed Vase_1) (contains Bed Vase_3))"),
    ("every vegetable but the potato in the fridge",
     do("put", a("vegetable", det="each", but=a("potato")), "fridge"),
     "(and (contains Fridge Lettuce_1) (contains Fridge Tomato_1))"),
    ("wash any two vases and put them on the bed",
     also(do("clean", a("vases", count="two", det="any")), do("put", it("vases"), "bed")),
     "(or (and (state Vase_1 CLEAN) (state Vase_2 CLEAN) (contains Bed Vase_1) (contains Bed Vase_2))"
     " (and (state Vase_1 CLEAN) (state Vase_3 CLEAN) (contains Bed Vase_1) (contains Bed Vase_3))"
     " (and (state Vase_2 CLEAN) (state Vase_3 CLEAN) (contains Bed Vase_2) (contains Bed Vase_3)))"),
    ("rinse the apple in the bathroom of my lounge",
     do("clean", a("apple", room=a("lounge"))), "(state Apple CLEAN)"),
    ("Apple_1 into Bowl_1", do("put", "Apple_1", "Bowl_1"), "(contains Bowl_1 Apple_1)"),
    ("Ada's red apple in the fridge",
     do("put", a("apple", color="red", owner=a(person="Ada")), "fridge"), "(contains Fridge Apple)"),
    # words for types, listed or not
    ("the gumball machine on and the gizmo into the hat box",
     also(do("switch on", "gumball machine"), do("put", "gizmo", "hat box")),
     "(and (state GumballMachine ON) (contains HatBox Gizmo))"),
    ("the wristwatch into the drawer", do("put", "wristwatch", "drawer"), "(contains Drawer Watch)"),
    ("the settee with the head of lettuce", do("put", "head of lettuce", "settee"),
     "(contains Sofa Lettuce)"),
    ("the tomato cut", do("cut up", "tomato"), "(state Tomato SLICED)"),
    # order: what is asked for later settles what contradicts it
    ("open the fridge, take the egg out and close the fridge again",
     then(do("open", "fridge"), do("take", "egg", source=it("fridge")), do("close", it("fridge"))),
     "(and (not (contains Fridge_1 Egg_1)) (state Fridge CLOSED))"),
    ("the potato hot, then on the desk", then(do("heat", "potato"), do("put", it("potato"), "desk")),
     "(and (state Potato HOT) (contains Desk Potato))"),
    ("the light off and then on again", then(do("switch off", "light"), do("switch on", it("light"))),
     "(state LightSwitch ON)"),
    # what shall not be
    ("the light should not be on", do("be on", "light", negated=True), "(not (state LightSwitch ON))"),
    ("the fork in the sink, and never the spoon",
     also(do("put", "fork", "sink"), never("put", "spoon", "sink")),
     "(and (contains Sink Fork) (not (contains Sink Spoon)))"),
    ("leave the apple and put the fork in the sink", also(do("keep", "apple"), do("put", "fork", "sink")),
     "(and (contains Sink Fork) (contains APPLE Apple_1))"),
    ("pick up the candle and light it", also(do("hold", "candle"), do("switch on", it("candle"))),
     "(state Candle ON)"),
    ("a plate that holds an egg, hot",
     do("heat", a("plate", where=(Relation("holds", (a("egg"),)),))),
     "(and (state Plate HOT) (contains Plate Egg))"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "step", "goal"), UNDERSTOOD)
def test_what_is_meant(
    text: str, step: Any, goal: str, table: WishTable, graph: HouseGraph
) -> None:
    found = _wish(table, graph, text, step).goal
    place = graph.value("Apple_1", "in") or ""
    wanted = parse_formula(goal.replace("APPLE", place), fold_case=False)
    assert equivalent(found, wanted), to_pddl(found)


ASKED: list[tuple[str, Any, str]] = [
    ("frobnicate the desk", do("other", "desk", verb="frobnicate"), "frobnicate"),
    ("slice the laptop", do("cut up", "laptop"), "cannot be sliced"),
    ("open the apple", do("open", "apple"), "cannot be opened"),
    ("the zorblax on", do("switch on", "zorblax"), "zorblax"),
    ("put the apple in the apple", do("put", "apple", "apple"), "put in or on Apple"),
    ("put three apples in the fridge", do("put", a("apples", count="three"), "fridge"), "only 1"),
    ("bring me the book", do("give", "book", a(speaker=True)), "Where should it go"),
    ("take the book and turn off the light", also(do("hold", "book"), do("switch off", "light")),
     "Where should it go"),
    ("one vase in each drawer", do("put", a("vase", det="any one"), a("drawer", det="each")),
     "Which goes where"),
    ("the vase by the window on the bed",
     do("put", a("vase", where=(Relation("near", (a("window"),)),)), "bed"), "window"),
    ("the red vase", do("break", a("vase", color="red")), "red"),
    ("Ada's vase", do("clean", a("vase", owner=a(person="Ada"))), "Ada"),
    ("apple: top shelf of the fridge", do("put", "apple", a("fridge", level="top")), "top"),
    ("wash the fork in the fridge", do("clean", "fork", location="fridge"), "running water"),
    ("fill the mug in the fridge", do("fill", "mug", location="fridge"), "running water"),
    ("the sofa goes on the bed", do("put", "sofa", "bed"), "carry Sofa"),
    ("heat the sofa", do("heat", "sofa"), "cannot be hot"),
    ("clean the apple in the laptop", do("clean", a("apple", room=a("laptop"))), "no room"),
    ("the vase on the bed to the desk", do("put", a("vase", located=a("bed")), "desk"), "not there"),
    ("slice the potato on the bed", do("cut up", a("potato", located=a("bed"))), "not there"),
    ("all vases except the apple on the bed",
     do("put", a("vases", det="all", but=a("apple")), "bed"), "among these"),
    ("all except the apple", do("cut up", a(everything=True, but=a("apple"))), "Everything"),
    ("never touch the vase", never("touch", "vase"), "What should be true"),
    ("slice the apple backwards", do("cut up", "apple", manner="backwards"), "backwards"),
    ("maybe slice the apple", do("cut up", "apple", hedge="maybe"), "maybe"),
    ("slice the apple if it is broken",
     do("cut up", "apple", condition=do("be like", "apple", mood="tell", state="broken")), "broken"),
    ("fill the mug with lemonade", do("fill", "mug", content="lemonade"), "lemonade"),
    ("make the bed", do("make the bed", "bed"), "make a bed"),
    ("the apple and then", Part(do("cut up", "apple"), stands="taken back"), "What should be done"),
    ("robot 7, slice the apple", Part(do("cut up", "apple"), by("robot 7")), "robot1, robot2"),
    ("make everybody happy", do("routine", verb="make everybody happy"), "make everybody happy"),
    ("set the table for four", do("routine", verb="set the table for four"), "set the table"),
    ("slice the apple and frobnicate it",
     also(do("cut up", "apple"), do("other", it("apple"), verb="frobnicate")), "frobnicate"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "step", "asked"), ASKED)
def test_what_could_be_wrong_is_asked_about(
    text: str, step: Any, asked: str, table: WishTable, graph: HouseGraph
) -> None:
    with pytest.raises(Unclear) as caught:
        _wish(table, graph, text, step)
    assert asked in str(caught.value)


def test_no_noun_is_taken_for_what_it_only_looks_or_ends_like(
    table: WishTable, graph: HouseGraph
) -> None:
    nouns = table.home(graph).nouns
    for words in (
        "magnifying glass",
        "shower head",
        "sweater",
        "pump",
        "zorblax lid",
        "vase stand",
    ):
        assert nouns.find(words) is None, words
    kinds = {"hand towel": ("HandTowel",), "kitchen knife": ("Knife",), "settee": ("Sofa",)}
    for words, types in kinds.items():
        found = nouns.find(words)
        assert found is not None and found.types == types, words


def test_what_comes_before_is_a_step_of_its_own(table: WishTable, graph: HouseGraph) -> None:
    text = "the light off and then on again"
    wish = _wish(table, graph, text, then(do("switch off", "light"), do("switch on", it("light"))))
    assert [to_pddl(step) for step in wish.before] == ["(state LightSwitch OFF)"]
    text = "the pen on the bed and the fridge open"
    pen, fridge = do("put", "pen", "bed"), do("open", "fridge")
    assert not _wish(table, graph, text, also(pen, fridge)).before
    for parts in ((then(pen, fridge),), (pen, Part(fridge, then=True))):
        wish = _wish(table, graph, text, *parts)
        assert [to_pddl(step) for step in wish.before] == ["(contains Bed Pen)"]


def test_what_must_not_be_done_is_spared(table: WishTable, graph: HouseGraph) -> None:
    text = "heat the potato without the microwave, the fridge stays shut"
    wish = _wish(
        table, graph, text, do("heat", "potato"), never("use", "microwave"), never("open", "fridge")
    )
    assert Fact("Microwave_1", "spared", "SwitchOn") in wish.spared
    assert Fact("Fridge_1", "spared", "OpenObject") in wish.spared


def test_others_leave_the_work_of_a_named_robot_alone(table: WishTable, graph: HouseGraph) -> None:
    text = "Robot 2, slice the apple; robot 1, the tomato"
    wish = _wish(
        table, graph, text,
        Part(do("cut up", "apple"), by("Robot 2")), Part(do("cut up", "tomato"), by("robot 1")),
    )  # fmt: skip
    assert set(wish.barred) == {
        Fact("robot1", "barred-slice", "Apple_1"), Fact("robot2", "barred-slice", "Tomato_1"),
    }  # fmt: skip
    text = "all but robot1 open the fridge"
    wish = _wish(table, graph, text, Part(do("open", "fridge"), by("robot1", choose="all but")))
    assert wish.barred == (Fact("robot1", "barred-open", "Fridge_1"),)


def test_vague_commands_follow_from_what_things_are_for(
    table: WishTable, graph: HouseGraph
) -> None:
    for text, goal in (
        (
            "demonstrate how supper is prepared",
            "(and (state Lettuce SLICED) (state Tomato SLICED))",
        ),
        (
            "get some breakfast going",
            "(and (contains Toaster Bread) (state Bread TOASTED) (state Bread COOKED) (state Bread HOT))",
        ),
    ):
        found = _wish(table, graph, text, do("routine", verb=text)).goal
        assert equivalent(found, parse_formula(goal, fold_case=False)), to_pddl(found)
    text = "slice the apple and tidy the desk"
    found = _wish(table, graph, text, also(do("cut up", "apple"), do("clean", "desk"))).goal
    wanted = parse_formula("(and (state Apple SLICED) (state Desk EMPTY))", fold_case=False)
    assert equivalent(found, wanted)


def _spoken_of(text: str, manner: str) -> list[str]:
    found = dict(Purposes.load().spoken_of(text))
    return [name for name, _ in found.get(manner, ())]


def test_what_asks_for_a_purpose_is_said_in_the_same_sentence_as_what_is_asked_for() -> None:
    assert "eating" in _spoken_of("Could you do the dishes? Thanks.", "clean")
    assert not _spoken_of("The dishes can wait. Do something for a change.", "clean")


def test_who_cannot_see_wants_light_and_no_darkness() -> None:
    assert _spoken_of("I need to find my keys and can't see a thing.", "use") == ["light"]
    assert "darkness" in _spoken_of("I want the room dark, and quiet too.", "use")


def test_the_table_of_purposes_can_be_replaced(graph: HouseGraph) -> None:
    own = Purposes.model_validate(
        {"purposes": {"joy": {"says": ["happy", "glad"], "with": ["Television"]}}}
    )
    table = WishTable(Kinds.load(), own)
    text = "make everybody happy with the vase"
    wish = _wish(table, graph, text, do("routine", verb="make everybody happy"))
    assert to_pddl(wish.goal) == "(state Television ON)"
    with pytest.raises(Unclear, match="vase"):
        _wish(table, graph, text, do("other", "vase", verb="make everybody happy with"))
