"""The base of every settings model: frozen, and strict about names at every level."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Settings(BaseModel):
    """Base class of a group of settings; an unknown key is an error wherever it stands.

    The string below a field is its help text in ``commonground config schema``.
    """

    model_config = ConfigDict(
        extra="forbid", frozen=True, use_attribute_docstrings=True, allow_inf_nan=False
    )
