"""What a piece of a command only forbids, or lets be: ``don't slice it``, ``the watch can stay``."""

from __future__ import annotations

from collections.abc import Mapping

from commonground.grounding.english.faithful import NEGATIONS
from commonground.grounding.english.utterance import Sense
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.problem_writer.goals import Wish, in_state, is_reached
from commonground.grounding.problem_writer.vocabulary import command_words
from commonground.grounding.problem_writer.wishes.account import Accounts
from commonground.grounding.problem_writer.wishes.acts import Said
from commonground.grounding.problem_writer.wishes.heads import PREPOSITIONS
from commonground.grounding.problem_writer.wishes.restating import frame_at
from commonground.grounding.problem_writer.wishes.table import TABLE
from commonground.grounding.problem_writer.wishes.where import DONE
from commonground.grounding.words.nouns import word_set
from commonground.planning.pddl import And, Not, conjunction

_SENSES: Mapping[str, Sense] = {
    "slice": "cut up", "break": "break", "open": "open", "close": "close", "switch_on": "switch on",
    "switch_off": "switch off", "put": "put", "push": "move",
}  # fmt: skip
"""Kinds of verbs → what is forbidden by them."""
_ALONE = word_set("alone touch touched disturb disturbed bother bothered")
_SMALL = word_set("up down on off it them please either though at all any in of to")


def banned(accounts: Accounts) -> Wish | None:
    """Return a wish that only spares things, if nothing else is said."""
    if len(accounts.acts.said) != 1 or not accounts.named:
        return None
    (one,) = accounts.acts.said
    undone = _undone(one, accounts)
    if undone is not None:
        return undone
    sense = _let_be(one, accounts) if one.act == "leave" else _forbidden(one, accounts)
    skills = TABLE[sense].skills if sense else None
    if sense is None or not skills:
        return None
    types = {kind for named in accounts.named for kind in named.types}
    if sense.startswith("switch"):
        types |= {accounts.home.type_of(name) for name in accounts.home.switches(sorted(types))}
    names = accounts.home.things(sorted(types))
    return Wish(And(), spared=tuple(Fact(n, "spared", skill) for n in names for skill in skills))


def _undone(one: Said, accounts: Accounts) -> Wish | None:
    """Return a wish that things do not come to be in a state that no single skill brings about."""
    head = accounts.acts.head(one.start, one.end)
    if head.mood != "order" or NEGATIONS.isdisjoint(accounts.words[one.start : head.verb]):
        return None
    frame, size = frame_at(head.verb, one.end, accounts)
    state = command_words().brings.get(frame, "")
    thing = accounts.object_at(head.verb + size)
    if thing is None or frame in _SENSES or state not in DONE | {"FILLED"}:
        return None
    if len(accounts.named) > 1:
        return None
    if not _SMALL.issuperset(accounts.words[thing.end : one.end]):
        return None
    states = (in_state(kind, state) for kind in sorted(accounts.home.present(thing.types)))
    return Wish(conjunction([Not(s) for s in states if not is_reached(s, accounts.home.graph)]))


def _let_be(one: Said, accounts: Accounts) -> Sense | None:
    """Return what is not to be done to what is let be; where it stays may be said as well."""
    words = accounts.words[one.start : one.end]
    alone = not _ALONE.isdisjoint(words) or (words[0] == "let" and words[-1] == "be")
    if alone:
        return "touch"
    if not PREPOSITIONS.isdisjoint(words) or "be" in words:
        return None  # ``the mug needn't be washed`` leaves what else is done with it open
    return "put"


def _forbidden(one: Said, accounts: Accounts) -> Sense | None:
    """Return what is not to be done to what is named behind a verb."""
    head = accounts.acts.head(one.start, one.end)
    denied = not NEGATIONS.isdisjoint(accounts.words[one.start : head.verb])
    if head.mood != "order" or not denied:
        return None
    frame, size = frame_at(head.verb, one.end, accounts)
    first, last = accounts.named[0], accounts.named[-1]
    listed = PREPOSITIONS.isdisjoint(accounts.words[first.end : last.start])
    plain = listed and _SMALL.issuperset(accounts.words[last.end : one.end])
    begins = accounts.object_at(head.verb + size) == first
    return _SENSES.get(frame) if plain and begins else None
