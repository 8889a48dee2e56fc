"""Networks of ultralytics behind one protocol: FastSAM, YOLO, YOLO-World, YOLOE, SAM and SAM 2.

What a checkpoint holds says which it is, but for SAM, whose files have no such note and go by their names.
"""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import Any

import numpy as np

from commonground.arrays import Bytes, Floats, Ints
from commonground.errors import MappingError, require
from commonground.frame import Frame
from commonground.mapping.perception.clip import Clip, name_of
from commonground.mapping.perception.regions import (
    Regions,
    Segmenter,
    before_background,
    without_repeats,
)
from commonground.mapping.perception.settings import FastSamSettings
from commonground.mapping.perception.weights import (
    best_device,
    broken_weights,
    load_errors,
    segmenter_file,
)

SEGMENTER, BOX_SEGMENTER = "perception.fastsam.segmenter", "perception.fastsam.box_segmenter"
MOST_IOU_OF_CLASSES = 0.7
"""Overlap above which two detections of a network with classes are one: its own default."""
_SAM = re.compile(r"^(mobile_sam|sam2?(\.1)?_[a-z]+)$")
log = logging.getLogger(__name__)

TRAINED_WITH = {"YOLOWorld": "openai", "YOLOE": "datacompdr"}
"""Kind of detector → what the name of the weights of its own text encoder holds, as open_clip calls them:
ViT-B-32 of OpenAI, and MobileCLIP-B."""


def open_segmenter(settings: FastSamSettings, words: tuple[str, ...]) -> Segmenter:
    """Return the segmenter of the settings; it looks for ``words`` if it can be told any."""
    import_ultralytics()
    path = segmenter_file(settings.segmenter, SEGMENTER)
    if _is_sam(path):
        return Sam(path, settings)
    model = _yolo(path)
    if model.task not in ("segment", "detect"):
        raise MappingError(
            f"{SEGMENTER}: {path} is a network for '{model.task}'; one of FastSAM, YOLO, YOLO-World, "
            "YOLOE, SAM or SAM 2 is needed"
        )
    names = tuple(str(name) for name in dict(model.names).values())
    if model.task == "segment" and len(names) == 1:
        return FastSam(model, path, settings)
    return Yolo(model, path, settings, words)


class _Network:
    """What all have in common: a model of ultralytics, and how it is asked."""

    name: str = ""
    words: tuple[str, ...] = ()

    def __init__(self, model: Any, path: Path, settings: FastSamSettings) -> None:
        self.settings, self._path = settings, path
        self.device = best_device(settings.device)
        self._model = model
        self._half = {"half": True} if self.device.startswith("cuda") else {}

    def _asked(self, rgb: Bytes, **options: Any) -> Any:
        """Return what the network answers to an image (h, w, 3), red first."""
        options = {
            "imgsz": self.settings.image_px,
            "conf": self.settings.confidence,
            "iou": self.settings.most_iou,
            "retina_masks": True,
            "verbose": False,
        } | options
        image = np.ascontiguousarray(rgb[..., ::-1])
        try:
            return self._model.predict(source=image, device=self.device, **self._half, **options)[0]
        except load_errors() as error:
            # what a checkpoint claims to be, and is not, comes out when it is first asked
            raise broken_weights("segmenter", self._path, error) from error


class FastSam(_Network):
    """Masks of everything in an image, without classes."""

    name = "fastsam"

    def regions(self, frame: Frame) -> Regions:
        from ultralytics.models.fastsam import FastSAMPredictor

        result = self._asked(frame.rgb, predictor=FastSAMPredictor)
        return _regions(result, frame, named=False)


class Yolo(_Network):
    """Things of the classes it was trained for, or of the words it was told; boxes become masks."""

    def __init__(
        self, model: Any, path: Path, settings: FastSamSettings, words: tuple[str, ...]
    ) -> None:
        super().__init__(model, path, settings)
        self.name = {"YOLOWorld": "yolo-world", "YOLOE": "yoloe"}.get(type(model).__name__, "yolo")
        with_words(model, words, settings)
        self.words = tuple(str(name) for name in dict(model.names).values())
        self._boxes = Sam.of_boxes(settings) if model.task == "detect" else None

    def regions(self, frame: Frame) -> Regions:
        """Return the masks in a frame, each with its class."""
        result = self._asked(frame.rgb, iou=MOST_IOU_OF_CLASSES)
        if self._model.task == "segment":
            return _regions(result, frame, named=True)
        boxes, scores, classes = _boxes(result)
        if len(boxes) == 0:
            return Regions.none(frame)
        masks = (
            before_background(frame, boxes) if self._boxes is None else self._boxes.of(frame, boxes)
        )
        return Regions(masks, scores, classes)


