"""What is put right in the same breath: ``the red car, no, sorry, the blue van``.

What was said first is replaced by what is meant, so that no reader has to know how people correct themselves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.verbs import DEEDS
from commonground.grounding.language.mentions import Mention, refers_back
from commonground.grounding.language.tokens import tokenize
from commonground.grounding.meaning import ELIDED, Reference, Several, Thing
from commonground.grounding.words.blanks import any_of
from commonground.grounding.words.closed import WITHDRAWING
from commonground.grounding.words.nouns import plural

Find = Callable[[str], list[Mention]]
"""Finds the things that a text names."""
LetterOf = Callable[[Mention], str]
"""Tells objects and areas apart."""

TAKING_BACK = (
    r"no|nope|sorry|apologies|pardon(?: me)?|excuse me|oops|whoops|correction|actually|(?:or )?rather"
    r"|i mean(?:t)?|i tell a lie|i(?:['’]m| am) (?:getting |all )?(?:muddled|confused|mixed up)"
    rf"|(?:{WITHDRAWING}|not|never mind|leave) (?:that|it)(?: out)?(?: one)?(?: and(?: (?:write|put|say))?)?"
    r"|never mind(?=\s*[,.;:!–—-])"
    r"|make (?:that|it)|my (?:mistake|bad|fault)|on second thoughts?|i take (?:that|it) back|wrong one"
)
"""At least one of these says that what was named before is not meant."""
_TAKEN_BACK = re.compile(rf"\b(?:{TAKING_BACK})\b", re.IGNORECASE)
HESITATING = (
    r"(?:wait|hang on|hold on)(?!\s*[.;!?])|one (?:second|moment)|oh|ah|er|erm|um|uh|well|hmm?|let me see"
    r"|instead|only|just|what i meant (?:is|was)|(?:i|that) should (?:have said|say|be)|it(?:'s| is)|please"
)
CUES = re.compile(rf"[\s,.;:!?…–—-]*(?:(?P<back>{TAKING_BACK})|{HESITATING})\b", re.IGNORECASE)
_WHY = re.compile(
    r"[\s,]*(?P<back>(?:(?:he|she|they|i|we)\b[^,.;!?]*(?=,)|(?:that|it|there)(?:['’]s|\s+is|\s+was)\b[^,.;!?]*(?=[,.;])))",
    re.IGNORECASE,
)
"""Between what is taken back and what is meant people tell why: ``no, he sold that one, it's``."""
MARKS = re.compile(r"[\s,.;:!?…–—-]*")
AFTER = re.compile(
    r"(?:\s+instead\b)?(?=\s*(?:[,.;:!?)–—]|$)|\s+(?:and|then|please|but|before|after|once|when|by|so|for|if)\b)",
    re.IGNORECASE,
)
"""What may stand behind a thing that nothing more is told of."""
_LED = re.compile(r"(?P<led>.*\b(?:in|at|on|to|into|by|near|from)\s+)(?P<tail>\S.*)", re.DOTALL)
_OR_RATHER = re.compile(r",?\s*\bor rather\b", re.IGNORECASE)
_TOO = re.compile(r"[\s,]*\b(?:too|as well|also)\b", re.IGNORECASE)
_LAST_CUE = re.compile(r"(?<=,)\s*(?:i mean(?:t)?|make (?:that|it)|or rather)\b", re.IGNORECASE)
_NOT_THAT = re.compile(
    r"[\s,;.–—-]*(?:not|forget|leave|skip|never mind)\s+"
    r"(?P<what>(?:the|that|this)\s+(?:\w+(?:\s+(?!at\s+all)\w+){1,2}?(?=(?:\s+at\s+all)?\s*[,;.–—-])|\w+(?:\s+one)?))\b(?:\s+at\s+all\b)?",
    re.I,
)
_KEPT_OUT = re.compile(
    r"[\s,;.!]*(?:and\s+)?(?:leave|forget|not|skip|ignore)\s+(?P<what>[^,.;!?]*)", re.I
)
"""What was named first, once more: ``leave the red one``."""
_ONE = re.compile(r"\bone(?P<many>s?)\b", re.IGNORECASE)
_THOSE = re.compile(r"those\s+(?=(?:that|which|who|in|on|at|by|near|with)\b)", re.IGNORECASE)
_DETERMINED = re.compile(
    r"(?:the|an?|th(?:at|is|ese|ose)|my|our|his|her|their|its|both|all|every|each|any|one|two|three|four|five"
    r"|\w?\d+)\b",
    re.IGNORECASE,
)
_SMALL = frozenset(["the", "one", "that", "it", "this", "where", "is"])
_ALL_OF = r"\s*,?\s*(?:both|all|every one)(?:\s+of\s+(?:them|those))?\b"
_FOR = r"\s+for\s+(?:him|her|me|us|them)\b(?=\s*,)"
_BROKEN_OFF = r"\s+(?:in|at|on|by|near|to|from)(?:\s+the)?(?=\s*(?:\.\.|…|[–—]))"
_MOST = 4
"""Things that are put right in one text."""


