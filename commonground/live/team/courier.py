"""The robot's side of the post: brings its maps to the base station, what is new only.

A robot out of reach keeps what it has to say, and catches up.
"""

from __future__ import annotations

import json
import secrets
import time
import zlib
from collections.abc import Callable
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection
from pathlib import Path
from typing import Any

from commonground.atomic import write_text
from commonground.errors import ConfigError, MappingError, RunError
from commonground.live.team.acknowledged import (
    ANEW,
    LATER,
    LOST,
    OK,
    TOKEN,
    Acknowledged,
    address,
    packed,
    token,
)
from commonground.live.team.folder import MAPS, SKETCHES, LiveFolder
from commonground.live.team.packets import digest, packet
from commonground.live.team.travelling import sketch_of, tables_of
from commonground.mapping.fusion.inputs import load_run
from commonground.names import within
from commonground.reading import parse_json, read_json
from commonground.run_folder import RunFolder

AGAIN_S = 1.0
STATE_S = 10.0
"""A robot's state is brought this often at most, unless there is more to bring."""
ENDED = ("done", "failed")
EVERY = {SKETCHES: 10, MAPS: 25}
"""Keyframes, of which there is one a meter, that a map has to have more before it is brought again. Objects
and path alone are brought while the base has robots that are not joined."""


class Courier:
    """The robot's side: brings to the base station what its robot says, until it has said all."""

    def __init__(
        self,
        folder: LiveFolder,
        robot: str,
        base: str,
        *,
        everything: bool = False,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.folder, self.robot, self.base, self._token = folder, robot, address(base), token()
        self.everything = everything
        """Whether the finished map is brought with its mesh and pictures too."""
        self._tell, self._waits = tell, ""
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
        """Go to and fro until the end is acknowledged; the base may come and go, or be full, meanwhile."""
        while True:
            try:
                with Client(self.base, authkey=self._token) as connection:
                    self._greet(connection)
                    over = False
                    while not over:
                        over = self.once(connection)
                        self._say("")
                        time.sleep(0.0 if over else AGAIN_S)
                return
            except AuthenticationError as error:
                raise ConfigError(
                    f"the base at {self.base[0]}:{self.base[1]} has another {TOKEN}"
                ) from error
            except RunError as error:
                self._say(str(error))
            except LOST:
                self._say(
                    f"the base at {self.base[0]}:{self.base[1]} does not answer; what there is to say is kept"
                )
            except MappingError:  # a map gave way to a newer one while it was read
                pass
            time.sleep(AGAIN_S)

    def _say(self, why: str) -> None:
        """Say once what keeps anything from being sent, and when it does no more."""
        if why != self._waits:
            self._tell(f"{self.robot}: {why or 'sending goes on'}")
        self._waits = why

    def once(self, connection: Connection) -> bool:
        """Bring what is new; return whether that was the last."""
        state = self.folder.told(self.robot)
        ended = state.get("state") == "done"
        home = RunFolder(self.folder.run).robot(self.robot)
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
        if answer["said"] == LATER:
            raise RunError(f"nothing is sent for now, the base says: {answer['why']}")
        if answer["said"] not in (OK, ANEW):
            raise ConfigError(f"the base says of {self.robot}: {answer['said']}")
        return answer

    def _note(self) -> None:
        write_text(self._place, json.dumps({"run": self.run_id, "bytes": self.bytes}) + "\n")
