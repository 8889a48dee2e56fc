"""One root for every error a user can do something about, and one subclass for each part.

A message says what is wrong, where, and what to do next, in one line. The command line prints it and
leaves with the error's ``exit_code``; anything that is not a ``CommongroundError`` is a bug (70).
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterable

MALFORMED = (KeyError, IndexError, TypeError, ValueError, AttributeError, ArithmeticError)
"""What reading a value that somebody else wrote can raise: not there, of another kind, or no number."""


class CommongroundError(Exception):
    """Root of all known errors: the input is wrong, or the work failed for a known reason."""

    exit_code = 1


class ConfigError(CommongroundError, ValueError):
    """A setting is unknown, of the wrong type, or out of bounds."""


class DataError(CommongroundError):
    """A dataset, bag or frame cannot be used."""


class SceneError(CommongroundError):
    """A scene graph or object map is damaged, inconsistent, or asked for what it has not."""


class MappingError(CommongroundError):
    """A map could not be built or fused."""


class LocalizationError(CommongroundError):
    """Two maps cannot be compared, or a pose cannot be estimated."""


class PlanningError(CommongroundError):
    """A domain, problem, goal or plan is malformed or refers to what does not exist."""


class GroundingError(CommongroundError):
    """Language, a knowledge graph or a knowledge base cannot be processed."""


class RunError(CommongroundError):
    """A run directory is in use, unreadable, or cannot be written."""


class MissingDependencyError(CommongroundError, ImportError):
    """An optional library or program is not installed."""


class HonestNo(CommongroundError):
    """The work was done and the answer is no: no plan exists, not localized, cannot be grounded."""

    exit_code = 3


def did_you_mean(word: str, known: Iterable[str], *, limit: int = 3) -> str:
    """Return `` Did you mean 'x'?`` for the known words nearest to ``word``, or an empty string.

    A part that only one known word has tells more than letters: ``max_speed`` is nearer to ``speed_mps`` than
    to ``max_slope_deg``, unless a word is all but the same.
    """
    words = list(dict.fromkeys(known))
    owners = Counter(part for other in words for part in _parts(other))
    telling = {part for part in _parts(word) if owners[part] == 1}
    near = difflib.get_close_matches(word, words, n=limit, cutoff=ALL_BUT_THE_SAME)
    near = near or [other for other in words if telling & _parts(other)][:limit]
    near = near or difflib.get_close_matches(word, words, n=limit, cutoff=0.6)
    return f" Did you mean {' or '.join(repr(x) for x in near)}?" if near else ""


ALL_BUT_THE_SAME = 0.85
"""Share of letters in which words are alike of which one is mistyped."""


def _parts(word: str) -> set[str]:
    """Return the words that a name is made of; shorter ones, as units, tell nothing."""
    return {part for part in re.split(r"[-_. ]", word) if len(part) > 3}


def require(module: str, extra: str) -> None:
    """Raise MissingDependencyError with the install line unless ``module`` can be imported."""
    import importlib.util

    if importlib.util.find_spec(module) is None:
        raise MissingDependencyError(
            f"this needs the Python package '{module}': pip install 'commonground[{extra}]'"
        )
