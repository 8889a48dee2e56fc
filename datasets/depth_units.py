"""The unit of a folder's depth images, judged by what images and poses tell of one another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from commonground.agreement import MOVED_M, best_step, misfits
from commonground.arrays import Floats
from commonground.datasets.images import DEPTH_KINDS, UNMEASURED, read_image, to_meters
from commonground.datasets.readers.files import Shot
from commonground.datasets.readers.registration import Lens
from commonground.errors import DataError
from commonground.geometry import angle_between, inverse

UNITS = {
    1000.0: "millimeters",
    5000.0: "units of 1/5000 m",
    1.0: "meters",
    100.0: "centimeters",
    10_000.0: "units of 1/10000 m",
}
"""Units per meter that are in use."""
PAIRS, AHEAD = 12, 60
"""Pairs of images looked at, evenly spread; the second of each is among so many after the first."""
TURNED = np.deg2rad(30.0)
LEAST_PAIRS, CLEAR, BETTER, STEPS_COUNT = 4, 3.0, 1.4, 1.15
"""Pairs that tell; by how many standard errors and which factor another unit than the usual one must fit
better to be taken, and by which factor better than if the camera had not moved."""
NEAREST_M, FARTHEST_M = 0.05, 80.0
"""Between these lies the middle of a scene."""


def depth_unit_of(
    lens: Lens, T_odom_cam: Floats, shots: Sequence[Shot], usual: float
) -> tuple[float, str]:
    """Return units per meter of a camera's depth images, ``usual`` if none is clear, and a sentence on it.

    ``T_odom_cam`` (n, 4, 4) are the poses of its shots. Another unit is taken where with it images lie on one
    another far better, moved as the poses tell, or where the usual one puts the scene at no distance at all.
    """
    raw, pairs = _looked_at(lens, T_odom_cam, shots)
    values = _values(raw.values())
    if len(values) == 0:
        return usual, "no depth was found in the images tried"
    if np.issubdtype(next(iter(raw.values())).dtype, np.floating):
        usual = 1.0
    middle = float(np.median(values))
    tried = dict.fromkeys((usual, *UNITS))
    units = [u for u in tried if NEAREST_M <= middle / u <= FARTHEST_M] or [usual]
    unit, why = units[0], "" if units[0] == usual else ", for the usual unit puts it nowhere"
    steps = [*(u / usual for u in units), 0.0]
    depths = {k: to_meters(image, usual) for k, image in raw.items()}
    found = [
        misfits(lens.camera, (depths[i], depths[j]), inverse(T_odom_cam[j]) @ T_odom_cam[i], steps)
        for i, j in pairs
    ]
    best = _clearly_best(np.array(found).reshape(-1, len(units) + 1))
    if best:
        unit, why = units[best], f"; in {UNITS[units[0]]} images do not fit the poses"
    return unit, f"depth is in {UNITS[unit]} (median {middle / unit:.2f} m{why})"


def _looked_at(
    lens: Lens, T_odom_cam: Floats, shots: Sequence[Shot]
) -> tuple[dict[int, NDArray[np.generic]], list[tuple[int, int]]]:
    """Return depth images as stored by their row, and the rows of pairs of which both can be read."""
    pairs = list(_pairs(T_odom_cam))
    looked = sorted({k for pair in pairs for k in pair} or range(len(shots))[:1])
    raw = {k: image for k in looked if (image := _read(shots[k], lens)) is not None}
    return raw, [pair for pair in pairs if raw.keys() >= set(pair)]


def _values(images: Iterable[NDArray[np.generic]]) -> Floats:
    """Return some of what images have measured (n,), as stored."""
    values = [np.empty(0), *(image[::4, ::4].ravel().astype(float) for image in images)]
    known = np.concatenate(values)
    return np.asarray(known[np.isfinite(known) & (known > 0)])


def _clearly_best(found: Floats) -> int:
    """Return which unit fits by misfits (pairs, units and no movement), 0 for the first if none is clear."""
    told = found[np.isfinite(found).any(axis=1)]
    told = np.where(np.isfinite(told), told, 1.0)
    if len(told) < LEAST_PAIRS:
        return 0
    best, clear = best_step(told[:, :-1], 0)
    fits = told.mean(axis=0)
    # with the intrinsics of another camera all fits best that moves least
    steps_count = fits[-1] > STEPS_COUNT * fits[best]
    return best if clear > CLEAR and steps_count and fits[0] > BETTER * fits[best] else 0


def _pairs(T_odom_cam: Floats) -> Iterator[tuple[int, int]]:
    """Yield rows of poses between which the camera moved without turning away."""
    last = len(T_odom_cam) - 2
    for i in np.unique(np.linspace(0, last, PAIRS).astype(int)).tolist() if last >= 0 else ():
        after = T_odom_cam[i + 1 : i + 1 + AHEAD]
        moved = np.linalg.norm(after[:, :3, 3] - T_odom_cam[i, :3, 3], axis=1) >= MOVED_M
        if moved.any():
            j = i + 1 + int(moved.argmax())
            if angle_between(T_odom_cam[i], T_odom_cam[j]) < TURNED:
                yield i, j


def _read(shot: Shot, lens: Lens) -> NDArray[np.generic] | None:
    """Return a depth image as stored, 0 where nothing was measured; None if it cannot be read."""
    try:
        image = read_image(shot.depth, color=False, size=(lens.camera.width, lens.camera.height))
    except DataError:
        return None
    if image.ndim != 2 or image.dtype not in DEPTH_KINDS:
        return None
    known = np.where(image == UNMEASURED, 0, image).astype(image.dtype)
    return lens.straightened(known, exact=True)
