"""Whether words only tell something: they order, wish, forbid, limit and choose nothing for a robot.

Whoever tells a story has a subject of its own in each clause. What people did, have and feel is no order,
whatever they deny and whoever wanted it; what is wished, forbidden or limited of a thing of the world, or of
what a robot could do, may be one, and so may be all that speaks to robots or depends on a condition.
"""

from __future__ import annotations

import re
from itertools import pairwise, starmap

from commonground.grounding.english.faithful import NEGATIONS, NUMBERS
from commonground.grounding.english.tokens import tokens_of
from commonground.grounding.fidelity.phrases import Said
from commonground.grounding.fidelity.picks import LOOKING
from commonground.grounding.language.tellings import (
    IS,
    LEADING,
    Known,
    Telling,
    is_past,
    opens,
    tellings,
)
from commonground.grounding.words.blanks import any_of
from commonground.grounding.words.closed import BE, MODALS
from commonground.grounding.words.nouns import word_set

BY_THE_WAY = re.compile(
    r"\bif you (?:ask|must know)\b[^,.;!?]*|\bwould you believe(?: it)?\b|\byou (?:know|see)\b(?= *[,.;!?])"
    r"|\byou(?:['’]d| would)n['’]t believe\b|\bI(?:['’]ll)? tell you\b|\bbless (?:you|him|her|them)\b"
    r"|\bmind you\b(?!\s+\w+\s+(?:the|it|them|that|your|my|our)\b)|\bguess (?:what|who)\b[^,.;!?]*"
    r"|\b(?:believe|trust|bear with|forgive) (?:you )?me\b|\bdo(?:n['’]t| not) get me started\b"
    r"|\b(?:hang|hold) on\b(?=\s*[,.;!])",
    re.IGNORECASE,
)
"""What speaks to somebody and says nothing."""
_LISTENING = re.compile(
    r"\byou (?:all )?(?:have(?! to)|see|hear|can (?:see|hear))\b|\bthank you\b", re.IGNORECASE
)
"""A listener knows that, too."""
_ADDRESSING = word_set(
    "you your yours yourself yourselves ye u ya robot robots bot bots machine machines"
)
_CASES = word_set("if unless whether provided otherwise")
_TEMPORAL = word_set("when once as after before during while")
"""What was so then is told; what is to be so first may be a condition."""
_UNREAL = word_set("joke joking kidding pretend drill example exercise")
"""Where these are told of the rest, nothing is meant by it."""
_CORRECTING = word_set(
    "mean meant sorry wait scratch rather instead correction mind mistake wrong he she they him her"
)
"""After an order these may put it right, or speak of its robot."""
_IMPERATIVES = word_set(
    "do please mind watch use leave skip ignore forget take let make keep stay ask tell"
)
"""A clause without a subject that begins with these is an order."""
_ALLOWED = word_set("allowed permitted supposed")
_DUTIES = _ALLOWED | word_set(
    "must should ought need needs needed please let required better forbidden banned sure ensure shall"
)
_WISHES = word_set(
    "want wants wanted wish wishes prefer prefers expect expects insist insists hoped hoping wishing"
)
_LIKING = word_set("like love rather want")
_GETTING = word_set("have get see know find be make")
_STATES = word_set(
    "closed shut limits bounds barred private reserved dangerous danger unsafe broken fine done finished "
    "ok okay ready fire harm hurt careful avoid keep stay apart lock locked roped sealed fenced blocked "
    "flooded belong belongs"
)
"""What is so of a thing or an area may be a reason not to go there."""
_LIMITING = word_set("only except excluding apart save just without already")
_EXCEPTING = word_set("but bar except excepting save not")
_UNTIL = frozenset(["until", "till"])
_LETTING = word_set("let lets letting have see allow allows want wants like likes")
"""Who denies these wants others not to do something."""
_NO_ONE = word_set("nobody none anyone anybody noone")
_SOMEONE = word_set("one other others whichever whoever gripper")
"""Who is spoken of with these may be a robot: ``the one with the arm stays here``."""
_MAY = word_set("can may could")
_DUE = IS | {"'re", "'m", "has", "have", "got", "'ve"}
_PASSED_ON = word_set("says said asked asks told")
_BEFORE_BE = MODALS | NEGATIONS | word_set("to 'll 'd soon")
_DONE = LOOKING | {"EXPLORE", "AVOID", "OMIT"}


def only_tells(text: str, known: Known, *, after: bool = False) -> bool:
    """Return whether a sentence only tells something.

    After an order, what speaks of things may put it right, and so tells more.
    """
    told = _LISTENING.sub("I know", BY_THE_WAY.sub("I know", text))
    words = [token.text.casefold() for token in tokens_of(told)]
    called = re.search(rf"(?<!\w){any_of(known.robots)}(?!\w)", told, re.IGNORECASE)
    spoken_to = "?" in words or not (_ADDRESSING | _CASES | _UNREAL).isdisjoint(words)
    if called or spoken_to or not _begins(words):
        return False
    if after and words[:1] in (["all"], ["not"], ["but"]) and not _EXCEPTING.isdisjoint(words):
        return False  # all but the red one, that is
    clauses = [*tellings(told, known)]
    if after and any(c.about or c.has(_CORRECTING | NUMBERS) for c in clauses):
        return False
    return any(c.has_verb for c in clauses) and not any(map(_orders, clauses))


