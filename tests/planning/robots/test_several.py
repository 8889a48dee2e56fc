"""Robots of different kinds in one mission: two behind rosbridge servers of their own, and a Spot."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import pytest

pytest.importorskip("bosdyn.client")

from commonground.cli.main import run
from commonground.planning.mission.events import Heard
from commonground.planning.mission.journal import read_steps
from commonground.robots import load_team
from commonground.scene import save_scene
from tests.planning.mission.scenes import at, grid, place
from tests.planning.robots.bridge import BridgeServer
from tests.planning.robots.fake_spot import SECRET, USER, FakeSpot
from tests.planning.robots.kinematic import Kinematic

WAYS = {"anna": ((0, 0), (4, 0)), "bert": ((4, 0), (0, 0)), "spot": ((2, 3), (2, 1))}
"""Robot → the cells where it begins and is to be; the first two change places."""


def test_two_huskies_and_a_spot_carry_out_one_mission(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BOSDYN_CLIENT_USERNAME", USER)
    monkeypatch.setenv("BOSDYN_CLIENT_PASSWORD", SECRET)
    save_scene(grid(), Path("map.json"))
    bodies = {n: Kinematic(*at(*begin)[:2]) for n, (begin, _) in WAYS.items()}
    with (
        BridgeServer(bodies["anna"]) as anna,
        BridgeServer(bodies["bert"], ros=1) as bert,
        FakeSpot(bodies["spot"], tmp_path) as spot,
    ):
        adapters = {
            "anna": f"address: '{anna.address}'",
            "bert": f"address: '{bert.address}', ros: 1",
            "spot": f"backend: spot, address: 127.0.0.1, port: {spot.port}, "
            f"certificate: '{spot.certificate}', T_map_frame: [0, 0, 0, 0]",
        }
        lines = [
            f"  {n}: {{pose: [0, 0, 0, 0], speed_mps: 4.0, adapter: {{{adapter}}}}}\n"
            for n, adapter in adapters.items()
        ]
        Path("robots.yaml").write_text("robots:\n" + "".join(lines))
        goals = [f"{n}=(visited-place {place(*end)})" for n, (_, end) in WAYS.items()]
        words = [w for goal in goals for w in ("--goal", goal)]
        tail = ["--backend", "nav2", "--yes", "--id", "one"]
        assert run(["mission", "map.json", "--robots", "robots.yaml", *words, *tail]) == 0
    for name, (_, end) in WAYS.items():
        assert math.dist((bodies[name].x, bodies[name].y), at(*end)[:2]) < 1.0, name
    assert run(["mission", "--replay", "one"]) == 0
    _keep_apart(Path("runs/missions/one"))


def _keep_apart(folder: Path) -> None:
    """Assert that what robots told of their places is never nearer than their radii."""
    radii = {r.name: r.radius_m for r in load_team(folder / "robots.yaml")}
    here: dict[str, tuple[float, ...]] = {}
    for step in read_steps(folder):
        told = [t for t in step.told if isinstance(t, Heard) and t.status.position is not None]
        here |= {t.robot: t.status.position for t in told if t.status.position is not None}
        for a, b in itertools.combinations(here, 2):
            assert math.dist(here[a][:2], here[b][:2]) >= radii[a] + radii[b], (a, b, step.time_s)
