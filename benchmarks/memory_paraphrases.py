"""How the offline reader of reports does on wordings made after it.

Use: python benchmarks/memory_paraphrases.py EPISODE… [--file WORDINGS] [--seed N] [--show]

Each wording of memory_data/paraphrases.yaml is filled with things of a world (the header of an
episode file of the household memory suites) in a random state, and the truth follows from the kind
of event, not from the reader.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter, defaultdict
from pathlib import Path

import yaml

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.files import load_world
from commonground.grounding.knowledge.groups import Groups
from commonground.grounding.knowledge.index import Draft, FactIndex
from commonground.grounding.knowledge.vocabulary import Vocabulary
from commonground.grounding.memory.discourse import Discourse
from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.memory.meanings import Meanings
from commonground.grounding.memory.names import Names
from commonground.grounding.memory.report import ReportReader

DATA = Path(__file__).parent / "memory_data"
ON, INTO = ("on", "onto", "off", "from"), ("in", "into", "out of", "from")
PRONOUNS = {"she": ("she", "her", "her", "herself"), "he": ("he", "his", "him", "himself")}
ORDINALS = {
    1: ("first", "bottom", "lowest"),
    2: ("second",),
    3: ("third",),
    4: ("fourth",),
    5: ("fifth",),
}
STATE = {
    "door": ("door_open", "open", "shut"), "lid": ("lid_open", "open", "shut"), "lamp": ("lit", "on", "off"),
    "tap": ("water_running", "on", "off"), "ring": ("ringing", "on", "off"),
    "dish": ("clean", "clean", "dirty"),
    "cloth": ("clean", "clean", "dirty"), "broken": ("broken", "broken", ""), "temp": ("hot", "hot", "cold"),
    "bed": ("bed_made", "made", "unmade"),
}  # fmt: skip
SLOT = {"door": "D", "lid": "C", "lamp": "L", "tap": "B", "ring": "phone", "dish": "X",
    "cloth": "X", "broken": "X",
        "temp": "X", "bed": "bed"}  # fmt: skip
KIND = {"door": "door", "lid": "closable", "lamp": "lamp", "tap": "basin", "ring": "phone",
    "dish": "dish", "cloth": "cloth",
        "broken": "item", "temp": "food", "bed": "bed"}  # fmt: skip
PRESENT = {"lid", "lamp", "tap", "bed"}


class World:
    """A world in a state that events change."""

    def __init__(self, path: Path, rng: random.Random) -> None:
        self.rng = rng
        self.vocabulary = Vocabulary.parse((path.parent / "domain.pddl").read_text())
        self.world = load_world(path, self.vocabulary)
        self.kinds = {t.id: t.kind for t in self.world.things.values()}
        self.groups = Groups.derive(self.vocabulary, self.world.facts)
        self.facts = FactIndex(self.world.facts)
        self.meanings = Meanings.load(self.vocabulary)
        self.names = Names(self.world.things.values(), self.facts, self.meanings)
        self.reader = ReportReader(self.names, self.groups, load_lexicon())

    def of(self, *kinds: str) -> list[str]:
        """Return the things of some types."""
        return [t for t, k in self.kinds.items() if self.vocabulary.is_a(k, *kinds)]

    def pick(self, *kinds: str, but: tuple[str, ...] = ()) -> str:
        """Return a random thing of some types."""
        return self.rng.choice([t for t in self.of(*kinds) if t not in but])

    def location(self, thing: str) -> Fact | None:
        """Return where a thing is."""
        return self.names.location(thing, self.facts)

    def room(self, thing: str) -> str | None:
        """Return the room a thing is in."""
        return self.names.room_of(thing, self.facts)

    def relation(self, spot: str) -> str:
        """Return the predicate for things at a spot."""
        found = self.meanings.relation_between("place", "gadget", self.kinds[spot])
        assert found is not None
        return found

    # ---- saying -------------------------------------------------------------------------------

    def item(self, thing: str) -> str:
        """Return a phrase that only fits one thing."""
        name = self.world.things[thing].name
        ways = []
        owner = self.names.names[thing].owner
        noun, colour = (
            " ".join(self.names.names[thing].head),
            sorted(self.names.names[thing].attributes),
        )
        same = [
            t for t in self.of("item") if self.names.names[t].head == self.names.names[thing].head
        ]
        if owner is None:
            ways += [f"the {name}", f"our {name}"]
        else:
            who = self.world.things[owner].name
            described = f"the {colour[0]} {noun}"
            ways += [name, name, f"{described} of {who}", f"{described} that {who} owns"]
            ways += [f"{described} belonging to {who}"]
            if sum(self.names.names[t].owner == owner for t in same) == 1:
                ways += [f"{who}'s {noun}"]
            if sum(set(colour) <= self.names.names[t].attributes for t in same) == 1:
                ways += [f"the {colour[0]} {noun}"]
        return self.rng.choice(ways)

    def spot(self, spot: str, how: str) -> str:
        """Return a phrase for a place: ``in``, ``into``, ``from`` or bare."""
        prepositions = INTO if self.relation(spot) in ("stowed_in", "lying_in") else ON
        name = self.names.names[spot]
        if name.whole is not None:
            noun = self.rng.choice(("shelf", "level"))
            word = self.rng.choice(ORDINALS.get(name.number or 1, (f"{name.number}th",)))
            shelf = self.named(name.whole)
            text = f"the {word} {noun} of {shelf}"
        else:
            text = self.named(spot)
        if how == "":
            return text
        choice = {"in": 0, "into": self.rng.choice((0, 1)), "from": self.rng.choice((2, 3))}[how]
        return f"{prepositions[choice]} {text}"

    def named(self, thing: str) -> str:
        """Return a phrase for a fixture, door or room."""
        name = self.world.things[thing].name
        if self.vocabulary.is_a(self.kinds[thing], "room"):
            return name if "'s" in name else f"the {name}"
        room = self.names.names[thing].room
        noun = " ".join(self.names.names[thing].head)
        if room is None:
            return f"the {name}"
        where = self.named(room)
        if self.kinds[thing] == "door":
            return self.rng.choice(
                (f"the door to {where}", f"the door of {where}", _compound(where, noun))
            )
        return self.rng.choice(
            (f"the {noun} in {where}", f"the {noun} of {where}", _compound(where, noun))
        )

    def person(self, who: str) -> str:
        """Return somebody's name."""
        return self.world.things[who].name

    def pronouns(self, who: str) -> tuple[str, str, str, str]:
        """Return he, his, him, himself or she, her, her, herself."""
        return PRONOUNS[self.world.things[who].traits.get("pronoun", "she")]


