"""What things are for: which kinds of things serve a purpose that is said in words.

A purpose is a verb with what it acts on (cut grass, sit on). It is matched with the purposes of a list in
which words stand for their kinds; the one that covers most of what was said counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from commonground.grounding.words.concepts import artifacts, everyday, household, word_file
from commonground.grounding.words.nouns import singulars, word_set

LONGEST = 8
"""Words of a purpose at most."""
STEPS = 3
"""How far above a word one that a purpose says may be: bread is food."""
ANYTHING = "thing"
_HANGING = re.compile(
    r"\s+(?:on|in|at|with|from|under|into|by|to|through|off)"
    r"(?=\s*(?:$|[.,;:!?])|\s+(?:on|in|at|near|by|next|beside|behind|over|and|or|then|that|which)\b)"
)
"""What stands without its noun behind a purpose: to sit *on* near the door."""
_WORD = re.compile(r"[A-Za-z]+")
_UNSAID = word_set(
    "a an the my your our his her their its this that these those some any one me you us him them it "
    "myself yourself oneself ourselves himself herself themselves someone somebody again properly "
    "safely quickly easily i we he she they what who how is are was be"
)
_TOOLS = word_set("machine tool device apparatus unit appliance equipment")
_TURNS = word_set("out off up down over away through across")
"""Words that make another purpose of a verb."""
_ON = word_set("up down away")
"""Those that add little once it is said what is acted on: to cool a room *down*."""
_LINKS = word_set(
    "on in at with from under to into by for of inside onto upon near behind around between across "
    "against without while when during after before and or then so"
)
"""Words after which no object of the verb stands."""


@dataclass(frozen=True, slots=True)
class _Way:
    """A purpose of the list, and the kinds that serve it."""

    words: tuple[str, ...]
    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Known:
    """The list: words that say the same, purposes by verb, and the base form of each form of a verb."""

    verbs: Mapping[str, str]
    nouns: Mapping[str, str]
    ways: Mapping[str, tuple[_Way, ...]]
    bases: Mapping[str, str]


def kinds_for(purpose: str) -> tuple[str, ...]:
    """Return the kinds of things that serve a purpose (``cut grass with``), the likeliest first."""
    return _best(_words(purpose))[1]


def kinds_doing(noun: str) -> tuple[str, ...]:
    """Return the kinds that a noun names by what they do: an espresso maker, a running machine."""
    *before, head = noun.lower().split()
    if head in _TOOLS and before and before[-1].endswith("ing"):
        *before, head = before
    elif not head.endswith(("er", "or")):
        return ()
    verb = _known().bases.get(head)
    return kinds_for(" ".join([verb, *before])) if verb else ()


def leading(text: str) -> tuple[int, tuple[str, ...]]:
    """Return where the purpose that a text begins with ends, and the kinds that serve it; 0 for none."""
    best, end, read, kinds = 0, 0, 0, tuple[str, ...]()
    for count, word in enumerate(_WORD.finditer(text), 1):
        if count > LONGEST or text[read : word.start()].strip(" '’-"):
            break
        read = word.end()
        said = _words(text[:read])
        score, served = _best(said)
        if score > best or (0 < score == best and _object(said[1:]) == said[-1]):
            best, end, kinds = score, read, served
    hanging = _HANGING.match(text, end) if end else None
    return (end if hanging is None else hanging.end()), kinds


def _words(purpose: str) -> tuple[str, ...]:
    said = (w.lower() for w in _WORD.findall(purpose))
    return tuple(w for w in said if w not in _UNSAID)


@lru_cache(maxsize=10_000)
def _best(said: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
    """Return how much of a purpose the best way of the list covers, and the kinds that serve it."""
    if not said:
        return 0, ()
    known = _known()
    verb = known.bases.get(said[0], said[0])
    rest = [known.nouns.get(w, w) for w in map(_singular, said[1:])]
    ways = known.ways.get(known.verbs.get(verb, verb), ())
    scored = [(score, way.kinds) for way in ways if (score := _score(way.words, rest))]
    return max(scored, key=lambda s: s[0], default=(0, ()))


def _score(wanted: Sequence[str], said: Sequence[str]) -> int:
    """Return how much of what is said after the verb a way covers, 0 if it is another purpose."""
    left, score = list(said), 2
    for word in (w for w in wanted if w != ANYTHING):
        hit = next((w for w in left if w == word or word in words_above(w, STEPS)), None)
        if hit is None:
            return 0
        left.remove(hit)
        score += 1 if word in _LINKS | _TURNS else 2
    return score if _fits(_object(said), left, ANYTHING in wanted) else 0


def _fits(acted_on: str, left: Sequence[str], anything: bool) -> bool:
    """Return whether what a way leaves of a purpose does not make another one of it."""
    turns = _TURNS & set(left)
    covered = bool(acted_on) and (anything or acted_on not in left)
    if turns:
        return covered and not anything and turns <= _ON
    return covered or (not acted_on and not anything)


def _object(said: Sequence[str]) -> str:
    """Return the head of what the verb acts on, '' where it acts on nothing."""
    head = ""
    for word in said:
        if word in _LINKS or (head and word.endswith("ing")):
            break  # dry *walking in the rain*
        if word not in _TURNS:
            head = word
    return head


@lru_cache(maxsize=10_000)
def words_above(word: str, steps: int | None = None) -> frozenset[str]:
    """Return words for what a word is a kind of, so many steps above it at most."""
    out = set()
    for concepts in (everyday(), household(), artifacts()):
        for sense in concepts.senses(word):
            for row in concepts.line(sense)[:steps]:
                out |= set(concepts.concepts[row].words)
    return frozenset(out)


def _singular(word: str) -> str:
    """Return the form of a word that the list has, else its likeliest singular."""
    if word in _LINKS or word in _TURNS:
        return word
    forms = list(singulars(word))
    return next((f for f in forms if f in _known().nouns), forms[-1] if forms else word)


@cache
def _known() -> _Known:
    parts = _sections()
    verbs, nouns = (
        {w: same[0] for same in map(_listed, parts[n]) for w in same} for n in ("verbs", "nouns")
    )
    ways: dict[str, list[_Way]] = {}
    heads = set(verbs)
    for line in parts["purposes"]:
        kinds, _, purposes = line.partition("=")
        for purpose in _listed(purposes):
            verb, *rest = _words(purpose)
            heads.add(verb)
            words = tuple(nouns.get(w, w) for w in rest)
            ways.setdefault(verbs.get(verb, verb), []).append(_Way(words, tuple(_listed(kinds))))
    bases = {form: verb for verb in sorted(heads) for form in _forms(verb)} | {v: v for v in heads}
    return _Known(verbs, nouns, {verb: tuple(w) for verb, w in ways.items()}, bases)


def _sections() -> dict[str, list[str]]:
    """Return the lines of each part of the list."""
    parts: dict[str, list[str]] = {}
    for line in word_file("purposes.txt").splitlines():
        if line.startswith("["):
            section = parts.setdefault(line.strip("[]"), [])
        elif line and not line.startswith("#"):
            section.append(line)
    return parts


def _listed(line: str) -> list[str]:
    return [part.strip() for part in line.split(",")]


def _forms(verb: str) -> Iterator[str]:
    """Yield how a verb ends in "for cutting", "used for mowing", "that cuts" and "mower"."""
    stem = verb[:-1] if verb.endswith("e") and not verb.endswith("ee") else verb
    yield from (f"{verb}s", f"{verb}es")
    for ending in ("ing", "er", "or"):
        yield from (f"{stem}{ending}", f"{verb}{verb[-1]}{ending}")
    if verb.endswith("y"):
        yield f"{verb[:-1]}ies"
    if verb.endswith("ie"):
        yield f"{verb[:-2]}ying"
