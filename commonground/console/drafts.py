"""Drafts: what somebody wants, from the words until it is approved or dropped."""

from __future__ import annotations

from dataclasses import replace

from commonground.console.board import Board, Refused
from commonground.console.launching import UNREAD, Launcher, agreed
from commonground.console.minutes import Minutes
from commonground.console.record import CARRIED, MissionRecord
from commonground.console.saying import answering, says
from commonground.console.site import Site
from commonground.grounding.answers import Grounding
from commonground.live.heeding import quoted
from commonground.robots import Team


class Drafts:
    """One draft at a time: a mission to come, or what is wanted besides of the one under way."""

    def __init__(self, board: Board, site: Site, launcher: Launcher, minutes: Minutes) -> None:
        self._board, self._site, self._launcher, self._minutes = board, site, launcher, minutes

    def take(
        self, text: str, chosen: tuple[str, ...], by: str, meant: Grounding | None = None
    ) -> MissionRecord:
        """Read an instruction, with what was chosen, or said yes to, where it was asked back about."""
        board, team = self._board, self._site.team
        with board.lock:
            if team is None:
                raise Refused("no team is known; start the console with --robots FILE")
            if not text.strip():
                raise Refused("say what is to be done")
            besides = board.record is not None and board.record.state in CARRIED
            told = self.make_room(by, besides=besides, answers=bool(chosen or meant))
            number = board.next_number()
            record = MissionRecord(
                number, text.strip(), by=by, chosen=chosen, reason=told, replaced=told
            )
            board.open(record, besides=besides)
            board.tell(f"{by or 'somebody'} {answering(text, chosen, yes=meant is not None)}")
        answer = UNREAD
        try:
            answer = agreed(self._launcher.read(team, record, besides=besides), meant)
        finally:  # whatever goes wrong, nobody waits for it
            self._take_in(record, answer, team, by, besides=besides)
        return board.draft or record

    def choose(self, symbol: str, by: str = "", *, number: int | None = None) -> MissionRecord:
        """Answer a question back by one of its candidates; the instruction is read again with it."""
        with self._board.lock:
            record = self._board.shown(number)
            offered = record.answer.candidates if record.answer is not None else ()
            if record.state != "draft" or symbol not in offered:
                raise Refused(f"nobody is asked about {symbol}")
            if symbol in record.chosen:
                raise Refused(f"that leaves it open; say it again, naming {symbol}")
        return self.take(record.text, (*record.chosen, symbol), by)

    def confirm(self, by: str = "", *, number: int | None = None) -> MissionRecord:
        """Say yes to the one reading that a question back shows; it is read again, as robots drive on."""
        with self._board.lock:
            record = self._board.shown(number)
            meant = None if record.answer is None else record.answer.meant
            if record.state != "draft" or meant is None:
                raise Refused("nobody is asked whether that is meant")
        return self.take(record.text, record.chosen, by, meant)

    def _take_in(
        self, record: MissionRecord, answer: Grounding, team: Team, by: str, *, besides: bool
    ) -> None:
        """Show what came of reading a draft, and let it be planned."""
        board = self._board
        with board.lock:
            if board.draft != record:  # another operator discarded it meanwhile, or all is over
                return
            if answer.status != "ok" or not answer.goals:
                board.change(replace(record, answer=answer, reason=answer.message), "question")
                return
            board.change(record.moved("grounded", answer=answer, goals=dict(answer.goals)))
            self._plan(by, record.said, answer, self._site.team or team, besides=besides)

    def _plan(self, by: str, said: str, answer: Grounding, team: Team, *, besides: bool) -> None:
        """Let what was understood be planned, and tell what of the words is in no goal."""
        if answer.message:
            self._board.tell(answer.message, "change")
        if besides:
            self._minutes.did(by, says(said, answer), told=True)
            self._launcher.join()
        else:
            self._launcher.launch(team)

    def discard(self, by: str = "", reason: str = "", *, number: int | None = None) -> None:
        """Drop a mission that nobody has approved; the reason is shown, if there is one."""
        with self._board.lock:
            record = self._board.shown(number)
            if record.state in CARRIED:
                raise Refused("robots carry it out; press Stop")
            if not record.over:
                self.drop(by, reason)

    def drop(self, by: str, reason: str = "") -> None:
        """Drop the draft, and tell who did so."""
        who = by or "somebody"
        reason = reason or f"{who} discarded it"
        self._minutes.did(by, reason.removeprefix(f"{who} "))
        self._drop(reason)

    def _drop(self, reason: str) -> None:
        drive, board = self._launcher.drive, self._board
        if board.draft is not board.record:  # the mission under way goes on without it
            return board.leave_out(reason)
        board.change(board.known().moved("discarded", reason=reason))
        if drive is not None:
            drive.stop("discarded before anybody approved")
        self._launcher.reply(False)

    def make_room(self, by: str, *, besides: bool = False, answers: bool = False) -> str:
        """Drop what nobody approved, and return that, where it was somebody else's.

        One that is answered goes on as another. Nothing is dropped of a mission that is carried out but what
        is wanted besides, and that only while no plan is made with it.
        """
        record, replaced = self._board.draft, ""
        joining = self._board.joining
        if besides and joining is not None and joining.state in ("grounded", "approved"):
            raise Refused(f"a plan is made with {quoted(joining.said)}; wait for that")
        if record is not None and not record.over and record.state not in CARRIED:
            if answers:
                self._drop("answered")
            else:
                replaced = self._replace(record, by)
        if not besides and not self._launcher.ends():
            raise Refused("the last mission is still ending; try again")
        return replaced

    def _replace(self, record: MissionRecord, by: str) -> str:
        """Drop a draft that others words take the place of; return that, where it was somebody else's."""
        whose = "" if record.by == by else f" of {record.by or 'somebody'}"
        joins = record is self._board.joining
        which = quoted(record.said) if joins else f"mission {record.number}"
        told = f"{by or 'somebody'} replaces {which}{whose}"
        self.drop(by, told)
        return told if whose else ""
