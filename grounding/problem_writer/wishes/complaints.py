"""What people complain of where they ask for nothing: ``he forgot to shut it``, ``it'll be limp by supper``.

How something is that should not be so tells what is wanted; as it stands, it would ask for that very state.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from commonground.grounding.english.faithful import NEGATIONS
from commonground.grounding.problem_writer.vocabulary import command_words
from commonground.grounding.problem_writer.wishes.acts import ASKING
from commonground.grounding.problem_writer.wishes.demands import Named, state_verbs
from commonground.grounding.problem_writer.wishes.heads import participles
from commonground.grounding.problem_writer.wishes.home import NEEDED
from commonground.grounding.problem_writer.wishes.likeness import likeness
from commonground.grounding.problem_writer.wishes.pieces import Pieces
from commonground.grounding.problem_writer.wishes.stretches import DOORS, IT, THEM, Stretch
from commonground.grounding.problem_writer.wishes.verb_acts import Act
from commonground.grounding.words.nouns import words_of as listed

_KNOWN = command_words()
_MISSING = frozenset(listed("forgot forgotten forgets failed"))
_SEEING = frozenset(listed("see sort deal fix do something rescue save help"))
_LATELY = frozenset(["yet", "again", "anymore"])
_WILL = frozenset(listed("will 'll going"))
_SPOILT = frozenset(
    listed(
        "limp wilt wilted wilting spoil spoiled spoilt sour rot rotten rotting stale soggy mouldy moldy melt"
    )
)


class Complaints(Pieces):
    """What one text complains of."""

    def cure(self) -> str:
        """Return an order for what is complained of; nothing where something else is asked for, or let be."""
        if self.accounts.acts.does("leave", "question") or any(
            map(self._asks_more, self._stretches())
        ):
            return ""
        cures: list[str] = []
        before: list[Stretch] = []
        listed: list[Named] = []
        for stretch in self._stretches():
            cures += filter(None, [self._cure(stretch, listed or self._spoken_of(stretch, before))])
            alone = stretch.end - stretch.start <= sum(n.end - n.start for n in stretch.named) + 1
            listed = [*listed, *stretch.named] if alone else []
            before.append(stretch)
        return ". ".join(dict.fromkeys(cures))

    def _spoken_of(self, stretch: Stretch, before: Sequence[Stretch]) -> list[Named]:
        """Return what a stretch that names nothing is about."""
        if stretch.named:
            return []
        if not {"they", "them"}.isdisjoint(self.words[stretch.start : stretch.end]):
            return self._several(before)
        named = [one for each in before for one in each.named]
        return [one for one in named if not self._is_place(one)][-1:] or named[-1:]

    def _act(self, stretch: Stretch) -> Act:
        said = self.accounts.acts.said
        return next(
            (one.act for one in said if one.start < stretch.end and stretch.start < one.end),
            "report",
        )

    def _asks_more(self, stretch: Stretch) -> bool:
        """Return whether a stretch asks for more than to ``see to it``."""
        words = {*self.words[stretch.start : stretch.end]}
        is_open = not stretch.named and bool(words & _SEEING) and bool(words & (IT | THEM))
        is_open = is_open and words.isdisjoint(NEGATIONS)
        return self._act(stretch) in ASKING and not is_open

    def _cure(self, stretch: Stretch, before: Sequence[Named]) -> str:
        """Return what is to be done about what a stretch tells of something."""
        words = [w for w in self.words[stretch.start : stretch.end] if w not in _LATELY]
        what = self._about(stretch, words, before)
        if not words or not what:
            return ""
        undone = self._undone(words)
        if undone:
            return (
                " ".join((_KNOWN.deeds[undone], *self._of(what))) if undone in _KNOWN.deeds else ""
            )
        state = self._amiss(words, self._act(stretch))
        fits = state in _KNOWN.cures and self._can_be(what, state)
        return " ".join((_KNOWN.cures[state], *self._of(what))) if fits else ""

    def _amiss(self, words: Sequence[str], act: Act) -> str:
        """Return the state in which something should not be, in the words of a stretch."""
        if act == "complaint" and not NEGATIONS.isdisjoint(words):
            known = (likeness(word) for word in reversed(words))
            return next((one.goal for one in known if one and one.goal in _KNOWN.cures), "")
        return "HOT" if self._spoils(words) else ""  # what is kept cold does not

    def _spoils(self, words: Sequence[str]) -> bool:
        """``it will be limp by supper``, ``they'll go off in this heat``."""
        at = next((n for n, word in enumerate(words) if word in _WILL), len(words))
        rest = words[at:]
        return not _SPOILT.isdisjoint(rest) or ("go", "off") in pairwise(rest)

    def _can_be(self, what: Sequence[Named], state: str) -> bool:
        needed = NEEDED.get(state)
        needs = needed is None or all(self._can(one, needed) for one in what)
        return needs and (state != "HOT" or all(self._can(one, "pickupable") for one in what))

    def _about(
        self, stretch: Stretch, words: Sequence[str], before: Sequence[Named]
    ) -> Sequence[Named]:
        """Return what a stretch is about: what it names and what is listed before, or what was named last."""
        back = not (IT | THEM | DOORS | {"they"}).isdisjoint(words) and "here" not in words
        return [*before, *stretch.named] if stretch.named or back else []

    def _undone(self, words: Sequence[str]) -> str:
        """``nobody has washed the pan``, ``he forgot to shut the fridge``."""
        perfect = not {"has", "have", "been"}.isdisjoint(words) and not NEGATIONS.isdisjoint(words)
        missed = next((b for a, b in zip(words, words[2:], strict=False) if a in _MISSING), "")
        if missed in state_verbs():
            return state_verbs()[missed]
        states = (state_verbs().get(word, "") for word in words if word in participles())
        return next((state for state in states if state in _KNOWN.deeds), "") if perfect else ""
