"""From the clauses that Prolog has read to a base, with a finding for each that is not of the format."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from commonground.grounding.prolog.base.findings import Finding, Lines, Weight
from commonground.grounding.prolog.base.goals import BUILTINS, CLOSURES, CONTROL, REPLACEABLE
from commonground.grounding.prolog.base.knowledge_base import (
    DURATION,
    END,
    SETUP,
    START,
    STATEMENTS,
    Base,
    Clause,
    Key,
    Level,
    Located,
    Place,
    Refinement,
    Schema,
    seconds_of,
)
from commonground.grounding.prolog.base.sandbox import directive_fault
from commonground.grounding.prolog.base.terms import (
    Struct,
    Term,
    Text,
    Var,
    args_of,
    elements,
    from_json,
    is_ground,
    key_of,
    text,
)
from commonground.reading import LONGEST_S

_SYNTAX = {
    "operator_expected": "an operator or a comma is missing before this",
    "end_of_clause": "the clause ends too early: something is missing before '.'",
    "end_of_clause_expected": "the clause should have ended here: is a '.' or a ',' missing?",
    "end_of_file": "the text ends inside a clause: is the '.' after it missing?",
    "cannot_start_term": "a term cannot start like this: is there a comma too many?",
    "illegal_number": "this is not a number",
    "cannot_mix_operators": "these operators cannot stand together without parentheses",
    "undefined_char_escape": "a character after '\\' has no meaning",
    "end_of_file_in_quoted": "a quotation mark is not closed",
}
_LISTS = {
    1: "positive preconditions",
    2: "negative preconditions",
    3: "grounding goals",
    4: "effects",
}


@dataclass(slots=True)
class Reading:
    """What was read so far."""

    source: str
    lines: Lines
    findings: list[Finding] = field(default_factory=list)
    general: list[Clause] = field(default_factory=list)
    states: dict[str, tuple[Located, ...]] = field(default_factory=dict)
    schemas: list[Schema] = field(default_factory=list)
    mappings: list[Refinement] = field(default_factory=list)
    resources: list[Located] = field(default_factory=list)
    times: list[Located] = field(default_factory=list)
    dynamic: set[Key] = field(default_factory=set)
    """Predicates that may have no clauses."""
    numbers: list[int] = field(default_factory=list)
    """The clauses that may be loaded."""

    def base(self) -> Base:
        """Return what was read."""
        return Base(
            self.source,
            tuple(self.general),
            self.states.get("init_state", ()),
            self.states.get("goal_state", ()),
            tuple(s for s in self.schemas if s.level == "high"),
            tuple(s for s in self.schemas if s.level == "low"),
            tuple(self.mappings),
            tuple(self.resources),
            tuple(self.times),
        )

    def fault(self, at: Any, kind: str, message: str, weight: Weight = Weight.ERROR) -> None:
        """Add a finding at a position of Prolog's."""
        self.findings.append(Finding(*self.lines.place(int(at[0])), kind, message, weight))

    def place(self, at: Any) -> Place:
        """Return line and column of a position of Prolog's."""
        return self.lines.place(int(at[0]))


def read_items(items: list[dict[str, Any]], program: str, source: str) -> Reading:
    """Return the reading of the clauses that Prolog found in a text."""
    reading = Reading(source, Lines.of(program))
    for item in items:
        if "syntax" in item:
            what = _SYNTAX.get(item["syntax"], item["syntax"].replace("_", " "))
            reading.fault([min(item["char"], len(program))], "syntax", f"syntax: {what}")
            continue
        term, at = from_json(item["term"]), item["at"]
        before = len(reading.findings)
        _take(reading, term, at)
        if len(reading.findings) == before and key_of(term) != (":-", 1):
            reading.numbers.append(item["number"])
    if not any(f.kind == "syntax" for f in reading.findings):  # what was not read is not missing
        _missing(reading)
    return reading


