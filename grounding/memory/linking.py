"""Entity linking: which thing of the world a noun phrase means, or that it cannot be told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from commonground.grounding.knowledge.index import View
from commonground.grounding.memory.discourse import Discourse
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.house import Accepts, House, Setting
from commonground.grounding.memory.names import EXACT, Names
from commonground.grounding.memory.unclear import Unclear


class Linker:
    """Finds what phrases mean in a world, in the light of what was said before."""

    def __init__(
        self, names: Names, view: View, discourse: Discourse, speaker: str | None = None
    ) -> None:
        self.names = names
        self.view = view
        self.house = House(names, view)
        self.discourse = discourse
        self.speaker = speaker
        self.barred: str | None = None
        """Who acts in the clause: ``him`` and ``her`` in it mean somebody else."""
        self.subject: Mention | None = None
        """The phrase that says who acts."""

    # ---- one thing ------------------------------------------------------------------------------

    def one(self, mention: Mention, accepts: Accepts, setting: Setting | None = None) -> str:
        """Return the thing a phrase means, or raise Unclear."""
        found = self.some(mention, accepts, setting)
        if not found:
            raise self._unknown(mention)
        if len(found) > 1:
            names = ", ".join(self.names.things[key].name for key in sorted(found)[:4])
            raise Unclear(f"which one is meant by '{mention.words}': {names}?", "ambiguous")
        return found[0]

    def _unknown(self, mention: Mention) -> Unclear:
        if mention.kind == "pronoun" or mention.kind == "place word":
            return Unclear(f"what does '{mention.words}' mean here?", "ambiguous")
        phrase = mention.words.replace(" 's", "'s")
        return Unclear(f"nothing known here is called '{phrase}'", "unknown")

    def some(self, mention: Mention, accepts: Accepts, setting: Setting | None = None) -> list[str]:
        """Return what a phrase may mean: one thing where it is clear, several where it is not, or none."""
        if mention.thing is not None and mention.kind in ("person", "value"):
            return [mention.thing] if accepts(mention.thing) else []
        if mention.kind in ("pronoun", "place word"):
            found = self.pronoun(mention, accepts)
            return [found] if found is not None else []
        if mention.kind != "thing":
            return []
        return self._narrowed(mention, self.candidates(mention, accepts), setting or Setting())

    def may_be(self, mention: Mention, accepts: Accepts) -> bool:
        """Return whether a phrase could mean something acceptable, whatever it turns out to mean."""
        if mention.kind in ("person", "value"):
            return mention.thing is not None and accepts(mention.thing)
        if mention.kind == "pronoun":
            return self.pronoun(mention, accepts) is not None
        if mention.kind == "several":
            return all(self.may_be(part, accepts) for part in mention.parts)
        if mention.kind != "thing":
            return False
        return any(accepts(thing) for thing in self._by_noun(mention))

    def _by_noun(self, mention: Mention) -> Mapping[str, int]:
        if mention.head == ("",):
            return {t: EXACT for levels in self.names.levels.values() for t in levels}
        return self.names.called(mention.head)

    # ---- pronouns -------------------------------------------------------------------------------

    def pronoun(self, mention: Mention, accepts: Accepts) -> str | None:
        """Return what a pronoun means."""
        which = mention.pronoun
        latest = self.discourse.latest
        if which == "i":
            return self.speaker if self.speaker is not None and accepts(self.speaker) else None
        if which == "you":
            return next((robot for robot in self.names.robots if accepts(robot)), None)
        if which in ("he", "she"):
            return self._third_person(mention, accepts, which)
        if which == "there":
            return latest(accepts, "places", "things")
        if which in ("it", "this"):
            person = self.names.is_person
            return latest(lambda t: accepts(t) and not person(t), "themes", "things", "places")
        if which == "they":
            return latest(accepts, "subjects", "people") or latest(accepts, "themes", "things")
        return None

    def _third_person(self, mention: Mention, accepts: Accepts, pronoun: str) -> str | None:
        """Return the person last spoken of; who acts is not ``him`` or ``her`` in the same clause."""
        free = mention.possessive or mention is self.subject
        barred = None if free else self.barred
        return self.discourse.latest(
            lambda t: accepts(t) and t != barred and self._is_called(t, pronoun),
            "subjects",
            "people",
            "owners",
        )

    def _is_called(self, thing: str, pronoun: str) -> bool:
        if not self.names.is_person(thing) or thing == self.speaker:
            return False
        return self.names.things[thing].traits.get("pronoun", pronoun) in (pronoun, "they")

    # ---- candidates -----------------------------------------------------------------------------

    def candidates(self, mention: Mention, accepts: Accepts) -> dict[str, int]:
        """Return all things a description fits, with how directly the noun names them."""
        known = {t: rank for t, rank in self._by_noun(mention).items() if accepts(t)}
        known = self._of_owner(mention, known)
        known = {
            t: r for t, r in known.items() if mention.attributes <= self.names.names[t].attributes
        }
        if mention.ordinal is not None:
            known = {t: r for t, r in known.items() if self._has_ordinal(t, mention.ordinal)}
        for _, where in mention.where:
            known = self._at(known, where)
        if mention.holder is not None:
            holder = self.some(mention.holder, lambda t: True)
            known = self._softly(known, lambda t: self.house.location(t) in holder)
        if mention.content is not None and mention.content.thing is not None:
            content = mention.content.thing
            known = self._softly(
                known, lambda t: any(f.object == content for f in self.view.about(t))
            )
        for state in mention.states:
            known = self._softly(known, partial(self.house.is_in, state=state))
        return known

    def _of_owner(self, mention: Mention, known: dict[str, int]) -> dict[str, int]:
        names = self.names.names
        if mention.shared:
            unowned = {t: r for t, r in known.items() if names[t].owner is None}
            return unowned or known
        if mention.owner is None:
            return known
        owner = mention.owner
        if owner.kind == "thing":
            return self._at(known, owner)
        who = self.some(owner, self.names.is_person)
        if not who:
            return {}
        return {t: r for t, r in known.items() if self.house.owner(t) in who}

    def _has_ordinal(self, thing: str, ordinal: int) -> bool:
        name = self.names.names[thing]
        if name.whole is None:
            return False
        levels = self.names.levels[name.whole]
        place = levels.index(thing) + 1
        if ordinal == 0:
            return len(levels) % 2 == 1 and place == (len(levels) + 1) // 2
        return place == ordinal if ordinal > 0 else place == len(levels) + 1 + ordinal

    def _at(self, known: dict[str, int], where: Mention) -> dict[str, int]:
        """Keep the things a place description fits; things that can move only where some do."""
        spots = set(self._spots(where))
        if not spots:
            return known if where.kind in ("pronoun", "place word") else {}
        return self.house.at(known, spots)

    def _spots(self, where: Mention) -> list[str]:
        """Return the rooms, fixtures and levels a place phrase may mean."""
        if where.kind in ("pronoun", "place word"):
            found = self.pronoun(where, lambda t: self.names.is_place(t) or self.names.is_room(t))
            return [found] if found else []
        if where.kind != "thing":
            return []
        known = self.candidates(where, self.house.is_fixed)
        best = min(known.values(), default=0)
        return [t for t, rank in known.items() if rank == best]

    def _softly(self, known: dict[str, int], test: Callable[[str], bool]) -> dict[str, int]:
        """Keep what passes a test, or everything where nothing does: memory may be behind the speaker."""
        return {t: r for t, r in known.items() if test(t)} or known

    # ---- choosing -------------------------------------------------------------------------------

    def _narrowed(self, mention: Mention, known: dict[str, int], setting: Setting) -> list[str]:
        """Choose between the candidates of a description: near, then spoken of, then as the clause says."""
        actor = filter(None, [setting.actor])
        told = self.discourse.before
        spoken = self.house.rooms_of(told.places + told.themes if mention.ordinal is None else ())
        here = [] if mention.where else [*setting.rooms, *map(self.house.room, actor), *spoken]
        now = self.discourse.now
        bare = mention.owner is None and bool(mention.attributes)
        tests: list[Accepts] = [
            lambda t: t in now.themes[:1],
            lambda t: t in now.themes or t in now.things,
            lambda t: self.names.is_item(t) and self.house.is_at(t, setting.spots),
            lambda t: bare and self.names.is_item(t) and self.names.names[t].owner is None,
        ]
        return self.house.chosen(known, here, tests)
