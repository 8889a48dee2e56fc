"""TUM trajectory files: one pose a line, ``stamp x y z qx qy qz qw``, stamps in seconds."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.atomic import write_text
from commonground.errors import DataError
from commonground.geometry import from_quat_xyzw, quat_xyzw, transform
from commonground.reading import read_text

log = logging.getLogger(__name__)

LAST_NS = 1 << 62
"""No stamp is later, and differences of two still fit into 64 bits."""
MOST_DIGITS = 40
FARTHEST_M = 1e7
"""No robot is farther from its origin; a damaged number may say so."""


def write_tum(path: str | Path, stamps_ns: Ints, T: Floats) -> None:
    """Write stamped poses T (n, 4, 4); stamps keep every nanosecond."""
    quats, places = quat_xyzw(T), T[:, :3, 3]
    lines = ["# stamp_s x y z qx qy qz qw"]
    for stamp, p, q in zip(stamps_ns.tolist(), places, quats, strict=True):
        numbers = " ".join(f"{value:.9f}" for value in (*p, *q))
        lines.append(f"{stamp // 10**9}.{stamp % 10**9:09d} {numbers}")
    write_text(path, "\n".join(lines) + "\n")


def read_tum(path: str | Path, *, every: bool = False) -> tuple[Ints, Floats]:
    """Return stamps (n,) and poses (n, 4, 4) sorted by time; DataError names the first bad line.

    Poses that are not finite, or not turned by a unit quaternion, are left out, and it is said how many; with
    ``every`` they are there and not finite, so that scores count them.
    """
    file = Path(path)
    stamps, rows = [], []
    for number, line in enumerate(_lines(file), start=1):
        words = line.replace(",", " ").split()
        if not words or words[0].startswith("#"):
            continue
        try:
            stamps.append(stamp_ns(words[0]))
            values = [float(word) for word in words[1:8]]
        except ValueError:
            values = []
        if len(values) != 7:
            _check_unit(file, number, words[0])
            raise DataError(
                f"{file}:{number}: a pose is 'stamp x y z qx qy qz qw'; found '{line.strip()[:60]}'"
            )
        rows.append(values)
    if not rows:
        raise DataError(f"{file}: there are no poses in it")
    return _checked(file, np.array(stamps, np.int64), np.array(rows), every)


def stamp_ns(text: str) -> int:
    """Return the nanoseconds of decimal seconds, exactly; ValueError for what is no time."""
    whole, _, part = text.strip().partition(".")
    if not (whole.lstrip("+-") + part).isdecimal():
        seconds = float(text)
        if not abs(seconds) < LAST_NS / 1e9:
            raise ValueError(f"'{text[:40]}' is no time")
        return round(seconds * 1e9)
    sign = -1 if whole.startswith("-") else 1
    return whole_ns(whole or "0", 10**9) + sign * int((part + "0" * 9)[:9])


def whole_ns(text: str, unit_ns: int = 1) -> int:
    """Return the nanoseconds of a whole number of units; ValueError for what is no time."""
    stamp = int(text[:MOST_DIGITS]) * unit_ns
    if len(text) > MOST_DIGITS or abs(stamp) >= LAST_NS:
        raise ValueError(f"'{text[:40]}' is no time")
    return stamp


def sane(places: Floats, quats: Floats) -> Bools:
    """Return which poses (n,) are finite, on this planet, and turned by a unit quaternion."""
    with np.errstate(invalid="ignore", over="ignore"):
        norm = np.sqrt((quats**2).sum(axis=-1))
        return np.asarray((np.abs(places).max(axis=-1) < FARTHEST_M) & (np.abs(norm - 1) < 0.02))


def _check_unit(file: Path, number: int, stamp: str) -> None:
    """Raise DataError for a stamp that is too large for seconds since 1970 and right in a smaller unit."""
    for unit, zeros in (("milliseconds", 3), ("microseconds", 6), ("nanoseconds", 9)):
        if stamp.isdecimal() and len(stamp) == 10 + zeros:
            raise DataError(
                f"{file}:{number}: a stamp is in seconds; {stamp} is in {unit}, that is "
                f"{stamp[:10]}.{stamp[10:]}"
            )


def _lines(file: Path) -> list[str]:
    try:
        return read_text(file, errors="replace").splitlines()
    except OSError as error:
        raise DataError(f"{file}: cannot be read: {error.strerror}") from error


def _checked(file: Path, stamps: Ints, rows: Floats, every: bool) -> tuple[Ints, Floats]:
    good = sane(rows[:, :3], rows[:, 3:])
    if not good.any():
        raise DataError(f"{file}: no pose is finite with a unit quaternion (x, y, z, w)")
    if every:
        rows = np.where(good[:, None], rows, [np.nan] * 3 + [0.0, 0.0, 0.0, 1.0])
    elif not good.all():
        log.warning(
            "%s: %d of %d poses are not finite with a unit quaternion, and are left out",
            file, len(good) - good.sum(), len(good),
        )  # fmt: skip
        rows, stamps = rows[good], stamps[good]
    order = np.argsort(stamps, kind="stable")
    stamps, first = np.unique(stamps[order], return_index=True)
    rows = rows[order][first]
    return stamps, transform(from_quat_xyzw(rows[:, 3:]), rows[:, :3])
