"""TUM trajectory files: one pose a line, ``stamp x y z qx qy qz qw``, stamps in seconds."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.atomic import write_text
from commonground.errors import DataError
from commonground.geometry import from_quat_xyzw, quat_xyzw, transform
from commonground.given import poses, stamps
from commonground.reading import read_text

log = logging.getLogger(__name__)

LAST_NS = 1 << 62
"""No stamp is later, and differences of two still fit into 64 bits."""
MOST_DIGITS = 40
SAME = 1e-6
"""Numbers of two poses that differ by less are the same pose, told twice."""
FARTHEST_M = 1e7
"""No robot is farther from its origin; a damaged number may say so."""


def write_tum(path: str | Path, stamps_ns: Ints, T: Floats) -> None:
    """Write stamped poses T (n, 4, 4); stamps keep every nanosecond."""
    at = stamps(stamps_ns, "stamps_ns", DataError)
    T = poses(T, len(at), "T", DataError)
    lines = ["# stamp_s x y z qx qy qz qw"]
    for stamp, p, q in zip(at.tolist(), T[:, :3, 3], quat_xyzw(T), strict=True):
        numbers = " ".join(f"{value:.9f}" for value in (*p, *q))
        lines.append(f"{stamp // 10**9}.{stamp % 10**9:09d} {numbers}")
    write_text(path, "\n".join(lines) + "\n")


def read_tum(
    path: str | Path, *, every: bool = False, told: Callable[[str], object] = log.warning
) -> tuple[Ints, Floats]:
    """Return stamps (n,) and poses (n, 4, 4) sorted by time; DataError names the first bad line.

    Poses that are not finite, or not turned by a unit quaternion, are left out; with ``every`` they are there
    and not finite, so that scores count them. Of several poses at one stamp the first counts. ``told`` hears
    how many are not used.
    """
    file = Path(path)
    stamps, rows = [], []
    for number, line in enumerate(_lines(file), start=1):
        words = line.partition("#")[0].replace(",", " ").split()
        if not words:
            continue
        try:
            stamps.append(stamp_ns(words[0]))
            values = [float(word) for word in words[1:]]
        except ValueError:
            values = []
        if len(values) != 7:
            check_unit(file, number, words[0])
            found = f"'{line.strip()[:60]}'" + f" of {len(words)} columns" * (len(words) != 8)
            raise DataError(f"{file}:{number}: a pose is 'stamp x y z qx qy qz qw'; found {found}")
        rows.append(values)
    if not rows:
        raise DataError(f"{file}: there are no poses in it")
    return _checked(file, np.array(stamps, np.int64), np.array(rows), every, told)


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


def check_unit(file: Path, number: int, stamp: str) -> None:
    """Raise DataError for a stamp that is too large for seconds since 1970 and right in a smaller unit."""
    whole = stamp.partition(".")[0]
    for unit, zeros in (("milliseconds", 3), ("microseconds", 6), ("nanoseconds", 9)):
        if whole.isdecimal() and len(whole) == 10 + zeros:
            raise DataError(
                f"{file}:{number}: a stamp is in seconds; {stamp} is in {unit}, that is "
                f"{whole[:10]}.{whole[10:]}"
            )


def contradicted(stamps: Ints, poses: Floats) -> str:
    """Return how many stamps (n,) have poses (n, …) that differ, of which the first counts; empty if none."""
    order = np.argsort(stamps, kind="stable")
    stamps, poses = stamps[order], poses.reshape(len(stamps), -1)[order]
    same = np.diff(stamps) == 0
    differ = same & (np.abs(np.diff(poses, axis=0)) > SAME).any(axis=1)
    count = len(np.unique(stamps[1:][differ]))
    return f"{count} stamps have poses that differ; the first of each is used" if count else ""


def _lines(file: Path) -> list[str]:
    try:
        return read_text(file, errors="replace").splitlines()
    except OSError as error:
        raise DataError(f"{file}: cannot be read: {error.strerror}") from error


def _checked(
    file: Path, stamps: Ints, rows: Floats, every: bool, told: Callable[[str], object]
) -> tuple[Ints, Floats]:
    good = sane(rows[:, :3], rows[:, 3:])
    if not good.any():
        raise DataError(f"{file}: no pose is finite with a unit quaternion (x, y, z, w)")
    if every:
        rows = np.where(good[:, None], rows, [np.nan] * 3 + [0.0, 0.0, 0.0, 1.0])
    elif not good.all():
        told(
            f"{file}: {(~good).sum()} of {len(good)} poses are not finite with a unit quaternion "
            "(x, y, z, w), and are left out"
        )
        rows, stamps = rows[good], stamps[good]
    T = transform(from_quat_xyzw(rows[:, 3:]), rows[:, :3])
    twice = contradicted(stamps, T)
    if twice:
        told(f"{file}: {twice}")
    stamps, first = np.unique(stamps, return_index=True)
    return stamps, T[first]
