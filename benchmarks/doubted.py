"""How often the checks of a meaning object to what was meant, and how often to what was not.

    python benchmarks/doubted.py [--each 500] [--seed 0] [--show 3]

Wordings by many people, whose meanings are known, are put on sites made for them. The meaning itself should
leave no doubt of its text. The same meaning with a part left out, another robot, another deed or the like
comes to other goals, and should: that many strangers are asked for nothing, and that many errors are held up.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
sys.path.append(str(Path(__file__).resolve().parents[1] / "tools" / "reading"))

from examples import all_wordings, author_of, wordings_in
from on_sites import Case, goals_of, is_suited, on_a_site

from commonground.grounding.english.parts import mapped, parts_of
from commonground.grounding.english.utterance import Clause, Part, Phrase, Steps, Utterance

WORDINGS = Path(__file__).resolve().parents[1] / "tools" / "reading" / "wordings"


def main() -> int:
    """Print both shares, and what objects to right meanings most."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--each", type=int, default=500, help="wordings")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=3, help="examples of each check")
    asked = parser.parse_args()
    doubted: dict[str, list[Case]] = {}
    held, damaged = Counter[str](), Counter[str]()
    right = count = 0
    for case in cases(asked.each, random.Random(asked.seed)):  # noqa: S311
        count += 1
        _, objections = case.orders.objected(case.utterance, case.text)
        right += not objections
        for check in dict.fromkeys(one.check for one in objections):
            doubted.setdefault(check, []).append(case)
        for name, other in damages(case.utterance):
            found = case.orders.ground(other, case.text)
            goals = goals_of(other, case.text, case.orders)
            if goals and goals != case.goals:
                damaged[name] += 1
                held[name] += found.goals is None
    for check, of in sorted(doubted.items(), key=lambda row: -len(row[1])):
        print(f"{len(of):4d}  {check}")
        for case in of[: asked.show]:
            print(f"        {case.author}: {case.text}")
    print(
        f"{count - right} of {count} ({(count - right) / max(1, count):.1%}) right meanings doubted"
    )
    for name, n in damaged.most_common():
        print(f"{held[name]:4d} of {n} ({held[name] / n:.1%}) held up: {name}")
    n = sum(damaged.values())
    print(
        f"{sum(held.values())} of {n} ({sum(held.values()) / max(1, n):.1%}) wrong meanings held up"
    )
    return 0


def cases(count: int, rng: random.Random) -> Iterator[Case]:
    """Yield so many wordings, drawn from all authors, that come to goals on a site of their own."""
    found = [(author_of(file), one) for file in all_wordings(WORDINGS) for one in wordings_in(file)]
    rng.shuffle(found)
    for author, wording in found:
        if count <= 0:
            return
        if wording["domain"] == "scene" and is_suited(wording):
            case = on_a_site(author, wording)
            if case is not None:
                count -= 1
                yield case


def damages(said: Utterance) -> Iterator[tuple[str, Utterance]]:
    """Yield wrong meanings near a right one, each with what is wrong with it."""
    for k, part in enumerate(said.parts):
        rest = said.parts[:k] + said.parts[k + 1 :]
        if rest:
            bans = isinstance(part.step, Clause) and part.step.mood == "never"
            yield "a ban left out" if bans else "a part left out", Utterance(rest)
        for name, other in _damaged(part):
            yield name, Utterance((*said.parts[:k], other, *said.parts[k + 1 :]))
    crews = [part.crew for part in said.parts]
    if len(said.parts) > 1 and crews[0] != crews[1] and crews[0] and crews[1]:
        first, second, *more = said.parts
        swapped = replace(first, crew=crews[1]), replace(second, crew=crews[0])
        yield "robots swapped", Utterance((*swapped, *more))
    for phrase in parts_of(said, Phrase):
        for trait, nothing in (("where", ()), ("best", None), ("color", None), ("but", None)):
            if getattr(phrase, trait):
                less = replace(phrase, **{trait: nothing})  # type: ignore[arg-type]
                yield f"'{trait}' of a phrase left out", _with(said, phrase, less)


def _damaged(part: Part) -> Iterator[tuple[str, Part]]:
    step = part.step
    if isinstance(step, Clause):
        if step.mood == "never":
            yield "a ban turned into an order", replace(part, step=replace(step, mood="do"))
        elif step.sense in ("inspect", "go to", "end up at"):
            other = {"inspect": "go to", "go to": "end up at", "end up at": "go to"}[step.sense]
            role = {"theme": None, "goal": step.theme or step.goal}
            turned = replace(step, sense=other, **role)  # type: ignore[arg-type]
            yield f"'{step.sense}' read as '{other}'", replace(part, step=turned)
        return
    for k in range(len(step.steps)):
        rest = step.steps[:k] + step.steps[k + 1 :]
        left = rest[0] if len(rest) == 1 else replace(step, steps=rest)
        name = "a choice made" if step.join == "one of" else "a step left out"
        yield name, replace(part, step=left)
    if step.join == "in order":
        yield "order turned", replace(part, step=Steps("in order", step.steps[::-1]))
        yield "order lost", replace(part, step=Steps("any order", step.steps))


def _with(said: Utterance, old: Phrase, new: Phrase) -> Utterance:
    changed: Utterance = mapped(said, lambda part: new if part == old else part)
    return changed


if __name__ == "__main__":
    sys.exit(main())
