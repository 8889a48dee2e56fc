"""Teams to score fusion with: made up, mapped before, or mapped now from data or a simulation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from commonground.errors import DataError, MappingError, did_you_mean
from commonground.names import within
from commonground.reading import MOST_ROBOTS, whole_number
from commonground.run_folder import OBJECTS, SCENE, RunFolder

if TYPE_CHECKING:
    from commonground.datasets import Reader
    from commonground.mapping.fusion.evaluation.teams import Team
    from commonground.reporter import Reporter
    from commonground.story.config import Config
    from commonground.story.spec import Drive

ROBOTS = 3
WORLDS = ("campus", "hybrid")
"""Outdoors, and in and out of buildings; both where none is named."""
TRUTH = "truth.json"


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which teams are asked for."""

    world: str | None
    teams: int
    robots: str | None
    submaps: int
    data: tuple[Path, ...]
    rendered: bool
    length_m: float
    size: str
    runs: Path | None
    config: Config
    seed: int
    reporter: Reporter
    truth: Path | None = None
    """What has the true objects, where the maps do not say."""

    def count(self) -> int:
        """Return how many robots a made-up team shall have."""
        text = self.robots or str(ROBOTS)
        number = whole_number(text)
        if number is None or not 2 <= number <= MOST_ROBOTS:
            raise MappingError(
                f"--robots {text}: a made-up team needs a number from 2 to {MOST_ROBOTS}"
            )
        return number

    def names(self) -> tuple[str, ...]:
        """Return the robots that were named."""
        names = [name.strip() for name in (self.robots or "").split(",")]
        return tuple(dict.fromkeys(name for name in names if name))

    def folder(self, name: str, several: bool) -> Path:
        """Return where maps are kept: the folder given, or one below it for each of several teams."""
        if self.runs is None:
            what = "--rendered" if self.rendered else str(self.data[0])
            raise MappingError(f"{what}: say with --run FOLDER where its maps are to be kept")
        return within(self.runs, name) if several else self.runs


def teams_of(wanted: Wanted) -> list[Team]:
    if wanted.data and wanted.rendered:
        raise MappingError("--data and --rendered: give one of them")
    if wanted.runs is not None and not (wanted.data or wanted.rendered):
        return [_mapped_before(wanted.runs, wanted.truth, wanted.names())]
    if wanted.truth is not None:
        raise MappingError("--truth: goes with --run alone; other teams bring their truth")
    if wanted.data:
        return _recorded(wanted)
    worlds = (wanted.world,) if wanted.world else WORLDS
    if wanted.rendered:
        folders = [wanted.folder(world, len(worlds) > 1) for world in worlds]
        return [
            _rendered(wanted, world, folder) for world, folder in zip(worlds, folders, strict=True)
        ]
    return _made_up(wanted, worlds)


def _made_up(wanted: Wanted, worlds: Sequence[str]) -> list[Team]:
    """Return teams of which nothing is rendered."""
    from commonground.mapping.fusion.evaluation.teams import made_up

    for world in worlds:
        if world not in WORLDS:
            raise MappingError(f"--world {world}: made-up teams drive in {' or '.join(WORLDS)}")
    count, seeds = wanted.count(), range(wanted.seed, wanted.seed + wanted.teams)
    return [made_up(seed, count, wanted.submaps, kind=world) for world in worlds for seed in seeds]


def _mapped_before(runs: Path, truth: Path | None, names: Sequence[str]) -> Team:
    """Return the team of a folder of maps, all or those named; ``truth`` is a dataset or a scene graph."""
    from commonground.mapping.fusion.evaluation.teams import mapped
    from commonground.mapping.fusion.inputs import find_runs

    there = {folder.name: folder for folder in find_runs([runs])}
    for name in names:
        if name not in there:
            hint = did_you_mean(name, there)
            raise MappingError(
                f"--robots {name}: {runs} has no map of that name; it has {', '.join(there)}.{hint}"
            )
    scene = truth or _truth(runs)
    if scene is not None and scene.is_dir():
        scene = scene / SCENE
    return mapped([there[name] for name in names or there], scene, name=runs.resolve().name)


