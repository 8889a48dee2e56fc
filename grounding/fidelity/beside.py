"""What is done with a thing is said beside it: a sentence without verb or robot only tells what there is.

``Three pumps on the books. I want two of them inspected.`` has two pumps inspected, not three.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from commonground.grounding.english.faithful import DETERMINERS
from commonground.grounding.english.parts import parts_of
from commonground.grounding.english.purposes import DEEDS as DONE
from commonground.grounding.english.purposes import purposes_of
from commonground.grounding.english.remarks import MARKS, PEOPLE
from commonground.grounding.english.utterance import Described, Group, Phrase, Span, Utterance
from commonground.grounding.fidelity.clauses import WHERE, Wording, is_state
from commonground.grounding.fidelity.joints import joins
from commonground.grounding.fidelity.verbs import BEING, DEEDS
from commonground.grounding.language.tokens import Token
from commonground.grounding.meaning import ELIDED, Thing
from commonground.grounding.words.closed import HAVE, MODALS
from commonground.grounding.words.nouns import word_set

_TAKING_UP = word_set(
    "it its her him them there those that these this one ones both each all former latter other others em "
    "two three any pair first second third last"
)

_ORDERING = word_set("should must shall would could can may to please want need")
_IS = frozenset(["is", "are", "'s"])
_ROBOTS = frozenset(["robot", "robots"])
_LEAVING = word_set("left forgot dropped parked put lost dumped")
_ALL = re.compile(
    r"(?:(?:all|both|each|every (?:single )?one) of )?(?:them|those|these)", re.IGNORECASE
)
"""Takes up all that was told of, so that it makes no difference."""
_OF_THOSE = frozenset(["one", "ones", "them", "those", "these"])


def unspoken(utterance: Utterance, tokens: Sequence[Token], robots: Sequence[str]) -> Iterator[str]:
    """Yield things that an utterance does something with and that its text only tells of."""
    text = Wording(tokens, robots)
    yield from _were_at(text, utterance)
    again = {span for phrase in parts_of(utterance, Phrase) for span in phrase.again}
    done = {span for span, purpose in purposes_of(utterance) if purpose in DONE} - again
    verbs, bare = _verbs(text)
    ordered = sorted(done, key=lambda s: s.start)
    for span in ordered:
        taken = _taking_up(span, ordered)
        if taken is not None and not (_ALL.fullmatch(taken.text) or _has_verb(text, span, verbs)):
            yield f"the text only tells of {span.text}, and then says what to do with {taken.text}"
        if _is_ours(text, _at(text, span), verbs) or _is_stated(text, _at(text, span), verbs):
            yield f"the text only tells of {span.text}"
        if not bare and _is_only_told(text, span, verbs):
            yield f"the text says nothing of what to do with {span.text}"
    yield from _unjoined(text, ordered, verbs)
    yield from _not_listed(text, utterance, verbs)


def _were_at(text: Wording, utterance: Utterance) -> Iterator[str]:
    """Yield where an utterance puts things that its text only tells to have been there."""
    told = (s for s, purpose in purposes_of(utterance) if purpose == "to" and _was(text, s))
    yield from (f"the text only tells that something was at {span.text}" for span in told)


def _verbs(text: Wording) -> tuple[set[int], bool]:
    """Return where the verbs of a text begin, and whether one ends a sentence."""
    said = [one for one in text.phrases(DEEDS) if one.words not in BEING]
    return {one.start for one in said}, any(not one.next or one.next in MARKS for one in said)


def _is_ours(text: Wording, at: int, verbs: Collection[int]) -> bool:
    """Return whether only people are or have something there, and nothing takes it up: ``I'm here``."""
    remark = text.remark(at)
    if remark is None:
        return False
    begin, end = remark
    if text.words[begin + 1] in ("mean", "meant"):
        return False  # the field, I mean
    has_done = (
        text.words[begin + 1] in MODALS and text.words[begin + 2] in HAVE
    )  # I'll have it checked
    if any(t.start in verbs for t in text.tokens[begin : end if has_done else at]):
        return False
    return _TAKING_UP.isdisjoint(text.words[at + 1 :])


