"""What stands around what is told: when it was written down, who saw it, and that it is wished for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.memory.english.time_phrases import ago_around, times_in
from commonground.grounding.memory.english.timing import TimeWords
from commonground.grounding.memory.ontology.words import (
    AUXILIARIES,
    DETERMINERS,
    FILLING,
    FROM,
    MODALS,
    NEGATIONS,
    OF_IT,
    PERSONAL,
    TO,
    Word,
    classes_of,
    is_participle,
    is_verb,
    lemmas,
    number_in,
    says_nothing,
    states_of,
)
from commonground.grounding.memory.rewriting.dating import without_stamp

_CLOCK = re.compile(
    r"(?<!after)(?<!before)(?<!until)(?<!till)(?<!since)(?<!by)(?<!around)(?<!from)(?<!to)"
    r"(?: at)? (?P<time>(?:[01]?\d|2[0-3]):[0-5]\d)(?!\w)"
)
"""A time of day in a line: ``cast off 08:51``; not one that it only lies before or after."""
_SHORT = re.compile(
    r"\b(?P<who>\w+)['\N{RIGHT SINGLE QUOTATION MARK}]s"
    r"(?P<between>(?: (?:just|already|now|also|since|finally|only|all|both))*)"
    r" (?P<word>\w+)(?P<after>(?: \w+)?)"
)
_ONE_OF_YOU = re.compile(r"\b(?:one|any|either) of you(?: \w+(?=[,.]))?", re.IGNORECASE)
_NOT_ONE = re.compile(r"\bnot (?:a single|one)\b(?! of\b)(?= \w)", re.IGNORECASE)
"""What is said for ``no``: ``not one lamp is lit``."""
_BROUGHT = re.compile(
    r",\s*(?:(?P<hand>[^,]{1,40}?) in (?:his |her |their )?hands?(?:,|$)"
    r"|(?P<along>[\w -]{1,30}?) with (?:him|her|them)\b)",
    re.IGNORECASE,
)
_CLEFT = re.compile(
    r"\bit(?: was|'s| is) (?P<what>(?!not\b)[\w' -]{1,40}?),? (?:(?:that|who|which)\s+|(?:that|who)(?='s))",
    re.IGNORECASE,
)
_FOUND = re.compile(
    r"\byou(?:'ll| will| can|'d| would)(?: now)? find (?P<what>it|them|him|her) "
    r"(?=(?:now )?(?:in|at|on|inside|by|with)\b)",
    re.IGNORECASE,
)
_THERE = re.compile(
    r"\b(?:that|this)(?:'s| is) where (?P<who>[\w' -]{1,30}?) (?P<be>is|are)\b", re.IGNORECASE
)
_SUBJECT = {"it": "it is", "them": "they are", "him": "he is", "her": "she is"}
_HANDS = frozenset(["hand", "hands", "arm", "arms"])
_AROUND = TO | FROM | frozenset(["through", "as", "while", "when", "by", "near"])
"""What a phrase begins with that tells where or when somebody saw something."""
_SUBJECTS = frozenset(["he", "she", "it"])
_SPEAKER = frozenset(["i", "we"])
_TAG = frozenset(["will", "would", "can", "could", "you", "please", "?"])
_CALLED = frozenset(["everyone", "robot", "folks", "guys"])
_ASKED = frozenset(["task", "tasks", "job", "jobs", "order", "request", "goal", "target", "state"])
"""What a heading calls what follows when that is wanted."""
_WHEN = frozenset(["before", "once", "when", "because", "since", "after", "till", "until"])
_MARKS = frozenset([",", ";", ":", "."])
_SURE = frozenset(["sure", "certain", "it", "to"])

_WHY_NOT = re.compile(
    r"(?P<led>^\s*|[,;.!?]\s*)why (?:don['\N{RIGHT SINGLE QUOTATION MARK}]?t (?:you|we)|not)(?: just)?"
    r" (?!(?:have|know|like|want|see|think)\b)(?P<wish>[^?]+)\??",
    re.IGNORECASE,
)


_MIND = re.compile(
    r"\b(?:would|do) (?:you|anyone|anybody|somebody|someone) mind (?=\w+ing\b)", re.IGNORECASE
)


def without_why_not(text: str) -> str:
    """Return a task with what it suggests asked for: ``why don't you …?``, ``would you mind …?``."""
    return _MIND.sub("please ", _WHY_NOT.sub(r"\g<led>please \g<wish>", text))


