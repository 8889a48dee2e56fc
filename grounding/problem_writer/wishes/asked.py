"""A command without what it only tells: readers take a short text more surely than a long one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

from commonground.grounding.problem_writer.wishes.acts import ASKING, Said
from commonground.grounding.problem_writer.wishes.demands import Named
from commonground.grounding.problem_writer.wishes.heads import BREAKS, ENDS, JOINTS, PREPOSITIONS
from commonground.grounding.problem_writer.wishes.pieces import Pieces
from commonground.grounding.words.nouns import word_set

_BACK = word_set("it them they there that these those both one ones rest other others")
_MAYBE_BACK = frozenset(["one", "both", "that"])

Meant: TypeAlias = "dict[int, list[str]]"
"""What words stand for, by where they are."""


class Asked(Pieces):
    """Says one command without what it only tells."""

    def plain(self) -> str:
        """Return the text of what is asked for; the whole where something told is spoken of later."""
        kept = [*self._kept()]
        if not any(one.act in ASKING for one, _ in kept):
            return self.text
        found = ""
        for (before, _), (one, meant) in zip([(None, {}), *kept], kept, strict=False):
            same = before is not None and ENDS.isdisjoint(self.words[before.end : one.start])
            found += self._gap(before, one) if same else ". " if found else ""
            found += self._reworded(one, meant, joined=same)
        last = self.words[kept[-1][0].end :][:1]
        return found + (last[0] if last and last[0] in ENDS else ".")

    def _kept(self) -> Iterator[tuple[Said, Meant]]:
        """Yield the clauses that ask for something, each with what words of it stand for."""
        told: list[Said] = []
        for one in self.accounts.acts.said:
            if all(self.accounts.acts.told[one.start : one.end]):
                told.append(one)
                continue
            meant = self._meant_of(one, told)
            if meant is None:
                yield from ((each, {}) for each in told)
            told = []
            yield one, meant or {}

    def _meant_of(self, one: Said, told: Sequence[Said]) -> Meant | None:
        """Return what words of a clause stand for that go back to what was told; None where that is open."""
        meant = self._there_in(one, told)
        places = range(one.start, one.end)
        pronoun = next((at for at in places if at not in meant and self._goes_back(at)), None)
        if pronoun is None or not any(map(self._named_in, told)):
            return meant
        if any(n.start < pronoun for n in self._themes(self._named_in(one))):
            return meant
        topic = self._topic(told, self.words[pronoun])
        return meant | {pronoun: self._of(topic)} if topic else None

    def _there_in(self, one: Said, told: Sequence[Said]) -> Meant:
        """Return where ``there`` is, if that was told before."""
        spots = [n for said in told for n in self._named_in(said) if self._is_place(n)]
        there = [at for at in range(one.start, one.end) if self.words[at] == "there"]
        return {at: self._at(spots[-1]) for at in there[:1] if spots}

    def _named_in(self, said: Said) -> list[Named]:
        return [n for n in self.accounts.named if said.start <= n.start < said.end]

    def _topic(self, told: Sequence[Said], pronoun: str) -> tuple[Named, ...]:
        """Return what a pronoun means of what was told before it, if that can be told by its name."""
        every = [one for said in told for one in self._named_in(said)]
        last = next(named for said in reversed(told) if (named := self._named_in(said)))
        themes = self._themes(last) or [one for one in last if self._can(one, "pickupable")]
        others = {one.types for one in self._themes(every)} - {one.types for one in themes}
        return tuple(themes) if self._stands_for(pronoun, themes) and not others else ()

    def _stands_for(self, pronoun: str, themes: Sequence[Named]) -> bool:
        """Return whether a pronoun stands for so many things, and their names tell which are meant."""
        if not themes or not all(map(self._is_plain, themes)):
            return False
        many = len(themes) > 1 or self.words[themes[0].end - 1].endswith("s")
        return many if pronoun in ("them", "they") else pronoun == "it" and len(themes) == 1

    def _themes(self, named: Sequence[Named]) -> list[Named]:
        return [one for one in named if not self._is_place(one)]

    def _goes_back(self, at: int) -> bool:
        """Return whether a word may stand for what was told before; ``one more`` does not."""
        after = self.words[at + 1] if at + 1 < len(self.words) else ""
        if self.words[at + 1 : at + 3] == ["of", "you"]:
            return False
        plain = self.words[at] not in _MAYBE_BACK or after in PREPOSITIONS or not after.isalpha()
        return self.words[at] in _BACK and plain

    def _gap(self, before: Said | None, one: Said) -> str:
        """Return what stands between clauses of a sentence, without what is only told there."""
        tokens, start = self.accounts.tokens, one.start
        if before is None or (before, one) in pairwise(self.accounts.acts.said):
            return self.text[tokens[before.end - 1].end : tokens[start].start] if before else ""
        return " " if self.words[start] in JOINTS else ", "

    def _reworded(self, one: Said, meant: Meant, *, joined: bool) -> str:
        """Return the words of a clause with what some of them stand for."""
        start, tokens = one.start, self.accounts.tokens
        while not joined and start < one.end - 1 and self.words[start] in JOINTS | BREAKS | {","}:
            start += 1
        places = range(start, one.end)
        words = [" ".join(meant.get(at) or [self._said(at)]) for at in places]
        gaps = [self.text[tokens[at].end : tokens[at + 1].start] for at in places[:-1]]
        return "".join(map("".join, zip(words, [*gaps, ""], strict=True)))
