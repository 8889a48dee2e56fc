"""Crops: the best pictures of each object, in one zip file beside the scene graph."""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from commonground.atomic import replacing
from commonground.errors import MALFORMED, DataError
from commonground.names import within
from commonground.reading import archive, parse_json
from commonground.reasons import reason

FILE = "crops.zip"
INDEX = "index.json"
LARGEST = 30_000
"""Bytes that the crops of one object take at most."""
_DAMAGED = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, *MALFORMED)
_EPOCH = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Crop:
    """One picture of an object."""

    jpeg: bytes
    worth: float
    """How much of the object it shows: larger is better."""
    stamp_ns: int
    side: int
    """From which of several directions it was taken."""


def best_crops(crops: Iterable[Crop], most: int) -> list[Crop]:
    """Return the best crops from different sides, then others, as many as wanted and as there is room for."""
    ordered = sorted(crops, key=lambda c: (-c.worth, c.stamp_ns, c.side))
    first = {c.side: c for c in reversed(ordered)}
    chosen = [c for c in ordered if first[c.side] is c] + [
        c for c in ordered if first[c.side] is not c
    ]
    kept: list[Crop] = []
    for crop in chosen[:most]:
        if sum(len(k.jpeg) for k in kept) + len(crop.jpeg) <= LARGEST:
            kept.append(crop)
    return kept


def save_crops(crops: Mapping[str, Sequence[Crop]], folder: Path) -> None:
    """Write the crops of objects, by symbol, best first; without any, no file is left there."""
    file = folder / FILE
    if not any(crops.values()):
        file.unlink(missing_ok=True)
        return
    index: dict[str, list[dict[str, object]]] = {}
    with replacing(file) as temporary, zipfile.ZipFile(temporary, "w") as pack:
        for symbol, own in crops.items():
            for number, crop in enumerate(own, 1):
                name = f"{symbol}/{number}.jpg"
                pack.writestr(zipfile.ZipInfo(name, _EPOCH), crop.jpeg)
                entry = {"file": name, "worth": crop.worth, "stamp_ns": crop.stamp_ns}
                index.setdefault(symbol, []).append({**entry, "side": crop.side})
        pack.writestr(zipfile.ZipInfo(INDEX, _EPOCH), json.dumps({"objects": index}))


def export_crops(crops: Mapping[str, Sequence[Crop]], folder: Path) -> None:
    """Write crops as single files, ``O3-1.jpg`` being the best of O3."""
    for symbol, own in crops.items():
        for number, crop in enumerate(own, 1):
            with replacing(within(folder, f"{symbol}-{number}.jpg")) as temporary:
                temporary.write_bytes(crop.jpeg)


class Crops:
    """The crops beside a scene graph; none where there is no file."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / FILE
        self._index: dict[str, list[dict[str, object]]] = {}
        if self.file.is_file():
            try:
                with archive(self.file) as pack:
                    self._index = dict(parse_json(pack.read(INDEX), self.file)["objects"])
            except (OSError, *_DAMAGED) as error:
                raise DataError(f"{self.file}: no file of crops ({reason(error)})") from error

    def __len__(self) -> int:
        return len(self._index)

    @property
    def most(self) -> int:
        """The number of crops of the object that has most."""
        return max(map(len, self._index.values()), default=0)

    def of(self, symbol: str) -> list[Crop]:
        """Return the crops of an object, best first."""
        entries = self._index.get(symbol, [])
        if not entries:
            return []
        try:
            with archive(self.file) as pack:
                return [
                    Crop(
                        _jpeg(pack, str(e["file"])),
                        float(str(e["worth"])),
                        int(str(e["stamp_ns"])),
                        int(str(e["side"])),
                    )
                    for e in entries
                ]
        except (OSError, *_DAMAGED) as error:
            raise DataError(
                f"{self.file}: the crops of {symbol} cannot be read ({reason(error)})"
            ) from error


def _jpeg(pack: zipfile.ZipFile, name: str) -> bytes:
    if pack.getinfo(name).file_size > LARGEST:
        raise ValueError(f"'{name}' is larger than a crop may be")
    return pack.read(name)
