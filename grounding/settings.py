"""Settings of grounding: how vague words are read, and which language model is asked."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from commonground.reading import MOST_SEED
from commonground.settings import Settings


class ModelSettings(Settings):
    """The language model server; any that speaks OpenAI's chat completions."""

    name: str = "gpt-4o-mini"
    """Model name as the server knows it."""
    base_url: str | None = None
    """Server address; OPENAI_BASE_URL if not set, else OpenAI's own. With or without /chat/completions."""
    api_key_variable: str = "OPENAI_API_KEY"
    """Environment variable that holds the key; local servers need none."""
    api_key_header: Annotated[str | None, Field(pattern=r"^[A-Za-z0-9-]+$")] = None
    """Header that takes the key; none: authorization, or api-key where the address has an api-version."""
    timeout_s: Annotated[float, Field(gt=0, le=600)] = 30.0
    """Time for one answer, from the first byte sent to the last received."""
    budget_s: Annotated[float, Field(gt=0, le=3600)] = 90.0
    """Time for one question with all its retries."""
    max_bytes: Annotated[int, Field(ge=1000, le=1_000_000_000)] = 2_000_000
    """Bytes received for one question with all its retries."""
    max_attempts: Annotated[int, Field(ge=1, le=10)] = 4
    """Answers asked for before giving up: each further one is shown the last and what was wrong with it."""
    max_answer_tokens: Annotated[int, Field(ge=16, le=32_000)] = 1024
    """Longest answer asked for at first."""
    most_answer_tokens: Annotated[int, Field(ge=16, le=128_000)] = 4096
    """Longest answer asked for after one was cut off; the limit doubles until there."""
    structured: Literal["auto", "schema", "guided", "json", "text"] = "auto"
    """How the form of an answer is asked for: by JSON schema (OpenAI, llama.cpp, Ollama, vLLM), guided_json
    (older vLLM), JSON mode, or words; auto finds out."""
    stream: bool = False
    """Have answers sent piece by piece, for servers behind gateways that cut off silent connections."""
    cache: str | None = None
    """Folder for answers, by server, model and content of the question; none: in memory only."""
    seed: Annotated[int | None, Field(ge=0, le=MOST_SEED)] = 0
    """Passed on to servers that sample; each retry takes the next one."""
    parallel: Annotated[int, Field(ge=1, le=64)] = 4
    """Questions of a batch that are under way at the same time."""
    prompt_price: Annotated[float, Field(ge=0)] = 0.0
    """Price of a million tokens of prompt, in any currency; for the cost that is reported."""
    answer_price: Annotated[float, Field(ge=0)] = 0.0
    """Price of a million tokens of answer."""

    @model_validator(mode="after")
    def _limits_fit(self) -> Self:
        if self.most_answer_tokens < self.max_answer_tokens:
            raise ValueError(
                f"most_answer_tokens ({self.most_answer_tokens}) is less than max_answer_tokens "
                f"({self.max_answer_tokens}): set most_answer_tokens as well"
            )
        return self


class GroundingSettings(Settings):
    """How instructions become goals."""

    backend: Literal["auto", "offline", "openai"] = "offline"
    """Front end; auto reads offline first and asks the model about what is not understood or in doubt."""
    ask_below: Annotated[float, Field(ge=0, le=1)] = 0.5
    """With auto, offline readings less probable than this are left to the model."""
    doubt_above: Annotated[float, Field(ge=0, le=1)] = 0.7
    """A model's answer that differs from an offline reading at least this probable goes back to the model,
    and to the speaker where it stays; 1: offline readings are not compared."""
    network: str | None = None
    """Folder with the learned reader's network; none: that of the package."""
    near_m: Annotated[float, Field(gt=0)] = 10.0
    """What 'near', 'next to' and 'by' mean for several things."""
    far_m: Annotated[float, Field(gt=0)] = 40.0
    """The one thing that is 'next to' another is at most this far from it."""
    tie_m: Annotated[float, Field(ge=0)] = 0.05
    """Distances that differ by less are equal, and the speaker is asked."""
    eyes: bool = False
    """Show a vision model, at the server of ``model``, the best pictures of what may be meant by its looks,
    where that is in doubt."""
    model: ModelSettings = ModelSettings()
