"""The program as a user calls it: its words, its exit codes, and what bad input gets."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Call

PROGRAM = [sys.executable, "-m", "commonground"]


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the real command line in a process of its own."""
    call = [*PROGRAM, *map(str, arguments)]
    return subprocess.run(call, capture_output=True, text=True, check=False, timeout=120)


def test_help_lists_only_commands_that_work(capsys: pytest.CaptureFixture[str]) -> None:
    from commonground.cli import main

    shown = run("--help")
    assert shown.returncode == 0
    for name in main.COMMANDS:
        assert name in shown.stdout
        assert main.run([name, "--help"]) == 0
        assert f"commonground {name}" in capsys.readouterr().out
    assert run("--version").stdout.startswith("commonground 0.")


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys; from commonground.cli.main import build; build(); "
        "print([m for m in ('numpy','scipy','pydantic','open3d','torch','matplotlib') if m in sys.modules])"
    )
    assert (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout.strip()
        == "[]"
    )


def test_a_question_loads_no_models_and_no_settings_of_maps(tmp_path: Path) -> None:
    domain, world, memory = (tmp_path / name for name in ("d.pddl", "w.jsonl", "m.db"))
    domain.write_text(
        "(define (domain d) (:types jar shelf - object) (:predicates (stands_on ?j - jar ?s - shelf)))"
    )
    facts = [["jar_1", "stands_on", "shelf_2"]]
    world.write_text(json.dumps({"objects": {"jar_1": "jar", "shelf_2": "shelf"}, "facts": facts}))
    run("memory", "init", "--domain", domain, "--facts", world, "--memory", memory)
    code = (
        "import sys; from commonground.cli.main import run; run(['memory', *sys.argv[1:]]); "
        "print([m for m in ('numpy', 'rapidfuzz', 'http.client', 'commonground.mapping.settings') "
        "if m in sys.modules])"
    )
    program = [sys.executable, "-c", code, "ask", "Where is jar 1?", "--memory", memory]
    shown = subprocess.run(program, capture_output=True, text=True, check=True).stdout.splitlines()
    assert shown[0] == "jar 1: stands on shelf 2" and shown[-1] == "[]"


def test_a_small_problem_is_solved_without_what_it_does_not_need(tmp_path: Path) -> None:
    domain, problem = tmp_path / "d.pddl", tmp_path / "p.pddl"
    action = "(:action go :parameters () :precondition (p) :effect (q))"
    domain.write_text(f"(define (domain d) (:predicates (p) (q)) {action})")
    problem.write_text("(define (problem x) (:domain d) (:init (p)) (:goal (q)))")
    code = (
        "import sys; from commonground.cli.main import run; run(['solve', *sys.argv[1:]]); "
        "print([m for m in ('numpy', 'yaml', 'rich.console', 'commonground.cli.demo') if m in sys.modules])"
    )
    program = [sys.executable, "-c", code, str(domain), str(problem)]
    shown = subprocess.run(program, capture_output=True, text=True, check=True).stdout.splitlines()
    assert shown == [
        "(go)",
        "; cost = 1 (the first plan found, --mode anytime looks for cheaper ones)",
        "[]",
    ]


@pytest.mark.parametrize("form", ["graphml", "geojson", "ply", "glb", "png", "json", "sparkdsg"])
def test_export_writes_what_other_programs_read(tmp_path: Path, form: str, call: Call) -> None:
    from commonground.demo import sample_scene
    from commonground.scene import load_scene, save_scene

    graph = sample_scene()
    save_scene(graph, tmp_path / "scene.json")
    out = tmp_path / f"out.{form}"
    assert call("export", tmp_path / "scene.json", "--to", form, "--out", out).returncode == 0
    if form == "graphml":
        import networkx as nx

        found = nx.read_graphml(out)
        assert found.number_of_nodes() == len(graph)
        assert found.nodes["O0"]["label"] == "tree"
    elif form == "geojson":
        features = json.loads(out.read_text())["features"]
        assert len(features) == len(graph)
        assert {f["geometry"]["type"] for f in features} == {"Point", "Polygon"}
    elif form == "ply":
        assert f"element vertex {len(graph)}".encode() in out.read_bytes()
    elif form == "glb":
        assert out.read_bytes()[:4] == b"glTF"
    elif form == "png":
        assert out.stat().st_size > 10_000
    else:
        assert len(load_scene(out)) == len(graph)


