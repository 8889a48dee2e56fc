"""What a clause is about: who and what stands in which role, by the construction and the types of a world."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from commonground.grounding.english.utterance import Clause as Said
from commonground.grounding.english.utterance import Group, Phrase, Reference, Span
from commonground.grounding.memory.english.clause import Clause
from commonground.grounding.memory.english.lexicon import Lexicon
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.interpretation.unclear import Unclear
from commonground.grounding.memory.readers.grammar.frames.mentions import Mentions
from commonground.grounding.words.nouns import word_set

GOALS = word_set(
    "in into on onto to at inside within atop upon over across under by beneath underneath against"
)
CHORES = (("laundry",), ("washing",), ("dishes",), ("washing-up",), ("wash",), ("up",))
HOUSE = (("house",), ("home",), ("flat",), ("apartment",), ("building",))
SOURCES = frozenset(("from", "off", "out of", "out"))
_HANDLING = frozenset(["take", "hold", "give", "receive", "release", "place", "observe"])
_OLD_PLACE = frozenset(["place", "spot", "position", "location", "home", "slot", "where"])
_ACTING = word_set("i you he she we someone nobody everyone who")
"""Pronouns of those who can act."""


@dataclass(slots=True)
class Roles:
    """Who and what a clause is about, by construction."""

    actor: Mention | None
    theme: Mention | None
    extra: Mention | None = None
    """A second object: ``gave Ben the mug``."""
    goals: list[tuple[str, Mention]] = field(default_factory=list)
    sources: list[tuple[str, Mention]] = field(default_factory=list)
    others: list[tuple[str, Mention]] = field(default_factory=list)


class Situation:
    """A world and what is being said: what the phrases of a clause may mean."""

    def __init__(self, mentions: Mentions, lexicon: Lexicon) -> None:
        self.mentions = mentions
        self.names = mentions.names
        self.house = mentions.house
        self.lexicon = lexicon
        self.swapped = False
        """The sentence says that two things have each other's places."""
        self.released: list[tuple[Mention, Phrase]] = []
        """Who let go of what: he is where it is put."""
        self.said: list[Said] = []
        """What the text has said so far."""
        self.channel: Span | None = None
        """A channel named before its screen."""
        self.cleared_by: Phrase | None = None
        """Who emptied a place: he is where all that is put."""
        self.unplaced: list[Mention] = []
        """What was moved, nobody has said where yet."""
        self.source: Phrase | None = None
        """The place that was emptied: ``the rest`` is what is still there."""

    def begin(self, clause: Clause) -> None:
        """Note who acts in a clause, whom its other pronouns then do not mean."""
        self.mentions.barred, self.mentions.subject = None, clause.subject
        self.mentions.barred = self.mentions.person(clause.subject)

    def roles_of(self, clause: Clause) -> Roles:
        """Return who and what a clause is about."""
        verb = clause.verb
        objects = [m for m in clause.objects if m.kind != "place word"]
        leaves = verb is not None and verb.rest == ("out", "of") and objects
        left = (
            [objects.pop(0)]
            if leaves and self.mentions.may_be(objects[0], self._is_spot_thing)
            else []
        )
        if verb is not None and verb.passive:
            actor, theme = clause.agent, clause.subject
            extra = objects[0] if objects else None
        elif verb is None or verb.is_copula or clause.existential or not objects:
            actor = clause.subject if self.can_act(clause.subject) else None
            theme, extra = (None if actor is not None else clause.subject), None
        else:
            actor, theme = clause.subject, objects[0]
            extra = objects[1] if len(objects) > 1 else None
        roles = Roles(actor, theme, extra, sources=[("out of", m) for m in left])
        places = [
            (p, m) for p, m in clause.places if not (m.kind == "unknown" and m.head[-1:] in HOUSE)
        ]
        if not objects and actor is not None and verb is not None and theme is None:
            listed = self._listed_object(clause)
            if listed is not None:
                roles.theme = listed[1]
                places.remove(listed)
        for prep, mention in places:
            group = (
                roles.goals if prep in GOALS else roles.sources if prep in SOURCES else roles.others
            )
            group.append((prep, mention))
        if clause.object_preposition in GOALS and objects:
            roles.goals.insert(0, (clause.object_preposition, objects[0]))
        roles.goals += [("in", m) for m in clause.objects if m.kind == "place word"]
        return roles

    def _listed_object(self, clause: Clause) -> tuple[str, Mention] | None:
        """Return the noun phrase of a verb listed with its preposition: ``reached for the mug``."""
        classes_of = self.lexicon.classes_of
        listed = ((p, m) for p, m in clause.places if classes_of(clause.lemma, (p,)) & _HANDLING)
        return next(listed, None)

    @staticmethod
    def is_negated(clause: Clause) -> bool:
        """Return whether a clause says that something is not so."""
        verb = clause.verb
        negated = clause.negated != (verb is not None and verb.negated)
        nobody = any(
            m is not None and m.pronoun == "nobody" for m in (clause.subject, clause.agent)
        )
        return negated != nobody

    # ---- people

    def can_act(self, mention: Mention | None) -> bool:
        """Return whether a phrase is one for somebody."""
        if mention is None:
            return False
        if mention.kind == "several":
            return all(map(self.can_act, mention.parts))
        if mention.kind == "pronoun":
            return mention.pronoun in _ACTING
        if mention.kind == "unknown":
            return self.is_stranger(mention)
        return mention.kind == "person" or self.mentions.may_be(mention, self.names.is_robot)

    def is_stranger(self, mention: Mention) -> bool:
        """Return whether an unknown phrase is somebody's name or kind."""
        if mention.kind != "unknown":
            return False
        return mention.capital or bool(set(mention.head) & set(self.lexicon.data["strangers"]))

    def agent(self, mention: Mention | None) -> Phrase | None:
        """Return who acts, as a phrase; the first of several, and nobody where it is somebody unknown."""
        if mention is None:
            return None
        if mention.kind == "several":
            return self.agent(mention.parts[0])
        if self.is_stranger(mention):
            raise Unclear(f"nobody known here is called '{mention.words}'", "unknown")
        return self._known(mention) if self.can_act(mention) else None

    def _known(self, mention: Mention) -> Phrase | None:
        """Return somebody as a phrase; None for ``we``, and for whoever speaks unnamed."""
        unnamed = mention.pronoun == "i" and self.mentions.speaker is None
        unknown = unnamed or mention.pronoun in ("we", "everyone")
        return None if unknown else self.mentions.one(mention)

    def is_hand_or_agent(self, mention: Mention) -> bool:
        """Return whether a phrase is one for somebody, or for somebody's hands."""
        pronouns = ("i", "you", "he", "she", "who", "someone")
        return (
            mention.kind in ("hand", "person")
            or (mention.kind == "pronoun" and mention.pronoun in pronouns)
            or (mention.kind == "thing" and self.mentions.may_be(mention, self.names.is_robot))
            or (mention.kind == "unknown" and mention.capital)
        )

    def holder(self, mention: Mention) -> Phrase | None:
        """Return whose hand it is, or who it is."""
        if mention.kind == "hand" and mention.owner is None and not mention.determiner:
            return self.agent(self.mentions.subject)
        return self._known(mention)

    # ---- places

    def is_room(self, mention: Mention) -> bool:
        """Return whether a phrase names a room."""
        if mention.kind != "thing" or mention.ordinal is not None:
            return False
        known = self.names.called(mention.head)
        ranks = {t: r for t, r in known.items() if self.names.is_room(t)}
        return bool(ranks) and min(ranks.values()) <= min(known.values())

    def is_spot(self, mention: Mention) -> bool:
        """Return whether a phrase can be a place to put things, or may be meant as one."""
        if mention.kind == "place word":
            return bool(self.said) or self.mentions.knows_place()
        if mention.kind == "unknown":
            idle = mention.head[-1:] and mention.head[-1] in self.lexicon.data["nowhere"]
            return not idle and not self.is_old_place(mention)
        return (
            mention.kind in ("thing", "pronoun")
            and not self.is_room(mention)
            and self.mentions.may_be(mention, self._is_spot_thing)
        )

    def _is_spot_thing(self, thing: str) -> bool:
        return not self.names.is_item(thing) and (
            self.names.is_place(thing) or self.names.is_whole(thing)
        )

    @staticmethod
    def is_old_place(mention: Mention) -> bool:
        """``its old place``."""
        return bool(mention.head) and mention.head[-1] in _OLD_PLACE

    def place(self, mention: Mention) -> Reference | None:
        """Return a place as a phrase; None where it is the one spoken of before: ``there``."""
        if mention.kind == "place word" and not self.said:
            return self.mentions.latest_place()
        return self.mentions.phrase(mention, self.house.is_fixed)

    def inside(self, clause: Clause) -> Phrase | None:
        """Return what was spoken of last that things are put into: ``opened the oven, put it in``."""
        inner = {"in", "inside"} & {*clause.particles, *(clause.verb.rest if clause.verb else ())}
        placed = "place" in self.lexicon.classes_of(clause.lemma)
        if not inner or clause.unknown or not placed:  # "in each other's places"
            return None
        before = filter(self._is_spot_thing, self.mentions.spoken_of())
        return self.mentions.latest_place() or next(map(self.mentions.somebody, before), None)

    # ---- things

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
        return self.mentions.may_be(mention, self.names.is_item)

    def items(self, mention: Mention, clause: Clause, roles: Roles | None = None) -> Reference:
        """Return movable things as a phrase: ``everything``, ``the rest`` are those of a place."""
        if mention.kind == "group" or (mention.every and mention.kind == "thing"):
            return self._group(mention, clause, roles or Roles(None, None))
        return self.mentions.phrase(mention, self.names.is_item) or Phrase()

    def _group(self, mention: Mention, clause: Clause, roles: Roles) -> Phrase:
        found = self.mentions.one(mention) or Phrase()
        if mention.kind == "thing" and self._is_generic(mention):
            found = self.mentions.group(mention)
        if found.everything:
            self.source = found.located
        elif found == Phrase() or mention.other:
            found = self._all_there(found, roles, others=mention.other)
        excluded = [*clause.excluding, *(m for p, m in clause.places if p == "except")]
        return found if found.but is not None else self.mentions.without(found, excluded)

    def _is_generic(self, mention: Mention) -> bool:
        """Return whether a noun is that of any movable thing."""
        known = self.names.called(mention.head)
        return not mention.head or len(known) >= sum(map(self.names.is_item, self.names.things))

    def _all_there(self, found: Phrase, roles: Roles, *, others: bool) -> Phrase:
        """Return all that is where the clause says, or where others were taken from before."""
        sources = [m for _, m in roles.sources if self.mentions.may_be(m, self.house.is_fixed)]
        where = self.mentions.one(sources[0]) if sources else None
        last = self.said[-1].theme if self.said else None
        several = isinstance(last, Group) or (last is not None and last.everything)
        if where is None and several and not others:
            return found
        where = where or self.source or self.mentions.latest_place()
        if where is None:
            return found
        self.source = where
        if found.noun is not None:
            return replace(found, located=where)
        but = last if others and isinstance(last, Phrase) and last.noun is not None else None
        but = None if but is None else Phrase(again=(but.noun,)) if but.noun is not None else None
        return Phrase(everything=True, located=where, but=but)

    # ---- who had it

    def releases(self, theme: Mention | None, who: Phrase | None) -> None:
        """Note who let go of a thing."""
        meant = self.meant(theme)
        if meant is not None and who is not None:
            self.released.insert(0, (meant, who))

    def meant(self, mention: Mention | None) -> Mention | None:
        """Return the phrase that a pronoun takes up, else the phrase itself."""
        if mention is None:
            return None
        return self.mentions.taken_up(mention, self.names.is_item) or mention

    def releaser(self, theme: Mention) -> Phrase | None:
        """Return who had a thing that is put somewhere, where the text says so."""
        meant = self.meant(theme)
        if theme.holder is not None:
            return self.mentions.one(theme.holder)
        same = (who for m, who in self.released if m is meant or _is_same(m, meant))
        all_of_it = theme.kind in ("group", "pronoun") and not theme.where
        return next(same, self.cleared_by if all_of_it else None)

    # ---- verbs

    def classes(self, clause: Clause) -> frozenset[str]:
        """Return the classes of a clause's verb with its particles, else of the bare verb."""
        return classes_of(clause, self.lexicon)


def _is_same(one: Mention, other: Mention | None) -> bool:
    """Return whether two phrases are in the same words."""
    return other is not None and one.head == other.head and one.attributes == other.attributes


def classes_of(clause: Clause, lexicon: Lexicon) -> frozenset[str]:
    """Return the classes of a clause's verb with its particles, else of the bare verb."""
    verb = clause.verb
    if verb is None:
        return frozenset()
    found: set[str] = set()
    if verb.lemma == "get" and verb.perfect and not verb.past and not verb.rest:
        return frozenset(("hold",))
    preps: Sequence[tuple[str, ...]] = [(p,) for p, _ in clause.places]
    first = [verb.rest] if verb.rest else []
    for rest in (*first, *((p,) for p in clause.particles), *preps, ()):
        classes = lexicon.classes_of(verb.lemma, rest)
        if classes:
            found |= classes
            if rest not in preps:
                break
    present = verb.form == "third" or (verb.progressive and not verb.past)
    if found >= {"take", "hold"} and present and not verb.passive:
        found.discard("take")
    return frozenset(found)
