"""Commands are argument lists, one call to a library, and printing: what keeps them so."""

from __future__ import annotations

import ast
import importlib
import inspect
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer

from commonground.cli.main import build, run
from commonground.demo import sample_scene
from commonground.scene import save_scene

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "commonground" / "cli"
FILES = sorted(FOLDER.glob("*.py"))
PARTS = ("datasets", "localization", "mapping", "planning", "grounding")
MOST_LINES = 170
MOST_BODY = 40
"""Lines of a function under its list of arguments."""
TABLES = {"evaluate", "evaluation", "outcomes"}
"""Modules of a part that make the tables of ``eval``; all of their names are public."""


def functions(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield the innermost functions and the lines of their bodies."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef) or node.end_lineno is None:
            continue
        if not any(isinstance(inner, ast.FunctionDef) for inner in ast.walk(node) if inner != node):
            yield node.name, node.end_lineno - node.body[0].lineno + 1


def run_time_imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the module and name of what is imported when a command runs, not for its types alone."""
    nodes: list[ast.AST] = [tree]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node.module, alias.name) for alias in node.names)
        nodes += ast.iter_child_nodes(node)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_commands_are_short(file: Path) -> None:
    text = file.read_text()
    assert text.count("\n") <= MOST_LINES, f"{file.name}: move what it does into a library"
    for name, lines in functions(ast.parse(text)):
        assert lines <= MOST_BODY, f"{file.name}: {name} has a body of {lines} lines"


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_commands_call_what_anybody_can_call(file: Path) -> None:
    for module, name in run_time_imports(ast.parse(file.read_text())):
        words = module.split(".")
        if words[0] != "commonground" or len(words) < 2 or words[1] not in PARTS:
            continue
        if TABLES & set(words):
            continue
        public = getattr(importlib.import_module(module), "__all__", ())
        assert name in public, f"{file.name}: {name} is no public name of {module}"


def command_parameters(app: typer.Typer, *path: str) -> Iterator[tuple[str, inspect.Parameter]]:
    """Yield the parameters of all commands, each with the words of its command."""
    for known in app.registered_commands:
        assert known.callback is not None
        for parameter in inspect.signature(known.callback).parameters.values():
            yield " ".join((*path, str(known.name))), parameter
    for group in app.registered_groups:
        assert group.typer_instance is not None
        yield from command_parameters(group.typer_instance, *path, str(group.name))


def kinds_in(annotation: Any) -> set[Any]:
    """Return the types that an annotation is made of."""
    return {annotation}.union(*map(kinds_in, typing.get_args(annotation)))


def test_every_number_that_can_be_given_has_a_stated_range() -> None:
    numbers, endless = 0, []
    for name, parameter in command_parameters(build()):
        if typing.get_origin(parameter.annotation) is not Annotated:
            continue
        base, info, *_ = typing.get_args(parameter.annotation)
        if kinds_in(base) & {int, float}:
            numbers += 1
            if info.min is None or info.max is None:
                endless.append(f"{name}: {parameter.name}")
    assert numbers > 100
    assert endless == []


@pytest.mark.parametrize(
    "words",
    [
        ("simulate", "--out", "o", "--robots", ",".join(f"r{k}" for k in range(3000))),
        ("simulate", "--out", "o", "--robots", "a,b,c,d,e,f", "--length", "50000"),
        ("eval", "fusion", "--robots", "3000"),
        ("plan", "scene.json", "--robots", "many.yaml", "--goal", "(safe O1)"),
        ("live", "--robots", "many.yaml", "--out", "o"),
        ("live", "--robots", "mapped.yaml", "--out", "o"),
        ("run", "story.yaml", "--out", "o"),
    ],
    ids=lambda words: " ".join(words[:4])[:40],
)
def test_what_is_too_much_is_a_line_at_once(
    words: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    save_scene(sample_scene(), "scene.json")
    many = "".join(f"  r{k}: {{pose: [0, 0, 0, 0]}}\n" for k in range(3000))
    Path("many.yaml").write_text(f"robots:\n{many}")
    mapped = "".join(f"  r{k}: {{simulated: {{}}}}\n" for k in range(60))
    Path("mapped.yaml").write_text(f"robots:\n{mapped}")
    names = ", ".join(f"r{k}" for k in range(3000))
    Path("story.yaml").write_text(f"see: {{simulate: {{}}, robots: [{names}]}}\n")
    before = set(tmp_path.iterdir())
    assert run(words) == 1
    said = capfd.readouterr().err
    assert said.startswith("commonground: ") and said.count("\n") == 1
    assert set(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    "words",
    [
        ("plan", "scene.json", "--robots", "robots.yaml", "--goal", "r=(safe O1)", "--out", "./scene.json"),
        ("plan", "scene.json", "--robots", "robots.yaml", "--goal", "r=(safe O1)", "--out", "robots.yaml"),
        ("export", "run", "--to", "ply", "--out", "run/fused/mesh.ply"),
        ("assemble", "plan", "cell.pl", "--out", "same.json", "--order-out", "same.json"),
    ],
    ids=lambda words: " ".join(words[-3:]),
)  # fmt: skip
def test_nothing_is_written_over_what_is_read(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    fused = tmp_path / "run/fused"
    fused.mkdir(parents=True)
    save_scene(sample_scene(), "scene.json")
    save_scene(sample_scene(), fused / "scene.json")
    (fused / "mesh.ply").write_text("the map's own")
    Path("robots.yaml").write_text("robots:\n  r: {pose: [0, 0, 0, 0], capabilities: [inspect]}\n")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert run(words) == 1
    assert before == {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
