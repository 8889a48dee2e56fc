"""Settings of grounding: how vague words are read, and which language model is asked."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from commonground.settings import Settings


class ModelSettings(Settings):
    """The language model server; any that speaks OpenAI's chat completions."""

    name: str = "gpt-4o-mini"
    """Model name as the server knows it."""
    base_url: str | None = None
    """Server address; OPENAI_BASE_URL if not set, else OpenAI's own."""
    api_key_variable: str = "OPENAI_API_KEY"
    """Environment variable that holds the key; local servers need none."""
    timeout_s: Annotated[float, Field(gt=0, le=600)] = 30.0
    """Time for one answer, from the first byte sent to the last received."""
    budget_s: Annotated[float, Field(gt=0, le=3600)] = 90.0
    """Time for one question with all its retries."""
    max_attempts: Annotated[int, Field(ge=1, le=10)] = 3
    """Answers asked for before giving up: each further one is told what was wrong with the last."""
    max_answer_tokens: Annotated[int, Field(ge=16, le=32_000)] = 1024
    """Longest answer accepted."""
    structured: Literal["auto", "schema", "json", "text"] = "auto"
    """How the form of an answer is asked for: by JSON schema, JSON mode, or words; auto finds out."""
    cache: str | None = None
    """Folder for answers, keyed by the content of the question; none: they are kept in memory only."""
    seed: int | None = 0
    """Passed on to servers that sample."""


class GroundingSettings(Settings):
    """How instructions become goals."""

    backend: Literal["auto", "offline", "openai", "openai-direct"] = "offline"
    """Front end; auto parses offline first and asks the model only about what is left."""
    near_m: Annotated[float, Field(gt=0)] = 10.0
    """What 'near', 'next to' and 'by' mean for several things."""
    far_m: Annotated[float, Field(gt=0)] = 40.0
    """The one thing that is 'next to' another is at most this far from it."""
    keep_away_m: Annotated[float, Field(ge=0)] = 2.0
    """'Do not come near' something: the places within this distance are out of bounds."""
    tie_m: Annotated[float, Field(ge=0)] = 0.05
    """Distances that differ by less are equal, and the speaker is asked."""
    max_choices: Annotated[int, Field(ge=1, le=100_000)] = 2000
    """Most alternatives written into one goal; beyond it the speaker is asked to be more precise."""
    model: ModelSettings = ModelSettings()
