"""Why two ends do not come to speak in private, and what to change: trying again is of no use."""

from __future__ import annotations

import os

from commonground.errors import GroundingError
from commonground.reasons import reason

_PROBE_S = 1.0
"""How long a server that broke off is asked whether it speaks TLS."""


class NotTrustedError(GroundingError):
    """The certificate is not trusted, or one end speaks TLS and the other does not."""


def unreadable(error: OSError) -> NotTrustedError:
    """Return that certificates could not be read."""
    name = next((n for n in ("SSL_CERT_FILE", "SSL_CERT_DIR") if os.environ.get(n)), "")
    named = f"{name} names {os.environ[name]}, which" if name else "what is trusted here"
    return NotTrustedError(f"{named} cannot be read as certificates: {reason(error)}")


def distrust(where: str, said: str) -> str:
    """Return what to do where TLS failed; empty where it did not."""
    if "CERTIFICATE_VERIFY_FAILED" in said:
        why = said.partition("certificate verify failed: ")[2].partition(" (_ssl")[0]
        return (
            f"the certificate of {where} is not trusted ({why or 'it cannot be verified'}): if it is one of "
            "your own, set the environment variable SSL_CERT_FILE to the PEM file of who signed it"
        )
    if "WRONG_VERSION_NUMBER" in said or "RECORD_LAYER_FAILURE" in said:
        return f"{where} speaks no TLS: its address begins with http://"
    return f"no TLS with {where}: {said}" if "[SSL" in said else ""


async def speaks_tls(scheme: str, host: str | None, port: int | None) -> bool:
    """Return whether who broke off a plain connection takes one with TLS."""
    import asyncio
    import ssl

    if scheme != "http" or host is None:
        return False
    anybody = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # nothing is sent over it
    anybody.check_hostname, anybody.verify_mode = False, ssl.CERT_NONE
    try:
        async with asyncio.timeout(_PROBE_S):
            _, writer = await asyncio.open_connection(host, port or 80, ssl=anybody)
    except (OSError, TimeoutError):
        return False
    writer.close()
    return True
