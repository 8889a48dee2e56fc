"""A language model writes a knowledge base; everything it writes is loaded and checked in Prolog.

First the two texts are checked against each other. Then the base is asked for in parts (or at once): what is
wrong with a part is said to the model until the part is clean or it has been asked often enough.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from commonground.errors import GroundingError
from commonground.grounding.model import ChatModel
from commonground.grounding.model.form import Form, form_of, read_as
from commonground.grounding.prolog.base.engine import Engine
from commonground.grounding.prolog.base.findings import Finding, errors_of
from commonground.grounding.prolog.base.knowledge_base import Base
from commonground.grounding.prolog.base.load import load, read_text
from commonground.grounding.prolog.base.merging import high_level, merged
from commonground.grounding.prolog.base.reading import read_items
from commonground.grounding.prolog.base.writing import program_of
from commonground.grounding.prolog.checks.check import check
from commonground.grounding.prolog.generation.agent_lists import agent_complaints
from commonground.grounding.prolog.generation.prompts import (
    PARTS_HIGH,
    PARTS_LOW,
    Prompts,
    load_prompts,
)
from commonground.grounding.prolog.settings import PrologSettings
from commonground.grounding.settings import ModelSettings
from commonground.settings import Settings

ATTEMPTS = 4
"""How often one part is asked for."""
REPAIRS = 3
"""How often the finished base is sent back with its findings."""
ANSWER_TOKENS = 12_000
_MENDED = "This was loaded in Prolog and checked."
_BLOCK = re.compile(r"```(?:\w+)?[ \t]*\n(.*?)```", re.DOTALL)
_INCOMPLETE = (
    "missing", "no-mapping", "unread-effect", "never-satisfied", "superfluous", "undeclared",
)  # fmt: skip
"""Findings that only mean something once all parts are there."""


class Complaint(Settings):
    """One contradiction that a model sees in the texts."""

    level: Literal["high", "low", "both"] = "both"
    subject: str = Field(default="", max_length=200)
    complaint: str = Field(min_length=1, max_length=1000)


class Consistency(Settings):
    """What a model says of the texts."""

    consistent: bool
    complaints: list[Complaint] = Field(default_factory=list, max_length=50)


class Status(StrEnum):
    """How writing a base ended."""

    OK = "ok"
    INCONSISTENT = "inconsistent"
    """The texts contradict each other."""
    UNFINISHED = "unfinished"
    """Errors are left after the last attempt."""
    UNAVAILABLE = "unavailable"
    """The model gave no answer."""


@dataclass(frozen=True, slots=True)
class Order:
    """What a base is written from."""

    high: str
    low: str
    prompts: Prompts
    reuse: Base | None = None
    """The high level, where it is there already."""


@dataclass(frozen=True, slots=True)
class Generated:
    """The base that was written, or why there is none."""

    status: Status
    program: str = ""
    reason: str = ""
    complaints: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    questions: int = 0
    tokens: dict[str, int] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return the result as JSON values."""
        return {
            "status": self.status.value,
            "reason": self.reason,
            "complaints": list(self.complaints),
            "findings": [f.as_json() for f in self.findings],
            "questions": self.questions,
            "tokens": self.tokens,
        }


def open_job(
    texts: tuple[str | Path, str | Path], reuse: str | Path | None, examples: str | Path | None
) -> Order:
    """Read the texts, the examples and the base to be reused."""
    high, low = map(read_text, texts)
    kept = None
    if reuse is not None:
        with Engine() as engine:
            kept = high_level(load(engine, read_text(reuse), str(reuse)).required().base)
    return Order(high, low, load_prompts(examples), kept)


def generate_base(
    order: Order,
    model: ModelSettings | None = None,
    prolog: PrologSettings | None = None,
    *,
    whole: bool = False,
) -> Generated:
    """Return a base for two texts, checked in Prolog."""
    given = model or ModelSettings()
    settings = given.model_copy(
        update={
            "max_answer_tokens": max(given.max_answer_tokens, ANSWER_TOKENS),
            "most_answer_tokens": max(given.most_answer_tokens, 2 * ANSWER_TOKENS),
            "timeout_s": max(given.timeout_s, 120.0),
            "budget_s": max(given.budget_s, 240.0),
        }
    )
    with Engine(prolog) as engine:
        return _Writer(engine, order, ChatModel(settings)).write(whole)


class _GaveUp(Exception):
    """The model gave no usable answer."""


