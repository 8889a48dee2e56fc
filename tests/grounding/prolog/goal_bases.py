"""Small random bases whose grounding goals are all that Prolog can say, and their shortest makespan.

Which steps there are is asked of SWI-Prolog itself, called on the base as it stands: every head, every fact a
step may need, then its goals in order. The search walks through whole seconds. Nothing here is the planner's.

`benchmarks/cells.py` compares the two on many of them.
"""

from __future__ import annotations

import itertools
import math
import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

TESTS = (
    "\\+ under(P, _)", "\\+ under(_, P)", "not((under(P, Q), big(Q)))", "forall(under(Q, P), big(Q))",
    "forall(under(P, Q), size(Q, 2))", "findall(Q, under(Q, P), [])", "aggregate_all(count, under(P, _), 0)",
    "findall(Q, under(P, Q), Qs), length(Qs, C), C < 2", "L = [P|_]", "kit(_, K), member(P, K)",
    "kit(k1, K), nth1(_, K, P)", "append(_, [P|_], L)", "member(P, L)", "memberchk(P, L)", "last(L, P)",
    "once(under(P, _))", "reachable(P, _)", "\\+ reachable(_, P)", "setof(Q, under(Q, P), [_|_])",
    "maplist(big, [P])", "exclude(==(P), L, [_])", "(big(P) -> N > 0 ; true)", "(under(P, _) ; big(P))",
    "size(P, S), S > N", "N < 2", "\\+ N = 1", "\\+ (size(_, S), S < N)", "free(P)", "size(P, S), \\+ S = N",
    "under(P, Q), \\+ under(Q, _)", "size(P, S), findall(Q, size(Q, S), [_])", "between(1, N, _)",
    "kit(_, K), \\+ member(P, K)", "include([Q]>>size(Q, 2), L, [_|_])", "\\+ (member(Q, L), under(P, Q))",
    "ignore(under(P, p1))", "kit(_, K), exclude([Q]>>(Q = P), K, [])", "reverse(L, [Q|_]), Q \\= P",
    "once((under(P, Q) ; Q = P)), big(Q)", "kit(_, K), select(P, K, _)", "\\+ \\+ under(P, _)",
)  # fmt: skip
"""Of a part P of the head, and of what states say: a number N and a list L."""
NUMBERS = (
    "M is (N + 1) mod 3", "aggregate_all(count, under(P, _), M)", "length(L, C), M is C mod 3",
    "size(P, S), M is (S + N) mod 3", "once(size(_, M))",
    "findall(Q, big(Q), Qs), length(Qs, C), M is C mod 3",
    "nth0(M, L, P)", "aggregate_all(max(S), size(_, S), M)", "next(N, M)", "last([0, N, 1], M)",
    "kit(k1, K), length(K, C), M is C mod 3",
)  # fmt: skip
"""What the number of the state becomes."""
OTHERS = (
    "under(P, X)", "reachable(P, X)", "member(X, [p1, p2])", "nth1(_, L, X), X \\= P",
    "kit(_, K), member(X, K)",
    "part(X), \\+ under(X, _)", "findall(Q, big(Q), Qs), member(X, Qs)", "free(X)", "apart(P, X)",
    "\\+ X = P", "once(under(X, P))", "append(_, [X], L)",
)  # fmt: skip
"""Of another part X of the head, which some only ask about."""
ORACLE = """
:- initialization(main, main).
universe(F) :- init_state(Fs), member(F, Fs).
universe(F) :- action(_, _, _, _, Es), member(add(F), Es).
constant(C) :- member(C, [r1, r2, p1, p2, p3]).
need(level(N)) :- !, member(N, [0, 1, 2]).
need(stack(L)) :- !, init_state(Fs), member(stack(L), Fs).
need(F) :- \\+ \\+ universe(F), F =.. [_|As], maplist(constant, As).
main :-
    forall(( action(H, Ps, Ns, Gs, Es), H =.. [_|As], maplist(constant, As), maplist(need, Ps),
             catch(all(Gs), error(_, _), fail) ),
           ( numbervars(Ns, 0, _), format("~q.~n", [s(H, Ps, Ns, Es)]) )).
all([]).
all([G|Gs]) :- call(G), all(Gs).
"""


