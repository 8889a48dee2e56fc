"""What is read has bounds: each is told by name, costs little to find, and is no answer."""

from __future__ import annotations

import io
import json
import os
import re
import resource
import socket
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import yaml

from commonground import reading
from commonground.config import load_config, read_yaml
from commonground.datasets.readers.poses import read_pose_csv
from commonground.errors import CommongroundError, HonestNo
from commonground.objects import load_objects
from commonground.reading import BoundError, parse_json, read_arrays, read_json, read_text
from commonground.reading_yaml import parse_yaml
from commonground.scene import load_scene
from commonground.settings import Settings
from commonground.tum import read_tum

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("commonground", "datasets", "localization", "mapping", "planning", "grounding")
BY_HAND = re.compile(
    r"\.read_bytes\(|\.read_text\(|yaml\.(safe_load|compose)\(|np\.load\(|\.open\((newline|\"rb\"|encoding)"
    r"|ZipFile\((?!temporary, \"w\")|Image\.open\(|\"r:(gz|bz2|xz)\""
)
EXEMPT = {
    "commonground/scene/encode.py": "a template that spark_dsg wrote a moment ago",
    "commonground/story/page.py": "a file of this package",
    "planning/downward/_service.py": "files of its own process, which is apart from this package",
    "grounding/problem_writer/domain.py": "a file of this package",
    "grounding/words/spelling.py": "a file of this package",
    "grounding/words/concepts.py": "a file of this package",
    "grounding/words/vocabulary.py": "a file of this package",
    "grounding/memory/readers/language_model/prompt.py": "files of this package",
    "grounding/memory/english/lexicon.py": "a file of this package",
    "grounding/memory/ontology/words.py": "a file of this package",
}


def memory_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def aliases(levels: int) -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    for k in range(1, levels):
        lines.append(f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 9)}]")
    return "\n".join(lines)


YAMLS = {
    "aliases": (aliases(9), "repeats itself"),
    "merges": ("a: &a {x: 1}\n" + aliases(9), "repeats itself"),
    "itself": ("a: &a [*a]", "refers to itself"),
    "deep": ("[" * 3000, "nested more than"),
    "deep mappings": ("{a: " * 100 + "1" + "}" * 100, "nested more than"),
}


