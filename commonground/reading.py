"""Reading with bounds: regular files, and no more bytes, depth, repetitions or time than honest data needs.

Whatever comes from outside is read through this module. What hits a bound raises BoundError, which says
which one it was; it is a known error and is never taken for an answer such as "there is no plan".
"""

from __future__ import annotations

import contextlib
import errno
import gzip
import io
import json
import math
import os
import stat
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from commonground.arguments import of_kind
from commonground.errors import DataError
from commonground.reasons import reason

MB = 1 << 20
TEXT_MB = 64
"""Of a text that people or other programs wrote; PDDL, pose graphs, trajectories, facts."""
SCENE_MB = 2048
"""Of a scene graph, its mesh among it, or a mesh by itself."""
IMAGE_MB = 64
NETWORK_MB = 512
ARRAYS_MB = 1024
"""Of all the arrays of an archive together, unpacked."""
LONGEST_WORD = 100
"""Letters of a word; what is longer is no word, and looking for what it may mean takes time and memory."""
LONGEST_SPEECH = 4000
"""Characters of an instruction, a report or a question."""
# How much of anything may be asked for at once, on the command line and in files: far above what anybody has
# needed, and low enough that the answer is a line at once, not a machine that no longer answers.
MOST_ROBOTS = 50
"""Of one team, wherever robots are named: in files, on the command line, and in maps to be fused."""
MOST_JOBS = 256
"""Processes of one command."""
MOST_SEED = 2**63 - 1
"""Seeds are not larger, so that every library takes them."""
MOST_PLACES = 100_000
"""Of a site that is made up to be planned on."""
LONGEST_DRIVE_M = 50_000.0
"""Of one robot that is simulated."""
LONGEST_S = 1e9
"""Seconds into a recording."""
_MOST_DIGITS = 18
_DEFLATE_MOST = 1100
"""How many times its size a packed file can have unpacked, at the very most."""
_KINDS = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)


class NotJsonError(DataError, json.JSONDecodeError):
    """A text is no JSON. It is a known error too: where nobody says more, a user is told this much."""

    def __init__(self, where: object, error: json.JSONDecodeError) -> None:
        json.JSONDecodeError.__init__(self, error.msg, error.doc, error.pos)
        self.args = (f"{where}: {reason(error)}",)


class NotTextError(DataError, UnicodeDecodeError):
    """Bytes are no UTF-8 text; a known error too."""

    def __init__(self, where: object, error: UnicodeDecodeError) -> None:
        UnicodeDecodeError.__init__(
            self, error.encoding, error.object, error.start, error.end, error.reason
        )
        self.where = where

    def __str__(self) -> str:
        return f"{self.where}: {reason(self)}"


class BoundError(DataError):
    """What is read is no regular file, or larger, deeper or slower to read than honest data is."""


# ---- files --------------------------------------------------------------------------------------


def opened(path: str | Path) -> IO[bytes]:
    """Open a regular file; OSError as ever, BoundError for pipes, devices and sockets."""
    # a pipe without a writer would be waited for
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if error.errno == errno.ENXIO:
            raise BoundError(f"{path}: is a socket; only regular files are read") from error
        raise
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        for is_kind, kind in _KINDS:
            if is_kind(mode):
                raise BoundError(f"{path}: is {kind}; only regular files are read")
    except BaseException:
        os.close(descriptor)
        raise
    return os.fdopen(descriptor, "rb")


def check_file(path: str | Path, most_mb: int) -> None:
    """Check a file that a library reads by itself: it must be regular, and not larger than the bound."""
    with opened(path) as file:
        _check_size(path, os.fstat(file.fileno()).st_size, most_mb)


def read_bytes(path: str | Path, most_mb: int = TEXT_MB) -> bytes:
    """Return the bytes of a regular file; OSError as ever, BoundError for more than it may hold."""
    with opened(path) as file:
        _check_size(path, os.fstat(file.fileno()).st_size, most_mb)
        data = file.read(most_mb * MB + 1)  # it may have grown, or not tell its size
    _check_size(path, len(data), most_mb)
    return data


def read_text(path: str | Path, most_mb: int = TEXT_MB, *, errors: str = "strict") -> str:
    """Return the UTF-8 text of a regular file, without a byte order mark, lines ended by ``\\n``."""
    try:
        text = read_bytes(path, most_mb).decode("utf-8", errors)
    except UnicodeDecodeError as error:
        raise NotTextError(path, error) from error
    text = text.removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _check_size(path: str | Path, size: int, most_mb: int) -> None:
    if size > most_mb * MB:
        raise BoundError(f"{path}: is larger than the {most_mb} MB that are read of such a file")


