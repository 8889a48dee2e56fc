"""Who and what phrases can mean, by the types of a world: people, rooms, places and things."""

from __future__ import annotations

from collections.abc import Iterable

from commonground.grounding.memory.discourse import Discourse
from commonground.grounding.memory.effects import Effects
from commonground.grounding.memory.english.lexicon import Lexicon
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.house import Setting
from commonground.grounding.memory.linking import Linker
from commonground.grounding.memory.names import Names
from commonground.grounding.memory.unclear import Unclear
from commonground.grounding.words.nouns import word_set

GOALS = word_set(
    "in into on onto to at inside within atop upon over across under by beneath underneath against"
)
CHORES = (("laundry",), ("washing",), ("dishes",), ("washing-up",), ("wash",), ("up",))
HOUSE = (("house",), ("home",), ("flat",), ("apartment",), ("building",))
SOURCES = frozenset(("from", "off", "out of", "out"))
HANDLING = frozenset(["take", "hold", "give", "receive", "release", "place", "observe"])
OLD_PLACE = frozenset(["place", "spot", "position", "location", "home", "slot", "where"])
_ACTING = word_set("i you he she we someone nobody everyone who")
"""Pronouns of those who can act."""
_VAGUE = word_set("someone nobody we everyone this i")
"""Pronouns of those who need not be known."""


class Participants:
    """Tells what a phrase may stand for, and finds it."""

    def __init__(
        self, names: Names, linker: Linker, effects: Effects, discourse: Discourse, lexicon: Lexicon
    ) -> None:
        self.names = names
        self.meanings = names.meanings
        self.linker = linker
        self.house = linker.house
        self.effects = effects
        self.discourse = discourse
        self.lexicon = lexicon
        self.swapped = False
        """The sentence says that two things have each other's places."""

    def can_act(self, mention: Mention | None) -> bool:
        if mention is None:
            return False
        if mention.kind == "several":
            return all(map(self.can_act, mention.parts))
        if mention.kind == "pronoun":
            return mention.pronoun in _ACTING
        if mention.kind == "unknown":
            return self._is_stranger(mention)
        return mention.kind == "person" or self.linker.may_be(mention, self.names.is_robot)

    def _is_stranger(self, mention: Mention) -> bool:
        """Return whether an unknown phrase is somebody's name or kind."""
        if mention.kind != "unknown":
            return False
        return mention.capital or bool(set(mention.head) & set(self.lexicon.data["strangers"]))

    def person_of(self, mention: Mention | None) -> str | None:
        """Return the person or robot a phrase means, without complaint."""
        if mention is None:
            return None
        if mention.kind == "several":
            return self.person_of(mention.parts[0])
        found = self.linker.some(mention, self.house.is_someone)
        return found[0] if len(found) == 1 else None

    def actors(self, mention: Mention | None) -> list[str]:
        """Return who acts: nobody known for ``someone`` and for who speaks unnamed."""
        if mention is None:
            return []
        if mention.kind == "several":
            return [who for part in mention.parts for who in self.actors(part)]
        if mention.kind == "pronoun" and mention.pronoun in _VAGUE:
            return self.linker.some(mention, self.house.is_someone)
        if mention.kind == "unknown":
            if self._is_stranger(mention):
                raise Unclear(f"nobody known here is called '{mention.words}'", "unknown")
            return []
        if mention.kind in ("thing", "group", "value", "hand"):
            return []
        return [self.linker.one(mention, self.house.is_someone)]

    def _actor(self, mention: Mention | None) -> str | None:
        found = self.actors(mention)
        return found[0] if found else None

    def _hand_or_agent(self, mention: Mention) -> bool:
        return (
            mention.kind in ("hand", "person")
            or (
                mention.kind == "pronoun"
                and mention.pronoun in ("i", "you", "he", "she", "who", "someone")
            )
            or (mention.kind == "thing" and self.linker.may_be(mention, self.names.is_robot))
            or (mention.kind == "unknown" and mention.capital)
        )

    def _can_receive(self, mention: Mention) -> bool:
        return mention.kind != "hand" and self._hand_or_agent(mention)

    def _agent(self, mention: Mention) -> str | None:
        """Return whose hand it is, or who it is."""
        if mention.kind == "hand":
            if mention.owner is None and not mention.determiner:
                return self.linker.barred
            if mention.owner is None:
                return self.names.robots[0] if len(self.names.robots) == 1 else None
            return self._agent(mention.owner)
        if mention.kind == "thing":
            return self.linker.one(mention, self.names.is_robot)
        return self._actor(mention)

    def _is_room(self, mention: Mention) -> bool:
        """Return whether a phrase names a room."""
        if mention.kind != "thing" or mention.ordinal is not None:
            return False
        known = self.names.called(mention.head)
        ranks = {t: r for t, r in known.items() if self.names.is_room(t)}
        return bool(ranks) and min(ranks.values()) <= min(known.values())

    def _rooms(self, mentions: Iterable[Mention]) -> list[str]:
        return [self.linker.one(m, self.names.is_room) for m in mentions if self._is_room(m)]

    def is_spot(self, mention: Mention) -> bool:
        """Return whether a phrase can be a place to put things, or may be meant as one."""
        if mention.kind == "place word":
            return self.linker.pronoun(mention, self.names.is_place) is not None
        if mention.kind == "unknown":
            idle = mention.head[-1:] and mention.head[-1] in self.lexicon.data["nowhere"]
            return not idle and not self._is_old_place(mention)
        return (
            mention.kind in ("thing", "pronoun")
            and not self._is_room(mention)
            and self.linker.may_be(mention, self._is_spot_thing)
        )

    def _is_spot_thing(self, thing: str) -> bool:
        return not self.names.is_item(thing) and (
            self.names.is_place(thing) or self.names.is_whole(thing)
        )

    def _is_old_place(self, mention: Mention) -> bool:
        """``its old place``."""
        return bool(mention.head) and mention.head[-1] in OLD_PLACE

    def _place(self, mention: Mention, context: Setting) -> str:
        """Return the place a phrase means; a shelf is none, one of its levels is."""
        try:
            return self.linker.one(mention, self.names.is_place, context)
        except Unclear as unclear:
            if unclear.kind == "unknown" and self.linker.may_be(mention, self.names.is_whole):
                raise Unclear(f"which level of '{mention.words}'?", "ambiguous") from unclear
            raise

    def _spot_candidates(self, mention: Mention) -> list[str]:
        return self.linker.some(mention, lambda t: not self.names.is_item(t))

    def is_items(self, mention: Mention | None) -> bool:
        """Return whether a phrase can mean things that move."""
        if mention is None:
            return False
        if mention.kind == "group":
            return True
        if mention.kind == "several":
            return any(map(self.is_items, mention.parts))
        if mention.kind == "unknown":  # "had a moment" is about no thing
            passing = bool({*mention.head[-1:]} & {*self.lexicon.data["nowhere"]})
            return not (passing and mention.indefinite)
        return self.linker.may_be(mention, self.names.is_item)

    def _group_just_moved(self) -> tuple[str, ...]:
        """Return the things of the last event where there were several of them."""
        last = self.discourse.now.events[-1:]
        things = getattr(last[0], "things", ()) if last else ()
        return things if len(things) > 1 else ()

    def _is_generic(self, mention: Mention) -> bool:
        """Return whether a noun is that of any movable thing."""
        known = self.names.called(mention.head)
        return not mention.head or len(known) >= sum(map(self.names.is_item, self.names.things))
