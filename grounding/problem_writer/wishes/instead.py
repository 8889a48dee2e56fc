"""What is asked for instead of what was asked for first: ``no, that one glares, make it the candle``."""

from __future__ import annotations

from commonground.grounding.english.remarks import PEOPLE
from commonground.grounding.problem_writer.wishes.account import Accounts
from commonground.grounding.problem_writer.wishes.acts import TOLD, Said
from commonground.grounding.problem_writer.wishes.demands import DETERMINERS, Named
from commonground.grounding.problem_writer.wishes.heads import ADVERBS, ENDS, JOINTS
from commonground.grounding.problem_writer.wishes.home import NEEDED
from commonground.grounding.problem_writer.wishes.pronouns import Pronouns
from commonground.grounding.problem_writer.wishes.stretches import IT, THEM


class Side(Pronouns):
    """What stands on one side of words that take something back."""

    def themes(self, one: Said) -> list[Named]:
        """Return the things that a clause is about."""
        return [n for n in self._named_in(one) if not self._is_place(n)]

    def _named_in(self, one: Said) -> list[Named]:
        return [n for n in self.accounts.named if one.start <= n.start < one.end]


class Instead(Side):
    """What follows words that take something back."""

    def __init__(self, accounts: Accounts) -> None:
        super().__init__(accounts.text, accounts)
        self.clause = self._first_meant()

    def _first_meant(self) -> Said | None:
        """Return the clause that says what is meant, in this sentence or the next."""
        ends = [at for at, word in enumerate(self.words) if word in ENDS]
        last = ends[1] if len(ends) > 1 else len(self.words)
        fits = (one for one in self.accounts.acts.said if one.start < last)
        return next(filter(self._is_meant, fits), None)

    def told(self, one: Said) -> list[Named]:
        """Return the things that are told of before a clause and that may be what it asks for."""
        states = (a.state for at, a in self.accounts.asked if one.start <= at < one.end)
        need = next(filter(None, map(NEEDED.get, states)), "pickupable")
        named = (n for n in self.accounts.named if n.start < one.start)
        return [n for n in named if not self._is_place(n) and self._can(n, need)]

    def bare(self) -> list[Named]:
        """Return what is named at once, and nothing said of it: ``sorry, I mean the butter knife``."""
        first = next(self._stretches(), None)
        if first is None or len(first.named) != 1 or first.end != first.named[0].end:
            return []
        before = self.words[first.start : first.named[0].start]
        return first.named if DETERMINERS.issuperset(before) else []

    def _is_meant(self, one: Said) -> bool:
        """Return whether a clause says what is meant, and not only why: ``he needs the pencil``."""
        head = self.accounts.acts.head(one.start, one.end)
        why = head.mood == "told" and self.words[head.subject] in PEOPLE
        return one.act not in TOLD and not why

    def back(self, one: Said) -> int | None:
        """Return where a clause has a pronoun for what was named before."""
        pronouns = IT | THEM
        return next((at for at in range(one.start, one.end) if self.words[at] in pronouns), None)

    def is_made(self, one: Said) -> bool:
        """``make it the desk lamp``."""
        begin = self.accounts.acts.head(one.start, one.end).verb
        return self.words[begin : begin + 2] in (["make", "it"], ["make", "that"])

    def rest(self, one: Said, back: int | None, name: str) -> str:
        """Return the text from a clause on, with a name for its pronoun."""
        tokens, text, start = self.accounts.tokens, self.accounts.text, one.start
        while start < one.end - 1 and self.words[start] in JOINTS | ADVERBS:
            start += 1
        if back is None:
            return text[tokens[start].start :]
        return f"{text[tokens[start].start : tokens[back].start]}{name}{text[tokens[back].end :]}"
