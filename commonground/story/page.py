"""A page that needs nothing else: text, tables and pictures in one file."""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Iterable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from commonground.atomic import write_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STYLE = "report.css"


def write_page(file: Path, title: str, parts: Iterable[str]) -> Path:
    style = (files("commonground") / "data" / STYLE).read_text(encoding="utf-8")
    page = (
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>"
        f"<title>{text(title)}</title><style>{style}</style></head><body>"
        + "\n".join(parts)
        + "</body></html>\n"
    )
    write_text(file, page)
    return file


def figure(drawn: Figure, name: str, says: str = "") -> str:
    """Return a figure as a picture with a name for those who cannot see it, and what it says below."""
    stream = io.BytesIO()
    drawn.savefig(stream, format="png")
    shown = picture(stream.getvalue(), "png", name)
    return f"{shown}<p class='says'>{text(says)}</p>" if says else shown


def beside(*parts: str) -> str:
    """Return parts side by side where they have room."""
    return f"<div class='beside'>{''.join(f'<div>{part}</div>' for part in parts)}</div>"


def picture(data: bytes, kind: str, name: str) -> str:
    """Return the bytes of a picture file as a picture on the page."""
    return f"<p>{image(data, kind, name)}</p>"


def image(data: bytes, kind: str, name: str) -> str:
    """Return the bytes of a picture file as an element among others."""
    encoded = base64.b64encode(data).decode()
    return f'<img alt="{text(name)}" src="data:image/{kind};base64,{encoded}">'


def table(head: Sequence[str], body: Iterable[Sequence[Any]]) -> str:
    """Return a table, numbers to the right."""
    top = "".join(f"<th>{text(h)}</th>" for h in head) if any(head) else ""
    rows = "".join(
        "<tr>" + "".join(f"<td{_side(c)}>{text(c)}</td>" for c in row) + "</tr>" for row in body
    )
    return f"<table><tr>{top}</tr>{rows}</table>"


def text(words: Any) -> str:
    """Return anything as text that means nothing else in HTML."""
    return html.escape(str(words))


def _side(cell: Any) -> str:
    return " class='n'" if str(cell)[:1].isdigit() else ""
