"""A text in plainer words, where its own are plain in what they mean but few readers know them."""

from __future__ import annotations

import re

from commonground.grounding.english.reader import MAX_CHARACTERS, unreadable
from commonground.grounding.english.tokens import tokens_of
from commonground.grounding.language.area_names import in_full, things_in_areas
from commonground.grounding.language.contrast import contrast
from commonground.grounding.language.dealt import dealt
from commonground.grounding.language.excepted import excepted
from commonground.grounding.language.frames import unframed, unheld
from commonground.grounding.language.gapped import gapped
from commonground.grounding.language.in_order import in_order
from commonground.grounding.language.in_turn import in_turn
from commonground.grounding.language.latter import latter
from commonground.grounding.language.mentions import Mention
from commonground.grounding.language.named_before import named_before, unwaited
from commonground.grounding.language.narrowed import narrowed
from commonground.grounding.language.neighbors import neighbors_named
from commonground.grounding.language.owned import owned
from commonground.grounding.language.parser import parser_of
from commonground.grounding.language.partners import partners_named
from commonground.grounding.language.put_right import put_right
from commonground.grounding.language.settled import settled
from commonground.grounding.language.stories import Stories
from commonground.grounding.language.tellings import Known
from commonground.grounding.language.the_other import the_other
from commonground.grounding.language.whole_site import on_site
from commonground.grounding.language.word_order import plain_order
from commonground.grounding.linking import ALIKE
from commonground.grounding.meaning import things_in
from commonground.grounding.nodes import NodeKind
from commonground.grounding.words.nouns import spoken
from commonground.grounding.world import World

_OUT_OF = re.compile(
    r"\b(?P<what>(?:takes?|gets?|fetch(?:es)?|brings?|carr(?:y|ies)|moves?|grabs?|pulls?|lifts?|picks?(?:\s+up)?|clears?|removes?)\s+"
    r"(?:(?:me|us)\s+)?(?:the|an?|any|some|all|every|both|that|this|those|these|one|two|O\d+)\b"
    r"(?:(?!\b(?:and|is|are|keep|stay|steer|remain|off)\b)[^.;!?,])*?)(?<!['’]s)\s+(?:up\s+)?(?:out\s+of|off(?:\s+of)?)"
    r"\s+(?=(?:the|that|this|our|my|R\d+)\b|(?P<name>\w+(?:\s\w+)?))",
    re.IGNORECASE,
)
"""A thing is where it is taken out of, or off; ``the box that is out of the hall`` is not in it."""
_AND_INTO = re.compile(
    r"(\bfrom\s+(?:the|that|this|our|my)\b[^.;!?,]{1,40}?)\s+and\s+(into|onto)\b", re.I
)
_INSTEAD = re.compile(r"\s*[.;,]\s+(?:or\s+)?(?:alternatively|as\s+an\s+alternative)\s*,?\s+", re.I)
"""What follows may be done in place of what stands before it."""
_ROOM = re.compile(r"\s{3,}")
_NODES: tuple[NodeKind, ...] = ("object", "region")


