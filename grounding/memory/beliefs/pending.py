"""The question that a report left open, kept with the graph: the next thing told may answer it.

``Yes.`` vouches for what was asked about, ``No.`` gives it up, ``the second`` and ``the red one`` say
which of several is meant. Whatever else is told drops the question.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from commonground.errors import GroundingError
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.records import Source
from commonground.grounding.knowledge.store import KnowledgeStore
from commonground.grounding.memory.beliefs import conversation
from commonground.grounding.memory.beliefs.conversation import LastReport
from commonground.grounding.memory.beliefs.unanswered import settle
from commonground.grounding.memory.english.time_phrases import times_in
from commonground.grounding.memory.interpretation.ambiguity import (
    ORDER,
    POINTING,
    chosen,
    with_name,
)
from commonground.grounding.memory.interpretation.outcome import Told
from commonground.grounding.memory.interpretation.reading import Offer, Reading, Taken
from commonground.grounding.memory.interpretation.unclear import Candidates
from commonground.grounding.memory.ontology.name_words import words_of
from commonground.grounding.words.nouns import word_set
from commonground.reasons import reason

if TYPE_CHECKING:
    from commonground.grounding.memory.memory import Memory

_KEY = "question"
_YES = word_set("yes yeah yep yup correct right certain sure exactly indeed certainly definitely")
_NO = word_set("no nope nah")
_BESIDE = word_set("it is that i am im its thats it's that's i'm 's 'm m s quite very so")


@dataclass(frozen=True, slots=True)
class Pending:
    """A report that waits for an answer."""

    text: str
    speaker: str | None
    at_ns: int
    question: str
    offers: tuple[Offer, ...] = ()
    candidates: Candidates | None = None


def pending(store: KnowledgeStore) -> Pending | None:
    """Return the question that was asked last, if nothing was told since."""
    text = store.note(_KEY)
    try:
        row = json.loads(text or "null")
        if row is None:
            return None
        offers = tuple((_facts(made), _facts(ended)) for made, ended in row["offers"])
        about = row.get("candidates")
        known = about and Candidates(about["phrase"], (*about["things"],), about["such_as"])
        return Pending(
            row["text"], row["speaker"], int(row["at_ns"]), row["question"], offers, known
        )
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise GroundingError(
            f"the memory is damaged: its open question cannot be read: {reason(error)}; use a backup"
        ) from error


def _facts(rows: list[list[str]]) -> tuple[Fact, ...]:
    return tuple(Fact(*map(str, row)) for row in rows)


def keep(store: KnowledgeStore, open_now: Pending | None) -> None:
    """Keep a question for the next report, or none."""
    if open_now is not None or store.note(_KEY) not in (None, "null"):
        store.keep_note(_KEY, json.dumps(None if open_now is None else asdict(open_now)))


def how_to_answer(taken: Taken) -> str:
    """Return what may be told next to answer a question."""
    if len(taken.offers) == 1:
        return "answer by telling “Yes.” or “No.”"
    if taken.offers:
        return "answer by telling “The first.”, “The second.” or “No.”"
    if taken.candidates is not None:
        return f"answer by telling which one, such as “{taken.candidates.such_as}” or “The second.”"
    return (
        "it cannot be answered by yes or no: tell the whole report again, with that in other words"
    )


def answered(memory: Memory, text: str, asked: Pending, speaker: str | None) -> Told | None:
    """Return what comes of a report whose question a text answers; None where it answers none."""
    words = words_of(text)
    if not words:
        return None
    offer = _chosen(words, asked.offers)
    if offer is not None:
        return _believed(memory, asked, offer, f"{asked.text} {text}", speaker)
    if asked.offers and _NO & {*words} and {*words} <= _NO | _BESIDE:
        return Told("none", question=f"then nothing is remembered of “{asked.text}”")
    if asked.candidates is None:
        return None
    meant = chosen(words, asked.candidates, memory.names)
    whole = with_name(asked.text, asked.candidates, meant, memory.names) if meant else ""
    return memory.tell(whole, asked.speaker or speaker, asked.at_ns) if whole else None


def _chosen(words: tuple[str, ...], offers: tuple[Offer, ...]) -> Offer | None:
    """Return what an answer vouches for."""
    said = {*words}
    if len(offers) == 1:
        return offers[0] if said & _YES and said <= _YES | _BESIDE else None
    rows = {ORDER[word] for word in said & ORDER.keys()}
    if len(rows) != 1 or not said <= ORDER.keys() | POINTING:
        return None
    return next(iter(offers[rows.pop() :]), None)


def _believed(memory: Memory, asked: Pending, offer: Offer, text: str, speaker: str | None) -> Told:
    """Believe what somebody vouches for, as of the time of the report."""
    who = asked.speaker or speaker
    made, ended = offer
    reading = Reading("ok", made, ended)
    source = Source("person", speaker or who or "", text)  # who vouches, not who was unsure
    memory.store.refresh()
    at_ns = memory.days.observed_ns(times_in(asked.text), asked.at_ns)
    taken = memory.believing.believe(reading, source, at_ns, vouched=True)
    if taken.status != "ask":
        settle(memory.store, asked.text)
    before = memory.discourse.now
    told = LastReport(taken.tx or 0, asked.text, who, asked.at_ns, (), before)
    return conversation.kept(memory, taken, told)
