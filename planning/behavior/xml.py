"""Behavior trees as XML of BehaviorTree.CPP version 4, and back.

Waiting is the library's own ``Precondition`` decorator, which answers RUNNING until its script is true;
flags are variables of the blackboard, cleared by a ``Script`` node at the beginning. So an executor has to
bring the leaves and nothing else.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import partial
from xml.etree import ElementTree
from xml.parsers import expat

from commonground.errors import PlanningError
from commonground.planning.behavior.tree import (
    Action,
    BehaviorTree,
    Condition,
    Failing,
    Fallback,
    Node,
    Parallel,
    Part,
    Pause,
    Retry,
    Sequence,
    Timeout,
    WaitFor,
    children_of,
)

FORMAT = "4"
GROUPS: dict[str, Callable[[tuple[Node, ...]], Node]] = {
    "Sequence": Sequence,
    "Fallback": Fallback,
    "Parallel": Parallel,
    "ParallelAll": partial(Parallel, to_the_end=True),
}
_WORD = re.compile(r"[A-Za-z]\w*")
_RESERVED = {"ID", "name"}
_OWN = re.compile(
    r"Action|Always(Failure|Success)|Async(Fallback|Sequence)|Condition|ConsumeQueue|Control|Decorator|Delay|"
    r"EntryUpdatedAction|Fallback|Force(Failure|Success)|IfThenElse|Inverter|KeepRunningUntilFailure|"
    r"Loop(Bool|Double|Int|String)|Parallel(All)?|Precondition|Reactive(Fallback|Sequence)|Repeat|"
    r"RetryUntilSuccessful|RunOnce|Script(Condition)?|Sequence(WithMemory)?|(Uns|S)etBlackboard|"
    r"SkipUnlessUpdated|Sleep|SubTree|Switch[2-6]|Timeout|WaitValueUpdate|WasEntryUpdated|WhileDoElse"
)
"""Nodes of the library, which a leaf cannot be called like."""


def tree_xml(tree: BehaviorTree) -> str:
    """Return a tree as a document that BehaviorTree.CPP 4 loads and Groot2 shows."""
    root = ElementTree.Element("root", BTCPP_format=FORMAT, main_tree_to_execute=tree.name)
    body = _tree(root, tree.name)
    flags = tree.flags()
    if flags:
        body = ElementTree.SubElement(body, "Sequence", name="begin")
        cleared = "; ".join(f"{flag} := false" for flag in flags)
        ElementTree.SubElement(body, "Script", code=cleared, name="nothing is done yet")
    _write(tree.root, body)
    names = [tree.name, *(part.name for part in tree.parts())]
    if len(set(names)) < len(names):
        raise PlanningError(f"two trees of '{tree.name}' have one name; name them apart")
    for part in tree.parts():
        _write(part.child, _tree(root, part.name))
    _write_models(tree, ElementTree.SubElement(root, "TreeNodesModel"))
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, "unicode") + "\n"


def _tree(root: ElementTree.Element, name: str) -> ElementTree.Element:
    return ElementTree.SubElement(root, "BehaviorTree", ID=name)


def _write(node: Node, parent: ElementTree.Element) -> None:
    if isinstance(node, Action):
        _write_action(node, parent)
    elif isinstance(node, Condition):
        ElementTree.SubElement(parent, "Condition", attributes_of(node))
    elif isinstance(node, Pause):
        pause = ElementTree.SubElement(parent, "Sleep", msec=str(_milliseconds(node.seconds)))
        if node.done_flag:
            pause.set("_onSuccess", f"{node.done_flag} := true")
    elif isinstance(node, Part):
        # flags are of all robots: what a tree does not know it asks of the one above
        ElementTree.SubElement(parent, "SubTree", ID=node.name, _autoremap="true")
    else:
        if isinstance(node, Parallel) and node.to_the_end:
            # the library refuses a number of failures that can never be
            parent = ElementTree.SubElement(parent, "ForceSuccess")
        element = ElementTree.SubElement(parent, *_control(node))
        for child in children_of(node):
            _write(child, element)


def _control(
    node: Sequence | Parallel | Fallback | WaitFor | Retry | Timeout | Failing,
) -> tuple[str, dict[str, str]]:
    """Return the library's name of a node with children, and its attributes."""
    match node:
        case WaitFor():
            return "Precondition", {"if": " && ".join(node.flags), "else": "RUNNING"}
        case Parallel(to_the_end=True):
            return "ParallelAll", {"max_failures": "-1"}
        case Parallel():
            return "Parallel", {"success_count": "-1", "failure_count": "1"}
        case Retry():
            return "RetryUntilSuccessful", {"num_attempts": str(node.attempts)}
        case Timeout():
            return "Timeout", {"msec": str(round(1000 * node.seconds))}
        case Failing():
            return "ForceFailure", {}
    return type(node).__name__, {}


def _milliseconds(seconds: float) -> int:
    """Return a time that is never shorter."""
    return math.ceil(1000 * seconds - 1e-6)


