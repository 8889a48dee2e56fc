"""The check that a meaning says what its text says: what is unfaithful is seen, honest readings pass."""

from __future__ import annotations

import json
from typing import Any

import pytest

from commonground.grounding.faithful import unfaithful
from commonground.grounding.language.parser import OfflineParser
from commonground.grounding.meaning import Instruction, meaning_from_json
from commonground.grounding.world import World
from tests.grounding.sites import STYLES, make_site

ROBOTS = ("anna", "bert")


def _go(*ids: str, do: str = "go", **more: Any) -> dict[str, Any]:
    return {"do": do, "what": {"ids": list(ids)}, **more}


def _meaning(*tasks: tuple[str, dict[str, Any]], then: bool = False) -> Instruction:
    entries = [
        {"who": {"names": [name] if name else []}, "task": task, "then": then and bool(i)}
        for i, (name, task) in enumerate(tasks)
    ]
    return meaning_from_json(json.dumps({"assignments": entries}))


def _sequence(*tasks: dict[str, Any]) -> dict[str, Any]:
    return {"order": "sequence", "tasks": list(tasks)}


def _boxes(**more: Any) -> dict[str, Any]:
    return {"do": "inspect", "what": {"noun": "box", **more}}


@pytest.mark.parametrize(
    ("text", "meaning", "why"),
    [
        ("Anna, go to O481.", _meaning(("anna", _go("O515"))), "O515 is not in the text"),
        ("Anna, go to O481.", _meaning(("anna", _go("O515"))), "O481, which is left out"),
        ("Anna, go to O4.", _meaning(("anna", _go("R4"))), "R4 is not in the text"),
        ("Anna, go to O4.", _meaning(("bert", _go("O4"))), "does not name the robot bert"),
        ("Anna, go to O4.", _meaning(("", _go("O4"))), "names the robot anna"),
        (
            "Anna, go to O4. Bert, go to O5.",
            _meaning(("anna", _go("O5")), ("bert", _go("O4"))),
            "O5 is for bert",
        ),
        ("Go to O4 and avoid O5.", _meaning(("", _go("O4", "O5"))), "'avoid'"),
        ("Go to O4 but never to O5.", _meaning(("", _go("O4", "O5"))), "'never'"),
        ("Inspect all boxes except O5.", _meaning(("", _go("O5"))), "'except'"),
        ("Inspect three boxes.", _meaning(("", _boxes(amount="any", count=4))), "number 4"),
        ("Inspect three boxes.", _meaning(("", _boxes(amount="all"))), "number 'three'"),
        ("Inspect the 2nd box.", _meaning(("", _boxes())), "number '2nd'"),
        (
            "Go to O4, then to O5.",
            _meaning(("", _sequence(_go("O5"), _go("O4")))),
            "comes first",
        ),
        (
            "Go to O4, then to O5.",
            _meaning(("", {"order": "all", "tasks": [_go("O4"), _go("O5")]})),
            "nothing comes after",
        ),
        (
            "Go to O4. Then go to O5.",
            _meaning(("", _go("O5")), ("", _go("O4")), then=True),
            "comes first",
        ),
    ],
)
def test_what_is_not_faithful_is_seen(text: str, meaning: Instruction, why: str) -> None:
    assert why in "; ".join(unfaithful(meaning, text, ROBOTS))


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("Anna, go to O-4.", _meaning(("Anna", _go("o4")))),
        ("ana, go to object 4", _meaning(("anna", _go("4")))),
        ("Go to O4 through O7.", _meaning(("", _go("O4", "O5", "O6", "O7")))),
        ("Don't forget to go to O4.", _meaning(("", _go("O4")))),
        ("Anna and Bert, go to O4.", _meaning(("", _go("O4")))),
        ("The two of you go to O4.", _meaning(("", _go("O4")))),
        ("Go to O5 before O4.", _meaning(("", _sequence(_go("O5"), _go("O4"))))),
        ("Go to O5 after O4.", _meaning(("", _sequence(_go("O4"), _go("O5"))))),
        (
            "Inspect a couple of boxes within half a kilometer of O4.",
            _meaning(
                (
                    "",
                    _boxes(
                        amount="any",
                        count=2,
                        where=[{"how": "within", "meters": 500, "to": [{"ids": ["O4"]}]}],
                    ),
                )
            ),
        ),
        (
            "Do not enter R1 or R2.",
            _meaning(("", _go("R1", "R2", do="avoid"))),
        ),
    ],
)
def test_honest_readings_pass(text: str, meaning: Instruction) -> None:
    assert unfaithful(meaning, text, ROBOTS) == []


@pytest.mark.parametrize(
    "text",
    [
        "Anna, inspect the two boxes nearest to O7 and then come back to R3.",
        "One of you go to O12; the other stays out of R4.",
        "Everyone except Bert visit any three signs, but not the ones in R2.",
        "Bert, go to the second nearest bench within 20 meters of O3.",
    ],
)
def test_the_offline_reader_is_faithful(text: str) -> None:
    site = make_site(STYLES["harbour"], 1)
    world = World(site.graph, site.team)
    meanings = OfflineParser(world.names).parse(text).meanings
    assert meanings
    assert unfaithful(meanings[0][0], text, [r.name for r in world.team]) == []
