"""The demo's picture: the courtyard from above with the paths of the robots, and their plan in time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from commonground.scene.draw import draw_objects, draw_places

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from commonground.cli.story import Told
    from commonground.planning.scene.plan import RobotPlan
    from commonground.robots import Team
    from commonground.scene import SceneGraph

COLORS = ("#d62728", "#1f4e9e", "#2ca02c", "#9467bd")
SHADES = {"goto": 0.35, "inspect": 0.9, "pick": 0.9, "place": 0.9, "wait": 0.1}


def draw_story(graph: SceneGraph, team: Team, told: Sequence[Told]) -> Figure:
    """Return the map with the plan of the longest instruction, and that plan as a timeline below."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 10.5), dpi=100, layout="constrained")
    above, below = figure.subplots(2, 1, height_ratios=(9, 1.3))
    draw_places(above, graph)
    draw_objects(above, graph)
    planned = [t for t in told if t.plan is not None]
    chosen = max(planned, key=lambda t: len(t.goals), default=None)
    if chosen is not None and chosen.plan is not None:
        plans = chosen.plan.robots
        for color, (name, plan) in zip(COLORS, plans.items(), strict=False):
            _path(above, team[name].position.tolist(), plan, color)
        _timeline(below, plans, COLORS)
        above.set_title(f"“{chosen.text}”", loc="left", fontsize=9)
    above.set_aspect("equal")
    above.set_xlabel("x (m)")
    above.set_ylabel("y (m)")
    return figure


def _path(axes: Axes, start: list[float], plan: RobotPlan, color: str) -> None:
    axes.plot(start[0], start[1], "o", ms=11, color=color, mec="white", zorder=8)
    axes.annotate(
        plan.robot,
        (start[0], start[1]),
        (8, 8),
        textcoords="offset points",
        color=color,
        zorder=9,
        weight="bold",
    )
    for action in plan.actions:
        x, y = action.path_map[:, 0], action.path_map[:, 1]
        if action.action == "goto":
            axes.plot(x, y, color=color, lw=2, zorder=7)
        else:
            axes.plot(x[-1], y[-1], "*", ms=11, color=color, mec="white", zorder=8)


def _timeline(axes: Axes, rows: Mapping[str, RobotPlan], colors: Sequence[str]) -> None:
    for row, (color, (_, plan)) in enumerate(zip(colors, rows.items(), strict=False)):
        for action in plan.actions:
            width = action.end_s - action.start_s
            axes.barh(
                row,
                width,
                left=action.start_s,
                color=color,
                alpha=SHADES[action.action],
                height=0.7,
            )
            if action.action != "goto":
                middle = action.start_s + width / 2
                axes.text(
                    middle, row, action.item or action.target, ha="center", va="center", fontsize=6
                )
    axes.set_yticks(range(len(rows)), list(rows))
    axes.invert_yaxis()
    axes.set_xlabel("seconds: light is driving, dark is inspecting, picking, placing")
