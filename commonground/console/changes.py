"""What a new plan does otherwise than the one before it, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from commonground.planning.mission.task import Task

SAME_M = 0.5
"""Ways whose lengths differ by less are told as one."""


def changes_of(before: Sequence[Task], after: Sequence[Task]) -> Iterator[str]:
    """Yield a line for each robot whose part is another one than was left of the plan before."""
    for name in dict.fromkeys(task.robot for task in (*before, *after)):
        yield from _change(name, _of(name, before), _of(name, after))


def _change(name: str, was: Sequence[Task], now: Sequence[Task]) -> Iterator[str]:
    """Yield what is otherwise for one robot."""
    deeds_was, deeds_now = _deeds(was), _deeds(now)
    lost = [d for d in deeds_was if d not in deeds_now]
    new = [d for d in deeds_now if d not in deeds_was]
    if lost:
        yield f"{name} no longer has to {', '.join(lost)}"
    if new:
        yield f"{name} now has to {', '.join(new)}"
    farther = _meters(now) - _meters(was)
    if not lost and not new and abs(farther) > SAME_M:
        yield f"{name} takes another way, {abs(farther):.0f} m {'longer' if farther > 0 else 'shorter'}"


def _of(name: str, tasks: Sequence[Task]) -> list[Task]:
    return [t for t in tasks if t.robot == name]


def _deeds(tasks: Sequence[Task]) -> list[str]:
    """Return what is done, and where the way ends; ways between do not count."""
    return [str(t) for k, t in enumerate(tasks) if not t.moves or k == len(tasks) - 1]


def _meters(tasks: Sequence[Task]) -> float:
    return sum(t.length_m for t in tasks if t.moves)
