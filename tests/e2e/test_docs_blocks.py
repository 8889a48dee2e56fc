"""Every block of the pages that can run is run, page by page, as a reader would who follows along.

A block with a title is a file and is written; ``bash`` and ``python`` blocks are run, in order, in one
folder. Plain calls of the program and Python are run in this process, what needs a shell is given to one.
What the pages take for granted (a recording, the data of a checkout) is made up by ``PROVIDED``. A block that
cannot run here has ``<!-- not run: why -->`` above it; its commands and options are checked instead.
"""

from __future__ import annotations

import json
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Call
from tests.grounding.model_server import model_server

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
SHELL, RUN = ("bash", "sh", "console"), ("bash", "sh", "python")
MOST_LEFT_OUT = 20
"""So many blocks may be left out besides those of the results, which take minutes each."""
_FENCE = re.compile(r"^```(\w*) *(?:title=\"([^\"]+)\")?$")
_NOT_RUN = re.compile(r"^<!-- not run: (.+) -->$")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block of a page."""

    line: int
    language: str
    title: str
    text: str
    left_out: str
    """Why it is not run; empty where it is."""

    @property
    def runs(self) -> bool:
        """Whether the block is executed."""
        return self.language in RUN and not self.title and not self.left_out


def blocks(page: Path) -> list[Block]:
    """Return the fenced blocks of a page in order."""
    found: list[Block] = []
    start: tuple[int, str, str, str] | None = None
    body: list[str] = []
    before = ""
    for number, line in enumerate(page.read_text().splitlines(), 1):
        fence = _FENCE.match(line)
        if start is not None and line == "```":
            found.append(Block(start[0], start[1], start[2], "\n".join(body) + "\n", start[3]))
            start, body, before = None, [], ""
        elif start is not None:
            body.append(line)
        elif fence is not None:
            reason = _NOT_RUN.match(before)
            start = (number, fence[1], fence[2] or "", reason[1] if reason else "")
        elif line.strip():
            before = line
    assert start is None, f"{page}: the fence of line {start} is never closed"
    return found


def _name(page: Path) -> str:
    return str(page.relative_to(ROOT))


# ---- what the pages take for granted ------------------------------------------------------------

_SMALL = (
    "simulation.sensor.width=128",
    "simulation.sensor.height=96",
    "simulation.world.size_m=60",
    "simulation.world.objects=120",
    "simulation.driving.frame_rate_hz=2",
    "simulation.driving.overlap=0.95",
)


@pytest.fixture(scope="session")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Bags of two robots that drove 12 m on a small campus."""
    from commonground.cli.main import run

    folder = tmp_path_factory.mktemp("recording") / "bags"
    values = [word for value in _SMALL for word in ("--set", value)]
    call = ["simulate", "--out", str(folder), "--robots", "alpha,bravo", "--length", "12"]
    assert run([*call, "--format", "ros1bag", "--seed", "1", "--quiet", *values]) == 0
    return folder


def _courtyard(target: Path, _: Path) -> None:
    target.parent.mkdir(parents=True)
    shutil.copy(ROOT / "commonground/data/courtyard.json", target)


def _link(target: Path, recording: Path) -> None:
    target.symlink_to(recording)


MODEL_ADDRESS = "http://localhost:8000/v1"
MEANING = {
    "assignments": [
        {
            "who": {"names": ["spot"]},
            "task": {
                "do": "inspect",
                "what": {"noun": "tree", "where": [{"how": "nearest", "to": [{"noun": "flag"}]}]},
            },
        }
    ]
}
"""What a language model answers to the instruction of the guide."""

PROVIDED: dict[str, Callable[[Path, Path], None]] = {
    "my_bags": _link,
    "later_bags": _link,
    "commonground/data/courtyard.json": _courtyard,
}


