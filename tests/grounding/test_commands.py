"""``commonground ground`` and ``commonground eval grounding``, as a shell sees them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from commonground.cli import main
from commonground.scene import load_scene, save_scene
from tests.grounding.model_server import completion, model_server, sending
from tests.grounding.sites import STYLES, make_site

ROBOTS = {
    "anna": {"pose": [45, 63, 0.5, 0.3], "capabilities": ["goto", "inspect", "pick", "place"]},
    "bert": {"pose": [81, 52, 0.5, 2.0], "capabilities": ["goto", "inspect"]},
}

COURTYARD = Path(__file__).resolve().parents[2] / "commonground/data/courtyard.json"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a scene, its robots, and a suite of three instructions."""
    folder = tmp_path_factory.mktemp("site")
    save_scene(make_site(STYLES["harbour"], 1).graph, folder / "scene.json")
    (folder / "robots.yaml").write_text(yaml.safe_dump({"robots": ROBOTS}))
    suite = {
        "name": "three",
        "scene": "scene.json",
        "robots": ROBOTS,
        "instructions": [
            {
                "id": "i-1",
                "category": "action-command",
                "text": "Anna, inspect the statue.",
                "accept": [{"anna": "(safe O1552)"}],
            },
            {
                "id": "i-2",
                "category": "coreference",
                "text": "There is a statue. Bert, peruse it.",
                "accept": [{"bert": "(safe O1552)"}],
            },
        ],
        "refuse": [
            {"id": "r-1", "category": "refuse", "text": "Bert, pick up the food.", "why": "no arm"}
        ],
    }
    (folder / "suite.yaml").write_text(yaml.safe_dump(suite))
    return folder


class Done(NamedTuple):
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """Run the program as its console script does, in this process."""

    def call(*arguments: object) -> Done:
        capsys.readouterr()
        code = main.run([str(a) for a in arguments])
        out, err = capsys.readouterr()
        return Done(code, out, err)

    return call


def test_goals_and_reasons_are_printed(files: Path, run: Callable[..., Done]) -> None:
    done = run("ground", files / "scene.json", "Anna, inspect the barrel closest to the food.",
                "--robots", files / "robots.yaml")  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "(safe O1007)" in done.stdout
    assert "nearest to the food" in done.stdout and " m" in done.stdout


def test_json_is_one_object_with_the_promised_keys(files: Path, run: Callable[..., Done]) -> None:
    done = run("ground", files / "scene.json", "Anna, inspect the statue.", "--json",
                "--robots", files / "robots.yaml")  # fmt: skip
    answer = json.loads(done.stdout)
    assert answer["status"] == "ok"
    assert answer["goals"] == {"anna": "(safe O1552)"}
    assert {"message", "reasons"} <= answer.keys()


def test_a_question_back_leaves_with_three(files: Path, run: Callable[..., Done]) -> None:
    for flags in ((), ("--json",)):
        done = run("ground", files / "scene.json", "Anna, inspect the sign.", *flags,
                    "--robots", files / "robots.yaml")  # fmt: skip
        assert done.returncode == 3
        assert flags or "Say it again with the one that is meant, such as 'O" in done.stderr
    answer = json.loads(done.stdout)
    assert answer["status"] == "clarify" and answer["goals"] is None
    assert len(answer["candidates"]) == 7


def test_goals_go_from_ground_to_plan_by_a_file(tmp_path: Path, run: Callable[..., Done]) -> None:
    robots, goals = tmp_path / "robots.yaml", tmp_path / "goals.json"
    entry = {"pose": [6, 30, 0, 0], "capabilities": ["goto", "inspect"]}
    robots.write_text(yaml.safe_dump({"robots": {"spot": entry}}))
    site = (COURTYARD, "--robots", robots)
    goals.write_text(run("ground", *site, "Spot, inspect O9 and then O7.", "--json").stdout)
    planned = run("plan", *site, "--goals", goals, "--json")
    assert planned.returncode == 0, planned.stderr
    looks = [a for a in json.loads(planned.stdout)["robots"]["spot"] if a["action"] == "inspect"]
    assert [a["target"] for a in looks] == ["O9", "O7"], "in the order that was said"
    asked = run("ground", *site, "Spot, inspect the tree.", "--json").stdout
    for written, why in ((asked, "Which tree"), ("{}", "as 'ground --json'")):
        goals.write_text(written)
        refused = run("plan", *site, "--goals", goals)
        assert refused.returncode == 1 and why in refused.stderr
    assert run("plan", *site).returncode == 2
    assert run("plan", *site, "--goals", goals, "--goal", "spot=(safe O7)").returncode == 2


