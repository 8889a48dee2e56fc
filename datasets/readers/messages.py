"""ROS messages to images, lenses and poses."""

from __future__ import annotations

import struct
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from commonground.arrays import Bytes, Floats, Ints
from commonground.datasets.images import decode
from commonground.datasets.readers.registration import Lens
from commonground.errors import DataError
from commonground.frame import Camera
from commonground.geometry import from_quat_xyzw, transform
from commonground.reading_pictures import MAX_PIXELS
from commonground.tum import sane

Size: TypeAlias = "tuple[int, int] | None"
"""Width and height an image must have, if they are known."""
COLOR = {"rgb8": 3, "bgr8": 3, "rgba8": 4, "bgra8": 4, "mono8": 1, "8UC1": 1, "8UC3": 3}
"""Encodings of color images that are taken, with their channels."""
BAYER = {
    "bayer_rggb8": "COLOR_BayerBG2RGB",
    "bayer_bggr8": "COLOR_BayerRG2RGB",
    "bayer_gbrg8": "COLOR_BayerGR2RGB",
    "bayer_grbg8": "COLOR_BayerGB2RGB",
}
"""OpenCV names Bayer patterns by the second row's second pixel."""
DEPTH: dict[str, np.dtype[Any]] = {
    "16UC1": np.dtype(np.uint16),
    "mono16": np.dtype(np.uint16),
    "32FC1": np.dtype(np.float32),
}
COMPRESSED_DEPTH_HEADER = 12
"""Bytes before the PNG in a compressedDepth message: an enum and two floats."""
LONGEST = 11
"""Groups of a number; more would not fit 32 bits."""


class UnsupportedError(DataError):
    """Every message of a topic is of a kind that cannot be read: no use in skipping them one by one."""


def header_stamp_ns(raw: bytes, ros2: bool) -> int:
    """Return the stamp in the header of a serialized message without reading the rest of it."""
    try:
        if ros2:  # four bytes of encapsulation, whose second tells the byte order
            seconds, nanos = struct.unpack_from("<iI" if raw[1] & 1 else ">iI", raw, 4)
        else:  # a sequence number comes first
            seconds, nanos = struct.unpack_from("<II", raw, 4)
    except (struct.error, IndexError) as error:
        raise DataError("the message is cut off") from error
    return int(seconds) * 10**9 + int(nanos)


def color_image(message: Any, size: Size = None) -> Bytes:
    """Return the color image (h, w, 3) of a message, red first."""
    if hasattr(message, "format"):
        return np.asarray(decode(message.data, color=True, size=size), np.uint8)
    encoding = message.encoding
    if encoding in BAYER:
        import cv2

        return np.asarray(
            cv2.cvtColor(
                _pixels(message, np.dtype(np.uint8), 1, size), getattr(cv2, BAYER[encoding])
            )
        )
    if encoding not in COLOR:
        known = ", ".join([*COLOR, *BAYER])
        raise UnsupportedError(f"color encoding '{encoding}' is not supported; known are {known}")
    image = _pixels(message, np.dtype(np.uint8), COLOR[encoding], size)
    if image.ndim == 2:
        return np.repeat(image[..., None], 3, axis=2)
    image = image[..., :3]
    return np.ascontiguousarray(
        image[..., ::-1] if encoding.startswith("bgr") or encoding == "8UC3" else image
    )


def depth_image(message: Any, size: Size = None) -> NDArray[np.generic]:
    """Return the raw depth (h, w) of a message: uint16, or float32 as stored."""
    if not hasattr(message, "format"):
        if message.encoding not in DEPTH:
            raise UnsupportedError(
                f"depth encoding '{message.encoding}' is not supported; known are {', '.join(DEPTH)}"
            )
        return _pixels(message, DEPTH[message.encoding], 1, size)
    data = bytes(message.data)
    if "compressedDepth" not in message.format:
        return decode(data, color=False, size=size)
    if message.format.rstrip().endswith("rvl"):
        image = _rvl(data[COMPRESSED_DEPTH_HEADER:], size)
    else:
        image = decode(data[COMPRESSED_DEPTH_HEADER:], color=False, size=size)
    if not message.format.startswith("32FC1"):
        return image
    # 32-bit depth is sent as quantized inverse depth: z = a / (value − b)
    _, a, b = struct.unpack_from("<iff", data)
    with np.errstate(divide="ignore"):
        z = a / (image.astype(np.float32) - b)
    return np.where(np.asarray(image, float) > 0, z, 0).astype(np.float32)


