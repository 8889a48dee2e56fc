from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from commonground.errors import GroundingError
from commonground.grounding.knowledge import (
    Fact,
    KnowledgeSettings,
    KnowledgeStore,
    Source,
    Thing,
    database,
)

from .conftest import DOMAIN, FACTS, MINUTE

EVA, ROB = Source("person", "eva", "said so"), Source("robot", "rob")
PEN_BOXED = Fact("pen", "put_in", "crate")
PEN_ON_DESK = Fact("pen", "on_top", "desk")


def test_adding_a_place_retires_the_old_one_and_keeps_it_in_the_history(
    store: KnowledgeStore,
) -> None:
    outcome = store.assert_facts([PEN_BOXED], EVA, at_ns=5 * MINUTE)
    assert outcome.added == (PEN_BOXED,) and outcome.removed == (PEN_ON_DESK,)
    past = [r for r in store.history("pen") if r.fact == PEN_ON_DESK]
    assert [(r.ended_ns, r.tx_end) for r in past] == [(None, 2), (5 * MINUTE, None)]
    assert store.change_record(2).source == EVA
    assert PEN_ON_DESK in store.as_of(4 * MINUTE) and PEN_BOXED in store.as_of(6 * MINUTE)
    assert PEN_ON_DESK in store.as_of(6 * MINUTE, believed=1)


def test_a_late_report_fills_the_history_and_leaves_what_is_newer(store: KnowledgeStore) -> None:
    store.assert_facts([PEN_BOXED], EVA, at_ns=10 * MINUTE)
    outcome = store.assert_facts([Fact("pen", "on_top", "shelf")], EVA, at_ns=5 * MINUTE)
    assert not outcome.changes_belief and outcome.late == (Fact("pen", "on_top", "shelf"),)
    assert PEN_BOXED in store.facts
    assert Fact("pen", "on_top", "shelf") in store.as_of(6 * MINUTE)


def test_after_something_has_gone_an_older_sighting_does_not_bring_it_back(
    store: KnowledgeStore,
) -> None:
    store.assert_facts([], EVA, at_ns=10 * MINUTE, retracted=[PEN_ON_DESK])
    assert store.facts.subjects("on_top", "desk") == set()
    assert not store.assert_facts([PEN_ON_DESK], EVA, at_ns=5 * MINUTE).changes_belief
    assert store.assert_facts([PEN_ON_DESK], EVA, at_ns=11 * MINUTE).added == (PEN_ON_DESK,)


def test_what_one_gripper_and_one_vessel_can_hold_follows_from_the_domain(
    store: KnowledgeStore,
) -> None:
    store.assert_facts([Fact("pen", "carried", "rob")], ROB, at_ns=MINUTE)
    assert Fact("rob", "idle", "false") in store.facts
    outcome = store.assert_facts([Fact("pen", "on_top", "shelf")], ROB, at_ns=2 * MINUTE)
    assert Fact("rob", "idle", "true") in outcome.added
    store.assert_facts([Fact("mug", "has_juice", "pear")], EVA, at_ns=3 * MINUTE)
    assert Fact("mug", "void", "false") in store.facts
    store.assert_facts([], EVA, at_ns=4 * MINUTE, retracted=[Fact("mug", "has_juice", "pear")])
    assert Fact("mug", "void", "true") in store.facts


def test_a_relation_that_is_not_functional_keeps_all_its_facts(store: KnowledgeStore) -> None:
    outcome = store.assert_facts([Fact("eva", "likes", "mug")], EVA)
    assert outcome.removed == ()
    assert store.assert_facts([Fact("eva", "human_in", "kitchen")], EVA).removed == (
        Fact("eva", "human_in", "hall"),
    )


def test_undo_restores_what_was_there_and_spares_what_is_newer(store: KnowledgeStore) -> None:
    first = store.assert_facts([PEN_BOXED, Fact("crate", "ajar", "true")], EVA, at_ns=MINUTE)
    store.assert_facts([Fact("pen", "on_top", "shelf")], EVA, at_ns=2 * MINUTE)
    outcome = store.undo(first.tx)
    assert Fact("crate", "ajar", "false") in store.facts
    assert Fact("pen", "on_top", "shelf") in store.facts and outcome.kept == (PEN_ON_DESK,)
    assert store.change_record(outcome.tx).undoes == first.tx
    with pytest.raises(GroundingError, match="no change 99"):
        store.undo(99)


