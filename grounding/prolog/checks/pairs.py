"""Findings about starts and ends, and about variables that nothing binds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

from commonground.errors import did_you_mean
from commonground.grounding.prolog.base.findings import Finding, Weight
from commonground.grounding.prolog.base.goals import BUILTINS
from commonground.grounding.prolog.base.knowledge_base import END, START, Base, Schema
from commonground.grounding.prolog.base.terms import args_of, key_of, text, variables


def pair_findings(base: Base) -> Iterator[Finding]:
    """Yield starts without an end, ends without a start, and variables that stay open."""
    for schema in base.schemas:
        yield from _pair(base, schema)
        yield from _open_variables(base, schema)
        yield from _too_early(base, schema)
    for schemas in base.by_name.values():
        levels = {s.level for s in schemas}
        if len(levels) > 1:
            message = f"{schemas[0].name} is an action of both levels; give one another name"
            yield Finding(*schemas[-1].place, "format", message)


def _pair(base: Base, schema: Schema) -> Iterator[Finding]:
    starts = schema.name.endswith(START)
    wanted = schema.stem + (END if starts else START)
    arity = key_of(schema.head)[1]
    partners = [s for s in base.schemas if s.name == wanted and s.level == schema.level]
    what, other = ("starts", "end") if starts else ("ends", "start")
    if not partners:
        names = [s.name for s in base.schemas if s.level == schema.level and s.stem != schema.stem]
        near = did_you_mean(wanted, names)
        message = (
            f"{schema.name} {what} something that has no {other}; add an action "
            f"{wanted}/{arity}.{near}"
        )
        yield Finding(*schema.place, f"no-{other}", message)
    elif all(key_of(p.head)[1] != arity for p in partners) and starts:
        theirs = key_of(partners[0].head)[1]
        message = f"{schema.name} has {arity} arguments and {wanted} {theirs}; give both the same arguments"
        yield Finding(*schema.place, "pair", message)


def _open_variables(base: Base, schema: Schema) -> Iterator[Finding]:
    """Yield variables of the head, of effects and of negative preconditions that nothing binds."""
    bound = base.modes.bound_by(schema)
    head = dict.fromkeys(v for arg in args_of(schema.head) for v in variables(arg))
    # an end is given its arguments by its start, and a call by what is mapped to it
    told = schema.level == "low" or schema.name.endswith(END)
    for name in () if told else _loose(head, bound):
        goal = next((text(g.term) for g in schema.goals if name in variables(g.term)), "")
        tested = f"'{goal}' only tests {name}, and " if goal else ""
        message = (
            f"{schema.name}: {tested}nothing says what {name} may be; add a grounding goal that lists "
            f"{name} or a positive precondition with it"
        )
        yield Finding(*schema.place, "open-variable", message)
    known = bound | set(head)
    for _, fact in schema.effects:
        if not known.issuperset(variables(fact.term)):
            message = (
                f"{schema.name}: the effect {text(fact.term)} has a variable that nothing binds; use one of "
                "the action's variables"
            )
            yield Finding(*fact.place, "open-variable", message)
    for condition in schema.forbids:
        for name in _loose(variables(condition.term), known):
            message = (
                f"{schema.name}: {name} in the negative precondition {text(condition.term)} stands for "
                "anything; write _ if that is meant"
            )
            yield Finding(*condition.place, "open-variable", message, Weight.NOTE)


def _too_early(base: Base, schema: Schema) -> Iterator[Finding]:
    """Yield goals that are called before what they ask about is known."""
    known = {v for term in (schema.head, *(n.term for n in schema.needs)) for v in variables(term)}
    for number, goal in enumerate(schema.goals):
        needed, bound = base.modes.of(goal.term)
        later = base.modes.listed(schema.head, [g.term for g in schema.goals[number + 1 :]])
        for name in sorted((needed & later) - known - bound):
            message = (
                f"{schema.name}: {name} is not known yet when '{text(goal.term)}' is called, and stands for "
                f"anything there; put the goal that lists {name} in front"
            )
            weight = Weight.ERROR if key_of(goal.term) in BUILTINS else Weight.WARNING
            yield Finding(*goal.place, "goal-order", message, weight)
        known |= bound


def _loose(names: Iterable[str], known: Set[str]) -> list[str]:
    """Return the names that are not known, each once; those that begin with _ are meant to be open."""
    return [n for n in dict.fromkeys(names) if n not in known and not n.startswith("_")]
