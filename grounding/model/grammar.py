"""Grammars of answers for llama.cpp (GBNF): a decoder that follows one cannot write anything else.

Keys come in the order of the schema, those not required may be left out. Every definition is one rule.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

_BASE = r"""ws ::= [ \t\n]{0,20}
string ::= "\"" ([^"\\\x00-\x1F] | "\\" (["\\/bfnrt] | "u" [0-9a-fA-F]{4}))* "\"" ws
number ::= "-"? ("0" | [1-9] [0-9]{0,15}) ("." [0-9]{1,16})? ws
integer ::= "-"? ("0" | [1-9] [0-9]{0,15}) ws
boolean ::= ("true" | "false") ws
entry ::= string ":" ws any
map ::= "{" ws (entry ("," ws entry)*)? "}" ws
list ::= "[" ws (any ("," ws any)*)? "]" ws
any ::= string | number | boolean | "null" ws | map | list"""


def grammar_of(schema: Mapping[str, Any]) -> str:
    """Return the grammar of a schema's values."""
    rules = {_rule(name): _expression(part) for name, part in schema.get("$defs", {}).items()}
    lines = [f"root ::= ws {_expression(schema)}", *(f"{n} ::= {e}" for n, e in rules.items())]
    return "\n".join([*lines, _BASE])


def _rule(name: str) -> str:
    return "d-" + re.sub(r"[^a-zA-Z0-9]", "-", name)


def _expression(schema: Any) -> str:
    """Return what a value of a schema may be written as."""
    if not isinstance(schema, Mapping):
        return "any"
    if "$ref" in schema:
        return _rule(schema["$ref"].rpartition("/")[2])
    if "anyOf" in schema:
        return f"({' | '.join(map(_expression, schema['anyOf']))})"
    if "enum" in schema or "const" in schema:
        words = schema.get("enum", [schema.get("const")])
        return f"({' | '.join(_literal(json.dumps(w)) for w in words)}) ws"
    kind = schema.get("type")
    if kind == "object":
        return _object(schema)
    if kind == "array":
        return _array(schema)
    return kind if kind in ("string", "number", "integer", "boolean") else "any"


def _literal(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _object(schema: Mapping[str, Any]) -> str:
    properties = schema.get("properties", {})
    if not properties:
        inner = _expression(schema.get("additionalProperties"))
        entry = f'string ":" ws {inner}'
        return f'"{{" ws ({entry} ("," ws {entry})*)? "}}" ws'
    required = set(schema.get("required", ()))
    pairs = [
        (f'{_literal(json.dumps(key))} ws ":" ws {_expression(inner)}', key in required)
        for key, inner in properties.items()
    ]
    return f'"{{" ws {_listed(pairs)} "}}" ws'


def _listed(pairs: Sequence[tuple[str, bool]]) -> str:
    """Return the pairs in order with commas between those that are there."""
    options = []
    for first, (pair, needed) in enumerate(pairs):
        rest = [
            f'"," ws {later}' if must else f'("," ws {later})?'
            for later, must in pairs[first + 1 :]
        ]
        options.append(" ".join([pair, *rest]))
        if needed:
            return f"({' | '.join(options)})"
    return f"({' | '.join(options)})?"


def _array(schema: Mapping[str, Any]) -> str:
    places = schema.get("prefixItems")
    if places:
        listed = ' "," ws '.join(map(_expression, places))
        return f'"[" ws {listed} "]" ws'
    entry = _expression(schema.get("items"))
    return f'"[" ws ({entry} ("," ws {entry})*)? "]" ws'
