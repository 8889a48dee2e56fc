"""Frames of how things are: open, lit, clean, broken, ringing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from commonground.grounding.english.utterance import Clause as Said
from commonground.grounding.english.utterance import Phrase, Reference, Sense
from commonground.grounding.memory.english.clause import Clause, VerbGroup
from commonground.grounding.memory.english.mention import Mention, is_none
from commonground.grounding.memory.english.state_words import State
from commonground.grounding.memory.interpretation.house import Accepts
from commonground.grounding.memory.ontology.names import PART, TYPE
from commonground.grounding.memory.readers.grammar.frames.situation import (
    CHORES,
    GOALS,
    Roles,
    Situation,
)

_SENSES: Mapping[tuple[str, bool], Sense] = {
    ("openness", True): "be open",
    ("openness", False): "be closed",
    ("power", True): "be on",
    ("power", False): "be off",
    ("flow", True): "run water",
    ("flow", False): "stop water",
    ("cleanliness", True): "be clean",
    ("cleanliness", False): "be dirty",
    ("heat", True): "be hot",
    ("heat", False): "be cold",
    ("damage", True): "be broken",
    ("damage", False): "work again",
    ("sound", True): "ring",
    ("sound", False): "silence",
    ("tidiness", True): "be made",
    ("tidiness", False): "be unmade",
}
"""What to say of each state."""
OPPOSITE: Mapping[Sense, Sense] = {
    **{sense: _SENSES[concept, not positive] for (concept, positive), sense in _SENSES.items()},
    "fill": "empty",
    "empty": "empty",
}
"""What ends what is complained of."""
DIRTY = State(("cleanliness",), positive=False)


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
            if mention.kind != "unknown" or not mention.head or is_none(mention):
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

    def _state(self, clause: Clause, roles: Roles) -> list[Said] | None:
        """Something is, or was made, open, lit, clean, broken and so on."""
        dirt = [(DIRTY, m) for m in clause.mentions] if self._is_dirty(clause) else []
        for state, mention in (*self.cues(clause), *dirt):
            if not {"contents", "channel"} & {*state.concepts}:
                found = self._become(state, mention, clause, roles)
                if found is not None:
                    return [found, *self._announced(found, mention)]
        return None

    def _announced(self, found: Said, mention: Mention) -> list[Said]:
        """A channel that was named before the screen it is on."""
        channel = self.channel
        if channel is None or not self.mentions.may_be(mention, self.house.is_screen):
            return []
        self.channel = None
        return [replace(found, sense="tune", content=channel, location=None)]

    def _is_dirty(self, clause: Clause) -> bool:
        """Return whether something that dirties what it is on is named."""
        words = {w for m in clause.mentions for w in (m.head or (m.words,))} | {*clause.unknown}
        liquid = any(m.kind == "value" and self.may_be_liquid(m) for m in clause.mentions)
        return liquid or bool(words & set(self.lexicon.data["dirt"]))

    def may_be_liquid(self, mention: Mention) -> bool:
        """Return whether a phrase names a liquid."""
        return mention.kind == "value" and self.mentions.may_be(mention, self.names.is_liquid)

    def _become(self, state: State, mention: Mention, clause: Clause, roles: Roles) -> Said | None:
        def accepts(thing: str) -> bool:
            return self.house.relation(thing, state) is not None

        target = self._state_target(mention, clause, accepts)
        none = is_none(mention)
        negated = none or (target is not None and self.is_negated(clause))
        negated = negated or (target is not None and target.determiner == "no")
        sense = _SENSES.get((state.concept, state.positive != negated))
        if target is None and none and self._is_part(mention, accepts):
            return None if sense is None else Said(sense, "tell")  # "no water anywhere"
        if target is None or sense is None:
            return None
        chore = target.plural or target.head[-1:] in CHORES or mention.kind == "pronoun"
        if chore and not target.every and clause.does("do"):
            return None  # "did the dishes" does not say which, "did it" not what
        theme = self._all_of(target, clause, roles, self.mentions.phrase(target, accepts))
        room = next((m for m in clause.mentions if m is not target and self.is_room(m)), None)
        return Said(
            sense,
            "tell",
            agent=self._state_agent(clause, roles, target),
            theme=theme,
            location=self.mentions.one(room) if room is not None else None,
        )

    def _all_of(
        self, target: Mention, clause: Clause, roles: Roles, found: Reference | None
    ) -> Reference | None:
        """``washed all the cups in the sink``: those that are there."""
        spots = [m for _, m in roles.goals if m is not target and self.is_spot(m)]
        if not target.every or target.where or not isinstance(found, Phrase) or not spots:
            return found
        return replace(found, located=self.mentions.one(spots[0]))

    def _state_agent(self, clause: Clause, roles: Roles, target: Mention) -> Phrase | None:
        governor = clause.governor
        if governor is not None and clause.kind == "gerund" and clause.subject in governor.objects:
            made = clause.is_done_by("leave keep get set have let")
            return self.agent(governor.subject) if made else None
        return self.agent(roles.actor) if roles.actor is not target else None

    def _state_target(self, mention: Mention, clause: Clause, accepts: Accepts) -> Mention | None:
        """Return the phrase for the thing itself where only a part of it stands in the role."""
        beside = [
            m
            for prep, m in clause.places
            if m is not mention
            and prep in ("at", "in", "into", "of", "on", "from", "over")
            and m.kind == "thing"
            and self.mentions.may_be(m, accepts)
        ]
        if mention.kind == "value":
            return beside[0] if beside and self._is_part(mention, accepts) else None
        if mention.kind == "group" or not self.mentions.may_be(mention, accepts):
            return None
        ranks = [r for t, r in self.names.called(mention.head).items() if accepts(t)]
        typed = bool(ranks) and min(ranks) >= TYPE and not mention.where
        return beside[0] if beside and typed and not self.is_items(beside[0]) else mention

    def _is_part(self, mention: Mention, accepts: Accepts) -> bool:
        """Return whether a phrase names what goes in or through things, as water does through a tap."""
        named = mention.kind == "value" and mention.thing is not None
        return named and self._names_part(self.names.things[mention.thing or ""].name, accepts)

    def _names_part(self, noun: str, accepts: Accepts) -> bool:
        return any(
            r == PART and accepts(t) for t, r in self.names.called(tuple(noun.split())).items()
        )


def _described(clause: Clause) -> Mention | None:
    """Return what an adjective or the verb itself of a clause is about."""
    if clause.verb is not None and not clause.verb.passive and clause.objects:
        return clause.objects[0]
    return clause.subject
