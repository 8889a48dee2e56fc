"""Who may come in: the rules of the console's door, for the page and for the socket behind it.

On loopback, a page of another site must not reach the console through somebody's browser, so the ``Host`` and
the ``Origin`` have to be its own. On any other address a token is asked for as well.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Literal
from urllib.parse import parse_qs, urlsplit

LOCAL = ("localhost", "127.0.0.1", "::1")
SAFE_HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": (
        "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; "
        "connect-src 'self' ws: wss: data: blob:; "
        "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
}
"""Of every answer: nothing is fetched from elsewhere, and no other page may hold this one in a frame."""


def is_loopback(host: str) -> bool:
    """Return whether only this machine reaches an address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def fresh_token() -> str:
    """Return a token that nobody guesses."""
    return secrets.token_urlsafe(24)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of a request."""

    kind: Literal["pass", "refuse", "enter"]
    """``enter``: the token was right; it becomes a cookie, and leaves the address."""
    why: str = ""
    cookie: str = ""


PASS = Verdict("pass")


@dataclass(frozen=True, slots=True)
class Door:
    """The rules for one address."""

    host: str
    token: str = ""
    """Empty on loopback."""

    def verdict(self, path: str, headers: Mapping[str, str], *, socket: bool) -> Verdict:
        """Return whether a request may pass."""
        at = headers.get("Host", "")
        if not self.token and _name(at) not in LOCAL:
            return Verdict("refuse", "open the console by its own address")
        origin = headers.get("Origin", "")
        if (socket or origin) and urlsplit(origin).netloc.lower() != at.lower():
            return Verdict("refuse", "the console answers its own page only")
        if not self.token:
            return PASS
        given = parse_qs(urlsplit(path).query).get("token", [""])[-1]
        if not socket and given and self._right(given):
            cookie = f"{_cookie_of(at)}={self.token}; Path=/; HttpOnly; SameSite=Strict"
            return Verdict("enter", cookie=cookie)
        if self._right(_kept(headers.get("Cookie", ""), _cookie_of(at))):
            return PASS
        return Verdict("refuse", "this console asks for a token; open the address that it printed")

    def _right(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self.token.encode())


def browser_of(at: str, cookies: str) -> str:
    """Return what a browser is known by, from the cookies that it sends; empty before it got one."""
    return _kept(cookies, f"{_cookie_of(at)}_browser")


def new_browser(at: str) -> str:
    """Return a cookie by which a browser is known from now on."""
    known = secrets.token_urlsafe(12)
    return f"{_cookie_of(at)}_browser={known}; Path=/; HttpOnly; SameSite=Strict"


def _name(at: str) -> str:
    """Return the host of a Host header, without its port."""
    try:
        return (urlsplit(f"//{at}").hostname or "").lower()
    except ValueError:
        return ""


def _cookie_of(at: str) -> str:
    """Return the name of the cookie; browsers share cookies between the ports of a host."""
    port = at.rpartition(":")[2]
    return f"commonground_{port if port.isdigit() else 80}"


def _kept(header: str, name: str) -> str:
    try:
        cookies = SimpleCookie(header)
    except CookieError:
        return ""
    return cookies[name].value if name in cookies else ""
