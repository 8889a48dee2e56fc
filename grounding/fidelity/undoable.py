"""Deeds that nobody here can do, or should: verbs the vocabulary does not know, and a few that do harm."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import pairwise

from commonground.grounding.fidelity.clauses import clause_at, sentence_at
from commonground.grounding.fidelity.negation import wanted_acts
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.picks import LOOKING
from commonground.grounding.fidelity.robots import is_named, nouns_of
from commonground.grounding.language.tokens import Token
from commonground.grounding.language.vocabulary import vocabulary
from commonground.grounding.meaning import Act, Instruction
from commonground.grounding.words.concepts import everyday
from commonground.grounding.words.nouns import words_of

_ENDS = frozenset([".", ";", "!", "?", ":", "\n"])
_ASKING = frozenset(words_of("should shall must will can could would may please and then"))
_SPEAKER = frozenset(["i", "we"])
"""Who must, may or should something then is no robot: ``however, I must beg you``."""
_OBJECTS = frozenset(
    words_of(
        "the a an all every each both any some this that these those it them us me my our your his her their "
        "whoever whomever anyone anybody someone somebody everyone everybody people"
    )
)
"""What stands behind a verb that is done to something."""
_HARM = frozenset(
    [
        ("set", "fire"), ("set", "alight"), ("blow", "up"), ("run", "down"), ("knock", "over"),
        ("knock", "down"), ("tip", "over"), ("push", "over"),
    ]
)  # fmt: skip


_CHARGING = frozenset(words_of("drive run charge go race speed"))
_FOLLOWING = frozenset(words_of("follow accompany escort chase shadow tail tow assist"))
_PLOUGHING = frozenset(words_of("plough plow barge bulldoze crash smash"))
_PEOPLE = frozenset(words_of("him her them us me you people somebody someone anybody anyone"))
_HARMING = frozenset(
    words_of(
        "ram throw hurl fling smash crash destroy burn torch attack kick shoot wreck crush kill hurt injure "
        "stab bomb break poison dent smack punch"
    )
)
"""With something behind them that they are done to."""


_SHOVING = frozenset(words_of("shove push drag pull trip tackle knock"))
"""What is done to people does harm, what is done to things may not."""


_GIVING = frozenset(["give", "gives", "giving"])
_BLOWS = (
    _SHOVING | (_HARMING - {"break"}) | frozenset(words_of("whack bash slap blow thump hit jab"))
)
_ONE = frozenset(["a", "an", "one", "another"])
_IT = frozenset(["it", "they", "he", "she"])
_FALLING = frozenset(
    words_of(
        "tips topples falls breaks smashes crashes bursts burns explodes collapses shatters tip topple fall "
        "break smash crash burst burn explode collapse shatter"
    )
)
"""What befalls a thing that harm is done to."""


_OFF_TO = frozenset(["go", "come"])
"""Before a verb: ``go shove him``."""


_ONLY_GOING = frozenset(["go", "be", "explore"])
_GONE_TO = frozenset(
    ["VISIT", "ENTER", "VIA", "STAY", "END", "RETURN", "EXPLORE", "AVOID", "OMIT", *LOOKING]
)
_IS = frozenset(["is", "are"])
"""``somebody's foot`` has no verb."""
_MEETING = frozenset(words_of("find join meet"))
_WAYS = frozenset(
    words_of(
        "to into onto toward towards through by past at in inside within on near beside around round over "
        "under along across between of off from with for next then also afterwards after before first last "
        "later finally plus not only all both just"
    )
)
"""What leads to where somebody goes, where the verb is left out: ``Husky to the flag``, ``then the flag``."""
_PARTICLES = frozenset(words_of("up down off out over apart away"))
_NEAR = 5
"""So many words a noun phrase has, the article counted, up to its noun."""


_LONG = 5
"""Words of fewer letters are often others in another order."""


