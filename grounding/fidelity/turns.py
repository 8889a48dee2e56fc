"""Sentences that tell several robots one after the other what to do: each thing is for who was named last.

What was announced for all before is for none of them as a whole: ``Check the vans. Spot goes for the white
one, Husky for the other`` has nobody check both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from commonground.grounding.english.faithful import BACK
from commonground.grounding.fidelity.clauses import is_named
from commonground.grounding.fidelity.held import Held, nouns_of, wanted_acts
from commonground.grounding.fidelity.phrases import Said
from commonground.grounding.fidelity.picks import LOOKING
from commonground.grounding.fidelity.robots import told_to
from commonground.grounding.fidelity.verbs import deeds_said
from commonground.grounding.words.likeness import may_be_verb
from commonground.grounding.words.nouns import singulars, word_set

_ONES = word_set("one ones other others rest former latter first second")
"""Words for some of those that were announced."""


_ALL = re.compile(
    r"\b(?:(?:both|all)(?: of)?(?: the| our| my)? robots|(?:each|every)(?: of the)? robots?"
    r"|(?:both|each|all|every one|the two) of you|you (?:both|two|all))"
    r"(?: (?:to|should|must|shall|will|are to|is to|has to|have to|needs to|need to|can|could|please))*\s+",
    re.IGNORECASE,
)
"""All robots, in front of what they do; everybody may be people."""
_DOING = {kind: frozenset(["be"]) for kind in ("END", "STAY")} | {
    kind: frozenset(["inspect", "explore"]) for kind in LOOKING
}
"""Verbs that only some deeds are."""


def wrong_turns(held: Held) -> Iterator[str]:
    """Yield things that a meaning gives to another robot than its text."""
    held = held.apart
    given = [
        (at, told_to(held.robots, one.who.names))
        for one in held.meaning.assignments
        for act in wanted_acts(one.task)
        for at in held.once(nouns_of(act.what))
    ]
    owners = dict(_owners(held, {at for at, _ in given}))
    for at, told in given:
        meant = owners.get(at, told)
        both = (at, meant) in given and _is_shared(held, at)
        if told and not told <= meant and not both:
            yield f"the {held.words[at]} is for {' or '.join(sorted(meant))}"


def _is_shared(held: Held, at: int) -> bool:
    """Return whether a noun is meant again later: ``Anna checks the vans here, Bert the ones there``."""
    later = held.words[at:]
    return not _ONES.isdisjoint(later) and bool(_robots(held, later))


def _owners(held: Held, places: set[int]) -> Iterator[tuple[int, frozenset[str]]]:
    """Yield for places of things the robots named last; only where a sentence gives things to several."""
    names = [frozenset(n for n in held.robots if is_named(n, word)) for word in held.words]
    for begin, end in {held.sentence(at) for at in range(len(names))}:
        given = {at: _named_last(names, at) for at in range(begin, end) if at in places}
        if len(set(given.values())) > 1 and all(given.values()):
            yield from given.items()


def _named_last(names: Sequence[frozenset[str]], at: int) -> frozenset[str]:
    """Return the robots named last before a token, all of those side by side (``Spot and Husky``)."""
    last = next((k for k in range(at - 1, -1, -1) if names[k]), None)
    if last is None:
        return frozenset()
    before = next((k for k in (last - 1, last - 2) if k >= 0 and names[k]), None)
    return names[last] | (_named_last(names, last) if before is not None else frozenset())


def left_out_of_all(held: Held) -> Iterator[str]:
    """Yield that all robots are told something, where a meaning tells it only some of them."""
    deeds = {deed.start: deed for deed in deeds_said(held)}
    for said in _ALL.finditer(held.text):
        deed = deeds.get(said.end())
        (verb,) = re.findall(r"\w*", held.text[said.end() :])[:1]
        if deed is None and not may_be_verb(verb.casefold()):
            continue
        if len(_told_to_do(held, deed)) < len(held.robots):
            yield f"the text says '{said[0].strip()}', and the answer has only some do that"


def _told_to_do(held: Held, deed: Said | None) -> set[str]:
    """Return the robots that a meaning tells to do anything that a verb may be, which may be unknown."""
    kinds = {kind for kind, _ in (deed.senses if deed else ())}
    done = {do for kind in kinds for do in _DOING.get(kind, ()) if kinds <= _DOING.keys()}
    told: set[str] = set()
    for one in held.meaning.assignments:
        if not done or any(act.do in done for act in wanted_acts(one.task)):
            told |= told_to(held.robots, one.who.names) if one.who.names else {*held.robots}
    return told


def undivided(held: Held) -> Iterator[str]:
    """Yield what only a sentence without robots speaks of, and robots do all of, though they share it."""
    for one in held.meaning.assignments:
        heads = {noun for act in wanted_acts(one.task) for noun in nouns_of(act.what)}
        named = [at for at, w in enumerate(held.words) if not heads.isdisjoint(singulars(w))]
        if one.who.choose == "each" and len(named) == 1 and _is_announced(held, named[0]):
            who = " and ".join(one.who.names) or "everybody"
            yield f"the text does not say that '{held.words[named[0]]}' are all for {who}"


def _is_announced(held: Held, at: int) -> bool:
    """Return whether a sentence names no robot, and those behind it share out what it speaks of."""
    begin, end = held.sentence(at)
    later = held.words[end:]
    shared = not _ONES.isdisjoint(later) and BACK.isdisjoint(later)
    return shared and len(_robots(held, later)) > 1 and not _robots(held, held.words[begin:end])


def _robots(held: Held, words: Sequence[str]) -> set[str]:
    return {name for name in held.robots for word in words if is_named(name, word)}
