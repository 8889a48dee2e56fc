"""What perception says of one frame, and the protocol that every back end follows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np

from commonground.arrays import Bools, Floats32, Ints, Ints32
from commonground.frame import Frame

NO_SURFACE = -1
"""Pixel value of ``surfaces`` where no closed-set surface was recognized."""


@dataclass(frozen=True, slots=True, eq=False)
class FrameSegments:
    """The things seen in one frame: k masks in one label image, and a row per mask in each column.

    Where masks overlap the smaller one is on top, so that a mug survives the table it stands on. What a
    perception gives is held against all that is said here (``perception/contract.py``).
    """

    masks: Ints32
    """(h, w) the segment at each pixel, 1 … k; 0 is none. Segment s is row s − 1 of the columns."""
    scores: Floats32
    """(k,) confidence that the mask is one whole thing, in [0, 1]."""
    embeddings: Floats32
    """(k, d) unit vectors, d the same in each frame; d = 0 where the back end makes none; NaN rows are
    unknown."""
    label_scores: Floats32
    """(k, c) probability of each word of ``vocabulary``, all 0 in a row that is unknown; c = 0 without class
    names."""
    vocabulary: tuple[str, ...] = ()
    embedding_model: str = ""
    """What made the embeddings; those of different models cannot be compared."""
    surfaces: Ints32 | None = None
    """(h, w) index into ``surface_words`` of ground and structure; NO_SURFACE elsewhere."""
    surface_words: tuple[str, ...] = field(default=())
    glance: Callable[[Ints], Floats32] | None = None
    """Makes the vectors (n, d) of segments by number, of a back end that is asked only where it is worth it;
    ``embeddings`` are NaN until then."""
    flat: Bools | None = None
    """(k,) which lie flat on a surface and were told from it by color; unset: none."""
    unsure: Bools | None = None
    """(h, w) what may be a thing or the room, so that it speaks neither for a thing nor against one."""

    def __len__(self) -> int:
        return len(self.scores)

    def sure(self, frame: Frame) -> Frame:
        """Return a frame without the depth of what it says nothing of."""
        if self.unsure is None or not self.unsure.any():
            return frame
        return replace(frame, depth_m=np.where(self.unsure, np.float32(np.nan), frame.depth_m))

    def is_flat(self, segment: int) -> bool:
        """Return whether a segment lies flat on a surface, which only its color told."""
        return self.flat is not None and bool(self.flat[segment - 1])

    @staticmethod
    def of(masks: Ints32, count: int | None = None) -> FrameSegments:
        """Return segments known by their masks alone: no embeddings, no class names."""
        k = int(masks.max(initial=0)) if count is None else count
        return FrameSegments(
            masks,
            np.ones(k, np.float32),
            np.empty((k, 0), np.float32),
            np.empty((k, 0), np.float32),
        )


@runtime_checkable
class Perception(Protocol):
    """Turns a frame into segments; every back end gives the same vocabulary and model in each frame."""

    @property
    def name(self) -> str:
        """Name of the back end, as settings choose it."""
        ...

    @property
    def vocabulary(self) -> tuple[str, ...]:
        """Words of the label scores; empty where the back end knows no class names."""
        ...

    @property
    def surface_words(self) -> tuple[str, ...]:
        """Words that ``FrameSegments.surfaces`` indexes.

        Those of ``surface.ground_words`` in the settings of mapping are ground, and one of them has to be
        among these; with no words at all, ground is what the robot drives over.
        """
        ...

    @property
    def embedding_model(self) -> str:
        """Name of what makes the embeddings; empty where there are none."""
        ...

    def segment(self, frame: Frame) -> FrameSegments:
        """Return what is seen in one frame."""
        ...


class Looks(NamedTuple):
    """How far a camera moves, how far it turns and how long it waits before it is worth to look again."""

    move_m: float
    turn_deg: float
    wait_s: float


@runtime_checkable
class Costly(Protocol):
    """A back end that takes so long that not every frame is shown to it."""

    @property
    def looks(self) -> Looks:
        """When it is worth to look again."""
        ...


@runtime_checkable
class Staged(Protocol):
    """A back end of several stages."""

    @property
    def seconds(self) -> Mapping[str, Sequence[float]]:
        """Stage → time it took, each time."""
        ...
