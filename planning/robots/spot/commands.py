"""What a Spot is told: trajectories along a line, a body pose to look, where to grasp and to put."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np

from commonground.arrays import Floats

LATE_S = 3.0
"""A trajectory ends so long after it should be driven; then the robot stands, whoever is still there."""
LEAST_STEP_M = 0.05
PITCH = 0.35
HAND_ABOVE_M = 0.15


def trajectory(line: Floats, frame: str, speed_mps: float) -> tuple[Any, float]:
    """Return the command to drive along a line (k, 2), and how many seconds it may take."""
    from bosdyn.api import trajectory_pb2
    from bosdyn.client.robot_command import RobotCommandBuilder
    from bosdyn.util import seconds_to_duration, seconds_to_timestamp

    points = [line[0], *(p for p in line[1:-1:5]), line[-1]]
    kept = [points[0]]
    for point in points[1:]:
        if np.hypot(*(point - kept[-1])) > LEAST_STEP_M or point is points[-1]:
            kept.append(point)
    ways = np.diff(np.array(kept), axis=0)
    yaws = np.arctan2(ways[:, 1], ways[:, 0])
    gone_m = np.cumsum(np.linalg.norm(ways, axis=1))
    command = RobotCommandBuilder.synchro_se2_trajectory_point_command(
        float(kept[-1][0]), float(kept[-1][1]), float(yaws[-1]), frame, params=limits(speed_mps)
    )
    request = command.synchronized_command.mobility_command.se2_trajectory_request
    del request.trajectory.points[:]
    for point, yaw, far_m in zip(kept[1:], yaws, gone_m, strict=True):
        added = trajectory_pb2.SE2TrajectoryPoint()
        added.pose.position.x, added.pose.position.y = float(point[0]), float(point[1])
        added.pose.angle = float(yaw)
        added.time_since_reference.CopyFrom(seconds_to_duration(float(far_m) / speed_mps))
        request.trajectory.points.append(added)
    request.trajectory.reference_time.CopyFrom(seconds_to_timestamp(time.time()))
    return command, float(gone_m[-1]) / speed_mps + LATE_S


def turn(x: float, y: float, yaw: float, frame: str, speed_mps: float) -> tuple[Any, float]:
    """Return the command to face a heading on the spot, and how many seconds it may take."""
    from bosdyn.client.robot_command import RobotCommandBuilder

    command = RobotCommandBuilder.synchro_se2_trajectory_point_command(
        x, y, yaw, frame, params=limits(speed_mps)
    )
    return command, 5.0 + LATE_S


def limits(speed_mps: float) -> Any:
    """Return the parameters of mobility that hold a speed."""
    from bosdyn.api import geometry_pb2
    from bosdyn.client.robot_command import RobotCommandBuilder

    params = RobotCommandBuilder.mobility_params()
    linear = geometry_pb2.Vec2(x=speed_mps, y=speed_mps)
    least = geometry_pb2.Vec2(x=-speed_mps, y=-speed_mps)
    params.vel_limit.max_vel.CopyFrom(geometry_pb2.SE2Velocity(linear=linear, angular=1.0))
    params.vel_limit.min_vel.CopyFrom(geometry_pb2.SE2Velocity(linear=least, angular=-1.0))
    return params


def lean(away_m: float, up_m: float) -> Any:
    """Return the command to stand with the body pitched towards what is so far away and so much higher."""
    from bosdyn.client.robot_command import RobotCommandBuilder
    from bosdyn.geometry import EulerZXY

    pitch = max(-PITCH, min(PITCH, -math.atan2(up_m, max(away_m, 0.3))))
    return RobotCommandBuilder.synchro_stand_command(footprint_R_body=EulerZXY(pitch=pitch))


def grasp(point: Floats, frame: str) -> Any:
    """Return the request to grasp what lies at a point."""
    from bosdyn.api import geometry_pb2, manipulation_api_pb2

    x, y, z = (float(v) for v in point)
    place = geometry_pb2.Vec3(x=x, y=y, z=z)
    picked = manipulation_api_pb2.PickObject(frame_name=frame, object_rt_frame=place)
    return manipulation_api_pb2.ManipulationApiRequest(pick_object=picked)


def reach(point: Floats, frame: str) -> Any:
    """Return the command to hold the hand above a point, pointing down."""
    from bosdyn.client.robot_command import RobotCommandBuilder

    x, y, z = (float(v) for v in point)
    half = math.sqrt(0.5)
    return RobotCommandBuilder.arm_pose_command(
        x, y, z + HAND_ABOVE_M, half, 0.0, half, 0.0, frame, seconds=2.0
    )
