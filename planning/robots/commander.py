"""One commander for a robot that has no lease of its own: a lock on this computer, by the robot's address."""

from __future__ import annotations

import fcntl
import hashlib
import os
import tempfile
from pathlib import Path
from typing import IO

from commonground.names import within
from commonground.planning.robots.protocol import RobotError


class Command:
    """The right to command what is at an address; the system gives it back when the program ends."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._file: IO[bytes] | None = None

    def take(self) -> None:
        """Take it; RobotError while another program on this computer has it."""
        name = hashlib.sha256(self.address.encode()).hexdigest()[:16]
        folder = within(Path(tempfile.gettempdir()), f"commonground-{os.getuid()}")
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
            file = within(folder, f"{name}.lock").open("ab")
        except OSError as error:
            raise RobotError(f"{folder}: no lock can be made there ({error.strerror})") from error
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            file.close()
            raise RobotError(
                f"{self.address} is commanded by another mission; stop it, or wait for its end"
            ) from error
        self._file = file

    def give_back(self) -> None:
        """Let others command it."""
        if self._file is not None:
            self._file.close()
            self._file = None
