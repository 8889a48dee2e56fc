"""Utterance → instruction: every part with its crew, in the order in which it was said."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from commonground.grounding import meaning as m
from commonground.grounding.english import utterance as u
from commonground.grounding.english.saying import said_back
from commonground.grounding.english.utterance import Crew
from commonground.grounding.fidelity.bans import binds_everybody, refers_to_one
from commonground.grounding.orders.clauses import Clauses
from commonground.grounding.orders.phrases import Phrases, spans_of
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.resolver.wording import describe


@dataclass(frozen=True, slots=True)
class Notes:
    """What an utterance orders and asks, and what of it is in no goal, in words."""

    instruction: m.Instruction | None
    """None where nothing is ordered."""
    asked: tuple[tuple[u.Clause, m.Reference], ...] = ()
    """Questions, each with what it is about."""
    notes: tuple[str, ...] = ()


def instruction_of(utterance: u.Utterance, text: str = "") -> Notes:
    """Return what an utterance orders and asks; Unclear with a question where it cannot be told.

    With the text it can be told which crew a ban is for that names none: the one of its own sentence.
    """
    return _Reader(utterance, text).read()


class _Reader:
    """Goes through the parts of one utterance."""

    def __init__(self, utterance: u.Utterance, text: str) -> None:
        self.parts, self.text = utterance.parts, text
        self.phrases = Phrases(utterance, text)
        self.clauses = Clauses(self.phrases)
        self.assignments: list[m.Assignment] = []
        self.withdrawn: m.Who | None = None
        """Whose order was just taken back; what is said instead is for them."""
        self.bans: list[m.Assignment] = []
        self.asked: list[tuple[u.Clause, m.Reference]] = []
        self.notes: list[str] = []
        self.told: list[m.Act] = []
        """What was only spoken of so far; the next order may take it up."""

    def read(self) -> Notes:
        for at, part in enumerate(self.parts):
            if part.stands:
                self._set_aside(part)
            elif isinstance(part.step, u.Clause) and part.step.mood == "ask":
                self._ask(part, part.step)
            else:
                self._order(at, part)
        every = (*self.assignments, *self.bans)
        self.notes += [f"only said, so no goal: {describe(told.what)}" for told in self.told]
        notes = (*self.notes, *self.clauses.notes)
        return Notes(m.Instruction(every) if every else None, tuple(self.asked), notes)

    def _task(self, part: u.Part) -> m.Task | None:
        """Return what a part asks for, after what was spoken of before it: things to be taken up again."""
        self.told += [m.Act("mention", self.phrases.introduced(p)) for p in part.introduced]
        task = self.clauses.task(part.step)
        if isinstance(task, m.Act) and task.do in m.TOLD:
            self.told.append(task)
            return None
        if task is None or not self.told:
            return task
        spoken_of, self.told = self.told, []
        return m.Plan("all", (*spoken_of, task))

    def _who(self, part: u.Part) -> m.Who:
        """Return who a part is for: who is named, else who was addressed before, else anybody."""
        if part.crew is not None and part.crew.choose != "unnamed":
            self.withdrawn = None
            return who_of(part.crew, self.phrases)
        withdrawn, self.withdrawn = self.withdrawn, None
        if withdrawn is not None:
            return withdrawn
        if not self.assignments:
            return m.Who(choose="one")
        before = self.assignments[-1].who
        return before if before.names and before.choose == "each" else m.Who(choose="same")

    def _set_aside(self, part: u.Part) -> None:
        if part.stands == "again as before":
            raise Unclear("I have no record of earlier orders. What should be done?")
        if part.stands == "taken back" and part.crew is not None and part.crew.choose != "unnamed":
            self.withdrawn = who_of(part.crew, self.phrases)
        self.notes.append(f"no goal: {said_back(u.Utterance((part,)))}")

    def _ask(self, part: u.Part, clause: u.Clause) -> None:
        introduced = [self.phrases.introduced(phrase) for phrase in part.introduced]
        phrase = clause.theme if clause.theme is not None else clause.location
        if phrase is None:
            raise Unclear("What is the question about?")
        about = self.phrases.reference(phrase)
        marks = about.again if isinstance(about, m.Thing) else ()
        taken_up = [t for t in introduced if isinstance(t, m.Thing) and t.mark in marks]
        self.asked.append((clause, taken_up[0] if taken_up else about))

    def _order(self, at: int, part: u.Part) -> None:
        if part.when is not None:
            raise Unclear(
                f"I cannot make an order wait for '{part.when.text}'. Should it be done now?"
            )
        ban = isinstance(part.step, u.Clause) and part.step.mood == "never"
        who = self._who_is_bound(at, part) if ban and part.crew is None else self._who(part)
        task = self._task(part)
        if task is None:
            return
        if part.shared:
            who = replace(who, choose="share")
        made = m.Assignment(who, task, then=part.then)
        (self.bans if who.choose == "told" else self.assignments).append(made)

    # ---- bans without a crew --------------------------------------------------------------------

    def _who_is_bound(self, at: int, part: u.Part) -> m.Who:
        """Return who must heed a ban that names nobody: the crew of its sentence, else all that are told."""
        start = min((s.start for s in spans_of(part.step)), default=0)
        if binds_everybody(self.text, start) or all(map(_forbids_anybody, self.parts)):
            return m.Who()
        before = [
            (end, i) for i, p in enumerate(self.parts) if i != at and (end := _end(p)) <= start
        ]
        if not before or not self.text:
            return m.Who(choose="told")
        end, nearest = max(before)
        crew = self.parts[nearest].crew
        own = not _ends_between(self.text, end, start) or refers_to_one(self.text, start)
        if own and crew is not None and crew.choose in ("named", "each"):
            return who_of(crew, self.phrases)
        return m.Who(choose="told")


def _forbids_anybody(part: u.Part) -> bool:
    return part.crew is None and isinstance(part.step, u.Clause) and part.step.mood == "never"


def _end(part: u.Part) -> int:
    return max((s.end for s in spans_of(part)), default=0)


def _ends_between(text: str, start: int, end: int) -> bool:
    return any(mark in text[start:end] for mark in ".!?;\n")


Ability = Literal["", "goto", "inspect", "pick", "place"]
ABILITIES: Mapping[str, Ability] = {
    "": "", "pick things up": "pick", "inspect": "inspect", "carry": "pick", "drive there": "goto",
}  # fmt: skip
CHOICES: Mapping[str, Callable[[tuple[str, ...]], m.Who]] = {
    "named": lambda names: m.Who(names=names),
    "each": lambda names: m.Who(names=names),
    "either": lambda names: m.Who(names=names, choose="one"),
    "all": lambda names: m.Who(names=names),
    "all but": lambda names: m.Who(but=names),
    "any one": lambda names: m.Who(names=names, choose="one"),
    "other": lambda names: m.Who(names=names, choose="other"),
    "able": lambda names: m.Who(names=names, choose="one"),
    "nearest": lambda names: m.Who(names=names, choose="one"),
    "unnamed": lambda names: m.Who(names=names, choose="same"),
}

_HANDS = r"\b(?:grippers?|arms?|hands?|claws?|pick|carry|lift|grasp|grip)\b"
_HANDLESS = re.compile(
    r"\b(?:without|lack(?:s|ing)?|(?:has|have|with|got)\s+no|can\s?not|can'?t|unable)\b"
    rf"[^.,;!?]{{0,20}}{_HANDS}",
    re.IGNORECASE,
)
NAMED = ("named", "each", "either", "all but")
"""What takes names."""


def who_of(crew: Crew, phrases: Phrases) -> m.Who:
    who = CHOICES[crew.choose](tuple(n.text.strip() for n in crew.names))
    if crew.choose in NAMED and not crew.names:
        raise Unclear("Which robot is that for?")
    near: m.Reference | None = None
    if crew.near is not None:
        near = phrases.reference(crew.near)
    elif crew.choose == "nearest":
        near = m.Thing()
    can = ABILITIES[crew.can]
    cannot = can == "pick" and _is_handless(phrases.text)
    return m.Who(who.names, who.but, who.choose, can, cannot, near=near)


def _is_handless(text: str) -> bool:
    """Return whether the robot meant is the one that cannot pick things up: no reading has a word for that.

    A text that speaks of hands elsewhere as well may mean either.
    """
    found = _HANDLESS.search(text)
    if found is None:
        return False
    if re.search(_HANDS, text[: found.start()] + text[found.end() :], re.IGNORECASE):
        raise Unclear(f"Which robot is meant by '{found[0]}'?")
    return True
