"""Scene graph files: Spark-DSG's json, bson and binary, read and written so that nothing in them is lost.

The JSON form is the pivot: binary files are turned into it by ``spark_dsg`` itself, and so are files of
older encodings. Columns are lifted out of it; the rest of each node's attributes is kept as it was.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from commonground.atomic import replacing, write_text
from commonground.errors import MALFORMED, SceneError, did_you_mean, require
from commonground.reading import SCENE_MB, check_file, read_json
from commonground.reasons import reason
from commonground.scene.decode import graph_of
from commonground.scene.encode import document_of
from commonground.scene.graph import SceneGraph

SUFFIXES = (".json", ".bson", ".sparkdsg")
_NOT_TAKEN = (RuntimeError, ValueError, IndexError)
"""What the library raises for files that it does not understand."""
HEADER = "SPARK_DSG_header"
MOST = 6
"""Names that are told of what a file has no place for."""
OLD_KEYS = "layer_ids"
"""What the files have that were written before there was a header."""


def load_scene(path: str | Path) -> SceneGraph:
    """Read a Spark-DSG file; SceneError says in one line what is wrong with a file that is none."""
    file, collecting = Path(path), gc.isenabled()
    gc.disable()  # a large graph is millions of values, and none of them is garbage
    try:
        return graph_of(_document(file), str(file))
    finally:
        if collecting:
            gc.enable()


def _document(file: Path) -> dict[str, Any]:
    """Return what a file says, as today's Spark-DSG writes it."""
    if not file.exists():
        near = did_you_mean(file.name, _siblings(file))
        raise SceneError(f"{file}: there is no such file.{near}")
    _check_suffix(file)
    check_file(file, SCENE_MB)
    if file.stat().st_size == 0:
        raise SceneError(f"{file}: the file is empty; was it written completely?")
    document = _read_json(file) if file.suffix == ".json" else _upgraded(file)
    if file.suffix == ".json" and _is_older(document, file):
        document = _upgraded(file)
    return document


def left_behind(source: str | Path, target: str | Path) -> str:
    """Return what a file says of its graph and another one does not that was written of it; empty if nothing.

    The binary forms have fields for what Spark-DSG knows, and none for what else a program put beside it.
    """
    before, after = (Counter(_fields(_document(Path(file)))) for file in (source, target))
    lost = [f"{name} ({n})" if n > 1 else name for name, n in before.items() if name not in after]
    more = f" and {len(lost) - MOST} more" if len(lost) > MOST else ""
    return ", ".join(lost[:MOST]) + more


def _fields(value: Any, name: str = "") -> Iterator[str]:
    """Yield the names of all fields that say something, with those that they are in."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _fields(inner, f"{name}.{key}" if name else key)
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for inner in value:
            yield from _fields(inner, name)
    elif value not in (None, [], ""):
        yield name


def save_scene(graph: SceneGraph, path: str | Path) -> Path:
    """Write a Spark-DSG file, complete or not at all; the ending chooses json, bson or binary."""
    file = Path(path)
    _check_suffix(file)
    graph.check_ids()
    document = document_of(graph, _installed_version())
    try:
        text = json.dumps(document, separators=(",", ":"), allow_nan=False)
    except ValueError as error:
        raise SceneError(
            f"{file}: the graph has a number that is not finite; nothing was written"
        ) from error
    if file.suffix == ".json":
        write_text(file, text)
    else:
        with replacing(file) as temporary:
            _convert(text, temporary)
    return file


def _check_suffix(file: Path) -> None:
    if file.suffix not in SUFFIXES:
        raise SceneError(
            f"{file}: '{file.suffix or file.name}' is no scene graph file; use {', '.join(SUFFIXES)}"
        )


def _siblings(file: Path) -> list[str]:
    folder = file.parent
    return sorted(p.name for p in folder.iterdir()) if folder.is_dir() else []


def _read_json(file: Path) -> dict[str, Any]:
    try:
        document = read_json(file, SCENE_MB)
    except UnicodeDecodeError as error:
        raise SceneError(f"{file}: this is not text; is it a binary graph (.sparkdsg)?") from error
    except json.JSONDecodeError as error:
        raise SceneError(
            f"{file}:{error.lineno}:{error.colno}: not valid JSON ({error.msg.lower()}); is it cut off?"
        ) from error
    except OSError as error:
        raise SceneError(f"{file}: cannot be read: {reason(error)}") from error
    if not isinstance(document, dict) or not {"nodes", "edges"} <= document.keys():
        raise SceneError(f"{file}: JSON, but no scene graph: it has no 'nodes' and 'edges'")
    return document


def _is_older(document: dict[str, Any], file: Path) -> bool:
    """Return whether a document is of another encoding than today's, as one written by hand is not."""
    by_hand = HEADER not in document and OLD_KEYS not in document
    return not by_hand and _version(document, file) != _installed_version()


def _version(document: dict[str, Any], file: Path) -> tuple[int, int, int]:
    try:
        v = document.get(HEADER, {"version": {"major": 1, "minor": 0, "patch": 0}})["version"]
        version = (int(v["major"]), int(v["minor"]), int(v["patch"]))
    except MALFORMED as error:
        raise SceneError(f"{file}: the {HEADER} is damaged") from error
    if version[0] > _installed_version()[0]:
        raise SceneError(
            f"{file}: written by Spark-DSG {'.'.join(map(str, version))}, newer than the installed "
            f"{'.'.join(map(str, _installed_version()))}; run pip install -U spark-dsg"
        )
    return version


def _installed_version() -> tuple[int, int, int]:
    from importlib.metadata import version

    require("spark_dsg", "all")
    major, minor, patch = (int(x) for x in version("spark-dsg").split(".")[:3])
    return major, minor, patch


def _upgraded(file: Path) -> dict[str, Any]:
    """Return the document of a binary or older file, as today's Spark-DSG writes it."""
    import spark_dsg

    with tempfile.TemporaryDirectory() as folder:
        current = Path(folder, "graph.json")
        try:
            with _no_native_output():  # the library greets older files on stdout
                spark_dsg.DynamicSceneGraph.load(str(file)).save(str(current), True)
        except _NOT_TAKEN as error:
            # nlohmann's errors begin with a name and number of theirs
            why = re.sub(r"^\[json\.exception\.[\w.]+\] ", "", str(error).split("\n")[0])
            raise SceneError(
                f"{file}: Spark-DSG cannot read it as a scene graph: {why}; was it written by Spark-DSG?"
            ) from error
        return _read_json(current)


@contextlib.contextmanager
def _no_native_output() -> Iterator[None]:
    sys.stdout.flush()
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


def _convert(text: str, target: Path) -> None:
    import spark_dsg

    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "graph.json")
        source.write_text(text)
        try:
            spark_dsg.DynamicSceneGraph.load(str(source)).save(str(target), True)
        except _NOT_TAKEN as error:
            reason = str(error).split("\n")[0]
            raise SceneError(f"Spark-DSG does not take this graph: {reason}") from error
