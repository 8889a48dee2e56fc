"""The pages of results: each marked table has a command above it, and is filled with what that answers."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def results() -> ModuleType:
    spec = importlib.util.spec_from_file_location("results_tool", ROOT / "tools" / "results.py")
    if spec is None or spec.loader is None:
        pytest.fail("tools/results.py is missing")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


PAGE = """# Results

```bash
cd somewhere
commonground eval planning --places 100
```

<!-- results: planning | method, s -->
old
<!-- end -->

Text stays.

<!-- results: other -->
<!-- end -->
"""


def test_a_table_is_filled_by_the_command_above_it(results: ModuleType, tmp_path: Path) -> None:
    page = tmp_path / "planning.md"
    page.write_text(PAGE)
    table, other = results.tables(page)
    assert table.command == "commonground eval planning --places 100"
    assert (table.name, table.columns, other.columns) == ("planning", ("method", "s"), ())
    rows = [{"method": "ours", "s": 0.01234, "ok": True}, {"method": "theirs", "s": None}]
    answer = {"columns": ["method", "s", "ok", "never"], "rows": rows}
    results.fill(table, results.markdown(answer, table.columns))
    text = page.read_text()
    assert "| method | s |\n|---|---|\n| ours | 0.0123 |\n| theirs |  |\n<!-- end -->" in text
    assert "old" not in text
    assert text.startswith(PAGE[:100])
    assert text.endswith("Text stays.\n\n<!-- results: other -->\n<!-- end -->\n")
    assert "<!-- results: planning | method, s -->\nTaken 2" in text
    assert results.markdown(answer).splitlines()[0] == "| method | s | ok |"


def test_every_marked_table_names_a_command_of_this_program(results: ModuleType) -> None:
    found = [table for page in results.PAGES.glob("*.md") for table in results.tables(page)]
    assert len(found) >= 4
    assert all(table.command.startswith("commonground eval ") for table in found)
