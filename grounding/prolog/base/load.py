"""From the text of a base to a base that Prolog can be asked about."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from commonground.errors import GroundingError
from commonground.grounding.prolog.base.engine import Engine
from commonground.grounding.prolog.base.findings import Finding, errors_of, refuse_errors
from commonground.grounding.prolog.base.knowledge_base import (
    STATEMENTS,
    Base,
    Located,
    never,
    resource_place,
)
from commonground.grounding.prolog.base.reading import read_items
from commonground.grounding.prolog.base.sandbox import unsafe_goals
from commonground.grounding.prolog.base.terms import (
    Struct,
    Term,
    Var,
    args_of,
    from_json,
    key_of,
    text,
)
from commonground.grounding.prolog.base.unanswered import fault_of, unanswered
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
    empty = reading.dynamic - {key_of(c.head) for c in base.general} - STATEMENTS
    empty -= base.state_keys("high") | base.state_keys("low")
    base = replace(base, general=(*base.general, *map(never, sorted(empty))))
    defined = {key_of(c.head) for c in base.general} | STATEMENTS
    findings = [*reading.findings, *unsafe_goals(base.schemas, base.general, defined)]
    if not errors_of(findings):
        numbers = ", ".join(map(str, reading.numbers))
        declared = ", ".join(f"{text(name)}/{arity}" for name, arity in sorted(empty))
        engine.ask("kb_add", module, f"[{numbers}]-[{declared}]")
        findings += _sandboxed(engine, module, base)
    if not errors_of(findings):
        base, faults = _with_members(engine, module, base)
        findings += faults
    return Loaded(base, module, tuple(sorted(findings)))


def _with_members(engine: Engine, module: str, base: Base) -> tuple[Base, list[Finding]]:
    """Return a base that knows who is a resource by a rule, and what keeps that from being known."""
    ruled = [r for r in base.resources if _ruled(base, r)]
    questions = [_who(r.term) for r in ruled]
    members: dict[tuple[str, int], tuple[Term, ...]] = {}
    faults: list[Finding] = []
    limit_s = engine.settings.goal_limit_s
    answers = engine.tables(module, questions) if questions else []
    for resource, answer in zip(ruled, answers, strict=True):
        if unanswered(answer):
            what = f"resources: who is {text(resource.term)}"
            known = fault_of(answer, what, limit_s, base, [resource.term])
            faults.append(Finding(*resource.place, "grounding", known))
        else:
            found = [from_json(row[0]) for row in answer["rows"]]
            key = key_of(resource.term)
            members[key] = tuple(dict.fromkeys((*members.get(key, ()), *found)))
    return replace(base, members=members), faults


def _who(pattern: Term) -> str:
    """Return the question who is a resource."""
    name, args, place = key_of(pattern)[0], list(args_of(pattern)), resource_place(pattern)
    if isinstance(args[place], Var):
        args[place] = Var("Who")
    return f"[{text(Struct(name, tuple(args)))}]-[{text(args[place])}]"


def _ruled(base: Base, resource: Located) -> bool:
    """Return whether rules say who is a resource."""
    key = key_of(resource.term)
    return key[1] > 0 and any(c.body is not None and key_of(c.head) == key for c in base.general)


def _sandboxed(engine: Engine, module: str, base: Base) -> list[Finding]:
    """Have Prolog's own sandbox look at every goal, and at all that it calls."""
    goals = [goal for schema in base.schemas for goal in schema.goals]
    goals += [resource for resource in base.resources if _ruled(base, resource)]
    distinct = {text(goal.term): goal for goal in goals}
    verdicts = engine.ask("kb_safe", module, f"[{', '.join(f'({t})' for t in distinct)}]")
    return [
        Finding(*goal.place, "unsafe", f"'{text(goal.term)}' may not be called: {verdict}")
        for goal, verdict in zip(distinct.values(), verdicts, strict=True)
        if verdict != "ok"
    ]
