"""The front end with a language model, which says what is meant; code finds it on the map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field

from commonground.errors import GroundingError
from commonground.grounding.answers import Grounding, answer, clarification, failure
from commonground.grounding.fidelity.check import Fidelity
from commonground.grounding.frontends.prompt import Prompt, answer_form
from commonground.grounding.frontends.second import SecondOpinion, contradiction
from commonground.grounding.meaning import Instruction
from commonground.grounding.model.answer import Answer, AskStatus
from commonground.grounding.model.client import ChatModel
from commonground.grounding.model.form import read_as
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.resolver.goals import GoalMaker
from commonground.grounding.settings import GroundingSettings
from commonground.grounding.world import World
from commonground.settings import Settings

MAX_CHARACTERS = 2000
"""Longer instructions are not sent to a model."""


class Question(Settings):
    """What a model says instead of a meaning."""

    question: Annotated[str, Field(min_length=1, max_length=500)]


class TypedBackend:
    """The model says what is meant; code finds it on the map."""

    name = "openai"

    def __init__(
        self,
        world: World,
        settings: GroundingSettings,
        model: ChatModel,
        second: SecondOpinion | None = None,
    ) -> None:
        self.world, self.prompt, self.model, self.second = world, Prompt(world), model, second
        self.maker, self.fidelity = GoalMaker(world, settings), Fidelity(world)

    def ground(self, text: str) -> Grounding:
        """Ask for the meaning, and resolve it like that of any other front end."""
        if not text.strip() or len(text) > MAX_CHARACTERS:
            return clarification(Unclear(_wrong_size(text)), backend=self.name)
        doubts: list[str] = []
        second = None if self.second is None else self.second.on(text)

        def check(value: Any) -> Instruction | Question:
            doubts.clear()
            meaning = _read_meaning(value)
            if isinstance(meaning, Instruction):
                doubts.extend(self.fidelity.doubts(meaning, text))
                doubts.extend(self.fidelity.strange(text, meaning))
                differs = contradiction(second, self._resolved(meaning))
                doubts.extend([differs] if differs else ())
            if doubts:
                raise GroundingError("; ".join(doubts))
            return meaning

        found = self.model.ask_checked(self.prompt.messages(text), answer_form(), check)
        more = _spent(self.name, found, self.model)
        if found.value is None and doubts and found.status is AskStatus.INVALID:
            return clarification(Unclear(_unfitting(doubts)), **more)
        if found.value is None:
            return _failure(found, more)
        if isinstance(found.value, Question):
            return clarification(
                Unclear(f"The language model asks: {found.value.question}"), **more
            )
        return self._resolved(found.value, **more)

    def _resolved(self, meaning: Instruction, **more: Any) -> Grounding:
        try:
            return answer(self.maker.goals(meaning), **more)
        except Unclear as unclear:
            return clarification(unclear, **more)


def _read_meaning(value: Any) -> Instruction | Question:
    """Return the meaning in an answer, or the question where there is no meaning.

    A meaning that comes with a question is taken: it has to pass every check by itself.
    """
    if not isinstance(value, dict):
        raise GroundingError("the answer is no JSON object")
    if value.get("question") and not value.get("assignments"):
        return read_as(Question, {"question": value["question"]})
    return read_as(Instruction, {k: v for k, v in value.items() if k != "question"})


def _spent(name: str, found: Answer[Any], model: ChatModel) -> dict[str, Any]:
    """Return who answered and what it took, as every answer carries it."""
    cost = found.usage.cost(model.settings)
    return {"backend": name, "tokens": found.usage.as_json(), "cost": cost}


def _unfitting(doubts: Sequence[str]) -> str:
    """Return that a model's answer does not fit, which may be no fault of the sentence."""
    return (
        f"The language model's answer does not fit the instruction: {'; '.join(doubts)}. Say it differently, "
        "or try --backend offline, which asks no model, or auto, which asks one only where it must."
    )


def _failure(found: Answer[Any], more: Mapping[str, Any]) -> Grounding:
    """Return the failure where a model gave no valid answer."""
    what = {
        AskStatus.REFUSED: "The language model declines to answer",
        AskStatus.TIMEOUT: "The language model did not answer in time",
        AskStatus.INVALID: "The language model gave no valid answer",
    }.get(found.status, "The language model gives no answer")
    message = f"{what}: {found.message}" if found.message else f"{what}."
    return failure(message, **more)


def _wrong_size(text: str) -> str:
    if not text.strip():
        return "There is no instruction. What should the robots do?"
    return f"The instruction is too long ({len(text)} characters). Please say it in parts."
