"""Reading YAML with bounds: no deeper, longer or slower to read than honest data is."""

from __future__ import annotations

import re
import time
from typing import Any

import yaml
from yaml.composer import Composer

from commonground.reading import BoundError
from commonground.reasons import reason

YAML_MB = 8
"""Of settings, layouts and tasks; YAML is read slowly."""
YAML_DEPTH = 60
YAML_VALUES = 500_000
"""Values of a YAML file with every alias written out."""
YAML_LIMIT_S = 20.0

_UNSAYABLE = re.compile("[\0\ud800-\udfff]")


class _Loader(Composer, yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader):  # type: ignore[misc]
    """A loader that counts while it reads; where libyaml is here, it takes the text apart."""

    def __init__(self, text: str, where: object) -> None:
        super(Composer, self).__init__(text)
        Composer.__init__(self)
        self.where, self.depth, self.until = where, 0, time.monotonic() + YAML_LIMIT_S

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        """Return the next node, unless it lies too deep or comes too late."""
        if time.monotonic() > self.until:
            raise BoundError(f"{self.where}: the YAML takes more than {YAML_LIMIT_S:g} s to read")
        if self.depth >= YAML_DEPTH:
            raise BoundError(f"{self.where}: the YAML is nested more than {YAML_DEPTH} deep")
        self.depth += 1
        try:
            return _sayable(super().compose_node(parent, index))
        finally:
            self.depth -= 1


def _sayable(node: yaml.Node | None) -> yaml.Node | None:
    """Return a node as it is, unless its text could be neither a path nor printed."""
    if isinstance(node, yaml.ScalarNode) and _UNSAYABLE.search(node.value):
        raise yaml.MarkedYAMLError(
            problem="a text holds a NUL or half a character", problem_mark=node.start_mark
        )
    return node


def parse_yaml(text: str, where: object) -> tuple[yaml.Node | None, Any]:
    """Return the node tree and the value of a YAML text.

    yaml.YAMLError as ever, also for a value that is not what its tag says; BoundError for what is too deep,
    slow, refers to itself, or repeats itself by aliases to more than ``YAML_VALUES`` values.
    """
    loader = None
    try:
        loader = _Loader(text, where)
        node = loader.get_single_node()
        if node is None:
            return None, None
        _expanded(node, where, {})
        _each_key_once(node)
        return node, loader.construct_document(node)
    except (ValueError, ArithmeticError, LookupError, AttributeError, TypeError) as error:
        raise yaml.YAMLError(f"a value is not what it looks like: {reason(error)}") from error
    finally:
        if loader is not None:
            loader.dispose()


def _expanded(node: yaml.Node, where: object, known: dict[int, int]) -> int:
    """Return how many values a node stands for with its aliases written out."""
    if isinstance(node, yaml.ScalarNode):
        return 1
    key = id(node)
    if key in known:
        if known[key] == 0:
            raise BoundError(f"{where}: the YAML refers to itself")
        return known[key]
    known[key] = 0
    inner = (
        node.value if isinstance(node, yaml.SequenceNode) else [n for p in node.value for n in p]
    )
    total = 1 + sum(_expanded(each, where, known) for each in inner)
    if total > YAML_VALUES:
        raise BoundError(
            f"{where}: the YAML repeats itself by aliases to more than {YAML_VALUES} values"
        )
    known[key] = total
    return total


def _each_key_once(node: yaml.Node) -> None:
    """Refuse a key that is written twice, of which YAML would silently take the last."""
    if isinstance(node, yaml.SequenceNode):
        for item in node.value:
            _each_key_once(item)
    elif isinstance(node, yaml.MappingNode):
        first: dict[str, int] = {}
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value != "<<":
                if key.value in first:
                    raise yaml.MarkedYAMLError(
                        problem=f"'{key.value}' is there twice, first in line {first[key.value]}",
                        problem_mark=key.start_mark,
                    )
                first[key.value] = key.start_mark.line + 1
            _each_key_once(value)
