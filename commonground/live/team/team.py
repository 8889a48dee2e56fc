"""A live run: a process per robot and one that fuses, watched, and started again if they are killed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from commonground.config import to_yaml
from commonground.errors import CommongroundError, ConfigError, require
from commonground.live.team.courier import Courier
from commonground.live.team.folder import LiveFolder
from commonground.live.team.fusing import ENDED, FusionJob, fuse_live
from commonground.live.team.post import Receiver
from commonground.live.team.processes import Watched, watch
from commonground.live.team.robot import RobotJob, map_live
from commonground.live.team.settings import LiveTeam
from commonground.live.team.state import RobotState, TeamState, read_team
from commonground.live.team.stream import LONGEST_GAP_S
from commonground.mapping.fusion.remembered import recall
from commonground.mapping.settings import MappingSettings
from commonground.reporter import SILENT, Reporter
from commonground.run_folder import RunFolder
from commonground.runs import Run
from commonground.signals import ended_by_signal
from commonground.story.config import Config


def run_team(
    team: LiveTeam,
    out: str | Path,
    *,
    rate: float = 1.0,
    onto: str | Path | None = None,
    listen: str = "",
    base: str = "",
    finish: bool = False,
    config: Config | None = None,
    seed: int = 0,
    reporter: Reporter = SILENT,
) -> TeamState:
    """Map the streams of a team into the run directory ``out`` while they come; a stopped run goes on.

    Robots that are ``remote`` send their maps to where this ``listen``s; with a ``base``, this is where that
    is done from: robots are mapped and sent there, and fused there. To ``finish`` a stopped run takes nothing
    more in: what was kept of each robot is its map.
    """
    out = Path(out)
    config = config or Config()
    with ended_by_signal(), Run.open(out, "live", seed=seed, config_yaml=to_yaml(config)) as run:
        folder = LiveFolder(run.folder)
        away = [name for name, source in team.robots.items() if source.remote]
        here = {name: source for name, source in team.robots.items() if not source.remote}
        _check(folder, away, onto, listen)
        _told_of(folder, away, finish)
        post = Receiver(folder, away, listen, reporter.note) if listen else None
        couriers = [_bringing(folder, name, base, team, reporter) for name in here if base]
        what = {
            n: f"live {n} from {s.identity} {run.manifest['config_hash']}" for n, s in here.items()
        }
        folder.go_on(what)
        mapping = _as_it_comes(config.mapping, team)
        jobs = [
            RobotJob(name, source, out, mapping, rate, team.waiting, what[name], finish)
            for name, source in here.items()
            if _begins(folder, name)
        ]
        watched = [Watched(job.name, map_live, job, team.restarts) for job in jobs]
        if not base:
            fusing = FusionJob(tuple(team.robots), out, config.localization, seed, onto)
            watched.append(Watched("fusion", fuse_live, fusing, team.restarts))
        status = Status(folder.run, reporter, fused_here=not base)
        _until_done(watched, couriers, post, status, folder, reporter)
        state = read_team(out)
        run.note("live", {"robots": list(team.robots), "fusions": state.fusions})
    return state


def _bringing(
    folder: LiveFolder, robot: str, base: str, team: LiveTeam, reporter: Reporter
) -> Bringing:
    """Begin to bring a robot's maps to the base."""
    courier = Courier(folder, robot, base, everything=team.everything, tell=reporter.note)
    return Bringing(courier, reporter)


def _begins(folder: LiveFolder, name: str) -> bool:
    """Tell that a robot is mapped from now on; return False if that was done before."""
    told = folder.told(name)
    if told.get("state") == "done":
        return False
    folder.tell(name, {**told, "error": "", "waits": "", "robot": name, "state": "mapping"})
    return True


def _told_of(folder: LiveFolder, away: Sequence[str], finish: bool) -> None:
    """Tell of robots that are mapped elsewhere, which may not have said anything yet."""
    for name in away:
        told = {
            "state": "mapping",
            "waits": "it has not called yet",
            **folder.told(name),
            "robot": name,
        }
        if finish and told["state"] not in ENDED:
            told |= {"state": "failed", "error": "the run was finished before its stream had ended"}
        folder.tell(name, told)


def _check(folder: LiveFolder, away: Sequence[str], onto: str | Path | None, listen: str) -> None:
    """Raise now, before the team leaves, what would end the processes of the run one by one."""
    if away and not listen:
        raise ConfigError(f"{', '.join(away)}: remote, but nothing says where to --listen")
    if onto is not None:
        recall(RunFolder(Path(onto)).fused)
    for library in ("cv2", "gtsam"):
        require(library, "mapping")
    folder.told_team()  # of a run that goes on: it may be spoiled


