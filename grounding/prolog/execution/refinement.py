"""Plans executed in Prolog: actions refined by their mappings, and why a step cannot be made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from commonground.grounding.prolog.base.engine import Engine
from commonground.grounding.prolog.base.knowledge_base import Base
from commonground.grounding.prolog.base.load import Loaded
from commonground.grounding.prolog.base.relations import Fact, fact_of, term_of
from commonground.grounding.prolog.base.terms import (
    Struct,
    Term,
    Var,
    from_json,
    key_of,
    match,
    substitute,
    text,
    variables,
)


@dataclass(frozen=True, slots=True)
class Made:
    """A step that was made: ground but for what it forbids."""

    id: int
    action: Term
    needs: tuple[Fact, ...]
    forbids: tuple[Term, ...]
    effects: tuple[tuple[bool, Fact], ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """The step that could not be made, and why."""

    id: int
    action: Term
    why: Term

    @property
    def fact(self) -> Fact | None:
        """The fact that is in the way, or that is missing."""
        inner = self.why.args[0] if isinstance(self.why, Struct) else None
        return None if inner is None else fact_of(inner)

    def __str__(self) -> str:
        return f"{text(self.action)} cannot be made: {reason(self.why)}"


def reason(why: Term) -> str:
    """Return in words why a step cannot be made."""
    kind = key_of(why)[0]
    inner = text(why.args[0]) if isinstance(why, Struct) else ""
    return {
        "needs": f"{inner} does not hold",
        "goal": f"the grounding goal {inner} is false",
        "forbids": f"{inner} holds",
        "circle": "steps at one instant wait for each other",
    }.get(kind, "the base has no such action")


@dataclass(frozen=True, slots=True)
class Run:
    """What came of executing steps."""

    made: tuple[Made, ...]
    fault: Fault | None
    open: tuple[Term, ...]
    """Goals that do not hold at the end."""
    state: tuple[Fact, ...]

    @property
    def valid(self) -> bool:
        """Whether every step was made and the goal is reached."""
        return self.fault is None and not self.open


@dataclass(frozen=True, slots=True)
class PlanStep:
    """A step to make: its number, the action, the numbers of steps before it, and its instant."""

    id: int
    action: Term
    before: tuple[int, ...] = ()
    instant: int = 0


def run(engine: Engine, loaded: Loaded, steps: Iterable[PlanStep]) -> Run:
    """Execute steps in Prolog from the initial state; steps of one instant in any order that works."""
    base = loaded.base
    listed = ", ".join(
        f"s({s.id}, {text(s.action)}, [{', '.join(map(str, s.before))}], {s.instant})"
        for s in steps
    )
    answer = engine.ask(
        "kb_run", loaded.module, _state(base.init), f"[{listed}]", _state(base.goal)
    )
    fault = answer["fault"]
    return Run(
        tuple(map(_made, answer["done"])),
        Fault(fault["id"], from_json(fault["action"]), from_json(fault["why"])) if fault else None,
        tuple(map(from_json, answer["open"])),
        tuple(fact_of(from_json(f)) for f in answer["state"]),
    )


def _state(facts: Iterable[Any]) -> str:
    return f"[{', '.join(text(f.term) for f in facts)}]"


def _made(answer: Mapping[str, Any]) -> Made:
    effects = [from_json(e) for e in answer["effects"]]
    return Made(
        answer["id"],
        from_json(answer["action"]),
        tuple(fact_of(from_json(n)) for n in answer["needs"]),
        tuple(map(from_json, answer["forbids"])),
        tuple(
            (key_of(e)[0] == "add", fact_of(e.args[0])) for e in effects if isinstance(e, Struct)
        ),
    )


def run_in_turn(engine: Engine, loaded: Loaded, actions: Sequence[Term]) -> Run:
    """Return what comes of executing actions one by one."""
    return run(engine, loaded, [PlanStep(i, action, (), i) for i, action in enumerate(actions)])


def refined(base: Base, heads: Sequence[Fact]) -> tuple[list[Term], list[int | None]]:
    """Return all steps of a plan with mapped actions after their start, and for each the step it refines."""
    steps: list[Term] = []
    owners: list[int | None] = []
    for head in heads:
        steps.append(term_of(head))
        owners.append(None)
        owner = len(steps) - 1
        for low in mapped(base, head, owner):
            steps.append(low)
            owners.append(owner)
    return steps, owners


def mapped(base: Base, head: Fact, tag: int) -> list[Term]:
    """Return the low-level actions a start is mapped to; variables that stay open are fresh for each tag."""
    term = term_of(head)
    for mapping in base.mappings:
        binding: dict[str, Term] = {}
        if key_of(mapping.head) == key_of(term) and match(mapping.head, term, binding):
            names = {v for low in mapping.lows for v in variables(low.term)} - set(binding)
            binding |= {name: Var(f"Open{tag}{name.strip('_')}") for name in sorted(names)}
            return [substitute(low.term, binding) for low in mapping.lows]
    return []
