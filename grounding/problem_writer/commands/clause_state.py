"""What has been read of a command so far, and what comes next in it."""

from __future__ import annotations

from collections.abc import Sequence

from commonground.grounding.problem_writer.commands.chunks import Chunk
from commonground.grounding.problem_writer.commands.clause_words import (
    MENTION,
)
from commonground.grounding.problem_writer.commands.mentions import (
    Clause,
)


class ClauseState:
    """Goes over the chunks once; where a chunk has several meanings, its neighbours decide."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self.chunks = chunks
        self.done: list[Clause] = []
        self.now = Clause()
        self.role = ""
        """Of the preposition that was read last."""
        self.linked = True
        """A link, or nothing, stands before."""
        self.states: list[str] = []
        """Said before a noun: ``the sliced tomato``."""
        self.amount: int | None = None
        self.pieces = self.contents = False
        self.passive = False
        """The verb stands behind its objects: ``the tomato should be sliced``."""
        self.described = False
        """A participle said where things are: ``kept in``."""
        self.been = False
        """``is``, ``should be``: what follows is said of the objects."""
        self.denying = ""
        """``do not``: what is asked for next shall not be."""
        self.describing = False
        """``the one``: the place that follows tells which."""
        self.vague = False
        """``some``."""
        self.single = False
        """``one of the``: one of several, whichever."""
        self.each = False
        self.anew = False
        """``after the television …``: a clause of its own begins."""
        self.goes = False
        """``goes``, ``belongs``: the place is where things shall be, not where they are."""
        self.links: list[str] = []
        self.object_last = True
        """An object, not a place, was named last."""
        self.robots: tuple[str, ...] = ()
        """Who was named to do what follows."""
        self.naming = False
        """Nothing has been asked of them yet."""
        self.at = 0

    def _unused_amount(self) -> None:
        """``and the other two on the sofa``: a number without a noun is asked about."""
        if self.amount:
            self.now.unknown.append(str(self.amount))
        self.amount = None

    def _finish(self) -> None:
        self._unused_amount()
        if not self.now.empty:
            self.done.append(self.now)
        self.now = Clause(links=tuple(self.links))
        self.links = []
        self.describing = False
        self.role, self.states, self.amount = "", [], None
        self.pieces = self.contents = self.passive = self.been = False

    def _begin(self, frame: str, word: str) -> None:
        only_places = bool(self.now.places) and not (self.now.frame or self.now.objects)
        carried = self.now.chunks if self.now.empty or only_places else []
        places = self.now.places if only_places else []
        if only_places:  # ``in the drawer, put the watch``
            self.now = Clause()
        self._finish()
        self.now.places = list(places)
        self.now.frame, self.now.word = frame, word
        self.now.denied, self.denying = bool(self.denying), ""
        self.anew = False
        self.now.chunks = carried
        self.linked = False

    def _following(self, *, skip_links: bool = False) -> Chunk | None:
        """Return the next chunk that says something."""
        for chunk in self.chunks[self.at + 1 :]:
            if chunk.is_("comma", "links", "stop") and not skip_links:
                return None
            if not chunk.is_("fillers") or chunk.is_(*MENTION):
                return chunk
        return None

    def _target_ahead(self) -> bool:
        """Return whether a further preposition comes before the next verb."""
        for chunk in self.chunks[self.at + 1 :]:
            if chunk.is_("stop") or (
                chunk.is_("verb") and not chunk.is_("thing", "fillers", "state")
            ):
                return False
            sense = chunk.sense("preposition")
            if sense is not None and sense.value == "target":
                return True
        return False

    def _said_to_be(self) -> bool:
        """``once it has been sliced``."""
        following = self.chunks[self.at + 1 : self.at + 4]
        return any(chunk.is_("be", "past") for chunk in following)

    def _names_next(self) -> bool:
        """``that microwave``: the word only points."""
        following = self.chunks[self.at + 1] if self.at + 1 < len(self.chunks) else None
        while following is not None and following.text in ("the", "a", "an"):
            at = self.chunks.index(following, self.at) + 1
            following = self.chunks[at] if at < len(self.chunks) else None
        return following is not None and following.is_("thing", "group", "name")
