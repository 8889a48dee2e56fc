"""What a team believes: three views, from worlds, scene graphs and observations, kept with history."""

from __future__ import annotations

from pathlib import Path

import pytest

from commonground.errors import GroundingError
from commonground.grounding.knowledge.facts import TRUE, Fact
from commonground.grounding.knowledge.records import Source
from commonground.grounding.problem_writer.graph import VIEWS, HouseGraph
from commonground.grounding.problem_writer.keeping import HouseStore
from tests.grounding.household.houses import graph_of, house

SEEN = Source("sensor", "robot1", "seen")
HERE = Fact("Apple_1", "in", "Bed_1")


@pytest.fixture
def kept(tmp_path: Path) -> HouseStore:
    return HouseStore.create(tmp_path / "house.db", graph_of(house()))


def _place(graph: HouseGraph) -> str:
    place = graph.value("Apple_1", "in")
    assert place is not None
    return place


def test_the_three_views_hold_every_fact_once(kept: HouseStore) -> None:
    graph = graph_of(house())
    views = [kept.view(name) for name in VIEWS]
    assert [len(view) for view in views] == [len(graph.view(name)) for name in VIEWS]
    assert sum(map(len, views)) == len(graph.facts) and all(views)
    assert set(kept.graph().facts) == set(graph.facts)


def test_facts_are_typed(kept: HouseStore) -> None:
    for wrong in (
        Fact("Apple_1", "in", "Moon_1"),
        Fact("Apple_1", "in", TRUE),
        Fact("Apple_1", "skill", "SliceObject"),
        Fact("Apple_1", "explodes", TRUE),
    ):
        with pytest.raises(GroundingError):
            kept.store.assert_facts([wrong], SEEN)


def test_what_a_thing_is_follows_what_is_told_of_it() -> None:
    graph = HouseGraph([Fact("Cup_1", "is-a", "Cup"), Fact("a", "is-a", "robot")])
    assert graph.types() == {"Cup_1": "Cup"}
    graph.suppose(Fact("Cup_1", "is-a", "Mug"))
    assert graph.types() == {"Cup_1": "Mug"}
    graph.withdraw(Fact("Cup_1", "is-a", "Mug"))
    graph.types()["Cup_2"] = "Cup"
    assert graph.types() == {"Cup_1": "Cup"}
    graph.retract(Fact("Cup_1", "is-a", "Cup"))
    assert graph.types() == {}


def test_only_what_has_one_value_at_a_time_is_replaced(tmp_path: Path) -> None:
    known = [
        Fact("R_1", "is-a", "robot"),
        *(Fact(t, "is-a", "Cup") for t in ("Cup_1", "Cup_2", "Den", "Hall", "Yard")),
    ]
    graph = HouseGraph([*known, Fact("R_1", "holds", "Cup_1"), Fact("Cup_1", "in", "Den")])
    with HouseStore.create(tmp_path / "holding.db", graph) as kept:
        graph.tell(Fact("R_1", "holds", "Cup_2"))
        graph.tell(Fact("Cup_1", "in", "Hall"))
        kept.update(graph, SEEN)
        assert set(kept.graph().facts) == set(graph.facts)
        assert kept.graph().values("R_1", "holds") == ["Cup_1", "Cup_2"]
        kept.store.assert_facts([Fact("Cup_1", "in", "Yard")], SEEN)
        assert kept.graph().values("Cup_1", "in") == ["Yard"]


def test_what_is_observed_is_written_and_can_be_undone(kept: HouseStore) -> None:
    graph = graph_of(house())
    before = _place(graph)
    graph.tell(HERE)
    change = kept.update(graph, SEEN)
    assert change is not None and kept.graph().values("Apple_1", "in") == ["Bed_1"]
    assert kept.update(graph, SEEN) is None, "nothing new is no change"
    past = [r for r in kept.store.history("Apple_1") if r.fact == Fact("Apple_1", "in", before)]
    assert past and any(record.ended_ns is not None for record in past)
    kept.store.undo(change)
    assert kept.graph().values("Apple_1", "in") == [before]


def test_a_hypothesis_is_no_fact_until_it_is_observed(kept: HouseStore) -> None:
    graph = graph_of(house())
    before = _place(graph)
    graph.suppose(HERE)
    kept.update(graph, Source("default", words="repair"))
    assert HERE not in kept.store.facts and Fact("Apple_1", "in", before) in kept.store.facts
    assert HERE in kept.graph().supposed
    graph.tell(HERE)
    kept.update(graph, SEEN)
    assert HERE in kept.store.facts and not kept.graph().supposed
    assert [claim.fact for claim in kept.hypotheses("accepted")] == [HERE]


def test_a_hypothesis_is_withdrawn_or_contradicted(kept: HouseStore) -> None:
    graph = graph_of(house())
    graph.suppose(HERE)
    kept.update(graph, SEEN)
    graph.withdraw(HERE)
    kept.update(graph, SEEN)
    assert not kept.hypotheses() and [c.fact for c in kept.hypotheses("withdrawn")] == [HERE]
    graph.suppose(HERE)
    kept.update(graph, SEEN)
    graph.tell(Fact("Apple_1", "in", "Sofa_1"))
    kept.update(graph, SEEN)
    assert [c.fact for c in kept.hypotheses("rejected")] == [HERE]
    assert kept.graph().values("Apple_1", "in") == ["Sofa_1"]


def test_a_doubt_is_kept_aside_too(kept: HouseStore) -> None:
    graph = graph_of(house())
    doubted = Fact("Fridge_1", "can", "openable")
    graph.doubt(doubted)
    kept.update(graph, SEEN)
    assert doubted in kept.store.facts, "it is still known; only a plan does without it"
    again = kept.graph()
    assert doubted in again.doubted and not again.can("Fridge_1", "openable")


def test_a_file_is_read_again_and_never_overwritten(kept: HouseStore, tmp_path: Path) -> None:
    graph = graph_of(house())
    graph.suppose(HERE)
    kept.update(graph, SEEN)
    kept.close()
    with HouseStore.open(tmp_path / "house.db") as again:
        assert HERE in again.graph().supposed
    with pytest.raises(GroundingError, match="exists already"):
        HouseStore.create(tmp_path / "house.db", graph)


def test_what_is_not_where_it_should_be_is_lost(kept: HouseStore) -> None:
    graph = graph_of(house())
    place = _place(graph)
    others = frozenset(graph.contents(place)) - {"Apple_1"}
    assert graph.observe([], {place}, {place, *others})
    assert graph.value("Apple_1", "in") is None and graph.value("Apple_1", "reached-at") is None
    assert set(graph.contents(place)) == others
    kept.update(graph, SEEN)
    assert kept.graph().value("Apple_1", "in") is None
