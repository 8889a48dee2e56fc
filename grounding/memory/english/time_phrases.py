"""Words for when something was so, as people say them in a report."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta

from commonground.grounding.english.utterance import Span
from commonground.grounding.memory.english.timing import TimeWords
from commonground.grounding.words.numbers import count_of, number_of

_UNITS = {"second": 1 / 60, "minute": 1.0, "hour": 60.0, "day": 1440.0, "week": 10080.0}
_FEW = {"couple": 2.0, "few": 3.0, "several": 5.0, "some": 5.0, "half": 0.5}
_AGO = re.compile(
    r"(?P<count>[\w ]*?)\s*\b(?P<unit>second|sec|minute|min|hour|day|week)s?\b(?: or so| and a half)?"
    r" (?:ago|back|earlier|before)\b"
)
_CLOCK = re.compile(r"\b(?P<hour>[0-2]?\d)[:.h]?(?P<minute>[0-5]\d)?\s*(?P<half>[ap]\.?m\b)?")
_SPOKEN = re.compile(
    r"\b(?:at|around|about|after|before|by|past|to|towards?|since|until|exactly|near|roughly|approximately|circa)\s+"
    r"(?P<hour>one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b"
    r"|\b(?P<sharp>one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\s+o'?clock"
)
_QUARTERS = {"half past": 30, "quarter past": 15, "quarter to": -15}
_NOT_LONG = re.compile(r"\bnot (?:so |very |too )?long\b")
_WEEKDAY = re.compile(r"\b(mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(long|ages|weekend)\b")
_MEALS = {"breakfast": "breakfast", "lunch": "lunch", "dinner": "dinner", "supper": "dinner"}
_HOURS: Mapping[str, str] = {
    "early this morning": "7", "mid-morning": "10", "midmorning": "10", "late morning": "11",
    "late this morning": "11", "night": "3", "overnight": "3", "morning": "8", "midday": "12", "noon": "12",
    "midnight": "0", "afternoon": "15", "dawn": "6", "daybreak": "7", "sunrise": "7", "teatime": "16",
    "tea time": "16", "evening": "19",
}  # fmt: skip
"""The hour that is meant, by words for a part of this day."""
_DAYS = {
    "day before yesterday": -2, "yesterday": -1, "last night": -1, "last evening": -1,
    "the other day": -2, "the other night": -2, "last week": -7, "last month": -30, "last year": -365,
    "the day before": -1, "the night before": -1, "the evening before": -1, "the previous day": -1,
    "the previous night": -1, "the previous evening": -1,
}  # fmt: skip
_MOST_DAYS = 36_500
"""Nothing is dated further back."""


_SAID = re.compile(
    r"\b(?:at|after|before|around|during|over|since|until|by)\s+(?:breakfast|lunch|dinner|supper)\b"
    r"|\b(?:once|when|as soon as)\s+(?:breakfast|lunch|dinner|supper)\s+(?:is|was)\s+(?:over|done|finished)\b"
    r"|\b[0-2]?\d[:.][0-5]\d\b"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[01]?\d)\s+o'?clock\b"
    r"|\b(?:(?:the day before )?yesterday|last (?:night|evening|week|month))\b"
    r"|\b(?:half )?(?:[a-z]+|\d+)(?: (?:few|couple of))? (?:minute|hour|day|week)s?(?: or so)?"
    r" (?:ago|back|earlier)\b",
    re.IGNORECASE,
)
"""Words that date a report wherever they stand in it."""


_AHEAD = re.compile(
    r"\b(?:in|within) (?:the next )?(?:about |only |just )?(?P<count>[a-z]+(?: of)?|\d[\w.,]*)(?: more)?"
    r" (?:second|minute|hour|day|week|month|year)s?\b(?! ago)"
    r"|\b(?:tomorrow|next (?:week|month|year))\b|\b(?:second|minute|hour|day|week|month)s? from now\b",
    re.IGNORECASE,
)
_SOME = frozenset(["a", "an", "half", *_FEW, "couple of"])


def ahead_in(text: str) -> str:
    """Return the words of a report that date it after the report; nothing where there are none."""
    for found in _AHEAD.finditer(text):
        count = (found["count"] or "a").lower()
        if count in _SOME or count[0].isdecimal() or number_of(count) is not None:
            return found[0]
    return ""


_BETWEEN = re.compile(r"\b(?:until|till|by|before|after|from|to|for|than|not)\s*$", re.IGNORECASE)
"""What a time only lies before or after."""


def times_in(text: str) -> tuple[TimeWords, ...]:
    """Return the times that a text names in so many words, whatever else it says."""
    plain = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    return tuple(t for found in _SAID.finditer(plain) for t in _read(found[0]))


def ago_around(text: str) -> tuple[str, tuple[TimeWords, ...]]:
    """Return a report of one sentence without ``an hour ago`` before or behind it, and that time."""
    plain = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").strip()
    found = [*_SAID.finditer(plain)]
    times = (*_read(found[0][0]),) if len(found) == 1 else ()
    if not any(t.ago_min is not None for t in times) or re.search(r"[.!?;]\s+\S", plain):
        return text, ()
    before, after = plain[: found[0].start()].strip(" ,"), plain[found[0].end() :].strip(" ,.!")
    if bool(before) == bool(after) or _BETWEEN.search(before):
        return text, ()
    rest = before or after
    return rest[:1].upper() + rest[1:] + ".", times


_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august"),
    *("september", "october", "november", "december"),
)
_DAY_NAMES = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_MONTH = "|".join(rf"{m[:3]}(?:{m[3:]})?" for m in _MONTHS)
_DATE = re.compile(
    r"\b(?:on )?(?:(?P<iso>\d{4}-\d\d-\d\d)"
    rf"|(?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month>{_MONTH})\b(?:,? (?P<year>\d{{4}}))?"
    rf"|(?P<month2>{_MONTH}) (?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (?P<year2>\d{{4}}))?"
    rf"|on (?:last )?(?P<name>{'|'.join(_DAY_NAMES)})\b)",
    re.IGNORECASE,
)
_HOUR = re.compile(
    r"\s*,?\s*\bat (?P<hour>[0-2]?\d)(?:[:.](?P<minute>[0-5]\d))?(?:\s*(?P<half>[ap])\.?m\b\.?)?",
    re.IGNORECASE,
)


def date_in(text: str, today: date) -> tuple[str, date | None, int | None]:
    """Return a text without the day that it names, that day, and the minute of it, as far as they are named.

    A day without its year is the last one that has been.
    """
    found = _DATE.search(text)
    day = None if found is None else _date(found, today)
    if found is None or day is None:
        return text, None, None
    rest = text[: found.start()] + text[found.end() :]
    hour = _HOUR.search(rest)
    if hour is None:
        return rest, day, None
    late = 12 * ((hour["half"] or "").lower() == "p" and int(hour["hour"]) < 12)
    minute = 60 * (int(hour["hour"]) + late) + int(hour["minute"] or 0)
    return rest[: hour.start()] + rest[hour.end() :], day, minute


def _date(found: re.Match[str], today: date) -> date | None:
    if found["name"]:
        back = (today.weekday() - _DAY_NAMES.index(found["name"].lower())) % 7
        return today - timedelta(days=back)
    try:
        if found["iso"]:
            return date.fromisoformat(found["iso"])
        name = (found["month"] or found["month2"]).lower()
        month = next(n for n, m in enumerate(_MONTHS, 1) if m.startswith(name))
        year = found["year"] or found["year2"]
        day = date(int(year or today.year), month, int(found["day"] or found["day2"]))
        return day if year or day <= today else day.replace(year=day.year - 1)
    except ValueError:
        return None  # there is no such day


def without_times(text: str) -> str:
    """Return a text without the words that date it: ``lunch`` in ``after lunch`` is no dish."""
    return _SAID.sub("", text)


def time_of(words: str) -> tuple[TimeWords, ...]:
    """Return what words that only say when say, as far as that can be dated."""
    return (*_read(words),)


def read_times(spans: Iterable[Span | None]) -> tuple[TimeWords, ...]:
    """Return what the words for a time say, as far as they can be dated."""
    return tuple(t for span in spans if span is not None for t in _read(span.text))


def _read(text: str) -> Iterator[TimeWords]:
    """Yield the one reading of a text; vague words for the recent past have none."""
    spoken = " ".join(text.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").split())
    for read in (_read_day, _read_ago, _read_meal, _read_clock, _read_part):
        found = read(spoken)
        if found is not None:
            yield found
            return


def _read_day(text: str) -> TimeWords | None:
    found = next((day for words, day in _DAYS.items() if words in text), None)
    if found is None and _WEEKDAY.search(text) and not _NOT_LONG.search(text):
        found = -2
    return None if found is None else TimeWords(text, day=found)


def _read_ago(text: str) -> TimeWords | None:
    found = _AGO.search(text)
    if found is None:
        return None
    unit = next(size for name, size in _UNITS.items() if name.startswith(found["unit"][:3]))
    few = (_FEW[word] for word in found["count"].split() if word in _FEW)
    count = min(next(few, number_of(found["count"]) or 1.0), _MOST_DAYS * 1440)
    days = min(round(count * unit / 1440), _MOST_DAYS)
    return TimeWords(text, day=-days) if days else TimeWords(text, ago_min=count * unit)


def _read_meal(text: str) -> TimeWords | None:
    for word, meal in _MEALS.items():
        if word in text:
            over = re.search(rf"\b(after|since|done|finished)\b|{word}.*\bover\b", text)
            before = re.search(r"\b(before|until)\b", text)
            return TimeWords(text, meal=("before" if before else "after" if over else "at", meal))
    return None


def _read_clock(text: str) -> TimeWords | None:
    spoken, digits = _SPOKEN.search(text), _CLOCK.search(text)
    if spoken is not None:
        hour, minute = count_of(spoken["hour"] or spoken["sharp"]) or 0, 0
    elif digits is not None:
        hour, minute = int(digits["hour"]), int(digits["minute"] or 0)
        hour += 12 * ((digits["half"] or "").startswith("p") and hour < 12)
    else:
        return None
    if hour > 24:
        return None
    at = 60 * hour + minute + sum(m for words, m in _QUARTERS.items() if words in text)
    return TimeWords(text, clock=f"{at // 60 % 24:02d}:{at % 60:02d}")


def _read_part(text: str) -> TimeWords | None:
    for words, hour in _HOURS.items():
        if re.search(rf"\b{words}\b", text):
            earlier = bool(re.search(r"\bbefore\b", text))
            return TimeWords(text, clock=str(int(hour) - earlier))
    return None
