"""Several operators at the console: by their names, and each press about what was shown where it was made."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from commonground.console import Console, Station, open_console
from commonground.console.details import named_of
from commonground.console.door import browser_of
from commonground.errors import RunError
from commonground.grounding import Grounder
from commonground.grounding.memory import Memory
from commonground.live.acts import ACTS
from commonground.robots import load_team
from commonground.scene import load_scene
from tests.core.console.stations import ERRAND, ROBOTS, SCENE, SLOW
from tests.core.console.tab import Tab, until
from tests.optional import needs

needs("viser", "websockets", "msgspec", "zstandard")


@pytest.fixture
def console(tmp_path: Path) -> Iterator[Console]:
    (tmp_path / "robots.yaml").write_text(ROBOTS)
    team = load_team(tmp_path / "robots.yaml")
    station = Station(load_scene(SCENE), team, Grounder, tmp_path / "missions", pace=400.0)
    with open_console(station, port=0) as found:
        yield found


def browser(port: int) -> str:
    """Return the cookie that a browser gets with the page."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as page:
        return str(page.headers["Set-Cookie"]).partition(";")[0]


def test_a_name_is_kept_over_connections_and_said_with_what_is_done(console: Console) -> None:
    station, port = console.station, console.address.port
    cookie = browser(port)
    assert browser_of(f"127.0.0.1:{port}", cookie) and cookie != browser(port)
    with Tab(port, cookie) as tab:
        tab.set(tab.find("Your name"), "Ada <b>")
        tab.say(ERRAND)
        until(lambda: station.record is not None and station.record.state == "planned")
    with Tab(port, cookie) as tab, Tab(port) as other:
        tab.press("Approve", lambda: station.record and station.record.approved_by)
        until(lambda: station.record is not None and station.record.state == "done")
        assert tab.shown[tab.find("Your name")]["value"] == "Ada <b>"
        assert other.shown[other.find("Your name")]["value"] == ""
        until(lambda: "approved by Ada &lt;b&gt;" in tab.text())
    assert station.record is not None
    acts = (station.missions / station.record.name / ACTS).read_text().splitlines()
    assert [json.loads(act)["by"] for act in acts] == ["Ada <b>", "Ada <b>"]


def test_nobodys_words_go_out_as_anothers(console: Console) -> None:
    station, port = console.station, console.address.port
    with Tab(port) as ada, Tab(port) as bob:
        mine, other = (tab.find("Instruction") for tab in (ada, bob))
        ada.set(mine, "Husky, go to the pl")
        bob.set(other, "Spot, inspect the fl")
        bob.set(bob.find("Ask for a plan"), True)
        bob.set(other, ERRAND)  # a press is there before the last letters
        until(lambda: station.record is not None and station.record.state == "planned")
        assert station.record is not None and station.record.said == ERRAND
        assert mine not in bob.shown and other not in ada.shown
        ada.press("Edit", lambda: station.record and station.record.state == "discarded")
        until(lambda: ada.shown[mine]["value"] == ERRAND)


def test_a_question_is_answered_by_a_button_of_its_own(console: Console) -> None:
    station = console.station
    with Tab(console.address.port) as tab:
        tab.say("Spot, inspect the bench and go to the plaza.")
        tab.press(named_of(station.graph, "O23"), lambda: station.record and station.record.chosen)
        until(lambda: station.record is not None and station.record.state == "planned")
        assert station.record is not None and station.record.chosen == ("O23",)


def test_a_press_that_is_on_its_way_approves_no_other_plan(console: Console) -> None:
    station, port = console.station, console.address.port
    with Tab(port) as ada, Tab(port) as bob:
        ada.say(ERRAND)
        early = ada.find("Approve")
        bob.say("Spot, go to the plaza.")
        until(lambda: station.record and station.record.number == 2)
        until(lambda: station.record and station.record.state == "planned")
        ada.set(early, True)
        until(lambda: "another mission is shown by now" in ada.text())
        assert station.record is not None and station.record.state == "planned"
        assert until(lambda: (found := bob.find("Approve")) != early and found)
        bob.press("Approve", lambda: station.record and station.record.approved_by)
        until(lambda: station.record and station.record.state == "done")
        assert station.record.approved_by.startswith("operator")


@pytest.mark.parametrize(
    ("box", "button", "text", "state"),
    [
        ("Symbol", "Show", "oh no, stop!", "stopped"),
        ("Say or ask", "Tell", "everybody freeze", "stopped"),
        ("Say or ask", "Ask", "where is Spot going? Stop him, stop!", "stopped"),
        ("Instruction", "Ask for a plan", "whoa, stop it", "stopped"),
        ("Symbol", "Show", "O7", "running"),
    ],
)
def test_a_call_to_stop_counts_in_whatever_box_it_is_typed(
    tmp_path: Path, box: str, button: str, text: str, state: str
) -> None:
    (tmp_path / "robots.yaml").write_text(ROBOTS)
    team = load_team(tmp_path / "robots.yaml")
    station = Station(load_scene(SCENE), team, Grounder, tmp_path / "missions", pace=SLOW)

    def memory(read_only: bool) -> AbstractContextManager[Memory]:
        raise RunError("it is not there")

    with open_console(station, port=0, memory=memory) as console, Tab(console.address.port) as tab:
        station.say(ERRAND)
        until(lambda: station.record is not None and station.record.state == "planned")
        assert station.record is not None
        station.approve(station.record.number)
        until(lambda: station.record is not None and station.record.state == "running")
        tab.set(tab.find(box), text)
        shown = (
            (lambda: station.record is not None and station.record.state == state)
            if state == "stopped"
            else (lambda: "tree O7" in tab.text())
        )
        tab.press(button, shown)
        assert station.record.state == state
        until(lambda: state != "stopped" or f"said “{text}”; nothing more is sent" in tab.text())
