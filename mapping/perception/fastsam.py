"""FastSAM: masks of everything in an image, without classes."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np

from commonground.arrays import Bools, Bytes, Floats32
from commonground.errors import require
from commonground.installation import weight_folder
from commonground.mapping.perception.settings import FastSamSettings
from commonground.mapping.perception.weights import (
    best_device,
    broken_weights,
    load_errors,
    local_weights,
    missing_weights,
    reachable,
)
from commonground.names import within


class FastSam:
    """The segmenter; loads its weights when made."""

    def __init__(self, settings: FastSamSettings) -> None:
        _import_ultralytics()
        self.settings = settings
        self.device = best_device(settings.device)
        path = _weights(settings.segmenter)
        self._model = _load(path)

    def masks(self, rgb: Bytes) -> tuple[Bools, Floats32]:
        """Return the masks (k, h, w) of an image (h, w, 3), red first, and their confidence (k,)."""
        s = self.settings
        result = self._model.predict(
            source=np.ascontiguousarray(rgb[..., ::-1]),
            device=self.device,
            imgsz=s.image_px,
            conf=s.confidence,
            iou=s.most_iou,
            retina_masks=True,
            verbose=False,
        )[0]
        if result.masks is None:
            return np.zeros((0, *rgb.shape[:2]), bool), np.zeros(0, np.float32)
        masks = result.masks.data.cpu().numpy() > 0.5
        scores = result.boxes.conf.float().cpu().numpy()
        return np.asarray(masks), np.asarray(scores, np.float32)


def _import_ultralytics() -> None:
    """Import ultralytics, and give Pillow back its own ``open``.

    The one that ultralytics puts in its place tries to install packages when an image is damaged.
    """
    require("ultralytics", "perception")
    from PIL import Image
    from ultralytics.utils import patches

    Image.open = patches._image_open  # the one it has kept


def _weights(name: str) -> Path:
    from ultralytics.utils.downloads import attempt_download_asset

    path = local_weights(name)
    if path is not None:
        return path
    setting = "perception.fastsam.segmenter"
    if Path(name).name != name:
        raise missing_weights("FastSAM", name, setting, "a path is not downloaded")
    if not reachable("https://github.com"):
        raise missing_weights("FastSAM", name, setting, "there is no network to download them")
    target = within(weight_folder(), name)
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        with redirect_stdout(io.StringIO()):
            attempt_download_asset(str(target))
    except (OSError, RuntimeError, ValueError) as error:
        raise missing_weights("FastSAM", name, setting, f"downloading failed ({error})") from error
    if not target.is_file():
        raise missing_weights("FastSAM", name, setting, "the web has none of that name")
    return target


def _load(path: Path) -> Any:
    from ultralytics import FastSAM

    try:
        model = FastSAM(str(path))
    except load_errors() as error:
        raise broken_weights("FastSAM", path, error) from error
    if model.task != "segment":
        raise broken_weights("FastSAM", path, ValueError(f"a model for '{model.task}'"))
    return model