def test_uncertain_claims_wait_until_a_second_source_agrees(store: KnowledgeStore) -> None:
    camera, other = Source("sensor", "camera"), Source("sensor", "lidar")
    held = store.assert_facts([PEN_BOXED], camera, at_ns=MINUTE, confidence=0.6)
    assert held.held == (PEN_BOXED,) and PEN_ON_DESK in store.facts
    assert store.claims("pen")[0].status == "open"
    assert not store.assert_facts([PEN_BOXED], camera, at_ns=2 * MINUTE, confidence=0.6).added
    assert store.assert_facts([PEN_BOXED], other, at_ns=2 * MINUTE, confidence=0.6).added == (
        PEN_BOXED,
    )
    assert store.claims("pen") == [] and store.claims("pen", status="accepted")
    assert not store.assert_facts([PEN_ON_DESK], camera, at_ns=3 * MINUTE, confidence=0.3).held


def test_sensors_that_disagree_at_the_same_moment_contradict_each_other(
    store: KnowledgeStore,
) -> None:
    store.assert_facts([PEN_BOXED], Source("sensor", "camera"), at_ns=MINUTE, confidence=0.9)
    contrary = store.assert_facts(
        [Fact("pen", "on_top", "shelf")], Source("sensor", "lidar"), at_ns=MINUTE, confidence=0.9
    )
    assert contrary.held and PEN_BOXED in store.facts
    later = store.assert_facts(
        [Fact("pen", "on_top", "shelf")],
        Source("sensor", "lidar"),
        at_ns=2 * MINUTE,
        confidence=0.9,
    )
    assert later.added == (Fact("pen", "on_top", "shelf"),)


def test_confidence_fades_by_predicate(tmp_path: Path, things: list[Thing]) -> None:
    fading = KnowledgeSettings(half_life_s={"human_in": 600.0})
    store = KnowledgeStore.create(
        tmp_path / "m.db", DOMAIN, things, FACTS, at_ns=0, settings=fading
    )
    assert store.confidence(Fact("eva", "human_in", "hall"), 20 * MINUTE) == pytest.approx(0.25)
    assert store.confidence(Fact("desk", "within", "kitchen"), 20 * MINUTE) == 1.0
    store.assert_facts([Fact("eva", "human_in", "hall")], EVA, at_ns=20 * MINUTE)
    assert store.confidence(Fact("eva", "human_in", "hall"), 20 * MINUTE) == 1.0


def test_sources_that_are_confirmed_are_trusted_more(store: KnowledgeStore) -> None:
    before = store.trust(EVA, "put_in")
    store.assert_facts([PEN_BOXED], EVA, at_ns=MINUTE)
    store.assert_facts([PEN_BOXED], Source("person", "ida"), at_ns=2 * MINUTE)
    assert store.trust(EVA, "put_in") > before


@pytest.mark.parametrize(
    ("fact", "message"),
    [
        (Fact("pen", "on_top", "crate"), "'crate' is a box, but 'on_top' takes table"),
        (Fact("pen", "ontop", "desk"), "unknown predicate 'ontop'. Did you mean 'on_top'"),
        (Fact("pen", "on_top", "true"), "takes a thing as its object"),
        (Fact("crate", "ajar", "desk"), "takes true or false"),
        (Fact("pencil", "on_top", "desk"), "unknown thing 'pencil'"),
    ],
)
def test_ill_typed_facts_are_refused_and_nothing_is_written(
    store: KnowledgeStore, fact: Fact, message: str
) -> None:
    with pytest.raises(GroundingError, match=message.replace("(", r"\(")):
        store.assert_facts([PEN_BOXED, fact], EVA)
    assert store.tx == 1 and PEN_ON_DESK in store.facts and store.record(PEN_BOXED) is None


def test_many_records_are_those_of_each_fact(store: KnowledgeStore) -> None:
    many = [Fact(pen, "on_top", "desk") for pen in ("pen", *(f"pen_{n}" for n in range(600)))]
    with store.change(EVA) as change:
        for fact in many[1:]:
            change.thing(Thing(fact.subject, "thing", fact.subject))
            change.add(fact)
    found = store.records([*many, PEN_BOXED])
    assert [*found] and found == {fact: store.record(fact) for fact in many}


