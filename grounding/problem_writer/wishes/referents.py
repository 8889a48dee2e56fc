"""Phrases and the things of a house that they mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace

from commonground.grounding.english.parts import in_words
from commonground.grounding.english.utterance import Group, Phrase, Reference, Relation
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.problem_writer.wishes.nouns import Noun
from commonground.grounding.problem_writer.wishes.pool import Pool, amount_of
from commonground.grounding.problem_writer.wishes.things import Things, some_of
from commonground.grounding.resolver.choice import Unclear

_NOWHERE: Mapping[str, str] = {
    "person": "I do not know where '{}' is. Where should it go?",
    "speaker": "I do not know where you are. Where should it go?",
    "everybody": "I do not know where everybody is. Where should it go?",
    "name": "I know no '{}' in this house. Where should it go?",
    "beside": "I know what is in or on something, not what is beside it: '{}'. Where exactly?",
}
"""What a house has no things for, and what is asked about it."""
_TELLING = ("color", "owner", "best")
"""What may tell things apart and no house knows."""


class Senseless(Unclear):
    """A clause makes no sense in a house as it stands; perhaps it names a routine."""


class Referents:
    """Finds what phrases mean, and remembers it for pronouns."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self._known: dict[str, tuple[Things, ...]] = {}
        """What a noun was said of last."""
        self._noun: str | None = None
        """The noun that was said last."""
        self.cut: list[Things] = []
        """What was cut, the latest last."""

    # ---- groups and pronouns ----------------------------------------------------------------------

    def of(
        self, reference: Reference | None, source: Reference | None = None
    ) -> tuple[Things, ...]:
        """Return what a reference means; ``source`` says where its things are now."""
        if reference is None:
            return ()
        if isinstance(reference, Phrase):
            return self._phrase(reference, source)
        found = tuple(t for phrase in reference.phrases for t in self._phrase(phrase, source))
        if reference.join == "one of":
            found = (_either(reference, found),)
            nouns = (phrase.noun.text.lower() for phrase in reference.phrases if phrase.noun)
            self._known |= dict.fromkeys(nouns, found)
        return found

    def _phrase(self, phrase: Phrase, source: Reference | None = None) -> tuple[Things, ...]:
        for name, question in _NOWHERE.items():
            if getattr(phrase, name):
                raise Unclear(question.format(in_words(phrase)))
        if phrase.again:
            return self._again(phrase)
        if phrase.everything:
            return (self._everything(phrase),)
        found = (self._things(phrase, source),)
        if phrase.noun is not None:
            self._known[phrase.noun.text.lower()] = found
        return found

    def _again(self, phrase: Phrase) -> tuple[Things, ...]:
        """Return what was spoken of before: ``it``, ``both of them``, ``one of them``."""
        found: dict[int, Things] = {}
        for span in phrase.again:
            known = self._known.get(span.text.lower()) or self._phrase(Phrase(noun=span))
            found |= {id(things): things for things in known}
        extra = [name for name in _fields_in_use(phrase) if name not in ("again", "det", "count")]
        if extra:
            raise Unclear(f"Which of them is meant by '{in_words(getattr(phrase, extra[0]))}'?")
        if phrase.det not in ("any one", "any", "any two"):
            return tuple(found.values())
        words = [word for things in found.values() for word in things.words]
        return (Things(some_of(amount_of(phrase) or 1, words, in_words(phrase)), in_words(phrase)),)

    # ---- one phrase -------------------------------------------------------------------------------

    def _things(self, phrase: Phrase, source: Reference | None) -> Things:
        said = in_words(phrase)
        word = phrase.symbol or phrase.noun
        text = word.text if word is not None else self._noun if phrase.same_noun else None
        named = tuple(self.home.named(text or ""))
        if named:
            return Things((named,), said)
        noun = self.home.nouns.find(text) if text and phrase.symbol is None else None
        if noun is None:
            raise Senseless(f"I do not know '{said or 'that'}' in this house. What is meant?")
        self._noun = text
        if not noun.types:
            return self._slices(said)
        return self._pool(phrase, noun, source).chosen(phrase)

    def _slices(self, said: str) -> Things:
        """Return the pieces of what was cut last."""
        if not self.cut:
            raise Unclear(f"Slices of what: '{said}'?")
        return replace(self.cut[-1], pieces=True, said=said)

    def _pool(self, phrase: Phrase, noun: Noun, source: Reference | None = None) -> Pool:
        """Return the things that bear a noun, narrowed down by all that was said of them."""
        pool = Pool.of(self.home, noun, in_words(phrase))
        for place in (phrase.located, source):
            if place is not None:
                pool.within(self.holders(place), in_words(place))
        for relation in phrase.where:
            _RELATED.get(relation.how, Referents._unknown)(self, pool, relation)
        if phrase.room is not None:
            pool.in_room(self._rooms(phrase.room), in_words(phrase.room))
        for words in (phrase.attribute, phrase.only):
            if words is not None:
                pool.like(words.text)
        told = [name for name in _TELLING if getattr(phrase, name) is not None]
        pool.unknown += [in_words(getattr(phrase, name)) or "whose it is" for name in told]
        pool.with_number(phrase)
        pool.on_level(phrase)
        self._except(pool, phrase.but)
        return pool

    def _except(self, pool: Pool, but: Phrase | None) -> None:
        if but is None:
            return
        if but.noun is not None:
            every = self._phrase(replace(but, det="all" if but.count is None else but.det))
            pool.leave_out([n for t in every for n in self.home.things(t.words)], in_words(but))
            return
        inner = self._pool(replace(but, same_noun=False), pool.noun)
        if inner.unknown or len(inner.left) == len(inner.every):
            raise Unclear(f"Which of {pool.names} is '{in_words(but)}'?", pool.left)
        pool.leave_out(inner.left, in_words(but))

    def _everything(self, phrase: Phrase) -> Things:
        """Return what is in or on a place now."""
        said, place = in_words(phrase), phrase.located
        if place is None:
            raise Unclear(f"Everything that is where: '{said}'?")
        Pool(self.home, Noun(), said, [], []).on_level(place)
        holders = [h for h in self.holders(place) if self.home.contents([h])]
        if len(holders) > 1 and place.det == "the":
            raise Unclear(f"Which one is '{in_words(place)}': {', '.join(holders)}?", holders)
        every = self.home.contents(holders)
        if not every:
            raise Unclear(f"I know of nothing there: '{said}'.")
        pool = Pool(self.home, Noun(), said, every, list(every))
        if phrase.only is not None:
            pool.like(phrase.only.text)
        self._except(pool, phrase.but)
        return replace(pool.chosen(phrase), options=(tuple(pool.left),))

    # ---- where ------------------------------------------------------------------------------------

    def holders(self, place: Reference) -> list[str]:
        """Return the things of a phrase that only says where something is."""
        if isinstance(place, Group):
            return [name for phrase in place.phrases for name in self.holders(phrase)]
        if place.again:
            return [n for things in self._again(place) for n in self.home.things(things.words)]
        text = place.noun.text if place.noun is not None else ""
        return self.home.named(text) or self._holders(place, text)

    def _holders(self, place: Phrase, text: str) -> list[str]:
        noun = self.home.nouns.find(text) if text else None
        if noun is None or not noun.types:
            raise Unclear(f"I do not know '{in_words(place)}' in this house. Where is that?")
        left = self._pool(replace(place, level=None, from_above=False), noun).left
        options = (tuple(left),) if left else tuple((kind,) for kind in noun.types)
        self._known[text.lower()] = (Things(options, text),)
        return left

    def _rooms(self, room: Phrase) -> list[str]:
        """Return the rooms that a phrase means, in a house that has any; nothing else is a room."""
        noun = self.home.nouns.named(room.noun.text) if room.noun is not None else None
        names = self.home.things(noun.types) if noun is not None else []
        if names and not any(map(self.home.is_room, names)):
            raise Unclear(f"'{in_words(room)}' is no room here. What is meant?")
        plain = set(_fields_in_use(room)) <= {"noun", "det"}
        return names if plain else []

    def _inside(self, pool: Pool, relation: Relation) -> None:
        for place in relation.to:
            pool.within(self.holders(place), in_words(place))

    def _outside(self, pool: Pool, relation: Relation) -> None:
        places = [name for place in relation.to for name in self.holders(place)]
        pool.without(self.home.inside(pool.left, places))

    def _holding(self, pool: Pool, relation: Relation) -> None:
        pool.with_inside([things for inner in relation.to for things in self.of(inner)])

    def _not_holding(self, pool: Pool, relation: Relation) -> None:
        pool.without(pool.having([things for inner in relation.to for things in self.of(inner)]))

    def _unknown(self, pool: Pool, relation: Relation) -> None:
        pool.unknown.append(f"{relation.how} {in_words(relation)}".strip())


_RELATED: Mapping[str, Callable[[Referents, Pool, Relation], None]] = {
    "in": Referents._inside,
    "on": Referents._inside,
    "not in": Referents._outside,
    "holds": Referents._holding,
    "holds no": Referents._not_holding,
}
"""What a house knows of where things are."""


def _either(group: Group, found: Sequence[Things]) -> Things:
    """Return one of several things, whichever."""
    options = tuple(dict.fromkeys(option for things in found for option in things.options))
    if len({(t.pieces, t.wanted, t.each) for t in found}) > 1 or any(t.holding for t in found):
        raise Unclear(f"Which of these: {in_words(group)}?")
    return replace(found[0], options=options, said=in_words(group))


def _fields_in_use(phrase: Phrase) -> list[str]:
    """Return the fields of a phrase that say something."""
    plain = Phrase()
    names = (each.name for each in fields(phrase))
    return [name for name in names if getattr(phrase, name) != getattr(plain, name)]