def _compound(where: str, noun: str) -> str:
    return f"{where} {noun}" if where.startswith("the ") or "'s" in where else f"the {where} {noun}"


class Maker:
    """Makes one item: text, speaker, and the facts it asserts."""

    def __init__(self, world: World) -> None:
        self.w = world
        self.rng = world.rng
        self.speaker: str | None = None
        self.slots: dict[str, str] = {}
        self.facts: list[Fact] = []
        self.people: dict[str, str] = {}

    def person(self, slot: str, *but: str) -> str:
        who = self.w.pick("person", but=but)
        self.people[slot] = who
        self.slots[slot] = self.w.person(who)
        pro = self.w.pronouns(who)
        if slot == "P":
            self.slots |= {
                "pro": pro[0],
                "Pro": pro[0].capitalize(),
                "pos": pro[1],
                "obj": pro[2],
                "self": pro[3],
            }
        else:
            self.slots["qobj"] = pro[2]
        return who

    def thing(self, slot: str, *kinds: str, but: tuple[str, ...] = ()) -> str:
        placed = [t for t in self.w.of(*kinds) if t not in but and self._is_placed(t)]
        thing = self.rng.choice(placed)
        self.slots[slot] = self.w.item(thing)
        return thing

    def _is_placed(self, thing: str) -> bool:
        at = self.w.location(thing)
        return at is not None and self.w.meanings.relations[at.relation].means == "place"

    def spot(self, slot: str, but: str = "") -> str:
        spot = self.rng.choice(
            [s for s in self.w.of("surface", "receptacle", "tier", "basin") if s != but]
        )
        self._spot_slots(slot, spot)
        return spot

    def _spot_slots(self, slot: str, spot: str) -> None:
        self.slots[slot] = self.w.spot(spot, "")
        for how in ("in", "into", "from"):
            self.slots[f"{how} {slot}"] = self.w.spot(spot, how)

    def at(self, who: str, room: str | None) -> None:
        if room is not None:
            relation = "robot_at" if who in self.w.of("robot") else "person_at"
            self.facts.append(Fact(who, relation, room))

    def place(self, thing: str, spot: str) -> None:
        self.facts.append(Fact(thing, self.w.relation(spot), spot))


