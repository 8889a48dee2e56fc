"""Numbers that a text states: the same in its meaning, and no others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

from commonground.grounding.english.faithful import BACK
from commonground.grounding.english.parts import parts_of
from commonground.grounding.fidelity.held import Held, nouns_of
from commonground.grounding.fidelity.unknown import LINKS
from commonground.grounding.meaning import Instruction, Relation, Thing
from commonground.grounding.words.closed import ENDS
from commonground.grounding.words.likeness import may_be_noun
from commonground.grounding.words.nouns import singulars, word_set
from commonground.grounding.words.numbers import meters_of, number_of, rank_of
from commonground.grounding.words.tokens import Token, tokenize
from commonground.grounding.words.vocabulary import vocabulary
from commonground.planning.pddl import And, Atom, Formula, Not, Or, atoms

_UNITS = (1.0, 1000.0, 0.01, 0.3048, 0.9144, 1609.344)
"""What a number may have been multiplied with to get meters."""

_RANKS = word_set("second third fourth fifth sixth seventh eighth ninth tenth")
_BACK = BACK | frozenset(["one", "ones", "both", "two", "rest", "others", "all"])
_WHY, _BECAUSE = frozenset([("seeing", "as"), ("given", "that")]), frozenset(["because", "since"])
_BOTH = re.compile(r"(?<!\byou )(?<!\bus )(?<!\bwe )\bboth\b(?! of (?:you|us)\b| robots\b)")
"""Said of things."""
_BOTH_AND = re.compile(r"\band both\b|\bboth (?:of )?(?:the )?(?:\w+ )?\w+s and\b")
"""Said of some of the things: ``the tank and both pumps``."""
_COUNTED = 3
"""So many words behind a number what it counts is looked for."""
_BARE = LINKS | ENDS | {":", ")", "(", "apiece", "each"}
_MEASURES = word_set(
    "m meter meters metre metres km cm ft feet yard yards second seconds minute minutes hour hours time "
    "times degree degrees step steps lap laps round rounds"
)
_MADE = frozenset(
    ["pairs", "opinions", "views", "verdicts", "reports", "readings", "checks", "looks"]
)
"""What each robot makes one of that does the same as another: ``I want two opinions``."""


def wrong_numbers(held: Held) -> Iterator[str]:
    """Yield the numbers that only a text has, or only its meaning.

    To say again how many things goals come to (``both, so two``) is no new number.
    """
    meaning = held.meaning
    said = _numbers_said(tuple(held.words))
    meant = list(_numbers_meant(meaning))
    for number in meant:
        if not any(_is_as_many(number, s) for s in said):
            yield f"the number {number:g} is not in the text"
    known = [1.0, 0.0, *map(float, {*held.counted, *_crew(held)})]
    known += [*meant, *_numbers_in_names(meaning)]
    for at in _stated(held):
        token = held.tokens[at]
        if not _is_by_the_way(held, at) and not any(_is_as_many(h, token.value) for h in known):
            yield f"the number '{token.text}' of the text is left out"
    yield from _lost_ranks(held, [*meant, *_numbers_in_names(meaning)])
    yield from _lost_totals(held)
    yield from _lost_both(held)
    yield from _lost_meters(held)


def _stated(held: Held) -> Iterator[int]:
    """Yield which tokens are ordinals or numbers of things; robots, people and hours are none."""
    for at, token in enumerate(held.tokens):
        beside = {*held.words[max(0, at - 1) : at], *held.words[at + 1 : at + 3]}
        others = not beside.isdisjoint(("you", "robots", "us", "people", "oclock"))
        others = others or _is_one_each(token, beside, held.meaning) or _is_joined(held, at)
        ordinal = token.kind == "word" and token.text[0].isdigit()
        if ordinal or (token.kind == "number" and not others and _counts_something(held, at)):
            yield at


def _counts_something(held: Held, at: int) -> bool:
    """Return whether a number may count what is meant, or measure it: not ``thirty years``."""
    behind = held.words[at + 1 : held.sentence(at)[1]][:_COUNTED]
    noun = next((k for k, word in enumerate(behind) if held.names_thing(at + 1 + k)), None)
    if noun is not None or not behind or behind[0] in _BARE:
        return True
    known = behind[0] in vocabulary()[1] | _MEASURES | _MADE | BACK
    return known or not may_be_noun(behind[0])


def _is_joined(held: Held, at: int) -> bool:
    """Return whether a number is part of a word: ``two-wheelers``; ``two-three`` are two numbers."""
    joined = held.text.startswith("-", held.tokens[at].end)
    return joined and at + 1 < len(held.tokens) and held.tokens[at + 1].kind == "word"


def _is_by_the_way(held: Held, at: int) -> bool:
    """Return whether a number only says why, or what people have: ``seeing as two of them leak``."""
    if held.only_tells(held.tokens[at].start):
        return True
    if not _BACK.isdisjoint(held.words[held.clause(at)[1] :]):
        return False
    nouns = {noun for thing in held.parts(Thing) for noun in nouns_of(thing)}
    counted = {form for word in held.words[at + 1 : at + 3] for form in singulars(word)}
    owned = held.remark(at) is not None and counted.isdisjoint(nouns)
    return owned or (held.word(at - 2), held.word(at - 1)) in _WHY or held.word(at - 1) in _BECAUSE


def _lost_totals(held: Held) -> Iterator[str]:
    """Yield of how many a text takes some, where an answer takes those as well: ``two from the three``."""
    things = [*held.parts(Thing)]
    some = {t.noun for t in things if t.count and not t.total}
    every = {t.total for t in things if t.total and not t.count and t.noun in some}
    for of, _, number in zip(held.tokens, held.tokens[1:], held.tokens[2:], strict=False):
        if of.text == "from" and number.kind == "number" and number.value in every:
            yield f"the text says 'from' of {number.text}, and the answer does not"


def _lost_both(held: Held) -> Iterator[str]:
    """Yield a ``both`` where nothing in the goals is two: there are more of them, or fewer."""
    whos = [one.who for one in held.meaning.assignments]
    pairs = {len(who.names) or len(held.robots) * (who.choose != "one") for who in whos}
    more = _BOTH_AND.search(held.line) and max(held.counted, default=0) > 2
    if held.counted and not more and 2 not in {*held.counted, *pairs} and _BOTH.search(held.line):
        yield "the text says 'both', and those are not two"


def _lost_meters(held: Held) -> Iterator[str]:
    """Yield a distance that only a text has: in ``drive 5 meters`` nothing is called 5."""
    meant = [r.meters for r in held.parts(Relation) if r.meters]
    named = {word for thing in held.parts(Thing) for word in (*nouns_of(thing), thing.trait)}
    for number, unit in pairwise(held.tokens):
        is_far = number.kind == "number" and unit.text.lower() != "in"
        meters = meters_of(f"{number.text} {unit.text}") if is_far else None
        if meters and not any(_is_as_many(m, meters) for m in meant) and unit.text not in named:
            yield f"the distance '{number.text} {unit.text}' of the text is left out"


def _crew(held: Held) -> set[int]:
    """Return how many robots do something, and how many there are where any may: ``any of the three``."""
    whos = [one.who for one in held.meaning.assignments]
    some = {len(who.names) or len(held.robots) for who in whos if who.choose == "one"}
    return some | {len({name for who in whos for name in who.names})}


def _lost_ranks(held: Held, known: Sequence[float]) -> Iterator[str]:
    """Yield ordinals that only a text has: ``all of them but the third``."""
    if any(one.who.choose == "other" for one in held.meaning.assignments):
        return  # the second of you
    for the, word in pairwise(held.words):
        rank = float(rank_of(word) or 1) if word in _RANKS else 1.0
        if the == "the" and rank > 1.0 and not any(_is_as_many(h, rank) for h in known):
            yield f"the number '{word}' of the text is left out"


@lru_cache(maxsize=32)  # each reading of a text is checked against it
def _numbers_said(words: tuple[str, ...]) -> frozenset[float]:
    """Return every number that words or rows of words state, and one."""
    found = {1.0, 0.0}
    for start in range(len(words)):
        for end in range(start + 1, min(len(words), start + 4) + 1):
            row = " ".join(words[start:end])
            for value in (number_of(row), rank_of(row)):
                found |= {float(value)} if value is not None else set()
    return frozenset(found)


def _numbers_meant(meaning: Any) -> Iterator[float]:
    for thing in parts_of(meaning, Thing):
        yield from (float(n) for n in (thing.count, thing.total) if n is not None and n != 1)
    for relation in parts_of(meaning, Relation):
        yield from (float(n) for n in (relation.rank, relation.meters) if n is not None and n != 1)


def _is_one_each(number: Token, beside: set[str], meaning: Instruction) -> bool:
    """Return whether as many robots as a number says each make one of what it counts."""
    each = (one.who for one in meaning.assignments if one.who.choose == "each")
    doers = {name for who in each for name in who.names}
    return number.value == len(doers) and not beside.isdisjoint(_MADE)


def _numbers_in_names(meaning: Any) -> Iterator[float]:
    """Yield the numbers in symbols, nouns and names of robots."""
    for thing in parts_of(meaning, Thing):
        for word in (*thing.ids, thing.noun, thing.trait):
            yield from (float(n) for n in re.findall(r"\d+", word))
            yield from (t.value for t in tokenize(word) if t.kind == "number")
    for one in meaning.assignments:
        for name in (*one.who.names, *one.who.but):
            yield from (float(n) for n in re.findall(r"\d+", name))


def _is_as_many(meant: float, said: float) -> bool:
    return any(abs(meant - said * unit) <= 0.01 * max(1.0, abs(meant)) for unit in _UNITS)


def counts_of(goals: Iterable[Formula]) -> set[int]:
    """Return how many things are joined anywhere in goals, and how many of a kind there are in all."""
    goals = list(goals)
    sizes = {size for goal in goals for size in _joined(goal)}
    every = Counter(p for p, _ in {(a.predicate, a.args) for goal in goals for a in atoms(goal)})
    return sizes | set(every.values())


def _joined(goal: Formula) -> Iterator[int]:
    if isinstance(goal, Not):
        yield from _joined(goal.body)
    if not isinstance(goal, And | Or):
        return
    yield len(goal.parts)
    yield from Counter(p.predicate for p in goal.parts if isinstance(p, Atom)).values()
    for part in goal.parts:
        yield from _joined(part)
