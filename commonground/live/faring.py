"""How robots fare in a mission under way, in words: the answer to ``what is Spot doing?``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from commonground.planning.mission.mission import Mission
    from commonground.planning.robots.protocol import Status


def faring(mission: Mission, heard: Mapping[str, Status]) -> str:
    """Return what each robot does now, and what is left to it."""
    return "; ".join(_each(mission, heard))


def _each(mission: Mission, heard: Mapping[str, Status]) -> Iterator[str]:
    for name, member in mission.crew.items():
        status = heard.get(name, member.status)
        doing = str(member.task) if member.task is not None else "nothing to do now"
        left = len(member.queue)
        told = [doing, f"{left} more to do"] if left else [doing]
        if not status.linked:
            told.append("not reached")
        elif not status.localized:
            told.append("not localized")
        else:
            told.append(f"battery {status.battery:.0%}")
        yield f"{name}: {', '.join(told)}"
