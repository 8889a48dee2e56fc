"""What of a robot's map the base has: both sides keep it, and answers say what became of what was sent."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from commonground.atomic import write_bytes
from commonground.errors import MALFORMED
from commonground.live.team.packets import applied, packet
from commonground.live.team.tables import Table
from commonground.reading import read_bytes

MOST_MB = 1024
OK, ANEW, LATER = "ok", "anew", "later"
"""It is kept; it does not fit what is here, all has to come; it could not be written, come again."""
LOST = (OSError, EOFError)
"""What a connection that breaks raises."""


@dataclass(slots=True)
class Acknowledged:
    """What of a robot's map the base has, as both sides keep it on disk."""

    file: Path
    tables: dict[str, Table] = field(default_factory=dict)

    @staticmethod
    def kept(file: Path) -> Acknowledged:
        """Return what a file keeps; nothing if there is none, or it is damaged: then all is sent anew."""
        if not file.is_file():
            return Acknowledged(file)
        try:
            return Acknowledged(file, applied({}, read_bytes(file, MOST_MB)))
        except MALFORMED:
            return Acknowledged(file)

    def keep(self, tables: dict[str, Table]) -> None:
        """Take note of what is acknowledged now."""
        self.tables = tables
        write_bytes(self.file, packet({}, tables))
