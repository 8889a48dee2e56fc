"""The process that fuses: whenever a robot has handed over more, all maps so far become one."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from commonground.atomic import write_text
from commonground.errors import MALFORMED, MappingError, RunError
from commonground.live.team.folder import SKETCHES, LiveFolder
from commonground.live.team.placing import Placed, joins_of
from commonground.live.team.processes import Lines, is_full
from commonground.live.team.symbols import Symbols, kept
from commonground.localization.settings import LocalizationSettings
from commonground.mapping.fusion.align import align
from commonground.mapping.fusion.fuse import FusedMap, fuse
from commonground.mapping.fusion.growing import Growing
from commonground.mapping.fusion.inputs import RobotRun, find_runs, load_runs
from commonground.mapping.fusion.output import save_fused
from commonground.mapping.fusion.remembered import Remembered, recall, remember
from commonground.names import within
from commonground.reading import read_json
from commonground.reasons import reason
from commonground.run_folder import RunFolder

LOOK_EVERY_S = 0.5
SYMBOLS = "symbols.json"
ENDED = ("done", "failed")
GROWN = 0.06
"""Share of its keyframes by which the team's map has to grow before it is fused again. As fusing costs in
proportion to the map, that is so much for each submap, however many there are."""


@dataclass(frozen=True, slots=True)
class FusionJob:
    """What the process that fuses needs to know."""

    robots: tuple[str, ...]
    out: Path
    settings: LocalizationSettings
    seed: int
    onto: str | Path | None
    """Fused run of an earlier day that the team is placed in."""


def fuse_live(job: FusionJob, lines: Lines) -> None:
    """Fuse until every robot's stream has ended and what they made of it is in the map.

    While robots are not joined, their objects and paths are matched whenever there are more; once they are,
    the whole map is fused as it grows. After either, nothing is done for as long as it took, so that fusing
    never takes more than half of a core however large the map is. The last fusion matches all anew.
    """
    folder = LiveFolder(job.out)
    before = Remembered() if job.onto is None else recall(RunFolder(Path(job.onto)).fused)
    growing = Growing(before.known)
    alone = len(job.robots) < 2 and job.onto is None
    while True:
        ended = _ended(job, folder)  # asked first: what is found afterwards is the end of it then
        heads, sketches = _heads(job, folder), _sketches(job, folder)
        told = folder.told_team()
        began = time.monotonic()
        if heads and heads != told.get("heads") and (ended or _due(job, folder, told)):
            _fuse_once(job, folder, heads, before, None if ended else growing)
        elif ended:
            return
        elif sketches != told.get("sketches", {}) and not told.get("all_joined", alone):
            _join_once(job, folder, sketches, before, growing)
        else:
            time.sleep(LOOK_EVERY_S)
            continue
        _pause(job, folder, time.monotonic() - began)


def _ended(job: FusionJob, folder: LiveFolder) -> bool:
    return all(folder.told(name).get("state") in ENDED for name in job.robots)


def _due(job: FusionJob, folder: LiveFolder, told: Mapping[str, Any]) -> bool:
    """Return whether enough has come since the last fusion, or robots were joined that are not in the map."""
    now = sum(folder.told(name).get("handed", 0) for name in job.robots)
    grown = bool(now >= (1.0 + GROWN) * told.get("handed", 0))
    return grown or told.get("all_joined", False) > told.get("fused_all", False)


def _pause(job: FusionJob, folder: LiveFolder, seconds: float) -> None:
    """Wait so long, or until all streams have ended."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if _ended(job, folder):
            return
        time.sleep(min(LOOK_EVERY_S, seconds))


def _heads(job: FusionJob, folder: LiveFolder) -> dict[str, str]:
    """Return where each robot's newest map lies in the run: the finished one or the last handed over."""
    out: dict[str, str] = {}
    for name in job.robots:
        if folder.told(name).get("state") == "done":
            out[name] = str(RunFolder(Path()).robot(name))
        elif (newest := folder.newest(name)) is not None:
            out[name] = str(newest[1].relative_to(job.out))
    return out


def _sketches(job: FusionJob, folder: LiveFolder) -> dict[str, str]:
    """Return where each robot's newest objects and path lie in the run."""
    found = {name: folder.newest(name, SKETCHES) for name in job.robots}
    return {name: str(at[1].relative_to(job.out)) for name, at in found.items() if at is not None}