def put_right(text: str, find: Find, letter_of: LetterOf, robots: Sequence[str]) -> str:
    """Return a text with what is meant in the place of what was said first, where that is plain."""
    as_it_was, text = text, _OR_RATHER.sub(", I mean", text)
    for n in range(_MOST):
        if _TAKEN_BACK.search(text) is None:
            break
        changed = _once(text, find, letter_of, robots)
        if changed == text:
            return text if n else as_it_was
        text = changed
    return text


def _once(text: str, find: Find, letter_of: LetterOf, robots: Sequence[str]) -> str:
    named = [whole(one, text) for one in find(text)]
    left = [*_said_again(named, text), *_told_of(named, text)]
    for first, meant in pairwise(one for one in named if one not in left):
        between = _between(text, first, meant, robots)
        if between is None:
            continue
        called, verb = between
        inner = led_to(text, first, find, verb)
        wrong, right = _replaced(text, first, meant, inner, letter_of)
        if verb and inner is None and not _ends_with(text[: first.start], verb):
            wrong, right = _ordered_else(text, first, meant, verb)
        if wrong is None or not _stands_alone(text, first, meant):
            continue
        return text[: wrong.start] + right + called + _behind(text, first, meant)
    return text


def _told_of(named: Sequence[Mention], text: str) -> Iterator[Mention]:
    """Yield what people only take up to tell why: ``he sold that one``."""
    why = [span for mark in re.finditer(",", text) if (span := _WHY.match(text, mark.start()))]
    for one in named:
        inside = any(span.start() < one.start and one.end <= span.end() for span in why)
        if inside and refers_back(one.what):
            yield one


def _ordered_else(
    text: str, first: Mention, meant: Mention, verb: str
) -> tuple[Mention | None, str]:
    """Return the order that is taken back, and that which stands instead, if either is one verb."""
    begin = max(text.rfind(mark, 0, first.start) for mark in ".;!?,") + 1
    told = _one_deed(text[begin : first.start])
    instead = _one_deed(verb)
    elided = isinstance(meant.what, Thing) and meant.what.noun == ELIDED
    if told is None or instead != 0 or elided:
        return None, ""
    return first._replace(start=begin + told), f"{verb} {text[meant.start : meant.end]}"


def _one_deed(words: str) -> int | None:
    """Return where the only verb of words that end with it begins."""
    tokens = tokenize(words)
    said = phrases_in(tokens, DEEDS)
    if len(said) != 1 or not tokens:
        return None
    return said[0].start if words[said[0].start :].strip().casefold() == said[0].words else None


def _behind(text: str, first: Mention, meant: Mention) -> str:
    """Return what stands behind what is meant, without what only says again what is not."""
    rest = text[meant.end :]
    after = AFTER.match(rest)
    rest = rest[after.end() :] if after else rest
    again = _KEPT_OUT.match(rest)
    if again and _is_said_in(again["what"], text[first.start : first.end]):
        return rest[again.end() :]
    return rest


def _said_again(named: Sequence[Mention], text: str) -> Iterator[Mention]:
    """Yield what is only named again to leave it: ``no, not the umbrella``."""
    for first, second in pairwise(named):
        left = re.search(r"\b(?:not|forget|leave|skip|never mind)\s+$", text[: second.start], re.I)
        if left and _is_said_in(text[second.start : second.end], text[first.start : first.end]):
            yield second


def whole(named: Mention, text: str) -> Mention:
    """Return a phrase with the ``one`` that ends it."""
    one = _ONE.match(text, named.end + 1)
    elided = isinstance(named.what, Thing) and named.what.noun == ELIDED
    return named._replace(end=one.end()) if one and elided else named


