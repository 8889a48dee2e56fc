"""One call from a file to a plan."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from commonground.errors import GroundingError
from commonground.grounding.prolog.assembly import Assembly, assemble
from commonground.grounding.prolog.base.engine import Engine
from commonground.grounding.prolog.base.findings import errors_of, refuse_errors
from commonground.grounding.prolog.base.knowledge_base import Base
from commonground.grounding.prolog.base.load import Loaded, load, read_text
from commonground.grounding.prolog.base.team import with_agents
from commonground.grounding.prolog.base.terms import text
from commonground.grounding.prolog.base.writing import program_of
from commonground.grounding.prolog.checks.check import EMPTY_GOAL, static_findings
from commonground.grounding.prolog.settings import PrologSettings

_ANSWERED = "unreachable-goal"
"""The kind of fault with which a base is planned as it is: the answer says what it leads to."""
_IDLE = frozenset({"never-satisfied", "levels"})
"""Kinds of faults by which an action, or an agent, never does anything: others may do all there is to do."""


def solve_base(
    path: str | Path,
    agents: int | None = None,
    settings: PrologSettings | None = None,
    *,
    seed: int = 0,
) -> tuple[Base, Assembly]:
    """Return a base, for so many agents if a number is given, and its plan."""
    return solve_program(read_text(path), str(path), agents, settings, seed=seed)


def solve_program(
    program: str,
    source: str,
    agents: int | None = None,
    settings: PrologSettings | None = None,
    *,
    seed: int = 0,
) -> tuple[Base, Assembly]:
    """Return the base of a text, for so many agents if a number is given, and its plan."""
    with Engine(settings) as engine:
        loaded = load(engine, program, source).required()
        faults = [f for f in static_findings(loaded) if f.kind != _ANSWERED]
        refuse_errors((f for f in faults if f.kind not in _IDLE), source)
        base, found = _planned(engine, loaded, agents, seed)
        idle = [f"planned without it: {f.message}" for f in errors_of(faults)]
        return base, replace(found, reason="; ".join(filter(None, [found.reason, *idle])))


def _planned(
    engine: Engine, loaded: Loaded, agents: int | None, seed: int
) -> tuple[Base, Assembly]:
    """Return a base, for so many agents if a number is given, and its plan."""
    if not loaded.base.goal:
        found = assemble(engine, loaded, seed=seed)
        return loaded.base, replace(found, reason=EMPTY_GOAL)
    if agents is None:
        return loaded.base, assemble(engine, loaded, seed=seed)
    changed = _staffed(engine, loaded, agents)
    wanted = changed.base
    if len(wanted.agents) <= len(loaded.base.agents):
        found = assemble(engine, changed, seed=seed)
        gone = [text(a) for a in loaded.base.agents if a not in wanted.agents]
        why = f"{found.reason}; left out by the number of agents: {', '.join(gone)}"
        return wanted, found if found.solved or not gone else replace(found, reason=why)
    first = assemble(engine, loaded, seed=seed)
    return wanted, _shorter(first, assemble(engine, changed, seed=seed))


def _staffed(engine: Engine, loaded: Loaded, agents: int) -> Loaded:
    """Return a base for so many agents; refused where a rule says who they are, whatever the facts are."""
    wanted = with_agents(loaded.base, agents)
    changed = load(engine, program_of(wanted), loaded.base.source).required()
    if set(changed.base.agents) != set(wanted.agents):
        kinds = ", ".join(text(r.term) for r in wanted.resources)
        raise GroundingError(
            f"{wanted.source}: a plan for {agents} agents: a rule says who is {kinds}; state it by facts"
        )
    return changed


def _shorter(declared: Assembly, more: Assembly) -> Assembly:
    """Return the plan with added agents only where they help, so that nobody is added for nothing."""
    if declared.schedule is None or more.schedule is None:
        return more if declared.schedule is None else declared
    helps = more.schedule.makespan_s < declared.schedule.makespan_s - 1e-9
    return more if helps else declared
