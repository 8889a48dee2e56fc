"""Ways to spoil a file, and words that nobody says; all drawn from one seed."""

from __future__ import annotations

import io
import json
import os
import sqlite3
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from commonground.errors import MALFORMED

TOKENS = (
    b"1e400", b"-1e308", b"9" * 40, b"9" * 5000, b"-1", b"NaN", b"\0", b"\x1b[31m", b"../../x",
    b"\xff\xfe", b"\xed\xa0\x80", b"(" * 3000, b"[" * 100_000, b"{a: " * 300, b"&a [*a]", b"!!int ''",
    b"2001-99-99", b"!!python/object/apply:os.system [ls]", b'"', b"'", b"\n" * 1000, b"x" * 100_000,
    b"0 0 0 0 0 0 0", b":- initialization(halt).", b"loop(X) :- loop(X).", b"null", b"true", b"[]", b"{}",
)  # fmt: skip
WORDS = (
    "x" * 8000, "x" * 99, "go " * 1300, "the tree near " * 160 + "the tree", "(" * 500, "\x1b[2J go to O1",
    "", " ", "go to O" + "9" * 80, "go to O" + "9" * 400, "[" * 3000, "&a [*a]", "1" * 5000, "../../x",
    "/etc/x", "{{{{", "\u202egnirts", "and " * 500, "not " * 300 + "go", "<script>alert(1)</script>",
    "'; drop table thing; --", "go to the tree, " * 200, "\U0001f600" * 90, "-1", "1e400", "nan", "inf", "0",
    "9" * 18, "-" * 50, "(and " * 300, "(not " * 2000, "O1\0", "\udcff", "a=b=c", "(forall (?x) (safe ?x))",
    "*", "~", "$HOME",
)  # fmt: skip
"""Not all of them can be given to a program: an argument holds no NUL."""
VALUES: tuple[Any, ...] = (
    None, True, [], {}, "", -1, 0, 10**30, 1e308, -1e-320, float("nan"), float("inf"), "../../x", "/etc/x",
    "\x1b[31m", "\0", "x" * 20_000, [[]], [0] * 5000, {"a": {"a": {}}}, "\ud800", "\u202e", 2**63, 2**31,
    -(2**63), "nan", "1e999", 1e5, -1e7, 123_456.0, 1e-7,
)  # fmt: skip

Damage = Callable[[Path, np.random.Generator], None]


def pick(rng: np.random.Generator, choices: Any) -> Any:
    """Return one of a sequence."""
    return choices[int(rng.integers(len(choices)))]


# ---- bytes --------------------------------------------------------------------------------------


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


def longest(file: Path, rng: np.random.Generator) -> None:
    """Write the largest number there is over four bytes, which may be a length."""
    data = bytearray(file.read_bytes())
    at = int(rng.integers(len(data) + 1))
    data[at : at + 4] = b"\xff\xff\xff\x7f"
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
    file.write_bytes(data[:at] + pick(rng, TOKENS) + data[at:])


def replace_word(file: Path, rng: np.random.Generator) -> None:
    """Put something nasty in the place of a word."""
    words = file.read_bytes().split(b" ")
    words[int(rng.integers(len(words)))] = pick(rng, TOKENS)
    file.write_bytes(b" ".join(words))


# ---- values -------------------------------------------------------------------------------------


_SPOILED = (
    *MALFORMED, OSError, EOFError, RecursionError, yaml.YAMLError, sqlite3.Error, zipfile.BadZipFile,
)  # fmt: skip


def value(file: Path, rng: np.random.Generator) -> None:
    """Put a nasty value in the place of one in JSON, YAML, arrays or a database; else a word."""
    kind = _SPOILERS.get(file.suffix)
    try:
        if kind is None:
            raise ValueError(file.suffix)
        kind(file, rng)
    except _SPOILED:  # it was spoiled before, so that it is no such file any more
        replace_word(file, rng)


