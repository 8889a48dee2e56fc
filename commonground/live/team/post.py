"""Maps of robots that are mapped on other machines, sent to the base station over a socket.

Who connects has to know the token, which never travels (HMAC of a challenge). Only what is new since the last
packet that was acknowledged is sent; a robot out of reach keeps what it has to say, and catches up.
"""

from __future__ import annotations

import json
import secrets
import tarfile
import threading
import time
import zlib
from collections.abc import Collection
from dataclasses import dataclass, field
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from typing import Any

from commonground.atomic import write_bytes, write_text
from commonground.errors import MALFORMED, CommongroundError, ConfigError, MappingError
from commonground.live.team.folder import MAPS, SKETCHES, LiveFolder
from commonground.live.team.packets import applied, digest, packet
from commonground.live.team.parcels import files_of, packed
from commonground.live.team.tables import Table
from commonground.live.team.token import TOKEN, address, token
from commonground.live.team.travelling import save_tables, sketch_of, tables_of
from commonground.mapping.fusion.inputs import load_run
from commonground.names import within
from commonground.reading import BoundError, parse_json, read_bytes, read_json
from commonground.reasons import reason

MOST_BYTES = 1 << 30
MOST_MB = 1024
AGAIN_S = 1.0
STATE_S = 10.0
"""A robot's state is brought this often at most, unless there is more to bring."""
LOST = (OSError, EOFError)
ENDED = ("done", "failed")
EVERY = {SKETCHES: 10, MAPS: 25}
"""Keyframes, of which there is one a meter, that a map has to have more before it is brought again. Objects
and path alone are brought while the base has robots that are not joined."""
OK, ANEW = "ok", "anew"


@dataclass(slots=True)
class Acknowledged:
    """What of a robot's map the base has, as both sides keep it on disk."""

    file: Path
    tables: dict[str, Table] = field(default_factory=dict)

    @staticmethod
    def kept(file: Path) -> Acknowledged:
        """Return what a file keeps; nothing if there is none, or it is damaged: then all is sent anew."""
        if not file.is_file():
            return Acknowledged(file)
        try:
            return Acknowledged(file, applied({}, read_bytes(file, MOST_MB)))
        except MALFORMED:
            return Acknowledged(file)

    def keep(self, tables: dict[str, Table]) -> None:
        """Take note of what is acknowledged now."""
        self.tables = tables
        write_bytes(self.file, packet({}, tables))


class Receiver:
    """The base station's side: takes states and maps of some robots into a live folder."""

    def __init__(self, folder: LiveFolder, robots: Collection[str], listen: str) -> None:
        self.folder, self.robots = folder, frozenset(robots)
        try:
            self._listener = Listener(address(listen), authkey=token())
        except OSError as error:
            raise ConfigError(f"{listen}: cannot be listened at: {error.strerror}") from error
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._listener.address[1])

    def close(self) -> None:
        """Listen no more."""
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                connection = self._listener.accept()
            except AuthenticationError:
                continue  # whoever that was does not know the token
            except LOST:
                if getattr(self._listener, "_listener", None) is None:
                    return
                continue
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: Connection) -> None:
        try:
            with connection:
                guest = Guest(self, connection)
                while guest.answered():
                    pass
        except (*LOST, *MALFORMED, zlib.error, tarfile.TarError, BoundError):
            return  # it connects again


class Guest:
    """One connection of a robot, at the base."""

    def __init__(self, host: Receiver, connection: Connection) -> None:
        self.folder, self.robots, self._connection = host.folder, host.robots, connection
        self._robot, self._state = "", b""
        self._has: Acknowledged | None = None

    def answered(self) -> bool:
        """Take what comes next and answer it; return whether there may be more."""
        header = parse_json(self._connection.recv_bytes(1 << 20), "a header")
        answer = self._taken(header, self._connection.recv_bytes(MOST_BYTES))
        answer["joined"] = bool(self.folder.told_team().get("all_joined", False))
        self._connection.send_bytes(json.dumps(answer).encode())
        return bool(answer.get("said") in (OK, ANEW))

    def _taken(self, header: dict[str, Any], data: bytes) -> dict[str, Any]:
        """Write what came and return what is acknowledged: it is not lost any more."""
        if header["kind"] == "hello":
            return self._greeted(str(header["robot"]), str(header["run"]))
        if self._has is None:
            return {"said": "who are you?"}
        try:
            if header["kind"] == "state":
                self._tell(data)
            elif header["kind"] == "files":
                for name, content in files_of(data):
                    write_bytes(within(self.folder.run, "robots", self._robot, name), content)
            elif not self._grown(self._has, header, data):
                return {"said": ANEW}
        except (CommongroundError, OSError) as error:
            return {"said": reason(error)}
        return {"said": OK}

    def _greeted(self, robot: str, run: str) -> dict[str, Any]:
        if robot not in self.robots:
            return {"said": "nobody of that name is in this team"}
        known = within(self.folder.run, "live", "received", f"{robot}.json")
        if not known.is_file():
            write_text(known, json.dumps({"run": run}) + "\n")
        if read_json(known)["run"] != run:
            return {"said": "another robot of that name sends its map already"}
        self._robot = robot
        self._has = Acknowledged.kept(known.with_suffix(".packet"))
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
            save_tables(tables, self._robot, within(self.folder.run, "robots", self._robot))
        else:
            whole = tables if header["whole"] else {k: tables[k] for k in header["tables"]}
            self.folder.take_over(
                self._robot, lambda place: save_tables(whole, self._robot, place), kind
            )
        has.keep(tables)
        return True


