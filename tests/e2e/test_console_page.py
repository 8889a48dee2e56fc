"""The console's page in a real browser: from words to done, Stop, two tabs, the token, hostile names.

One console and two tabs serve all tests, because opening a page costs more than all that is done on it.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from commonground.console import Console, Station, open_console
from commonground.grounding import Grounder
from commonground.robots import load_team
from commonground.scene import SceneGraph, load_scene
from tests.optional import needs

needs("viser", "playwright")
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
FAST, SLOW = 40.0, 0.5
SHOTS = os.environ.get("CONSOLE_SHOTS", "")
"""Folder for pictures, where somebody wants them."""
SELDOM = """
const soon = window.requestAnimationFrame.bind(window);
window.requestAnimationFrame = draw => setTimeout(() => soon(draw), 1000);
"""
"""Has a page draw once a second: without a GPU, drawing all the time takes all of the machine."""


SENT = "() => new Promise(done => setTimeout(done, 150))"
"""A page sends what was typed every 50 ms, by its own clock."""


class Opened(NamedTuple):
    """A console, and two operators who look at it."""

    console: Console
    first: Any
    second: Any


def hostile() -> SceneGraph:
    """Return a map in which a thing has a name that is markup."""
    graph = load_scene(SCENE)
    objects = graph.objects
    row = objects.symbols.index("O22")
    extras = [dict(objects.extras[k]) if objects.extras else {} for k in range(len(objects))]
    extras[row]["metadata"] = {**objects.metadata(row), "name": EVIL}
    named = replace(objects, extras=tuple(extras))
    return replace(graph, layers={**graph.layers, "objects": named})


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    from playwright.sync_api import sync_playwright

    folder = tmp_path_factory.mktemp("console")
    (folder / "robots.yaml").write_text(ROBOTS)
    team = load_team(folder / "robots.yaml")
    station = Station(hostile(), team, Grounder, folder / "missions", pace=FAST)
    flags = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
    with (
        open_console(station, port=0, token="for-friends") as console,  # noqa: S106
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=BROWSER, args=flags)
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        context.set_default_timeout(WAIT_MS)
        if not SHOTS:
            context.add_init_script(SELDOM)
        pages = [context.new_page(), context.new_page()]
        for page in pages:
            page.goto(console.address.url)
        for page in pages:
            page.get_by_role("button", name="Ask for a plan").wait_for()
        yield Opened(console, *pages)
        browser.close()


@pytest.fixture
def free(opened: Opened) -> Opened:
    """Nothing is under way, and robots drive quickly."""
    opened.console.station.stop()
    opened.console.station.launcher.pace = FAST
    for page in (opened.first, opened.second):
        tab = page.get_by_role("tab", name="Mission")
        if tab.get_attribute("aria-selected") != "true":
            tab.click()
    return opened


def in_sight(box: Any, height: int) -> bool:
    """Return whether all of a box lies within the page as it is scrolled."""
    return box is not None and 0 <= box["y"] <= height - box["height"]


def middle_of(box: Any) -> tuple[float, float]:
    """Return the middle of a box on the page."""
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def press(page: Any, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).dispatch_event("click")


def fill(page: Any, label: str, text: str) -> None:
    """Type, and let the page send it."""
    page.locator(f'xpath=//*[text()="{label}"]/following::input[1]').fill(text)
    page.evaluate(SENT)


def say(page: Any, text: str) -> None:
    fill(page, "Instruction", text)
    press(page, "Ask for a plan")


def state(page: Any, name: str) -> None:
    page.locator(f'[data-state="{name}"]').wait_for()


def eyes(console: Console) -> list[tuple[float, ...]]:
    """Return where each operator looks from."""
    clients = console.server.get_clients()
    return [tuple(clients[k].camera.position) for k in sorted(clients)]


def settled(console: Console, before: list[tuple[float, ...]]) -> list[tuple[float, ...]]:
    """Return where they look from once one of them has moved, or after all patience."""
    until = time.monotonic() + WAIT_MS / 1000
    while eyes(console) == before and time.monotonic() < until:
        time.sleep(0.1)
    return eyes(console)


def shoot(page: Any, name: str) -> None:
    if SHOTS:
        page.wait_for_timeout(4000)
        page.screenshot(path=str(Path(SHOTS) / f"{name}.png"))


def test_said_seen_approved_and_done_in_two_tabs(free: Opened) -> None:
    console, first, second = free
    console.station.launcher.pace = 6.0 if SHOTS else FAST
    say(first, "Husky, inspect the tree nearest to the flag, and Spot, inspect the bench.")
    bench = first.get_by_role("button", name="O23")
    bench.wait_for()
    shoot(first, "question")
    bench.dispatch_event("click")
    state(first, "planned")
    state(second, "planned")
    assert "look O23" in first.inner_text("body")
    assert not console.station.progress()["husky"].status.order, "nothing is sent before approval"
    before = eyes(console)
    press(first, "Look there")
    moved = [now != was for now, was in zip(settled(console, before), before, strict=True)]
    assert sum(moved) == 1, "only who pressed it looks there"
    shoot(first, "plan")
    press(second, "Approve")
    if SHOTS:
        state(first, "running")
        shoot(first, "driving")
    state(first, "done")
    state(second, "done")
    record = console.station.record
    assert record is not None and record.state == "done"
    assert record.approved_by not in ("", record.by), "the other one approved it"
    assert f"approved by {record.approved_by}" in first.inner_text("body")


def test_a_long_goal_does_not_widen_the_panel(free: Opened) -> None:
    page = free.first
    say(page, "Husky, inspect every car and every tree.")
    state(page, "planned")
    page.locator("b", has_text="husky").first.wait_for()
    box = page.get_by_role("button", name="Stop", exact=True).bounding_box()
    assert box is not None and box["x"] + box["width"] <= page.viewport_size["width"]
    press(page, "Discard")
    for one in (free.first, free.second):
        one.locator('[data-state="planned"]').wait_for(state="detached")


def test_more_is_wanted_while_robots_drive(free: Opened) -> None:
    console, first, second = free
    console.station.launcher.pace = SLOW
    say(first, ERRAND)
    state(first, "planned")
    press(first, "Approve")
    state(first, "running")
    say(second, "Spot, inspect the bench.")
    bench = second.get_by_role("button", name="O23")
    bench.wait_for()
    shoot(second, "besides_question")
    press(second, "Discard")
    bench.wait_for(state="detached")
    say(second, "Spot, inspect the flag.")
    first.locator('[data-besides="planned"]').wait_for()
    state(first, "running")
    first.get_by_text("look O38").first.wait_for()
    shoot(first, "besides_plan")
    press(first, "Approve")
    first.locator("[data-besides]").wait_for(state="detached")
    state(second, "running")
    second.get_by_text("and “Spot, inspect the flag.”").first.wait_for()
    shoot(second, "besides_driving")
    press(first, "Stop")
    state(first, "stopped")


def test_stop_in_mid_drive(free: Opened) -> None:
    console, page, _ = free
    console.station.launcher.pace = SLOW
    say(page, ERRAND)
    state(page, "planned")
    press(page, "Approve")
    state(page, "running")
    shallow = {"width": 1024, "height": 420}
    page.set_viewport_size(shallow)
    stop = page.get_by_role("button", name="Stop", exact=True)
    middle = middle_of(
        stop.bounding_box()
    )  # what robots do is drawn anew all the time, Stop is not
    page.mouse.move(*middle)
    page.mouse.wheel(0, 3000)
    page.wait_for_timeout(500)
    deadline = time.monotonic() + WAIT_MS / 1000
    while not in_sight(stop.bounding_box(), shallow["height"]):  # the page is drawn once a second
        assert time.monotonic() < deadline, "it does not stay in sight"
        page.wait_for_timeout(250)
    page.set_viewport_size({"width": 1280, "height": 800})
    press(page, "Stop")
    state(page, "stopped")
    record = console.station.record
    assert record is not None and record.state == "stopped"
    drive = console.station.drive
    assert drive is None or drive.wait(30)


def test_the_token_is_asked_for(opened: Opened) -> None:
    url = opened.console.address.url.partition("?")[0]
    assert opened.first.url == url, "the token does not stay in the address"
    stranger = opened.first.context.browser.new_context()
    answer = stranger.request.get(url)
    assert answer.status == 403 and "asks for a token" in answer.text()
    stranger.close()


def test_a_hostile_name_is_text(free: Opened) -> None:
    page = free.first
    say(page, f"{EVIL} go to {EVIL}")
    state(page, "draft")
    page.get_by_role("tab", name="Map").click()
    page.get_by_role("textbox").last.fill("O22")
    page.evaluate(SENT)
    press(page, "Show")
    page.get_by_text("onerror").first.wait_for()
    assert page.evaluate("window.hacked") is None
    assert page.locator('img[src="x"]').count() == 0


def test_a_pause_holds_and_a_page_that_crashes_leaves_the_mission_running(free: Opened) -> None:
    console, first, second = free
    console.station.launcher.pace = SLOW
    say(second, ERRAND)
    state(second, "planned")
    press(second, "Approve")
    state(second, "running")
    press(second, "Pause")
    state(first, "paused")
    still = console.station.now_s()
    first.wait_for_timeout(600)
    assert console.station.now_s() == still, "time stands still, and so do simulated robots"
    press(first, "Resume")
    state(first, "running")
    second.close()
    record = console.station.record
    assert record is not None and record.state == "running"
    begin_s = console.station.now_s()
    first.wait_for_timeout(1500)
    assert console.station.now_s() > begin_s, "it goes on without the page that began it"
    press(first, "Stop")
    state(first, "stopped")
