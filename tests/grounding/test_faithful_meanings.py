"""The check that a meaning says what its text says: what is unfaithful is seen, honest readings pass."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from commonground.grounding.fidelity import Fidelity, unfaithful
from commonground.grounding.meaning import Instruction, meaning_from_json
from commonground.grounding.world import World
from tests.grounding.sites import HARBOUR, STYLES, make_site

ROBOTS = ("anna", "bert")


@pytest.fixture(scope="module")
def site_world() -> World:
    site = make_site(STYLES["harbour"], 1)
    return World(site.graph, site.team)


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


def _to(noun: str, do: str = "go") -> dict[str, Any]:
    return {"do": do, "what": {"noun": noun}}


def _but(noun: str, *avoided: str) -> dict[str, Any]:
    return _both(_to(noun, "inspect"), *(_to(name, "avoid") for name in avoided))


def _to_far(noun: str, anchor: str) -> dict[str, Any]:
    where = [{"how": "farthest", "to": [{"noun": anchor}]}]
    return {"do": "go", "what": {"noun": noun, "where": where}}


def _to_most(noun: str, how: str, do: str = "inspect") -> dict[str, Any]:
    return {"do": do, "what": {"noun": noun, "where": [{"how": how}]}}


def _every_box() -> dict[str, Any]:
    return {"do": "inspect", "what": {"noun": "box", "amount": "all"}}


def _both(*tasks: dict[str, Any]) -> dict[str, Any]:
    return {"order": "all", "tasks": list(tasks)}


def _all_but(noun: str) -> dict[str, Any]:
    return _boxes(amount="all", **{"but": [{"noun": noun}]})


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
        ("Zoe, go to O4.", _meaning(("", _go("O4"))), "no robot 'zoe' here"),
        (
            "Anna, go to O4. Bert, go to O5.",
            _meaning(("anna", _go("O5")), ("bert", _go("O4"))),
            "O5 is for bert",
        ),
        ("Go to O4 and avoid O5.", _meaning(("", _go("O4", "O5"))), "'avoid'"),
        ("Go to O4 but never to O5.", _meaning(("", _go("O4", "O5"))), "'never'"),
        ("Inspect all boxes except O5.", _meaning(("", _go("O5"))), "'except'"),
        (
            "Inspect all boxes, all except the crane and the flag.",
            _meaning(("", _both(_all_but("crane"), _all_but("flag")))),
            "of several",
        ),
        ("Inspect three boxes.", _meaning(("", _boxes(amount="any", count=4))), "number 4"),
        ("Inspect three boxes.", _meaning(("", _boxes(amount="all"))), "number 'three'"),
        ("Inspect the 2nd box.", _meaning(("", _boxes())), "number '2nd'"),
        ("Stay out of the lot.", _meaning(("", _to("lot"))), "'stay'"),
        ("Nobody goes to the lot.", _meaning(("anna", _to("lot"))), "'nobody'"),
        ("Leave the lot alone.", _meaning(("", _to("lot"))), "'leave'"),
        (
            "Inspect all boxes apart from O5.",
            _meaning(("", _boxes(amount="all")), ("", _go("O5"))),
            "'apart'",
        ),
        (
            "Pick up the box and don't take it into the lot.",
            _meaning(("", _to("box", "pick"))),
            "excludes",
        ),
        ("Don't disturb anybody. Go to the flag.", _meaning(("", _to("flag"))), "excludes"),
        (
            "Go to the flag and do not visit the crane.",
            _meaning(("", _both(_to("flag", "avoid"), _to("crane")))),
            "of something else",
        ),
        (
            "Anna, go to the flag. Bert, stay off the lot.",
            _meaning(("bert", _to("flag")), ("anna", _to("lot", "avoid"))),
            "the flag is for anna",
        ),
        (
            "Before you go to the flag, inspect the crane.",
            _meaning(("", _sequence(_to("flag"), _to("crane", "inspect")))),
            "other way round",
        ),
        (
            "Inspect the crane after the flag.",
            _meaning(("", _sequence(_to("crane", "inspect"), _to("flag")))),
            "other way round",
        ),
        (
            "Go to O4, then to O5.",
            _meaning(("", _sequence(_go("O5"), _go("O4")))),
            "comes first",
        ),
        (
            "Go to O4 first and after that to O5.",
            _meaning(("", _sequence(_go("O5"), _go("O4")))),
            "comes first",
        ),
        (
            "Go to the flag, but not before you have inspected the crane.",
            _meaning(("", _sequence(_to("flag"), _to("crane", "inspect")))),
            "other way round",
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
        (
            "Go to the flag, then to the crane, and after that to the lot.",
            _meaning(("", _sequence(_to("flag"), _to("lot"), _to("crane")))),
            "comes first",
        ),
        (
            "Inspect the crane before the flag, then go to the lot.",
            _meaning(("", _sequence(_to("flag"), _to("crane", "inspect"), _to("lot")))),
            "other way round",
        ),
        (
            "Go to the flag. Before that, inspect the crane.",
            _meaning(("", _sequence(_to("flag"), _to("crane", "inspect")))),
            "other way round",
        ),
        (
            "Do not go to the flag until you have inspected the crane.",
            _meaning(("", _sequence(_to("flag"), _to("crane", "inspect")))),
            "other way round",
        ),
    ],
)
def test_what_is_not_faithful_is_seen(text: str, meaning: Instruction, why: str) -> None:
    assert why in "; ".join(unfaithful(meaning, text, ROBOTS))


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("Anna, go to O-4.", _meaning(("Anna", _go("o4")))),
        (
            "Go to the flag and keep off the lot.",
            _meaning(("", _both(_to("flag"), _to("lot", "avoid")))),
        ),
        (
            "The lot is not to be entered; go to the flag.",
            _meaning(("", _both(_to("flag"), _to("lot", "avoid")))),
        ),
        (
            "After the flag, inspect the crane.",
            _meaning(("", _sequence(_to("flag"), _to("crane", "inspect")))),
        ),
        (
            "Inspect the crane before the flag.",
            _meaning(("", _sequence(_to("crane", "inspect"), _to("flag")))),
        ),
        (
            "Go to the flag, but not before you have inspected the crane.",
            _meaning(("", _sequence(_to("crane", "inspect"), _to("flag")))),
        ),
        ("Both of you, go to O4.", _meaning(("anna", _go("O4")), ("bert", _go("O4")))),
        (
            "Nobody goes to the lot.",
            _meaning(("anna", _to("lot", "avoid")), ("bert", _to("lot", "avoid"))),
        ),
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
        (
            "Do not go to the flag until you have inspected the crane.",
            _meaning(("", _sequence(_to("crane", "inspect"), _to("flag")))),
        ),
        (
            "Go to the flag, and after the crane, to the lot.",
            _meaning(("", _sequence(_to("flag"), _to("crane"), _to("lot")))),
        ),
        (
            "Before the lot, go to the flag and then to the crane.",
            _meaning(("", _sequence(_to("flag"), _to("crane"), _to("lot")))),
        ),
        ("Go to the flag; I do not mind which way.", _meaning(("", _to("flag")))),
        ("Go to O4, giving the lot a miss.", _meaning(("", _both(_go("O4"), _to("lot", "avoid"))))),
        ("Please, go to O4.", _meaning(("", _go("O4")))),
        ("I haven't slept a wink. Go to the flag.", _meaning(("", _to("flag")))),
        ("Isn't the coffee dreadful today? Go to the flag.", _meaning(("", _to("flag")))),
        ("Pick up the box and don't put it down.", _meaning(("", _to("box", "pick")))),
        ("Wait at the flag and don't wander off.", _meaning(("", _to("flag", "be")))),
        (
            "Avoid the lot, don't go in there. Go to O4.",
            _meaning(("", _both(_go("O4"), _to("lot", "avoid")))),
        ),
        ("Not one box is to go unchecked.", _meaning(("", _every_box()))),
        ("I taught infants for thirty years. Go to the flag.", _meaning(("", _to("flag")))),
    ],
)
def test_honest_readings_pass(text: str, meaning: Instruction) -> None:
    assert unfaithful(meaning, text, ROBOTS) == []


@pytest.mark.parametrize(
    ("text", "meaning", "why"),
    [
        ("Anna, inspect the statue.", _to("flag", "inspect"), "speaks of the statue"),
        ("Anna, go to the statue and inspect the flag.", _to("statue"), "speaks of the flag"),
        ("Anna, inspect every crane.", _boxes(noun="crane", amount="any"), "leaves a choice"),
        ("Anna, go to the statue or the crane.", _both(_to("statue"), _to("crane")), "says 'or'"),
        ("Anna, retrieve the statue.", _to("statue", "inspect"), "'retrieve'"),
        (
            "Anna, go to box 12 and to the flag.",
            _boxes(noun="flag", amount="any"),
            "leaves a choice",
        ),
        ("Anna, go to the flag.", _to("flag", "avoid"), "keeps away"),
        ("Anna, go to the flag if it rains.", _to("flag"), "nothing can wait"),
        ("Anna, inspect most of the boxes.", _boxes(amount="all"), "how many"),
        (
            "Anna, go to the crane nearest to the statue.",
            _to_far("crane", "statue"),
            "'farthest'",
        ),
        ("Anna, go to the farthest crane.", _to("crane"), "'farthest'"),
        ("Anna, inspect the northernmost crane.", _to_most("crane", "west"), "'northernmost'"),
        ("Anna, inspect all the cranes.", _to_far("crane", "flag"), "'farthest'"),
        ("Anna, inspect the red box.", _to("box", "inspect"), "'red'"),
        ("Anna, inspect the box.", _boxes(color="blue"), "'blue'"),
        ("Anna, look at the crane.", _to("crane"), "only goes to"),
        (
            "Anna, swing by the crane, then check the flag.",
            _sequence(_to("crane", "inspect"), _to("flag", "inspect")),
            "answer inspects",
        ),
        (
            "Anna, go to the crane, no wait, make that the flag.",
            _both(_to("crane"), _to("flag")),
            "takes the crane back",
        ),
        (
            "Anna, go to the crane, no, the flag.",
            _both(_to("crane"), _to("flag")),
            "takes the crane back",
        ),
        (
            "Anna, visit the crane and the flag. Forget the trip to the crane.",
            _both(_to("crane"), _to("flag")),
            "takes the crane back",
        ),
        ("Anna shall set fire to the crane.", _to("crane"), "set fire"),
        ("Anna, set the shelter on fire.", _to("shelter"), "'set', which is nothing"),
        ("Anna, take down the crane.", _to("crane"), "'take down', which is nothing"),
        ("Anna, drive the crane crazy.", _to("crane"), "'drive', which is nothing"),
        (
            "Anna, burn down the shelter.",
            _to("shelter", "explore"),
            "'burn down', which is nothing",
        ),
        (
            "Anna, go to the crane, and once you have been there look at the flag.",
            _sequence(_to("flag", "inspect"), _to("crane")),
            "comes first",
        ),
        (
            "Anna, go to the northernmost box and then to the southernmost one.",
            _sequence(_to_most("box", "south", "go"), _to_most("box", "north", "go")),
            "comes first",
        ),
        ("Anna, go to the box on your left.", _to("box"), "'on your left'"),
        ("Anna, go to the boxes elsewhere.", _boxes(amount="all"), "elsewhere"),
        ("Anna, drop by the box, no need to check it.", _boxes(), "no need to check"),
        ("Anna, see the box? Swing by it.", _boxes(), "'swing by'"),
        ("Anna, pass through the lot.", _to("lot", "explore"), "'pass through'"),
        ("Anna, finish at the flag.", _to("flag"), "'finish'"),
        (
            "Anna, you'll find a crane and a flag there. Grab the first.",
            _both(_to("crane"), _to("flag"), _to("crane", "pick")),
            "only says where the flag is",
        ),
    ],
)
def test_what_is_not_kept_is_seen(
    site_world: World, text: str, meaning: dict[str, Any], why: str
) -> None:
    assert why in "; ".join(Fidelity(site_world).doubts(_meaning(("anna", meaning)), text))


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("Anna, go along the path to the shelter.", _both(_to("path"), _to("shelter"))),
        ("Anna, inspect the statue, sooner or not.", _to("statue", "inspect")),
        ("Anna, inspect a crane, and sign off.", _boxes(noun="crane", amount="any")),
        ("Anna, inspect crane 12 or so.", _go("O12", do="inspect")),
        ("Anna, inspect the flag without entering the dock or R3.", _but("flag", "dock", "R3")),
        ("Anna, inspect the statue if you would.", _to("statue", "inspect")),
        ("Anna, I'd be glad if you looked after the statue.", _to("statue", "inspect")),
        ("Anna, go to the crane, no wait, make that the flag.", _to("flag")),
        ("Anna, visit the crane and the flag. Forget the trip to the crane.", _to("flag")),
        ("Anna, go to the crane and check it.", _to("crane", "inspect")),
        ("Anna, inspect the crimson box no farther than here.", _boxes(color="red")),
        ("Bert, no sorry, I mean Anna, go to the flag.", _to("flag")),
        ("One of you two, Anna, go to the flag.", _to("flag")),
    ],
)
def test_what_is_kept_passes(site_world: World, text: str, meaning: dict[str, Any]) -> None:
    assert Fidelity(site_world).doubts(_meaning(("anna", meaning)), text) == []


@pytest.mark.parametrize(
    ("text", "swapped"),
    [
        ("Anna looks at the crane and Bert at the flag.", True),
        ("Anna and Bert look at the crane and the flag.", False),
        ("Anna visits the crane, and so does Bert. The flag, too.", False),
    ],
)
def test_each_thing_is_for_who_was_named_last(site_world: World, text: str, swapped: bool) -> None:
    tasks = {"anna": _to("flag", "inspect"), "bert": _to("crane", "inspect")}
    doubts = Fidelity(site_world).doubts(_meaning(*tasks.items()), text)
    assert any("is for" in doubt for doubt in doubts) is swapped


def test_verbs_that_no_list_has_are_strange(site_world: World) -> None:
    fidelity = Fidelity(site_world)
    for text in (
        "Anna, repaint the crane.",
        "Please ram the flag.",
        "Bert, would you sing us a song?",
        "Bert, give him an injection.",
        "Anna goes to the flag and zaps the crane.",
    ):
        assert "no robot here can" in fidelity.strange(text)[0]
    for text in (
        "Anna, inspect the crane.",
        "The odd crane is Anna's.",
        "Anna: all the cranes.",
        "Bert, the owner is in there and swears the flag is real. Inspect it.",
    ):
        assert fidelity.strange(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Mind the splinters. Anna, inspect the flag.",
        "How is the flag looking? Anna, go and find out.",
        "I shall sleep better if Anna inspects the flag.",
        "Anna will carry out a check of the flag.",
        "Anna, inspect the flag. My whistle is older than most of the town.",
        "There is a flag out there. Anna, go see what shape it is in.",
        "It is the flag that Anna should inspect.",
    ],
)
def test_what_is_only_said_is_no_reason_to_ask(site_world: World, text: str) -> None:
    fidelity, meaning = Fidelity(site_world), _meaning(("anna", _to("flag", "inspect")))
    assert not [*fidelity.doubts(meaning, text), *fidelity.strange(text, meaning)]


def test_a_number_that_says_again_how_many_there_are_is_no_new_one() -> None:
    text, all_boxes = (
        "Anna, inspect the boxes, three in all.",
        _meaning(("anna", _boxes(amount="all"))),
    )
    assert unfaithful(all_boxes, text, ROBOTS, counted={3}) == []
    assert "'three'" in " ".join(unfaithful(all_boxes, text, ROBOTS, counted={2, 4}))


_WHERE = [{"how": "left"}]
_WHITE, _THERE = ({"noun": "box", **more} for more in ({"color": "white"}, {"where": _WHERE}))


@pytest.mark.parametrize(
    ("text", "wrong", "right", "why"),
    [
        (
            "Anna, check the box on your right, no, on your left.",
            {"do": "inspect", "what": {"noun": "box", "where": [{"how": "right"}]}},
            {"do": "inspect", "what": {"noun": "box", "where": _WHERE}},
            "on your left",
        ),
        (
            "Anna, check the boxes except the white one and the one on the left.",
            {
                "do": "inspect",
                "what": {"noun": "box", "amount": "all", "but": [_WHITE], "where": _WHERE},
            },
            {"do": "inspect", "what": {"noun": "box", "amount": "all", "but": [_WHITE, _THERE]}},
            "and the one",
        ),
        (
            "Anna, check the boxes. Not the ones on the left.",
            _both(_boxes(), {"do": "avoid", "what": _THERE}),
            _both(_boxes(), {"order": "not", "tasks": [{"do": "inspect", "what": _THERE}]}),
            "keeps away from them",
        ),
    ],
)
def test_a_correction_an_exception_and_those_stand_in_the_meaning(
    site_world: World, text: str, wrong: dict[str, Any], right: dict[str, Any], why: str
) -> None:
    def doubts(meaning: dict[str, Any]) -> str:
        return "; ".join(Fidelity(site_world).doubts(_meaning(("anna", meaning)), text))

    assert why in doubts(wrong)
    assert why not in doubts(right)


def test_what_another_does_after_all_is_not_done_by_the_first(site_world: World) -> None:
    text = "Anna checks the box, no wait, Bert checks the box and Anna checks the crane."
    box, crane = _to("box", "inspect"), _to("crane", "inspect")
    right = _meaning(("bert", box), ("anna", crane))
    wrong = _meaning(("bert", box), ("anna", _both(box, crane)))
    told = "another robot than anna"
    names = Fidelity(site_world)
    names.robots = list(ROBOTS)
    assert told in "; ".join(names.doubts(wrong, text))
    assert told not in "; ".join(names.doubts(right, text))


@pytest.mark.parametrize(
    ("who", "right"), [((), True), (("anna", "bert"), True), (("anna",), False)]
)
def test_neither_means_all_robots(site_world: World, who: tuple[str, ...], right: bool) -> None:
    away = {"who": {"names": list(who)}, "task": _to("pier", "avoid")}
    meaning = meaning_from_json(json.dumps({"assignments": [away]}))
    checks = Fidelity(site_world)
    checks.robots = list(ROBOTS)
    found = "; ".join(checks.doubts(meaning, "Neither of you goes onto the pier."))
    assert ("to some alone" not in found) == right


def test_who_is_told_apart_is_not_just_anybody() -> None:
    anybody = {"who": {"choose": "one"}, "task": _go("O4", "O5")}
    meaning = meaning_from_json(json.dumps({"assignments": [anybody]}))
    told = unfaithful(
        meaning, "Visit O4 and O5: the old one is Anna's, the new one Bert's.", ROBOTS
    )
    assert "the text names the robot anna, which is left out" in told
    assert unfaithful(meaning, "Anna, Bert, one of you visits O4 and O5.", ROBOTS) == []


def test_a_rank_may_be_a_robot() -> None:
    text = "The first of you goes to the box, the second goes to the crane."
    tasks = (("one", _to("box")), ("other", _to("crane")))
    made = [{"who": {"choose": choose}, "task": task} for choose, task in tasks]
    meaning = meaning_from_json(json.dumps({"assignments": made}))
    assert "second" not in " ".join(unfaithful(meaning, text, ROBOTS))
    both = meaning_from_json(json.dumps({"assignments": [made[0], {**made[1], "who": {}}]}))
    assert "'second'" in " ".join(unfaithful(both, text, ROBOTS))


@pytest.mark.parametrize(
    ("text", "what", "why"),
    [
        ("Anna, inspect the green box.", {"noun": "box", "color": "green"}, ""),
        ("Anna, inspect the green box.", {"noun": "box"}, "'green', and the answer does not"),
        ("Anna, inspect the box on the green.", {"noun": "box", "color": "green"}, "of the green"),
        ("Anna, go to the green and inspect the green box.", {"noun": "box", "color": "green"},
         "of the green"),
        ("Anna, inspect the green.", {"noun": "green"}, ""),
    ],
)  # fmt: skip
def test_a_color_that_an_area_is_called_describes_the_noun_behind_it(
    text: str, what: dict[str, str], why: str
) -> None:
    style = replace(HARBOUR, regions=(*HARBOUR.regions[:-1], ("green", "")))
    site = make_site(style, 1)
    meaning = _meaning(("anna", {"do": "inspect", "what": what}))
    doubts = "; ".join(Fidelity(World(site.graph, site.team)).doubts(meaning, text))
    assert (why in doubts) and bool(why) == bool(doubts)
