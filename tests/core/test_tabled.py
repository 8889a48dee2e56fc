"""Tables of ``eval``: how they spread over seeds, and the files they are written to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer

from commonground import __version__
from commonground.cli.job import Job
from commonground.cli.main import run
from commonground.cli.tabled import table_command
from commonground.tables import shown, spread


def test_rows_of_several_seeds_become_one_with_median_and_range() -> None:
    found = [
        (seed, {"team": f"campus {seed}", "n": size, "ATE m": error, "note": "x"})
        for seed, errors in ((3, (0.5, 9.0)), (4, (0.1, 7.0)), (5, (0.2, 8.0)))
        for size, error in zip((10, 20), errors, strict=True)
    ]
    small, large = spread(found, ("team",))
    assert small["team"] == large["team"] == "campus" and small["tables"] == 3
    assert small["ATE m"] == {"median": 0.2, "least": 0.1, "most": 0.5}
    assert large["ATE m"]["median"] == 8.0 and "note" not in small
    assert shown(small["ATE m"]) == "0.2 [0.1–0.5]" and shown(small["n"]) == "10"
    lacking = spread([(0, {"k": "a", "v": None}), (1, {"k": "a", "v": 2})], ("k",))
    assert lacking == [{"k": "a", "tables": 2, "v": {"median": 2.0, "least": 2, "most": 2}}]


def test_a_table_is_written_in_every_form_with_what_it_was_made_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    app = typer.Typer()

    @table_command(app, "made_up", keys=("method",))
    def made_up(job: Job) -> None:
        job.caption = ("What it means.",)
        job.result({"rows": [{"method": "50 % & more_so", "m": 1.23456789 + job.seed}]})

    def call(*words: str) -> None:
        typer.main.get_command(app).main([*words], standalone_mode=False)

    outs = [w for s in ("", ".tex", ".json") for w in ("--out", str(tmp_path / f"t{s}"))]
    call("--seed", "2", *outs)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["t.csv", "t.json", "t.md", "t.tex"]
    tex = (tmp_path / "t.tex").read_text()
    assert r"50 \% \& more\_so & 3.23 \\" in tex and r"\begin{tabular}{lr}" in tex
    assert "method,m\n50 % & more_so,3.23456789\n" in (tmp_path / "t.csv").read_text()
    assert "What it means." in (tmp_path / "t.md").read_text()
    assert json.loads((tmp_path / "t.json").read_text())["rows"][0]["m"] == 3.23456789
    for path in tmp_path.iterdir():
        text = path.read_text()
        assert __version__ in text and "date" in text and "command" in text, path
    call("--seeds", "3", "--out", str(tmp_path / "s.csv"))
    assert (
        "method,tables,m median,m least,m most\n50 % & more_so,3,2.2"
        in (tmp_path / "s.csv").read_text()
    )
    assert "2.23 [1.23–3.23]" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["association", "relocalization", "planning", "missions"])
def test_all_tables_take_a_file(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["eval", name, "--out", "table.xls"]) == 1
    assert "name a file that ends in .md, .csv, .tex, .json" in capsys.readouterr().err
