"""Base stations killed at random moments, and resumed: what was done twice, and what was lost.

The station is a real process and is killed for real; robots and world live on meanwhile.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from commonground.errors import RunError
from commonground.planning.mission.audit import audit
from commonground.planning.mission.events import End
from commonground.planning.mission.made_up import MadeUp, make_mission
from commonground.planning.mission.simulation import LIMIT_S
from commonground.planning.mission.truth import still_possible, unreached
from commonground.planning.robots.simulated import SimWorld
from tools.station.station import Served, finished, station

CALLS = (1, 250)
"""A station is killed after so many calls to robots and world, at least and at most."""
LATER_S = 0.05
"""At most so long after one, so that it is in the middle of writing, planning or waiting for an answer."""
GONE_S = 3.0
"""The world goes on alone for up to so long."""
SILENT_S = 300.0
"""A station that calls nobody for so long has failed."""
MOST_KILLS = 12
"""Of one mission."""


@dataclass(frozen=True, slots=True)
class Killed:
    """One mission with a base station that was killed again and again."""

    seed: int
    robots: int
    faults: str
    kills: int
    status: str
    reached: bool
    """Whether all goals are true in the world at the end."""
    possible: bool
    """Whether a part that was not reached could still have been."""
    repeated: int
    """Tasks that robots brought to their end more than once."""
    lost: int
    """Tasks that robots finished and the station does not know of, or the other way round."""
    violations: int
    reason: str

    def as_json(self) -> dict[str, Any]:
        """Return the row as JSON values."""
        return asdict(self)


def killed_missions(
    kills: int, seed: int, places: int = 250, most_faults: int = 3
) -> Iterator[Killed]:
    """Yield missions, seed after seed, until so many stations have been killed."""
    rng = np.random.default_rng([seed, kills])
    left = kills
    while left > 0:
        row = _mission(seed, places, most_faults, min(left, MOST_KILLS), rng)
        yield row
        left -= row.kills
        seed += 1


def _mission(
    seed: int, places: int, most_faults: int, most: int, rng: np.random.Generator
) -> Killed:
    made = make_mission(seed, places, most_faults=most_faults)
    world = SimWorld(made.graph, made.team, made.faults)
    served, kills = Served(world, LIMIT_S), 0
    with TemporaryDirectory() as folder:
        while served.end is None:
            calls = int(rng.integers(*CALLS)) if kills < most else None
            wait_s = float(rng.uniform(0.0, LATER_S))
            if _served(served, calls, wait_s, (Path(folder), seed, places, most_faults)):
                kills += 1
                _alone(world, float(rng.uniform(0.0, GONE_S)))
    return _row(seed, made, served, served.end, kills)


def _served(
    served: Served, calls: int | None, wait_s: float, what: tuple[Path, int, int, int]
) -> bool:
    """Serve a station until it tells its end or, after some calls, is killed; return whether it was."""
    ours, theirs = (context := get_context("spawn")).Pipe()
    process = context.Process(target=station, args=(theirs, *what), daemon=True)
    process.start()
    theirs.close()
    try:
        count = 0
        while served.end is None:
            if not ours.poll(SILENT_S):
                raise RunError(f"a base station was silent for {SILENT_S:.0f} s")
            ours.send(served.answer(ours.recv()))
            count += 1
            if calls is not None and count >= calls and served.end is None:
                time.sleep(wait_s)
                return _kill(process)
    except EOFError as error:
        raise RunError(f"a base station of seed {what[1]} failed; see what it wrote") from error
    finally:
        process.join(1.0)
        _kill(process)
        ours.close()
    return False


def _kill(process: BaseProcess) -> bool:
    process.kill()
    process.join()
    return True


def _alone(world: SimWorld, seconds: float) -> None:
    """Let the world go on in the steps in which it always goes on."""
    for _ in range(int(seconds / 0.2)):
        world.advance(0.2)


def _row(seed: int, made: MadeUp, served: Served, end: End, kills: int) -> Killed:
    graph, team, goals, faults = made
    world = served.world
    missed = unreached(graph, team, goals, world)
    ended = finished(world)
    return Killed(
        seed,
        len(team),
        " ".join(f.kind for f in faults),
        kills,
        end.status,
        not missed,
        any(still_possible(graph, goals, world, *part) for part in missed),
        sum(count - 1 for count in ended.values()),
        len(ended.keys() ^ set(served.done)),
        len(audit(graph, team, goals, world.moments, world.deeds)),
        end.reason,
    )
