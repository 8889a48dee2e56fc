"""What is told to a memory, as it is usually written: what is left out put in, talk to the robot left out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from commonground.grounding.memory.interpretation.events import place_of, themes_of
from commonground.grounding.memory.ontology.names import words_of
from commonground.grounding.memory.retrieval.query import mentions_in
from commonground.grounding.memory.rewriting.apposition import in_usual_order
from commonground.grounding.memory.rewriting.directions import told_where
from commonground.grounding.memory.rewriting.ellipsis import (
    typed_out,
    with_robot_given,
    with_robots_hands,
    with_subject,
    without_address,
    without_alone,
)
from commonground.grounding.memory.rewriting.gapping import repeated, with_be, with_gone
from commonground.grounding.memory.rewriting.left_in_place import where_it_stayed
from commonground.grounding.memory.rewriting.log_lines import written_out
from commonground.grounding.words.numbers import count_of

if TYPE_CHECKING:
    from commonground.grounding.memory.memory import Memory

_LEVELS_OFF = re.compile(
    r"(?:,?\s*\b(?:ditto|likewise|the same|same)\b,?)?\s*(?:\b(?:only|just|but)\s+)?"
    r"\b(?:on |onto )?(?P<count>one|a|the next|two|three) (?P<noun>[^\W\d_]+)"
    r" (?:further )?(?P<way>lower|down|below|higher|up|above)\b(?! (?:the|from|to)\b)",
    re.I,
)
_DOWN = frozenset(["lower", "down", "below"])


class Usual:
    """Writes reports and tasks as both readers read them best."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def spelled(self, text: str) -> str:
        """Return a text as it is best read: words of this world written as usual, and in the usual order."""
        calling, is_person = self.memory.retriever.calling, self.memory.names.is_named_person
        typed = typed_out(calling.rejoined(text), is_person)
        return in_usual_order(typed, self._is_called)

    def report(self, text: str, speaker: str | None) -> str:
        """Return a report as it is best read, and as what it tells rather than how."""
        names = self.memory.names
        plain = without_alone(without_address(text, names.is_only_robot))
        plain = where_it_stayed(plain, self._moved, names.is_named_person, self._is_room)
        if speaker is not None:
            plain = with_subject(plain)
        whole = repeated(self.spelled(plain), self._noun_in, self._may_own, self._lies_there)
        whole = with_gone(whole, self._is_room, names.is_named_person)
        whole = with_be(whole, self._is_called, names.is_named_person)
        if len(names.robots) == 1:
            robot = names.things[names.robots[0]].name
            whole = with_robot_given(whole, robot, self._is_carried)
            whole = with_robots_hands(whole, robot, names.meanings.hands)
        told = filter(None, map(place_of, reversed(self.memory.discourse.now.events)))
        whole = self.leveled(whole, next(told, None))
        whole = written_out(whole, self._is_called, names.is_named_person, self._is_room)
        return told_where(whole, names.is_named_person)

    def task(self, text: str) -> str:
        """Return a task as it is best read."""
        return self.spelled(without_address(text, self.memory.names.is_only_robot))

    def leveled(self, text: str, spot: str | None) -> str:
        """Return a text with the name of the level that it tells from a spot: ``one shelf lower``."""
        names, calling = self.memory.names, self.memory.retriever.calling
        whole = names.names[spot].whole if spot in names.names else None
        levels = [*names.levels.get(whole or "", ())]

        def named(found: re.Match[str]) -> str:
            steps = count_of(found["count"].split()[-1]) or 1
            at = levels.index(spot) + (-steps if found["way"].lower() in _DOWN else steps)
            known = calling.calls_levels(found["noun"]) and 0 <= at < len(levels)
            return f" on {names.things[levels[at]].name}" if known else found[0]

        return _LEVELS_OFF.sub(named, text) if levels else text

    def _noun_in(self, text: str, owner: str) -> str:
        """Return the noun of what a text, or the report before it, names last that an owner may have.

        Rooms have what is fixed, and people what can be carried.
        """
        names, calling = self.memory.names, self.memory.retriever.calling
        called = {thing for mention in mentions_in(owner, calling) for thing in mention.things}
        is_room = any(map(names.is_room, called))

        def may_be_owned(thing: str) -> bool:
            return names.is_fixture(thing) if is_room else names.is_item(thing)

        for mention in reversed(mentions_in(text, calling)):
            if any(map(may_be_owned, mention.things)):
                return mention.words.split()[-1]
        told = (t for event in reversed(self.memory.discourse.now.events) for t in themes_of(event))
        return next((" ".join(names.names[t].head) for t in told if may_be_owned(t)), "")

    def _may_own(self, words: str) -> bool:
        """Return whether words name somebody, or a room, and nothing else as well."""
        return self.memory.names.is_named_person(words) or self._is_room(words)

    def _lies_there(self, words: str) -> bool:
        """Return whether words name a place for things and no room."""
        names, mentions = self.memory.names, mentions_in(words, self.memory.retriever.calling)
        things = {thing for mention in mentions[-1:] for thing in mention.things}
        return any(map(names.is_place, things)) and not any(map(names.is_room, things))

    def _moved(self, words: str) -> str:
        """Return what the thing is called that words name and the report before tells of; ``it`` is kept.

        Empty where they name none of them, or several.
        """
        last, names = self.memory.last, self.memory.names
        told = {t for event in (last.events if last is not None else ()) for t in themes_of(event)}
        if words.lower() == "it":
            return words if told else ""
        called = {t for m in mentions_in(words, self.memory.retriever.calling) for t in m.things}
        meant = told & called
        if len(meant) != 1:
            return ""
        name = names.things[meant.pop()].name
        return words if len(called) == 1 else name if "'s " in name else f"the {name}"

    def _is_carried(self, words: str) -> bool:
        """Return whether words name something portable."""
        names = self.memory.names
        return any(map(names.is_item, names.called(words_of(words))))

    def _is_room(self, words: str) -> bool:
        """Return whether words name a room and nothing else as well."""
        return any(map(self.memory.names.is_room, self.memory.names.called(words_of(words))))

    def _is_called(self, word: str) -> bool:
        """Return whether a word names somebody or something."""
        names = self.memory.names
        return names.is_named_person(word) or bool(names.called(words_of(word)))
