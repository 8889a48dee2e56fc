"""A sentence made ready for parsing: small talk, adverbs and times taken out."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from commonground.grounding.memory.english.lexicon import Lexicon, Phrases
from commonground.grounding.memory.english.tokens import Token
from commonground.grounding.memory.english.words import CONJUNCTIONS, DETERMINERS, NUMBERS, ORDINALS
from commonground.grounding.memory.timing import TimeWords
from commonground.grounding.words.nouns import words_of
from commonground.reading import whole_number

_NEEDS_MARK = frozenset(ORDINALS) | frozenset(
    words_of(
        "so well right look listen note update notice robot info news reminder attention since "
        "latest mate information before once again machine finally two three also folks guys "
        "latest breaking"
    )
)
"""Words that are small talk only where a comma or colon follows."""
_CLOCK = frozenset(
    words_of("at around about by towards toward since near roughly approximately circa")
)
_UNITS = {
    "second": 1 / 60,
    "minute": 1,
    "min": 1,
    "hour": 60,
    "day": 1440,
    "week": 10080,
    "moment": 0,
    "sec": 1 / 60,
}
_DEGREES = frozenset(words_of("very quite rather freshly newly so still completely"))
_ABOUT = frozenset(words_of("about some around roughly almost over nearly maybe"))
_AGO = frozenset(words_of("ago earlier back before later after"))


@dataclass(slots=True)
class Sentence:
    """The tokens that matter, and what was taken out."""

    tokens: list[Token]
    times: list[TimeWords] = field(default_factory=list)
    sequenced: bool = False
    """It continues what was said before: ``then``, ``afterwards``."""
    question: bool = False


class Cleaner:
    """Takes out of sentences what carries no fact."""

    def __init__(
        self,
        lexicon: Lexicon,
        is_name: Callable[[Sequence[str], int], int],
        is_thing: Callable[[Sequence[str], int], int],
    ) -> None:
        self.lexicon = lexicon
        self.is_name = is_name
        """Returns how many words of a name begin at a place; names are never taken out."""
        self.is_thing = is_thing
        """The same for what can be counted: ``around two mugs`` is no time."""
        self._times: dict[str, TimeWords] = {}
        for row in lexicon.data["times"]:
            for phrase in row["say"]:
                self._times[phrase] = _time_of(phrase, row)
        self._time_phrases = Phrases(self._times)

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
            if (
                not size
                or named > size
                or (named and named == size and phrases is not self.lexicon.sequence)
            ):
                continue
            if self._is_small_talk(tokens, words, at, size, anywhere=anywhere, begins=begins):
                if phrases is self.lexicon.sequence:
                    found.sequenced = True
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
            phrase = " ".join(words[at : at + size])
            found.times.append(self._times[phrase])
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
        hour = _clock_text(tokens[value], words[start : value + 1])
        if hour is None or (
            words[start] in ("by", "to", "since", "near") and not tokens[value].is_time
        ):
            return None
        end = value + 1
        while (
            end < len(words)
            and words[end] in ("o'clock", "am", "pm", "sharp", "today", "now", "already")
        ) or (end < len(words) and words[start] == "it" and words[end] in ("and", ",")):
            end += 1
        return TimeWords(" ".join(words[start:end]), clock=hour), end - start

    def _ago(self, words: Sequence[str], at: int, found: Sentence) -> int:
        """``20 minutes ago``, ``about two hours ago``, ``ten minutes later``."""
        begin = at
        if words[at] in _ABOUT and at + 1 < len(words):
            at += 1
        number = NUMBERS.get(words[at], 1 if words[at] in ("a", "an", "one") else None)
        if number is None:
            number = whole_number(words[at])
        if number is None or at + 2 >= len(words):
            return 0
        unit = _UNITS.get(words[at + 1].rstrip("s"))
        if unit is None or words[at + 2] not in _AGO:
            return 0
        late = words[at + 2] in ("later", "after")
        found.times.append(
            TimeWords(" ".join(words[begin : at + 3]), ago_min=0.0 if late else number * unit)
        )
        found.sequenced = found.sequenced or late
        return at + 3 - begin


def _time_of(phrase: str, row: dict[str, object]) -> TimeWords:
    for when in ("before", "at", "after"):
        value = row.get(when)
        if isinstance(value, str):
            if re.fullmatch(r"\d\d:\d\d", value):
                return TimeWords(phrase, clock=value)
            return TimeWords(phrase, meal=(when, value))
    day, ago = row.get("day", 0), row.get("ago_min")
    return TimeWords(
        phrase,
        ago_min=float(ago) if isinstance(ago, int | float) else None,
        day=int(day) if isinstance(day, int) else 0,
    )


def _clock_text(token: Token, before: Sequence[str]) -> str | None:
    """Return a time of day as ``HH:MM``."""
    text = token.text.replace(".", ":").rstrip(":")
    match = re.match(r"(\d{1,2})(?::(\d{2}))?\s*([ap])?", text)
    if match is not None and (token.is_time or token.text.isdigit()):
        hour, minute = int(match[1]), int(match[2] or 0)
        if match[3] == "p" and hour < 12:
            hour += 12
    elif token.text in NUMBERS and NUMBERS[token.text] <= 12:
        hour, minute = NUMBERS[token.text], 0
    else:
        return None
    minutes = hour * 60 + minute
    if "past" in before:
        minutes += 30 if "half" in before else 15
    elif "to" in before and "quarter" in before:
        minutes -= 15
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}" if hour < 25 else None