def test_a_goal_that_is_shortened_says_where_the_whole_is(
    files: Path, run: Callable[..., Done]
) -> None:
    site = (files / "scene.json", "--robots", files / "robots.yaml")
    whole = run("ground", *site, "Anna, inspect O1007.").stdout
    assert "(safe O1007)" in whole and "--goals" not in whole
    region = next(r for r in load_scene(files / "scene.json").regions.symbols)
    done = run("ground", *site, f"Anna, bring O1007 to {region}.")
    assert done.returncode == 0, done.stderr
    cut = done.stdout
    assert (
        "O1007 to " in cut
        and f"({region})" in cut
        and "(or " not in cut
        and "plan --goals FILE" in cut
    )


def test_a_robot_in_another_frame_is_given_nothing(files: Path, run: Callable[..., Done]) -> None:
    far = {**ROBOTS, "bert": {**ROBOTS["bert"], "pose": [90000, 52, 0.5, 2.0]}}
    (files / "far.yaml").write_text(yaml.safe_dump({"robots": far}))
    words = ("--robots", files / "far.yaml")
    done = run("ground", files / "scene.json", "Bert, inspect the statue.", *words)
    assert done.returncode == 3 and "(safe" not in done.stdout
    assert "must be in the frame of the map" in done.stderr
    red = {"anna": ROBOTS["anna"], "red": far["bert"]}  # read under another name
    (files / "far.yaml").write_text(yaml.safe_dump({"robots": red}))
    done = run("ground", files / "scene.json", "Red, inspect the statue.", *words)
    assert done.returncode == 3 and "must be in the frame of the map" in done.stderr
    (files / "far.yaml").write_text(yaml.safe_dump({"robots": far}))
    done = run("ground", files / "scene.json", "Anna, inspect the statue.", *words)
    assert done.returncode == 0 and "(safe O1552)" in done.stdout, "who stands in the map goes on"


def test_a_failure_is_one_json_object(files: Path, run: Callable[..., Done]) -> None:
    done = run("ground", files / "scene.json", "Anna, wait.", "--json", "--robots", files / "robots.yaml",
               "--backend", "openai", "--set", "grounding.model.base_url=http://127.0.0.1:9")  # fmt: skip
    assert done.returncode == 1
    assert json.loads(done.stdout)["status"] == "failed"


def test_wrong_use_and_wrong_input_say_what_to_do(files: Path, run: Callable[..., Done]) -> None:
    assert run("ground").returncode == 2
    assert run("ground", "--batch", files / "suite.yaml").returncode == 2
    missing = run("ground", files / "nothing.json", "go", "--robots", files / "robots.yaml")
    assert missing.returncode == 1 and "nothing.json" in missing.stderr
    backend = run("ground", files / "scene.json", "go", "--robots", files / "robots.yaml",
                   "--backend", "opneai")  # fmt: skip
    assert backend.returncode == 1 and "openai" in backend.stderr


