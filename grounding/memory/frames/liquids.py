"""Frames of vessels and their contents, and of screens and what they show."""

from __future__ import annotations

from collections.abc import Sequence

from commonground.grounding.memory.english.clause import Clause
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.events import Become, Drain, Event, Fill, Tune
from commonground.grounding.memory.frames.participants import SOURCES
from commonground.grounding.memory.frames.situation import Roles
from commonground.grounding.memory.frames.states import StateFrames
from commonground.grounding.memory.house import Accepts
from commonground.grounding.memory.senses.states import State
from commonground.grounding.memory.unclear import Unclear


class LiquidFrames(StateFrames):
    """A vessel is filled or emptied; a screen shows a channel."""

    def _contents(self, clause: Clause, roles: Roles) -> list[Event] | None:
        """A vessel is filled with something, or emptied."""
        upon = self._surfaces(clause)
        if upon and clause.verb is not None and not clause.verb.is_copula:
            return None
        liquid = next((m for m in clause.mentions if self._is_liquid(m)), None)
        key = liquid.thing if liquid is not None else self._liquid_meant(clause)
        cues = [s for s, _ in self.cues(clause) if s.concepts == ("contents",)]
        vessels = self._vessels(clause, upon, cued=bool(cues))
        emptied = self._nothing_in(clause, self.house.is_vessel)
        if emptied is not None:
            vessel = self.linker.one(emptied, self.house.is_vessel, self._context(clause, roles))
            return [Drain(vessel, actor=self._actor(roles.actor))]
        if not vessels:
            if liquid is not None and cues and not self._about_water(clause):
                return self._liquid_alone(key)
            return None
        inner = next((m.content for m in vessels if m.content is not None), None)
        if key is None and self._is_moved(clause, roles, cues, content=inner):
            return None
        vessels = [m for m in vessels if self._is_certain(m, clause, roles)]
        meant = vessels[-1] if liquid is not None else vessels[0]
        vessel = self.linker.one(meant, self.house.is_vessel, self._context(clause, roles))
        if self._is_drained(clause, liquid, vessels, cues):
            return [Drain(vessel, actor=self._actor(roles.actor))]
        content = key or (inner.thing if inner is not None else None)
        return self._filled(clause, roles, vessel, content)

    def _filled(
        self, clause: Clause, roles: Roles, vessel: str, content: str | None
    ) -> list[Event] | None:
        """A vessel has something in it; what, must be known."""
        if content is not None:
            return [Fill(vessel, content, actor=self.person_of(roles.actor))]
        if not self.is_negated(clause):
            raise Unclear(f"what is in '{self.names.things[vessel].name}' now?", "unclear")
        relation = self.meanings.state_relation("contents", self.names.kind(vessel))
        if relation is None:
            return None
        return [Become(vessel, relation, not self.meanings.relations[relation].inverted)]

    def _is_liquid(self, mention: Mention) -> bool:
        named = mention.kind == "value" and mention.thing is not None
        return named and self.names.is_liquid(mention.thing or "")

    def _surfaces(self, clause: Clause) -> list[Mention]:
        """``spilled it over the towel``."""
        over = ("on", "onto", "over", "across", "upon")
        return [m for p, m in clause.places if p in over and self.is_items(m)]

    def _vessels(self, clause: Clause, upon: Sequence[Mention], *, cued: bool) -> list[Mention]:
        """Return the phrases that may mean vessels, those of ``all in the mug`` too."""
        found = [m for m in clause.mentions if m.kind in ("thing", "pronoun") and m not in upon]
        found = [m for m in found if self._may_be_vessel(m, self.house.is_vessel)]
        groups = [m for m in clause.mentions if m.kind == "group"] if cued else []
        inner = [m for group in groups for _, m in group.where]
        return found + [m for m in inner if self._may_be_vessel(m, self.house.is_vessel)]

    def _is_moved(
        self, clause: Clause, roles: Roles, cues: Sequence[State], *, content: Mention | None
    ) -> bool:
        """Return whether a clause without a liquid moves the vessel, or says nothing of what is in it."""
        if not cues:
            return True
        moves = bool(self.classes(clause) & {"place", "release"})
        if moves and any(self.is_spot(m) for _, m in roles.goals):
            return True
        if content is not None or any(not cue.positive for cue in cues):
            return False
        return not clause.does("fill refill top replenish") and not self.is_negated(clause)

    def _is_certain(self, mention: Mention, clause: Clause, roles: Roles) -> bool:
        """``filled a mug`` means one that is known only where there is just one."""
        if not mention.indefinite:
            return True
        return (
            len(self.linker.some(mention, self.house.is_vessel, self._context(clause, roles))) == 1
        )

    def _nothing_in(self, clause: Clause, is_vessel: Accepts) -> Mention | None:
        """``There is nothing left in the mug``: the vessel."""
        for mention in clause.mentions:
            if mention.kind == "group" and mention.determiner == "no":
                beside = [m for _, m in (*mention.where, *clause.places)]
                if clause.subject is not None and self.classes(clause) & {"contain", "hold"}:
                    beside.append(clause.subject)
                return next(
                    (m for m in beside if m.kind == "thing" and self._may_be_vessel(m, is_vessel)),
                    None,
                )
        return None

    def _may_be_vessel(self, mention: Mention, is_vessel: Accepts) -> bool:
        if mention.kind == "pronoun" and mention.pronoun not in ("it", "this"):
            return False
        return self.linker.may_be(mention, is_vessel)

    def _liquid_meant(self, clause: Clause) -> str | None:
        """Return the liquid just spoken of that a pronoun means."""
        if not any(m.kind == "pronoun" and m.pronoun in ("it", "this") for m in clause.mentions):
            return None
        latest = self.discourse.now.themes[:1]
        return latest[0] if latest and self.names.is_liquid(latest[0]) else None

    def _about_water(self, clause: Clause) -> bool:
        """Return whether running water is meant: a tap is near."""
        return any(
            m.kind == "thing"
            and self.linker.may_be(
                m, lambda t: self.meanings.state_relation("flow", self.names.kind(t)) is not None
            )
            for m in clause.mentions
        )

    def _liquid_alone(self, key: str | None) -> list[Event]:
        """``made some coffee``, remembered for ``put it in the mug``; ``drank the tea``, from its vessel."""
        if key is not None:
            self.discourse.now.note("themes", key)
        return []

    def _is_drained(
        self, clause: Clause, liquid: Mention | None, vessels: list[Mention], cues: list[State]
    ) -> bool:
        """Return whether a clause about a vessel says that it lost its content."""
        negative = any(not cue.positive for cue in cues)
        positive = any(cue.positive for cue in cues)
        lost = bool(
            {"away", "out", "off", "down"}
            & {*clause.particles, *(p for p, m in clause.places if m not in vessels)}
        ) and not (set(clause.particles) & {"up"})
        taken = any(prep in SOURCES and m in vessels for prep, m in clause.places)
        none = liquid is not None and liquid.determiner == "no"
        into = any(prep in ("into", "to") and m in vessels for prep, m in clause.places)
        if into and not lost:
            drained = False
        elif taken or lost or none:
            drained = True
        elif negative and positive:
            drained = liquid is None
        else:
            drained = negative
        return drained != (self.is_negated(clause) and not none)

    # ---- screens

    def _channel(self, clause: Clause, roles: Roles) -> list[Event] | None:
        """A screen shows a channel."""
        ordered = [*(m for p, m in clause.places if p in ("to", "onto", "on")), *clause.mentions]
        channel = next(
            (
                m.thing
                for m in ordered
                if m.kind == "value" and m.thing and self.names.is_channel(m.thing)
            ),
            None,
        )
        if channel is None:
            return None

        def is_screen(thing: str) -> bool:
            return self.names.relation("channel", thing, channel) is not None

        context = self._context(clause, roles)
        near = [n for m in clause.mentions for n in (m, *(w for _, w in m.where))]
        screens = [m for m in near if m.kind == "thing" and self.linker.may_be(m, is_screen)]
        if screens:
            screen: str | None = self.linker.one(screens[0], is_screen, context)
        else:
            screen = self.discourse.latest(is_screen, "themes", "things")
            known = [t for t in self.names.things if is_screen(t)]
            if screen is None and len(known) == 1:
                screen = known[0]
        if screen is None:
            self.discourse.now.channel = channel
            return []
        return [Tune(screen, channel, actor=self._actor(roles.actor))]