def make(
    kind: str, wording: str, world: World, previous: dict[str, Fact], last: Fact | None
) -> tuple[str, str | None, list[Fact]]:
    """Return the text of a wording with random things, its speaker, and what it asserts."""
    m = Maker(world)
    p = m.person("P")
    text, _, outcome = wording.partition(" => ")
    if text.startswith("I: "):
        text, m.speaker = text[3:], p
    names_person = m.speaker is not None or "{P}" in text
    MAKERS.get(kind, _state)(m, kind, p, text, outcome, names_person, previous, last)
    return _filled(text, m.slots), m.speaker, m.facts


def _filled(text: str, slots: dict[str, str]) -> str:
    for slot, value in sorted(slots.items(), key=lambda kv: -len(kv[0])):
        text = text.replace("{" + slot + "}", value)
    if "{" in text:
        raise KeyError(f"unfilled: {text}")
    return text[0].upper() + text[1:]


def _where(m: Maker, thing: str) -> str:
    at = m.w.location(thing)
    assert at is not None
    m._spot_slots("W", at.object)
    return at.object


def _move(m, kind, p, text, outcome, named, previous, last):
    x = m.thing("X", "item")
    _where(m, x)
    s = m.spot("S", m.w.location(x).object)
    m.place(x, s)
    if named:
        m.at(p, m.w.room(s))


def _pickup(m, kind, p, text, outcome, named, previous, last):
    x = m.thing("X", "item")
    w = _where(m, x)
    m.facts.append(Fact(x, "held_by", p))
    m.at(p, m.w.room(w))


def _possess(m, kind, p, text, outcome, named, previous, last):
    x = m.thing("X", "item")
    m.facts.append(Fact(x, "held_by", p))


def _putdown(m, kind, p, text, outcome, named, previous, last):
    x = m.thing("X", "item")
    m.w.groups.add(m.w.facts, Fact(x, "held_by", p))
    s = m.spot("S")
    m.place(x, s)
    m.at(p, m.w.room(s))


def _handover(m, kind, p, text, outcome, named, previous, last):
    x = m.thing("X", "item")
    q = m.person("Q", p)
    m.w.groups.add(m.w.facts, Fact(x, "held_by", p))
    m.facts.append(Fact(x, "held_by", q))


def _walk(m, kind, p, text, outcome, named, previous, last):
    here = m.w.room(p)
    r = m.w.pick("room", but=(here or "",))
    m.slots["R"], m.slots["O"] = m.w.named(r), m.w.named(here) if here else "the house"
    m.at(p, r)


def _carry(m, kind, p, text, outcome, named, previous, last):
    _walk(m, kind, p, text, outcome, named, previous, last)
    x = m.thing("X", "item")
    m.facts.append(Fact(x, "held_by", p))


def _observe(m, kind, p, text, outcome, named, previous, last):
    _move(m, kind, p, text, outcome, False, previous, last)


def _swap(m, kind, p, text, outcome, named, previous, last):
    x = m.thing("X", "item")
    here = m.w.location(x)
    others = [t for t in m.w.of("item") if t != x and m._is_placed(t) and m.w.room(t) == m.w.room(x)
              and m.w.location(t).object != here.object]  # fmt: skip
    if not others:
        raise IndexError("nothing to swap with")
    y = m.rng.choice(others)
    m.slots["Y"] = m.w.item(y)
    there = m.w.location(y)
    m.facts += [Fact(x, there.relation, there.object), Fact(y, here.relation, here.object)]
    if named:
        m.at(p, m.w.room(y))


def _group(m, kind, p, text, outcome, named, previous, last):
    full = [
        s for s in m.w.of("surface", "receptacle", "tier", "basin") if len(_contents(m.w, s)) >= 2
    ]
    w = m.rng.choice(full)
    m._spot_slots("W", w)
    s = m.spot("S", w)
    for x in _contents(m.w, w):
        m.place(x, s)
    if named:
        m.at(p, m.w.room(s))


def _contents(world: World, spot: str) -> list[str]:
    return sorted(world.facts.subjects(world.relation(spot), spot))


