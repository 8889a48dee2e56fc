"""Environments that have the wheel and some of its extras: by pip, or of links to what is installed here."""

from __future__ import annotations

import importlib.metadata
import venv
from collections.abc import Iterator
from pathlib import Path
from threading import Lock

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.check_package import pip


class Homes:
    """Environments with the wheel, one for each set of extras, made when they are asked for."""

    def __init__(self, wheel: Path, folder: Path, pinned: Path | None, *, fresh: bool) -> None:
        self.wheel, self.folder, self.pinned, self.fresh = wheel, folder, pinned, fresh
        self._lock = Lock()

    def program(self, extras: frozenset[str]) -> Path:
        """Return the program of an environment with these extras."""
        home = self.folder / "_".join(("base", *sorted(extras)))
        with self._lock:
            if not home.is_dir():
                self._make(home, extras)
        return home / "bin/commonground"

    def _make(self, home: Path, extras: frozenset[str]) -> None:
        venv.create(home)
        python = ("--python", str(home / "bin/python"), "install")
        if self.fresh:
            what = f"{self.wheel}[{','.join(sorted(extras))}]" if extras else str(self.wheel)
            pip(*python, what, *(("--constraint", str(self.pinned)) if self.pinned else ()))
        else:
            link_libraries(next((home / "lib").glob("python*")) / "site-packages", extras)
            pip(*python, "--no-deps", str(self.wheel))


def link_libraries(place: Path, extras: frozenset[str]) -> None:
    """Link what the program and some of its extras require, as it is installed here, into a folder."""
    for name in required(extras):
        for file in importlib.metadata.distribution(name).files or ():
            if file.parts[0] != ".." and "__pycache__" not in file.parts:
                link = place / file
                link.parent.mkdir(parents=True, exist_ok=True)
                if not link.exists():
                    link.symlink_to(Path(str(file.locate())))


def write_lowest(file: Path) -> None:
    """Write constraints: of each library that is required, the oldest version that is allowed."""
    lowest = {}
    for line in importlib.metadata.requires("commonground") or ():
        asked = Requirement(line)
        for bound in asked.specifier:
            if bound.operator == ">=":
                lowest[asked.name] = bound.version
    file.write_text("".join(f"{name}=={version}.*\n" for name, version in lowest.items()), "utf-8")


def required(extras: frozenset[str]) -> set[str]:
    """Return all distributions that the program requires with these extras, and those that they require."""
    found: set[str] = set()
    asked = {("commonground", extra) for extra in ("", *extras)}
    seen = set(asked)
    while asked:
        name, extra = asked.pop()
        for inner, its_extra in requirements(name, extra):
            found.add(inner)
            if (inner, its_extra) not in seen:
                seen.add((inner, its_extra))
                asked.add((inner, its_extra))
    return found - {"commonground"}


def requirements(name: str, extra: str) -> Iterator[tuple[str, str]]:
    """Yield what a distribution requires for an extra of its own, each with the extras it is asked for."""
    for line in importlib.metadata.requires(name) or ():
        asked = Requirement(line)
        if asked.marker is None or asked.marker.evaluate({"extra": extra}):
            inner = canonicalize_name(asked.name)
            yield from ((inner, its_extra) for its_extra in ("", *asked.extras))
