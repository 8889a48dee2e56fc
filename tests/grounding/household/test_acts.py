"""What each clause of a command does, and what is left of a command without what it only tells."""

from __future__ import annotations

import pytest

from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.wishes.account import Accounts
from commonground.grounding.problem_writer.wishes.answers import answered
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.problem_writer.wishes.reading import WishReader
from commonground.grounding.resolver.choice import Unclear

ACTS = [
    ("Dig the fork out and hand it over.", "order order"),
    ("Could one of you shut the fridge, please?", "order"),
    ("Would you mind washing the apple?", "order"),
    ("You can wash the fork, you needn't touch the egg.", "order leave"),
    ("Could the telly go off now?", "order"),
    ("May I have the apple?", "wish"),
    ("The apple belongs in the fridge and the egg can go on the desk.", "wish wish"),
    ("I could murder an apple.", "wish"),
    ("I want to read, so the telly should be off.", "own wish"),
    ("Telly off, it's noisy.", "wish report"),
    ("I'm at my wits' end, fridge shut please.", "report wish"),
    ("The egg's cold, into the bin with it.", "report wish"),
    ("Fridge shut and wiped.", "wish"),
    ("It'd be a mercy to us if somebody could wash the fork.", "wish"),
    ("Fork washed already, just shut the fridge.", "report order"),
    ("The apple washed ashore, put it in the sink.", "report order"),
    ("Put the egg on the desk where I can reach it when I cook.", "order report"),
    ("A bit of fruit would be nice.", "wish"),
    ("Is the fridge shut?", "question"),
    ("Why is the telly on?", "question"),
    ("Has anybody washed the fork?", "question"),
    ("Tell me whether the fridge is shut.", "question"),
    ("How am I to sleep?", "report"),
    ("The telly is on, and that's fine.", "leave leave"),
    ("The fork can stay where it is.", "leave"),
    ("Leave the fork alone.", "leave"),
    ("I don't mind the telly being on.", "leave"),
    ("Who left the fridge open?", "complaint"),
    ("We don't need the telly on.", "complaint"),
    ("Somebody left the fridge open.", "report"),
    ("Somebody put the egg on the desk, wash it.", "report order"),
    ("I'll peel the egg later, you just wash it.", "own order"),
    ("Put the fork, it's wet, in the sink.", "order report order"),
    ("The apple, the egg and the fork are dirty.", "report"),
    ("The apple that's on the desk goes in the fridge.", "wish"),
    ("Nobody may touch the vase.", "wish"),
    ("We're not allowed to open the fridge.", "wish"),
    ("I don't want the fridge opened. Wash the fork.", "wish order"),
    ("I don't want the fork lying about. Put it away.", "complaint order"),
    ("Aunt Nell says the fork has to go.", "wish"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "acts"), ACTS)
def test_grammar_tells_what_a_clause_does(text: str, acts: str, home: Home) -> None:
    assert " ".join(one.act for one in Accounts(text, home).acts.said) == acts


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Is the fridge shut?", "Fridge_1 is closed."),
        ("Where is the egg?", "Egg_1 is in"),
        ("The fridge is shut, and that's good.", "nothing is to be done"),
        ("Is it Tuesday?", "I do not know"),
        ("Shut the fridge. Is the telly on?", ""),
    ],
)
def test_who_only_asks_is_answered(text: str, answer: str, home: Home) -> None:
    found = answered(Accounts(text, home))
    assert answer in found if answer else not found


@pytest.mark.parametrize(
    "text",
    [
        "Is the fridge open?",
        "Is it too warm for the egg?",
        "The telly is still on, and that's good.",
        "Did anybody turn the telly on?",
        "Tell me when the telly is on.",
    ],
)
def test_no_question_is_taken_for_an_order(
    text: str, reader: WishReader, graph: HouseGraph
) -> None:
    with pytest.raises(Unclear):
        reader.wish(text, graph)


def test_what_somebody_will_do_himself_is_not_done(reader: WishReader, graph: HouseGraph) -> None:
    with pytest.raises(Unclear):
        reader.wish("You just put the egg in the fridge, I'll peel the apple later.", graph)
