"""Whether a meaning is faithful to its text: what the text names and counts is in it, and nothing else is.

The check knows what can be told by words alone: symbols, robots, numbers, negations and the order of what is
done. It holds for every source of meaning; what fails it is told so, or the speaker is asked.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from itertools import pairwise
from typing import Any

from rapidfuzz.distance import OSA

from commonground.grounding.language.tokens import Token, tokenize
from commonground.grounding.meaning import (
    TOLD,
    Act,
    Assignment,
    Instruction,
    Plan,
    Several,
    Task,
    Thing,
)
from commonground.grounding.words.numbers import number_of, rank_of

_NEGATORS = frozenset(
    ["not", "never", "nobody", "except", "excluding", "minus", "avoid", "avoiding"]
)
_SELF_NEGATING = frozenset(
    ["forget", "fail", "miss", "neglect", "omit", "hesitate", "only", "before", "until", "till"]
)
"""After ``not`` these leave nothing negated."""
_EXCEPTING = frozenset(
    [
        ("apart", "from"), ("aside", "from"), ("other", "than"), ("forget", "about"), ("off", "limits"),
        ("wide", "berth"),
    ]
)  # fmt: skip
_SPARING_WORDS = 6
"""So many words after ``leave`` its ``alone`` may follow."""
_KEEPING = frozenset(["stay", "keep", "steer", "remain", "stand"])
_AWAY = frozenset(["out", "away", "clear", "off"])
"""``stay out`` excludes as ``not`` does."""
_ORDERING = frozenset(["then", "before", "after", "afterwards", "afterward"])
_RANGING = frozenset(["to", "through", "thru", "until", "till", "between", "-", "–", "—"])
_UNITS = (1.0, 1000.0, 0.01, 0.3048, 0.9144, 1609.344)
"""What a number may have been multiplied with to get meters."""
_AVOIDING = frozenset(["avoid", "keep_away", "leave_alone"])
_GROUP = re.compile(
    r"\b(?:both|all|each|either|neither|none|any|one|two|pair|rest) of (?:you|them|us)\b"
    r"|\byou (?:two|both|all)\b|\b(?:no one|nobody|(?:every|any|some)(?:one|body)|whoever)\b"
    r"|\b(?:team|robots|the others?)\b",
    re.IGNORECASE,
)
"""Words for several robots, whoever they are."""
_SYMBOL = re.compile(r"([A-Za-z]?)\W*(\d+)")


@dataclass(frozen=True, slots=True)
class Symbol:
    """What a text or a meaning calls a thing on the map by."""

    letter: str
    number: int
    start: int

    def __str__(self) -> str:
        return f"{self.letter.upper()}{self.number}"

    def is_like(self, other: Symbol) -> bool:
        """Return whether both may be the same; a bare number may be of any layer."""
        letters = {self.letter, other.letter} - {""}
        return self.number == other.number and len(letters) < 2


def unfaithful(meaning: Instruction, text: str, robots: Sequence[str]) -> list[str]:
    """Return what is wrong with a meaning of a text, each in a sentence; nothing where all of it fits."""
    tokens = tokenize(text)
    return [
        *_wrong_symbols(meaning, tokens),
        *_wrong_robots(meaning, text, robots),
        *_wrong_numbers(meaning, tokens),
        *_lost_negation(meaning, tokens),
        *_misplaced_negation(meaning, tokens),
        *_wrong_order(meaning, tokens),
        *_wrong_hands(meaning, text, robots),
    ]


# ---- symbols -------------------------------------------------------------------------------------


def _wrong_symbols(meaning: Instruction, tokens: Sequence[Token]) -> Iterator[str]:
    said = symbols_said(tokens)
    meant = list(_meant_symbols(meaning))
    for symbol in said:
        if not any(map(symbol.is_like, meant)):
            yield f"the text names {symbol}, which is left out"
    numbers = [Symbol("", int(t.text), t.start) for t in tokens if t.text.isdecimal()]
    spoken = [*said, *numbers]
    between = _between(spoken) if any(t.text in _RANGING for t in tokens) else range(0)
    for symbol in meant:
        if symbol.number not in between and not any(map(symbol.is_like, spoken)):
            yield f"{symbol} is not in the text"


def _between(symbols: Sequence[Symbol]) -> range:
    numbers = [symbol.number for symbol in symbols]
    return range(min(numbers), max(numbers)) if numbers else range(0)


def symbols_said(tokens: Sequence[Token]) -> list[Symbol]:
    """Return the symbols that a text names."""
    return [s for t in tokens if t.kind == "symbol" for s in symbols_in(t.text, t.start)]


def symbols_in(text: str, start: int = 0) -> Iterator[Symbol]:
    """Yield the symbol that a word is, if it is one."""
    found = _SYMBOL.search(text)
    if found:
        yield Symbol(found[1].lower(), int(found[2]), start)


def _meant_symbols(meaning: Any) -> Iterator[Symbol]:
    for thing in _of(Thing, meaning):
        for key in thing.ids:
            yield from symbols_in(key)
        if re.fullmatch(r"[OPRopr]-?\d+", thing.noun):
            yield from symbols_in(thing.noun)


# ---- robots --------------------------------------------------------------------------------------


def _wrong_robots(meaning: Instruction, text: str, robots: Sequence[str]) -> Iterator[str]:
    named = {name for name in robots if is_named(name, text)}
    words = {name.lower() for name in _meant_robots(meaning)}
    meant = {name for name in robots if name.lower() in words}
    for name in sorted(set() if _GROUP.search(text) else meant - named):
        if not _misspelled(name, text):
            yield f"the text does not name the robot {name}"
    everybody = any(not a.who.names for a in meaning.assignments)
    if not (everybody and named == set(robots)):
        for name in sorted(named - meant):
            yield f"the text names the robot {name}, which is left out"


def _meant_robots(meaning: Instruction) -> Iterator[str]:
    for one in meaning.assignments:
        yield from one.who.names
        yield from one.who.but
    for thing in _of(Thing, meaning):
        yield thing.noun


def is_named(name: str, text: str) -> bool:
    """Return whether a text has a name, whatever stands between the parts of it."""
    parts = re.findall(r"[^\W\d_]+|\d+", name)
    pattern = r"[\s_-]*".join(map(re.escape, parts))
    return bool(re.search(rf"(?<!\w){pattern}(?![^\W_])", text, re.IGNORECASE))


def _misspelled(name: str, text: str) -> bool:
    words = re.findall(r"[^\W\d_]+", text.lower())
    return len(name) > 3 and any(OSA.distance(name.lower(), word) <= 1 for word in words)


def _wrong_hands(meaning: Instruction, text: str, robots: Sequence[str]) -> Iterator[str]:
    """In a sentence that names one robot, what is named by a symbol is for that robot."""
    owners = _owners(text, robots)
    for one in meaning.assignments:
        words = {name.lower() for name in one.who.names}
        names = {name for name in robots if name.lower() in words}
        for symbol in _meant_symbols(one.task):
            told = owners.get(symbol.number, names)
            if names and not names & told:
                yield f"{symbol} is for {' or '.join(sorted(told))}, not for {' and '.join(sorted(names))}"
        for noun in _nouns(one.task):
            told = _told_of(noun, text, robots)
            if names and told and not names & told:
                yield f"the {noun} is for {' or '.join(sorted(told))}, not for {' and '.join(sorted(names))}"


def _told_of(noun: str, text: str, robots: Sequence[str]) -> set[str]:
    """Return the one robot of the only sentence that has a noun; nobody where that is not plain."""
    having = [
        s for s in re.findall(r"[^.;!?\n]+", text) if re.search(rf"\b{re.escape(noun)}\b", s, re.I)
    ]
    here = {name for name in robots if len(having) == 1 and is_named(name, having[0])}
    return here if len(here) == 1 else set()


def _nouns(value: Any) -> Iterator[str]:
    """Yield the last words of what things are called."""
    for thing in _of(Thing, value):
        yield from thing.noun.lower().split()[-1:]


def _owners(text: str, robots: Sequence[str]) -> dict[int, set[str]]:
    """Return which robots each number of a symbol may be for."""
    owners: dict[int, set[str]] = {}
    for sentence in re.findall(r"[^.;!?\n]+", text):
        here = [name for name in robots if is_named(name, sentence)]
        for symbol in symbols_said(tokenize(sentence)):
            owners.setdefault(symbol.number, set()).update(here if len(here) == 1 else robots)
    return owners


# ---- numbers -------------------------------------------------------------------------------------


def _wrong_numbers(meaning: Instruction, tokens: Sequence[Token]) -> Iterator[str]:
    said = _numbers_said([t.text for t in tokens])
    meant = list(_numbers_meant(meaning))
    for number in meant:
        if not any(_is_as_many(number, s) for s in said):
            yield f"the number {number:g} is not in the text"
    held = [1.0, 0.0, *meant, *_numbers_in_names(meaning)]
    for at, token in enumerate(tokens):
        robots = [t.text for t in tokens[at + 1 : at + 3]] == ["of", "you"]
        ordinal = token.kind == "word" and token.text[0].isdigit()
        stated = (token.kind == "number" and not robots) or ordinal
        if stated and not any(_is_as_many(h, token.value) for h in held):
            yield f"the number '{token.text}' of the text is left out"


def _numbers_said(words: Sequence[str]) -> set[float]:
    """Return every number that words or rows of words state, and one."""
    found = {1.0, 0.0}
    for start in range(len(words)):
        for end in range(start + 1, min(len(words), start + 4) + 1):
            row = " ".join(words[start:end])
            for value in (number_of(row), rank_of(row)):
                found |= {float(value)} if value is not None else set()
    return found


def _numbers_meant(meaning: Any) -> Iterator[float]:
    for value in _values(meaning):
        for name in ("count", "total", "rank", "meters"):
            number = getattr(value, name, None)
            if isinstance(number, int | float) and not isinstance(number, bool) and number != 1:
                yield float(number)


def _numbers_in_names(meaning: Any) -> Iterator[float]:
    """Yield the numbers in symbols, nouns and names of robots."""
    for thing in _of(Thing, meaning):
        for word in (*thing.ids, thing.noun, thing.trait):
            yield from (float(n) for n in re.findall(r"\d+", word))
            yield from (t.value for t in tokenize(word) if t.kind == "number")
    for one in meaning.assignments:
        for name in (*one.who.names, *one.who.but):
            yield from (float(n) for n in re.findall(r"\d+", name))


def _is_as_many(meant: float, said: float) -> bool:
    return any(abs(meant - said * unit) <= 0.01 * max(1.0, abs(meant)) for unit in _UNITS)


# ---- negation and order --------------------------------------------------------------------------


def _lost_negation(meaning: Instruction, tokens: Sequence[Token]) -> Iterator[str]:
    said = _negators(tokens)
    told = sum(1 for act in _of(Act, meaning) if act.do in TOLD)
    if len(said) > sum(negatives(meaning)) + told:
        yield f"the text says '{said[-1]}', and something that it excludes is left out"


def _misplaced_negation(meaning: Instruction, tokens: Sequence[Token]) -> Iterator[str]:
    """What a single negation excludes is named after it, where anything is named in its clause."""
    said = list(_negations(tokens))
    if len(said) != 1:
        return
    start = tokens[said[0]].start
    ends = [t.start for t in tokens[said[0] :] if t.text in {".", ",", ";", "!", "?"}]
    excluded, others = _named_at(meaning, tokens)
    if (
        excluded
        and max(excluded) < start
        and any(start < at < min(ends, default=at + 1) for at in others)
    ):
        yield f"the text says '{tokens[said[0]].text}' of something else than the answer does"


def _named_at(meaning: Instruction, tokens: Sequence[Token]) -> tuple[set[int], set[int]]:
    """Return where the text names what a meaning keeps away from, and where what it does something with."""
    excluded: set[int] = set()
    others: set[int] = set()
    for act, kept_out in _with_sides(one.task for one in meaning.assignments):
        for noun in _nouns(act):
            at = [token.start for token in tokens if token.text == noun]
            if len(at) == 1:
                (excluded if kept_out else others).add(at[0])
    return excluded, others


def _with_sides(tasks: Iterable[Task], kept_out: bool = False) -> Iterator[tuple[Act, bool]]:
    """Yield every act that is more than talk, and whether it is what must not be done."""
    for task in tasks:
        if isinstance(task, Plan):
            yield from _with_sides(task.tasks, kept_out or task.order == "not")
        elif task.do not in TOLD:
            yield task, kept_out or task.do in _AVOIDING


def negators(text: str) -> list[str]:
    """Return the words of a text that exclude something."""
    return _negators(tokenize(text))


def _negators(tokens: Sequence[Token]) -> list[str]:
    return [tokens[at].text for at in _negations(tokens)]


def _negations(tokens: Sequence[Token]) -> Iterator[int]:
    """Yield which tokens begin what is excluded."""
    words = [*(t.text for t in tokens), ""]
    for at, (word, following) in enumerate(pairwise(words)):
        negates = word in _NEGATORS and following not in _SELF_NEGATING
        keeps_away = word in _KEEPING and following in _AWAY and words[at - 1] not in _NEGATORS
        spares = word in ("leave", "let") and "alone" in words[at + 1 : at + _SPARING_WORDS]
        if negates or keeps_away or spares or (word, following) in _EXCEPTING:
            yield at


def orders(text: str) -> list[str]:
    """Return the words of a text that put what is done in order."""
    return [t.text for t in tokenize(text) if t.text in _ORDERING]


def negatives(meaning: Instruction) -> Iterator[int]:
    """Yield how many things each negation of a meaning is about."""
    for value in _values(meaning):
        if isinstance(value, Act) and value.do in _AVOIDING:
            yield _size(value.what)
        elif isinstance(value, Plan) and value.order == "not":
            yield len(value.tasks)
        elif isinstance(value, Assignment):
            yield len(value.who.but) + value.who.cannot
        else:
            yield int(getattr(value, "negated", False)) + sum(map(_size, getattr(value, "but", ())))


def _size(what: Any) -> int:
    return len(what.things) if isinstance(what, Several) else max(1, len(getattr(what, "ids", ())))


def _wrong_order(meaning: Instruction, tokens: Sequence[Token]) -> Iterator[str]:
    said = set(_order_words(tokens))
    acts = [a for a in _of(Act, meaning) if a.do not in TOLD and a.do not in _AVOIDING]
    if not said or len(acts) < 2:
        return
    rows = _rows(meaning)
    if not rows:
        yield f"the text says '{min(said)}', and nothing comes after anything"
    if said == {"then"} and not _all_in_order(rows, tokens):
        yield "what comes first in the text comes later in the answer"
    if said in ({"before"}, {"after"}) and any(_turned_round(row, tokens) for row in rows):
        yield f"the text says '{min(said)}', and the answer has it the other way round"


def _order_words(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield the words that put tasks in order; ``after that`` says no more than ``then``."""
    following = [*(t.text for t in tokens[1:]), ""]
    for token, after in zip(tokens, following, strict=True):
        if token.text in _ORDERING:
            yield "then" if token.text == "after" and after in ("that", "this") else token.text


