"""The words things and surfaces are named by: a list anyone can edit."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field, field_validator

from commonground.config import load_config
from commonground.settings import Settings

OBJECT_WORDS = (
    "tree", "bush", "car", "truck", "bicycle", "motorcycle", "traffic sign", "stop sign",
    "information board", "traffic light", "street light", "pole", "bollard", "fire hydrant",
    "fence", "gate", "box", "barrel", "bag", "trash can", "dumpster", "bench", "chair", "table",
    "sofa", "flag", "rock", "flower pot", "statue", "container", "traffic cone", "door", "cabinet",
    "shelf", "refrigerator", "microwave", "sink", "monitor", "keyboard", "lamp", "plant", "picture",
    "whiteboard", "book", "cup", "bottle", "backpack", "fire extinguisher",
)  # fmt: skip
SURFACE_WORDS = (
    "road", "parking lot", "sidewalk", "grass", "gravel path", "floor", "building", "wall",
    "window", "ceiling", "sky",
)  # fmt: skip
IGNORED_WORDS = ("person", "dog", "hand of a person")


class Words(Settings):
    """The words a frame is described by, and the sentences they are put in before they are compared."""

    objects: tuple[str, ...] = OBJECT_WORDS
    """Names of things: the vocabulary of the map."""
    surfaces: tuple[str, ...] = SURFACE_WORDS
    """Names of what is stood on or built."""
    ignored: tuple[str, ...] = IGNORED_WORDS
    """Names of what is kept out of the map."""
    prompts: tuple[str, ...] = Field(
        default=("a photo of a {}", "a {} seen by a robot", "a cropped image of a {}"), min_length=1
    )
    """Sentences with a gap for the word; their embeddings are averaged."""

    @field_validator("objects", "surfaces", "ignored")
    @classmethod
    def _distinct(cls, words: tuple[str, ...]) -> tuple[str, ...]:
        if len(set(words)) != len(words) or any(not w.strip() for w in words):
            raise ValueError("words must not be empty or stand twice")
        return words

    @field_validator("prompts")
    @classmethod
    def _with_gap(cls, prompts: tuple[str, ...]) -> tuple[str, ...]:
        if any("{}" not in p for p in prompts):
            raise ValueError("each prompt needs a {} where the word goes")
        return prompts

    @property
    def everything(self) -> tuple[str, ...]:
        """Objects, then surfaces, then ignored words."""
        return (*self.objects, *self.surfaces, *self.ignored)


def load_words(file: Path | None) -> Words:
    """Return the words of a YAML file with the fields of ``Words``, or the list that comes along."""
    return Words() if file is None else load_config(Words, file)