def _take(reading: Reading, term: Term, at: Any) -> None:
    """Sort one clause in."""
    key = key_of(term)
    if key in ((":-", 1), ("?-", 1)):
        goal = args_of(term)[0]
        fault = directive_fault(goal)
        if fault:
            reading.fault(at, "unsafe", fault)
        reading.dynamic |= {key for key in _declared(goal) if not _is_prologs(key)}
    elif key == (":-", 2):
        _take_rule(reading, term, at)
    elif key in (("action", 5), ("ll_action", 5)):
        _take_action(reading, term, at)
    elif key in (("init_state", 1), ("goal_state", 1)):
        _take_state(reading, term, at)
    elif key == ("mapping", 2):
        _take_mapping(reading, term, at)
    elif key == ("resources", 1):
        reading.resources.append(Located(args_of(term)[0], reading.place(at)))
    elif key in (DURATION, SETUP):
        _take_time(reading, term, at)
    elif _may_define(reading, term, at):
        reading.general.append(Clause(term, None, reading.place(at)))


def _declared(goal: Term) -> Iterator[Key]:
    """Yield the predicates that a directive, or a part of it, says may have no clauses."""
    key, args = key_of(goal), args_of(goal)
    if key in ((",", 2), ("dynamic", 1)) or elements(goal) is not None:
        yield from (declared for arg in args for declared in _declared(arg))
    elif key == ("/", 2) and isinstance(args[0], str) and isinstance(args[1], int):
        yield args[0], args[1]


def _take_rule(reading: Reading, term: Term, at: Any) -> None:
    head, body = args_of(term)
    if key_of(head) in STATEMENTS:
        reading.fault(
            at, "format", f"{_slash(head)} has to be a fact, not a rule; write what it says out"
        )
    elif _may_define(reading, head, at):
        reading.general.append(Clause(head, body, reading.place(at)))


def _may_define(reading: Reading, head: Term, at: Any) -> bool:
    """Refuse clauses of built-in predicates, and names of the format with a wrong number of arguments."""
    name, arity = key_of(head)
    if isinstance(head, (Var, int, float)) or _is_prologs((name, arity)):
        reading.fault(
            at, "unsafe", f"{_slash(head)} belongs to Prolog and cannot be redefined here"
        )
        return False
    wanted = [a for n, a in STATEMENTS if n == name]
    if wanted and arity not in wanted:
        reading.fault(at, "format", f"{name} takes {wanted[0]} arguments, here it has {arity}")
        return False
    return True


def _is_prologs(key: Key) -> bool:
    return key in CONTROL or key in CLOSURES or (key in BUILTINS and key not in REPLACEABLE)


def _take_action(reading: Reading, term: Term, at: Any) -> None:
    head, *lists = args_of(term)
    level: Level = "high" if key_of(term)[0] == "action" else "low"
    name = key_of(head)[0]
    parts: list[tuple[Located, ...]] = []
    for place, given in enumerate(lists, start=1):
        position = at[2][place] if len(at[2]) > place else at
        found = _located(reading, given, position)
        if found is None:
            reading.fault(
                position, "format", f"{name}: the {_LISTS[place]} have to be a list [...]"
            )
            return
        parts.append(found)
    if isinstance(head, (int, float, Var)):
        reading.fault(at, "format", f"an action is called {text(head)}; give it a name")
        return
    if not name.endswith((START, END)):
        reading.fault(
            at,
            "format",
            f"{name} is neither a start nor an end; call it {name}{START} or {name}{END}",
        )
        return
    effects = list(_effects(reading, name, parts[3]))
    for fact in (*parts[0], *parts[1], *(fact for _, fact in effects)):
        _no_fact(reading, name, fact)
    if len(effects) == len(parts[3]):
        reading.schemas.append(
            Schema(level, head, parts[0], parts[1], parts[2], tuple(effects), reading.place(at))
        )


def _effects(
    reading: Reading, name: str, given: tuple[Located, ...]
) -> Iterator[tuple[bool, Located]]:
    for effect in given:
        if key_of(effect.term) in (("add", 1), ("del", 1)):
            yield key_of(effect.term)[0] == "add", Located(args_of(effect.term)[0], effect.place)
        else:
            reading.findings.append(
                Finding(
                    *effect.place,
                    "format",
                    f"{name}: '{text(effect.term)}' is not an effect; write add(…) or del(…)",
                )
            )


