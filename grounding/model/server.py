"""Where the model is and the key to it; the key goes into one header and nowhere else."""

from __future__ import annotations

import html
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit, urlunsplit

from commonground.errors import GroundingError
from commonground.grounding.settings import ModelSettings

_OWN = "https://api.openai.com/v1"
_PATH = "/chat/completions"
_SHORTEST_KEY = 6
"""Shorter ones are placeholders of local servers, and could be a part of any word."""
_PART = 8
"""So many letters of a key in a row are struck out."""
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")


@dataclass(frozen=True, slots=True)
class Server:
    """An OpenAI-compatible server."""

    url: str
    """The address of chat completions."""
    key: str = field(default="", repr=False)
    named_by: str = "grounding.model.base_url"
    """What names the address: a setting, or an environment variable."""
    key_header: str = ""
    """The header that the key goes into; empty: the usual one."""
    instead: str = ""
    """Where chat completions may be if they are not at the address; empty: nowhere else."""

    @property
    def headers(self) -> Mapping[str, str]:
        """What goes out with each question; nothing is asked for that would have to be unpacked."""
        fixed = {"content-type": "application/json", "accept-encoding": "identity"}
        if self.key_header and self.key_header.lower() != "authorization":
            return {**fixed, self.key_header: self.key or "none"}
        return {**fixed, "authorization": f"Bearer {self.key or 'none'}"}

    @property
    def shown(self) -> str:
        """The address as it may be printed, and what names it; a query may hold a secret."""
        parts = urlsplit(self.url)
        names = "&".join(
            f"{k}={v if k == 'api-version' else '…'}" for k, v in parse_qsl(parts.query)
        )
        named = f" (named by {self.named_by})" if self.named_by else ""
        return f"{urlunsplit(parts._replace(query=names, fragment=''))}{named}"

    def without_key(self, text: str) -> str:
        """Return a text of the server with the key struck out, should it repeat it or a part of it.

        Where the key stands in it escaped, the text comes back unescaped.
        """
        if len(self.key) < _SHORTEST_KEY:
            return text
        plain = unquote(html.unescape(_ESCAPED.sub(lambda m: chr(int(m[1], 16)), text)))
        return _struck(
            plain if _parts(self.key, plain) > _parts(self.key, text) else text, self.key
        )


def _struck(text: str, key: str) -> str:
    """Return a text with stars for every part of a key that tells something of it."""
    secret = [False] * len(text)
    size = min(_PART, len(key))
    for at in _where(key, text):
        secret[at : at + size] = [True] * size
    runs = groupby(zip(text, secret, strict=True), key=lambda pair: pair[1])
    return "".join("***" if hidden else "".join(c for c, _ in run) for hidden, run in runs)


def _parts(key: str, text: str) -> int:
    return sum(1 for _ in _where(key, text))


def _where(key: str, text: str) -> Iterator[int]:
    """Yield where parts of a key stand in a text."""
    size = min(_PART, len(key))
    known = {key[at : at + size] for at in range(len(key) - size + 1)}
    return (at for at in range(len(text) - size + 1) if text[at : at + size] in known)


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
    address, named_by = _address(settings)
    try:
        parts = urlsplit(address)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that cannot be
        usable = False
    if not usable:
        shown = "" if "@" in address else f" {address.partition('?')[0]!r}"
        raise GroundingError(
            f"{named_by}:{shown} is no http:// or https:// address with a host, such as "
            "http://localhost:8000/v1"
        )
    if parts.username or parts.password:
        raise GroundingError(
            f"{named_by}: the model's address holds a password, and addresses are printed and saved: put "
            f"the key into the environment variable {settings.api_key_variable}"
        )
    key = os.environ.get(settings.api_key_variable, "").strip()
    if not (key.isascii() and key.isprintable()):
        raise GroundingError(f"{settings.api_key_variable} holds no key: keys are plain text")
    header = settings.api_key_header or ("api-key" if "api-version=" in parts.query else "")
    bare = not parts.path.rstrip("/")  # a few hosts serve without /v1
    instead = urlunsplit(parts._replace(path=_PATH, fragment="")) if bare else ""
    return Server(_completions(parts), key, named_by, header, instead)


def _address(settings: ModelSettings) -> tuple[str, str]:
    if settings.base_url:
        return settings.base_url.strip(), "grounding.model.base_url"
    named = os.environ.get("OPENAI_BASE_URL", "").strip()
    return (named, "OPENAI_BASE_URL") if named else (_OWN, "")


def _completions(parts: SplitResult) -> str:
    """Return the address of chat completions: the whole of it may be given, or where it begins.

    A host alone is one of OpenAI's kind, which mostly serve below ``/v1``; a query stays behind.
    """
    path = parts.path.rstrip("/")
    if not path.endswith(_PATH):
        path = f"{path or '/v1'}{_PATH}"
    return urlunsplit(parts._replace(path=path, fragment=""))
