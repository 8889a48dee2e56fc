"""Settings from YAML and the command line: defaults < ``--config FILE`` < ``--set a.b=c``.

Messages name the file and line of what is wrong and the nearest known name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from commonground.errors import ConfigError, did_you_mean
from commonground.reading import read_text
from commonground.reading_yaml import YAML_MB, parse_yaml
from commonground.reasons import of_field, reason
from commonground.settings import help_texts

Model = TypeVar("Model", bound=BaseModel)
Path_ = tuple[str | int, ...]
UNITS = {"m", "s", "ns", "mps", "deg", "rad", "hz", "kg", "mb", "px", "xyzw", "wxyz"}
"""Units and orders of numbers that names of settings end in."""
EXPLAINED = (
    "tuple_type", "too_long", "missing", "dict_type", "int_type", "int_parsing", "float_parsing",
)  # fmt: skip
"""Kinds of mistakes after which it helps to hear what a value has to say."""


def load_config(
    model: type[Model], file: str | Path | None = None, overrides: Sequence[str] = ()
) -> Model:
    """Return a validated model from an optional YAML file and ``a.b=c`` overrides."""
    values, lines = ({}, {}) if file is None else read_yaml(file)
    if not isinstance(values, dict):
        raise ConfigError(f"{file}: a table of settings is needed, as 'name: value' lines")
    origin: dict[Path_, str] = {path: f"{file}:{line}" for path, line in lines.items()}
    for text in overrides:
        path = _override(values, text)
        origin[path] = f"--set {text}"
    return validated(model, values, origin, str(file or "settings"))


def validated(
    model: type[Model], values: Any, origin: Mapping[Path_, str], where: str = "settings"
) -> Model:
    """Return the model of plain values; ConfigError tells the place of the first mistake."""
    try:
        return model.model_validate(values)
    except ValidationError as error:
        found = error.errors(include_url=False)
        # a list of which an entry is wrong is not too short as well
        details = [d for d in found if not any(_holds(d["loc"], other["loc"]) for other in found)]
        # each value that a pose lacks is found for itself
        lines = list(dict.fromkeys(_explain(model, d, origin, where) for d in details))
        more = f" (and {len(lines) - 3} more)" if len(lines) > 3 else ""
        raise ConfigError("; ".join(lines[:3]) + more) from error


def _holds(place: Path_, other: Path_) -> bool:
    return len(place) < len(other) and other[: len(place)] == place


def read_yaml(file: str | Path) -> tuple[Any, dict[Path_, int]]:
    """Return the content of a YAML file, and the line of each key by its path."""
    path = Path(file)
    try:
        text = read_text(path, YAML_MB)
    except FileNotFoundError as error:
        near = sorted(p.name for p in path.parent.glob("*.y*ml")) if path.parent.is_dir() else []
        raise ConfigError(
            f"{path}: there is no such file.{did_you_mean(path.name, near)}"
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read as text: {reason(error)}") from error
    try:
        node, values = parse_yaml(text, path)
        lines: dict[Path_, int] = {}
        if node is not None:
            _collect_lines(node, (), lines)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        at = f":{mark.line + 1}:{mark.column + 1}" if mark else ""
        raise ConfigError(f"{path}{at}: not valid YAML: {error.problem}") from error
    except yaml.YAMLError as error:
        raise ConfigError(f"{path}: not valid YAML: {reason(error)}") from error
    return ({} if values is None else values), lines


def _collect_lines(node: yaml.Node, path: Path_, lines: dict[Path_, int]) -> None:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            here = (*path, key.value)
            lines[here] = key.start_mark.line + 1
            _collect_lines(value, here, lines)
    elif isinstance(node, yaml.SequenceNode):
        for i, item in enumerate(node.value):
            lines[(*path, i)] = item.start_mark.line + 1
            _collect_lines(item, (*path, i), lines)


def _override(values: dict[str, Any], text: str) -> Path_:
    """Put ``a.b=c`` into nested values; the right side is read as YAML."""
    name, equals, right = text.partition("=")
    keys = [key.strip() for key in name.split(".")]
    if not equals or not all(keys):
        raise ConfigError(f"--set {text}: write it as section.name=value")
    try:
        _, value = parse_yaml(right, f"--set {name}")
    except yaml.YAMLError as error:
        raise ConfigError(f"--set {text}: '{right}' is not a value YAML can read") from error
    here = values
    for key in keys[:-1]:
        inner = here.setdefault(key, {})
        if not isinstance(inner, dict):
            raise ConfigError(f"--set {text}: '{key}' is a value, not a section")
        here = inner
    here[keys[-1]] = value
    return tuple(keys)


def _explain(
    model: type[BaseModel], detail: ErrorDetails, origin: Mapping[Path_, str], where: str
) -> str:
    path = detail["loc"]
    place = next((origin[path[:n]] for n in range(len(path), 0, -1) if path[:n] in origin), where)
    name = _joined(path)
    if detail["type"] == "extra_forbidden":
        return (
            f"{place}: unknown setting '{name}'.{_hint(str(path[-1]), _names_beside(model, path))}"
        )
    if detail["type"] == "missing" and isinstance(path[-1], int):
        few = f"needs more values than {detail['input']!r:.60}"
        return f"{place}: '{_joined(path[:-1])}': {few}{_meaning(model, path[:-1])}"
    whole = detail["type"] == "value_error" and isinstance(detail["input"], dict)
    given = "" if detail["type"] == "missing" or whole else f", not {detail['input']!r:.60}"
    called = f"'{name}': " if name else ""
    means = _meaning(model, path) if detail["type"] in EXPLAINED else ""
    return f"{place}: {called}{of_field(detail)}{given}{means}"


def _joined(path: Path_) -> str:
    return ".".join(map(str, path))


def _meaning(model: type[BaseModel], path: Path_) -> str:
    """Return what a value has to say, after a colon, if that is known."""
    owner = _owner(model, path) if path else None
    if owner is None:  # an entry of a table or a list, which says what it holds
        return _meaning(model, path[:-1]) if len(path) > 1 else ""
    means = " ".join(help_texts(owner).get(str(path[-1]), "").split()).rstrip(".")
    return f": {means}" if means else ""


def _hint(given: str, known: list[str]) -> str:
    """Return what may be meant by an unknown name, or all that is known in its place."""
    hint = did_you_mean(given, known)
    near = [other for other in known if f"'{other}'" in hint]
    listed = f" Known here: {', '.join(known)}." if known else ""
    return "".join(_other_unit(given, other) for other in near) or hint or listed


def _other_unit(given: str, known: str) -> str:
    """Return a hint where names differ in the unit or order of numbers; a new name would change these."""
    stem, _, unit = known.rpartition("_")
    before, _, other = given.rpartition("_")
    if stem != before or not stem or unit not in UNITS:
        return ""
    return f" There is '{known}', which takes {unit} and not {other}: the numbers change with the name."


def _names_beside(model: type[BaseModel], path: Path_) -> list[str]:
    """Return the known field names at the level where an unknown one stands."""
    owner = _owner(model, path)
    return [] if owner is None else sorted(owner.model_fields)


def _owner(model: type[BaseModel], path: Path_) -> type[BaseModel] | None:
    """Return the model that has the last field of a path, or would have it."""
    here: Any = model
    for key in path[:-1]:
        field = here.model_fields.get(key) if _is_model(here) else None
        here = _inner_model(field.annotation) if field is not None else here
    return here if _is_model(here) else None


def _is_model(candidate: Any) -> bool:
    return isinstance(candidate, type) and issubclass(candidate, BaseModel)


def _inner_model(annotation: Any) -> Any:
    """Return the model inside ``dict[str, M]``, ``list[M]``, ``M | None`` or ``M`` itself."""
    if _is_model(annotation):
        return annotation
    for argument in getattr(annotation, "__args__", ()):
        found = _inner_model(argument)
        if found is not None:
            return found
    return None


def to_yaml(config: BaseModel) -> str:
    """Return the resolved settings as YAML that is itself a valid ``--config``."""
    return str(yaml.safe_dump(config.model_dump(mode="json"), sort_keys=False, allow_unicode=True))
