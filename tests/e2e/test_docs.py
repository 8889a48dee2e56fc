"""What the documentation points at exists."""

from __future__ import annotations

import importlib
import importlib.util
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])


def test_every_step_of_a_paper_names_the_file_that_does_it() -> None:
    rows = (ROOT / "docs/papers.md").read_text().splitlines()
    steps = [r for r in rows if r.startswith("| ") and " here " not in r]
    assert len(steps) > 60
    for row in steps:
        assert re.search(r"`\w+/[\w./]+(::[\w.]+)?`", row) or "not done" in row, row


def test_commands_in_the_guides_exist() -> None:
    from commonground.cli.main import COMMANDS

    for page in (ROOT / "docs/guides").glob("*.md"):
        for name in re.findall(r"(?:^|`|\s)commonground (\w+)", page.read_text()):
            assert name in COMMANDS, f"{page.name}: {name}"


def test_stories_in_the_guides_and_those_bundled_can_be_read(tmp_path: Path) -> None:
    from commonground.story.spec import read_story

    (story,) = re.findall(
        r"```yaml title=.*?\n(.*?)```", (ROOT / "docs/guides/story.md").read_text(), re.S
    )
    file = tmp_path / "story.yaml"
    file.write_text(story)
    assert read_story(file).instructions
    for name in ("campus", "kimera_multi"):
        assert read_story(ROOT / f"commonground/data/{name}.yaml").team


API_PACKAGES = re.findall(
    r"\{\{ exports: ([\w.]+) \}\}", "".join(p.read_text() for p in (ROOT / "docs/api").glob("*.md"))
)


def _api_pages() -> ModuleType:
    spec = importlib.util.spec_from_file_location("api_pages", ROOT / "tools/api_pages.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("package", API_PACKAGES)
def test_the_reference_lists_what_a_package_exports_where_it_is_defined(package: str) -> None:
    pages = _api_pages()
    listed = pages.exports(package)
    assert sorted(listed) == sorted(importlib.import_module(package).__all__)
    for name, module in listed.items():
        found, _, last = pages.defined_at(package, name, module).rpartition(".")
        assert last == name
        place = pages.folder(found)
        source = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
        assert re.search(rf"\b{name}\b", source.read_text()), f"{package}: {name} in {source}"


def test_every_part_has_a_page_in_the_reference() -> None:
    from tests.core.test_layout import PARTS

    assert {"commonground", *(f"commonground.{part}" for part in PARTS)} <= set(API_PACKAGES)


def _setting(key: str) -> bool:
    """Return whether a dotted key names a setting or a section of settings."""
    from commonground.story import Config

    model: Any = Config
    for name in key.split("."):
        if name not in getattr(model, "model_fields", {}):
            return False
        model = model.model_fields[name].annotation
    return True


def test_settings_that_pages_name_exist() -> None:
    from commonground.story import Config

    sections = "|".join(Config.model_fields)
    quoted = re.compile(rf"(?:`|--set )((?:{sections})(?:\.[a-z_]+)+)(?=[=` ])")
    found = [(page.name, key) for page in PAGES for key in quoted.findall(page.read_text())]
    assert len(found) > 5
    assert not [(page, key) for page, key in found if not _setting(key)]
    assert not _setting("mapping.tracking.wings")
