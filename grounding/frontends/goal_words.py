"""Goals in plain words, for questions about them."""

from __future__ import annotations

from commonground.planning.pddl import And, Atom, Formula, Not, Or, to_pddl

_DEEDS = {
    "safe": "inspect", "holding": "hold", "explored-region": "explore", "visited-object": "go to",
    "visited-place": "go to", "visited-region": "go to", "at-object": "end at", "at-place": "end at",
    "in-region": "end in", "object-in-place": "put",
}  # fmt: skip


def in_words(goal: Formula) -> str:
    """Return what a goal wants done: ``inspect O12 and end at P3``."""
    if isinstance(goal, And | Or):
        joined = " and " if isinstance(goal, And) else " or "
        parts = [in_words(part) for part in goal.parts]
        inner = [
            f"({p})" if isinstance(g, And | Or) else p
            for g, p in zip(goal.parts, parts, strict=True)
        ]
        return joined.join(inner)
    if isinstance(goal, Not):
        return f"never {in_words(goal.body)}"
    if isinstance(goal, Atom) and goal.predicate in _DEEDS:
        things = " at ".join(arg.upper() for arg in goal.args)  # as a map writes its symbols
        return f"{_DEEDS[goal.predicate]} {things}"
    return to_pddl(goal)
