"""Whether what a perception gives of a frame is what ``FrameSegments`` says, told in its own words.

A perception may be anybody's. What is wrong with it would else show far from here, as an error of a library
or not at all: masks that count from another number exchange the names of things.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from commonground.errors import MALFORMED, MappingError
from commonground.frame import Frame
from commonground.mapping.perception.segments import NO_SURFACE, FrameSegments, Perception
from commonground.reasons import reason

UNIT_WITHIN = 0.02
"""A vector of half precision is a unit vector up to this."""
ONE_WITHIN = 1e-3
"""A probability of half precision may lie this far above 1."""
WHOLE, REAL, TRUTH = "iu", "fiu", "b"
KINDS = {WHOLE: "whole numbers", REAL: "numbers", TRUTH: "true or false"}


class _Fault(Exception):
    """What is wrong with a field."""


def checked(
    given: object, perception: Perception, frame: Frame, dimension: int | None = None
) -> FrameSegments:
    """Return what a perception gave of a frame, in the types that mapping takes.

    MappingError names the class, the frame and the field that is not as ``FrameSegments`` has it.
    ``dimension`` is the length of the embeddings of earlier frames.
    """
    try:
        if not isinstance(given, FrameSegments):
            raise _Fault(f"segment() gave {type(given).__name__}, not FrameSegments")
        _same_words(given, perception)
        return _typed(given, frame.depth_m.shape, dimension)
    except _Fault as fault:
        place = f"frame {frame.stamp_ns} of {frame.robot}/{frame.camera.name}"
        raise MappingError(f"{type(perception).__name__}, {place}: {fault}") from None


def _same_words(given: FrameSegments, perception: Perception) -> None:
    for field in ("vocabulary", "embedding_model", "surface_words"):
        here, own = getattr(given, field), getattr(perception, field)
        if field == "surface_words" and given.surfaces is None:
            continue
        if here != own and (isinstance(here, str) or [*here] != [*own]):
            raise _Fault(
                f"{field} {_shown(here)} of the segments, {_shown(own)} of the perception: "
                "they are the same in each frame"
            )


def _typed(given: FrameSegments, image: tuple[int, ...], dimension: int | None) -> FrameSegments:
    scores = _array("scores", given.scores, REAL, (None,))
    k, c = len(scores), len(given.vocabulary)
    _within("scores", scores, 0, 1 + ONE_WITHIN, "confidences lie in 0 … 1")
    masks = _array("masks", given.masks, WHOLE, image)
    _within("masks", masks, 0, k, f"with {k} scores a pixel holds 1 … {k}, or 0 for none")
    surfaces, words = given.surfaces, len(given.surface_words)
    if surfaces is not None:
        surfaces = _array("surfaces", surfaces, WHOLE, image)
        rule = f"with {words} surface_words a pixel holds 0 … {words - 1}, or {NO_SURFACE} for none"
        _within("surfaces", surfaces, NO_SURFACE, words - 1, rule)
        surfaces = surfaces.astype(np.int32, order="C", copy=False)
    if k == 0:  # nothing is seen: how long no vectors are says nothing
        embeddings, labels = np.empty((0, dimension or 0)), np.empty((0, c))
    else:
        embeddings = _embeddings(given.embeddings, k, dimension)
        labels = _array("label_scores", given.label_scores, REAL, (k, c))
        rule = "probabilities lie in 0 … 1, all 0 where nothing is known"
        _within("label_scores", labels, 0, 1 + ONE_WITHIN, rule)
    return replace(
        given,
        masks=masks.astype(np.int32, order="C", copy=False),
        scores=scores.astype(np.float32, order="C", copy=False),
        embeddings=embeddings.astype(np.float32, order="C", copy=False),
        label_scores=labels.astype(np.float32, order="C", copy=False),
        surfaces=surfaces,
        flat=None if given.flat is None else _array("flat", given.flat, TRUTH, (k,)),
        unsure=None if given.unsure is None else _array("unsure", given.unsure, TRUTH, image),
    )


def _embeddings(value: object, k: int, dimension: int | None) -> Any:
    found = _array("embeddings", value, REAL, (k, None))
    if dimension not in (None, found.shape[1]):
        raise _Fault(
            f"embeddings are of length {found.shape[1]}, and of {dimension} in earlier frames"
        )
    if found.shape[1]:
        lengths = np.sqrt(np.einsum("ij,ij->i", found, found, dtype=np.float64))
        wrong = np.flatnonzero(np.abs(lengths - 1) > UNIT_WITHIN)
        if len(wrong):
            length = f"embeddings[{wrong[0]}] is of length {lengths[wrong[0]]:.3g}"
            raise _Fault(f"{length}: they are unit vectors, NaN where unknown")
    return found


def _array(field: str, value: object, kinds: str, shape: tuple[int | None, ...]) -> Any:
    """Return a field as an array of a kind; None in the shape is any length."""
    try:
        found = np.asarray(value)
    except MALFORMED as error:
        raise _Fault(f"{field} is no array ({reason(error)})") from error
    if found.size and found.dtype.kind not in kinds:
        raise _Fault(f"{field} of {found.dtype}: {KINDS[kinds]} are needed")
    fits = [n in (None, m) for n, m in zip(shape, found.shape, strict=False)]
    if found.ndim != len(shape) or not all(fits):
        wanted = ", ".join("any" if n is None else str(n) for n in shape)
        raise _Fault(f"{field} of shape {found.shape}: ({wanted}) is needed")
    return found


def _within(field: str, values: Any, low: float, high: float, rule: str) -> None:
    """See that values lie in bounds; what is no number lies in none."""
    if values.size and not (values.min() >= low and values.max() <= high):
        raise _Fault(f"{field} hold {values.min():.3g} … {values.max():.3g}: {rule}")


def _shown(words: str | Sequence[str]) -> str:
    if isinstance(words, str):
        return f"'{words}'"
    more = f" and {len(words) - 3} more" if len(words) > 3 else ""
    return f"({', '.join(map(repr, words[:3]))}{more})"
