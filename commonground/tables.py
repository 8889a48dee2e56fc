"""Tables in files, with what they were made with, and how they spread over seeds."""

from __future__ import annotations

import csv
import datetime
import functools
import io
import json
import numbers
import shlex
import statistics
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from commonground.atomic import write_text, write_with
from commonground.errors import ConfigError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUFFIXES = (".md", ".csv", ".tex", ".json")
BOTH = (".md", ".csv")
"""What is written where a file has no suffix."""
Row = Mapping[str, Any]
WHOLE = 999.5
"""From here on three digits would be written with an exponent."""
COUNT = "tables"
"""Column of how many seeds had a row."""


def short(value: object) -> object:
    """Return a cell of a table: numbers to three digits or whole, nothing where there is no value."""
    if value is None:
        return ""
    if not isinstance(value, float):
        return value
    return f"{value:.0f}" if abs(value) >= WHOLE else f"{value:.3g}"


def plain(value: Any) -> Any:
    """Return JSON's form of paths and of numpy's numbers and arrays."""
    if isinstance(value, Path):
        return str(value)
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} has no JSON form")


def columns_of(rows: Iterable[Row]) -> list[str]:
    return list(dict.fromkeys(column for row in rows for column in row))


def spread(
    found: Iterable[tuple[int, Row]], keys: Sequence[str], count: str = COUNT
) -> list[dict[str, Any]]:
    """Return a row for each set of values of the keys: of its numbers median, least, most and how many.

    Names that end in the seed, as those of made-up teams, are taken without it. Where a table has several
    rows of one set, the first ones of all tables belong together, and so on.
    """
    groups: dict[tuple[object, ...], list[Row]] = {}
    times: Counter[tuple[object, ...]] = Counter()
    for seed, row in found:
        told = (row.get(key) for key in keys)
        key = tuple(k.removesuffix(f" {seed}") if isinstance(k, str) else k for k in told)
        times[seed, *key] += 1
        groups.setdefault((*key, times[seed, *key]), []).append(row)
    out = []
    for named, rows in groups.items():
        made: dict[str, Any] = {**dict(zip(keys, named, strict=False)), count: len(rows)}
        for column in columns_of(rows):
            values = [row[column] for row in rows if _is_quantity(row.get(column))]
            if values and column not in keys:
                made[column] = {
                    "median": float(statistics.median(values)),
                    "least": min(values),
                    "most": max(values),
                    "values": len(values),
                }
        out.append(made)
    return out


def _is_quantity(value: object) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def shown(value: object, seeds: int | None = None, dash: str = "–") -> object:
    """Return a cell: a spread as median and range, and of how many where fewer than all ``seeds`` have it."""
    if not isinstance(value, Mapping):
        return short(value)
    middle, least, most = (short(float(value[k])) for k in ("median", "least", "most"))
    more = [] if least == most else [f"{least}{dash}{most}"]
    if seeds is not None and value["values"] < seeds:
        more.append(f"{value['values']} of {seeds}")
    return f"{middle} [{'; '.join(more)}]" if more else f"{middle}"


def chosen_columns(rows: Sequence[Row], columns: Sequence[str]) -> list[Row]:
    """Return rows with these columns only, in this order."""
    return [{column: row[column] for column in columns if column in row} for row in rows]


# ---- files ----


def files_of(path: Path) -> list[Path]:
    """Return what is written for a file that was named; ConfigError for a kind or name that cannot be."""
    nameless = not path.name or (path.name.startswith(".") and not path.suffix)
    if nameless or _is_folder(path):
        raise ConfigError(f"--out {path}: name a file, as table.md")
    if not path.suffix:
        return [path.with_name(path.name + suffix) for suffix in BOTH]
    if path.suffix not in SUFFIXES:
        raise ConfigError(f"--out {path}: name a file that ends in {', '.join(SUFFIXES)}")
    return [path]


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # told with its reason where it is written
        return False


def write_figures(base: Path, figures: Mapping[str, Figure]) -> None:
    """Write figures as PNG beside a table, each by its name."""
    for name, figure in figures.items():
        draw = functools.partial(figure.savefig, format="png", dpi=150)
        write_with(base.with_name(f"{base.name}-{name}.png"), draw)


