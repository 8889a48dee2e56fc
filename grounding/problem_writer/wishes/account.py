"""What every word of a command came to: a wish is held against what the words ask for, whoever read it.

Verbs and adjectives ask for states, ``X in Y`` for places. A wish that lacks one of these, or holds a state
that no word asks for, is less likely what was meant than one that accounts for all that was said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from commonground.grounding.english.faithful import NEGATIONS
from commonground.grounding.english.remarks import MARKS, remarks
from commonground.grounding.english.tokens import tokens_of
from commonground.grounding.english.utterance import Span
from commonground.grounding.problem_writer.commands.mentions import STATE_OF
from commonground.grounding.problem_writer.commands.vocabulary import command_words
from commonground.grounding.problem_writer.goals import EMPTY, Wish, words_of
from commonground.grounding.problem_writer.wishes.home import LIGHTS, Home
from commonground.grounding.problem_writer.wishes.likeness import states_said
from commonground.grounding.words.nouns import words_of as listed
from commonground.grounding.words.numbers import count_of
from commonground.grounding.words.verbs import verb_forms
from commonground.planning.pddl.strata import literals

OPPOSITE = {"ON": "OFF", "OFF": "ON", "OPENED": "CLOSED", "CLOSED": "OPENED"}
_WARM = frozenset(["HOT", "COOKED", "TOASTED"])
_SAME = {"CLEAN": frozenset(["CLEAN", EMPTY]), "HOT": _WARM, "COOKED": _WARM - {"HOT"}, "SLICED": frozenset(["SLICED", "TOASTED"])}
"""States that do as well."""
_DONE = _WARM | {"CLEAN", "SLICED", "COLD"}
"""States of what is in a place rather than of the place."""
_BY = {frame: state for frame, state in STATE_OF.items() if frame not in ("water", "push")} | {
    "microwave": "HOT", "brew": "FILLED", "water_on": "ON", "water_off": "OFF"}
_LOOSE = frozenset(listed("turn put set run start stop power clear keep dim cool draw check"))
"""Verbs of many meanings, by themselves."""
_TURNING = frozenset(listed("turn turned turning switch switched switching power flip flick click"))
_IN = frozenset(listed("in into inside on onto upon"))
_STAYING = frozenset(listed("stay stays remain remains"))
_BESIDE = frozenset(listed("under beneath underneath behind beside next near by above below"))
_EXCEPT = frozenset(listed("except excluding besides"))
_OUT = frozenset(listed("off from out"))
_DETERMINERS = frozenset(listed("the a an my your our his her their its that this these those some"))
_OBJECTS = _DETERMINERS | {"it", "them"}
_BEING = frozenset(listed("be get gets got make keep leave want have are is should needs until till them it"))
_TELLING = frozenset(listed("too so very quite really 's"))
_SPARING = NEGATIONS | frozenset(
    listed("leave keep stay stays remain remains alone avoid untouched undisturbed whole intact only but")
)
"""Without any of these nothing is forbidden."""
_DRINKS = frozenset(["coffee", "espresso"])
_NEAR = 4
"""So many words behind a negation it is about."""


class Named(NamedTuple):
    """A thing of the house in a command: its first word, the one behind its last, and its types."""

    start: int
    end: int
    types: frozenset[str]


class Asked(NamedTuple):
    """A word that asks for a state, and the types of what it seems to be said of."""

    word: str
    state: str
    of: frozenset[str]


@dataclass(frozen=True, slots=True)
class Account:
    """What is amiss with a wish, in words of its command and as parts of its goal."""

    lost: tuple[str, ...] = ()
    """Words that ask for what the wish does not hold, or holds the opposite of."""
    invented: tuple[str, ...] = ()
    """Parts of the goal that no word asks for."""


class Accounts:
    """Holds wishes against one command."""

    def __init__(self, text: str, home: Home) -> None:
        self.home = home
        self.plain: Accounts | None = None
        """Those of the same command said in pieces, without pronouns."""
        self.tokens = tokens_of(text)
        self.words = [token.text.casefold() for token in self.tokens]
        told = remarks(text)
        self.told = [
            (told(token) and not self._is_to_you(at)) or self._is_how_it_is(at)
            for at, token in enumerate(self.tokens)
        ]
        self.named = [*self._named()]
        self._of_noun = {at for one in self.named for at in range(one.start, one.end)}
        self.asked = [*self._asked()]
        self.denied = {
            n for at, word in enumerate(self.words)
            if word in NEGATIONS and self.words[at + 1 : at + 2] != ["forget"]
            for n in range(at, at + _NEAR + 1)
        }  # fmt: skip

    def of(self, wish: Wish) -> Account:
        """Return what is amiss with a wish."""
        found = [one for goal in (wish.goal, *wish.before) for one in literals(goal)]
        held = {(self.home.type_of(a.args[0]), a.args[1]) for a, so in found if so and a.predicate == "state"}
        places = {(self.home.type_of(a.args[0]), self.home.type_of(a.args[1])) for a, so in found if so and a.predicate == "contains"}
        lost = [
            ask.word for at, ask in self.asked
            if at not in self.denied and not self._is_met(ask, held, places)
        ]
        lost += [*(self.plain or self)._misplaced(held, places), *self._others(wish)]
        invented = [*self._wrong_places(places)]
        if wish.spared and _SPARING.isdisjoint(self.words):
            invented.append("never")
        invented += [] if wish.vague else self._invented(held)
        return Account(tuple(dict.fromkeys(lost)), tuple(invented))

    # ---- states -----------------------------------------------------------------------------------

    def _is_met(self, ask: Asked, held: set[tuple[str, str]], places: set[tuple[str, str]]) -> bool:
        wanted = _SAME.get(ask.state, {ask.state})
        having = {thing for thing, state in held if state in wanted}
        if ask.state == "COOKED":  # what nobody can cook gets hot
            having |= {thing for thing, state in held if state == "HOT" and not self.home.edible(thing)}
        if ask.state == "COLD":
            having |= {thing for place, thing in places if place == "Fridge"}
        if ask.state in ("FILLED", EMPTY):  # so are things by what goes into them, or elsewhere
            having |= {name for pair in places for name in pair}
        if not having:
            return False
        of = self._switched(ask.of)
        opposite = {thing for thing, state in held if state == OPPOSITE.get(ask.state)}
        return not (of & opposite) or bool(of & having)

    def _switched(self, types: frozenset[str]) -> frozenset[str]:
        lamps = frozenset(LIGHTS) if types & set(LIGHTS) and len(types) > 1 else frozenset()
        return types | lamps | {self.home.type_of(name) for name in self.home.switches(sorted(types))}

    def _invented(self, held: set[tuple[str, str]]) -> Iterator[str]:
        """Yield states that no word asks for; a word that is denied asks for the opposite."""
        said = {ask.state for _, ask in self.asked} | self._hinted()
        said |= {OPPOSITE.get(ask.state, "") for at, ask in self.asked if at in self.denied}
        for thing, state in sorted(held):
            if state == "MOVED":
                continue
            warm = _WARM if state in _WARM else set()
            licensed = ({state} | warm | _SAME.get(state, set())) & said or (state == "SLICED" and "TOASTED" in said)
            if not licensed:
                yield f"{state.lower()} {thing}"

    def _hinted(self) -> set[str]:
        """Return the states of which any word at all speaks, whether it asks for them or not."""
        return {state for word in self.words for state in _hints().get(word, ())}

    # ---- places -----------------------------------------------------------------------------------

    def _misplaced(self, held: set[tuple[str, str]], places: set[tuple[str, str]]) -> Iterator[str]:
        """Yield places that are said right behind a thing and that got another, or which it did not get."""
        for one, place in self._pairs(_IN):
            wanted = {(p, t) for p in place.types for t in one.types}
            if wanted & places or self._is_there(one, place) or self._by_chain(wanted, places):
                continue
            elsewhere = {p for p, t in places if t in one.types}
            others = {t for p, t in places if p in place.types}
            others |= {t for t, state in held if t in place.types and state in _DONE}
            if elsewhere or others:
                yield " ".join(self.words[place.start : place.end])

    def _by_chain(self, wanted: set[tuple[str, str]], places: set[tuple[str, str]]) -> bool:
        return any((p, m) in places and (m, t) in places for p, t in wanted for _, m in places)

    def _is_there(self, one: Named, place: Named) -> bool:
        return any(self._is_in(t, p) for t in one.types for p in place.types)

    def _is_in(self, thing: str, place: str) -> bool:
        return bool(self.home.inside(self.home.things([thing]), self.home.things([place])))

    def _wrong_places(self, places: set[tuple[str, str]]) -> Iterator[str]:
        """Yield places that things are only to be taken out of."""
        left = [(one, place) for one, place in self._pairs(_OUT)]
        for one, place in left:
            again = sum(bool(place.types & other.types) for other in self.named)
            if again > 1 or "back" in self.words:
                continue
            if any(p in place.types for p, _ in places):
                yield " ".join(self.words[place.start : place.end])
        for one in self.named:
            stays = not _STAYING.isdisjoint(self.words[one.end : one.end + 3])
            if stays and any(t in one.types and not self._is_in(t, p) for p, t in places):
                yield " ".join(self.words[one.start : one.end])
        for one, place in self._pairs(_BESIDE):
            beside = {(p, t) for p in place.types for t in one.types} & places
            if beside and not self.home.usually(sorted(place.types), "toggleable"):
                yield " ".join(self.words[one.end : place.end])

    def _others(self, wish: Wish) -> Iterator[str]:
        """Yield words that tell things or drinks apart, where a wish does not: ``the others``, ``with coffee``."""
        named = {w for goal in (wish.goal, *wish.before) for w in words_of(goal)} & set(self.home.there)
        types = {self.home.type_of(w) for w in words_of(wish.goal)}
        named |= {fact.subject for fact in wish.spared}
        for at, word in enumerate(self.words):
            after = self.words[at + 1 : at + 2]
            rest = word in ("others", "rest") or (word == "other" and bool(after) and count_of(after[0]) is not None)
            numbered = word == "number" and bool(after) and count_of(after[0]) is not None
            if (rest or numbered) and not self.told[at] and not named:
                yield word
            poured = word in _DRINKS and at and self.words[at - 1] in ("with", "of")
            if poured and not self.told[at] and "CoffeeMachine" not in types:
                yield word
            if word in _EXCEPT and named and any(set(self.home.things([kind])) <= named for kind in self._several()):
                yield word

    def _several(self) -> set[str]:
        """Return the types that a command names and of which there are several."""
        types = {kind for one in self.named for kind in one.types}
        return {kind for kind in types if len(self.home.things([kind])) > 1}

    def _pairs(self, between: frozenset[str]) -> Iterator[tuple[Named, Named]]:
        """Yield things with the places that follow right behind them: ``the apple in the bowl``."""
        for one, place in zip(self.named, self.named[1:], strict=False):
            words = [w for w in self.words[one.end : place.start] if w not in _DETERMINERS]
            gone = between is _OUT
            fits = 0 < len(words) <= 3 and words[0] in between | ({"out"} if gone else set())
            fits = fits and all(w in between or w in _SMALL for w in words)
            if fits and not self.told[one.start]:
                yield one, place

    # ---- words ------------------------------------------------------------------------------------

    def _is_how_it_is(self, at: int) -> bool:
        """Return whether a word is in a stretch that tells how it is: ``it's getting dark``."""
        begin = max((n + 1 for n in range(at) if self.words[n] in MARKS), default=0)
        first, *more = self.words[begin : at + 1]
        return first == "it" and bool(more) and more[0] in ("'s", "is", "was") and "to" not in more

    def _is_to_you(self, at: int) -> bool:
        """Return whether a word is in a stretch that speaks to somebody: ``I wonder if you could``."""
        begin = max((n + 1 for n in range(at) if self.words[n] in MARKS), default=0)
        return "you" in self.words[begin:at]

    def untouched(self, wish: Wish, heard: Sequence[Span] = ()) -> Iterator[str]:
        """Yield the things of the house that a wish does not touch, but for what was heard and what is left."""
        touched = {self.home.type_of(w) for goal in (wish.goal, *wish.before) for w in words_of(goal)}
        touched |= {self.home.type_of(fact.subject) for fact in wish.spared}
        left = {place.start for _, place in self._pairs(_OUT)}
        warm = any(atom.args[-1] in _WARM for atom, so in literals(wish.goal) if so)
        for one in self.named:
            tokens = self.tokens[one.start : one.end]
            taken = touched & self._switched(one.types) or one.start in left
            taken = taken or (warm and "StoveBurner" in one.types)  # it goes without saying
            if not taken and not any(t.start < s.end and t.end > s.start for t in tokens for s in heard):
                yield " ".join(token.text for token in tokens)

    def _named(self) -> Iterator[Named]:
        for start, end, _ in self.home.nouns.said.hints([token.text for token in self.tokens]):
            noun = self.home.nouns.find(" ".join(self.words[start:end]))
            if noun is not None and not self._is_verb(start, end):
                yield Named(start, end, frozenset(noun.types))

    def _is_verb(self, start: int, end: int) -> bool:
        """Return whether a word that is a noun as well has an object: ``light the candle``."""
        after = self.words[end : end + 1]
        before = self.words[start - 1 : start] if start else [""]
        return end - start == 1 and not _DETERMINERS.isdisjoint(after) and _DETERMINERS.isdisjoint(before)

    def _asked(self) -> Iterator[tuple[int, Asked]]:
        at = 0
        while at < len(self.words):
            size, state = self._state(at)
            if state and not self.told[at]:
                yield at, Asked(" ".join(self.words[at : at + size]), state, self._about(at, size))
            at += size

    def _state(self, at: int) -> tuple[int, str]:
        """Return how many words at a place ask for a state, and for which; one and none where none does."""
        if at in self._of_noun:
            return 1, ""
        for size in (3, 2, 1):
            state = state_verbs().get(" ".join(self.words[at : at + size]), "")
            loose = size == 1 and self.words[at] in _LOOSE
            if state and not (loose and _OBJECTS.isdisjoint(self.words[at + 1 : at + 2])):
                return size, "" if self._describes(at, size) else state
        word = self.words[at]
        if word in ("on", "off") and self._is_particle(at):
            return 1, word.upper()
        if word == "out" and at - 1 in self._of_noun and self._is_particle(at):
            return 1, "OFF"
        state = _adjectives().get(word, "")
        return 1, state if state and word not in ("on", "off", "out") and self._is_predicate(at) else ""

    def _is_particle(self, at: int) -> bool:
        """Return whether ``on`` says how something is to be, and not where."""
        after = self.words[at + 1] if at + 1 < len(self.words) else "."
        ends = after in MARKS or after in _ENDING
        return at > 0 and ends and self.words[at - 1] not in MARKS

    def _describes(self, at: int, size: int) -> bool:
        """Return whether a participle tells which thing is meant: ``the sliced tomato``."""
        before = self.words[at - 1] if at else ""
        return before in _DETERMINERS and at + size in self._of_noun

    def _is_predicate(self, at: int) -> bool:
        if self.words[at - 1] in _TELLING:
            return False  # ``it's too dark in here`` tells how it is
        before = set(self.words[max(at - 3, 0) : at])
        after = self.words[at + 1] if at + 1 < len(self.words) else "."
        bare = at - 1 in self._of_noun and (after in MARKS or after in _ENDING)
        return bare or (at + 1 not in self._of_noun and not _BEING.isdisjoint(before))

    def _about(self, at: int, size: int) -> frozenset[str]:
        """Return the types of the thing nearest to a word, in the same stretch of text."""
        begin = max((n + 1 for n in range(at) if self.words[n] in _SEPARATING), default=0)
        end = min((n for n in range(at + size, len(self.words)) if self.words[n] in _SEPARATING), default=len(self.words))
        here = [one for one in self.named if begin <= one.start < end]
        before = [one for one in here if one.end <= at]
        behind = [one for one in here if one.start >= at + size]
        first = self.words[at] in ("on", "off") or _adjectives().get(self.words[at])
        chosen = before[-1:] or behind[:1] if first else behind[:1] or before[-1:]
        return chosen[0].types if chosen else frozenset()


