"""What every word of a command came to: a wish is held against what the words ask for, whoever read it.

A wish that lacks a state or place that words ask for, or holds one that no word asks for, is less likely what
was meant than one that accounts for all that was said; by itself it is asked about.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from commonground.grounding.english.faithful import NEGATIONS
from commonground.grounding.english.utterance import Span
from commonground.grounding.problem_writer.commands.vocabulary import command_words
from commonground.grounding.problem_writer.goals import EMPTY, Wish, words_of
from commonground.grounding.problem_writer.wishes.demands import (
    DETERMINERS,
    SEPARATING,
    Asked,
    Demands,
    Named,
)
from commonground.grounding.problem_writer.wishes.home import LIGHTS, TRASH, WORK, Home
from commonground.grounding.words.nouns import words_of as listed
from commonground.grounding.words.numbers import count_of
from commonground.grounding.words.verbs import verb_forms
from commonground.planning.pddl.strata import literals

Pairs: TypeAlias = "set[tuple[str, str]]"
"""Types with their states, or places with the types of what is to be there."""
OPPOSITE = {"ON": "OFF", "OFF": "ON", "OPENED": "CLOSED", "CLOSED": "OPENED"}
_WARM = frozenset(["HOT", "COOKED", "TOASTED"])
_SAME = {
    "CLEAN": frozenset(["CLEAN", EMPTY]),
    "HOT": _WARM,
    "COOKED": _WARM - {"HOT"},
    "SLICED": frozenset(["SLICED", "TOASTED"]),
}
"""States that do as well."""
_DONE = _WARM | {"CLEAN", "SLICED", "COLD"}
"""States of what is in a place rather than of the place."""
_IN = frozenset(listed("in into inside on onto upon"))
_STAYING = frozenset(listed("stay stays remain remains"))
_BESIDE = frozenset(listed("under beneath underneath behind beside next near by above below"))
_EXCEPT = frozenset(listed("except excluding besides"))
_EVERY = frozenset(listed("all every everything each both"))
_OUT = frozenset(listed("off from out"))
_AWAY = frozenset(listed("out back over down up both which 's is are"))
_SPARING = NEGATIONS | frozenset(
    listed(
        "leave keep stay stays remain remains alone avoid untouched undisturbed whole intact only but"
    )
)
"""Without any of these nothing is forbidden."""
_BACK = frozenset(listed("it them that those these one ones"))
_FANCYING = frozenset(listed("would 'd might could wonder mind see check"))
_DRINKS = frozenset(["coffee", "espresso"])
_SMALL = frozenset(listed("of top over back down up and it them please straight"))


@dataclass(frozen=True, slots=True)
class Account:
    """What is amiss with a wish, in words of its command and as parts of its goal."""

    lost: tuple[str, ...] = ()
    """Words that ask for what the wish does not hold, or holds the opposite of."""
    invented: tuple[str, ...] = ()
    """Parts of the goal that no word asks for."""


class Accounts(Demands):
    """Holds wishes against one command."""

    def __init__(self, text: str, home: Home) -> None:
        super().__init__(text, home)
        self.plain: Accounts | None = None
        """Those of the same command said in pieces, without pronouns."""

    def of(self, wish: Wish) -> Account:
        """Return what is amiss with a wish."""
        held, places = self._pairs_of("state", wish), self._pairs_of("contains", wish)
        unmet = (ask for at, ask in self.asked if at not in self.denied)
        lost = [ask.word for ask in unmet if not self._is_met(ask, held, places)]
        lost += [*self._undecided(), *self._undenied(wish)]
        lost += [*(self.plain or self)._misplaced(held, places), *self._untold(wish)]
        invented = [*self._wrong_places(places), *self._moved(places), *self._beside(places)]
        invented += [*self._only_told(places), *self._told_places(places)]
        invented += [*self._binned(places), *self._uncounted(places)]
        if wish.spared and _SPARING.isdisjoint(self.words):
            invented.append("never")
        invented += [] if wish.vague else self._invented(held)
        return Account(tuple(dict.fromkeys(lost)), tuple(invented))

    def _undecided(self) -> Iterator[str]:
        """Yield what makes all depend on something: no wish waits for anything."""
        for at, word in enumerate(self.words):
            fancied = not _FANCYING.isdisjoint(self.words[:at])  # ``it'd be nice if it were cold``
            if word == "unless" or (word == "if" and not fancied and not self.telling.told[at]):
                yield word

    def _undenied(self, wish: Wish) -> Iterator[str]:
        """Yield ``neither`` where a wish denies nothing."""
        denied = bool(wish.spared) or any(
            not so or atom.args[-1] in ("OFF", "CLOSED") for atom, so in literals(wish.goal)
        )
        if not denied:
            yield from (word for word in self.words if word in ("neither", "nor"))
            yield from (w for at, w in enumerate(self.words) if w == "only" and self._is_alone(at))

    def _is_alone(self, at: int) -> bool:
        """Return whether ``only`` shuts the others out: ``only the lamp should be on``."""
        follows = any(at < one.start <= at + 2 for one in self.named)
        return follows and any(n > at and ask.state in OPPOSITE for n, ask in self.asked)

    def is_whole(self, wish: Wish) -> bool:
        """Return whether a wish takes up all that was said, and nothing else."""
        return self.of(wish) == Account() and not any(self.untouched(wish))

    def _pairs_of(self, predicate: str, wish: Wish) -> Pairs:
        """Return what a wish wants to be in which state, or where to be what, by types."""
        type_of = self.home.type_of
        return {
            (type_of(atom.args[0]), type_of(atom.args[1]))
            for goal in (wish.goal, *wish.before)
            for atom, so in literals(goal)
            if so and atom.predicate == predicate
        }

    # ---- states -----------------------------------------------------------------------------------

    def _is_met(self, ask: Asked, held: Pairs, places: Pairs) -> bool:
        having = {thing for thing, state in held if self._serves(state, thing, ask.state)}
        if ask.state == "COLD":
            having |= {thing for place, thing in places if place == "Fridge"}
        if ask.state in ("FILLED", EMPTY):  # so are things by what goes into them, or elsewhere
            having |= {name for pair in places for name in pair}
        of = self._switched(ask.of)
        opposite = {thing for thing, state in held if state == OPPOSITE.get(ask.state)}
        return bool(having) and (not (of & opposite) or bool(of & having))

    def _serves(self, state: str, thing: str, wanted: str) -> bool:
        """Return whether a state of a thing is the one that is asked for; what nobody cooks gets hot."""
        heated = wanted == "COOKED" and state == "HOT" and not self.home.edible(thing)
        return heated or state in _SAME.get(wanted, {wanted})

    def _switched(self, types: frozenset[str]) -> frozenset[str]:
        lamps = frozenset(LIGHTS) if types & set(LIGHTS) and len(types) > 1 else frozenset()
        return (
            types | lamps | {self.home.type_of(name) for name in self.home.switches(sorted(types))}
        )

    def _invented(self, held: Pairs) -> Iterator[str]:
        """Yield states that no word asks for; a word that is denied asks for the opposite."""
        said = {ask.state for at, ask in self.asked if at not in self.denied}
        said |= self.hinted() | {"MOVED"}
        said |= {OPPOSITE.get(ask.state, "") for at, ask in self.asked if at in self.denied}
        said |= {"SLICED"} if "TOASTED" in said else set()
        for thing, state in sorted(held):
            alike = _WARM if state in _WARM else _SAME.get(state, {state})
            if said.isdisjoint(alike):
                yield f"{state.lower()} {thing}"

    # ---- places -----------------------------------------------------------------------------------

    def _misplaced(self, held: Pairs, places: Pairs) -> Iterator[str]:
        """Yield places that are said right behind a thing and that got another, or which it did not get."""
        put = {thing for _, thing in places}
        used = {place for place, _ in places} | {thing for thing, state in held if state in _DONE}
        running = (
            (one, place)
            for one, place in self._pairs(_BESIDE)
            if self.home.usually(sorted(place.types), "toggleable")
        )
        for last, place in (*self._pairs(_IN), *running):
            if self._is_there(last, place) or not self.home.usually(last.types, "pickupable"):
                continue
            listed_before = self._listed(last)
            if self._is_worked_there(listed_before[-1], place, held):
                continue
            for one in listed_before:
                wanted = {(p, t) for p in place.types for t in one.types}
                if wanted & places or self._is_there(one, place) or self._by_chain(wanted, places):
                    continue
                if put & one.types or used & place.types:
                    yield self.said(place)

    def _is_worked_there(self, first: Named, place: Named, held: Pairs) -> bool:
        """Return whether a place only tells where something is done: ``wash the mug in the sink``."""
        apart = max((n for n in range(first.start) if self.words[n] in SEPARATING), default=-1)
        verb = any(ask.state in _DONE for at, ask in self.asked if apart < at < first.start)
        done = any(thing in first.types and state in _DONE for thing, state in held)
        return verb and done and not place.types.isdisjoint(WORK)

    def _listed(self, last: Named) -> list[Named]:
        """Return a thing with those that are listed before it: ``the apple, the egg and the mug``."""
        found = [last]
        for one in reversed(self.named[: self.named.index(last)]):
            between = self.words[one.end : found[-1].start]
            if not between or not (DETERMINERS | {"and", ",", "both"}).issuperset(between):
                break
            found.append(one)
        return found

    def _by_chain(self, wanted: Pairs, places: Pairs) -> bool:
        return any((p, m) in places and (m, t) in places for p, t in wanted for _, m in places)

    def _is_there(self, one: Named, place: Named) -> bool:
        return any(self._is_in(t, p) for t in one.types for p in place.types)

    def _is_in(self, thing: str, place: str) -> bool:
        return bool(self.home.inside(self.home.things([thing]), self.home.things([place])))

    def _wrong_places(self, places: Pairs) -> Iterator[str]:
        """Yield places that things are only to be taken out of."""
        holding = {place for place, _ in places}
        for _, place in self._pairs(_OUT):
            again = sum(bool(place.types & other.types) for other in self.named)
            if again < 2 and "back" not in self.words and holding & place.types:
                yield self.said(place)

    def _moved(self, places: Pairs) -> Iterator[str]:
        """Yield things that are to stay and go elsewhere."""
        gone = {thing for place, thing in places if not self._is_in(thing, place)}
        for one in self.named:
            stays = not _STAYING.isdisjoint(self.words[one.end : one.end + 3])
            if stays and gone & one.types:
                yield self.said(one)

    def _only_told(self, places: Pairs) -> Iterator[str]:
        """Yield what people want to put somewhere themselves, and which goes there."""
        back = any(
            word in _BACK and not own
            for word, own in zip(self.words, self.telling.own, strict=True)
        )
        asked = {
            kind for one in self.named if not self.telling.own[one.start] for kind in one.types
        }
        gone = {thing for _, thing in places} - asked
        for one in self.named:
            own = self.telling.own[one.start] and self.telling.aside[one.start]
            if own and not back and gone & one.types:
                yield self.said(one)

    def _told_places(self, places: Pairs) -> Iterator[str]:
        """Yield what goes to where somebody is only told to have put something."""
        told_of = self.telling.told
        words = [w for w, told in zip(self.words, told_of, strict=True) if not told]
        taken_up = any(a in _IN and b in _BACK for a, b in pairwise(words))
        if taken_up or not {"there", "back"}.isdisjoint(words):
            return
        told, asked = (
            {k for one in self.named if told_of[one.start] is so for k in one.types}
            for so in (True, False)
        )
        yield from sorted(thing for place, thing in places if place in told - asked)

    def _binned(self, places: Pairs) -> Iterator[str]:
        """Yield that things go to the rubbish, where no word says so."""
        named = any(TRASH in one.types for one in self.named)
        if not named and any(place == TRASH for place, _ in places) and not self._throws_away():
            yield TRASH

    def _uncounted(self, places: Pairs) -> Iterator[str]:
        """Yield things that are not named and go somewhere, where ``all three`` of others are meant."""
        named = {kind for one in self.named for kind in one.types}
        if any(a == "all" and count_of(b) is not None for a, b in pairwise(self.words)):
            yield from sorted({thing for _, thing in places} - named)

    def _throws_away(self) -> bool:
        said = set(self.words)
        phrases = (phrase.split() for phrase in command_words().verbs["trash"])
        return any(said & set(verb_forms(p[0])) and said.issuperset(p[1:]) for p in phrases)

    def _beside(self, places: Pairs) -> Iterator[str]:
        """Yield places that things are to be beside or under and not in; what runs has things under it."""
        for one, place in self._pairs(_BESIDE):
            inside = {(p, t) for p in place.types for t in one.types} & places
            if inside and not self.home.usually(sorted(place.types), "toggleable"):
                yield " ".join(self.words[one.end : place.end])

    # ---- which ------------------------------------------------------------------------------------

    def _untold(self, wish: Wish) -> Iterator[str]:
        """Yield words that tell things apart, where a wish does not: ``the others``, ``with coffee``."""
        yield from self._switched_elsewhere(wish)
        words = {w for goal in (wish.goal, *wish.before) for w in words_of(goal)}
        named = (words & set(self.home.there)) | {fact.subject for fact in wish.spared}
        brewed = "CoffeeMachine" in {self.home.type_of(w) for w in words_of(wish.goal)}
        for at, word in enumerate(self.words):
            lost = self._tells_apart(at) and not named
            lost = lost or (self._is_poured(at) and not brewed)
            lost = lost or (word in _EXCEPT and self._all_of_some(named))
            if lost and not self.telling.told[at]:
                yield word

    def _switched_elsewhere(self, wish: Wish) -> Iterator[str]:
        """Yield things with a switch of their own, where any of the kind would do: ``run the bath``."""
        switched = {atom.args[0] for atom, _ in literals(wish.goal) if atom.predicate == "state"}
        spoken = {kind for one in self.named for kind in one.types}
        for one in self.named:
            own = set(self.home.switches(sorted(one.types))) & set(self.home.there)
            kinds = {self.home.type_of(name) for name in own} - spoken
            if kinds & switched and not own & switched:
                yield self.said(one)

    def _is_poured(self, at: int) -> bool:
        """``fill it with coffee``."""
        return self.words[at] in _DRINKS and at > 0 and self.words[at - 1] in ("with", "of")

    def _all_of_some(self, named: set[str]) -> bool:
        """Return whether every one of several things of a type is named."""
        return any(set(self.home.things([kind])) <= named for kind in self._several())

    def _tells_apart(self, at: int) -> bool:
        """Return whether a word tells some things from others: ``the others``, ``number two``."""
        word, after = self.words[at], self.words[at + 1 : at + 2]
        counted = bool(after) and count_of(after[0]) is not None
        return word in ("others", "rest") or (word in ("other", "number") and counted)

    def _several(self) -> set[str]:
        """Return the types that a command names and of which there are several."""
        types = {kind for one in self.named for kind in one.types}
        return {kind for kind in types if len(self.home.things([kind])) > 1}

    def _pairs(self, between: frozenset[str]) -> Iterator[tuple[Named, Named]]:
        """Yield things with the places that follow right behind them: ``the apple in the bowl``."""
        for one, place in zip(self.named, self.named[1:], strict=False):
            words = [w for w in self.words[one.end : place.start] if w not in DETERMINERS]
            while between is _IN and len(words) > 1 and words[0] in _AWAY:
                words = words[1:]  # ``out on the table``, ``that's in the drawer``
            gone = between is _OUT
            fits = 0 < len(words) <= 3 and words[0] in between | ({"out"} if gone else set())
            fits = fits and all(w in between or w in _SMALL for w in words)
            if fits and not self.telling.told[one.start]:
                yield one, place

    def untouched(self, wish: Wish, heard: Sequence[Span] = ()) -> Iterator[str]:
        """Yield the things that a wish does not touch, but for what was heard and what is left."""
        return (self._written(one) for one in self._untouched(wish, heard))

    def passed_over(self, wish: Wish, talk: Sequence[Span] = ()) -> Iterator[str]:
        """Yield what can be carried and has nothing to do with a wish; a place may only be told of."""
        for one in self._untouched(wish, talk):
            if self.home.usually(sorted(one.types), "pickupable"):
                yield self._written(one)

    def _written(self, one: Named) -> str:
        return " ".join(token.text for token in self.tokens[one.start : one.end])

    def _untouched(self, wish: Wish, heard: Sequence[Span]) -> Iterator[Named]:
        words = {w for goal in (wish.goal, *wish.before) for w in words_of(goal)}
        touched = set(map(self.home.type_of, words | {fact.subject for fact in wish.spared}))
        left = {place.start for _, place in self._pairs(_OUT)}
        left |= {place.start for one, place in self._pairs(_IN) if self._is_there(one, place)}
        left |= {place.start for place in self.named if self._is_source(place)}
        if any(atom.args[-1] in _WARM for atom, _ in literals(wish.goal)):
            touched |= {kind for kind, verb in WORK.items() if verb in ("cook", "toast")}
        if any(atom.args[-1] == "CLEAN" for atom, _ in literals(wish.goal)):
            touched |= {kind for kind, verb in WORK.items() if verb == "wash"}
        for one in self.named:
            known = one.start in left or self._is_heard(one, heard) or self._is_excepted(one)
            if not (known or touched & self._switched(one.types)):
                yield one

    def _is_source(self, place: Named) -> bool:
        """``get it out of the drawer``."""
        before = [
            w for w in self.words[max(place.start - 3, 0) : place.start] if w not in DETERMINERS
        ]
        return before[-2:] == ["out", "of"] or before[-1:] == ["from"]

    def _is_excepted(self, one: Named) -> bool:
        """Return whether a thing is left out of all: ``every lamp but the desk lamp``."""
        before = [w for w in self.words[max(one.start - 4, 0) : one.start] if w not in DETERMINERS]
        every = not _EVERY.isdisjoint(self.words[: one.start])
        return bool(before) and (before[-1] in _EXCEPT or (before[-1] == "but" and every))

    def _is_heard(self, one: Named, heard: Sequence[Span]) -> bool:
        """Return whether a thing was heard, or is only told of."""
        first, last = self.tokens[one.start].start, self.tokens[one.end - 1].end
        spoken = any(first < span.end and last > span.start for span in heard)
        return spoken or self.telling.aside[one.start]
