"""What is thought better of: ``the lamp on, or no, that one glares, make it the candle``.

What was asked for first goes, with the reason that people give for it, and what is asked for instead stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from commonground.grounding.problem_writer.wishes.account import OPPOSITE, Accounts
from commonground.grounding.problem_writer.wishes.acts import Said
from commonground.grounding.problem_writer.wishes.demands import DETERMINERS, Named
from commonground.grounding.problem_writer.wishes.heads import PREPOSITIONS
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.problem_writer.wishes.instead import Instead, Side
from commonground.grounding.problem_writer.wishes.stretches import Stretch
from commonground.grounding.words.nouns import word_set
from commonground.grounding.words.taking_back import CUES, MARKS, TAKING_BACK

_CUE = re.compile(
    rf"(?:^|(?<=[,.;:!?…–—]))\s*(?:or\s+|but\s+)?(?={CUES.pattern}|\s*do(?:n['’]t|\s+not)\b)",
    re.IGNORECASE,
)
_MARK = re.compile(r"\s*(?:[,.;:!?…–—]|$)")
_TAKEN_BACK = re.compile(rf"\b(?:{TAKING_BACK})\b", re.IGNORECASE)
_GOES_ON = re.compile(r"\W*(?:leave|it|only|just)\b", re.IGNORECASE)
"""These take nothing back where more follows: ``leave it whole``, ``it's raw``."""
_PLAINLY = re.compile(r"\b(?:no|nope|not|never mind|scratch|strike|scrap|forget|cancel)\b", re.I)
_DONT = re.compile(r"[\s,.;:!?…–—-]*\bdo(?:n['’]t|\s+not)(?=\s*(?:[,.;:!?…–—]|$))", re.IGNORECASE)
"""``actually, don't``."""
_LET_BE = re.compile(
    r"\b(?:don['’]t|do not|leave|never mind|scratch|strike|scrap|forget|cancel)\b", re.I
)
_INSTEAD = re.compile(r"\b(?:I mean(?:t)?|make (?:that|it)|no|nope)\W*$", re.IGNORECASE)
"""With one of these at its end a thing that is only named stands for the last one."""
_ONLY = re.compile(
    r",?\s+so\s+(?:only|just)\s+(?:the|my|our|his|her)\s+[a-z]+(?=\s*[.,;!?])", re.IGNORECASE
)
"""What is left is said again: ``so only the pen``."""
_ADDING = word_set("first before too also well then afterwards after")
"""With one of these more is asked for, and nothing instead."""
_MOST = 3
_CONNECTING = word_set("and or then plus &") | {","}


class _Cue(NamedTuple):
    """Where words begin and end that take something back, and these."""

    start: int
    end: int
    said: str

    @property
    def plainly(self) -> bool:
        """Whether all that was said of a thing is taken back, and not only where it shall go."""
        return bool(_PLAINLY.search(self.said))


def thought_better(text: str, home: Home) -> str:
    """Return a text without what its speaker thinks better of."""
    for _ in range(_MOST):
        changed = next(filter(None, (_amended(text, cue, home) for cue in _cues(text))), "")
        if not changed:
            break
        text = changed
    return text


def _cues(text: str) -> Iterator[_Cue]:
    """Yield where something is taken back; ``leave it whole`` goes on with what is meant instead."""
    end = 0
    for begin in _CUE.finditer(text):
        if begin.start() < end:
            continue
        at, end = begin.end(), begin.end()
        while cue := CUES.match(text, end) or _DONT.match(text, end):
            if _GOES_ON.match(cue[0]) and not _MARK.match(text, cue.end()):
                break
            end = cue.end()
        said = text[at:end]
        trails = text[max(at - 1, 0) : at + 2].startswith(("...", "…"))
        if _TAKEN_BACK.search(said) or _DONT.search(said) or trails:
            yield _Cue(begin.start(), MARKS.match(text, end).end(), said)  # type: ignore[union-attr]  # it may be empty


def _amended(text: str, cue: _Cue, home: Home) -> str:
    """Return a text with what is meant instead where something is taken back, if that is plain."""
    first, instead = Accounts(text[: cue.start], home), Accounts(text[cue.end :], home)
    none = (
        cue.said.casefold().endswith("no") and text[cue.end - 1] == " " and 0 in instead.acts.things
    )
    return "" if none else _First(first, cue).amended(Instead(instead))


