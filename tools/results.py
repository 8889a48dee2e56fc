"""Fill the tables of the pages of results: run the command above each marked table and write what it answers.

    python tools/results.py [NAME…] [--list]

A table stands between ``<!-- results: NAME -->`` and ``<!-- end -->``, or ``<!-- results: NAME | COLUMN,
COLUMN -->`` for some of its columns; the command is the last one of the ``bash`` block before it, a
``commonground eval …`` whose ``--json`` answer has rows and columns. Names given fill only tables whose name
holds one of them. A suite that is not there leaves its table as it was, and the last line says so.
"""

from __future__ import annotations

import argparse
import datetime
import json
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "docs" / "results"
_TABLE = re.compile(
    r"<!-- results: (?P<name>[^|\n]+?)(?: \| (?P<columns>[^\n]+))? -->\n.*?<!-- end -->", re.DOTALL
)
SUITES = next((p for p in (ROOT, *ROOT.parents) if (p / "shared").is_dir()), ROOT)
"""The folder in or above the checkout that has the suites; commands run there."""
_BLOCK = re.compile(r"^```bash\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Table:
    """A marked table of a page, and the command that makes it."""

    page: Path
    name: str
    command: str
    columns: tuple[str, ...] = ()
    """All if none are named."""

    def missing(self) -> list[str]:
        """Return the files of a suite that the command names and that are not there."""
        words = shlex.split(self.command)
        return [w for w in words if w.startswith("shared/") and not any(SUITES.glob(w))]

    def run(self) -> str:
        """Return the table as the command makes it now."""
        words = shlex.split(self.command)
        program = Path(sys.executable).with_name(words[0])
        ran = subprocess.run(
            [str(program), *words[1:], "--json", "--quiet"],
            cwd=SUITES,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        return markdown(json.loads(ran.stdout), self.columns)


def main() -> int:
    """Fill the tables asked for; return 1 if a suite is missing."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("names", nargs="*", help="Only tables whose name holds one of these.")
    parser.add_argument("--list", action="store_true", help="Say what would be run.")
    args = parser.parse_args()
    left: list[str] = []
    for page in sorted(PAGES.glob("*.md")):
        for table in tables(page):
            if args.names and not any(name in table.name for name in args.names):
                continue
            print(f"{page.name}: {table.name}: {table.command}", flush=True)
            if table.missing():
                left.append(f"{table.name} ({', '.join(table.missing())} is not there)")
            elif not args.list:
                clock = time.perf_counter()
                fill(table, table.run())
                print(f"  {time.perf_counter() - clock:.0f} s", flush=True)
    if left:
        print(f"left as they were: {'; '.join(left)}")
    return 1 if left else 0


def tables(page: Path) -> Iterator[Table]:
    """Yield the marked tables of a page in order."""
    text = page.read_text()
    for found in _TABLE.finditer(text):
        blocks = [b["text"] for b in _BLOCK.finditer(text[: found.start()])]
        if not blocks:
            raise SystemExit(f"{page}: no command stands above the table '{found['name']}'")
        columns = tuple(found["columns"].split(", ")) if found["columns"] else ()
        yield Table(page, found["name"], blocks[-1].strip().splitlines()[-1], columns)


def fill(table: Table, lines: str) -> None:
    """Write a table into its page, with the day it was taken."""
    today = datetime.datetime.now(datetime.UTC).date()

    def chosen(found: re.Match[str]) -> str:
        marker = found[0].splitlines()[0]
        new = f"{marker}\nTaken {today}.\n\n{lines}<!-- end -->"
        return new if found["name"] == table.name else found[0]

    table.page.write_text(_TABLE.sub(chosen, table.page.read_text()))


def markdown(answer: Mapping[str, Any], chosen: Sequence[str] = ()) -> str:
    """Return rows and columns as a Markdown table; columns that hold nothing are left out."""
    rows = answer["rows"]
    columns = [
        c for c in chosen or answer["columns"] if any(row.get(c) is not None for row in rows)
    ]
    lines = [columns, *([cell(row.get(c)) for c in columns] for row in rows)]
    written = [f"| {' | '.join(line)} |\n" for line in lines]
    return "".join([written[0], f"|{'---|' * len(columns)}\n", *written[1:]])


def cell(value: object) -> str:
    """Return a value as it stands in a table: three digits that count, yes and no."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"
    return str(value)


if __name__ == "__main__":
    sys.exit(main())
