"""Utterances to a household memory: what they change, what they ask for, and what is asked back."""

from __future__ import annotations

from typing import Any

import pytest

from commonground.grounding.english.utterance import Clause, Crew, Part, Utterance
from commonground.grounding.knowledge import Fact
from commonground.grounding.memory.english.time_phrases import read_times, times_in
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.ontology.linking import level
from commonground.grounding.memory.questions.questioner import ask
from commonground.planning.pddl import to_pddl
from tests.grounding.memory.utterances import (
    a,
    asked,
    both,
    clause,
    either,
    hear,
    said,
    span,
    told,
    wish,
)

HOUR = 3_600_000_000_000


def facts(*lines: str) -> set[Fact]:
    return {Fact(*line.split()) for line in lines}


@pytest.mark.parametrize(
    ("report", "added"),
    [
        (told("put", agent="Ivo", theme=a("mug", owner="Ivo"), goal="kitchen table"),
         ["ivo_red_mug resting_on kitchen_table"]),
        (told("put", agent="Una", theme=a("mug", owner="Ivo"), goal=a("table")),
         ["ivo_red_mug resting_on den_table"]),
        (told("put", theme=a("phone", owner="Una"), goal=a("rack", level="second")),
         ["una_phone shelved_at rack_2"]),
        (told("put", theme=a("phone", color="green"), goal=a("row", level="bottom", from_above=True)),
         ["una_phone shelved_at rack_2"]),
        (said(clause("open", agent="Una", theme="chest"),
              clause("take", agent="Una", theme=a("mug", owner="Una"))),
         ["chest lid_open true", "una_red_mug held_by una"]),
        (said(clause("take", agent="Ivo", theme=a("mug", owner="Ivo"), source="counter"),
              clause("put", agent="Ivo", theme=a(again=["mug"]), goal=a("table", room="kitchen"))),
         ["ivo_red_mug resting_on kitchen_table"]),
        (said(clause("be at", agent="Ivo", location="kitchen"), clause("go to", agent="Ivo", goal="den"),
              join="in reverse"), []),
        (told("give", agent="Una", theme="phone", goal="Ivo"), ["una_phone held_by ivo"]),
        (told("bring along", agent="Ivo", theme="stone", goal="den"),
         ["stone held_by ivo", "ivo person_at den"]),
        (told("be at", theme="stone", location="Una"), ["stone held_by una"]),
        (told("be at", theme="stone", location=a(beside="phone")), ["stone resting_on den_table"]),
        (told("put", agent="I", theme=a("mug", owner="I"), goal=a("rack", level="top")),
         ["ivo_red_mug shelved_at rack_2", "ivo person_at den"]),
        (told("put", agent="Ivo", goal="chest",
              theme=a(everything=True, located=a("table", room="den"))),
         ["una_phone stowed_in chest", "ivo person_at den"]),
        (told("put", theme=a("mugs", det="all", but=a(same_noun=True, owner="Una")), goal=a("chest")),
         ["ivo_red_mug stowed_in chest"]),
        (told("put", theme=a("mug", det="both"), goal=a("table", room="kitchen")),
         ["ivo_red_mug resting_on kitchen_table", "una_red_mug resting_on kitchen_table"]),
        (told("put", theme=both(a("stone"), a("phone")), goal="chest"),
         ["stone stowed_in chest", "una_phone stowed_in chest"]),
        (told("switch on", theme=a("lamp", room="den")), ["den_lamp lit true"]),
        (told("switch on", agent="Una", theme="lamp"), ["den_lamp lit true"]),
        (told("darken the room", agent="Una", location="kitchen"),
         ["kitchen_lamp lit false", "una person_at kitchen"]),
        (told("robot is given", agent="Una", theme="stone"),
         ["stone gripped_by robo", "una person_at kitchen", "robo hand_free false"]),
        (told("robot is moved", agent="Ivo", goal="den"), ["robo robot_at den", "ivo person_at den"]),
        (told("fill", theme=a("mug", owner="Ivo"), content="some tea"),
         ["ivo_red_mug filled_with tea", "ivo_red_mug empty false"]),
        (told("swap", theme="stone", partner="phone"),
         ["stone resting_on den_table", "una_phone shelved_at rack_1"]),
        (told("be like", theme="chest", state="ajar"), ["chest lid_open true"]),
        (told("be closed", theme="door", hedge="denied"), ["den_door door_open true"]),
    ],
)  # fmt: skip
def test_what_is_reported_is_believed(memory: Memory, report: Utterance, added: list[str]) -> None:
    heard = hear(memory, report, speaker="ivo")
    assert heard.status == "ok", heard
    assert set(heard.added) == facts(*added)
    assert set(heard.added) <= set(memory.store.facts)


