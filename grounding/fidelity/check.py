"""Whether a meaning is faithful to its text: what the text says is in it, and nothing else is.

The check knows what can be told by words alone: symbols, robots, numbers, nouns, choices, negations and
the order of what is done. It holds for every source of meaning. A model is told what is wrong; where that
does not help, and of all other sources, the speaker is asked.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from commonground.grounding.english.indifference import remarks_of_choice
from commonground.grounding.english.parts import parts_of
from commonground.grounding.english.tokens import tokens_of
from commonground.grounding.fidelity.announced import undivided
from commonground.grounding.fidelity.corrections import (
    kept_all_the_same,
    taken_back,
    withdrawn,
)
from commonground.grounding.fidelity.cues import wrong_cues
from commonground.grounding.fidelity.deeds import wrong_choices, wrong_deeds, wrong_limits
from commonground.grounding.fidelity.departures import reversed_departures
from commonground.grounding.fidelity.ends import lost_ends
from commonground.grounding.fidelity.extremes import wrong_colors, wrong_extremes
from commonground.grounding.fidelity.fine import inspected_though_fine, said_fine
from commonground.grounding.fidelity.harm import harmful
from commonground.grounding.fidelity.joints import reasons, unjoined
from commonground.grounding.fidelity.moods import unordered
from commonground.grounding.fidelity.narrowing import (
    lost_clauses,
    lost_others,
    lost_sides,
    lost_superlatives,
    places_for_things,
)
from commonground.grounding.fidelity.negation import (
    avoided_before,
    forbidden_for_left_out,
    lost_negation,
    misplaced_negation,
    wrong_sides,
)
from commonground.grounding.fidelity.nouns import lost_nouns, nouns_said
from commonground.grounding.fidelity.numbers import wrong_numbers
from commonground.grounding.fidelity.order import wrong_order
from commonground.grounding.fidelity.picks import (
    lost_differences,
    lost_everybody,
    lost_neither,
    lost_picks,
    lost_shares,
)
from commonground.grounding.fidelity.robots import (
    handed_over,
    messengers,
    strangers,
    without_others,
    wrong_hands,
    wrong_robots,
)
from commonground.grounding.fidelity.symbols import wrong_symbols
from commonground.grounding.fidelity.turns import wrong_turns
from commonground.grounding.fidelity.undoable import only_gone_to, unheard_of
from commonground.grounding.fidelity.verbs import wrong_verbs
from commonground.grounding.fidelity.waits import lost_news, lost_waits
from commonground.grounding.language.tokens import tokenize
from commonground.grounding.meaning import Instruction, Thing
from commonground.grounding.words.blanks import blanked
from commonground.grounding.world import World


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

    def doubts(self, meaning: Instruction, text: str, counted: Collection[int] = ()) -> list[str]:
        """Return what is wrong with a meaning of a text, each in a sentence; nothing where all of it fits.

        ``counted`` is how many things the goals of the meaning come to, where it has any.
        """
        nouns = {thing.noun.casefold() for thing in parts_of(meaning, Thing) if thing.noun}
        nouns |= nouns_said(text, self.world)
        unsaid = withdrawn(text, nouns, self.robots)
        taken = taken_back(text, nouns, self.robots)
        text = blanked(text, (one[1:] for one in taken))
        tokens = tokenize(text)
        words = [token.text.casefold() for token in tokens_of(text)]
        needed = [t.text.casefold() for t in tokens_of(blanked(text, said_fine(text)))]
        return [
            *unfaithful(meaning, text, self.robots, counted),
            *kept_all_the_same(meaning, text, taken),
            *unsaid,
            *wrong_extremes(meaning, tokens),
            *lost_superlatives(meaning, tokens),
            *lost_sides(meaning, tokens),
            *places_for_things(meaning, tokens),
            *lost_others(meaning, tokens),
            *lost_picks(meaning, tokens),
            *lost_shares(meaning, tokens),
            *lost_differences(meaning, tokens),
            *lost_everybody(meaning, tokens),
            *lost_neither(meaning, text, self.robots),
            *lost_clauses(meaning, tokens),
            *unjoined(meaning, tokens, self.robots),
            *reasons(meaning, tokens, self.robots),
            *wrong_colors(meaning, tokens, self._names),
            *wrong_verbs(meaning, tokens),
            *unordered(meaning, tokens, self.robots),
            *wrong_turns(meaning, tokenize(without_others(text, self.robots)), self.robots),
            *lost_nouns(meaning, needed, self.world),
            *inspected_though_fine(meaning, text),
            *wrong_choices(meaning, text, words),
            *wrong_deeds(meaning, text, words),
            *wrong_cues(meaning, text),
            *wrong_limits(words, self.robots),
            *undivided(meaning, tokens, self.robots),
            *lost_ends(meaning, tokens),
            *reversed_departures(meaning, text),
            *lost_waits(meaning, text, self.robots),
            *lost_news(meaning, text, self.robots),
            *only_gone_to(meaning, tokens, self.robots),
            *harmful(tokens, self.robots, self._things),
        ]

    def strange(self, text: str) -> list[str]:
        """Return what a text wants done that the vocabulary has no word for; a model may know better."""
        text = blanked(text, ((one.start, one.end) for one in remarks_of_choice(text)))
        return list(unheard_of(tokenize(text), self.robots, self._names))


def unfaithful(
    meaning: Instruction, text: str, robots: Sequence[str], counted: Collection[int] = ()
) -> list[str]:
    """Return what is wrong with a meaning, as far as can be told without a map."""
    tokens = tokenize(text)
    others_left_out = tokenize(without_others(text, robots))
    return [
        *wrong_symbols(meaning, tokens),
        *wrong_robots(meaning, text, robots),
        *strangers(meaning, tokens, robots),
        *wrong_numbers(meaning, tokens, {*counted, *_crew_sizes(meaning, robots)}),
        *lost_negation(meaning, others_left_out),
        *misplaced_negation(meaning, others_left_out),
        *avoided_before(meaning, tokens),
        *forbidden_for_left_out(meaning, tokens),
        *wrong_sides(meaning, text),
        *messengers(meaning, text, robots),
        *handed_over(meaning, text, robots),
        *wrong_order(meaning, tokens),
        *wrong_hands(meaning, text, robots),
    ]


def _crew_sizes(meaning: Instruction, robots: Sequence[str]) -> set[int]:
    """Return how many robots there are where any of them may do something: ``any of the three``."""
    open_to_all = any(one.who.choose == "one" and not one.who.names for one in meaning.assignments)
    return {len(robots)} if open_to_all else set()


def doubtful(doubts: Sequence[str], understood: str = "") -> str:
    """Return the question about a meaning that does not fit its text."""
    known = f" I understood: {understood}." if understood else ""
    return f"I am not sure what is meant: {'; '.join(doubts)}.{known} Could you say it differently?"
