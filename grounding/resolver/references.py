"""References → choices among nodes, exactly, with the reasons; what is not clear is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from commonground.grounding.linking import Pool
from commonground.grounding.meaning import ELIDED, Reference, Relation, Several, Thing
from commonground.grounding.nodes import NodeKind
from commonground.grounding.resolver.amounts import choose
from commonground.grounding.resolver.anchors import ANY, AREA_FIRST, AnchorFinder
from commonground.grounding.resolver.attributes import keep_attributes, keep_clear
from commonground.grounding.resolver.candidates import Candidates, fitting
from commonground.grounding.resolver.choice import (
    Choice,
    Joined,
    Pick,
    Unclear,
    is_settled,
    only,
    symbols_of,
)
from commonground.grounding.resolver.geometry import COMPASS
from commonground.grounding.resolver.memory import remember
from commonground.grounding.resolver.relations import Narrowing, Relations, is_superlative
from commonground.grounding.resolver.scope import Reason, Scope
from commonground.grounding.resolver.wording import amount_is, describe, kind_of, listing, noun_of
from commonground.grounding.settings import GroundingSettings
from commonground.grounding.words.concepts import everyday
from commonground.grounding.words.layers import layer_of
from commonground.grounding.words.nouns import words_of
from commonground.grounding.world import World

MAX_CHOICES = 2000
"""Most alternatives written into one goal; beyond it the speaker is asked to be more precise."""

WHOLE_MAP = frozenset(
    [
        *words_of("site map world scene premises grounds"),
        "whole site",
        "entire site",
        "whole map",
        "entire map",
    ]
)
"""Words for all there is, where no area of the map is called so."""


class Resolver:
    """Grounds references on one world."""

    def __init__(self, world: World, settings: GroundingSettings) -> None:
        self.world, self.settings = world, settings
        self.candidates = Candidates(world, self.look_up)
        self.relations = Relations(world, settings, AnchorFinder(world, self.look_up).anchors)

    def resolve(
        self,
        reference: Reference,
        kinds: Sequence[NodeKind],
        scope: Scope,
        *,
        goal: bool = False,
        end: bool = False,
    ) -> Choice:
        """Return what a reference stands for, and remember it; Unclear if that cannot be said."""
        choice = self.look_up(reference, kinds, scope)
        remember(scope, reference, choice, goal=goal, end=end)
        return choice

    def look_up(self, reference: Reference, kinds: Sequence[NodeKind], scope: Scope) -> Choice:
        if isinstance(reference, Several):
            return self._several(reference, kinds, scope)
        self._check_kind(reference, kinds)
        known = self._each_of(reference, kinds, scope) or self._antecedent(reference, kinds, scope)
        return known or self._described(reference, kinds, scope)

    def _several(self, reference: Several, kinds: Sequence[NodeKind], scope: Scope) -> Choice:
        parts = []
        for thing in reference.things:
            parts.append(self.look_up(thing, kinds, scope))
            remember(scope, thing, parts[-1], part=True)
        picks = [part for part in parts if isinstance(part, Pick)]
        alike = len(picks) == len(parts) and len({p.kind for p in picks}) == 1
        if reference.join == "any" and alike:
            return Pick(picks[0].kind, tuple(o for p in picks for o in p.options))
        return Joined(reference.join, tuple(parts))

    def _check_kind(self, thing: Thing, kinds: Sequence[NodeKind]) -> None:
        if thing.kind == "robot":
            raise Unclear(f"'{describe(thing)}' is a robot; robots are not what tasks are done to.")
        if thing.kind != "thing" and thing.kind not in kinds:
            raise Unclear(f"'{describe(thing)}' is {kind_of(thing.kind)}; {_wanted(kinds)}.")

    def _antecedent(self, thing: Thing, kinds: Sequence[NodeKind], scope: Scope) -> Choice | None:
        """Return the antecedent where nothing else is said of it: the very same choice."""
        plain = not (thing.where or thing.but or thing.color or thing.ids or thing.among)
        if (thing.of is None and not thing.again) or not plain:
            return None
        return self.candidates.back.antecedent(thing, fitting(thing, kinds), scope)

    def _each_of(self, thing: Thing, kinds: Sequence[NodeKind], scope: Scope) -> Choice | None:
        """``A box in each lot``: one answer for each of the anchors, all of them together."""
        for i, relation in enumerate(thing.where):
            symbols = self._spread_over(thing, relation, scope)
            if len(symbols) < 2:
                continue
            parts = []
            for symbol in symbols:
                here = replace(relation, to=(Thing(ids=(symbol,)),))
                where = (*thing.where[:i], here, *thing.where[i + 1 :])
                parts.append(self.look_up(replace(thing, where=where), kinds, scope))
            return Joined("all", tuple(parts))
        return None

    def _spread_over(self, thing: Thing, relation: Relation, scope: Scope) -> list[str]:
        """Return the nodes over which a relation spreads: those of ``each``, and areas for single things."""
        anchor = relation.to[0] if len(relation.to) == 1 else None
        if not isinstance(anchor, Thing) or anchor.amount != "all" or relation.negated:
            return []
        orders = relation.how in ("nearest", "farthest")
        each = anchor.count == 1 and (orders or relation.how == "near")
        single = thing.amount != "all" and (relation.how == "in" or each)
        if not (single or (each and orders)):
            return []
        found = self.look_up(anchor, AREA_FIRST if relation.how == "in" else ANY, scope)
        return symbols_of(found) if is_settled(found) else []

    # ---- descriptions ---------------------------------------------------------------------------

    def _described(self, thing: Thing, kinds: Sequence[NodeKind], scope: Scope) -> Choice:
        """Try the layers in turn; the first with an answer has it, else the first question is asked."""
        if len(thing.where) > 1:
            thing = replace(thing, where=tuple(self._of_areas(thing.where)))
        problem: Unclear | None = None
        for pool in self.candidates.pools(thing, kinds, scope):
            try:
                return self._chosen(thing, pool, scope)
            except Unclear as unclear:
                problem = problem or unclear
        raise problem or self._unknown(thing, kinds)

    def _of_areas(self, where: Sequence[Relation]) -> list[Relation]:
        """Return relations, those to areas of the area they follow: ``in the room next to the kitchen``."""
        out: list[Relation] = []
        for relation in where:
            area = _some_area(out[-1]) if out else None
            if area is not None and self._tells_area(relation):
                out[-1] = replace(out[-1], to=(replace(area, where=(relation,)),))
            else:
                out.append(relation)
        return out

    def _tells_area(self, relation: Relation) -> bool:
        """Return whether a relation is one to areas alone, as rooms have it to rooms."""
        nouns = [to.noun for to in relation.to if isinstance(to, Thing)]
        found = [self.world.pools(noun, ANY) for noun in nouns if noun]
        beside = relation.how == "near" or relation.how in COMPASS
        areas = all(pools and pools[0].nodes.kind == "region" for pools in found)
        return beside and areas and len(found) == len(relation.to) > 0

    def _chosen(self, thing: Thing, pool: Pool, scope: Scope) -> Choice:
        """Narrow the candidates by every condition, order them, and take as many as are meant."""
        narrowing = Narrowing(pool)
        thing = replace(thing, where=tuple(r for r in thing.where if not self._anywhere(r)))
        try:
            choice = self._narrowed(thing, narrowing, scope)
        except Unclear as unclear:
            told = self._told(unclear, pool, thing)
            if not told:
                raise
            choice = only(pool.nodes.kind, told)
        scope.reasons.append(_reason(thing, choice, narrowing))
        return choice

    def _narrowed(self, thing: Thing, narrowing: Narrowing, scope: Scope) -> Pick:
        """Keep what every condition holds of; where a thing is tells what else is there."""
        thing = keep_attributes(self.world, narrowing, thing)
        single = thing.amount == "the" or thing.count == 1
        orders = [r for r in thing.where if is_superlative(r, narrowing.pool.nodes.kind)]
        for relation in sorted(thing.where, key=lambda one: one.how != "in"):
            if relation not in orders:
                self.relations.narrow(narrowing, relation, scope, single=single)
        if len(narrowing.pool.rows) > 0:
            if thing.but and thing.total == len(narrowing.pool.rows):
                thing = replace(thing, total=None)  # counted before anything is left out
            self._take_away(narrowing, thing, scope)
        return self._choice(thing, narrowing, orders, scope)

    def _choice(
        self, thing: Thing, narrowing: Narrowing, orders: Sequence[Relation], scope: Scope
    ) -> Pick:
        """Order what is left, and take as many as are meant."""
        keep_clear(narrowing, thing, self.world.witness, ordered=bool(orders))
        for relation in orders:
            self._order(narrowing, relation, thing, scope)
        if len(narrowing.pool.rows) == 0:
            raise _nothing_left(thing, narrowing)
        return choose(thing, narrowing, scope, ordered=bool(orders), limit=MAX_CHOICES)

    def _told(self, unclear: Unclear, pool: Pool, thing: Thing) -> list[str]:
        """Return what the speaker has answered already to a question; nothing if it is still open.

        Who points at a thing means it, also where the description does not hold of it.
        """
        known = set(pool.symbols()) & set(unclear.candidates)
        told = [symbol for symbol in self.world.answers if symbol in known]
        wanted = thing.total or thing.count or (len(told) if thing.amount == "all" else 1)
        return told if len(told) == wanted else []

    def _anywhere(self, relation: Relation) -> bool:
        """Return whether a condition is the whole map: every bike *on site*."""
        anchor = relation.to[0] if len(relation.to) == 1 else None
        if not isinstance(anchor, Thing) or anchor.where or anchor.color or anchor.of:
            return False
        inside = relation.how in ("in", "on") and not relation.negated
        return inside and anchor.noun in WHOLE_MAP and not self.world.pools(anchor.noun, ANY)

    def _take_away(self, narrowing: Narrowing, thing: Thing, scope: Scope) -> None:
        for but in thing.but:
            if self._is_nowhere(but, thing, narrowing.pool, scope):
                continue
            gone = set(self._exceptions(but, thing, narrowing.pool, scope))
            remember(scope, but, only(narrowing.pool.nodes.kind, sorted(gone)), aside=True)
            keep = np.array([s not in gone for s in narrowing.pool.symbols()], bool)
            if keep.all():
                whole = describe(replace(thing, but=()))
                raise Unclear(f"{describe(but)} is not among {whole}.")
            narrowing.keep(keep, "excepted")

    def _exceptions(self, but: Reference, thing: Thing, pool: Pool, scope: Scope) -> list[str]:
        """Resolve an exception; one of the same noun is looked for among the candidates only."""
        if isinstance(but, Several):
            return [s for t in but.things for s in self._exceptions(t, thing, pool, scope)]
        if but.noun in (thing.noun, ELIDED) and but.of is None and not but.ids:
            if but.amount == "any":
                noun = noun_of(thing, many=False)
                raise Unclear(f"Which {noun} is the exception?", pool.symbols())
            return symbols_of(self._chosen(replace(but, noun=thing.noun), pool, scope))
        shared = self._among(but, pool)
        if shared is not None:
            return symbols_of(self._chosen(but, shared, scope))
        return symbols_of(self.look_up(but, ANY, scope))

    def _is_nowhere(self, but: Reference, thing: Thing, pool: Pool, scope: Scope) -> bool:
        """Return whether none of some candidates is where an exception is: then nothing is left out."""
        if not isinstance(but, Thing) or not but.where or but.noun not in (ELIDED, thing.noun):
            return False
        plain = but == Thing(noun=but.noun, where=but.where, amount=but.amount, mark=but.mark)
        here = Narrowing(pool)
        for relation in but.where if plain else ():
            if relation.how not in ("in", "on"):
                return False
            self.relations.narrow(here, relation, scope, single=False)
        return plain and len(here.pool.rows) == 0

    def _among(self, but: Thing, pool: Pool) -> Pool | None:
        """Return the candidates that an exception's own noun means: those left out are among them."""
        if but.ids or but.again or but.of is not None or but.among is not None:
            return None
        for own in self.world.candidates(but.noun, (pool.nodes.kind,)) if but.noun else ():
            rows = own.rows[np.isin(own.rows, pool.rows)]
            if len(rows):
                return own.of(rows)
        return None

    def _order(self, narrowing: Narrowing, relation: Relation, thing: Thing, scope: Scope) -> None:
        """Apply a superlative; a compass word picks by proper name first (``the north lot``)."""
        pool = narrowing.pool
        if not relation.to and relation.how not in ("nearest", "farthest"):
            named = self.world.with_first_part(pool, relation.how)
            if len(named):
                narrowing.keep(np.isin(pool.rows, named), f"not named {relation.how}")
                return
            if relation.how in COMPASS and self._otherwise_named(pool):
                narrowing.keep(np.zeros(len(pool.rows), bool), f"not named {relation.how}")
                return
        k = 1
        if thing.amount == "all":
            if thing.total is None and len(pool.rows) > 1:
                question = f"How many {noun_of(thing)} are meant in '{describe(thing)}'?"
                raise Unclear(question, pool.symbols())
            k = thing.total or 1
        elif thing.amount == "any":
            k = thing.count or 1
        self.relations.best(narrowing, relation, scope, k=k)

    def _otherwise_named(self, pool: Pool) -> bool:
        """Return whether each of them is named by another side: the east lot is no north one."""
        named = [row for how in COMPASS for row in self.world.with_first_part(pool, how)]
        return len(set(named)) == len(pool.rows)

    def _unknown(self, thing: Thing, kinds: Sequence[NodeKind]) -> Unclear:
        """Say that the map has no such thing, or has it as something that does not fit."""
        elsewhere = self.world.pools(thing.noun, ANY)
        if elsewhere:
            pool = elsewhere[0]
            single = len(pool.rows) == 1
            what = f"{listing(pool.symbols())} {amount_is(len(pool.rows), number=False)}"
            kind = kind_of(pool.nodes.kind, many=not single)
            way = (
                f" For a way through it say 'via the {thing.noun}'." if _is_way(pool, kinds) else ""
            )
            told = f"'{thing.noun}' does not fit here: {what} {kind}; {_wanted(kinds)}.{way}"
            return Unclear(told)
        if self.world.robot(thing.noun) is not None:
            return Unclear(
                f"{thing.noun} is a robot, and robots do not stay where they are. Where is meant?"
            )
        hint = self.world.similar(thing.noun)
        if self.world.blind:
            hint += f" Its looks could not be compared: {self.world.blind}."
        missing = f"There is no {noun_of(thing, many=False)} on this map.{hint}"
        # what no list has may be a thing of this map by a name that others know
        return Unclear(missing, ruled_out=bool(everyday().senses(thing.noun)))


