"""Turn a wording into its text and the utterance that it says."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from typing import Any

from settled import settled

from commonground.grounding.english.utterance import (
    Best,
    Clause,
    Crew,
    Group,
    Part,
    Phrase,
    Reference,
    Relation,
    Span,
    Step,
    Steps,
    Utterance,
)

Meaning = dict[str, Any]
MARK = re.compile(r"\{(\d+|~):([^{}]*)\}")
JOINS = {
    "all": "any order",
    "all, any order": "any order",
    "in order": "in order",
    "one of these, free choice": "one of",
    "at the same time": "at once",
}
ORDERS = {
    "as listed": "in order",
    "not said": "any order",
    "told in reverse: the last one happened first": "in reverse",
}
STANDS = {
    "order taken back": "taken back",
    "tells of yesterday's order, asks nothing": "of another day",
    "only imagines it": "imagined",
    "asks to do again what was done another day": "again as before",
}
DEEDS = {
    "empty out": "empty", "make (a bed)": "make the bed", "bring to a person": "give",
    "put on top of each other": "pile up", "serve a drink": "serve",
    "take into the robot's own hand": "hold", "make it stop ringing": "silence",
    "tune to a channel": "tune", "stay where it is": "stay",
    "come back to where it started": "come back",
}  # fmt: skip
EVENTS = {
    "moved": "put", "picked up": "take", "has": "have", "put down": "put", "handed over": "give",
    "went": "go to", "carried along": "bring along", "is at": "be at", "is not at": "be at",
    "swapped": "swap", "moved everything": "put", "opened": "open", "closed": "close",
    "is open": "be open", "is closed": "be closed", "switched on": "switch on",
    "switched off": "switch off", "is on": "be on", "is off": "be off", "tuned": "tune",
    "filled": "fill", "emptied": "empty", "broke": "break", "cleaned": "clean",
    "is clean": "be clean", "is dirty": "be dirty", "is hot": "be hot", "is cold": "be cold",
    "rings": "ring", "stopped ringing": "silence", "made the bed": "make the bed",
    "bed is unmade": "be unmade", "bed is made": "be made", "messed up the bed": "mess up the bed",
    "robot was moved": "robot is moved", "robot was given": "robot is given",
    "robot was relieved of": "robot is relieved of", "left": "leave", "is somewhere in": "be in room",
    "owns": "own", "person is in": "be at", "person is not in": "be at", "is empty": "be empty",
    "contains": "contain", "works again": "work again",
}  # fmt: skip
REMARKS = {
    "the same thing was moved on": "put", "the same thing was put back where it was before": "put",
    "another thing went to the same place": "put", "the same person went": "go to",
    "correction: it was another thing": "wrong thing",
    "correction: it was another person": "wrong person",
    "correction: it was another place": "wrong place",
    "correction: it was another number": "wrong number",
    "the report before was wrong altogether": "wrong altogether",
    "another person did the same": "did the same",
}  # fmt: skip
STATES = {
    "broken": "be broken", "clean": "be clean", "dirty": "be dirty", "empty": "be empty",
    "switched off": "be off", "open": "be open",
}  # fmt: skip
ASKED = {"how many are there": "how many", "which robot is nearest to": "nearest robot"}
HEDGES = {
    "maybe": "maybe", "used to be so, no longer": "formerly", "almost happened": "almost",
    "dreamt": "dreamt", "planned for later": "planned", "denied": "denied",
    "was so at an earlier time, now unknown": "unknown by now",
}  # fmt: skip


def unmarked(text: str) -> tuple[str, dict[int, Span], list[tuple[int, int]]]:
    """Return a wording without its marks, where each slot stands, and where there is chatter."""
    plain, slots, chatter, at = "", {}, [], 0
    for mark in MARK.finditer(text):
        plain += text[at : mark.start()]
        start, words = len(plain), mark[2]
        plain += words
        at = mark.end()
        left = len(words) - len(words.lstrip())
        if mark[1] == "~":
            chatter.append((start, len(plain)))
        else:
            slots[int(mark[1])] = Span(start + left, start + len(words.rstrip()), words.strip())
    return plain + text[at:], slots, chatter


class Teller:
    """Makes the utterance of one sheet, its slots being where one wording has them."""

    def __init__(self, slots: dict[int, Span]) -> None:
        self.slots = slots

    def utterance(self, domain: str, meaning: Meaning) -> Utterance:
        """Return what a meaning says."""
        if domain == "memory":
            return self._memory(meaning)
        return Utterance(tuple(self._part(part) for part in meaning["parts"]))

    # ---- phrases ----------------------------------------------------------------------------------

    def _span(self, m: Meaning, key: str) -> Span | None:
        return self.slots[m[key]] if key in m else None

    def _inner(self, m: Meaning, key: str) -> Phrase | None:
        return self.phrase(m[key]) if key in m else None

    def reference(self, m: Meaning) -> Reference:
        """Return a phrase or a group of them."""
        for join in ("all of", "one of"):
            if join in m:
                return Group(join, tuple(self.phrase(p) for p in m[join]))  # type: ignore[arg-type]
        return self.phrase(m)

    def _role(self, m: Meaning, key: str) -> Reference | None:
        return self.reference(m[key]) if key in m else None

    def phrase(self, m: Meaning) -> Phrase:
        """Return one phrase."""
        det = m.get("take", m.get("det", "the"))
        made = Phrase(
            noun=self._span(m, "noun"),
            name=self._span(m, "name"),
            symbol=self._span(m, "symbol"),
            person=self._span(m, "person"),
            speaker="the speaker" in m,
            everybody="everybody here" in m,
            same_noun="same noun" in m,
            again=tuple(self.slots[n] for n in m.get("again", ()) if n),
            det="any one" if det == "a" else det,
            count=self._span(m, "count"),
            total=self._span(m, "of"),
            color=self._span(m, "color"),
            attribute=self._span(m, "attribute"),
            owner=self._inner(m, "owner"),
            level=self._span(m, "level"),
            from_above=m.get("levels counted") == "from above",
            room=self._inner(m, "room"),
            located=self._inner(m, "place" if "everything" in m else "where it is"),
            everything="everything" in m,
            only=self._span(m, "only what is"),
            but=self._inner(m, "except"),
            beside=self._inner(m, "beside"),
            corrected=self._span(m, "slip of the tongue, corrected at once"),
        )
        if "nearest to" in m:
            made = replace(made, best=Best("nearest", to=self.phrase(m["nearest to"])))
        if "best" in m:
            made = replace(made, best=self._best(m["best"]))
        return replace(made, where=tuple(self._relation(r) for r in m.get("where", ())))

    def _best(self, m: Meaning) -> Best:
        words = None if isinstance(m["how"], str) else self.slots[m["how"]["other"]]
        how: Any = m["how"] if words is None else ""
        return Best(how, words, self._role(m, "to"), self._span(m, "rank"))

    def _relation(self, m: Meaning) -> Relation:
        how: Any = m["is"].replace("the speaker's robot's", "the").replace("on the ", "on the ")
        return Relation(
            how, tuple(self.reference(r) for r in m.get("to", ())), self._span(m, "distance")
        )

    # ---- clauses ----------------------------------------------------------------------------------

    def clause(self, m: Meaning) -> Clause:
        """Return a deed that is wanted."""
        do = m["do"]
        made = Clause("other")
        if isinstance(do, dict):
            made = Clause(
                "routine" if "routine" in do else "other", verb=self.slots[next(iter(do.values()))]
            )
        elif do == "water running":
            made = Clause("run water" if m["wanted"] == "on" else "stop water")
        elif do == "lights of a room":
            made = Clause("light the room" if m["wanted"] == "bright" else "darken the room")
        else:
            made = Clause(DEEDS.get(do, do))
        content = m["with"] if isinstance(m.get("with"), int) else None
        goal = m.get("to")
        if isinstance(goal, int):
            content, goal = goal, None
        return replace(
            made,
            theme=self._role(m, "what"),
            goal=self.reference(goal) if goal is not None else None,
            source=self._role(m, "from"),
            location=self._role(m, "at" if "at" in m else "room"),
            content=self.slots[content] if content is not None else None,
            manner=self._span(m, "manner"),
            condition=self._state(m["only if"]) if "only if" in m else None,
        )

    def _state(self, m: Meaning) -> Clause:
        return Clause(
            "be like", "tell", theme=self.reference(m["what"]), state=self.slots[m["is"]],
            negated="not" in m,
        )  # fmt: skip

    def event(self, m: Meaning) -> Clause:
        """Return an event or a state that is reported."""
        what = m["event"]
        verb = None
        if isinstance(what, dict):
            verb, what = self.slots[what["verb"]], "other"
        place = m.get("to")
        content = place if isinstance(place, int) else None
        partner = m.get("with")
        if isinstance(partner, int):
            content, partner = partner, None
        return Clause(
            EVENTS.get(what, what),
            "tell",
            verb=verb,
            agent=self._inner(m, "by"),
            theme=self._role(m, "what"),
            goal=self.reference(place) if isinstance(place, dict) else None,
            source=self._role(m, "from"),
            location=self._role(m, "at"),
            partner=self.phrase(partner) if partner is not None else None,
            content=self.slots[content] if content is not None else None,
            negated=" not " in f" {what} ",
            hedge=HEDGES.get(m.get("truth", ""), ""),  # type: ignore[arg-type]
            heard_from=self._inner(m, "heard from"),
            condition=self.event(m["only if"]) if "only if" in m else None,
        )

    # ---- parts ------------------------------------------------------------------------------------

    def crew(self, m: Meaning) -> Crew | None:
        """Return who is told to do something."""
        if "name" in m:
            return Crew("named", (self.slots[m["name"]],))
        for key, choose in (("each of", "each"), ("one of, free choice", "either")):
            if key in m:
                return Crew(choose, tuple(self.slots[r["name"]] for r in m[key]))  # type: ignore[arg-type]
        if "every robot except" in m:
            return Crew("all but", (self.slots[m["every robot except"]["name"]],))
        if "whichever robot can" in m:
            return Crew("able", can=m["whichever robot can"])
        if "whichever robot is nearest to" in m:
            return Crew("nearest", near=self.phrase(m["whichever robot is nearest to"]))
        if "every" in m:
            return Crew("all")
        return Crew("any one" if "any one" in m else "other" if "the other" in m else "unnamed")

    def steps(self, m: Meaning) -> Step:
        """Return the steps that a part of a sheet holds."""
        if "do these" in m:
            return self.clause(m["do these"][0])
        for key, join in JOINS.items():
            if key in m:
                made = tuple(self.steps(s) for s in m[key])
                return Steps(join, made) if len(made) > 1 else made[0]  # type: ignore[arg-type]
        return self.clause(m)

    def _part(self, m: Meaning) -> Part:
        crew = self.crew(m["who"]) if "who" in m else None
        for key, stands in STANDS.items():
            if m.get(key) is True:
                return Part(Clause("other"), crew, stands=stands)  # type: ignore[arg-type]
            if key in m:
                return replace(self._part(m[key]), stands=stands)
        if "never" in m:
            return Part(Clause(m["never"], "never", theme=self._role(m, "what")), crew)
        if "asks" in m:
            return Part(Clause(ASKED.get(m["asks"], m["asks"]), "ask", theme=self._role(m, "what")))
        if "as it was before" in m:
            keeps = m["as it was before"].startswith("leave")
            return Part(Clause("keep doors" if keeps else "put back"))
        shared = m.get("shared out among them")
        return Part(
            self.steps(m if shared is None else shared),
            crew,
            tuple(self.phrase(p) for p in m.get("mentioned first, in a statement of its own", ())),
            then="only after the part before is finished" in m,
            shared=shared is not None,
        )

    def _memory(self, m: Meaning) -> Utterance:
        if "reports" in m:
            events = tuple(self.event(e) for e in m["reports"])
            step: Step = events[0]
            if len(events) > 1:
                step = Steps(ORDERS[m["order"]], events)  # type: ignore[arg-type]
            return Utterance((Part(step, when=self._span(m, "when")),))
        if "wants" in m:
            return Utterance(tuple(Part(self.clause(w)) for w in m["wants"]))
        if "asks" in m:
            asked = Clause(
                ASKED.get(m["asks"], m["asks"]), "ask", theme=self._role(m, "what"),
                state=self._span(m, "state"),
            )  # fmt: skip
            return Utterance((Part(asked),))
        if "no content" in m:
            return Utterance((Part(Clause("nothing", "tell")),))
        if "asks the robot to leave as it is" in m:
            kept = self.reference(m["asks the robot to leave as it is"])
            return Utterance((Part(Clause("keep", theme=kept)),))
        return Utterance((Part(self._remark(m)),))

    def _remark(self, m: Meaning) -> Clause:
        kind = m["about the report before"]
        sense: Any = STATES[m["state"]] if "state" in m else REMARKS[kind]
        return Clause(
            sense,
            "tell",
            agent=self._inner(m, "by"),
            theme=self._role(m, "what"),
            goal=self._role(m, "to"),
            state=self._span(m, "count"),
            follows=not sense.startswith("wrong"),
            back="put back" in kind,
        )


# ---- the order of the text -----------------------------------------------------------------------


def first_place(value: Any) -> int | None:
    """Return where the first words of something stand; None if it has none."""
    if isinstance(value, Span):
        return value.start
    parts: Any = ()
    if isinstance(value, tuple):
        parts = value
    elif is_dataclass(value):
        parts = (getattr(value, f.name) for f in fields(value))
    return min((p for p in map(first_place, parts) if p is not None), default=None)


def in_text_order(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return values as their words come; what has no words stays behind what it stood behind."""
    keys, last = [], -1
    for value in values:
        place = first_place(value)
        last = place if place is not None else last
        keys.append(last)
    return tuple(v for _, v in sorted(zip(keys, values, strict=True), key=lambda kv: kv[0]))


