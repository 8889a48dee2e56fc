"""A model of the user's own that says what is ground and what is built."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from commonground.arrays import Bytes, Ints32
from commonground.errors import MappingError
from commonground.mapping.perception.weights import broken_weights, load_errors


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
