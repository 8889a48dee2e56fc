"""The commands of assembly as a user calls them."""

from __future__ import annotations

import json
import shutil
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.conftest import Call

CUPS = Path(__file__).parents[1] / "grounding" / "prolog" / "data" / "cups.pl"

pytestmark = pytest.mark.skipif(
    shutil.which("swipl") is None, reason="SWI-Prolog is not installed (swi-prolog-nox)"
)


@pytest.fixture
def run(call: Call) -> Call:
    """What runs a command of assembly."""
    return partial(call, "assemble")


def test_from_a_base_to_a_tree(tmp_path: Path, run: Call) -> None:
    plan, tree = tmp_path / "plan.json", tmp_path / "tree.xml"
    picture, order = tmp_path / "gantt.png", tmp_path / "order.txt"
    made = run("plan", CUPS, "--agents", 2, "--out", plan, "--gantt", picture, "--order-out", order)
    assert made.returncode == 0, made.stderr
    assert "makespan 5 s" in made.stdout
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert len(order.read_text().splitlines()) == 4
    assert json.loads(plan.read_text())["makespan_s"] == pytest.approx(5.0)
    assert run("tree", plan, "--out", tree).returncode == 0
    assert ElementTree.parse(tree).getroot().tag == "root"  # noqa: S314 - our own
    done = json.loads(
        run("run", plan, "--out", tmp_path / "m", "--failure-rate", 0.2, "--json").stdout
    )
    assert done["status"] == "done" and done["makespan_s"] >= 5.0
    journal = tmp_path / "m" / "events.jsonl"
    whole = journal.read_bytes()
    journal.write_bytes(whole[: len(whole) // 2])  # as if it had been killed
    assert run("run", plan, "--out", tmp_path / "m", "--failure-rate", 0.2).returncode == 0
    assert journal.read_bytes() == whole
    assert run("run", plan, "--out", tmp_path / "m").returncode == 1, "that one has ended"
    said = run("explain", plan, "0", "--without", "ll_arm(r2)", "--json")
    changes = json.loads(said.stdout)["changes"]
    assert changes[0]["makespan_s"] == pytest.approx(10.0)


def test_checking_a_base(tmp_path: Path, run: Call) -> None:
    bad = tmp_path / "bad.pl"
    bad.write_text(CUPS.read_text().replace("cup(Cup),", "cop(Cup),", 1) + ":- shell(ls).\n")
    found = run("kb", "check", bad)
    assert found.returncode == 1
    assert "cop/1" in found.stdout and "is refused" in found.stdout


def test_no_plan_is_an_honest_no(tmp_path: Path, run: Call) -> None:
    bad = tmp_path / "bad.pl"
    bad.write_text(CUPS.read_text().replace("stands(c2, bottom),", "stands(c2, roof),"))
    found = run("plan", bad, "--json")
    assert found.returncode == 3
    assert "stands(c2, roof)" in json.loads(found.stdout)["reason"]


def test_nobody_to_work_is_an_error(run: Call) -> None:
    found = run("plan", CUPS, "--agents", 0)
    assert found.returncode == 2 and "--agents" in found.stderr


def test_no_plan_is_told_by_its_status(tmp_path: Path, run: Call) -> None:
    wrong = tmp_path / "wrong.pl"
    wrong.write_text(
        CUPS.read_text().replace("stands(c2, bottom), avail", "stands(c1, left), avail")
    )
    said = run("plan", wrong, "--json")
    assert said.returncode == 3
    told = json.loads(said.stdout)
    assert told["status"] == "unsolvable"
    assert "stands(c1, top) and stands(c1, left)" in told["reason"]
