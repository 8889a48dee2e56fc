"""What a model is shown: the domain's predicates, the rules of the house, the retrieved facts, the text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from importlib.resources import files

import yaml

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.vocabulary import Vocabulary
from commonground.grounding.memory.retrieval.retriever import Retrieved, fact_line
from commonground.grounding.model.tokens import estimate_messages, estimate_tokens

Messages = list[dict[str, str]]


@dataclass(frozen=True, slots=True)
class Heard:
    """A report or task with what is needed to understand its pronouns."""

    text: str
    speaker: str | None = None
    before: str = ""
    """The report before."""
    changed: tuple[Fact, ...] = ()
    """What that one made so."""
    now: str = ""
    """When it is said, as people write it."""


class PromptWriter:
    """Writes the messages for one domain; their size is bounded by that of the retrieved facts."""

    def __init__(
        self, vocabulary: Vocabulary, kinds: Mapping[str, str], rules: str | None = None
    ) -> None:
        self.vocabulary = vocabulary
        self.kinds = kinds
        folder = files(__package__)
        self.questions: dict[str, str] = yaml.safe_load(
            (folder / "questions.yaml").read_text("utf-8")
        )
        self.rules = rules or (folder / "rules.txt").read_text("utf-8")
        self.predicates = "\n".join(
            f"{s.name}({', '.join('|'.join(types) for types in s.arguments)})"
            for s in vocabulary.signatures.values()
        )

    def update(self, heard: Heard, retrieved: Retrieved) -> Messages:
        """Return the question what a report changes."""
        system = (
            f"{self.questions['update']}\nRelations:\n{self.predicates}\n\nRules:\n{self.rules}"
        )
        return _messages(system, f"{self._shown(retrieved)}\n\n{_said(heard)}")

    def goal(self, heard: Heard, retrieved: Retrieved, max_tokens: int = 2200) -> Messages:
        """Return the question what a task asks for; facts and things beyond the tokens are left out."""
        types = " ".join(
            f"{typed.name}<{typed.types[0]}"
            for typed in self.vocabulary.domain.types
            if typed.types
        )
        system = f"{self.questions['goal']}\nPredicates:\n{self.predicates}\n\nTypes: {types}"
        request = f"Request: {heard.text}"
        if heard.speaker is not None:
            request = f"Speaker ('I'): {heard.speaker}\n{request}"
        if heard.now:
            request = f"Now: {heard.now}\n{request}"
        empty = _messages(
            system, f"Things: \n\nFacts:\n(9999 further facts are not shown)\n{request}"
        )
        room = max_tokens - estimate_messages(empty)
        things, room = _within(
            [f"{key}:{self.kinds[key]}" for key in _things(retrieved) if key in self.kinds], room
        )
        lines, _ = _within([fact_line(fact) for fact in retrieved.facts], room)
        shown = retrieved.facts[: len(lines)]
        left_out = retrieved.left_out + len(retrieved.facts) - len(shown)
        facts = _facts(replace(retrieved, facts=shown, left_out=left_out, previous=()))
        return _messages(system, f"Things: {' '.join(things)}\n\n{facts}\n\n{request}")

    def entities(self, heard: Heard, names: Iterable[str], most: int) -> Messages:
        """Return the question which things of a list matter (the published entity list)."""
        return _messages(
            self.questions["entities"],
            f"Things: {' '.join(names)}\n\n{_said(heard)}\nAt most {most}.",
        )

    def query(self, heard: Heard) -> Messages:
        """Return the question for a query graph (the published search)."""
        return _messages(self.questions["query"], _said(heard))

    def _shown(self, retrieved: Retrieved) -> str:
        """Return the facts, and the types of the things that are named."""
        kinds = " ".join(f"{key}:{self.kinds[key]}" for key in retrieved.named if key in self.kinds)
        return f"{_facts(retrieved)}\nThings: {kinds}" if kinds else _facts(retrieved)

    def room_for_facts(self, heard: Heard, max_tokens: int) -> int:
        """Return how many tokens the facts of a prompt may take."""
        empty = self.update(heard, Retrieved(None, ()))
        return max(0, max_tokens - sum(estimate_tokens(m["content"]) + 4 for m in empty))


def _things(retrieved: Retrieved) -> list[str]:
    """Return what a goal may name, what the text names first."""
    ends = (end for fact in retrieved.facts for end in (fact.subject, fact.object))
    return list(dict.fromkeys((*retrieved.named, *ends)))


def _within(lines: Iterable[str], room: int) -> tuple[list[str], int]:
    """Return the first lines that there is room for, and the room that is left."""
    kept: list[str] = []
    for line in lines:
        size = estimate_tokens(line) + 1
        if size > room:
            break
        kept.append(line)
        room -= size
    return kept, room


def _messages(system: str, user: str) -> Messages:
    return [{"role": "system", "content": system}, {"role": "user", "content": user}]


def _facts(retrieved: Retrieved) -> str:
    lines = "\n".join(map(fact_line, retrieved.facts))
    more = f"\n({retrieved.left_out} further facts are not shown)" if retrieved.left_out else ""
    before = "; ".join(map(fact_line, retrieved.previous))
    return f"Facts:\n{lines}{more}" + (f"\nBefore the last move: {before}" if before else "")


def _said(heard: Heard) -> str:
    lines = [f"Now: {heard.now}"] if heard.now else []
    if heard.before:
        changed = "; ".join(map(fact_line, heard.changed))
        lines.append(f"Report before: {heard.before}\nIt made so: {changed or 'nothing'}")
    if heard.speaker is not None:
        lines.append(f"Speaker ('I'): {heard.speaker}")
    return "\n".join([*lines, f"Report: {heard.text}"])
