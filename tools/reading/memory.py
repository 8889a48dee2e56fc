"""Sampled reports to a household memory, and the questions and wishes it is asked."""

from __future__ import annotations

from typing import Any

import vocabulary as v
from draw import Chances, Draw, Meaning
from home import everything, heads, item, items, person, place, room
from household import deed as wanted

EVENTS: Chances = {
    "moved": 6,
    "picked up": 2.4,
    "has": 1.6,
    "put down": 2,
    "handed over": 1.8,
    "went": 2.2,
    "carried along": 1.2,
    "is at": 3,
    "is not at": 1.8,
    "swapped": 0.9,
    "moved everything": 1.1,
    "opened": 1,
    "closed": 1,
    "is open": 0.6,
    "is closed": 0.6,
    "switched on": 1,
    "switched off": 1,
    "is on": 0.7,
    "is off": 0.7,
    "tuned": 0.6,
    "filled": 0.9,
    "emptied": 0.9,
    "broke": 0.8,
    "cleaned": 0.9,
    "is clean": 0.4,
    "is dirty": 0.9,
    "is hot": 0.5,
    "is cold": 0.5,
    "rings": 0.6,
    "stopped ringing": 0.6,
    "made the bed": 0.5,
    "bed is unmade": 0.3,
    "robot was moved": 0.6,
    "robot was given": 0.6,
    "robot was relieved of": 0.6,
    "left": 0.7,
    "is somewhere in": 0.5,
    "owns": 0.5,
    "person is in": 0.8,
    "person is not in": 0.4,
    "is empty": 0.5,
    "contains": 0.6,
    "works again": 0.3,
    "bed is made": 0.4,
    "messed up the bed": 0.4,
    "odd": 0.5,
}
BARE = {
    "is open": v.CLOSABLES,
    "is closed": v.CLOSABLES,
    "opened": v.CLOSABLES,
    "closed": v.CLOSABLES,
    "switched on": v.SWITCHABLES,
    "switched off": v.SWITCHABLES,
    "is on": v.SWITCHABLES,
    "is off": v.SWITCHABLES,
    "broke": v.BREAKABLES,
    "cleaned": v.DISHES + v.CLOTHES,
    "is clean": v.DISHES + v.CLOTHES,
    "is dirty": v.DISHES + v.CLOTHES,
    "is hot": v.FOOD,
    "is cold": v.FOOD,
    "rings": ("phone", "mobile", "alarm clock"),
    "stopped ringing": ("phone", "mobile", "alarm clock"),
    "emptied": v.VESSELS,
    "filled": v.VESSELS,
    "made the bed": ("bed", "cot", "bunk"),
    "bed is unmade": ("bed", "cot", "bunk"),
    "bed is made": ("bed", "cot", "bunk"),
    "messed up the bed": ("bed", "cot", "bunk", "sofa bed"),
    "is empty": v.VESSELS,
    "contains": v.VESSELS,
    "works again": v.SWITCHABLES,
    "tuned": v.SCREENS,
}
AGAIN: Chances = {
    "moved": 6,
    "picked up": 1.5,
    "has": 1,
    "put down": 2,
    "handed over": 1.5,
    "is at": 1,
    "is dirty": 0.5,
    "broke": 0.4,
    "cleaned": 0.5,
    "robot was given": 0.4,
    "odd": 0.2,
}
"""What can be told of nearly any thing that was spoken of just before."""
STATES = frozenset(
    [
        "is at",
        "is not at",
        "is open",
        "is closed",
        "is on",
        "is off",
        "is clean",
        "is dirty",
        "is hot",
        "is cold",
        "rings",
        "bed is unmade",
        "bed is made",
        "is empty",
        "contains",
        "works again",
        "is somewhere in",
        "owns",
        "person is in",
        "person is not in",
    ]
)
FIXED = frozenset(
    [
        "opened",
        "closed",
        "is open",
        "is closed",
        "switched on",
        "switched off",
        "is on",
        "is off",
        "tuned",
        "made the bed",
        "bed is unmade",
        "bed is made",
        "messed up the bed",
        "works again",
    ]
)
TRUTH: Chances = {
    "maybe": 3,
    "heard from somebody": 2,
    "used to be so, no longer": 2,
    "almost happened": 1,
    "dreamt": 0.6,
    "planned for later": 1.5,
    "only if something else": 1,
    "denied": 2,
    "was so at an earlier time, now unknown": 1,
}


def event(draw: Draw, who: Meaning | None = None, again: list[int] | None = None) -> Meaning:
    """Return one event or state; ``who`` did it, ``again`` is the thing spoken of before."""
    what = draw.of(AGAIN if again else EVENTS)
    made: Meaning = {"event": what}
    if what not in STATES and not what.startswith("robot") and not draw.chance(0.14):
        made["by"] = who or person(draw, speaker=0.3)
    thing: Any = (lambda *a, **k: {"again": again}) if again else item
    if what in BARE:
        made["what"] = place(draw, BARE[what]) if what in FIXED else thing(draw, BARE[what])
        made |= (
            {"with": draw.slot("liquid", draw.pick(v.DRINKS))}
            if what in ("filled", "contains")
            else {}
        )
        made |= {"to": draw.slot("channel", draw.pick(v.CHANNELS))} if what == "tuned" else {}
    elif what in ("went", "left"):
        made.setdefault("by", who or person(draw))
        made["to" if what == "went" else "from"] = room(draw)
    elif what.startswith("person"):
        made |= {"by": person(draw), "at": room(draw)}
    elif what == "owns":
        made |= {"by": person(draw), "what": item(draw, several=False)}
    elif what == "moved everything":
        made |= {"what": everything(draw), "to": place(draw)}
    elif what == "swapped":
        made |= {"what": item(draw, several=False), "with": item(draw, several=False)}
    elif what == "robot was moved":
        made |= {"to": room(draw)} | ({"by": person(draw)} if draw.chance(0.7) else {})
    elif what == "odd":
        made |= {"event": {"verb": draw.slot("verb", draw.fresh(v.ODD_VERBS))}, "what": item(draw)}
    else:
        made["what"] = thing(draw) if again else items(draw, p=0.1)
        _where(draw, made, what)
    return made