def _between(
    text: str, first: Mention, meant: Mention, robots: Sequence[str]
) -> tuple[str, str] | None:
    """Return the robot called between two things, and the verb, if the rest takes back the first."""
    quantified = re.compile(f"{_ALL_OF}|{_FOR}|{_BROKEN_OFF}", re.I).match(text, first.end)
    at = quantified.end() if quantified else first.end
    call = re.compile(rf"\s*,?\s*{any_of(robots)}\b", re.IGNORECASE).match(text, at)
    called = call[0] if call else ""
    at += len(called)
    if re.search(rf"\b{any_of(robots)}\b", text[at : meant.start], re.IGNORECASE):
        return None  # check the flag, no, I mean Spot, check the flag
    at, back = _past_cues(text, at, meant.start)
    again = _NOT_THAT.match(text, at, meant.start)
    if back and again and _is_said_in(again["what"], text[first.start : first.end]):
        at = again.end()
    last = [*_LAST_CUE.finditer(text, at, meant.start)]
    if back and last:
        at = last[-1].end()  # no, forgive me, I mean
    if marks := MARKS.match(text, at, meant.start):
        at = marks.end()
    none = re.search(r"\bno\s+$", text[first.end : meant.start], re.IGNORECASE)
    if none and not _DETERMINED.match(text, meant.start):
        return None  # avoid the doors, no boats
    return (called, text[at : meant.start].strip().casefold()) if back else None


def _past_cues(text: str, at: int, end: int) -> tuple[int, bool]:
    """Return where words end that take something back and tell why, and whether any do."""
    back = False
    while cue := (_WHY.match(text, at, end) if back else None) or CUES.match(text, at, end):
        back = back or cue["back"] is not None
        at = cue.end()
    return at, back


def _ends_with(before: str, verb: str) -> bool:
    return re.search(rf"(?:^|\W){re.escape(verb)}\s*$", before, re.IGNORECASE) is not None


def _replaced(
    text: str, first: Mention, meant: Mention, inner: Mention | None, letter_of: LetterOf
) -> tuple[Mention | None, str]:
    """Return what is taken back, and what stands instead; None where more than one thing may be meant."""
    right = text[meant.start : meant.end]
    if not isinstance(first.what, Thing) or not isinstance(meant.what, Thing):
        return (first, right) if _is_one_else(first.what, meant.what) else (None, "")
    if first.what.but:
        return None, ""  # all signs, or what is excepted of them?
    if meant.what.noun == ELIDED:
        return of_the_same_kind(first, first.what.noun, right)
    same = letter_of(first) == letter_of(meant)
    if inner is None or (first.what.noun == meant.what.noun and same):
        return (first, right) if same else (None, "")
    if letter_of(inner) != letter_of(meant):
        return (first, right) if same else (None, "")
    return (None, "") if same else (inner, right)


def of_the_same_kind(first: Mention, noun: str, right: str) -> tuple[Mention | None, str]:
    """Return what is taken back, and with its noun what stands instead."""
    if not noun or noun == ELIDED:
        return None, ""
    named = _ONE.sub(lambda one: plural(noun) if one["many"] else noun, right)
    if those := _THOSE.match(right):
        named = f"the {plural(noun)} {right[those.end() :]}"
    return first, named if named != right else f"{right} {noun}"


def _is_one_else(first: Reference, meant: Reference) -> bool:
    """Return whether of several things all but some are named again."""
    if not isinstance(first, Several) or not isinstance(meant, Several) or first.join != meant.join:
        return False
    same = {*first.things} & {*meant.things}
    return bool(same) and len(first.things) == len(meant.things)


def led_to(text: str, first: Mention, find: Find, leads: str) -> Mention | None:
    """Return what the last words of a phrase name that say where a thing is."""
    led = _LED.fullmatch(text[first.start : first.end])
    if led is None or (leads and not _ends_with(led["led"], leads)):
        return None
    start = first.start + led.end("led")
    found = [m for m in find(led["tail"]) if m.start == 0 and m.end == len(led["tail"])]
    return Mention(start, first.end, found[0].what) if found else None


def _stands_alone(text: str, first: Mention, meant: Mention) -> bool:
    """Return whether nothing is said of what is meant that was not said of what is taken back."""
    if _TOO.match(text, meant.end):
        return False
    if AFTER.match(text, meant.end):
        return True
    sentence = re.split(r"[.;!?\n]", text[: first.start])[-1]
    whole = re.search(r"[.;!?\n]", text[first.end : meant.start]) is None
    return whole and re.fullmatch(r"\s*(?:\w+\s*,)?\s*", sentence) is not None


def _is_said_in(again: str, first: str) -> bool:
    """Return whether words name again what was named first."""
    words = {*re.findall(r"\w+", again.casefold().removesuffix(" at all"))} - _SMALL
    return words <= {*re.findall(r"\w+", first.casefold())}
