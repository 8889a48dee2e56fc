"""Robots under plain names: whatever a robot is called, its name is read as a name and as nothing else.

A robot may be called like a color or an area (``Blue``, ``R2``), or like nothing that a reader has met. So it
is read under another name where it is spoken of, and has its own again in the answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any

from commonground.grounding.answers import Grounding
from commonground.grounding.english.names import singular
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.verbs import DEEDS
from commonground.grounding.words.blanks import any_of
from commonground.grounding.words.colors import names_color
from commonground.grounding.words.nouns import word_set
from commonground.grounding.words.tags import Tag, Tags, is_apart
from commonground.grounding.words.tokens import tokenize
from commonground.planning.scene import Before
from commonground.robots import Team

PLAIN = ("bert", "husky", "robbie", "fido", "spot", "rover", "ghost", "echo", "ranger", "turtle")
"""Names that the readers take for names, those first that they have met most."""
_SYMBOL = re.compile(r"[opr]\d+", re.IGNORECASE)
_OPENS = re.compile(
    r"(?:^|[.;:!?,\n]|\b(?:and|or|but|so|then|first|only|tell|ask|let|have|once|when|while|as|before|after|until))\s*$",
    re.IGNORECASE,
)
_BEGINS = re.compile(r"(?:^|[.;:!?\n])\s*$")
_ACTS = word_set("is has does may can should must shall will needs goes none you please alone only")


class Aliases:
    """Plain names for the robots of a team that have others."""

    def __init__(self, team: Team, nouns: Collection[str]) -> None:
        """``nouns`` are the words that things and areas of the map are called by."""
        self.nouns = frozenset(nouns)
        known = {*nouns, *map(str.casefold, team.robots)}
        free = iter(name for name in PLAIN if name not in known)
        own = {n: next(free, n) for n in team.robots if self._is_a_word(n)}
        self.own: Mapping[str, str] = {a: name for name, a in own.items() if a != name}
        self._named = (*team.robots,)
        self._alias = {name: alias for alias, name in self.own.items()}
        self._tags = Tags(self._alias)
        self.team = Team(
            {own.get(n, n): replace(r, name=own.get(n, n)) for n, r in team.robots.items()}
        )

    def _is_a_word(self, name: str) -> bool:
        """Return whether a name is no word, or may be taken for a color or a kind of thing."""
        word = name.casefold()
        return not name.isalpha() or word in self.nouns or names_color(word)

    def mentioned(self, text: str) -> str:
        """Return the name in a text that another robot is read under, '' for none."""
        rest = self._plain(text, lambda one: " " * len(one))
        name = rf"(?<![\w-]){any_of(self.own)}(?:-\w+)?(?![\w-])"
        called = (
            one[0]
            for one in re.finditer(name, rest, re.IGNORECASE)
            if one[0][:1].isupper() or _begins(rest[: one.start()], rest[one.end() :])
        )
        return next(called, "")

    def spoken(self, text: str) -> str:
        """Return a text that calls robots by their other names."""
        return self._plain(text, lambda name: self._alias[name].capitalize())

    def _plain(self, text: str, as_read: Callable[[str], str]) -> str:
        """Return a text with something else for the names that are read under others."""
        made, end = "", 0
        for tag in self._tags.within(text):
            if self._is_name(tag, text):
                made, end = made + text[end : tag.start] + as_read(tag.name), tag.end
        return made + text[end:]

    def _is_name(self, tag: Tag, text: str) -> bool:
        """Return whether words are a name where they stand."""
        before, said, behind = text[: tag.start], text[tag.start : tag.end], text[tag.end :]
        if not (tag.name.isalpha() or _SYMBOL.fullmatch(said) or is_apart(said, tag.name)):
            return True
        commas = not is_apart(said, tag.name)  # Go2, spot a leak
        if self._is_beside_another(before, behind, commas=commas) or _begins(before, behind):
            return True
        following = re.match(r"\s+(\w+)", behind)
        described = singular([following[1]] if following else [""])
        named = said[:1].isupper() and self.nouns.isdisjoint(described)
        return named and not _SYMBOL.fullmatch(said)

    def _is_beside_another(self, before: str, behind: str, *, commas: bool) -> bool:
        """Return whether a name is one of several robots: ``Spot and R2``."""
        joint = rf"\s*(?:,\s*and|and|or{'|,' if commas else ''})\s*"
        names = rf"\b{any_of(self._named)}\b"
        last = re.search(rf"{names}{joint}$", before, re.IGNORECASE)
        return bool(last or re.match(rf"{joint}{names}", behind, re.IGNORECASE))

    def own_names(self, found: Grounding) -> Grounding:
        """Return an answer that calls the robots by their own names."""
        if not self.own:
            return found
        goals = None if found.goals is None else self._owned(found.goals)
        leeway = self._owned(found.leeway)
        message, reasons, why = map(self._back, (found.message, found.reasons, found.why))
        order = tuple(Before.of_json(self._back(pair.as_json())) for pair in found.order)
        return replace(
            found,
            goals=goals,
            leeway=leeway,
            message=message,
            reasons=reasons,
            why=why,
            order=order,
        )

    def _owned(self, goals: Mapping[str, str]) -> dict[str, str]:
        return {self.own.get(robot, robot): goal for robot, goal in goals.items()}

    def _back(self, value: Any) -> Any:
        if isinstance(value, str):
            return re.sub(rf"\b{any_of(self.own)}\b", self._own, value, flags=re.IGNORECASE)
        if isinstance(value, Mapping):
            return {key: self._back(inner) for key, inner in value.items()}
        return type(value)(map(self._back, value)) if isinstance(value, list | tuple) else value

    def _own(self, alias: re.Match[str]) -> str:
        name = self.own[alias[0].casefold()]
        return name.capitalize() if alias[0][:1].isupper() and name.islower() else name


def _begins(before: str, behind: str) -> bool:
    """Return whether somebody is called, or does something, between what stands before and behind."""
    if _BEGINS.search(before) and re.match(r"\s*[,:]", behind):
        return True
    said = tokenize(behind)
    if not _OPENS.search(before) or not said:
        return False
    deeds = phrases_in(said, DEEDS)
    return said[0].text in _ACTS or bool(deeds and deeds[0].start == said[0].start)