def _rvl(data: bytes, size: Size) -> NDArray[np.generic]:
    """Return 16-bit depth of its RVL code, which begins with width and height."""
    width, height = struct.unpack_from("<II", data) if len(data) >= 8 else (0, 0)
    if (size is not None and (width, height) != size) or not 0 < width * height <= MAX_PIXELS:
        raise DataError(f"the image claims {width}×{height}")
    words = np.frombuffer(data, np.uint32, count=(len(data) - 8) // 4, offset=8)
    return unpack_rvl(words, width * height).reshape(height, width)


def id_image(message: Any, size: Size = None) -> NDArray[np.int32]:
    """Return the object numbers or classes (h, w) of a message."""
    return np.asarray(
        depth_image(message, size) if hasattr(message, "format") else _any_pixels(message, size),
        np.int32,
    )


def _any_pixels(message: Any, size: Size) -> NDArray[np.generic]:
    kinds: dict[str, type[np.generic]] = {
        "8UC1": np.uint8,
        "mono8": np.uint8,
        "16UC1": np.uint16,
        "mono16": np.uint16,
        "32SC1": np.int32,
    }
    if message.encoding not in kinds:
        raise UnsupportedError(
            f"encoding '{message.encoding}' is not supported for numbers; use {', '.join(kinds)}"
        )
    return _pixels(message, np.dtype(kinds[message.encoding]), 1, size)


def _pixels(message: Any, dtype: np.dtype[Any], channels: int, size: Size) -> NDArray[np.generic]:
    """Return the array of an uncompressed message, honoring its row step and byte order."""
    height, width, step = int(message.height), int(message.width), int(message.step)
    if size is not None and (width, height) != size:
        raise DataError(f"the image is {width}×{height}, the camera {size[0]}×{size[1]}")
    data = np.asarray(message.data, np.uint8)
    row = width * channels * dtype.itemsize
    step = step or row
    if height * width == 0 or step < row or len(data) < (height - 1) * step + row:
        raise DataError(f"the image says {width}×{height} but carries {len(data)} bytes")
    padded = np.zeros(height * step, np.uint8)
    padded[: min(len(data), len(padded))] = data[: len(padded)]
    rows = padded.reshape(height, step)[:, :row]
    image = np.ascontiguousarray(rows).view(
        dtype.newbyteorder(">" if message.is_bigendian else "<")
    )
    image = image.astype(dtype, copy=False)
    return image if channels == 1 else image.reshape(height, width, channels)


def lens_of(message: Any, name: str) -> Lens:
    """Return the lens of a camera_info message, of ROS 1 or ROS 2."""
    K = np.array(message.K if hasattr(message, "K") else message.k, float).reshape(3, 3)
    D = message.D if hasattr(message, "D") else message.d
    camera = Camera(name, K, int(message.width), int(message.height))
    return Lens(camera, str(message.distortion_model), tuple(float(c) for c in D))


def pose_of(message: Any) -> Floats:
    """Return T (4, 4) of an odometry or pose message; NaN where it is not a pose."""
    pose = message
    for name in ("transform", "pose"):
        while hasattr(pose, name):
            pose = getattr(pose, name)
    place = getattr(pose, "position", None) or getattr(pose, "translation", None)
    turn = getattr(pose, "orientation", None) or getattr(pose, "rotation", None)
    if place is None or turn is None:
        raise UnsupportedError(f"{type(message).__name__} carries no pose")
    xyz = np.array([place.x, place.y, place.z])
    quat = np.array([turn.x, turn.y, turn.z, turn.w])
    if not sane(xyz, quat):
        return np.full((4, 4), np.nan)
    return transform(from_quat_xyzw(quat), xyz)


# ---- RVL: A. D. Wilson, "Fast lossless depth image compression", 2017 ----


def unpack_rvl(words: NDArray[np.uint32], count: int) -> NDArray[np.uint16]:
    """Return ``count`` depths: a run of zeros, then a run of differences, again and again.

    DataError if the code ends too early or says more than there is room for.
    """
    numbers = _numbers(words)
    out = np.zeros(count, np.uint16)
    at, k, previous = 0, 0, 0
    while at < count:
        if k >= len(numbers):
            raise DataError("the image's RVL code breaks off")
        at += int(numbers[k])
        run = int(numbers[k + 1]) if k + 1 < len(numbers) else 0
        coded = numbers[k + 2 : k + 2 + run]
        if at + run > count or len(coded) < run:
            raise DataError("the image's RVL code is damaged")
        steps = (coded >> 1) ^ -(coded & 1)
        values = previous + np.cumsum(steps)
        out[at : at + run] = (values & 0xFFFF).astype(np.uint16)
        previous = int(values[-1]) if run else previous
        at, k = at + run, k + 2 + run
    return out


def _numbers(words: NDArray[np.uint32]) -> Ints:
    """Return the numbers of a code: groups of four bits, three of value, the lowest first, one for more."""
    groups = (
        (words[:, None] >> np.arange(28, -1, -4, dtype=np.uint32) & 15).ravel().astype(np.int64)
    )
    ends = np.flatnonzero(groups < 8)
    if len(ends) == 0:
        return np.empty(0, np.int64)
    groups = groups[: ends[-1] + 1]
    starts = np.concatenate([[0], ends[:-1] + 1])
    place = np.arange(len(groups)) - np.repeat(starts, ends - starts + 1)
    if place.max() >= LONGEST:
        raise DataError("the image's RVL code is damaged")
    return np.asarray(np.add.reduceat((groups & 7) << (3 * place), starts), np.int64)
