"""Reading with bounds: regular files, and no more bytes, depth, repetitions or time than honest data needs.

Whatever comes from outside is read through this module. What hits a bound raises BoundError, which says
which one it was; it is a known error and is never taken for an answer such as "there is no plan".
"""

from __future__ import annotations

import errno
import json
import math
import os
import stat
import time
import zipfile
from pathlib import Path
from typing import IO, Any

import numpy as np
import yaml

from commonground.errors import DataError

MB = 1 << 20
TEXT_MB = 64
"""Of a text that people or other programs wrote; PDDL, pose graphs, trajectories, facts."""
YAML_MB = 8
"""Of settings, layouts and tasks; YAML is read slowly."""
SCENE_MB = 2048
"""Of a scene graph, its mesh among it, or a mesh by itself."""
IMAGE_MB = 64
NETWORK_MB = 512
ARRAYS_MB = 1024
"""Of all the arrays of an archive together, unpacked."""
YAML_DEPTH = 60
YAML_VALUES = 500_000
"""Values of a YAML file with every alias written out."""
YAML_LIMIT_S = 20.0
LONGEST_WORD = 100
"""Letters of a word; what is longer is no word, and looking for what it may mean takes time and memory."""
LONGEST_SPEECH = 4000
"""Characters of an instruction, a report or a question."""
_MOST_DIGITS = 18
_DEFLATE_MOST = 1100
"""How many times its size a packed file can have unpacked, at the very most."""
_KINDS = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)


class BoundError(DataError):
    """What is read is no regular file, or larger, deeper or slower to read than honest data is."""


# ---- files --------------------------------------------------------------------------------------


def opened(path: str | Path) -> IO[bytes]:
    """Open a regular file; OSError as ever, BoundError for pipes, devices and sockets."""
    # a pipe without a writer would be waited for
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
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
    """Return the UTF-8 text of a regular file, lines ended by ``\\n``."""
    text = read_bytes(path, most_mb).decode("utf-8", errors)
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _check_size(path: str | Path, size: int, most_mb: int) -> None:
    if size > most_mb * MB:
        raise BoundError(f"{path}: is larger than the {most_mb} MB that are read of such a file")


# ---- JSON ---------------------------------------------------------------------------------------


def parse_json(text: str | bytes, where: object) -> Any:
    """Return the value of a JSON text; JSONDecodeError as ever, BoundError for depth and long numbers."""
    try:
        return json.loads(text)
    except (json.JSONDecodeError, UnicodeDecodeError):
        raise
    except RecursionError as error:
        raise BoundError(f"{where}: the JSON is nested too deeply") from error
    except ValueError as error:  # the only other: Python's limit on digits
        raise BoundError(f"{where}: the JSON has a number of too many digits") from error


def read_json(path: str | Path, most_mb: int = TEXT_MB) -> Any:
    """Return the JSON value of a regular file."""
    return parse_json(read_bytes(path, most_mb), path)


# ---- YAML ---------------------------------------------------------------------------------------


class _Loader(yaml.SafeLoader):
    """A loader that counts while it reads."""

    def __init__(self, text: str, where: object) -> None:
        super().__init__(text)
        self.where, self.depth, self.until = where, 0, time.monotonic() + YAML_LIMIT_S

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        """Return the next node, unless it lies too deep or comes too late."""
        if time.monotonic() > self.until:
            raise BoundError(f"{self.where}: the YAML takes more than {YAML_LIMIT_S:g} s to read")
        if self.depth >= YAML_DEPTH:
            raise BoundError(f"{self.where}: the YAML is nested more than {YAML_DEPTH} deep")
        self.depth += 1
        try:
            return super().compose_node(parent, index)
        finally:
            self.depth -= 1


