"""Why a report leaves nothing to remember: it moves what the world takes to be fixed."""

from __future__ import annotations

from collections.abc import Iterable

from commonground.grounding.memory.english.clause import Clause
from commonground.grounding.memory.frames.clause_frames import Frames
from commonground.grounding.memory.unclear import Unclear

_MOVING = frozenset(["place", "take", "transport", "go", "hold"])


def why_unkept(clauses: Iterable[Clause], frames: Frames) -> str:
    """Return what to say of clauses that told nothing, empty where there is nothing to explain."""
    for clause in clauses:
        moves = bool(frames.classes(clause) & _MOVING) or bool(clause.places)
        if not moves or frames.is_negated(clause):
            continue
        fixed = _fixture(clause, frames)
        if fixed is not None:
            return f"'{fixed}' has a fixed place in this world, so a new one is not remembered"
    return ""


def _fixture(clause: Clause, frames: Frames) -> str | None:
    """Return the name of what a clause moves, if it is a thing that nothing here can move."""
    subject = [clause.subject] if clause.subject is not None else []
    themes = clause.objects or subject
    for mention in themes[:1]:
        if mention.kind != "thing" or frames.is_items(mention) or frames.can_act(mention):
            continue
        if not frames.linker.may_be(mention, frames.names.is_fixture):
            continue
        try:
            fixed = frames.linker.one(mention, frames.names.is_fixture)
        except Unclear:  # several are called so: none of them moves
            return mention.words
        return frames.names.things[fixed].name
    return None