def _recorded(wanted: Wanted) -> list[Team]:
    """Return the teams of datasets; all are looked through before the first is mapped, which takes long."""
    from commonground.datasets import open_dataset
    from commonground.story.spec import Drive

    names = [data.resolve().name for data in wanted.data]
    if len(set(names)) < len(names):
        raise DataError(f"--data: two datasets have the same name: {', '.join(names)}")
    todo = []
    for data, name in zip(wanted.data, names, strict=True):
        folder = wanted.folder(name, len(names) > 1)
        robots = _chosen(data, open_dataset(data), wanted.names())
        todo.append((name, folder, Drive(data=data.resolve(), robots=robots)))
    teams = []
    for name, folder, see in todo:
        _map(wanted, see, folder)
        teams.append(_team(folder, see, name))
    return teams


def _team(folder: Path, see: Drive, name: str) -> Team:
    from commonground.mapping.fusion.evaluation.teams import mapped

    return mapped([RunFolder(folder).robot(robot) for robot in see.robots], _truth(folder), name)


def _truth(folder: Path) -> Path | None:
    """Return the true objects beside maps, where they are known."""
    file = folder / TRUTH
    return file if file.is_file() else None


def _chosen(data: Path, reader: Reader, named: Sequence[str]) -> tuple[str, ...]:
    """Return the robots named, or all; DataError if one is not there or its true poses are unknown."""
    there = reader.robots()
    for robot in named:
        if robot not in there:
            hint = did_you_mean(robot, there)
            raise DataError(f"{data}: holds no robot '{robot}'; it has {', '.join(there)}.{hint}")
    for robot in named or there:
        if reader.trajectory(robot).T_world_robot is None:
            raise DataError(
                f"{data}: {robot} has no true poses, so nothing can be scored; Kimera-Multi's are in "
                f"ground_truth/{robot}_gt_odom.csv beside its bags"
            )
    return tuple(named or there)


def _rendered(wanted: Wanted, world: str, folder: Path) -> Team:
    """Return a team whose drives were simulated and mapped; what ``folder`` holds is not done again."""
    from commonground.datasets.making import Wishes, settings_with
    from commonground.datasets.settings import MaskSettings
    from commonground.story.spec import Drive

    wishes = Wishes(world, wanted.length_m, wanted.size, seed=wanted.seed)
    settings = settings_with(wanted.config.simulation, wishes)
    if settings.masks == MaskSettings():
        settings = settings.model_copy(update={"masks": MaskSettings.realistic()})
    names = tuple(f"robot{k}" for k in range(wanted.count()))
    see = Drive(simulate=settings, robots=names)
    _map(wanted, see, folder)
    return _team(folder, see, f"{world} {settings.world.seed}, {wanted.length_m:g} m")


def _map(wanted: Wanted, see: Drive, folder: Path) -> None:
    """Map the robots of a drive, a process each, and put its truth beside; what is there is kept."""
    from commonground.config import to_yaml
    from commonground.runs import Run
    from commonground.scene import save_scene
    from commonground.story.drives import reader_of
    from commonground.story.frame_work import FrameWork
    from commonground.story.seeing import map_robots
    from commonground.story.spec import Story

    config = wanted.config
    with Run.open(folder, "eval fusion", seed=wanted.seed, config_yaml=to_yaml(config)) as run:
        truth = reader_of(see).truth()
        if truth is not None:
            save_scene(truth, folder / TRUTH)
        if see.data is not None:  # each robot of a recording can be mapped on its own
            kept = [r for r in see.robots if (run.robot(r) / OBJECTS).is_file()]
            see = see.model_copy(update={"robots": tuple(r for r in see.robots if r not in kept)})
            if kept:
                wanted.reporter.note(f"{folder}: the maps of {', '.join(kept)} are there and kept")
            if not see.robots:
                return
        story = Story(see=see, settings=config)
        with (
            wanted.reporter.phase(f"mapping {', '.join(see.robots)} into {folder}"),
            FrameWork(story, run) as work,
        ):
            run.phase(f"map {see.model_dump_json()}", lambda: map_robots(story, work))
