"""Which proxy stands between here and a server: as the environment says, but never before this machine."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from importlib.util import find_spec
from ipaddress import ip_address
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from commonground.errors import GroundingError


class ProxyError(GroundingError):
    """A proxy is named that cannot be used."""


@dataclass(frozen=True, slots=True)
class Proxy:
    """A proxy and what names it."""

    address: str = field(repr=False)
    """It may hold a password, and is not printed."""
    named_by: str

    @property
    def shown(self) -> str:
        parts = urlsplit(self.address)
        return f"{parts.hostname or 'a proxy'}, which {self.named_by} names"


def proxy_for(url: str) -> Proxy | None:
    """Return the proxy for an address; none for this machine, nor for what NO_PROXY lists."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    # NO_PROXY may list an IPv6 address without the brackets that it has in a URL
    if is_loopback(host) or proxy_bypass(parts.netloc.rpartition("@")[2]) or proxy_bypass(host):
        return None
    named = getproxies()
    kind = next((kind for kind in (parts.scheme, "all") if named.get(kind)), None)
    if kind is None:
        return None
    address = named[kind]
    whole = address if "://" in address else f"http://{address}"
    proxy = Proxy(whole, _variable(kind))
    _check(proxy, host)
    return proxy


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine itself."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _check(proxy: Proxy, host: str) -> None:
    try:
        parts = urlsplit(proxy.address)
        usable = bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port or an IPv6 address that cannot be
        usable = False
    if not usable:
        raise ProxyError(
            f"{proxy.named_by} names no address of a proxy, such as http://proxy.example:3128 (in a "
            f"password, write / as %2F, # as %23 and @ as %40); or put {host} into NO_PROXY"
        )
    scheme = parts.scheme
    if scheme in ("socks5", "socks5h"):
        if find_spec("socksio") is None:
            raise ProxyError(
                f"{proxy.named_by} names a SOCKS proxy, which needs the package socksio: "
                f"pip install 'httpx[socks]', or put {host} into NO_PROXY"
            )
    elif scheme not in ("http", "https"):
        raise ProxyError(
            f"{proxy.named_by} names a proxy of a kind ({scheme}) that is not known: "
            f"http, https and socks5 are; or put {host} into NO_PROXY"
        )


def _variable(kind: str) -> str:
    """Return the environment variable that names the proxy of a kind."""
    names = (f"{kind}_proxy", f"{kind}_PROXY".upper())
    return next((name for name in names if os.environ.get(name)), "the system")
