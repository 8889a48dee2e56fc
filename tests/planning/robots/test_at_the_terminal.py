"""Words at the terminal of a mission under way hold at once, typed or piped."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from commonground.scene import save_scene
from tests.planning.mission.scenes import grid, place
from tests.planning.robots.bridge import BridgeServer
from tests.planning.robots.driving import MOST_S
from tests.planning.robots.kinematic import Kinematic

SLOW_MPS = 0.5


def wait(true: Callable[[], object]) -> None:
    end = time.monotonic() + 4 * MOST_S
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


class Typed:
    """A mission that is carried out in a program of its own, and whoever types there."""

    def __init__(self, folder: Path, robot: Kinematic, address: str, mode: str) -> None:
        save_scene(grid(), folder / "map.json")
        (folder / "robots.yaml").write_text(
            f"robots:\n  husky: {{speed_mps: {SLOW_MPS}, adapter: {{address: '{address}'}}}}\n"
        )
        self.robot, self._folder = robot, folder
        goal = f"husky=(visited-place {place(4, 0)})"
        words = ["--robots", "robots.yaml", "--backend", "nav2", "--id", "one", "--goal", goal]
        stdin, self._end = pty.openpty()[::-1] if mode == "typed" else os.pipe()
        with (folder / "out").open("wb") as out:
            self.program = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "commonground",
                    "mission",
                    "map.json",
                    *words,
                    *OPTIONS[mode],
                ],
                stdin=stdin,
                stdout=out,
                stderr=out,
                cwd=folder,
            )
        os.close(stdin)

    def type(self, line: str) -> None:
        os.write(self._end, line.encode() + b"\n")

    def close(self) -> None:
        os.close(self._end)

    def told(self) -> str:
        return (self._folder / "out").read_text()

    def ended(self) -> int:
        return self.program.wait(4 * MOST_S)


OPTIONS = {"typed": [], "piped": [], "yes": ["--yes"], "silent": ["--yes", "--json", "--quiet"]}


@contextmanager
def driven(tmp_path: Path, mode: str) -> Iterator[Typed]:
    robot = Kinematic(0.0, 0.0, speed_mps=SLOW_MPS)
    with BridgeServer(robot) as server:
        typed = Typed(tmp_path, robot, server.address, mode)
        try:
            if mode in ("typed", "piped"):
                wait(lambda: "Go ahead?" in typed.told())
                typed.type("y")
            wait(lambda: robot.moving)
            yield typed
        finally:
            typed.program.kill()
            typed.program.wait()


@pytest.mark.parametrize("mode", list(OPTIONS))
def test_words_at_the_terminal_hold_at_once(tmp_path: Path, mode: str) -> None:
    with driven(tmp_path, mode) as typed:
        typed.type("Husky, wait.")
        wait(lambda: not typed.robot.moving)
        typed.type("go on")
        wait(lambda: typed.robot.moving)
        typed.type("gas leak, keep out!")
        wait(lambda: not typed.robot.moving)
        wait(lambda: "“gas leak, keep out!” is not understood" in typed.told())
        typed.type("go on")
        wait(lambda: typed.robot.moving)
        typed.type("husky, stop")
        assert typed.ended() == 3 and not typed.robot.moving
        assert "husky, stop" in typed.told()


def test_a_ban_at_the_terminal_is_kept_to(tmp_path: Path) -> None:
    with driven(tmp_path, "piped") as typed:
        typed.type("Husky, do not go to box O3.")
        wait(lambda: not typed.robot.moving)
        wait(lambda: "says: Husky, do not go to box O3." in typed.told())
        typed.type("go on")
        wait(lambda: "Take it in?" in typed.told())
        typed.type("y")
        wait(lambda: typed.robot.moving)
        typed.close()
        assert typed.ended() == 0


def test_who_stops_typing_lets_robots_drive_on_and_no_pause_end(tmp_path: Path) -> None:
    with driven(tmp_path, "yes") as typed:
        typed.type("y")  # nothing is asked
        typed.type("pause")
        typed.close()
        wait(lambda: "nothing more is typed here, and all robots stand" in typed.told())
        assert not typed.robot.moving
        again = ["mission", "--join", "one", "go on"]
        call = [sys.executable, "-m", "commonground", *again]
        subprocess.run(call, cwd=tmp_path, check=True, capture_output=True)
        assert typed.ended() == 0
