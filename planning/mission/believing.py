"""What the loop needs of whatever a mission believes of its world: of a scene, a household, a workshop."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from commonground.planning.mission.events import Account, GivenUp, Join, Planned
from commonground.planning.mission.task import Fact, Task
from commonground.planning.robots.protocol import Point, Sighting

if TYPE_CHECKING:
    from typing import Self

    from typing_extensions import TypeVar

    from commonground.planning.mission.belief import SceneBelief

    B = TypeVar("B", bound="Belief", default=SceneBelief)
else:
    from typing import TypeVar

    B = TypeVar("B", bound="Belief")
"""What a mission believes; that of a scene where nothing else is said."""


class Surprise(NamedTuple):
    """Something was seen that the mission did not believe."""

    text: str
    false: frozenset[Fact] = frozenset()
    reopens: bool = False
    """Whether something is possible now that was not."""


class Belief(Protocol):
    """The world as a mission believes it to be; changed only by what robots report and do."""

    @property
    def searching(self) -> Mapping[str, str]:
        """Thing that is not where it was → region where it is looked for."""
        ...

    @property
    def given_up(self) -> Sequence[GivenUp]:
        """Parts of goals that cannot be reached."""
        ...

    def members(self) -> Iterable[tuple[str, float, Point]]:
        """Return each robot's name, its radius in meters, and where it stands at first."""
        ...

    def see(self, now_s: float, robot: str, sighting: Sighting) -> Surprise | None:
        """Take in what a robot saw; None where that is no news."""
        ...

    def beyond(self, task: Task, position: Point) -> str:
        """Return why a robot that is somewhere cannot do a task with its hands or eyes, else ''."""
        ...

    def finish(self, now_s: float, task: Task) -> list[str]:
        """Let a finished task take effect; return what should not have been possible."""
        ...

    def pass_by(self, task: Task, gone_m: float) -> None:
        """Note what lies behind a robot which did not finish its motion."""
        ...

    def stand(self, name: str, position: Point) -> None:
        """Note where a robot stands from which it will be planned for."""
        ...

    def adopt(self, planned: Planned) -> None:
        """Take over what a plan settles besides its tasks."""
        ...

    def copied(self) -> Self:
        """Return the same belief, of which what changes later changes nothing here."""
        ...

    def take_in(self, now_s: float, more: Join) -> None:
        """Take in what is wanted besides; PlanningError where that is nothing to be wanted."""
        ...

    def take_up(self, robot: str, whys: tuple[str, ...]) -> list[str]:
        """Want again what a robot gave up for one of some reasons, which is over; return it in words."""
        ...

    def searched_in_vain(self) -> None:
        """Note that the regions looked through last do not have what was looked for."""
        ...

    def accounts(self, now_s: float, end: str = "") -> tuple[Account, ...]:
        """Return what came of each part of the goals as they were spoken; ``end`` is why all ends."""
        ...

    def unreached(self) -> list[str]:
        """Return whose goals are not true now."""
        ...
