"""What a report names and a proposed change does not touch: asked about once, before it is believed."""

from __future__ import annotations

from collections.abc import Iterable

from commonground.errors import GroundingError
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.retrieval.query import mentions_in, telling
from commonground.grounding.memory.retrieval.retriever import Retriever

_MOST_MEANT = 24
"""Phrases that may mean more things than this name nothing."""


class Confirmation:
    """Has a model say once more that a change which leaves out what was named is all of it.

    Much that is named changes nothing: ``the table`` in ``the mug that was on the table is hers``. But a
    model that forgets a clause, or answers with nothing, looks the same; so it is asked, and believed then.
    """

    def __init__(
        self,
        text: str,
        retriever: Retriever,
        what: str = "added or removed about",
        says: str = "the report says changes",
    ) -> None:
        self.text, self.retriever = text, retriever
        self._what, self._says = what, says
        self._given = False

    def check(self, changed: Iterable[Fact]) -> None:
        """Raise GroundingError for the first change that leaves out what was named."""
        left_out = untouched(self.text, changed, self.retriever)
        if left_out and not self._given:
            self._given = True
            raise GroundingError(
                f"the text speaks of '{left_out[0]}', and nothing is {self._what} it. If nothing "
                f"{self._says} that, send the same again"
            )


def untouched(
    text: str, changed: Iterable[Fact], retriever: Retriever, *, people: bool = True
) -> list[str]:
    """Return the phrases of a report that name what a change does not touch; people too, unless told not to.

    What is known of a thing that changes tells which one is meant: whose it is, where it is, what is in it.
    """
    touched = _touched(list(changed), retriever)
    names = retriever.calling.names
    known = {name for name in names.things if people or not names.is_person(name)}
    left_out = []
    for mention in mentions_in(text, retriever.calling):
        meant = known & (telling(mention, names) or mention.things or mention.people)
        if 0 < len(meant) <= _MOST_MEANT and meant.isdisjoint(touched):
            left_out.append(mention.words)
    return left_out


def _touched(changed: list[Fact], retriever: Retriever) -> set[str]:
    """Return what facts are about, what tells which one that is, and where it is."""
    ends = {end for fact in changed for end in (fact.subject, fact.object)}
    subjects = {fact.subject for fact in changed}
    known_of = {fact.object for subject in subjects for fact in retriever.facts.about(subject)}
    return ends | known_of | retriever.implied_by(ends)
