"""The form of an answer: its JSON schema, and how what small models send instead is brought into it.

Only what has one reading is changed: a number where a text belongs, a bare word where an object with one
telling key belongs, one value where a list belongs, nulls for what is left out. Values are never invented.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter, ValidationError

from commonground.errors import GroundingError

T = TypeVar("T")
_DEEPEST = 60
_MOST_MISTAKES = 4
_TRUTHS = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class Form:
    """What an answer looks like."""

    schema: Mapping[str, Any]
    bare: Mapping[str, str] = field(default_factory=dict)
    """For definitions of the schema the key that a bare word stands for: ``{"Thing": "noun"}``."""

    def fitted(self, value: Any) -> Any:
        """Return a value in this form, as far as that needs no guess."""
        return self._fit(self._whole(value), self.schema, 0)

    def _whole(self, value: Any) -> Any:
        """Return the object an answer is about: the list or entry alone, or one object around it, will do."""
        known = self.schema.get("properties", {})
        lists = [key for key, kind in known.items() if "items" in self._resolved(kind)[0]]
        if isinstance(value, list) and lists:
            return {lists[0]: value}
        if not isinstance(value, dict) or not value or known.keys() & value.keys():
            return value
        for key in lists[:1]:
            entry = self._resolved(self._resolved(known[key])[0]["items"])[0]
            if value.keys() <= entry.get("properties", {}).keys():
                return {key: [value]}
        inner = next(iter(value.values()))
        wraps = len(value) == 1 and isinstance(inner, dict) and known.keys() & inner.keys()
        return inner if wraps else value

    def _resolved(self, schema: Any) -> tuple[Mapping[str, Any], str]:
        """Return a schema and the name of its definition, if it has one."""
        name = ""
        while "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            schema = self.schema["$defs"][name]
        return schema, name

    def _fit(self, value: Any, schema: Any, depth: int) -> Any:
        if depth > _DEEPEST:
            raise GroundingError("the answer is nested too deeply")
        schema, name = self._resolved(schema)
        if "anyOf" in schema:
            return self._fit(value, self._chosen(value, schema["anyOf"]), depth + 1)
        if "enum" in schema or "const" in schema:
            return _named(value, schema.get("enum", [schema.get("const")]))
        kind = schema.get("type")
        if kind == "object" and self._stands_for(value, schema, name):
            value = {self.bare[name]: value}
        if kind == "object" and isinstance(value, dict):
            return self._fit_object(value, schema, depth)
        if kind == "array":
            return self._fit_list(value, schema, depth)
        return _simple(value, kind)

    def _stands_for(self, value: Any, schema: Mapping[str, Any], name: str) -> bool:
        """Return whether a bare word, or a list where the telling key takes one, stands for an object."""
        if name not in self.bare or not isinstance(value, str | int | list):
            return False
        takes = self._resolved(schema["properties"][self.bare[name]])[0].get("type")
        return takes == "array" if isinstance(value, list) else not isinstance(value, bool)

    def _fit_object(self, value: dict[str, Any], schema: Mapping[str, Any], depth: int) -> Any:
        known = schema.get("properties", {})
        other = schema.get("additionalProperties", {})
        other = other if isinstance(other, dict) else {}
        return {
            key: self._fit(inner, known.get(key, other), depth + 1)
            for key, inner in value.items()
            if inner is not None
        }

    def _fit_list(self, value: Any, schema: Mapping[str, Any], depth: int) -> Any:
        entries = value if isinstance(value, list) else [] if value is None else [value]
        places = schema.get("prefixItems", [])
        every = schema.get("items", {}) or {}
        return [
            self._fit(entry, places[i] if i < len(places) else every, depth + 1)
            for i, entry in enumerate(entries)
            if entry is not None
        ]

    def _chosen(self, value: Any, options: list[Any]) -> Any:
        """Return the option that a value means: the one that knows most of its keys, or its type."""

        def likeness(option: Any) -> float:
            schema, name = self._resolved(option)
            if "anyOf" in schema:
                return max(map(likeness, schema["anyOf"]))
            if isinstance(value, dict):
                known = schema.get("properties", {})
                lacking = set(schema.get("required", ())) - value.keys()
                return len(known.keys() & value.keys()) - 0.5 * len(lacking) if known else -9.0
            if _is_of(value, schema.get("type")):
                return 2.0
            return 1.0 if name in self.bare else 0.0

        return max(options, key=likeness)


def _named(value: Any, words: list[Any]) -> Any:
    """Return the word of a list that a value is, whatever its capitals."""
    if value in words or not isinstance(value, str):
        return value
    same = [w for w in words if isinstance(w, str) and w.lower() == value.strip().lower()]
    return same[0] if len(same) == 1 else value


def _simple(value: Any, kind: Any) -> Any:
    """Return a text, number or truth value of the kind asked for, if that is what was written."""
    if kind == "string" and isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    if kind == "boolean" and isinstance(value, str):
        return _TRUTHS.get(value.strip().lower(), value)
    if kind in ("integer", "number") and isinstance(value, str | float):
        return _number(value, kind)
    return value


def _number(value: str | float, kind: str) -> Any:
    try:
        number = float(value)
    except ValueError:
        return value
    if kind == "integer":
        return int(number) if number.is_integer() else value
    return number


def _is_of(value: Any, kind: Any) -> bool:
    types: dict[Any, type | tuple[type, ...]] = {
        "string": str, "boolean": bool, "array": list, "object": dict, "integer": int,
        "number": (int, float),
    }  # fmt: skip
    return kind in types and isinstance(value, types[kind])


def form_of(kind: Any) -> Form:
    """Return the form of a settings model or dataclass."""
    return _form(kind)


@cache
def _form(kind: Any) -> Form:
    """Return the form of a kind, made once: its descriptions are read from source files."""
    return Form(compact_schema(_adapter(kind).json_schema()))


def read_as(kind: type[T], value: Any) -> T:
    """Return a JSON value as a settings model or dataclass; GroundingError with all that is wrong with it."""
    adapter: TypeAdapter[T] = _adapter(cast(Any, kind))
    try:
        return adapter.validate_json(json.dumps(value))
    except RecursionError as error:
        raise GroundingError("the answer is nested too deeply") from error
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)[:_MOST_MISTAKES]
        listed = [f"{'.'.join(map(str, d['loc'])) or 'the answer'}: {d['msg']}" for d in found]
        raise GroundingError(f"not of the form asked for: {'; '.join(listed)}") from error


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    """Return what checks values of a kind; making it takes longer than reading an answer with it."""
    return TypeAdapter(kind)


_DROPPED = frozenset(
    ["title", "description", "default", "maxLength", "minLength", "maxItems", "minItems", "minimum",
     "maximum", "additionalProperties"]
)  # fmt: skip
"""What bounds answers is checked here anyway, and decoders allow no further keys unless they are told."""


def compact_schema(schema: Any, shared: dict[str, list[str]] | None = None) -> Any:
    """Return a schema without what a model does not need; optional values may be left out, not be null.

    ``shared`` names unions that occur often, such as ``{"Ref": ["Thing", "Several"]}``: each is written
    once and referred to.
    """
    slim = _slim(schema)
    for name, members in (shared or {}).items():
        union = {"anyOf": [{"$ref": f"#/$defs/{m}"} for m in members]}
        slim = _replaced(slim, union, {"$ref": f"#/$defs/{name}"})
        slim["$defs"][name] = union
    return slim


def _slim(value: Any) -> Any:
    if isinstance(value, list):
        return [_slim(v) for v in value]
    if not isinstance(value, dict):
        return value
    if "anyOf" in value:
        options = [_slim(v) for v in value["anyOf"] if v != {"type": "null"}]
        return options[0] if len(options) == 1 else {"anyOf": options}
    dropped = _DROPPED | {"type"} if "enum" in value else _DROPPED
    return {
        k: _slim_named(v) if k in ("properties", "$defs") else _slim(v)
        for k, v in value.items()
        if k not in dropped
    }


def _slim_named(schemas: dict[str, Any]) -> dict[str, Any]:
    """Slim schemas by name: the keys are names of properties or definitions, none of them dropped."""
    return {name: _slim(schema) for name, schema in schemas.items()}


def _replaced(value: Any, old: Any, new: Any) -> Any:
    if value == old:
        return new
    if isinstance(value, list):
        return [_replaced(v, old, new) for v in value]
    if isinstance(value, dict):
        return {k: _replaced(v, old, new) for k, v in value.items()}
    return value
