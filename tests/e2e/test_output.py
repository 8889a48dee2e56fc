"""Standard streams as they may come: closed, full, without letters, and code that ends the program."""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path

import pytest

from commonground.cli.main import run
from commonground.cli.streams import printable, shown
from commonground.demo import sample_scene
from commonground.scene import save_scene

PROGRAM = f"{sys.executable} -m commonground"


def shell(line: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, check=False, cwd=cwd, timeout=300
    )


STREAMS = {
    "closed": (f"{PROGRAM} config show >&-", 0),
    "all closed": (f"{PROGRAM} config show <&- >&- 2>&-", 0),
    "full": (f"{PROGRAM} config schema --json > /dev/full", 1),
    "full, with an error": (f"{PROGRAM} export none.json --to png --json > /dev/full", 1),
    "reader gone": (
        f"(sleep 0.1; {PROGRAM} config schema) | true; exit ${{PIPESTATUS[0]}}",
        0,
    ),
    "ascii": (f"PYTHONIOENCODING=ascii {PROGRAM} export küche.json --to png", 1),
    "ascii help": (f"PYTHONIOENCODING=ascii {PROGRAM} plan --help", 0),
}


@pytest.mark.parametrize(("line", "code"), STREAMS.values(), ids=STREAMS)
def test_streams_that_do_not_work(line: str, code: int, tmp_path: Path) -> None:
    ended = shell(line, tmp_path)
    assert ended.returncode == code, ended.stderr
    assert "Traceback" not in ended.stderr
    assert "Exception ignored" not in ended.stderr


def test_what_would_steer_a_terminal_is_spelled_out(tmp_path: Path) -> None:
    assert shown("a\x1b[31mb\nc\u202e") == "a\\x1b[31mb c\\u202e"
    assert printable("größer → 機\n") == "größer → 機\n"
    ended = subprocess.run(
        [*PROGRAM.split(), "export", "\x1b[2J.json", "--to", "png"],
        capture_output=True, text=True, check=False, cwd=tmp_path, timeout=300,
    )  # fmt: skip
    assert ended.returncode == 1
    assert "\x1b" not in ended.stderr


def test_what_is_logged_is_spelled_out_too(capfd: pytest.CaptureFixture[str]) -> None:
    from commonground.cli.command import _ToStderr

    record = logging.LogRecord("commonground", logging.WARNING, "", 0, "%s", ("a\x1b[2J",), None)
    _ToStderr(show_path=False).emit(record)
    assert "a\\x1b[2J" in capfd.readouterr().err


def test_markup_in_names_is_printed_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    save_scene(sample_scene(), "scene.json")
    assert run(["find", "scene.json", "--call", "R1=[bold red]dock[/] [link=x]y"]) == 0
    assert "[bold red]dock[/] [link=x]y" in capfd.readouterr().out


def test_nothing_is_left_in_the_home_folder(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    save_scene(sample_scene(), tmp_path / "scene.json")
    (tmp_path / "robots.yaml").write_text(
        "robots:\n  husky: {pose: [0, 0, 0, 0], capabilities: [inspect]}\n"
    )
    words = "ground scene.json 'husky, go to the flag' --robots robots.yaml"
    ended = shell(f"HOME={home} TMPDIR={home} {PROGRAM} {words}", tmp_path)
    assert ended.returncode in (0, 3), ended.stderr
    assert list(home.iterdir()) == []