def _begins(words: list[str]) -> bool:
    """Return whether a sentence begins with a subject, or with when something was so."""
    return opens(words) and (words[0] not in _TEMPORAL or is_past(words))


def _orders(clause: Telling) -> bool:
    """Return whether a clause may order, forbid, limit or choose anything."""
    touches = clause.about or bool(clause.deeds)
    binds = touches and (_binds(clause) or _ought_to_be(clause))
    return _is_imperative(clause) or binds or _tells_of_things(clause)


def _ought_to_be(clause: Telling) -> bool:
    """Return whether a bare ``be`` stands behind a word that may be a duty: ``shud be safe``."""
    pairs = pairwise(("", *clause.words))
    return any(b == "be" and a not in _BEFORE_BE for a, b in pairs)


def _binds(clause: Telling) -> bool:
    """Return whether a clause wishes or forbids something."""
    wished = clause.words[0] != "where" and _wishes(clause)
    forbidden = clause.has(NEGATIONS) and _forbids(clause)
    return wished or forbidden or _keeps_out(clause)


def _tells_of_things(clause: Telling) -> bool:
    """Return whether what a clause tells of things may say which are meant, or what is not to be done."""
    stated = clause.about and (clause.has(_STATES) or _limits(clause))
    deeds = any(said.words.split()[0] not in BE for _, said in clause.deeds)
    does = deeds and not clause.is_past  # the bucket goes in the shed
    of_robot = does and clause.has(_SOMEONE)
    of_thing = clause.is_place or (clause.about and (does or _may(clause)))
    done = clause.names and any(_is_done(said) for _, said in clause.deeds)
    told_of = stated or (clause.who == "thing" and of_thing) or of_robot or done
    return clause.counts or told_of


def _is_imperative(clause: Telling) -> bool:
    first = clause.words[0]
    verbs = (said.words.split()[0] for at, said in clause.deeds if at == 0)
    bare = any(not verb.endswith(("s", "ed", "ing")) for verb in verbs)
    return first in _IMPERATIVES or (bare and not is_past((first,)))


def _is_done(said: Said) -> bool:
    """Return whether a verb says that something is looked at, or is left out."""
    return not _DONE.isdisjoint(kind for kind, _ in said.senses)


def _wishes(clause: Telling) -> bool:
    """Return whether a clause says what somebody must do, or wants done."""
    own = _ALLOWED if clause.who == "speaker" else frozenset[str]()  # I'm not allowed to
    words = [word for word in clause.words if word not in NEGATIONS]
    return any(starmap(_is_wish, pairwise(words))) or clause.has(_DUTIES - own) or _wants(clause)


def _is_wish(word: str, behind: str) -> bool:
    """Return whether two words say that something is due, or liked: ``is to``, ``be done``."""
    due = behind == "to" and word in _DUE | _PASSED_ON
    passive = word == "be" and (behind.endswith(("ed", "en")) or behind in ("done", "put", "kept"))
    return due or passive or (word in ("'d", "would") and behind in _LIKING)


def _wants(clause: Telling) -> bool:
    """Return whether somebody wants a thing, or something done; not only to do something himself."""
    words = clause.words
    at = next((k for k, w in enumerate(words) if w in _WISHES), None)
    if at is None:
        return clause.who == "speaker" and clause.has(frozenset(["like", "hope"]))
    own = clause.who == "people" and words[at + 1 : at + 2] in (("to",), ("on",))
    return not (own and _GETTING.isdisjoint(words[at + 2 : at + 3]))


def _forbids(clause: Telling) -> bool:
    """Return whether a clause that denies something may forbid it: not what people do not do themselves."""
    if clause.who in ("thing", ""):
        return True
    if any(a in NEGATIONS and b in _LETTING for a, b in pairwise(clause.words)):
        return True
    deeds = {at for at, _ in clause.deeds} | clause.named
    if any(w == "no" and at + 1 in deeds for at, w in enumerate(clause.words)):
        return True  # he says no parking on the lawn
    ours = clause.who == "speaker" and clause.about and bool(clause.deeds)
    return (ours or clause.has(_NO_ONE)) and not clause.is_past


def _keeps_out(clause: Telling) -> bool:
    """Return whether a clause says what nobody does; what nobody did is told."""
    pairs = enumerate(pairwise((*clause.words, "")))
    at = next((k for k, pair in pairs if pair[0] in _NO_ONE or pair == ("no", "one")), None)
    if at is None:
        return clause.who == "nobody" and not clause.is_past
    return not is_past(clause.words[at:])


def _limits(clause: Telling) -> bool:
    """Return whether a clause limits something; until when something went on is told."""
    own = clause.who in ("speaker", "people") and not clause.names  # I just lie there
    return (clause.has(_LIMITING) and not own) or (clause.has(_UNTIL) and not clause.is_past)


def _may(clause: Telling) -> bool:
    """Return whether a thing may be left as it is: ``the crane can wait``; not ``the can in the shed``."""
    return any(a in _MAY and b not in LEADING for a, b in pairwise(clause.words))
