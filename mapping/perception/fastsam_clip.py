"""Open-set perception: FastSAM says where things are, CLIP what they look like and are called."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from commonground.arrays import Bools, Bytes, Floats32, Ints32
from commonground.errors import MappingError
from commonground.frame import Frame
from commonground.mapping.perception.clip import Clip
from commonground.mapping.perception.fastsam import FastSam
from commonground.mapping.perception.mask_filters import (
    label_image,
    measure,
    plausible,
    surface_like,
    without_parts,
)
from commonground.mapping.perception.segments import NO_SURFACE, FrameSegments
from commonground.mapping.perception.settings import FastSamSettings
from commonground.mapping.perception.weights import broken_weights, load_errors
from commonground.mapping.perception.words import load_words


class FastSamClipPerception:
    """Masks by FastSAM, filtered; unit vectors and words by CLIP; surfaces by CLIP or a model of its own."""

    name: str = "fastsam+clip"

    def __init__(self, settings: FastSamSettings | None = None) -> None:
        self.settings = settings or FastSamSettings()
        words = load_words(self.settings.words_file)
        self._segmenter = FastSam(self.settings)
        self._clip = Clip(self.settings)
        self._text = self._clip.words(words.everything, words.prompts)
        self.vocabulary = words.objects
        self.surface_words = words.surfaces
        self.embedding_model = self._clip.name
        self._surface_model = (
            SurfaceModel(self.settings.surface_model, self._segmenter.device, len(words.surfaces))
            if self.settings.surface_model
            else None
        )

    def segment(self, frame: Frame) -> FrameSegments:
        """Return the things in a frame, named and embedded, and its surfaces."""
        masks, scores = self._segmenter.masks(frame.rgb)
        facts = measure(masks, frame, self.settings)
        large = surface_like(facts, frame, self.settings)
        kept = plausible(facts, frame, self.settings) | large
        masks, scores, large, facts = masks[kept], scores[kept], large[kept], facts.take(kept)
        embeddings = self._clip.images(frame.rgb, masks, facts.boxes)
        shares = self._shares(embeddings)
        surface, ignored = self._kinds(shares, large)
        things = ~surface & ~ignored & ~large
        things[things] = without_parts(masks[things], facts.take(things), self.settings)
        return FrameSegments(
            masks=label_image(masks[things], facts.area[things]),
            scores=scores[things],
            embeddings=embeddings[things],
            label_scores=_normalized(shares[things, : len(self.vocabulary)]),
            vocabulary=self.vocabulary,
            embedding_model=self.embedding_model,
            surfaces=self._surfaces(frame, masks[surface], shares[surface]),
            surface_words=self.surface_words,
        )

    # ---- words ----

    def _shares(self, embeddings: Floats32) -> Floats32:
        """Return the probability (k, words) of each word for each mask."""
        logits = self._clip.scale * embeddings @ self._text.T
        logits = logits - logits.max(axis=1, keepdims=True, initial=-np.inf)
        return _normalized(np.exp(logits))

    def _kinds(self, shares: Floats32, large: Bools) -> tuple[Bools, Bools]:
        """Return which masks are surfaces and which are of an ignored kind.

        A mask too large or flat for a thing needs only to be more of a surface than of the ignored.
        """
        n, m = len(self.vocabulary), len(self.vocabulary) + len(self.surface_words)
        surface, ignored = shares[:, n:m].sum(axis=1), shares[:, m:].sum(axis=1)
        is_ignored = ignored > self.settings.ignore_above
        is_surface = ((surface > 0.5) | large) & ~is_ignored
        return np.asarray(is_surface), np.asarray(is_ignored)

    # ---- surfaces ----

    def _surfaces(self, frame: Frame, masks: Bools, shares: Floats32) -> Ints32:
        """Return the surface word (h, w) at each pixel."""
        if self._surface_model is not None:
            return self._surface_model.labels(frame.rgb)
        n, m = len(self.vocabulary), len(self.vocabulary) + len(self.surface_words)
        out = np.full(frame.depth_m.shape, NO_SURFACE, np.int32)
        if m == n:
            return out
        best = shares[:, n:m].argmax(axis=1)
        for i in np.argsort(-masks.sum(axis=(1, 2)), kind="stable"):
            out[masks[i]] = best[i]
        return out


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


def _normalized(rows: Floats32) -> Floats32:
    total = rows.sum(axis=1, keepdims=True)
    even = np.full_like(rows, 1.0 / max(rows.shape[1], 1))
    return np.asarray(np.where(total > 0, rows / np.maximum(total, 1e-12), even), np.float32)