def _is_way(pool: Pool, kinds: Sequence[NodeKind]) -> bool:
    """Return whether an area is named where a thing is wanted, as who says by which way to go does."""
    return pool.nodes.kind == "region" and tuple(kinds) == ("object",)


def _wanted(kinds: Sequence[NodeKind]) -> str:
    """Say what may be named instead."""
    return f"only {' or '.join(kind_of(kind, many=True) for kind in kinds)} can be meant"


def _nothing_left(thing: Thing, narrowing: Narrowing) -> Unclear:
    """Say which condition ruled out the last candidates."""
    if not narrowing.excluded:
        return Unclear(f"There is no {noun_of(thing, many=False)}.")
    why, gone = narrowing.excluded[-1]
    what = describe(replace(thing, amount="the", total=None)).removeprefix("the ")
    verb = "is" if len(gone) == 1 else "are"
    return Unclear(f"There is no {what}: {listing(gone)} {verb} {why}.", gone)


def _reason(thing: Thing, choice: Choice, narrowing: Narrowing) -> Reason:
    return Reason(
        describe(thing),
        tuple(symbols_of(choice)),
        narrowing.candidates,
        tuple(narrowing.excluded),
        narrowing.pool.note,
    )


def _some_area(relation: Relation) -> Thing | None:
    """Return the area that a thing is said to be in, where nothing more is said of it."""
    area = relation.to[0] if len(relation.to) == 1 else None
    if relation.how != "in" or relation.negated or not isinstance(area, Thing):
        return None
    other = layer_of(area.noun) != "region" if area.noun else area.kind != "region"
    told = other or area.ids or area.of or area.where or area.again or area.amount != "the"
    return None if told else area
