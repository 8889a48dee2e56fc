"""A live run: a process per robot and one that fuses, watched, and started again if they are killed."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

from commonground.config import to_yaml
from commonground.errors import ConfigError, require
from commonground.live.team.folder import LiveFolder
from commonground.live.team.fusing import ENDED, FusionJob, fuse_live
from commonground.live.team.post import Courier, Receiver
from commonground.live.team.robot import RobotJob, map_live
from commonground.live.team.settings import LiveTeam
from commonground.live.team.state import TeamState, read_team
from commonground.live.team.stream import LONGEST_GAP_S
from commonground.mapping.settings import MappingSettings
from commonground.reporter import SILENT, Reporter
from commonground.runs import Run
from commonground.story.config import Config
from commonground.workers import leave_with

LOOK_EVERY_S = 0.2


def run_team(
    team: LiveTeam,
    out: Path,
    *,
    rate: float = 1.0,
    onto: Path | None = None,
    listen: str = "",
    base: str = "",
    config: Config | None = None,
    seed: int = 0,
    reporter: Reporter = SILENT,
) -> TeamState:
    """Map the streams of a team into the run directory ``out`` while they come; a stopped run goes on.

    Robots that are ``remote`` send their maps to where this ``listen``s; with a ``base``, this is where that
    is done from: robots are mapped and sent there, and fused there.
    """
    config = config or Config()
    text = to_yaml(config)
    with Run.open(out, "live", seed=seed, config_yaml=text) as run:
        folder = LiveFolder(run.folder)
        mapping = _as_it_comes(config.mapping, team)
        watched: list[Watched] = []
        couriers: list[threading.Thread] = []
        _check(folder)
        away = [name for name, source in team.robots.items() if source.remote]
        for name in away:
            folder.tell(name, {"state": "mapping", **folder.told(name), "robot": name})
        if away and not listen:
            raise ConfigError(f"{', '.join(away)}: remote, but nothing says where to --listen")
        post = Receiver(folder, away, listen) if listen else None
        for name, source in team.robots.items():
            if name not in away and base:
                couriers.append(_sent(Courier(folder, name, base), reporter))
            if name in away or folder.told(name).get("state") == "done":
                continue
            folder.tell(name, {"robot": name, "state": "mapping"})
            fingerprint = f"live {name} from {source} {run.manifest['config_hash']}"
            job = RobotJob(name, source, out, mapping, rate, team.waiting, fingerprint, os.getpid())
            watched.append(Watched(name, map_live, job, team.restarts))
        names = tuple(team.robots)
        fusing = FusionJob(names, out, config.localization, seed, onto, os.getpid())
        if not base:
            watched.append(Watched("fusion", fuse_live, fusing, team.restarts))
        _until_done(watched, couriers, post, folder, reporter)
        state = read_team(out)
        run.phase("live", lambda: {"robots": list(names), "fusions": state.fusions})
    return state


def _check(folder: LiveFolder) -> None:
    """Raise now what would end the processes of the run one by one."""
    for library in ("cv2", "gtsam"):
        require(library, "mapping")
    folder.told_team()  # of a run that goes on: it may be spoiled


def _until_done(
    watched: list[Watched],
    couriers: list[threading.Thread],
    post: Receiver | None,
    folder: LiveFolder,
    reporter: Reporter,
) -> None:
    """Wait for the processes, and until what they made is sent."""
    try:
        _watch(watched, folder, reporter)
        for courier in couriers:
            courier.join()
    finally:  # Ctrl-C: what is there goes on when the command is given again
        for one in watched:
            one.process.kill()
        if post is not None:
            post.close()


def _sent(courier: Courier, reporter: Reporter) -> threading.Thread:
    """Return the thread in which a robot's maps are brought to the base."""

    def bring() -> None:
        try:
            courier.run()
        except ConfigError as error:
            reporter.note(f"{courier.robot}: nothing is sent: {error}")

    thread = threading.Thread(target=bring, daemon=True)
    thread.start()
    return thread


def _as_it_comes(mapping: MappingSettings, team: LiveTeam) -> MappingSettings:
    """Return the settings for streams: what stops and comes back is cut, dropped images are no fault."""
    odometry = mapping.odometry.model_copy(update={"longest_gap_s": LONGEST_GAP_S})
    changes = {
        "odometry": odometry,
        "checkpoint_every_s": team.hand_over_s,
        "give_up_after": 10 * mapping.give_up_after,
    }
    return mapping.model_copy(update=changes)


class Watched:
    """One process of a live run."""

    def __init__(
        self, name: str, work: Callable[[Any], None], job: RobotJob | FusionJob, restarts: int
    ) -> None:
        self.name, self.work, self.job, self.restarts = name, work, job, restarts
        self.process = self._started()

    def _started(self) -> SpawnProcess:
        process = get_context("spawn").Process(target=_alone, args=(self.work, self.job))
        process.start()
        return process

    @property
    def ended(self) -> bool:
        """Whether it has done its work."""
        return self.process.exitcode == 0

    def restart(self) -> bool:
        """Start the process again, from what it kept; False if that was done often enough."""
        if self.restarts == 0:
            return False
        self.restarts -= 1
        self.process = self._started()
        return True


def _alone(work: Callable[[Any], None], job: RobotJob | FusionJob) -> None:
    """Do a process's work; it ends with the one that started it, and Ctrl-C is left to that."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    leave_with(job.parent)
    work(job)


def _watch(watched: list[Watched], folder: LiveFolder, reporter: Reporter) -> None:
    """Wait for all processes; one that dies is started again, and in the end told as failed."""
    running = list(watched)
    while running:
        for one in list(running):
            code = one.process.exitcode
            if code is None:
                continue
            if one.ended:
                running.remove(one)
            elif one.restart():
                reporter.note(f"{one.name}: its process ended ({code}); it goes on in a new one")
            else:
                running.remove(one)
                reporter.note(f"{one.name}: its process ended ({code}) too often; it is given up")
                _give_up(one, folder)
        time.sleep(LOOK_EVERY_S)


def _give_up(one: Watched, folder: LiveFolder) -> None:
    """Tell the others that a robot comes to nothing more, so that they do not wait for it."""
    if isinstance(one.job, RobotJob) and folder.told(one.name).get("state") not in ENDED:
        folder.tell(
            one.name, {**folder.told(one.name), "state": "failed", "error": "its process ended"}
        )
