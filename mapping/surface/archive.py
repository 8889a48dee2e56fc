"""The mesh behind the robot: parts appended to a file, so that memory does not grow with the distance."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import IO, Any

import numpy as np

from commonground.atomic import write_error
from commonground.mapping.surface.mesh_part import COLUMNS, EMPTY, MeshPart


class MeshArchive:
    """A file of mesh parts. It can be cut back to an earlier length, which is how a stopped run goes on."""

    def __init__(self, path: str | Path | None = None, length: int = 0) -> None:
        self.path = None if path is None else Path(path)
        self._file = self._open(length)
        self.length = length
        """Bytes written."""
        self.vertices = 0
        """Vertices written by this process, borders counted twice."""

    def _open(self, length: int) -> IO[bytes]:
        if self.path is None:
            return tempfile.TemporaryFile()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            file = self.path.open("r+b" if self.path.exists() else "w+b")
            file.truncate(length)
        except OSError as error:
            raise write_error(self.path, error) from error
        return file

    def append(self, part: MeshPart) -> None:
        """Add a part."""
        if len(part.vertices) == 0:
            return
        head = np.array([len(part.vertices), len(part.faces)], np.int64)
        chunks = [head, *(getattr(part, name) for name in COLUMNS), part.faces]
        data = b"".join(np.ascontiguousarray(chunk).tobytes() for chunk in chunks)
        try:
            self._file.seek(self.length)
            self._file.write(data)
        except OSError as error:
            raise write_error(self.path or Path("mesh archive"), error) from error
        self.length += len(data)
        self.vertices += len(part.vertices)

    def sync(self) -> int:
        """Make sure that everything is on the disk; return the length to continue from."""
        try:
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise write_error(self.path or Path("mesh archive"), error) from error
        return self.length

    def read(self) -> MeshPart:
        """Return all parts as one, welded."""
        try:
            self._file.flush()
        except OSError as error:
            raise write_error(self.path or Path("mesh archive"), error) from error
        self._file.seek(0)
        parts = []
        while self._file.tell() < self.length:
            n, m = self._take(np.int64, (2,))
            columns = {name: self._take(*_shape(name, int(n))) for name in COLUMNS}
            parts.append(MeshPart(faces=self._take(np.int32, (int(m), 3)), **columns))
        return MeshPart.joined(parts).welded()

    def _take(self, dtype: Any, shape: tuple[int, ...]) -> Any:
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        return np.frombuffer(self._file.read(size), dtype).reshape(shape)

    def close(self, *, remove: bool = False) -> None:
        """Close the file, and remove it if asked to."""
        self._file.close()
        if remove and self.path is not None:
            self.path.unlink(missing_ok=True)


def _shape(name: str, n: int) -> tuple[Any, tuple[int, ...]]:
    column = getattr(EMPTY, name)
    return column.dtype, (n, *column.shape[1:])
