"""What a name may be, and that no module makes a path of a name by itself."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.names import NameProblem, below, checked_name, within

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("commonground", "datasets", "localization", "mapping", "planning", "grounding")
NAMING = {"robot", "name", "camera", "task", "id", "place", "key", "number", "stem", "names"}
"""What variables and fields that hold names are called."""
SUSPECT = re.compile(r"/\s+(f[\"']|[\w.]*\b(" + "|".join(sorted(NAMING)) + r")\b)")
"""Text worth parsing, which takes a hundred times as long as to search it."""
EXEMPT = {
    "commonground/names.py": "the one place",
    "mapping/perception/weights.py": "a setting that may be a path anywhere",
    "planning/downward/_service.py": "two constant names, in a process without this package",
}
BAD = ["", " ", "..", ".", "a/b", "../../x", "/etc", "a\\b", "a\0b", "a\nb", "\x1b[31m", "x" * 200]
BAD += ["\u202eabc", "\ud800", " x", "x "]


@pytest.mark.parametrize("text", BAD, ids=ascii)
def test_what_leads_elsewhere_or_cannot_be_shown_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(NameProblem) as problem:
        within(tmp_path, text)
    assert str(problem.value).isprintable()


@pytest.mark.parametrize("text", ["husky", "spot 2", "6_00", "Küche", "6|1", ".hidden", "-x", "機"])
def test_what_people_call_things_is_a_name(text: str) -> None:
    assert checked_name(text) == text


@given(st.text(max_size=20))
def test_a_path_of_a_name_stays_in_its_folder(text: str) -> None:
    folder = Path("/some/folder")
    try:
        path = within(folder, text)
    except NameProblem:
        return
    assert path.parent == folder
    assert path.name == text


@pytest.mark.parametrize("text", ["../x", "/etc/passwd", "a/../../x", "", "a/\x00"], ids=ascii)
def test_a_place_below_a_folder_is_below_it(text: str, tmp_path: Path) -> None:
    assert below(tmp_path, "rgb/1.png") == tmp_path / "rgb" / "1.png"
    with pytest.raises(NameProblem):
        below(tmp_path, text)


def joined_by_hand(tree: ast.Module) -> list[int]:
    """Return the lines where something named like a name is put behind a slash."""
    lines = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div):
            continue
        right = node.right
        if isinstance(right, ast.JoinedStr):
            held = any(isinstance(value, ast.FormattedValue) for value in right.values)
        else:
            called = getattr(right, "attr", getattr(right, "id", ""))
            held = called in NAMING
        if held:
            lines.append(node.lineno)
    return lines


def test_the_search_for_paths_made_by_hand_finds_them() -> None:
    made = 'a = folder / robot\nb = folder / f"{x}.db"\nc = folder / task.name\nd = m / speed'
    assert joined_by_hand(ast.parse(made)) == [1, 2, 3]
    assert all(SUSPECT.search(line) for line in made.split("\n")[:3])


def test_names_become_paths_in_one_place_only() -> None:
    found = []
    for part in PARTS:
        for file in sorted((ROOT / part).rglob("*.py")):
            where = file.relative_to(ROOT).as_posix()
            text = file.read_text(encoding="utf-8")
            if where not in EXEMPT and SUSPECT.search(text):
                found += [f"{where}:{n}" for n in joined_by_hand(ast.parse(text))]
    assert not found, f"use commonground.names.within: {found}"
