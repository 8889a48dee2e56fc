"""A house in which there are several things of a kind, and a reader of commands for it."""

from __future__ import annotations

import pytest

from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.kinds import Kinds
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.problem_writer.wishes.reading import WishReader
from commonground.grounding.problem_writer.wishes.wishing import WishTable
from tests.grounding.household.houses import graph_of, several_of_a_kind


@pytest.fixture(scope="module")
def graph() -> HouseGraph:
    return graph_of(several_of_a_kind())


@pytest.fixture(scope="module")
def home(graph: HouseGraph) -> Home:
    return WishTable(Kinds.load()).home(graph)


@pytest.fixture(scope="module")
def reader() -> WishReader:
    return WishReader.load(Kinds.load())