class Courier:
    """The robot's side: brings to the base station what its robot says, until it has said all."""

    def __init__(
        self, folder: LiveFolder, robot: str, base: str, *, everything: bool = False
    ) -> None:
        self.folder, self.robot, self.base, self._token = folder, robot, address(base), token()
        self.everything = everything
        """Whether the finished map is brought with its mesh and pictures too."""
        place = within(folder.run, "live", "sent", f"{robot}.json")
        kept: dict[str, Any] = read_json(place) if place.is_file() else {}
        self._place, self.sent = place, {MAPS: 0, SKETCHES: 0}
        """Numbers of the last maps that were acknowledged."""
        self.run_id = str(kept.get("run", "")) or secrets.token_hex(8)
        self.bytes = int(kept.get("bytes", 0))
        """All that went over the wire so far, to the base."""
        self._has = Acknowledged.kept(place.with_suffix(".packet"))
        self._state, self._told, self._told_s = b"", b"", 0.0
        self._joined, self._keyframes = False, 0
        self._note()

    def run(self) -> None:
        """Go to and fro until the end is acknowledged; the base may come and go meanwhile."""
        while True:
            try:
                with Client(self.base, authkey=self._token) as connection:
                    self._greet(connection)
                    while not self.once(connection):
                        time.sleep(AGAIN_S)
                return
            except AuthenticationError as error:
                raise ConfigError(f"the base has another {TOKEN}") from error
            except (*LOST, MappingError):  # or a map gave way to a newer one while it was read
                time.sleep(AGAIN_S)

    def once(self, connection: Connection) -> bool:
        """Bring what is new; return whether that was the last."""
        state = self.folder.told(self.robot)
        ended = state.get("state") == "done"
        home = within(self.folder.run, "robots", self.robot)
        if ended:
            self._bring_map(connection, home, whole=True, ended=True)
            if self.everything:
                self._bring(connection, {"kind": "files"}, packed(home))
        else:
            for kind, count in ((SKETCHES, "sketched"), (MAPS, "handed")):
                newest, keyframes = self.folder.newest(self.robot, kind), state.get(count, 0)
                grown = keyframes >= self._keyframes + EVERY[kind]
                if newest is None or newest[0] <= self.sent[kind] or not grown:
                    continue
                if kind == MAPS or not self._joined:
                    self._bring_map(connection, newest[1], whole=kind == MAPS, ended=False)
                    self.sent[kind], self._keyframes = newest[0], keyframes
        self._bring_state(connection, state)
        return state.get("state") in ENDED

    def _greet(self, connection: Connection) -> None:
        """Say who comes, and learn what the base has."""
        self._state = self._told = b""
        hello = {"kind": "hello", "robot": self.robot, "run": self.run_id}
        if self._bring(connection, hello, b"").get("digest") != digest(self._has.tables):
            self._has.tables = {}  # it has something else: all is sent anew

    def _bring_map(self, connection: Connection, place: Path, *, whole: bool, ended: bool) -> None:
        """Bring what a map has that the base does not have."""
        run = load_run(place)
        new = tables_of(run, ended) if whole else sketch_of(run)
        before = self._has.tables
        after = {**before, **new}
        header = {
            "kind": "packet",
            "anew": not before,
            "whole": whole,
            "ended": ended,
            "tables": list(new),
            "digest": digest(after),
        }
        if self._bring(connection, header, packet(before, after))["said"] == ANEW:
            header |= {"anew": True}
            self._bring(connection, header, packet({}, after))
        self._has.keep(after)
        self._note()

    def _bring_state(self, connection: Connection, state: dict[str, Any]) -> None:
        """Bring the state, if it says anything new of the map or nothing was said for a while."""
        plain = json.dumps(state, sort_keys=True).encode()
        over = state.get("state") in ENDED
        if plain == self._told or not (over or time.monotonic() - self._told_s > STATE_S):
            return
        small = zlib.compressobj(9, zdict=self._state)
        self._bring(connection, {"kind": "state"}, small.compress(plain) + small.flush())
        self._state = self._told = plain
        self._told_s = time.monotonic()

    def _bring(self, connection: Connection, header: dict[str, Any], data: bytes) -> dict[str, Any]:
        head = json.dumps(header, separators=(",", ":")).encode()
        connection.send_bytes(head)
        connection.send_bytes(data)
        self.bytes += len(head) + len(data)
        answer: dict[str, Any] = parse_json(connection.recv_bytes(10_000), "an answer")
        self._joined = bool(answer.get("joined", False))
        if answer["said"] not in (OK, ANEW):
            raise ConfigError(f"the base says of {self.robot}: {answer['said']}")
        return answer

    def _note(self) -> None:
        write_text(self._place, json.dumps({"run": self.run_id, "bytes": self.bytes}) + "\n")