class _Writer:
    def __init__(self, engine: Engine, order: Order, model: ChatModel) -> None:
        self.engine, self.order, self.model = engine, order, model
        self.parts: list[Base] = [] if order.reuse is None else [order.reuse]
        self.questions = 0

    def write(self, whole: bool) -> Generated:
        """Check the texts, write the parts, repair what is left."""
        complaints = agent_complaints(self.order.high, self.order.low)
        try:
            if not complaints:
                complaints = self._contradictions()
            if complaints:
                return self._done(Status.INCONSISTENT, complaints=tuple(complaints))
            names: Sequence[str] = ("whole",) if whole else (*PARTS_HIGH, *PARTS_LOW)
            if self.order.reuse is not None:
                names = PARTS_LOW
            for name in names:
                self._part(name)
            return self._finished()
        except _GaveUp as error:
            return self._done(Status.UNAVAILABLE, reason=str(error))

    def _done(self, status: Status, **values: Any) -> Generated:
        usage = self.model.usage.as_json()
        return Generated(status, questions=self.questions, tokens=usage, **values)

    def _ask(self, messages: list[dict[str, str]], form: Form | None, check: Any) -> Any:
        self.questions += 1
        found = self.model.ask_checked(messages, form, check)
        if found.value is None:
            raise _GaveUp(
                f"the language model gave no usable answer ({found.status}): {found.message}"
            )
        return found.value

    def _contradictions(self) -> list[str]:
        messages = self.order.prompts.messages("consistency", self.order.high, self.order.low, "")
        found: Consistency = self._ask(
            messages, form_of(Consistency), lambda value: read_as(Consistency, value)
        )
        if found.consistent:
            return []
        return [f"{c.level} level: {c.complaint}" for c in found.complaints] or [
            "the model finds the texts contradictory and does not say why"
        ]

    # ---- parts ----

    def _part(self, name: str) -> None:
        """Ask for a part until it has no errors of its own."""
        messages = self.order.prompts.messages(
            name, self.order.high, self.order.low, self._program() if self.parts else ""
        )
        best: Base | None = None
        for _ in range(ATTEMPTS):
            program = self._ask(messages, None, _read_program)
            part, findings = self._looked_at(program)
            wrong = errors_of(findings)
            if not wrong:
                self.parts.append(part)
                return
            best = part
            messages = _answered(messages, program, wrong)
        if best is not None:  # the finished base is repaired later
            self.parts.append(best)

    def _looked_at(self, program: str) -> tuple[Base, list[Finding]]:
        """Return a part, and what is wrong with it together with what there is already."""
        module = self.engine.new_module()
        reading = read_items(self.engine.read(module, program), program, "the part")
        findings = [f for f in reading.findings if f.kind != "missing"]
        part = reading.base()
        if not findings:
            together = program_of(merged([*self.parts, part], "base"))
            found = check(self.engine, together, "base")
            findings = [replace(f, line=0, column=0) for f in found if f.kind not in _INCOMPLETE]
            findings = [f for f in findings if not self._is_early(part, f)]
        return part, findings

    def _is_early(self, part: Base, finding: Finding) -> bool:
        """Return whether a finding may vanish with the parts that are not there yet."""
        if part.mappings and part.low:
            return False
        early = ("levels", "unreachable-goal", "agents", "abstraction", "mapping")
        return finding.kind in early and not part.mappings

    def _program(self) -> str:
        return program_of(merged(self.parts, "base"))

    # ---- the whole ----

    def _finished(self) -> Generated:
        """Send the finished base back with its errors until there are none, or enough is enough."""
        program = self._program()
        findings = check(self.engine, program, "base")
        for _ in range(REPAIRS):
            if not errors_of(findings):
                return self._done(Status.OK, program=program, findings=tuple(findings))
            messages = self.order.prompts.messages("whole", self.order.high, self.order.low, "")
            messages = _answered(messages, program, errors_of(findings))
            answer = self._ask(messages, None, _read_program)
            again = check(self.engine, answer, "base")
            if len(errors_of(again)) <= len(errors_of(findings)):
                program, findings = answer, again
        if not errors_of(findings):
            return self._done(Status.OK, program=program, findings=tuple(findings))
        reason = "the model did not get the knowledge base right"
        return self._done(
            Status.UNFINISHED, program=program, findings=tuple(findings), reason=reason
        )


def _answered(
    messages: list[dict[str, str]], program: str, wrong: Sequence[Finding]
) -> list[dict[str, str]]:
    """Return the conversation with an answer and what is wrong with it."""
    said = (f.sentence("line").replace("line:", "line ", 1) for f in wrong[:12])
    listed = "\n".join("- " + line.removeprefix("line  ") for line in said)
    more = f"\n(and {len(wrong) - 12} more)" if len(wrong) > 12 else ""
    notes = f"{_MENDED} To be mended:\n{listed}{more}\nWrite all of this step again, mended."
    asked = [m for m in messages if m["role"] != "user" or not m["content"].startswith(_MENDED)]
    kept = asked if asked[-1]["role"] == "user" else asked[:-1]
    return [
        *kept,
        {"role": "assistant", "content": f"```prolog\n{program}\n```"},
        {"role": "user", "content": notes},
    ]


def _read_program(text: str) -> str:
    """Return the Prolog in an answer: the blocks between fences, or all of it where there are none."""
    blocks = _BLOCK.findall(text)
    if not blocks and "```" in text:
        raise GroundingError("the block of Prolog is not closed with ```; the answer was cut off")
    program = "\n".join(blocks) if blocks else text
    if not program.strip() or (not blocks and ":-" not in program and ")." not in program):
        raise GroundingError(
            "the answer holds no Prolog; give it in a block that begins with ```prolog"
        )
    return program.strip() + "\n"