class Sam(_Network):
    """SAM or SAM 2: asked at points all over the image, or for the things in boxes."""

    name = "sam"

    def __init__(self, path: Path, settings: FastSamSettings) -> None:
        from ultralytics import SAM

        super().__init__(_loaded(SAM, path), path, settings)
        if path.stem.startswith("sam2"):
            self.name = "sam2"

    @staticmethod
    def of_boxes(settings: FastSamSettings) -> Sam | None:
        """Return the one that makes masks of boxes, if the settings name one."""
        if not settings.box_segmenter:
            return None
        path = segmenter_file(settings.box_segmenter, BOX_SEGMENTER)
        if not _is_sam(path):
            raise MappingError(f"{BOX_SEGMENTER}: {path.name} is none of SAM's checkpoints")
        return Sam(path, settings)

    def regions(self, frame: Frame) -> Regions:
        """Return the masks at points all over a frame, each once."""
        s, (height, width) = self.settings, frame.depth_m.shape
        step = width / s.points
        x, y = np.meshgrid(np.arange(step / 2, width, step), np.arange(step / 2, height, step))
        points = np.c_[x.ravel(), y.ravel()]
        result = self._asked(frame.rgb, points=points.tolist(), imgsz=s.sam_px)
        return without_repeats(_regions(result, frame, named=False), s.most_iou)

    def of(self, frame: Frame, boxes: Floats) -> Any:
        """Return the mask (k, h, w) of what is in each box (k, 4)."""
        s = self.settings
        result = self._asked(frame.rgb, bboxes=boxes.tolist(), imgsz=s.sam_px, conf=0.0)
        masks = _regions(result, frame, named=False).masks
        # without an answer for each of them, boxes would get masks of others
        return masks if len(masks) == len(boxes) else before_background(frame, boxes)


def import_ultralytics() -> None:
    """Import ultralytics, give Pillow back its own ``open``, and keep it from installing packages.

    Its own opens of images, and checkpoints that name modules which are not here, make it call pip.
    """
    require("ultralytics", "perception")
    from PIL import Image
    from ultralytics.utils import checks, patches

    Image.open = getattr(
        patches, "_image_open", Image.open
    )  # the one it has kept, if it has its own
    checks.AUTOINSTALL = False


def _is_sam(path: Path) -> bool:
    return _SAM.fullmatch(path.stem) is not None


def _yolo(path: Path) -> Any:
    from ultralytics import YOLO

    return _loaded(YOLO, path)


def _loaded(kind: Any, path: Path) -> Any:
    try:
        return kind(str(path))
    except load_errors() as error:
        raise broken_weights("segmenter", path, error) from error


def _regions(result: Any, frame: Frame, *, named: bool) -> Regions:
    """Return the masks of an answer, with their classes if it ``named`` them."""
    if result.masks is None or len(result.masks) == 0:
        return Regions.none(frame)
    _, scores, classes = _boxes(result)
    masks = np.asarray(result.masks.data.cpu().numpy() > 0.5)
    return Regions(masks, scores, classes if named else np.full(len(masks), -1, np.int64))


def _boxes(result: Any) -> tuple[Floats, Any, Ints]:
    """Return the boxes (k, 4) of an answer, how sure they are, and their classes."""
    boxes = result.boxes
    return (
        np.asarray(boxes.xyxy.float().cpu().numpy(), float),
        np.asarray(boxes.conf.float().cpu().numpy(), np.float32),
        np.asarray(boxes.cls.cpu().numpy(), np.int64),
    )


# ---- detectors that are told words ----


def with_words(model: Any, words: tuple[str, ...], settings: FastSamSettings) -> None:
    """Have a detector look for these words, if it can be told any and its own text encoder is here.

    Another encoder's vectors mean nothing to it; without its own it keeps the words of its checkpoint, and
    that is said.
    """
    kind = type(model).__name__
    if kind not in TRAINED_WITH or not words:
        return
    if TRAINED_WITH[kind] not in name_of(settings).lower():
        log.warning(
            "%s looks for the %d words of its checkpoint; for those of the map set "
            "perception.fastsam.clip_model and clip_weights to the text encoder it was trained with (%s)",
            kind,
            len(model.names),
            TRAINED_WITH[kind],
        )
        return
    _tell(model, words, Clip(settings))


def _tell(model: Any, words: tuple[str, ...], clip: Clip) -> None:
    import torch

    from commonground.errors import MappingError

    vectors = torch.from_numpy(clip.words(words, ["{}"]))[None]
    inner = model.model
    known = getattr(inner, "txt_feats", None) if type(model).__name__ == "YOLOWorld" else None
    if known is not None and known.shape[-1] != vectors.shape[-1]:
        raise MappingError(
            f"perception.fastsam.clip_model: {clip.name} gives {vectors.shape[-1]} numbers a word, the "
            f"detector takes {known.shape[-1]}"
        )
    if type(model).__name__ == "YOLOE":
        with torch.inference_mode():
            model.set_classes(list(words), inner.model[-1].get_tpe(vectors))
    else:
        inner.txt_feats, inner.names = vectors, list(words)
        inner.model[-1].nc = len(words)
        model.predictor = None
