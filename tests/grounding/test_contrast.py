"""What a household command says by contrast is not read, and nothing may be done with it."""

from __future__ import annotations

import pytest

from commonground.grounding.problem_writer.wishes.contrast import contrasted

CONTRASTS = {
    "Coffee in the cup, not the mug, please.": ("Coffee in the cup, please.", ("the mug",)),
    "It should sit on a plate, not on the bare table.": ("It should sit on a plate.", ("the bare table",)),
    "Pour it in the jug not the glass.": ("Pour it in the jug.", ("the glass",)),
    "It is not the glass.": ("It is not the glass.", ()),
    "Put the jug not the glass on the tray.": ("Put the jug not the glass on the tray.", ()),
    "Don't leave the candle on the counter.": ("Don't leave the candle on the counter.", ()),
    "Clean the mug, but do not open the fridge.": ("Clean the mug, but do not open the fridge.", ()),
    ", not the mug": (", not the mug", ()),
}  # fmt: skip


@pytest.mark.parametrize("text", CONTRASTS)
def test_contrasts_are_taken_out(text: str) -> None:
    assert (*contrasted(text),) == CONTRASTS[text]
