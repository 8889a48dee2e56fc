"""Questions about what is believed, answered with source and age."""

from __future__ import annotations

import time
from collections.abc import Iterable

from commonground.errors import GroundingError
from commonground.grounding.memory.discourse import Discourse
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.grammar import Grammar
from commonground.grounding.memory.known import Answered, answered, contents_of, states_of, way_to
from commonground.grounding.memory.linking import Context, Linker
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.senses.questions import answer
from commonground.grounding.memory.unclear import Unclear
from commonground.reading import check_speech


def ask(
    memory: Memory, question: str, speaker: str | None = None, now_ns: int | None = None
) -> Answered:
    """Answer where something is, who has it, what is somewhere, or how a thing is."""
    check_speech(question)
    now = time.time_ns() if now_ns is None else now_ns
    memory.store.refresh()
    told = memory.questioner.asked(question, speaker, now)
    if told is not None:
        return told
    if memory.hearing is not None and memory.questioner.names_things(question):
        return Answered(
            "ask", "what is asked there? Such as: where is it, who has it, which are open"
        )
    found = asked(memory, memory.grammar, question, speaker, now)
    if found.status != "ask" or memory.hearing is not None:
        return found
    try:
        return answer(memory, memory.understood(question, "ask"), speaker, now)
    except Unclear as unclear:
        return Answered("ask", str(unclear))
    except GroundingError:  # no network is installed
        return found


_HOLDING = frozenset(["holding", "owner"])


def asked(
    memory: Memory, grammar: Grammar, question: str, speaker: str | None, now: int
) -> Answered:
    """Answer where something is, who has it, what is somewhere, or how a thing is."""
    linker = Linker(memory.names, memory.store.facts, _remembered(memory), speaker)
    words = [t.text for tokens in grammar.reader.tokens(question) for t in tokens]
    chosen: list[str] = []
    for mention in _mentions(grammar, question):
        found = linker.some(mention, lambda thing: True, Context())
        if len(found) > 1:
            names = ", ".join(memory.names.things[key].name for key in sorted(found)[:4])
            return Answered("ask", f"which one is meant by '{mention.words}': {names}?")
        if not found and mention.kind in ("unknown", "thing"):
            said_so = mention.words.replace(" 's", "'s")
            return Answered("unknown", f"nothing known here is called '{said_so}'")
        chosen += found
    if not chosen:
        return Answered("ask", "about which thing? name one, as in 'where is the mug'")
    return _answer(memory, words, chosen, now)


def _answer(memory: Memory, words: list[str], chosen: list[str], now: int) -> Answered:
    """Choose the facts a question is about: places, holders, contents, or states."""
    subject = chosen[0]
    if {"where", "room"} & {*words}:
        facts = way_to(memory, subject)
    elif {"who", "whose", "whom"} & {*words}:
        relations = _who(memory, words)
        facts = [f for f in memory.store.about(subject) if f.relation in relations]
    elif {"what", "which", "anything", "contents"} & {*words} and not memory.names.is_item(subject):
        facts = contents_of(memory, subject)
    else:
        facts = states_of(memory, subject)
    return answered(memory, subject, facts, now)


def _remembered(memory: Memory) -> Discourse:
    """Return a copy of the conversation: questions do not change what ``it`` means."""
    return Discourse(memory.discourse.now, memory.discourse.before, memory.discourse.previous)


def _mentions(grammar: Grammar, question: str) -> list[Mention]:
    """Return the phrases of a question that mean things, what it is about first."""
    reader = grammar.reader
    found: list[Mention] = []
    for tokens in reader.tokens(question):
        for at in range(len(tokens)):
            mention = reader.grammar.parse(tokens, at)
            if mention is None or any(m.start <= at < m.end for m in found):
                continue
            if mention.kind in ("thing", "person", "value", "pronoun", "unknown"):
                found.append(mention)
    return [m for m in found if m.pronoun not in ("i", "you", "someone", "we")]


def _who(memory: Memory, words: Iterable[str]) -> list[str]:
    owning = {"whose", "owns", "own", "belong", "belongs", "owner"} & {*words}
    wanted = "owner" if owning else "holding"
    return memory.meanings.having(*({wanted} & _HOLDING))
