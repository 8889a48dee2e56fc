"""What the words of a command ask for: states, each with what it seems to be said of."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from commonground.grounding.english.faithful import NEGATIONS
from commonground.grounding.english.names import Names
from commonground.grounding.english.remarks import MARKS
from commonground.grounding.english.tokens import tokens_of
from commonground.grounding.problem_writer.vocabulary import command_words
from commonground.grounding.problem_writer.wishes.acts import Acts
from commonground.grounding.problem_writer.wishes.heads import ADVERBS, CLOSED, PREPOSITIONS
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.problem_writer.wishes.likeness import Likeness, likeness, states_said
from commonground.grounding.words.concepts import everyday
from commonground.grounding.words.nouns import words_of as listed
from commonground.grounding.words.verbs import verb_forms

_BEING = frozenset(
    listed("be get gets got make keep leave want have are is should needs until till them it")
)
_LOOSE = frozenset(listed("turn put set run start stop power clear keep dim cool draw check"))
"""Verbs of many meanings, by themselves."""
DETERMINERS = frozenset(listed("the a an my your our his her their its that this these those some"))
_OBJECTS = DETERMINERS | {"it", "them"}
_TELLING = frozenset(listed("too so very quite really 's"))
_DOUSING = frozenset(
    listed("put turn turned blow blown snuff go goes light lights lamp lamps candle candles")
)
_LIKENESSES = [[a, b] for a in ("as", "like") for b in ("a", "an")]
_NONE = frozenset(listed("no neither none"))
_WANTED = frozenset(listed("need want like wish"))
_NEAR = 4
"""So many words behind a negation it is about."""
_ENDING = frozenset(
    listed(
        "and then please for so when before at but while too as now again first afterwards or because "
        "since in if once after"
    )
)
SEPARATING = MARKS | {"and", "then", "but", "so"}


class Named(NamedTuple):
    """A thing of the house in a command: its first word, the one behind its last, and its types."""

    start: int
    end: int
    types: frozenset[str]
    name: str = ""
    """The very thing, where it is called by its name or by a number."""


class Asked(NamedTuple):
    """A word that asks for a state, and the types of what it seems to be said of."""

    word: str
    state: str
    of: frozenset[str]


class Demands:
    """The words of one command, held against one house."""

    def __init__(self, text: str, home: Home) -> None:
        self.text, self.home = text, home
        self.tokens = tokens_of(text)
        self.words = [token.text.casefold() for token in self.tokens]
        self.named = [*self._named()]
        robots = Names({"robot": home.graph.robots()}).hints(self.words)
        named = {at for start, end, _ in robots for at in range(start, end)}
        self.manned = frozenset(named)
        """The words that name robots of the team."""
        named |= {at for at, word in enumerate(self.words) if word == "robot"}
        self.acts = Acts(self.words, self._things(), named)
        self._of_noun = {at for one in self.named for at in range(one.start, one.end)}
        self.asked = [*self._asked()]
        self.denied = {
            n for at, word in enumerate(self.words)
            if (word in NEGATIONS and self.words[at + 1 : at + 2] != ["forget"])
            or self.words[at : at + 2] in (["instead", "of"], ["rather", "than"])
            for n in range(at, self._denied_end(at))
        }  # fmt: skip

    def _denied_end(self, at: int) -> int:
        """Return how far a negation reaches: ``don't leave any of them on``, ``no box is to be open``."""
        wants = not _WANTED.isdisjoint(self.words[at + 1 : at + 3])
        leaves = self.words[at + 1 : at + 2] == ["leave"] or wants or self._is_of_none(at)
        ends = SEPARATING if leaves else MARKS
        last = next(
            (n for n in range(at, len(self.words)) if self.words[n] in ends), len(self.words)
        )
        return last if leaves else min(last, at + _NEAR + 1)

    def _is_of_none(self, at: int) -> bool:
        """Return whether a clause is said of none of some things."""
        names = self.words[at] in _NONE and at + 1 in self._of_noun
        heads = (self.acts.head(one.start, one.end) for one in self.acts.said)
        return names and any(head.mood == "told" and head.subject == at for head in heads)

    def said(self, one: Named) -> str:
        """Return the words for a thing."""
        return " ".join(self.words[one.start : one.end])

    def asking(self) -> str:
        """Return the text without what it only tells or lets be."""
        lets = (s for s in self.acts.said if s.act == "leave")
        let = {n for s in lets for n in range(s.start, s.end) if self.acts.named(s.start, s.end)}
        kept = (
            token.text
            for at, (token, told) in enumerate(zip(self.tokens, self.acts.told, strict=True))
            if self.words[at] in MARKS or not (told or at in let)
        )
        return " ".join(kept)

    def hinted(self) -> set[str]:
        """Return the states of which any word at all speaks, but what is only told."""
        said = (
            word
            for at, (word, told) in enumerate(zip(self.words, self.acts.told, strict=True))
            if not (told or self._tells_other(at) or self._is_the_noun(at))
            if word not in ("on", "off") or not self._names_next(at)
            if word != "out" or self._goes_out(at)
        )
        return {state for word in said for state in _hints().get(word, ())}

    def _tells_other(self, at: int) -> bool:
        """Return whether a word is denied, or tells what something is like."""
        denied = at in self.denied and self.words[at] != "nothing"
        told = self._describes(at, 1) or self._is_compound(at)
        return denied or told or self._is_of_other(at)

    def _names_next(self, at: int) -> bool:
        """Return whether a phrase for a thing follows: ``laptop on bed`` puts it there."""
        return at + 1 in self._of_noun or not DETERMINERS.isdisjoint(self.words[at + 1 : at + 2])

    def _is_of_other(self, at: int) -> bool:
        """Return whether an adjective is said of what is none of the house: ``hot water``."""
        after = self.words[at + 1] if at + 1 < len(self.words) else ""
        noun = after.isalpha() and at + 1 not in self._of_noun and bool(everyday().senses(after))
        return self.words[at] in _adjectives() and noun and after not in _ENDING | CLOSED

    def _goes_out(self, at: int) -> bool:
        """Return whether ``out`` is said of what burns or shines: ``blow it out``."""
        return not _DOUSING.isdisjoint(self.words[max(at - 4, 0) : at])

    def _named(self) -> Iterator[Named]:
        for start, end in self._nouns():
            noun = self.home.nouns.find(" ".join(self.words[start:end]))
            if noun is None or self._is_verb(start, end):
                continue
            if self.words[max(start - 2, 0) : start] in _LIKENESSES:
                continue  # ``brown as a boot``
            yield self._with_number(start, end, frozenset(noun.types))

    def _with_number(self, start: int, end: int, types: frozenset[str]) -> Named:
        """Return a thing with the number behind its noun, where one has that: ``cabinet 2``."""
        numbered = any(word.isdigit() for word in self.words[end : end + 1])
        found = self.home.named(" ".join(self.words[start : end + 1])) if numbered else []
        return Named(start, end + 1, types, found[0]) if found else Named(start, end, types)

    def _nouns(self) -> list[tuple[int, int]]:
        """Return from where to where things are named; behind an article those as well that may turn up."""
        words, nouns = [token.text for token in self.tokens], self.home.nouns
        found = [(start, end) for start, end, _ in nouns.said.hints(words)]
        taken = {at for start, end in found for at in range(start, end)}
        found += [
            (start, end)
            for start, end, _ in nouns.unseen.hints(words)
            if taken.isdisjoint(range(start, end))
            and self.words[start - 1] in DETERMINERS
            and start
        ]
        return sorted(found)

    def _things(self) -> set[int]:
        """Return which words are of a phrase for a thing, or of a noun that may mean one."""
        found = {at for one in self.named for at in range(one.start, one.end)}
        for at in range(1, len(self.words)):
            if (
                self.words[at - 1] in DETERMINERS | {"both"}
                and self.words[at].isalpha()
                and at not in found
            ):
                noun = self.home.nouns.named(self.words[at]) or self.home.nouns.head(self.words[at])
                found |= {at} if noun is not None and self.home.present(noun.types) else set()
        return found

    def _is_verb(self, start: int, end: int) -> bool:
        """Return whether a word that is a noun as well has an object: ``light the candle``."""
        after = self.words[end : end + 1]
        before = self.words[start - 1 : start] if start else [""]
        return (
            end - start == 1 and not _OBJECTS.isdisjoint(after) and DETERMINERS.isdisjoint(before)
        )

    def _asked(self) -> Iterator[tuple[int, Asked]]:
        at = 0
        while at < len(self.words):
            size, state = self.state_at(at)
            if state and not self.acts.told[at]:
                yield at, Asked(" ".join(self.words[at : at + size]), state, self._about(at, size))
            at += size

    def state_at(self, at: int) -> tuple[int, str]:
        """Return how many words at a place ask for a state, and for which; one and none where none does."""
        if at in self._of_noun or self._is_compound(at) or self._is_put_there(at):
            return 1, ""
        for size in (4, 3, 2, 1):
            state = state_verbs().get(" ".join(self.words[at : at + size]), "")
            loose = size == 1 and self.words[at] in _LOOSE
            if size == 1 and self._is_the_noun(at):
                return 1, ""
            state = (size == 1 and self._split(at)) or state
            if state and not (loose and _OBJECTS.isdisjoint(self.words[at + 1 : at + 2])):
                return size, "" if self._describes(at, size) else state
        return 1, self._likeness(at)

    def _is_put_there(self, at: int) -> bool:
        """``it should be put on the desk``: that turns nothing on."""
        put = self.words[at - 1 : at + 2] in (["be", "put", "on"], ["get", "put", "on"])
        return put and self._names_next(at + 1)

    def _split(self, at: int) -> str:
        """Return the state that a verb asks for whose second word is behind its object: ``shut it off``."""
        begin = at + 1
        while begin < len(self.words) and self.words[begin] in DETERMINERS:
            begin += 1
        end = next((one.end for one in self.named if one.start == begin), begin)
        ends = end + 1 >= len(self.words) or self.words[end + 1] in MARKS | _ENDING
        if not (begin <= end < len(self.words) and end > at + 1 and ends):
            return ""
        return state_verbs().get(f"{self.words[at]} {self.words[end]}", "")

    def _is_compound(self, at: int) -> bool:
        """Return whether a word is the first of one that tells what a thing is for: ``washing-up bowl``."""
        joined = self.tokens[at : at + 3]
        close = all(a.end == b.start for a, b in pairwise(joined)) and len(joined) == 3
        return close and joined[1].text == "-" and at + 3 in self._of_noun

    def _is_the_noun(self, at: int) -> bool:
        """Return whether a verb's form is a noun: ``in this heat.``"""
        before, after = self.words[at - 1 : at], self.words[at + 1 : at + 2] or ["."]
        ends = MARKS | _ENDING | {"on", "off", "up", "down"}
        return before in (["this"], ["that"], ["the"]) and after[0] in ends

    def _likeness(self, at: int) -> str:
        """Return the state that a thing is to be in by an adjective, or by ``on`` and ``off``."""
        word = self.words[at]
        if word == "down" and self.words[at - 1 : at] in (["lid"], ["door"]):
            return "CLOSED"
        if word == "water" and self.words[at - 1 : at] == ["with"]:
            return "FILLED"
        out = word == "out" and at - 1 in self._of_noun and self._goes_out(at)
        if word in ("on", "off") or out:
            turns = self._is_particle(at) and self._runs(self._about(at, 1))
            return {"on": "ON"}.get(word, "OFF") if turns else ""
        state = _adjectives().get(word, "")
        return state if word != "out" and self._is_predicate(at) else ""

    def _runs(self, types: frozenset[str]) -> bool:
        """Return whether any of some types can be on or off: milk that is off cannot."""
        switches = self.home.switches(sorted(types))
        return not types or self.home.usually((*types, *switches), "toggleable")

    def _is_particle(self, at: int) -> bool:
        """Return whether ``on`` says how something is to be, and not where."""
        after = self.words[at + 1] if at + 1 < len(self.words) else "."
        ends = after in MARKS | _ENDING | ADVERBS or after.endswith("ly")
        ends = ends or after in PREPOSITIONS - {"of", "to", "into", "onto", "on", "off"}
        return at > 0 and ends and self.words[at - 1] not in MARKS

    def described(self) -> Iterator[tuple[int, Named, Likeness]]:
        """Yield words that tell which thing is meant, though none that is known is so: ``the sliced egg``."""
        for one in self.named:
            at = one.start - 1
            said = likeness(self.words[at]) if at > 0 else None
            known = said is not None and not self.acts.told[at] and at not in self.denied
            if said is None or not known or self.words[at - 1] not in DETERMINERS:
                continue
            names = self.home.things(sorted(one.types))
            so = {self.home.is_like(name, said.relation, said.value) for name in names}
            if so == {False}:
                yield at, one, said

    def _describes(self, at: int, size: int) -> bool:
        """Return whether a participle tells which thing is meant: ``the sliced tomato``."""
        before = self.words[at - 1] if at else ""
        return before in DETERMINERS and at + size in self._of_noun

    def _is_predicate(self, at: int) -> bool:
        if self.words[at - 1] in _TELLING:
            return False  # ``it's too dark in here`` tells how it is
        before = set(self.words[max(at - 3, 0) : at])
        after = self.words[at + 1] if at + 1 < len(self.words) else "."
        bare = at - 1 in self._of_noun and (after in MARKS or after in _ENDING)
        return bare or (at + 1 not in self._of_noun and not _BEING.isdisjoint(before))

    def _about(self, at: int, size: int) -> frozenset[str]:
        """Return the types of the thing nearest to a word, in the same stretch of text."""
        apart = [n for n, word in enumerate(self.words) if word in SEPARATING]
        begin = max((n for n in apart if n < at), default=-1)
        end = min((n for n in apart if n >= at + size), default=len(self.words))
        before = [one for one in self.named if begin < one.start < at]
        behind = [one for one in self.named if at + size <= one.start < end]
        likeness = self.words[at] in ("on", "off")
        likeness |= self.words[at] in _adjectives() and not self._names_next(at)
        nearest = [*before[-1:], *behind[:1]] if likeness else [*behind[:1], *before[-1:]]
        return nearest[0].types if nearest else frozenset()


@cache
def state_verbs() -> dict[str, str]:
    """Return the states that verbs ask for, by all of their forms."""
    found = {}
    for frame, state in command_words().brings.items():
        for phrase in command_words().verbs.get(frame, ()):
            base, _, rest = phrase.partition(" ")
            for form in verb_forms(base):
                found[f"{form} {rest}".strip()] = state
    return found


@cache
def _adjectives() -> dict[str, str]:
    """Return the states that adjectives are words for."""
    found = {word: state for word, state in states_said().items() if word not in ("going", "done")}
    for state, phrases in command_words().states.items():
        found |= dict.fromkeys((p for p in phrases if " " not in p and p != "going"), state)
    return found


@cache
def _hints() -> dict[str, set[str]]:
    """Return the states that each single word may have to do with."""
    found: dict[str, set[str]] = {}
    hints = [(word, state) for state, words in command_words().hints.items() for word in words]
    for word, state in (*hints, *state_verbs().items(), *_adjectives().items()):
        if " " not in word:
            found.setdefault(word, set()).add(state)
    return found
