"""Things and areas with tags for names: each is read as its symbol, which every reader and check knows.

``valve V-102`` is ``O3``, whatever joins the letters and the number, and whether its class is said or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from commonground.grounding.nodes import Nodes
from commonground.grounding.words.nouns import spoken
from commonground.grounding.words.tags import Tags, is_apart, is_tag, key_of
from commonground.scene import SceneGraph

_SYMBOL = re.compile(r"[OPR]\d+")
_LISTED = re.compile(
    r"\s*(?:[,/&–-]|\b(?:and|or|to|through)\b)+\s*\d+\s*(?:[,.;!?]|$|\b(?:and|or)\b)"
)
"""Behind a tag a bare number is one more of them, which only who reads numbers knows: ``V-101 and 102``."""


class Tagged:
    """Finds the tags of a map in texts.

    What is written like the symbol of a node means that node, whatever the names of others hold.
    """

    def __init__(
        self, graph: SceneGraph, layers: Sequence[Nodes], symbols: Iterable[str] = ()
    ) -> None:
        self._nodes = {symbol.casefold() for symbol in symbols}
        owners: dict[str, dict[str, str]] = {}
        self._kinds: dict[str, str] = {}
        for nodes in layers:
            for symbol, word, name in _called(graph, nodes):
                self._kinds[symbol] = spoken(word)
                owners.setdefault(key_of(name), {}).setdefault(symbol, name)
        own = {key: next(iter(said.items())) for key, said in owners.items() if len(said) == 1}
        self._symbols = {key: symbol for key, (symbol, _) in own.items()}
        self._tags = Tags(name for _, name in own.values())

    def plain(self, text: str) -> str:
        """Return a text that has symbols for tags."""
        made, end = "", 0
        for start, stop, name in self._said(text):
            symbol = self._symbols[key_of(name)]
            kind = re.escape(self._kinds[symbol]) or "(?!)"
            before = re.sub(rf"\b(?:the\s+)?(?:{kind}\s+)?$", "", text[end:start], flags=re.I)
            made, end = made + before + symbol, stop
        return made + text[end:]

    def as_said(self, message: str, text: str) -> str:
        """Return a message that calls things by the tags that a text has for them."""
        names = {self._symbols[key_of(name)]: text[a:b] for a, b, name in self._said(text)}
        return re.sub(r"\b[OPR]\d+\b", lambda one: names.get(one[0], one[0]), message)

    def _said(self, text: str) -> Iterator[tuple[int, int, str]]:
        for tag in self._tags.within(text):
            said = text[tag.start : tag.end]
            if said.casefold() in self._nodes:
                continue
            if not is_apart(said, tag.name) and not _LISTED.match(text, tag.end):
                yield tag


def _called(graph: SceneGraph, nodes: Nodes) -> Iterator[tuple[str, str, str]]:
    """Yield symbols and classes with each name that has a tag, and with each tag in one."""
    if not len(nodes):
        return
    layer = graph.layer(nodes.layer)
    given = (str(layer.metadata(row).get("called") or "") for row in range(len(layer)))
    words = graph.label_words(nodes.layer)  # what has no class may be called by its name alone
    every = zip(given, graph.proper_names(nodes.layer), nodes.symbols, words, strict=True)
    for called, name, symbol, word in every:
        for one in filter(None, (called, name, word) if _SYMBOL.fullmatch(symbol) else ()):
            tags = [part for part in one.split() if is_tag(part)]
            if tags or is_tag(one):
                yield from ((symbol, word, said) for said in (one, *tags))
