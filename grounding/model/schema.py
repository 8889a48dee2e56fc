"""JSON schemas as models need them: small, without titles, defaults and bounds that only validators use."""

from __future__ import annotations

from typing import Any

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
