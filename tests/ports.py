"""Ports for programs that are told where to listen."""

from __future__ import annotations

import socket
from random import SystemRandom

NEVER_LENT = range(20_000, 30_000)
"""Ports that no system gives to outgoing connections: one that is free stays free until it is used."""


def free_port() -> int:
    """Return a port of this machine where nobody listens."""
    while True:
        port = SystemRandom().choice(NEVER_LENT)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)):
                return port
