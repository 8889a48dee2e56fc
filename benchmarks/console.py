"""How soon the operator's page shows a large map, and how lively it is, without a graphics card.

    python benchmarks/console.py [--places N] [--objects N] [--triangles N] [--times 3] [--shot FILE.png]

A map is made up, the console opened on it, and a fresh browser let in. Counted in seconds from the moment
the browser asks for the page, the server being up: until an instruction can be given (page), until the first
layer is drawn (first), and until regions, objects and mesh are (all). Then, while the map is turned by the
mouse, how many pictures are drawn a second, and how long the page takes to answer a click. All of it is told
by the clock and in processor time of server and browser (busy), which other programs disturb less.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from commonground.arrays import Floats
from commonground.console import Station, open_console
from commonground.grounding import Grounder
from commonground.robots import load_team
from commonground.scene import Boxes, Edges, Layer, Mesh, Ragged, SceneGraph
from commonground.scene.layer import OBJECTS, PLACES, REGIONS, SURFACE_PLACES
from commonground.symbols import node_id

ROBOTS = """robots:
  spot: {pose: [20, 20, 0, 0.5], capabilities: [goto, inspect, pick, place]}
  husky: {pose: [80, 80, 0, 3.1], capabilities: [goto, inspect], speed_mps: 1.5}
