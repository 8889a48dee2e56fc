"""What is heard of a Spot: a thread asks for its state again and again; a mission knows the last reading."""

from __future__ import annotations

import math
import threading
import time
from typing import Any

import numpy as np

from commonground.adapters import SpotSettings
from commonground.planning.robots.lateness import Lateness, Promptness
from commonground.planning.robots.machine import Pose, Reading
from commonground.planning.robots.spot.session import Session, known_errors, told

HEAR_EVERY_S = 0.1
HEAR_S = 1.0
"""A state that does not come within this is none."""
BODY_M = 0.5
"""A standing Spot's body is so far above the ground."""


class Hearing:
    """Keeps the last reading of one Spot."""

    def __init__(self, session: Session, settings: SpotSettings) -> None:
        self._session, self._settings = session, settings
        self.reading = Reading(None, down="it was not reached yet")
        self.body_z = BODY_M
        """Height of the body in the frame that it drives in."""
        self._late, self._prompt = Lateness(), Promptness(HEAR_S)
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self._listening = threading.Lock()
        """Held while one hears it: what was told later is known later."""

    def begin(self) -> None:
        """Hear it once, and from now on."""
        self._over.clear()
        self.hear()
        self._thread = threading.Thread(target=self._keep_hearing, daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Hear it no more."""
        self._over.set()
        if self._thread is not None:
            self._thread.join()  # no call of it waits longer than its limit

    def _keep_hearing(self) -> None:
        while not self._over.wait(HEAR_EVERY_S):
            self.hear()

    def hear(self) -> None:
        """Ask for its state, and keep what it tells."""
        from bosdyn.client.robot_state import RobotStateClient

        with self._listening:
            self._take_in(RobotStateClient)

    def _take_in(self, kind: Any) -> None:
        wrong: tuple[type[Exception], ...] = (*known_errors(), ValueError)
        begin_s = time.monotonic()
        try:
            state = self._session.client(kind).get_robot_state(timeout=HEAR_S)
            down = self._prompt.answered(begin_s, time.monotonic())
        except wrong as error:
            down = self._prompt.failed(told(error, self._settings, known=True))
        if down:
            down = f"{self._settings.address}: {down}"
            self.reading = Reading(self.reading.pose, self.reading.battery, down=down)
            return
        pose, odd = self._pose(state)
        holds = bool(state.manipulator_state.is_gripper_holding_item) if self._session.arm else None
        taken = self._session.taken
        self.reading = Reading(pose, charge(state), faults(state), "", odd, holds, taken=taken)

    def _pose(self, state: Any) -> tuple[Pose | None, str]:
        """Return where the body is in the frame it drives in, and what is wrong with what it tells."""
        from bosdyn.client.frame_helpers import BODY_FRAME_NAME, get_a_tform_b

        tree = state.kinematic_state.transforms_snapshot
        found = get_a_tform_b(tree, self._settings.frame, BODY_FRAME_NAME)
        if found is None:
            return None, f"it knows no frame {self._settings.frame}"
        norm = math.sqrt(found.rot.w**2 + found.rot.x**2 + found.rot.y**2 + found.rot.z**2)
        if not np.isfinite([found.x, found.y, found.z, norm]).all() or abs(norm - 1.0) > 0.05:
            return None, "a pose that cannot be: not finite, or its quaternion is none"
        self.body_z = float(found.z)
        told = state.kinematic_state.acquisition_timestamp
        sent_s = self._late.sent_s(told.seconds + 1e-9 * told.nanos)
        return Pose(found.x, found.y, found.rot.to_yaw(), sent_s), ""


def charge(state: Any) -> float:
    """Return the share of its charge that a robot has left."""
    shares = [
        b.charge_percentage.value for b in state.battery_states if b.HasField("charge_percentage")
    ]
    if state.power_state.HasField("locomotion_charge_percentage"):
        shares.append(state.power_state.locomotion_charge_percentage.value)
    return float(min([100.0, *shares])) / 100.0


def faults(state: Any) -> str:
    """Return why a robot cannot move: pressed emergency stops, faults, or motors that failed."""
    from bosdyn.api import robot_state_pb2 as api

    pressed = [e.name for e in state.estop_states if e.state == api.EStopState.STATE_ESTOPPED]
    if pressed:
        return f"its emergency stop is pressed ({', '.join(pressed)})"
    critical = [
        f.error_message or f.name
        for f in state.system_fault_state.faults
        if f.severity == api.SystemFault.SEVERITY_CRITICAL
    ]
    if critical:
        return f"it has a fault: {critical[0][:100]}"
    if state.behavior_fault_state.faults:
        cause = state.behavior_fault_state.faults[0].cause
        return f"it has a behavior fault ({api.BehaviorFault.Cause.Name(cause)})"
    return (
        "its motors failed"
        if state.power_state.motor_power_state == api.PowerState.STATE_ERROR
        else ""
    )
