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


def _slim(value: Any, *, names: bool = False) -> Any:
    """``names``: the keys are names of properties or definitions, none of them to be dropped."""
    if isinstance(value, list):
        return [_slim(v) for v in value]
    if not isinstance(value, dict):
        return value
    if not names and "anyOf" in value:
        options = [_slim(v) for v in value["anyOf"] if v != {"type": "null"}]
        return options[0] if len(options) == 1 else {"anyOf": options}
    kept = {k: v for k, v in value.items() if names or k not in _DROPPED}
    if not names and "enum" in kept:
        kept.pop("type", None)
    return {k: _slim(v, names=k in ("properties", "$defs") and not names) for k, v in kept.items()}


def _replaced(value: Any, old: Any, new: Any) -> Any:
    if value == old:
        return new
    if isinstance(value, list):
        return [_replaced(v, old, new) for v in value]
    if isinstance(value, dict):
        return {k: _replaced(v, old, new) for k, v in value.items()}
    return value