def parse_yaml(text: str, where: object) -> tuple[yaml.Node | None, Any]:
    """Return the node tree and the value of a YAML text.

    yaml.YAMLError as ever, also for a value that is not what its tag says; BoundError for what is too deep,
    slow, refers to itself, or repeats itself by aliases to more than ``YAML_VALUES`` values.
    """
    loader = _Loader(text, where)
    try:
        node = loader.get_single_node()
        if node is None:
            return None, None
        _expanded(node, where, {})
        _each_key_once(node)
        return node, loader.construct_document(node)
    except (ValueError, ArithmeticError, LookupError, AttributeError, TypeError) as error:
        reason = str(error) or type(error).__name__
        raise yaml.YAMLError(f"a value is not what it looks like: {reason}") from error
    finally:
        loader.dispose()


def _expanded(node: yaml.Node, where: object, known: dict[int, int]) -> int:
    """Return how many values a node stands for with its aliases written out."""
    if isinstance(node, yaml.ScalarNode):
        return 1
    key = id(node)
    if key in known:
        if known[key] == 0:
            raise BoundError(f"{where}: the YAML refers to itself")
        return known[key]
    known[key] = 0
    inner = (
        node.value if isinstance(node, yaml.SequenceNode) else [n for p in node.value for n in p]
    )
    total = 1 + sum(_expanded(each, where, known) for each in inner)
    if total > YAML_VALUES:
        raise BoundError(
            f"{where}: the YAML repeats itself by aliases to more than {YAML_VALUES} values"
        )
    known[key] = total
    return total


def _each_key_once(node: yaml.Node) -> None:
    """Refuse a key that is written twice, of which YAML would silently take the last."""
    if isinstance(node, yaml.SequenceNode):
        for item in node.value:
            _each_key_once(item)
    elif isinstance(node, yaml.MappingNode):
        first: dict[str, int] = {}
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value != "<<":
                if key.value in first:
                    raise yaml.MarkedYAMLError(
                        problem=f"'{key.value}' is there twice, first in line {first[key.value]}",
                        problem_mark=key.start_mark,
                    )
                first[key.value] = key.start_mark.line + 1
            _each_key_once(value)


# ---- arrays -------------------------------------------------------------------------------------


def read_arrays(path: str | Path, most_mb: int = ARRAYS_MB) -> dict[str, Any]:
    """Return the arrays of an npz file; nothing is allocated that its bytes do not bear out.

    Raises what NumPy and zipfile raise for damaged files, and BoundError.
    """
    with opened(path) as file, zipfile.ZipFile(file) as archive:
        entries = archive.infolist()
        for entry in entries:
            if entry.file_size > _DEFLATE_MOST * (entry.compress_size + 1):
                raise BoundError(f"{path}: '{entry.filename}' claims more than its bytes can hold")
        if sum(entry.file_size for entry in entries) > most_mb * MB:
            raise BoundError(f"{path}: its arrays would take more than {most_mb} MB")
        return {
            entry.filename.removesuffix(".npy"): _array(archive, entry, path) for entry in entries
        }


def _array(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, path: str | Path) -> Any:
    with archive.open(entry) as stream:
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
    with archive.open(entry) as stream:
        return np.lib.format.read_array(stream, allow_pickle=False)


# ---- numbers and words ------------------------------------------------------------------------


def whole_number(text: str) -> int | None:
    """Return the number that decimal digits are; None for what is none, or has more than a column holds."""
    return int(text) if text.isdecimal() and len(text) <= _MOST_DIGITS else None


def check_speech(text: str) -> None:
    """Raise BoundError for what nobody says: too long, or with a word that is too long for one."""
    if len(text) > LONGEST_SPEECH:
        raise BoundError(
            f"the text has {len(text)} characters, and at most {LONGEST_SPEECH} are read at once; "
            "say it in parts"
        )
    longest = max(map(len, text.split()), default=0)
    if longest > LONGEST_WORD:
        raise BoundError(
            f"a word of {longest} letters is too long; at most {LONGEST_WORD} are read"
        )
