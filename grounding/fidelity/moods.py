"""A goal rests on an order, not on what a text only asks, tells or supposes, or wants stopped or left.

What was done to a thing or by people (``the flag was inspected``) is no order either; what is wanted done or
comes first (``I need it inspected``, ``once you have inspected it``) is one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from commonground.grounding.fidelity.corrections import is_taken_up
from commonground.grounding.fidelity.held import Held, nouns_of
from commonground.grounding.fidelity.phrases import Said
from commonground.grounding.fidelity.unmeant import ASKED, TOLD, Unmeant, unmeant
from commonground.grounding.fidelity.verbs import BEING, deeds_said, last_before
from commonground.grounding.words.closed import HAVE, REASONS
from commonground.grounding.words.nouns import singulars, word_set
from commonground.grounding.words.tense import is_past

_BETWEEN = word_set("already just also all both now been once twice recently even not never then")
"""Between a verb and the one that says its tense."""
_SUBJECTS = word_set("i you we he she they who somebody someone nobody was were")
_WANTED = word_set(
    "once after when whenever until till before if unless sure ensure by while as having to that want "
    "wants need needs like wish prefer expect should must shall would could can will may might let make "
    "get gets"
)
"""Before a verb these say that it is wanted, or comes before what is wanted."""
_STATING = frozenset(["is", "can", "could", "has", "was"])
_FOUND = frozenset(["found", "said", "seen", "known", "reported", "thought"])
"""``Found to be in order`` tells."""
_OWN = frozenset(["myself", "ourselves", "already"])
_STOPPING = frozenset(["stop", "quit", "cease", "halt"])
_ASKING = word_set("who which what when where why how whose")
_KNOWING = word_set("know knows idea remember recall wonder wondering tell guess clue")
"""With a question word close behind, these ask what somebody knows, and have nobody do anything."""
_BACK = word_set("it them there one ones both these those that this all each either same again")
_THINGS = word_set("it them there one ones")
_INSTEAD = frozenset([("instead", "of"), ("rather", "than")])
_REACH = 5
"""So many words behind ``instead of`` its thing is named."""


def unordered(held: Held) -> Iterator[str]:
    """Yield what an answer does though its text only tells or asks about it, or wants it stopped."""
    words = held.words
    for at in _wondered(held):
        yield f"the text only asks what is known of the {words[at]}"
    spans, deeds = [one for one in unmeant(held) if not _is_resumed(held, one)], deeds_said(held)
    idle = {deed: mood for deed in deeds if (mood := _mood(held, deed, spans))}
    if len(idle) == len(deeds):
        about = (
            (deed, how)
            for deed, how in idle.items()
            if _is_about(held, *held.sentence(held.at(deed)))
        )
        yield from (f"the text {mood} '{deed.words}'" for deed, mood in islice(about, 1))
        quoted = () if deeds else (one for one in spans if _is_about(held, one.first, one.end))
        yield from (_quoted(held, one) for one in islice(quoted, 1))
        return
    yield from _of_things(held, deeds, idle, spans)


def _of_things(
    held: Held, deeds: Sequence[Said], idle: Mapping[Said, str], spans: Sequence[Unmeant]
) -> Iterator[str]:
    """Yield who and what of an answer its text orders nothing of, beside what it orders."""
    doers = {name.casefold() for one in held.meaning.assignments for name in one.who.names}
    yield from (f"the text only says how {name} is" for name in _described(held, doers))
    yield from (f"the text only tells what {name} did" for name in _only_told(held, idle, doers))
    for act in held.acts:
        for at in held.once(nouns_of(act.what)):
            yield from _left(held, at, deeds, idle)
            yield from (_quoted(held, one) for one in spans if _is_idle(held, at, one))


def _is_resumed(held: Held, one: Unmeant) -> bool:
    """Return whether what a text tells of is to be done after all: ``I was going to. Spot, do it``."""
    behind = held.tokens[one.end].start if one.end < len(held.tokens) else len(held.text)
    told = one.how == TOLD and is_taken_up(held.text[behind:], as_told=True)
    return told or (one.how == ASKED and _is_answered(held, one.end))


def _is_answered(held: Held, at: int) -> bool:
    """Return whether an order follows that names nothing of its own: ``how is the flag? Go find out``."""
    nouns = {*nouns_of(held.meaning)}
    for begin, end in {held.sentence(k) for k in range(at + 1, len(held.words))}:
        orders = any(begin <= held.at(deed) < end for deed in deeds_said(held))
        if orders and held.word(end) != "?" and nouns.isdisjoint(held.words[begin:end]):
            return True
    return False


def _is_about(held: Held, first: int, end: int) -> bool:
    """Return whether some words speak of what an answer does something with."""
    nouns = {*nouns_of(tuple(held.acts))}
    words = {form for word in held.words[first:end] for form in (word, *singulars(word))}
    symbols = any(map(held.is_symbol, range(first, end)))
    return not nouns or symbols or not words.isdisjoint(nouns | _THINGS)


def _wondered(held: Held) -> Iterator[int]:
    """Yield where a text names what it only asks about: ``do you know who moved the flag?``."""
    words = held.words
    for at in held.once(nouns_of(tuple(held.acts))):
        asked = any(
            words[k] in _KNOWING and not _ASKING.isdisjoint(words[k + 1 : min(k + 4, at)])
            for k in range(held.clause(at)[0], at)
        )
        if asked and not _taken_up(held, at):
            yield at


def _left(held: Held, at: int, deeds: Sequence[Said], idle: Mapping[Said, str]) -> Iterator[str]:
    """Yield why nothing is to be done with a thing that an answer does something with."""
    deed = next(iter(last_before(held, at, deeds)), None)
    if deed is not None and deed in idle and not _taken_up(held, at):
        yield f"the text {idle[deed]} '{deed.words}'"
    if deed is None and _done_by_speaker(held, at):
        yield "the text says that somebody has done what the answer does"
    yield from _replaced(held, at, {deed.start for deed in deeds})


def _quoted(held: Held, one: Unmeant) -> str:
    """Return what a text does with words that order nothing, and those words."""
    return f"the text {one.how} '{' '.join(held.words[one.first : one.end])}'"


def _is_idle(held: Held, at: int, one: Unmeant) -> bool:
    """Return whether words that order nothing name a thing, and nothing takes it up behind them."""
    return one.first <= at < one.end and _BACK.isdisjoint(held.words[one.end :])


def _only_told(held: Held, idle: Iterable[Said], doers: Iterable[str]) -> list[str]:
    """Return which of those who are to do something a text names once, in front of what they did."""
    words, starts = held.words, {deed.start for deed in idle}
    told = set()
    for at in (k for k, token in enumerate(held.tokens) if token.start in starts):
        before = at - 1
        while before > 0 and words[before] in _BETWEEN | HAVE:
            before -= 1
        told.add(words[before])
    return sorted(name for name in doers if name in told and words.count(name) == 1)


def _described(held: Held, doers: set[str]) -> Iterator[str]:
    """Yield who is only said to be somehow, before another is told: ``Husky is busy, so Spot …``."""
    for at in held.once(doers):
        behind = held.words[at + 1 : held.sentence(at)[1]]
        other = next((k for k, word in enumerate(behind) if word in doers), 0)
        why = "so" in behind[:other] or held.words[at - 1] in REASONS
        if other and (behind[0] in _STATING if why else _says_how(behind)):
            yield held.words[at]


def _says_how(behind: Sequence[str]) -> bool:
    """Return whether words behind a name tell how that is: ``is busy``, not ``is to go``."""
    does = behind[1:2] == ["to"] or any(word.endswith(("ing", "ed")) for word in behind[:3])
    return behind[0] == "is" and not does


def _mood(held: Held, deed: Said, spans: Sequence[Unmeant]) -> str:
    """Return what a text does instead of ordering a deed; empty where it may be an order."""
    words, at = held.words, held.at(deed)
    how = next((one.how for one in spans if one.first <= at < one.end), _found(held, deed))
    if how:
        return how
    begin = held.sentence(at)[0]
    before = at - 1
    while before > begin and words[before] in _BETWEEN:
        before -= 1
    auxiliary = words[before] if before >= begin else ""
    if words[at].endswith("ing"):
        return _ended(words[max(0, before - 1)], auxiliary)
    if not _WANTED.isdisjoint(words[begin + 1 : at]) or words[begin] in _WANTED - _ASKING:
        return ""
    told = auxiliary in HAVE | _SUBJECTS and words[at] != "got"
    return TOLD if is_past(words[at]) and told else ""


def _found(held: Held, deed: Said) -> str:
    """Return that a text only tells how something is, if it was found so: ``found to be in order``."""
    at = held.at(deed)
    found = held.word(at - 1) == "to" and held.word(at - 2) in _FOUND
    return TOLD if found and deed.words in BEING else ""


def _ended(last: str, verb: str) -> str:
    """Return what the words before an ``inspecting`` want instead of it."""
    if verb in _STOPPING:
        return "wants an end of"
    return "wants something else than" if (last, verb) in _INSTEAD else ""


def _done_by_speaker(held: Held, at: int) -> bool:
    """Return whether a clause says of what it begins with that it is done: ``the other one I've seen to``."""
    begin, end = held.clause(at)
    words = held.words[begin:end]
    own = not _OWN.isdisjoint(words) and words[:1] != ["i"]
    said = zip(words, words[1:], words[2:], strict=False)
    return own and any(a in ("i", "we") and b in HAVE and is_past(c) for a, b, c in said)


def _taken_up(held: Held, at: int) -> bool:
    """Return whether words behind a thing may mean it again."""
    return not _BACK.isdisjoint(held.words[at + 1 :])


def _replaced(held: Held, at: int, verbs: Collection[int]) -> Iterator[str]:
    """Yield a thing that something else is to be done with: ``instead of the flag``."""
    for k in range(at - 1, max(0, at - _REACH), -1):
        if held.tokens[k].kind == "mark" or held.tokens[k].start in verbs:
            return
        if (held.words[k - 1], held.words[k]) in _INSTEAD:
            yield f"the text says '{held.words[k - 1]} {held.words[k]}' of what the answer does"