def _exchanged(tree: Any, rng: np.random.Generator) -> Any:
    """Return a tree of lists and mappings in which one part is another."""
    if isinstance(tree, dict | list) and tree and rng.random() < 0.85:
        keys = list(tree) if isinstance(tree, dict) else list(range(len(tree)))
        key = pick(rng, keys)
        tree[key] = _exchanged(tree[key], rng)
        return tree
    return pick(rng, VALUES)


def _json(file: Path, rng: np.random.Generator) -> None:
    lines = file.read_text(encoding="utf-8").splitlines() if file.suffix == ".jsonl" else []
    if lines:
        at = int(rng.integers(len(lines)))
        lines[at] = json.dumps(_exchanged(json.loads(lines[at]), rng))
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    else:
        tree = json.loads(file.read_text(encoding="utf-8"))
        file.write_text(json.dumps(_exchanged(tree, rng)), encoding="utf-8")


def _yaml(file: Path, rng: np.random.Generator) -> None:
    tree = _exchanged(yaml.safe_load(file.read_text(encoding="utf-8")), rng)
    # JSON is YAML, and writes what YAML's own writer would rather not
    file.write_text(json.dumps(tree, default=str), encoding="utf-8")


def _arrays(file: Path, rng: np.random.Generator) -> None:
    with np.load(file) as found:
        arrays = dict(found)
    name = pick(rng, list(arrays))
    old = arrays[name]
    new = (
        old.ravel(), old[..., None], old[:0], old.astype(str), np.full(old.shape, np.nan),
        np.full(old.shape, 2**62), np.full(old.shape, -1), np.zeros((1 << 20, 1), np.uint8), np.array("x"),
    )  # fmt: skip
    arrays[name] = new[int(rng.integers(len(new)))]
    held = io.BytesIO()
    np.savez(held, **arrays)
    file.write_bytes(held.getvalue())


def _rows(file: Path, rng: np.random.Generator) -> None:
    with sqlite3.connect(file) as base:
        tables = [n for (n,) in base.execute("select name from sqlite_master where type='table'")]
        table = pick(rng, [t for t in tables if not t.startswith("sqlite")])
        columns = [row[1] for row in base.execute(f"pragma table_info('{table}')")]
        column = pick(rng, columns)
        new = pick(rng, (None, "", "x" * 5000, -1, 2**62, "{", b"\xff", "../../x", 1e308, "[[]]"))
        statement = f"update '{table}' set \"{column}\" = ? where rowid % 2 = 0"  # noqa: S608
        base.execute(statement, (new,))
    base.close()


_SPOILERS: dict[str, Damage] = {
    ".json": _json,
    ".jsonl": _json,
    ".yaml": _yaml,
    ".npz": _arrays,
    ".db": _rows,
}

# ---- whole files --------------------------------------------------------------------------------


def empty(file: Path, _: np.random.Generator) -> None:
    """Leave nothing."""
    file.write_bytes(b"")


def gone(file: Path, _: np.random.Generator) -> None:
    """Take it away."""
    file.unlink()


def pipe(file: Path, _: np.random.Generator) -> None:
    """Put a pipe there that nobody writes into."""
    file.unlink()
    os.mkfifo(file)


def device(file: Path, rng: np.random.Generator) -> None:
    """Link to a device without an end."""
    file.unlink()
    file.symlink_to(pick(rng, ("/dev/zero", "/dev/urandom", "/dev/full")))


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


CONTENT: tuple[Damage, ...] = (
    *[value] * 12, cut, flip, noise, longest, double, insert, replace_word, insert, replace_word,
)  # fmt: skip
"""Of the ways, those that leave a file of a common size; the likelier ones stand here several times."""
WAYS: tuple[Damage, ...] = (
    *CONTENT, empty, gone, pipe, device, folder, itself, huge, aliases, bomb,
)  # fmt: skip
