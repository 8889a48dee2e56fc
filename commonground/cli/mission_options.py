"""What the options of ``mission`` say together, and who answers its questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import typer

from commonground.errors import RunError


def fit_together(begun: Mapping[str, str], new: Mapping[str, object]) -> None:
    """Raise BadParameter where options contradict each other; nothing that was asked for is passed over."""
    first, *others = [name for name, value in begun.items() if value] or [""]
    if others:
        raise typer.BadParameter(f"{first} and {others[0]} are two commands; give one of them")
    given = [name for name, value in new.items() if value]
    if first and given:
        raise typer.BadParameter(
            f"{', '.join(given)}: not with {first}; a mission keeps what it was begun with"
        )


def operator(yes: bool) -> Callable[[str], bool]:
    """Return who answers the mission's questions: nobody with --yes, else whoever sits at the terminal."""
    if yes:
        return lambda question: True

    def ask(question: str) -> bool:
        try:
            return typer.confirm(question.replace("; ", "\n") + "\n", err=True)
        except typer.Abort as abort:
            if isinstance(abort.__context__, EOFError):
                raise RunError(
                    "nobody answers on the standard input; --yes approves every plan"
                ) from abort
            raise

    return ask
