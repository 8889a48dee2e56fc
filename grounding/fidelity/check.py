"""Whether a meaning is faithful to its text: what the text says is in it, and nothing else is.

The check knows what can be told by words alone: symbols, robots, numbers, nouns, choices, negations and
the order of what is done. It holds for every source of meaning. A model is told what is wrong; where that
does not help, and of all other sources, the speaker is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from commonground.grounding.english.indifference import remarks_of_choice
from commonground.grounding.english.parts import parts_of
from commonground.grounding.english.tokens import tokens_of
from commonground.grounding.fidelity import (
    bans,
    cues,
    deeds,
    departures,
    ends,
    excluded,
    extremes,
    fine,
    moods,
    narrowing,
    negation,
    numbers,
    order,
    picks,
    ranked,
    robots,
    symbols,
    turns,
    undoable,
    unheld,
    verbs,
)
from commonground.grounding.fidelity.anchors import Anchors
from commonground.grounding.fidelity.clauses import Wording
from commonground.grounding.fidelity.corrections import kept_all_the_same, taken_back, withdrawn
from commonground.grounding.fidelity.denials import denials
from commonground.grounding.fidelity.further import unread_further, unread_sentences
from commonground.grounding.fidelity.harm import harmful
from commonground.grounding.fidelity.held import Held, wanted_acts
from commonground.grounding.fidelity.kinds import meant_with_kinds, with_kinds
from commonground.grounding.fidelity.nouns import (
    lost_nouns,
    named_at,
    nouns_said,
)
from commonground.grounding.fidelity.unknown import heads_in
from commonground.grounding.meaning import Instruction, Thing
from commonground.grounding.words.blanks import blanked
from commonground.grounding.words.tokens import tokenize
from commonground.grounding.world import World

Check = Callable[[Held], Iterator[str]]
_BY_WORDS: tuple[Check, ...] = (
    symbols.wrong_symbols, robots.wrong_robots, robots.strangers, numbers.wrong_numbers,
    excluded.lost_negation, negation.doubled_exception, negation.misplaced_negation,
    negation.denied_ban, negation.avoided_before, negation.forbidden_for_left_out, negation.wrong_sides,
    robots.denied_robots, robots.messengers, robots.handed_over, robots.wrong_hands,
    robots.undescribed, robots.left_open,
)  # fmt: skip
"""What can be told without a map."""
_OF_ORDER: tuple[Check, ...] = (order.wrong_order, ranked.wrong_ranks)
"""What tells things apart by their symbols where they are named so, not by a class that they share."""
_OF_THINGS: tuple[Check, ...] = (
    extremes.wrong_extremes, narrowing.only_left_out, narrowing.lost_sides, narrowing.lost_others,
    picks.lost_picks, picks.lost_least, picks.lost_shares, picks.lost_differences, picks.lost_everybody,
    picks.lost_another, picks.other_than_one, bans.lost_neither, bans.contrasted,
    bans.banned_before, bans.lost_for_some, bans.unheld_bounds,
)  # fmt: skip
_OF_THE_WHOLE: tuple[Check, ...] = (
    verbs.wrong_verbs, moods.unordered, turns.wrong_turns, turns.undivided, turns.left_out_of_all,
    fine.inspected_though_fine, undoable.other_deeds, deeds.wrong_choices, deeds.unsaid_bans,
    deeds.wrong_deeds, deeds.wrong_limits, cues.wrong_cues, departures.reversed_departures,
    ends.lost_ends, ends.lost_waits, ends.lost_news, unheld.unheld,
)  # fmt: skip

YES_OR_NO = "Please say yes, or say it in other words."


class Objection(NamedTuple):
    """What one check has against a meaning of a text."""

    check: str
    says: str
    aside: bool = False
    """Whether it is only to words that are taken for talk."""


class Fidelity:
    """Holds meanings against their texts, on one map for one team."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.robots = [robot.name for robot in world.team]
        layers = (world.objects, world.regions)
        self._names = [
            n.casefold() for nodes in layers for n in (*nodes.names, *nodes.by_class) if n
        ]
        things, areas = (
            {n.casefold().replace("_", " ").split()[-1] for n in (*x.names, *x.by_class) if n}
            for x in layers
        )
        self._things = things - areas
        self._anchors = Anchors(world)
        # several readings of a text come to the same meaning
        self._known = lru_cache(maxsize=256)(self._found)

    def doubts(self, meaning: Instruction, text: str, counted: Collection[int] = ()) -> list[str]:
        """Return what is wrong with a meaning of a text, each in a sentence; nothing where all of it fits.

        ``counted`` is how many things the goals of the meaning come to, where it has any.
        """
        return [found.says for found in self.objections(meaning, text, counted)]

    def objections(
        self, meaning: Instruction, text: str, counted: Collection[int] = ()
    ) -> tuple[Objection, ...]:
        """Return the doubts, each with the check that has it."""
        return self._known(meaning, text, frozenset(counted))

    def _found(
        self, meaning: Instruction, text: str, counted: frozenset[int]
    ) -> tuple[Objection, ...]:
        said, plain = text, meaning
        text, kinds = with_kinds(text, self.world)
        meaning = meant_with_kinds(meaning, kinds)
        nouns = {thing.noun.casefold() for thing in parts_of(meaning, Thing) if thing.noun}
        nouns |= nouns_said(text, self.world)
        unsaid = withdrawn(text, nouns, self.robots)
        named = {*nouns, *heads_in(Wording(tokenize(text), self.robots))}
        taken = taken_back(text, named, self.robots)
        held = Held(meaning, blanked(text, (one[1:] for one in taken)), self.robots, counted)
        gone = (one[1:] for one in taken_back(said, nouns, self.robots))
        as_said = Held(plain, blanked(said, gone), self.robots, counted) if kinds else held
        left = (
            held.span(one.first, one.end)
            for one in denials(held)
            if one.kind == "leaves" and one.first < one.end
        )
        needed = blanked(held.text, (*fine.said_fine(held.text), *left))
        words = [t.text.casefold() for t in tokens_of(needed)]
        colors = extremes.wrong_colors(held, named_at(held.text, self.world))
        return (
            *_objections(
                held,
                (*_BY_WORDS, self._anchors.denied, self._anchors.unfounded, self._anchors.unbidden),
            ),
            *_objections(as_said, _OF_ORDER),
            *_all_of("kept_all_the_same", kept_all_the_same(meaning, held.text, taken)),
            *_all_of("withdrawn", unsaid),
            *_objections(held, _OF_THINGS),
            *_all_of("wrong_colors", colors),
            *_all_of("lost_nouns", lost_nouns(held, words, self.world)),
            *_objections(held, (unread_further, unread_sentences)),
            *_objections(held, _OF_THE_WHOLE),
            *_all_of("harmful", harmful(held, self._things)),
        )

    def strange(self, text: str, meaning: Instruction | None = None) -> list[str]:
        """Return what a text wants done that the vocabulary has no word for, and no deed of a meaning is."""
        text = blanked(text, ((one.start, one.end) for one in remarks_of_choice(text)))
        text, kinds = with_kinds(text, self.world)
        said = Wording(tokenize(text), self.robots)
        meaning = meaning and meant_with_kinds(meaning, kinds)
        done = () if meaning is None else [act.do for act in wanted_acts(meaning)]
        return list(undoable.unheard_of(said, self._names, done))

    def refuses(self, text: str) -> bool:
        """Return whether a text wants harm, or what no robot can do: no other reading of it is offered."""
        said = Wording(tokenize(text), self.robots)
        return any(harmful(said, self._things)) or bool(self.strange(text))


def unfaithful(
    meaning: Instruction, text: str, robots: Sequence[str], counted: Collection[int] = ()
) -> list[str]:
    """Return what is wrong with a meaning, as far as can be told without a map."""
    held = Held(meaning, text, robots, counted)
    return [found.says for found in _objections(held, (*_BY_WORDS, *_OF_ORDER))]


def _objections(held: Held, checks: Sequence[Check]) -> Iterator[Objection]:
    for check in checks:
        yield from _all_of(check.__name__, check(held))


def _all_of(check: str, doubts: Iterable[str]) -> Iterator[Objection]:
    return (Objection(check, doubt) for doubt in doubts)


def doubtful(doubts: Sequence[str], understood: str = "", *, offers: bool = False) -> str:
    """Return the question about a meaning that does not fit its text; one that is offered takes a yes."""
    known = f" I understood: {understood}." if understood else ""
    wanted = YES_OR_NO if offers else "Could you say it differently?"
    return f"I am not sure what is meant: {'; '.join(doubts)}.{known} {wanted}"
