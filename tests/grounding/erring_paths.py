"""Simulated models that err on the other paths: household commands, reports to a memory, knowledge bases."""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.grounding.erring_model import SERVER_ERRORS, Erring

JSON_ERRORS = (
    *SERVER_ERRORS, "wrong id", "missing field", "dropped clause", "wrong order", "made up", "negated",
    "prose", "twice", "two answers",
)  # fmt: skip
PROLOG_ERRORS = (*SERVER_ERRORS, "wrong id", "dropped clause", "syntax", "prose", "refusal")


# ---- household -----------------------------------------------------------------------------------

ITEMS = ("Apple", "Egg", "Potato", "Tomato", "Lettuce", "Bread")
PLACES = ("Fridge", "Microwave", "Cabinet", "Bowl")


@dataclass
class ErringWriter(Erring):
    """States goals of household commands, and errs."""

    kinds: Sequence[str] = JSON_ERRORS
    right: Mapping[str, Any] = field(default_factory=dict)

    def right_answer(self, request: dict[str, Any]) -> Any:
        """Return the goal of the command that is asked about."""
        said = next(m["content"] for m in request["messages"] if "Command: " in str(m["content"]))
        return self.right[said.rpartition("Command: ")[2]]

    def wrong_answer(self, kind: str, answer: Any) -> Any:
        """Return a goal with one thing wrong in it."""
        changed = copy.deepcopy(answer)
        goal = changed["goal"]
        if kind == "wrong id":
            word = self._rng.choice([w for w in (*ITEMS, *PLACES) if f" {w}" in goal])
            others = [w for w in (ITEMS if word in ITEMS else PLACES) if f" {w}" not in goal]
            changed["goal"] = goal.replace(f" {word}", f" {self._rng.choice(others)}")
        elif kind == "missing field":
            del changed["goal"]
        elif kind == "dropped clause" and goal.startswith("(and "):
            changed["goal"] = self._rng.choice(re.findall(r"\(\w+ \w+ \w+\)", goal))
        elif kind == "wrong order":
            changed["before"] = []
        elif kind == "made up":
            changed["goal"] = re.sub(r" (\w+)\)", " Unicorn)", goal, count=1)
        elif kind == "negated":
            changed["goal"] = re.sub(r"(\(\w+ \w+ \w+\))", r"(not \1)", goal, count=1)
        return changed


def commands(count: int, seed: int) -> dict[str, Any]:
    """Return household commands with what a model should answer."""
    rng = random.Random(seed)
    found: dict[str, Any] = {}
    while len(found) < count:
        a, b = rng.sample(ITEMS, 2)
        r, s = rng.sample(PLACES, 2)
        opened = rng.choice(("Fridge", "Microwave", "Cabinet"))
        text, goal, before = rng.choice(
            [
                (f"Put the {a} in the {r}.", f"(contains {r} {a})", []),
                (
                    f"Put the {a} in the {r} and the {b} in the {s}.",
                    f"(and (contains {r} {a}) (contains {s} {b}))",
                    [],
                ),
                (
                    f"Open the {opened}, then put the {a} in the Bowl.",
                    f"(and (state {opened} OPENED) (contains Bowl {a}))",
                    [f"(state {opened} OPENED)"],
                ),
                (
                    f"Slice the {a} and close the {opened}.",
                    f"(and (state {a} SLICED) (state {opened} CLOSED))",
                    [],
                ),
                (
                    f"Put the {a} in the {r}, but do not break the {b}.",
                    f"(contains {r} {a})",
                    [],
                ),
            ]
        )
        found[text.lower().capitalize()] = {"goal": goal, "before": before}
    return found


# ---- memory --------------------------------------------------------------------------------------

THINGS = {"stone": "the stone", "una_phone": "Una's phone", "ivo_red_mug": "Ivo's red mug"}
SURFACES = {
    "counter": ("the counter", "kitchen"), "kitchen_table": ("the kitchen table", "kitchen"),
    "den_table": ("the den table", "den"),
}  # fmt: skip
PEOPLE = {"ivo": "Ivo", "una": "Una"}
_LIKE = (tuple(THINGS), tuple(SURFACES), tuple(PEOPLE), ("kitchen", "den"))


