"""Maps of robots that are mapped on other machines, taken in at the base station over a socket.

Who connects has to know the token, which never travels (HMAC of a challenge). Only what is new since the last
packet that was acknowledged is sent (``courier``).
"""

from __future__ import annotations

import contextlib
import json
import socket
import tarfile
import threading
import zlib
from collections.abc import Callable, Collection
from multiprocessing import AuthenticationError
from multiprocessing.connection import Connection, Listener, answer_challenge, deliver_challenge
from pathlib import Path
from typing import Any

from commonground.atomic import write_bytes, write_text
from commonground.errors import MALFORMED, CommongroundError, ConfigError, RunError
from commonground.live.team.acknowledged import (
    ANEW,
    LATER,
    LOST,
    OK,
    Acknowledged,
    address,
    files_of,
    token,
)
from commonground.live.team.folder import MAPS, SKETCHES, LiveFolder
from commonground.live.team.packets import applied, digest
from commonground.live.team.travelling import save_tables
from commonground.names import within
from commonground.reading import BoundError, parse_json, read_json
from commonground.reasons import reason
from commonground.run_folder import RunFolder

MOST_BYTES = 1 << 30
MOST_TOLD = 100
"""Lines about who called; strangers cannot fill the screen."""
UNWRITTEN = (RunError, OSError)
"""What keeps the base from writing; there may be room again later."""
UNREADABLE = (*MALFORMED, zlib.error, tarfile.TarError, BoundError)


class Receiver:
    """The base station's side: takes states and maps of some robots into a live folder."""

    def __init__(
        self,
        folder: LiveFolder,
        robots: Collection[str],
        listen: str,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.folder, self.robots, self._tell = folder, frozenset(robots), tell
        self._told: set[str] = set()
        self._has: dict[str, Acknowledged] = {}
        self.taking = threading.Lock()
        """Held while something is taken and answered: a robot may call anew before its old connection is
        found dead."""
        try:
            self._listener, self._token = Listener(address(listen)), token()
        except OSError as error:
            raise ConfigError(f"{listen}: cannot be listened at: {error.strerror}") from error
        self._closed = threading.Event()
        self._accepting = threading.Thread(target=self._accept, daemon=True)
        self._accepting.start()

    def has(self, robot: str, file: Path) -> Acknowledged:
        """Return what is here of a robot's map, the same for all its connections."""
        if robot not in self._has:
            self._has[robot] = Acknowledged.kept(file)
        return self._has[robot]

    def tell(self, line: str) -> None:
        """Say once who was turned away, and who is there."""
        if line not in self._told and len(self._told) < MOST_TOLD:
            self._told.add(line)
            self._tell(line)

    @property
    def port(self) -> int:
        return int(self._listener.address[1])

    def close(self) -> None:
        self._closed.set()
        # a thread that waits for a connection holds the port until one comes
        with contextlib.suppress(OSError), socket.create_connection(self._listener.address, 1.0):
            pass
        self._accepting.join(10.0)
        with self.taking:  # who is not told that its last word was taken would call for ever
            self._listener.close()

    def _accept(self) -> None:
        while not self._closed.is_set():
            try:
                connection = self._listener.accept()
            except LOST:
                continue  # whoever that was went away
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: Connection) -> None:
        try:
            with connection:
                # here and not where it is accepted, so that nobody waits for one that says nothing
                deliver_challenge(connection, self._token)
                answer_challenge(connection, self._token)
                guest = Guest(self, connection)
                while guest.answered():
                    pass
        except AuthenticationError:
            self.tell("somebody called who has another token, and was turned away")
        except (*LOST, *UNREADABLE, CommongroundError):
            return  # it connects again


class Guest:
    """One connection of a robot, at the base."""

    def __init__(self, host: Receiver, connection: Connection) -> None:
        self.folder, self._host, self._connection = host.folder, host, connection
        self._robot, self._state = "", b""
        self._has: Acknowledged | None = None

    def answered(self) -> bool:
        """Take what comes next and answer it; return whether there may be more."""
        header = parse_json(self._connection.recv_bytes(1 << 20), "a header")
        data = self._connection.recv_bytes(MOST_BYTES)
        with self._host.taking:
            try:
                answer = self._taken(header, data)
            except UNWRITTEN as error:
                answer = {"said": LATER, "why": reason(error)}
            except (CommongroundError, *UNREADABLE) as error:
                answer = {"said": f"what came cannot be used: {reason(error)}"}
            answer["joined"] = bool(self.folder.told_team().get("all_joined", False))
            self._connection.send_bytes(json.dumps(answer).encode())
        return bool(answer["said"] in (OK, ANEW))

    def _taken(self, header: dict[str, Any], data: bytes) -> dict[str, Any]:
        """Write what came and return what is acknowledged: it is not lost any more."""
        if header["kind"] == "hello":
            return self._greeted(str(header["robot"]), str(header["run"]))
        if self._has is None:
            return {"said": "who are you?"}
        if header["kind"] == "state":
            self._tell(data)
        elif header["kind"] == "files":
            for name, content in files_of(data):
                write_bytes(within(RunFolder(self.folder.run).robot(self._robot), name), content)
        elif not self._grown(self._has, header, data):
            return {"said": ANEW}
        return {"said": OK}

    def _greeted(self, robot: str, run: str) -> dict[str, Any]:
        if robot not in self._host.robots:
            self._host.tell(
                f"{robot[:80]!r} called, which is not in this team, and was turned away"
            )
            return {"said": "nobody of that name is in this team"}
        known = within(self.folder.run, "live", "received", f"{robot}.json")
        if not known.is_file():
            write_text(known, json.dumps({"run": run}) + "\n")
        if read_json(known)["run"] != run:
            self._host.tell(f"{robot}: another robot of that name called, and was turned away")
            return {"said": "another robot of that name sends its map already"}
        self._host.tell(f"{robot}: sends its map")
        self._robot = robot
        self._has = self._host.has(robot, known.with_suffix(".packet"))
        return {"said": OK, "digest": digest(self._has.tables)}

    def _tell(self, data: bytes) -> None:
        """Take a state, which is packed by what it has in common with the one before."""
        plain = zlib.decompressobj(zdict=self._state).decompress(data, 1 << 20)
        self.folder.tell(self._robot, {**parse_json(plain, "a state"), "robot": self._robot})
        self._state = plain

    def _grown(self, has: Acknowledged, header: dict[str, Any], data: bytes) -> bool:
        """Make the map what a packet says; False if that does not fit what is there."""
        tables = applied({} if header["anew"] else has.tables, data)
        if digest(tables) != header["digest"]:
            return False
        kind = MAPS if header["whole"] else SKETCHES
        if header["ended"]:
            save_tables(tables, self._robot, RunFolder(self.folder.run).robot(self._robot))
        else:
            whole = tables if header["whole"] else {k: tables[k] for k in header["tables"]}
            self.folder.take_over(
                self._robot, lambda place: save_tables(whole, self._robot, place), kind
            )
        has.keep(tables)
        return True
