"""Reports: what an utterance makes so, in the light of what is believed and was said before."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from commonground.grounding.english.parts import clauses_of, in_words
from commonground.grounding.english.utterance import Clause, Utterance
from commonground.grounding.knowledge.groups import Groups
from commonground.grounding.knowledge.index import View
from commonground.grounding.memory.interpretation.effects import Effects
from commonground.grounding.memory.interpretation.events import Named
from commonground.grounding.memory.interpretation.house import Things
from commonground.grounding.memory.interpretation.reading import Reading
from commonground.grounding.memory.interpretation.unclear import Unclear
from commonground.grounding.memory.ontology.linking import Calling
from commonground.grounding.memory.readers.senses.account import Account, roles_in
from commonground.grounding.memory.readers.senses.event_table import Said
from commonground.grounding.memory.readers.senses.remarks import RETRACTION, corrected
from commonground.grounding.memory.readers.senses.roles import Roles

_ASIDE = {"taken back": "taken back", "imagined": "only imagined"}


class Reports:
    """Takes utterances as reports about one world."""

    def __init__(self, calling: Calling, groups: Groups) -> None:
        self.calling = calling
        self.groups = groups

    def effects(self, view: View) -> Effects:
        """Return where events are to have their effects."""
        return Effects(self.calling.names, self.groups, view)

    def roles(self, said: Said, effects: Effects) -> Roles:
        """Return the roles of an utterance's clauses, to be filled as its events have their effects."""
        return roles_in(self.calling, said, effects)

    def read(self, said: Said, view: View) -> Reading:
        """Return what an utterance reports, in the light of what is believed and was said before."""
        account = Account(self.calling, self.groups, said, view)
        try:
            for clause in narrated(said.utterance):
                account.take(clause)
        except Unclear as unclear:
            return Reading(
                "ask", question=str(unclear), candidates=unclear.candidates, spoken=account.spoken
            )
        reading = account.reading(set_aside(said.utterance))
        if reading.status == "none" and _is_no_report(said.utterance):
            return replace(reading, status="ask", unreal=True)
        return reading

    def named(self, said: Said, view: View) -> Named | None:
        """Return whom and what an utterance speaks of, whatever it says of them; None if of nothing."""
        roles = self.roles(said, self.effects(view))
        found = [_named(roles, clause) for clause in narrated(said.utterance)]
        things = tuple(dict.fromkeys(thing for one in found for thing in one.things))
        who = next((one.who for one in reversed(found) if one.who is not None), None)
        return Named(things, who) if things or who is not None else None

    def put_right(self, said: Said, believed: View, undone: View) -> Reading:
        """Return what was meant by the report before, and what else an utterance says.

        Its first clause is the correction; ``believed`` is what that report made so, ``undone`` what is
        believed without it. Unclear where it cannot be told.
        """
        mistake, *more = (c for c in narrated(said.utterance) if c.sense != "nothing")
        meant = []
        if mistake.sense != RETRACTION:
            meant = corrected(self.roles(said, self.effects(believed)), mistake)
        account = Account(self.calling, self.groups, replace(said, told=()), undone, meant)
        for clause in more:
            account.take(clause)
        return account.reading(set_aside(said.utterance))


def narrated(utterance: Utterance) -> Iterator[Clause]:
    """Yield the clauses that report something, in the order in which it happened."""
    for part in utterance.parts:
        if part.stands not in _ASIDE:
            yield from (clause for clause in clauses_of(part.step) if clause.mood == "tell")


def _is_no_report(utterance: Utterance) -> bool:
    """Return whether an utterance asks for something instead of reporting."""
    moods = {clause.mood for part in utterance.parts for clause in clauses_of(part.step)}
    return bool(moods - {"tell"})


def set_aside(utterance: Utterance) -> Iterator[str]:
    """Yield what to say of that in an utterance which reports nothing: wishes, questions, fancies."""
    for part in utterance.parts:
        for clause in clauses_of(part.step):
            if clause.mood != "tell":
                words = in_words(clause)
                yield f"'{words}' is no report: questions are asked and wishes are planned"
            elif part.stands in _ASIDE and clause.sense != "nothing":
                yield f"'{in_words(clause)}' is said to be {_ASIDE[part.stands]}"


def _named(roles: Roles, clause: Clause) -> Named:
    """Return whom and what one clause speaks of, as far as that is clear."""
    who: str | None = None
    things: Things = ()
    with suppress(Unclear):
        who = roles.agent(clause)
    with suppress(Unclear):
        things = roles.things(clause, lambda t: not roles.house.is_someone(t))
    with suppress(Unclear):
        who = who or roles.person_told_of(clause)
    return Named(things, who)
