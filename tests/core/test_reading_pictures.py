"""Pictures are read with bounds, whoever reads them."""

from __future__ import annotations

import io
import struct
import zlib
from pathlib import Path

import pytest
from PIL import Image

from commonground.console.pictures import pictures_of
from commonground.errors import DataError, MappingError
from commonground.mapping.perception.picture import read_picture
from commonground.reading_pictures import picture


def png(width: int, height: int) -> bytes:
    """Return a picture whose header claims a size, with hardly any pixels behind it."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    packed = zlib.compress(bytes(1000))
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", packed) + chunk(b"IEND", b"")
    )


def written(kind: str) -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (4, 3), (9, 8, 7)).save(stream, kind)
    return stream.getvalue()


BAD = {
    "claims more than a camera has": png(9000, 9000),
    "claims far more": png(60_000, 60_000),
    "cut off": written("PNG")[:40],
    "another format": written("GIF"),
    "nothing": b"",
    "words": b"no picture",
}


@pytest.mark.parametrize("data", BAD.values(), ids=BAD)
def test_what_is_no_picture_is_told_by_every_reader(data: bytes, tmp_path: Path) -> None:
    with pytest.raises(DataError), picture(data) as found:
        found.convert("RGB")
    (tmp_path / "a.png").write_bytes(data)
    with pytest.raises(MappingError, match="no picture"):
        read_picture(tmp_path / "a.png")
    seen = tmp_path / "one/pictures"
    seen.mkdir(parents=True)
    (seen / "1-O1.jpg").write_bytes(data)
    assert pictures_of(tmp_path, "O1") == []


def test_a_picture_is_what_it_was() -> None:
    with picture(written("PNG"), size=(4, 3)) as found:
        assert found.size == (4, 3) and found.getpixel((0, 0)) == (9, 8, 7)
    with pytest.raises(DataError, match="the camera 3×4"), picture(written("PNG"), size=(3, 4)):
        pass
