"""Whether the words of a text say that something is so, or that it is not: held against what a reading makes.

A clause has cues, words that tell a state of things (``shut``, ``switch on``), and inverters, words that turn
the rest of it around (``not``, ``refuse to``, ``under no circumstances``). What is told of a thing only in
words that say the contrary is denied, whoever read it otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from commonground.grounding.english.faithful import NEGATIONS
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.checks.goal_checks import literals_of
from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.memory.english.state_words import State
from commonground.grounding.memory.english.tokens import sentences
from commonground.grounding.memory.english.words import BE, MODALS
from commonground.grounding.memory.retrieval.query import mentions_in
from commonground.grounding.words.nouns import word_set
from commonground.planning.pddl import Formula

if TYPE_CHECKING:
    from commonground.grounding.memory.memory import Memory

_JOINTS = word_set(
    "but so because then while although though since until when if unless before after"
)
_FORBIDDING = word_set(
    "refrain refrains refrained refraining abstain abstains forbid forbids forbidden prohibit prohibited ban "
    "banned prevent prevents hesitate skip spare"
)
_TURNED = word_set("never no not cannot neither")
_UNTOLD = word_set("only mind doubt problem worries less later you we matter")
"""Behind ``not`` or ``no`` these leave nothing denied: ``if you don't mind``, ``won't you open it``."""
_PAIRS = {("rather", "than"), ("instead", "of"), ("hands", "off"), ("never", "mind")}
_KEEPING = word_set("keep stay steer get leave give")
_AWAY = word_set("away clear alone")
"""``Keep away from it`` asks for nothing of it."""
_AHEAD = word_set("under in at by on")
"""With ``no`` behind them they turn around what follows: ``at no time``."""
_ASKING = MODALS | word_set(
    "want wants rather prefer need needs like have has to let keep leave make sure stay"
)
_STATING = (BE - {"be", "been", "being", "'s"}) | word_set("has been stands seems looks stayed")
_IT = word_set("it them that this those these one he she they him her")
_DETERMINERS = word_set("the a an this that these those my your his her its our their")


@dataclass(frozen=True, slots=True)
class _Part:
    """Words between two joints of a text."""

    words: tuple[str, ...]
    turned: bool
    """What stands before it turns it around."""

    def flips_before(self, at: int) -> bool:
        """Return whether words up to a place turn around what stands there."""
        found = [_turns(self.words, i) for i in range(min(at, len(self.words)))]
        denied = self.turned or "not" in found
        return denied != (found.count("refusing") % 2 == 1)


class Polarity:
    """What one text says of states and places, and what it denies."""

    def __init__(self, text: str, memory: Memory, *, wish: bool) -> None:
        self.memory, self.wish = memory, wish
        self.parts = [*_parts(text)]
        self._things = [self._named(part) for part in self.parts]

    def denied(self, facts: Iterable[Fact]) -> list[Fact]:
        """Return those of some facts that the text speaks of, and only to deny them."""
        return [fact for fact in facts if self._is_denied(fact)]

    def denied_in(self, goal: Formula) -> list[Fact]:
        """Return what a goal wants and the text asks not to bring about."""
        return self.denied(literals_of(goal))

    def _is_denied(self, fact: Fact) -> bool:
        about = [*self._about(fact)]
        if fact.is_property:
            return self._denies_state(fact, about)
        named = [one for one in about if len(one[1]) > 1] or about
        return bool(fact.relation and named) and all(self._turned_around(*one) for one in named)

    def _about(self, fact: Fact) -> Iterator[tuple[_Part, list[int]]]:
        """Yield the parts that name an end of a fact, or stand for it by ``it``, and where."""
        for part, things in zip(self.parts, self._things, strict=True):
            ends = [things[end] for end in fact if end in things]
            stands = [at for at, word in enumerate(part.words) if word in _IT and not things]
            if ends or stands:
                yield (
                    part,
                    ends or stands[-1:],
                )  # of two pronouns nobody knows that they are its ends

    def _turned_around(self, part: _Part, ends: Sequence[int]) -> bool:
        return self._asks(part) and part.flips_before(max(ends))

    def _denies_state(self, fact: Fact, about: Sequence[tuple[_Part, list[int]]]) -> bool:
        """Return whether all words for a state say the contrary, or it is not to be brought about."""
        relation = self.memory.meanings.relations.get(fact.relation)
        if relation is None:
            return False
        so = (fact.object == "true") != relation.inverted
        parts = [part for part, _ in about] or self.parts
        told = [said for part in parts if self._asks(part) for said in _told(part, relation.means)]
        if not told and so:
            return self._spares(about)
        return bool(told) and all(positive != so for positive in told)

    def _spares(self, about: Sequence[tuple[_Part, list[int]]]) -> bool:
        """Return whether a wish names a thing only to ask for nothing of it: ``hands off the phone``."""
        if not self.wish or not about or any(_tells_any(part.words) for part, _ in about):
            return False
        return all(self._turned_around(*one) for one in about)

    def _asks(self, part: _Part) -> bool:
        """Return whether a part says what it is about; a wish may tell how things are, to be mended."""
        if not self.wish:
            return True
        words, lexicon = part.words, load_lexicon()
        short = any(
            a == "'s" and b in lexicon.states for a, b in pairwise(words)
        )  # "the lamp's on"
        going_on = any(
            a in _IT and not lexicon.forms_of(b).isdisjoint({"third", "past"})
            for a, b in pairwise(words)
        )  # "it keeps ringing"
        stated = short or going_on or not _STATING.isdisjoint(words)
        return not stated or not _ASKING.isdisjoint(words)

    def _named(self, part: _Part) -> dict[str, int]:
        """Return the things and people that a part may name, with where it does."""
        calling = self.memory.retriever.calling
        return {
            thing: mention.end - 1
            for mention in mentions_in(" ".join(part.words), calling)
            for thing in (*mention.things, *mention.people)
            if not (self.wish and self.memory.names.is_robot(thing))  # who is spoken to
        }


def _parts(text: str) -> Iterator[_Part]:
    turned = False
    for tokens in sentences(text):
        words: list[str] = []
        for token in (*tokens, None):
            if (
                token is None
                or token.is_mark
                or token.text in _JOINTS
                or _begins(words, token.text)
            ):
                if words and _carries(words):
                    turned = True
                elif words:
                    yield _Part(tuple(words), turned)
                    turned = turned and len(words) == 1  # a name between two commas
                words = []
            if token is not None and not token.is_mark and token.text not in _JOINTS:
                words.append(token.text)
        turned = False


def _begins(words: Sequence[str], word: str) -> bool:
    """Return whether a word begins a clause of its own behind ``and``."""
    if words[-1:] != ["and"]:
        return False
    lexicon = load_lexicon()
    return "base" in lexicon.forms_of(word) and not lexicon.states.get(word)


def _carries(words: Sequence[str]) -> bool:
    """Return whether words only turn around what follows: ``at no time``, ``whatever you do``."""
    return len(words) <= 4 and words[0] in _AHEAD and "no" in words[1:2]


def _turns(words: Sequence[str], at: int) -> str:
    """Return how a word turns around what follows: as ``not`` does, as ``refuse`` does, or not at all."""
    word, after = words[at], words[at + 1] if at + 1 < len(words) else ""
    if word in NEGATIONS | _TURNED and (word, after) not in _PAIRS:
        idle = not after.endswith("ing") if word == "without" else after in _UNTOLD
        return "" if idle else "not"
    away = word in _KEEPING and not _AWAY.isdisjoint(words[at + 1 : at + 5])
    if (word, after) in _PAIRS:
        return "not"
    return "refusing" if away or word in _FORBIDDING or _refuses(words, at, after) else ""


def _refuses(words: Sequence[str], at: int, after: str) -> bool:
    """Return whether a verb says that what it leads to is not done: ``forgot to``, ``not forget the``."""
    lexicon = load_lexicon()
    classes = {c for lemma in lexicon.lemmas(words[at]) for c in lexicon.classes_of(lemma)}
    leads = after in ("to", "from") or after.endswith("ing")
    doubled = "avoiding" in classes and not _TURNED.isdisjoint(words[max(0, at - 2) : at])
    return doubled or (leads and not classes.isdisjoint({"avoiding", "ending"}))


def _tells_any(words: Sequence[str]) -> bool:
    """Return whether words tell any state of anything."""
    return any(True for at in range(len(words)) for _ in _states(words, at))


def _told(part: _Part, concept: str) -> list[bool]:
    """Return what a part says of a state, each time that it does."""
    return [said != part.flips_before(at) for at, said in _cues(part.words, concept)]


def _cues(words: Sequence[str], concept: str) -> Iterator[tuple[int, bool]]:
    """Yield where words tell a state of a kind, and whether they say that it is so."""
    for at in range(len(words)):
        told = () if _turns(words, at) else _states(words, at)
        yield from ((at, state.positive) for state in told if concept in state.concepts)


def _states(words: Sequence[str], at: int) -> Iterator[State]:
    """Yield what states a word tells, with the words behind it if it is a verb."""
    lexicon, word, behind = load_lexicon(), words[at], words[at + 1 :]
    if not (word in ("on", "off") and not _DETERMINERS.isdisjoint(behind[:1])):
        yield from lexicon.states.get(word, ())
    for lemma in lexicon.lemmas(word):
        rest = next((r for r in lexicon.rests.get(lemma, ()) if {*r} <= {*behind}), None)
        entry = None if rest is None else lexicon.verb(lemma, rest)
        yield from () if entry is None else entry.states
