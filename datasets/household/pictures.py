"""A simple picture of what can be seen from a place in the simulated house: labeled boxes in boxes."""

from __future__ import annotations

import io

from commonground.datasets.household.house import House
from commonground.errors import require

WIDTH = 640
ROW = 22
INDENT = 26
_COLORS = ((222, 235, 247), (253, 224, 221), (229, 245, 224), (254, 240, 217), (239, 237, 245))


def draw_view(house: House, place: str) -> bytes:
    """Return a PNG of what is visible at a place, with names and states written on it."""
    require("PIL", "mapping")
    from PIL import Image, ImageDraw

    rows = _rows(house, place, 0)
    image = Image.new("RGB", (WIDTH, ROW * (len(rows) + 1)), (255, 255, 255))
    pen = ImageDraw.Draw(image)
    for i, (depth, label) in enumerate(rows):
        left, top = 8 + depth * INDENT, 8 + i * ROW
        color = _COLORS[depth % len(_COLORS)]
        pen.rectangle(
            (left, top, WIDTH - 8 - depth * 8, top + ROW - 4), fill=color, outline=(90, 90, 90)
        )
        pen.text((left + 6, top + 2), label, fill=(0, 0, 0))
    out = io.BytesIO()
    image.save(out, format="PNG")
    return out.getvalue()


def _rows(house: House, name: str, depth: int) -> list[tuple[int, str]]:
    """Return an object and what can be seen in it, each with how deep it is inside."""
    rows = [(depth, _label(house, name))]
    body = house.bodies[name]
    if body.can("openable") and not body.is_("open"):
        return rows
    for inner in house.contents(name):
        if inner not in house.hidden and (depth == 0 or house.bodies[inner].can("pickupable")):
            rows += _rows(house, inner, depth + 1)
    return rows


def _label(house: House, name: str) -> str:
    """Return ``Fridge_1 (open)``."""
    body = house.bodies[name]
    words = [key for key in ("sliced", "broken", "filled", "cooked", "clean") if body.is_(key)]
    if body.can("openable"):
        words.append("open" if body.is_("open") else "closed")
    if body.can("toggleable"):
        words.append("on" if body.is_("on") else "off")
    return f"{name} ({', '.join(words)})" if words else name
