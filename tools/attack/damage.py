"""Ways to spoil a file, and words that nobody says; all drawn from one seed."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

TOKENS = (
    b"1e400", b"9" * 40, b"9" * 5000, b"-1", b"NaN", b"\0", b"\x1b[31m", b"../../x", b"/etc/passwd",
    b"\xff\xfe", b"\xed\xa0\x80", b"(" * 3000, b"[" * 100_000, b"{a: " * 300, b"&a [*a]", b"!!int ''",
    b"2001-99-99", b"!!python/object/apply:os.system [ls]", b'"', b"'", b"\n" * 1000, b"x" * 100_000,
    b"0 0 0 0 0 0 0", b":- initialization(halt).", b"loop(X) :- loop(X).", b"null", b"true", b"[]", b"{}",
)  # fmt: skip
WORDS = (
    "x" * 8000, "go " * 3000, "the tree near " * 160 + "the tree", "(" * 500, "\x1b[2J go to O1", "", " ",
    "go to O" + "9" * 400, "[" * 5000, "&a [*a]", "1" * 5000, "../../x", "{{{{", "\u202egnirts", "and " * 500,
    "not " * 300 + "go", "<script>alert(1)</script>", "'; drop table thing; --", "go to the tree, " * 200,
    "\ud83d\ude00" * 200,
)  # fmt: skip

Damage = Callable[[Path, np.random.Generator], None]


def cut(file: Path, rng: np.random.Generator) -> None:
    """Cut the end off."""
    data = file.read_bytes()
    file.write_bytes(data[: int(rng.integers(len(data) + 1))])


def flip(file: Path, rng: np.random.Generator) -> None:
    """Flip some bits."""
    data = bytearray(file.read_bytes())
    for k in rng.integers(0, max(1, len(data)), 1 + int(rng.integers(20))):
        if data:
            data[k] ^= 1 << int(rng.integers(8))
    file.write_bytes(bytes(data))


def noise(file: Path, rng: np.random.Generator) -> None:
    """Write noise over a stretch."""
    data = bytearray(file.read_bytes())
    at = int(rng.integers(len(data) + 1))
    data[at : at + 64] = rng.bytes(64)
    file.write_bytes(bytes(data))


def double(file: Path, rng: np.random.Generator) -> None:
    """Repeat a stretch."""
    data = file.read_bytes()
    a, b = sorted(rng.integers(0, len(data) + 1, 2).tolist())
    file.write_bytes(data[:b] + data[a:b] * int(rng.integers(1, 5)) + data[b:])


def insert(file: Path, rng: np.random.Generator) -> None:
    """Put something nasty between two bytes."""
    data = file.read_bytes()
    at = int(rng.integers(len(data) + 1))
    file.write_bytes(data[:at] + TOKENS[int(rng.integers(len(TOKENS)))] + data[at:])


def replace_word(file: Path, rng: np.random.Generator) -> None:
    """Put something nasty in the place of a word."""
    words = file.read_bytes().split(b" ")
    words[int(rng.integers(len(words)))] = TOKENS[int(rng.integers(len(TOKENS)))]
    file.write_bytes(b" ".join(words))


def empty(file: Path, _: np.random.Generator) -> None:
    """Leave nothing."""
    file.write_bytes(b"")


def pipe(file: Path, _: np.random.Generator) -> None:
    """Put a pipe there that nobody writes into."""
    file.unlink()
    os.mkfifo(file)


def device(file: Path, rng: np.random.Generator) -> None:
    """Link to a device without an end."""
    file.unlink()
    file.symlink_to(("/dev/zero", "/dev/urandom", "/dev/full")[int(rng.integers(3))])


def folder(file: Path, _: np.random.Generator) -> None:
    """Put a folder there."""
    file.unlink()
    file.mkdir()


def itself(file: Path, _: np.random.Generator) -> None:
    """Link to itself."""
    file.unlink()
    file.symlink_to(file.name)


def huge(file: Path, _: np.random.Generator) -> None:
    """Make it 20 GB long, which takes no room on the disk."""
    os.truncate(file, 20 << 30)


def aliases(file: Path, _: np.random.Generator) -> None:
    """Write YAML that repeats itself to a billion values."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 9)}]" for k in range(1, 9)]
    file.write_text("\n".join(lines))


def bomb(file: Path, _: np.random.Generator) -> None:
    """Write an archive that unpacks to far more than it is."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.npy", bytes(50 << 20))


WAYS: tuple[Damage, ...] = (
    cut, flip, noise, double, insert, replace_word, insert, replace_word, empty, pipe, device, folder, itself,
    huge, aliases, bomb,
)  # fmt: skip