def test_a_batch_writes_one_prediction_an_instruction(
    files: Path, run: Callable[..., Done]
) -> None:
    out = files / "predictions.jsonl"
    done = run("ground", "--batch", files / "suite.yaml", "--out", out, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["clarify"] == 2
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [(r["id"], r["status"]) for r in rows] == [
        ("i-1", "ok"),
        ("i-2", "clarify"),
        ("r-1", "clarify"),
    ]
    assert rows[0]["goals"] == {"anna": "(safe O1552)"}


def test_a_batch_with_a_model_prints_the_total_and_keeps_the_order(
    files: Path, run: Callable[..., Done], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = files / "predictions.jsonl"
    with model_server('{"assignments": [], "question": "Which one?"}') as (address, _):
        monkeypatch.setenv("OPENAI_BASE_URL", address)
        done = run("ground", "--batch", files / "suite.yaml", "--out", out, "--backend", "openai",
                   "--set", "grounding.model.prompt_price=1", "--json")  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["spent"]["cost"] == pytest.approx(3 * 900e-6)
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["id"] for row in rows] == ["i-1", "i-2", "r-1"]
    assert all(row["spent"]["cost"] == pytest.approx(900e-6) for row in rows)


def test_the_table_compares_front_ends_with_their_tokens(
    files: Path, run: Callable[..., Done], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = json.dumps(
        {
            "assignments": [
                {"who": {"names": ["bert"]}, "task": {"do": "inspect", "what": {"noun": "statue"}}}
            ]
        }
    )
    with model_server(said) as (address, _):
        monkeypatch.setenv("OPENAI_BASE_URL", address)
        done = run("eval", "grounding", files / "suite.yaml", "--backend", "offline", "--backend", "auto",
                    "--json")  # fmt: skip
    assert done.returncode == 0, done.stderr
    table = json.loads(done.stdout)
    assert table["columns"] == ["category", "total", "offline", "auto"]
    rows = {row["category"]: row for row in table["rows"]}
    assert (rows["instructions"]["offline"], rows["instructions"]["auto"]) == (1, 2)
    assert rows["refuse"]["offline"] == rows["refuse"]["auto"] == 1
    assert rows["tokens in, mean"]["auto"] == 300.0  # 900 for one of three
    assert rows["tokens in, mean"]["offline"] == 0.0
    assert [f["id"] for f in table["failures"]] == ["i-2"]


def test_the_table_tells_tokens_that_no_server_counted(
    files: Path, run: Callable[..., Done], monkeypatch: pytest.MonkeyPatch
) -> None:
    uncounted = completion('{"assignments": [], "question": "Which one?"}')
    del uncounted["usage"]
    with model_server(sending(uncounted)) as (address, _):
        monkeypatch.setenv("OPENAI_BASE_URL", address)
        done = run("eval", "grounding", files / "suite.yaml", "--backend", "openai", "--json")
    rows = {row["category"]: row for row in json.loads(done.stdout)["rows"]}
    assert rows["tokens estimated, instructions"]["openai"] == 3


def test_the_four_numbers_of_a_suite(files: Path, run: Callable[..., Done]) -> None:
    done = run("eval", "language", files / "suite.yaml", "--json")
    assert done.returncode == 0, done.stderr
    first, refused = json.loads(done.stdout)["rows"]
    numbers = {"right": 1, "asked": 1, "silent": 0, "wrong": 0}
    assert first == {"of": "three", "part": "instructions", "total": 2, **numbers}
    assert refused["part"] == "refuse" and (refused["total"], refused["right"]) == (1, 1)
    shown = run("eval", "language", files / "suite.yaml", "--failures")
    assert "peruse" in shown.stdout and "asked" in shown.stdout
    assert run("eval", "language").returncode == 2
    voice = files / "voice.jsonl"
    voice.write_text("no wording\n")
    asked = run("eval", "language", "--voices", voice, "--set", f"grounding.network={files}")
    assert asked.returncode == 1 and "reader of English" in asked.stderr


def test_a_suite_with_a_mistake_names_its_place(files: Path, run: Callable[..., Done]) -> None:
    broken = files / "broken.yaml"
    broken.write_text(
        (files / "suite.yaml").read_text().replace("capabilities:", "capabilites:", 1)
    )
    done = run("ground", "--batch", broken, "--out", files / "x.jsonl")
    assert done.returncode == 1
    assert "broken.yaml:" in done.stderr and "capabilites" in done.stderr
