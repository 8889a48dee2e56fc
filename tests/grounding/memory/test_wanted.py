"""What tasks want to be so in worlds that nobody described: all, none, wishes and descriptions."""

from __future__ import annotations

from pathlib import Path

import pytest

from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.opening import create_memory, open_memory
from commonground.planning.pddl import to_pddl
from commonground.planning.pddl.logic import conjuncts

DOMAINS = Path(__file__).parent / "domains"
NOON_NS = 1_764_158_400_000_000_000
WANTED = {
    "harbor": {
        "The Sea Otter needs fuel before she leaves.": "fuelled sea-otter",
        "No crates are to stay in the ice house.": (
            "not kept blue-crate ice-house, not kept red-crate ice-house"
        ),
        "Fuel every boat.": "fuelled marigold, fuelled petrel, fuelled sea-otter",
        "Each boat that is moored should be fuelled.": "fuelled marigold, fuelled sea-otter",
        "Take all crates from the ice house to the market.": (
            "kept blue-crate fish-market, kept red-crate fish-market"
        ),
        "All of Bram's things should be in the net loft.": (
            "kept mackerel-crate net-loft, kept shrimp-net net-loft"
        ),
        "The cod crate must be empty before noon.": "not full cod-crate",
        "Mend the long net and stow it on the Marigold.": (
            "not torn long-net, stowed long-net marigold"
        ),
        "I'd like Old Tom and Agnes both in the ice house, if you see them.": (
            "ashore agnes ice-house, ashore old-tom ice-house"
        ),
        "Old Tom should be aboard his boat, and the boat out at sea.": (
            "aboard old-tom sea-otter, at-sea sea-otter"
        ),
        "See to it that the blue crate ends up at the market and the drift net in the loft.": (
            "kept blue-crate fish-market, kept drift-net net-loft"
        ),
        "The empty crate in the ice house goes to the market.": "kept red-crate fish-market",
        "Nobody should be in the net loft.": "not ashore agnes net-loft, not ashore old-tom net-loft",
        "Whatever is in the ice house is to be moved to the fish market.": (
            "kept blue-crate fish-market, kept red-crate fish-market"
        ),
    },
    "brewery": {
        "Mill: start it up.": "on mill",
        "Ola out of the brewhouse and into the yard.": "loc ola yard",
        "Kettle: wash it, then close it up.": "cln kt, not st-open kt",
    },
    "light_rig": {
        "I don't want any hired gear in the dock.": "not in m7 dk",
        "Nothing on LX1 is to be live.": "not live p1, not live p2",
        "KS should have R80 and be at LX1.": "at ks lx1, has ks r80",
        "W5 hung on LX3, gelled with R80 and plugged into C31.": (
            "gelled w5 r80, hung w5 lx3, plugged w5 c31"
        ),
        "JB, MO and KS to the stage.": "at jb stg, at ks stg, at mo stg",
        "Please send KS and RA both to where MO is.": "at ks lx2, at ra lx2",
        "All the techs on the stage for the photo, please!": (
            "at jb stg, at ks stg, at mo stg, at ra stg"
        ),
    },
}
ASKED = {
    "harbor": [
        "If the Petrel comes in, fuel it.",
        "Once Carlos has had lunch, have the torn net mended.",
        "Marigold to sea, Agnes aboard.",
        "The long net has been torn since Monday. Get that sorted before noon.",
        "The crate should be in the loft.",
        "Fuel the Sea Otter and get her scraped.",
        "The blue crate doesn't belong in the ice house, the net loft is the place for it.",
        "Mend the long net and have it glazed.",
        "Put one of the nets or the red crate on the Marigold.",
    ],
    "brewery": ["They should not be in the yard.", "The new brewer should go to the yard."],
    "light_rig": [
        "Every fixture on LX1 should be live.",
        "The lamp should be on the bar.",
        "LX1 to be minded by MO.",
    ],
}


def goal_of(memory: Memory, task: str) -> set[str]:
    goal = memory.wanted(task).goal
    said = [] if goal is None else map(to_pddl, conjuncts(goal))
    return {text.replace("(", "").replace(")", "") for text in said}


@pytest.mark.parametrize("world", WANTED)
def test_goals_are_read_as_reports_are(world: str, tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    create_memory(
        path, DOMAINS / f"{world}.pddl", DOMAINS / f"{world}.jsonl", at_ns=NOON_NS
    ).close()
    with open_memory(path) as memory:
        for task, wanted in WANTED[world].items():
            assert goal_of(memory, task) == {*wanted.split(", ")}, task
        for task in ASKED[world]:
            assert goal_of(memory, task) == set(), task


@pytest.mark.parametrize(
    "task",
    [
        "Check that no lamp is left on, and turn off any that is.",
        "Would you please check that no lamp is left on, and turn off any that is?",
    ],
)
def test_an_order_after_what_is_to_be_checked_is_not_what_is_checked(
    quiet_memory: Memory, task: str
) -> None:
    wanted = quiet_memory.grammar.wanted(task, None).goal
    assert wanted is not None
    assert to_pddl(wanted) == "(and (not (lit den_lamp)) (not (lit kitchen_lamp)))"
