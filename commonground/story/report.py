"""``report.html``: the whole story on one page that needs nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from commonground import __version__
from commonground.run_folder import SCENE
from commonground.runs import Run
from commonground.story import picture
from commonground.story.looking import said_of
from commonground.story.map_report import objects
from commonground.story.page import beside, figure, table, text, write_page
from commonground.story.spec import REPORT, Story
from commonground.story.view import view_3d

if TYPE_CHECKING:
    from pathlib import Path

    from commonground.scene import SceneGraph

PATHS = (
    "Left, where each robot's odometry alone puts it: what drifts apart is error. Right, the same "
    "drives in the fused map. Dotted, where the robots truly were, if that is known."
)
CLOSURES = (
    "Each green line joins two moments at which robots saw the same objects, and pulls their paths "
    "together; dashed red ones were rejected. Squares are the fused objects."
)
MAP = (
    "The fused map from above: ground in the colors of its regions, outlines of objects in the colors "
    "of their classes. Names that would cover others are left out; the view above shows them from near."
)
PLACED = (
    "Where the map put each robot, in order along the line: gray while it is lost, yellow while it "
    "has a guess, green once it is localized. Squares are the objects it goes by."
)
PLAN = (
    "Above, each robot's way from its dot, with a star where it does something. Below, the same plan "
    "in time: pale while it drives, strong while it acts."
)
LONG = 160
"""Goals of more characters are folded."""


def write_report(story: Story, run: Run, chapters: Mapping[str, Mapping[str, Any]]) -> Path:
    """Write the page into the run directory and return where it is."""
    from commonground.mapping import load_meshed

    graph = load_meshed(run.fused / SCENE)
    T = chapters["score"].get("T_world_map")
    parts = [
        f"<h1>{text(story.title)}</h1>",
        f'<p class="lead">{text(_lead(story, chapters))}</p>',
        _scores(chapters["score"]["rows"]),
        "<h2>Each robot maps what it sees</h2>",
        _robots(chapters["map"]),
        "<h2>Their maps become one</h2>",
        _view(run, graph),
        _notes(chapters["fuse"]),
        beside(
            figure(picture.paths_picture(run, None if T is None else np.array(T)), "paths", PATHS),
            figure(picture.closures_picture(run, graph), "closures", CLOSURES),
        ),
        figure(picture.map_picture(graph), "the fused map", MAP),
        *objects(graph, run.fused),
        _layers(graph),
        *_relocalization(run, graph, chapters["relocalize"]),
        *(
            f"<p>find “{text(f['asked'])}”: {text(said_of(f))}</p>"
            for f in chapters["find"]["found"]
        ),
        "<h2>The team is told what to do</h2>",
        *_asked(graph, chapters["instruct"], chapters["drive"]),
        "<h2>Time</h2>",
        table(["phase", "seconds"], [[p.name, f"{p.time_s:.1f}"] for p in run.phases()]),
        f"<p class='lead'>commonground {__version__}, seed {run.manifest['seed']}. The settings are in "
        "<code>config.yaml</code>, the numbers in <code>manifest.json</code> beside this page.</p>",
    ]
    return write_page(run.folder / REPORT, story.title, parts)


def _view(run: Run, graph: SceneGraph) -> str:
    paths = picture.fused_paths(run)
    return view_3d(graph, paths, picture.color_of_robot(list(paths)))


def _lead(story: Story, chapters: Mapping[str, Mapping[str, Any]]) -> str:
    robots = ", ".join(chapters["map"])
    source = "a simulated drive" if story.see.simulate is not None else f"{story.see.data}"
    masks = sorted({str(m["perception"]) for m in chapters["map"].values()})
    spoiled = story.see.simulate is not None and story.see.simulate.masks.missed > 0
    how = ", spoiled as a real segmenter's would be" if spoiled else ""
    return f"{robots} on {source}; masks by {', '.join(masks)}{how}."


def _scores(rows: Iterable[Mapping[str, Any]]) -> str:
    body = [[r["measure"], number(r["value"], r["unit"]), r["meaning"]] for r in rows]
    return table(["", "", ""], body)


def _robots(metrics: Mapping[str, Mapping[str, Any]]) -> str:
    layers = ("objects", "surface_places", "places", "regions")
    body = [
        [
            name,
            str(m["frames"]),
            f"{m['travel_m']:.0f}",
            *(str(m["nodes"].get(layer, 0)) for layer in layers),
        ]
        for name, m in metrics.items()
    ]
    return table(["robot", "frames", "meters", *(x.replace("_", " ") for x in layers)], body)


def _notes(fused: Mapping[str, Any]) -> str:
    lines = [
        f"{fused['used_between']} closures between robots and {fused['used_within']} within one are used, "
        f"{fused['rejected']} rejected.",
        *fused["notes"],
        *fused["skipped"],
    ]
    return "".join(f"<p>{text(line)}</p>" for line in lines)


def _layers(graph: SceneGraph) -> str:
    from commonground.scene.summary import summarize

    found = summarize(graph)["layers"]
    body = [
        [
            name,
            str(v["nodes"]),
            str(v["edges"]),
            ", ".join(f"{w} {n}" for w, n in v["classes"].items()),
        ]
        for name, v in found.items()
    ]
    return table(["layer", "nodes", "edges", "classes"], body)


def _relocalization(run: Run, graph: SceneGraph, found: Mapping[str, Any]) -> list[str]:
    if not found:
        return []
    body = [
        [name, v["state"], "–" if v["after_m"] is None else f"{v['after_m']:.0f} m"]
        for name, v in found.items()
    ]
    return [
        "<h2>Later: where am I?</h2>",
        "<p>Each robot is set down with an unknown pose, after some things have changed, and drives on.</p>",
        table(["robot", "at the end", "knew it after"], body),
        figure(picture.relocalization_picture(run, graph), "relocalization", PLACED),
    ]


def _asked(
    graph: SceneGraph, instruct: Mapping[str, Any], drive: Mapping[str, Any]
) -> Iterable[str]:
    driven = {d["instruction"]: d for d in drive.get("driven", [])}
    for number, asked in enumerate(instruct.get("asked", []), 1):
        yield f"<blockquote>{text(asked['instruction'])}</blockquote>"
        if asked["status"] != "ok":
            yield f"<p class='no'>asks back: {text(asked['message'])}</p>"
            continue
        yield _reasons(asked["reasons"])
        yield from (_goal(robot, goal) for robot, goal in asked["goals"].items())
        plan = asked["plan"]
        if plan is None or plan["status"] != "solved":
            yield f"<p class='no'>no plan: {text(plan['reason'] if plan else 'nothing to do')}</p>"
            continue
        went = driven.get(number, {"found": [], "robots": {}})
        yield from (f"<p>On the way: {text(found)}.</p>" for found in went["found"])
        yield from (_driven(name, result) for name, result in went["robots"].items())
        drawn = picture.plan_picture(graph, plan, instruct["team"], "")
        yield figure(drawn, f"plan {number}", PLAN)


def _goal(robot: str, goal: str) -> str:
    """Return a goal; a long one (any of many places) is folded."""
    shown = f"<code>{text(goal)}</code>"
    if len(goal) > LONG:
        head = text(goal[:LONG].rsplit(" ", 1)[0])
        shown = f"<details><summary><code>{head} …</code></summary>{shown}</details>"
    return f"<div>{text(robot)}: {shown}</div>"


def _reasons(reasons: Sequence[Mapping[str, Any]]) -> str:
    lines = []
    for reason in reasons:
        passed = [f"{', '.join(v)} {k}" for k, v in reason.get("excluded", {}).items()]
        why = f" (passed over: {'; '.join(passed)})" if passed else ""
        chosen = ", ".join(reason["chosen"])
        lines.append(f"<li>{text(reason['phrase'])} → <b>{text(chosen)}</b>{text(why)}</li>")
    return f"<ul>{''.join(lines)}</ul>"


def _driven(robot: str, result: Mapping[str, Any]) -> str:
    did = f"{text(robot)} did {result['steps']} actions"
    if result["done"]:
        return f"<p class='ok'>{did}, and all that was asked is so.</p>"
    return f"<p class='no'>{did}: {text(result['surprise'])}.</p>"


# ---- small things ----


def number(value: Any, unit: str) -> str:
    """Return a value as people read it."""
    if value is None:
        return "–"
    text = f"{value:.2f}" if isinstance(value, float) else json.dumps(value)
    return f"{text} {unit}".strip()
