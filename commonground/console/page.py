"""The console's page: a thin view of the station, the same for all who look at it."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from commonground.arrays import Floats
from commonground.console import words
from commonground.console.details import named_of
from commonground.console.following import Follower
from commonground.console.live_tab import LiveTab
from commonground.console.log_tab import LogTab
from commonground.console.map_drawing import MapDrawing
from commonground.console.map_tab import MapTab
from commonground.console.memory_box import MemoryBox
from commonground.console.memory_tab import MemoryTab
from commonground.console.offers import Offers, face_of
from commonground.console.operators import Operators, OwnBox, Shared
from commonground.console.record import CARRIED, MissionRecord
from commonground.console.station import Station
from commonground.console.team_drawing import TeamDrawing
from commonground.errors import CommongroundError
from commonground.live.control import control, shouted

if TYPE_CHECKING:
    from viser import ViserServer

    from commonground.grounding.answers import Grounding
    from commonground.scene import SceneGraph

REFRESH_S = 0.25

log = logging.getLogger(__name__)


class Page:
    """All that operators see and press."""

    def __init__(
        self,
        server: ViserServer,
        station: Station,
        memory: MemoryBox,
        follower: Follower | None = None,
    ) -> None:
        self._server, self._station, self._memory = server, station, memory
        self._follower = follower
        self._live: LiveTab | None = None
        self._newer: SceneGraph | None = None
        """A map that waits until no mission is open."""
        self._map = MapDrawing(server, station.graph)
        self._team = TeamDrawing(server, station.team if station.heard else None, self._map.width_m)
        self._names = [robot.name for robot in station.team or ()]
        self._closed = threading.Event()
        self._seen = -1, 0
        """How many changes are shown, and for how long a plan was awaited then."""
        self._awaited = 0, 0.0
        """Number of the mission whose plan is awaited, and since when."""
        self._drawn: tuple[int, int] = (0, 0)
        """Number and plan of the mission that is drawn."""
        self._trails_of = 0
        """Number of the mission whose trails are drawn."""
        self._marked: Grounding | None = None
        """The answer whose nodes are marked."""
        self._rings: list[Floats] = []
        """What is marked."""
        self._spots: list[Floats] = []
        """Where the mission that is shown drives, and what it is about."""
        server.gui.configure_theme(
            dark_mode=True, show_logo=False, show_share_button=False, control_width="large",
            brand_color=(78, 121, 167),
        )  # fmt: skip
        self._build()
        self._refresh()
        self._thread = threading.Thread(target=self._keep_fresh, name="console page", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Change nothing any more."""
        self._closed.set()
        self._thread.join(5.0)

    # ---- building ----

    def _build(self) -> None:
        gui = self._server.gui
        # first and pinned, so that it never moves, whatever comes and goes or is scrolled below it
        gui.add_html(words.PIN_NEXT)
        self._button("Stop", self._station.stop, color="red", icon="hand-stop")
        self._status = gui.add_html("")
        self._notice = gui.add_html("")
        tabs = gui.add_tab_group()
        with (mission := Shared(tabs.add_tab("Mission"))):
            self._build_mission(mission)
        self._operators = Operators(self._server, mission, -2.0)
        if self._names:
            asking = "Ask for a plan", self._ask
            self._box = OwnBox(self._server, mission, "Instruction", -1.0, asking)
        if self._follower is not None:
            with tabs.add_tab("Team"):
                self._live = LiveTab(gui, self._follower)
        self._map_tab = MapTab(
            self._server, Shared(tabs.add_tab("Map")), self._station, self._memory,
            (self._map, self._team), self._notice, self._told, self._called,
        )  # fmt: skip
        memory = Shared(tabs.add_tab("Memory"))
        MemoryTab(self._server, memory, self._memory, self._told, self._called)
        with tabs.add_tab("Log"):
            self._log = LogTab(gui, self._station, self._team, self._button)

    def _build_mission(self, tab: Shared) -> None:
        gui, station = self._server.gui, self._station
        self._answer = gui.add_html("")
        self._timeline = gui.add_html("")
        self._go_look = gui.add_button("Look there", color="gray", icon="eye", visible=False)
        self._go_look.on_click(self._look_there)
        self._asked = gui.add_html("")
        self._offers = Offers(
            tab,
            self._button,
            station,
            self._edited,
            (cast(float, self._answer.order) - 0.5, cast(float, self._asked.order) + 0.1),
        )
        self._pause = self._button("Pause", station.pause, visible=False)
        self._resume = self._button("Resume", station.go_on, visible=False)
        self._robots = gui.add_html("")
        self._events = gui.add_html("")

    def _button(
        self, label: str, act: Callable[..., Any], *, by_event: bool = False, **look: Any
    ) -> Any:
        """Add a button; what the station refuses is told to who pressed it."""
        button = self._server.gui.add_button(label, **look)

        def run(event: Any) -> None:
            with self._told(event):
                act(event if by_event else self._operators.who(event))

        button.on_click(run)
        return button

    def _called(self, text: str, event: Any) -> bool:
        """Do what is said to robots in a box that is not for it; whoever is in a hurry takes any."""
        record, names = self._station.record, self._names
        if record is None or record.state not in CARRIED:
            return False
        if not control(text, names) and not shouted(text, names):
            return False
        return self._station.heeds(text, self._operators.who(event))

    @contextlib.contextmanager
    def _told(self, event: Any) -> Iterator[None]:
        """Show a known error on the page; the page lives on."""
        _set(self._notice, "")
        try:
            yield
        except CommongroundError as error:
            self._notice.content = words.notice(str(error))

    # ---- what operators do ----

    def _ask(self, event: Any) -> None:
        """Say to the station what stands in the box of who asks for a plan."""
        with self._told(event):
            text = self._box.of(event)
            if self._station.say(text, self._operators.who(event)).state != "draft":
                self._box.clear(event, text)  # what is asked back about may be said in other words

    def _edited(self, event: Any, number: int) -> None:
        """Drop the mission and put its words back into the box of who pressed that."""
        record, who = self._station.draft, self._operators.who(event)
        self._station.discard(who, f"{who} edits it: its words are back in the box", number=number)
        if record is not None:
            self._box.put(event, record.text)

    def _offered(self) -> list[str]:
        """Return the candidates of the question that is open."""
        record = self._station.draft
        if record is None or record.state != "draft" or record.answer is None:
            return []
        return [s for s in record.answer.candidates if self._known(s)]

    def _known(self, symbol: str) -> bool:
        try:
            return symbol in self._station.graph
        except CommongroundError:
            return False

    def _look_there(self, event: Any) -> None:
        """Let who pressed it see all that the mission is about."""
        with self._told(event):
            if event.client is not None and self._spots:
                self._map.look_at(event.client.camera, self._spots)

    # ---- showing ----

    def _keep_fresh(self) -> None:
        while not self._closed.wait(REFRESH_S):
            try:
                self._refresh()
            except (
                CommongroundError,
                KeyError,
                OSError,
                RuntimeError,
            ) as error:  # a view never ends a mission
                log.warning("the page: %s", error)

    def _refresh(self) -> None:
        station = self._station
        progress = station.progress()
        if progress:
            self._team.place(progress)
        if self._live is not None and self._live.due():
            self._follow(self._live, bool(progress))
        # what robots tell changes while a mission waits, too
        _set(self._robots, words.team(progress, self._names, heard=station.heard))
        self._log.refresh(station.record)
        now = station.changes, self._waited_s()
        if self._seen == now:
            return
        self._seen = now
        record = station.record
        status = words.status(
            record, station.now_s(), len(self._names), now[1], station.interrupted
        )
        paused = record is not None and record.paused
        _set(self._status, status + words.besides(station.joining, paused=paused))
        answer = self._answer_shown()
        shown = self._plan_shown()
        going = shown is record and shown is not None and (shown.again or shown.state == "running")
        _set(
            self._timeline,
            words.timeline(shown, self._names, progress if going else {}, station.now_s()),
        )
        _set(self._asked, words.asked(record, station.graph))
        _set(self._events, words.events(list(station.events)))
        if answer is not self._marked:
            self._marked = answer
            self._mark(answer)
        self._plan(shown)
        self._buttons()

    def _waited_s(self) -> int:
        """Return for how many seconds a plan is awaited; 0 where none is."""
        draft, now_s = self._station.draft, time.monotonic()
        number = draft.number if draft is not None and draft.state == "grounded" else 0
        if number != self._awaited[0]:
            self._awaited = number, now_s
        return int(now_s - self._awaited[1]) if number else 0

    def _answer_shown(self) -> Grounding | None:
        """Show how the words were understood about which operators decide, and return that.

        Nothing on the map or below the box looks as if a mission that was dropped were still to come.
        """
        draft = self._station.draft
        shown = None if draft is None or draft.state == "discarded" else draft
        _set(self._answer, words.answer(shown, self._station.graph))
        return None if shown is None else shown.answer

    def _plan_shown(self) -> MissionRecord | None:
        """Return whose plan is shown: while words are asked back about, or planned, robots drive on."""
        record, draft = self._station.record, self._station.draft
        shown = draft if draft is None or draft.tasks else record
        return None if shown is None or shown.state == "discarded" else shown

    def _plan(self, record: MissionRecord | None) -> None:
        """Draw the plan that holds now."""
        now = (0, 0) if record is None else (record.number, record.plans)
        if now != self._drawn:
            under_way = self._station.record
            if under_way is not None and under_way.number != self._trails_of:
                self._team.forget()
                self._trails_of = under_way.number
            self._drawn = now
            tasks = record.tasks if record is not None else ()
            self._team.plan(tasks)
            self._spots = [np.array(point) for task in tasks for point in task.path] or self._rings

    def _follow(self, live: LiveTab, on_mission: bool) -> None:
        """Show how the live run gets on; robots on a mission tell themselves where they are."""
        progress, newer = live.look()
        if progress and not on_mission:
            self._team.place(progress)
        self._newer = newer or self._newer
        if self._newer is not None and self._station.renew(self._newer):
            self._map_tab.redraw(self._newer)
            self._newer = None

    def _buttons(self) -> None:
        """Show the buttons that have an effect now."""
        record = self._station.record
        state = "" if record is None else record.state
        going = state == "running" and record is not None
        for handle, there in (
            (self._go_look, bool(self._spots)),
            (self._pause, going and record is not None and not record.paused),
            (self._resume, going and record is not None and record.paused),
        ):
            if handle.visible != there:
                handle.visible = there
        listed = self._offered()[: words.MOST_CANDIDATES]
        offered = [(s, named_of(self._station.graph, s)) for s in listed]
        self._offers.show(face_of(record, self._station.draft, offered))

    def _mark(self, answer: Grounding | None) -> None:
        """Ring what the instruction was taken to mean, or what it may mean."""
        graph, reasons = self._station.graph, () if answer is None else answer.reasons
        symbols = [s for r in reasons for s in r["chosen"]] or self._offered()
        rings = {s: graph.position(s) for s in symbols if self._known(s)}
        self._team.chosen(rings)
        self._rings = list(rings.values())


def _set(handle: Any, content: str) -> None:
    if handle.content != content:
        handle.content = content