def _is_stated(text: Wording, at: int, verbs: Collection[int]) -> bool:
    """Return whether a clause only tells what is there: ``that nice couple is in the plaza``."""
    begin, end = text.clause(at)
    before = text.words[begin:at]
    be = next((k for k, word in enumerate(before) if word in _IS), 0)
    told = be > 0 and before[0] in DETERMINERS | PEOPLE and WHERE.issuperset(before[be + 1 :])
    others = [t for t in text.tokens[begin:end] if t is not text.tokens[begin + be]]
    does = any(t.start in verbs or text.is_robot(t.text) for t in others)
    return told and not does and _TAKING_UP.isdisjoint(text.words[at + 1 :])


def _was(text: Wording, span: Span) -> bool:
    """Return whether a clause only tells where something was, or is now: ``both were left in the cafe``."""
    at = _at(text, span)
    if is_state(text.words, at):
        return True
    words = text.words[slice(*text.clause(at))]
    told = not {"was", "were", "been"}.isdisjoint(words) or _left(words)
    return told and _ORDERING.isdisjoint(words)


def _left(words: Sequence[str]) -> bool:
    """Return whether somebody has left something: ``some poor soul left a bag at the bus stop``."""
    return any(
        word in _LEAVING and behind in DETERMINERS and k > 0 and words[0] in DETERMINERS | PEOPLE
        for k, (word, behind) in enumerate(pairwise(words))
    )


def _taking_up(span: Span, ordered: Sequence[Span]) -> Span | None:
    """Return the next words that take up what is named before, as the span itself does not."""
    later = (other for other in ordered if other.start > span.end and not _takes_up(span))
    return next(filter(_takes_up, later), None)


def _has_verb(text: Wording, span: Span, verbs: Collection[int]) -> bool:
    """Return whether a clause has a verb for what it names; behind ``there is`` it is for something else."""
    at = _at(text, span)
    begin, end = text.clause(at)
    if "there" in text.words[begin:at]:
        end = at
    return any(t.start in verbs for t in text.tokens[begin:end])


def _is_only_told(text: Wording, span: Span, verbs: Collection[int]) -> bool:
    """Return whether a sentence has neither verb nor robot, and no other sentence takes it up.

    A verb that ends a sentence goes with what was named before.
    """
    begin, end = text.sentence(_at(text, span))
    here, rest = text.tokens[begin:end], [*text.tokens[:begin], *text.tokens[end:]]
    if any(t.start in verbs or t.text in _ROBOTS or text.is_robot(t.text) for t in here):
        return False
    return _TAKING_UP.isdisjoint(t.text for t in rest) and any(t.start in verbs for t in rest)


def _unjoined(text: Wording, done: Sequence[Span], verbs: Collection[int]) -> Iterator[str]:
    """Yield things beside each other of which one only describes the other."""
    for first, second in pairwise(done):
        between = [
            k for k, t in enumerate(text.tokens) if first.end <= t.start and t.end <= second.start
        ]
        whole = isinstance(first, Described) or isinstance(second, Described)
        if whole and between and not any(joins(text, k, verbs) for k in between):
            yield f"nothing between '{first.text}' and '{second.text}' says that both are meant"


def _not_listed(text: Wording, utterance: Utterance, verbs: Collection[int]) -> Iterator[str]:
    """Yield what an utterance lists beside what takes it up: ``the tents, visit each of them``."""
    for group in parts_of(utterance, Group):
        heads = [phrase.symbol or phrase.name or phrase.noun for phrase in group.phrases]
        spans = sorted((span for span in heads if span), key=lambda s: s.start)
        for first, second in pairwise(spans):
            if _takes_up(second) and any(first.end <= verb < second.start for verb in verbs):
                yield f"'{second.text}' takes up {first.text}"


def _takes_up(span: Span) -> bool:
    """Return whether words only take up what was named before: ``one of them``, ``the one by the door``."""
    if not isinstance(span, Described):
        return False
    what = span.meaning
    elided = isinstance(what, Thing) and what.noun == ELIDED and not what.ids
    return elided or not _OF_THOSE.isdisjoint(span.text.casefold().split())


def _at(text: Wording, span: Span) -> int:
    tokens = text.tokens
    return next((k for k, token in enumerate(tokens) if token.end > span.start), len(tokens) - 1)
