"""What the page shows, as HTML in which every word from a map, a person or a model is escaped."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

from commonground.console.drive import Progress
from commonground.console.record import MissionRecord
from commonground.planning.robots.protocol import BATTERY_LOW, Status
from commonground.planning.scene.precedence import TEAM
from commonground.planning.scene.wording import in_words, with_names
from commonground.reasons import LONGEST, line
from commonground.scene.hues import color_of

if TYPE_CHECKING:
    from commonground.console.board import Event
    from commonground.planning.mission.task import Task
    from commonground.scene import SceneGraph

SHADES = {
    "draft": "#8a93a0",
    "grounded": "#4e79a7",
    "planned": "#f28e2b",
    "approved": "#59a14f",
    "running": "#59a14f",
    "paused": "#f28e2b",
    "done": "#59a14f",
    "partly": "#f28e2b",
    "failed": "#e15759",
    "stopped": "#e15759",
    "discarded": "#8a93a0",
}
KINDS = {"change": "#f2a65a", "question": "#7fb2e5", "end": "#8cd17d", "error": "#ff8b8d"}
DEEDS = {"goto": "to", "inspect": "look", "pick": "pick", "place": "put", "wait": "wait"}
MOST_REASONS = 12
MOST_CANDIDATES = 8
"""Buttons of a question back."""
LONG_S = 8
"""Most plans are made sooner, once all that plans is compiled."""
LEAST_LABEL = 6.0
"""Percent of a row in which a symbol has room."""
MOST_SAID = 200
"""Letters of an instruction or an event that are shown."""
MOST_ASKED = 1500
"""Letters of a question: nobody says yes to what he cannot read."""
PIN_NEXT = (
    '<div class="pin-next"></div><style>'
    "div:has(> .pin-next) + div{position:sticky;top:0;z-index:5;padding-top:.5em;"
    "background:var(--mantine-color-body)}"
    ".mantine-ScrollArea-content div:has(.pin-next){overflow:clip!important}"
    '.mantine-Button-root[style*="height: 2em"]{height:auto!important;min-height:2em}'
    ".mantine-Button-label{white-space:normal;overflow-wrap:anywhere;height:auto}</style>"
)
"""Keeps what comes next in a panel in sight while the panel scrolls; what is long on a button wraps.