@pytest.mark.parametrize(
    ("report", "removed"),
    [
        (
            told("be at", theme="stone", location=a("rack"), negated=True),
            ["stone shelved_at rack_1"],
        ),
        (told("be at", theme="stone", location=a("chest"), negated=True), []),
        (
            told("be at", theme="stone", location="den", hedge="formerly"),
            ["stone shelved_at rack_1"],
        ),
        (told("be in room", theme="stone", location="kitchen"), ["stone shelved_at rack_1"]),
        (told("be in room", theme="stone", location="den"), []),
        (told("leave", agent="Una", source="den"), ["una person_at den"]),
        (told("leave", agent="Una", source="kitchen"), []),
        (told("take", theme="stone"), ["stone shelved_at rack_1"]),
    ],
)
def test_what_is_said_to_be_gone_is_believed_no_longer(
    memory: Memory, report: Utterance, removed: list[str]
) -> None:
    heard = hear(memory, report)
    assert set(heard.removed) == facts(*removed)
    assert heard.added == () and heard.status in ("ok", "none")
    assert removed or "nothing changes" in heard.question


PUT: dict[str, Any] = {"theme": "stone", "goal": "chest"}


@pytest.mark.parametrize(
    ("report", "status", "words"),
    [
        (told("put", **PUT, hedge="maybe"), "ask", "certain"),
        (told("put", **PUT, heard_from=a("Ivo")), "ask", "what Ivo said"),
        (told("put", **PUT, hedge="planned"), "none", "planned"),
        (told("put", **PUT, hedge="dreamt"), "none", "dreamt"),
        (told("put", **PUT, hedge="almost"), "none", "almost"),
        (told("put", **PUT, hedge="denied"), "none", "nothing has changed"),
        (told("put", **PUT, hedge="unknown by now"), "ask", "certain"),
        (told("put", **PUT, condition=clause("be open", theme="door")), "ask", "door"),
        (told("other", verb="polished", theme="stone"), "ask", "polished"),
        (told("nothing"), "none", ""),
        (told("put", theme="kite", goal="chest"), "ask", "kite"),
        (told("put", theme="stone", goal="cellar"), "ask", "cellar"),
        (told("put", theme=a("stone", color="red"), goal="chest"), "ask", "red"),
        (told("put", theme=a("stone", attribute="wooden"), goal="chest"), "ask", "wooden"),
        (
            told("put", theme=a("mug", color="red"), goal="chest"),
            "ask",
            "which one is meant by 'red mug'",
        ),
        (told("put", theme="stone", goal="table"), "ask", "which one is meant by 'table'"),
        (told("put", theme="stone", goal=a("rack", level="fifth")), "ask", "fifth"),
        (told("put", theme="stone", goal="rack"), "ask", "which level of 'rack'"),
        (told("put", theme="stone"), "ask", "where is it now"),
        (told("put", theme="lamp", goal="chest"), "ask", "fixed place"),
        (told("put", theme=either(a("stone"), a("phone")), goal="chest"), "ask", "phone stone"),
        (told("put", theme=a("mugs", count="three"), goal="chest"), "ask", "mugs three"),
        (told("put", theme=a("mug", owner="I"), goal="chest"), "ask", "who is 'I'"),
        (told("go to", agent="Professor Lind", goal="den"), "ask", "Professor Lind"),
        (told("own", agent="Ivo", theme=a("phone")), "ask", "another's"),
        (told("wrong place", goal="chest"), "ask", "no report before"),
    ],
)
def test_what_is_not_certain_or_not_known_changes_nothing(
    quiet_memory: Memory, report: Utterance, status: str, words: str
) -> None:
    before = set(quiet_memory.store.facts)
    heard = hear(quiet_memory, report)
    assert heard.status == status
    assert words in heard.question
    assert set(quiet_memory.store.facts) == before


def test_a_doubtful_claim_waits_beside_the_facts_and_what_is_certain_is_believed(
    memory: Memory,
) -> None:
    heard = hear(
        memory,
        said(clause("go to", agent="Una", goal="kitchen"), clause("put", **PUT, hedge="maybe")),
    )
    assert heard.status == "ok" and "certain" in heard.question
    assert set(heard.added) == facts("una person_at kitchen")
    assert [claim.fact for claim in memory.store.claims()] == [*facts("stone stowed_in chest")]


