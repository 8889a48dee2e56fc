"""Suites of instructions with the goals they should give: read and scored.

An answer is right when it gives the same robots equivalent goals as one of the accepted ones; for an
instruction that must be refused, when it gives no goal and asks back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from commonground.config import read_yaml, validated
from commonground.errors import GroundingError, PlanningError
from commonground.grounding.answers import Grounding
from commonground.planning.pddl import TRUE, Formula, equivalent, parse_formula, simplify
from commonground.robots import RobotEntry, Team, team_of
from commonground.settings import Settings


class Item(Settings):
    """One instruction of a suite."""

    id: str
    category: str = ""
    text: str
    accept: tuple[dict[str, str], ...] = ()
    """Each a correct answer: goal by robot. Empty: the instruction must be refused."""
    why: str = ""
    """Why it must be refused."""


class SuiteFile(Settings):
    """A ``suite.yaml``."""

    name: str
    scene: str
    robots: Annotated[dict[str, RobotEntry], Field(min_length=1)]
    instructions: tuple[Item, ...]
    extra: tuple[Item, ...] = ()
    refuse: tuple[Item, ...] = ()


@dataclass(frozen=True, slots=True)
class Suite:
    """A suite and where its scene graph is."""

    name: str
    scene: Path
    team: Team
    lists: Mapping[str, tuple[Item, ...]]
    """``instructions``, ``extra`` and ``refuse``."""

    def __iter__(self) -> Iterator[Item]:
        for items in self.lists.values():
            yield from items

    def __len__(self) -> int:
        return sum(map(len, self.lists.values()))


@dataclass(frozen=True, slots=True)
class Answered:
    """An instruction with the answer to it."""

    item: Item
    answer: Grounding
    seconds: float

    def as_json(self) -> dict[str, Any]:
        """Return the prediction as the checkers of suites read it; a failure predicts nothing."""
        answer = self.answer
        values: dict[str, Any] = {"id": self.item.id}
        if not answer.failed:
            values["goals"] = None if answer.goals is None else dict(answer.goals)
        values |= {"status": answer.status, "message": answer.message}
        return values | ({"spent": dict(answer.spent)} if answer.spent else {})


def load_suite(path: str | Path) -> Suite:
    """Read a suite; ConfigError with file and line for what is wrong."""
    file = Path(path)
    values, lines = read_yaml(file)
    origin = {keys: f"{file}:{line}" for keys, line in lines.items()}
    found = validated(SuiteFile, values, origin, str(file))
    lists = {"instructions": found.instructions, "extra": found.extra, "refuse": found.refuse}
    ids = [item.id for items in lists.values() for item in items]
    twice = sorted({i for i in ids if ids.count(i) > 1})
    if twice:
        raise GroundingError(f"{file}: the id {twice[0]} is there twice")
    return Suite(found.name, file.parent / found.scene, team_of(found.robots), lists)


# ---- scoring ----------------------------------------------------------------------------------------


def is_correct(item: Item, answer: Grounding) -> bool:
    if not item.accept:
        return answer.status == "clarify" and not answer.goals
    if answer.status != "ok" or not answer.goals:
        return False
    try:
        given = _formulas(answer.goals)
        return any(_same(_formulas(accepted), given) for accepted in item.accept)
    except PlanningError:
        return False


def _formulas(goals: Mapping[str, str]) -> dict[str, Formula]:
    """Return the goals that are not trivially true, with symbols in capitals."""
    parsed = {robot.lower(): parse_formula(text, source=robot) for robot, text in goals.items()}
    return {robot: goal for robot, goal in parsed.items() if simplify(goal) != TRUE}


def _same(a: Mapping[str, Formula], b: Mapping[str, Formula]) -> bool:
    return a.keys() == b.keys() and all(equivalent(a[robot], b[robot]) for robot in a)


def table(suite: Suite, answers: Sequence[Answered]) -> list[dict[str, Any]]:
    """Return the rows of the paper's table: correct and total for each category, then for each list."""
    by_id = {answered.item.id: answered for answered in answers}
    rows: dict[str, list[bool]] = {}
    for name, items in suite.lists.items():
        for item in items:
            right = item.id in by_id and is_correct(item, by_id[item.id].answer)
            rows.setdefault(item.category if name == "instructions" else name, []).append(right)
    first = [right for item in suite.lists["instructions"] for right in [_right(by_id, item)]]
    rows["instructions"] = first
    order = [r for r in rows if r not in suite.lists]
    order += [name for name in suite.lists if rows.get(name)]
    return [
        {"category": name, "correct": sum(rows[name]), "total": len(rows[name])} for name in order
    ]


def _right(by_id: Mapping[str, Answered], item: Item) -> bool:
    return item.id in by_id and is_correct(item, by_id[item.id].answer)