class Step(NamedTuple):
    """A ground start or end."""

    head: str
    needs: frozenset[str]
    forbids: tuple[str, ...]
    effects: tuple[str, ...]


class World(NamedTuple):
    """What holds, who does what and how long it still lasts."""

    facts: frozenset[str]
    running: tuple[tuple[str, str, int], ...]


def random_base(rng: np.random.Generator) -> str:
    """Return a base of two agents, three parts and two or three actions."""
    parts = ("p1", "p2", "p3")
    pairs = [(a, b) for a, b in itertools.combinations(rng.permutation(parts), 2)]
    lines = ["agent(r1). agent(r2). resources(agent(_)).", "part(p1). part(p2). part(p3)."]
    lines += [f"under({a}, {b})." for a, b in pairs if rng.random() < 0.5] + [
        "under(none, nothing)."
    ]
    lines += [f"size({p}, {rng.integers(0, 3)})." for p in parts]
    lines += [f"big({p})." for p in parts if rng.random() < 0.5] + ["big(none)."]
    some = ", ".join(rng.permutation(parts)[: rng.integers(1, 4)])
    lines += [f"kit(k1, [{some}]). kit(k2, [p2]). next(0, 1). next(1, 2). next(2, 0)."]
    lines += ["reachable(A, B) :- under(A, B).", "reachable(A, B) :- under(A, C), reachable(C, B)."]
    lines += ["free(A) :- \\+ under(_, A).", "apart(A, B) :- A \\= B, part(A), part(B)."]
    agents = "idle(r1), idle(r2)" if rng.random() < 0.7 else "idle(r1)"
    stack = ", ".join(rng.permutation(parts)[:2])
    state = f"raw(p1), raw(p2), raw(p3), level({rng.integers(0, 3)}), stack([{stack}])"
    lines.append(f"init_state([{agents}, {state}]).")
    wanted = [f"done({p})" for p in parts if rng.random() < 0.6] or ["done(p1)"]
    lines.append(f"goal_state([{', '.join(wanted)}]).")
    for number in range(rng.integers(2, 4)):
        lines += _action(f"do{number}", rng)
    return "\n".join(lines) + "\n"


def _action(name: str, rng: np.random.Generator) -> Iterator[str]:
    goals = [str(rng.choice(TESTS)) for _ in range(rng.integers(1, 3))]
    args, more, forbids, effects = "R, P", "", "", ""
    if rng.random() < 0.35:
        goals.append(str(rng.choice(OTHERS)))
        args, more = "R, P, X", f", add(with{name}(X))"
        forbids = f"with{name}(X)"
    if rng.random() < 0.4:
        goals.append(str(rng.choice(NUMBERS)))
        effects = ", del(level(N)), add(level(M))"
    # a name is the same thing only within one of the goals drawn
    drawn = enumerate(rng.permutation(np.array(goals, object)))
    goals = [re.sub(r"\b(Qs|Q|S|C|K)\b", rf"\g<1>{number}", goal) for number, goal in drawn]
    listed = "part(P)" if rng.random() < 0.6 else "true"
    yield (
        f"action({name}_start({args}), [idle(R), raw(P), level(N), stack(L)], [{forbids}], "
        f"[agent(R), {listed}, {', '.join(goals)}], [del(idle(R)), del(raw(P)), add({name}({args}))])."
    )
    if effects:  # the end knows what the start found out
        told = next(goal for goal in goals if re.search(r"\bM\b", goal))
        yield (
            f"action({name}_end({args}), [{name}({args}), level(N), stack(L)], [], [agent(R), {told}], "
            f"[del({name}({args})), add(done(P)), add(idle(R)){more}{effects}])."
        )
    else:
        yield (
            f"action({name}_end({args}), [{name}({args})], [], [agent(R)], "
            f"[del({name}({args})), add(done(P)), add(idle(R)){more}])."
        )
    seconds = rng.integers(1, 6)
    yield f"duration({name}, {seconds}, {seconds})."


