"""What is asked back about a report or a task that both readers read and neither surely."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from commonground.grounding.english.weighing import WORTH
from commonground.grounding.memory.reading import Reading
from commonground.grounding.memory.weighing import Sense, Way
from commonground.planning.pddl import Formula, to_pddl

FANCY = "is that so, or only wished or imagined: {}?"
UNKNOWN = "nothing known here is called"
HALF = 0.5
WHAT = "what does that mean?"
WAYS = "I can read that in two ways: {} or {}. Which is meant?"


def is_real(reading: Reading) -> str:
    """Return the question whether what a report says is so."""
    return FANCY.format(in_facts(reading))


def unknown_name(senses: Iterable[Sense]) -> str:
    """Return the question about a name that the trained reader is sure to hear and nothing here has.

    The grammar may take a part of a name for the whole: the downstairs hall for the only hall.
    """
    asked: dict[str, float] = {}
    heard = (w for sense in senses for w in sense.ways if w.utterance is not None)
    for way in heard:
        if way.reading.question.startswith(UNKNOWN):
            question = way.reading.question
            asked[question] = asked.get(question, 0.0) + way.probability
    return next((question for question, sure in asked.items() if sure >= HALF), "")


def in_facts(reading: Reading) -> str:
    """Return what a reading makes so, and what it ends, in facts."""
    facts = [*map(str, reading.facts), *(f"no longer {fact}" for fact in reading.retracted)]
    return "; ".join(facts) or "nothing"


def question_about(senses: Sequence[Sense], parsed: Reading) -> str:
    """Return what to ask where no sense of a report is sure: which of two, whether that, or what else."""
    told = [
        sense for sense in senses if sense.ways[0].reading.status == "ok" and sense.share >= WORTH
    ]
    if len(told) > 1:
        return WAYS.format(in_facts(told[0].ways[0].reading), in_facts(told[1].ways[0].reading))
    if told:
        way = told[0].ways[0]
        return f"{_passed_over(way)}is this what you mean: {in_facts(way.reading)}?"
    asked = (
        sense.ways[0].reading.question for sense in senses if sense.ways[0].reading.status == "ask"
    )
    return parsed.question or next(filter(None, asked), WHAT)


def which_goal(goals: Sequence[Formula], sense: Sense) -> str:
    """Return the question which of some goals is meant, the likeliest first."""
    wishes = [*dict.fromkeys(map(to_pddl, goals))]
    if len(wishes) > 1:
        return WAYS.format(*wishes[:2])
    return f"{_passed_over(sense.ways[0])}shall this be done: {wishes[0]}?"


def _passed_over(way: Way) -> str:
    """Return what to ask about the words that a way to read a text leaves out, if there are any."""
    return f"what about '{way.left_out[0]}'? " if way.left_out else ""
