"""What a text says to the memory, as the learned reader understands it, or what it is not sure of."""

from __future__ import annotations

from commonground.grounding.english.saying import said_back
from commonground.grounding.english.utterance import Clause, Part, Utterance
from commonground.grounding.memory.guard import markup_in
from commonground.grounding.memory.unclear import Unclear

NOTHING = Utterance((Part(Clause("nothing", "tell")),))


def understood(text: str) -> Utterance:
    """Return what a text says; code and markup say nothing. Unclear where the reader is not sure."""
    from commonground.grounding.english.reader import load_reader

    if markup_in(text) is not None:
        return NOTHING
    reading = load_reader().read(text, "memory")
    if reading.utterance is None:
        raise Unclear(reading.problem)
    if reading.unsure:
        words = "', '".join(span.text for span in reading.unsure)
        raise Unclear(
            f"what does '{words}' mean in that? understood: {said_back(reading.utterance)}"
        )
    if not reading.sure:
        raise Unclear(f"is this what you mean: {said_back(reading.utterance)}?")
    return reading.utterance
