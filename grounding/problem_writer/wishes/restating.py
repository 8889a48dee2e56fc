"""An order said again with the plainest verb for what it asks: ``pack the vase in the box`` puts it there.

The network was taught some verbs of each kind and not all that people use; the table of verbs knows more.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from commonground.grounding.english.utterance import Clause, Part, Phrase, Span, Utterance
from commonground.grounding.problem_writer.vocabulary import command_words
from commonground.grounding.problem_writer.wishes.account import Accounts
from commonground.grounding.problem_writer.wishes.acts import ASKING, Said
from commonground.grounding.problem_writer.wishes.demands import Named
from commonground.grounding.problem_writer.wishes.heads import DETERMINERS
from commonground.grounding.problem_writer.wishes.where import IN

_PLAINEST = {
    "put": "put", "put_away": "put away", "trash": "throw away", "slice": "slice", "wash": "wash",
    "cook": "cook", "heat": "heat up", "microwave": "heat up", "chill": "chill", "fill": "fill",
    "break": "break", "open": "open", "close": "close", "switch_on": "turn on", "switch_off": "turn off",
    "clear": "clear", "push": "push", "serve": "put",
}  # fmt: skip
"""Kinds of verbs → the plainest of each."""
_DONE = {
    "BROKEN": "break", "CLEAN": "wash", "HOT": "heat up", "COLD": "chill", "OPENED": "open",
    "CLOSED": "close", "SLICED": "slice", "EMPTY": "clear", "FILLED": "fill",
}  # fmt: skip
"""What brings states about."""
_MAKING = frozenset(["make", "get", "have"])
_ALSO = {
    "refrigerate": ("put", "in the fridge"), "microwave": ("heat up", "in the microwave"),
    "fill": ("fill", "with water"), "refill": ("fill", "with water"),
}  # fmt: skip
"""Verbs that say as well where, or with what."""
_TAKING = frozenset(["take", "get", "move", "pull", "lift", "remove", "clear"])
_TO = frozenset(["to", "over"])


def restated(text: str, accounts: Accounts) -> str:
    """Return a text in which what is to be done is said by the plainest verbs, and where to in its order."""
    tokens, found, done = accounts.tokens, "", 0
    for at, end, words in _changes(accounts):
        if tokens[at].start >= done:
            found += text[done : tokens[at].start] + words
            done = tokens[end - 1].end
    return found + text[done:]


def pushed(accounts: Accounts) -> Utterance | None:
    """Return what ``push the sofa`` says: the network was never taught to push what nobody can carry."""
    if len(accounts.acts.said) != 1 or len(accounts.named) != 1:
        return None
    (one,), (thing,) = accounts.acts.said, accounts.named
    head = accounts.acts.head(one.start, one.end)
    known = head.mood == "order" and accounts.words[head.verb] in command_words().verbs["push"]
    if not known or accounts.object_at(head.verb + 1) != thing or thing.end != one.end:
        return None
    noun = _span(thing, accounts)
    verb = accounts.tokens[head.verb]
    said = Span(verb.start, verb.end, verb.text)
    return Utterance((Part(Clause("move", verb=said, theme=Phrase(noun=noun))),))


def removed(accounts: Accounts) -> Utterance | None:
    """Return what ``remove the pen from the desk`` says: the network hears mostly where things shall go."""
    words = accounts.words
    if len(accounts.acts.said) != 1 or len(accounts.named) != 2:
        return None
    (one,), (thing, place) = accounts.acts.said, accounts.named
    head = accounts.acts.head(one.start, one.end)
    known = head.mood == "order" and accounts.object_at(head.verb + 1) == thing
    way = [w for w in words[thing.end : place.start] if w not in DETERMINERS]
    leaves = way in (["off"], ["off", "of"], ["out", "of"]) and words[head.verb] in _TAKING
    leaves = leaves or (way == ["from"] and words[head.verb] == "remove")
    if not (known and leaves and place.end == one.end):
        return None
    theme, source = (Phrase(noun=_span(each, accounts)) for each in (thing, place))
    verb = accounts.tokens[head.verb]
    said = Span(verb.start, verb.end, verb.text)
    return Utterance((Part(Clause("put", verb=said, theme=theme, source=source)),))


def _span(one: Named, accounts: Accounts) -> Span:
    """Return where a thing is named."""
    first, last = accounts.tokens[one.start], accounts.tokens[one.end - 1]
    return Span(first.start, last.end, accounts.said(one))


def _changes(accounts: Accounts) -> Iterator[tuple[int, int, str]]:
    """Yield the words to be replaced, from one to another, with those that take their place."""
    for one in accounts.acts.said:
        if one.act in ASKING:
            yield from _first_held(one, accounts)
            yield from _made(one, accounts)
            yield from _verb(one, accounts)


def _verb(one: Said, accounts: Accounts) -> Iterator[tuple[int, int, str]]:
    """Yield the verb of a clause with the plainest one."""
    for at in range(one.start, one.end):
        verb, also = _ALSO.get(accounts.words[at], ("", ""))
        if verb and at + 1 < one.end and also.split()[-1] not in accounts.words[at + 1 : one.end]:
            yield at, at + 1, verb
            yield one.end - 1, one.end, f"{accounts.written(one.end - 1, one.end)[0]} {also}"
            return
        frame, size = frame_at(at, one.end, accounts)
        if frame:
            if frame not in ("put", "serve") or _is_placed(at, one, accounts):
                yield at, at + size, _PLAINEST[frame]
            return


def frame_at(at: int, end: int, accounts: Accounts) -> tuple[str, int]:
    """Return the kind of verb that begins at a word, and how many words it has; none where none does."""
    for size in range(min(4, end - at) if at not in accounts.acts.things else 0, 0, -1):
        frame = _frames().get(" ".join(accounts.words[at : at + size]), "")
        if frame:
            return frame, size
    return "", 0


def _first_held(one: Said, accounts: Accounts) -> Iterator[tuple[int, int, str]]:
    """Yield ``heat a plate containing an egg`` as ``put an egg on the plate and heat the plate``."""
    for holder, item in accounts.held():
        if not one.start <= holder.start < one.end or accounts.home.edible(min(holder.types)):
            continue
        last = accounts.listed_from(item)[-1]
        begin = _begin(holder, accounts) + 1
        verb = restated_verb(" ".join(accounts.written(one.start, begin)))
        items = " ".join(accounts.written(_begin(item, accounts) + 1, last.end))
        rest = " ".join(accounts.written(last.end, one.end))
        how = "on" if "Plate" in holder.types else "in"
        name = accounts.said(holder)
        yield (
            one.start,
            one.end,
            f"put {items} {how} the {name} and {verb[0]} the {name} {rest}{verb[1]}".strip(),
        )


def restated_verb(said: str) -> tuple[str, str]:
    """Return a verb with what it says besides: ``microwave`` heats in the microwave."""
    verb, also = _ALSO.get(said.casefold(), (said, ""))
    return verb, f" {also}" if also else ""


def _made(one: Said, accounts: Accounts) -> Iterator[tuple[int, int, str]]:
    """Yield ``make the phone unusable`` as ``break the phone``."""
    for at, ask in accounts.asked:
        named = next((n.start for n in accounts.named if n.end == at and one.start < n.start), None)
        back = accounts.words[at - 1] in ("it", "them")
        begin = at - 1 if back else named
        if begin is None or at >= one.end or ask.state not in _DONE:
            continue
        verb = next((n for n in range(one.start, begin) if accounts.words[n] in _MAKING), None)
        if verb is not None:
            words = " ".join(accounts.written(verb + 1, at))
            done = _DONE[ask.state].split()[0] if back else _DONE[ask.state]
            yield verb, at + 1, f"{done} {words}"


def _is_placed(at: int, one: Said, accounts: Accounts) -> bool:
    """Return whether a clause says where something goes."""
    return "back" in accounts.words[at : one.end] or any(
        accounts.words[n] in IN | _TO for n in range(at + 2, one.end - 1)
    )


def _begin(one: Named, accounts: Accounts) -> int:
    """Return where the preposition of a thing is, before its article."""
    at = one.start - 1
    while at > 0 and accounts.words[at] in DETERMINERS:
        at -= 1
    return max(at, 0)


@cache
def _frames() -> dict[str, str]:
    """Return the kinds of verbs that have a plainest one, by their base forms."""
    verbs = command_words().verbs
    return {phrase: frame for frame in _PLAINEST for phrase in verbs[frame]}
