"""The console's page in a real browser: from words to done, Stop, two tabs, the token, hostile names."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from commonground.console import Console, Station, open_console
from commonground.grounding import Grounder
from commonground.robots import load_team
from commonground.scene import SceneGraph, load_scene

pytest.importorskip("viser")
sync_api = pytest.importorskip("playwright.sync_api")
BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), ""
)
if not BROWSER:
    pytest.skip("no Chromium on this machine", allow_module_level=True)

SCENE = Path(__file__).resolve().parents[2] / "commonground/data/courtyard.json"
ROBOTS = """robots:
  spot: {pose: [6, 30, 0, 0.5], capabilities: [goto, inspect, pick, place]}
  husky: {pose: [60, 20, 0, 3.1], capabilities: [goto, inspect], speed_mps: 1.5}
"""
ERRAND = "Husky, inspect the tree nearest to the flag."
EVIL = "<img src=x onerror=\"window.hacked='yes'\">"
WAIT_MS = 240_000
"""A busy machine draws slowly without a GPU."""
SHOTS = os.environ.get("CONSOLE_SHOTS", "")
"""Folder for pictures, where somebody wants them."""
SELDOM = """
const soon = window.requestAnimationFrame.bind(window);
window.requestAnimationFrame = draw => setTimeout(() => soon(draw), 400);
"""
"""Has a page draw twice a second: without a GPU, drawing all the time takes all of the machine."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        flags = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
        found = playwright.chromium.launch(executable_path=BROWSER, args=flags)
        yield found
        found.close()


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., Console]]:
    (tmp_path / "robots.yaml").write_text(ROBOTS)
    team = load_team(tmp_path / "robots.yaml")
    with ExitStack() as stack:

        def one(pace: float = 40.0, graph: SceneGraph | None = None, token: str = "") -> Console:
            scene = load_scene(SCENE) if graph is None else graph
            station = Station(scene, team, Grounder, tmp_path / "missions", pace=pace)
            return stack.enter_context(open_console(station, port=0, token=token))

        yield one


@pytest.fixture
def tab(browser: Any) -> Iterator[Callable[..., Any]]:
    """Open tabs of their own, and close them, for each of them draws all the time."""
    opened = []

    def one(url: str, *, ready: bool = True) -> Any:
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        if not SHOTS:
            context.add_init_script(SELDOM)
        opened.append(context)
        page = context.new_page()
        page.set_default_timeout(WAIT_MS)
        page.goto(url)
        if ready:
            page.get_by_role("button", name="Ask for a plan").wait_for()
        return page

    yield one
    for context in opened:
        context.close()


def press(page: Any, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).dispatch_event("click")


def say(page: Any, text: str) -> None:
    page.get_by_role("textbox").first.fill(text)
    page.wait_for_timeout(1000)  # typing reaches the server a moment later
    press(page, "Ask for a plan")


def state(page: Any, name: str) -> None:
    page.locator(f'[data-state="{name}"]').wait_for()


def shoot(page: Any, name: str) -> None:
    if SHOTS:
        page.wait_for_timeout(4000)
        page.screenshot(path=str(Path(SHOTS) / f"{name}.png"))


def test_said_seen_approved_and_done_in_two_tabs(
    tab: Callable[..., Any], make: Callable[..., Console]
) -> None:
    console = make(pace=6.0 if SHOTS else 40.0)
    first = tab(console.address.url)
    second = tab(console.address.url)
    say(first, "Husky, inspect the tree nearest to the flag, and Spot, inspect the bench.")
    first.get_by_role("button", name="O22").wait_for()
    shoot(first, "question")
    press(first, next(b for b in first.get_by_role("button").all_inner_texts() if "O23" in b))
    state(first, "planned")
    state(second, "planned")
    assert "look O23" in first.inner_text("body") and "look O7" in first.inner_text("body")
    assert not console.station.progress()["husky"].status.order, "nothing is sent before approval"
    shoot(first, "plan")
    press(second, "Approve")
    if SHOTS:
        state(first, "running")
        shoot(first, "driving")
    state(first, "done")
    state(second, "done")
    record = console.station.record
    assert record is not None and record.state == "done"
    assert "approved by operator 2" in first.inner_text("body")


def test_stop_in_mid_drive(tab: Callable[..., Any], make: Callable[..., Console]) -> None:
    console = make(pace=0.5)
    page = tab(console.address.url)
    say(page, ERRAND)
    state(page, "planned")
    press(page, "Approve")
    state(page, "running")
    page.wait_for_timeout(2000)
    press(page, "Stop")
    state(page, "stopped")
    record = console.station.record
    assert record is not None and record.state == "stopped"
    drive = console.station.drive
    assert drive is None or drive.wait(30)


def test_the_token_is_asked_for(tab: Callable[..., Any], make: Callable[..., Console]) -> None:
    console = make(token="for-friends")  # noqa: S106
    url = console.address.url.partition("?")[0]
    stranger = tab(url, ready=False)
    assert "asks for a token" in stranger.inner_text("body")
    friend = tab(console.address.url)
    assert "token" not in friend.url


def test_a_hostile_name_is_text(tab: Callable[..., Any], make: Callable[..., Console]) -> None:
    graph = load_scene(SCENE)
    spaces = {**graph.labelspaces}
    spaces["objects"] = dict.fromkeys(spaces["objects"], EVIL)
    spaces["regions"] = dict.fromkeys(spaces["regions"], EVIL)
    console = make(graph=replace(graph, labelspaces=spaces))
    page = tab(console.address.url)
    page.get_by_role("tab", name="Map").click()
    page.get_by_role("textbox").last.fill("O7")
    page.wait_for_timeout(1000)
    press(page, "Show")
    page.get_by_text("onerror").first.wait_for()
    say_box = f"{EVIL} go to {EVIL}"
    page.get_by_role("tab", name="Mission").click()
    say(page, say_box)
    state(page, "draft")
    assert page.evaluate("window.hacked") is None
    assert page.locator('img[src="x"]').count() == 0