def unheard_of(
    tokens: Sequence[Token], robots: Sequence[str], things: Collection[str] = ()
) -> Iterator[str]:
    """Yield what a text wants done to something by a verb that no list has; ``things`` are none."""
    for at, token in enumerate(tokens[:-1]):
        if (
            tokens[at + 1].text in _OBJECTS
            and token.kind == "word"
            and not _is_known(token.text, things)
            and not any(is_named(name, token.text) for name in robots)
            and not _is_mistyped(token.text)
            and not _is_told_of(tokens, at, robots)
            and _is_told(tokens, at, robots)
        ):
            yield f"no robot here can {token.text}"
        yield from _given(tokens, at, things)


def _is_mistyped(word: str) -> bool:
    """Return whether a word has the letters of a known one in another order: ``inpsect``."""
    return len(word) >= _LONG and "".join(sorted(word)) in _letters()


@cache
def _letters() -> frozenset[str]:
    return frozenset("".join(sorted(word)) for word in vocabulary()[1] if len(word) >= _LONG)


def _given(tokens: Sequence[Token], at: int, things: Collection[str]) -> Iterator[str]:
    """Yield what somebody is to be given that nobody can hand over: ``give him an injection``."""
    words = [token.text for token in tokens[at : at + 4]]
    gives = (
        len(words) == 4 and words[0] == "give" and words[1] in _PEOPLE and words[2] in ("a", "an")
    )
    if gives and not _is_known(words[3], things) and not everyday().senses(words[3]):
        yield f"no robot here can give anybody {words[2]} {words[3]}"


def _is_known(word: str, things: Collection[str]) -> bool:
    return word in vocabulary()[1] or word in things


def _is_told_of(tokens: Sequence[Token], at: int, robots: Sequence[str]) -> bool:
    """Return whether a verb behind ``and`` says what somebody else does: ``he sits there and swears``."""
    third = tokens[at].text.endswith("s") and not tokens[at].text.endswith("ss")
    if not third or at == 0 or tokens[at - 1].text != "and":
        return False
    begin = next((k + 1 for k in range(at - 1, -1, -1) if tokens[k].text in _ENDS), 0)
    named = (k for k in range(begin, at) if any(is_named(r, tokens[k].text) for r in robots))
    return all(tokens[k + 1].text == "," for k in named)


def harmful(tokens: Sequence[Token], robots: Sequence[str]) -> Iterator[str]:
    """Yield the harm that a text wants done."""
    for at, (token, behind) in enumerate(pairwise(tokens)):
        harms = token.text in _HARMING and (behind.text in _OBJECTS or behind.kind == "number")
        charges = _charges(tokens, at)
        told = _is_told(tokens, at, robots) or (at > 0 and tokens[at - 1].text == ",")
        yield from _shadowed(token, behind, robots) if told else ()
        if told and (harms or charges or (token.text, behind.text) in _HARM):
            yield f"no robot here will {token.text}{'' if harms else f' {behind.text}'}"
        blow = _blow(tokens, at)
        if blow:
            yield f"no robot here will give anything a {blow}"
        if _falls(tokens, at):
            yield f"no robot here will see to it that {token.text} {behind.text}"


def _shadowed(verb: Token, behind: Token, robots: Sequence[str]) -> Iterator[str]:
    """Yield what is to be done with another robot, wherever that may go: ``follow Spot``."""
    if verb.text in _FOLLOWING and any(is_named(robot, behind.text) for robot in robots):
        yield f"no robot here can {verb.text} another"


def _blow(tokens: Sequence[Token], at: int) -> str:
    """Return the blow that something is to be given: ``give it a good shove``."""
    if tokens[at].text not in _GIVING:
        return ""
    end = clause_at(tokens, at)[1]
    said = [token.text for token in tokens[at + 1 : end]]
    blows = (k for k, word in enumerate(said) if word in _BLOWS)
    return next((said[k] for k in blows if not _ONE.isdisjoint(said[max(0, k - 3) : k])), "")


def _falls(tokens: Sequence[Token], at: int) -> bool:
    """Return whether a thing is to come to harm: ``so it tips over``, ``until it breaks``."""
    before = [token.text for token in tokens[max(0, at - 2) : at]]
    results = before[-1:] in (["so"], ["until"], ["till"]) or before == ["so", "that"]
    return results and tokens[at].text in _IT and tokens[at + 1].text in _FALLING


