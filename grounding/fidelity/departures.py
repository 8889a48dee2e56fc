"""Where a text has robots leave, its meaning must not have them go: ``move away from the van``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from commonground.grounding.english.names import singular
from commonground.grounding.fidelity.held import Held
from commonground.grounding.meaning import Reference, things_in

_MOVING = (
    r"(?:go|goes|going|get|gets|getting|come|comes|move|moves|moving|drive|drives|driving|head|heads|step|steps"
    r"|pull|pulls|back|backs|backing|walk|walks|roll|rolls|run|runs|retreat|retreats|withdraw|withdraws|clear|clears)"
)
_LEFT = re.compile(
    rf"\b(?:{_MOVING}\s+(?:\w+\s+){{0,3}}?(?P<how>(?:away|out|off|clear|far|back)\s+(?:\w+\s+){{0,2}}?(?:from|of)|off)"
    rf"|(?:want|need|get|have|wants|needs)\s+\w+\s+(?P<where>(?:out|off|clear)\s+of|away\s+from)"
    rf"|(?P<verb>(?:has|have)\s+left|(?:leav|vacat|evacuat|exit|quit|depart|abandon)(?:e|es|s|ing|ed)?(?:\s+from)?))"
    r"\s+(?:the|that|this|those|these|both|all|every|any|our|my|(?=[A-Z]{1,2}\d))\s*"
    r"(?P<what>(?:(?!\b(?:and|then|but|to|into|in|on|at|by|for|with)\b)[^.;,:!?\n])+)",
    re.IGNORECASE,
)
_APART = re.compile(
    r"(?:furthe(?:r|st)|farthe(?:r|st)|straight|shortest)\s|\b(?:alone|be|out|untouched)\s*$", re.I
)
"""What tells apart, and what is left so is kept off: ``leaving the hall well alone``."""
_GOING = frozenset(["go", "be", "explore", "inspect"])
_AVOIDING = frozenset(["avoid", "keep_away"])


def reversed_departures(held: Held) -> Iterator[str]:
    """Yield what a text has somebody move away from, where the answer goes there or keeps off all along."""
    text = held.text
    for left in _LEFT.finditer(text):
        how = left["how"] or left["where"] or left["verb"]
        if _APART.search(left[0]) or text[: left.start()].casefold().endswith("not "):
            continue
        words = singular(left["what"].split())
        rest = {*re.findall(r"\w+", (text[: left.start()] + text[left.end() :]).casefold())}
        for act, kept_out in held.sides:
            stays = (act.do in _AVOIDING and not left["where"]) or (
                act.do in _GOING and not kept_out
            )
            if stays and any(noun in words and noun not in rest for noun in _heads(act.what)):
                yield f"the text says '{how}' of what the answer does not leave"


def _heads(what: Reference) -> Iterator[str]:
    """Yield what a phrase itself names, without where that is."""
    for thing in things_in(what):
        yield from (symbol.casefold() for symbol in thing.ids)
        if thing.noun:
            yield from singular([thing.noun.casefold().split()[-1]])
