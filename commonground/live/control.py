"""Words for the mission under way itself, and no instruction: ``Stop!``, ``everybody wait``, ``go on``.

While robots drive, what is said need not be plain: a needless stop costs little, and a missed one much. So
only what is plainly an instruction, or plainly says to go on, lets them drive on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import dropwhile
from typing import Literal

Control = Literal["", "stop", "pause", "go on"]


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_STOPS = _set("stop halt freeze abort cancel cease quit kill terminate desist")
_PAUSES = ("pause", "wait", "hold", "hold on", "hang on")
_GOES = ("go on", "go ahead", "continue", "resume", "carry on", "proceed", "keep going")
_STILL = ("stand still", "emergency stop", "stop moving", "stop driving")
BESIDE = _set(
    "everybody everyone all both robots please now and the mission it them that right away at once "
    "immediately oh no hey ok okay yes"
)
_POLITE = _set("please then next also and now so but just can could would you")
_ORDERS = _set(
    "go drive move inspect check examine look bring take carry fetch pick put place deliver visit "
    "explore search find navigate travel collect gather retrieve transport scan survey scout patrol "
    "photograph"
)
"""How instructions begin; with another verb, robots stand until somebody lets them go on."""
_TELLING = _set("there theres it its he hes she shes they theyre somebody someone i im")
"""Who begins so tells what is there, and perhaps what is in the way."""
_WHENS = _set("when if after once")
"""What says when to do it comes before an instruction."""
_DOUBTS = _set(
    "wait hold hang pause whoa easy slow slower slowly careful mind beware watch still stay out off away "
    "back aside avoid end standstill standby break brake brakes reverse hit crash danger emergency not "
    "dont never no nobody none nowhere cant cannot wont doesnt isnt mustnt shouldnt"
)
"""With one of these, not even an instruction lets robots drive on."""
_DENYING = re.compile(
    r"^((please|no|just|and|but|so) )*(do not|dont|never|no need to|need not|neednt)"
    r"( (you|ever|dare))*$"
)
_APART = re.compile("['’`´ʼ′]")
"""What people type for an apostrophe."""
_RIDES = _set("bus tram train trolley streetcar shuttle taxi coach metro")
_SIGNS = _set("sign signs light lights line lines")
_AT = _set("at to by near from in on of behind beside toward towards past into")
_THE = _set("the a this that my our your")
_PLACES = _AT | _set("next inside outside under over")
_AT_ONCE = _set("once all time")
_ASSENT = _set("yes yeah ok okay thanks thank you good great fine nice well done hello hi")
_ANSWERS = {True: _set("y yes yeah yep sure ok okay"), False: _set("n no nope nah")}
_THANKS = _set("please thanks thank you")
_ASKING = _set("what whats where wheres how hows is are")
_FARING = _ASKING | _set(
    "the a robot robots team mission plan everybody everyone everything they it he she all both you "
    "doing at up to now right currently going on far along long left next state status battery charge "
    "much many tasks task remaining do does did have has got done still yet getting coming"
)
"""Words of a question that asks how robots fare, and nothing else."""
_LEAST = 3
"""Words of an instruction; what is shorter may be a cry, unless it names a node of the map."""
_SYMBOL = re.compile(r"[opr]\d+")


def _plain(word: str) -> str:
    """Return a word without the letters that haste or emphasis doubles: ``stopp``, ``haaalt``."""
    return re.sub(r"(.)\1+", r"\1", word)


STOPS = frozenset(map(_plain, _STOPS))
VERBS: dict[str, Control] = {
    **dict.fromkeys(_GOES, "go on"),
    **dict.fromkeys(_PAUSES, "pause"),
    **dict.fromkeys((*_STOPS, *_STILL), "stop"),
}


def control(text: str, robots: Iterable[str] = ()) -> Control:
    """Return what a text says to a mission as a whole; '' where it says more than that.

    To stop or to wait one robot is not known here: all of them do, which does no harm.
    """
    said, names = _words(text), _names(robots)
    words = [word for word in said if word not in BESIDE and word not in names]
    found = VERBS.get(" ".join(words), "")
    if not found and words and all(_plain(word) in STOPS for word in words):  # stop, stop!
        return "stop"
    some = names | {"no"}
    return "" if found == "go on" and some & set(said) else found


def called(text: str, robots: Iterable[str] = ()) -> Control:
    """Return what a text says to robots that drive; '' where it is an instruction, or lets them drive on.

    What is neither, as a warning, a ban, a cry or another language, is a pause: nobody types it for fun.
    """
    names = _names(robots)
    found = control(text, names)
    if found or not text.strip() or asks_progress(text, names):
        return found
    sentences = [
        [_meant(clause, names) for clause in map(_words, re.split("[,:]", part)) if clause]
        for part in re.split(r"[.;!?\n]+", text)
    ]
    meant = {kind for sentence in sentences for kind in sentence}
    for kind in ("stop", "pause"):
        if kind in meant:
            return kind
    firsts = set(map(_first, sentences))
    return "" if firsts & {"go on", "thanks"} and "" not in firsts else "pause"


def asks_progress(text: str, robots: Iterable[str] = ()) -> bool:
    """Return whether a text only asks how robots fare: ``what is Spot doing?``.

    Any other word, or an exclamation mark, may make it a cry.
    """
    words = _words(text)
    asked = bool(words) and words[0] in _ASKING and text.strip().endswith("?") and "!" not in text
    return asked and _FARING.issuperset({*words} - _names(robots))


def answer(text: str) -> bool | None:
    """Return whether a text says yes or no to a question, and no more; None where it is no plain answer."""
    words = [word for word in _words(text) if word not in _THANKS]
    return next((yes for yes, said in _ANSWERS.items() if words and said.issuperset(words)), None)


def shouted(text: str, robots: Iterable[str] = ()) -> bool:
    """Return whether a part of a text says stop and no more: enough where other things are asked and told."""
    names = _names(robots)
    return any(control(part, names) == "stop" for part in re.split(r"[.,;:!?\n]+", text))


def _meant(clause: Sequence[str], names: frozenset[str]) -> str:
    """Return what a clause says: stop, pause, go on where robots may; '' where nobody knows.

    It is "thanks", or "beside" the point, where another clause tells.
    """
    denied = False
    while (at := _stop_in(clause)) >= 0 and _DENYING.match(" ".join(clause[:at])):
        clause, denied = clause[at + 1 :], True  # do not stop Spot but stop Husky
    if at < 0 and _DENYING.match(" ".join(clause[:-1])):
        return "go on" if clause[-1] in _PAUSES else "pause"
    words = list(dropwhile(_POLITE.__contains__, (w for w in clause if w not in names)))
    ordered = _is_order(words)
    if at >= 0:
        return "pause" if ordered or _of_a_place(clause) else "stop"  # inspect the bus stop
    return _said(words, denied or ordered)


def _is_order(words: Sequence[str]) -> bool:
    """Return whether words are an instruction, and no cry: so many, or about a node of the map."""
    whole = len(words) >= _LEAST or (len(words) == 2 and _SYMBOL.fullmatch(words[1]) is not None)
    return whole and words[0] in _ORDERS


def _said(words: Sequence[str], lets: bool) -> str:
    """Return what words without a call to stop say; robots may go on where they are an instruction."""
    first = words[0] if words else ""
    if " ".join(words) in _GOES:
        return "go on"
    if first in _TELLING or not _DOUBTS.isdisjoint(words):
        return "pause"
    if lets:
        return "go on"
    if words and _ASSENT.issuperset(words):
        return "thanks"
    return "beside" if not words or first in _WHENS else ""


def _first(kinds: Sequence[str]) -> str:
    """Return the first of a sentence's kinds that tells: what comes behind an instruction may be more of it.

    What comes before one may be a warning, whatever thanks stand around it.
    """
    told = [kind for kind in kinds if kind not in ("thanks", "beside")]
    return told[0] if told else "thanks" if "thanks" in kinds else "beside"


def _of_a_place(clause: Sequence[str]) -> bool:
    """Return whether each stop in a clause is a place, or is at one: robots that stand may go on there."""
    stops = [k for k, word in enumerate(clause) if _plain(word) in STOPS]
    return all(clause[k] == "stop" and _place(clause[:k], clause[k + 1 :]) for k in stops)


def _place(before: Sequence[str], behind: Sequence[str]) -> bool:
    """Return whether a stop is a place, as ``bus stop`` and ``stop sign``, or ``stop by`` one."""
    two = before[-2:]
    return bool(
        (two and two[-1] in _RIDES)
        or (behind and behind[0] in _SIGNS)
        or (len(two) == 2 and two[0] in _AT and two[1] in _THE)
        or (len(behind) > 1 and behind[0] in _PLACES and behind[1] not in _AT_ONCE)
    )


def _stop_in(clause: Sequence[str]) -> int:
    """Return where a clause has its first word of stopping, or -1."""
    return next((k for k, word in enumerate(clause) if _plain(word) in STOPS), -1)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", _APART.sub("", text.lower()))


def _names(robots: Iterable[str]) -> frozenset[str]:
    return frozenset(word for name in robots for word in _words(name))
