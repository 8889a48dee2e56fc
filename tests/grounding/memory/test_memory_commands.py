"""``commonground memory`` and ``commonground eval memory``, as a shell sees them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from commonground.cli import main
from commonground.grounding.memory.interpretation.outcome import Told
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.ontology.names import Names
from commonground.grounding.memory.readers.combined import Both
from tests.grounding.memory.utterances import clause, hear, said

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(house: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs ``commonground memory …`` in the house's folder."""
    monkeypatch.chdir(house)

    def call(*args: str, group: str = "memory") -> tuple[int, str, str]:
        code = main.run([group, *args])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


@pytest.fixture
def made(run: Run) -> Run:
    """The same, with a memory made."""
    world = ("--domain", "house.pddl", "--facts", "house.jsonl", "--at", "2020-01-01T12:00")
    assert run("init", *world)[0] == 0
    return run


def found(out: str) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(out)
    return values


def test_a_file_of_reports_is_told_line_by_line(made: Run, house: Path) -> None:
    day = house / "day.txt"
    day.write_text("Ivo put the stone on the counter.\n\nThen he took it to the kitchen table.\n")
    code, out, _ = made("tell", "--reports", "day.txt")
    assert code == 0
    assert out.index("“Then he took it") < out.index("+ stone resting_on kitchen_table")
    day.write_text("Ivo put the stone on the counter.\nThe unicorn is on the counter.\n")
    code, out, _ = made("tell", "--reports", "day.txt", "--json")
    assert code == 3
    assert [row["status"] for row in found(out)["reports"]] == ["ok", "ask"]
    assert "1 of 2 reports" in made("tell", "--reports", "day.txt")[2]
    day.write_text("\n")
    assert "no report" in made("tell", "--reports", "day.txt")[2]
    assert made("tell")[0] == made("tell", "It rains.", "--reports", "day.txt")[0] == 1


