"""The process that fuses: whenever a robot has handed over more, all maps so far become one."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from commonground.atomic import write_text
from commonground.errors import MALFORMED, MappingError, RunError
from commonground.geometry import inverse
from commonground.live.team.folder import LiveFolder
from commonground.live.team.symbols import Symbols, kept
from commonground.localization.settings import LocalizationSettings
from commonground.mapping.fusion.align import align
from commonground.mapping.fusion.fuse import FusedMap, fuse
from commonground.mapping.fusion.growing import Growing
from commonground.mapping.fusion.inputs import find_runs, load_runs
from commonground.mapping.fusion.output import save_fused
from commonground.mapping.fusion.remembered import Remembered, recall, remember
from commonground.names import within
from commonground.reading import read_json

LOOK_EVERY_S = 0.5
SYMBOLS = "symbols.json"
ENDED = ("done", "failed")
GROWN = 0.04
"""Share of its keyframes by which the team's map has to grow before it is fused again. As fusing costs in
proportion to the map, that is so much for each submap, however many there are."""


@dataclass(frozen=True, slots=True)
class FusionJob:
    """What the process that fuses needs to know."""

    robots: tuple[str, ...]
    out: Path
    settings: LocalizationSettings
    seed: int
    onto: Path | None
    """Fused run of an earlier day that the team is placed in."""
    parent: int


def fuse_live(job: FusionJob) -> None:
    """Fuse until every robot's stream has ended and what they made of it is in the map.

    After a fusion, maps may grow for as long as it took before the next begins, so that fusing never takes
    more than half of a core however large the map is. The last one matches all anew.
    """
    folder = LiveFolder(job.out)
    before = Remembered() if job.onto is None else recall(job.onto / "fused")
    growing = Growing(before.known)
    while True:
        heads = _heads(job, folder)
        told = folder.told_team()
        ended = _ended(job, folder)
        if heads and heads != told.get("heads") and (ended or _grown(job, folder, told)):
            began = time.monotonic()
            _fuse_once(job, folder, heads, before, None if ended else growing)
            _pause(job, folder, time.monotonic() - began)
        elif ended:
            return
        else:
            time.sleep(LOOK_EVERY_S)


def _ended(job: FusionJob, folder: LiveFolder) -> bool:
    return all(folder.told(name).get("state") in ENDED for name in job.robots)


def _grown(job: FusionJob, folder: LiveFolder, told: Mapping[str, Any]) -> bool:
    """Return whether enough has come since the last fusion."""
    now = sum(folder.told(name).get("handed", 0) for name in job.robots)
    return bool(now >= (1.0 + GROWN) * told.get("handed", 0))


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
            out[name] = str(within(Path("robots"), name))
        elif (newest := folder.newest(name)) is not None:
            out[name] = str(newest[1].relative_to(job.out))
    return out


def _fuse_once(
    job: FusionJob,
    folder: LiveFolder,
    heads: Mapping[str, str],
    before: Remembered,
    growing: Growing | None,
) -> None:
    """Fuse the maps there are and tell of it; what cannot be fused yet is told too."""
    handed = sum(folder.told(name).get("handed", 0) for name in job.robots)
    began = time.monotonic()
    told = folder.told_team()
    fusions = told.get("fusions", 0) + 1
    values: dict[str, Any] = {"heads": dict(heads), "handed": handed, "fusions": fusions}
    try:
        fused, notes = _fused(job, heads, before, growing)
    except (MappingError, OSError) as error:
        folder.tell_team({**told, **values, "notes": [" ".join(str(error).split())]})
        return
    values |= {
        "seconds": round(time.monotonic() - began, 3),
        "joined": [fused.runs[r].name for r in fused.joined],
        "closures": int(fused.optimized.accepted.sum()),
        "objects": len(fused.objects),
        "keyframes": len(fused.posegraph.poses),
        "T_map_odom": _frames(job, heads, fused),
        "notes": [*notes, *fused.notes],
    }
    folder.tell_team(values)
    travel = {name: folder.told(name).get("travel_m", 0.0) for name in job.robots}
    said = ("fusions", "seconds", "joined", "closures", "objects", "keyframes")
    folder.note_fusion({**{key: values[key] for key in said}, "travel_m": travel})


def _fused(
    job: FusionJob, heads: Mapping[str, str], before: Remembered, growing: Growing | None
) -> tuple[FusedMap, list[str]]:
    """Write the fused map of what there is, its objects under the symbols they had."""
    target = job.out / "fused"
    runs, notes = load_runs([*before.folders, *find_runs([job.out / h for h in heads.values()])])
    rng = np.random.default_rng(job.seed)
    aligned = align(runs, job.settings, rng, (), before.known, growing=growing)
    fused, symbols = kept(fuse(runs, job.settings, rng, aligned), _symbols(target))
    save_fused(fused, target)
    remember(target, runs, aligned.blind)
    write_text(target / SYMBOLS, json.dumps(symbols.as_json()) + "\n")
    return fused, notes


def _symbols(target: Path) -> Symbols:
    file = within(target, SYMBOLS)
    try:
        return Symbols.of_json(read_json(file)) if file.is_file() else Symbols()
    except MALFORMED as error:
        raise RunError(
            f"{file}: is damaged ({error!r}); remove it, or choose another --out"
        ) from error


def _frames(job: FusionJob, heads: Mapping[str, str], fused: FusedMap) -> dict[str, Any]:
    """Return robot → stretch → where the frame of its odometry is in the map, by its last keyframe there."""
    robots = {(job.out / head).resolve(): name for name, head in heads.items()}
    out: dict[str, Any] = {name: {} for name in robots.values()}
    stretches: Counter[str] = Counter()
    for r, run in enumerate(fused.runs):  # by name, so that stretches come in their order
        name = robots.get(run.folder.resolve())
        if name is None:
            continue
        stretches[name] += 1
        if r in fused.joined:
            T = fused.trajectory(r)[-1] @ inverse(run.poses[-1])
            out[name][str(stretches[name])] = T.tolist()
    return out
