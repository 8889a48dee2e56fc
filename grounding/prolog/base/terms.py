"""Prolog terms in Python: atoms are ``str``, numbers ``int`` or ``float``, the rest is below."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class Var:
    """A variable of a clause; one without a name of its own is called ``_`` and a number."""

    name: str


@dataclass(frozen=True, slots=True)
class Text:
    """A Prolog string."""

    value: str


@dataclass(frozen=True, slots=True)
class Struct:
    """A compound term; lists have the functor ``[]``."""

    functor: str
    args: tuple[Term, ...]

    @property
    def key(self) -> tuple[str, int]:
        """Return name and arity."""
        return self.functor, len(self.args)


Term: TypeAlias = "str | int | float | Var | Text | Struct"
Binding: TypeAlias = "Mapping[str, Term]"
LIST = "[]"
_PLAIN_ATOM = re.compile(r"[a-z][a-zA-Z0-9_]*|\[\]|!")
_CONTROL = frozenset(map(chr, (*range(32), *range(127, 160))))
_NAMELESS = re.compile(r"_G?\d+")
_SYMBOLS = re.compile(r"[-+*/\\^<>=~:.?@#&$]+")
_OPERATORS = """
= \\= == \\== < > =< >= =:= =\\= is + - * / // mod rem ** ^ , ; -> :- @< @> @=< @>= =.. : rdiv div xor
>> << /\\ \\/
"""
_INFIX = frozenset(_OPERATORS.split())


def from_json(value: Any) -> Term:
    """Return the term that the Prolog library wrote as JSON."""
    if not isinstance(value, dict):
        return value if isinstance(value, (int, float)) else str(value)
    if "v" in value:
        return Var(value["v"])
    if "c" in value:
        return str(value["c"])
    if "s" in value:
        return Text(value["s"])
    if "l" in value:
        return Struct(LIST, tuple(map(from_json, value["l"])))
    return Struct(value["f"], tuple(map(from_json, value["a"])))


def elements(term: Term) -> tuple[Term, ...] | None:
    """Return what a list holds, None for anything else."""
    return term.args if isinstance(term, Struct) and term.functor == LIST else None


def key_of(term: Term) -> tuple[str, int]:
    """Return name and arity of a fact, goal or action; an atom has arity 0."""
    return term.key if isinstance(term, Struct) else (str(term), 0)


def args_of(term: Term) -> tuple[Term, ...]:
    """Return the arguments of a term."""
    return term.args if isinstance(term, Struct) else ()


def variables(term: Term) -> Iterator[str]:
    """Yield the names of variables, each as often as it occurs."""
    if isinstance(term, Var):
        yield term.name
    elif isinstance(term, Struct):
        for argument in term.args:
            yield from variables(argument)


def constants(term: Term) -> Iterator[Term]:
    """Yield atoms and numbers inside a term, functors left out."""
    if isinstance(term, Struct):
        for argument in term.args:
            yield from constants(argument)
    elif not isinstance(term, Var):
        yield term


def is_ground(term: Term) -> bool:
    """Return whether a term has no variables."""
    if type(term) is Struct:
        return all(map(is_ground, term.args))
    return type(term) is not Var


def substitute(term: Term, binding: Binding) -> Term:
    """Return a term with its bound variables replaced."""
    if isinstance(term, Var):
        return binding.get(term.name, term)
    if isinstance(term, Struct) and term.args:
        return Struct(term.functor, substituted(term.args, binding))
    return term


def substituted(args: tuple[Term, ...], binding: Binding) -> tuple[Term, ...]:
    """Return arguments with their bound variables replaced."""
    return tuple(
        [
            binding.get(a.name, a)
            if type(a) is Var
            else substitute(a, binding)
            if type(a) is Struct
            else a
            for a in args
        ]
    )


def replaced(term: Term, names: Mapping[Term, Term]) -> Term:
    """Return a term with constants replaced."""
    if isinstance(term, Struct):
        return Struct(term.functor, tuple(replaced(a, names) for a in term.args))
    return term if isinstance(term, Var) else names.get(term, term)


def match(pattern: Term, fact: Term, binding: dict[str, Term]) -> bool:
    """Bind the variables of a pattern so that it becomes a ground fact; tell whether that works.

    A failed match may leave bindings behind.
    """
    if isinstance(pattern, Var):
        known = binding.setdefault(pattern.name, fact)
        return known is fact or same(known, fact)
    if isinstance(pattern, Struct):
        return (
            isinstance(fact, Struct)
            and fact.functor == pattern.functor
            and len(fact.args) == len(pattern.args)
            and all(match(p, f, binding) for p, f in zip(pattern.args, fact.args, strict=True))
        )
    return same(pattern, fact)


def unify(a: Term, b: Term, binding: dict[str, Term]) -> bool:
    """Bind variables of two patterns so that they become equal; tell whether that works.

    What a variable is bound to may have variables that are bound themselves: ``resolved`` follows them.
    """
    a, b = _followed(a, binding), _followed(b, binding)
    if isinstance(a, Var) or isinstance(b, Var):
        if a != b:
            name, other = (a.name, b) if isinstance(a, Var) else (b.name, a)  # type: ignore[union-attr]
            binding[name] = other
        return True
    if isinstance(a, Struct) and isinstance(b, Struct):
        return a.key == b.key and all(
            unify(x, y, binding) for x, y in zip(a.args, b.args, strict=True)
        )
    return same(a, b)


def _followed(term: Term, binding: Binding) -> Term:
    while isinstance(term, Var) and term.name in binding:
        term = binding[term.name]
    return term


def resolved(binding: Binding) -> dict[str, Term]:
    """Return what the variables of a unification stand for in the end."""

    def whole(term: Term) -> Term:
        term = _followed(term, binding)
        return (
            Struct(term.functor, tuple(map(whole, term.args))) if isinstance(term, Struct) else term
        )

    return {name: whole(term) for name, term in binding.items()}


def same(a: Term, b: Term) -> bool:
    """Return whether two constants or ground terms are the same; 1 and 1.0 are not."""
    return type(a) is type(b) and a == b


def may_unify(a: Term, b: Term) -> bool:
    """Return whether two patterns can be made equal, taking every variable for a different one."""
    if isinstance(a, Var) or isinstance(b, Var):
        return True
    if isinstance(a, Struct) and isinstance(b, Struct):
        return a.key == b.key and all(map(may_unify, a.args, b.args))
    return same(a, b)


def text(term: Term) -> str:
    """Return a term as Prolog reads it."""
    if isinstance(term, Var):
        return "_" if _NAMELESS.fullmatch(term.name) else term.name
    if isinstance(term, Text):
        return '"' + _escaped(term.value).replace('"', '\\"') + '"'
    if isinstance(term, Struct):
        return _compound(term)
    if isinstance(term, str):
        plain = _PLAIN_ATOM.fullmatch(term) or _SYMBOLS.fullmatch(term)
        return term if plain else "'" + _escaped(term).replace("'", "\\'") + "'"
    return repr(term)


def unquoted(written: str) -> str:
    """Return what an atom or string that ``text`` has written is; anything else unchanged."""
    if len(written) < 2 or written[0] != written[-1] or written[0] not in "'\"":
        return written
    return re.sub(r"\\(?:x([0-9a-f]+)\\|(.))", _unescaped, written[1:-1])


def _unescaped(found: re.Match[str]) -> str:
    code, plain = found.groups()
    return chr(int(code, 16)) if code else {"n": "\n"}.get(plain, plain)


def quoted(value: str) -> str:
    """Return a text as a Prolog string."""
    return text(Text(value))


def _escaped(value: str) -> str:
    plain = value.replace("\\", "\\\\").replace("\n", "\\n")
    return "".join(f"\\x{ord(c):x}\\" if c in _CONTROL else c for c in plain)


def _compound(term: Struct) -> str:
    if term.functor == LIST:
        return "[" + ", ".join(map(text, term.args)) + "]"
    if term.functor in _INFIX and len(term.args) == 2:
        left, right = (_operand(a) for a in term.args)
        return (
            f"{left}{term.functor}{right}"
            if _tight(term.functor)
            else f"{left} {term.functor} {right}"
        )
    return f"{text(term.functor)}({', '.join(map(_argument, term.args))})"


def _tight(functor: str) -> bool:
    return functor in ("\\=", ">=", "=<", "=", "==", "\\==")


def _argument(term: Term) -> str:
    comma = (
        isinstance(term, Struct) and term.functor in (",", ":-", ";", "->") and len(term.args) == 2
    )
    return f"({text(term)})" if comma else text(term)


def _operand(term: Term) -> str:
    infix = isinstance(term, Struct) and term.functor in _INFIX and len(term.args) == 2
    negative = isinstance(term, (int, float)) and term < 0
    symbol = isinstance(term, str) and _SYMBOLS.fullmatch(term)
    return f"({text(term)})" if infix or negative or symbol else text(term)