_SPEAKING = (
    ("down", "CLOSED"), ("up", "OPENED"), ("raise", "OPENED"), ("lower", "CLOSED"),
    ("coffee", "FILLED"), ("coffee", "HOT"), ("coffee", "ON"), ("water", "ON"), ("water", "FILLED"),
    ("out", "OFF"), ("silence", "OFF"), ("silenced", "OFF"), ("mute", "OFF"), ("muted", "OFF"), ("nothing", EMPTY), ("everything", EMPTY), ("all", EMPTY), ("contents", EMPTY),
)
"""Words that have to do with a state, where they ask for it."""
_SMALL = frozenset(listed("of top over back down up and it them please straight"))
_ENDING = frozenset(listed("and then please for so when before at but while too as now again first afterwards or because since in"))
_SEPARATING = MARKS | {"and", "then", "but", "so"}


@cache
def state_verbs() -> dict[str, str]:
    """Return the states that verbs ask for, by all of their forms."""
    found = {}
    for frame, state in _BY.items():
        for phrase in command_words().verbs.get(frame, ()):
            base, _, rest = phrase.partition(" ")
            for form in verb_forms(base):
                found[f"{form} {rest}".strip()] = state
    return found


@cache
def _adjectives() -> dict[str, str]:
    """Return the states that adjectives are words for."""
    found = {word: state for word, state in states_said().items() if word not in ("going", "done")}
    for state, phrases in command_words().states.items():
        found |= dict.fromkeys((p for p in phrases if " " not in p and p != "going"), state)
    return found


@cache
def _hints() -> dict[str, set[str]]:
    """Return the states that each single word may have to do with."""
    found = {word: {state} for word, state in _SPEAKING}
    for word, state in (*state_verbs().items(), *_adjectives().items()):
        if " " not in word:
            found.setdefault(word, set()).add(state)
    return found
