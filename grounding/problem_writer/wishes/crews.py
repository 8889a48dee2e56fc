"""Which robots of the team are meant by a crew: by name, by number, or all but some."""

from __future__ import annotations

import re
from collections.abc import Sequence

from commonground.grounding.english.parts import in_words
from commonground.grounding.english.utterance import Crew
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.words.numbers import count_of, rank_of

_ANYBODY = ("all", "any one", "able", "unnamed")
"""Crews that leave it to the team who does what."""


def robots_of(
    crew: Crew | None, team: Sequence[str], before: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return the robots that shall do something; none: whichever.

    ``before`` are the robots that were told to do what came before.
    """
    if crew is None or crew.choose in _ANYBODY:
        return ()
    named = tuple(robot_called(span.text, team) for span in crew.names)
    if crew.choose in ("all but", "other"):
        out = named or tuple(before)
        left = tuple(robot for robot in team if robot not in out)
        if out and left and (crew.choose == "all but" or len(left) == 1):
            return left
        raise Unclear(
            f"Which robot is meant by '{in_words(crew) or 'the other'}': {', '.join(team)}?"
        )
    if not named:
        raise Unclear(
            f"I cannot tell which robot is the {crew.choose} '{in_words(crew)}'. Which one?"
        )
    return named


def robot_called(words: str, team: Sequence[str]) -> str:
    """Return the robot of a name: as it is, by its number, or as the first, the second."""
    name = words.strip().removesuffix("'s")
    plain = {_plain(robot): robot for robot in team}
    for reading in (
        _plain(name),
        _plain(re.sub(r"^(?:robot|number)\s+", "", name, flags=re.I)),
    ):
        if reading in plain:
            return plain[reading]
    number = _number(name)
    ends = {int(m[1]): robot for robot in team if (m := re.search(r"(\d+)$", robot))}
    if not ends:
        ends = dict(enumerate(team, 1))
    if number in ends:
        return ends[number]
    raise Unclear(f"There is no '{words}'; the robots are {', '.join(team)}. Who is meant?")


def _plain(name: str) -> str:
    return re.sub(r"^the\s+|[^a-z0-9]", "", name.lower())


def _number(name: str) -> int | None:
    """Return the number in ``robot number two``, ``the second robot``, ``unit 3``."""
    words = (word for word in re.findall(r"[a-z]+|\d+", name.lower()) if word not in ("a", "the"))
    return next((n for word in words if (n := count_of(word) or rank_of(word))), None)
