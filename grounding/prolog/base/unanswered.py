"""Why Prolog gave no table of the solutions of goals; which rules call themselves, where it did not end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from commonground.grounding.prolog.base.goals import called
from commonground.grounding.prolog.base.knowledge_base import Base, Clause
from commonground.grounding.prolog.base.terms import Term, Var, key_of

Key = tuple[str, int]


def unanswered(answer: object) -> str:
    """Return why Prolog gave no table; empty where it gave one."""
    if not isinstance(answer, dict):
        return "no answer"
    return "" if "rows" in answer else str(answer["error"])


def fault_of(answer: object, what: str, limit_s: float, base: Base, goals: Sequence[Term]) -> str:
    """Return a sentence on why Prolog gave no table of the solutions of goals."""
    error = unanswered(answer)
    circle = _circle_of(base, goals) if error == "time" else ""
    known = {
        "time": f"does not end within {limit_s:g} s; {circle or 'look for rules that take too long'}",
        "memory": "takes too much memory",
        "open": "is called before what it asks about is known, or leaves it open; put a goal or a positive "
        "precondition that lists it in front",
        "many": "has more solutions than are looked at",
    }
    return f"{what} {known.get(error, f'fails: {error}')}"


def _circle_of(base: Base, goals: Iterable[Term]) -> str:
    """Return which rule that goals lead to calls itself, with its line, and by way of what; '' for none."""
    rules: dict[Key, list[Clause]] = {}
    for clause in base.general:
        if clause.body is not None:
            rules.setdefault(key_of(clause.head), []).append(clause)
    asked = [key_of(part) for goal in goals for part in called(goal)]
    for key in _reached(rules, asked):
        for rule in rules[key]:
            way = _way_back(rules, key, rule)
            if way:
                via = "".join(f", by way of {_slash(k)}" for k in way[:-1][:3])
                return f"the rule of {_slash(key)} in line {rule.place[0]} calls itself{via}"
    return ""


def _calls(rule: Clause) -> list[Key]:
    if rule.body is None:
        return []
    return [key_of(goal) for goal in called(rule.body) if not isinstance(goal, Var)]


def _reached(rules: dict[Key, list[Clause]], first: Iterable[Key]) -> list[Key]:
    """Return the predicates with rules that are called from some, those included."""
    found = dict.fromkeys(key for key in first if key in rules)
    for key in (open_ := list(found)):
        new = [k for rule in rules[key] for k in _calls(rule) if k in rules and k not in found]
        found |= dict.fromkeys(new)
        open_ += dict.fromkeys(new)
    return list(found)


def _way_back(rules: dict[Key, list[Clause]], key: Key, rule: Clause) -> list[Key]:
    """Return the predicates through which a rule of one comes back to it, that one last; [] for none."""
    ways = [[k] for k in dict.fromkeys(_calls(rule)) if k in rules]
    seen = {way[0] for way in ways}
    for way in ways:
        if way[-1] == key:
            return way
        for clause in rules[way[-1]]:
            for k in _calls(clause):
                if k == key or (k in rules and k not in seen):
                    seen.add(k)
                    ways.append([*way, k])
    return []


def _slash(key: Key) -> str:
    return f"{key[0]}/{key[1]}"
