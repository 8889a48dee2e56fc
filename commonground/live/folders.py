"""The folder of a mission: what it was begun with, beside its journal."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AfterValidator, Field, model_validator

from commonground.adapters import KINDS
from commonground.atomic import write_bytes
from commonground.config import read_yaml, validated
from commonground.errors import ConfigError, RunError, did_you_mean
from commonground.live.acts import ACTS
from commonground.names import NameProblem, within
from commonground.planning.mission.events import Answered
from commonground.planning.mission.journal import CLOCK, FILE, read_header, read_steps
from commonground.planning.mission.settings import DEFAULTS, MissionSettings
from commonground.planning.robots.faults import Fault, Kind
from commonground.planning.scene.precedence import Before
from commonground.reading import SCENE_MB, read_bytes
from commonground.reading_yaml import YAML_MB
from commonground.robots import SIMULATED, Team, load_team
from commonground.run_folder import SCENE
from commonground.scene import SceneGraph, load_scene
from commonground.scene.locate import scene_file
from commonground.settings import Settings

ROOT = Path("runs/missions")
SCHEMA = 1
ROBOTS = "robots.yaml"
TREE = "tree.xml"
LETTER = "join-*.json"
"""What other programs want besides, each until the mission takes it."""
CALL = "call-*.json"
"""What they say to all robots, and holds at once."""
LEARNED = "scene_after.json"
"""The map as the mission leaves it."""


NEEDED: dict[Kind, tuple[str, ...]] = {
    "blocked": ("position",),
    "missing": ("thing",),
    "moved": ("thing", "position"),
    "grasp": (),
}
"""What a fault has to name, by its kind; the others name a robot."""


class FaultEntry(Settings):
    """One fault in a file of faults."""

    kind: Kind
    robot: str = ""
    thing: str = ""
    at_s: Annotated[float, Field(ge=0)] = 0.0
    lasts_s: Annotated[float, Field(gt=0)] = float("inf")
    position: tuple[float, float, float] | None = None
    size_m: Annotated[float, Field(gt=0)] = 0.6
    times: Annotated[int, Field(ge=1, le=1_000_000)] = 1
    factor: Annotated[float, Field(gt=0, le=1)] = 0.3

    @model_validator(mode="after")
    def _befalls_something(self) -> FaultEntry:
        needed = NEEDED.get(self.kind, ("robot",))
        missing = [key for key in needed if not getattr(self, key)]
        if missing:
            raise ValueError(f"a fault of kind {self.kind} needs {' and '.join(missing)}")
        return self


class FaultsFile(Settings):
    """What shall go wrong in a simulated mission."""

    faults: list[FaultEntry]


class OrderedStep(Settings):
    """A part of a robot's goal."""

    robot: str
    goal: str


class OrderedPair(Settings):
    """Two parts of goals, in their order."""

    first: OrderedStep
    then: OrderedStep


def _drives(backend: str) -> str:
    if backend != SIMULATED and backend not in KINDS:
        raise ValueError(f"has to be one of {', '.join((SIMULATED, *KINDS))}")
    return backend


class HeaderLine(Settings):
    """The first line of a journal: what the mission was begun with."""

    schema_: Annotated[Literal[1], Field(alias="schema")]
    mission: str
    instruction: str
    goals: dict[str, str]
    order: tuple[OrderedPair, ...] = ()
    leeway: dict[str, str] = Field(default_factory=dict)
    backend: Annotated[str, AfterValidator(_drives)]
    seed: int
    faults: list[FaultEntry]
    limits: MissionSettings = DEFAULTS


class Begun(NamedTuple):
    """What a mission was begun with, as its folder keeps it."""

    name: str
    graph: SceneGraph
    team: Team
    goals: Mapping[str, str]
    order: tuple[Before, ...]
    leeway: Mapping[str, str]
    """What of the goals anybody may do."""
    backend: str
    seed: int
    faults: tuple[Fault, ...]
    limits: MissionSettings


def read_faults(path: str | Path) -> list[Fault]:
    """Read a file of faults; ConfigError with file and line for what is wrong."""
    values, lines = read_yaml(path)
    origin = {keys: f"{path}:{line}" for keys, line in lines.items()}
    entries = validated(FaultsFile, values, origin, str(path)).faults
    return [_fault(entry) for entry in entries]


def _fault(entry: FaultEntry) -> Fault:
    return Fault(**{**entry.model_dump(), "position": entry.position})