def test_settings_are_shown_and_their_schema(call: Call) -> None:
    schema = json.loads(call("config", "schema", "--json").stdout)
    assert schema["additionalProperties"] is False
    settings = schema["$defs"].values()
    values = [f for one in settings for f in one.get("properties", {}).values() if "$ref" not in f]
    assert len(values) > 100
    assert all(field["description"] for field in values)
    assert call("config", "show").returncode == 0


def test_doctor_names_a_remedy_for_what_is_missing(call: Call) -> None:
    shown = call("doctor", "--json")
    checks = json.loads(shown.stdout.splitlines()[0])["checks"]
    assert {"Python", "numpy", "SWI-Prolog", "GPU", "FastSAM weights"} <= {
        c["name"] for c in checks
    }
    assert all(c["remedy"] for c in checks if c["status"] == "missing")
    assert shown.returncode == int(any(c["status"] == "missing" for c in checks))


BAD: list[tuple[list[str], int, str]] = [
    (["nonsense"], 2, "No such command 'nonsense'"),
    (["export"], 2, "Missing argument"),
    (["demo", "--seed", "x"], 2, "--seed"),
    (["export", "nowhere.json", "--to", "png"], 1, "there is no such file"),
    (["export", "empty.json", "--to", "png"], 1, "empty"),
    (["export", "cut.json", "--to", "png"], 1, "not valid JSON"),
    (["export", "words.txt", "--to", "png"], 1, "no scene graph file"),
    (["export", "good.json", "--to", "pgn"], 1, "Did you mean 'png'"),
    (["export", ".", "--to", "png"], 1, "no scene.json"),
    (["demo", "--out", "words.txt"], 1, "cannot be written"),
    (["config", "show", "--set", "a.b=1"], 1, "unknown setting"),
    (["config", "show", "--config", "nowhere.yaml"], 1, "no such file"),
]


@pytest.mark.parametrize(("arguments", "code", "message"), BAD)
def test_bad_input_is_one_line(
    tmp_path: Path,
    arguments: list[str],
    code: int,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    call: Call,
) -> None:
    from commonground.demo import sample_scene
    from commonground.scene import save_scene

    save_scene(sample_scene(), tmp_path / "good.json")
    (tmp_path / "cut.json").write_text((tmp_path / "good.json").read_text()[:5000])
    (tmp_path / "empty.json").write_text("")
    (tmp_path / "words.txt").write_text("hello")
    before = sorted(tmp_path.iterdir())
    monkeypatch.chdir(tmp_path)
    shown = call(*arguments)
    assert shown.returncode == code
    assert message in shown.stderr
    assert "Traceback" not in shown.stderr
    assert len(shown.stderr.strip().splitlines()) == (2 if code == 2 else 1)
    assert sorted(tmp_path.iterdir()) == before


def test_json_mode_prints_one_object_even_on_failure(tmp_path: Path, call: Call) -> None:
    shown = call("export", tmp_path / "none.json", "--to", "png", "--json")
    assert json.loads(shown.stdout)["status"] == "error"
    assert shown.returncode == 1


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs a Unix")
def test_a_second_process_on_the_same_run_is_refused(tmp_path: Path) -> None:
    from commonground.runs import Run

    with Run.open(tmp_path / "run", "demo"):
        shown = run("demo", "--out", tmp_path / "run")
    assert shown.returncode == 1
    assert "another process" in shown.stderr


def test_a_reader_that_leaves_early_is_no_error() -> None:
    command = f"{sys.executable} -m commonground config schema | head -c 1"
    shown = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, check=False, timeout=60
    )
    assert "Traceback" not in shown.stderr


def test_a_program_whose_threads_are_inside_compiled_code_ends_with_its_code() -> None:
    pytest.importorskip("cv2")
    code = (
        "import threading, time, cv2, numpy as np\n"
        "from commonground.cli.main import main\n"
        "def blur():\n"
        "    while True: cv2.GaussianBlur(np.zeros((2000, 2000, 3), np.uint8), (31, 31), 5)\n"
        "threading.Thread(target=blur, daemon=True).start()\n"
        "time.sleep(0.2)\n"
        "main(['data', 'info', 'nowhere'])\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False
    )
    assert ended.returncode == 1 and ended.stderr.count("\n") == 1, ended.stderr
