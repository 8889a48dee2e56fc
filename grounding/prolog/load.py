"""From the text of a base to a base that Prolog can be asked about."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from commonground.errors import GroundingError
from commonground.grounding.prolog.base import STATEMENTS, Base
from commonground.grounding.prolog.engine import Engine
from commonground.grounding.prolog.findings import Finding, errors_of, refuse_errors
from commonground.grounding.prolog.reading import read_items
from commonground.grounding.prolog.sandbox import unsafe_goals
from commonground.grounding.prolog.terms import key_of, text
from commonground.reading import read_text as bounded_text
from commonground.reasons import reason

MAX_CHARACTERS = 5_000_000


@dataclass(frozen=True, slots=True)
class Loaded:
    """A base, where Prolog holds it, and what was found while loading."""

    base: Base
    module: str
    findings: tuple[Finding, ...] = ()

    @property
    def usable(self) -> bool:
        """Whether the base was loaded."""
        return not errors_of(self.findings)

    def required(self) -> Loaded:
        """Return this, or raise what keeps it from being used."""
        refuse_errors(self.findings, self.base.source)
        return self


def read_text(path: str | Path) -> str:
    """Return the text of a base."""
    try:
        program = bounded_text(path)
    except FileNotFoundError as error:
        raise GroundingError(f"{path}: there is no such file") from error
    except (OSError, UnicodeDecodeError) as error:
        raise GroundingError(f"{path}: cannot be read as text: {reason(error)}") from error
    if len(program) > MAX_CHARACTERS:
        raise GroundingError(f"{path}: a base of {len(program)} characters is too large")
    return program


def load(engine: Engine, program: str, source: str = "base") -> Loaded:
    """Read a base, refuse what it may not do, and load the rest; nothing runs before it is found harmless."""
    module = engine.new_module()
    reading = read_items(engine.read(module, program), program, source)
    base = reading.base()
    defined = {key_of(c.head) for c in base.general} | STATEMENTS
    findings = [*reading.findings, *unsafe_goals(base.schemas, base.general, defined)]
    if not errors_of(findings):
        numbers = ", ".join(map(str, reading.numbers))
        engine.ask("kb_add", module, f"[{numbers}]")
        findings += _sandboxed(engine, module, base)
    return Loaded(base, module, tuple(sorted(findings)))


def _sandboxed(engine: Engine, module: str, base: Base) -> list[Finding]:
    """Have Prolog's own sandbox look at every goal, and at all that it calls."""
    goals = [goal for schema in base.schemas for goal in schema.goals]
    distinct = {text(goal.term): goal for goal in goals}
    verdicts = engine.ask("kb_safe", module, f"[{', '.join(f'({t})' for t in distinct)}]")
    return [
        Finding(*goal.place, "unsafe", f"'{text(goal.term)}' may not be called: {verdict}")
        for goal, verdict in zip(distinct.values(), verdicts, strict=True)
        if verdict != "ok"
    ]