def test_a_reader_sees_what_a_writer_commits(store: KnowledgeStore) -> None:
    with KnowledgeStore.open(store.path, read_only=True) as reader:
        assert PEN_BOXED not in reader.facts
        store.assert_facts([PEN_BOXED], EVA)
        assert PEN_BOXED not in reader.facts
        assert PEN_BOXED in reader.about("pen") and reader.tx == 2
        assert reader.changed_since(1) == {PEN_BOXED, PEN_ON_DESK}
        with pytest.raises(GroundingError, match="permissions"):
            reader.assert_facts([PEN_ON_DESK], EVA)


_WRITER = """
import sys
from commonground.grounding.knowledge import Fact, KnowledgeStore, Source
store = KnowledgeStore.open(sys.argv[1])
i = 0
while True:
    place = ("on_top", "desk") if i % 2 else ("put_in", "crate")
    outcome = store.assert_facts([Fact("pen", *place)], Source("person", "eva", str(i)), at_ns=i + 1)
    sys.stdout.write(f"{outcome.tx}\\n"); sys.stdout.flush()
    i += 1
"""


def test_a_killed_writer_loses_no_acknowledged_change(store: KnowledgeStore) -> None:
    path = store.path
    store.close()
    with subprocess.Popen(
        [sys.executable, "-c", _WRITER, str(path)], stdout=subprocess.PIPE
    ) as writer:
        assert writer.stdout is not None
        acknowledged = [int(writer.stdout.readline()) for _ in range(25)][-1]
        os.kill(writer.pid, signal.SIGKILL)
        acknowledged = max(
            [acknowledged, *(int(line) for line in writer.stdout if line.endswith(b"\n"))]
        )
    with KnowledgeStore.open(path) as again:
        assert again.tx >= acknowledged
        assert len([f for f in again.about("pen") if f.relation in ("on_top", "put_in")]) == 1
        assert again.change_record(acknowledged).source.name == "eva"


def test_damaged_foreign_and_missing_files_are_named_and_left_alone(
    tmp_path: Path, store: KnowledgeStore
) -> None:
    noise = tmp_path / "noise.db"
    noise.write_bytes(b"this is no database" * 100)
    with pytest.raises(GroundingError, match="left as it is"):
        KnowledgeStore.open(noise)
    assert noise.read_bytes() == b"this is no database" * 100
    foreign = tmp_path / "foreign.db"
    with sqlite3.connect(foreign) as other:
        other.execute("CREATE TABLE t (x)")
    with pytest.raises(GroundingError, match="not a memory"):
        KnowledgeStore.open(foreign)
    with pytest.raises(GroundingError, match="no such memory"):
        KnowledgeStore.open(tmp_path / "none.db")
    with pytest.raises(GroundingError, match="exists already"):
        KnowledgeStore.create(store.path, DOMAIN, [], [])
    store.connection.execute("PRAGMA user_version = 99")
    with pytest.raises(GroundingError, match="update commonground"):
        KnowledgeStore.open(store.path)


FOREIGN = {
    "a view without an end": (
        "ALTER TABLE current RENAME TO gone",
        "CREATE VIEW current AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c)"
        " SELECT 'pen' s, 'on_top' r, x o, 1 valid_ns, 1 confirmed_ns, 1.0 confidence, 1 tx, 1 origin FROM c",
    ),
    "a trigger": ("CREATE TRIGGER t AFTER INSERT ON change BEGIN DELETE FROM current; END",),
    "another column": ("ALTER TABLE meta ADD COLUMN more",),
}


@pytest.mark.parametrize("statements", FOREIGN.values(), ids=FOREIGN)
def test_what_a_file_would_have_run_is_not_run(
    store: KnowledgeStore, statements: tuple[str, ...]
) -> None:
    for statement in statements:
        store.connection.execute(statement)
    store.close()
    with pytest.raises(GroundingError, match="not those of a memory"):
        KnowledgeStore.open(store.path)


def test_a_text_that_is_none_is_told_wherever_it_is_read(store: KnowledgeStore) -> None:
    store.keep_note("talk", "x")
    store.connection.execute("UPDATE meta SET value = CAST(x'ff' AS TEXT)")
    store.connection.execute("UPDATE change SET words = CAST(x'ff' AS TEXT)")
    store.connection.execute("UPDATE current SET origin = 'soon'")
    for read in (lambda: store.note("talk"), store.changes, lambda: store.history("pen")):
        with pytest.raises(GroundingError, match="damaged"):
            read()