A row sticks to the nearest box around it that could scroll. viser's frames between the row and the panel hide
what overflows, which counts as scrolling; to clip it looks the same and does not.
"""


def when(stamp_ns: int) -> str:
    """Return a date, or seconds where a recording counts from its own beginning."""
    seconds = stamp_ns / 1e9
    if seconds < 1e8:
        return f"{seconds:.1f} s"
    at = datetime.datetime.fromtimestamp(seconds, datetime.UTC)
    return at.strftime("%Y-%m-%d %H:%M:%S UTC")


ONE_LINE = (
    "opacity:.7;font-size:.9em;width:0;min-width:100%;"
    "white-space:nowrap;overflow:hidden;text-overflow:ellipsis"
)
"""A line that is cut at the edge of the panel, and does not widen it."""


def hue(index: int) -> str:
    """Return the color of the robot with a number."""
    return color_of((0, 1, 2, 6, 3, 5, 4, 8)[index % 8])


def status(
    record: MissionRecord | None,
    now_s: float,
    robots: int,
    waited_s: int = 0,
    interrupted: str = "",
) -> str:
    """Return the line that says where things stand.

    ``waited_s`` is how long a plan is awaited; ``interrupted`` the line of a mission that was broken off.
    """
    if record is None:
        said = (
            f"{robots} robots ready. Say what they shall do."
            if robots
            else "Map only: no team. Start with <code>--robots FILE</code> to instruct one."
        )
        told = f"{interrupted}. It can be taken up again in the tab Log." if interrupted else ""
        first = notice(told) if told else ""
        return f'{first}<div style="padding:2px 10px;opacity:.85">{said}</div>'
    state = "paused" if record.paused else record.state
    clock = f" · {now_s:.0f} s" if now_s >= 0 and record.state == "running" else ""
    chip = (
        f'<span data-state="{state}" style="background:{SHADES[state]};color:#fff;border-radius:9px;'
        f'padding:2px 10px;font-weight:600">{state}</span>'
    )
    said = " · ".join(filter(None, [record.reason, _awaited(record, waited_s)]))
    why = f'<div style="margin-top:4px">{escape(said)}</div>' if said else ""
    by = f" · approved by {escape(record.approved_by)}" if record.approved_by else ""
    by = f" · taken up again: {escape(record.name)}{by}" if record.again else by
    said_all = "” and “".join((record.said, *record.joined))
    wish, whole = escape(_short(said_all, MOST_SAID)), escape(said_all)
    return (
        f'<div style="padding:2px 10px">{chip}'
        f'<span style="opacity:.75"> mission {record.number}{clock}{by}</span>'
        f'<div style="margin-top:4px;font-style:italic" title="{whole}">“{wish}”</div>{why}</div>'
    )


def _awaited(record: MissionRecord, waited_s: int) -> str:
    """Return that words are read, or that a plan is made, for how long, and why that may take long."""
    if record.state == "draft" and record.answer is None:
        return "reading it …"
    if record.state != "grounded" or record.asks:
        return ""
    why = "; the first plan on a computer takes a minute more" if waited_s >= LONG_S else ""
    return f"planning … {waited_s} s{why}" if waited_s else "planning …"


def besides(record: MissionRecord | None, *, paused: bool = False) -> str:
    """Return the line on what somebody wants besides of the mission under way, until it is a part of that."""
    if record is None:
        return ""
    waits = {
        "draft": "is read …" if record.answer is None else record.reason,
        "grounded": "a plan is made with it once somebody goes on"
        if paused
        else "all robots come to a stand, and a plan is made with it …",
        "planned": "; ".join(
            filter(None, ["all robots stand until it is approved or discarded", record.reason])
        ),
    }
    why = record.reason if record.over else waits.get(record.state, "")
    chip = (
        f'<span data-besides="{record.state}" style="background:{SHADES[record.state]};color:#fff;'
        f'border-radius:9px;padding:2px 10px;font-weight:600">{record.state}</span>'
    )
    wish, whole = escape(_short(record.said, MOST_SAID)), escape(record.said)
    return (
        f'<div style="padding:6px 10px 2px">{chip} <span style="opacity:.75">besides</span> '
        f'<span style="font-style:italic" title="{whole}">“{wish}”</span>'
        f'<div style="margin-top:4px">{escape(line(why))}</div></div>'
    )


def answer(record: MissionRecord | None, graph: SceneGraph) -> str:
    """Return how the instruction was understood: goals, and what each phrase was taken to mean."""
    if record is None:
        return ""
    found = record.answer
    rows = (
        [f"<li>{escape(reason)}</li>" for reason in found.explained()[:MOST_REASONS]]
        if found
        else []
    )
    rows += [
        f'<div style="{ONE_LINE}" title="{escape(goal)}"><b>{escape(robot)}</b> '
        f"{escape(_short(in_words(goal, graph), 160))}</div>"
        for robot, goal in (record.goals or {}).items()
    ]
    if found is not None and len(found.candidates) > MOST_CANDIDATES:
        rows.append(
            f"<div>{MOST_CANDIDATES} of {len(found.candidates)} have a button below. All are ringed on the "
            f"map: a click tells a symbol, which can be said in place of the words.</div>"
        )
    told = notice(found.message) if found is not None and found.goals and found.message else ""
    return (
        f'<div style="padding:2px 10px;font-size:.9em">{"".join(rows)}</div>{told}' if rows else ""
    )


def timeline(
    record: MissionRecord | None,
    robots: Sequence[str],
    progress: Mapping[str, Progress],
    now_s: float = -1.0,
) -> str:
    """Return the plan as a bar for each task, a row for each robot, with meters, seconds and the time now."""
    if record is None or not record.tasks:
        return ""
    end_s = max(t.end_s for t in record.tasks) or 1.0
    now = _clock(now_s / end_s) if record.state == "running" or record.again else ""
    names = list(dict.fromkeys([*robots, *(t.robot for t in record.tasks)]))
    rows = [
        _row_of(record, name, end_s, hue(index if name in robots else 7), progress.get(name), now)
        for index, name in enumerate(names)
    ]
    return (
        f'<div style="padding:2px 10px">{"".join(rows)}<div style="opacity:.75;font-size:.85em;'
        f'margin-top:2px">{_sum(record, end_s, progress)}</div></div>'
    )


def _row_of(
    record: MissionRecord,
    name: str,
    end_s: float,
    color: str,
    progress: Progress | None,
    clock: str,
) -> str:
    """Return what one robot has to do, and what it did; nothing for one that has no part."""
    cut = [t for t in record.driven if t.robot == name]
    mine = [t for t in record.tasks if t.robot == name]
    if not cut and not mine:
        return ""
    room = "makes room for others" if _makes_room(record, name, mine) else ""
    task = progress.task if progress is not None and record.state == "running" else ""
    doing = " · ".join(filter(None, [room, task and f"now: {task}"]))
    done = len(cut) + (0 if progress is None else progress.done)
    return _row(name, [*cut, *mine], end_s, color, done, doing, clock)


def _makes_room(record: MissionRecord, name: str, tasks: Sequence[Task]) -> bool:
    """Return whether a robot only drives, and was told nothing."""
    told = {*(record.goals or {})}
    return bool(tasks) and not {name, TEAM} & told and all(t.moves for t in tasks)


def _sum(record: MissionRecord, end_s: float, progress: Mapping[str, Progress]) -> str:
    """Return how far and how long all of a plan goes, and how much of it is done."""
    meters = sum(t.length_m for t in (*record.driven, *record.tasks) if t.moves)
    again = f", plan {record.plans}" if record.plans > 1 else ""
    done = sum(found.done for found in progress.values())
    of_all = f"; {done} of {len(record.tasks)} tasks done" if progress else ""
    return f"{meters:.0f} m and about {end_s:.0f} s planned in all{again}{of_all}"


def _clock(share: float) -> str:
    """Return the line that stands where the time is, on all rows; none before the beginning."""
    if share < 0:
        return ""
    return (
        f'<div class="now" style="position:absolute;left:{min(100 * share, 99.5):.1f}%;top:0;bottom:0;'
        'width:2px;background:#fff"></div>'
    )


def _row(
    name: str, tasks: Sequence[Task], end_s: float, color: str, done: int, doing: str, clock: str
) -> str:
    spans = [(100 * max(0.0, t.start_s) / end_s, 100 * t.end_s / end_s) for t in tasks]
    labels = [_label(t, end - begin) for t, (begin, end) in zip(tasks, spans, strict=True)]
    bars = []
    for k, (task, (left, right)) in enumerate(zip(tasks, spans, strict=True)):
        later = [
            begin for (begin, _), label in zip(spans, labels, strict=True) if label and begin > left
        ]
        room = min([100.0, *later]) - left
        label = labels[k] if room >= LEAST_LABEL else ""
        shade = "opacity:.45;" if task.moves else ""
        mark = "box-shadow:inset 0 -3px #fff;" if k < done else ""
        begin_s = max(0.0, task.start_s)  # on its way to where the plan begins it may be before
        bars.append(
            f'<div title="{escape(str(task))}: {begin_s:.0f}–{task.end_s:.0f} s" '
            f'style="position:absolute;'
            f"left:{left:.2f}%;width:{max(right - left, 1.2):.2f}%;"
            f"top:1px;bottom:1px;background:{color};{shade}{mark}"
            f'border-radius:3px"></div><div style="position:absolute;left:{left:.2f}%;padding-left:3px;'
            f"width:{room:.2f}%;overflow:hidden;text-overflow:ellipsis;pointer-events:none;"
            f'white-space:nowrap;font-size:10px;line-height:22px;color:#fff">{escape(label)}</div>'
        )
    return (
        f'<div style="display:flex;justify-content:space-between;font-size:.85em;margin-top:4px">'
        f'<b style="color:{color}">{escape(name)}</b><span style="opacity:.75">{escape(doing)}</span></div>'
        '<div style="position:relative;height:24px;background:rgba(128,128,128,.18);border-radius:4px;'
        f'overflow:hidden">{"".join(bars)}{clock}</div>'
    )


def _label(task: Task, wide: float) -> str:
    """Return what stands on a bar that is so wide: the deed, or only its thing; a short way has none."""
    if wide > 12:
        return f"{DEEDS.get(task.kind, task.kind)} {task.thing}".strip()
    return "" if task.moves else task.thing


def team(progress: Mapping[str, Progress], robots: Sequence[str], *, heard: bool = True) -> str:
    """Return how each robot fares, in a line each; nothing of one that was never heard."""
    rows = []
    for index, name in enumerate(robots):
        found = progress.get(name)
        if found is None:
            text = "ready" if heard else "not heard yet"
        elif not found.status.linked:
            text = f'<span style="color:#ff8b8d">not reached</span>{_why(found.status)}'
        elif not found.status.localized:
            text = f'<span style="color:#ff8b8d">not localized</span>{_why(found.status)}'
        else:
            holds = f", holds {escape(found.status.holding)}" if found.status.holding else ""
            doubt = f"; {escape(found.status.doubt)}" if found.status.doubt else ""
            battery = f"battery {found.status.battery:.0%}"
            if found.status.battery < BATTERY_LOW:
                battery = f'<span style="color:#ff8b8d">{battery}</span>'
            text = f"localized, {battery}{holds}, {_left(found.left)}{doubt}"
        rows.append(f'<div><b style="color:{hue(index)}">●</b> {escape(name)}: {text}</div>')
    return f'<div style="padding:2px 10px;font-size:.9em">{"".join(rows)}</div>'


def _why(status: Status) -> str:
    """Return what a robot, or its link, tells of what is wrong."""
    why = status.wrong or status.detail
    return f" ({escape(line(why))})" if why else ""


def _left(tasks: int) -> str:
    return f"{tasks or 'no'} task{'' if tasks == 1 else 's'} left"


def events(found: Iterable[Event], most: int = 40) -> str:
    """Return the last events, the newest first."""
    rows = []
    for event in list(found)[-most:][::-1]:
        when = f"{event.time_s:.0f} s" if event.time_s >= 0 else ""
        color = KINDS.get(event.kind, "inherit")
        rows.append(
            f'<div style="display:flex;gap:8px">'
            f'<span style="opacity:.6;min-width:44px;text-align:right">{when}</span>'
            f'<span style="color:{color};overflow-wrap:anywhere">'
            f"{escape(_short(event.text, MOST_SAID))}</span></div>"
        )
    body = "".join(rows) or '<span style="opacity:.6">No events yet.</span>'
    return f'<div style="padding:2px 10px;font-size:.85em;max-height:260px;overflow-y:auto">{body}</div>'


def table(rows: Iterable[tuple[str, str]]) -> str:
    """Return rows of a name and a value."""
    cells = "".join(
        f'<tr><td style="opacity:.7;padding-right:10px;vertical-align:top">{escape(k)}</td>'
        f'<td style="overflow-wrap:anywhere">{escape(v)}</td></tr>'
        for k, v in rows
    )
    return f'<div style="padding:2px 10px;font-size:.9em"><table>{cells}</table></div>'


def lines(texts: Iterable[str]) -> str:
    rows = "".join(f"<div>{escape(t)}</div>" for t in texts)
    return f'<div style="padding:2px 10px;font-size:.9em;overflow-wrap:anywhere">{rows}</div>'


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def asked(record: MissionRecord | None, graph: SceneGraph) -> str:
    """Return the whole question that the buttons below answer, with what people call the things in it."""
    if record is None or not record.asks:
        return ""
    return notice(with_names(record.asks, graph), most=MOST_ASKED)


def notice(text: str, most: int = LONGEST) -> str:
    """Return a line that cannot be overlooked."""
    return (
        '<div role="alert" style="margin:2px 10px;padding:4px 8px;border-left:3px solid #f28e2b;'
        f'background:rgba(242,142,43,.12);overflow-wrap:anywhere">{escape(line(text, most))}</div>'
    )
