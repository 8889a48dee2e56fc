"""Where the maps of a run lie: each robot's in a folder of its own, the fused one beside them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from commonground.names import within

SCENE, OBJECTS = "scene.json", "objects.npz"
_FUSED, _ROBOTS = "fused", "robots"


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The folder of a run, or of one map: it need not be there yet."""

    path: Path

    @property
    def fused(self) -> Path:
        return self.path / _FUSED

    def robot(self, name: str) -> Path:
        """Return the folder of one robot's map."""
        return within(self.path, _ROBOTS, name)

    def robots(self) -> list[Path]:
        """Return the folders of the robots' maps, by name."""
        return sorted(p for p in (self.path / _ROBOTS).glob("*") if p.is_dir())

    def maps(self, file: str) -> list[Path]:
        """Return the one ``file`` that this folder stands for, fused or its own; else each robot's."""
        for folder in (self.fused, self.path):
            if (folder / file).is_file():
                return [folder / file]
        return [robot / file for robot in self.robots() if (robot / file).is_file()]
