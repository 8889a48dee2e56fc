"""Corrections: which parts of the last report a later one puts right."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace

from commonground.grounding.memory.english.clause import Clause
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.english.tokens import sentences
from commonground.grounding.memory.events import (
    Become,
    Event,
)
from commonground.grounding.memory.linking import Context, Linker
from commonground.grounding.memory.names import Names
from commonground.grounding.memory.report import ReportReader

_GOT_WRONG = re.compile(r"\b(?:got|had) (?:the|his|her|its|their) (?:\w+ ){1,2}wrong\b", re.I)
_ASKING = frozenset(["what", "where", "who", "whom", "which", "why", "how", "when", "whose"])


@dataclass(frozen=True, slots=True)
class Correction:
    """What a correction changes about the last report."""

    replaced: dict[str, str] = field(default_factory=dict)
    """Thing → the thing that was meant instead."""
    flipped: bool = False
    """The opposite state was meant."""

    @property
    def is_empty(self) -> bool:
        """Return whether nothing could be made of it."""
        return not self.replaced and not self.flipped


@dataclass(slots=True)
class _Parts:
    """The things the last report's events were about, by role."""

    actors: list[str] = field(default_factory=list)
    takers: list[str] = field(default_factory=list)
    items: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    rooms: list[str] = field(default_factory=list)
    fixtures: list[str] = field(default_factory=list)
    values: list[str] = field(default_factory=list)


