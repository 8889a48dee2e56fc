"""Who may send maps to a base station, and where that is."""

from __future__ import annotations

import os

from commonground.errors import ConfigError
from commonground.reading import whole_number

TOKEN = "COMMONGROUND_LIVE_TOKEN"  # noqa: S105 - the name of a variable


def token() -> bytes:
    """Return what both sides know; ConfigError if nobody said it."""
    value = os.environ.get(TOKEN, "")
    if len(value) < 16:
        raise ConfigError(
            f"set the environment variable {TOKEN} to 16 letters or more, on both sides"
        )
    return value.encode()


def address(text: str) -> tuple[str, int]:
    """Return host and port; ConfigError if it is neither."""
    host, _, port = text.rpartition(":")
    number = whole_number(port)
    if not host or number is None or number > 65535:
        raise ConfigError(f"{text}: write it as host:port")
    return host, number