def test_facts_read_late_are_those_of_one_time(store: KnowledgeStore) -> None:
    with KnowledgeStore.open(store.path, read_only=True) as reader:
        before = reader.facts.about("pen")
        store.assert_facts([PEN_BOXED], EVA)
        inside = reader.facts.subjects(PEN_BOXED.relation, PEN_BOXED.object)
        assert "pen" in inside and PEN_BOXED in reader.facts
        assert PEN_BOXED not in before
        assert len(reader.facts) == len([*reader.facts]) == len({*store.facts})


def test_a_busy_file_is_reported_in_one_line(store: KnowledgeStore) -> None:
    with KnowledgeStore.open(store.path) as other:
        other.connection.execute("PRAGMA busy_timeout = 50")
        with (
            store.change(EVA),
            pytest.raises(GroundingError, match="another process has been writing"),
        ):
            other.assert_facts([PEN_BOXED], EVA)


def test_half_a_character_is_refused_in_one_line(store: KnowledgeStore) -> None:
    for ask in (store.things.get, store.history, store.about):
        with pytest.raises(GroundingError, match="half a character"):
            ask("\udcff")


def test_an_older_file_is_migrated_and_kept_as_a_backup(
    tmp_path: Path, store: KnowledgeStore
) -> None:
    store.assert_facts([PEN_BOXED], EVA)
    for table in ("claim", "trust"):
        store.connection.execute(f"DROP TABLE {table}")
    store.connection.execute("PRAGMA user_version = 1")
    store.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    store.close()
    with pytest.raises(GroundingError, match="older format 1"):
        KnowledgeStore.open(store.path, read_only=True)
    with KnowledgeStore.open(store.path) as again:
        assert PEN_BOXED in again.facts and again.claims() == []
        assert again.connection.execute("PRAGMA user_version").fetchone()[0] == database.VERSION
    backup = store.path.with_name(f"{store.path.name}.format1.backup")
    with sqlite3.connect(backup) as old:
        assert old.execute("PRAGMA user_version").fetchone()[0] == 1
        assert old.execute("SELECT count(*) FROM current").fetchone()[0] == len(FACTS)


_PLACES = [
    Fact("pen", "on_top", "desk"),
    Fact("pen", "put_in", "crate"),
    Fact("pen", "carried", "rob"),
]


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(
        st.tuples(st.sampled_from([*_PLACES, Fact("book", "carried", "rob")]), st.integers(1, 30)),
        max_size=8,
    )
)
def test_every_order_of_reports_leaves_one_place_and_a_consistent_index(
    tmp_path_factory: pytest.TempPathFactory, reports: list[tuple[Fact, int]]
) -> None:
    path = tmp_path_factory.mktemp("flat") / "m.db"
    from .conftest import KINDS

    store = KnowledgeStore.create(
        path, DOMAIN, [Thing(k, t, k) for k, t in KINDS.items()], FACTS, at_ns=0
    )
    for fact, minute in reports:
        store.assert_facts([fact], EVA, at_ns=minute * MINUTE)
        places = [
            f for f in store.facts.about("pen") if f.relation in ("on_top", "put_in", "carried")
        ]
        assert len(places) <= 1
        held = [f for x in ("pen", "book") for f in store.facts.about(x) if f.relation == "carried"]
        assert len(held) <= 1
        assert (Fact("rob", "idle", "true") in store.facts) == (not held)
    with KnowledgeStore.open(path) as again:
        assert set(again.facts) == set(store.facts)
        assert set(again.as_of(100 * MINUTE)) == set(store.facts)
    tx = store.tx
    while tx > 1:  # undoing everything, newest first, brings the first state back
        store.undo(tx)
        tx -= 1
    assert set(store.facts) == set(FACTS)
    store.close()


def test_damage_that_sqlite_itself_tells_in_no_text_is_told(
    store: KnowledgeStore, tmp_path: Path
) -> None:
    kept = Path(next(iter(tmp_path.rglob("*.db"))))
    store.close()
    data = kept.read_bytes()
    at = data.index(b"CREATE TABLE") + len(b"CREATE TABLE ")
    kept.write_bytes(data[:at] + b"\xff" + data[at + 1 :])
    with pytest.raises(GroundingError, match=r"is not a memory or is damaged"):
        KnowledgeStore.open(kept)
