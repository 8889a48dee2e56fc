"""Where a command says that things are to be, and what of a wish disagrees with that."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from commonground.grounding.english.remarks import MARKS
from commonground.grounding.problem_writer.goals import SLICED, Wish
from commonground.grounding.problem_writer.vocabulary import command_words
from commonground.grounding.problem_writer.wishes.demands import (
    DETERMINERS,
    SEPARATING,
    Demands,
    Named,
)
from commonground.grounding.problem_writer.wishes.heads import participles
from commonground.grounding.problem_writer.wishes.home import TRASH, WORK
from commonground.grounding.problem_writer.wishes.likeness import likeness
from commonground.grounding.words.nouns import words_of as listed
from commonground.grounding.words.verbs import verb_forms
from commonground.planning.pddl.strata import literals

Pairs: TypeAlias = "set[tuple[str, str]]"
"""Types with their states, or places with the types of what is to be there."""
WARM = frozenset(["HOT", "COOKED", "TOASTED"])
DONE = WARM | {"CLEAN", "SLICED", "COLD"}
"""States of what is in a place rather than of the place."""
IN = frozenset(listed("in into inside on onto upon"))
_HOLDING = frozenset(listed("containing contains holding holds carrying"))
_INSIDE = frozenset(["in", "inside", "on"])
_IT = frozenset(["it", "them"])
_THAT = frozenset(["that", "which"])
_ANY = frozenset(["a", "an", "some"])
OUT = frozenset(listed("off from out"))
_WARMING = frozenset(kind for kind, verb in WORK.items() if verb not in ("wash", "toast"))
_RETURNING = frozenset(
    listed("back again return returns replace where stay stays alone as rest others")
)
BESIDE = frozenset(listed("under beneath underneath behind beside next near by above below"))
_AWAY = frozenset(listed("out back over down up both which 's is are"))
_BACK = frozenset(listed("it them that those these one ones"))
_ALL = frozenset(
    listed("all everything anything things stuff whatever contents rest others other mess lot")
)
"""Words for things of any kind."""
_GOING_BACK = _BACK | frozenset(
    listed("there too also well and both same plus with alongside beside next likewise back")
)
ORDERING = frozenset(
    listed("then first before after afterwards next until till once when finally again back later")
)
_TO = IN | frozenset(listed("to at up down over"))
_TAKING_IN = frozenset(
    listed("with containing contains holding holds hold have has takes gets use using")
)
_BEING = frozenset(listed("'s is are was were lives live lies sits stands"))
_REACH = 5
"""So many words before a place the one stands that sends something there."""
_KEEPING = frozenset(listed("stay stays remain remains leave leaves keep back again"))
_SMALL = frozenset(listed("of top over back down up and it them please straight one any"))


class Filled(NamedTuple):
    """What is to be somewhere with other things in it: ``the mug on the desk with the pen in it``."""

    holder: Named
    first: Named
    """Of what is to be in it; others are listed behind."""
    start: int
    """Of ``with``."""
    end: int
    """Behind ``in it``."""


class Where(Demands):
    """The places of one command, held against wishes."""

    def _pairs(self, between: frozenset[str]) -> Iterator[tuple[Named, Named]]:
        """Yield things with the places that follow right behind them: ``the apple in the bowl``."""
        for one, place in zip(self.named, self.named[1:], strict=False):
            words = self._between(one, place, between)
            leads = between | ({"out"} if between is OUT else set())
            fits = 0 < len(words) <= 3 and words[0] in leads
            fits = fits and all(w in between or w in _SMALL for w in words)
            if fits and not self.acts.told[one.start]:
                yield one, place

    def stands(self) -> Iterator[tuple[Named, Named]]:
        """Yield what is carried with where it is to stand, and not only tells where it is now."""
        for tray, spot in self._pairs(IN):
            carried, stays = (
                self.home.usually(sorted(x.types), "pickupable") for x in (tray, spot)
            )
            any_one = self.words[tray.start - 1] in ("a", "an", "one")
            if carried and not stays and (any_one or not self.is_there(tray, spot)):
                yield tray, spot
            led = [
                w for w in self.words[max(tray.start - 3, 0) : tray.start] if w not in DETERMINERS
            ]
            if stays and not carried and led[-1:] == ["to"]:  # ``to the table on a plate``
                yield spot, tray

    def worked(self) -> Iterator[tuple[Named, Named]]:
        """Yield what is to get warm with where: ``fry the egg in the pan``."""
        for one, place in self._pairs(IN):
            if not place.types.isdisjoint(_WARMING):
                yield one, place

    def _between(self, one: Named, place: Named, between: frozenset[str]) -> list[str]:
        """Return the words between a thing and a place; ``that's out`` of those before ``in`` say little."""
        words = [w for w in self.words[one.end : place.start] if w not in DETERMINERS]
        words = _behind_state(words)
        words = (
            words[1:]
            if len(words) > 1 and likeness(words[0]) and words[0] not in _AWAY | IN | OUT
            else words
        )
        while (between is IN and len(words) > 1 and words[0] in _AWAY) or (
            between is _HOLDING and words[:1] and words[0] in _THAT
        ):
            words = words[1:]
        return words

    def is_there(self, one: Named, place: Named) -> bool:
        return any(self._is_in(t, p) for t in one.types for p in place.types)

    def _is_in(self, thing: str, place: str) -> bool:
        return bool(self.home.inside(self.home.things([thing]), self.home.things([place])))

    def _misplaced(self, held: Pairs, places: Pairs) -> Iterator[str]:
        """Yield places that are said right behind a thing and that got another, or which it did not get."""
        put = {thing for _, thing in places}
        used = {place for place, _ in places} | {thing for thing, state in held if state in DONE}
        for one, place in self._expected(held):
            wanted = {(p, k) for p in place.types for t in one.types for k in (t, t + SLICED)}
            if wanted & places or self.is_there(one, place) or self._by_chain(wanted, places):
                continue
            if (put | used) & one.types or used & place.types:
                yield self.said(place)

    def _expected(self, held: Pairs) -> Iterator[tuple[Named, Named]]:
        """Yield things with where they are to be, all that are listed before the place."""
        for last, place in self._pairs(IN):
            if self.is_there(last, place) or not self.home.usually(last.types, "pickupable"):
                continue
            every = self.listed_to(last)
            if not self._is_worked_there(every[-1], place, held):
                yield from ((one, place) for one in every)

    def _is_worked_there(self, first: Named, place: Named, held: Pairs) -> bool:
        """Return whether a place only tells where something is done: ``wash the mug in the sink``."""
        apart = max((n for n in range(first.start) if self.words[n] in SEPARATING), default=-1)
        verb = any(ask.state in DONE for at, ask in self.asked if apart < at < place.start)
        done = any(thing in first.types and state in DONE for thing, state in held)
        return verb and done and not place.types.isdisjoint(WORK)

    def listed_to(self, last: Named) -> list[Named]:
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

    def held(self) -> Iterator[tuple[Named, Named]]:
        """Yield what holds something, or is to hold it: ``a plate containing an egg``."""
        yield from self._pairs(_HOLDING)
        yield from ((each.holder, each.first) for each in self.filled())
        tempered = {at for at, ask in self.asked if ask.state in WARM | {"COLD"}}
        for holder, one in self._pairs(frozenset(["with"])):  # ``heat a plate with an egg``
            any_one = self.words[one.start - 1] in _ANY and not self.home.edible(min(holder.types))
            holds = self.home.usually(sorted(holder.types), "receptacle")
            if any_one and holds and tempered & {*range(holder.start - 3, holder.start)}:
                yield holder, one

    def filled(self) -> Iterator[Filled]:
        """Yield the things that are to be somewhere with others in them."""
        ends = [at for at in range(2, len(self.words) + 1) if self._says_in_it(at)]
        for end in ends:
            start = max(at for at, word in enumerate(self.words[:end]) if word == "with")
            begin = next((s.start for s in self.acts.said if s.start < start < s.end), start)
            inside = [n for n in self.named if start < n.start < end]
            moved = [*self._carried(begin, start)] if inside else []
            if len(moved) == 1 and self.home.usually(sorted(moved[0].types), "receptacle"):
                yield Filled(moved[0], inside[0], start, end)

    def _says_in_it(self, end: int) -> bool:
        """Return whether words end with ``in it``, behind a ``with``."""
        said = self.words[end - 2 : end]
        inside = len(said) == 2 and said[0] in _INSIDE and said[1] in _IT
        return inside and "with" in self.words[:end]

    def _carried(self, start: int, end: int) -> Iterator[Named]:
        """Yield what is named between two words and can be carried."""
        among = (one for one in self.named if start <= one.start and one.end <= end)
        yield from (one for one in among if self.home.usually(sorted(one.types), "pickupable"))

    def listed_from(self, first: Named) -> list[Named]:
        """Return a thing with those that are listed behind it."""
        return [n for n in self.named if n == first or first in self.listed_to(n)]

    def _not_held(self, places: Pairs) -> Iterator[str]:
        """Yield what a thing is told apart by holding it, or is to hold, and does not."""
        for holder, one in self.held():
            for each in self.listed_from(one):
                pairs = {(h, t) for h in holder.types for t in each.types}
                if pairs.isdisjoint(places) and not self.is_there(each, holder):
                    yield self.said(each)

    def _where_it_was(self, places: Pairs) -> Iterator[str]:
        """Yield places that only tell things apart, and where these are to be: ``the mug on it is dirty``."""
        if not _KEEPING.isdisjoint(self.words):
            return
        for one, place in self._pairs(IN):
            behind = self.words[place.end : place.end + 2]
            also = behind[:1] in (["too"], ["also"]) or behind == ["as", "well"]
            tells = behind[:1] in (["is"], ["'s"], ["was"], ["has"])
            tells = tells or (also and self.is_there(one, place))
            still = {(p, t) for p in place.types for t in one.types} & places
            if tells and still:
                yield self.said(place)

    def _unsent(self, places: Pairs) -> Iterator[str]:
        """Yield what is put into something that is named, but by no words that send anything there."""
        for place, thing in sorted(places):
            used = place == TRASH or self.home.usually([place], "toggleable")
            spots = [one for one in self.named if place in one.types and not used]
            if spots and not any(map(self._is_sent_to, spots)) and not self._goes_back_to(spots[0]):
                yield thing
        for one, source in self._pairs(OUT) if "back" not in self.words else ():
            if {(p, t) for p in source.types for t in one.types} & places:
                yield self.said(source)

    def _is_sent_to(self, place: Named) -> bool:
        """Return whether a place is named as where to: nothing only tells of it, as ``that's in the box``."""
        if self.acts.told[place.start]:
            return False
        begin = max(place.start - _REACH, 0)
        apart = [n for n in range(begin, place.start) if self.words[n] in MARKS]
        near = range(max([begin, *(n + 1 for n in apart)]), place.start)
        to = next((n for n in reversed(near) if self.words[n] in _TO | OUT), None)
        end = next((n for n in range(place.end, len(self.words)) if self.words[n] in MARKS), None)
        if to is None:
            return not _TAKING_IN.isdisjoint(
                (*self.words[place.end : end], *self.words[near.start : place.start])
            )
        told = self.words[max(to - 3, 0) : to]
        tells = not (_BEING.isdisjoint(told) or _THAT.isdisjoint(told))
        return self.words[to] not in OUT and not tells

    def _goes_back_to(self, place: Named) -> bool:
        """Return whether a word behind a place stands for it: ``the box: put the pen in it``, ``there``."""
        words = [*self.words[place.end :], "."]
        back = any(a in _TO | {"with"} and b in _BACK | MARKS for a, b in pairwise(words))
        return back or not {"there", "back"}.isdisjoint(self.words)

    def _moved_on(self, places: Pairs, last: Pairs) -> Iterator[str]:
        """Yield places from which things go on to others in the end, though no word takes them on."""
        for place, thing in sorted(places - last):
            ends = {where for where, one in last if one == thing}
            if ends and not self._takes_on(place, thing, ends):
                yield next((self.said(one) for one in self.named if place in one.types), place)

    def _takes_on(self, place: str, thing: str, ends: set[str]) -> bool:
        """Return whether a word between two places takes a thing on: ``then``, and ``it`` as an object."""
        first = min((one.end for one in self.named if place in one.types), default=0)
        last = max((one.start for one in self.named if ends & one.types), default=len(self.words))
        begin, end = sorted((first, last))
        heads = (self.acts.head(said.start, said.end) for said in self.acts.said)
        subjects = {head.subject for head in heads if head.mood == "told"}
        again = any(thing in one.types and begin <= one.start < end for one in self.named)
        return again or any(
            self.words[at] in ORDERING
            or (self.words[at] in _BACK - {"one", "ones"} and at not in subjects)
            for at in range(begin, end)
        )

    def _carried_over(self, places: Pairs) -> Iterator[str]:
        """Yield what goes to a place of which only a sentence before speaks and no word goes back to."""
        ends = [-1, *(n for n, word in enumerate(self.words) if word in ".;!?"), len(self.words)]
        spoken: dict[str, set[int]] = {}
        for one in self.named:
            for kind in one.types:
                spoken.setdefault(kind, set()).add(sum(end < one.start for end in ends))
        for place, thing in sorted(places):
            there, here = spoken.get(place, set()), spoken.get(thing.removesuffix(SLICED), set())
            if there and here and max(there) < min(here):
                words = self.words[ends[min(here) - 1] + 1 : ends[min(here)]]
                yield from () if _GOING_BACK & {*words} else (thing,)

    def _is_left_of(self, place: Named) -> bool:
        """Return whether things are to come off a place, or out of it."""
        before = self.words[max(place.start - 3, 0) : place.start]
        words = [w for w in before if w not in DETERMINERS]
        out = words[-1:] in (["off"], ["from"]) or words[-2:] == ["out", "of"]
        return out and not self.acts.told[place.start]

    def _not_let_be(self, places: Pairs) -> Iterator[str]:
        """Yield what is to be left where it is and goes elsewhere."""
        let_be = [one for one in self.acts.said if one.act == "leave"]
        for one in self.named:
            if any(said.start <= one.start < said.end for said in let_be):
                moved = (p for p, t in places if t in one.types and not self._is_in(t, p))
                yield from (self.said(one) for _ in moved)

    def _back_where(self, wish: Wish) -> Iterator[str]:
        """Yield things that go to where they are now, where no word says so."""
        named = {kind for one in self.named for kind in one.types}
        for atom, so in literals(wish.goal) if _RETURNING.isdisjoint(self.words) else ():
            known = atom.args[0] in self.home.there and self.home.type_of(atom.args[0]) not in named
            if so and known and atom.predicate == "contains":
                yield atom.args[1]

    def _binned(self, places: Pairs) -> Iterator[str]:
        """Yield that things go to the rubbish, where no word says so."""
        named = any(TRASH in one.types for one in self.named)
        if not named and any(place == TRASH for place, _ in places) and not self._throws_away():
            yield TRASH

    def _throws_away(self) -> bool:
        said = set(self.words)
        phrases = (phrase.split() for phrase in command_words().verbs["trash"])
        return any(said & set(verb_forms(p[0])) and said.issuperset(p[1:]) for p in phrases)

    def _unspoken(self, places: Pairs) -> Iterator[str]:
        """Yield things of several kinds that go somewhere, where a command speaks of none of them."""
        named = {kind for one in self.named for kind in one.types}
        moved = {thing.removesuffix(SLICED) for _, thing in places} - named
        if len(moved) > 1 and _ALL.isdisjoint(self.words):
            yield from sorted(moved)


def _behind_state(words: list[str]) -> list[str]:
    """Return words without how a thing is to be besides: ``the potato baked and on a plate``."""
    state = words[1:2] == ["and"] and (likeness(words[0]) or words[0] in participles())
    return words[2:] if state else words
