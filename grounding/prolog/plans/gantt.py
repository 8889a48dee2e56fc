"""A picture of who does what when."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from commonground.errors import GroundingError

FORMATS = (".png", ".svg", ".pdf")
_COLORS = ("#4C78A8", "#F58518", "#54A24B", "#B279A2", "#E45756", "#72B7B2", "#EECA3B", "#9D755D")


def draw_gantt(path: str | Path, plan: Mapping[str, Any], title: str = "") -> None:
    """Draw a plan as JSON values: a row an agent, high-level actions around their low-level ones."""
    path = Path(path)
    if path.suffix.lower() not in FORMATS:
        raise GroundingError(f"{path}: a picture is one of {', '.join(FORMATS)}")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    from commonground.scene.draw import save_figure

    agents = [a for a in plan["agents"] if plan["robots"].get(a)] or list(plan["agents"])
    figure = Figure(figsize=(10, 1.4 + 0.8 * len(agents)), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    for row, agent in enumerate(agents):
        for entry in plan["high_level"]:
            if agent in entry["agents"]:
                _bar(axes, row, entry, 0.84, "#DDDDDD", _called(entry), 0.3)
        kinds = sorted({e["action"] for robot in plan["robots"].values() for e in robot})
        for entry in plan["robots"].get(agent, []):
            if "within" in entry:
                color = _COLORS[kinds.index(entry["action"]) % len(_COLORS)]
                _bar(axes, row, entry, 0.4, color, entry["action"], -0.12)
    axes.set_yticks(range(len(agents)), agents)
    axes.set_ylim(len(agents) - 0.45, -0.55)
    axes.set_xlim(0, max(plan["makespan_s"], 1e-9))
    axes.set_xlabel("time in s")
    axes.set_title(title or f"makespan {plan['makespan_s']:g} s", fontsize=10)
    save_figure(figure, path, path.suffix.lower()[1:], dpi=120)


def _called(entry: Mapping[str, Any]) -> str:
    return f"{entry['action']}({', '.join(map(str, entry['arguments']))})"


def _bar(
    axes: Any, row: int, entry: Mapping[str, Any], height: float, color: str, label: str, up: float
) -> None:
    start, end = entry["start_s"], entry["end_s"]
    low = height < 0.5
    axes.barh(
        row + (0.12 if low else 0.0), end - start, left=start, height=height, color=color,
        edgecolor="white" if low else "#888888",
    )  # fmt: skip
    axes.text(
        (start + end) / 2, row - up, label, ha="center", va="center", fontsize=7, clip_on=True,
        color="white" if low else "black",
    )  # fmt: skip