class Corrector:
    """Reads corrections of a world's reports."""

    def __init__(self, reader: ReportReader) -> None:
        self.reader = reader
        self.names: Names = reader.names
        self.lexicon = reader.lexicon

    def retracts(self, text: str) -> bool:
        """Return whether a text takes the last report back."""
        return any(self._taken_back([t.text for t in s]) for s in sentences(text))

    def _taken_back(self, words: Sequence[str]) -> bool:
        """Return whether words take all back, and not only a detail: ``never mind where``."""
        sizes = ((at, self.lexicon.retract.match(words, at)) for at in range(len(words)))
        rest = (words[at + size :] for at, size in sizes if size)
        return any(_ASKING.isdisjoint(after[:2]) for after in rest)

    def beyond(self, text: str) -> str:
        """Return what a text says after it takes the last report back."""
        for found in sentences(text):
            words = [t.text for t in found]
            for at in range(len(words)):
                size = self.lexicon.retract.match(words, at)
                if size:
                    last = re.search(r"\W+".join(map(re.escape, words[at : at + size])), text, re.I)
                    return "" if last is None else text[last.end() :].lstrip(" ,.;:!-")
        return ""

    def may_correct(self, text: str, *, weak: bool) -> bool:
        """Return whether a text speaks of a mistake in the last report."""
        phrases = (
            [self.lexicon.correct, self.lexicon.correct_weak] if weak else [self.lexicon.correct]
        )
        return _GOT_WRONG.search(text) is not None or any(
            p.find([t.text for t in s]) is not None for s in sentences(text) for p in phrases
        )

    def read(self, text: str, events: tuple[Event, ...], linker: Linker) -> Correction:
        """Return what a correction says about events."""
        parts = parts_of(events, self.names)
        right, wrong = self._mentions(text)
        if self._is_of_others(right, parts, linker):
            return Correction()
        replaced: dict[str, str] = {}
        for mention in right:
            for old_ones, accepts in self.roles_of(parts):
                new = linker.some(mention, accepts, Context(rooms=parts.rooms))
                old = self._old(old_ones, wrong, accepts, linker)
                if len(new) == 1 and old is not None and old not in replaced:
                    if new[0] != old:
                        replaced[old] = new[0]
                    break
        flipped = not replaced and self._flips(text, events)
        return Correction(replaced, flipped)

    def _is_of_others(self, right: Sequence[Mention], parts: _Parts, linker: Linker) -> bool:
        """Return whether a text speaks of two things that the last report did not: ``she mixed up …``."""
        is_item = self.names.is_item
        named = (m for m in right if m.kind == "thing" and m.ordinal is None)
        things = [m for m in named if linker.may_be(m, is_item)]
        found = (linker.some(mention, is_item, Context()) for mention in things)
        return len(things) > 1 and all(set(some).isdisjoint(parts.items) for some in found)

    def _old(
        self,
        old_ones: list[str],
        wrong: list[Mention],
        accepts: Callable[[str], bool],
        linker: Linker,
    ) -> str | None:
        """Return which part is wrong: the one called so, else the first of its kind."""
        for mention in wrong:
            found = linker.some(mention, accepts, Context())
            if len(found) == 1 and found[0] in old_ones:
                return found[0]
        return old_ones[0] if old_ones else None

    def roles_of(self, parts: _Parts) -> list[tuple[list[str], Callable[[str], bool]]]:
        names = self.names
        return [
            (parts.actors, names.is_person),
            (parts.items, names.is_item),
            (parts.places, lambda t: names.is_place(t) and not names.is_item(t)),
            (parts.fixtures, lambda t: names.is_fixture(t) and not names.is_item(t)),
            (parts.rooms, names.is_room),
            (parts.values, lambda t: names.is_liquid(t) or names.is_channel(t)),
        ]

    def _mentions(self, text: str) -> tuple[list[Mention], list[Mention]]:
        """Return the phrases that are meant and those that were wrong."""
        right: list[Mention] = []
        wrong: list[Mention] = []
        for tokens in self.reader.tokens(text):
            for clause in self.reader.clauses(self.reader.cleaner.clean(tokens)):
                negated = clause.negated or (clause.verb is not None and clause.verb.negated)
                (wrong if negated else right).extend(_flat(clause))
                wrong += clause.excluding
                wrong += [m for p, m in clause.places if p == "instead of"]
        return [
            m for m in right if m not in wrong and m.kind not in ("pronoun", "place word")
        ], wrong

    def _flips(self, text: str, events: tuple[Event, ...]) -> bool:
        """``I meant off``: the state named is the opposite of the one reported."""
        words = [t.text for s in sentences(text) for t in s]
        cut = words.index("not") if "not" in words else len(words)
        for word in words[:cut]:
            states = list(self.lexicon.states.get(word, ()))
            for lemma in self.lexicon.lemmas(word):
                entry = self.lexicon.verb(lemma)
                states += entry.states if entry is not None else ()
            for event in events:
                if isinstance(event, Become):
                    means = self.names.meanings.relations[event.relation]
                    positive = event.value != means.inverted
                    if any(s.concept == means.means and s.positive != positive for s in states):
                        return True
        return False


def _flat(clause: Clause) -> list[Mention]:
    return [part for mention in clause.mentions for part in (mention.parts or [mention])]


_ROLES = {
    "things": "items", "vessel": "items", "first": "items", "second": "items",
    "place": "places", "source": "places", "room": "rooms", "screen": "fixtures",
    "channel": "values", "liquid": "values",
    "actor": "actors", "holder": "actors", "giver": "actors", "taker": "actors", "who": "actors",
}  # fmt: skip
"""What the fields of events are, by what a correction may put in their place."""


def parts_of(events: tuple[Event, ...], names: Names) -> _Parts:
    """Return the things events are about, by role."""
    parts = _Parts()
    for event in events:
        for item in fields(event):
            value = getattr(event, item.name)
            role = _ROLES.get(item.name)
            if role is not None and value is not None:
                getattr(parts, role).extend(value if isinstance(value, tuple) else (value,))
        if isinstance(event, Become):
            (parts.items if names.is_item(event.thing) else parts.fixtures).append(event.thing)
    return parts


def flipped(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Return events with the opposite states."""
    return tuple(replace(e, value=not e.value) if isinstance(e, Become) else e for e in events)
