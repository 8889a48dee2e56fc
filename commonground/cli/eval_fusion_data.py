"""Teams for ``commonground eval fusion``: made up, mapped before, or mapped now from a dataset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from commonground.errors import MappingError

if TYPE_CHECKING:
    from commonground.cli.job import Job
    from commonground.mapping.fusion.evaluation.methods import Result
    from commonground.mapping.fusion.evaluation.teams import Team


def chosen_teams(
    job: Job, made: tuple[int, int, int], data: Path | None, runs: Path | None
) -> list[Team]:
    """Return the teams to fuse: of a dataset or run where one is given, else made-up ones."""
    from commonground.mapping.fusion.evaluation.teams import made_up, mapped

    if data is None and runs is None:
        count, robots, submaps = made
        return [made_up(job.seed + k, robots, submaps) for k in range(count)]
    if runs is None:
        raise MappingError(f"{data}: say with --run FOLDER where its maps are to be kept")
    scene = None
    if data is not None:
        map_all(job, data, runs)
        scene = data / "scene.json" if (data / "scene.json").is_file() else None
    return [mapped([runs], scene)]


def map_all(job: Job, data: Path, out: Path) -> None:
    """Map every robot of a dataset that the run does not hold yet."""
    from commonground.cli.map import Source
    from commonground.datasets import open_dataset
    from commonground.mapping.perception import make_perception
    from commonground.mapping.run import map_robot
    from commonground.runs import Run

    reader, settings = open_dataset(data), job.config.mapping
    with Run.open(out, "eval fusion", seed=job.seed, config_yaml=job.config_yaml) as run:
        for robot in reader.robots():
            if (run.robot(robot) / "objects.npz").is_file():
                continue
            perception = make_perception(settings.perception, labels=reader.labels())
            source = Source(job, reader, robot, 0.0, None)
            mark = f"map {robot} from {data.resolve()} {run.manifest['config_hash']}"
            folder = run.robot(robot)
            map_robot(source, perception, folder, settings, robot=robot, fingerprint=mark)


@dataclass(frozen=True, slots=True)
class Rendering:
    """What to simulate."""

    world: str
    robots: int
    length_m: float
    size: str


def rendered_team(job: Job, wanted: Rendering, folder: Path | None) -> Team:
    """Return a team whose drives were simulated and mapped; what ``folder`` holds is not done again."""
    from commonground.cli.story.seeing import map_robots
    from commonground.cli.story.spec import Drive, Story
    from commonground.datasets.making import Wishes, settings_with
    from commonground.datasets.settings import MaskSettings
    from commonground.datasets.simulator.simulation import Simulation
    from commonground.mapping.fusion.evaluation.teams import mapped
    from commonground.runs import Run
    from commonground.scene import save_scene

    if folder is None:
        raise MappingError("--rendered: say with --run FOLDER where the maps are to be kept")
    wishes = Wishes(wanted.world, wanted.length_m, wanted.size, seed=job.seed)
    settings = settings_with(job.config.simulation, wishes)
    if settings.masks == MaskSettings():
        settings = settings.model_copy(update={"masks": MaskSettings.realistic()})
    names = tuple(f"robot{k}" for k in range(wanted.robots))
    see = Drive(simulate=settings, robots=names)
    with Run.open(folder, "eval fusion", seed=job.seed, config_yaml=job.config_yaml) as run:
        truth = Simulation(names, settings).truth()
        save_scene(truth, folder / "truth.json")
        with job.phase(f"simulating and mapping {', '.join(names)}"):
            phase = f"map {settings.model_dump_json()} {names}"
            run.phase(phase, lambda: map_robots(Story(see=see, settings=job.config), run))
    return mapped([folder], folder / "truth.json")


def write_figures(file: Path, results: Sequence[Result]) -> None:
    """Write the bars of all methods, and the paths of each team, beside a table."""
    from commonground.atomic import write_with
    from commonground.mapping.fusion.evaluation.figures import path_maps, score_bars

    figures = {"scores": score_bars(results)}
    teams = list(dict.fromkeys(r.team.name for r in results))
    for number, name in enumerate(teams):
        own = [r for r in results if r.team.name == name]
        figures["paths" if len(teams) == 1 else f"paths-{number + 1}"] = path_maps(own)
    for name, figure in figures.items():
        draw = partial(figure.savefig, format="png", dpi=110)
        write_with(file.with_name(f"{file.stem}-{name}.png"), draw)


def shown(value: object) -> object:
    """Return a cell of the table."""
    if value is None:
        return ""
    return f"{value:.3g}" if isinstance(value, float) else value


def write_table(file: Path, columns: Sequence[str], cells: Sequence[Sequence[object]]) -> None:
    """Write a table as comma-separated values, or as Markdown where the name ends in .md."""
    import csv
    import io

    from commonground.atomic import write_text

    if file.suffix == ".md":
        lines = [columns, ["---"] * len(columns), *cells]
        text = "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)
    else:
        table = io.StringIO()
        csv.writer(table, lineterminator="\n").writerows([columns, *cells])
        text = table.getvalue()
    write_text(file, text)
