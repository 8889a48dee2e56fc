"""Open-set perception: a segmenter says where things are, an encoder what they look like, words what."""

from __future__ import annotations

import logging
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from commonground.arrays import Bools, Bytes, Ints32
from commonground.errors import MappingError
from commonground.frame import Frame
from commonground.mapping.perception.classical import ClassicalPerception
from commonground.mapping.perception.descriptor import MODEL, color_descriptors
from commonground.mapping.perception.mask_filters import (
    label_image,
    measure,
    plausible,
    surface_like,
    without_parts,
)
from commonground.mapping.perception.naming import Named, open_namer
from commonground.mapping.perception.regions import Segmenter
from commonground.mapping.perception.segmenter import open_segmenter
from commonground.mapping.perception.segments import NO_SURFACE, FrameSegments, Looks
from commonground.mapping.perception.settings import ClassicalSettings, FastSamSettings
from commonground.mapping.perception.text import open_encoder
from commonground.mapping.perception.vectors import ImageVectors
from commonground.mapping.perception.weights import (
    broken_weights,
    load_errors,
    local_clip,
    reachable,
)
from commonground.mapping.perception.words import load_words

LOOK_DEG, LOOK_S = 5.0, 2.0
log = logging.getLogger(__name__)


class LearnedPerception:
    """Filtered masks of a segmenter, vectors of an encoder, names; surfaces by names, a model or geometry."""

    def __init__(
        self, settings: FastSamSettings | None = None, classical: ClassicalSettings | None = None
    ) -> None:
        self.settings = settings or FastSamSettings()
        words = load_words(self.settings.words_file)
        self._segmenter = open_segmenter(self.settings, words.objects)
        self._encoder = _encoder(self.settings, self._segmenter)
        self._namer = open_namer(self.settings, self._segmenter, self._encoder, words)
        kind, model = ("color", MODEL)
        if self._encoder is not None:
            kind, model = self._encoder.kind, self._encoder.name
        self.name = f"{self._segmenter.name}+{kind}"
        self.vocabulary, self.embedding_model = self._namer.vocabulary, model
        self.surface_words = self._namer.surface_words
        self._model: SurfaceModel | None = None
        self._geometry: ClassicalPerception | None = None
        if self.settings.surface_model:
            self.surface_words = words.surfaces
            self._model = SurfaceModel(
                self.settings.surface_model, self._segmenter.device, len(words.surfaces)
            )
        elif not self.surface_words:
            self._geometry = ClassicalPerception(classical)
            self.surface_words = self._geometry.surface_words
        self.looks = Looks(self.settings.look_m, LOOK_DEG, LOOK_S)
        self.seconds: defaultdict[str, list[float]] = defaultdict(list)
        """Stage → time it took, each time."""

    def segment(self, frame: Frame) -> FrameSegments:
        """Return the things in a frame, named and embedded, and its surfaces."""
        with self._timed("masks"):
            found = self._segmenter.regions(frame)
            facts = measure(found.masks, frame, self.settings)
            large = surface_like(facts, frame, self.settings)
            kept = plausible(facts, frame, self.settings) | large
            found, large, facts = found.take(kept), large[kept], facts.take(kept)
        with self._timed("looks"):
            looks = np.empty((len(found.scores), 0), np.float32)
            if self._encoder is not None:
                looks = self._encoder.images(frame.rgb, found.masks, facts.boxes)
        with self._timed("names"):
            named = self._namer.named(frame, found, facts, looks, large)
        things = (named.surface < 0) & ~named.ignored & ~large
        things[things] = without_parts(found.masks[things], facts.take(things))
        with self._timed("surfaces"):
            surfaces = self._surfaces(frame, found.masks, named)
        masks = label_image(found.masks[things], facts.area[things])
        looks = looks[things]
        return FrameSegments(
            masks=masks,
            scores=found.scores[things],
            embeddings=looks if looks.shape[1] else color_descriptors(frame, masks, len(looks)),
            label_scores=named.labels[things],
            vocabulary=self.vocabulary,
            embedding_model=self.embedding_model,
            surfaces=surfaces,
            surface_words=self.surface_words,
        )

    def _surfaces(self, frame: Frame, masks: Bools, named: Named) -> Ints32 | None:
        """Return the surface word (h, w) at each pixel; of masks that overlap, smaller ones lie on top."""
        if self._model is not None:
            return self._model.labels(frame.rgb)
        if self._geometry is not None:
            return self._geometry.segment(frame).surfaces
        out = np.full(frame.depth_m.shape, NO_SURFACE, np.int32)
        rows = np.flatnonzero(named.surface >= 0)
        for i in rows[np.argsort(-masks[rows].sum(axis=(1, 2)), kind="stable")]:
            out[masks[i]] = named.surface[i]
        return out

    @contextmanager
    def _timed(self, stage: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.seconds[stage].append(time.perf_counter() - start)


# ---- a model of the user's own for ground and walls ----


def _encoder(settings: FastSamSettings, segmenter: Segmenter) -> ImageVectors | None:
    """Return what makes the looks of things; None for a segmenter that names them where CLIP cannot be had.

    What a user chose has to be there.
    """
    usual = FastSamSettings()
    chosen = settings.embedder, settings.clip_model, settings.clip_weights
    if (
        not segmenter.words
        or chosen != (usual.embedder, usual.clip_model, usual.clip_weights)
        or local_clip(settings.clip_model, settings.clip_weights) is not None
        or reachable("https://huggingface.co")
    ):
        return open_encoder(settings)
    log.warning(
        "CLIP's weights are not here: things have the names that %s gives, and looks by color and size",
        segmenter.name,
    )
    return None


class SurfaceModel:
    """A semantic segmentation model of the user's, as TorchScript, whose classes are the surface words."""

    def __init__(self, path: str, device: str, count: int) -> None:
        import torch

        file = Path(path).expanduser()
        if not file.is_file():
            raise MappingError(
                f"perception.fastsam.surface_model: {file} is no file; leave it empty for CLIP surfaces"
            )
        self.device, self.count, self.path = device, count, file
        try:
            self._model: Any = torch.jit.load(str(file), map_location=device).eval()
        except load_errors() as error:
            raise broken_weights("surface model", file, error) from error

    def labels(self, rgb: Bytes) -> Ints32:
        """Return the best class (h, w) of each pixel of an image (h, w, 3)."""
        import torch

        image = torch.from_numpy(np.ascontiguousarray(rgb)).to(self.device)
        with torch.inference_mode():
            scores = self._model((image.permute(2, 0, 1).float() / 255.0)[None])
            if scores.ndim != 4 or scores.shape[1] != self.count:
                raise MappingError(
                    f"surface model {self.path}: scores of shape {tuple(scores.shape)} for {self.count} "
                    "surface words; one channel per word is needed"
                )
            scores = torch.nn.functional.interpolate(
                scores.float(), size=rgb.shape[:2], mode="bilinear", align_corners=False
            )
        return np.asarray(scores[0].argmax(dim=0).cpu().numpy(), np.int32)
