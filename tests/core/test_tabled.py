"""Tables of ``eval``: how they spread over seeds, and the files they are written to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
import typer

from commonground import __version__
from commonground.cli.job import Job
from commonground.cli.main import run
from commonground.cli.tabled import table_command
from commonground.errors import ConfigError, RunError
from commonground.tables import files_of, short, shown, spread

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def test_rows_of_several_seeds_become_one_with_median_and_range() -> None:
    found = [
        (seed, {"team": f"campus {seed}", "n": size, "ATE m": error, "note": "x"})
        for seed, errors in ((3, (0.5, 9.0)), (4, (0.1, 7.0)), (5, (0.2, 8.0)))
        for size, error in zip((10, 20), errors, strict=True)
    ]
    small, large = spread(found, ("team",))
    assert small["team"] == large["team"] == "campus" and small["tables"] == 3
    assert small["ATE m"] == {"median": 0.2, "least": 0.1, "most": 0.5, "values": 3}
    assert large["ATE m"]["median"] == 8.0 and "note" not in small
    assert shown(small["ATE m"]) == "0.2 [0.1–0.5]" and shown(small["n"]) == "10"
    lacking = spread([(0, {"k": "a", "v": None}), (1, {"k": "a", "v": 2})], ("k",))
    (row,) = lacking
    assert row["tables"] == 2
    assert row["v"] == {"median": 2.0, "least": 2, "most": 2, "values": 1}
    assert shown(row["v"], seeds=2) == "2 [1 of 2]", "a median of one seed is none of both"
    assert shown(small["ATE m"], seeds=4) == "0.2 [0.1–0.5; 3 of 4]"
    assert shown(small["ATE m"], seeds=3) == "0.2 [0.1–0.5]"


def test_a_table_is_written_in_every_form_with_what_it_was_made_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    app = typer.Typer()

    @table_command(app, "made_up", keys=("method",))
    def made_up(job: Job) -> None:
        job.caption = ("What it means.",)
        job.result({"rows": [{"method": "50 % & more_so", "m": 1.23456789 + job.seed}]})

    outs = [w for s in ("", ".tex", ".json") for w in ("--out", str(tmp_path / f"t{s}"))]
    call(app, "--seed", "2", *outs)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["t.csv", "t.json", "t.md", "t.tex"]
    tex = (tmp_path / "t.tex").read_text()
    assert r"50 \% \& more\_so & 3.23 \\" in tex and r"\begin{tabular}{lr}" in tex
    assert "method,m\n50 % & more_so,3.23456789\n" in (tmp_path / "t.csv").read_text()
    assert "What it means." in (tmp_path / "t.md").read_text()
    assert json.loads((tmp_path / "t.json").read_text())["rows"][0]["m"] == 3.23456789
    for path in tmp_path.iterdir():
        text = path.read_text()
        assert __version__ in text and "date" in text and "command" in text, path
    call(app, "--seeds", "3", "--out", str(tmp_path / "s.csv"))
    assert (
        "method,tables,m median,m least,m most,m values\n50 % & more_so,3,2.2"
        in (tmp_path / "s.csv").read_text()
    )
    assert "2.23 [1.23–3.23]" in capsys.readouterr().out
    few = ("--columns", "m,width, method", "--out", str(tmp_path / "few.tex"))
    unknown = "no column 'width'; there are method, tables, m. Written with m, method"
    with pytest.raises(ConfigError, match=unknown):
        call(app, "--seeds", "3", *few, "--out", str(tmp_path / "few.csv"))
    assert r"2.23 [1.23, 3.23] & 50 \% \& more\_so \\" in (tmp_path / "few.tex").read_text()
    assert "tables" not in (tmp_path / "few.csv").read_text()
    with pytest.raises(ConfigError, match="Written with all"):
        call(app, "--quiet", "--columns", "nope", "--out", str(tmp_path / "all.csv"))
    assert "method,m\n50 % & more_so" in (tmp_path / "all.csv").read_text()
    with pytest.raises(typer.BadParameter, match="goes with --out"):
        call(app, "--columns", "m")


def call(app: typer.Typer, *words: str) -> None:
    typer.main.get_command(app).main([*words], standalone_mode=False)


def test_numbers_of_any_kind_have_a_range_and_what_is_so_or_not_has_none() -> None:
    rows = [{"n": np.int64(k), "f": np.float32(k), "ok": k > 1, "all": np.bool_(k)} for k in (1, 3)]
    (row,) = spread(enumerate(rows), ())
    assert row["n"] == {"median": 2.0, "least": 1, "most": 3, "values": 2} and row["f"]["most"] == 3
    assert "ok" not in row and "all" not in row


def test_large_numbers_are_written_whole() -> None:
    assert [short(x) for x in (1234.5, -999.7, 999.4, 0.12345)] == ["1234", "-1000", "999", "0.123"]


@pytest.mark.parametrize("name", ["", ".", "./", "/", "..", "a/..", ".md", "a/.csv", "folder"])
def test_what_is_no_file_is_not_written_to(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    with pytest.raises(ConfigError, match="name a file"):
        files_of(Path(name))
    assert files_of(Path(".hidden.md")) == [Path(".hidden.md")]


def test_seeds_keep_columns_that_only_some_rows_have_and_what_the_first_seed_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    app = typer.Typer()

    @table_command(app, "made_up", keys=("method",))
    def made_up(job: Job) -> None:
        rows = [{"method": "none", "m": 1.0}, {"method": "all", "m": 2.0, "closures": 7}]
        job.result({"rows": rows, "settings": {"seed": job.seed}})
        job.caption = (f"Drive {job.seed} is short.",)

        def figures() -> dict[str, Figure]:
            drawn.append(job.seed)
            return {}

        job.figures = figures

    drawn: list[int] = []
    call(app, "--seed", "4", "--seeds", "2", "--out", str(tmp_path / "t"))
    printed = capsys.readouterr().out
    assert "closures" in printed and "Drive 4 is short." in printed and "Drive 5" not in printed
    assert drawn == [4]
    assert "Drive 4 is short." in (tmp_path / "t.md").read_text()
    assert "# Drive 4 is short.\n" in (tmp_path / "t.csv").read_text()
    call(app, "--seed", "4", "--seeds", "2", "--json")
    told = json.loads(capsys.readouterr().out)
    assert told["columns"] == ["method", "tables", "m", "closures"]
    assert told["settings"] == {"seed": 4}


def test_signs_of_the_formats_in_cells_and_line_breaks_in_the_command_do_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = typer.Typer()

    @table_command(app, "made_up")
    def made_up(job: Job) -> None:
        job.result({"rows": [{"a|b": "x^2 < 3 > \\y | z", "c": "two\nlines"}]})

    monkeypatch.setattr("sys.argv", ["commonground", "eval", "made\nup"])
    call(app, "--out", str(tmp_path / "t"), "--out", str(tmp_path / "t.tex"))
    md, tex, csv = ((tmp_path / f"t.{kind}").read_text() for kind in ("md", "tex", "csv"))
    assert md.startswith("| a\\|b | c |\n") and "\\y \\| z | two lines |\n" in md
    assert (
        r"x\textasciicircum{}2 \textless{} 3 \textgreater{} \textbackslash{}y | z & two lines"
        in tex
    )
    for text in (md, tex, csv):
        assert "commonground eval 'made up'" in text


def test_a_table_that_lacks_something_is_written_before_that_is_told(tmp_path: Path) -> None:
    app = typer.Typer()

    @table_command(app, "made_up")
    def made_up(job: Job) -> None:
        job.result({"rows": [{"m": 1.0}]})
        raise ValueError("incomplete")

    with pytest.raises(ValueError, match="incomplete"):
        call(app, "--out", str(tmp_path / "t.md"))
    assert "| 1 |" in (tmp_path / "t.md").read_text()


def test_a_place_that_cannot_be_written_is_told_before_the_run(tmp_path: Path) -> None:
    app = typer.Typer()

    @table_command(app, "made_up")
    def made_up(job: Job) -> None:
        pytest.fail("it ran")

    (tmp_path / "file").touch()
    (tmp_path / "t.md").mkdir()
    for name in ("file/t.md", "t"):
        with pytest.raises(RunError, match="cannot be written"):
            call(app, "--out", str(tmp_path / name))


@pytest.mark.parametrize("name", ["association", "relocalization", "planning", "missions"])
def test_all_tables_take_a_file(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["eval", name, "--out", "table.xls"]) == 1
    assert "name a file that ends in .md, .csv, .tex, .json" in capsys.readouterr().err
