"""Frames of how things are: open, lit, clean, broken, ringing."""

from __future__ import annotations

from collections.abc import Iterator

from commonground.grounding.memory.english.clause import Clause, VerbGroup
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.events import Become, Event, Tune
from commonground.grounding.memory.frames.participants import CHORES, GOALS
from commonground.grounding.memory.frames.situation import Roles, Situation
from commonground.grounding.memory.house import Accepts
from commonground.grounding.memory.names import PART, TYPE
from commonground.grounding.memory.senses.states import State


class StateFrames(Situation):
    """Something is, or was made, open, lit, clean, broken and so on."""

    def cues(self, clause: Clause) -> Iterator[tuple[State, Mention]]:
        """Yield what a clause says about how something is, with the phrase that it is about."""
        described = _described(clause)
        if clause.verb is not None:
            yield from self._group_cues(clause, clause.verb, described)
        if described is not None:
            for _, states in clause.words:
                yield from ((state, described) for state in states)
            for particle in clause.particles:
                yield from ((state, described) for state in self.lexicon.states.get(particle, ()))
            yield from self._noun_cues(clause)

    def _group_cues(
        self, clause: Clause, verb: VerbGroup, described: Mention | None
    ) -> Iterator[tuple[State, Mention]]:
        """Yield what a verb says with its particles, adjectives and prepositions."""
        if verb.is_copula and verb.rest:
            yield from self._word_cues(" ".join(verb.rest), described)
        if verb.progressive:
            yield from self._word_cues(verb.word, described)
        outer = clause.governor
        if clause.kind == "gerund" and outer is not None and outer.complemented and outer.verb:
            yield from self._verb_cues(outer.verb.lemma, (verb.word,), clause.subject)
        rests = [verb.rest, *((*verb.rest, p) for p in clause.particles)] if verb.rest else []
        rests += [(p,) for p in clause.particles]
        rests += [tuple(w.split()) for w, _ in clause.words]
        for rest in rests:
            yield from self._verb_cues(verb.lemma, rest, described)
        yield from self._place_cues(clause, verb)
        moved = "place" in self.classes(clause) and any(p in GOALS for p, _ in clause.places)
        if not moved and not any(self.lexicon.verb(verb.lemma, rest) for rest in rests):
            yield from self._verb_cues(verb.lemma, (), described)

    def _place_cues(self, clause: Clause, verb: VerbGroup) -> Iterator[tuple[State, Mention]]:
        """``somebody is calling on the phone``, ``a light shone over the desk``."""
        subject = clause.subject
        if subject is not None and subject.pronoun in ("someone", None):
            for _, mention in clause.places:
                calls = self._verb_cues(verb.lemma, (), mention)
                yield from (cue for cue in calls if cue[0].concepts == ("sound",))
        lying = subject is not None and self.is_items(subject) and not self.can_act(subject)
        for prep, mention in clause.places if not lying or verb.passive else ():
            yield from self._verb_cues(verb.lemma, (prep,), mention)

    def _verb_cues(
        self, lemma: str, rest: tuple[str, ...], about: Mention | None
    ) -> list[tuple[State, Mention]]:
        entry = self.lexicon.verb(lemma, rest)
        return [] if entry is None or about is None else [(state, about) for state in entry.states]

    def _word_cues(self, phrase: str, about: Mention | None) -> list[tuple[State, Mention]]:
        return (
            []
            if about is None
            else [(state, about) for state in self.lexicon.states.get(phrase, ())]
        )

    def _noun_cues(self, clause: Clause) -> Iterator[tuple[State, Mention]]:
        """``gave the mug a wash``, ``needs a wash``: a noun made of the verb."""
        for mention in clause.mentions:
            if mention.kind != "unknown" or not mention.head:
                continue
            others = [
                m
                for m in (*clause.objects, clause.subject, *(m for _, m in clause.places))
                if m is not None and m is not mention
            ]
            for lemma in self.lexicon.lemmas(mention.head[-1]):
                entry = self.lexicon.verb(lemma)
                for other in others:
                    yield from ((state, other) for state in (entry.states if entry else ()))

    def _state(self, clause: Clause, roles: Roles) -> list[Event] | None:
        """Something is, or was made, open, lit, clean, broken and so on."""
        for state, mention in self.cues(clause):
            if {"contents", "channel"} & {*state.concepts}:
                continue
            found = self._become(state, mention, clause, roles)
            if found is not None:
                return found
        dirt = self._dirt(clause)
        for mention in clause.mentions if dirt is not None else ():
            found = self._become(dirt, mention, clause, roles) if dirt is not None else None
            if found is not None:
                return found
        return None

    def _dirt(self, clause: Clause) -> State | None:
        """Something that dirties what it is on is named."""
        words = {w for m in clause.mentions for w in (m.head or (m.words,))} | {*clause.unknown}
        liquids = any(
            m.kind == "value" and m.thing and self.names.is_liquid(m.thing) for m in clause.mentions
        )
        return (
            State(("cleanliness",), False)
            if words & set(self.lexicon.data["dirt"]) or liquids
            else None
        )

    def _become(
        self, state: State, mention: Mention, clause: Clause, roles: Roles
    ) -> list[Event] | None:
        def accepts(thing: str) -> bool:
            return self.house.relation(thing, state) is not None

        target = self._state_target(mention, clause, accepts)
        if target is None:
            return None
        chore = target.plural or target.head[-1:] in CHORES or mention.kind == "pronoun"
        if chore and not target.every and clause.does("do"):
            return None  # "did the dishes" does not say which, "did it" not what
        negated = self.is_negated(clause) or "no" in (target.determiner, mention.determiner)
        positive = state.positive != negated
        if target.every:
            things = self._all_of(target, accepts, clause, roles)
        else:
            things = [self.linker.one(target, accepts, self._context(clause, roles))]
        actor = self._state_actor(clause, roles, target)
        events: list[Event] = []
        for thing in things:
            relation = self.house.relation(thing, state)
            if relation is not None:
                value = positive != self.meanings.relations[relation].inverted
                events.append(Become(thing, relation, value, actor=actor))
                events += self._announced(thing, actor)
        return events

    def _announced(self, thing: str, actor: str | None) -> list[Event]:
        """A channel that was named before the screen it is on."""
        channel = self.discourse.now.channel
        if channel is None or self.names.relation("channel", thing, channel) is None:
            return []
        self.discourse.now.channel = None
        return [Tune(thing, channel, actor=actor)]

    def _state_actor(self, clause: Clause, roles: Roles, target: Mention) -> str | None:
        if (
            clause.governor is not None
            and clause.kind == "gerund"
            and clause.subject in clause.governor.objects
        ):
            made = clause.is_done_by("leave keep get set have let")
            return self._actor(clause.governor.subject) if made else None
        return self._actor(roles.actor) if roles.actor is not target else None

    def _all_of(
        self, mention: Mention, accepts: Accepts, clause: Clause, roles: Roles
    ) -> list[str]:
        known = self.linker.candidates(mention, accepts)
        context = self._context(clause, roles)
        spots = {
            s
            for _, m in roles.goals
            if m is not mention and self.is_spot(m)
            for s in self._spot_candidates(m)
        }
        if spots and not mention.where:
            known = {t: r for t, r in known.items() if self.house.is_at(t, spots)} or known
        inside = [t for t in known if self.names.names[t].room in context.rooms]
        without = {t for m in mention.excluding for t in self._all_of(m, accepts, clause, roles)}
        return [t for t in sorted(inside or known) if t not in without]

    def _state_target(self, mention: Mention, clause: Clause, accepts: Accepts) -> Mention | None:
        """Return the phrase for the thing itself where only a part of it stands in the role."""
        beside = [
            m
            for prep, m in clause.places
            if m is not mention
            and prep in ("at", "in", "into", "of", "on", "from", "over")
            and m.kind == "thing"
            and self.linker.may_be(m, accepts)
        ]
        if mention.kind == "value":
            part = mention.thing is not None and self._names_part(
                self.names.things[mention.thing].name, accepts
            )
            return beside[0] if beside and part else None
        if mention.kind == "group":
            return None
        if not self.linker.may_be(mention, accepts):
            return None
        ranks = [r for t, r in self.names.called(mention.head).items() if accepts(t)]
        if (
            beside
            and ranks
            and min(ranks) >= TYPE
            and not mention.where
            and not self.is_items(beside[0])
        ):
            return beside[0]
        return mention

    def _names_part(self, noun: str, accepts: Accepts) -> bool:
        return any(
            r == PART and accepts(t) for t, r in self.names.called(tuple(noun.split())).items()
        )


def _described(clause: Clause) -> Mention | None:
    """Return what an adjective or the verb itself of a clause is about."""
    if clause.verb is not None and not clause.verb.passive and clause.objects:
        return clause.objects[0]
    return clause.subject