def check_faults(faults: Sequence[Fault], graph: SceneGraph, team: Team) -> None:
    """Raise ConfigError for a fault of a robot or thing that there is not: it would test nothing."""
    for fault in faults:
        for what, name, known in (
            ("robot", fault.robot, list(team.robots)),
            ("thing", fault.thing, graph.objects.symbols),
        ):
            if name and name not in known:
                hint = did_you_mean(name, known)
                raise ConfigError(f"--faults: {fault.kind}: there is no {what} {name}.{hint}")


def new_folder(name: str) -> Path:
    """Return the folder of a mission that is to begin; one without a name is named by the time."""
    return within(ROOT, name or time.strftime("%Y%m%d-%H%M%S"))


def mission_folder(name: str) -> Path:
    """Return the folder of a mission that was begun, by its name or by a path to it."""
    places = [Path(name)]
    with contextlib.suppress(NameProblem):
        places.insert(0, within(ROOT, name))
    for path in places:
        if (path / FILE).is_file():
            return path
    raise ConfigError(f"{name}: there is no mission of that name or in that folder")


def keep(folder: Path, scene: Path, robots: Path) -> None:
    """Keep the map and the team beside the journal, so that a mission does not change with their files."""
    if (folder / FILE).exists():
        raise RunError(
            f"{folder}: there is a mission of that name; --resume it, or give another --id"
        )
    try:
        write_bytes(folder / SCENE, read_bytes(scene_file(scene), SCENE_MB))
        write_bytes(folder / ROBOTS, read_bytes(robots, YAML_MB))
    except OSError as error:
        raise RunError(f"{error.filename}: cannot be read ({error.strerror})") from error


def forget(folder: Path) -> None:
    """Remove what was kept of a mission that did not begin."""
    for file in (FILE, CLOCK, ACTS, SCENE, ROBOTS):
        (folder / file).unlink(missing_ok=True)
    forget_letters(folder)
    with contextlib.suppress(OSError):  # it is not there, or holds more
        folder.rmdir()


def forget_letters(folder: Path) -> None:
    """Remove words that nobody took: what was left for a mission that was interrupted is no longer meant."""
    for file in (*folder.glob(LETTER), *folder.glob(CALL)):
        with contextlib.suppress(OSError):  # no letter, whatever it is; it ends no mission
            file.unlink()


def was_begun(folder: str | Path) -> bool:
    """Return whether a mission's folder has the begin of one, so that it can be gone on with."""
    return (Path(folder) / FILE).is_file()


def was_approved(folder: Path) -> bool:
    """Return whether somebody let a mission begin."""
    told = (t for step in read_steps(folder) for t in step.told) if was_begun(folder) else ()
    return any(isinstance(t, Answered) and t.yes for t in told)


def header(
    name: str,
    goals: Mapping[str, str],
    order: Iterable[Before],
    text: str,
    backend: str,
    seed: int,
    faults: Sequence[Fault],
    leeway: Mapping[str, str] | None = None,
    limits: MissionSettings = DEFAULTS,
) -> dict[str, Any]:
    """Return the first line of a journal."""
    plain = [
        {k: v for k, v in asdict(f).items() if v != float("inf") and v is not None} for f in faults
    ]
    return {
        "schema": SCHEMA,
        "mission": name,
        "instruction": text,
        "goals": dict(goals),
        "order": [pair.as_json() for pair in order],
        "leeway": dict(leeway or {}),
        "backend": backend,
        "seed": seed,
        "faults": plain,
        "limits": limits.model_dump(),
    }


def read_begun(folder: Path) -> Begun:
    """Return what a mission was begun with; RunError where its folder is damaged."""
    values, where = read_header(folder), f"{folder / FILE}, line 1"
    schema = values.get("schema")
    if "goals" not in values:
        raise RunError(f"{where}: is not the begin of a mission; was it cut off?")
    if isinstance(schema, int) and schema > SCHEMA:
        raise RunError(f"{folder}: written by a newer commonground; upgrade it")
    try:
        first = validated(HeaderLine, values, {}, where)
    except ConfigError as error:
        raise RunError(str(error)) from error
    graph = load_scene(folder / SCENE)
    team = load_team(folder / ROBOTS, first.backend)
    faults = tuple(_fault(entry) for entry in first.faults)
    order = tuple(Before.of_json(pair.model_dump()) for pair in first.order)
    return Begun(
        first.mission,
        graph,
        team,
        first.goals,
        order,
        first.leeway,
        first.backend,
        first.seed,
        faults,
        first.limits,
    )