def steps_of(program: str) -> list[Step]:
    """Return the ground steps of a base, as Prolog allows them."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "base.pl")
        path.write_text(":- discontiguous action/5, duration/3.\n" + program + ORACLE)
        told = subprocess.run(
            ["swipl", path], capture_output=True, text=True, timeout=60, check=True
        )
    return [_step(line) for line in dict.fromkeys(told.stdout.splitlines())]


def _step(line: str) -> Step:
    head, needs, forbids, effects = _split(line[2:-2])
    return Step(
        head, frozenset(_split(needs[1:-1])), *(tuple(_split(p[1:-1])) for p in (forbids, effects))
    )


def _split(text: str) -> list[str]:
    """Return what the commas of a text separate that are in no brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part for part in parts if part]


def shortest_s(program: str, most: int = 40_000) -> float | None:
    """Return the shortest makespan; infinite: there is no plan; None: too many states to tell."""
    begins, ends = dict[str, list[Step]](), dict[str, list[Step]]()
    for step in steps_of(program):
        name, _, args = step.head.partition("(")
        for suffix, known in (("_start", begins), ("_end", ends)):
            if name.endswith(suffix):
                known.setdefault(f"{name.removesuffix(suffix)}({args}", []).append(step)
    lasts = {
        line.split("(")[1].split(",")[0]: int(line.split(",")[1])
        for line in program.splitlines()
        if line.startswith("duration")
    }
    init = frozenset(_split(_line(program, "init_state").replace(" ", "")))
    goal = frozenset(_split(_line(program, "goal_state").replace(" ", "")))
    layer, seen, now = {World(init, ())}, set[World](), 0
    while layer:
        layer = _closed(layer, begins, ends, lasts)
        if any(not w.running and goal <= w.facts for w in layer):
            return float(now)
        seen |= layer
        if len(seen) > most:
            return None
        layer = {
            w._replace(running=tuple((a, h, s - 1) for a, h, s in w.running))
            for w in layer
            if w.running and all(s > 0 for *_, s in w.running)
        } - seen
        now += 1
    return math.inf


def _line(program: str, name: str) -> str:
    line = next(line for line in program.splitlines() if line.startswith(name))
    return line[len(name) + 2 : -3]


def _closed(
    worlds: set[World],
    begins: dict[str, list[Step]],
    ends: dict[str, list[Step]],
    lasts: dict[str, int],
) -> set[World]:
    """Return all that is reached without time passing."""
    found, left = set(worlds), list(worlds)
    while left:
        world = left.pop()
        after = [*_begun(world, begins, lasts), *_ended(world, ends)]
        left += [w for w in dict.fromkeys(after) if w not in found]
        found.update(after)
    return found


def _begun(world: World, begins: dict[str, list[Step]], lasts: dict[str, int]) -> Iterator[World]:
    busy = {agent for agent, *_ in world.running}
    for head, steps in begins.items():
        name, _, args = head.partition("(")
        agent = args.split(",")[0]
        for step in steps:
            if agent not in busy and _may(step, world.facts):
                running = tuple(sorted((*world.running, (agent, head, lasts[name]))))
                yield World(_after(step, world.facts), running)


def _ended(world: World, ends: dict[str, list[Step]]) -> Iterator[World]:
    for entry in world.running:
        for step in ends.get(entry[1], ()) if entry[2] == 0 else ():
            if _may(step, world.facts):
                running = tuple(e for e in world.running if e != entry)
                yield World(_after(step, world.facts), running)


def _may(step: Step, facts: frozenset[str]) -> bool:
    return step.needs <= facts and facts.isdisjoint(step.forbids)


def _after(step: Step, facts: frozenset[str]) -> frozenset[str]:
    for effect in step.effects:
        fact = effect[4:-1]
        facts = facts - {fact} if effect.startswith("del") else facts | {fact}
    return facts