def _turned_round(tasks: Sequence[Any], tokens: Sequence[Token]) -> bool:
    """Return whether of two tasks the one comes first that a lone ``before`` or ``after`` puts last."""
    marks = [t for t in tokens if t.text in ("before", "after")]
    places = [p[0] for task in tasks for p in [_places(task, tokens)] if len(p) == 1]
    if len(marks) != 1 or len(tasks) != 2 or len(places) != 2:
        return False
    # 'before A, B' and 'B before A' both have B first; 'after A, B' and 'B after A' have A first
    follows = [place > marks[0].start for place in places]
    led = min(places) if all(follows) else places[follows.index(True)] if any(follows) else None
    if led is None:
        return False
    return places.index(led) == (0 if _puts_last(tokens) else 1)


def _puts_last(tokens: Sequence[Token]) -> bool:
    """Return whether a text says ``before``; 'B, but not before A' has A first, as 'B after A'."""
    words = [token.text for token in tokens]
    return "before" in words and ("not", "before") not in pairwise(words)


def _places(task: Any, tokens: Sequence[Token]) -> list[int]:
    """Return where the text names what a task is about, by its noun, if that is said once."""
    if not isinstance(task, Act) or not isinstance(task.what, Thing):
        return []
    head = task.what.noun.lower().split()[-1:]
    return [token.start for token in tokens if token.text in head]


