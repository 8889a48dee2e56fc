"""What people complain of where they ask for nothing: ``it's too warm``, ``who left the tap running?``.

How something is that should not be so tells what is wanted; as it stands, it would ask for that very state.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from commonground.grounding.english.faithful import NEGATIONS
from commonground.grounding.problem_writer.goals import EMPTY
from commonground.grounding.problem_writer.vocabulary import command_words
from commonground.grounding.problem_writer.wishes.acts import ASKING
from commonground.grounding.problem_writer.wishes.demands import Named, state_verbs
from commonground.grounding.problem_writer.wishes.heads import participles
from commonground.grounding.problem_writer.wishes.home import NEEDED
from commonground.grounding.problem_writer.wishes.likeness import likeness
from commonground.grounding.problem_writer.wishes.pieces import Pieces
from commonground.grounding.problem_writer.wishes.stretches import DOORS, IT, THEM, Stretch
from commonground.grounding.problem_writer.wishes.verb_acts import Act
from commonground.grounding.words.likeness import likeness as alike
from commonground.grounding.words.nouns import words_of as listed

_KNOWN = command_words()
_MISSING = frozenset(listed("forgot forgotten forgets failed"))
_BEING = frozenset(listed("is are 's 're gone got"))
_LASTING = frozenset(listed("left leaving forgot forgotten still been"))
_ROOM = frozenset(["room", "space"])
_DEGREES = frozenset(
    listed("far much way a bit so rather really very quite all absolutely just totally still too")
)
_SEEING = frozenset(listed("see sort deal fix do something rescue save help"))
_LATELY = frozenset(["yet", "again", "anymore"])
_LUKEWARM = frozenset(["lukewarm", "tepid"])
_WILL = frozenset(listed("will 'll going"))
_SPOILT = frozenset(
    listed(
        "limp wilt wilted wilting spoil spoiled spoilt sour rot rotten rotting stale soggy mouldy moldy melt"
    )
)
_CLOSE = 0.85
"""How near in meaning a word is to one for a state that says the same."""


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
        if state == "LUKEWARM" and all(self.home.edible(k) for one in what for k in one.types):
            state = "COLD"  # what is eaten is to be warm, what is drunk from a bottle cold
        fits = state in _KNOWN.cures and self._can_be(what, state)
        return " ".join((_KNOWN.cures[state], *self._of(what))) if fits else ""

    def _amiss(self, words: Sequence[str], act: Act) -> str:
        """Return the state in which something should not be, in the words of a stretch."""
        if act == "complaint" and not NEGATIONS.isdisjoint(words):
            return next(
                (state for word in reversed(words) if (state := _goal(word)) in _KNOWN.cures), ""
            )
        spoils = "HOT" if self._spoils(words) else ""  # what is kept cold does not
        return self._without_room(words) or self._left_so(words) or self._state(words) or spoils

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

    def _without_room(self, words: Sequence[str]) -> str:
        """``there's no room on it``."""
        found = any(a in NEGATIONS and b in _ROOM for a, b in pairwise(words))
        return "FULL" if found and not {"on", "in"}.isdisjoint(words) else ""

    def _left_so(self, words: Sequence[str]) -> str:
        """``who left the tap running``, ``the telly's been on all day``."""
        begin = next((n for n, w in enumerate(words) if n and w in _LASTING), None)
        if begin is None or not NEGATIONS.isdisjoint(words):
            return ""
        return next(
            (state for word in words[begin:] if (state := _turned(word)) in _KNOWN.opposites), ""
        )

    def _state(self, words: Sequence[str]) -> str:
        """``the wine is far too warm``, ``the mug is filthy``, ``it's not cold enough``."""
        begin = next((n + 1 for n, w in enumerate(words) if n and w in _BEING), len(words))
        if words[-1] == "enough" and not NEGATIONS.isdisjoint(words):
            return {"HOT": "COLD", "COLD": "HOT", "CLEAN": "DIRTY"}.get(_goal(words[-2]), "")
        rest = [*words[begin:]]
        too = "too" in rest
        while rest and rest[0] in _DEGREES:
            rest = rest[1:]
        if not rest or not (too or len(rest) == 1):
            return ""
        if rest[0] in _LUKEWARM:
            return "LUKEWARM"
        return _goal(rest[0]) if too else _bad(rest[0])


def _turned(word: str) -> str:
    """Return the state in which something is left: on, or up."""
    return {"up": "OPENED", "down": "CLOSED"}.get(word) or _goal(word)


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
