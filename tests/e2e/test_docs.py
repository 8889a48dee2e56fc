"""What the documentation points at exists."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)", page.read_text()):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_modules_of_the_papers_exist() -> None:
    rows = (ROOT / "docs/papers.md").read_text().splitlines()
    for row in (r for r in rows if r.startswith("|")):
        cell = row.split("|")[3]
        package = ""
        for name in re.findall(r"`([^`]+)`", cell):
            full = name if "." in name else f"{package}.{name}"
            importlib.import_module(f"commonground.{full}")
            package = full.rpartition(".")[0]


def test_commands_in_the_guides_exist() -> None:
    from commonground.cli.main import COMMANDS

    for page in (ROOT / "docs/guides").glob("*.md"):
        for name in re.findall(r"(?:^|`|\s)commonground (\w+)", page.read_text()):
            assert name in COMMANDS, f"{page.name}: {name}"


def test_stories_in_the_guides_and_those_bundled_can_be_read(tmp_path: Path) -> None:
    from commonground.story.spec import read_story

    (story,) = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs/guides/story.md").read_text(), re.S)
    file = tmp_path / "story.yaml"
    file.write_text(story)
    assert read_story(file).instructions
    for name in ("campus", "kimera_multi"):
        assert read_story(ROOT / f"commonground/data/{name}.yaml").team
