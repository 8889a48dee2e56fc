"""The robot that is meant instead of another: ``No, I mean Spot``, ``no, hang on, the other way round``."""

from __future__ import annotations

import re
from collections.abc import Sequence

from commonground.grounding.english.faithful import NEGATIONS
from commonground.grounding.fidelity.corrections import OTHER_WAY
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.verbs import DEEDS
from commonground.grounding.language.put_right import HESITATING, TAKING_BACK
from commonground.grounding.language.tokens import tokenize
from commonground.grounding.words.blanks import any_of

_MARKS = r"[\s,.;:!?…–—-]*"
_LEADING = (
    rf"(?<![\s,.;:!?…–—-])(?P<lead>{_MARKS}(?:(?:{TAKING_BACK}|{HESITATING})[\s,.;:!…–—-]+)*)"
)
_MEANT = (
    r"(?:(?:no|nope)\s*[,:!–—-]\s*|not (?:you|him|her|it)(?:\s+|\s*[:.;–—-]\s*)"
    r"|(?:not (?:you|him|her|it)[\s,.;:!–—-]+)?"
    r"(?P<sure>i mean(?:t)?|make (?:that|it)|or rather|correction)[\s,:]+)"
)
"""``no Spot`` may be without Spot; ``not you, Spot`` is said to Spot as well as of another."""
_SURE = re.compile(
    r"\b(?:i mean(?:t)?|make (?:that|it)|(?:or )?rather|actually|correction)[\s,:]+$", re.I
)
_DOING = (
    r"\s+(?:(?:can|could|should|will|must|shall|is to|had better)|(?P<plain>))"
    r"\s*\b(?:do|take|handle|get)\s+(?:that|it|this)(?:\s+one)?"
)

_SWAPPED = re.compile(
    rf"(?:(?<=[.;!?\n])|(?:{_MARKS}\b(?:{TAKING_BACK}|{HESITATING})\b)+){_MARKS}"
    rf"(?:(?:but|do (?:it|that)|have (?:it|that|them))\s+)?(?:{OTHER_WAY}{_MARKS})+"
    rf"(?:(?:please|thanks?|thank you){_MARKS})?$",
    re.IGNORECASE,
)


_POLITE = r"(?:(?:can|could|would|will|may)\s+you(?:\s+please)?|please|you|go|to)"
_CUES = rf"(?:{TAKING_BACK}|{HESITATING}|not (?:you|him|her))"


def _called_again(text: str, names: str) -> str:
    """Return a text that calls who is meant in the place of who was called first: ``Spot, sorry, Husky, go``.

    What the first was told has to be said again then, with the same verb, or nothing.
    """
    again = re.compile(
        rf"\b(?<!not )(?P<wrong>{names})\b(?P<told>[^.;!?\n]*?)"
        rf"(?P<cues>{_MARKS}(?:{_POLITE}\b{_MARKS})?(?:{_CUES}\b(?P<mark>{_MARKS}))+)"
        rf"(?P<meant>{names}|(?:both|all|either|any|one) of you)\b(?P<call>\s*,)?(?P<order>[^.;!?\n]*)",
        re.IGNORECASE,
    )

    def put_right(said: re.Match[str]) -> str:
        taken = re.search(rf"\b(?:{TAKING_BACK})\b", said["cues"], re.IGNORECASE)
        sure = said["mark"].strip() or _SURE.search(said["cues"])
        apart = not re.search(rf"\b{said['meant']}\b", said["wrong"] + said["told"], re.IGNORECASE)
        told, order = _deeds(said["told"]), _deeds(said["order"])
        again = said["order"].casefold().startswith(said["told"].casefold().rstrip())
        same = bool(told) and told == order[:1] and (bool(said["call"]) or again)
        untold = not said["told"].strip(" ,")
        right = taken and sure and apart and (same or untold)
        return f"{said['meant']}{said['call'] or ''}{said['order']}" if right else said[0]

    return again.sub(put_right, text)


def _deeds(words: str) -> list[str]:
    return [said.words for said in phrases_in(tokenize(words), DEEDS)]


def another_robot(text: str, robots: Sequence[str]) -> str:
    """Return a text in which another robot is told what one was told before, where that is put right."""
    names = any_of(robots)
    text = _called_again(text, names)
    not_you = rf"not (?:you|him|her|it|{names})"
    meant = _MEANT.replace("not (?:you|him|her|it)", not_you)
    leading = _LEADING.replace(HESITATING, rf"{HESITATING}|not {names}")
    doing = _DOING.replace("|(?P<plain>)", "")
    instead = re.compile(
        rf"{leading}(?:{meant}(?P<meant>{names})(?:{doing}|(?=(?:\s+(?:instead|please))*\s*(?:[.!?]|$)))|(?<=[\s,.])(?P<doer>{names}){_DOING})"
        r"(?:\s+(?:instead|please))*\s*(?=[.,;!?]|$)",
        re.IGNORECASE,
    )
    for found in instead.finditer(text):
        who = found["meant"] or found["doer"]
        told = [*re.finditer(rf"\b{names}\b", text[: found.start()], re.IGNORECASE)]
        before = [one for one in told if one[0].casefold() != who.casefold()]
        back = re.search(rf"\b(?:{TAKING_BACK}|not)\b", found["lead"], re.IGNORECASE)
        if found["doer"] and not (back if found["plain"] is not None else found["lead"].strip()):
            continue  # I doubt Spot can do it
        if not found["sure"] and _forbids(text[: found.start()]):
            continue  # who is forbidden something, and another is to do it
        if len(told) == 1 and before and text[: found.start()].strip() != told[0][0]:
            first = before[0]
            said = text[: first.start()] + who + text[first.end() : found.start()]
            return said + text[found.end() :]
    return text


def _forbids(said: str) -> bool:
    return not NEGATIONS.isdisjoint(token.text for token in tokenize(said))


def other_way(text: str, robots: Sequence[str]) -> str:
    """Return a text in which two robots that it names once each have changed places, if it ends so."""
    swapped = _SWAPPED.search(text)
    if swapped is None:
        return text
    told = text[: swapped.start()]
    names = re.compile(rf"\b{any_of(robots)}\b", re.IGNORECASE)
    named = [one[0] for one in names.finditer(told)]
    if len(named) != 2 or named[0].casefold() == named[1].casefold():
        return text
    return names.sub(lambda _: named.pop(), told) + "."