def _rows(meaning: Instruction) -> list[tuple[Any, ...]]:
    """Return the rows of tasks that are to be done one after the other."""
    rows = [p.tasks for p in _of(Plan, meaning) if p.order == "sequence"]
    if any(one.then for one in meaning.assignments):
        rows.append(tuple(one.task for one in meaning.assignments))
    return rows


def _all_in_order(rows: Sequence[Sequence[Any]], tokens: Sequence[Token]) -> bool:
    """Return whether symbols come in rows of tasks as in the text; what is named again has no one place."""
    at = {symbol.number: symbol.start for symbol in symbols_said(tokens)}
    found = [
        [at[s.number] for t in row for s in _meant_symbols(t) if s.number in at] for row in rows
    ]
    return all(len(set(places)) < len(places) or places == sorted(places) for places in found)


# ---- the parts of a meaning ----------------------------------------------------------------------


def _values(value: Any) -> Iterator[Any]:
    """Yield every part of a meaning, the whole first."""
    if is_dataclass(value):
        yield value
        for field in fields(value):
            yield from _values(getattr(value, field.name))
    elif isinstance(value, tuple):
        for part in value:
            yield from _values(part)


def _of(kind: type[Any], value: Any) -> Collection[Any]:
    return [part for part in _values(value) if isinstance(part, kind)]
