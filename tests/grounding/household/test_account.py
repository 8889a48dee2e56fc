"""What every word of a command came to: wishes held against what the words ask for."""

from __future__ import annotations

import pytest

from commonground.grounding.problem_writer.goals import Wish
from commonground.grounding.problem_writer.kinds import Kinds
from commonground.grounding.problem_writer.wishes.account import Account, Accounts
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.problem_writer.wishes.wishing import WishTable
from commonground.planning.pddl import parse_formula
from tests.grounding.household.houses import graph_of, several_of_a_kind


@pytest.fixture(scope="module")
def home() -> Home:
    return WishTable(Kinds.load()).home(graph_of(several_of_a_kind()))


def _account(text: str, goal: str, home: Home) -> Account:
    return Accounts(text, home).of(Wish(parse_formula(goal, fold_case=False)))


BORNE_OUT = [
    ("Telly on, sink empty, please.", "(and (state Television ON) (state Sink EMPTY))"),
    ("Chop the tomato and pop it in the fridge.", "(and (state Tomato SLICED) (contains Fridge Tomato))"),
    ("Take the egg out of the fridge and put it in the sink.", "(contains Sink Egg)"),
    ("It's too dark in here, so open the fridge.", "(state Fridge OPENED)"),
    ("Don't leave the fridge open.", "(state Fridge CLOSED)"),
    ("That egg is off, bin it.", "(contains GarbageCan Egg)"),
    ("I want to iron on the desk, so put the egg in the sink.", "(contains Sink Egg)"),
    ("The telly's been on all night. Shut the fridge.", "(state Fridge CLOSED)"),
    ("The egg won't last in this heat. Shut the fridge.", "(state Fridge CLOSED)"),
    ("Get rid of that egg.", "(contains GarbageCan Egg)"),
    ("Leave the vases on the sofa and shut the fridge.", "(state Fridge CLOSED)"),
    ("Put everything on the sofa.", "(and (contains Sofa Vase) (contains Sofa Egg) (contains Sofa Fork))"),
    ("Wash the fork and put it in the sink.", "(and (state Fork CLEAN) (contains Sink Fork))"),
    ("I want the bowl to hold the egg.", "(contains Bowl Egg)"),
    ("Get the bowl and put the egg in it.", "(contains Bowl Egg)"),
    ("Everything off the desk, please.", "(state Desk EMPTY)"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "goal"), BORNE_OUT)
def test_a_goal_that_all_words_bear_out_lacks_nothing(text: str, goal: str, home: Home) -> None:
    assert _account(text, goal, home) == Account()


LOST = [
    ("Main light off, telly on.", "(and (state LightSwitch ON) (state Television ON))", "off"),
    ("Wash, slice and chill the apple.", "(and (state Apple CLEAN) (state Apple COLD))", "slice"),
    ("Put the egg in the sink and the apple in the fridge.",
     "(and (contains Sink Egg) (contains Sink Apple))", "fridge"),
    ("Smash a vase and put the others on the sofa.",
     "(and (state Vase BROKEN) (contains Sofa Vase))", "others"),
    ("Put the telly on tonight and the main light off.", "(state LightSwitch OFF)", "on"),
    ("Wash the fork and hang it back on its hook.", "(state Fork CLEAN)", "hang"),
    ("Fill the mug and put the fork on the desk.", "(contains Desk Fork)", "fill"),
    ("Don't slice the egg, slice the apple.",
     "(and (state Egg SLICED) (state Apple SLICED))", "egg"),
    ("Put the egg in the bowl, which you'd better wash first.", "(contains Bowl Egg)", "wash"),
    ("Wash the fork, dry it and put it in the sink.",
     "(and (state Fork CLEAN) (contains Sink Fork))", "dry"),
    ("Put the egg in the bowl that you are going to wash for me.",
     "(and (state Egg CLEAN) (contains Bowl Egg))", "bowl"),
    ("Bin it and shut the fridge.", "(state Fridge CLOSED)", "bin"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "goal", "word"), LOST)
def test_a_word_that_a_goal_does_not_answer_is_told(
    text: str, goal: str, word: str, home: Home
) -> None:
    assert _account(text, goal, home).lost == (word,)


INVENTED = [
    ("Put the egg on the desk. Fork next, then bowl.",
     "(and (contains Desk Egg) (contains Bowl Fork))", "Fork"),
    ("Fetch the fork that's lying in the sink.", "(contains Sink Fork)", "Fork"),
    ("The fork was supposed to be in the sink. Shut the fridge.",
     "(and (contains Sink Fork) (state Fridge CLOSED))", "Fork"),
    ("The vases can all stand on the desk from now on.", "(state Desk EMPTY)", "empty Desk"),
    ("Put the egg on the desk. Fork, then mug.", "(and (contains Desk Egg) (contains Desk Mug))", "Mug"),
    ("Get the phone out.", "(state CellPhone OFF)", "off CellPhone"),
    ("Throw the apple away, and the egg in the fridge as well.",
     "(and (contains GarbageCan Apple) (contains Fridge Egg))", "fridge"),
    ("Bin the washing-up bowl.", "(state Bowl CLEAN)", "clean Bowl"),
    ("Get the fork ready for us.", "(state Fork HOT)", "hot Fork"),
    ("Take the egg out of the fridge and put the apple in it.",
     "(and (contains Fridge Egg) (contains Fridge Apple))", "fridge"),
    ("Get the egg out and leave it somewhere.", "(contains GarbageCan Egg)", "GarbageCan"),
    ("I want to wash up later, so put the fork in the sink.",
     "(and (state Fork CLEAN) (contains Sink Fork))", "clean Fork"),
    ("Slip the fork away in here somewhere.",
     "(and (contains Desk Fork) (contains Sink Apple) (contains Sofa Vase))", "Apple"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "goal", "part"), INVENTED)
def test_a_part_of_a_goal_that_no_word_asks_for_is_told(
    text: str, goal: str, part: str, home: Home
) -> None:
    assert part in _account(text, goal, home).invented
