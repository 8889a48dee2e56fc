"""Antecedents of pronouns, ``the other``, ``the former``: which nodes a reference back means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from commonground.grounding.meaning import ELIDED, Thing
from commonground.grounding.nodes import NodeKind
from commonground.grounding.resolver.choice import (
    Choice,
    Joined,
    Pick,
    Rest,
    Unclear,
    is_settled,
    only,
    symbols_of,
)
from commonground.grounding.resolver.memory import Mention
from commonground.grounding.resolver.scope import Scope
from commonground.grounding.resolver.wording import describe, kind_of, listing
from commonground.grounding.world import World


class Back:
    """Finds antecedents in what was said before."""

    def __init__(self, world: World) -> None:
        self.world = world

    def antecedent(self, thing: Thing, kinds: Sequence[NodeKind], scope: Scope) -> Choice | None:
        """Return what a reference refers back to.

        With a noun (``that box``) there may be nothing: then None, and the noun decides. Without one,
        nothing to refer to is a question.
        """
        if thing.again:
            return self._marked(thing, kinds, scope)
        rows = self._named(thing, kinds)
        if thing.of == "here":
            return self._here(scope)
        if thing.of == "other":
            return self._other(thing, kinds, rows, scope)
        if thing.of in ("former", "latter"):
            return self._of_two(thing, kinds, scope)
        if thing.of == "there":
            mention = scope.memory.place()
        elif thing.of == "it":
            mention = scope.memory.single(kinds, rows, handling=scope.handling)
        else:
            return self._them(thing, kinds, rows, scope)
        if mention is None:
            return self._nothing(thing)
        if mention.vague:
            raise Unclear(f"Which of {listing(mention.symbols)} is meant?", mention.symbols)
        return mention.choice

    def _here(self, scope: Scope) -> Choice:
        """Return the place where the robot stands that is addressed."""
        place = self.world.nearest_place(scope.robot.position)
        if place is None:
            raise Unclear("The map has no places, so I cannot tell where the robot stands.")
        return only("place", (place,))

    def _marked(self, thing: Thing, kinds: Sequence[NodeKind], scope: Scope) -> Choice | None:
        """Return the very things that are taken up again, all of them or some."""
        mentions = [scope.memory.marked(mark) for mark in thing.again]
        several = len(mentions) > 1 and (thing.amount == "any" or thing.total is not None)
        each = replace(thing, amount="all", count=None, total=None) if several else thing
        choices = [self._taken_up(m, each) for m in mentions if m is not None]
        if len(choices) < len(mentions):
            return self._nothing(replace(thing, of="it"))
        wrong = [m for m in mentions if m is not None and m.kind not in kinds]
        if wrong:
            raise Unclear(
                f"{listing(wrong[0].symbols)}: {kind_of(wrong[0].kind)} does not fit here."
            )
        if len(choices) == 1:
            return choices[0]
        every = Joined("all", tuple(filter(None, choices)))
        return self._part_of(every, len(symbols_of(every)), thing) if several else every

    def _taken_up(self, mention: Mention, thing: Thing) -> Choice | None:
        if isinstance(mention.choice, Pick) and mention.choice.open:
            if thing.amount == "any" and thing.count == mention.size:
                return mention.choice
            if thing.amount == "all" and mention.size == 1 and not mention.vague:
                return self._part_of(
                    only(mention.kind, mention.symbols), len(mention.symbols), thing
                )
        if mention.vague:
            raise Unclear(f"Which of {listing(mention.symbols)} is meant?", mention.symbols)
        return self._part_of(mention.choice, mention.size, thing)

    def _named(self, thing: Thing, kinds: Sequence[NodeKind]) -> set[str] | None:
        if not thing.noun or thing.noun == ELIDED:
            return None
        return {s for pool in self.world.candidates(thing.noun, kinds) for s in pool.symbols()}

    @staticmethod
    def _nothing(thing: Thing) -> Choice | None:
        if thing.noun and thing.noun != ELIDED and thing.of in ("it", "them"):
            return None
        raise Unclear(f"What does '{describe(thing)}' mean? Nothing said before fits.")

    def _of_two(self, thing: Thing, kinds: Sequence[NodeKind], scope: Scope) -> Choice:
        two = scope.memory.last_two(kinds) or scope.memory.last_two(("object", "region", "place"))
        if two is None:
            raise Unclear(f"'{describe(thing)}' of which two things?")
        return two[0 if thing.of == "former" else 1]

    def _them(
        self, thing: Thing, kinds: Sequence[NodeKind], rows: set[str] | None, scope: Scope
    ) -> Choice | None:
        """The last several things spoken of at once; ``both`` may also be the last two things."""
        mention = scope.memory.several(kinds, rows)
        fits = mention is not None and (thing.total != 2 or mention.size == 2)
        two = scope.memory.last_two(kinds) if rows is None and thing.total in (None, 2) else None
        if two is not None and not fits:
            return self._part_of(Joined("all", two), 2, thing)
        if mention is None:
            return self._nothing(thing)
        if mention.vague and (thing.amount != "any" or thing.count != 1):
            raise Unclear(f"Which of {listing(mention.symbols)} are meant?", mention.symbols)
        return self._part_of(mention.choice, mention.size, thing)

    def _part_of(self, choice: Choice, size: int, thing: Thing) -> Choice | None:
        """Return what a reference means of the things spoken of: all of them, or some."""
        if thing.total is not None and thing.total != size:
            raise Unclear(f"There are {size} ({listing(symbols_of(choice))}), not {thing.total}.")
        return self._some_of(choice, thing) if thing.amount == "any" else choice

    def _some_of(self, choice: Choice, thing: Thing) -> Choice | None:
        """``One of them``: left to the general rule for amounts, on the same set."""
        from itertools import combinations
        from math import comb

        symbols, n = symbols_of(choice), thing.count
        found = self.world.find(symbols[0])
        if n is None or not is_settled(choice) or found is None:
            raise Unclear(f"How many of {listing(symbols)} are meant?", symbols)
        if n > len(symbols) or comb(len(symbols), n) > 2000:
            raise Unclear(f"{n} of {len(symbols)}: which are meant?", symbols)
        return Pick(found[0].kind, tuple(combinations(symbols, n)))

    def _other(
        self, thing: Thing, kinds: Sequence[NodeKind], rows: set[str] | None, scope: Scope
    ) -> Choice:
        """The set without what was taken of it: the set spoken of, else everything of the class."""
        taken = self._taken(kinds, rows, scope)
        if not taken:
            raise Unclear(f"'{describe(thing)}': other than which?")
        last, whole = self._last_of_several(thing, taken, rows, scope)
        if isinstance(last.choice, Pick) and last.choice.open:
            self._check_left(thing, len(whole) - last.size, whole)
            return Rest(last.choice, tuple(whole))
        gone = {s for m in taken if m.size < len(whole) and is_settled(m.choice) for s in m.symbols}
        rest = [s for s in whole if s not in gone]
        self._check_left(thing, len(rest), rest)
        return only(last.kind, rest)

    def _last_of_several(
        self, thing: Thing, taken: Sequence[Mention], rows: set[str] | None, scope: Scope
    ) -> tuple[Mention, list[str]]:
        """Return what was spoken of last of a larger set, and that; of the only fence there is no other."""
        for mention in reversed([m for m in taken if not m.aside] or taken[-1:]):
            whole = self._whole(mention, rows, scope)
            if len(whole) > mention.size:
                return mention, whole
        raise Unclear(f"'{describe(thing)}': there is no other.")

    @staticmethod
    def _taken(kinds: Sequence[NodeKind], rows: set[str] | None, scope: Scope) -> list[Mention]:
        """Return what was spoken of that ``the other`` is not."""
        spoken = [m for m in scope.memory.mentions if m.kind in kinds and not m.stated]
        return [m for m in spoken if rows is None or rows.issuperset(m.symbols)]

    def _whole(self, last: Mention, rows: set[str] | None, scope: Scope) -> list[str]:
        wanted = set(last.symbols)
        for mention in reversed(scope.memory.mentions):
            larger = mention.size > last.size and wanted <= set(mention.symbols)
            named = rows is None or rows.issuperset(mention.symbols)
            if larger and named and is_settled(mention.choice):
                return mention.symbols
        if rows is not None:
            return sorted(rows, key=lambda s: (s[0], int(s[1:])))
        if isinstance(last.choice, Pick) and last.choice.open:
            return last.symbols
        pools = self.world.candidates(last.noun, (last.kind,)) if last.noun else []
        return pools[0].symbols() if pools else last.symbols

    @staticmethod
    def _check_left(thing: Thing, left: int, symbols: Sequence[str]) -> None:
        if left < 1:
            raise Unclear(f"'{describe(thing)}': there is no other.")
        if left > 1 and thing.amount == "the":
            raise Unclear(
                f"'{describe(thing)}': there are {left} others, {listing(symbols)}.", symbols
            )
        if thing.amount == "any" or (thing.total is not None and thing.total != left):
            raise Unclear(f"'{describe(thing)}': which of {listing(symbols)} are meant?", symbols)