def stamped(text: str) -> tuple[str, tuple[TimeWords, ...]]:
    """Return a report without the one time that it begins with, or has, and that time."""
    text, times = without_stamp(text)
    if times:
        return text, times
    inside = [*_CLOCK.finditer(text)]
    times = times_in(inside[0]["time"]) if len(inside) == 1 else ()
    return (_CLOCK.sub("", text), times) if times else ago_around(text)


_ASIDE = re.compile(r"\s+\((?P<said>[^()]+)\)")
"""What is said in brackets."""
_ON_BOARD = re.compile(r"\bon board(?: of)?(?= \w)", re.IGNORECASE)


def written_out(text: str) -> str:
    """Return a text with ``has`` where ``'s`` stands for it, and what ``it was`` puts first in its place.

    ``Ann's lifted the box`` has lifted it; who goes, ``key in hand`` or ``key with her``, goes with the key.
    """
    text = _ASIDE.sub(r", \g<said>", text)
    text = _ONE_OF_YOU.sub("somebody", _NOT_ONE.sub("no", _ON_BOARD.sub("aboard", text)))
    text = _CLEFT.sub(lambda found: found["what"] + (" " if found[0][-1:].isspace() else ""), text)
    text = _BROUGHT.sub(lambda found: f" with {found['hand'] or found['along']}", text)
    text = _FOUND.sub(lambda found: f"{_SUBJECT[found['what'].lower()]} ", text)
    text = _THERE.sub(r"\g<who> \g<be> there", text)
    return _SHORT.sub(_has, text)


def _has(found: re.Match[str]) -> str:
    word, after = found["word"].lower(), found["after"].strip().lower()
    pronoun = found["who"].lower() in _SUBJECTS
    # "it's closed" is a state; "it's picked up the cup" tells what it did
    shut = bool(states_of(word)) and after in ("again", "now", "already", "too")
    state = shut or (
        pronoun and (not after or after in FILLING - {"the", "a", "an", "his", "her", "its"})
    )
    ended = not after and not pronoun  # "this is Ann's painted"
    if word != "been" and (ended or state or not is_participle(word)):
        return found[0]
    return f"{found['who']} has{found['between']} {found['word']}{found['after']}"


def unframed(sentence: Sequence[Word]) -> list[Word]:
    """Return a sentence without words that open it, and without who saw what it tells."""
    words = _opened(_without_hands(sentence))
    texts = [w.text for w in words]
    for at in (n for n, text in enumerate(texts) if text in _SPEAKER):
        seen = _seen(texts, at)
        around = texts[:1] and texts[0] in _AROUND
        if seen is not None and (around or not any(map(is_verb, texts[:at]))):
            return _opened(words[seen:])
    return words


def _opened(words: list[Word]) -> list[Word]:
    """Return words without those that only open a sentence."""
    texts, at = [w.text for w in words], 0
    while at < len(texts):
        size = load_lexicon().openers.match(texts, at)
        if size == 0 and texts[at] != ",":
            break
        if {*texts[at : at + size]} & _CALLED and texts[at + size : at + size + 1] != [","]:
            break  # "everyone out of the hall" calls nobody
        at += size or 1
    return words[at:] if at < len(words) else words


def _without_hands(sentence: Sequence[Word]) -> list[Word]:
    """Return a sentence without ``in her hands``, which says no more than that she has it."""
    words: list[Word] = []
    for word in sentence:
        words.append(word)
        texts = [w.text for w in words[-3:]]
        size = 3 if texts[1:2] and texts[-2] in OF_IT else 2
        if word.text in _HANDS and len(texts) >= size and texts[-size] in ("in", "into"):
            del words[-size:]
    return _back_in(words)