def attributes_of(leaf: Action | Condition) -> dict[str, str]:
    """Return a leaf's attributes; PlanningError for what XML or the library would read otherwise."""
    for word in (leaf.kind, *(port for port, _ in leaf.ports)):
        if not _WORD.fullmatch(word) or word in _RESERVED:
            raise PlanningError(
                f"'{word}' cannot name an action or port in XML; use letters, digits and _, not "
                "'ID' or 'name'"
            )
    if _OWN.fullmatch(leaf.kind):
        raise PlanningError(
            f"'{leaf.kind}' is a node of BehaviorTree.CPP itself; give the action another name"
        )
    values = dict(leaf.ports)
    for word, value in values.items():
        if value.startswith("{") and value.endswith("}"):
            raise PlanningError(
                f"{word}='{value}' would be read as a blackboard entry, not a value"
            )
    if not "".join((leaf.label, *values.values())).isprintable():
        raise PlanningError(f"{leaf.label!r} has characters that XML cannot hold")
    return {"ID": leaf.kind, "name": leaf.label, **values}


def _write_action(action: Action, parent: ElementTree.Element) -> None:
    attributes = attributes_of(action)
    if action.started_flag:  # the flag is set in the tick in which the action starts
        parent = ElementTree.SubElement(parent, "Sequence")
        ElementTree.SubElement(parent, "Script", code=f"{action.started_flag} := true")
    if action.done_flag:
        attributes["_onSuccess"] = f"{action.done_flag} := true"
    ElementTree.SubElement(parent, "Action", attributes)


def _write_models(tree: BehaviorTree, parent: ElementTree.Element) -> None:
    """Declare each kind of leaf with its ports, for editors and for checking by the executor."""
    for tag, leaves in (("Action", tree.actions()), ("Condition", tree.conditions())):
        ports: dict[str, dict[str, None]] = {}
        for leaf in leaves:
            ports.setdefault(leaf.kind, {}).update(dict.fromkeys(port for port, _ in leaf.ports))
        for kind in sorted(ports):
            element = ElementTree.SubElement(parent, tag, ID=kind)
            for port in ports[kind]:
                ElementTree.SubElement(element, "input_port", name=port, type="std::string")
    for part in tree.parts():
        ElementTree.SubElement(parent, "SubTree", ID=part.name)


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
    parts = {e.get("ID", ""): e for e in root if e.tag == "BehaviorTree" and e is not trees[0]}
    return BehaviorTree(trees[0].get("ID", "plan"), _read(top, source, parts))


def _clears(element: ElementTree.Element) -> bool:
    return element.tag == "Script" and ":= false" in element.get("code", "")


def _read(element: ElementTree.Element, source: str, parts: dict[str, ElementTree.Element]) -> Node:
    where = f"{source}, line {element.get('#line')}"
    children = list(element)
    match element.tag, [child.tag for child in children]:
        case "Action" | "Condition" | "Sleep" as tag, []:
            return _read_leaf(tag, element, where)
        case "SubTree", [] if element.get("ID", "") in parts:
            part = parts.pop(element.get("ID", ""))  # each is used once, so none can contain itself
            if len(part) != 1:
                raise PlanningError(f"{where}: a BehaviorTree has one child, this one {len(part)}")
            return Part(part.get("ID", ""), _read(part[0], source, parts))
        case "Sequence", ["Script", "Action"] if started := _set_by(children[0]):
            return _read_action(children[1], started)
        case "ForceSuccess", ["ParallelAll"]:
            return _read(children[0], source, parts)
        case tag, [first, *_] if tag in GROUPS and first != "Script":
            return GROUPS[tag](tuple(_read(child, source, parts) for child in children))
        case _, [_]:
            decorated = _decorated(element, _read(children[0], source, parts), where)
            if decorated is not None:
                return decorated
    raise PlanningError(f"{where}: <{element.tag}> is not a node that plans are made of")


def _read_leaf(tag: str, element: ElementTree.Element, where: str) -> Node:
    if tag == "Action":
        return _read_action(element, "")
    if tag == "Sleep":
        return Pause(_seconds(element, where), _done(element.get("_onSuccess", "")))
    kind, name, values = _leaf(element)
    return Condition(kind, tuple(values.items()), name)


def _decorated(element: ElementTree.Element, child: Node, where: str) -> Node | None:
    """Return a node with one child; None for one that plans are not made of."""
    try:
        match element.tag:
            case "Precondition" if element.get("else") == "RUNNING":
                flags = (flag.strip() for flag in element.get("if", "").split("&&"))
                return WaitFor(tuple(flags), child)
            case "RetryUntilSuccessful":
                return Retry(int(element.get("num_attempts", "")), child)
            case "Timeout":
                return Timeout(_seconds(element, where), child)
            case "ForceFailure":
                return Failing(child)
    except ValueError as error:
        raise PlanningError(f"{where}: <{element.tag}> has no number where one is due") from error
    return None


def _seconds(element: ElementTree.Element, where: str) -> float:
    try:
        return int(element.get("msec", "")) / 1000
    except ValueError as error:
        raise PlanningError(f"{where}: <{element.tag}> has no number where one is due") from error


def _done(code: str) -> str:
    """Return the flag that is set when a leaf has succeeded."""
    return code.partition(":=")[0].strip()


def _set_by(script: ElementTree.Element) -> str:
    """Return the flag that a script sets."""
    return _done(script.get("code", ""))


def _read_action(element: ElementTree.Element, started: str) -> Action:
    kind, name, values = _leaf(element)
    done = _done(values.pop("_onSuccess", ""))
    return Action(kind, tuple(values.items()), name, done, started)


def _leaf(element: ElementTree.Element) -> tuple[str, str, dict[str, str]]:
    """Return the kind of a leaf, its name where it is another word, and its other attributes."""
    values = {k: v for k, v in element.attrib.items() if k != "#line"}
    kind, name = values.pop("ID", ""), values.pop("name", "")
    return kind, "" if name == kind else name, values


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