@pytest.mark.parametrize(
    ("remark", "added"),
    [
        (told("put", follows=True, goal=a("table", room="kitchen")), ["stone resting_on kitchen_table"]),
        (told("put", follows=True, theme=a("phone"), agent="Ivo"),
         ["una_phone shelved_at rack_2", "ivo person_at den"]),
        (told("put", follows=True, back=True, agent="Ivo"), ["stone shelved_at rack_1", "ivo person_at den"]),
        (told("go to", follows=True, goal="kitchen"), ["una person_at kitchen"]),
        (told("did the same", agent="Ivo"), ["ivo person_at den"]),
        (told("did the same", theme="phone"), ["una_phone shelved_at rack_2"]),
        (told("wrong thing", theme="phone"), ["stone shelved_at rack_1", "una_phone shelved_at rack_2"]),
        (told("wrong place", goal=a("table", room="kitchen")),
         ["stone resting_on kitchen_table", "una person_at kitchen"]),
        (told("wrong person", agent="Ivo"), ["ivo person_at den", "stone shelved_at rack_2"]),
        (told("wrong altogether"), ["stone shelved_at rack_1"]),
    ],
)  # fmt: skip
def test_a_remark_goes_on_from_the_report_before_or_puts_it_right(
    memory: Memory, remark: Utterance, added: list[str]
) -> None:
    hear(memory, told("put", agent="Una", theme="stone", goal=a("rack", level="second")))
    heard = hear(memory, remark)
    assert heard.status == "ok", heard
    assert facts(*added) <= set(heard.added) & set(memory.store.facts)
    undone = facts("stone shelved_at rack_1", "stone shelved_at rack_2", "una person_at den")
    assert set(heard.added) <= facts(*added) | undone


@pytest.mark.parametrize(
    ("told_before", "remark"),
    [
        (told("put", theme="kite", goal="chest"), "wrong altogether"),
        (told("put", theme="phone", goal="chest", hedge="planned"), "wrong altogether"),
        (told("other", verb="polished", theme="phone"), "wrong altogether"),
        (told("wrong altogether"), "wrong altogether"),
        (told("put", theme="kite", goal="chest"), "wrong thing"),
    ],
)  # fmt: skip
def test_a_remark_reaches_back_no_further_than_the_report_just_before(
    memory: Memory, told_before: Utterance, remark: str
) -> None:
    hear(memory, told("put", theme="stone", goal=a("rack", level="second")))
    hear(memory, told_before)
    before = set(memory.store.facts)
    heard = hear(memory, told(remark, theme="phone"))
    assert heard.status == "ask" and "no report before" in heard.question
    assert set(memory.store.facts) == before


def test_chatter_between_a_report_and_a_remark_does_not_part_them(memory: Memory) -> None:
    hear(memory, told("put", theme="stone", goal="chest"))
    hear(memory, told("nothing"))
    assert hear(memory, told("wrong altogether")).added == (*facts("stone shelved_at rack_1"),)


def test_what_was_not_understood_is_no_it_for_the_next_report(memory: Memory) -> None:
    hear(memory, told("put", theme="stone", goal="chest"))
    hear(memory, told("put", theme="kite", goal=a("table", room="den")))
    heard = hear(memory, told("put", follows=True, goal="counter"))
    assert heard.status == "ask" and "it" in heard.question


def test_nobody_takes_back_what_another_has_said(memory: Memory) -> None:
    hear(memory, told("put", theme="stone", goal="chest"), speaker="una")
    assert "Una" in hear(memory, told("wrong altogether"), speaker="ivo").question
    assert facts("stone stowed_in chest") <= set(memory.store.facts)
    assert hear(memory, told("wrong altogether"), speaker="una").status == "ok"


def test_a_change_that_was_undone_is_not_taken_back_again(memory: Memory) -> None:
    hear(memory, told("put", theme="stone", goal="chest"))
    memory.store.undo(memory.newest_change())
    assert "no report before" in hear(memory, told("wrong altogether")).question


