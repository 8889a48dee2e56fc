"""The things of the household that a phrase means, or the question which ones are meant."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from itertools import chain, combinations, islice, product
from typing import Any, TypeAlias

from commonground.grounding.english.utterance import (
    Group,
    Phrase,
    Reference,
    Relation,
    Span,
    Utterance,
)
from commonground.grounding.knowledge.facts import FALSE, TRUE, Fact
from commonground.grounding.knowledge.index import View
from commonground.grounding.memory.events import Event
from commonground.grounding.memory.names import LAST_WORD, PART, SYNONYM, Names
from commonground.grounding.memory.senses.calling import Calling, level, number
from commonground.grounding.memory.senses.roles import themes_of
from commonground.grounding.memory.senses.states import State
from commonground.grounding.memory.unclear import Unclear

Accepts: TypeAlias = Callable[[str], bool]
Known: TypeAlias = dict[str, int]
"""Things a phrase may mean, with how directly it names each."""
_MOST_CHOICES = 200
_HERE = frozenset(["in", "on", "under", "above"])
_NEARBY = frozenset(["near", "in the same area as", "opposite", "behind", "in front of"])


def anything(_: str) -> bool:
    """Accept every thing."""
    return True


@dataclass(frozen=True, slots=True)
class Setting:
    """What a clause says beside a phrase, to choose between things that are called the same."""

    rooms: tuple[str, ...] = ()
    """The rooms named in the same clause."""
    actor: str | None = None
    """Furniture is looked for where he is."""
    spots: frozenset[str] = frozenset()
    """Where things come from, or who had them: only to choose between equals."""


class Resolver:
    """Finds what the phrases of one utterance mean in a world; writes nothing."""

    def __init__(
        self,
        calling: Calling,
        view: View,
        utterance: Utterance,
        speaker: str | None = None,
        told: Sequence[Event] = (),
    ) -> None:
        self.calling = calling
        self.names: Names = calling.names
        self.view = view
        self.speaker = speaker
        self.told = list(told)
        """What was reported before, the last event at the end."""
        self._said = {key: p for p in phrases_of(utterance) for key in _heads(p)}
        self._chosen: dict[tuple[int, int], tuple[str, ...]] = {}
        self._noun: Span | None = None

    # ---- what a role is filled with ------------------------------------------------------------

    def choices(
        self, what: Reference, accepts: Accepts = anything, setting: Setting | None = None
    ) -> list[tuple[str, ...]]:
        """Return the things a phrase or group means, once for each free choice it leaves."""
        setting = setting or Setting()
        if isinstance(what, Phrase):
            return self._phrase(what, accepts, setting)
        parts = [self.choices(part, accepts, setting) for part in what.phrases]
        if what.join == "one of":
            return [*chain(*parts)]
        joined = (tuple(dict.fromkeys(chain(*way))) for way in product(*parts))
        return [*islice(joined, _MOST_CHOICES)]

    def things(
        self, what: Reference, accepts: Accepts = anything, setting: Setting | None = None
    ) -> tuple[str, ...]:
        """Return the things a phrase means, where it leaves no choice."""
        found = self.choices(what, accepts, setting)
        if len(found) != 1:
            raise self._ambiguous(what, [*dict.fromkeys(chain(*found))])
        return found[0]

    def one(
        self, what: Reference, accepts: Accepts = anything, setting: Setting | None = None
    ) -> str:
        """Return the one thing a phrase means."""
        found = self.things(what, accepts, setting)
        if len(found) != 1:
            raise self._ambiguous(what, found)
        return found[0]

    def may_be(self, what: Reference | None, accepts: Accepts) -> bool:
        """Return whether a phrase could mean something acceptable."""
        if isinstance(what, Group):
            return all(self.may_be(part, accepts) for part in what.phrases)
        if what is None:
            return False
        try:
            return any(map(accepts, self._called(what)))
        except Unclear:
            return False

    def is_someone(self, thing: str) -> bool:
        """Return whether a thing is a person or a robot."""
        return self.names.is_person(thing) or self.names.is_robot(thing)

    def _ambiguous(self, what: Reference, found: Sequence[str]) -> Unclear:
        names = ", ".join(self.names.things[key].name for key in sorted(found)[:4])
        return Unclear(f"which one is meant by '{in_words(what)}': {names}?", "ambiguous")

    def _unknown(self, what: Reference) -> Unclear:
        return Unclear(f"nothing known here is called '{in_words(what)}'", "unknown")

    # ---- one phrase ----------------------------------------------------------------------------

    def _phrase(self, phrase: Phrase, accepts: Accepts, setting: Setting) -> list[tuple[str, ...]]:
        if phrase.beside is not None:
            return [(self._place_beside(phrase.beside, setting),)]
        if phrase.everything:
            return [self._everything(phrase, accepts, setting)]
        if self._points_back(phrase):
            found = [self._spoken_of(phrase, accepts)]
        else:
            found = self._amount(phrase, self._fitting(phrase, accepts, setting), setting)
        for key in _heads(phrase):
            self._chosen[key] = tuple(dict.fromkeys(chain(*found)))
        return found

    @staticmethod
    def _points_back(phrase: Phrase) -> bool:
        described = phrase.color or phrase.attribute or phrase.owner or phrase.located
        named = phrase.noun or phrase.name or phrase.symbol or phrase.person
        other = described or named or phrase.level or phrase.speaker or phrase.same_noun
        return bool(phrase.again) or not (other or phrase.everybody)

    def _spoken_of(self, phrase: Phrase, accepts: Accepts) -> tuple[str, ...]:
        """Return what was said before: in this utterance, else in the one before it."""
        found: list[str] = []
        for span in phrase.again:
            key = (span.start, span.end)
            earlier = self._said.get(key) or next(
                (p for p in self._said.values() if in_words(p) == span.text), None
            )
            if key in self._chosen:
                found += self._chosen[key]
            elif earlier is not None and earlier is not phrase:
                found += self.things(earlier, accepts)
        latest = (themes_of(event) for event in reversed(self.told))
        if not found:
            found += next((t for t in latest if t and all(map(accepts, t))), ())
        found = [t for t in found if accepts(t)]
        if not found:
            raise Unclear(f"what does '{in_words(phrase) or 'it'}' mean here?", "ambiguous")
        return tuple(dict.fromkeys(self._without(phrase, found)))

    def _place_beside(self, neighbor: Phrase, setting: Setting) -> str:
        thing = self.one(neighbor, self.names.is_item, setting)
        where = self.names.location(thing, self.view)
        if where is None or self.is_someone(where.object):
            raise Unclear(f"where is '{in_words(neighbor)}'?")
        return where.object

    def _everything(self, phrase: Phrase, accepts: Accepts, setting: Setting) -> tuple[str, ...]:
        """Return all that is somewhere, whatever it is."""
        where = phrase.located or phrase.room
        if where is None:
            raise Unclear("everything that is where?")
        spot = self.one(where, lambda t: not self.names.is_item(t), setting)
        found = [t for t in self.items_at({spot}) if accepts(t)]
        if phrase.only is not None:
            known = self._like(dict.fromkeys(found, 0), phrase.only, strict=True)
            found = [*known]
        return tuple(self._without(phrase, found))

    def _without(self, phrase: Phrase, found: Sequence[str]) -> list[str]:
        """Leave out the exception of a phrase."""
        if phrase.but is None:
            return [*found]
        but = replace(phrase.but, noun=phrase.noun) if phrase.but.same_noun else phrase.but
        out = self.things(but, lambda t: t in found)
        return [t for t in found if t not in out]

    def items_at(self, spots: set[str]) -> list[str]:
        """Return the portable things at some places or in some rooms, in order."""
        return sorted(
            t for t in self.names.things if self.names.is_item(t) and self.is_at(t, spots)
        )

    # ---- candidates ----------------------------------------------------------------------------

    def _called(self, phrase: Phrase) -> Known:
        """Return what the noun or name of a phrase may mean."""
        if phrase.speaker:
            if self.speaker is None:
                raise Unclear("who is 'I'?")
            return {self.speaker: 0}
        if phrase.person is not None:
            who = self.calling.person(phrase.person.text)
            return {who: 0} if who is not None else self.calling.things(phrase.person.text)
        if phrase.symbol is not None and phrase.symbol.text in self.names.things:
            return {phrase.symbol.text: 0}
        noun = phrase.noun or phrase.name or phrase.symbol
        if phrase.same_noun and noun is None:
            noun = self._noun
        if noun is not None:
            self._noun = noun
            return self.calling.things(noun.text)
        if phrase.level is not None:
            return {t: 0 for levels in self.names.levels.values() for t in levels}
        return {t: 0 for t in self.names.things if self.names.is_item(t)}

    def _fitting(self, phrase: Phrase, accepts: Accepts, setting: Setting) -> Known:
        """Return the things that fit all of a description."""
        if phrase.level is not None:
            return self._levels(phrase, setting)
        called = self._called(phrase)
        if not called:
            raise self._unknown(phrase)
        known = {t: r for t, r in called.items() if accepts(t)}
        if not known:
            raise Unclear(f"'{in_words(phrase)}' does not fit there", "unclear")
        known = self._described(phrase, known)
        for relation in phrase.where:
            known = self._related(known, relation)
        if phrase.best is not None:
            known = self._best(known, phrase)
        if not known:
            raise self._unknown(phrase)
        return known

    def _described(self, phrase: Phrase, known: Known) -> Known:
        """Keep what has the color, the owner and the place of a phrase."""
        strict = phrase.det in ("all", "each", "any")
        for word in filter(None, (phrase.color, phrase.attribute)):
            known = self._like(known, word, strict=strict)
        if phrase.owner is not None:
            known = self._owned(known, phrase.owner)
        for where in filter(None, (phrase.room, phrase.located)):
            known = self._at(known, self._spots(where))
        return known

    def _levels(self, phrase: Phrase, setting: Setting) -> Known:
        """Return the level of a shelf that a number means; levels count from the bottom."""
        noun = phrase.noun
        any_shelf = noun is None or self.calling.calls_levels(noun.text)
        shelf = replace(phrase, level=None, noun=None if any_shelf else noun)
        known = dict.fromkeys(self.names.levels, 0) if any_shelf else self._called(shelf)
        known = {t: r for t, r in known.items() if self.names.is_whole(t)}
        known = self._described(phrase, known)
        text = phrase.level.text if phrase.level is not None else ""
        place = level(text)
        if not known or place is None:
            raise self._unknown(phrase)
        found: Known = {}
        for whole in self._narrowed(shelf, known, setting):
            levels = self.names.levels[whole]
            at = -place if phrase.from_above else place
            index = (len(levels) - 1) / 2 if at == 0 else at - 1 if at > 0 else len(levels) + at
            if index in range(len(levels)):
                found[levels[int(index)]] = 0
        if not found:
            raise Unclear(f"there is no level '{text}' on that shelf")
        return found

    def _like(self, known: Known, word: Span, *, strict: bool) -> Known:
        """Keep what has a color, another attribute, or is in a state."""
        quality = self.calling.quality(word.text)
        if quality is not None:
            return {t: r for t, r in known.items() if quality in self.names.names[t].attributes}
        states = self.calling.states(word.text)
        if not states:
            raise Unclear(f"what is '{word.text}' here?", "unknown")
        found = {t: r for t, r in known.items() if any(self.is_in(t, s) for s in states)}
        return found if found or strict else known

    def is_in(self, thing: str, state: State) -> bool:
        """Return whether a thing is believed to be in a state."""
        meanings = self.names.meanings
        for concept in state.concepts:
            relation = meanings.state_relation(concept, self.names.kind(thing))
            if relation is not None:
                positive = state.positive != meanings.relations[relation].inverted
                return Fact(thing, relation, TRUE if positive else FALSE) in self.view
        return False

    def _owned(self, known: Known, owner: Phrase) -> Known:
        if owner.everybody:
            return {t: r for t, r in known.items() if self._owner(t) is None} or known
        if not self.may_be(owner, self.is_someone):
            return self._at(known, self._spots(owner))
        who = self.one(owner, self.is_someone)
        return {t: r for t, r in known.items() if self._owner(t) == who}

    def _owner(self, thing: str) -> str | None:
        name = self.names.names[thing]
        if name.owner is None and name.room is not None and name.room != thing:
            return self.names.names[name.room].owner
        return name.owner

    def _related(self, known: Known, relation: Relation) -> Known:
        """Keep what stands in a relation that the memory knows of."""
        spots = set(chain(*(self._spots(to) for to in relation.to)))
        if relation.how == "not in":
            return {t: r for t, r in known.items() if t not in self._at(known, spots, soft=False)}
        if relation.how in _HERE:
            return self._at(known, spots)
        if relation.how in _NEARBY and relation.distance is None:
            return self._at(known, {r for s in spots if (r := self._room(s)) is not None})
        if relation.how == "belongs to":
            return {t: r for t, r in known.items() if self._owner(t) in spots}
        holds = relation.how == "holds"
        if not holds and relation.how != "holds no":
            raise Unclear(f"what is '{relation.how}' something is not remembered here")
        return {t: r for t, r in known.items() if bool(self._contents(t) & spots) == holds}

    def _contents(self, thing: str) -> set[str]:
        inside = {fact.object for fact in self.view.about(thing)}
        return inside | {*self.items_at({thing})}

    def _best(self, known: Known, phrase: Phrase) -> Known:
        best = phrase.best
        if best is None or best.how != "nearest" or best.to is None or best.rank is not None:
            raise Unclear(
                f"which one is '{in_words(phrase)}'? sizes and ages are not remembered here"
            )
        rooms = {self._room(t) for t in self.things(best.to)}
        return {t: r for t, r in known.items() if self._room(t) in rooms}

    # ---- places --------------------------------------------------------------------------------

    def _spots(self, where: Reference) -> set[str]:
        """Return the rooms, furniture, levels or people that the description of a place may mean."""
        if isinstance(where, Group):
            return set().union(*(self._spots(part) for part in where.phrases))
        if self._points_back(where):
            return {*self._spoken_of(where, anything)}
        fixed = self._fitting(where, lambda t: not self.names.is_item(t), Setting())
        best = min(fixed.values())
        return {t for t, rank in fixed.items() if rank == best}

    def _at(self, known: Known, spots: set[str], *, soft: bool = True) -> Known:
        """Keep the things at some spots; memory may be behind the speaker about what can be moved."""
        names = self.names
        movable = {t: r for t, r in known.items() if names.is_item(t)}
        fixed = {t: r for t, r in known.items() if t not in movable}
        rooms = {r for s in spots if (r := self._room(s)) is not None and r != s}
        kept = self._fixed_at(fixed, spots) or self._fixed_at(fixed, rooms)
        there = {t: r for t, r in movable.items() if self.is_at(t, spots)}
        return {**kept, **(there or (movable if soft and not kept else {}))}

    def _fixed_at(self, fixed: Known, spots: set[str]) -> Known:
        """Keep what belongs to one of some spots; of doors, those named after it rather than those in it."""
        names = self.names.names
        kept = {
            t: r
            for t, r in fixed.items()
            if spots & {t, names[t].room, names[t].whole} or spots & names[t].rooms
        }
        after = {t: r for t, r in kept.items() if names[t].rooms and names[t].room in spots}
        return {t: r for t, r in kept.items() if not names[t].rooms or t in after or not after}

    def _room(self, thing: str) -> str | None:
        return self.names.room_of(thing, self.view)

    def is_at(self, thing: str, spots: set[str]) -> bool:
        """Return whether a thing is believed to be at one of some places, rooms or people."""
        where = self.names.location(thing, self.view)
        if where is None:
            return False
        whole = self.names.names[where.object].whole
        return bool(spots & {where.object, whole, self._room(thing)})

    # ---- choosing ------------------------------------------------------------------------------

    def _amount(self, phrase: Phrase, known: Known, setting: Setting) -> list[tuple[str, ...]]:
        """Choose as many of the candidates as a phrase says."""
        count = number(phrase.count.text) if phrase.count is not None else None
        noun = phrase.noun
        plural = count is None and noun is not None and self.calling.is_plural(noun.text)
        if phrase.det in ("any", "any one", "any two"):
            count = count or {"any one": 1, "any two": 2}.get(phrase.det, 1)
            kept = self._of_kind(phrase, known, setting)
            return [*islice(combinations(kept, count), _MOST_CHOICES)] or [()]
        if phrase.det == "the" and not plural and (count is None or count == 1):
            return [(t,) for t in self._only(phrase, known, setting)]
        count = 2 if phrase.det in ("both", "the two") else count
        kept = self._of_kind(phrase, known, setting)
        if count is not None and count != len(kept):
            names = ", ".join(self.names.things[t].name for t in kept[:4])
            raise Unclear(f"which are meant by '{in_words(phrase)}': of {names}?", "ambiguous")
        return [tuple(kept)]

    def _of_kind(self, phrase: Phrase, known: Known, setting: Setting) -> list[str]:
        """Return all that a plural means: whatever is of the kind, parts of things only if nothing else."""
        kept = {t: r for t, r in known.items() if r < PART} or known
        there = {t: r for t, r in kept.items() if self.is_at(t, {*setting.spots})}
        return self._without(phrase, sorted(there or kept))

    def _only(self, phrase: Phrase, known: Known, setting: Setting) -> list[str]:
        found = self._narrowed(phrase, known, setting)
        if len(found) > 1:
            raise self._ambiguous(phrase, found)
        return found

    def _narrowed(self, phrase: Phrase, known: Known, setting: Setting) -> list[str]:
        """Choose between candidates: what is named most directly, where the clause is about, at hand."""
        best = min(known.values())
        best = SYNONYM if best in (LAST_WORD, SYNONYM) else best
        found = [t for t, rank in known.items() if rank <= best]
        tests: list[Accepts] = [lambda t: known[t] == min(known[f] for f in found)]
        if phrase.room is None and phrase.located is None:
            tests.insert(0, lambda t: t in self._in_room(found, setting))
        tests.append(lambda t: self.names.is_item(t) and self.is_at(t, {*setting.spots}))
        if phrase.color is not None or phrase.attribute is not None:
            tests.append(lambda t: self.names.names[t].owner is None and phrase.owner is None)
        for test in tests:
            if len(found) > 1:
                found = [t for t in found if test(t)] or found
        return found

    def _in_room(self, found: Sequence[str], setting: Setting) -> list[str]:
        """Return the furniture in the room named beside it, else where the actor is."""
        here = self._room(setting.actor) if setting.actor is not None else None
        names = self.names.names
        fixed = [t for t in found if not self.names.is_item(t)]
        for room in (*setting.rooms, here):
            inside = [t for t in fixed if room == self._room(t)]
            inside = inside or [t for t in fixed if room in names[t].rooms]
            if inside:
                return inside
        return []


# ---- phrases as values --------------------------------------------------------------------------


def phrases_of(value: Any) -> Iterator[Phrase]:
    """Yield the phrases in an utterance or a part of it, outer ones first."""
    if isinstance(value, Phrase):
        yield value
    if is_dataclass(value) and not isinstance(value, Span | type):
        for field in fields(value):
            yield from phrases_of(getattr(value, field.name))
    elif isinstance(value, tuple):
        for part in value:
            yield from phrases_of(part)


def _heads(phrase: Phrase) -> list[tuple[int, int]]:
    """Return where the words stand that a phrase may be taken up by."""
    spans = (phrase.noun, phrase.name, phrase.symbol, phrase.person)
    return [(span.start, span.end) for span in spans if span is not None]


def in_words(what: Any) -> str:
    """Return the words of a phrase in the order in which they were said."""
    return " ".join(span.text for span in sorted({*_spans(what)}, key=lambda s: s.start))


def _spans(value: Any) -> Iterator[Span]:
    if isinstance(value, Span):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _spans(part)
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from _spans(getattr(value, field.name))
