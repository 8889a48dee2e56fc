"""Other ways to say what a segment tells, in the words of the domain: ``gave it a wash`` for washed it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import takewhile

from commonground.grounding.memory.ontology.words import (
    COPULAS,
    FILLING,
    FROM,
    NEGATIONS,
    OF_IT,
    PARTICLES,
    Word,
    classes_of,
    is_participle,
    is_verb,
    lemmas,
    near,
    says_nothing,
    states_of,
)
from commonground.grounding.memory.readers.domain.described.named import EXACT, NAME
from commonground.grounding.memory.readers.domain.described.nouns_above import is_noun
from commonground.grounding.memory.readers.domain.described.phrase import (
    Part,
    Phrase,
    text_at,
    text_of,
)
from commonground.grounding.memory.readers.domain.described.said import BESIDE, OBTAINING
from commonground.grounding.memory.readers.domain.described.segment import PART_OF
from commonground.grounding.memory.readers.domain.described.state_words import TURNING
from commonground.grounding.memory.readers.domain.described.text import Text, is_plain
from commonground.grounding.words.verbs import verb_forms

_LIGHT = frozenset(["give", "get", "do", "put", "stick", "slap", "send"])
"""Verbs that say no more than that the work happens which the noun after them names."""
_LOSING = frozenset(["lose", "lack", "miss"])
_LIKE = 0.7
_ENDED = frozenset(["off", "out", "gone", "down", "empty", "away"])
_FRESH = frozenset(["fresh", "new", "all", "any", "some", "full"])
"""Words that tell no other state of what is where it belongs."""
_SWITCHING = frozenset(["put", "switch", "spread", "take", "hang", "fill"])
_ONE_OF_A_KIND = (("a",), ("an",), ("any",), ("some",))
_ARTICLES = frozenset(
    ["any", "a", "an", "another", "its", "his", "her", "their", "some", "the", "no"]
)


class Rewording(Text):
    """Says segments in other words."""

    def _reworded(self, parts: Sequence[Part]) -> Iterator[list[Part]]:
        """Yield a segment in words that say the same more plainly."""
        yield from self._without_light(parts)
        yield from self._of_part(parts)
        yield from self._at_that(parts)
        yield from self._taken_along(parts)
        yield from self._valued(parts)

    # ---- ``you can call him recovering`` -----------------------------------------------------

    def _valued(self, parts: Sequence[Part]) -> Iterator[list[Part]]:
        """Yield that something has a value that it is said to have in other words: ``listed as ready``."""
        at = next((n for n, p in enumerate(parts) if self._is_value(p)), 0)
        named = [p for p in parts[:at] if isinstance(p, Phrase) and self._may_have(p, parts[at])]
        if named and self._ends(parts[at + 1 :]) and _says_what_it_is(parts, at):
            yield [named[-1], Word("is"), parts[at]]

    def _is_value(self, phrase: Part) -> bool:
        """Return whether a phrase names one of the values that things of a type have in turn."""
        return (
            isinstance(phrase, Phrase)
            and bool(phrase.things)
            and {*phrase.things} <= self.reader.denoting.values
        )

    def _may_have(self, phrase: Phrase, value: Part) -> bool:
        """Return whether what a phrase means may have a value."""
        kinds, roles = self.meant.kinds, self.meant.roles
        values = [*value.things] if isinstance(value, Phrase) else []
        seats = [
            s
            for s in roles.changed
            if all(roles.fits(kinds[v], s.relation, s.other) for v in values)
        ]

        def may(thing: str) -> bool:
            return any(roles.fits(kinds[thing], s.relation, s.at) for s in seats)

        return bool(self.referents.candidates(phrase, may))

    # ---- ``gave it a wash``, ``it has got its label`` ------------------------------------------------

    def _without_light(self, said: Sequence[Part]) -> Iterator[list[Part]]:
        parts = [*_with_articles(said)]
        for at, part in enumerate(parts):
            if isinstance(part, Word):
                told = self._worked_on(parts, at) or self._having_work(parts, at)
                told = told or self._gone_through(parts, at)
                if told is not None:
                    yield told

    def _worked_on(self, parts: Sequence[Part], at: int) -> list[Part] | None:
        """Return what is done to a thing that gets the work of a noun: ``gave it a wash``."""
        verb, thing = text_at(parts, at), parts[at + 1] if at + 1 < len(parts) else None
        noun, end = self._work(parts, at + 2)
        if not (noun and isinstance(thing, Phrase) and lemmas(verb) & _LIGHT):
            return None
        return [*parts[:at], _form(verb, noun), thing, *parts[end:]]

    def _having_work(self, parts: Sequence[Part], at: int) -> list[Part] | None:
        """Return how things are that have what a noun names, or lost it: ``has got its label``."""
        verb, (noun, end) = text_at(parts, at), self._work(parts, at + 1)
        losing = lemmas(verb) & _LOSING
        if not (noun and (losing or verb in OBTAINING or verb == "given")):
            return None
        about = [*takewhile(lambda p: isinstance(p, Phrase) or p.text == "and", parts)]
        if not about or any(isinstance(p, Phrase) for p in parts[len(about) : at]):
            return None
        lost = bool(losing) or not NEGATIONS.isdisjoint(map(text_of, parts[:end]))
        state = Word(noun) if noun in self.reader.sayings.state_words else _form("has", noun)
        return [*about, Word("is"), *([Word("not")] if lost else []), state, *parts[end:]]

    def _gone_through(self, parts: Sequence[Part], at: int) -> list[Part] | None:
        """Return how a thing is that went, or was put, through work: ``has been through the wash``."""
        before, after = parts[:at], parts[at + 1 :]
        named = [p for p in before if isinstance(p, Phrase)]
        if text_at(parts, at) != "through" or not named:
            return None
        whole = isinstance(after[0], Phrase) if after else False
        source = (*_words_of(after[:1] if whole else after[:2]), "", "")
        work = next(filter(self._is_work, (source[1], *_doing(source[1]))), "")
        if not work or source[0] not in _ARTICLES:
            return None
        done = _form("has", min(lemmas(work), key=len))
        return [named[-1], Word("is"), done, *after[1 if whole else 2 :]]

    def _work(self, parts: Sequence[Part], at: int) -> tuple[str, int]:
        """Return the noun for work, or for what it leaves, that begins at a place, and where it ends."""
        at += text_at(parts, at) == "all"
        first = parts[at] if at < len(parts) else None
        owned = isinstance(first, Phrase) and first.pronoun in OF_IT
        if not (owned or text_of(first) in _ARTICLES):
            return "", at
        for end in range(at + 1, at + 4):
            if not text_at(parts, end).isalpha():
                break
            noun = self._work_named(text_at(parts, end))
            if noun:
                return noun, end + 1
        return "", at

    def _work_named(self, noun: str) -> str:
        """Return a noun for work or a state as it is, or the word of the one state that it names."""
        if self._is_work(noun):
            return min(lemmas(noun), key=len)
        sayings = self.reader.sayings
        like = [s.word for r, s in sayings.all.items() if noun in sayings.given_by(r)]
        like = like or [w for w in sayings.state_words if near(noun, w) > _LIKE]
        return min(lemmas(like[0]), key=len) if len(like) == 1 else ""

    def _is_work(self, word: str) -> bool:
        """Return whether a noun is also the verb of what may be done, or names a state of this domain."""
        sayings = self.reader.sayings
        own = {w for s in sayings.all.values() for w in s.nouns} | {
            s.word for s in sayings.all.values()
        }
        known = any(lemmas(word) & lemmas(w) for w in own if w)
        return (
            bool(word)
            and (known or sayings.is_deed(word) or (is_verb(word) and is_plain(word)))
            and not says_nothing(word)
        )

    # ---- ``the lights are on in the hall`` ----------------------------------------------------------

    def _of_part(self, parts: Sequence[Part]) -> Iterator[list[Part]]:
        """Yield a segment about what has a state by the noun that names it: a hall is lit, not its lights."""
        for at in range(2, len(parts)):
            part = self._placed_in(parts, at)
            if part is not None:
                end = at + 1
                while isinstance(parts[end + 1] if end + 1 < len(parts) else None, Phrase):
                    end += 2 if text_at(parts, end) == "and" else len(parts)
                before = [*parts[: at - (text_at(parts, at - 1) not in FROM)], *parts[end:]]
                told = self._named_there(before, part)
                if told is not None:
                    yield [part, *parts[at + 1 : end], Word("is"), *told]
                    return

    @staticmethod
    def _placed_in(parts: Sequence[Part], at: int) -> Phrase | None:
        """Return what the part at a place names that something is on, in or off; None for nothing."""
        part, lead = parts[at], text_at(parts, at - 1)
        if text_of(part) == "there" and lead == "in":
            return Phrase(("there",), pronoun="there")
        return part if isinstance(part, Phrase) and lead in FROM | PART_OF | {"at"} else None

    def _named_there(self, before: Sequence[Part], there: Phrase) -> list[Word] | None:
        """Return what is told of a place by the noun of a state; None where more is told."""
        acts = text_at(before, 1) not in COPULAS and self._is_by_somebody(before[0])
        texts = self._texts(before[acts:])
        nouns = {t: word for t in texts if t.isalpha() and (word := self._called(t, there))}
        rest = [t for t in texts if t not in nouns and not self._says_that_it_is(t)]
        rest = [t for t in rest if not self._is_taken_off(t, texts)]
        if len({*nouns.values()}) != 1:
            return None
        after = texts[texts.index([*nouns][-1]) + 1 :][:1]  # "the heat mat is on"
        if rest and not (rest == after and is_noun(rest[0])):
            return None
        self.stuff = next(iter(nouns))
        return _is_so(nouns, texts, self.reader.sayings.nouns)

    def _texts(self, parts: Sequence[Part]) -> list[str]:
        """Return the words of parts, with what was there for a pronoun: ``and put it on the other one``."""
        return [self.stuff if self.stuff and t in ("it", "them") else t for t in _words_of(parts)]

    def _is_by_somebody(self, first: Part) -> bool:
        """Return whether a segment begins with who did what it tells."""
        return isinstance(first, Phrase) and all(map(self.telling.is_somebody, first.things))

    def _says_that_it_is(self, word: str) -> bool:
        """Return whether a word beside the noun of a state says no more than that it is so, or is not."""
        little = self.reader.wording.says_little(word) or word in _ENDED | _FRESH
        return little or bool(lemmas(word) & (TURNING | _SWITCHING)) or word in NEGATIONS

    @staticmethod
    def _is_taken_off(word: str, texts: Sequence[str]) -> bool:
        """Return whether a word is a verb by which something comes off, or on: ``pulled the cover off``."""
        moves = bool(classes_of(word, frozenset()) & {"take", "place"})
        return moves and not {"on", "off", "away", "out"}.isdisjoint(texts)

    def _called(self, noun: str, there: Phrase) -> str:
        """Return the word of the state of a place that a noun names; '' for none, or for its end."""
        if noun in FILLING | PARTICLES | COPULAS or is_participle(noun):
            return ""
        roles, wording = self.meant.roles, self.reader.wording
        things = there.things or self.referents.candidates(there)
        for relation, signature in roles.signatures.items():
            word = self.reader.sayings.all[relation].word
            fits = any(roles.fits(self.meant.kinds[t], relation, 0) for t in things)
            shut = states_of(word) & (states_of("closed") | states_of("off"))
            if not (signature.is_property and fits) or shut or word in ("off", "up", "down"):
                continue
            given = self.reader.sayings.given_by(relation)
            if wording.is_word_of(noun, relation) or noun in given or near(noun, word) > _LIKE:
                return word
        return ""

    # ---- ``put it next to the mill`` ----------------------------------------------------------------

    def _at_that(self, parts: Sequence[Part]) -> Iterator[list[Part]]:
        """Yield a segment with where something is in place of what others are put beside."""
        for at, part in enumerate(parts):
            lead = text_at(parts, at - 1)
            if not isinstance(part, Phrase) or at < 1:
                continue
            begins = at - 2 if text_at(parts, at - 2) == "next" and lead == "to" else at - 1
            if begins < at - 1 or lead in BESIDE:
                there = self._place_of(part)
                if there is not None:
                    yield [*parts[:begins], Word("in"), there, *parts[at + 1 :]]

    def _taken_along(self, parts: Sequence[Part]) -> Iterator[list[Part]]:
        """Yield a segment with where somebody went just before for ``along``: ``and took the cart along``."""
        going = {s.relation for s in self.meant.roles.whereabouts}
        went = [
            f for f in self.changes.asserted if f.relation in going and f.subject in self.agents
        ]
        if not self.task and text_of(parts[-1]) == "along" and len({f.object for f in went}) == 1:
            there = Phrase(("there",), {went[0].object: NAME}, source=("there",))
            yield [*parts[:-1], Word("to"), there]

    def _place_of(self, phrase: Phrase) -> Phrase | None:
        """Return where the one thing is that a phrase means, None where that is open."""
        found = self.referents.candidates(phrase)
        places = self.changes.places_of(found[0]) if len(found) == 1 else []
        if len(places) != 1:
            return None
        return Phrase(phrase.words, {places[0]: NAME}, source=phrase.source)


def _words_of(parts: Sequence[Part]) -> Iterator[str]:
    """Yield all words of parts."""
    for part in parts:
        yield from part.source if isinstance(part, Phrase) else (part.text,)


def _doing(noun: str) -> list[str]:
    """Return the verbs of what a noun may say that does it: ``scan`` of a scanner."""
    return (
        [noun[:-2], noun[:-3], noun[:-1]] if noun.endswith(("er", "or")) and len(noun) > 5 else []
    )


def _is_so(nouns: Mapping[str, str], texts: Sequence[str], own: Set[str]) -> list[Word]:
    """Return the word of a state that a noun names, with the noun, and whether words tell that it is so."""
    noun, word = next(iter(nouns.items()))
    ends = not _ENDED.isdisjoint(texts)
    denied = (sum(t in ("no", "not") for t in texts) % 2 == 1) != ends
    told = [noun, word] if own & lemmas(noun) else [word]
    return [*([Word("not")] if denied else []), *map(Word, told)]


def _is_alone(parts: Sequence[Part], at: int) -> bool:
    """Return whether all other parts are words that tell no more: ``recovering now``."""
    rest = [*parts[:at], *parts[at + 1 :]]
    return all(isinstance(p, Word) and says_nothing(p.text) for p in rest)


def _says_what_it_is(parts: Sequence[Part], value: int) -> bool:
    """Return whether words before a value tell that something has it: not that it is put there."""
    between = {*map(text_of, parts)} - {""}
    moves = any(classes_of(w, frozenset()) & {"place", "go", "transport"} for w in between)
    return (text_at(parts, value - 1) == "as" or not moves) and NEGATIONS.isdisjoint(between)


def _with_articles(parts: Sequence[Part]) -> Iterator[Part]:
    """Yield parts with the words of what is only one of a kind, or somebody's: ``a flat``, ``their feed``."""
    for part in parts:
        if isinstance(part, Phrase) and (part.source[:1] in _ONE_OF_A_KIND or _is_his(part)):
            yield from map(Word, part.source)
        else:
            yield part


def _is_his(phrase: Phrase) -> bool:
    """Return whether a phrase may name no thing but what those have who are spoken of."""
    like = all(rank > EXACT for rank in phrase.things.values())
    return like and not OF_IT.isdisjoint(phrase.source[:1]) and len(phrase.source) > 1


def _form(verb: str, noun: str) -> Word:
    """Return a verb in the form that another one has: ``washed`` for ``gave ... a wash``."""
    plain = verb in lemmas(verb) and min(lemmas(verb), key=len) == verb
    forms = verb_forms(noun)
    done = sorted(w for w, kinds in forms.items() if "participle" in kinds)
    return Word(noun if plain else done[0])