def _until_done(
    watched: list[Watched],
    couriers: list[Bringing],
    post: Receiver | None,
    status: Status,
    folder: LiveFolder,
    reporter: Reporter,
) -> None:
    """Wait for the processes, and until what they made is sent."""
    try:
        watch(watched, reporter, _giving_up(folder), status.look)
        for courier in couriers:
            courier.join()
        for courier in couriers:
            courier.check()
    finally:  # Ctrl-C: what is there goes on when the command is given again
        for one in watched:
            one.process.kill()
        if post is not None:
            post.close()


class Bringing(threading.Thread):
    """The thread in which a robot's maps are brought to the base."""

    def __init__(self, courier: Courier, reporter: Reporter) -> None:
        super().__init__(daemon=True)
        self._courier, self._reporter = courier, reporter
        self._failed: Exception | None = None
        self.start()

    def run(self) -> None:
        """Bring all there is; whatever keeps it from that is told, and raised when all others are done."""
        try:
            self._courier.run()
        except ConfigError as error:
            robot = self._courier.robot
            self._reporter.note(f"{robot}: nothing is sent: {error}; it is mapped all the same")
            self._failed = ConfigError(f"{robot}: its map was not sent: {error}")
        except Exception as error:
            self._failed = error
            raise

    def check(self) -> None:
        """Raise what kept it from bringing all."""
        if self._failed is not None:
            raise self._failed


def _as_it_comes(mapping: MappingSettings, team: LiveTeam) -> MappingSettings:
    """Return the settings for streams: what stops and comes back is cut, dropped images are no fault."""
    odometry = mapping.odometry.model_copy(update={"longest_gap_s": LONGEST_GAP_S})
    changes = {
        "odometry": odometry,
        "checkpoint_every_s": team.hand_over_s,
        "give_up_after": 10 * mapping.give_up_after,
    }
    return mapping.model_copy(update=changes)


def _giving_up(folder: LiveFolder) -> Callable[[Watched], None]:
    """Return what tells the others that a robot comes to nothing more, so that they do not wait for it."""

    def give_up(one: Watched) -> None:
        if isinstance(one.job, RobotJob) and folder.told(one.name).get("state") not in ENDED:
            told = {**folder.told(one.name), "robot": one.name}
            folder.tell(one.name, {**told, "state": "failed", "error": "its process ended"})

    return give_up


EVERY_S = 10.0


class Status:
    """Says every so often how the run in a folder gets on."""

    def __init__(
        self, run: Path, reporter: Reporter, every_s: float = EVERY_S, *, fused_here: bool = True
    ) -> None:
        self._run, self._reporter, self._every_s = run, reporter, every_s
        self._fused_here = fused_here
        self._began_s = self._said_s = time.monotonic()

    def look(self) -> None:
        """Say it if it is time for that."""
        now = time.monotonic()
        if now - self._said_s < self._every_s:
            return
        self._said_s = now
        try:
            line = status_line(read_team(self._run), fused_here=self._fused_here)
        except CommongroundError:  # nobody has said anything yet; what is damaged others tell
            return
        minutes, seconds = divmod(round(now - self._began_s), 60)
        self._reporter.note(f"{minutes}:{seconds:02}  {line}")


def status_line(team: TeamState, *, fused_here: bool = True) -> str:
    """Return how each robot gets on, and what there is of the shared map if it is made here."""
    robots = "; ".join(f"{robot.name} {_of(robot)}{_where(team, robot)}" for robot in team.robots)
    if not fused_here:
        return f"{robots}; the base fuses"
    return f"{robots}; {f'{team.objects} objects in the map' if team.fusions else 'no map yet'}"


def _where(team: TeamState, robot: RobotState) -> str:
    if robot.T_map_robot is None or not team.in_map(robot):
        return ""
    x, y = robot.T_map_robot[:2, 3]
    return f", in the map at {x:.0f}, {y:.0f}"


def _of(robot: RobotState) -> str:
    if robot.state == "failed":
        return "given up"
    dropped = f", {100 * robot.dropped / robot.frames:.0f} % dropped" if robot.dropped else ""
    frames = f"{robot.frames} frames{dropped}, {robot.travel_m:.0f} m"
    if robot.state != "mapping":
        frames = f"done, {frames}"
    elif robot.silent:
        frames = f"{frames}, nothing from its process for {robot.told_s_ago:.0f} s"
    elif robot.waits:
        frames = f"waits, {frames}"
    elif robot.frames and robot.delay_s is not None:
        frames = f"{frames}, {robot.delay_s:.2f} s late"
    return frames
