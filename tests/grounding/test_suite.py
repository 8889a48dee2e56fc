"""The development suite and other wordings of it, answered offline."""

from __future__ import annotations

from commonground.grounding.answers import Grounding
from commonground.grounding.batches import answer_suite
from commonground.grounding.grounder import Grounder
from commonground.grounding.suites import Answered, Suite, is_correct, table


def test_offline_front_end_answers_the_development_suite(
    dev_suite: Suite, dev_grounder: Grounder
) -> None:
    answers = list(answer_suite(dev_grounder, dev_suite))
    rows = {row["category"]: row for row in table(dev_suite, answers)}
    wrong = [(a.item.text, a.answer) for a in answers if not is_correct(a.item, a.answer)]
    assert all(answer.status != "ok" for _, answer in wrong), wrong
    assert rows["instructions"]["correct"] >= 66, wrong
    assert rows["extra"]["correct"] >= 18, wrong
    assert rows["refuse"]["correct"] == 15, wrong


def test_other_wordings_are_understood_and_never_guessed(
    dev_suite: Suite, dev_grounder: Grounder, paraphrases: dict[str, list[str]]
) -> None:
    items = {item.id: item for item in dev_suite}
    asked, wrong, total = [], [], 0
    for key, texts in paraphrases.items():
        for text in texts:
            answer = dev_grounder.ground(text)
            total += 1
            if not is_correct(items[key], answer):
                (wrong if answer.status == "ok" else asked).append((key, text, answer.goals))
    assert len(wrong) <= 0.01 * total, wrong
    assert len(asked) <= 0.1 * total, asked


def test_a_wrong_robot_an_extra_robot_or_a_question_is_not_correct(dev_suite: Suite) -> None:
    item = next(i for i in dev_suite if i.id == "a-sr-01")
    assert is_correct(item, Grounding("ok", {"spot": "(and (safe O194) (safe O194))"}, ""))
    for goals in (
        {"husky": "(safe O194)"},
        {"spot": "(safe O194)", "husky": "(safe O194)"},
        {"spot": "(safe O195)"},
        {"spot": "(safe O194"},
        {},
    ):
        assert not is_correct(item, Grounding("ok", goals, ""))
    assert not is_correct(item, Grounding("clarify", None, "which?"))


def test_reasons_name_the_candidates_and_their_distances(dev_grounder: Grounder) -> None:
    answer = dev_grounder.ground("Spot, inspect the box closest to the bicycle.")
    reason = next(r for r in answer.reasons if r["phrase"] == "the box nearest to the bicycle")
    assert reason["chosen"] == ["O194"]
    meters = [c["meters"] for c in reason["candidates"]]
    assert meters == sorted(meters) and len(meters) == 7
    assert len(reason["excluded"]["not nearest to the bicycle"]) == 6


def test_answered_items_carry_what_a_checker_reads(
    dev_suite: Suite, dev_grounder: Grounder
) -> None:
    item = next(i for i in dev_suite if i.id == "a-r-04")
    answered = Answered(item, dev_grounder.ground(item.text), 0.0)
    assert answered.as_json()["id"] == "a-r-04"
    assert answered.as_json()["goals"] is None
    assert answered.as_json()["status"] == "clarify"
