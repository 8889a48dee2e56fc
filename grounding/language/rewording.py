"""A text in plainer words, where its own are plain in what they mean but few readers know them."""

from __future__ import annotations

from commonground.grounding.english.reader import MAX_CHARACTERS
from commonground.grounding.language.mentions import Mention, things_in
from commonground.grounding.language.parser import OfflineParser
from commonground.grounding.language.put_right import put_right
from commonground.grounding.language.universal import universal
from commonground.grounding.nodes import NodeKind
from commonground.grounding.world import World

_NODES: tuple[NodeKind, ...] = ("object", "region")


class Rewording:
    """Says texts about one world in plainer words."""

    def __init__(self, world: World) -> None:
        self.world, self.parser = world, OfflineParser(world.names)
        self.robots = list(world.team.robots)

    def plainer(self, text: str) -> str:
        """Return a text with what was put right in its place, and with all of a kind called so."""
        if len(text) > MAX_CHARACTERS:
            return text  # that is not read at all
        text = put_right(text, self.parser.mentions, self._layer, self.robots)
        return universal(text, self.parser.mentions, self.robots)

    def _layer(self, mention: Mention) -> str:
        """Return the layer of the map that something belongs to."""
        thing = next(things_in(mention.what))
        if thing.ids and thing.ids[0][0].isalpha():
            return "region" if thing.ids[0][0] == "R" else "object"
        if thing.kind in _NODES:
            return thing.kind
        return next((k for k in _NODES if self.world.pools(thing.noun, [k])), "object")
