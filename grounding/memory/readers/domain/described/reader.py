"""Reads texts by noun phrases that are held against what is believed, segment by segment.

1. A sentence is read as noun phrases and words; relative clauses narrow what a phrase may mean, and the
   sentence is split into segments that each tell one thing (``sentences``).
2. A segment that leaves out who or what it tells of goes on with the one before it (``going_on``).
3. What it tells follows from the types of what it names and from its words (``telling``), or is the change
   that it most likely tells of, of all that may happen now (``likely``).
4. What is not read so is read clause by clause as it stands (``clauses``).
5. What is so then is what the next segment is read against (``account``).
"""

from __future__ import annotations

from collections.abc import Sequence

from commonground.grounding.knowledge.groups import Groups
from commonground.grounding.memory.interpretation.unclear import NOTHING, Unclear
from commonground.grounding.memory.ontology.predicate_words import Sayings
from commonground.grounding.memory.ontology.words import Word
from commonground.grounding.memory.readers.domain.calling import Calling
from commonground.grounding.memory.readers.domain.described.account import Account
from commonground.grounding.memory.readers.domain.described.besides import Besides
from commonground.grounding.memory.readers.domain.described.clauses import ByClauses
from commonground.grounding.memory.readers.domain.described.correcting import Correcting
from commonground.grounding.memory.readers.domain.described.denoting import Denoting
from commonground.grounding.memory.readers.domain.described.wording import Wording
from commonground.grounding.memory.readers.domain.disambiguation import Meant
from commonground.grounding.memory.readers.domain.finding import Found
from commonground.grounding.memory.readers.domain.likely.evidence import Evidence


class DescribedReader:
    """Reads what is said of one world by descriptions of its things."""

    def __init__(self, calling: Calling, sayings: Sayings, groups: Groups) -> None:
        self.denoting = Denoting(calling, sayings)
        self.wording = Wording(sayings, self.denoting, groups)
        self.sayings = sayings
        self.evidence = Evidence(self.wording.roles, sayings)
        self.correcting = Correcting(self.denoting)
        self.besides = Besides(self.wording)

    def take_in(
        self,
        sentences: Sequence[Sequence[Word]],
        meant: Meant,
        *,
        task: bool = False,
        denying: bool = False,
        likely: bool = False,
        by_clauses: bool = False,
    ) -> list[Found]:
        """Take in sentences; return what each segment tells. Unclear where one is not understood.

        ``denying``: what is denied may be what was said before, which is taken back. ``likely``: what is not
        read surely is taken for the change it most likely tells of. ``by_clauses``: each clause is read by
        itself, as it stands.
        """
        reads = ByClauses if by_clauses else Account
        account = reads(self, meant, task=task, denying=denying, likely=likely)
        account.sentences = sentences
        for sentence in sentences:
            account.take_in(sentence)
        if task and (not account.found or account.lost()):  # "the crate goes to the market"
            account.framed, account.found, account.read = True, [], []
            for sentence in sentences:
                account.take_in(sentence)
            account.check_new()
        if account.found and account.lost():
            raise Unclear(f"what about '{account.lost()}'?")
        if not account.found or (by_clauses and not account.has_news()):
            raise Unclear(NOTHING)
        return account.found
