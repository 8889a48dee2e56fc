"""Harm that a text wants done, to things, to people or by one robot to another, in whatever words."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise, takewhile

from commonground.grounding.fidelity.clauses import Wording
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.verbs import DEEDS
from commonground.grounding.words.closed import SPEAKERS
from commonground.grounding.words.nouns import singulars, word_set
from commonground.grounding.words.tokens import Token

ENDS = frozenset([".", ";", "!", "?", ":", "\n"])
_ASKING = word_set("should shall must will can could would may please and then so")
PEOPLE = word_set("him her them us me you people somebody someone anybody anyone")
OBJECTS = PEOPLE | word_set(
    "the a an all every each both any some this that these those it its them us me my our your his her their "
    "whoever whomever anyone anybody someone somebody everyone everybody people"
)
"""What stands behind a verb that is done to something."""
_HARM = frozenset(
    [
        ("set", "fire"), ("set", "alight"), ("blow", "up"), ("run", "down"), ("knock", "over"),
        ("knock", "down"), ("tip", "over"), ("push", "over"), ("floor", "it"), ("gun", "it"),
    ]
)  # fmt: skip
_CHARGING = word_set(
    "drive run charge go race speed back reverse roll head steer sprint dash rush ride"
)
_OVER = word_set("drive run charge race speed ride")
_PLOUGHING = word_set("plough plow barge bulldoze crash smash slam smack bump")
_RECKLESS = frozenset(
    [("flat", "out"), ("full", "tilt"), ("full", "throttle"), ("full", "pelt"), ("full", "speed")]
)
_WAYS = word_set("to into at over through against onto and or then")
_FOLLOWING = word_set("follow accompany escort chase shadow tail tow assist")
_HANDLING = word_set("take bring carry lead lift push pull drag drive move")
_HARMING = word_set(
    "ram throw hurl fling smash crash destroy burn torch attack kick shoot wreck crush kill hurt injure "
    "stab bomb break poison dent smack punch damage flatten sideswipe demolish"
)
"""With something behind them that they are done to."""
_HITTING = word_set("hit bump clip strike")
"""These are harm to a thing; one may ``hit the road``, and ``strike that``."""
_SHOVING = word_set("shove push drag pull trip tackle knock")
"""What is done to people does harm, what is done to things may not."""
_GIVING = frozenset(["give", "gives", "giving"])
_HANDING = _GIVING | frozenset(["hand", "hands", "pass", "passes"])
_BLOWS = _SHOVING | (_HARMING - {"break"}) | word_set("whack bash slap blow thump hit jab")
_ONE = frozenset(["a", "an", "one", "another"])
_IT = frozenset(["it", "they", "he", "she"])
_FALLING = word_set(
    "tips topples falls breaks smashes crashes bursts burns explodes collapses shatters tip topple fall "
    "break smash crash burst burn explode collapse shatter"
)
"""What befalls a thing that harm is done to."""
_OFF_TO = frozenset(["go", "come"])
"""Before a verb: ``go shove him``."""
_REACH = 6
"""So many words from a verb on what it leads into may begin, and its noun may stand."""


def harmful(said: Wording, things: Collection[str] = ()) -> Iterator[str]:
    """Yield the harm that a text wants done; ``things`` are nouns of what is no area."""
    for at, (word, behind) in enumerate(pairwise(said.words)):
        if is_told(said, at) or said.word(at - 1) == ",":
            yield from _handled(said, at, things)
            yield from _done_to(said, at, things)
        blow = _blow(said, at)
        if blow:
            yield f"no robot here will give anything a {blow}"
        if _falls(said, at):
            yield f"no robot here will see to it that {word} {behind}"


def _done_to(said: Wording, at: int, things: Collection[str]) -> Iterator[str]:
    """Yield the harm of a verb and the words behind it."""
    verb, behind = said.words[at], said.words[at + 1]
    if verb in _HARMING and _points(said.tokens[at + 1]):
        yield f"no robot here will {verb}"
    elif (
        (verb in _HITTING and _is_thing(said.tokens[at + 1 :], things))
        or (verb, behind) in _HARM
        or _charges(said, at, things)
    ):
        yield f"no robot here will {verb} {behind}"


def _handled(said: Wording, at: int, things: Collection[str]) -> Iterator[str]:
    """Yield what is to be done with another robot: ``follow Spot``, ``give Spot the bag``."""
    verb = said.words[at]
    if not said.is_robot(said.words[at + 1]):
        return
    called = any(map(said.is_robot, said.words[said.sentence(at)[0] : at]))
    hands = verb in _HANDING and _is_thing(said.tokens[at + 2 :], things)
    if verb in _FOLLOWING or hands or (verb in _HANDLING and called):
        yield f"no robot here can {verb} another{' anything' if hands else ''}"


def _blow(said: Wording, at: int) -> str:
    """Return the blow that something is to be given: ``give it a good shove``."""
    if said.words[at] not in _GIVING:
        return ""
    words = said.words[at + 1 : said.clause(at)[1]]
    blows = (k for k, word in enumerate(words) if word in _BLOWS)
    return next((words[k] for k in blows if not _ONE.isdisjoint(words[max(0, k - 3) : k])), "")


def _falls(said: Wording, at: int) -> bool:
    """Return whether a thing is to come to harm: ``so it tips over``, ``until it breaks``."""
    before = said.words[max(0, at - 2) : at]
    results = before[-1:] in (["so"], ["until"], ["till"]) or before == ["so", "that"]
    return results and said.words[at] in _IT and said.words[at + 1] in _FALLING


def _charges(said: Wording, at: int, things: Collection[str]) -> bool:
    """Return whether a verb sends somebody against people or into things, or people about.

    One drives into an area, and into a thing only to hit it.
    """
    verb, behind = said.words[at], said.words[at + 1]
    if verb in _SHOVING and behind in PEOPLE:
        return True
    manner = [*takewhile(_is_manner, said.tokens[at + 1 : at + _REACH])]
    if verb not in _CHARGING | _PLOUGHING or phrases_in(manner, DEEDS):
        return False  # go wait at the gate
    fast = said.tokens[at + 1 + len(manner) : at + 4 + len(manner)]
    if [t.text for t in fast[:1]] == ["at"] and tuple(t.text for t in fast[1:]) in _RECKLESS:
        manner += fast  # drive at full speed into the flag
    return _collides(verb, manner, said.tokens[at + 1 + len(manner) :], things) or (
        behind in ("into", "at") and _is_dented(said.words[at : said.sentence(at)[1]])
    )


def _collides(
    verb: str, manner: Sequence[Token], behind: Sequence[Token], things: Collection[str]
) -> bool:
    """Return whether somebody runs into what is named behind a verb and words for how."""
    way, whom = [*(token.text for token in behind[:2]), "", ""][:2]
    reckless = not _RECKLESS.isdisjoint(pairwise(token.text for token in manner))
    ploughs = verb in _PLOUGHING or (way == "over" and verb in _OVER and not manner)
    if way in ("into", "at", "through", "over") and (reckless or (ploughs and way != "at")):
        return whom in OBJECTS
    aimed = (way == "into" or bool(manner)) and _is_thing(behind[1:], things)
    return way in ("into", "at") and (aimed or whom in PEOPLE)


def _is_manner(token: Token) -> bool:
    return token.kind == "word" and token.text not in OBJECTS | _WAYS


def _points(token: Token) -> bool:
    """Return whether a word begins what something is done to."""
    return token.text in OBJECTS or token.kind == "number"


def _is_thing(tokens: Sequence[Token], things: Collection[str]) -> bool:
    """Return whether a phrase begins there that names what is no area."""
    if not any(map(_points, tokens[:1])):
        return False
    phrase = takewhile(_is_manner, tokens[1:_REACH])
    return any(form in things for token in phrase for form in singulars(token.text))


def _is_dented(behind: Sequence[str]) -> bool:
    """Return whether a sentence wants something broken: ``into the car hard enough to dent it``."""
    return any(a == "to" and b in _HARMING | {"damage", "scratch"} for a, b in pairwise(behind))


def is_told(said: Wording, at: int) -> bool:
    """Return whether a text says what to do there: first, behind a robot's name, behind a modal verb."""
    before = at - 1 - (said.word(at - 1) == ",")
    word = said.word(before)
    if before < 0 or word in ENDS:
        return True
    if word in _OFF_TO:
        return is_told(said, before)
    if said.word(before - 1) in SPEAKERS:
        return False  # however, I must beg you
    asked = word == "you" and said.word(before - 1) in _ASKING
    return asked or word in _ASKING or said.is_robot(word)