@pytest.mark.parametrize(
    ("report", "added"),
    [
        (said(clause("put", **PUT), clause("wrong altogether")), []),
        (said(clause("put", **PUT), clause("wrong thing", theme="phone")), ["una_phone stowed_in chest"]),
        (said(clause("put", agent="Una", **PUT), clause("wrong person", agent="Ivo")),
         ["stone stowed_in chest", "ivo person_at den"]),
        (said(clause("put", **PUT), clause("wrong altogether"), clause("open", theme="chest")),
         ["chest lid_open true"]),
    ],
)  # fmt: skip
def test_a_remark_in_the_same_breath_belongs_to_what_was_said_before_it(
    memory: Memory, report: Utterance, added: list[str]
) -> None:
    hear(memory, told("switch on", theme=a("lamp", room="den")))
    heard = hear(memory, report)
    assert set(heard.added) == facts(*added)
    assert facts("den_lamp lit true") <= set(memory.store.facts)


def test_of_several_things_said_it_is_asked_which_one_is_taken_back(memory: Memory) -> None:
    before = set(memory.store.facts)
    several = (clause("put", **PUT), clause("open", theme="chest"), clause("wrong altogether"))
    heard = hear(memory, said(*several))
    assert heard.status == "ask" and "which of these" in heard.question
    assert set(memory.store.facts) == before


def test_what_is_said_with_a_correction_is_heard_as_well_or_nothing_is_written(
    memory: Memory,
) -> None:
    hear(memory, told("put", theme="stone", goal="chest"))
    before = set(memory.store.facts)
    mistake = clause("wrong thing", theme="phone")
    heard = hear(memory, said(mistake, clause("put", theme="kite", goal="chest")))
    assert heard.status == "ask" and "kite" in heard.question
    assert set(memory.store.facts) == before
    heard = hear(memory, said(mistake, clause("open", theme="chest")))
    new = facts("una_phone stowed_in chest", "chest lid_open true", "stone shelved_at rack_1")
    assert set(heard.added) == new


@pytest.mark.parametrize(
    ("report", "words"),
    [
        (said(clause("put", **PUT), clause("put", theme="kite", goal="chest")), "kite"),
        (said(clause("put", **PUT), clause("other", verb="flung", theme=a(again=["stone"]))), "flung"),
        (told("put", theme=both(a("phone"), a("stone"), a("kite")), goal="chest"), "kite"),
        (told("put", theme="stone", goal=either(a("chest"), a("counter"))), "which one"),
        (told("open", theme="chest", goal="Una"), "what has 'Una' to do with it"),
        (told("have", agent="Una", theme="stone", content="tea"), "what has 'tea' to do with it"),
        (told("inspect", theme="stone"), "inspect"),
        (wish("put", theme="stone", goal="chest"), "is no report"),
        (asked("be at", theme="stone", location="chest"), "is no report"),
        (told("where is", theme="stone"), "where is"),
        (told("own", agent="Una", theme="phone", negated=True), "own"),
    ],
)  # fmt: skip
def test_nothing_is_written_where_part_of_a_report_is_not_understood(
    quiet_memory: Memory, report: Utterance, words: str
) -> None:
    before = set(quiet_memory.store.facts)
    heard = hear(quiet_memory, report)
    assert heard.status == "ask" and words in heard.question
    assert set(quiet_memory.store.facts) == before


@pytest.mark.parametrize(
    ("beside", "words"),
    [
        (clause("other", verb="polished", theme="phone"), "polished"),
        (clause("put", theme="phone", goal="chest", hedge="dreamt"), "dreamt"),
        (clause("hold", "do", theme="phone"), "phone"),
        (clause("put", theme="phone", goal="chest", negated=True), "nothing has changed"),
    ],
)
def test_what_is_left_aside_beside_a_fact_is_said(
    memory: Memory, beside: Clause, words: str
) -> None:
    heard = hear(memory, said(clause("put", **PUT), beside))
    assert set(heard.added) == facts("stone stowed_in chest")
    assert words in heard.question


def test_what_is_only_imagined_is_said_not_to_be_believed(memory: Memory) -> None:
    fancy = Utterance((Part(clause("put", **PUT), stands="imagined"),))
    heard = hear(memory, fancy)
    assert heard.status == "none" and "imagined" in heard.question


def test_what_used_to_be_somewhere_else_changes_nothing(memory: Memory) -> None:
    heard = hear(memory, told("be at", theme="stone", location="chest", hedge="formerly"))
    assert heard.added == heard.removed == ()