@pytest.mark.parametrize(
    "page", [p for p in PAGES if any(b.runs for b in blocks(p))], ids=lambda p: _name(p)
)
def test_the_blocks_of_a_page_run(
    page: Path,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    call: Call,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    there = blocks(page)
    wanted = "".join(b.text for b in there if b.runs)
    if "assemble" in wanted and shutil.which("swipl") is None:
        pytest.skip("SWI-Prolog is not installed (swi-prolog-nox)")
    for name, provide in PROVIDED.items():
        if name in wanted:
            needs = request.getfixturevalue("recording") if provide is _link else ROOT
            provide(tmp_path / name, needs)
    with model_server(json.dumps(MEANING)) as (address, _):
        for block in there:
            if block.title:
                (tmp_path / block.title).write_text(block.text)
            elif block.runs:
                block = replace(block, text=block.text.replace(MODEL_ADDRESS, address))
                calls = plain_calls(block)
                for words in calls:
                    done = call(*words)
                    assert done.returncode == 0, f"{_name(page)}:{block.line}: {words}\n{done}"
                if block.language == "python":
                    _run_here(block, page, tmp_path)
                elif not calls:
                    _run(block, page, tmp_path)


def plain_calls(block: Block) -> list[list[str]]:
    """Return the arguments of the program's calls in a block that does nothing else; else nothing."""
    if block.language == "python" or re.search(r"[$`*~{}\[\]]", block.text):
        return []
    found: list[list[str]] = []
    for line in block.text.replace("\\\n", " ").splitlines():
        split = shlex.shlex(line, posix=True, punctuation_chars=True)
        split.whitespace_split = True
        words = [*split]
        if any(not set(word) - set("();<>|&") for word in words):
            return []
        if words and words[0] != "commonground":
            return []
        found += [words[1:]] if words else []
    return found


def _run_here(block: Block, page: Path, folder: Path) -> None:
    """Run a block of Python as a program of its own, here, where the libraries are loaded."""
    file = folder / f"{page.stem}-{block.line}.py"
    file.write_text(block.text)
    runpy.run_path(str(file), run_name="__main__")


def _run(block: Block, page: Path, folder: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-s"],
        input=block.text,
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        timeout=500,
        env={**os.environ, "PATH": path, "MPLBACKEND": "Agg"},
    )
    assert done.returncode == 0, (
        f"{_name(page)}:{block.line} ended with {done.returncode}\n{done.stdout}{done.stderr}"
    )


# ---- what cannot run here is at least spelled right ----------------------------------------------


def commands(text: str) -> Iterator[list[str]]:
    """Yield the commands of a shell block as words, without leading assignments."""
    for line in text.replace("\\\n", " ").splitlines():
        words = shlex.split(line.removeprefix("$ "), comments=True)
        while words and re.fullmatch(r"\w+=.*", words[0]):
            words = words[1:]
        if words:
            yield words


def faults(words: list[str], program: Any) -> Iterator[str]:
    """Yield what is wrong with a call of ``commonground``: an unknown command or option."""
    command, rest = program, words[1:]
    while rest and hasattr(command, "commands"):
        if rest[0] not in command.commands:
            yield f"there is no command {rest[0]}"
            return
        command, rest = command.commands[rest[0]], rest[1:]
    known = {o for p in command.params for o in (*p.opts, *p.secondary_opts)} | {"--help", "-h"}
    for word in rest:
        option = word.partition("=")[0]
        if re.fullmatch(r"--?[a-z][\w-]*", option) and option not in known:
            yield f"{' '.join(words[:3])} has no option {option}"


def test_calls_in_shell_blocks_and_sentences_are_spelled_right() -> None:
    import typer

    from commonground.cli.main import build

    program = typer.main.get_command(build())
    for page in PAGES:
        calls = [c for b in blocks(page) if b.language in SHELL for c in commands(b.text)]
        prose = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
        calls += [q.split() for q in re.findall(r"`(commonground [a-z][^`…|]*)", prose)]
        for words in calls:
            if words[0] == "commonground":
                assert not (wrong := list(faults(words, program))), f"{_name(page)}: {wrong}"
    assert list(faults(["commonground", "eval", "fusion", "--speed"], program))
    assert list(faults(["commonground", "fly"], program))


def test_benchmarks_targets_and_extras_in_shell_blocks_exist() -> None:
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.M)
    extras = re.findall(r"^(\w+) = \[", (ROOT / "pyproject.toml").read_text(), re.M)
    for page in PAGES:
        for block in (b for b in blocks(page) if b.language in SHELL):
            for words in commands(block.text):
                where = f"{_name(page)}:{block.line}: {' '.join(words)}"
                if words[0] == "make":
                    assert set(words[1:]) <= set(targets), where
                if words[0] == "python" and words[1].startswith(("benchmarks/", "tools/")):
                    source = (ROOT / words[1]).read_text()
                    assert all(w in source for w in words[2:] if w.startswith("--")), where
                if words[0] == "pip":
                    named = re.findall(r"\[([\w,]+)\]", " ".join(words))
                    assert {e for names in named for e in names.split(",")} <= set(extras), where


def test_every_block_says_what_it_is_and_few_are_left_out() -> None:
    left_out = 0
    for page in PAGES:
        assert not re.search(r"^ {4}(commonground|export|pip|python) ", page.read_text(), re.M), (
            f"{_name(page)}: commands belong into a fenced block"
        )
        for block in blocks(page):
            assert block.language, f"{_name(page)}:{block.line}: the fence names no language"
            left_out += bool(block.left_out) and "results" not in page.parts
    assert 0 < left_out <= MOST_LEFT_OUT


@pytest.mark.parametrize(
    "page", [p for p in PAGES if p.parent.name == "results" and p.name != "index.md"], ids=_name
)
def test_every_section_of_results_names_its_command_and_its_figures_their_day(page: Path) -> None:
    for section in re.split(r"^## ", page.read_text(), flags=re.M)[1:]:
        title, _, body = section.partition("\n")
        if "|---" in body:
            assert "```bash" in body or "**no command**" in body, f"{_name(page)}: {title}"
            assert re.search(r"\b20\d\d-\d\d-\d\d\b", body), f"{_name(page)}: {title}"
