"""Frames of vessels and their contents, and of screens and what they show."""

from __future__ import annotations

from collections.abc import Sequence

from commonground.grounding.english.utterance import Clause as Said
from commonground.grounding.english.utterance import Phrase
from commonground.grounding.memory.english.clause import Clause
from commonground.grounding.memory.english.mention import Mention, is_none
from commonground.grounding.memory.english.state_words import State
from commonground.grounding.memory.readers.grammar.frames.situation import SOURCES, Roles
from commonground.grounding.memory.readers.grammar.frames.states import StateFrames


class LiquidFrames(StateFrames):
    """A vessel is filled or emptied; a screen shows a channel."""

    def _contents(self, clause: Clause, roles: Roles) -> list[Said] | None:
        """A vessel is filled with something, or emptied."""
        upon = self._surfaces(clause)
        if upon and clause.verb is not None and not clause.verb.is_copula:
            return None
        liquid = next(filter(self.may_be_liquid, clause.mentions), self._liquid_meant(clause))
        cues = [s for s, _ in self.cues(clause) if s.concepts == ("contents",)]
        vessels = self._vessels(clause, upon, cued=bool(cues))
        emptied = self._nothing_in(clause)
        if emptied is not None:
            return [self._drained(emptied, roles)]
        if not vessels:
            return self._liquid_alone(clause, liquid) if cues else None
        inner = next((m.content for m in vessels if m.content is not None), None)
        if liquid is None and self._is_moved(clause, roles, cues, content=inner):
            return None
        meant = vessels[-1] if liquid is not None else vessels[0]
        if self._is_drained(clause, liquid, vessels, cues):
            return [self._drained(meant, roles)]
        return [self._filled(clause, roles, meant, liquid or inner)]

    def _drained(self, vessel: Mention, roles: Roles) -> Said:
        theme = self.mentions.phrase(vessel, self.house.is_vessel)
        return Said("empty", "tell", agent=self.agent(roles.actor), theme=theme)

    def _filled(
        self, clause: Clause, roles: Roles, vessel: Mention, content: Mention | None
    ) -> Said:
        """A vessel has something in it; what, must be known, or else only that it is not empty."""
        theme, agent = self.mentions.phrase(vessel, self.house.is_vessel), self.agent(roles.actor)
        if content is None and self.is_negated(clause):
            return Said("be empty", "tell", theme=theme, negated=True)
        words = self.names.things[content.thing].name if content and content.thing else ""
        named = self.mentions.span(words, content) if content is not None else None
        return Said("fill", "tell", agent=agent, theme=theme, content=named)

    def _surfaces(self, clause: Clause) -> list[Mention]:
        """``spilled it over the towel``."""
        over = ("on", "onto", "over", "across", "upon")
        return [m for p, m in clause.places if p in over and self.is_items(m)]

    def _vessels(self, clause: Clause, upon: Sequence[Mention], *, cued: bool) -> list[Mention]:
        """Return the phrases that may mean vessels, those of ``all in the mug`` too."""
        found = [m for m in clause.mentions if m.kind in ("thing", "pronoun") and m not in upon]
        groups = [m for m in clause.mentions if m.kind == "group"] if cued else []
        found += [m for group in groups for _, m in group.where]
        return [*filter(self._may_be_vessel, found)]

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

    def _nothing_in(self, clause: Clause) -> Mention | None:
        """``There is nothing left in the mug``: the vessel."""
        for mention in clause.mentions:
            if mention.kind == "group" and mention.determiner == "no":
                beside = [m for _, m in (*mention.where, *clause.places)]
                if clause.subject is not None and self.classes(clause) & {"contain", "hold"}:
                    beside.append(clause.subject)
                vessels = (m for m in beside if m.kind == "thing" and self._may_be_vessel(m))
                return next(vessels, None)
        return None

    def _may_be_vessel(self, mention: Mention) -> bool:
        if mention.kind == "pronoun" and mention.pronoun not in ("it", "this"):
            return False
        return self.mentions.may_be(mention, self.house.is_vessel)

    def _liquid_meant(self, clause: Clause) -> Mention | None:
        """Return the liquid just spoken of that a pronoun means."""
        pronouns = (m for m in clause.mentions if m.kind == "pronoun")
        meant = any(m.pronoun in ("it", "this") for m in pronouns)
        return next(filter(self.may_be_liquid, self.mentions.themes[:1] if meant else ()), None)

    def _liquid_alone(self, clause: Clause, liquid: Mention | None) -> list[Said] | None:
        """``made some coffee``, remembered for ``put it in the mug``."""
        if liquid is None or self._about_water(clause) or is_none(liquid):
            return None
        self.mentions.themes.insert(0, liquid)
        return []

    def _about_water(self, clause: Clause) -> bool:
        """Return whether running water is meant: a tap is near."""
        flow = self.names.meanings.state_relation
        return any(
            m.kind == "thing"
            and self.mentions.may_be(m, lambda t: flow("flow", self.names.kind(t)) is not None)
            for m in clause.mentions
        )

    def _is_drained(
        self,
        clause: Clause,
        liquid: Mention | None,
        vessels: Sequence[Mention],
        cues: Sequence[State],
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

    def _channel(self, clause: Clause, roles: Roles) -> list[Said] | None:
        """A screen shows a channel."""
        ordered = [*(m for p, m in clause.places if p in ("to", "onto", "on")), *clause.mentions]
        named = (m for m in ordered if m.kind == "value")
        channel = next((m for m in named if self.mentions.may_be(m, self.names.is_channel)), None)
        if channel is None or channel.thing is None:
            return None
        near = [n for m in clause.mentions for n in (m, *(w for _, w in m.where))]
        screens = [m for m in near if m.kind == "thing"]
        screens = [m for m in screens if self.mentions.may_be(m, self.house.is_screen)]
        words = self.mentions.span(self.names.things[channel.thing].name, channel)
        screen = self.mentions.one(screens[0]) if screens else self._screen()
        if screen is None:
            self.channel = words
            return []
        agent = self.agent(roles.actor)
        return [Said("tune", "tell", agent=agent, theme=screen, content=words)]

    def _screen(self) -> Phrase | None:
        """Return the only screen, else the one that was spoken of."""
        known = [*filter(self.house.is_screen, self.names.things)]
        if len(known) > 1:
            told = (
                m for m in self.mentions.things if self.mentions.may_be(m, self.house.is_screen)
            )
            before = any(map(self.house.is_screen, self.mentions.spoken_of()))
            return next(filter(None, map(self.mentions.one, told)), Phrase() if before else None)
        return self.mentions.somebody(known[0]) if known else None
