"""A sentence made ready for parsing: small talk, adverbs and times taken out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from commonground.grounding.memory.english.lexicon import Lexicon, Phrases
from commonground.grounding.memory.english.time_phrases import time_of
from commonground.grounding.memory.english.timing import TimeWords
from commonground.grounding.memory.english.tokens import Token
from commonground.grounding.memory.english.words import CONJUNCTIONS, DETERMINERS, NUMBERS, ORDINALS
from commonground.grounding.words.nouns import word_set
from commonground.reading import whole_number

_NEEDS_MARK = frozenset(ORDINALS) | word_set(
    "so well right look listen note update notice robot info news reminder attention since "
    "latest mate information before once again machine finally two three also folks guys "
    "latest breaking"
)
"""Words that are small talk only where a comma or colon follows."""
_CLOCK = word_set("at around about by towards toward since near roughly approximately circa")
_UNITS = word_set("second sec minute min hour day week moment")
_DEGREES = word_set("very quite rather freshly newly so still completely")
_ABOUT = word_set("about some around roughly almost over nearly maybe")
_AGO = word_set("ago earlier back before later after")


@dataclass(slots=True)
class Sentence:
    """The tokens that matter, and what was taken out."""

    tokens: list[Token]
    times: list[TimeWords] = field(default_factory=list)
    question: bool = False


class Cleaner:
    """Takes out of sentences what carries no fact."""

    def __init__(self, lexicon: Lexicon, is_name: Callable[[Sequence[str], int], int]) -> None:
        self.lexicon = lexicon
        self.is_name = is_name
        """Returns how many words of a name begin at a place; names are never taken out."""
        self._time_phrases = Phrases(lexicon.data["times"])

    def clean(self, tokens: Sequence[Token]) -> Sentence:
        """Return a sentence without small talk, adverbs and times."""
        words = [t.text for t in tokens]
        found = Sentence([], question=bool(words) and words[-1] == "?")
        at = 0
        while at < len(tokens):
            size = self._skipped(tokens, words, at, found)
            if size:
                at += size
                continue
            empty = self.lexicon.nothings.match(words, at)
            if empty:
                found.tokens.append(replace(tokens[at], text="nothing"))
                at += empty
                continue
            named = self.is_name(words, at)
            for token in tokens[at : at + max(1, named)]:
                if token.text != "?":
                    found.tokens.append(token)
            at += max(1, named)
        return found

    def _skipped(
        self, tokens: Sequence[Token], words: Sequence[str], at: int, found: Sentence
    ) -> int:
        """Return how many tokens at a place are taken out; note what they say."""
        if tokens[at].is_mark:
            return 0
        size = self._time(tokens, words, at, found)
        if size:
            return size
        named = self.is_name(words, at)
        begins = (
            not found.tokens or found.tokens[-1].is_mark or found.tokens[-1].text in CONJUNCTIONS
        )
        for phrases, anywhere in (
            (self.lexicon.sequence, False),
            (self.lexicon.openers, False),
            (self.lexicon.adverbs, True),
        ):
            size = phrases.match(words, at)
            if not size or named > size:
                continue
            if self._is_small_talk(tokens, words, at, size, anywhere=anywhere, begins=begins):
                return size
        return 0

    def _is_small_talk(
        self,
        tokens: Sequence[Token],
        words: Sequence[str],
        at: int,
        size: int,
        *,
        anywhere: bool,
        begins: bool,
    ) -> bool:
        after = at + size
        phrase = " ".join(words[at:after])
        follows_mark = after >= len(words) or tokens[after].is_mark
        if phrase in _NEEDS_MARK:
            return follows_mark and begins
        if (
            after < len(words)
            and words[after] in ("to", "door", "of")
            and phrase in ("next", "then", "back", "right", "straight")
        ):
            return phrase in ("straight", "right", "then")
        if phrase in ("thanks", "thank you") and after < len(words) and words[after] == "to":
            return False
        if at and words[at - 1] in DETERMINERS | {"'s"} and size == 1:
            return phrase in _DEGREES
        if size == 1 and phrase in ("in", "over"):
            return False
        return (
            anywhere
            or begins
            or follows_mark
            or phrase
            in (
                "then",
                "later",
                "afterwards",
                "later on",
                "subsequently",
                "next",
                "in turn",
                "since then",
                "meanwhile",
                "in the meantime",
            )
        )

    # ---- times --------------------------------------------------------------------------------

    def _time(self, tokens: Sequence[Token], words: Sequence[str], at: int, found: Sentence) -> int:
        size = self._time_phrases.match(words, at)
        clock = self._clock(tokens, words, at)
        if clock is not None and clock[1] > size:
            found.times.append(clock[0])
            return clock[1]
        if size and self.is_name(words, at) < size and not self._is_verb_use(words, at, size):
            found.times.append(_time_of(words[at : at + size]))
            return size
        return self._ago(words, at, found)

    @staticmethod
    def _is_verb_use(words: Sequence[str], at: int, size: int) -> bool:
        """``before`` with a clause after it is no time of its own."""
        if size == 1 and words[at] in ("before", "since", "earlier", "previously"):
            return (
                words[at] == "before"
                and at + 1 < len(words)
                and words[at + 1] not in (",", ".", "and")
            )
        return False

    def _clock(
        self, tokens: Sequence[Token], words: Sequence[str], at: int
    ) -> tuple[TimeWords, int] | None:
        """``at 15:54``, ``around ten``, ``at half past nine``, ``it is 17:37 now and``."""
        start = at
        if words[at] == "it" and words[at + 1 : at + 2] in (["is"], ["was"], ["'s"]):
            at += 2
            if at >= len(words) or not tokens[at].is_time:
                return None
            at -= 1
        elif words[at] in _CLOCK:
            while at + 1 < len(words) and words[at + 1] in _CLOCK | {
                "exactly",
                "just",
                "half",
                "quarter",
                "past",
                "to",
                "a",
                "shortly",
                "after",
                "before",
            }:
                at += 1
        elif not tokens[at].is_time:
            return None
        else:
            at -= 1
        value = at + 1
        if value >= len(words):
            return None
        timed = tokens[value].is_time
        hour = whole_number(words[value])
        told = NUMBERS.get(words[value], 13) <= 12 if hour is None else hour < 25
        if not (told or timed) or (words[start] in ("by", "to", "since", "near") and not timed):
            return None
        end = value + 1
        while (
            end < len(words)
            and words[end] in ("o'clock", "am", "pm", "sharp", "today", "now", "already")
        ) or (end < len(words) and words[start] == "it" and words[end] in ("and", ",")):
            end += 1
        when = next(iter(time_of(" ".join(words[start:end]))), None)
        return None if when is None else (when, end - start)

    def _ago(self, words: Sequence[str], at: int, found: Sentence) -> int:
        """``20 minutes ago``, ``about two hours ago``, ``ten minutes later``."""
        begin = at
        if words[at] in _ABOUT and at + 1 < len(words):
            at += 1
        counted = words[at] in NUMBERS or words[at] in ("a", "an", "one") or words[at].isdecimal()
        unit = words[at + 1].rstrip("s") if at + 2 < len(words) else ""
        if not counted or unit not in _UNITS or words[at + 2] not in _AGO:
            return 0
        said = words[begin : at + 3]
        late = words[at + 2] in ("later", "after")
        found.times.append(TimeWords(" ".join(said), ago_min=0.0) if late else _time_of(said))
        return at + 3 - begin


def _time_of(words: Sequence[str]) -> TimeWords:
    """Return what words say that only say when: just now, where they cannot be dated."""
    said = " ".join(words)
    return next(iter(time_of(said)), TimeWords(said, ago_min=0.0))
