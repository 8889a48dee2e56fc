"""The directory of a run: what was asked, what is done, and where each result lies.

One process writes a run at a time. A phase that was finished is not done again; what a killed process
left half done was under a temporary name and does not count.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import logging
import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal

from pydantic import BaseModel, Field, NonNegativeFloat

from commonground import __version__
from commonground.atomic import write_error, write_text
from commonground.config import validated
from commonground.errors import MALFORMED, ConfigError, RunError
from commonground.reading import read_json
from commonground.reasons import reason
from commonground.run_folder import RunFolder

SCHEMA = 1
MANIFEST = "manifest.json"
LOCK = ".lock"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Phase:
    """What the manifest knows of one phase."""

    name: str
    status: Literal["done", "failed"]
    time_s: float
    result: Mapping[str, Any]
    """JSON values a later phase or a reader may want: counts, metrics, file names."""


class PhaseEntry(BaseModel):
    """A phase in a manifest."""

    status: Literal["done", "failed"]
    time_s: NonNegativeFloat
    result: dict[str, Any]
    made_of: str = ""


class Manifest(BaseModel):
    """What of a manifest is gone by."""

    schema_: int = Field(alias="schema")
    command: str | None = None
    seed: int | None = None
    config_hash: str | None = None
    phases: dict[str, PhaseEntry] = {}


class Run:
    """A run directory that this process may write, from ``open`` until the with-block ends."""

    def __init__(self, folder: Path, manifest: dict[str, Any]) -> None:
        self.folder = folder
        self._manifest = manifest

    @staticmethod
    @contextlib.contextmanager
    def open(
        folder: str | Path,
        command: str,
        *,
        seed: int = 0,
        config_yaml: str = "",
        made_of: str = "",
        fresh: bool = False,
    ) -> Iterator[Run]:
        """Create or resume a run; with other settings, seed or data, or ``fresh``, its phases are done anew.

        ``made_of`` tells the data that every phase works on from any other (``digest``).
        """
        path = Path(folder)
        with _locked(path):
            settings = {**_asked(command, seed, config_yaml), "made_of": made_of}
            manifest = _read_manifest(path)
            asked = {"made_of": "", **{key: manifest[key] for key in settings if key in manifest}}
            if fresh or not manifest or asked != settings:
                if manifest and not fresh:
                    log.info("%s: settings or data changed, so all phases are done again", path)
                manifest = {"schema": SCHEMA, "version": __version__, **settings, "phases": {}}
            run = Run(path, manifest)
            write_text(path / "config.yaml", config_yaml)
            run._save()
            yield run

    @staticmethod
    def made_before(folder: str | Path, command: str, seed: int, config_yaml: str) -> str | None:
        """Return the ``made_of`` of a run that is there, of the same settings; None where there is none."""
        manifest = _read_manifest(Path(folder))
        asked = _asked(command, seed, config_yaml)
        same = manifest and all(manifest.get(key) == value for key, value in asked.items())
        return str(manifest.get("made_of", "")) if same else None

    @staticmethod
    def made_of(folder: str | Path, phase: str) -> str:
        """Return what a finished phase of a run that may be there was made of; empty where there is none."""
        entry = _read_manifest(Path(folder)).get("phases", {}).get(phase, {})
        return str(entry.get("made_of", "")) if entry.get("status") == "done" else ""

    @staticmethod
    def read(folder: str | Path) -> Run:
        """Open a finished or running run for reading only."""
        path = Path(folder)
        if not (path / MANIFEST).is_file():
            raise RunError(
                f"{path}: this is no run directory (no {MANIFEST}); name one made by commonground"
            )
        return Run(path, _read_manifest(path))

    @property
    def manifest(self) -> Mapping[str, Any]:
        """Version, command, seed, config hash and phases."""
        return self._manifest

    def done(self, phase: str, made_of: str = "") -> bool:
        """Return whether a phase was finished by this or an earlier process, of the same input."""
        entry = self._manifest["phases"].get(phase, {})
        return bool(entry.get("status") == "done" and entry.get("made_of", "") == made_of)

    def result(self, phase: str) -> Mapping[str, Any]:
        """Return what a finished phase reported; empty if it is not finished."""
        return dict(self._manifest["phases"].get(phase, {}).get("result", {}))

    def phases(self) -> list[Phase]:
        """Return the phases in the order they were done."""
        entries = self._manifest["phases"].items()
        return [Phase(name, e["status"], e["time_s"], e["result"]) for name, e in entries]

    def phase(
        self, name: str, work: Callable[[], Mapping[str, Any]], made_of: str = ""
    ) -> Mapping[str, Any]:
        """Do a phase unless it is done already, and return its JSON result; a failure is recorded.

        ``made_of`` tells its input from any other (``digest``) where the settings of the run do not.
        """
        if self.done(name, made_of):
            log.info("%s: done before, kept", name)
            return self.result(name)
        start = time.monotonic()
        try:
            result = dict(work())
        except BaseException:
            self._record(name, made_of, "failed", time.monotonic() - start, {})
            raise
        self._record(name, made_of, "done", time.monotonic() - start, result)
        return result

    def note(self, name: str, result: Mapping[str, Any]) -> None:
        """Keep the result of what is done each time the run is opened."""
        self._record(name, "", "done", 0.0, result)

    def _record(
        self, name: str, made_of: str, status: str, seconds: float, result: Mapping[str, Any]
    ) -> None:
        self._manifest["phases"].pop(name, None)
        entry = {"status": status, "time_s": round(seconds, 3), "result": dict(result)}
        self._manifest["phases"][name] = entry | ({"made_of": made_of} if made_of else {})
        self._save()

    def _save(self) -> None:
        write_text(self.folder / MANIFEST, json.dumps(self._manifest, indent=1) + "\n")

    def robot(self, name: str) -> Path:
        """Return the folder of one robot's map."""
        return RunFolder(self.folder).robot(name)

    @property
    def fused(self) -> Path:
        """The folder of the fused map."""
        return RunFolder(self.folder).fused


def _asked(command: str, seed: int, config_yaml: str) -> dict[str, Any]:
    """Return what a manifest keeps of what was asked."""
    digest = hashlib.sha256(config_yaml.encode()).hexdigest()[:16]
    return {"command": command, "seed": seed, "config_hash": digest}


def _read_manifest(folder: Path) -> dict[str, Any]:
    file = folder / MANIFEST
    if not file.is_file():
        return {}
    try:
        manifest: dict[str, Any] = read_json(file)
        schema = validated(Manifest, manifest, {}).schema_
    except (OSError, ConfigError, *MALFORMED) as error:
        raise RunError(
            f"{file}: the manifest is damaged ({reason(error)}); remove the folder or choose another"
        ) from error
    if schema > SCHEMA:
        raise RunError(
            f"{file}: written by a newer commonground (schema {schema}); upgrade, or choose another folder"
        )
    return {"phases": {}, **manifest}


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the run's lock; the system frees it when the process ends, however it ends."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / LOCK).open("a+")
    except OSError as error:
        raise write_error(folder, error) from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise RunError(
                f"{folder}: another process ({_holder(file)}) is writing this run; "
                "wait for it or choose another --out"
            ) from error
        file.seek(0)
        file.truncate()
        file.write(str(os.getpid()))
        file.flush()
        yield


def _holder(file: IO[str]) -> str:
    file.seek(0)
    return f"pid {file.read().strip() or 'unknown'}"