class Rewording:
    """Says texts about one world in plainer words."""

    def __init__(self, world: World) -> None:
        self.world, self.parser = world, parser_of(world.names)
        self.robots = list(world.team.robots)

    def plainer(self, text: str) -> str:
        """Return a text with what was put right in its place, and with all of a kind called so.

        What the grammar reads as it was said is not put into words that it does not read.
        """
        if _is_unread(text):
            return text
        text = _ROOM.sub(
            lambda room: "\n" if "\n" in room[0] else " ", text
        )  # else looked through often
        text = on_site(unheld(self._with_areas(text)), self._is_called)
        text = partners_named(text, self.robots)
        text = in_turn(text, self.parser.mentions)
        text = in_order(text, self.parser.mentions, self.robots, self._is_one)
        plain = self._reworded(text)
        return text if plain != text and self._reads(text) and not self._reads(plain) else plain

    def _with_areas(self, text: str) -> str:
        """Return a text with areas called by their full names, and behind what is in them."""
        regions = self.world.regions
        named = [name for name in regions.names if " " in name]
        words = {
            word
            for nodes in (self.world.objects, regions)
            for w in nodes.words
            for word in w.split("_")
        }
        words |= {word.casefold() for word in (*self.robots, *self.world.spelled.shortened)}
        text = in_full(text, named, words)
        kinds = (spoken(word) for word in regions.by_class if "_" in word)
        return things_in_areas(text, named, kinds, self._is_object)

    def _is_object(self, word: str) -> bool:
        """Return whether things of the map are called so."""
        pool = self.world.linker.pool(word, self.world.objects)
        return pool is not None and pool.grade <= ALIKE

    def _reads(self, text: str) -> bool:
        return bool(self.parser.parse(text).meanings)

    def _reworded(self, text: str) -> str:
        find = self.parser.mentions
        text = _AND_INTO.sub(r"\1 \2", _OUT_OF.sub(self._taken_from, text))
        text = neighbors_named(_INSTEAD.sub(" or ", text), find, self._next_to)
        text = unframed(gapped(settled(text, self.robots), find, self.robots), self.robots)
        text = plain_order(text, find, self.robots)
        text = put_right(text, find, self._layer, self.robots)
        text = contrast(narrowed(text, find), find, self._is_same)
        text = the_other(latter(excepted(text, find), find, self.robots), find)
        return named_before(self._dealt(text), find, self._layer)

    def _taken_from(self, out: re.Match[str]) -> str:
        name = (out["name"] or "").casefold()
        areas = (area.casefold() for area in self.world.regions.names)
        return (
            f"{out['what']} from " if any(a.startswith(name) for a in areas) or not name else out[0]
        )

    def _dealt(self, text: str) -> str:
        """Return a text that tells each robot what is dealt out to it, in whatever words."""
        find, robots = self.parser.mentions, self.robots
        told = owned(text, find, robots)
        for said in dict.fromkeys((owned(text, find, robots, silent=True), told)):
            shared = dealt(said, find, robots, self._number_of)
            if shared != said:
                return shared
        return told

    def stories(self) -> Stories:
        """Return what sets aside what texts only tell."""
        known = Known(self.robots, self.world.spoken_names, self.is_known, self.is_area)
        return Stories(known, self.parser.mentions, self._number_of)

    def unwaited(self, text: str) -> tuple[str, list[str]]:
        """Return a text without whom somebody waits for, and that."""
        return (text, []) if _is_unread(text) else unwaited(text, self.is_known)

    def is_known(self, words: str) -> bool:
        """Return whether the world has a thing, an area or a robot that is called so."""
        said = words.split()
        pools = (self.world.pools(noun, _NODES)[:1] for noun in (words, said[0], said[-1]))
        known = any(pool.grade <= ALIKE for found in pools for pool in found)
        return known or bool(self.world.spoken_names.hints(said))

    def _is_called(self, word: str) -> bool:
        """Return whether a thing or an area of the map may be meant by a word, or one is called so."""
        areas = [(pool, row) for pool in self.world.pools(word, ["region"]) for row in pool.rows]
        names = (f"{p.nodes.names[row]} {p.nodes.words[row]}".split() for p, row in areas)
        called = any(word.casefold() in name for name in names)
        return called or len(areas) == 1 or bool(self.world.pools(word, ["object"]))

    def _is_one(self, noun: str, symbol: str) -> bool:
        """Return whether a noun may mean what has a symbol."""
        pools = self.world.pools(noun, _NODES)[:1]
        return any(pool.nodes.symbols[row] == symbol.upper() for pool in pools for row in pool.rows)

    def _is_same(self, one: str, other: str) -> bool:
        """Return whether two nouns mean the same things or areas of the map."""
        meant = [
            [(p.nodes.kind, *p.rows) for p in self.world.pools(n, _NODES)[:1]] for n in (one, other)
        ]
        return bool(meant[0]) and meant[0] == meant[1]

    def is_area(self, words: str) -> bool:
        """Return whether an area of the map may be meant by words."""
        return bool(self.world.pools(words, ["region"]))

    def _number_of(self, noun: str) -> int:
        """Return how many things or areas are called so."""
        return next((len(pool.rows) for pool in self.world.pools(noun, _NODES)), 0)

    def _next_to(self, mention: Mention) -> list[str] | None:
        """Return the areas that the map joins to an area; None for what is none."""
        regions, thing = self.world.regions, next(things_in(mention.what))
        if thing.ids:
            called = "".join(thing.ids).upper()
            known = {called, f"R{called}" * (self._layer(mention) == "region")}
            rows = [row for row in range(len(regions)) if regions.symbols[row] in known]
        else:
            pool = self.world.linker.pool(thing.noun, regions)
            sure = pool and (pool.exact or self._layer(mention) == "region")
            rows = pool.rows.tolist() if pool and sure else []
        if len(rows) != 1:
            return None
        return [regions.symbols[k] for k in self.world.graph.neighbors(regions.layer, rows[0])]

    def _layer(self, mention: Mention) -> str:
        """Return the layer of the map that something belongs to."""
        thing = next(things_in(mention.what))
        if thing.ids and thing.ids[0][0].isalpha():
            return "region" if thing.ids[0][0] == "R" else "object"
        if thing.kind in _NODES:
            return thing.kind
        return next((k for k in _NODES if self.world.pools(thing.noun, [k])), "object")


def _is_unread(text: str) -> bool:
    """Return whether nobody reads a text: looking for things in all its words would take long, too."""
    return len(text) > MAX_CHARACTERS or bool(unreadable(text, tokens_of(text)))
