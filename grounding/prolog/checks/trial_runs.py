"""Trial runs of mappings: whether what an action is mapped to works wherever the action does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from commonground.grounding.prolog.base.engine import Engine
from commonground.grounding.prolog.base.findings import Finding, Weight
from commonground.grounding.prolog.base.knowledge_base import Base, Place
from commonground.grounding.prolog.base.load import Loaded
from commonground.grounding.prolog.base.terms import (
    Struct,
    Term,
    constants,
    from_json,
    key_of,
    text,
)
from commonground.grounding.prolog.execution.refinement import reason

TRIAL_LENGTH = 6
"""High-level actions in one such walk."""


def trial_findings(engine: Engine, loaded: Loaded, seed: int = 0) -> list[Finding]:
    """Return where mapped actions cannot be made or reach into the high level, found on random walks.

    A walk makes high-level actions of one agent with their mappings. What fails because another agent is
    in the way is a matter of order, not of the mapping, and left out.
    """
    base, settings = loaded.base, engine.settings
    if not base.mappings or not settings.trial_walks:
        return []
    init = f"[{', '.join(text(f.term) for f in base.init)}]"
    actors = ", ".join(map(text, base.agents)) or "none"
    events = engine.ask(
        "kb_trial",
        loaded.module,
        init,
        f"[{actors}]-{settings.trial_walks}-{TRIAL_LENGTH}",
        str(seed),
    )
    made = {event["made"] for event in events if "made" in event}
    return sorted(set(_findings(base, events, made)))


def _findings(base: Base, events: list[dict[str, Any]], made: set[str]) -> Iterator[Finding]:
    seen: set[tuple[str, str]] = set()
    for event in events:
        if "made" in event:
            continue
        name, action = event["name"], from_json(event["action"])
        if "touched" in event:
            fact = text(from_json(event["touched"]))
            message = (
                f"the mapping of {name} breaks the abstraction: {text(action)} changes {fact}, which is for "
                "the high-level action to change"
            )
            yield Finding(*_place(base, name), "abstraction", message)
            continue
        why = from_json(event["why"])
        kind = name, key_of(action)[0]
        if _about_others(base, event["actor"], why) or kind in seen:
            continue
        seen.add(kind)
        yield _fault(base, name, action, why, name in made)


def _fault(base: Base, name: str, action: Term, why: Term, sometimes: bool) -> Finding:
    """Return a finding: what is missing is a fault of the mapping, what is in the way may be elsewhere."""
    fault = f"{text(action)} cannot be made: {reason(why)}"
    in_the_way = isinstance(why, Struct) and why.functor == "forbids"
    if in_the_way and sometimes:
        message = (
            f"the mapping of {name} does not work everywhere: in some states {fault}; planning looks for "
            "another order then"
        )
        return Finding(*_place(base, name), "abstraction", message, Weight.NOTE)
    where = "in some states" if sometimes else "wherever it was tried"
    message = (
        f"the mapping of {name} breaks the abstraction: {where} {fault}; correct the mapping or the "
        "action"
    )
    weight = Weight.WARNING if in_the_way else Weight.ERROR
    return Finding(*_place(base, name), "abstraction", message, weight)


def _about_others(base: Base, actor: str, why: Term) -> bool:
    """Return whether something fails because of another agent."""
    if not isinstance(why, Struct) or why.functor != "forbids":
        return False
    agents = {text(c) for c in constants(why)} & {text(a) for a in base.agents}
    return bool(agents) and actor not in agents


def _place(base: Base, name: str) -> Place:
    return next((m.place for m in base.mappings if key_of(m.head)[0] == name), (0, 0))
