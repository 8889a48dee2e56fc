"""Count the decisions of every function, those in expressions too, and fail where one has too many.

A decision is a branch, a loop, an exception handler, a ``case``, every further operand of ``and`` and
``or``, a conditional expression, and every ``for`` and ``if`` of a comprehension. A function is charged for
the lambdas and comprehensions in it, and not for the functions it defines, which are counted by themselves.

    python tools/complexity.py            lists what is above the limit; exit code 1 if anything is
    python tools/complexity.py --most 20  lists the most complex functions, whatever the limit
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("commonground", "datasets", "localization", "mapping", "planning", "grounding")
LIMIT = 14
ALLOWED = {
    "grounding/memory/english": 24,
    "grounding/memory/readers/grammar/frames": 44,
    "grounding/memory/readers/grammar/phrases": 24,
}
"""Limits of the readers of English, which one learned reader is to replace: they may fall, never rise."""

Function = ast.FunctionDef | ast.AsyncFunctionDef
BRANCHES = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.IfExp, ast.match_case)


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what is below a node, but nothing of functions and classes defined there."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function | ast.ClassDef):
            continue
        yield child
        yield from own_nodes(child)


def decisions(function: Function) -> int:
    """Return the number of ways to decide in a function, plus one."""
    total = 1
    for node in own_nodes(function):
        if isinstance(node, BRANCHES):
            total += 1
        elif isinstance(node, ast.BoolOp):
            total += len(node.values) - 1
        elif isinstance(node, ast.comprehension):
            total += 1 + len(node.ifs)
    return total


def functions() -> Iterator[tuple[int, int, str]]:
    """Yield the decisions, the limit and the place of every function of the package."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            limit = max(
                [LIMIT, *(n for place, n in ALLOWED.items() if name.startswith(place + "/"))]
            )
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, Function):
                    yield decisions(node), limit, f"{name}:{node.lineno} {node.name}"


def main() -> int:
    """Print the functions above the limit, or the most complex ones."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--most", type=int, default=0, help="list this many, whatever the limit")
    most = parser.parse_args().most
    found = sorted(functions(), reverse=True)
    over = [] if most else [f for f in found if f[0] > f[1]]
    for count, _, place in found[:most] or over:
        print(f"{count:3d} {place}")
    return int(bool(over))


if __name__ == "__main__":
    sys.exit(main())
