"""Meanings held against their texts."""

from commonground.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__, {"Fidelity": "check", "unfaithful": "check", "unfaithful_goals": "goals"}
)
