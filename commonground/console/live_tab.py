"""The page's view of a live run: rates, delays, who is lost, and closures as they join the maps."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from commonground.console.following import Follower, progress_of
from commonground.console.words import KINDS, hue

if TYPE_CHECKING:
    from commonground.console.drive import Progress
    from commonground.live.team.state import RobotState, TeamState
    from commonground.scene import SceneGraph

LOOK_EVERY_S = 1.0
MOST_FUSIONS = 30


class LiveTab:
    """Shows what a follower reads."""

    def __init__(self, gui: Any, follower: Follower) -> None:
        self._follower = follower
        self._robots, self._fusions = gui.add_html(""), gui.add_html("")
        self._looked = float("-inf")

    def due(self) -> bool:
        """Return whether it is time to look again."""
        return time.monotonic() - self._looked >= LOOK_EVERY_S

    def look(self) -> tuple[Mapping[str, Progress], SceneGraph | None]:
        """Show the run as it is; return where its robots are, and the map if there is a newer one."""
        self._looked = time.monotonic()
        state = self._follower.team()
        for handle, content in (
            (self._robots, robots(state)),
            (self._fusions, fusions(state, self._follower.fusions())),
        ):
            if handle.content != content:
                handle.content = content
        return ({} if state is None else progress_of(state)), self._follower.newer_map()


def robots(state: TeamState | None) -> str:
    """Return a block for each robot: what it does, whether it is joined, rate and delay."""
    if state is None:
        return _framed("No robot has said anything yet.")
    rows = []
    for index, robot in enumerate(state.robots):
        said = "".join(f"<div>{line}</div>" for line in _robot(robot))
        rows.append(
            f'<div style="margin-bottom:6px"><b style="color:{hue(index)}">●</b> '
            f'<b>{escape(robot.name)}</b><div style="padding-left:16px">{said}</div></div>'
        )
    return _framed("".join(rows))


def _robot(robot: RobotState) -> Iterator[str]:
    color = KINDS["error"]
    where = (
        f'<span style="color:{color}">lost: nothing joins it to the shared map yet</span>'
        if robot.lost
        else "in the shared map"
    )
    yield f"{escape(robot.state)}, {where}"
    left_out = f", {robot.dropped} left out" if robot.dropped else ""
    later = "" if robot.delay_s is None else f", in the map {robot.delay_s:.1f} s later"
    yield f"{robot.rate_hz:.1f} images a second{later}"
    yield f"{robot.frames} images{left_out}, {robot.travel_m:.0f} m driven"
    if robot.silent:
        told = f"nothing from its process for {robot.told_s_ago:.0f} s"
        yield f'<span style="color:{color}">{told}</span>'
    if robot.error:
        yield f'<span style="color:{color}">{escape(robot.error)}</span>'


def fusions(state: TeamState | None, told: Sequence[Mapping[str, Any]]) -> str:
    """Return what each fusion brought, the newest first."""
    if not told:
        return "" if state is None else _framed("The maps are not fused yet.")
    before = [0, *(int(f.get("closures", 0)) for f in told)]
    rows = [_fusion(one, before[k]) for k, one in enumerate(told)]
    notes = [] if state is None else [escape(note) for note in state.notes]
    lines = "".join(f"<div>{row}</div>" for row in (*notes, *rows[-MOST_FUSIONS:][::-1]))
    return _framed(f"<b>Fusions</b>{lines}")


def _fusion(one: Mapping[str, Any], before: int) -> str:
    """Return a fusion in a line; closures that came are counted."""
    closures = int(one.get("closures", 0))
    more = f" ({closures - before:+d})" if closures != before else ""
    joined = ", ".join(map(str, one.get("joined", ()))) or "nobody"
    return escape(
        f"{one.get('fusions', '')}: {joined} joined, {closures} closures{more}, "
        f"{one.get('objects', 0)} objects, took {float(one.get('seconds', 0.0)):.1f} s"
    )


def _framed(body: str) -> str:
    return f'<div style="padding:2px 10px;font-size:.9em;overflow-wrap:anywhere">{body}</div>'
