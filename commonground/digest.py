"""Short names of values, the same for equal ones: they tell whether what a result is made of has changed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel

PLAIN = (str, bytes, bool, int, float, np.generic, type(None))


def digest(*values: Any) -> str:
    """Return the name of values: plain ones, arrays, settings, dataclasses with all their fields, and files.

    A path stands for the file that lies there: its name, size and time of change.
    """
    found = hashlib.blake2b(digest_size=16)
    for part in _parts(list(values)):
        found.update(len(part).to_bytes(8, "little"))
        found.update(part)
    return found.hexdigest()


def _parts(value: Any) -> Iterator[bytes]:
    """Yield what a value is made of, each kind told from the others."""
    kind = type(value).__name__
    if isinstance(value, PLAIN):
        yield f"{kind} {value!r}".encode()
    elif isinstance(value, np.ndarray):
        yield f"{kind} {value.dtype} {value.shape}".encode()
        yield value.tobytes()
    elif isinstance(value, Path):
        yield f"file {_file(value)}".encode()
    elif isinstance(value, BaseModel):
        yield f"{kind} {value.model_dump_json()}".encode()
    else:
        inside = _inside(value)
        yield f"{kind} of {len(inside)}".encode()
        for one in inside:
            yield from _parts(one)


def _inside(value: Any) -> Sequence[Any]:
    """Return what a dataclass, a mapping or a sequence holds."""
    if is_dataclass(value):
        return [getattr(value, field.name) for field in fields(value)]
    if isinstance(value, Mapping):
        return [part for pair in value.items() for part in pair]
    if isinstance(value, Sequence):
        return value
    # what it is written as may tell where it lies in memory, and nothing of what it is
    raise TypeError(f"no name can be made of a {type(value).__name__}")


def _file(path: Path) -> str:
    try:
        about = path.stat()
    except OSError:
        return f"{path.name} is not there"
    return f"{path.name} {about.st_size} {about.st_mtime_ns}"
