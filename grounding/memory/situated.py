"""Says by name which place a report means that tells it by the situation.

``the door between the hall and the den`` is the one that joins them, ``in here`` is where whoever speaks is,
and who opens the oven and slides the pie ``inside`` puts it into what he has just spoken of.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from commonground.grounding.memory.house import House
from commonground.grounding.memory.names import words_of
from commonground.grounding.memory.retrieval.query import Mention, mentions_in
from commonground.grounding.memory.senses.calling import Calling
from commonground.grounding.words.numbers import count_of

_WORD = r"[^\W\d_]+(?:['’]s)?"
_BETWEEN = re.compile(
    rf"\b(the )?({_WORD}) (?:(?:that|which) (?:is|leads|goes) )?between "
    rf"({_WORD}(?: {_WORD}){{0,3}}?) and ({_WORD}(?: {_WORD}){{0,3}})",
    re.I,
)
_HERE = re.compile(r"(?<=[^\W\d_]) in here\b", re.I)
_INSIDE = re.compile(r"\b(in|inside)(?= ?(?:[.,;!?]|and\b|$))", re.I)
_LEVELS_OFF = re.compile(
    r"(?:,?\s*\b(?:ditto|likewise|the same|same)\b,?)?\s*(?:\b(?:only|just|but)\s+)?"
    r"\b(?:on |onto )?(?P<count>one|a|the next|two|three) (?P<noun>[^\W\d_]+)"
    r" (?:further )?(?P<way>lower|down|below|higher|up|above)\b(?! (?:the|from|to)\b)",
    re.I,
)
_DOWN = frozenset(["lower", "down", "below"])
_OWN = frozenset(["my", "our"])
_ARTICLES = frozenset(["the", "a", "an", "this", "that"])


class Situated:
    """The places that one speaker may tell by the situation."""

    def __init__(self, house: House, calling: Calling, speaker: str | None) -> None:
        self.house, self.names, self.calling = house, house.names, calling
        self.speaker = speaker

    def named(self, text: str) -> str:
        """Return a text with the names of the places that it tells by the situation."""
        return self._put_in(_HERE.sub(self._here, _BETWEEN.sub(self._joining, text)))

    def leveled(self, text: str, spot: str | None) -> str:
        """Return a text with the name of the level that it tells from a spot: ``one shelf lower``."""
        whole = self.names.names[spot].whole if spot in self.names.names else None
        levels = [*self.names.levels.get(whole or "", ())]

        def named(found: re.Match[str]) -> str:
            steps = count_of(found["count"].split()[-1]) or 1
            at = levels.index(spot) + (-steps if found["way"].lower() in _DOWN else steps)
            known = self.calling.calls_levels(found["noun"]) and 0 <= at < len(levels)
            return f" on {self.names.things[levels[at]].name}" if known else found[0]

        return _LEVELS_OFF.sub(named, text) if levels else text

    def _joining(self, found: re.Match[str]) -> str:
        """Return the name of the one door between two rooms."""
        doors = self.names.called(words_of(found[2]))
        words = found[4].split()
        for size in range(len(words), 0, -1):
            ends = [self._rooms(found[3]), self._rooms(" ".join(words[:size]))]
            joining = [t for t in doors if all(self.names.names[t].rooms & end for end in ends)]
            if len(joining) == 1 and ends[0] != ends[1]:
                return " ".join(
                    [(found[1] or "the").strip(), self.names.things[joining[0]].name, *words[size:]]
                )
        return found[0]

    def _rooms(self, phrase: str) -> set[str]:
        """Return the rooms that a phrase may mean."""
        words = words_of(phrase)
        owner = self.speaker if words[0] in _OWN else None
        if "'s" in words:
            cut = words.index("'s")
            owner, words = self.names.people.get(words[:cut]), words[cut:]
        owned = owner is not None and words[0] in (*_OWN, "'s")
        bare = words[1:] if owned or words[0] in _ARTICLES else words
        rooms = (t for t in self.names.called(bare) if self.names.is_room(t))
        return {t for t in rooms if not owned or self.house.owner(t) == owner}

    def _here(self, found: re.Match[str]) -> str:
        """Return ``in the den`` for ``in here`` behind what is there."""
        room = self.house.room(self.speaker) if self.speaker is not None else None
        named = mentions_in(found.string[: found.start()], self.calling)
        if room is None or not named or room not in map(self.house.room, named[-1].things):
            return found[0]
        name = self.names.things[room].name
        return f" in {name}" if re.search("['’]s", name) else f" in the {name}"

    def _put_in(self, text: str) -> str:
        """Return a text with what things are put into after ``in`` and ``inside`` at its end."""
        found = _INSIDE.search(text)
        mentions = mentions_in(text[: found.start()], self.calling) if found is not None else []
        if (
            found is None
            or not mentions
            or not self._ends_with_item(text[: found.start()], mentions)
        ):
            return text
        into = next((m for m in reversed(mentions[:-1]) if self._holds(m.things)), None)
        if into is None:
            return text
        return f"{text[: found.start()]}in the {into.words}{text[found.end() :]}"

    def _ends_with_item(self, text: str, mentions: list[Mention]) -> bool:
        """Return whether a text ends with what can be carried."""
        last = mentions[-1]
        ends = last.end == len(words_of(text))
        return ends and bool(last.things) and all(map(self.names.is_item, last.things))

    def _holds(self, things: Collection[str]) -> bool:
        """Return whether things are furniture that others are put into."""
        held = self.house
        return bool(things) and all(held.is_scenery(t) and self.names.is_place(t) for t in things)