def test_an_older_observation_never_overrides_a_newer_one(memory: Memory) -> None:
    now = memory.store.changes(1)[0].observed_ns + 30 * HOUR
    hear(memory, told("put", theme="stone", goal=a("rack", level="second")), at_ns=now)
    late = said(clause("put", theme="stone", goal="chest"), when="half an hour ago")
    assert hear(memory, late, at_ns=now + HOUR // 4).status == "none"
    new = said(clause("put", theme="stone", goal="chest"), when="half an hour ago")
    assert hear(memory, new, at_ns=now + HOUR).status == "ok"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("ten minutes ago", ("ago_min", 10)), ("an hour ago", ("ago_min", 60)),
        ("two days ago", ("day", -2)), ("yesterday evening", ("day", -1)), ("last night", ("day", -1)),
        ("at 16:40", ("clock", "16:40")), ("shortly after ten", ("clock", "10:00")),
        ("eight o'clock", ("clock", "08:00")), ("at 3 pm", ("clock", "15:00")),
        ("before lunch", ("meal", ("before", "lunch"))), ("at breakfast", ("meal", ("at", "breakfast"))),
        ("once lunch was over", ("meal", ("after", "lunch"))), ("this morning", ("clock", "8")),
        ("around noon", ("clock", "12")), ("mid-morning", ("clock", "10")),
    ],
)  # fmt: skip
def test_words_for_a_time_are_dated(words: str, says: tuple[str, object]) -> None:
    (time,) = read_times([span(words)])
    assert getattr(time, says[0]) == says[1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The mug, at breakfast that was, stood on the desk.", ["at breakfast"]),
        ("nine o'clock or so it still lay there", ["nine o'clock"]),
        ("Two hours ago Ana left, at 16:40 Ben did.", ["two hours ago", "16:40"]),
        ("Breakfast is on the table, and the back door is open.", []),
    ],
)
def test_times_are_found_wherever_they_stand(text: str, words: list[str]) -> None:
    assert [time.words for time in times_in(text)] == words


def test_vague_words_say_nothing_about_the_order_of_reports() -> None:
    assert read_times([span("just now"), span("while you were out"), None]) == ()


@pytest.mark.parametrize(
    ("words", "place"),
    [("second", 2), ("4th", 4), ("level 3", 3), ("bottom", 1), ("top", -1), ("next-to-last", -2),
     ("last but one", -2), ("middle", 0), ("third row", 3), ("shiny", None)],
)  # fmt: skip
def test_levels_count_from_the_bottom(words: str, place: int | None) -> None:
    assert level(words) == place


@pytest.mark.parametrize(
    ("wished", "goal"),
    [
        (wish("put", theme="stone", goal="chest"), "(stowed_in stone chest)"),
        (wish("put", theme="stone", goal="Ivo"), "(held_by stone ivo)"),
        (wish("put", theme="stone", goal="rack"),
         "(or (shelved_at stone rack_1) (shelved_at stone rack_2))"),
        (wish("put", theme=a("mug", det="any one"), goal="chest"),
         "(or (stowed_in ivo_red_mug chest) (stowed_in una_red_mug chest))"),
        (wish("give", theme="stone"), "(held_by stone una)"),
        (wish("hold", theme="stone"), "(gripped_by stone robo)"),
        (wish("clear", theme=a("table", room="den"), goal="chest"), "(stowed_in una_phone chest)"),
        (wish("clear", theme=a("table", room="den")), "(not (resting_on una_phone den_table))"),
        (wish("keep", theme="stone"), "(shelved_at stone rack_1)"),
        (wish("open", theme="chest"), "(lid_open chest)"),
        (wish("open", theme="chest", negated=True), "(not (lid_open chest))"),
        (wish("darken the room"), "(and (not (lit den_lamp)) (not (lit kitchen_lamp)))"),
        (wish("light the room", location="den"), "(lit den_lamp)"),
        (wish("silence"), "(not (ringing una_phone))"),
        (wish("fill", theme=a("mug", owner="Una"), content="tea"), "(filled_with una_red_mug tea)"),
        (wish("serve", goal="Ivo", content="tea"),
         "(exists (?v - cup) (and (held_by ?v ivo) (filled_with ?v tea)))"),
        (wish("go to", goal="den"), "(robot_at robo den)"),
        (said(clause("open", "do", theme="chest"),
              clause("put", "do", theme="stone", goal=a(again=["chest"]))),
         "(and (lid_open chest) (stowed_in stone chest))"),
        (said(clause("open", "do", theme="chest"), clause("hold", "do", theme="stone"), join="one of"),
         "(or (lid_open chest) (gripped_by stone robo))"),
        (wish("open", theme="chest", condition=clause("be on", theme=a("lamp", room="kitchen"))),
         "(lid_open chest)"),
        (told("ring", theme="phone"), "(not (ringing una_phone))"),
        (told("be dirty", theme=a("mug", owner="Ivo")), "(clean ivo_red_mug)"),
        (wish("have", agent="Ivo", theme="stone"), "(held_by stone ivo)"),
        (wish("put", theme=both(a("stone"), a("phone")), goal="counter"),
         "(and (resting_on stone counter) (resting_on una_phone counter))"),
    ],
)  # fmt: skip
def test_a_wish_becomes_a_goal(quiet_memory: Memory, wished: Utterance, goal: str) -> None:
    wanted = quiet_memory.wished(wished, "una")
    assert wanted.status == "ok", wanted.question
    assert wanted.goal is not None and to_pddl(wanted.goal) == goal


