"""Verbs of a text and the things that stand behind them: what is to be inspected is not only gone to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from commonground.grounding.english.names import singular
from commonground.grounding.english.parts import parts_of
from commonground.grounding.fidelity.clauses import (
    clause_at,
    named_once,
    puts_off,
    sentence_at,
    token_at,
)
from commonground.grounding.fidelity.negation import wanted_acts
from commonground.grounding.fidelity.phrases import Said, phrases_in
from commonground.grounding.fidelity.picks import LOOKING, is_many
from commonground.grounding.fidelity.robots import nouns_of
from commonground.grounding.language.tokens import Token
from commonground.grounding.language.vocabulary import vocabulary
from commonground.grounding.meaning import Act, Instruction, Plan, Reference, Thing
from commonground.grounding.resolver.wording import describe
from commonground.grounding.words.nouns import word_set

_GOING = frozenset(["MOVE", "VISIT", "ENTER", "RETURN", "STAY", "END", "VIA"])
_HANDLING = frozenset(["PICK", "PICK_SPLIT", "PICK_OR_PLACE", "PUT", "PUT_SPLIT"])
DEEDS = LOOKING | _GOING | _HANDLING | {"AVOID", "OMIT", "EXPLORE"}
_ENDING = frozenset(["STAY", "END"])
_PLACING = word_set("at by in on near next beside inside within with alongside to into")
_PASSING = frozenset(["VISIT", "ENTER", "VIA"])
_BY = re.compile(r"\b(?:past|pass(?:es|ing)?(?: by)?|drives? by|driving by)\b")
_PAST, _REACH = frozenset(["past"]), 3
"""A word that says so of what it stands so near before."""
_BACK_AT = frozenset(["be", "back", "end", "you"])
"""Between what is inspected and where somebody ends: ``check the tap and be at the gate``."""
_ROAMING = frozenset(["go", "be", "explore"])
_LOOKS = frozenset(["inspect", "explore"])
_SEEING = LOOKING | {"EXPLORE"}
_PRONOUNS = frozenset(
    ["it", "them", "one", "both", "these", "those", "there", "all", "each", "either"]
)
_NONE = frozenset(["no", "not", "nothing", "without", "never"])
_NEEDING = word_set("need needed have has to do any a reason point for you there is")
"""Words between a verb and the word that denies it: ``no need to check``."""
BEING = frozenset(["be", "is", "are", "am", "was", "were", "been", "being"])


def wrong_verbs(meaning: Instruction, tokens: Sequence[Token]) -> Iterator[str]:
    """Yield things that a text has inspected and the answer only gone to, or the other way round."""
    acts, deeds = wanted_acts(meaning), deeds_said(meaning, tokens)
    idle = {deed for deed in deeds if _is_all(deed, _SEEING) and is_needless(deed, tokens)}
    deeds = [deed for deed in deeds if deed not in idle]
    yield from _wrong_looks(acts, deeds, tokens)
    yield from _passed(meaning, acts, tokens)
    yield from _followed(acts, tokens)
    if not any(plan.order == "sequence" for plan in parts_of(meaning, Plan)):
        yield from _wrong_ends(acts, deeds, tokens)
    looks = any(_is_all(deed, _SEEING) for deed in deeds)
    if idle and not looks and any(act.do in _LOOKS for act in acts):
        words = " and ".join(sorted(deed.words for deed in idle))
        yield f"the text says that there is no need to {words}"


def deeds_said(meaning: Instruction, tokens: Sequence[Token]) -> list[Said]:
    """Return the verbs of a text; 'barrels' are things here, and nobody barrels along."""
    things = [thing.noun.casefold().split() for thing in parts_of(meaning, Thing)]
    nouns = {singular([word]) for noun in things for word in noun}
    return [
        deed
        for deed in phrases_in(tokens, DEEDS)
        if not _is_state(deed, tokens) and singular([deed.words]) not in nouns
    ]


def _wrong_looks(
    acts: Sequence[Act], deeds: Sequence[Said], tokens: Sequence[Token]
) -> Iterator[str]:
    inspected = [act for act in acts if act.do in _LOOKS]
    for act in _only_visited(acts, inspected):
        for deed in _verbs_of(act, deeds, tokens):
            if _is_all(deed, LOOKING) and not _is_back(act, deed, tokens):
                yield f"the text says '{deed.words}' of what the answer only goes to"
    yield from _checked_one(inspected, deeds)
    yield from () if inspected or not acts else _checked_none(deeds)
    # 'go to the bench and check it' has the bench inspected, and one word for that
    if len(inspected) > sum(_is_all(deed, _SEEING) for deed in deeds):
        for deed in _said_of(inspected, deeds, tokens):
            if _is_all(deed, _GOING):
                yield f"the text says '{deed.words}' of what the answer inspects"


def _checked_one(inspected: Sequence[Act], deeds: Sequence[Said]) -> Iterator[str]:
    """Yield a ``check them`` where an answer inspects one thing."""
    one = len(inspected) == 1 and _is_one(inspected[0].what)
    them = [d.words for d in deeds if one and d.next == "them" and _is_all(d, LOOKING)]
    yield from (f"the text says '{words} them', and the answer inspects one" for words in them)


def _checked_none(deeds: Sequence[Said]) -> Iterator[str]:
    """Yield a ``check it`` where an answer inspects nothing."""
    for deed in deeds:
        if _is_all(deed, LOOKING) and deed.next in ("it", "them") and deed.words != "see to":
            yield f"the text says '{deed.words} {deed.next}', and the answer inspects nothing"


def _is_one(what: Reference) -> bool:
    return not is_many(what) and isinstance(what, Thing) and what.count in (None, 1)


def _is_back(act: Act, deed: Said, tokens: Sequence[Token]) -> bool:
    """Return whether only where somebody ends is said between a verb and what it is not said of."""
    at = max(named_once(nouns_of(act.what), tokens), default=0)
    between = {t.text for t in tokens[:at] if t.start > deed.start}
    return act.do == "be" and not _BACK_AT.isdisjoint(between)


def _wrong_ends(
    acts: Sequence[Act], deeds: Sequence[Said], tokens: Sequence[Token]
) -> Iterator[str]:
    """Yield where a text ends somewhere and the answer passes through, or the other way round."""
    for do, kinds, instead in (("go", _ENDING, "passes"), ("be", _PASSING, "ends at")):
        for deed in _said_of([act for act in acts if act.do == do], deeds, tokens):
            stays = do == "be" and any(d.start > deed.start and _is_all(d, _ENDING) for d in deeds)
            if _is_all(deed, kinds) and not (stays or _is_either(deed, do)):
                yield f"the text says '{deed.words}' of what the answer {instead}"


def _followed(acts: Sequence[Act], tokens: Sequence[Token]) -> Iterator[str]:
    """Yield where an answer has somebody go where a text only has something put."""
    said = (deed for deed in phrases_in(tokens, DEEDS) if deed.words not in BEING - {"be"})
    if any(_is_all(deed, _GOING - {"ENTER"}) for deed in said):
        return
    filled = {noun for act in acts if act.do == "place" for noun in nouns_of(act.to)}
    gone_to = {n for act in acts if act.do in _ROAMING for n in nouns_of(act.what)}
    for at in named_once(filled & gone_to, tokens):
        yield f"the text only has something put in the {tokens[at].text}"


def _passed(meaning: Instruction, acts: Sequence[Act], tokens: Sequence[Token]) -> Iterator[str]:
    """Yield where an answer ends that a text only goes past; the last thing to go to is an end."""
    lasts = [plan.tasks[-1] for plan in parts_of(meaning, Plan) if plan.order == "sequence"]
    for last in (*lasts, *(one.task for one in meaning.assignments if one.then)):
        if isinstance(last, Act) and last.do == "go" and goes_by(last, tokens):
            yield f"the text only goes past {describe(last.what)}"
    for act in acts:
        places = named_once(nouns_of(act.what), tokens) if act.do == "be" else ()
        for at in places:
            passed = _PAST.intersection(t.text for t in tokens[max(0, at - _REACH) : at])
            yield from (
                f"the text says '{word}' of what the answer ends at" for word in sorted(passed)
            )


def goes_by(act: Act, tokens: Sequence[Token]) -> bool:
    """Return whether a text only goes past a thing: that is no place to end at."""
    said = phrases_in(tokens, DEEDS)
    verbs = [*_verbs_of(act, said, tokens)] if nouns_of(act.what) else said[-1:]
    return any(_BY.search(deed.words) for deed in verbs) or any(
        not _PAST.isdisjoint(t.text for t in tokens[max(0, at - _REACH) : at])
        for at in named_once(nouns_of(act.what), tokens)
    )


def _is_either(deed: Said, do: str) -> bool:
    """Return whether a verb tells no more than another could: ``be in it``, ``what stands there``."""
    first = deed.words.split()[0]
    if do == "go":  # wait at the gate, not 'no wait'
        placed = not _PLACING.isdisjoint((deed.words.split()[-1], deed.next))
        return not placed or first.endswith(("s", "ing"))
    begins = {kind for _, kind, *_ in vocabulary()[0].matches(deed.words.split(), 0)}
    return first in BEING or not begins.isdisjoint(_ENDING)


def is_needless(deed: Said, tokens: Sequence[Token]) -> bool:
    """Return whether a text says that something need not be done: ``no need to check``."""
    at = token_at(tokens, deed.start)
    begin, _ = clause_at(tokens, at)
    before = [t.text for t in reversed(tokens[begin:at])]
    denied = next((word for word in before if word not in _NEEDING), "")
    return denied in _NONE and not puts_off(tokens, at)


def _is_state(deed: Said, tokens: Sequence[Token]) -> bool:
    """Return whether a ``be`` only tells how something is; first, it is an order (``be at the door``)."""
    at = token_at(tokens, deed.start)
    if deed.words not in BEING:  # there stands a bench
        return at > 0 and tokens[at - 1].text == "there" and _is_all(deed, _ENDING)
    return deed.words != "be" or clause_at(tokens, at)[0] != at


def _only_visited(acts: Sequence[Act], inspected: Sequence[Act]) -> list[Act]:
    nouns = {noun for act in inspected for noun in nouns_of(act)}
    return [act for act in acts if act.do in ("go", "be") and nouns.isdisjoint(nouns_of(act))]


def _said_of(acts: Sequence[Act], deeds: Sequence[Said], tokens: Sequence[Token]) -> list[Said]:
    return [deed for act in acts for deed in _verbs_of(act, deeds, tokens)]


def _verbs_of(act: Act, deeds: Sequence[Said], tokens: Sequence[Token]) -> Iterator[Said]:
    """Yield the last verb before each noun of an act, or before the word that takes it up later.

    Where a sentence has none, that of the sentence before is left out: ``check the bin. Husky, the bench``.
    """
    for at in (*named_once(nouns_of(act.what), tokens), *_symbol_places(act.what, tokens)):
        _, end = sentence_at(tokens, at)
        taken_up = (
            k for k, token in enumerate(tokens) if token.start >= end and token.text in _PRONOUNS
        )
        later = (last_before(k, deeds, tokens) for k in taken_up)
        yield from (
            last_before(at, deeds, tokens)
            or next(filter(None, later), [])
            or _left_out(at, deeds, tokens)
        )


def _symbol_places(what: Reference, tokens: Sequence[Token]) -> Iterator[int]:
    """Yield where symbols of what is meant stand, those that a text has once."""
    for thing in parts_of(what, Thing):
        yield from named_once(thing.ids, tokens)


def _left_out(at: int, deeds: Sequence[Said], tokens: Sequence[Token]) -> list[Said]:
    """Return the verb that a sentence without any takes from what was said before."""
    begin, end = sentence_at(tokens, at)
    before = {token.text for token in tokens[:at] if token.start >= begin}
    if not before.isdisjoint(_PLACING) or any(begin <= deed.start < end for deed in deeds):
        return []
    return [deed for deed in deeds if deed.start < begin][-1:]


def last_before(at: int, deeds: Sequence[Said], tokens: Sequence[Token]) -> list[Said]:
    """Return the last verb of a sentence before one of its words."""
    begin, _ = sentence_at(tokens, at)
    return [deed for deed in deeds if begin <= deed.start < tokens[at].start][-1:]


def _is_all(deed: Said, kinds: frozenset[str]) -> bool:
    return {kind for kind, _ in deed.senses} <= kinds