def _group_except(m, kind, p, text, outcome, named, previous, last):
    full = [
        s for s in m.w.of("surface", "receptacle", "tier", "basin") if len(_contents(m.w, s)) >= 2
    ]
    w = m.rng.choice(full)
    m._spot_slots("W", w)
    s = m.spot("S", w)
    x = m.rng.choice(_contents(m.w, w))
    m.slots["X"] = m.w.item(x)
    for other in _contents(m.w, w):
        if other != x:
            m.place(other, s)
    if named:
        m.at(p, m.w.room(s))


def _state(m, kind, p, text, outcome, named, previous, last):
    relation, positive, _ = STATE[kind]
    slot = SLOT[kind]
    if slot == "X":
        x = m.thing("X", KIND[kind])
    else:
        x = m.w.pick(KIND[kind])
        if slot == "phone":
            m.slots[slot] = m.w.item(x)
        else:
            m.slots[slot] = m.w.named(x)
            if slot == "B":
                m.slots["B tap"] = m.rng.choice(
                    (f"the tap of {m.slots[slot]}", f"the tap at {m.slots[slot]}")
                )
                m.slots["in B"] = f"{m.rng.choice(('in', 'at'))} {m.slots[slot]}"
    m.facts.append(Fact(x, relation, "true" if outcome == positive else "false"))
    if named and kind in PRESENT:
        m.at(p, m.w.room(x))


def _tv(m, kind, p, text, outcome, named, previous, last):
    t = m.w.pick("tv")
    m.slots["T"] = m.w.named(t)
    c = m.w.pick("channel")
    m.slots["ch"] = f"the {m.w.world.things[c].name}"
    m.facts.append(Fact(t, "screen_on", "false" if outcome == "off" else "true"))
    if outcome == "ch":
        m.facts.append(Fact(t, "tuned_to", c))
    if named:
        m.at(p, m.w.room(t))


def _fill(m, kind, p, text, outcome, named, previous, last):
    v = m.thing("V", "vessel")
    liquid = m.w.pick("liquid")
    m.slots["liq"] = m.w.world.things[liquid].name
    m.facts.append(Fact(v, "filled_with", liquid))


def _empty(m, kind, p, text, outcome, named, previous, last):
    v = m.thing("V", "vessel")
    liquid = m.w.pick("liquid")
    m.w.groups.add(m.w.facts, Fact(v, "filled_with", liquid))
    m.slots["liq"] = m.w.world.things[liquid].name
    m.facts.append(Fact(v, "empty", "true"))


def _robot_moved(m, kind, p, text, outcome, named, previous, last):
    robot = m.w.pick("robot")
    r = m.w.pick("room", but=(m.w.room(robot) or "",))
    m.slots["R"] = m.w.named(r)
    m.at(robot, r)
    if named:
        m.at(p, r)


def _robot_given(m, kind, p, text, outcome, named, previous, last):
    robot, x = m.w.pick("robot"), m.thing("X", "item")
    m.w.groups.add(m.w.facts, Fact(robot, "hand_free", "true"))
    m.facts.append(Fact(x, "gripped_by", robot))
    m.at(p, m.w.room(robot))


def _robot_taken(m, kind, p, text, outcome, named, previous, last):
    robot, x = m.w.pick("robot"), m.thing("X", "item")
    for other in list(m.w.facts.subjects("gripped_by", robot)):
        m.w.groups.add(
            m.w.facts, Fact(other, m.w.relation(m.w.pick("surface")), m.w.pick("surface"))
        )
    m.w.groups.add(m.w.facts, Fact(x, "gripped_by", robot))
    m.facts.append(Fact(x, "held_by", p))
    m.at(p, m.w.room(robot))


def _coref_it(m, kind, p, text, outcome, named, previous, last):
    s = m.spot("S", last.object)
    m.place(last.subject, s)
    if named:
        m.at(p, m.w.room(s))


def _coref_there(m, kind, p, text, outcome, named, previous, last):
    x = m.thing("X", "item", but=(last.subject,))
    m.place(x, last.object)
    if named:
        m.at(p, m.w.room(last.object))


def _coref_back(m, kind, p, text, outcome, named, previous, last):
    before = previous[last.subject]
    m.facts.append(before)
    if named:
        m.at(p, m.w.room(before.object))


def _coref_person(m, kind, p, text, outcome, named, previous, last):
    who = last.subject
    pro = m.w.pronouns(who)
    m.slots |= {"pro": pro[0], "Pro": pro[0].capitalize()}
    r = m.w.pick("room", but=(m.w.room(who) or "",))
    m.slots["R"] = m.w.named(r)
    m.at(who, r)


