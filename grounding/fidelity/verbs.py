"""Verbs of a text and the things that stand behind them: what is to be inspected is not only gone to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from commonground.grounding.english.names import singular
from commonground.grounding.fidelity.clauses import named_once, sentence_at
from commonground.grounding.fidelity.negation import wanted_acts
from commonground.grounding.fidelity.phrases import Said, phrases_in
from commonground.grounding.fidelity.robots import nouns_of
from commonground.grounding.language.tokens import Token
from commonground.grounding.meaning import Act, Instruction

_LOOKING = frozenset(["INSPECT", "INSPECT_SPLIT", "INSPECTION"])
_GOING = frozenset(["MOVE", "VISIT", "ENTER", "RETURN", "STAY", "END"])
_HANDLING = frozenset(["PICK", "PICK_SPLIT", "PICK_OR_PLACE", "PUT", "PUT_SPLIT"])
_DEEDS = _LOOKING | _GOING | _HANDLING | {"AVOID", "OMIT", "EXPLORE"}
_BEING = frozenset(["be", "is", "are", "am", "was", "were", "been", "being"])


def wrong_verbs(meaning: Instruction, tokens: Sequence[Token]) -> Iterator[str]:
    """Yield things that a text has inspected and the answer only gone to, or the other way round."""
    nouns = {singular([noun]) for noun in nouns_of(meaning)}
    deeds = [
        deed
        for deed in phrases_in(
            tokens, _DEEDS
        )  # 'barrels' are things here, and nobody barrels along
        if deed.words not in _BEING and singular([deed.words]) not in nouns
    ]
    acts = wanted_acts(meaning)
    inspected = [act for act in acts if act.do == "inspect"]
    for deed in _said_of(_only_visited(acts, inspected), deeds, tokens):
        if _is_all(deed, _LOOKING):
            yield f"the text says '{deed.words}' of what the answer only goes to"
    # 'go to the bench and check it' has the bench inspected, and one word for that
    if len(inspected) > sum(_is_all(deed, _LOOKING) for deed in deeds):
        for deed in _said_of(inspected, deeds, tokens):
            if _is_all(deed, _GOING):
                yield f"the text says '{deed.words}' of what the answer inspects"


def _only_visited(acts: Sequence[Act], inspected: Sequence[Act]) -> list[Act]:
    nouns = {noun for act in inspected for noun in nouns_of(act)}
    return [act for act in acts if act.do in ("go", "be") and nouns.isdisjoint(nouns_of(act))]


def _said_of(acts: Sequence[Act], deeds: Sequence[Said], tokens: Sequence[Token]) -> list[Said]:
    return [deed for act in acts for deed in _verbs_of(act, deeds, tokens)]


def _verbs_of(act: Act, deeds: Sequence[Said], tokens: Sequence[Token]) -> Iterator[Said]:
    """Yield the last verb before each noun of an act, in the same sentence."""
    for at in named_once(nouns_of(act.what), tokens):
        begin, _ = sentence_at(tokens, at)
        before = [deed for deed in deeds if begin <= deed.start < tokens[at].start]
        yield from before[-1:]


def _is_all(deed: Said, kinds: frozenset[str]) -> bool:
    return {kind for kind, _ in deed.senses} <= kinds
