"""A robot that drives by Nav2 (ROS 2) or move_base (ROS 1), behind rosbridge.

Goals end where the mission's grant ends, a few meters ahead: rosbridge goes on with a goal when its client
is gone, so this is how far a robot can get that nobody hears. Who takes it, and each new connection after
that, first cancels all goals.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from commonground.adapters import Nav2Settings
from commonground.arrays import Floats
from commonground.planning.robots.commander import Command
from commonground.planning.robots.lateness import Lateness
from commonground.planning.robots.machine import RUNNING, Outcome, Pose, Reading
from commonground.planning.robots.protocol import RobotError
from commonground.planning.robots.rosbridge.battery import Battery
from commonground.planning.robots.rosbridge.client import Bridge
from commonground.planning.robots.rosbridge.frames import Frames, fallen, planar, stamp_of, turned
from commonground.planning.robots.rosbridge.goals import STATUS_1, STATUS_2, Goal, judged, why

logger = logging.getLogger(__name__)

SILENT_S = 2.0
"""A connection over which nothing came for so long is as good as none."""
FIRST_S = 5.0
"""The first pose has to come within this."""
PATIENT_S = 3.0
"""Whoever waits longer than this for the first word of the battery is told so."""
CANCELED_S = 0.2
"""The first goal waits so long, or it might be canceled with those of before."""
LOST_GOAL_S = 4.0
"""A goal of which nothing was heard for so long, while the robot stood, is lost."""
_POSES = {
    "odometry": "nav_msgs/Odometry",
    "pose": "geometry_msgs/PoseStamped",
    "pose_with_covariance": "geometry_msgs/PoseWithCovarianceStamped",
}


class Nav2Machine:
    """One robot behind one rosbridge server."""

    def __init__(
        self,
        name: str,
        settings: Nav2Settings,
        speed_mps: float,
        *,
        pictures: Path | None = None,
        commands: bool = True,
    ) -> None:
        """Without ``commands`` nothing is ever said to it, and others go on to command it.

        It takes no ``pictures``.
        """
        self._listens_to_goals = commands
        self._commands = False
        """Whether it was taken; before, nothing is said to it."""
        self.name, self.settings, self._speed_mps = name, settings, speed_mps
        self._command = Command(settings.address + settings.namespace)
        self._bridge = Bridge(settings.address, settings.certificate)
        self._frames = Frames()
        self._late = Lateness()
        self._pose: Pose | None = None
        self._heard_s = float("-inf")
        self._battery = Battery(settings.battery_topic, settings.battery_s)
        self._goal = Goal("")
        self._said = ""
        """What rosbridge itself complained of last."""
        self._lock = threading.Lock()
        self._ordering = threading.RLock()
        """Held while a goal, or the end of all, is noted and said: both in one order, from any thread."""
        self._listen()

    # ---- the protocol of machines ----

    def open(self, commander: str) -> None:
        """Connect and wait for the first pose."""
        try:
            self._bridge.open()
        except RobotError as error:
            raise RobotError(f"{self.name}: {error}") from error
        until = time.monotonic() + FIRST_S
        while self.reading().pose is None and time.monotonic() < until:
            time.sleep(0.05)

    def check(self) -> str:
        """RobotError where another mission on this computer commands it; it is taken from nobody."""
        if not self._commands:
            self._command.take()
            self._command.give_back()
        return ""

    def command(self) -> None:
        """Take it for this mission alone, and stop what was left to do."""
        with self._ordering:
            if not self._commands:
                self._command.take()
                self._commands = True
                self._begin_commanding()
                time.sleep(CANCELED_S)

    def await_ready(self) -> None:
        """Wait for the first word of the battery where a topic is named."""
        self._battery.listen()
        topic, limit_s = self._battery.topic, self.settings.battery_s
        begin_s, told = time.monotonic(), False
        while not self._battery.known and not self._bridge.down:
            waited_s = time.monotonic() - begin_s
            if waited_s > limit_s:
                raise RobotError(
                    f"{self.name}: nothing came on battery_topic {topic} within {limit_s:g} s, and a low "
                    "battery would go unnoticed; name the right topic, set battery_s where it comes less "
                    "often, or leave battery_topic out"
                )
            if waited_s > PATIENT_S and not told:
                told = True
                logger.warning(
                    "%s: waiting for battery_topic %s, %g s at most", self.name, topic, limit_s
                )
            time.sleep(0.05)

    def close(self) -> None:
        """Stop, where it may command, and disconnect."""
        self.halt()
        self._bridge.close()
        self._commands = False
        self._command.give_back()

    def reading(self) -> Reading:
        """Return what was heard last."""
        pose, heard_s = self._where()
        down = self._bridge.down
        silent_s = time.monotonic() - heard_s
        if not down and heard_s > float("-inf") and silent_s > SILENT_S:
            down = f"nothing was heard for {silent_s:.0f} s"
        if down:
            down = f"{self.settings.address}: {down}"
        odd = self._bridge.garbage if time.monotonic() - self._bridge.garbage_s < SILENT_S else ""
        if pose is None and not odd:
            odd = self._lacking()
        return Reading(pose, self._battery.share, down=down, odd=odd, doubt=self._battery.stale())

    def _lacking(self) -> str:
        """Return what has to be heard for a pose and was not."""
        s = self.settings
        if s.pose_topic:
            return f"nothing came on {s.pose_topic}"
        with self._lock:
            if self._frames.fallen:
                return self._frames.fallen
            heard = ", ".join(self._frames.names()) or "none"
        return f"no transform {s.frame} -> {s.base} came; frames heard: {heard}"

    def drive(self, job: str, line: Floats) -> None:
        ways = np.diff(line, axis=0)
        yaws = np.arctan2(ways[:, 1], ways[:, 0])
        yaws = np.r_[yaws, yaws[-1:]]
        poses = [self._stamped(p, yaw) for p, yaw in zip(line, yaws, strict=True)]
        if self.settings.ros == 2 and self.settings.drive == "follow_path":
            path = {"header": self._header(), "poses": poses}
            goal = {"path": path, "controller_id": "", "goal_checker_id": ""}
            self._begin(job, "follow_path", "FollowPath", goal)
        else:
            self._go(job, poses[-1])

    def look(self, job: str, thing: str, point: Floats) -> None:
        """Turn to a point; there is no camera to look through here."""
        pose, _ = self._where()
        if pose is None:
            self._goal = Goal(job, Outcome("failed", "lost", "it tells no pose"))
            return
        away = point[:2] - (pose.x, pose.y)
        yaw = pose.yaw if np.hypot(*away) < 0.1 else float(np.arctan2(away[1], away[0]))
        self._go(job, self._stamped(np.array([pose.x, pose.y]), yaw))

    def pick(self, job: str, point: Floats) -> None:
        """Refuse: Nav2 moves no arm."""
        self._goal = Goal(job, Outcome("failed", "refused", "nav2 robots have no arm here"))

    def place(self, job: str, point: Floats) -> None:
        """Refuse: Nav2 moves no arm."""
        self.pick(job, point)

    def outcome(self, job: str) -> Outcome:
        """Return how a job goes; one of which nothing is heard is lost."""
        goal = self._goal
        if goal.job != job:
            return Outcome("idle")
        pose, _ = self._where()
        now_s = time.monotonic()
        if pose is not None and goal.crept(pose):
            goal.heard_s = now_s
        if goal.outcome is RUNNING and now_s - goal.heard_s > LOST_GOAL_S:
            self.halt()
            return Outcome(
                "failed", "stuck", f"nothing was heard of its goal for {LOST_GOAL_S:.0f} s"
            )
        return goal.outcome

    def halt(self) -> None:
        """Cancel all goals, whoever gave them."""
        with self._ordering:
            goal, self._goal = self._goal, Goal("")
            if self.settings.ros == 1:
                message = {"stamp": {"secs": 0, "nsecs": 0}, "id": ""}
                self._publish("move_base/cancel", message)
                return
            if goal.job:
                name = self._named(goal.action)
                self._say({"op": "cancel_action_goal", "id": goal.job, "action": name})
            nobody = {"goal_id": {"uuid": [0] * 16}, "stamp": {"sec": 0, "nanosec": 0}}
            for action in ("follow_path", "navigate_to_pose"):
                self._say(
                    {
                        "op": "call_service",
                        "id": f"halt:{action}",
                        "service": self._named(f"{action}/_action/cancel_goal"),
                        "type": "action_msgs/srv/CancelGoal",
                        "args": {"goal_info": nobody},
                    }
                )

    # ---- what is said ----

    def _go(self, job: str, pose: dict[str, Any]) -> None:
        if self.settings.ros == 2:
            goal = {"pose": pose, "behavior_tree": ""}
            self._begin(job, "navigate_to_pose", "NavigateToPose", goal)
            return
        name = {"stamp": {"secs": 0, "nsecs": 0}, "id": job}
        message = {"header": self._header(), "goal_id": name, "goal": {"target_pose": pose}}
        with self._ordering:
            self._goal = Goal(job, action="move_base")
            self._publish("move_base/goal", message)

    def _begin(self, job: str, action: str, kind: str, goal: dict[str, Any]) -> None:
        message = {
            "op": "send_action_goal",
            "id": job,
            "action": self._named(action),
            "action_type": f"nav2_msgs/action/{kind}",
            "args": goal,
            "feedback": True,
        }
        with self._ordering:
            self._goal = Goal(job, action=action)
            self._say(message)

    def _publish(self, topic: str, message: dict[str, Any]) -> None:
        self._say({"op": "publish", "topic": self._named(topic), "msg": message})

    def _say(self, message: dict[str, Any]) -> None:
        if self._commands:
            self._bridge.send(message)

    def _named(self, name: str) -> str:
        return f"{self.settings.namespace.rstrip('/')}/{name}"

    def _header(self) -> dict[str, Any]:
        """Return a header of time zero: the newest transform there is."""
        stamp = {"secs": 0, "nsecs": 0} if self.settings.ros == 1 else {"sec": 0, "nanosec": 0}
        return {"stamp": stamp, "frame_id": self.settings.frame}

    def _stamped(self, point: Floats, yaw: float) -> dict[str, Any]:
        x, y = (round(float(v), 4) for v in point)
        turn = {"x": 0.0, "y": 0.0, "z": math.sin(yaw / 2), "w": math.cos(yaw / 2)}
        pose = {"position": {"x": x, "y": y, "z": 0.0}, "orientation": turn}
        return {"header": self._header(), "pose": pose}

    # ---- what is heard ----

    def _listen(self) -> None:
        s, bridge = self.settings, self._bridge
        if s.pose_topic:
            bridge.subscribe(s.pose_topic, _POSES[s.pose_type], self._told_pose, s.compression, 50)
        else:
            kind = "tf2_msgs/TFMessage"
            bridge.subscribe("/tf", kind, self._told_frames, s.compression)
            bridge.subscribe("/tf_static", kind, self._told_fixed, s.compression)
        if s.battery_topic:
            bridge.subscribe(
                s.battery_topic, "sensor_msgs/BatteryState", self._told_battery, s.compression, 1000
            )
        bridge.on("status", self._complained)
        bridge.greet(self._greet)
        if not self._listens_to_goals:
            return
        if s.ros == 1:
            bridge.advertise(self._named("move_base/goal"), "move_base_msgs/MoveBaseActionGoal")
            bridge.advertise(self._named("move_base/cancel"), "actionlib_msgs/GoalID")
            for word, taker in (("result", self._ended_1), ("feedback", self._going_1)):
                kind = f"move_base_msgs/MoveBaseAction{word.title()}"
                bridge.subscribe(self._named(f"move_base/{word}"), kind, taker)
        else:
            bridge.advertise(self._named("speed_limit"), "nav2_msgs/msg/SpeedLimit")
            bridge.on("action_result", self._ended_2)
            bridge.on("action_feedback", self._going_2)

    def _greet(self) -> None:
        self._battery.listen()
        if self._commands:
            self._begin_commanding()

    def _begin_commanding(self) -> None:
        """Let nothing of before go on, and nobody drive faster than he may."""
        self.halt()
        if self.settings.ros == 2:
            limit = {"header": self._header(), "percentage": False, "speed_limit": self._speed_mps}
            self._publish("speed_limit", limit)

    def _where(self) -> tuple[Pose | None, float]:
        """Return the pose, and when anything of it was heard last."""
        with self._lock:
            if self.settings.pose_topic:
                return self._pose, self._heard_s
            found = self._frames.find(self.settings.frame, self.settings.base)
            if found is None or not np.isfinite(self._heard_s):
                return None, self._heard_s
            T, oldest_s = found
            stamp_s = min(oldest_s, self._heard_s)
            return _pose(T, stamp_s), self._heard_s

    def _told_pose(self, message: Mapping[str, Any]) -> None:
        with self._lock:
            self._heard_s = time.monotonic()
            self._pose = None
            pose = message["pose"]
            pose = pose if self.settings.pose_type == "pose" else pose["pose"]
            T = planar(pose["position"], pose["orientation"])
            if why := fallen(turned(pose["orientation"])):
                raise ValueError(why)
            self._pose = _pose(T, self._late.sent_s(stamp_of(message)))

    def _told_frames(self, message: Mapping[str, Any]) -> None:
        with self._lock:
            self._heard_s = time.monotonic()
            try:
                self._frames.tell(message)
            except (ValueError, TypeError, KeyError):
                self._frames.forget()  # what cannot be is no pose, and what was known is in doubt
                raise

    def _told_fixed(self, message: Mapping[str, Any]) -> None:
        with self._lock:
            self._frames.tell(message, fixed=True)

    def _told_battery(self, message: Mapping[str, Any]) -> None:
        self._battery.tell(message["percentage"])

    def _complained(self, message: Mapping[str, Any]) -> None:
        if message.get("level") == "error":
            self._said = str(message.get("msg"))[:120]

    def _going_2(self, message: Mapping[str, Any]) -> None:
        if message.get("id") == self._goal.job:
            self._goal.heard_s = time.monotonic()

    def _ended_2(self, message: Mapping[str, Any]) -> None:
        goal = self._goal
        if message.get("id") != goal.job:
            return
        values = message.get("values")
        if not message.get("result", True):
            goal.outcome = Outcome("failed", "stuck", f"its goal was not taken{why(values)}")
            return
        code = values.get("error_code", 0) if isinstance(values, dict) else 0
        goal.outcome = judged(int(message["status"]), int(code), STATUS_2)

    def _going_1(self, message: Mapping[str, Any]) -> None:
        if message["status"]["goal_id"]["id"] == self._goal.job:
            self._goal.heard_s = time.monotonic()

    def _ended_1(self, message: Mapping[str, Any]) -> None:
        status = message["status"]
        if status["goal_id"]["id"] == self._goal.job:
            self._goal.outcome = judged(int(status["status"]), 0, STATUS_1)


def _pose(T: Floats, stamp_s: float) -> Pose:
    return Pose(float(T[0, 2]), float(T[1, 2]), float(np.arctan2(T[1, 0], T[0, 0])), stamp_s)
