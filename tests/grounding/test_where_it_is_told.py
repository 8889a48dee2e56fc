"""Where a thing is told to be is not where it goes."""

from __future__ import annotations

import pytest

from commonground.grounding.grounder import Grounder
from tests.grounding.sites import FARM, make_site


@pytest.mark.parametrize(
    ("text", "does"),
    [
        ("On the {area} is lying one bag. Take it please, Spot.", "(holding {bag})"),
        ("On the {area} lies a bag. Spot, pick it up.", "(holding {bag})"),
        ("On the {area} a bag was left. Spot, take it.", "(holding {bag})"),
        ("The bag belongs on the {area}. Spot, take it there.", ""),
    ],
)
def test_where_a_thing_is_told_to_be_is_not_where_it_goes(text: str, does: str) -> None:
    site = make_site(FARM, 3)
    bags = [k for k, word in enumerate(site.words) if word == "bag"]
    names = [name or word for _, word, name in site.regions]
    single = [k for k in bags if [site.region[b] for b in bags].count(site.region[k]) == 1]
    k = next(k for k in single if names.count(names[site.region[k]]) == 1)
    said = text.format(area=names[site.region[k]])
    goal = (Grounder(site.graph, site.team).ground(said).goals or {}).get("spot", "")
    assert goal in ("", does.format(bag=site.symbols[k])) or (not does and "holding" not in goal)