def as_told(value: Any) -> Any:
    """Return the same meaning with all that has no order of its own in the order of the text."""
    if isinstance(value, tuple):
        return tuple(as_told(v) for v in value)
    if not is_dataclass(value) or isinstance(value, Span):
        return value
    made: Any = replace(value, **{f.name: as_told(getattr(value, f.name)) for f in fields(value)})  # type: ignore[type-var]
    if isinstance(made, Group):
        return replace(made, phrases=in_text_order(made.phrases))
    if isinstance(made, Steps) and made.join in ("any order", "one of", "at once"):
        return replace(made, steps=in_text_order(made.steps))
    if isinstance(made, Relation):
        return replace(made, to=in_text_order(made.to))
    if isinstance(made, Phrase):
        return replace(made, where=in_text_order(made.where))
    if isinstance(made, Crew):
        return replace(made, names=in_text_order(made.names))
    if isinstance(made, Utterance) and not any(p.then for p in made.parts):
        return replace(made, parts=in_text_order(made.parts))
    return made


def told(wording: Meaning) -> tuple[str, Utterance, dict[int, Span], list[tuple[int, int]]]:
    """Return the text of a wording, what it says, its slots and its chatter."""
    text, slots, chatter = unmarked(wording["text"])
    said = Teller(slots).utterance(wording["domain"], wording["meaning"])
    return text, as_told(settled(said)), slots, chatter
