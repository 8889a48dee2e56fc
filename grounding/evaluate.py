"""The table of grounding: categories down, front ends across, with time and tokens."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from commonground.errors import GroundingError
from commonground.grounding.batches import (
    answer_suite,
    in_order,
    total_spent,
    write_predictions,
    written,
)
from commonground.grounding.grounder import Grounder
from commonground.grounding.settings import GroundingSettings
from commonground.grounding.suites import Answered, Suite, is_correct, load_suite, table
from commonground.reporter import SILENT, Reporter
from commonground.scene import load_scene


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The answers of one or more front ends to one suite."""

    suite: Suite
    settings: tuple[GroundingSettings, ...]
    answers: tuple[tuple[Answered, ...], ...]
    """Of each front end."""

    @property
    def columns(self) -> list[str]:
        """The head of the printed table."""
        return ["category", "total", *(s.backend for s in self.settings)]

    def rows(self) -> list[dict[str, Any]]:
        """Return one row a category and list, then median milliseconds and tokens an instruction."""
        tables = [table(self.suite, answers) for answers in self.answers]
        rows: list[dict[str, Any]] = []
        for lines in zip(*tables, strict=True):
            row = {"category": lines[0]["category"], "total": lines[0]["total"]}
            named = zip(self.settings, lines, strict=True)
            rows.append({**row, **{s.backend: line["correct"] for s, line in named}})
        each = list(zip(self.settings, self.answers, strict=True))
        measures = {"milliseconds, median": _milliseconds, "tokens in, mean": _tokens("prompt")}
        measures |= {"tokens out, mean": _tokens("completion"), "errors": _errors}
        measures |= {"cost": _cost} if any(map(_cost, self.answers)) else {}
        guessed = any(map(_estimated, self.answers))
        measures |= {"tokens estimated, instructions": _estimated} if guessed else {}
        for name, measure in measures.items():
            rows.append({"category": name, "total": "", **{s.backend: measure(a) for s, a in each}})
        return rows

    def cells(self) -> list[list[object]]:
        """Return the rows as the printed table has them."""
        return [[row.get(column, "") for column in self.columns] for row in self.rows()]

    def failures(self) -> list[list[object]]:
        """Return what was not right: front end, id, instruction, answer."""
        return [
            [s.backend, a.item.id, a.item.text, _shown(a)]
            for s, answers in zip(self.settings, self.answers, strict=True)
            for a in answers
            if not is_correct(a.item, a.answer)
        ]

    def check_complete(self) -> None:
        """Raise GroundingError if instructions were not answered, because what was to read them failed."""
        for settings, answers in zip(self.settings, self.answers, strict=True):
            failed = [a.answer for a in answers if a.answer.failed]
            if failed:
                raise GroundingError(
                    f"{settings.backend}: {len(failed)} of {len(answers)} instructions were not answered, so "
                    f"this is no score: {failed[0].message}"
                )

    def as_json(self) -> dict[str, Any]:
        """Return the table and its settings as JSON values."""
        settings = {"suite": self.suite.name, "backends": [s.backend for s in self.settings]}
        columns = ["backend", "id", "text", "answer"]
        wrong = [dict(zip(columns, row, strict=True)) for row in self.failures()]
        return {
            "rows": self.rows(),
            "columns": self.columns,
            "settings": settings,
            "failures": wrong,
        }


def answer_file(
    path: str | Path,
    settings: GroundingSettings | None = None,
    reporter: Reporter = SILENT,
    out: str | Path | None = None,
) -> list[Answered]:
    """Return the answer to each instruction of the suite in a file; write predictions as they come."""
    suite = load_suite(path)
    grounder = Grounder(load_scene(suite.scene), suite.team, settings)
    answers = answer_suite(grounder, suite)
    if out is not None:
        answers = written(out, answers)
    found = in_order(suite, reporter.track(answers, "grounding", total=len(suite)))
    if out is not None:
        write_predictions(out, found)
    return found


def evaluate(
    path: str | Path, settings: Sequence[GroundingSettings], reporter: Reporter = SILENT
) -> Evaluation:
    """Return the answers of each front end to the suite in a file."""
    suite = load_suite(path)
    graph = load_scene(suite.scene)
    answers = []
    for chosen in settings:
        grounder = Grounder(graph, suite.team, chosen)
        found = reporter.track(answer_suite(grounder, suite), chosen.backend, total=len(suite))
        answers.append(tuple(in_order(suite, found)))
    return Evaluation(suite, tuple(settings), tuple(answers))


def _milliseconds(answers: Sequence[Answered]) -> float:
    return round(1e3 * statistics.median(a.seconds for a in answers), 1) if answers else 0.0


def _tokens(kind: str) -> Callable[[Sequence[Answered]], float]:
    def mean(answers: Sequence[Answered]) -> float:
        spent = [a.answer.tokens.get(kind, 0) for a in answers]
        return round(statistics.fmean(spent), 1) if spent else 0.0

    return mean


def _estimated(answers: Sequence[Answered]) -> int:
    """Count the instructions whose tokens no server counted."""
    return sum("estimated" in a.answer.tokens for a in answers)


def _cost(answers: Sequence[Answered]) -> float:
    return round(total_spent(answers).get("cost", 0.0), 6)


def _errors(answers: Sequence[Answered]) -> int:
    """Count the questions that are no questions but failures of the server."""
    return sum(a.answer.failed for a in answers)


def _shown(answered: Answered) -> str:
    goals = answered.answer.goals
    return answered.answer.message if goals is None else str(dict(goals))
