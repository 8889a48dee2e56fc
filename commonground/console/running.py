"""The console from its files to its page: opened, served until interrupted, closed standing still."""

from __future__ import annotations

import contextlib
import signal
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from commonground.console.door import Door, fresh_token, is_loopback
from commonground.console.following import Follower
from commonground.console.memory_box import MemoryBox, Opener
from commonground.console.opening import Opened, opened
from commonground.console.station import Station
from commonground.errors import ConfigError, require
from commonground.live.missions import check_backend
from commonground.planning.mission.settings import DEFAULTS, MissionSettings
from commonground.planning.robots.fleet import live_robots
from commonground.robots import SIMULATED, Team, load_team
from commonground.run_folder import RunFolder
from commonground.scene import SceneGraph
from commonground.signals import endings

if TYPE_CHECKING:
    from viser import ViserServer

    from commonground.grounding import GroundingSettings
    from commonground.mapping.perception.settings import FastSamSettings


ANY = ("0.0.0.0", "::")  # noqa: S104 - shown, not bound
"""All addresses of this machine: others reach it by its name."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where the console is, and what opens it."""

    host: str
    port: int
    token: str

    @property
    def url(self) -> str:
        """What to open in a browser."""
        at = f"[{self.host}]" if ":" in self.host else self.host
        at = socket.gethostname() if self.host in ANY else at
        return f"http://{at}:{self.port}/" + (f"?token={self.token}" if self.token else "")


@dataclass(frozen=True, slots=True)
class Console:
    """An open console."""

    address: Address
    station: Station
    server: ViserServer


def make_station(
    path: str | Path | None,
    robots: str | Path | None,
    settings: GroundingSettings,
    missions: str | Path,
    *,
    backend: str = "sim",
    seed: int = 0,
    pace: float = 1.0,
    limits: MissionSettings | None = None,
    live: str | Path | None = None,
    clip: FastSamSettings | None = None,
) -> Station:
    """Return the station for a map, a run or a mission; without a path, for the latest run.

    With ``live``, the directory of a run, it is for that, whose map may come later. Things that no class
    covers are known by their looks with the model of ``clip``.
    """
    path = None if path is None else Path(path)
    robots = None if robots is None else Path(robots)
    missions = Path(missions)
    live = None if live is None else Path(live)
    from commonground.grounding import Grounder
    from commonground.mapping import load_meshed
    from commonground.mapping.perception import encoder_of
    from commonground.mapping.perception.settings import FastSamSettings

    check_backend(backend)
    if live is not None and path is None:
        files, graph = Opened(live, robots, None), SceneGraph()
    else:
        files = opened(path, robots)
        graph = load_meshed(files.scene)
    team = None if files.robots is None else load_team(files.robots, backend)
    if team is not None and backend != SIMULATED:
        live_robots(
            team, backend, missions, graph
        )  # what adapters lack is told before anything is shown

    def reader(graph: SceneGraph, team: Team) -> Grounder:
        encoder = encoder_of(graph, clip or FastSamSettings())
        return Grounder(graph, team, settings, encoder=encoder)

    station = Station(
        graph,
        team,
        reader,
        missions,
        backend=backend,
        seed=seed,
        pace=pace,
        limits=limits or DEFAULTS,
    )
    station.mapped = files.scene.parent if files.scene.is_file() else RunFolder(files.scene).fused
    if files.mission is not None:
        with contextlib.suppress(ConfigError):
            station.missions = files.mission.parent
    return station


@contextlib.contextmanager
def open_console(
    station: Station,
    *,
    host: str = "127.0.0.1",
    port: int = 8080,
    token: str = "",
    memory: Opener | None = None,
    live: str | Path | None = None,
) -> Iterator[Console]:
    """Serve the page until the block ends; a mission under way is stopped then.

    With ``live``, the directory of a run, the page follows it while it maps.
    """
    live = None if live is None else Path(live)
    require("viser", "console")
    from commonground.console.page import Page
    from commonground.console.serving import serve, stop

    if not is_loopback(host):
        token = token or fresh_token()
    server = serve(Door(host, token), port, station.status)
    try:
        follower = None if live is None else Follower(live)
        page = Page(server, station, MemoryBox(memory), follower)
        try:
            yield Console(Address(host, server.get_port(), token), station, server)
        finally:
            page.close()
    finally:
        station.close()
        stop(server)


def wait_for_end() -> None:
    """Return when somebody interrupts or ends the program."""
    ended = threading.Event()

    def end(number: int, frame: object) -> None:
        ended.set()

    before = {s: signal.signal(s, end) for s in (signal.SIGINT, *endings())}
    try:
        while not ended.wait(0.5):
            pass
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