@pytest.mark.parametrize(
    ("wished", "words"),
    [
        (wish("other", verb="laminate", theme="stone"), "laminate"),
        (wish("routine", verb="prepare breakfast"), "prepare breakfast"),
        (wish("break", theme="stone"), "break"),
        (said(clause("open", "never", theme="chest")), "never to open 'chest'"),
        (wish("put", theme="stone", goal="cellar"), "cellar"),
        (wish("put", theme="stone"), "where should it go"),
        (wish("put", theme="stone", goal="chest", negated=True), "put"),
        (asked("where is", theme="stone"), "question"),
        (told("nothing"), "what should be done"),
        (told("be clean", theme=a("mug", owner="Ivo")), "should it be so, or is it so"),
        (told("be dirty", theme=a("mug", owner="Ivo"), negated=True), "should it be so"),
        (wish("be dirty", theme=a("mug", owner="Ivo")), "be dirty"),
        (wish("open", agent="Ivo", theme="chest"), "not 'Ivo'"),
        (wish("open", theme="chest", goal="Una"), "what has 'Una' to do with it"),
        (
            wish("open", theme="chest", condition=clause("be open", theme="door")),
            "'door' is not believed to be so",
        ),
        (
            Utterance((Part(clause("open", "do", theme="chest"), stands="taken back"),)),
            "'chest' is taken back",
        ),
        (
            Utterance((Part(clause("open", "do", theme="chest"), Crew("named", (span("Zed"),))),)),
            "called 'Zed'",
        ),
    ],
)
def test_what_no_plan_can_do_is_asked_about(
    quiet_memory: Memory, wished: Utterance, words: str
) -> None:
    wanted = quiet_memory.wished(wished)
    assert wanted.status == "ask" and wanted.goal is None
    assert words in wanted.question


def test_what_is_asked_for_besides_is_said_to_be_left_out(quiet_memory: Memory) -> None:
    wanted = quiet_memory.wished(wish("open", theme="chest", manner="before noon"))
    assert wanted.status == "ok" and "before noon" in wanted.question
    beside = said(
        clause("open", "do", theme="chest"), clause("be at", theme="stone", location="den")
    )
    assert "taken for a remark: " in quiet_memory.wished(beside).question


@pytest.mark.parametrize(
    ("question", "status", "words"),
    [
        ("Where is the stone?", "ok", "shelved at first level of the rack"),
        ("Where would I find the stone?", "ok", "shelved at first level of the rack"),
        ("Any idea where the stone is?", "ok", "shelved at first level of the rack"),
        ("Who has the stone?", "ok", "nobody: stone"),
        ("What is in the chest?", "ok", "Una's red mug: stowed in chest"),
        ("Is the chest open?", "ok", "chest: not lid open"),
        ("How many mugs are there?", "ok", "2: Ivo's red mug, Una's red mug"),
        ("Is the stone in the den?", "ok", "yes: stone: shelved at first level of the rack"),
        ("Where is the red kite?", "unknown", "'red kite'"),
        ("Where's Zelda?", "unknown", "'zelda'"),
        ("Where is the mug?", "ask", "which one"),
        ("Is the chest purple?", "ask", "what is asked there"),
        ("Why is the chest closed?", "ask", "what is asked there"),
        ("Who is where?", "ask", "about which thing"),
    ],
)
def test_a_question_is_answered_from_what_is_believed(
    quiet_memory: Memory, question: str, status: str, words: str
) -> None:
    answered = ask(quiet_memory, question)
    assert answered.status == status
    assert words in answered.text