@dataclass
class ErringListener(Erring):
    """Says what reports change, and errs."""

    kinds: Sequence[str] = JSON_ERRORS
    right: Mapping[str, Any] = field(default_factory=dict)

    def right_answer(self, request: dict[str, Any]) -> Any:
        """Return what the report that is asked about changes."""
        said = next(m["content"] for m in request["messages"] if "Report: " in str(m["content"]))
        return self.right[said.rpartition("Report: ")[2]]

    def wrong_answer(self, kind: str, answer: Any) -> Any:
        """Return a change with one thing wrong in it."""
        changed = copy.deepcopy(answer)
        fact = self._rng.choice(changed["add"])
        if kind == "wrong id":
            at = self._rng.choice([n for n in (0, 2) if any(fact[n] in names for names in _LIKE)])
            others = next(names for names in _LIKE if fact[at] in names)
            fact[at] = self._rng.choice([name for name in others if name != fact[at]])
        elif kind == "missing field":
            del changed["add"]
        elif kind == "dropped clause":
            changed["add"].remove(fact)
        elif kind == "wrong order":
            fact[0], fact[2] = fact[2], fact[0]
        elif kind == "made up":
            changed["add"].append(["una_red_mug", "owned_by", "ivo"])
        elif kind == "negated":
            changed["remove"] = [fact]
            changed["add"].remove(fact)
        return changed


def reports() -> dict[str, Any]:
    """Return reports with what they change."""
    found: dict[str, Any] = {}
    for person, who in PEOPLE.items():
        for thing, what in THINGS.items():
            found[f"{who} has {what} now."] = {"add": [[thing, "held_by", person]]}
            for place, (where, room) in SURFACES.items():
                found[f"{who} put {what} on {where}."] = {
                    "add": [[thing, "resting_on", place], [person, "person_at", room]]
                }
    return found


# ---- assembly ------------------------------------------------------------------------------------

PARTS = ("general", "states", "actions", "low_facts", "low_actions", "mappings")
_PART = re.compile(
    r"^(agent|cup|place|shelf|resources|ll_arm|ll_spot|init_state|goal_state|action|ll_action|mapping|duration)\b"
)
_INIT = "init_state([stands(c1, left), stands(c2, right), available(r1), available(r2)])."
_LOW = "init_state([ll_at(r1, home1), ll_at(r2, home2), ll_vacuum(r1, off), ll_vacuum(r2, off)])."


def parts_of(file: Path) -> dict[str, str]:
    """Return the base of the tests, as a model would write it part by part."""
    kinds: dict[str, list[str]] = {}
    for clause in re.split(r"(?<=\.)\n", re.sub(r"^%.*\n", "", file.read_text())):
        found = _PART.match(clause.strip())
        if found:
            kinds.setdefault(found[1], []).append(clause.strip())
    text = {kind: "\n".join(clauses) for kind, clauses in kinds.items()}
    return {
        "general": "\n".join(text[k] for k in ("agent", "cup", "place", "shelf", "resources")),
        "states": f"{_INIT}\n{text['goal_state']}",
        "actions": text["action"],
        "low_facts": f"{text['ll_arm']}\n{text['ll_spot']}\n{_LOW}\ngoal_state([]).",
        "low_actions": f"{text['ll_action']}\n{text['duration']}",
        "mappings": text["mapping"],
    }


@dataclass
class ErringProgrammer(Erring):
    """Writes a knowledge base part by part, and errs."""

    kinds: Sequence[str] = PROLOG_ERRORS
    right: Mapping[str, str] = field(default_factory=dict)
    """The program of each part, by the words in which the part is asked for."""

    def right_answer(self, request: dict[str, Any]) -> Any:
        """Return the part that is asked for."""
        asked = str(request["messages"][0]["content"])
        known = next((text for task, text in self.right.items() if task in asked), None)
        return {"consistent": True, "complaints": []} if known is None else _block(known)

    def wrong_answer(self, kind: str, answer: Any) -> Any:
        """Return a part with one thing wrong in it."""
        if not isinstance(answer, str):
            return {**answer, "consistent": "maybe"} if kind == "syntax" else answer
        program = answer.removeprefix("```prolog\n").removesuffix("\n```")
        clauses = re.split(r"(?<=\.)\n", program)
        if kind == "wrong id":
            name = self._rng.choice(re.findall(r"\b[a-z]\w+(?=\()", program))
            return _block(re.sub(rf"\b{name}\b", f"{name}x", program, count=1))
        if kind == "dropped clause":
            clauses.remove(self._rng.choice(clauses))
            return _block("\n".join(clauses) or "% nothing")
        if kind == "syntax":
            return _block(program.replace(").", ".", 1))
        return "I cannot help with that." if kind == "refusal" else answer


def _block(program: str) -> str:
    return f"```prolog\n{program.strip()}\n```"