@pytest.mark.parametrize(("text", "bound"), YAMLS.values(), ids=YAMLS)
def test_yaml_that_grows_is_refused_before_it_does(text: str, bound: str, tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text(text)
    before = memory_mb()
    with pytest.raises(BoundError, match=bound) as told:
        read_yaml(file)
    assert str(file) in str(told.value)
    assert memory_mb() - before < 100


WRONG = [
    r'"a\0b"',
    r'"\ud800"',
    "!!int ''",
    "!!float ''",
    "!!bool x",
    "!!timestamp x",
    "2001-99-99",
    "1" * 5000,
]


@pytest.mark.parametrize("text", WRONG, ids=range(len(WRONG)))
def test_values_that_are_not_what_they_look_like(text: str, tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text(f"a: {text}")
    with pytest.raises(CommongroundError, match=r"a\.yaml"):
        read_yaml(file)
    with pytest.raises(CommongroundError):
        load_config(Settings, None, [f"a={text}"])


def test_a_byte_order_mark_is_no_part_of_a_text(tmp_path: Path) -> None:
    file = tmp_path / "file"
    for read, text in (
        (read_text, "line\n"),
        (read_json, '{"a": 1}'),
        (read_yaml, "a: 1\n"),
        (read_tum, "1.5 0 0 0 0 0 0 1\n"),
        (read_pose_csv, "1500000000,0,0,0,1,0,0,0\n"),
    ):
        file.write_text(text, encoding="utf-8")
        plain = read(file)
        file.write_text(text, encoding="utf-8-sig")
        assert str(read(file)) == str(plain)


def test_columns_of_poses_may_have_eurocs_names(tmp_path: Path) -> None:
    plain, euroc = tmp_path / "plain.csv", tmp_path / "euroc.csv"
    row = "1403636580838555648,4.7,-1.8,0.8,0.5,-0.5,-0.5,0.5"
    plain.write_text(f"#timestamp_kf,x,y,z,qw,qx,qy,qz\n{row}\n")
    euroc.write_text(
        "#timestamp, p_RS_R_x [m], p_RS_R_y [m], p_RS_R_z [m], q_RS_w [], q_RS_x [], q_RS_y [], q_RS_z [], "
        f"v_RS_R_x [m s^-1]\n{row},0.1\n"
    )
    for one, other in zip(read_pose_csv(plain), read_pose_csv(euroc), strict=True):
        assert (one == other).all()


def test_a_key_that_is_written_twice_is_refused_where_it_counts(tmp_path: Path) -> None:
    text = '{"a": {"b": 1, "c": 2, "b": 3}}'
    assert parse_json(text, "text") == {"a": {"b": 3, "c": 2}}
    with pytest.raises(CommongroundError, match="text: 'b' is there twice"):
        parse_json(text, "text", once=True)


def test_honest_yaml_is_what_it_was() -> None:
    text = "a: &a {x: 1}\nb: {<<: *a, y: [1, 2]}\nc: *a"
    node, value = parse_yaml(text, "text")
    assert value == yaml.safe_load(text)
    assert isinstance(node, yaml.MappingNode)
    assert parse_yaml("", "text") == (None, None)


@pytest.mark.parametrize("text", ["[" * 100_000, "1" * 5000], ids=["deep", "digits"])
def test_json_is_bounded(text: str) -> None:
    with pytest.raises(BoundError):
        parse_json(text, "text")
    with pytest.raises(json.JSONDecodeError):
        parse_json("{", "text")


def odd_files(folder: Path) -> dict[str, Path]:
    """Return a pipe that nobody writes, and links to devices without an end."""
    os.mkfifo(folder / "pipe.json")
    (folder / "zero.json").symlink_to("/dev/zero")
    (folder / "random.json").symlink_to("/dev/urandom")
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(folder / "socket.json"))
    return {p.stem: p for p in folder.iterdir()}


@pytest.mark.parametrize("kind", ["pipe", "zero", "random", "socket"])
@pytest.mark.parametrize("read", [read_text, load_scene, load_objects, read_yaml])
def test_only_regular_files_are_read(
    kind: str, read: Callable[[Path], object], tmp_path: Path
) -> None:
    began = time.monotonic()
    with pytest.raises(BoundError, match="only regular files") as told:
        read(odd_files(tmp_path)[kind])
    assert not isinstance(told.value, HonestNo)
    assert time.monotonic() - began < 60  # a pipe would be waited for without end


def test_a_file_has_a_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "large"
    file.write_bytes(b"")
    os.truncate(file, 80 * reading.MB)  # takes no room on the disk
    with pytest.raises(BoundError, match="64 MB"):
        read_text(file)
    assert len(reading.read_bytes(file, 100)) == 80 * reading.MB


def npz(path: Path, header: bytes, body: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "a.npy", b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + body
        )
    return path


def test_arrays_claim_no_more_than_they_hold(tmp_path: Path) -> None:
    head = b"{'descr': '<f8', 'fortran_order': False, 'shape': (9000000000,), }\n"
    before = memory_mb()
    with pytest.raises(BoundError, match="claims more values"):
        read_arrays(npz(tmp_path / "a.npz", head, bytes(80)))
    head = b"{'descr': '|u1', 'fortran_order': False, 'shape': (209715200,), }\n"
    bomb = npz(tmp_path / "b.npz", head, bytes(200 * reading.MB))
    before = memory_mb()
    with pytest.raises(BoundError, match="more than 64 MB"):
        read_arrays(bomb, 64)
    assert memory_mb() - before < 100


def test_whole_arrays_come_back(tmp_path: Path) -> None:
    arrays = {
        "a": np.arange(6).reshape(2, 3),
        "ä/b": np.zeros(0),
        "c": np.asfortranarray(np.eye(3)),
    }
    for save in (np.savez, np.savez_compressed):
        stream = io.BytesIO()
        save(stream, **arrays)
        (tmp_path / "a.npz").write_bytes(stream.getvalue())
        found = read_arrays(tmp_path / "a.npz")
        assert found.keys() == arrays.keys()
        assert all(np.array_equal(found[name], arrays[name]) for name in arrays)


def test_words_have_a_length() -> None:
    reading.check_speech("bring me the red cup " * 20)
    for text in ("x" * 8000, "go " * 3000, "a " + "b" * 101):
        with pytest.raises(BoundError):
            reading.check_speech(text)


def test_every_reader_reads_with_bounds() -> None:
    found = []
    for part in PARTS:
        for file in sorted((ROOT / part).rglob("*.py")):
            where = file.relative_to(ROOT).as_posix()
            if where.startswith("commonground/reading") or where in EXEMPT:
                continue
            for n, line in enumerate(file.read_text(encoding="utf-8").split("\n"), 1):
                if BY_HAND.search(line):
                    found.append(f"{where}:{n}")
    assert not found, f"use commonground.reading: {found}"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("44", 44),
        ("0", 0),
        ("\u0664", 4),
        ("\u00b2", None),
        ("", None),
        ("-1", None),
        ("9" * 5000, None),
    ],
)
def test_whole_numbers_are_decimal_digits_and_not_too_many(text: str, number: int | None) -> None:
    assert reading.whole_number(text) == number


def test_yaml_with_half_a_character_is_refused() -> None:
    for text in ("a: \ud800", 'a: "\\ud800"'):
        with pytest.raises(yaml.YAMLError):
            parse_yaml(text, "a.yaml")
