"""Which goals a knowledge base may contain; decided on its text, before anything of it is loaded."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from commonground.errors import did_you_mean
from commonground.grounding.prolog.base.findings import Finding
from commonground.grounding.prolog.base.goals import BUILTINS, called
from commonground.grounding.prolog.base.knowledge_base import Clause, Located, Schema
from commonground.grounding.prolog.base.terms import Struct, Term, Var, args_of, key_of, text

Key = tuple[str, int]

DIRECTIVES: frozenset[Key] = frozenset(
    {
        ("discontiguous", 1),
        ("style_check", 1),
        ("dynamic", 1),
        ("module", 2),
        ("set_prolog_flag", 2),
    }
)
"""Directives that say nothing about the world; they are passed over."""
LIBRARIES = frozenset(("lists", "apply", "aggregate", "error", "debug", "clpfd"))

_DANGEROUS = {
    "shell": "runs programs", "process_create": "runs programs", "halt": "ends the program",
    "open": "opens files", "see": "opens files", "tell": "opens files", "consult": "loads files",
    "load_files": "loads files", "ensure_loaded": "loads files", "include": "loads files",
    "use_module": "loads files", "use_foreign_library": "loads machine code", "delete_file": "deletes files",
    "read_term": "reads input", "read": "reads input", "assert": "changes the base while it runs",
    "asserta": "changes the base while it runs", "assertz": "changes the base while it runs",
    "retract": "changes the base while it runs", "retractall": "changes the base while it runs",
    "abolish": "changes the base while it runs", "setenv": "changes the environment",
    "getenv": "reads the environment", "thread_create": "starts threads", "tcp_connect": "uses the network",
    "write": "prints", "print": "prints", "format": "prints", "nl": "prints", "exists_file": "looks at files",
}  # fmt: skip


def directive_fault(goal: Term) -> str:
    """Return why a directive is refused, or an empty string."""
    key = key_of(goal)
    if key in DIRECTIVES or (key == (",", 2) and not any(map(directive_fault, args_of(goal)))):
        return ""
    if key[0] == "use_module":
        library = args_of(goal)[0]
        known = isinstance(library, Struct) and library.key == ("library", 1)
        if known and str(args_of(library)[0]) in LIBRARIES:
            return ""
    what = _DANGEROUS.get(key[0], "runs while the base is loaded")
    return (
        f"the directive ':- {text(goal)}' {what} and is refused; a knowledge base only states facts, rules "
        "and actions: delete the line"
    )


def goal_fault(goal: Term, defined: Collection[Key]) -> tuple[str, str]:
    """Return (kind, message) of what is wrong with a goal that is called, empty where nothing is."""
    if isinstance(goal, Var):
        return (
            "unsafe",
            f"'{goal.name}' is called, and nobody knows before what it is; name the goal",
        )
    key = key_of(goal)
    if key in defined or key in BUILTINS:
        return "", ""
    name, arity = key
    if (
        name == ":"
        or name in _DANGEROUS
        or name.startswith(("nb_", "b_", "$", "prolog_", "assert"))
    ):
        what = _DANGEROUS.get(name, "reaches outside of the base")
        return (
            "unsafe",
            f"'{text(goal)}' {what}; a knowledge base may only read its own facts and compute: remove it",
        )
    others = sorted(a for n, a in defined if n == name)
    if others:
        return (
            "undefined",
            f"{name}/{arity} is not defined, {name} is with {' or '.join(map(str, others))} "
            "arguments; give as many",
        )
    near = did_you_mean(name, {n for n, _ in defined})
    return (
        "undefined",
        f"{name}/{arity} is called and not defined; add facts '{name}(…).' or correct the name.{near}",
    )


def unsafe_goals(
    schemas: tuple[Schema, ...], general: tuple[Clause, ...], defined: Collection[Key]
) -> Iterator[Finding]:
    """Yield a finding for every goal that is undefined or may not be called."""
    places = [goal for schema in schemas for goal in schema.goals]
    places += [Located(c.body, c.place) for c in general if c.body is not None]
    for located in places:
        for goal in called(located.term):
            kind, message = goal_fault(goal, defined)
            if kind:
                yield Finding(*located.place, kind, message)
