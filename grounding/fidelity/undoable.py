"""Deeds that nobody here can do: verbs the vocabulary does not know, or that no answer holds."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache

from commonground.grounding.fidelity.clauses import clause_at
from commonground.grounding.fidelity.harm import ENDS, OBJECTS, PEOPLE, is_told
from commonground.grounding.fidelity.negation import wanted_acts
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.picks import LOOKING
from commonground.grounding.fidelity.robots import is_named, nouns_of
from commonground.grounding.language.tokens import Token
from commonground.grounding.language.vocabulary import vocabulary
from commonground.grounding.meaning import Act, Instruction
from commonground.grounding.words.concepts import everyday
from commonground.grounding.words.nouns import word_set

_ONLY_GOING = frozenset(["go", "be", "explore"])
_GONE_TO = frozenset(
    ["VISIT", "ENTER", "VIA", "STAY", "END", "RETURN", "EXPLORE", "AVOID", "OMIT", *LOOKING]
)
_IS = frozenset(["is", "are"])
"""``somebody's foot`` has no verb."""
_MEETING = word_set("find join meet")
_WAYS = word_set(
    "to into onto toward towards through by past at in inside within on near beside around round over "
    "under along across between of off from with for next then also afterwards after before first last "
    "later finally plus not only all both just"
)
"""What leads to where somebody goes, where the verb is left out: ``Husky to the flag``, ``then the flag``."""
_PARTICLES = word_set("up down off out over apart away")
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
            tokens[at + 1].text in OBJECTS
            and token.kind == "word"
            and not _is_known(token.text, things)
            and not any(is_named(name, token.text) for name in robots)
            and not _is_mistyped(token.text)
            and not _is_told_of(tokens, at, robots)
            and is_told(tokens, at, robots)
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
        len(words) == 4 and words[0] == "give" and words[1] in PEOPLE and words[2] in ("a", "an")
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
    begin = next((k + 1 for k in range(at - 1, -1, -1) if tokens[k].text in ENDS), 0)
    named = (k for k in range(begin, at) if any(is_named(r, tokens[k].text) for r in robots))
    return all(tokens[k + 1].text == "," for k in named)


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
        if not OBJECTS.isdisjoint(phrase[:1]) and not gone_to.isdisjoint(phrase):
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
    return is_told(tokens, at, robots)


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