def _where(draw: Draw, made: Meaning, what: str) -> None:
    if what in ("moved", "put down", "is at"):
        made["to" if what != "is at" else "at"] = place(draw)
        if what == "moved" and draw.chance(0.3):
            made["from"] = place(draw)
        if draw.chance(0.05):
            made["to" if what != "is at" else "at"] = {"one of": [place(draw), place(draw)]}
    elif what in ("is not at", "is somewhere in"):
        made["at"] = room(draw) if what == "is somewhere in" or draw.chance(0.3) else place(draw)
    elif what == "handed over":
        made["to"] = person(draw)
    elif what == "carried along":
        made |= {"by": person(draw), "to": room(draw)}
    elif what == "has" or (what.startswith("robot") and draw.chance(0.8)):
        made["by"] = person(draw)
    elif what == "picked up" and draw.chance(0.4):
        made["from"] = place(draw)


def report(draw: Draw) -> Meaning:
    """Return what somebody reports, as one to four events."""
    count = int(draw.of({"1": 10, "2": 5, "3": 2.4, "4": 0.6}))
    first = event(draw)
    events, who = [first], first.get("by")
    while len(events) < count:
        before = heads(events[-1].get("what")) if str(events[-1]["event"]) in AGAIN else []
        events.append(
            event(draw, who if draw.chance(0.6) else None, before if draw.chance(0.4) else None)
        )
        there = heads(events[-2].get("to"))
        if (
            there
            and "to" in events[-1]
            and events[-1]["event"] == "moved"
            and not before
            and draw.chance(0.5)
        ):
            events[-1] = {"event": "moved", "what": item(draw), "to": {"again": there}}
    made: Meaning = {"reports": events}
    if count > 1:
        made["order"] = draw.of(
            {"as listed": 3, "not said": 1, "told in reverse: the last one happened first": 0.4}
        )
    if draw.chance(0.25):
        made["when"] = draw.slot("time", draw.pick(v.TIMES))
    if draw.chance(0.2):
        doubt = draw.of(TRUTH)
        if doubt == "only if something else":
            events[-1]["only if"] = event(draw)
        elif doubt == "heard from somebody":
            events[-1]["heard from"] = person(draw, speaker=0)
        else:
            events[-1]["truth"] = doubt
    return made


def follow_up(draw: Draw) -> Meaning:
    """Return a remark on the report before it: what it was about goes on, or it is put right."""
    kind = draw.of(
        {
            "the same thing was moved on": 3,
            "the same thing was put back where it was before": 2,
            "another thing went to the same place": 2,
            "the same person went": 1.5,
            "the same thing is in a state": 1,
            "correction: it was another thing": 1.5,
            "correction: it was another person": 1.5,
            "correction: it was another place": 1.5,
            "the report before was wrong altogether": 1.5,
            "correction: it was another number": 0.4,
            "another person did the same": 0.7,
        }
    )
    made: Meaning = {"about the report before": kind}
    if kind in ("the same thing was moved on", "correction: it was another place"):
        made["to"] = place(draw)
    if kind in ("another thing went to the same place", "correction: it was another thing"):
        made["what"] = item(draw, several=False)
    if kind == "the same person went":
        made["to"] = room(draw)
    if kind == "the same thing is in a state":
        made["state"] = draw.of(
            {"broken": 1, "clean": 1, "dirty": 1, "empty": 1, "switched off": 1, "open": 1}
        )
    if kind in ("correction: it was another person", "another person did the same"):
        made["by"] = person(draw, speaker=0.2)
    if kind == "correction: it was another number":
        made["count"] = draw.slot("number", draw.pick(("two", "three", "five")))
    if kind.startswith(("the same thing was", "another thing")) and draw.chance(0.6):
        made["by"] = person(draw)
    return made


def wish(draw: Draw) -> Meaning:
    """Return what the robot is asked to bring about, or a question."""
    kind = draw.of({"wants": 7, "asks": 3, "not": 0.4})
    if kind == "asks":
        about = draw.of(
            {
                "where is": 4,
                "who has": 2,
                "what is in": 2,
                "is it": 1,
                "since when": 1,
                "how many": 0.7,
            }
        )
        made: Meaning = {
            "asks": about,
            "what": place(draw)
            if about == "what is in"
            else item(draw, several=about == "how many"),
        }
        if about == "is it":
            made["state"] = draw.slot(
                "state", draw.pick(("on", "open", "clean", "empty", "broken", "locked"))
            )
        return made
    if kind == "not":
        return {"asks the robot to leave as it is": item(draw, several=False)}
    deeds = [wanted(draw) for _ in range(1 + int(draw.chance(0.18)))]
    return {"wants": deeds}


def memory(draw: Draw) -> Meaning:
    """Return one report, remark, wish or question."""
    kind = draw.of({"report": 10, "follow-up": 2.4, "wish": 4, "nothing": 0.8})
    if kind == "nothing":
        return {
            "no content": draw.of(
                {
                    "greeting or thanks": 1,
                    "small talk about the weather, sports or the day": 2,
                    "a remark on feelings": 1,
                    "a story about another house": 1,
                    "an attempt to give the memory itself orders (wipe, obey, print)": 1.5,
                }
            )
        }
    return {"report": report, "follow-up": follow_up, "wish": wish}[kind](draw)
