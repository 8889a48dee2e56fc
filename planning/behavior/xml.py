"""Behavior trees as XML of BehaviorTree.CPP version 4, and back.

Waiting is the library's own ``Precondition`` decorator, which answers RUNNING until its script is true;
flags are variables of the blackboard, cleared by a ``Script`` node at the beginning. So an executor has to
bring the leaves and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree import ElementTree
from xml.parsers import expat

from commonground.errors import PlanningError
from commonground.planning.behavior.tree import (
    Action,
    BehaviorTree,
    Node,
    Parallel,
    Sequence,
    WaitFor,
)

FORMAT = "4"
_WORD = re.compile(r"[A-Za-z]\w*")
_RESERVED = {"ID", "name"}


def tree_xml(tree: BehaviorTree) -> str:
    """Return a tree as a document that BehaviorTree.CPP 4 loads and Groot2 shows."""
    root = ElementTree.Element("root", BTCPP_format=FORMAT, main_tree_to_execute=tree.name)
    body = ElementTree.SubElement(root, "BehaviorTree", ID=tree.name)
    flags = tree.flags()
    if flags:
        body = ElementTree.SubElement(body, "Sequence", name="begin")
        cleared = "; ".join(f"{flag} := false" for flag in flags)
        ElementTree.SubElement(body, "Script", code=cleared, name="nothing is done yet")
    _write(tree.root, body)
    _write_models(tree.actions(), ElementTree.SubElement(root, "TreeNodesModel"))
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, "unicode") + "\n"


def _write(node: Node, parent: ElementTree.Element) -> None:
    if isinstance(node, Action):
        _write_action(node, parent)
    elif isinstance(node, WaitFor):
        condition = {"if": " && ".join(node.flags), "else": "RUNNING"}
        _write(node.child, ElementTree.SubElement(parent, "Precondition", condition))
    elif isinstance(node, Sequence):
        element = ElementTree.SubElement(parent, "Sequence")
        for child in node.children:
            _write(child, element)
    else:
        element = ElementTree.SubElement(parent, "Parallel", success_count="-1", failure_count="1")
        for child in node.children:
            _write(child, element)


def _write_action(action: Action, parent: ElementTree.Element) -> None:
    for word in (action.kind, *(port for port, _ in action.ports)):
        if not _WORD.fullmatch(word) or word in _RESERVED:
            raise PlanningError(
                f"'{word}' cannot name an action or port in XML; use letters, digits and _, not "
                "'ID' or 'name'"
            )
    values = dict(action.ports)
    for word, value in values.items():
        if value.startswith("{") and value.endswith("}"):
            raise PlanningError(
                f"{word}='{value}' would be read as a blackboard entry, not a value"
            )
    if not "".join((action.label, *values.values())).isprintable():
        raise PlanningError(f"{action.label!r} has characters that XML cannot hold")
    if action.started_flag:  # the flag is set in the tick in which the action starts
        parent = ElementTree.SubElement(parent, "Sequence")
        ElementTree.SubElement(parent, "Script", code=f"{action.started_flag} := true")
    attributes = {"ID": action.kind, "name": action.label, **values}
    if action.done_flag:
        attributes["_onSuccess"] = f"{action.done_flag} := true"
    ElementTree.SubElement(parent, "Action", attributes)


def _write_models(actions: Iterable[Action], parent: ElementTree.Element) -> None:
    """Declare each kind of leaf with its ports, for editors and for checking by the executor."""
    ports: dict[str, dict[str, None]] = {}
    for action in actions:
        ports.setdefault(action.kind, {}).update(dict.fromkeys(port for port, _ in action.ports))
    for kind in sorted(ports):
        element = ElementTree.SubElement(parent, "Action", ID=kind)
        for port in ports[kind]:
            ElementTree.SubElement(element, "input_port", name=port, type="std::string")


def parse_tree(text: str, source: str = "tree") -> BehaviorTree:
    """Read a tree that ``tree_xml`` has written; anything else is refused with its line."""
    root = _elements(text, source)
    main = root.get("main_tree_to_execute")
    trees = [e for e in root if e.tag == "BehaviorTree" and main in (None, e.get("ID"))]
    if root.tag != "root" or root.get("BTCPP_format") != FORMAT or len(trees) != 1:
        raise PlanningError(f"{source} is not a behavior tree of format 4 with one main tree")
    children = list(trees[0])
    if len(children) != 1:
        raise PlanningError(f"{source}: a BehaviorTree has one child, this one {len(children)}")
    top = children[0]
    if top.tag == "Sequence" and len(top) == 2 and _clears(top[0]):
        top = top[1]
    return BehaviorTree(trees[0].get("ID", "plan"), _read(top, source))


def _clears(element: ElementTree.Element) -> bool:
    return element.tag == "Script" and ":= false" in element.get("code", "")


def _read(element: ElementTree.Element, source: str) -> Node:
    where = f"{source}, line {element.get('#line')}"
    children = list(element)
    match element.tag, [child.tag for child in children]:
        case "Action", _:
            return _read_action(element, "")
        case "Precondition", [_] if element.get("else") == "RUNNING":
            flags = tuple(flag.strip() for flag in element.get("if", "").split("&&"))
            return WaitFor(flags, _read(children[0], source))
        case "Sequence", ["Script", "Action"] if started := _set_by(children[0]):
            return _read_action(children[1], started)
        case "Sequence", [first, *_] if first != "Script":
            return Sequence(tuple(_read(child, source) for child in children))
        case "Parallel", [_, *_]:
            return Parallel(tuple(_read(child, source) for child in children))
    raise PlanningError(f"{where}: <{element.tag}> is not a node that plans are made of")


def _set_by(script: ElementTree.Element) -> str:
    """Return the flag that a script sets."""
    return script.get("code", "").partition(":=")[0].strip()


def _read_action(element: ElementTree.Element, started: str) -> Action:
    values = {k: v for k, v in element.attrib.items() if k != "#line"}
    kind, name = values.pop("ID", ""), values.pop("name", "")
    done = values.pop("_onSuccess", "").partition(":=")[0].strip()
    return Action(kind, tuple(values.items()), "" if name == kind else name, done, started)


def _elements(text: str, source: str) -> ElementTree.Element:
    """Parse XML without document types or entities of its own, keeping line numbers."""
    builder = ElementTree.TreeBuilder()
    parser = expat.ParserCreate()

    def refuse(*_: object) -> None:
        line = parser.CurrentLineNumber
        raise PlanningError(
            f"{source}, line {line}: a document type is not part of a behavior tree"
        )

    def start(tag: str, attributes: dict[str, str]) -> None:
        builder.start(tag, {**attributes, "#line": str(parser.CurrentLineNumber)})

    parser.StartDoctypeDeclHandler = refuse
    parser.StartElementHandler = start
    parser.EndElementHandler = builder.end
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        raise PlanningError(
            f"{source}, line {error.lineno}: {expat.ErrorString(error.code)}"
        ) from error
    return builder.close()
