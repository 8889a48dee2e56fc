"""The offline front end: an instruction in English → what it may mean, cheapest reading first."""

from __future__ import annotations

import inspect
import itertools
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from threading import Lock

from commonground.grounding.language import (
    clauses,
    lists,
    modifiers,
    nominals,
    steps,
    things,
    verbs,
)
from commonground.grounding.language.chart import Action, Chart
from commonground.grounding.language.cover import covers
from commonground.grounding.language.discourse import instruction_of
from commonground.grounding.language.grammar import Grammar, read_grammar
from commonground.grounding.language.lexicon import Lexicon, Names, Terminals
from commonground.grounding.language.mentions import Mention, mentions
from commonground.grounding.language.pieces import holds_together, in_turn, steps_of
from commonground.grounding.language.steps import Steps
from commonground.grounding.language.tokens import Token, sentences, tokenize
from commonground.grounding.meaning import Instruction
from commonground.grounding.words.nouns import word_set

logger = logging.getLogger(__name__)

READINGS = 10
"""Readings of a sentence that are kept."""
MARGIN = 2.5
"""Readings that cost this much more than the cheapest are dropped."""
KEPT = 32
"""Sentences and texts of which is kept what they can be read as: they are read again and again."""
MAX_TOKENS = 400
MAX_COVERED = 160
"""Words of a text of which only parts are read."""
MAX_CLAUSES = 10
"""Relative clauses of one sentence: each one more that is nested takes 1.6 times as long to read."""
RELATIVES = word_set("that which who whom whose where")
_ACTION_MODULES = (nominals, things, lists, modifiers, verbs, clauses, steps)

# What a clause that only tells something may not contain: orders, robots, and where things are.
_NOT_TOLD = word_set(
    "should must shall please do don never no none neither nor either except unless until if then ought "
    "let you your yourself in on at near behind under inside outside within between along beside next "
    "opposite past through across to , want wants avoid go a an the this that these those every each any "
    "one two other another"
)
_NOT_TOLD_BEFORE_TO = word_set("has have had need needs is are going ought")
_BE_AFTER = word_set("may might could can would to")
_ORDERS = frozenset(
    category + form
    for category in ("INSPECT", "VISIT", "AVOID", "PICK", "OMIT", "EXPLORE")
    for form in ("", "_D")
    if category + form != "PICK_D"
) | {"MOVE", "RETURN", "END", "ENSURE", "WANT", "NEED_NOUN", "OFF_LIMITS", "NEAREST", "FARTHEST"}


@dataclass(frozen=True, slots=True)
class Parse:
    """What was understood: meanings, the cheapest first; or which words were not."""

    meanings: tuple[tuple[Instruction, float], ...] = ()
    unclear: tuple[str, ...] = ()
    message: str = ""


@lru_cache(4)
def parser_of(names: Names) -> OfflineParser:
    """Return what parses instructions that name these; everybody who reads a text reads it with the same."""
    return OfflineParser(names)


