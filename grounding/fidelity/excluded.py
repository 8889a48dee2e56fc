"""What a text excludes is excluded by its meaning; a negation that excludes nothing asks for nothing.

One that names no thing, takes none up and denies no deed only tells (``haven't slept``); the opposite of
what is wanted says it again (``don't let go``), as two negations do together (``not one goes unchecked``).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from commonground.grounding.english.faithful import DETERMINERS
from commonground.grounding.english.parts import parts_of
from commonground.grounding.english.remarks import only_tells
from commonground.grounding.fidelity.held import Held
from commonground.grounding.fidelity.negation import (
    UNWANTED,
    excepted_besides,
    feared,
    left_aside,
    negations,
    negatives,
)
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.verbs import BEING, DEEDS
from commonground.grounding.meaning import TOLD, Act, Plan, Relation, Several, Thing, Who
from commonground.grounding.words.closed import BE, HAVE, TAKING_UP
from commonground.grounding.words.nouns import singulars, word_set
from commonground.grounding.words.refraining import LEFT, REFRAINS

_PLAIN = frozenset(["not", "never", "nobody"])
"""Negations that may also tell; all other words that exclude something are said for that."""
_NARROWING = frozenset(
    ["COLOR", "SIZE", "NEAREST", "FARTHEST", "COMPASS", "COMPASS_MOST", "SIDE", "NEAR", "WITHIN", "BEYOND",
     "OFF_LIMITS", "HOLDING", "LEAVE", "DO_IT", "SAFE", "EACH_OTHER", "SAME"]
)  # fmt: skip
_ANYTHING = word_set("any anything anyone anybody anywhere those these other others both all every")
_RELEASING = word_set("put set lay drop release let give part lose leave")
_MOVING = frozenset(["MOVE", "LEAVE", "RETURN", "PUT"])
_ENDING = frozenset(["STAY", "END"])
_STIRRING = word_set("stir stirs budge budges shift shifts wander else elsewhere")
_INTO = word_set("in into inside onto near under")
_THERE = BE | word_set("from get 're")
"""Before ``there`` these tell where somebody stays."""
_AWAY = word_set("clear away off out")
_ONE = word_set("one a an single")
_MISSED = REFRAINS | LEFT | word_set("not never miss misses missed excepted out left")
_SUBJECTS = frozenset(["i", "we", "they", "he", "she", "it"])
_FORBIDDING = word_set("must shall should")
_JOINTS = word_set("and but then so")
_STOPS = frozenset([".", ",", ";", "!", "?", ":", "\n"])


def lost_negation(held: Held) -> Iterator[str]:
    """Yield what a text excludes and its meaning does not."""
    held = held.apart
    said = [held.words[at] for at in _excluding(held)]
    remarks = () if UNWANTED.search(held.line) else held.parts(Act)
    told = sum(1 for act in remarks if act.do in TOLD)
    said += feared(held.line)
    said += [*excepted_besides(held.line), *left_aside(held.line)]
    if len(said) > sum(negatives(held.meaning)) + told:
        yield f"the text says '{said[-1]}', and something that it excludes is left out"


def _excluding(held: Held) -> Iterator[int]:
    """Yield which negations exclude something that none before them did."""
    undone: set[int] = set()
    for at in negations(held):
        rest = _rest(held, at)
        doubled = [k for k in rest if _is_missed(held, k)] if _is_of_none(held, at) else []
        undone.update(doubled)
        idle = held.words[at] in _PLAIN and not _concerns(held, at, rest)
        idle = idle or only_tells(held.words, at)
        idle = (
            idle or bool(doubled) or at in undone or _is_limit(held, rest) or _is_choice(held, at)
        )
        if not (idle or _restates(held, rest) or _takes_up_excluded(held, at, rest)):
            yield at


def _rest(held: Held, at: int) -> range:
    """Return what a negation may be said of: the words behind it up to a mark or a joint."""
    stops = (k for k in range(at + 1, len(held.words)) if held.words[k] in _STOPS | _JOINTS)
    return range(at + 1, next(stops, len(held.words)))


def _concerns(held: Held, at: int, rest: range) -> bool:
    """Return whether a negation is of a thing, a deed, or what tells things apart; or of all before it."""
    begin = held.clause(at)[0]
    asks = held.words[begin] in BE | HAVE and held.word(held.sentence(at)[1]) == "?"
    if asks or (held.word(at - 1) == "do" and held.word(at + 1) in _SUBJECTS):
        return False  # isn't it dreadful today? don't we all?
    if _forbids(held, at):
        return True
    said = phrases_in(held.tokens[at + 1 : rest.stop], DEEDS | _NARROWING)
    named = any(map(held.names_thing, range(begin, rest.stop)))
    back = any(_points(held, k) for k in rest)
    return not rest or named or back or any(one.words not in BEING for one in said)


def _forbids(held: Held, at: int) -> bool:
    """Return whether a negation is an order: ``do not``, ``never go``, ``the journey must not touch``."""
    before = held.word(at - 1)
    commands = (before == "do" and _opens(held, at - 1)) or _opens(held, at, "never")
    return commands or (before in _FORBIDDING and held.word(at - 2) not in _SUBJECTS)


def _opens(held: Held, at: int, word: str = "") -> bool:
    """Return whether a word begins an order, whoever is called."""
    before = held.word(at - 1)
    called = before in _STOPS | _JOINTS | {"", "you", "please"} or held.is_robot(before)
    return called and word in ("", held.words[at])


def _points(held: Held, at: int) -> bool:
    """Return whether a word stands for a thing or a robot; in ``it is Friday`` it stands for none."""
    word, idle = held.words[at], held.words[at] == "it" and held.word(at + 1) in BE | {"'s"}
    return held.is_robot(word) or (word in TAKING_UP | _ANYTHING and not idle)


def _is_of_none(held: Held, at: int) -> bool:
    """Return whether a negation is of each one, of which all are meant: ``not one is to be skipped``."""
    every = any(thing.amount == "all" for thing in held.parts(Thing)) or any(
        who.choose in ("each", "same", "share") or len(who.names) > 1 for who in held.parts(Who)
    )
    return every and (held.words[at] == "nobody" or held.word(at + 1) in _ONE)


def _is_missed(held: Held, at: int) -> bool:
    word = held.words[at]
    return word in _MISSED or (word.startswith("un") and word.endswith("ed"))


def _is_limit(held: Held, rest: range) -> bool:
    """Return whether a negation belongs to a distance of the meaning: ``not over twenty meters``."""
    meters = {relation.meters for relation in held.parts(Relation)} - {None}
    return any(held.tokens[k].value in meters for k in rest[:3] if held.tokens[k].kind == "number")


def _is_choice(held: Held, at: int) -> bool:
    """Return whether a negation only leaves a choice: ``one or the other, not both``."""
    left: set[str] = {thing.amount for thing in held.parts(Thing)}
    left.update(who.choose for who in held.parts(Who))
    left.update(some.join for some in held.parts(Several))
    left.update(plan.order for plan in held.parts(Plan))
    return held.word(at + 1) in ("both", "all") and not left.isdisjoint(("any", "one"))


def _restates(held: Held, rest: range) -> bool:
    """Return whether what is denied is the opposite of holding something, or of being somewhere."""
    words = [held.words[k] for k in rest]
    if not (_INTO | DETERMINERS).isdisjoint(words) or any(map(held.names_thing, rest)):
        return False
    does = {act.do for act in held.acts if not _is_only_here(held, act)}
    keeps = not does.isdisjoint(("pick", "take")) and not _RELEASING.isdisjoint(words)
    moves = phrases_in(held.tokens[rest.start : rest.stop], _MOVING)
    stays = bool(moves) or not _STIRRING.isdisjoint(words)
    whom = {word for before, word in pairwise(["", *words]) if before not in _THERE}
    return keeps or ("be" in does and stays and TAKING_UP.isdisjoint(whom))


def _is_only_here(held: Held, act: Act) -> bool:
    """Return whether somebody is to stay where it is, and no word says so: ``do not move`` names no place."""
    here = isinstance(act.what, Thing) and act.what.of == "here"
    return here and all(said.words in BEING for said in held.phrases(_ENDING))


def _takes_up_excluded(held: Held, at: int, rest: range) -> bool:
    """Return whether a negation names only what was excluded before: ``avoid the bay, don't go in there``."""
    begin = held.clause(at)[0]
    words = [held.words[k] for k in rest]
    back = not (TAKING_UP.isdisjoint(words) and (_INTO | _AWAY).isdisjoint(words[-1:]))
    here = range(begin, rest.stop)
    if not back or any(held.names_thing(k) or held.is_robot(held.words[k]) for k in here):
        return False
    last = next((held.words[k] for k in range(begin - 1, -1, -1) if held.names_thing(k)), "")
    return bool(last) and not {*_excluded_words(held)}.isdisjoint(singulars(last))


def _excluded_words(held: Held) -> Iterator[str]:
    """Yield what the things are called that a meaning keeps away from."""
    out = tuple(act.what for act, kept_out in held.sides if kept_out)
    for thing in parts_of(out, Thing):
        for word in (*thing.noun.casefold().split(), *thing.ids):
            yield from singulars(word)