def write_table(
    file: Path, told: Mapping[str, Any], caption: Sequence[str], seeds: Sequence[int]
) -> None:
    """Write a table as ``--json`` tells it, by the suffix of the file."""
    made = provenance(seeds)
    if file.suffix == ".json":
        text = json.dumps({**told, "provenance": made}, default=plain, allow_nan=False, indent=1)
        write_text(file, text + "\n")
    else:
        rows = [_apart(row) for row in told["rows"]] if file.suffix == ".csv" else told["rows"]
        columns = columns_of(rows)
        dash = ", " if file.suffix == ".tex" else "–"
        cells = [[shown(row.get(column), len(seeds), dash) for column in columns] for row in rows]
        lines = [f"{name}: {value}" for name, value in made.items()]
        said = [_one_line(line) for line in caption]
        write_text(file, _WRITERS[file.suffix](columns, cells, lines, said))


def _one_line(text: str) -> str:
    return " ".join(text.splitlines())


def _apart(row: Row) -> dict[str, object]:
    """Return a row for programs: numbers in full, and median, least and most in columns of their own."""
    out: dict[str, object] = {}
    for name, value in row.items():
        if isinstance(value, Mapping):
            out |= {f"{name} {kind}": f"{number:.9g}" for kind, number in value.items()}
        else:
            out[name] = f"{value:.9g}" if isinstance(value, float) else value
    return out


def provenance(seeds: Sequence[int]) -> dict[str, Any]:
    """Return what a table was made with: version, command, seeds, and when."""
    from commonground import __version__

    return {
        "commonground": __version__,
        "command": shlex.join(["commonground", *map(_one_line, sys.argv[1:])]),
        "seeds": list(seeds),
        "date": datetime.datetime.now().astimezone().isoformat(" ", timespec="seconds"),
    }


Cells = Sequence[Sequence[object]]


def _markdown(
    columns: Sequence[str], cells: Cells, made: Sequence[str], caption: Sequence[str]
) -> str:
    lines = [columns, ["---"] * len(columns), *cells]
    told = ([_one_line(str(c)).replace("|", "\\|") for c in line] for line in lines)
    rows = "".join(f"| {' | '.join(line)} |\n" for line in told)
    said = f"\n{' '.join(caption)}\n" if caption else ""
    return f"{rows}{said}\n{'; '.join(made)}\n"


def _csv(columns: Sequence[str], cells: Cells, made: Sequence[str], caption: Sequence[str]) -> str:
    text = io.StringIO()
    text.writelines(f"# {line}\n" for line in (*made, *caption))
    csv.writer(text, lineterminator="\n").writerows([columns, *cells])
    return text.getvalue()


_SPECIAL = str.maketrans(
    {c: f"\\{c}" for c in "&%$#_{}"}
    | {
        "–": "--",
        "°": "\\textdegree{}",
        "~": "\\textasciitilde{}",
        "\\": "\\textbackslash{}",
        "^": "\\textasciicircum{}",
        "<": "\\textless{}",
        ">": "\\textgreater{}",
    }
)


def _latex(
    columns: Sequence[str], cells: Cells, made: Sequence[str], caption: Sequence[str]
) -> str:
    """Return a tabular for the package booktabs."""
    numeric = [all(_is_number(row[k]) for row in cells) for k in range(len(columns))]
    spec = "".join("r" if number else "l" for number in numeric)
    lines = [f"% {line}" for line in (*made, *caption)]
    rows = [
        " & ".join(_one_line(str(c)).translate(_SPECIAL) for c in row) + r" \\"
        for row in (columns, *cells)
    ]
    body = [rows[0], r"\midrule", *rows[1:]]
    return "\n".join(
        [
            *lines,
            rf"\begin{{tabular}}{{{spec}}}",
            r"\toprule",
            *body,
            r"\bottomrule",
            r"\end{tabular}",
            "",
        ]
    )


def _is_number(cell: object) -> bool:
    """Return whether a cell is a number, with its range or not, or empty."""
    try:
        float(str(cell).partition(" [")[0] or "0")
    except ValueError:
        return False
    return True


_WRITERS = {".md": _markdown, ".csv": _csv, ".tex": _latex}