class OfflineParser:
    """Parses instructions for one map and one team."""

    def __init__(self, names: Names) -> None:
        self.lexicon = Lexicon(names)
        self.grammar = _grammar()
        self.loose = _grammar(loose=True)
        self.actions = _actions(self.loose)
        self._charts = lru_cache(KEPT)(self._chart_of)
        self._mentions, self._parses = lru_cache(KEPT)(self._named), lru_cache(KEPT)(self._parse)
        self._reading = Lock()  # a chart that is being filled has no answer for another thread

    def parse(self, text: str) -> Parse:
        """Return the readings of an instruction, or what in it could not be understood."""
        with self._reading:
            return self._parses(text)

    def _parse(self, text: str) -> Parse:
        tokens = tokenize(text)
        if not any(t.kind != "mark" for t in tokens):
            return Parse(message="There is no instruction. What should the robots do?")
        if len(tokens) > MAX_TOKENS:
            return Parse(
                message=f"The instruction is too long ({len(tokens)} words). Please say it in parts."
            )
        readings: list[list[tuple[Steps, float]]] = []
        for sentence in sentences(tokens):
            if sum(token.text in RELATIVES for token in sentence) > MAX_CLAUSES:
                return Parse(message="One sentence says too much at once. Please say it in parts.")
            found, problem = self._sentence(sentence)
            if problem is not None:
                return problem
            readings.append(found)
        return self._combined(readings)

    def _sentence(self, tokens: Sequence[Token]) -> tuple[list[tuple[Steps, float]], Parse | None]:
        chart = self._chart(tokens)
        chart.reached = 0  # whoever looked for things in the sentence looked elsewhere
        whole = [(r.value, r.cost) for r in chart.parse("sentence", 0) if r.end == len(tokens)]
        logger.debug("%d readings of '%s'", len(whole), " ".join(t.text for t in tokens))
        if not whole:
            return [], self._not_understood(tokens, chart.reached)
        best = whole[0][1]
        return [w for w in whole if w[1] <= best + MARGIN][:READINGS], None

    def cover(self, text: str) -> Parse:
        """Return what the orders of a text come to that are read though not all of it is."""
        tokens = tokenize(text)
        if len(tokens) > MAX_COVERED or sum(t.text in RELATIVES for t in tokens) > MAX_CLAUSES:
            return Parse()
        with self._reading:
            ways = [
                covers(sentence, self._chart(sentence, loose=True))
                for sentence in sentences(tokens)
            ]
        found: dict[Instruction, float] = {}
        for choice in itertools.islice(itertools.product(*ways), 50):
            steps = steps_of(in_turn(way.pieces for way in choice))
            meaning = instruction_of([steps])
            if meaning is not None and holds_together(meaning):
                cost = sum(way.cost for way in choice)
                found[meaning] = min(cost, found.get(meaning, cost))
        return Parse(meanings=tuple(sorted(found.items(), key=lambda item: item[1])))

    def mentions(self, text: str) -> list[Mention]:
        """Return the things that a text names, whatever is said of them; none of one that says too much."""
        with self._reading:
            return [*self._mentions(text)]

    def _named(self, text: str) -> tuple[Mention, ...]:
        if sum(token.text in RELATIVES for token in tokenize(text)) > MAX_CLAUSES:
            return ()
        robots = self.lexicon.names.robots
        return tuple(mentions(text, self._chart, robots))

    def _chart(self, tokens: Sequence[Token], *, loose: bool = False) -> Chart:
        """Return the readings of a sentence, wherever in a text it stands."""
        words = (Token(t.text, t.kind, 0, 0, t.value) for t in tokens)
        return self._charts(tuple(words), loose)

    def _chart_of(self, tokens: tuple[Token, ...], loose: bool) -> Chart:
        table = self.lexicon.terminals(tokens)
        _add_open_terminals(table, tokens, self.lexicon.words)
        return Chart(self.loose if loose else self.grammar, self.actions, table)

    def _not_understood(self, tokens: Sequence[Token], reached: int) -> Parse:
        unknown = self.lexicon.unknown(tokens)
        said = " ".join(t.text for t in tokens if t.kind != "mark")
        if unknown:
            words = tuple(dict.fromkeys(unknown))
            return Parse(
                unclear=words,
                message=f"I do not know {_quoted(words)} in '{said}'. Please say it differently.",
            )
        rest = [t.text for t in tokens[min(reached, len(tokens) - 1) :] if t.kind != "mark"]
        words = tuple(rest[:4])
        return Parse(
            unclear=words,
            message=f"I do not understand '{' '.join(words)}' in '{said}'. Please say it differently.",
        )

    def _combined(self, readings: list[list[tuple[Steps, float]]]) -> Parse:
        found: dict[Instruction, float] = {}
        for choice in itertools.islice(itertools.product(*readings), 200):
            meaning = instruction_of([steps for steps, _ in choice])
            if meaning is not None:
                cost = sum(cost for _, cost in choice)
                found[meaning] = min(cost, found.get(meaning, cost))
        if not found:
            return Parse(
                message="Something is left out that was not said before. Which task is meant?",
            )
        ordered = sorted(found.items(), key=lambda item: item[1])
        return Parse(meanings=tuple(ordered))


def _quoted(words: Sequence[str]) -> str:
    return ", ".join(f"'{word}'" for word in words)


def _add_open_terminals(
    table: list[Terminals], tokens: Sequence[Token], words: frozenset[str]
) -> None:
    """Add what words can be besides: ANY in an explanation, WILD in a clause that only tells, and the STOP.

    TELLING is a WILD word that is known, or looks like a verb: what directly follows a noun must be
    one, or it might be part of a noun that is not known.
    """
    table[-1]["STOP"] = [(len(tokens), None, 0.0)]
    for at in range(len(tokens) - 1, -1, -1):
        here, token = table[at], tokens[at]
        for end, _, _ in here.get("FILLER", ()):
            if "STOP" in table[end]:
                here["STOP"] = [(len(tokens), None, 0.1)]
        if token.kind == "mark":
            continue
        here["ANY"] = [(at + 1, token.text, 0.0)]
        before = tokens[at - 1].text if at else ""
        following = tokens[at + 1].text if at + 1 < len(tokens) else ""
        if _tells(token, here, before, following):
            here["WILD"] = [(at + 1, token.text, 0.0)]
            if token.text in words or token.text.endswith(("ed", "ing")):
                here["TELLING"] = [(at + 1, token.text, 0.0)]


def _tells(token: Token, here: Terminals, before: str, following: str) -> bool:
    """Return whether a word only describes something: no order, robot, place or thing."""
    if token.kind != "word" or token.text in _NOT_TOLD or not _ORDERS.isdisjoint(here):
        return False
    if "ROBOT" in here or any(cost == 0 for _, _, cost in here.get("NOUN", ())):
        return False
    if token.text == "be" and before not in _BE_AFTER:
        return False
    return not (following == "to" and token.text in _NOT_TOLD_BEFORE_TO)


@cache
def _grammar(*, loose: bool = False) -> Grammar:
    data = files("commonground.grounding") / "language" / "data"
    names = ("english.grammar", "loose.grammar") if loose else ("english.grammar",)
    return read_grammar("\n".join(data.joinpath(name).read_text("utf-8") for name in names))


def _actions(grammar: Grammar) -> Mapping[str, Action]:
    """Return the functions that the grammar's actions name; one that is missing is a KeyError at once."""
    known = {
        name: function
        for module in _ACTION_MODULES
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__
    }
    wanted = {a.action for alternatives in grammar.values() for a in alternatives if a.action}
    return {name: known[name] for name in wanted}
