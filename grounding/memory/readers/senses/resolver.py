"""The things of the household that a phrase means, or the question which ones are meant."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import chain, combinations, islice, product

from commonground.grounding.english.parts import in_words, parts_of
from commonground.grounding.english.pronouns import SPOKEN_OF
from commonground.grounding.english.utterance import (
    Group,
    Phrase,
    Reference,
    Relation,
    Span,
    Utterance,
)
from commonground.grounding.memory.interpretation.ambiguity import which_of
from commonground.grounding.memory.interpretation.events import Event, agent_of, place_of, themes_of
from commonground.grounding.memory.interpretation.house import (
    Accepts,
    House,
    Known,
    Setting,
    Things,
)
from commonground.grounding.memory.interpretation.unclear import Unclear
from commonground.grounding.memory.ontology.linking import Calling, level, plural
from commonground.grounding.memory.ontology.names import PART
from commonground.grounding.words.numbers import count_of

_MOST_CHOICES = 200
_HERE = frozenset(["in", "on", "under", "above"])
_NEARBY = frozenset(["near", "in the same area as", "opposite", "behind", "in front of"])
_COUNTS = {"any one": 1, "any two": 2, "both": 2, "the two": 2}


def anything(_: str) -> bool:
    """Accept every thing."""
    return True


class Resolver:
    """Finds what the phrases of one utterance mean in a world; writes nothing."""

    def __init__(
        self,
        calling: Calling,
        house: House,
        utterance: Utterance,
        speaker: str | None = None,
        told: Sequence[Event] = (),
    ) -> None:
        self.calling = calling
        self.house = house
        self.names = house.names
        self.speaker = speaker
        self.told = [*told]
        """What was reported before, the last event at the end."""
        self._said = {key: p for p in parts_of(utterance, Phrase) for key in _heads(p)}
        self.used: set[Reference | None] = set()
        """The phrases that something was made of."""
        self._chosen: dict[Span, Things] = {}
        self._noun: Span | None = None

    # ---- what a role is filled with --------------------------------------------------------------

    def choices(
        self, what: Reference, accepts: Accepts = anything, setting: Setting | None = None
    ) -> list[Things]:
        """Return the things a phrase or group means, once for each free choice it leaves."""
        self.used.add(what)
        if isinstance(what, Phrase):
            return self._phrase(what, accepts, setting or Setting())
        parts = [self.choices(part, accepts, setting) for part in what.phrases]
        if what.join == "one of":
            return [*chain(*parts)]
        joined = (tuple(dict.fromkeys(chain(*way))) for way in product(*parts))
        return [*islice(joined, _MOST_CHOICES)]

    def things(
        self, what: Reference, accepts: Accepts = anything, setting: Setting | None = None
    ) -> Things:
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
        try:
            return what is not None and any(map(accepts, self._called(what)))
        except Unclear:
            return False

    def _ambiguous(self, what: Reference, found: Sequence[str]) -> Unclear:
        return which_of(in_words(what), sorted(found), self.names)

    # ---- one phrase ------------------------------------------------------------------------------

    def _phrase(self, phrase: Phrase, accepts: Accepts, setting: Setting) -> list[Things]:
        if phrase.beside is not None:
            return [(self._place_beside(phrase.beside, setting),)]
        if phrase.everything:
            found = [self._everything(phrase, accepts, setting)]
        elif phrase.again or replace(phrase, det="the", but=None) == Phrase():
            found = [self._spoken_of(phrase, accepts)]
        else:
            found = self._amount(phrase, self._fitting(phrase, accepts, setting), setting)
        for key in _heads(phrase):
            self._chosen[key] = tuple(dict.fromkeys(chain(*found)))
        return found

    def _spoken_of(self, phrase: Phrase, accepts: Accepts) -> Things:
        """Return what was said before: in this utterance, else in the one before it."""
        found = [t for span in phrase.again for t in self._taken_up(span) if accepts(t)]
        for event in reversed(self.told):
            people = filter(None, [agent_of(event)])
            found = found or [t for t in (*themes_of(event), *people) if accepts(t)]
        if not found:
            raise Unclear(f"what does '{in_words(phrase) or 'it'}' mean here?", "ambiguous")
        return tuple(dict.fromkeys(self._without(phrase, found)))

    def _taken_up(self, span: Span) -> Things:
        """Return what the phrase with a noun means, wherever it stands."""
        same = (head for head in self._said if head.text.lower() == span.text.lower())
        head = span if span in self._said else next(same, span)
        if head in self._said and head not in self._chosen:
            self._chosen[head] = ()  # what is described by itself means nothing
            self.choices(self._said[head])
        return self._chosen.get(head, ())

    def _place_beside(self, neighbor: Phrase, setting: Setting) -> str:
        thing = self.one(neighbor, self.names.is_item, setting)
        where = self.names.location(thing, self.house.view)
        if where is None or self.house.is_someone(where.object):
            raise Unclear(f"where is '{in_words(neighbor)}'?")
        return where.object

    def _everything(self, phrase: Phrase, accepts: Accepts, setting: Setting) -> Things:
        """Return all that is somewhere, whatever it is."""
        where = phrase.located or phrase.room
        if where is None:
            raise Unclear("everything that is where?")
        spot = self.one(where, self.house.is_fixed, setting)
        found = {t: 0 for t in self.house.items_at([spot]) if accepts(t)}
        if phrase.only is not None:
            found = self._like(found, phrase.only, strict=True)
        return tuple(self._without(phrase, [*found]))

    def _without(self, phrase: Phrase, found: Sequence[str]) -> Sequence[str]:
        """Leave out the exception of a phrase."""
        if phrase.but is None:
            return found
        but = replace(phrase.but, noun=phrase.noun) if phrase.but.same_noun else phrase.but
        out = self.things(but, lambda t: t in found)
        return [t for t in found if t not in out]

    # ---- candidates ------------------------------------------------------------------------------

    def _called(self, phrase: Phrase) -> Known:
        """Return what the noun or name of a phrase may mean."""
        if phrase.speaker or phrase.person is not None:
            return self._somebody(phrase.person)
        if phrase.symbol is not None and phrase.symbol.text in self.names.things:
            return {phrase.symbol.text: 0}
        noun = phrase.noun or phrase.name or phrase.symbol
        noun = self._noun if phrase.same_noun and noun is None else noun
        if noun is None:
            return {t: 0 for t in self.names.things if self.names.is_item(t)}
        self._noun = noun
        return {**self.calling.things(noun.text)}

    def _somebody(self, name: Span | None) -> Known:
        """Return the person or robot of a name; the speaker where there is none."""
        if name is None and self.speaker is None:
            raise Unclear("who is 'I'?")
        who = self.speaker if name is None else self.calling.person(name.text)
        if who is not None:
            return {who: 0}
        called = {} if name is None else self.calling.things(name.text)
        return {thing: rank for thing, rank in called.items() if self.names.is_robot(thing)}

    def _fitting(self, phrase: Phrase, accepts: Accepts, setting: Setting) -> Known:
        """Return the things that fit all of a description."""
        phrase = self._level_named(phrase)
        if phrase.level is not None:
            return self._levels(phrase, phrase.level.text, setting)
        called = self._called(phrase)
        known = {t: r for t, r in called.items() if accepts(t)}
        if called and not known:
            raise Unclear(
                f"'{in_words(phrase)}' does not fit there: that is told of nothing like it here"
            )
        return self._described(phrase, known, setting)

    def _described(self, phrase: Phrase, known: Known, setting: Setting) -> Known:
        """Keep what has the color, the owner, the place and the relations of a phrase."""
        strict = phrase.det in ("all", "each", "any")
        for word in filter(None, (phrase.color, phrase.attribute)):
            known = self._like(known, word, strict=strict)
        if phrase.owner is not None:
            known = self._owned(known, phrase.owner, setting)
        for where in filter(None, (phrase.room, phrase.located)):
            known = self.house.at(known, self._spots(where), soft=not strict)
        for relation in phrase.where:
            known = self._related(known, relation)
        if phrase.best is not None:
            raise Unclear(
                f"which one is '{in_words(phrase)}'? distances, sizes and ages are not remembered"
            )
        if not known:
            raise Unclear(f"nothing known here is called '{in_words(phrase)}'", "unknown")
        return known

    def _level_named(self, phrase: Phrase) -> Phrase:
        """Return a phrase whose noun is that of a level as one that says which: ``2nd row``."""
        noun = phrase.noun
        if noun is None or phrase.level is not None or self.calling.things(noun.text):
            return phrase
        *rank, kind = noun.text.split()
        if not rank or level(" ".join(rank)) is None or not self.calling.calls_levels(kind):
            return phrase
        at = noun.end - len(kind)
        named = Span(at, noun.end, kind)
        return replace(phrase, noun=named, level=Span(noun.start, at - 1, " ".join(rank)))

    def _levels(self, phrase: Phrase, text: str, setting: Setting) -> Known:
        """Return the level of a shelf that a number means; levels count from the bottom."""
        if phrase.noun is None or self.calling.calls_levels(phrase.noun.text):
            shelves = dict.fromkeys(self.names.levels, 0)
        else:
            shelves = {t: r for t, r in self._called(phrase).items() if self.names.is_whole(t)}
        shelves = self._described(phrase, shelves, setting)
        place = level(text)
        if place is None:
            raise Unclear(f"which level is '{text}'?")
        found: Known = {}
        for shelf in self._narrowed(phrase, shelves, setting):
            levels = self.names.levels[shelf]
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
        found = {t: r for t, r in known.items() if any(self.house.is_in(t, s) for s in states)}
        return found if found or strict else known

    def _owned(self, known: Known, owner: Phrase, setting: Setting) -> Known:
        if owner.everybody:
            return {t: r for t, r in known.items() if self.house.owner(t) is None} or known
        if owner == SPOKEN_OF:
            return self._theirs(known, setting)
        if self.may_be(owner, self.house.is_fixed) and not self.may_be(
            owner, self.house.is_someone
        ):
            return self.house.at(known, self._spots(owner))
        who = self.one(owner, self.house.is_someone)
        return {t: r for t, r in known.items() if self.house.owner(t) == who}

    def _theirs(self, known: Known, setting: Setting) -> Known:
        """Keep what belongs to whoever acts, else to the last person spoken of who has such a thing."""
        people = [
            setting.actor,
            *chain(*self._chosen.values()),
            *map(agent_of, reversed(self.told)),
        ]
        for who in filter(None, people):
            found = {t: r for t, r in known.items() if self.house.owner(t) == who}
            if found:
                return found
        raise Unclear("whose is meant?", "ambiguous")

    def _related(self, known: Known, relation: Relation) -> Known:
        """Keep what stands in a relation that the memory knows of."""
        spots, house = {*chain(*map(self._spots, relation.to))}, self.house
        if relation.how in _HERE:
            return house.at(known, spots)
        if relation.how in _NEARBY and relation.distance is None:
            return house.at(known, {r for s in spots if (r := house.room(s)) is not None})
        tests: dict[str, Accepts] = {
            "not in": lambda t: t not in house.at(known, spots, soft=False),
            "belongs to": lambda t: house.owner(t) in spots,
            "holds": lambda t: bool(house.inside(t) & spots),
            "holds no": lambda t: not house.inside(t) & spots,
        }
        if relation.how not in tests:
            raise Unclear(f"what is '{relation.how}' something is not remembered here")
        return {t: r for t, r in known.items() if tests[relation.how](t)}

    def _spots(self, where: Reference) -> set[str]:
        """Return the rooms, furniture, levels or people that the description of a place may mean."""
        if isinstance(where, Group):
            return {*chain(*map(self._spots, where.phrases))}
        if where.again:
            return {*self._spoken_of(where, anything)}
        known = self._fitting(where, anything, Setting())
        fixed = {t: r for t, r in known.items() if self.house.is_fixed(t)} or known
        return {t for t, rank in fixed.items() if rank == min(fixed.values())}

    # ---- choosing --------------------------------------------------------------------------------

    def _amount(self, phrase: Phrase, known: Known, setting: Setting) -> list[Things]:
        """Choose as many of the candidates as a phrase says."""
        count = count_of(phrase.count.text) if phrase.count is not None else None
        several = count is None and phrase.noun is not None and plural(phrase.noun.text)
        if phrase.det == "the" and not several and count in (None, 1):
            found = self._narrowed(phrase, known, setting)
            if len(found) > 1:
                raise self._ambiguous(phrase, found)
            return [tuple(found)]
        kept = self._of_kind(phrase, known, setting)
        count = _COUNTS.get(phrase.det, count)
        if phrase.det in ("any", "any one", "any two") and (count or 1) <= len(kept):
            return [*islice(combinations(kept, count or 1), _MOST_CHOICES)]
        if count is not None and count != len(kept):
            raise self._ambiguous(phrase, kept)
        return [tuple(kept)]

    def _of_kind(self, phrase: Phrase, known: Known, setting: Setting) -> Sequence[str]:
        """Return all that a plural means: whatever is of the kind, parts of things only if nothing else."""
        kept = [t for t, rank in known.items() if rank < PART] or [*known]
        there: Sequence[str] = [t for t in kept if self.house.is_at(t, setting.spots)]
        if not there and replace(phrase, noun=None, but=None) == Phrase():
            there = self._at_hand(phrase, kept, setting)
        return self._without(phrase, sorted(there or kept))

    def _at_hand(self, phrase: Phrase, kept: Sequence[str], setting: Setting) -> Sequence[str]:
        """Return what a bare plural means: what was spoken of or is in one room, never all there are."""
        spoken = {*chain(*self._chosen.values()), *self._spoken()}
        near = [*setting.rooms, *map(self.house.room, filter(None, [setting.actor]))]
        groups = [[t for t in kept if t in spoken]]
        groups += [[t for t in kept if self.house.room(t) == room] for room in near]
        several = (g for g in groups if len(g) > 1 or not all(map(self.names.is_item, g)))
        found = next(filter(None, several), kept)
        if len({self.house.room(t) for t in found if self.names.is_item(t)}) > 1:
            raise self._ambiguous(phrase, found)
        return found

    def _narrowed(self, phrase: Phrase, known: Known, setting: Setting) -> list[str]:
        """Choose between candidates: what is named most directly, where the clause is about, at hand."""
        spoken = () if _is_nameless(phrase) else self._spoken()
        here = [*setting.rooms, *map(self.house.room, filter(None, [setting.actor]))]
        leveled = phrase.level is not None or any(self.names.names[t].whole for t in known)
        here += self.house.rooms_of(() if leveled else spoken)
        placed = phrase.room is not None or phrase.located is not None
        mentioned = {*chain(*self._chosen.values())}
        known = known if replace(phrase, noun=None) != Phrase() else _part_of(mentioned, known)
        tests: list[Accepts] = [
            lambda t: t in mentioned,
            lambda t: self.names.is_item(t) and self.house.is_at(t, setting.spots),
            lambda t: self.names.is_item(t) and t in spoken,
            lambda t: bool(phrase.color or phrase.attribute) and self.house.owner(t) is None,
        ]
        return self.house.chosen(known, [] if placed else here, tests)

    def _spoken(self) -> Things:
        """Return the places and things of the report before, the last one first."""
        told = ((place_of(event), *themes_of(event)) for event in reversed(self.told))
        return tuple(filter(None, chain(*told)))


def _is_nameless(phrase: Phrase) -> bool:
    """Return whether a phrase names no kind of thing: ``the red one`` may be any that is red."""
    return phrase.color is not None and (phrase.noun is None or phrase.noun.text == "one")


def _part_of(mentioned: Collection[str], known: Known) -> Known:
    """Return what has a part called so, if just that was spoken of: ``opened the oven, closed the door``."""
    parts = {t: r for t, r in known.items() if t in mentioned}
    return parts if parts and min(parts.values()) == PART else known


def _heads(phrase: Phrase) -> list[Span]:
    """Return the words that a phrase may be taken up by."""
    spans = (phrase.noun, phrase.name, phrase.symbol, phrase.person)
    return [span for span in spans if span is not None]