"""
FLAGS = ("--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")
SIZE = {"width": 1440, "height": 900}
LIMIT_MS = 120_000
WATCH = """
(() => {
  window.drawn = {}; window.large = new Set();
  const first = (what) => { window.drawn[what] ??= performance.now() / 1000; };
  const draw = WebGL2RenderingContext.prototype.drawElements;
  WebGL2RenderingContext.prototype.drawElements = function (mode, count, type, at) {
    if (mode === this.TRIANGLES && count > 3 * 3000) {
      window.large.add(count); first("first");
      if (window.large.size >= 3) first("all");
    }
    return draw.apply(this, arguments);
  };
  new MutationObserver(() => {
    if (document.body?.innerText.includes("Ask for a plan")) first("page");
  }).observe(document, { subtree: true, childList: true });
})();
"""
"""Notes, in seconds since the page was asked for, what is there for the first time."""
FRAMES_BEGIN = """() => {
  window.turned = []; let last = performance.now();
  const look = (now) => { window.turned.push((now - last) / 1000); last = now; requestAnimationFrame(look); };
  requestAnimationFrame(look);
}"""
"""Notes the seconds between pictures from here on."""
STEP_M, BLOCK = 2.0, 12
"""Between places, and places along the side of a region."""


def made_up(places: int, objects: int, triangles: int, seed: int = 0) -> SceneGraph:
    """Return a map of a hilly square with as much in it."""
    rng = np.random.default_rng(seed)
    side = round(np.sqrt(places))
    number = np.arange(side * side).reshape(side, side)
    row, column = np.divmod(number.ravel(), side)
    at = on_ground(STEP_M * np.column_stack([row, column]))
    links = Edges.of(
        np.concatenate(
            [
                np.stack([number[:-1].ravel(), number[1:].ravel()], axis=1),
                np.stack([number[:, :-1].ravel(), number[:, 1:].ravel()], axis=1),
            ]
        )
    )
    tile = 0.48 * STEP_M * np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])
    outlines = Ragged((at[:, None] + tile).reshape(-1, 3), 4 * np.arange(len(at) + 1))
    member = row // BLOCK * (side // BLOCK + 1) + column // BLOCK
    blocks, member = np.unique(member, return_inverse=True)
    middles = np.array([at[member == k].mean(axis=0) for k in range(len(blocks))])
    things = on_ground(rng.uniform(0, STEP_M * side, (objects, 2)))
    sizes = rng.uniform(0.5, 3.0, (objects, 3))
    ids = {
        c: [node_id(f"{c}{k}") for k in range(n)]
        for c, n in zip("PpRO", (len(at), len(at), len(blocks), objects), strict=True)
    }
    nearest = (things[:, :2] / STEP_M).round().astype(int).clip(0, side - 1) @ (side, 1)
    up = Edges.of(np.stack([np.arange(len(at)), member], axis=1))
    return SceneGraph(
        layers={
            "surface_places": Layer.of(
                SURFACE_PLACES, ids["P"], at, edges=links, boundaries=outlines
            ),
            "places": Layer.of(PLACES, ids["p"], at + (0, 0, 1.0), edges=links),
            "regions": Layer.of(REGIONS, ids["R"], middles, labels=rng.integers(0, 3, len(blocks))),
            "objects": Layer.of(
                OBJECTS,
                ids["O"],
                things,
                labels=rng.integers(0, 12, objects),
                boxes=Boxes.axis_aligned(things, sizes),
            ),
        },
        links={
            ("surface_places", "regions"): up,
            ("places", "regions"): up,
            ("objects", "surface_places"): Edges.of(
                np.stack([np.arange(objects), nearest], axis=1)
            ),
        },
        labelspaces={
            "regions": {0: "street", 1: "lawn", 2: "parking lot"},
            "objects": {k: f"thing of kind {k}" for k in range(12)},
        },
        mesh=terrain(triangles, STEP_M * side),
    )


def terrain(triangles: int, width_m: float) -> Mesh:
    """Return a ground of so many triangles, in the colors of a lawn with roads."""
    n = round(np.sqrt(triangles / 2)) + 1
    x, y = np.meshgrid(np.linspace(0, width_m, n), np.linspace(0, width_m, n), indexing="ij")
    vertices = on_ground(np.column_stack([x.ravel(), y.ravel()]))
    k = np.arange(n * n).reshape(n, n)
    a, b, c, d = k[:-1, :-1].ravel(), k[1:, :-1].ravel(), k[1:, 1:].ravel(), k[:-1, 1:].ravel()
    faces = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    road = (vertices[:, :2] % 40 < 5).any(axis=1)[:, None]
    colors = np.where(road, (120, 118, 115), (96, 132, 84)).astype(np.uint8)
    return Mesh(vertices, faces.astype(np.int32), colors)


def on_ground(points: Floats) -> Floats:
    """Return points (n, 2) with the height of the ground."""
    return np.column_stack([points, 1.5 * np.sin(points[:, 0] / 17) * np.cos(points[:, 1] / 23)])


def busy_s() -> float:
    """Return the processor time of this process and of the browser that it started."""
    ticks, parents = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            parents[int(folder.name)] = int(fields[1])
            ticks[int(folder.name)] = int(fields[11]) + int(fields[12])
    ours = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in ours} - ours:
        ours |= more
    return sum(ticks.get(pid, 0) for pid in ours) / os.sysconf("SC_CLK_TCK")


def look(url: str, browser: Any, shot: str) -> dict[str, float]:
    """Let a fresh browser in, and return what was measured."""
    context = browser.new_context(viewport=SIZE)
    context.set_default_timeout(LIMIT_MS)
    context.add_init_script(WATCH)
    page = context.new_page()
    begin_s = busy_s()
    page.goto(url, wait_until="commit")
    page.wait_for_function("() => window.drawn?.page && window.drawn.all")
    found = dict(page.evaluate("window.drawn"))
    found["busy_s"] = busy_s() - begin_s
    page.wait_for_timeout(1500)
    page.mouse.move(500, 450)
    page.mouse.down()
    page.evaluate(FRAMES_BEGIN)
    begin, begin_s = time.monotonic(), busy_s()
    for k in range(30):
        page.mouse.move(500 + 6 * k, 450 + 2 * k, steps=1)
    moved_s = time.monotonic() - begin
    page.mouse.up()
    count, worst = page.evaluate("[window.turned.length, Math.max(...window.turned)]")
    found["frames_per_s"], found["worst_s"] = count / moved_s, worst
    found["busy_s_a_frame"] = (busy_s() - begin_s) / count
    begin = time.monotonic()
    page.get_by_role("tab", name="Map").click()
    page.get_by_text("Click an object").wait_for()
    found["click_s"] = time.monotonic() - begin
    if shot:
        page.screenshot(path=shot)
    context.close()
    return found


def main() -> None:
    """Measure, and print a table."""
    ask = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    ask.add_argument("--places", type=int, default=10_000)
    ask.add_argument("--objects", type=int, default=1_000)
    ask.add_argument("--triangles", type=int, default=500_000)
    ask.add_argument("--times", type=int, default=3)
    ask.add_argument("--shot", default="", help="file of a picture of the page")
    wanted = ask.parse_args()
    from playwright.sync_api import sync_playwright

    graph = made_up(wanted.places, wanted.objects, wanted.triangles)
    chromium = next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome")))
    )
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        robots = Path(folder) / "robots.yaml"
        robots.write_text(ROBOTS)
        station = Station(graph, load_team(robots), Grounder, Path(folder) / "missions")
        begin = time.monotonic()
        with open_console(station, port=0) as console:
            up_s, load = time.monotonic() - begin, os.getloadavg()[0]
            print(f"server up after {up_s:.2f} s; load {load:.1f} on {os.cpu_count()} cores")
            rows = []
            for _ in range(wanted.times):
                browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
                rows.append(look(console.address.url, browser, wanted.shot))
                browser.close()
                print("  ".join(f"{k} {v:.2f}" for k, v in rows[-1].items()))
    print("median:", "  ".join(f"{k} {statistics.median(r[k] for r in rows):.2f}" for k in rows[0]))


if __name__ == "__main__":
    main()
