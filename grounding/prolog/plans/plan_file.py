"""Plans as files: everything that is needed to look at one, execute it, explain it and make its tree."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from commonground.atomic import write_text
from commonground.errors import MALFORMED, GroundingError
from commonground.grounding.prolog.assembly import Assembly
from commonground.grounding.prolog.base.knowledge_base import Base, stem_of
from commonground.grounding.prolog.base.terms import Term, Var, args_of, key_of, text, unquoted
from commonground.grounding.prolog.base.writing import program_of
from commonground.planning.result import Status
from commonground.planning.temporal import Activity, PlanSchedule, Step, TotalOrder, partial_order
from commonground.reading import read_json
from commonground.reasons import reason

SCHEMA_VERSION = 2


@dataclass(frozen=True, slots=True)
class PlanFile:
    """A plan that was read."""

    source: str
    schedule: PlanSchedule
    actions: tuple[str, ...]
    """(n,) the steps in plan order, with the agents that were assigned."""
    ports: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    """Per activity its name without arguments, and its named arguments."""
    program: str
    """The base it was made from."""


def plan_json(base: Base, assembly: Assembly) -> dict[str, Any]:
    """Return a plan, or why there is none, as JSON values."""
    head: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "kind": "assembly",
        "status": assembly.status.value,
        "reason": assembly.reason,
        "time_s": {k: round(v, 4) for k, v in assembly.time_s.items()},
        "base": {"source": base.source, "program": program_of(base)},
        **dict.fromkeys(("makespan_s", "lower_bound_s", "lower_bound_for_actions_s", "plan")),
        **dict.fromkeys(("optimal", "optimal_for_actions"), False),
        "agents": [unquoted(text(agent)) for agent in base.agents],
        "robots": {},
        **{name: [] for name in ("high_level", "total_order", "executed")},
    }
    schedule, timed = assembly.schedule, assembly.timed
    if schedule is None or timed is None:
        return head
    actions = dict(assembly.made)
    head |= {
        "makespan_s": schedule.makespan_s,
        "lower_bound_s": assembly.bound_s,
        "optimal": assembly.optimal,
        "lower_bound_for_actions_s": schedule.lower_bound_s,
        "optimal_for_actions": schedule.optimal,
        "robots": _robots(base, schedule, actions),
        "high_level": [_entry(schedule, actions, number) for number in range(len(timed.blocks))],
        "total_order": assembly.total_order,
        "executed": [
            {"step": step, "time_s": float(schedule.time_s[step]), "action": text(action)}
            for step, action in assembly.made
        ],
        "plan": _plan_json(base, schedule, actions),
    }
    return head


def _entry(schedule: PlanSchedule, actions: dict[int, Term], activity: int) -> dict[str, Any]:
    lasts = schedule.order.plan.activities[activity]
    action = actions[lasts.start]
    start, end = schedule.span(activity)
    return {
        "step": lasts.start,
        "action": stem_of(key_of(action)[0]),
        "arguments": [_value(a) for a in args_of(action)],
        "start_s": start,
        "end_s": end,
        "agents": [unquoted(agent) for agent in schedule.resources[activity]],
    }


def _value(term: Term) -> Any:
    return term if isinstance(term, (str, int, float)) else text(term)


def _robots(
    base: Base, schedule: PlanSchedule, actions: dict[int, Term]
) -> dict[str, list[dict[str, Any]]]:
    """Return what each agent does, innermost actions in time."""
    plan = schedule.order.plan
    outer = {a.parent for a in plan.activities}
    robots: dict[str, list[dict[str, Any]]] = {unquoted(text(agent)): [] for agent in base.agents}
    for number, activity in enumerate(plan.activities):
        if number in outer:
            continue
        entry = _entry(schedule, actions, number)
        if activity.parent is not None:
            entry["within"] = _entry(schedule, actions, activity.parent)["action"]
        for name in entry.pop("agents"):
            robots.setdefault(name, []).append(entry)
    for entries in robots.values():
        entries.sort(key=lambda e: (e["start_s"], e["end_s"]))
    return robots


def _plan_json(base: Base, schedule: PlanSchedule, actions: dict[int, Term]) -> dict[str, Any]:
    plan = schedule.order.plan
    return {
        "steps": [
            {
                "name": text(actions[number]),
                "needs": step.needs,
                "forbids": step.forbids,
                "adds": step.adds,
                "deletes": step.deletes,
                "planned": step.name,
                "time_s": float(schedule.time_s[number]),
            }
            for number, step in enumerate(plan.steps)
        ],
        "activities": [
            {
                "name": a.name,
                "start": a.start,
                "end": a.end,
                "shortest_s": a.shortest_s,
                "longest_s": None if np.isinf(a.longest_s) else a.longest_s,
                "resources": a.resources,
                "assigned": schedule.resources[number],
                "parent": a.parent,
                "leaf": stem_of(key_of(actions[a.start])[0]),
                "ports": ports_of(base, actions[a.start]),
            }
            for number, a in enumerate(plan.activities)
        ],
        "pools": {kind: list(pool) for kind, pool in plan.pools.items()},
        "init": sorted(plan.init),
        "goal": plan.goal,
        "setups": [[name, a, b, s] for (name, a, b), s in schedule.setup_s.items()],
    }


def ports_of(base: Base, action: Term) -> list[list[str]]:
    """Return the arguments of an action by the names that the base gives them."""
    schemas = base.by_name.get(key_of(action), [])
    names: Sequence[Term] = args_of(schemas[0].head) if schemas else ()
    ports: dict[str, str] = {}
    for number, value in enumerate(args_of(action), start=1):
        given = names[number - 1] if number <= len(names) else None
        name = given.name.strip("_").lower() if isinstance(given, Var) else ""
        if not name or not name[0].isalpha() or name in ports or name in ("id", "name"):
            name = f"argument{number}"
        ports[name] = unquoted(text(value))
    return [[name, value] for name, value in ports.items()]


def write_plan(path: str | Path, values: dict[str, Any]) -> None:
    """Write a plan as JSON."""
    write_text(path, json.dumps(values, indent=1, allow_nan=False) + "\n")


def read_plan(path: str | Path) -> PlanFile:
    """Return the plan of a file; it was checked when it was made and is checked for its form here."""
    try:
        values = read_json(path)
    except FileNotFoundError as error:
        raise GroundingError(f"{path}: there is no such file") from error
    except (OSError, ValueError) as error:
        raise GroundingError(f"{path}: not a plan: {reason(error)}") from error
    if not isinstance(values, dict) or values.get("kind") != "assembly":
        raise GroundingError(f"{path}: not a plan of 'commonground assemble plan'")
    if values.get("schema_version") != SCHEMA_VERSION:
        raise GroundingError(
            f"{path}: written in version {values.get('schema_version')} of the format, this program reads "
            f"{SCHEMA_VERSION}; plan again"
        )
    if values.get("status") != Status.SOLVED.value:
        raise GroundingError(f"{path}: there is no plan in it: {values.get('reason')}")
    try:
        return _plan_file(path, values)
    except MALFORMED as error:
        raise GroundingError(
            f"{path}: the plan is damaged ({reason(error)}); plan again"
        ) from error


def _plan_file(path: str | Path, values: dict[str, Any]) -> PlanFile:
    given = values["plan"]
    steps = tuple(
        Step(s["planned"], *(tuple(map(tuple, s[part])) for part in _PARTS)) for s in given["steps"]
    )
    activities = tuple(
        Activity(
            a["name"],
            a["start"],
            a["end"],
            _seconds(a["shortest_s"]),
            np.inf if a["longest_s"] is None else _seconds(a["longest_s"]),
            tuple(a["resources"]),
            a["parent"],
        )
        for a in given["activities"]
    )
    pools = {kind: tuple(pool) for kind, pool in given["pools"].items()}
    init = frozenset(map(tuple, given["init"]))
    plan = TotalOrder(steps, activities, pools, init, tuple(map(tuple, given["goal"])))
    schedule = PlanSchedule(
        Status.SOLVED,
        partial_order(plan),
        np.array([s["time_s"] for s in given["steps"]], float),
        tuple(tuple(a["assigned"]) for a in given["activities"]),
        _seconds(values["makespan_s"]),
        _seconds(values["lower_bound_for_actions_s"]),
        values["optimal_for_actions"],
        "",
        {(name, a, b): s for name, a, b, s in given["setups"]},
    )
    ports = tuple(
        (a["leaf"], tuple((str(k), str(v)) for k, v in a["ports"])) for a in given["activities"]
    )
    actions = tuple(s["name"] for s in given["steps"])
    _check_shown(values, len(steps))
    return PlanFile(str(path), schedule, actions, ports, values["base"]["program"])


def _check_shown(values: Mapping[str, Any], steps: int) -> None:
    """Raise unless the parts that are for people alone are there as well."""
    shown = [entry["action"] for entry in values["high_level"]]
    if len(values["executed"]) != steps or bool(shown) != bool(steps):
        raise ValueError("what was executed and what is shown are not what was planned")


def _seconds(value: Any) -> float:
    if not isinstance(value, int | float) or not abs(value) < np.inf:
        raise ValueError(f"{value!a:.40} where seconds are expected")
    return value


_PARTS = ("needs", "forbids", "adds", "deletes")


def proof_of(values: dict[str, Any]) -> str:
    """Return what is proven of a makespan: of all plans, and of the actions that were planned."""
    if values["optimal"]:
        return "no plan is shorter"
    gap = 1 - values["lower_bound_s"] / values["makespan_s"]
    every = f"every plan takes at least {values['lower_bound_s']:g} s, gap {gap:.0%}"
    if values["optimal_for_actions"]:
        return f"the shortest for these actions; {every}"
    least_s = max(values["lower_bound_for_actions_s"], values["lower_bound_s"])
    own = f"these actions take at least {least_s:g} s"
    return f"{own}; {every}"
