"""What people complain of where they ask for nothing: ``it's too warm``, ``who left the tap running?``.

How something is that should not be so tells what is wanted; as it stands, it would ask for that very state.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from commonground.grounding.english.faithful import NEGATIONS
from commonground.grounding.english.remarks import JOINING
from commonground.grounding.problem_writer.goals import EMPTY
from commonground.grounding.problem_writer.wishes.account import OPPOSITE
from commonground.grounding.problem_writer.wishes.demands import Named
from commonground.grounding.problem_writer.wishes.home import NEEDED
from commonground.grounding.problem_writer.wishes.likeness import likeness
from commonground.grounding.problem_writer.wishes.pieces import Pieces
from commonground.grounding.problem_writer.wishes.stretches import DOORS, IT, THEM, Stretch
from commonground.grounding.words.likeness import likeness as alike
from commonground.grounding.words.nouns import words_of as listed

_CURE = {
    "HOT": "chill", "COLD": "heat", "ON": "turn off", "OFF": "turn on", "OPENED": "close", "CLOSED": "open",
    "DIRTY": "wash", "FULL": "clear", "LUKEWARM": "chill", "FILLED": "empty",
}  # fmt: skip
"""What is to be done with something that is as it should not be."""
_BEING = frozenset(listed("is are 's 're gone got"))
_LEFT = frozenset(listed("left leaving forgot forgotten"))
_STILL = frozenset(["still", "been"])
_STAYING = (["never"], ["leave"], ["keep"], ["let"])
_ROOM = frozenset(["room", "space"])
_DEGREES = frozenset(
    listed("far much way a bit so rather really very quite all absolutely just totally still")
)
_SEEING = frozenset(listed("see sort deal fix do something"))
_LATELY = frozenset(["yet", "again", "anymore"])
_LUKEWARM = frozenset(["lukewarm", "tepid"])
_CLOSE = 0.85
"""How near in meaning a word is to one for a state that says the same."""


class Complaints(Pieces):
    """What one text complains of."""

    def cure(self) -> str:
        """Return an order for what is complained of; nothing where something is asked for anyway."""
        cures: list[str] = []
        before: list[Named] = []
        listed: list[Named] = []
        for stretch in self._stretches():
            found = self._cure(stretch, before, listed)
            if found:
                cures.append(found)
            elif self._lets_be(stretch) or self._orders(stretch):
                return ""
            alone = sum(one.end - one.start for one in stretch.named) + 1
            lists = not found and stretch.end - stretch.start <= alone
            listed = [*listed, *stretch.named] if lists else []
            before += stretch.named
        return ". ".join(dict.fromkeys(cures))

    def _orders(self, stretch: Stretch) -> bool:
        return not (self._is_remark(stretch) or self._is_open(stretch)) and self._asks(stretch)

    def _lets_be(self, stretch: Stretch) -> bool:
        """Return whether a stretch wants nothing done: ``but don't chill it``, ``leave it so``."""
        words = [w for w in self.words[stretch.start : stretch.end] if w not in JOINING]
        return words[:2] in (["do", "n't"], ["do", "not"]) or words[:1] in _STAYING

    def _is_open(self, stretch: Stretch) -> bool:
        """Return whether a stretch leaves it open what is to be done: ``please see to them``."""
        words = {*self.words[stretch.start : stretch.end]}
        return not stretch.named and bool(words & _SEEING) and bool(words & (IT | THEM))

    def _cure(self, stretch: Stretch, before: Sequence[Named], listed: Sequence[Named]) -> str:
        words = [w for w in self.words[stretch.start : stretch.end] if w not in _LATELY]
        what = self._about(stretch, words, before)
        what = [*listed, *what] if stretch.named else what
        state = self._amiss(words)
        if state == "LUKEWARM" and all(self.home.edible(k) for one in what for k in one.types):
            state = "COLD"  # what is eaten is to be warm, what is drunk from a bottle cold
        if not (what and state and self._can_be(what, state)):
            return ""
        return " ".join((_CURE[state], *self._of(what)))

    def _amiss(self, words: Sequence[str]) -> str:
        if not words or words[0] in _BEING:
            return ""  # ``is it still open?`` only asks
        return self._without_room(words) or self._left_so(words) or self._state(words)

    def _can_be(self, what: Sequence[Named], state: str) -> bool:
        needed = NEEDED.get(state)
        return needed is None or all(self._can(one, needed) for one in what)

    def _about(
        self, stretch: Stretch, words: Sequence[str], before: Sequence[Named]
    ) -> list[Named]:
        """Return what a stretch is about: what it names, or what was named last."""
        if stretch.named:
            return stretch.named
        back = not (IT | THEM | DOORS).isdisjoint(words) and "here" not in words
        return [*before[-1:]] if back else []

    def _without_room(self, words: Sequence[str]) -> str:
        """``there's no room on it``."""
        found = any(a in NEGATIONS and b in _ROOM for a, b in pairwise(words))
        return "FULL" if found and not {"on", "in"}.isdisjoint(words) else ""

    def _left_so(self, words: Sequence[str]) -> str:
        """``who left the tap running``, ``the telly's been on all day``."""
        begin = next((n for n, w in enumerate(words) if n and w in _LEFT | _STILL), None)
        if begin is None or not NEGATIONS.isdisjoint(words):
            return ""
        states = (_goal(word) for word in words[begin:])
        return next((state for state in states if state in OPPOSITE), "")

    def _state(self, words: Sequence[str]) -> str:
        """``the wine is far too warm``, ``the mug is filthy``, ``it's not cold enough``."""
        begin = next((n + 1 for n, w in enumerate(words) if n and w in _BEING), len(words))
        if words[-1] == "enough" and not NEGATIONS.isdisjoint(words):
            return {"HOT": "COLD", "COLD": "HOT", "CLEAN": "DIRTY"}.get(_goal(words[-2]), "")
        rest = [*words[begin:]]
        too = "too" in rest
        while rest and (rest[0] in _DEGREES or rest[0] == "too"):
            rest = rest[1:]
        if not rest or not (too or len(rest) == 1):
            return ""
        if rest[0] in _LUKEWARM:
            return "LUKEWARM"
        return _goal(rest[0]) if too else _bad(rest[0])


def _goal(word: str) -> str:
    """Return the state that a word says, by its nearest meaning."""
    known = likeness(word)
    if known is not None:
        return "FULL" if known.goal == EMPTY else known.goal or _bad(word)
    near = ((alike(word, one), state) for one, state in (("warm", "HOT"), ("cold", "COLD")))
    return next((state for value, state in near if value >= _CLOSE), "") or _bad(word)


def _bad(word: str) -> str:
    """Return the state that nobody wants and that a word says."""
    known = likeness(word)
    dirty = known is not None and known.relation == "clean" and not known.goal
    return "DIRTY" if dirty or alike(word, "dirty") >= _CLOSE else ""