def _join_once(
    job: FusionJob,
    folder: LiveFolder,
    sketches: Mapping[str, str],
    before: Remembered,
    growing: Growing,
) -> None:
    """Match objects and paths, and tell which robots are joined and where they are."""
    told = folder.told_team()
    try:
        runs, _ = _loaded(job, sketches, before)
    except (MappingError, OSError) as error:
        folder.tell_team({**told, "sketches": dict(sketches), "notes": [_line(error)]})
        return
    rng = np.random.default_rng(job.seed)
    aligned = align(runs, job.settings, rng, (), before.known, growing=growing)
    placed = Placed(runs, aligned.posegraph.robot, aligned.optimized)
    values = {**told, "sketches": dict(sketches), **_placing(job, folder, sketches, placed, told)}
    folder.tell_team(values)


def _fuse_once(
    job: FusionJob,
    folder: LiveFolder,
    heads: Mapping[str, str],
    before: Remembered,
    growing: Growing | None,
) -> None:
    """Fuse the maps there are and tell of it; what cannot be fused yet is told too."""
    handed = sum(folder.told(name).get("handed", 0) for name in job.robots)
    began, cpu = time.monotonic(), time.process_time()
    told = folder.told_team()
    fusions = told.get("fusions", 0) + 1
    values = {**told, "heads": dict(heads), "handed": handed, "fusions": fusions}
    try:
        fused, notes = _fused(job, heads, before, growing)
    except (MappingError, OSError) as error:
        if is_full(error):
            raise
        folder.tell_team({**values, "notes": [_line(error)]})
        return
    placed = Placed(fused.runs, fused.posegraph.robot, fused.optimized)
    values |= _placing(job, folder, heads, placed, told)
    values |= {
        "fused_all": values["all_joined"],
        "seconds": round(time.monotonic() - began, 3),
        "cpu_s": round(time.process_time() - cpu, 3),
        "joined": [fused.runs[r].name for r in fused.joined],
        "closures": int(fused.optimized.accepted.sum()),
        "objects": len(fused.objects),
        "keyframes": len(fused.posegraph.poses),
        "notes": [*notes, *fused.notes, *(str(r) for r in fused.refused if not r.told)],
    }
    folder.tell_team(values)
    travel = {name: folder.told(name).get("travel_m", 0.0) for name in job.robots}
    said = ("fusions", "seconds", "cpu_s", "joined", "closures", "objects", "keyframes")
    folder.note_fusion({**{key: values[key] for key in said}, "travel_m": travel})


def _line(error: Exception) -> str:
    return " ".join(str(error).split())


def _loaded(
    job: FusionJob, heads: Mapping[str, str], before: Remembered
) -> tuple[list[RobotRun], list[str]]:
    return load_runs([*before.folders, *find_runs([job.out / head for head in heads.values()])])


def _fused(
    job: FusionJob, heads: Mapping[str, str], before: Remembered, growing: Growing | None
) -> tuple[FusedMap, list[str]]:
    """Write the fused map of what there is, its objects under the symbols they had."""
    target = RunFolder(job.out).fused
    runs, notes = _loaded(job, heads, before)
    rng = np.random.default_rng(job.seed)
    aligned = align(runs, job.settings, rng, (), before.known, growing=growing)
    fused, symbols = kept(fuse(runs, job.settings, rng, aligned), _symbols(target))
    save_fused(fused, target)
    remember(target, runs, aligned.blind, aligned.refused)
    write_text(target / SYMBOLS, json.dumps(symbols.as_json()) + "\n")
    return fused, notes


def _symbols(target: Path) -> Symbols:
    file = within(target, SYMBOLS)
    try:
        return Symbols.of_json(read_json(file)) if file.is_file() else Symbols()
    except MALFORMED as error:
        raise RunError(
            f"{file}: is damaged ({reason(error)}); remove it, or choose another --out"
        ) from error


def _placing(
    job: FusionJob,
    folder: LiveFolder,
    heads: Mapping[str, str],
    placed: Placed,
    told: Mapping[str, Any],
) -> dict[str, Any]:
    """Return what is told of where robots are, and of which are joined since when."""
    parts = placed.parts({(job.out / head).resolve(): name for name, head in heads.items()})
    began_s = told.get("began_s", time.time())
    meters = {name: folder.told(name).get("travel_m", 0.0) for name in job.robots}
    joins = joins_of(
        placed.joined(parts), told.get("joins", []), time.time() - began_s, sum(meters.values())
    )
    return {
        "began_s": began_s,
        "T_map_odom": {name: placed.frames(own) for name, own in parts.items()},
        "joins": joins,
        "all_joined": len(placed.together(parts)) == len(job.robots),
    }
