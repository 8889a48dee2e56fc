"""Which goals a knowledge base may contain; decided on its text, before anything of it is loaded."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from commonground.errors import did_you_mean
from commonground.grounding.prolog.base.findings import Finding
from commonground.grounding.prolog.base.knowledge_base import Clause, Located, Schema
from commonground.grounding.prolog.base.terms import Struct, Term, Var, args_of, key_of, text

Key = tuple[str, int]

CONTROL: dict[Key, tuple[int, ...]] = {
    (",", 2): (0, 1), (";", 2): (0, 1), ("->", 2): (0, 1), ("*->", 2): (0, 1), ("\\+", 1): (0,),
    ("not", 1): (0,), ("once", 1): (0,), ("ignore", 1): (0,), ("forall", 2): (0, 1), ("findall", 3): (1,),
    ("aggregate_all", 3): (1,), ("call", 1): (0,),
}  # fmt: skip
"""Predicates with goals among their arguments → which."""

_ALLOWED = """
true/0 fail/0 false/0 !/0
=/2 \\=/2 ==/2 \\==/2 @</2 @>/2 @=</2 @>=/2 compare/3 dif/2 is/2 =:=/2 =\\=/2 </2 >/2
=</2 >=/2 var/1 nonvar/1 atom/1 number/1 integer/1 float/1 atomic/1 compound/1 callable/1 ground/1 is_list/1
string/1 functor/3 arg/3 =../2 copy_term/2 between/3 succ/2 plus/3 member/2 memberchk/2 append/3 append/2
length/2 nth0/3 nth1/3 last/2 reverse/2 msort/2 sort/2 sort/4 predsort/3 list_to_set/2 sum_list/2 sumlist/2
max_list/2 min_list/2 max_member/2 min_member/2 numlist/3 select/3 selectchk/3 subtract/3 intersection/3
union/3 delete/3 exclude/3 permutation/2 sumlist/3 subset/2 atom_length/2 atom_concat/3 atom_number/2
atom_chars/2 atom_codes/2 char_code/2 sub_atom/5 atom_string/2 number_codes/2 atomic_list_concat/2
atomic_list_concat/3 nb_/0 tab_/0 unify_with_occurs_check/2 ?=/2 subsumes_term/2 term_variables/2
"""
ALLOWED: frozenset[Key] = frozenset(
    (name, int(arity))
    for name, _, arity in (word.rpartition("/") for word in _ALLOWED.split())
    if name not in ("exclude", "predsort", "nb_", "tab_")
)
"""Built-in predicates that read and compute, and nothing else."""

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


def called(goal: Term) -> Iterator[Term]:
    """Yield the goals that are called when one is, control structures taken apart."""
    key = key_of(goal)
    if key == ("^", 2):
        yield from called(args_of(goal)[1])
    elif key in CONTROL:
        for place in CONTROL[key]:
            yield from called(args_of(goal)[place])
    else:
        yield goal


def goal_fault(goal: Term, defined: Collection[Key]) -> tuple[str, str]:
    """Return (kind, message) of what is wrong with a goal that is called, empty where nothing is."""
    if isinstance(goal, Var):
        return (
            "unsafe",
            f"'{goal.name}' is called, and nobody knows before what it is; name the goal",
        )
    key = key_of(goal)
    if key in defined or key in ALLOWED:
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
