"""Words for the colors of things, by their pictures."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from commonground.crops import Crop
from commonground.mapping.objects.colors import color_of, with_colors, with_colors_of
from commonground.scene import Layer
from commonground.scene.layer import OBJECTS
from commonground.symbols import node_ids


def picture(
    color: tuple[int, int, int], around: tuple[int, int, int] = (190, 190, 200)
) -> np.ndarray:
    """Return a picture of a shaded thing before a wall."""
    rng = np.random.default_rng(0)
    out = np.full((60, 80, 3), around, float)
    out[10:50, 14:66] = np.array(color) * rng.uniform(0.8, 1.0, (40, 52, 1))
    return out.astype(np.uint8)


@pytest.mark.parametrize(
    ("color", "word"),
    [
        ((200, 30, 30), "red"), ((30, 40, 200), "blue"), ((30, 160, 40), "green"),
        ((220, 200, 20), "yellow"), ((120, 80, 40), "brown"), ((15, 15, 15), "black"),
        ((255, 255, 255), "white"), ((215, 215, 215), ""), ((170, 170, 172), ""), ((110, 110, 112), "gray"),
        ((150, 120, 118), ""), ((43, 28, 20), ""), ((20, 140, 150), ""),
    ],
)  # fmt: skip
def test_a_color_is_told_where_light_cannot_have_made_it_another(
    color: tuple[int, int, int], word: str
) -> None:
    assert color_of([picture(color)])[1] == word


def test_a_thing_of_two_colors_has_none() -> None:
    both = picture((200, 30, 30))
    both[:, 40:] = picture((30, 40, 200))[:, 40:]
    assert color_of([both])[1] == ""
    assert color_of([picture((200, 30, 30)), picture((30, 40, 200))])[1] == ""


def test_colors_of_a_layer_are_kept_for_those_with_pictures() -> None:
    data = io.BytesIO()
    Image.fromarray(picture((30, 40, 200))).save(data, "JPEG")
    layer = Layer.of(OBJECTS, node_ids("O", np.arange(2)), np.zeros((2, 3)))
    colored = with_colors(layer, {"O1": [Crop(data.getvalue(), 1.0, 0, 0)]})
    assert [colored.metadata(row).get("color") for row in range(2)] == [None, "blue"]
    assert colored.columns["color"][1].argmax() == 2 and not colored.columns["color"][0].any()
    assert with_colors(layer, {}) is layer


def _told(*words: str) -> Layer:
    rgb = {"red": (200, 30, 30), "blue": (30, 40, 200), "": (0, 0, 0)}
    layer = Layer.of(OBJECTS, node_ids("O", np.arange(len(words))), np.zeros((len(words), 3)))
    extras = tuple({"metadata": {"color": word}} if word else {} for word in words)
    colors = np.array([rgb[word] for word in words], np.uint8)
    return replace(layer, columns={"color": colors}, extras=extras)


def test_fused_things_have_the_colors_that_no_robot_speaks_against() -> None:
    fused = Layer.of(OBJECTS, node_ids("O", np.arange(4)), np.zeros((4, 3)))
    own = [_told("red", "", "red"), _told("red", "blue", "blue", "")]
    colored = with_colors_of(fused, own, [np.array([0, 1, 2]), np.array([0, 1, 2, 3])])
    assert [colored.metadata(row).get("color") for row in range(4)] == ["red", "blue", None, None]
    assert colored.columns["color"][1].argmax() == 2 and not colored.columns["color"][3].any()
    bare = Layer.of(OBJECTS, node_ids("O", np.arange(1)), np.zeros((1, 3)))
    assert with_colors_of(bare, [bare], [np.array([0])]) is bare
