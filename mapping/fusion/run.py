"""The maps of several runs read, fused and written: what ``fuse`` does, in one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from commonground.config import to_yaml
from commonground.localization.settings import LocalizationSettings
from commonground.mapping.fusion.align import align
from commonground.mapping.fusion.external import read_closures, told_of_given
from commonground.mapping.fusion.fuse import FusedMap, fuse
from commonground.mapping.fusion.inputs import as_paths, find_runs, load_runs, repeated
from commonground.mapping.fusion.output import provenance, save_fused
from commonground.mapping.fusion.remembered import Remembered, recall, remember
from commonground.mapping.fusion.undone import Undone, sources_before, undone_merges
from commonground.mapping.fusion.workers import processes_for, workers
from commonground.reporter import SILENT, Reporter
from commonground.run_folder import RunFolder
from commonground.runs import Run
from commonground.settings import Settings


@dataclass(frozen=True, slots=True)
class Matching:
    """What fusion may lean on besides the maps, and where it matches them."""

    closures: Path | None = None
    """Closures found elsewhere, as CSV or g2o."""
    onto: Path | None = None
    """Fused run that the maps are added to."""
    cluster: str | None = None
    """Address of a dask scheduler."""
    processes: int = 0
    """Processes of this machine; 0 is as many as are worth starting."""


@dataclass(frozen=True, slots=True, eq=False)
class Fusion:
    """A fused map in its folder, and what a user should know of how it came about."""

    folder: Path
    fused: FusedMap
    skipped: tuple[str, ...]
    """A line for each map, or part of one, that could not be used."""
    undone: tuple[Undone, ...]
    """Merges of the map that this one was made onto and that no longer hold."""

    def metrics(self) -> dict[str, Any]:
        """Return JSON values."""
        undone = [u.as_json() for u in self.undone]
        return {**self.fused.metrics(), "skipped": list(self.skipped), "undone": undone}

    @property
    def notes(self) -> tuple[str, ...]:
        """A line for everything a user should know."""
        return (*self.fused.notes, *map(str, self.undone))


def fuse_runs(
    runs: str | Path | Sequence[str | Path],
    out: str | Path,
    *,
    matching: Matching | None = None,
    settings: LocalizationSettings | None = None,
    config: Settings | None = None,
    seed: int = 0,
    reporter: Reporter = SILENT,
) -> Fusion:
    """Fuse the maps of runs into the run directory ``out``.

    ``config`` is what its ``config.yaml`` says, by default the settings used here.
    """
    settings, matching = settings or LocalizationSettings(), matching or Matching()
    inputs = _inputs(as_paths(runs), matching)
    with Run.open(out, "fuse", seed=seed, config_yaml=to_yaml(config or settings)) as run:
        rng = np.random.default_rng(seed)
        fusion = _fusion(run.fused, inputs, settings, rng, matching, reporter)
        run.note("fuse", fusion.metrics())
    return fusion


def fuse_into(
    folder: Path, runs: Sequence[Path], settings: LocalizationSettings, rng: np.random.Generator
) -> Fusion:
    """Fuse the maps of runs and write the files of a fused map into ``folder``, which is a part of a run."""
    matching = Matching()
    return _fusion(folder, _inputs(runs, matching), settings, rng, matching, SILENT)


class _Inputs(NamedTuple):
    """The maps to fuse, and what an earlier fused map tells of those it was made of."""

    folders: list[Path]
    before: Remembered
    sources: Mapping[str, Any]
    """Of each object of the earlier map."""
    notes: Sequence[str] = ()


def _inputs(runs: Sequence[Path], matching: Matching) -> _Inputs:
    """Return what is to be fused; MappingError if something of it is not there."""
    notes = repeated(runs)
    if matching.onto is None:
        return _Inputs(find_runs(runs), Remembered(), {}, notes)
    earlier = RunFolder(matching.onto).fused
    before = recall(earlier)
    return _Inputs(find_runs([*before.folders, *runs]), before, sources_before(earlier), notes)


def _fusion(
    folder: Path,
    inputs: _Inputs,
    settings: LocalizationSettings,
    rng: np.random.Generator,
    matching: Matching,
    reporter: Reporter,
) -> Fusion:
    """Find loop closures between the maps of runs, optimize their paths, merge what they saw, write it."""
    folders, before, sources, twice = inputs
    with reporter.phase("reading"):
        maps, skipped = load_runs(folders)
        skipped = [*twice, *skipped]
    with reporter.phase(f"fusing {', '.join(m.name for m in maps)}"):
        taken = {m.folder for m in maps}
        left_out = {f.stem if f.is_file() else f.name for f in folders if f not in taken}
        given, notes = (
            ([], [])
            if matching.closures is None
            else read_closures(matching.closures, maps, left_out)
        )
        processes = matching.processes or processes_for([len(m.objects.submaps) for m in maps])
        with workers(matching.cluster, processes) as pool:
            aligned = align(maps, settings, rng, given, before.known, pool)
        fused = fuse(maps, settings, rng, aligned)
        counted = told_of_given(given, aligned.closures, aligned.optimized)
        notes = [*notes, *([f"{matching.closures}: {counted}"] if counted else [])]
        told = (*skipped, *notes, *fused.notes)
        fused = replace(fused, notes=told, unused=tuple(sorted(left_out)))
        undone = undone_merges(sources, provenance(fused)["objects"])
        save_fused(fused, folder, undone)
        remember(folder, maps, aligned.blind, aligned.refused)
    return Fusion(folder, fused, (*skipped, *notes), tuple(undone))