def test_what_was_told_before_a_model_failed_is_in_the_answer(
    made: Run, house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = Memory.tell

    def failing(self: Memory, text: str, *rest: Any) -> Told:
        if "unicorn" in text:
            return Told("failed", question="the model does not answer")
        return plain(self, text, *rest)

    monkeypatch.setattr(Memory, "tell", failing)
    (house / "day.txt").write_text(
        "Ivo put the stone on the counter.\nThe unicorn is here.\nHe took the stone to the kitchen table.\n"
    )
    code, out, _ = made("tell", "--reports", "day.txt", "--json")
    assert code == 1
    assert [row["status"] for row in found(out)["reports"]] == ["ok", "failed"]
    assert "stone: resting on counter" in made("ask", "where is the stone?")[1]
    err = made("tell", "--reports", "day.txt")[2]
    assert "report 2 of 3" in err and "does not answer" in err


def test_a_memory_is_made_told_asked_and_taken_back(made: Run) -> None:
    code, out, _ = made("tell", "Ivo put the stone on the counter.", "--json")
    assert code == 0
    assert ["stone", "resting_on", "counter"] in found(out)["added"]
    code, out, _ = made("ask", "where is the stone?")
    assert code == 0 and "stone: resting on counter" in out
    assert "'Ivo put the stone on the counter.'" in out
    code, out, _ = made("history", "stone", "--json")
    facts = [row["fact"] for row in found(out)["rows"]]
    assert facts[0] == "stone shelved_at rack_1" and facts[-1] == "stone resting_on counter"
    assert made("undo")[0] == 0
    undone, told, *_ = found(made("changes", "--json")[1])["rows"]
    assert told["brought"] == undone["replaced"] == ["stone resting_on counter"]
    assert told["replaced"] == undone["brought"] == ["stone shelved_at rack_1"]
    assert f"takes back {told['change']}" in undone["words"]
    assert "level of the rack" in made("ask", "where is the stone?")[1]
    code, _, err = made("undo")
    assert code == 1 and "no change to take back" in err


def test_what_is_left_aside_of_a_report_is_printed_beside_what_is_believed(
    made: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = said(
        clause("put", theme="stone", goal="chest"), clause("other", verb="polished", theme="phone")
    )
    monkeypatch.setattr(Both, "tell", lambda self, *_: hear(self.memory, report))
    code, out, err = made("tell", "?")
    assert code == 0 and "+ stone stowed_in chest" in out
    assert "polished" in out + err


def test_the_conversation_goes_on_in_the_next_call(made: Run) -> None:
    made("tell", "Ivo put the stone on the counter.")
    code, out, _ = made("tell", "Then he took it to the kitchen table.", "--json")
    assert code == 0 and ["stone", "resting_on", "kitchen_table"] in found(out)["added"]


def test_i_is_the_speaker(made: Run) -> None:
    code, out, _ = made("tell", "I have my phone.", "--speaker", "Una", "--json")
    assert code == 0 and found(out)["added"] == [["una_phone", "held_by", "una"]]
    code, _, err = made("tell", "I have my phone.", "--speaker", "Uma")
    assert code == 1 and "no person 'Uma'" in err and "una" in err.lower()


def test_what_held_at_a_time(made: Run) -> None:
    made("tell", "Ivo put the stone on the counter.", "--at", "2021-01-02T12:00")
    code, out, _ = made("as-of", "2021-01-01T00:00", "stone", "--json")
    assert code == 0 and found(out)["facts"] == [["stone", "shelved_at", "rack_1"]]
    code, out, _ = made("as-of", "2021-01-03T00:00", "stone", "--json")
    assert found(out)["facts"] == [["stone", "resting_on", "counter"]]
    assert made("as-of", "teatime")[0] == 1
    assert "begins at 2020-01-01 12:00:00" in made("as-of", "2019-01-01")[1]


def test_what_is_still_to_come_is_no_report(made: Run) -> None:
    code, _, err = made("tell", "Ivo put the stone on the counter.", "--at", "2199-01-01")
    assert code == 1 and "lies ahead" in err
    code, _, err = made("tell", "Ivo put the stone on the counter in 3 days.")
    assert code == 3 and "'in 3 days' is still to come" in err
    made("tell", "Ivo put the stone on the counter.")
    _, out, _ = made("tell", "Ivo put the stone on the kitchen table.", "--at", "2021-01-01")
    assert "something newer is known" in out


def test_a_world_that_contradicts_itself_is_told(run: Run) -> None:
    world = Path("house.jsonl")
    header = json.loads(world.read_text().splitlines()[0])
    facts = header["facts"]
    header["facts"] = [*facts, ["stone", "resting_on", "counter"]]
    world.write_text(json.dumps(header))
    code, out, _ = run("init", "--domain", "house.pddl", "--facts", "house.jsonl")
    assert code == 0 and "resting_on" in out and "both hold at first" in out


def test_a_task_is_planned_and_carried_out(made: Run) -> None:
    code, out, _ = made("plan", "Bring Una's phone to Ivo.", "--execute", "--json")
    answer = found(out)
    assert code == 0 and answer["status"] == "solved"
    assert answer["goal"] == "(held_by una_phone ivo)"
    assert answer["plan"][-1].startswith("(hand robo")
    assert "held by Ivo" in made("ask", "where is Una's phone?")[1]


def test_what_is_not_understood_is_asked_back_with_exit_code_3(made: Run) -> None:
    for words in (("tell", "The unicorn is on the counter."), ("ask", "where is the unicorn?"),
                  ("plan", "Bring the unicorn to Ivo.")):  # fmt: skip
        code, out, err = made(*words)
        assert code == 3 and "unicorn" in err and not out
    code, out, _ = made("tell", "The unicorn is on the counter.", "--json")
    assert code == 3 and found(out)["status"] == "ask"


def test_a_file_of_sightings_is_taken_in(made: Run, house: Path) -> None:
    line = {"subject": "stone", "relation": "resting_on", "object": "counter", "confidence": 0.95}
    (house / "seen.json").write_text(json.dumps({"triples": [line]}))
    code, out, _ = made("observe", "seen.json", "--json")
    assert code == 0 and found(out)["added"] == [["stone", "resting_on", "counter"]]
    (house / "odd.json").write_text(json.dumps({"triples": [line | {"subject": "grue"}]}))
    assert made("observe", "odd.json")[0] == 3, "all of it was refused"


def test_an_episode_is_replayed_and_scored(made: Run, house: Path) -> None:
    header = json.loads((house / "house.jsonl").read_text())
    lines = [
        {**header, "domain": "house.pddl"},
        {"kind": "update", "id": "u1", "text": "Ivo put the stone on the counter.", "speaker": None,
         "add": [["stone", "resting_on", "counter"]], "remove": [["stone", "shelved_at", "rack_1"]]},
        {"kind": "task", "id": "t1", "text": "Bring the stone to Ivo.", "goal": "(held_by stone ivo)"},
    ]  # fmt: skip
    (house / "episode.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    for variant, stone in (("slice", True), ("S", False), ("Rvs", True)):
        code, out, _ = made("replay", "episode.jsonl", "--out", "p.jsonl", "--variant", variant)
        assert code == 0, out
        rows = [json.loads(line) for line in (house / "p.jsonl").read_text().splitlines()]
        assert [row["id"] for row in rows] == ["u1", "t1"]
        assert (["stone", "resting_on", "counter"] in rows[0]["add"]) == stone
        assert (rows[1]["plan"] is not None) == stone  # nothing takes it off the rack
    code, out, _ = made(
        "memory", "episode.jsonl", "--variant", "slice", "--variant", "S", "--json", group="eval"
    )
    rows = found(out)["rows"]
    assert [row["plans %"] for row in rows] == [100.0, 0.0]
    assert rows[0]["state %"] == 100.0 and rows[0]["exact"] == "1/1"
    assert rows[0]["max tok"] <= 2500
    code, _, err = made("replay", "episode.jsonl", "--out", "p.jsonl", "--variant", "Rvx")
    assert code == 1 and "variant 'Rvx'" in err


@pytest.mark.parametrize(
    ("domain", "line", "says"),
    [
        ("(define (domain", "", "house.pddl"),
        (None, "{oops", "house.jsonl:2"),
        (None, '["stone", "adores", "ivo"]', "house.jsonl:2"),
        (None, '["stone", "held_by", "counter"]', "house.jsonl:2"),
        (None, '["stone", "held_by", true]', "house.jsonl:2"),
        (None, '["ghost", "held_by", "ivo"]', "house.jsonl:2"),
        (None, '["stone", "held_by", "ivo", "una"]', "house.jsonl:2"),
        (None, '{"id": "x", "type": "gizmo"}', "gizmo"),
    ],
)
def test_a_wrong_domain_or_fact_is_named_and_leaves_no_file(
    run: Run, house: Path, domain: str | None, line: str, says: str
) -> None:
    if domain is not None:
        (house / "house.pddl").write_text(domain)
    with (house / "house.jsonl").open("a") as file:
        file.write(line + "\n")
    code, _, err = run("init", "--domain", "house.pddl", "--facts", "house.jsonl")
    assert code == 1 and says in err and err.count("\n") == 1
    assert not list(house.glob("*.db*")) and not list(house.glob(".*partial*"))


def test_files_that_are_no_memory_are_left_alone(made: Run, house: Path) -> None:
    code, _, err = made("init", "--domain", "house.pddl", "--facts", "house.jsonl")
    assert code == 1 and "exists already" in err
    (house / "junk.db").write_bytes(b"no database at all" * 100)
    assert made("ask", "where is the stone", "--memory", "junk.db")[0] == 1
    assert (house / "junk.db").read_bytes().startswith(b"no database")
    code, _, err = made("ask", "where is the stone", "--memory", "absent.db")
    assert code == 1 and "memory init" in err
    assert not (house / "absent.db").exists()


def test_what_reads_no_words_indexes_no_names(made: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert made("tell", "Ivo put the stone on the counter.")[0] == 0

    indexed: list[int] = []
    index = Names.__init__

    def counted(self: Names, *args: Any) -> None:
        indexed.append(1)
        index(self, *args)

    monkeypatch.setattr(Names, "__init__", counted)
    assert "stone resting_on counter" in made("history", "stone", "--json")[1]
    assert made("as-of", "2000-01-01T00:00", "stone")[0] == 0
    assert made("undo")[0] == 0
    assert not indexed
    assert made("ask", "where is the stone?")[0] == 0
    assert indexed
