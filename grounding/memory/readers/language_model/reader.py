"""The front end with a language model: retrieve, propose, verify, ask again (L3M+P, Algorithm 3)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from commonground.errors import CommongroundError, GroundingError
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.store import KnowledgeStore
from commonground.grounding.memory.checks.untouched import Confirmation
from commonground.grounding.memory.interpretation.discourse import Discourse
from commonground.grounding.memory.interpretation.goals import Wanted
from commonground.grounding.memory.interpretation.reading import Reading, Status
from commonground.grounding.memory.interpretation.unclear import WHAT_TO_DO
from commonground.grounding.memory.readers.language_model import answers
from commonground.grounding.memory.readers.language_model.prompt import (
    Heard,
    Messages,
    PromptWriter,
)
from commonground.grounding.memory.readers.language_model.verification import HeldReport, HeldTask
from commonground.grounding.memory.retrieval.retriever import Retrieved, Retriever, Way
from commonground.grounding.model.answer import Answer, AskStatus, Usage
from commonground.grounding.model.client import ChatModel
from commonground.grounding.model.form import form_of, read_as
from commonground.grounding.model.tokens import estimate_messages
from commonground.planning.pddl import Formula, Typed, check_formula, parse_formula

T = TypeVar("T")
MAX_CHARACTERS = 2000
"""Longer reports are not sent to a model."""
_MOST_ENTITIES = 10
"""Things of an entity list for a report, as published; four times as many for a task."""

Holds = Callable[[Iterable[Fact]], None]
"""Raises GroundingError for facts that cannot hold at the same time."""


@dataclass(slots=True)
class ModelReader:
    """Reads reports and tasks about one world with a model's help; nothing passes unchecked."""

    store: KnowledgeStore
    retriever: Retriever
    model: ChatModel
    prompts: PromptWriter
    holds: Holds
    way: Way = "slice"
    verify: bool = True
    max_tokens: int = 2500

    # ---- reports --------------------------------------------------------------------------------

    def read(self, heard: Heard, discourse: Discourse, held: HeldReport) -> Reading:
        """Algorithm 3: return what a report adds and removes, asked for until it passes the verifier."""
        if len(heard.text) > MAX_CHARACTERS:
            return Reading("ask", question="the report is too long; please say it in parts")
        retrieved, used = self.retrieve(heard, discourse)
        kinds = self.store.kinds
        meanings = self.retriever.calling.names.meanings
        spoken = self.retriever.spoken_of(heard.text, discourse, heard.speaker)
        before = {fact.object for fact in retrieved.previous}  # what "back" means
        verifier = answers.Verifier(
            self.store.vocabulary,
            kinds,
            self.store.facts,
            spoken,
            meanings.fixed,
            before | self.retriever.implied_by(spoken),
        )

        confirmation = Confirmation(heard.text, self.retriever)

        def check(value: Any) -> answers.UpdateAnswer:
            answer = read_as(answers.UpdateAnswer, value)
            if not self.verify:
                return answer
            verifier.check(answer, retrieved.things, self.holds)
            if not answer.question:
                added, removed = answers.facts_of(answer.add), answers.facts_of(answer.remove)
                refuse(held.problem(added, removed))
                confirmation.check([*added, *removed])
            return answer

        messages = self.prompts.update(heard, retrieved)
        found = self.model.ask_checked(messages, form_of(answers.UpdateAnswer), check)
        spent = _spent(used + found.usage)
        if found.value is None:
            if held.refused is not None and found.status is AskStatus.INVALID:
                return replace(held.refused, **spent)
            return Reading("failed", question=_why_not(found), **spent)
        if found.value.question:
            return Reading("ask", question=found.value.question, **spent)
        added = verifier.usable(answers.facts_of(found.value.add))
        removed = verifier.usable(answers.facts_of(found.value.remove))
        _note(discourse, added)
        unread = "" if added or removed else held.unread
        if unread:
            return Reading("ask", question=unread, **spent)
        status: Status = "ok" if added or removed else "none"
        return Reading(status, tuple(added), tuple(removed), **spent)

    # ---- retrieval ------------------------------------------------------------------------------

    def retrieve(
        self, heard: Heard, discourse: Discourse, most: int = _MOST_ENTITIES
    ) -> tuple[Retrieved, Usage]:
        """Return the facts to show, in the way chosen, and what asking for them took."""
        if self.way == "none":
            return self.retriever.everything(), Usage()
        if self.way == "entities":
            messages = self.prompts.entities(heard, sorted(self.store.things), most)
            listed = self._asked(messages, answers.EntitiesAnswer)
            chosen = [*listed.value.things[:most]] if listed.value is not None else []
            people = [heard.speaker] if heard.speaker is not None else []
            robots = self.retriever.calling.names.robots
            return self.retriever.entities([*chosen, *people, *robots]), listed.usage
        if self.way == "search":
            asked = self._asked(self.prompts.query(heard), answers.QueryAnswer)
            graph = (
                asked.value
                if asked.value is not None
                else answers.QueryAnswer(nodes=[heard.text[:200]])
            )
            return self.retriever.search(graph.graph()), asked.usage
        room = self.prompts.room_for_facts(heard, self._most_for(answers.UpdateAnswer))
        found = self.retriever.relevant(heard.text, discourse, heard.speaker, room)
        return found, Usage()

    def _asked(self, messages: Messages, kind: type[T]) -> Answer[T]:
        return self.model.ask_checked(messages, form_of(kind), lambda value: read_as(kind, value))

    def _most_for(self, kind: type[Any]) -> int:
        """Return how many tokens a prompt may take beside the form of the answer and the answer."""
        form = estimate_messages([], form_of(kind).schema)
        return self.max_tokens - self.answer_tokens - form

    @property
    def answer_tokens(self) -> int:
        """What is kept free for the answer."""
        return min(300, self.model.settings.max_answer_tokens)

    # ---- tasks ----------------------------------------------------------------------------------

    def goal(self, heard: Heard, discourse: Discourse, held: HeldTask) -> Wanted:
        """Return the goal a task asks for, in predicates and names that are known."""
        retrieved, used = self.retrieve(heard, discourse, 4 * _MOST_ENTITIES)

        def check(value: Any) -> Wanted:
            answer = read_as(answers.GoalAnswer, value)
            if answer.question or not answer.goal.strip():
                return Wanted("ask", question=answer.question or WHAT_TO_DO)
            goal = self._goal(answer.goal)
            if self.verify:
                refuse(held.problem(goal))
                held.check_whole(goal)
            return Wanted("ok", goal)

        # the way without retrieval shows everything, as published
        most = sys.maxsize if self.way == "none" else self._most_for(answers.GoalAnswer)
        messages = self.prompts.goal(heard, retrieved, most)
        found = self.model.ask_checked(messages, form_of(answers.GoalAnswer), check)
        spent = _spent(used + found.usage)
        if found.value is None:
            if held.refused and found.status is AskStatus.INVALID:
                return Wanted("ask", question=held.refused, **spent)
            return Wanted("failed", question=_why_not(found), **spent)
        return replace(found.value, **spent)

    def _goal(self, text: str) -> Formula:
        """Return a goal that is well-typed in this world."""
        try:
            bearers = self.store.vocabulary.bearers
            goal = bearers.borne(parse_formula(text), self.store.kinds)
            things = [Typed(key, (kind,)) for key, kind in self.store.kinds.items()]
            check_formula(self.store.vocabulary.domain, goal, things)
        except CommongroundError as error:
            raise GroundingError(f"the goal {text[:200]} is not right: {error}") from error
        return goal


def refuse(why: str) -> None:
    """Send an answer back where there is a reason."""
    if why:
        raise GroundingError(why)


def _spent(used: Usage) -> dict[str, Any]:
    """Return what a model took, as whatever it read carries it."""
    return {"tokens": used.prompt + used.completion, "estimated": used.estimated}


def _why_not(found: Answer[Any]) -> str:
    return f"the language model gave no usable answer ({found.status}): {found.message}"


def _note(discourse: Discourse, facts: Iterable[Fact]) -> None:
    """Remember what was changed, for retrieving what the next report's pronouns mean."""
    for fact in facts:
        discourse.now.note("themes", fact.subject)
        if not fact.is_property:
            discourse.now.note("places", fact.object)
