"""Prolog's own predicates that goals may call: what they call in turn, and what has to be known before."""

from __future__ import annotations

from collections.abc import Iterator

from commonground.grounding.prolog.base.terms import (
    Struct,
    Term,
    Var,
    args_of,
    elements,
    key_of,
)

Key = tuple[str, int]

CONTROL: dict[Key, tuple[int, ...]] = {
    (",", 2): (0, 1), (";", 2): (0, 1), ("->", 2): (0, 1), ("*->", 2): (0, 1), ("\\+", 1): (0,),
    ("not", 1): (0,), ("once", 1): (0,), ("ignore", 1): (0,), ("forall", 2): (0, 1), ("findall", 3): (1,),
    ("findall", 4): (1,), ("setof", 3): (1,), ("bagof", 3): (1,), ("aggregate_all", 3): (1,),
    ("aggregate_all", 4): (2,), ("call", 1): (0,),
}  # fmt: skip
"""Predicates with goals among their arguments → which."""

CLOSURES: dict[Key, int] = {
    **{("maplist", n): n - 1 for n in range(2, 6)}, **{("foldl", n): n - 1 for n in range(4, 7)},
    **{("call", n): n - 1 for n in range(2, 9)}, ("include", 3): 1, ("exclude", 3): 1,
    ("partition", 4): 1, ("convlist", 3): 2, ("predsort", 3): 3,
}  # fmt: skip
"""Predicates that call their first argument → with how many arguments more."""

_BUILTINS = """
true/0 fail/0 false/0 !/0 =:-- \\=/2 ==/2 \\==/2 @</2 @>/2 @=</2 @>=/2 compare:-++ dif/2 is:-+ =:=/2 =\\=/2
</2 >/2 =</2 >=/2 var/1 nonvar/1 atom/1 number/1 integer/1 float/1 atomic/1 compound/1 callable/1 ground/1
is_list/1 string/1 functor:--- arg:-+- =..:-- copy_term:+- between:++- succ:-- plus:--- member:-+ memberchk:?+
append:--- append:+- length:+- nth0:-+- nth1:-+- last:+- reverse:+- msort:+- sort:+- sort:+++- predsort:++-
list_to_set:+- sum_list:+- sumlist:+- max_list:+- min_list:+- max_member:-+ min_member:-+ numlist:++-
select:--- selectchk:?+- subtract:++- intersection:++- union:++- delete:++- permutation:-- subset/2
include:++- exclude:++- partition:++-- convlist:++- maplist/2 maplist:++- maplist:++-- maplist:++---
foldl:+++- foldl:++++- foldl:+++++- atom_length:+- atom_concat:--- atom_number:-- atom_chars:-- atom_codes:--
char_code:-- sub_atom:+---- atom_string:-- number_codes:-- upcase_atom:+- atomic_list_concat:+-
atomic_list_concat:--- string_concat:--- string_length:+- string_chars:-- split_string:+++-
unify_with_occurs_check:-- ?=/2 subsumes_term/2 term_variables:+-
"""
_LIBRARY = """
is_set/1 nextto:--+ list_to_ord_set:+- flatten:+- nth0:-+-- nth1:-+-- select:---- pairs_keys:+-
pairs_values:+- pairs_keys_values:---
"""


def _modes(words: str) -> Iterator[tuple[Key, str]]:
    for word in words.split():
        name, _, modes = word.rpartition("/" if word[-1].isdigit() else ":")
        modes = "+" * int(modes) if modes.isdigit() else modes
        yield (name, len(modes)), modes


REPLACEABLE: dict[Key, str] = dict(_modes(_LIBRARY))
"""Those of Prolog's libraries that a base may define for itself."""
BUILTINS: dict[Key, str] = {**dict(_modes(_BUILTINS)), **REPLACEABLE}
"""Built-in predicates that read and compute, and nothing else → how each takes its arguments.

``+`` has to be known before, or the goal means something else; ``-`` is found; ``?`` is found, but only one
of its values. Where only a number is written, all have to be known.
"""


def called(goal: Term) -> Iterator[Term]:
    """Yield the goals that are called when one is, control structures taken apart."""
    key = key_of(goal)
    if key == ("^", 2):
        yield from called(args_of(goal)[1])
    elif key in CONTROL:
        for place in CONTROL[key]:
            yield from called(args_of(goal)[place])
    else:
        if key in CLOSURES:
            yield from called(extended(args_of(goal)[0], CLOSURES[key]))
        if key[0] != "call":
            yield goal


def extended(closure: Term, more: int) -> Term:
    """Return what is called when a closure is, with so many arguments more."""
    if key_of(closure) == (">>", 2):
        taken, body = args_of(closure)
        if key_of(taken) == ("/", 2):
            taken = args_of(taken)[1]
        return extended(body, max(0, more - len(elements(taken) or ())))
    if isinstance(closure, Var) or not more:
        return closure
    name, _ = key_of(closure)
    return Struct(name, (*args_of(closure), *(Var(f"_{n}") for n in range(more))))
