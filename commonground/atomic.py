"""Files that are there complete or not at all: written under a temporary name, flushed, renamed."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from commonground.errors import RunError

_REASONS: dict[int, str] = {
    errno.ENOSPC: "the disk is full; free some space and run the same command again",
    errno.EFBIG: "files may not be so large here (ulimit -f); raise that and run the same command again",
    errno.EDQUOT: "your disk quota is used up; free some space and run the same command again",
    errno.EROFS: "the file system is read-only; choose another folder",
    errno.EACCES: "permission denied; choose a folder you may write to",
    errno.EPERM: "permission denied; choose a folder you may write to",
    errno.ENOTDIR: "a part of the path is a file, not a folder",
    errno.EEXIST: "a file of that name is in the way",
    errno.EISDIR: "there is a folder of that name; name a file",
    errno.ENXIO: "nobody reads from this pipe",
}


def write_error(path: Path, error: OSError) -> RunError:
    """Return the one-line error for a path that cannot be written."""
    reason = _REASONS.get(error.errno or 0, error.strerror or str(error))
    return RunError(f"{path}: cannot be written: {reason}")


@contextlib.contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path in the same folder; on success it replaces ``path``, on failure it is removed.

    The temporary name keeps the ending, because libraries choose a format by it. A device or a pipe, as
    ``/dev/stdout`` is one, is written into and stays what it is.
    """
    target = Path(path)
    temporary = None
    try:
        stream = _is_stream(target)
        if not stream:
            target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(
            dir=None if stream else target.parent,
            prefix=f".{target.stem[:40]}.",
            suffix=target.suffix,
        )
        os.close(handle)
        temporary = Path(name)
        yield temporary
        if stream:
            _pour(temporary, target)
            return
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        temporary.chmod(0o666 & ~_UMASK)
        temporary.replace(target)
        temporary = None
    except OSError as error:
        raise write_error(target, error) from error
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def check_writable(path: Path) -> None:
    """Make the folder of a file; RunError where the file could not be written there."""
    try:
        if not _is_stream(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=path.parent).close()
    except OSError as error:
        raise write_error(path, error) from error


@contextlib.contextmanager
def writing_alone(folder: Path) -> Iterator[None]:
    """Make a folder and hold it for this process; RunError while another one does."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise write_error(folder, error) from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError as error:
        raise RunError(
            f"{folder}: another process is writing there; choose another --out"
        ) from error
    finally:
        os.close(handle)


def _is_stream(target: Path) -> bool:
    """Return whether a device, pipe or socket is there; IsADirectoryError where a folder is."""
    try:
        mode = target.stat().st_mode
    except OSError:  # nothing is there, or what is wrong with it shows when it is written
        return False
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
    return not stat.S_ISREG(mode)


def _pour(source: Path, target: Path) -> None:
    # a pipe that nobody reads is an error, not something to wait for
    descriptor = os.open(target, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    os.set_blocking(descriptor, True)
    with os.fdopen(descriptor, "wb") as stream, source.open(mode="rb") as file:
        shutil.copyfileobj(file, stream)


def _umask() -> int:
    current = os.umask(0o022)
    os.umask(current)
    return current


_UMASK = _umask()
"""Asked once: to ask is to set it for a moment, and threads that ask at once could leave it changed."""


def write_bytes(path: str | Path, content: bytes) -> None:
    with replacing(path) as temporary:
        temporary.write_bytes(content)


def write_text(path: str | Path, content: str) -> None:
    """Write a UTF-8 text file complete or not at all."""
    write_bytes(path, content.encode())


def write_with(path: str | Path, write: Callable[[IO[bytes]], object]) -> None:
    """Write a file complete or not at all, by a function that fills an open binary file."""
    with replacing(path) as temporary, temporary.open("wb") as file:
        write(file)
