"""What both sides of the post share: who may call, what of a map the base has, finished maps as a whole."""

from __future__ import annotations

import io
import os
import tarfile
from dataclasses import dataclass, field
from pathlib import Path

from commonground.atomic import write_bytes
from commonground.errors import MALFORMED, ConfigError
from commonground.live.team.packets import applied, packet
from commonground.live.team.tables import Table
from commonground.reading import read_bytes, unpacked, whole_number

MOST_MB = 1024
OK, ANEW, LATER = "ok", "anew", "later"
"""It is kept; it does not fit what is here, all has to come; it could not be written, come again."""
LOST = (OSError, EOFError)
"""What a connection that breaks raises."""
TOKEN = "COMMONGROUND_LIVE_TOKEN"  # noqa: S105 - the name of a variable
MOST_BYTES = 1 << 30
FILES = frozenset(
    ("scene.json", "objects.npz", "posegraph.g2o", "metrics.json", "mesh.ply",
     "trajectory.tum", "odometry.tum", "ground_truth.tum", "crops.zip")
)  # fmt: skip


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


def token() -> bytes:
    """Return what both sides know; ConfigError if nobody said it."""
    value = os.environ.get(TOKEN, "")
    if len(value) < 16:
        raise ConfigError(
            f"set the environment variable {TOKEN} to 16 letters or more, on both sides"
        )
    return value.encode()


def address(text: str) -> tuple[str, int]:
    """Return host and port; ConfigError if it is neither."""
    host, _, port = text.rpartition(":")
    number = whole_number(port)
    if not host or number is None or number > 65535:
        raise ConfigError(f"{text}: write it as host:port")
    return host, number


def packed(place: Path) -> bytes:
    """Return the files of a finished map, its mesh among them."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz", compresslevel=6) as tar:
        for file in sorted(place.iterdir()):
            if file.name in FILES:
                tar.add(file, file.name)
    return data.getvalue()


def files_of(packed: bytes) -> list[tuple[str, bytes]]:
    """Return the files of a map; nothing else that may be in there."""
    files = io.BytesIO(unpacked(packed, "a map", MOST_BYTES))
    with tarfile.open(fileobj=files, mode="r:") as tar:
        opened = [(m.name, tar.extractfile(m)) for m in tar if m.isfile() and m.name in FILES]
        return [(name, file.read()) for name, file in opened if file is not None]