def _no_fact(reading: Reading, name: str, stated: Located) -> None:
    """Report a goal of Prolog's where only facts can stand."""
    term = stated.term
    key = key_of(term)
    called = key in CONTROL or (key in BUILTINS and (key[0] == "is" or not key[0][:1].isalpha()))
    if called or isinstance(term, (Var, int, float, Text)):
        message = (
            f"{name}: '{text(term)}' is no fact; goals belong to the grounding goals of an action, and what "
            "must not hold to its negative preconditions"
        )
        reading.findings.append(Finding(*stated.place, "format", message))


def _take_state(reading: Reading, term: Term, at: Any) -> None:
    name = key_of(term)[0]
    position = at[2][0] if at[2] else at
    facts = _located(reading, args_of(term)[0], position)
    if facts is None:
        reading.fault(position, "format", f"{name} has to hold a list of facts [...]")
        return
    if name in reading.states:
        reading.fault(at, "format", f"{name} is stated twice; keep one of them")
        return
    for fact in facts:
        if name == "init_state" and not is_ground(fact.term):
            reading.findings.append(
                Finding(
                    *fact.place,
                    "format",
                    f"'{text(fact.term)}' in the initial state has a variable; name what it stands for",
                )
            )
    for fact in facts:
        _no_fact(reading, name, fact)
    once = {fact.term: fact for fact in reversed(facts)}
    for fact in facts:
        if once[fact.term] is not fact:
            message = f"{text(fact.term)} is stated twice in {name}; remove one"
            reading.findings.append(Finding(*fact.place, "superfluous", message, Weight.NOTE))
    reading.states[name] = tuple(fact for fact in facts if once[fact.term] is fact)


def _take_mapping(reading: Reading, term: Term, at: Any) -> None:
    head, lows = args_of(term)
    position = at[2][1] if len(at[2]) > 1 else at
    found = _located(reading, lows, position)
    if found is None:
        reading.fault(
            position,
            "format",
            f"the mapping of {_slash(head)} has to be a list of low-level actions [...]",
        )
        return
    reading.mappings.append(Refinement(head, found, reading.place(at)))


def _take_time(reading: Reading, term: Term, at: Any) -> None:
    lasts = key_of(term) == DURATION
    *actions, third = args_of(term)
    numbers = (actions.pop(), third) if lasts else (third,)
    if not all(isinstance(n, (int, float)) and 0 <= n <= LONGEST_S for n in numbers):
        message = f"the times have to be numbers of seconds, from 0 to {LONGEST_S:.0f}"
        reading.fault(at, "format", f"{text(term):.80}: {message}")
    elif not all(isinstance(a, str) or (isinstance(a, Var) and not lasts) for a in actions):
        message = "an action is named without its arguments" + (
            "" if lasts else ", or is _ for any"
        )
        reading.fault(at, "format", f"{text(term):.80}: {message}")
    elif lasts and seconds_of(numbers[0]) > seconds_of(third):
        reading.fault(at, "format", f"{text(term)}: the shortest time is above the longest")
    else:
        reading.times.append(Located(term, reading.place(at)))


def _located(reading: Reading, given: Term, at: Any) -> tuple[Located, ...] | None:
    """Return the elements of a list with their places; None: it is no list."""
    found = elements(given)
    if found is None:
        return None
    inner = at[2] if len(at[2]) == len(found) else [at] * len(found)
    return tuple(
        Located(term, reading.place(position)) for term, position in zip(found, inner, strict=True)
    )


def _missing(reading: Reading) -> None:
    """Report statements that every base needs."""
    has = {
        "init_state": "init_state" in reading.states,
        "goal_state": "goal_state" in reading.states,
        "action": any(s.level == "high" for s in reading.schemas),
        "resources": bool(reading.resources),
    }
    shapes = {
        "init_state": "init_state([fact, ...]).",
        "goal_state": "goal_state([fact, ...]).",
        "action": "action(Head, Positive, Negative, Grounding, Effects).",
        "resources": "resources(agent(_)).",
    }
    for name, there in has.items():
        if not there:
            message = f"the base has no {name}; add '{shapes[name]}'"
            reading.findings.append(Finding(0, 0, "missing", message))


def _slash(head: Term) -> str:
    name, arity = key_of(head)
    return f"{name}/{arity}" if isinstance(head, (str, Struct)) else text(head)
