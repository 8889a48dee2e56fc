"""A Spot as a machine of a mission: one thread hears it, one carries its jobs out, and a stop waits for none.

Every trajectory ends by itself a few seconds after it should be driven, and the emergency stop's endpoint
sits the robot down when nothing is heard from this program any more.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from commonground.adapters import SpotSettings
from commonground.arrays import Floats
from commonground.atomic import write_bytes
from commonground.names import within
from commonground.planning.robots.machine import DONE, RUNNING, Outcome, Reading
from commonground.planning.robots.protocol import RobotError
from commonground.planning.robots.spot import commands
from commonground.planning.robots.spot.hearing import HEAR_S, Hearing
from commonground.planning.robots.spot.session import (
    RPC_S,
    Session,
    is_lease,
    is_link,
    known_errors,
    told,
)

POLL_S = 0.1
ALLOWED_S = 2.0
"""An emergency stop of before, in whose place its own one is, is told to be pressed for so long at most."""
ARM_S = 40.0
ARM_M = 1.0
"""From farther away than this it walks up before it puts something down."""


class SpotMachine:
    """One Spot."""

    def __init__(
        self,
        name: str,
        settings: SpotSettings,
        speed_mps: float,
        pictures: Path,
        *,
        commands: bool = True,
    ) -> None:
        """``commands`` says nothing to it: it is only taken with its first order."""
        self.name, self.settings = name, settings
        self._speed_mps, self._pictures = speed_mps, pictures
        self._session = Session(name, settings)
        self._hearing = Hearing(self._session, settings)
        self._job = ""
        self._outcome = RUNNING
        self._work = ThreadPoolExecutor(1, thread_name_prefix=f"{name}-job")

    # ---- the protocol of machines ----

    def open(self, commander: str) -> None:
        """Sign in and begin to hear the robot."""
        self._session.open(commander)
        self._hearing.begin()

    def check(self) -> str:
        """RobotError where somebody else has it; returns whose lease would be taken away."""
        return self._session.check()

    def command(self) -> None:
        """Get lease and emergency stop."""
        if self._session.commands:
            return
        self._session.command()
        until_s = time.monotonic() + ALLOWED_S
        self._hearing.hear()
        while self.reading().fault and time.monotonic() < until_s:
            time.sleep(POLL_S)
            self._hearing.hear()

    def await_ready(self) -> None:
        """Return at once: a Spot tells everything at a time."""

    def close(self) -> None:
        """Stop, sit down if the mission let it stand up, and give all back."""
        self.halt()
        self._work.shutdown(wait=True)
        self._hearing.end()
        self._session.close()

    def reading(self) -> Reading:
        """Return what the robot told last."""
        return self._hearing.reading

    def drive(self, job: str, line: Floats) -> None:
        self._begin(
            job, lambda: self._walk(job, commands.trajectory(line, self._frame, self._speed_mps))
        )

    def look(self, job: str, thing: str, point: Floats) -> None:
        """Turn and lean towards a point, and take pictures."""
        self._begin(job, lambda: self._look(job, thing, point))

    def pick(self, job: str, point: Floats) -> None:
        self._begin(job, lambda: self._pick(job, point))

    def place(self, job: str, point: Floats) -> None:
        """Put down what it holds."""
        self._begin(job, lambda: self._place(job, point))

    def outcome(self, job: str) -> Outcome:
        return self._outcome if job == self._job else Outcome("idle")

    def halt(self) -> None:
        """Stand still; the call goes out at once, beside all others."""
        self._job = ""
        self._stand_still()

    def _stand_still(self) -> None:
        from bosdyn.client.robot_command import RobotCommandBuilder, RobotCommandClient

        if self._session.robot is None or not self._session.commands or self._session.taken:
            return
        try:
            client = self._session.client(RobotCommandClient)
            client.robot_command_async(RobotCommandBuilder.stop_command(), timeout=HEAR_S)
        except known_errors():
            return  # it stops by itself, at the latest when its trajectory ends

    # ---- jobs ----

    @property
    def _frame(self) -> str:
        return self.settings.frame

    def _begin(self, job: str, work: Callable[[], Outcome]) -> None:
        self._job, self._outcome = job, RUNNING
        self._work.submit(self._carry_out, job, work)

    def _carry_out(self, job: str, work: Callable[[], Outcome]) -> None:
        if job != self._job:
            return
        try:
            self._session.stand()
            outcome = work() if job == self._job else Outcome("idle")
            if not self._job:  # a command of this job may have gone out behind the stop
                self._stand_still()
            self._session.check_lease()  # whoever took it may have stopped the robot
        except known_errors() as error:
            outcome = self._gave_up(error)
        except (RobotError, OSError) as error:
            outcome = Outcome("failed", "stuck", str(error))
        except ValueError:  # as the library says of a lease that is none
            outcome = Outcome("failed", "stuck", "it answered what cannot be")
        if job == self._job:
            self._outcome = outcome

    def _gave_up(self, error: Exception) -> Outcome:
        if is_lease(error):
            self._session.lost_lease(error)
            return Outcome("failed", "taken", f"its lease was taken by {self._session.taken}")
        if is_link(error):
            return Outcome(
                "idle", "", told(error, self.settings, known=True)
            )  # a lost link, and no failure
        return Outcome("failed", "stuck", told(error, self.settings, known=True))

    def _walk(self, job: str, planned: tuple[Any, float]) -> Outcome:
        """Drive a trajectory and watch how it goes."""
        from bosdyn.api.basic_command_pb2 import RobotCommandFeedbackStatus as Basic
        from bosdyn.api.basic_command_pb2 import SE2TrajectoryCommand
        from bosdyn.client.robot_command import RobotCommandClient

        command, span_s = planned
        client = self._session.client(RobotCommandClient)
        end_s = time.time() + span_s
        number = client.robot_command(command, end_time_secs=end_s, timeout=RPC_S)
        goal = SE2TrajectoryCommand.Feedback
        late = False
        while job == self._job and not late:
            late = (
                time.time() > end_s + 1.0
            )  # looked at once more: this program may have been held up
            heard = client.robot_command_feedback(number, timeout=RPC_S).feedback
            mobility = heard.synchronized_feedback.mobility_command_feedback
            way = mobility.se2_trajectory_feedback
            if mobility.status == Basic.STATUS_COMMAND_OVERRIDDEN:
                return Outcome("failed", "stuck", "another command took the place of its own")
            if mobility.status == Basic.STATUS_COMMAND_TIMED_OUT:
                return Outcome("failed", "stuck", "its command timed out before it arrived")
            if way.final_goal_status == goal.FINAL_GOAL_STATUS_BLOCKED:
                return Outcome("failed", "blocked", "it says that its goal is blocked")
            if way.status in (goal.STATUS_AT_GOAL, goal.STATUS_STOPPED):
                return DONE
            time.sleep(POLL_S)
        return Outcome("failed", "stuck", "its command timed out before it arrived")

    def _look(self, job: str, thing: str, point: Floats) -> Outcome:
        """Turn in place, lean, take pictures, and stand straight again."""
        from bosdyn.client.image import ImageClient
        from bosdyn.client.robot_command import RobotCommandBuilder, RobotCommandClient

        turned = self._face(job, point)
        if turned is not DONE or job != self._job:
            return turned
        client = self._session.client(RobotCommandClient)
        pose = self.reading().pose
        away_m = 1.0 if pose is None else math.hypot(point[0] - pose.x, point[1] - pose.y)
        client.robot_command(
            commands.lean(away_m, float(point[2]) - self._hearing.body_z), timeout=RPC_S
        )
        time.sleep(1.0)
        try:
            if self.settings.cameras:
                images = self._session.client(ImageClient)
                shots = images.get_image_from_sources(list(self.settings.cameras), timeout=RPC_S)
                for shot in shots:
                    self._keep(thing, shot)
        finally:
            if job == self._job:
                client.robot_command(RobotCommandBuilder.synchro_stand_command(), timeout=RPC_S)
        return DONE

    def _face(self, job: str, point: Floats) -> Outcome:
        pose = self.reading().pose
        if pose is None:
            return Outcome("failed", "lost", "it tells no pose")
        away = (float(point[0]) - pose.x, float(point[1]) - pose.y)
        yaw = pose.yaw if math.hypot(*away) < 0.1 else math.atan2(away[1], away[0])
        return self._walk(job, commands.turn(pose.x, pose.y, yaw, self._frame, self._speed_mps))

    def _keep(self, thing: str, shot: Any) -> None:
        """Keep a picture beside the mission's journal."""
        source = str(shot.source.name) or "camera"
        ending = "jpg" if shot.shot.image.data[:2] == b"\xff\xd8" else "raw"
        name = f"{self.name}-{thing}-{source}.{ending}"
        write_bytes(within(self._pictures, name), shot.shot.image.data)

    def _pick(self, job: str, point: Floats) -> Outcome:
        """Grasp, and carry what was grasped; after a failure the arm is stowed."""
        from bosdyn.api import manipulation_api_pb2 as api
        from bosdyn.client.manipulation_api_client import ManipulationApiClient
        from bosdyn.client.robot_command import RobotCommandBuilder

        if not self._session.arm:
            return Outcome("failed", "refused", "this Spot has no arm")
        client = self._session.client(ManipulationApiClient)
        number = client.manipulation_api_command(
            commands.grasp(point, self._frame), timeout=RPC_S
        ).manipulation_cmd_id
        end_s = time.monotonic() + ARM_S
        asked = api.ManipulationApiFeedbackRequest(manipulation_cmd_id=number)
        outcome = Outcome("failed", "grasp", "the grasp took too long")
        while job == self._job and time.monotonic() < end_s:
            state = client.manipulation_api_feedback_command(asked, timeout=RPC_S).current_state
            if state == api.MANIP_STATE_GRASP_SUCCEEDED:
                outcome = DONE
                break
            if state in (api.MANIP_STATE_GRASP_FAILED, api.MANIP_STATE_GRASP_PLANNING_NO_SOLUTION):
                outcome = Outcome("failed", "grasp", "the grasp failed")
                break
            time.sleep(POLL_S)
        if outcome is DONE:
            self._arm(RobotCommandBuilder.arm_carry_command())
        elif job == self._job:
            self._arm(RobotCommandBuilder.claw_gripper_open_command())
            self._arm(RobotCommandBuilder.arm_stow_command())
        return outcome

    def _place(self, job: str, point: Floats) -> Outcome:
        """Walk up, hold the hand above the point, let go, and stow the arm."""
        from bosdyn.client.robot_command import (
            RobotCommandBuilder,
            RobotCommandClient,
            block_until_arm_arrives,
        )

        if not self._session.arm:
            return Outcome("failed", "refused", "this Spot has no arm")
        walked = self._walk_up(job, point)
        if walked is not DONE or job != self._job:
            return walked
        client = self._session.client(RobotCommandClient)
        number = client.robot_command(commands.reach(point, self._frame), timeout=RPC_S)
        if not block_until_arm_arrives(client, number, timeout_sec=ARM_S / 4):
            self._arm(RobotCommandBuilder.arm_carry_command())
            return Outcome("failed", "stuck", "its arm does not get there")
        if job != self._job:
            return Outcome("idle")
        self._arm(RobotCommandBuilder.claw_gripper_open_command())
        time.sleep(0.5)
        self._arm(RobotCommandBuilder.arm_stow_command())
        return DONE

    def _walk_up(self, job: str, point: Floats) -> Outcome:
        """Come within reach of the arm, facing the point."""
        pose = self.reading().pose
        if pose is None:
            return Outcome("failed", "lost", "it tells no pose")
        here = np.array([pose.x, pose.y])
        away = point[:2] - here
        far_m = float(np.hypot(*away))
        if far_m <= ARM_M:
            return self._face(job, point)
        line = np.array([here, here + away * (1.0 - 0.8 * ARM_M / far_m)])
        return self._walk(job, commands.trajectory(line, self._frame, self._speed_mps))

    def _arm(self, command: Any) -> None:
        from bosdyn.client.robot_command import RobotCommandClient

        self._session.client(RobotCommandClient).robot_command(command, timeout=RPC_S)