# ---- JSON ---------------------------------------------------------------------------------------


def parse_json(text: str | bytes, where: object, *, once: bool = False) -> Any:
    """Return the value of a JSON text; NotJsonError, NotTextError, or BoundError for depth and digits.

    With ``once`` a key that is written twice is a DataError, where JSON would silently take the last.
    """

    def keyed(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in found if keys.count(key) > 1)
            raise DataError(f"{where}: '{twice}' is there twice")
        return found

    try:
        return json.loads(text, object_pairs_hook=keyed if once else None)
    except json.JSONDecodeError as error:
        raise NotJsonError(where, error) from error
    except UnicodeDecodeError as error:
        raise NotTextError(where, error) from error
    except RecursionError as error:
        raise BoundError(f"{where}: the JSON is nested too deeply") from error
    except ValueError as error:  # the only other: Python's limit on digits
        raise BoundError(f"{where}: the JSON has a number of too many digits") from error


def read_json(path: str | Path, most_mb: int = TEXT_MB, *, once: bool = False) -> Any:
    """Return the JSON value of a regular file; ``once`` is that of `parse_json`."""
    return parse_json(read_bytes(path, most_mb), path, once=once)


# ---- archives ----------------------------------------------------------------------------------


def read_arrays(path: str | Path, most_mb: int = ARRAYS_MB) -> dict[str, Any]:
    """Return the arrays of an npz file; nothing is allocated that its bytes do not bear out.

    Raises what NumPy and zipfile raise for damaged files, and BoundError.
    """
    with archive(path, most_mb) as found:
        return {
            entry.filename.removesuffix(".npy"): _array(found, entry, path)
            for entry in found.infolist()
        }


@contextlib.contextmanager
def archive(path: str | Path, most_mb: int = ARRAYS_MB) -> Iterator[zipfile.ZipFile]:
    """Open a zip file that unpacks to no more than its bytes can hold; zipfile's errors, and BoundError."""
    with opened(path) as file, zipfile.ZipFile(file) as found:
        entries = found.infolist()
        for entry in entries:
            if entry.file_size > _DEFLATE_MOST * (entry.compress_size + 1):
                raise BoundError(f"{path}: '{entry.filename}' claims more than its bytes can hold")
        if sum(entry.file_size for entry in entries) > most_mb * MB:
            raise BoundError(f"{path}: what it holds would take more than {most_mb} MB")
        yield found


def _array(pack: zipfile.ZipFile, entry: zipfile.ZipInfo, path: str | Path) -> Any:
    import numpy as np

    with pack.open(entry) as stream:
        version = np.lib.format.read_magic(stream)
        read = {
            (1, 0): np.lib.format.read_array_header_1_0,
            (2, 0): np.lib.format.read_array_header_2_0,
        }.get(version)
        if read is None:
            raise ValueError(f"'{entry.filename}' is an array of an unknown version")
        shape, _, kind = read(stream)
        if not kind.hasobject and math.prod(shape) * kind.itemsize > entry.file_size:
            raise BoundError(f"{path}: '{entry.filename}' claims more values than it holds")
    with pack.open(entry) as stream:
        return np.lib.format.read_array(stream, allow_pickle=False)


def unpacked(data: bytes, where: object, most_bytes: int) -> bytes:
    """Return the bytes that gzip packed; BoundError for too many, and gzip's errors for damage."""
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
        found = stream.read(most_bytes + 1)
    if len(found) > most_bytes:
        raise BoundError(f"{where}: would take more than {most_bytes // MB} MB unpacked")
    return found


# ---- numbers and words ------------------------------------------------------------------------


def whole_number(text: str) -> int | None:
    """Return the number that decimal digits are; None for what is none, or has more than a column holds."""
    return int(text) if text.isdecimal() and len(text) <= _MOST_DIGITS else None


def check_speech(text: str) -> None:
    """Raise BoundError for what nobody says: too long, or with a word that is too long for one."""
    if len(of_kind(text, str, "what is said", BoundError)) > LONGEST_SPEECH:
        raise BoundError(
            f"the text has {len(text)} characters, and at most {LONGEST_SPEECH} are read at once; "
            "say it in parts"
        )
    longest = max(map(len, text.split()), default=0)
    if longest > LONGEST_WORD:
        raise BoundError(
            f"a word of {longest} letters is too long; at most {LONGEST_WORD} are read"
        )