class _First(Side):
    """What stands before words that take something back."""

    def __init__(self, accounts: Accounts, cue: _Cue) -> None:
        super().__init__(accounts.text, accounts)
        self.cue = cue
        self.stretches = [*self._stretches()]

    def amended(self, instead: Instead) -> str:
        """Return what is left, with what is asked for instead."""
        one, bare = instead.clause, instead.bare()
        if _DONT.search(self.cue.said):
            return self._let_be(instead)
        if bare and _INSTEAD.search(self.cue.said):
            return self._made(instead, bare)
        if one is None:
            return self._let_be(instead) if _LET_BE.search(self.cue.said) else ""
        if instead.is_made(one):
            return self._made(instead, instead.themes(one))
        return self._asked_else(one, instead)

    def _asked_else(self, one: Said, instead: Instead) -> str:
        """Return what is left, and the clause that asks for something else of a thing."""
        themes, back = instead.themes(one), instead.back(one)
        if back is not None and themes and themes[0].start > back:
            themes = []
        back = None if themes else back
        found = self._named_before(themes or instead.told(one), back is not None)
        if found is None or not self._excludes(one, instead, *found):
            return ""
        rest = instead.rest(one, back, f"the {self.accounts.said(found[1])}")
        return self._left(*found) + _ONLY.sub("", rest)

    def _let_be(self, instead: Instead) -> str:
        """Return the text in which what was asked for last is left alone."""
        found = self._named_before([], back=True)
        if found is None:
            return ""
        return f"{self._left(*found)}leave the {self.accounts.said(found[1])} alone. {instead.accounts.text}"

    def _left(self, stretch: Stretch, one: Named) -> str:
        """Return the text without what is asked for of a thing, and a mark."""
        left = self._without(stretch, one).rstrip(" ,;:.-–—")
        return f"{left} " if left and left[-1] in "!?" else f"{left}. " if left else ""

    def _made(self, instead: Instead, themes: Sequence[Named]) -> str:
        """Return the text with another thing in the place of the last one that it may stand for."""
        asking = [s for s in self.stretches if not all(self.accounts.acts.told[s.start : s.end])]
        text, tokens = self.accounts.text, self.accounts.tokens
        if len(asking) > 1 and self.words[asking[-1].start] == "not":  # ``not the sharp knife``
            denied = asking.pop()
            text = text[: tokens[denied.start - 1].start]
        for first in reversed([n for s in asking[-1:] for n in s.named]):
            if themes and self._is_carried(first) == self._is_carried(themes[0]):
                name = instead.accounts.said(themes[0])
                start, end = tokens[first.start].start, tokens[first.end - 1].end
                behind = instead.accounts.tokens[themes[0].end - 1].end
                rest = text[end:].rstrip(" ,;:.-–—")
                return f"{text[:start]}{name}{rest}{instead.accounts.text[behind:]}"
        return ""

    def _is_carried(self, one: Named) -> bool:
        return self.home.usually(sorted(one.types), "pickupable")

    def _named_before(self, themes: Sequence[Named], back: bool) -> tuple[Stretch, Named] | None:
        """Return what is named before that is spoken of once more, with the stretch that names it.

        Where that is only told of nothing asked for is taken back: ``I was going to say the apple, but no``.
        """
        types = {kind for one in themes for kind in one.types}
        for stretch in reversed(self.stretches):
            for one in reversed(stretch.named):
                fits = bool(one.types & types) if themes else back and not self._is_place(one)
                fits = fits and not self._is_where(one)
                if fits:
                    return None if self.accounts.acts.told[one.start] else (stretch, one)
            if stretch.begins and not themes:
                return None  # only what was said last is taken back by ``don't``
        return None

    def _is_where(self, one: Named) -> bool:
        """Return whether a thing only tells where another shall go: ``the egg into the bowl``."""
        at = self._begin(one)
        return at > 0 and self.words[at - 1] in PREPOSITIONS - {"with", "of"}

    def _excludes(self, one: Said, instead: Instead, stretch: Stretch, first: Named) -> bool:
        """Return whether a clause asks for something instead of what was asked for first."""
        if one.act == "leave" or instead.words[one.start : one.end].count("leave"):
            return True
        if self.cue.plainly and _ADDING.isdisjoint(instead.words[one.start : one.end]):
            return True
        wanted = {a.state for at, a in instead.accounts.asked if one.start <= at < one.end}
        asked = {state for at, state in self.asked.items() if stretch.start <= at < stretch.end}
        return any(OPPOSITE.get(state) in asked for state in wanted)

    def _without(self, stretch: Stretch, one: Named) -> str:
        """Return the text without what is asked for of a thing, or without that thing in a list."""
        tokens, text = self.accounts.tokens, self.accounts.text
        start, end = self._span(stretch, one)
        before = start
        while before and self.words[before - 1] in _CONNECTING:
            before -= 1
        if before == start:  # the first of its list
            while end < len(self.words) and self.words[end] in _CONNECTING:
                end += 1
        head = text[: tokens[before - 1].end] if before else ""
        if "and" in self.words[before:start]:  # ``the keys, the pen and the card``
            last = next((n for n in self.accounts.named if n.end == before), None)
            at = self._begin(last) if last else 0
            if self.words[at - 1 : at] == [","]:
                head = f"{text[: tokens[at - 1].start]} and {text[tokens[at].start : tokens[before - 1].end]}"
        return head + (text[tokens[end - 1].end :] if end < len(tokens) else "")

    def _span(self, stretch: Stretch, one: Named) -> tuple[int, int]:
        """Return from which word to which a thing is named, or all that is said of it alone."""
        at = self.stretches.index(stretch)
        others = [n for n in stretch.named if n != one and not self._is_place(n)]
        shared = any(map(self._shares, self.stretches[max(at - 1, 0) : at], [stretch]))
        shared = shared or any(
            self._shares(stretch, after) for after in self.stretches[at + 1 : at + 2]
        )
        if not others and not shared:
            return stretch.start, stretch.end
        return self._begin(one), one.end

    def _begin(self, one: Named) -> int:
        """Return where a phrase for a thing begins."""
        start = one.start
        while start and self.words[start - 1] in DETERMINERS:
            start -= 1
        return start

    def _shares(self, before: Stretch, after: Stretch) -> bool:
        """Return whether a stretch asks for nothing without the next: ``put the pen and the cup in it``."""
        lists = not after.begins and bool(before.named) and not self._asks(before)
        told = self.accounts.acts.head(before.start, before.end).mood == "told"
        return lists and not told and self._asks(after)
