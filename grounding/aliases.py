"""Robots under plain names: whatever a robot is called, its name is read as a name and as nothing else.

A robot may be called like a color or an area (``Blue``, ``R2``), or like nothing that a reader has met. So it
is read under another name where it is spoken of, and has its own again in the answer.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from commonground.grounding.answers import Grounding
from commonground.grounding.english.names import singular
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.verbs import DEEDS
from commonground.grounding.language.tokens import tokenize
from commonground.grounding.words.blanks import any_of
from commonground.grounding.words.colors import names_color
from commonground.grounding.words.nouns import word_set
from commonground.planning.scene import Before
from commonground.robots import Team

PLAIN = ("spot", "husky", "bert", "robbie", "fido", "ghost", "rover", "echo", "ranger", "turtle")
"""Names that the readers take for names, those first that they have met most."""
_SYMBOL = re.compile(r"[a-z]{1,2}\d+", re.IGNORECASE)
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
        self._alias = {name.casefold(): alias for alias, name in self.own.items()}
        self.team = Team(
            {own.get(n, n): replace(r, name=own.get(n, n)) for n, r in team.robots.items()}
        )

    def _is_a_word(self, name: str) -> bool:
        """Return whether a name may be taken for a node of the map, a color or a kind of thing."""
        word = name.casefold()
        return bool(_SYMBOL.fullmatch(name)) or word in self.nouns or names_color(word)

    def mentioned(self, text: str) -> str:
        """Return the name in a text that another robot is read under, '' for none."""
        found = re.search(rf"\b{any_of(self.own)}\b", text, re.IGNORECASE) if self.own else None
        return found[0] if found else ""

    def spoken(self, text: str) -> str:
        """Return a text that calls robots by their other names."""
        if not self.own:
            return text
        names = re.compile(rf"(?<![\w-])(?P<name>{any_of(self._alias)})(?![\w-])", re.IGNORECASE)
        return names.sub(lambda one: self._said(one, text), text)

    def _said(self, one: re.Match[str], text: str) -> str:
        """Return a name as it is to be read; the same word where it is no name."""
        before, behind = text[: one.start()], text[one.end() :]
        is_name = self._is_beside_another(before, behind) or _begins(before, behind)
        if not is_name and not _SYMBOL.fullmatch(one[0]):
            following = re.match(r"\s+(\w+)", behind)
            described = singular([following[1]] if following else [""])
            is_name = one[0][:1].isupper() and self.nouns.isdisjoint(described)
        return self._alias[one[0].casefold()].capitalize() if is_name else one[0]

    def _is_beside_another(self, before: str, behind: str) -> bool:
        """Return whether a name is one of several robots: ``Spot and R2``."""
        joint, names = r"\s*(?:,\s*and|,|and|or)\s*", rf"\b{any_of(self._named)}\b"
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
