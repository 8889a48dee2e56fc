"""Where the model is and the key to it; the key goes into one header and nowhere else."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from commonground.errors import GroundingError
from commonground.grounding.settings import ModelSettings

_OWN = "https://api.openai.com/v1"
_SHORTEST_KEY = 6
"""Shorter ones are placeholders of local servers, and could be a part of any word."""


@dataclass(frozen=True, slots=True)
class Server:
    """An OpenAI-compatible server."""

    base_url: str
    key: str = field(default="", repr=False)

    @property
    def url(self) -> str:
        """The address of chat completions."""
        return f"{self.base_url}/chat/completions"

    @property
    def headers(self) -> Mapping[str, str]:
        """What goes out with each question; nothing is asked for that would have to be unpacked."""
        fixed = {"content-type": "application/json", "accept-encoding": "identity"}
        return {**fixed, "authorization": f"Bearer {self.key or 'none'}"}

    def without_key(self, text: str) -> str:
        """Return a text of the server with the key struck out, should it repeat it."""
        return text.replace(self.key, "***") if len(self.key) >= _SHORTEST_KEY else text


def is_set_up(settings: ModelSettings) -> bool:
    """Return whether a server or a key is set at all."""
    address = settings.base_url or os.environ.get("OPENAI_BASE_URL")
    return bool(address or os.environ.get(settings.api_key_variable))


def server_of(settings: ModelSettings) -> Server:
    """Return the server that settings and environment name; GroundingError if there is none."""
    if not is_set_up(settings):
        raise GroundingError(
            "no language model is set up: set OPENAI_BASE_URL (a local server) or "
            f"{settings.api_key_variable}, or use the offline front end"
        )
    address = settings.base_url or os.environ.get("OPENAI_BASE_URL") or _OWN
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise GroundingError("the model's address is no http:// or https:// address with a host")
    if parts.username or parts.password:
        raise GroundingError(
            "the model's address holds a password, and addresses are printed and saved: put the key into "
            f"the environment variable {settings.api_key_variable}"
        )
    key = os.environ.get(settings.api_key_variable, "").strip()
    if not (key.isascii() and key.isprintable()):
        raise GroundingError(f"{settings.api_key_variable} holds no key: keys are plain text")
    return Server(address.rstrip("/"), key)