def only_gone_to(
    meaning: Instruction, tokens: Sequence[Token], robots: Sequence[str]
) -> Iterator[str]:
    """Yield what a text wants done to a thing that the answer only goes to: ``set the barn on fire``.

    Verbs are many, those of going to something few: any other with a thing right behind it is none.
    """
    gone_to = _only_visited(meaning)
    for at in range(len(tokens) - 2):
        behind = at + 1 + (tokens[at + 1].text in _PARTICLES)
        phrase = [token.text for token in tokens[behind : behind + _NEAR]]
        if not _OBJECTS.isdisjoint(phrase[:1]) and not gone_to.isdisjoint(phrase):
            verb = " ".join(token.text for token in tokens[at:behind])
            if _is_verb(tokens, at, robots) and not _goes(tokens, at, behind):
                yield f"the text says '{verb}' of what the answer only goes to"


def _is_verb(tokens: Sequence[Token], at: int, robots: Sequence[str]) -> bool:
    """Return whether a word stands where a text says what to do."""
    word = tokens[at]
    if word.kind != "word" or word.text in _WAYS or word.text.endswith("ly"):
        return False  # "and lastly the kitchen"
    if any(is_named(robot, word.text) for robot in robots):
        return False
    return _is_told(tokens, at, robots)


def _only_visited(meaning: Instruction) -> set[str]:
    """Return the nouns of what an answer goes to and does nothing else with."""
    acts = wanted_acts(meaning)
    done_to = {word for act in acts if act.do not in _ONLY_GOING for word in _heads(act)}
    return {word for act in acts if act.do in _ONLY_GOING for word in _heads(act)} - done_to


def _heads(act: Act) -> Iterator[str]:
    """Yield the last words of the nouns of an act."""
    yield from (noun.split()[-1] for noun in nouns_of(act.what) if noun)


def _goes(tokens: Sequence[Token], at: int, behind: int) -> bool:
    """Return whether the words up to a thing may mean going there, or words behind it do."""
    end = clause_at(tokens, at)[1]
    verb = [one for one in phrases_in(tokens[at:end], _GONE_TO) if one.start == tokens[at].start]
    whole = any(len(one.words.split()) >= behind - at for one in verb)
    later = (one for one in phrases_in(tokens[behind:end], _GONE_TO) if one.words not in _IS)
    return whole or any(later) or tokens[at].text in _MEETING


def _charges(tokens: Sequence[Token], at: int) -> bool:
    """Return whether a verb sends somebody against people or into things, or people about."""
    verb, behind = tokens[at].text, tokens[at + 1].text
    at_people = any(t.text in _PEOPLE for t in tokens[at + 2 : at + 3])
    into = verb in _CHARGING and behind in ("at", "into")
    over = verb in _CHARGING - {"go"} and behind == "over"
    over = over or (verb in _PLOUGHING and behind in ("through", "into", "over"))
    if over and any(t.text in _OBJECTS for t in tokens[at + 2 : at + 3]):
        return True
    return (into and (at_people or _is_dented(tokens, at))) or (
        verb in _SHOVING and behind in _PEOPLE
    )


def _is_dented(tokens: Sequence[Token], at: int) -> bool:
    """Return whether a sentence wants something broken: ``into the car hard enough to dent it``."""
    behind = [t.text for t in tokens[at:] if t.start < sentence_at(tokens, at)[1]]
    return any(a == "to" and b in _HARMING | {"damage", "scratch"} for a, b in pairwise(behind))


def _is_told(tokens: Sequence[Token], at: int, robots: Sequence[str]) -> bool:
    """Return whether a text says what to do there: first, behind a robot's name, behind a modal verb."""
    before = at - 1
    if before >= 0 and tokens[before].text == ",":
        before -= 1
    if before < 0 or tokens[before].text in _ENDS:
        return True
    word = tokens[before].text
    if word in _OFF_TO:
        return _is_told(tokens, before, robots)
    if before > 0 and tokens[before - 1].text in _SPEAKER:
        return False
    asked = word == "you" and before > 0 and tokens[before - 1].text in _ASKING
    return asked or word in _ASKING or any(is_named(name, word) for name in robots)
