"""What a report leaves undecided: ``Ann or Bob took it``, ``on the desk/counter``, ``one of the two``.

Its words alone tell that, before anybody reads it, so that no reader can take one of several for what is so.
What is said in other words, denied of both or idle is no choice: ``the mug, or cup``, ``not on the desk or
the counter``, ``sooner or later``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import dropwhile, product, takewhile
from typing import TYPE_CHECKING

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.index import FactIndex
from commonground.grounding.memory.english.lexicon import is_past
from commonground.grounding.memory.english.state_words import State
from commonground.grounding.memory.english.tokens import sentences
from commonground.grounding.memory.ontology.name_words import words_of
from commonground.grounding.memory.ontology.words import (
    AUXILIARIES,
    DETERMINERS,
    FROM,
    MODALS,
    TO,
    alike,
    classes_of,
    states_of,
)
from commonground.grounding.memory.retrieval.query import mentions_in, telling
from commonground.grounding.words.nouns import word_set
from commonground.grounding.words.numbers import count_of, rank_of

if TYPE_CHECKING:
    from commonground.grounding.memory.memory import Memory

_OR = re.compile(r"\band/or\b|(?<=[^\W\d_])\s?/\s?(?=[^\W\d_])|,?\s*\balternatively\b,?", re.I)
_ONE_OF = re.compile(
    r"\b(?:one or (?:the )?other|(?:one|either) of (?:them|us|(?:the|those|these|you) (?:two|three|four)"
    r"|(?P<listed>(?:(?!\b(?:and|is|was|has)\b)[^,.;!?])+ and \w+)))\b",
    re.I,
)
_DENYING = word_set("not no never neither nor without nobody none nothing hardly nowhere")
_IDLE = word_set("doubt question later sooner wonder problem")
"""``no doubt`` and ``no later than`` deny nothing."""
_JOINTS = word_set(", and so because since while as that")
_LEADING = DETERMINERS | TO | FROM | word_set("of by his her its else maybe perhaps even also")
_RESTATING = word_set("so rather actually better sorry no")
"""Behind ``or`` these take back what is said before it, or tell who says that."""
_CALLING = word_set("call calls called known say says said alias")
_TOO = re.compile(r",?\s*\b(?:as well as|and (?:also|at the same time)|but also)\b", re.I)
_IS = frozenset(["is", "are", "am"])
_MOST = 5
"""So many words of an alternative are asked about."""


class Undecided:
    """Finds what reports to one memory leave undecided."""

    def __init__(self, memory: Memory) -> None:
        self.calling, self.names, store = memory.retriever.calling, memory.names, memory.store
        self.groups, self.vocabulary, self.kinds = store.groups, store.vocabulary, store.kinds
        sayings = None if memory.hearing is None else memory.hearing.reader.sayings
        self.own = () if sayings is None else (*sayings.state_words, *sayings.deed_words)

    def choice_in(self, text: str) -> str:
        """Return the words of a choice that a report leaves open; '' where it leaves none."""
        plain = _OR.sub(" or ", text)
        words = [w for s in sentences(plain) for w in (*(t.text for t in s), ".")]
        open_ = (self._choice(words, at) for at, word in enumerate(words) if word == "or")
        return next(filter(None, open_), "") or self._one_of(plain)

    def _one_of(self, text: str) -> str:
        """Return the words for one of those who are named, or were spoken of."""
        for found in _ONE_OF.finditer(text):
            listed = mentions_in(found["listed"] or "", self.calling)
            if not found["listed"] or len({who for m in listed for who in m.people}) > 1:
                return found[0]
        return ""

    def _choice(self, words: Sequence[str], at: int) -> str:
        """Return the words around an ``or``; '' where that leaves nothing of this world open."""
        left, right = _left(words[:at]), _right(words[at + 1 :])
        if not right or right[0] in _RESTATING or _is_warning(left, right):
            return ""
        if _denies(words, at) or self._is_name(left, right):
            return ""
        one, other = self._sides(left, right)
        enclosed = words[at - 1] == "," and words[at + len(right) + 1] == ","
        if one & other or (enclosed and not other):
            return ""  # "the mug, or beaker, is clean"
        ends = [*left[-1:], *_bare(right)[:1]]
        told = one or other or any(map(self._tells, ends)) or all(map(rank_of, ends))
        return _joined(left, "or", right) if told else ""

    def _sides(self, left: Sequence[str], right: Sequence[str]) -> tuple[set[str], set[str]]:
        """Return what the phrases beside a joining word may mean."""
        return self._named(left, ends=True), self._named(_bare(right), ends=False)

    def clash_in(self, text: str, facts: Collection[Fact]) -> str:
        """Return the words of two places, holders or states that a text gives a thing at once.

        ``on the counter and on the desk``: of these a reading keeps one. Of what is joined, nothing else is
        told, and the domain lets only one of them be so.
        """
        words = [w for s in sentences(_TOO.sub(" and ", text)) for w in (*(t.text for t in s), ".")]
        joints = (at for at, word in enumerate(words) if word == "and")
        sides = ((_left(words[:at]), _right(words[at + 1 :])) for at in joints)
        return next((_joined(a, "and", b) for a, b in sides if self._clash(a, b, facts)), "")

    def _clash(self, left: Sequence[str], right: Sequence[str], facts: Collection[Fact]) -> bool:
        """Return whether the phrases or words beside an ``and`` exclude each other."""
        if _are_opposite(left, right):
            return True
        if any(map(_is_going, left)) or (_is_clause(left) and _is_clause(right)):
            return False
        leading = next((w for w in left[::-1] if w in TO | FROM), "")
        if not FROM.isdisjoint((leading, *right[:1])):
            return False  # "off the table and in the drawer"
        one, other = self._sides(left, right)
        return len(one) == len(other) == 1 and self._excludes([*one, *other], facts)

    def _excludes(self, both: Sequence[str], facts: Collection[Fact]) -> bool:
        """Return whether a fact has a thing with one of two, and it cannot be with the other as well."""
        about = {f.subject for f in facts}
        for fact, (one, other) in product(facts, (both, both[::-1])):
            if fact.object == one and other not in about:
                same, so = self._same(fact, other), FactIndex([fact])
                told = any(f.object == other for f in facts)
                if same and not told and all(self.groups.rivals(so, f) for f in same):
                    return True
        return False

    def _same(self, fact: Fact, place: str) -> list[Fact]:
        """Return how else a thing may be with another place or person, as a fact has it with one."""
        signatures = self.vocabulary.signatures
        moved = (r for r in self.vocabulary.changing if not signatures[r].is_property)
        relations = {fact.relation, *moved}
        found = (Fact(fact.subject, relation, place) for relation in sorted(relations))
        return [f for f in found if self.vocabulary.problem(f, self.kinds) is None]

    def _named(self, words: Sequence[str], *, ends: bool) -> set[str]:
        """Return what the phrase with which words begin, or end, may mean."""
        size, found = len(words_of(" ".join(words))), set[str]()
        for one in mentions_in(" ".join(words), self.calling):
            beside = one.end == size if ends else one.start == 0
            if beside and any(count_of(word) is None for word in one.words.split()):
                found |= telling(one, self.names) or one.things or one.people | one.qualities
        return found

    def _is_name(self, left: Sequence[str], right: Sequence[str]) -> bool:
        """Return whether something here is called by words with an ``or`` among them."""
        mentions = mentions_in(" ".join((*left, "or", *right)), self.calling)
        return any("or" in mention.words.split() for mention in mentions)

    def _tells(self, word: str) -> bool:
        """Return whether a word tells a state, or what somebody did."""
        return bool(states_of(word)) or is_past(word) or any(alike(word, own) for own in self.own)


def _left(words: Sequence[str]) -> list[str]:
    """Return the last words before a mark; one at the end is passed over."""
    kept = words if not words or _is_word(words[-1]) else words[:-1]
    return [*takewhile(_is_word, kept[::-1])][::-1]


def _right(words: Sequence[str]) -> list[str]:
    """Return the words up to a mark, behind an aside; nothing where that says what a thing is called."""
    if words[:1] == [","]:
        aside = [*takewhile(_is_word, words[1:])]
        words = [] if not _CALLING.isdisjoint(aside) else words[len(aside) + 2 :]
    return [*takewhile(_is_word, words)]


def _is_warning(left: Sequence[str], right: Sequence[str]) -> bool:
    """Return whether words behind an ``or`` say what would happen else: ``or the cat would get out``."""
    return "either" not in left and not MODALS.isdisjoint(right)


def _bare(right: Sequence[str]) -> Sequence[str]:
    """Return words without what leads to a noun."""
    return [*dropwhile(_LEADING.__contains__, right)] or right


def _is_word(word: str) -> bool:
    return word[0].isalnum() or word[0] == "'"


def _denies(words: Sequence[str], at: int) -> bool:
    """Return whether both sides of an ``or`` are denied by what stands before it in its clause."""
    before = [*takewhile(lambda w: w != ".", words[:at][::-1])][::-1]
    denying = [n for n, word in enumerate(before) if word in _DENYING]
    denied = max((n for n in denying if _IDLE.isdisjoint(before[n + 1 : n + 2])), default=-1)
    if denied < 0 or "but" in before[denied:]:
        return False
    begin = max((n + 1 for n, w in enumerate(before) if w in _JOINTS), default=0)
    clause = [*before[begin:], *takewhile(lambda w: w != "." and w not in _JOINTS, words[at + 1 :])]
    return begin <= denied or not _is_clause(clause)


def _are_opposite(left: Sequence[str], right: Sequence[str]) -> bool:
    """Return whether a thing is said to be in a state and in the opposite one: ``is open and closed``."""
    if len(right) > _MOST or _IS.isdisjoint(left[-_MOST:-1]):
        return False
    denied, said = right[:1] == ["not"], [w for w in right if w not in ("not", "also", "both")]
    one, other = states_of(left[-1]), states_of(said[0]) if said else frozenset()
    opposite = {State(s.concepts, not s.positive) for s in one}
    return left[-1] == said[0] if denied and said else bool(opposite & other) and not one & other


def _is_clause(words: Sequence[str]) -> bool:
    return any(w in AUXILIARIES or is_past(w) for w in words)


def _is_going(word: str) -> bool:
    """Return whether a word is a verb of going: that takes one place after the other."""
    return "go" in classes_of(word, frozenset())


def _joined(left: Sequence[str], joint: str, right: Sequence[str]) -> str:
    return " ".join((*_short(left[::-1])[::-1], joint, *_short(right)))


def _short(words: Sequence[str]) -> list[str]:
    """Return the first words up to a verb."""
    found = [*takewhile(lambda w: w not in AUXILIARIES and not is_past(w), words)]
    return [w for w in (found or words)[:_MOST] if w != "'s"]
