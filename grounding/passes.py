"""What is done to the words of an instruction before anybody reads them: one pass after the other."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import TypeAlias

from commonground.grounding.answers import Grounding, clarification
from commonground.grounding.english.asides import unremarked
from commonground.grounding.english.names import GROUPS, Names
from commonground.grounding.english.reader import MAX_CHARACTERS, unreadable
from commonground.grounding.english.tokens import tokens_of
from commonground.grounding.fidelity.deadlines import undated
from commonground.grounding.fidelity.waivers import Waived, contradicted, excused, waived
from commonground.grounding.frontends.plain_text import one_line
from commonground.grounding.orders.manners import unhurried
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.words.envelope import unreal_heading
from commonground.grounding.words.functions import named_by_function
from commonground.grounding.words.languages import is_foreign
from commonground.grounding.words.partners import partners_named
from commonground.grounding.words.shorthand import written_out
from commonground.grounding.words.typed import Typed
from commonground.grounding.words.vocabulary import FUNCTION_WORDS
from commonground.grounding.world import World


@dataclass(frozen=True, slots=True)
class Said:
    """An instruction on its way to who reads it."""

    text: str
    took: tuple[str, ...] = ()
    """What was taken for what: told beside goals and questions."""
    notes: tuple[str, ...] = ()
    """What else is told beside goals."""
    idle: tuple[str, ...] = ()
    """Robots that are told to do nothing."""
    free: Waived | None = None
    """What need not be done."""
    put_right: tuple[tuple[str, str], ...] = ()
    """Words that were taken for misspelt ones, with what for; nothing here is called so."""

    def noting(self, text: str, *notes: str) -> Said:
        """Return the same with another text, and with more to tell."""
        return replace(self, text=text, notes=(*self.notes, *notes))

    def answered(self, found: Grounding) -> Grounding:
        """Return an answer to the text with what is to be told of it; a question where both disagree."""
        clause = self._against(found.goals) if found.goals else ""
        if clause:
            found = clarification(Unclear(f"What is meant by '{clause}'?"), understood=False)
        told = " ".join(filter(None, [found.message, *(self.notes if found.goals else ())]))
        asked = {*re.findall(r"\w+", found.message.casefold())} if not found.goals else set()
        read = [f"'{a}' was read as '{b}'." for a, b in self.put_right if b.casefold() in asked]
        told = " ".join(filter(None, [told, *read]))
        return replace(found, message="; ".join(filter(None, [told, *self.took])))

    def _against(self, goals: Mapping[str, str]) -> str:
        """Return who or what of the text needs no goal and has one."""
        clause = contradicted(goals, self.free) if self.free is not None else ""
        return clause or next((robot for robot in self.idle if robot in goals), "")


_ROOM = re.compile(r"\s{3,}")
Pass: TypeAlias = Callable[[Said], Said]


class Passes:
    """Says in plain words what is an order, and sets aside what is none."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.robots = list(world.team.robots)
        self.known = self.world.nouns | {name.casefold() for name in self.robots}
        self.typed = Typed(world.nouns, self.robots)
        self.all: tuple[Pass, ...] = (
            self.written_out,
            self.in_english,
            self.named,
            self.partners_named,
            self.without_manners,
            self.without_deadlines,
            self.without_excused,
            self.without_remarks,
            self.without_waived,
        )
        self.aside = {one for one in self.all if one.__name__.startswith("without_")}

    def through(self, text: str) -> Said:
        """Return a text after all passes; Unclear where one of them has to ask.

        Of a text that is too long for any reader nothing is looked for.
        """
        text = _ROOM.sub(lambda room: "\n" if "\n" in room[0] else " ", text)
        said = Said(text)
        if len(text) > MAX_CHARACTERS or unreadable(text, tokens_of(text)):
            return said
        for one in self.all:
            after = one(said)
            if one not in self.aside or keeps_names(said.text, after.text, self.world.spoken_names):
                said = after
        return said

    def in_english(self, said: Said) -> Said:
        """Ask about what is not English: nothing here can tell a ban of another language from an order."""
        if is_foreign(said.text, self.known):
            raise Unclear("I only understand English. Please say it in English.")
        if heading := unreal_heading(said.text):
            raise Unclear(f"Is that to be done? The text says '{one_line(heading, 120)}'.")
        return said

    def named(self, said: Said) -> Said:
        """Name what is said by its purpose: ``something to sit on``."""
        named = named_by_function(said.text, self.world.likeliest)
        if named.unknown:
            raise Unclear(f"What is '{named.unknown}' here? Please name the thing.")
        return replace(said, text=named.text, took=named.notes)

    def written_out(self, said: Said) -> Said:
        """Write out what is in short, and put right what is misspelt."""
        text = self.world.spelled.plain(self.world.tagged.plain(said.text))
        text = self.typed.in_full(written_out(text, self.robots, self.world.nouns))
        typed = self.typed.right(text)
        if typed.question:
            raise Unclear(typed.question)
        strange = tuple(pair for pair in typed.put_right if pair[1].casefold() not in self.known)
        read = [f"Read as: {one_line(typed.text)}"] if typed.text != text else []
        return replace(said.noting(typed.text, *read), put_right=strange)

    def partners_named(self, said: Said) -> Said:
        """Call by its name who is somebody's partner."""
        return replace(said, text=partners_named(said.text, self.robots))

    def without_manners(self, said: Said) -> Said:
        """Set aside what only asks for haste or care."""
        text, manners = unhurried(said.text)
        return said.noting(text, *(f"'{words}' is no part of the goal" for words in manners))

    def without_deadlines(self, said: Said) -> Said:
        """Set aside by when something is to be done."""
        text, deadlines = undated(said.text, self.robots, self.world.has_any)
        late = " and ".join(deadlines)
        return said.noting(text, *([f"No plan is held to '{late}'."] if late else []))

    def without_excused(self, said: Said) -> Said:
        """Set aside that a robot has nothing to do."""
        idle = excused(said.text, self.robots, self.world.spoken_names)
        return replace(said, text=idle.text, idle=idle.robots)

    def without_remarks(self, said: Said) -> Said:
        """Set aside what is said by the way."""
        return said.noting(unremarked(said.text, self.world.spoken_names))

    def without_waived(self, said: Said) -> Said:
        """Set aside what need not be done."""
        rest = waived(said.text, self.world.spoken_names, self.world.has_area)
        return replace(said, text=rest.text, free=rest)


def keeps_names(before: str, after: str, names: Names) -> bool:
    """Return whether what a text lost cuts no name, and no name in it goes without words that say something.

    ``Visit the hall, Noon Gate and the shed`` warns of nothing and puts nothing off, whatever names look
    like.
    """
    words, rest = ([t.text.casefold() for t in tokens_of(text)] for text in (before, after))
    hints = names.hints(words)
    named = [range(start, end) for start, end, group in hints if GROUPS[group] != "robot"]
    lost = SequenceMatcher(None, words, rest, autojunk=False).get_opcodes()
    gone = [range(start, end) for what, start, end, *_ in lost if what != "equal"]
    return not any(_is_cut(name, stretch) for name in named for stretch in gone) and not any(
        _names_alone(stretch, words, {at for name in named for at in name}) for stretch in gone
    )


def _is_cut(name: range, stretch: range) -> bool:
    return 0 < len({*name} & {*stretch}) < len(name)


def _names_alone(stretch: range, words: Sequence[str], named: set[int]) -> bool:
    told = all(at in named or _says_nothing(words[at]) for at in stretch)
    return told and not named.isdisjoint(stretch)


def _says_nothing(word: str) -> bool:
    return word in FUNCTION_WORDS or not word.isalnum()
