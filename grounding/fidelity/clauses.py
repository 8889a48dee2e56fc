"""Where words of a text stand, and how far they reach: their sentence, their clause, what is put off."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache

from commonground.grounding.english.faithful import BACK, DETERMINERS
from commonground.grounding.english.remarks import JOINING, PEOPLE, WANTING
from commonground.grounding.english.tokens import stretch
from commonground.grounding.fidelity.phrases import Said, phrases_in
from commonground.grounding.words.closed import BE, ENDS, HAVE, MODALS
from commonground.grounding.words.nouns import plural, word_set
from commonground.grounding.words.tense import is_past
from commonground.grounding.words.tokens import Token

_PAUSES = ENDS | {","}
_PEOPLE = PEOPLE | {"nobody"}
_ANYBODY = frozenset(["somebody", "someone"])
_ASKING = WANTING - {"can", "could"}
_POINTING = DETERMINERS | BACK
_IS = frozenset(["is", "'s"])
_NOW = word_set("now there still but yet right currently")
WHERE = (
    _NOW
    | DETERMINERS
    | word_set("in at on by over near inside under behind back up down just somewhere only again")
)
"""What stands between a verb of being and where something is."""
_APPROVING = word_set(
    "ok okay alright fine cool trouble bother problem mind minds convenient time minute moment"
)
"""What ``if`` asks leave with: it never says what must be so on the map."""
_ASKED = word_set("it that this you everyone everybody nobody")
_AMONG = frozenset(["among", "amongst", "between"])
_CREW = word_set("you yourselves themselves us")
_PUTTING_OFF = frozenset(["before", "until", "till"])


class Wording:
    """The words of a text that speaks to some robots."""

    def __init__(self, tokens: Sequence[Token], robots: Sequence[str] = ()) -> None:
        self.tokens = tokens
        self.robots = robots
        self.words = [token.text for token in tokens]
        self.line = " ".join(self.words)

    def word(self, at: int) -> str:
        """Return the word at a place, '' where there is none."""
        return self.words[at] if 0 <= at < len(self.words) else ""

    def is_symbol(self, at: int) -> bool:
        """Return whether a thing is named at a place by its symbol, which takes no article."""
        return 0 <= at < len(self.tokens) and self.tokens[at].kind == "symbol"

    def sentence(self, at: int) -> tuple[int, int]:
        """Return from which token to which the sentence of one reaches."""
        return stretch(self.words, at, ENDS)

    def clause(self, at: int) -> tuple[int, int]:
        """Return from which token to which the words around one reach, up to marks."""
        return stretch(self.words, at, _PAUSES)

    def span(self, first: int, end: int) -> tuple[int, int]:
        """Return from which offset to which some tokens reach."""
        return self.tokens[first].start, self.tokens[end - 1].end

    def at(self, said: Said) -> int:
        """Return which token a phrase begins with."""
        return next(k for k, token in enumerate(self.tokens) if token.start == said.start)

    def phrases(self, categories: frozenset[str]) -> list[Said]:
        """Return the longest phrases of some categories, from left to right."""
        return phrases_in(self._nameless, categories)

    @cached_property
    def _nameless(self) -> Sequence[Token]:
        """The tokens without the names of robots, which may be words: ``Fetch``, ``Scout``."""
        return [replace(t, text="") if self.is_robot(t.text) else t for t in self.tokens]

    def once(self, words: Iterable[str]) -> Iterator[int]:
        """Yield which tokens are some words, of those that the text has once."""
        for word in words:
            if self.words.count(word) == 1 and plural(word) not in {*self.words} - {word}:
                yield self.words.index(word)

    def is_robot(self, word: str) -> bool:
        """Return whether a word is the name of a robot, or has it."""
        return any(is_named(name, word) for name in self.robots)

    def remark(self, at: int) -> tuple[int, int] | None:
        """Return where a word's clause only tells what people do; None if it wants anything."""
        begin, end = self.clause(at)
        for k in range(begin, at):
            if self.words[k] in JOINING:
                begin = k + 1
        end = next((k for k in range(at + 1, end) if self.words[k] in JOINING), end)
        words = self.words[begin:end]
        told = bool(words) and words[0] in _PEOPLE and _ASKING.isdisjoint(words)
        told = told and not (words[0] in _ANYBODY and _is_base(*words[1:2]))
        return (begin, end) if told else None

    def puts_off(self, at: int) -> bool:
        """Return whether a negation only puts off: ``do not enter before it is light``."""
        behind = (w for w in self.words[at + 1 :] if w in _PUTTING_OFF or w in _PAUSES)
        return next(behind, ".") in _PUTTING_OFF

    def is_put_off(self, at: int) -> bool:
        """Return whether something is not to be done before what follows a token."""
        before = reversed(self.words[:at])
        return (
            next((w for w in before if w in ("not", "never") or w in _PAUSES), ".") not in _PAUSES
        )


def shares_out(said: Wording, at: int) -> bool:
    """Return whether a clause goes on with who is among: ``share them out between you`` has nothing done."""
    rest = said.words[at : said.clause(at)[1]] if at < len(said.words) else []
    among = (k for k, word in enumerate(rest) if word in _AMONG)
    return any(not _CREW.isdisjoint(rest[k + 1 : k + 5]) for k in among)


def _is_base(word: str = "") -> bool:
    """Return whether a verb behind ``somebody`` orders: ``somebody give the tank a look``."""
    return word not in BE | HAVE | MODALS and not (word.endswith("s") or is_past(word))


def is_named(name: str, text: str) -> bool:
    """Return whether a text has a name, whatever stands between the parts of it."""
    return bool(name_pattern(name).search(text))


@lru_cache(maxsize=1024)
def name_pattern(name: str) -> re.Pattern[str]:
    """Return what finds a name in a text."""
    parts = re.findall(r"[^\W\d_]+|\d+", name)
    pattern = r"[\s_-]*".join(map(re.escape, parts))
    return re.compile(rf"(?<!\w){pattern}(?![^\W_])", re.IGNORECASE)


def is_state(words: Sequence[str], at: int) -> bool:
    """Return whether a word's clause only tells where what was spoken of is: ``now it is in the sauna``."""
    be = next((k for k in range(at - 1, 0, -1) if words[k] in _IS and words[k - 1] == "it"), 0)
    before = [word for word in words[: max(0, be - 1)] if word not in _NOW]
    opens = not before or before[-1] in _PAUSES | {":", "and", "but", "because", "since", "as"}
    return (
        be > 0
        and opens
        and not (_NOW | DETERMINERS).issuperset(words[be + 1 : at])  # it is the van
        and WHERE.issuperset(word for word in words[be + 1 : at] if not word.endswith("ing"))
    )


def asks_leave(words: Sequence[str]) -> bool:
    """Return whether words behind an ``if`` only ask for leave: ``that's okay``, ``it isn't too much``."""
    said = frozenset(words[1:])
    approves = (
        not said.isdisjoint(_APPROVING) or {"all", "right"} <= said or {"too", "much"} <= said
    )
    return not _ASKED.isdisjoint(words[:1]) and approves


def names_nothing(words: Sequence[str]) -> bool:
    """Return whether words point at no thing, and back at none."""
    return _POINTING.isdisjoint(words) and not any(c.isdigit() for word in words for c in word)
