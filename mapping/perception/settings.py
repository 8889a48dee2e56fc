"""Settings of perception: which back end, and its knobs."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from commonground.settings import Settings

SURFACE_WORDS = (
    "road", "parking", "sidewalk", "grass", "path", "ground", "floor", "building", "wall", "window",
    "roof", "ceiling",
)  # fmt: skip
"""Words of what is stood on or built, and is no object."""
AREA_WORDS = ("shelter", "corridor", "office", "meeting", "kitchen", "lab", "lounge")
"""Words of whole areas, which are no object either."""


class GroundTruthSettings(Settings):
    """The simulator's own masks."""

    surface_words: tuple[str, ...] = SURFACE_WORDS
    """Classes that are surfaces; all others are objects."""
    ignored: tuple[str, ...] = AREA_WORDS
    """Classes that are neither."""
    embeddings: bool = True
    """Whether to add embeddings to the masks: of color and size, or by the model below."""
    by_words: bool = False
    """Embed with the CLIP model or the ``embedder`` of ``fastsam``, so that things can be found by words."""


class ClassicalSettings(Settings):
    """Segments from depth, normals and color, without weights."""

    near_m: float = Field(default=0.3, gt=0)
    """Depth nearer than this is not used."""
    far_m: float = Field(default=8.0, gt=0)
    """Depth farther than this is too noisy for surfaces."""
    noise_m: float = Field(default=0.003, ge=0)
    """Standard deviation of depth close by."""
    noise_growth: float = Field(default=0.002, ge=0)
    """Standard deviation of depth gained per square meter of distance."""
    slant: float = Field(default=5.5, ge=0)
    """Tangent of the steepest angle at which a surface is still seen as one."""
    near_m_gap: float = Field(default=0.08, gt=0)
    """Patches this near in space belong together though the image shows a depth edge between them."""
    step_m: float = Field(default=0.35, gt=0)
    """Level patches higher than this above the lowest are ground only if four times as large."""
    wall_m2: float = Field(default=2.5, gt=0)
    """An upright patch at least this large, in view, can be a wall."""
    wall_rise_m: float = Field(default=1.2, gt=0)
    """Walls rise at least this much in view."""
    structure_m2: float = Field(default=0.6, gt=0)
    """With less upright surface in view, what runs out of the image at two sides is not the room itself."""
    coplanar_m: float = Field(default=0.0, ge=0)
    """What lies so near to the plane of a wall, or of ground, and faces alike, is part of it; 0: nothing."""
    standing: bool = False
    """With ``flat_things``: tell what stands free from the room by where it ends; fronts of boxes are as wide
    as walls."""
    flat_things: bool = False
    """Find by color what lies flat on ground and tables or hangs on walls."""
    structure_plane_m2: float = Field(default=0.16, gt=0)
    """A level or upright surface with so much in view is then a table top or a wall, and no thing."""
    one_plane_m: float = Field(default=0.02, gt=0)
    """What lies so near to such a surface is part of it, or more where depth is noisier."""
    most_hidden: float = Field(default=1.0, gt=0, le=1)
    """A thing with a larger share of its border hidden by something nearer is only seen through a gap, and
    left out; 1: never."""
    look_m: float = Field(default=0.0, ge=0)
    """A frame is looked at when the camera has moved this far, turned 0.8° or waited 0.3 s since the last; 0:
    every frame is. Images that hardly differ are no further evidence, however many come a second."""
    least_px: int = Field(default=250, ge=16, le=10_000_000)
    """Smaller things, in pixels of the full image, are left out."""
    least_m: float = Field(default=0.08, gt=0)
    """Things whose longest edge is shorter are left out."""
    most_m: float = Field(default=6.0, gt=0)
    """What is larger than this is no single thing."""


class FastSamSettings(Settings):
    """Learned perception: masks by a segmenter, looks by an encoder, and words."""

    segmenter: str = "FastSAM-s.pt"
    """Checkpoint of FastSAM, YOLO, YOLO-World, YOLOE, SAM or SAM 2 as ultralytics has them: a path, or the
    name of one in the weight folder, in torch's cache or on the web."""
    box_segmenter: str = ""
    """SAM checkpoint that makes masks of a detector's boxes; empty: depth tells what is in them."""
    embedder: str = ""
    """What embeds things: empty for the CLIP of ``clip_model``, or a model of transformers (DINOv2, SigLIP,
    CLIP) by its name or folder. One that knows no words leaves names to the segmenter, or to CLIP."""
    clip_model: str = "ViT-B-32"
    """Architecture of the CLIP model, as open_clip names it."""
    clip_weights: str = "laion2b_s34b_b79k"
    """Its weights: a path, a file in the weight folder, or a tag of open_clip's hub."""
    surface_model: str = ""
    """Optional path of a TorchScript model: image (1, 3, h, w) in [0, 1] to scores (1, surfaces, h, w)."""
    device: str = "auto"
    """``auto``, ``cpu``, ``cuda``, ``cuda:1``, ``mps``."""
    words_file: Path | None = None
    """YAML with ``objects``, ``surfaces``, ``ignored``, ``prompts``; without it a list that comes along."""
    image_px: int = Field(default=512, ge=64, le=4096, multiple_of=32)
    """The segmenter sees images of this width."""
    sam_px: int = Field(default=1024, ge=256, le=4096, multiple_of=256)
    """SAM sees images of this width."""
    points: int = Field(default=16, ge=2, le=64)
    """SAM is asked at so many points across an image."""
    look_m: float = Field(default=0.1, ge=0)
    """A frame is looked at when the camera has moved this far, turned 5° or waited 2 s since the last; 0:
    every frame is."""
    confidence: float = Field(default=0.4, gt=0, lt=1)
    """Masks of less confidence are not made."""
    most_iou: float = Field(default=0.9, gt=0, le=1)
    """Of masks that overlap more than this one is kept."""
    least_side: float = Field(default=1 / 30, gt=0, lt=1)
    """Masks of a smaller area than a rectangle of this share of both image sides are dropped."""
    most_side: float = Field(default=1 / 2, gt=0, le=1)
    """Masks of a larger area than a rectangle of this share of both image sides are no things."""
    most_border: float = Field(default=0.5, ge=0, le=1)
    """Masks with more than this share of their outline on the image border are dropped."""
    far_m: float = Field(default=10.0, gt=0)
    """What is farther is not mapped."""
    margin: float = Field(default=0.15, ge=0, le=2)
    """Share of its box by which the cut-out for CLIP is widened."""
    ignore_above: float = Field(default=0.5, gt=0, lt=1)
    """Probability of the ignored words above which a mask is dropped."""
    batch: int = Field(default=32, ge=1, le=1024)
    """Cut-outs embedded at once."""


class PerceptionSettings(Settings):
    """What is in a frame, and who says so."""

    backend: Literal["auto", "ground-truth", "classical", "learned", "fastsam+clip"] = "auto"
    """``auto``: true masks where the data has label images, else the networks that ``fastsam`` names where
    their weights are on this machine, else geometry and color. ``fastsam+clip`` is another name for
    ``learned``."""
    ground_truth: GroundTruthSettings = GroundTruthSettings()
    classical: ClassicalSettings = ClassicalSettings()
    fastsam: FastSamSettings = FastSamSettings()
