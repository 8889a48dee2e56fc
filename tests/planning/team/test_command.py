"""The command ``plan``: its JSON has the same keys however it ends, and what goals say is kept or refused."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from commonground.cli.main import main
from commonground.demo import sample_scene, sample_team
from commonground.robots import save_team
from commonground.scene import save_scene


@pytest.mark.parametrize("robots", ["robots: [", "robots: {a: {pose: here}}", ""])
def test_all_keys_are_there_whatever_is_wrong_with_the_robots(
    robots: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_scene(sample_scene(), tmp_path / "scene.json")
    (tmp_path / "robots.yaml").write_text(robots)
    words = ["plan", str(tmp_path / "scene.json"), "--robots", str(tmp_path / "robots.yaml")]
    with pytest.raises(SystemExit) as ended:
        main([*words, "--goal", "a=(safe O7)", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert ended.value.code == told["exit_code"] == 1
    assert told["status"] == "error"
    assert told["reason"]
    assert told.keys() >= {"cost_m", "gap", "makespan_s", "assumed", "goals", "robots", "time_s"}
    assert told.keys() >= {"makespan_lower_bound_s", "makespan_gap"}


@pytest.fixture
def site(tmp_path: Path) -> list[str]:
    """The words of ``plan`` on the sample scene."""
    save_scene(sample_scene(), tmp_path / "scene.json")
    save_team(sample_team(), tmp_path / "robots.yaml")
    return ["plan", str(tmp_path / "scene.json"), "--robots", str(tmp_path / "robots.yaml")]


def planned(words: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    try:
        main([*words, "--json"])
    except SystemExit as ended:
        assert ended.code in (0, 1, 3)
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    return told


def inspected(plan: dict[str, Any]) -> list[str]:
    """Things in the order in which robots begin to inspect them."""
    found = [a for own in plan["robots"].values() for a in own]
    seen = [a for a in found if a["action"] == "inspect"]
    return [a["target"] for a in sorted(seen, key=lambda a: float(a["start_s"]))]


GOAL = "(and (safe O7) (safe O15) (safe O22))"


@pytest.mark.parametrize("owner", ["spot", "team"])
@pytest.mark.parametrize("turn", [["O7", "O15", "O22"], ["O22", "O15", "O7"]])
def test_an_order_of_steps_is_kept(
    owner: str, turn: list[str], site: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    one, two, three = (f"{owner}=(safe {thing})" for thing in turn)
    words = ["--goal", f"{owner}={GOAL}", "--before", f"{one} {two}", "--before", f"{two} {three}"]
    assert inspected(planned([*site, *words], capsys)) == turn


ORDERS = [
    (["spot=(safe O7) spot=(safe O4)"], "no goal of spot has (safe O4)"),
    (["spot=(safe O7) husky=(visited-object O15)"], "no goal of husky has (visited-object O15)"),
    (["spot=(visited-object O7) spot=(safe O15)"], "no goal of spot has (visited-object O7)"),
    (["spot=(and (safe O7) (safe O4)) spot=(safe O15)"], "no goal of spot has (safe O4)"),
    (["team=(visited-region R2) spot=(safe O15)"], "no goal of the team has (visited-region R2)"),
    (["spot=(not (safe O7)) spot=(safe O15)"], "nothing is done for (not (safe O7))"),
    (["spto=(safe O7) spot=(safe O15)"], "unknown robot 'spto'"),
    (["spot=(safe O7) spot=(safe O7)"], "in a circle: spot (safe O7) before spot (safe O7)"),
]


@pytest.mark.parametrize(("order", "told"), ORDERS, ids=[told for _, told in ORDERS])
def test_an_order_that_means_nothing_is_refused(
    order: list[str], told: str, site: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    before = [word for pair in order for word in ("--before", pair)]
    plan = planned([*site, "--goal", f"spot={GOAL}", *before], capsys)
    assert plan["status"] == "error"
    assert told in plan["reason"]


def test_a_circle_is_told_in_the_words_that_were_given(
    site: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    steps = [f"spot=(safe {thing})" for thing in ("O7", "O15", "O22", "O7")]
    pairs = [
        word for one, two in itertools.pairwise(steps) for word in ("--before", f"{one} {two}")
    ]
    plan = planned([*site, "--goal", f"spot={GOAL}", *pairs], capsys)
    assert plan["reason"].count(" before ") == 3


STEPS = {
    "first": {"robot": "spot", "goal": "(safe O22)"},
    "then": {"robot": "spot", "goal": "(safe O7)"},
}
FILES = [
    ({"goals": {"spot": GOAL}, "before": []}, "before: there is no such key"),
    ({"goal": {"spot": GOAL}}, "Did you mean 'goals'?"),
    ({"goals": {"spot": GOAL}, "order": [["spot", "(safe O7)"]]}, 'order: write each pair as {"first"'),
    ({"goals": {"spot": GOAL}, "order": [{**STEPS, "why": ""}]}, "order: write each pair as"),
    ({"goals": [GOAL]}, "goals: write a goal for each robot"),
    ({"goals": {"spot": [GOAL]}}, "goals: write a goal for each robot"),
    ({"goals": {"spto": GOAL}}, "unknown robot 'spto'"),
    ({"goals": {}, "message": "which box?"}, "no goals, but a question: which box?"),
    ([GOAL], 'expected {"goals"'),
    ('{"goals": {"spot": "(safe O7)", "spot": "(safe O15)"}}', "'spot' is there twice"),
]  # fmt: skip


@pytest.mark.parametrize(("written", "told"), FILES, ids=[told for _, told in FILES])
def test_a_file_of_goals_is_obeyed_or_refused(
    written: Any, told: str, site: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "goals.json"
    file.write_text(written if isinstance(written, str) else json.dumps(written))
    plan = planned([*site, "--goals", str(file)], capsys)
    assert plan["status"] == "error"
    assert told in plan["reason"]


def test_a_file_of_goals_tells_their_order(
    site: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "goals.json"
    file.write_text(json.dumps({"goals": {"spot": GOAL}, "order": [STEPS]}), encoding="utf-8-sig")
    seen = inspected(planned([*site, "--goals", str(file)], capsys))
    assert seen.index("O22") < seen.index("O7")


def test_goals_are_said_once(site: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([*site, "--goal", f"spot={GOAL}", "--goals", "goals.json"])
    assert "--goal and --goals both say what is wanted" in capsys.readouterr().err
