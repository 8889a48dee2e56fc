"""A simulated model that knows the right answers and errs at a set rate, as models and servers do."""

from __future__ import annotations

import copy
import json
import random
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.grounding.model_server import completion, failing, sending
from tests.grounding.sites import Site

SERVER_ERRORS = ("429", "500", "truncation", "hang")
ANSWER_ERRORS = (
    "wrong id", "wrong robot", "missing field", "dropped clause", "wrong number", "wrong order", "prose",
    "integer ids", "bare words", "twice", "two answers",
)  # fmt: skip


@dataclass
class Erring:
    """A move of `model_server`: answers right, and errs in ``rate`` of its answers."""

    rate: float
    seed: int = 0
    kinds: Sequence[str] = (*SERVER_ERRORS, *ANSWER_ERRORS)
    hang_s: float = 5.0
    made: Counter[str] = field(default_factory=Counter)
    """How often it erred in which way."""
    _lock: Any = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._rng = random.Random(self.seed)

    def right_answer(self, request: dict[str, Any]) -> Any:
        """Return the right answer to a request: JSON values, or a text."""
        raise NotImplementedError

    def wrong_answer(self, kind: str, answer: Any) -> Any:
        """Return an answer with one thing wrong in it, the same answer where it has no such thing."""
        raise NotImplementedError

    def __call__(self, handler: Any, request: dict[str, Any]) -> None:
        """Answer a request, or err."""
        answer = self.right_answer(request)
        with self._lock:
            kind = self._rng.choice(self.kinds) if self._rng.random() < self.rate else "none"
            self.made[kind] += 1
            said = self._said(kind, answer)
        if kind in ("429", "500"):
            failing(int(kind), "not now")(handler, request)
            return
        if kind == "hang":
            time.sleep(self.hang_s)
        finish = "length" if kind == "truncation" else "stop"
        sending(completion(said, finish=finish))(handler, request)

    def _said(self, kind: str, answer: Any) -> str:
        plain = answer if isinstance(answer, str) else json.dumps(answer)
        if kind == "truncation":
            return plain[: len(plain) // 2]
        if kind == "prose" and not isinstance(answer, str):
            return f"<think>Is it {{this}}?</think> Sure:\n```json\n{plain}\n```\nDone."
        if kind == "prose":
            return f"<think>Is it this?</think> Sure:\n{plain}\nDone."
        if kind == "twice":
            return f"{plain}\n{plain}"
        if kind == "two answers":
            return f"{plain}\n{json.dumps(self.wrong_answer('wrong id', answer))}"
        changed = answer if kind == "none" else self.wrong_answer(kind, answer)
        return changed if isinstance(changed, str) else json.dumps(changed)


@dataclass
class ErringModel(Erring):
    """Reads instructions, and errs."""

    right: Mapping[str, Any] = field(default_factory=dict)
    """The meaning of each instruction, as JSON values."""
    robots: Sequence[str] = ()

    def right_answer(self, request: dict[str, Any]) -> Any:
        """Return the meaning of the last text that is quoted."""
        text = next(
            m["content"]
            for m in reversed(request["messages"])
            if m["role"] == "user" and m["content"].startswith('"')
        )
        return self.right[json.loads(text.partition("\n")[0])]

    def wrong_answer(self, kind: str, answer: Any) -> Any:
        """Return an answer with one thing wrong in it, the same answer where it has no such thing."""
        changed = copy.deepcopy(answer)
        entry = self._rng.choice(changed["assignments"])
        things = [t for t in _dicts(changed) if t.get("ids")]
        if kind == "wrong id" and things:
            thing = self._rng.choice(things)
            thing["ids"][0] = thing["ids"][0][0] + str(int(thing["ids"][0][1:]) + 1)
        elif kind == "integer ids":
            for thing in things:
                letter = thing["ids"][0][0]
                thing["kind"] = {"O": "object", "R": "region"}[letter]
                thing["ids"] = [int(i[1:]) for i in thing["ids"]]
        elif kind == "wrong robot":
            others = [r for r in self.robots if [r] != entry["who"]["names"]]
            entry["who"]["names"] = [self._rng.choice(others)]
        elif kind == "missing field":
            del entry["task"]
        elif kind == "bare words":
            entry["who"] = entry["who"]["names"][0]
        elif kind == "dropped clause":
            _drop(changed, self._rng)
        elif kind == "wrong number":
            for thing in _dicts(changed):
                if "total" in thing:
                    thing["total"] += 1
        elif kind == "wrong order":
            for task in _dicts(changed):
                if task.get("order") == "sequence":
                    task["tasks"].reverse()
        return changed


def _drop(answer: Any, rng: random.Random) -> None:
    plans = [p for p in _dicts(answer) if len(p.get("tasks", ())) > 1]
    listed = [p["tasks"] for p in plans]
    listed += [answer["assignments"]] if len(answer["assignments"]) > 1 else []
    if listed:
        rows = rng.choice(listed)
        rows.pop(rng.randrange(len(rows)))


def _dicts(value: Any) -> list[dict[str, Any]]:
    """Return every object in JSON values."""
    if isinstance(value, list):
        return [found for part in value for found in _dicts(part)]
    if not isinstance(value, dict):
        return []
    return [value, *(found for part in value.values() for found in _dicts(part))]


def instructions(site: Site, count: int, seed: int) -> dict[str, Any]:
    """Return instructions about a site with their meanings: symbols, robots, numbers, order and negation."""
    rng = random.Random(seed)
    robots = [robot.name for robot in site.team]
    objects = [symbol for symbol in site.symbols if symbol.startswith("O")]
    regions = [symbol for symbol, _, _ in site.regions]
    found: dict[str, Any] = {}
    while len(found) < count:
        one, two = rng.sample(robots, 2)
        a, b, c = rng.sample(objects, 3)
        r = rng.choice(regions)
        number = rng.choice([2, 3])
        word = {2: "two", 3: "three"}[number]
        text, entries = rng.choice(
            [
                (
                    f"{one.capitalize()}, go to {a}, then to {b}, and stay out of {r} and avoid {c}.",
                    [
                        (
                            one,
                            _all(
                                _row(_do("go", a), _do("go", b)), _do("avoid", r), _do("avoid", c)
                            ),
                        )
                    ],
                ),
                (
                    f"{one.capitalize()}, inspect {a}. {two.capitalize()}, visit {b} and inspect {c}.",
                    [(one, _do("inspect", a)), (two, _all(_do("go", b), _do("inspect", c)))],
                ),
                (
                    f"{one.capitalize()}, inspect the {word} objects nearest to {a}.",
                    [(one, _near(number, a))],
                ),
                (
                    f"{two.capitalize()}, inspect {b}, but never enter {r}.",
                    [(two, _all(_do("inspect", b), _do("avoid", r)))],
                ),
            ]
        )
        found[text] = {
            "assignments": [{"who": {"names": [name]}, "task": task} for name, task in entries]
        }
    return found


def _do(do: str, symbol: str) -> dict[str, Any]:
    return {"do": do, "what": {"ids": [symbol]}}


def _row(*tasks: dict[str, Any]) -> dict[str, Any]:
    return {"order": "sequence", "tasks": list(tasks)}


def _all(*tasks: dict[str, Any]) -> dict[str, Any]:
    return {"order": "all", "tasks": list(tasks)}


def _near(number: int, symbol: str) -> dict[str, Any]:
    where = [{"how": "nearest", "to": [{"ids": [symbol]}]}]
    thing = {"kind": "object", "amount": "all", "total": number, "where": where}
    return {"do": "inspect", "what": thing}
