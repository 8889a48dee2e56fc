"""One root for every error a user can do something about, and one subclass for each part.

A message says what is wrong, where, and what to do next, in one line. The command line prints it and
leaves with the error's ``exit_code``; anything that is not a ``CommongroundError`` is a bug (70).
"""

from __future__ import annotations

import difflib
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
    """Return `` Did you mean 'x'?`` for the known words nearest to ``word``, or an empty string."""
    near = difflib.get_close_matches(word, list(known), n=limit, cutoff=0.6)
    return f" Did you mean {' or '.join(repr(x) for x in near)}?" if near else ""


def require(module: str, extra: str) -> None:
    """Raise MissingDependencyError with the install line unless ``module`` can be imported."""
    import importlib.util

    if importlib.util.find_spec(module) is None:
        raise MissingDependencyError(
            f"this needs the Python package '{module}': pip install 'commonground[{extra}]'"
        )
