"""One of several that were spoken of before is picked out: ``inspect the first one``, ``the latter``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from commonground.grounding.english.parts import parts_of
from commonground.grounding.fidelity.held import Held, nouns_of, wanted_acts
from commonground.grounding.meaning import Act, Reference, Several, Thing, things_in
from commonground.grounding.words.nouns import singulars
from commonground.grounding.words.numbers import rank_of

LOOKING = frozenset(["INSPECT", "INSPECT_SPLIT", "INSPECTION"])
GOING = frozenset(["VISIT", "MOVE"])
_EVERYBODY = re.compile(
    r"(?<!among )(?<!amongst )(?<!between )(?<!not )(?<!between the )(?<!among the )"
    r"\b(?:each|both|two|three|four|five|all) of you\b"
)
_ANYBODY = re.compile(r"\b(?:one|either|any|whichever) of you\b")
DIFFERENT = re.compile(
    r"\b(?:(?:an?|one|two|three)\s+different|different\s+ones?"
    r"|(?:inspect|check|visit|to|at|take|up)s?\s+different"
    r"|(?:not|never)(?:\s+all)?\s+(?:\w+\s+)?the\s+same(?:\s+\w+)?|no\s+two(?:\s+of\s+you)?(?:\s+\w+)?\s+the\s+same|(?:one|two|three|an?)\s+(?:(?!that|which)\w+\s+)?(?:each|apiece)|apiece"
    r"|of\s+(?:its|his|her|their|your)\s+own)\b",
    re.IGNORECASE,
)
"""A thing of its own for each of several robots."""
SAME_TOO = re.compile(
    r"\b(?:may|can|could|might|both)(?:\s+\w+){0,4}?\s+the\s+same(?:\s+one)?\b"
    r"|(?<!not )\bsame\s+(?:one|thing)(?:\s+(?:is|will\s+be|would\s+be|being))?(?:\s+\w+)?"
    r"\s+(?:allowed|permitted|fine|ok|okay|all\s+right|alright|possible|acceptable|will\s+do|good)\b"
    r"|\b(?:need\s*n[o']t|do\s*n[o']t\s+(?:need|have)\s+to)\s+(?:be\s+different|differ)\b",
    re.IGNORECASE,
)
"""Several robots may take the same thing."""
_ONE_OF = re.compile(
    r"(?<!every )(?<!each )(?<!single )(?<!last )\b(?:any )?one of (?:the|them|those|these)(?: others?)?\b"
    r"(?!(?: \w+)?(?: is|'s| was| has| had| seems| looks)\b(?! (?:to|for)\b))"
)
"""Of which more is said than how it is: ``one of the ladders has a loose rung``."""
_ANOTHER = re.compile(
    r"\banother\b(?! (?:robot|one of (?:you|the robots)|time|day|look|minute|moment|word|way|thing)\b)"
    r"(?<!\bone another)",
    re.IGNORECASE,
)
_THE_ONE = re.compile(
    r"\bthe one (?:in|at|on|by|near|beside|behind|outside|inside|next to|nearest|closest|farthest|furthest)\b"
)
_ONE_OF_THE = re.compile(
    r"\bone of (?:the|those|these|our|my) (?P<noun>\w+)\b.*?\bthe other(?! robot| one of you)\b"
)
_AT_LEAST_ONE = re.compile(r"\b(?:at least one|one or more|a minimum of one)\b")
_SHARING = frozenset([("one", "each"), ("one", "for"), ("between", "them"), ("between", "you")])


def lost_picks(held: Held) -> Iterator[str]:
    """Yield the only word of a text that picks one out, where a meaning does it with several."""
    picks, acts = [*_picks(held.words)], held.acts
    if not any(is_many(act.what) for act in acts) and not _does_twice(held):
        return
    one = _THE_ONE.search(held.line)
    excepts = any(thing.but for thing in held.parts(Thing))
    if one and not excepts and not any(map(_has_one, acts)):
        yield f"the text says '{one[0]}', and the answer does it with several"
    apart = "former and the latter" not in held.line
    if len(picks) == 1 or (picks and apart and len(acts) == 1):
        yield f"the text says '{picks[0]}', and the answer does it with several"
    if (one := _ONE_OF.search(held.line)) and _leaves_none(held):
        yield f"the text says '{one[0]}', and the answer leaves no choice"


def lost_least(held: Held) -> Iterator[str]:
    """Yield an ``at least one`` of which a meaning takes all."""
    few = _AT_LEAST_ONE.search(held.line)
    if few and any(is_many(act.what) for act in held.acts) and _leaves_none(held):
        yield f"the text says '{few[0]}', and the answer does all"


def _has_one(act: Act) -> bool:
    """Return whether what is done is done with one thing, or with all but one, or with those by one."""
    single = any(thing.amount in ("the", "any") for thing in things_in(act.what))
    return single or any(t.amount == "the" and t.where for t in parts_of(act.what, Thing))


def _leaves_none(held: Held) -> bool:
    """Return whether a meaning leaves no choice among things."""
    amounts = {thing.amount for thing in held.parts(Thing)}
    return "any" not in amounts | {several.join for several in held.parts(Several)}


def _does_twice(held: Held) -> bool:
    """Return whether the same is done with several things, and a text has one verb for that."""
    alike = {act.do for act in held.acts} in ({"inspect"}, {"go"})
    return alike and len(held.acts) > 1 and len(held.phrases(LOOKING | GOING)) == 1


def lost_shares(held: Held) -> Iterator[str]:
    """Yield the words that share things out, where a meaning has several robots do all of it."""
    said = [
        f"{word} {behind}"
        for word, behind in pairwise([*held.words, ""])
        if (word, behind) in _SHARING or word.startswith(("shar", "split", "divid"))
    ]
    all_do = any(
        one.who.choose == "each" and len(one.who.names) != 1
        and any(is_many(act.what) for act in wanted_acts(one.task))
        for one in held.meaning.assignments
    )  # fmt: skip
    if said and all_do:
        yield f"the text says '{said[0].strip()}', and the answer shares nothing out"


def lost_differences(held: Held) -> Iterator[str]:
    """Yield the words that want another thing for each of several robots, where an answer shares nothing.

    The other way round where they may take the same.
    """
    same = SAME_TOO.search(held.line)
    if same and any(one.who.choose == "share" for one in held.meaning.assignments):
        yield f"the text says '{same[0]}', and the answer keeps them apart"
    said = DIFFERENT.search(held.line)
    if said is None or same:
        return
    for one in held.meaning.assignments:
        if one.who.choose in ("each", "same") and len(one.who.names) != 1 and wanted_acts(one.task):
            yield f"the text says '{said[0]}', and the answer keeps nothing apart"


def other_than_one(held: Held) -> Iterator[str]:
    """Yield that ``one of the bags`` has another bag beside it, where a meaning has another robot."""
    said = _ONE_OF_THE.search(held.line)
    things = {form for noun in nouns_of(tuple(held.acts)) for form in singulars(noun)}
    named = said is not None and not things.isdisjoint(singulars(said["noun"]))
    robot = any(one.who.choose == "other" for one in held.meaning.assignments)
    if named and robot and not any(t.of == "other" for t in held.parts(Thing)):
        yield "the text says 'the other' of things, and the answer of robots"


def lost_another(held: Held) -> Iterator[str]:
    """Yield that something else is spoken of than before, where a meaning may take the same again."""
    said = _ANOTHER.search(held.text)
    free = [
        thing
        for act in held.acts
        for thing in (*things_in(act.what), *(things_in(act.to) if act.to else ()))
        if thing.amount == "any" and (thing.count or 1) == 1
    ]
    apart = any(t.of == "other" or t.but for t in held.parts(Thing)) or any(
        one.who.choose == "share" for one in held.meaning.assignments
    )
    if said and free and not apart:
        yield f"the text says '{said[0]}', and the answer may take the same again"


def lost_everybody(held: Held) -> Iterator[str]:
    """Yield that each of those spoken to is told something, where a meaning has only one do anything."""
    one = any(
        a.who.choose == "one" or (a.who.choose == "share" and _is_one(act.what))
        for a in held.meaning.assignments
        for act in wanted_acts(a.task)
    )
    alone = all(a.who.choose == "one" and not a.who.names for a in held.meaning.assignments)
    shared = DIFFERENT.search(held.line) or "yourselves" in held.words
    each = _EVERYBODY.search(held.line) and not shared
    if one and each and (alone or not _ANYBODY.search(held.line)):
        yield "the text says 'each of you', and the answer has only one do anything"


def _is_one(what: Reference) -> bool:
    return not isinstance(what, Several) and what.amount != "all" and (what.count or 1) == 1


def _picks(words: Sequence[str]) -> Iterator[str]:
    for the, word, behind in zip(words, words[1:], [*words[2:], ""], strict=False):
        ranked = behind == "one" and (rank_of(word) is not None or word == "last")
        if the == "the" and (ranked or word in ("former", "latter")):
            yield f"the {word} one" if ranked else f"the {word}"


def is_many(what: Reference) -> bool:
    """Return whether a phrase means several things."""
    if isinstance(what, Several):
        return what.join == "all" and len(what.things) > 1
    return what.amount == "all" and not any(relation.rank for relation in what.where)
