"""Messages of rosbridge v2 as they come over the wire: JSON, CBOR, PNG and fragments, all bounded."""

from __future__ import annotations

import base64
import binascii
import json
from typing import Any

from commonground.errors import DataError
from commonground.reading import BoundError, parse_json
from commonground.reading_pictures import picture
from commonground.reasons import reason

MOST_BYTES = 8 << 20
"""Of one message, put together and unpacked."""
MOST_FRAGMENTS = 4096
MOST_OPEN = 16
"""So many messages may come in fragments at the same time; the oldest is given up for another."""


class Garbage(ValueError):
    """What came is no message of rosbridge."""


class Decoder:
    """Puts messages together from what comes over one connection."""

    def __init__(self) -> None:
        self._open: dict[str, dict[int, str]] = {}

    def message(self, data: str | bytes) -> dict[str, Any] | None:
        """Return the message that is whole now; None while parts of it are missing."""
        message = _mapping(_of_cbor(data) if isinstance(data, bytes) else _of_json(data))
        if message.get("op") == "fragment":
            whole = self._joined(message)
            if whole is None:
                return None
            message = _mapping(_of_json(whole))
        if message.get("op") == "png":
            message = _mapping(_of_json(_of_png(message.get("data"))))
        if not isinstance(message.get("op"), str):
            raise Garbage("a message says no operation")
        return message

    def _joined(self, part: dict[str, Any]) -> str | None:
        """Return the text of a message whose last missing fragment this is."""
        name, number, total, text = (part.get(k) for k in ("id", "num", "total", "data"))
        if not isinstance(number, int) or not isinstance(total, int) or not isinstance(text, str):
            raise Garbage("a fragment without number, total or data")
        if not 0 <= number < total <= MOST_FRAGMENTS:
            raise Garbage(f"fragment {number} of {total}")
        parts = self._open.setdefault(str(name), {})
        parts[number] = text
        if sum(map(len, parts.values())) > MOST_BYTES:
            del self._open[str(name)]
            raise Garbage("a message in fragments is too long")
        if len(self._open) > MOST_OPEN:
            del self._open[next(iter(self._open))]
        if len(parts) < total:
            return None
        del self._open[str(name)]
        return "".join(parts[k] for k in range(total)) if max(parts) < total else None


def encoded(message: dict[str, Any]) -> str:
    """Return a message as rosbridge reads it."""
    return json.dumps(message, allow_nan=False)


def _mapping(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Garbage("a message is no mapping")
    return value


def _of_json(text: str) -> Any:
    try:
        return parse_json(text, "a message")
    except (ValueError, BoundError) as error:
        raise Garbage(f"a message is no JSON: {reason(error)}") from error


def _of_cbor(data: bytes) -> Any:
    import cbor2

    try:
        return cbor2.loads(data)
    except (
        cbor2.CBORError,
        ValueError,
        EOFError,
        TypeError,
        OverflowError,
        RecursionError,
    ) as error:
        raise Garbage(f"a message is no CBOR: {reason(error)}") from error


def _of_png(data: Any) -> str:
    """Return the text whose bytes are the pixels of a picture."""
    try:
        with picture(base64.b64decode(data), ("PNG",)) as found:
            if found.width * found.height * 4 > MOST_BYTES:
                raise Garbage("a picture holds too much")
            text: str = found.tobytes().decode().rstrip("\n\0 ")
            return text
    except (DataError, TypeError, binascii.Error) as error:
        raise Garbage(f"a message is no PNG: {reason(error)}") from error