MAKERS = {
    "move": _move,
    "pickup": _pickup,
    "possess": _possess,
    "putdown": _putdown,
    "handover": _handover,
    "walk": _walk,
    "carry": _carry,
    "observe": _observe,
    "swap": _swap,
    "group": _group,
    "group_except": _group_except,
    "tv": _tv,
    "fill": _fill,
    "empty": _empty,
    "robot_moved": _robot_moved,
    "robot_given": _robot_given,
    "robot_taken": _robot_taken,
    "coref_it": _coref_it,
    "coref_there": _coref_there,
    "coref_back": _coref_back,
    "coref_person": _coref_person,
}
"""What fills the slots of a kind of wording; the other kinds are states."""


def closed(world: World, facts: list[Fact]) -> set[Fact]:
    """Return the state after some facts have been asserted."""
    draft = Draft(world.facts)
    for fact in facts:
        world.groups.add(draft, fact)
    return (set(world.facts) - set(draft.removed)) | set(draft.added)


def main() -> None:
    """Read every wording and print what share was read right."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("episodes", nargs="+", type=Path)
    parser.add_argument("--file", type=Path, default=DATA / "paraphrases.yaml")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    rng = random.Random(args.seed)  # noqa: S311
    wordings = {k: v for k, v in yaml.safe_load(args.file.read_text()).items() if k != "multi"}
    right: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    counts: Counter[str] = Counter()
    world = World(args.episodes[0], rng)
    for episode in args.episodes:
        for _ in range(args.rounds):
            for kind, wording in [(k, w) for k, ws in wordings.items() for w in ws]:
                if args.only and kind != args.only:
                    continue
                if counts["n"] % 40 == 0:
                    world = World(episode, rng)
                try:
                    ok, changed, shown = judge(world, kind, wording)
                except IndexError:
                    continue
                right[kind][0] += ok
                right[kind][1] += 1
                counts["n"] += 1
                counts["wrong"] += changed and not ok
                if args.show and not ok:
                    sys.stdout.write(shown + "\n")
    total = sum(r for r, _ in right.values())
    for kind, (r, n) in sorted(right.items(), key=lambda kv: kv[1][0] / kv[1][1]):
        print(f"{kind:14} {r:4}/{n:<4} {r / n:6.1%}")
    share, wrong = total / counts["n"], counts["wrong"] / counts["n"]
    print(f"all {total}/{counts['n']} = {share:.1%}; wrong changes {wrong:.1%} (seed {args.seed})")


def judge(world: World, kind: str, wording: str) -> tuple[bool, bool, str]:
    """Fill a wording, read it, and compare; returns right?, changed anything?, and a line to show."""
    discourse = Discourse()
    last: Fact | None = None
    previous: dict[str, Fact] = {}
    if kind.startswith("coref"):
        m = Maker(world)
        who = m.person("P")
        if kind == "coref_person":
            _walk(m, "walk", who, "", "", True, {}, None)
            text = f"{m.slots['P']} went to {m.slots['R']}."
        else:
            _move(m, "move", who, "", "", True, {}, None)
            text = f"{m.slots['P']} put {m.slots['X']} {m.slots['into S']}."
        last = m.facts[0]
        before = world.location(last.subject)
        if before is not None:
            previous[last.subject] = discourse.previous[last.subject] = before
        world.reader.read(text, world.facts, discourse)
        for fact in m.facts:
            world.groups.add(world.facts, fact)
        discourse.next_report()
    text, speaker, facts = make(kind, wording, world, previous, last)
    reading = world.reader.read(text, world.facts, discourse, speaker)
    truth = closed(world, facts)
    draft = Draft(world.facts)
    for fact in reading.retracted:
        world.groups.remove(draft, fact)
    for fact in reading.facts if reading.status == "ok" else ():
        world.groups.add(draft, fact)
    got = (set(world.facts) - set(draft.removed)) | set(draft.added)
    missing, extra = ([" ".join(f) for f in sorted(part)] for part in (truth - got, got - truth))
    shown = f"[{kind}] {text} ({speaker})\n      {reading.status} {reading.question} "
    shown += f"{[str(e) for e in reading.events]}\n      missing {missing} extra {extra}"
    return got == truth, got != set(world.facts), shown


if __name__ == "__main__":
    main()
