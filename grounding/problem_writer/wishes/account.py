"""What every word of a command came to: a wish is held against what the words ask for, whoever read it.

A wish that lacks a state or place that words ask for, or holds one that no word asks for, is less likely what
was meant than one that accounts for all that was said; by itself it is asked about.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from commonground.grounding.english.faithful import NEGATIONS
from commonground.grounding.problem_writer.goals import (
    EMPTY,
    Wish,
    words_of,
)
from commonground.grounding.problem_writer.vocabulary import command_words
from commonground.grounding.problem_writer.wishes.acts import ASKING, Said
from commonground.grounding.problem_writer.wishes.amounts import miscounted
from commonground.grounding.problem_writer.wishes.demands import (
    DETERMINERS,
    SEPARATING,
    Asked,
    Named,
)
from commonground.grounding.problem_writer.wishes.excepted import Excepted
from commonground.grounding.problem_writer.wishes.heads import (
    HELPING,
    PREPOSITIONS,
    orders,
    placing,
)
from commonground.grounding.problem_writer.wishes.home import NEEDED
from commonground.grounding.problem_writer.wishes.likeness import MADE, PREPARED
from commonground.grounding.problem_writer.wishes.untouched import SPARING
from commonground.grounding.problem_writer.wishes.where import DONE, IN, ORDERING, OUT, WARM, Pairs
from commonground.grounding.words.nouns import words_of as listed
from commonground.grounding.words.numbers import count_of, rank_of
from commonground.planning.pddl import Atom, Formula, Or
from commonground.planning.pddl.logic import conjuncts
from commonground.planning.pddl.strata import literals

OPPOSITE = command_words().opposites
_SAME = {
    "CLEAN": frozenset(["CLEAN", EMPTY]),
    "HOT": WARM,
    "COOKED": WARM - {"HOT"},
    "SLICED": frozenset(["SLICED", "TOASTED"]),
}
"""States that do as well."""
_GOING = frozenset(listed("go goes belong belongs"))
_FANCYING = frozenset(listed("would 'd might could wonder mind see check"))
_MINDING = frozenset(listed("mind care bothered fussed matter matters"))
_ITS = frozenset(["it", "them"])
_THERE = frozenset(listed("it there here them"))
_AWAY = frozenset(listed("away elsewhere off out"))
_SWAPPING = frozenset(listed("swap exchange trade"))
_NEEDING = frozenset(listed("need needs needed"))
_WASHING = frozenset(listed("wash washed washing rinse rinsed rinsing scrub scrubbed"))


@dataclass(frozen=True, slots=True)
class Account:
    """What is amiss with a wish, in words of its command and as parts of its goal."""

    lost: tuple[str, ...] = ()
    """Words that ask for what the wish does not hold, or holds the opposite of."""
    invented: tuple[str, ...] = ()
    """Parts of the goal that no word asks for."""


class Accounts(Excepted):
    """Holds wishes against one command."""

    def of(self, wish: Wish) -> Account:
        """Return what is amiss with a wish."""
        held, places = self._pairs_of("state", wish), self._pairs_of("contains", wish)
        unmet = (ask for at, ask in self.asked if at not in self.denied)
        lost = [ask.word for ask in unmet if not self._is_met(ask, held, places)]
        lost += [*self._undecided(wish), *self._undenied(wish)]
        if len(places) < 2:  # two things change places
            lost += [word for word in self.words if word in _SWAPPING]
        lost += self._refused(held) if wish.vague else [*self._not_done(held), *self._unread()]
        lost += self._done_though_denied(held)
        last = self._pairs_of("contains", wish, lasting=True)
        lost += [
            *self._misplaced(held, places),
            *self._moved_on(places, last),
            *self._untold(wish),
        ]
        lost += [*self._not_held(places), *self._unmanned(wish)]
        lost += [*miscounted(self, wish, fewer=True), *self._undescribed(held)]
        lost += [] if lost else [*self._unplaced(wish)]
        return Account(tuple(dict.fromkeys(lost)), (*self._made_up(wish, held, places),))

    def _undescribed(self, held: Pairs) -> Iterator[str]:
        """Yield words for what a thing is to be like, which none is and a wish does not bring about."""
        for at, one, state in self.described():
            so = {thing for thing, is_so in held if self._serves(is_so, thing, state.goal)}
            which = state.goal not in PREPARED or (
                self.words[at - 1] == "the" and state.goal not in MADE
            )
            if so.isdisjoint(one.types) or which:
                yield self.words[at]

    def _worked_with(self, held: Pairs) -> Iterator[str]:
        """Yield what is cut or cleaned itself, though it is done by it, or there: ``into the bowl``."""
        for one, tool in self._pairs(frozenset(["with", "into", "onto"])):
            for at, ask in self.asked:
                works = ask.state in ("CLEAN", "SLICED", "BROKEN") and at < one.start
                if (
                    works
                    and (one.types & ask.of)
                    and any((t, ask.state) in held for t in tool.types)
                ):
                    yield self.said(tool)

    def _made_of_it(self, held: Pairs, places: Pairs) -> Iterator[str]:
        """Yield what gets hot by itself, though something else is cooked in it: ``boil it in the pot``."""
        for at, ask in self.asked:
            begin = at + 1 + (self.words[at + 1 : at + 2] == ["that"])
            back = self.words[begin : begin + 1] in (["it"], ["one"], ["that"], ["them"])
            spot = (
                self.object_at(begin + 2)
                if back and self.words[begin + 1 : begin + 2] == ["in"]
                else None
            )
            if ask.state in WARM and spot and not any(p in spot.types for p, _ in places):
                yield from (
                    kind for kind, state in sorted(held) if kind in spot.types and state in WARM
                )

    def _made_up(self, wish: Wish, held: Pairs, places: Pairs) -> Iterator[str]:
        """Yield the parts of a wish that no word asks for."""
        goals = (wish.goal,) if ORDERING & {*self.words} else (wish.goal, *wish.before)
        asked = {(a.args[0], a.args[-1]) for goal in goals for a, so in literals(goal) if so}
        yield from (f"{b.lower()} {a}" for a, b in sorted(asked) if (a, OPPOSITE.get(b)) in asked)
        yield from (*self._unsent(places), *self._back_where(wish))
        yield from (*self._carried_over(places), *self._where_it_was(places))
        yield from self._binned(places)
        yield from (
            *miscounted(self, wish, fewer=False),
            *self._not_let_be(places),
        )
        yield from (*self._worked_with(held), *self._made_of_it(held, places))
        asking = (w for w, told in zip(self.words, self.acts.told, strict=True) if not told)
        if wish.spared and SPARING.isdisjoint(asking):
            yield "never"
        if not wish.vague:
            yield from (*self._unspoken(places), *self._invented(held))

    def _not_done(self, held: Pairs) -> Iterator[str]:
        """Yield what is to be done to a thing that does not come of it, whatever happens to others."""
        for at, ask in self.asked:
            one = self.object_at(at + len(ask.word.split())) or self._related(at, ask)
            turns = ask.state in OPPOSITE
            if one is not None and at not in self.denied and (turns or ask.state in DONE):
                yield from self._undone(one, ask.state, held, turns=turns)

    def _unread(self) -> Iterator[str]:
        """Yield verbs that nobody knows and that say nothing else: ``dry it``."""
        asked = {at for at, _ in self.asked}
        for said in self.acts.said:
            head = self.acts.head(said.start, said.end)
            verb, behind = self.words[head.verb], range(head.verb + 1, said.end)
            known = verb in orders() | HELPING or self.home.nouns.find(verb) is not None
            known |= head.verb > said.start and not self.tokens[head.verb].text.islower()  # a name
            does = bool(behind) and (self.words[behind[0]] in _ITS or self.object_at(behind[0]))
            placed = any(self.words[n] in PREPOSITIONS | _AWAY | {"back"} for n in behind)
            if (
                said.act == "order" == head.mood
                and does
                and not (known or placed or asked & {*behind})
            ):
                yield verb

    def _related(self, at: int, ask: Asked) -> Named | None:
        """Return what a clause says has something done to it: ``the pan that you are to wash first``."""
        pairs = enumerate(pairwise(self.words[:at]))
        begins = [n for n, pair in pairs if pair in (("that", "you"), ("which", "you"))]
        end = begins[-1] - (self.words[begins[-1] - 1] == ",") if begins else -1
        able = NEEDED.get(ask.state, "pickupable")
        found = next((one for one in self.named if one.end == end), None)
        return found if found and self.home.usually(sorted(found.types), able) else None

    def _done_though_denied(self, held: Pairs) -> Iterator[str]:
        """Yield what is not to be done to a thing, and comes of it all the same."""
        wanted = {(kind, state) for state, one in self._done_to(False) for kind in one.types}
        for state, one in self._done_to(True):
            so = {thing for thing, is_so in held if self._serves(is_so, thing, state)}
            if any((kind, state) not in wanted for kind in so & one.types):
                yield self.said(one)

    def _done_to(self, denied: bool) -> Iterator[tuple[str, Named]]:
        """Yield what is named right behind a verb, with the state it is to be in, or is not to be in."""
        for at, ask in self.asked:
            one = self.object_at(at + len(ask.word.split()))
            if one is not None and ask.state in DONE and (at in self.denied) is denied:
                yield ask.state, one

    def _undone(self, one: Named, wanted: str, held: Pairs, *, turns: bool) -> Iterator[str]:
        """Yield what does not come to be in a state with what is listed behind it, where others do."""
        so = {thing for thing, state in held if self._serves(state, thing, wanted)}
        for each in self._with_others(one) if so else ():
            types = self._switched(each.types) if turns else each.types
            if so.isdisjoint(types):
                yield self.said(each)

    def _with_others(self, one: Named) -> list[Named]:
        """Return a thing with those listed behind it, where nothing else is said of the last."""
        lasts = [last for last in self.named if one in self.listed_to(last)]
        after = self.words[lasts[-1].end : lasts[-1].end + 1]
        ends = not after or after[0] in SEPARATING or after[0] == "in"
        return self.listed_to(lasts[-1]) if ends else [one]

    def object_at(self, at: int) -> Named | None:
        """Return the thing that is named right behind a verb."""
        while at < len(self.words) and self.words[at] in DETERMINERS:
            at += 1
        return next((one for one in self.named if one.start == at), None)

    def _undecided(self, wish: Wish) -> Iterator[str]:
        """Yield what makes all depend on something or leaves a choice: no wish waits for anything."""
        chosen = any(isinstance(part, Or) for part in conjuncts(wish.goal))
        chosen |= any(word not in self.home.there for word in words_of(wish.goal))  # any of a type
        for at, word in enumerate(self.words):
            fancied = not _FANCYING.isdisjoint(self.words[:at])  # ``it'd be nice if it were cold``
            if word == "unless" or (word == "if" and not fancied and not self.acts.told[at]):
                yield word
            if word == "free" and self.words[at - 1] == "-":
                yield word
            if word == "which" and not _MINDING.isdisjoint(self.words[max(at - 1, 0) : at]):
                yield from () if chosen else (word,)

    def _undenied(self, wish: Wish) -> Iterator[str]:
        """Yield ``neither``, ``less`` and ``only`` where a wish denies nothing."""
        denied = bool(wish.spared) or any(
            not so or atom.args[-1] in ("OFF", "CLOSED") for atom, so in literals(wish.goal)
        )
        if not denied:
            yield from (word for word in self.words if word in ("neither", "nor", "less"))
            yield from (w for at, w in enumerate(self.words) if w == "only" and self._is_alone(at))

    def _refused(self, held: Pairs) -> Iterator[str]:
        """Yield what a vague wish brings about although it is denied: ``don't make coffee``."""
        for at, ask in self.asked:
            so = any(t in ask.of and self._serves(state, t, ask.state) for t, state in held)
            if so and at in self.denied:
                yield f"not {ask.word}"
        yield from ("not need" for a, b in pairwise(self.words) if a in NEGATIONS and b in _NEEDING)

    def _unmanned(self, wish: Wish) -> Iterator[str]:
        """Yield names of robots and ``the first robot``, where it is all the same who does it."""
        team = len(self.home.graph.robots()) > 1 and not wish.barred
        if team:
            yield from (" ".join(self.written(at, at + 1)) for at in sorted(self.manned))
            yield from (b for a, b in pairwise(self.words) if b == "robot" and rank_of(a))

    def _unplaced(self, wish: Wish) -> Iterator[str]:
        """Yield verbs for putting something somewhere, where there are more of them than things are put."""
        puts = [
            self.words[verb]
            for one in self.acts.said
            if one.act in ASKING and (verb := self._placing(one)) is not None
            if not any(verb <= at < one.end for at, _ in self.asked)
            if NEGATIONS.isdisjoint(self.words[one.start : one.end])
            if not self._says_again(one)
        ]
        placed = {a for goal in (wish.goal, *wish.before) for a in self._placed(goal)}
        yield from puts if len(puts) > len(placed) else ()

    def _says_again(self, one: Said) -> bool:
        """``it belongs on the shelf. Put it there``: that puts nothing anywhere else."""
        words = self.words[one.start : one.end]
        return one.start > 0 and not self.acts.named(one.start, one.end) and words[-1] == "there"

    def _placed(self, goal: Formula) -> Iterator[Atom]:
        """Yield what a goal puts somewhere, or takes away."""
        for atom, _ in literals(goal):
            if atom.predicate == "contains" or EMPTY in atom.args:
                yield atom

    def _placing(self, one: Said) -> int | None:
        """Return where a clause orders that something is put somewhere."""
        head = self.acts.head(one.start, one.end)
        if head.mood == "told" and self.words[head.verb] in _GOING:
            return head.verb if not IN.isdisjoint(self.words[head.verb + 1 : one.end]) else None
        if head.mood == "order":
            return head.verb if self.words[head.verb] in placing() else None
        behind = (n for n in range(one.start, one.end - 1) if self.words[n + 1] in ("it", "them"))
        return next((n for n in behind if not head.mood and self.words[n] in placing()), None)

    def _is_alone(self, at: int) -> bool:
        """Return whether ``only`` shuts the others out: ``only the lamp should be on``."""
        follows = any(at < one.start <= at + 2 for one in self.named)
        return follows and any(n > at and ask.state in OPPOSITE for n, ask in self.asked)

    def is_whole(self, wish: Wish) -> bool:
        """Return whether a wish takes up all that was said, and nothing else."""
        return self.of(wish) == Account() and not any(self.untouched(wish))

    def _pairs_of(self, predicate: str, wish: Wish, *, lasting: bool = False) -> Pairs:
        """Return what a wish wants to be in which state, or where what, by types; ``lasting``, in the end."""
        type_of = self.home.type_of
        return {
            (type_of(atom.args[0]), type_of(atom.args[1]))
            for goal in (wish.goal, *(() if lasting else wish.before))
            for atom, so in literals(goal)
            if so and atom.predicate == predicate
        }

    def _is_met(self, ask: Asked, held: Pairs, places: Pairs) -> bool:
        having = self._having(ask, held)
        having |= {t for place, t in places if place == "Fridge" and ask.state == "COLD"}
        if ask.state == "FILLED":  # so are things by what goes into them
            having |= {place for place, _ in places if self.home.usually([place], "pickupable")}
            return not having.isdisjoint(ask.of or having)
        if ask.state == EMPTY:  # and by what goes elsewhere
            having |= {name for pair in places for name in pair}
        of = self._switched(ask.of)
        if ask.state in OPPOSITE and of:
            return not having.isdisjoint(of)
        return bool(having)

    def _having(self, ask: Asked, held: Pairs) -> set[str]:
        if ask.word in _WASHING:  # what is only cleared may still be dirty
            return {thing for thing, state in held if state == "CLEAN"}
        return {thing for thing, state in held if self._serves(state, thing, ask.state)}

    def _serves(self, state: str, thing: str, wanted: str) -> bool:
        """Return whether a state of a thing is the one that is asked for; what nobody cooks gets hot."""
        heated = wanted == "COOKED" and state == "HOT" and not self.home.edible(thing)
        return heated or state in _SAME.get(wanted, {wanted})

    def _invented(self, held: Pairs) -> Iterator[str]:
        """Yield states that no word asks for; a word that is denied asks for the opposite."""
        said = {ask.state for at, ask in self.asked if at not in self.denied}
        said |= self.hinted() | {"MOVED"}
        said |= {OPPOSITE.get(ask.state, "") for at, ask in self.asked if at in self.denied}
        said |= {"SLICED"} if "TOASTED" in said else set()
        said |= {state.goal for _, _, state in self.described()}
        for thing, state in sorted(held):
            asking = {word for word, serving in _SAME.items() if state in serving} | {state}
            unsaid = said.isdisjoint(WARM if state in WARM else asking)
            if unsaid or (state == EMPTY and not self._is_cleared(thing)):
                yield f"{state.lower()} {thing}"

    def _is_cleared(self, kind: str) -> bool:
        """Return whether a word clears a thing: ``all of it can live here`` clears nothing."""
        cleared = any(ask.state == EMPTY for _, ask in self.asked) or "nothing" in self.words
        left = any(kind in one.types and self._is_left_of(one) for one in self.named)
        away = any(a in OUT and b in _THERE for a, b in pairwise(self.words))
        return cleared or left or away or not _AWAY.isdisjoint(self.words)

    def _untold(self, wish: Wish) -> Iterator[str]:
        """Yield words that tell things apart, where a wish does not: ``the others``, ``with coffee``."""
        words = {w for goal in (wish.goal, *wish.before) for w in words_of(goal)}
        named = (words & set(self.home.there)) | {fact.subject for fact in wish.spared}
        for at, word in enumerate(self.words):
            lost = self._tells_apart(at) and not named
            lost = lost or self._takes_excepted(at, wish, named)
            if lost and not self.acts.told[at]:
                yield word

    def _tells_apart(self, at: int) -> bool:
        """Return whether a word tells some things from others: ``the others``, ``number two``."""
        word, after = self.words[at], self.words[at + 1 : at + 2]
        counted = bool(after) and count_of(after[0]) is not None
        some = self.words[at : at + 3] == ["not", "all", "of"]
        return some or word in ("others", "rest") or (word in ("other", "number") and counted)
