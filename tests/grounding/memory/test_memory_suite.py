"""The household suite, lived through offline."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commonground.errors import GroundingError
from commonground.grounding.knowledge import Draft, Fact
from commonground.grounding.memory import memory
from commonground.grounding.memory.evaluation.evaluate import evaluate
from commonground.grounding.memory.evaluation.replay import Episode, replay_episode


@pytest.fixture
def suite(shared: Path) -> Path:
    folder = shared / "suites" / "memory" / "dev"
    if not folder.is_dir():
        pytest.skip("no household suite beside this checkout")
    return folder


@pytest.fixture
def without_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is heard by the trained reader."""

    def nobody(*_: object) -> None:
        raise GroundingError("no network is installed")

    monkeypatch.setattr(memory, "readings", nobody)


@pytest.mark.parametrize("number", [1, 4])
def test_two_readers_keep_a_house_up_to_date_and_ask_where_they_differ(
    suite: Path, number: int
) -> None:
    row = evaluate([suite / f"episode_{number}.jsonl"], "slice").row
    assert row["state %"] >= 90
    assert row["wrong %"] <= 4
    assert row["kept %"] >= 90
    assert row["max tok"] <= 2500


@pytest.mark.usefixtures("without_network")
@pytest.mark.parametrize("number", [1, 4])
def test_the_grammar_keeps_a_house_of_its_own_words_up_to_date(suite: Path, number: int) -> None:
    row = evaluate([suite / f"episode_{number}.jsonl"], "slice").row
    assert row["state %"] >= 95
    assert row["wrong %"] == 0
    assert row["kept %"] >= 95
    assert row["max tok"] <= 2500


def test_partial_late_uncertain_and_hostile_input_is_taken_for_what_it_is(suite: Path) -> None:
    path = suite / "hard.jsonl"
    items = [json.loads(line) for line in path.read_text().splitlines()][1:]
    episode = Episode(path)
    right = invented = obeyed = 0
    things = set(episode.world.things)
    for item, found in zip(items, replay_episode(episode), strict=True):
        changes = bool(found["add"] or found["remove"])
        wanted = item["expected"]
        added = {tuple(f) for f in found["add"]}
        if wanted["outcome"] == "change":
            right += {tuple(f) for f in item["add"]} <= added
        else:
            right += found["status"] in wanted["accept"] and not changes
        invented += any(fact[0] not in things for fact in added)
        obeyed += item["category"] == "injection" and changes
    assert right / len(items) >= 0.75
    assert invented == obeyed == 0


@pytest.mark.usefixtures("without_network")
def test_what_the_truth_of_an_episode_does_keeps_every_group(suite: Path) -> None:
    path = suite / "episode_2.jsonl"
    episode = Episode(path)
    with episode.memory() as house:
        for line in path.read_text().splitlines()[1:]:
            item = json.loads(line)
            if item["kind"] != "update":
                continue
            draft = Draft(house.store.facts)
            for fact in item["add"]:
                house.store.groups.add(draft, Fact(*fact))
            assert set(map(tuple, item["remove"])) <= {*draft.removed}
            house.tell(item["text"], item["speaker"])
