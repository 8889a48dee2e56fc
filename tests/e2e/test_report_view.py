"""The interactive view of a report: whole in one file, small, drawn by a real browser, names as text."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from commonground.scene import Mesh, SceneGraph, load_scene
from commonground.story.view import MOST_TRIANGLES, view_3d

SCENE = Path(__file__).resolve().parents[2] / "commonground/data/courtyard.json"
EVIL = "</script><script>window.hacked='yes'</script><img src=x onerror=\"window.hacked='yes'\">"
PATHS = {"spot": np.array([[6.0, 30.0, 0.0], [20.0, 30.0, 0.0], [30.0, 20.0, 0.0]])}
COLORS = {"spot": "#d62728"}


def large() -> SceneGraph:
    """A map with a mesh of half a million triangles."""
    n = 501
    x, y = np.meshgrid(np.linspace(0, 65, n), np.linspace(0, 50, n))
    vertices = np.stack([x.ravel(), y.ravel(), 0.3 * np.sin(x.ravel() / 3)], axis=1)
    k = np.arange(n * n).reshape(n, n)
    a, b, c, d = k[:-1, :-1].ravel(), k[:-1, 1:].ravel(), k[1:, :-1].ravel(), k[1:, 1:].ravel()
    faces = np.concatenate([np.stack([a, b, d], 1), np.stack([a, d, c], 1)]).astype(np.int32)
    colors = np.full((len(vertices), 3), (120, 150, 110), np.uint8)
    return replace(load_scene(SCENE), mesh=Mesh(vertices, faces, colors))


def page(graph: SceneGraph) -> str:
    css = (SCENE.parent / "report.css").read_text()
    view = view_3d(graph, PATHS, COLORS)
    head = f"<head><meta charset='utf-8'><style>{css}</style></head>"
    cards = "".join(
        f"<div class='card' id='card-{symbol}'>seen and mapped</div>"
        for symbol in graph.objects.symbols
    )
    return f"<!doctype html><html>{head}<body>{view}{cards}</body></html>"


def test_a_large_map_stays_small_and_needs_nothing_else() -> None:
    html = page(large())
    assert len(html) < 4_000_000
    assert not re.search(r"(src|href)\s*=|https?://|@import|url\(", html)
    data = json.loads(html.split('id="view3d-data">')[1].split("</script>")[0])
    layers = {part["layer"]: part for part in data["parts"]}
    assert {"mesh", "regions", "objects", "path of spot"} <= set(layers)
    assert len(layers["mesh"]["order"]) * 3 / 4 / 12 <= MOST_TRIANGLES
    assert any(label["text"] == "main street" for label in data["labels"])


def test_a_browser_draws_it_and_names_are_text(tmp_path: Path) -> None:
    api = pytest.importorskip("playwright.sync_api")
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    if found is None:
        pytest.skip("no Chromium on this machine")
    graph = large()
    spaces = {**graph.labelspaces, "objects": dict.fromkeys(graph.labelspaces["objects"], EVIL)}
    file = tmp_path / "report.html"
    file.write_text(page(replace(graph, labelspaces=spaces)))
    with api.sync_playwright() as playwright:
        flags = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
        browser = playwright.chromium.launch(executable_path=found, args=flags)
        try:
            tab = browser.new_page(viewport={"width": 1100, "height": 700})
            tab.set_default_timeout(240_000)
            said: list[str] = []
            tab.on("pageerror", lambda error: said.append(str(error)))
            tab.goto(file.as_uri())
            tab.locator('#view3d[data-ready="yes"]').wait_for()
            before = tab.locator("#view3d").screenshot()
            tab.mouse.move(500, 300)
            tab.mouse.wheel(0, -400)
            tab.mouse.down()
            tab.mouse.move(620, 330, steps=3)
            tab.mouse.up()
            assert tab.locator("#view3d").screenshot() != before, "it turns and comes nearer"
            assert said == [] and tab.evaluate("window.hacked") is None
            assert tab.locator("#view3d .card").count() == 0
            for k in range(24):  # a click near a thing shows the card that the page has of it
                tab.mouse.click(300 + 80 * (k % 6), 150 + 80 * (k // 6))
                if tab.locator("#view3d .card").count():
                    break
            assert tab.locator("#view3d .card").inner_text() == "seen and mapped"
            colors = tab.evaluate(COUNT)
            assert colors > 20, "the canvas is not blank"
        finally:
            browser.close()


COUNT = """() => {
  const gl = document.querySelector("#view3d .gl").getContext("webgl2");
  const w = gl.drawingBufferWidth, h = gl.drawingBufferHeight, pixels = new Uint8Array(4 * w * h);
  gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  const seen = new Set();
  for (let k = 0; k < pixels.length; k += 388) seen.add([...pixels.slice(k, k + 3)].join());
  return seen.size;
}"""
