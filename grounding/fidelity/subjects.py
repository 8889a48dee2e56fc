"""What a clause says of the robot that it begins with is done by that robot, or it was lost.

``The van inspected, and Anna parked up beside it`` has Anna end there, and ``Anna checks the red bins and
Bert the blue ones`` has Bert do so. Who is named is easily heard while what is said of them is not.
"""

from __future__ import annotations

from collections.abc import Iterator

from commonground.grounding.english.parts import parts_of
from commonground.grounding.fidelity.clauses import is_named
from commonground.grounding.fidelity.held import Held
from commonground.grounding.fidelity.phrases import Said
from commonground.grounding.fidelity.picks import LOOKING
from commonground.grounding.fidelity.robots import told_to
from commonground.grounding.fidelity.undoable import means
from commonground.grounding.language.vocabulary import FUNCTION_WORDS, vocabulary
from commonground.grounding.meaning import Do, Thing, Who
from commonground.grounding.words.closed import BE, HAVE, MODALS
from commonground.grounding.words.concepts import everyday
from commonground.grounding.words.nouns import singulars, word_set

_DONE_BY = {
    **dict.fromkeys([*LOOKING, "EXPLORE"], frozenset[Do](["inspect", "explore"])),
    **dict.fromkeys(["STAY", "END"], frozenset[Do](["be"])),
    **dict.fromkeys(["PICK", "PICK_SPLIT", "HOLDING"], frozenset[Do](["pick", "take", "place"])),
    **dict.fromkeys(["PUT", "PUT_SPLIT", "PICK_OR_PLACE"], frozenset[Do](["place", "take", "pick"])),
}  # fmt: skip
"""What acts may do that verbs of a kind say; other verbs are too wide to tell."""
_KINDS = frozenset([*_DONE_BY, "MOVE", "VISIT", "ENTER", "VIA", "RETURN", "AVOID", "OMIT", "LEAVE"])
_ANY_DEED = frozenset(["DO_IT"])
"""``See to it`` is no look at anything."""
_JOINTS = word_set(", ; : . ! ? and but while with so then plus \n")
_DENIED = word_set("not never no without who which that if when once after until till before")
_BEFORE = BE | HAVE | MODALS | {"'s", "to", "then"}
"""Between who does something and the verb."""
_POINTING = word_set("the that those all both every each any an a whichever whatever")
_LIMITED = word_set(
    "former latter other others rest same first second last remaining left one ones lot opposite own"
)
"""What tells of things by others that were named."""


def lost_of_robots(held: Held) -> Iterator[str]:
    """Yield what a text says of a robot that an answer has nobody do, or somebody else."""
    for at in range(len(held.words)):
        subject = _subject(held, at) if not at or held.words[at - 1] in _JOINTS else 0
        if subject:
            yield from _lost_deeds(held, at, subject)
            yield from _gapped(held, at, subject)


def _subject(held: Held, at: int) -> int:
    """Return how many words are the robot that a clause begins with; 0 where it begins with none."""
    word, behind = held.words[at], held.word(at + 1)
    if word == "whoever" or (word == "whichever" and behind == "of"):
        return 1
    if word == "who":  # by Anna, who then waits there
        return int(held.is_robot(held.word(at - 2)))
    if word == "you" and behind == "," and held.is_robot(held.word(at + 2)):
        return 4  # and you, Anna, parked beside it
    return int(word == "you" or held.is_robot(word))


def _end(held: Held, at: int) -> int:
    rest = range(at, len(held.words))
    return next((k for k in rest if held.words[k] in _JOINTS - {"then", "so"}), len(held.words))


def _lost_deeds(held: Held, at: int, size: int) -> Iterator[str]:
    """Yield what is done, or wanted done, by who a clause begins with, and by nobody in the answer."""
    end = _end(held, at + size)
    begins, ends = held.tokens[at].start, held.tokens[end - 1].end
    if not _DENIED.isdisjoint(held.words[at + size : end]) or end - at < 2:
        return
    done = {act.do for act in held.acts}
    first = next((k for k in range(at + size, end) if held.words[k] not in _BEFORE), at)
    for deed in held.phrases(_KINDS | _ANY_DEED):
        told = _is_first(held, deed, at, first)
        if begins < deed.start < ends and told and not _may_be_done(deed, done):
            yield f"the text says '{deed.words}' of {held.words[at]}, and nobody does"
    if _is_strange(held, first) and done and not any(means(held.words[first], do) for do in done):
        yield f"the text says '{held.words[first]}' of {held.words[at]}, and nobody does"


def _is_first(held: Held, deed: Said, at: int, first: int) -> bool:
    """Return whether a verb is the first behind who does it; behind ``whoever`` another may stand."""
    if held.words[at].startswith("wh"):  # whoever can carry is told by that
        return deed.words not in _BEFORE and not any(who.can for who in held.parts(Who))
    ahead = held.at(deed) == first and held.words[first - 1] not in _POINTING
    return ahead and deed.words not in _BEFORE


def _is_strange(held: Held, at: int) -> bool:
    """Return whether a word is a verb that no list has; what somebody is supposed to do follows."""
    word = held.words[at]
    known = any(vocabulary()[0].matches([word], 0)) or any(everyday().senses(word))
    suffered = word.endswith("ed") and held.word(at - 1) in BE | HAVE | {"'s"}  # you are expected
    strange = word.endswith(("ed", "ing")) and not known
    return strange and not suffered and held.word(at + 1) != "to"


def _may_be_done(deed: Said, done: set[Do]) -> bool:
    """Return whether acts may do what a verb says, in any of its senses."""
    kinds = {kind for kind, _ in deed.senses}
    return any(kind not in _DONE_BY or not done.isdisjoint(_DONE_BY[kind]) for kind in kinds)


def _gapped(held: Held, at: int, size: int) -> Iterator[str]:
    """Yield what stands right behind a robot without a verb, where that is not the robot's own."""
    first, end = at + size, _end(held, at + size)
    told = _points(held, first) and BE.isdisjoint(held.words[first:end])
    if not (at and told and held.is_robot(held.words[at])):
        return
    words = {*_own_words(held, first, end)}
    who = next(name for name in held.robots if is_named(name, held.words[at]))
    things = [*_things_of(held, who)]
    heard = {word for thing in things for word in _described(thing)}
    plain = held.meaning.assignments and all(thing.noun for thing in things)
    if words and plain and words.isdisjoint(heard):
        said = " ".join(held.words[first:end])
        yield f"the text says '{said}' of {who}, and the answer does not"


def _points(held: Held, at: int) -> bool:
    """Return whether a thing is named somewhere, no deed of those named before: ``both to go``."""
    does = held.word(at + 1) in _BEFORE or held.word(at + 1).endswith("ing")
    return held.word(at) in _POINTING and not does


def _things_of(held: Held, who: str) -> Iterator[Thing]:
    for one in held.meaning.assignments:
        if not one.who.names or who in told_to(held.robots, one.who.names):
            yield from parts_of(one.task, Thing)


def _own_words(held: Held, first: int, end: int) -> Iterator[str]:
    for word in held.words[first:end]:
        if word not in FUNCTION_WORDS | _LIMITED and word.isalpha() and held.words.count(word) == 1:
            yield from singulars(word)


def _described(thing: Thing) -> Iterator[str]:
    for part in (thing.noun, thing.trait, thing.color, *thing.ids):
        for word in part.casefold().split():
            yield from (word, *singulars(word))