def _back_in(words: Sequence[Word]) -> list[Word]:
    """Return a sentence without adverbs of several words, and with what is left out in ``put it back in``."""
    found: list[Word] = []
    texts, at = [w.text for w in words], 0
    while at < len(words):
        size = load_lexicon().adverbs.match(texts, at)
        led = texts[at] in TO | FROM and texts[at + 1 : at + 2] != ["all"]
        if size > 1 and not led:  # "on his way to the hall" tells more
            at += size
            continue
        found.append(words[at])
        ends = at + 1 == len(words) or texts[at + 1] in (",", "and", "then")
        if texts[at] in ("in", "inside") and ends and texts[at - 1] == "back":
            found.append(Word("it"))
        at += 1
    return found


def _seen(texts: Sequence[str], speaker: int) -> int | None:
    """Return where what somebody saw begins; None where he tells of something else."""
    at = speaker + 1
    while at < len(texts) and (texts[at] in AUXILIARIES or says_nothing(texts[at])):
        at += 1
    if at >= len(texts) or {*texts[speaker:at]} & NEGATIONS:
        return None
    seeing = classes_of(texts[at], frozenset())
    if "speech" in seeing or not ("observe" in seeing or "watch" in lemmas(texts[at])):
        return None
    at += 1
    while at < len(texts) and texts[at] in ("that", "how", ","):
        at += 1
    return at


# ---- tasks ------------------------------------------------------------------------------------------


def unheaded(words: Sequence[Word]) -> list[Word]:
    """Return what a heading asks for, with whom it asks before it: ``Open task: …``, ``Job for Ann: …``."""
    texts = [w.text for w in words]
    end = texts.index(":") if ":" in texts else 0
    tail = next((n for n in range(end) if texts[n] in ("for", "from", "to", "by")), end)
    head = [t for t in texts[:tail] if t not in DETERMINERS]
    asks = bool(head) and (head[-1] in _ASKED or "desire" in classes_of(head[-1], frozenset()))
    if not asks or {*head} & (NEGATIONS | AUXILIARIES | PERSONAL | TO | FROM):
        return [*words]
    if texts[tail] == "for" and tail + 1 < end:
        return [*words[tail + 1 :]]
    return [Word("please"), *words[end + 1 :]]


def without_when(words: Sequence[Word]) -> tuple[list[Word], list[Word]]:
    """Return a task without clauses that tell when or why, and those: ``once Ann has eaten``."""
    kept: list[Word] = []
    gone: list[Word] = []
    at = 0
    while at < len(words):
        end = next((n for n in range(at, len(words)) if words[n].text in _MARKS), len(words))
        clause = [w.text for w in words[at + 1 : end]]
        opens = words[at].text in _WHEN and clause[:1] not in (["that"], ["this"])
        if (
            opens
            and (
                any(t in AUXILIARIES or is_verb(t) for t in clause)
                or any(map(number_in, clause[:1]))
            )
            and (kept or end < len(words))
        ):
            gone += words[at:end]
            at = end + (not kept and end < len(words))
            continue
        kept.append(words[at])
        at += 1
    return kept, gone


def told_that(words: Sequence[Word]) -> list[Word]:
    """Return what follows that somebody says or wants: ``she asked me to tell you that …``."""
    texts = [w.text for w in words]
    for at, text in enumerate(texts):
        before = texts[:at]
        asked = any(classes_of(w, frozenset()) & {"speech", "desire"} for w in before)
        after = words[at + 1] if at + 1 < len(words) else Word("")
        begins = after.capital or after.text in DETERMINERS | PERSONAL
        if text == "that" and begins and asked and not {*before} & NEGATIONS:
            return [*words[at + 1 :]]
    return [*words]


def wish_itself(words: Sequence[Word]) -> list[Word]:
    """Return what is wanted without what says that it is: ``make sure that``."""
    texts = [w.text for w in words]
    begin = _ensured(texts) or 2 * (texts[:2] == ["let", "us"])
    return [*([Word("please")] if begin else []), *words[begin:]]


def _ensured(texts: Sequence[str]) -> int:
    """Return how many words at the beginning only say that what follows is to be seen to."""
    for at, text in enumerate(texts[:10]):
        before = texts[:at]
        rest = {*before} - MODALS - _SPEAKER - _TAG - FILLING - {"want", "like", "need", "'d"}
        seen = rest and all("ensuring" in classes_of(t, frozenset()) or t in _SURE for t in rest)
        if seen and (text == "that" or texts[at - 1] in ("sure", "certain")):
            return at + (text == "that")
    return 0
