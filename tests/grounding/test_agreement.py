"""Readings of a text that come to the same count together."""

from commonground.grounding.english.agreement import agreed
from commonground.grounding.english.reader import Reading
from commonground.grounding.english.utterance import Clause, Part, Utterance


def reading(sense: str, confidence: float, *others: Reading) -> Reading:
    said = Utterance((Part(Clause(sense)),))  # type: ignore[arg-type]
    return Reading(said, confidence, others=others)


def sense_of(said: Reading) -> str:
    assert said.utterance is not None
    step = said.utterance.parts[0].step
    assert isinstance(step, Clause)
    return step.sense


def known(_: str) -> bool:
    return True


def test_two_readings_of_one_meaning_are_sure_together():
    doubtful = reading("go to", 0.4, reading("end up at", 0.35), reading("inspect", 0.2))
    found = agreed(doubtful, sense_of, lambda sense: sense in ("go to", "end up at"), known)
    assert (found.answer, found.sure) == ("go to", True)


def test_a_meaning_that_only_others_share_may_be_the_likeliest():
    doubtful = reading("inspect", 0.26, reading("go to", 0.36), reading("end up at", 0.38))
    found = agreed(doubtful, sense_of, lambda sense: sense in ("go to", "end up at"), known)
    assert (found.answer, found.sure) == ("go to", True)


def test_readings_that_differ_leave_doubt():
    doubtful = reading("go to", 0.5, reading("inspect", 0.3), reading("hold", 0.2))
    found = agreed(doubtful, sense_of, str, known)
    assert (found.answer, found.sure) == ("go to", False)


def test_what_has_no_answer_here_is_less_likely_to_be_said():
    doubtful = reading("hold", 0.5, reading("go to", 0.45))
    found = agreed(doubtful, sense_of, str, lambda sense: sense == "go to")
    assert (found.answer, found.sure) == ("go to", True)
    assert sense_of(found.reading) == "go to"


def test_what_is_read_for_sure_is_not_bent_to_what_has_an_answer():
    doubtful = reading("hold", 0.68, reading("go to", 0.3))
    assert not agreed(doubtful, sense_of, str, lambda sense: sense == "go to").sure


def test_a_sure_reading_is_asked_alone():
    asked: list[str] = []

    def answer(said: Reading) -> str:
        asked.append(sense_of(said))
        return asked[-1]

    found = agreed(reading("go to", 0.7, reading("inspect", 0.3)), answer, str, known)
    assert (found.answer, found.sure) == ("go to", True)
    assert asked == ["go to"]
