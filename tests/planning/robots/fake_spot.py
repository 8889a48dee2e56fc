"""A Spot on loopback: real gRPC with TLS, from the API's own servicers, and a kinematic robot behind it.

It signs in, compares clocks, holds leases and emergency stops, and drives; and whatever a test wants goes
wrong. It serves at most two minutes, and its test stops it.
"""

from __future__ import annotations

import math
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
import trustme
from bosdyn.api import (
    arm_command_pb2,
    auth_pb2,
    auth_service_pb2_grpc,
    basic_command_pb2,
    directory_pb2,
    directory_service_pb2_grpc,
    estop_pb2,
    estop_service_pb2_grpc,
    header_pb2,
    image_pb2,
    image_service_pb2_grpc,
    lease_pb2,
    lease_service_pb2_grpc,
    manipulation_api_pb2,
    manipulation_api_service_pb2_grpc,
    power_pb2,
    power_service_pb2_grpc,
    robot_command_pb2,
    robot_command_service_pb2_grpc,
    robot_id_pb2,
    robot_id_service_pb2_grpc,
    robot_state_pb2,
    robot_state_service_pb2_grpc,
    time_sync_pb2,
    time_sync_service_pb2_grpc,
)

from tests.planning.robots.kinematic import Kinematic

USER, SECRET = "operator", "correct-horse"
JPEG = b"\xff\xd8\xff\xe0 a picture \xff\xd9"
TICK_S = 0.02
LONGEST_S = 120.0
SERVICES = {
    "auth": "bosdyn.api.AuthService",
    "directory": "bosdyn.api.DirectoryService",
    "robot-id": "bosdyn.api.RobotIdService",
    "time-sync": "bosdyn.api.TimeSyncService",
    "lease": "bosdyn.api.LeaseService",
    "estop": "bosdyn.api.EstopService",
    "power": "bosdyn.api.PowerService",
    "robot-state": "bosdyn.api.RobotStateService",
    "robot-command": "bosdyn.api.RobotCommandService",
    "manipulation": "bosdyn.api.ManipulationApiService",
    "image": "bosdyn.api.ImageService",
}


class FakeSpot:
    """A server in threads; use it in a ``with`` statement."""

    def __init__(self, robot: Kinematic, folder: Path, *, arm: bool = True, major: int = 5) -> None:
        self.robot, self.arm, self.major = robot, arm, major
        self.powered, self.standing = False, False
        self.battery = 80.0
        self.estopped = ""
        self.late_s = 0.0
        """So old is what it tells of where it is, by its own stamps."""
        self.owner = ""
        self.grasp_fails = 0
        self.mute = False
        """Calls of commands and states are not answered in time."""
        self.slow_s = 0.0
        """They are answered so late."""
        self.late = False
        """Trajectories never arrive."""
        self.picture = b""
        """What its cameras really see, 8 × 6; without, it is no picture."""
        self.commands: list[str] = []
        self.limits: list[float] = []
        self.estop_timeout_s = 0.0
        self.checked_in_s = 0.0
        self._sequence = 1
        self._numbers = 0
        self._ends_s = 0.0
        self._lock = threading.Lock()
        self._over = threading.Event()
        authority = trustme.CA()
        self.certificate = folder / "authority.pem"
        authority.cert_pem.write_to_path(str(self.certificate))
        leaf = authority.issue_cert("auth.spot.robot", "api.spot.robot", "id.spot.robot")
        self._credentials = grpc.ssl_server_credentials(
            [(leaf.private_key_pem.bytes(), b"".join(p.bytes() for p in leaf.cert_chain_pems))]
        )
        self._server = grpc.server(ThreadPoolExecutor(12))
        self.port = 0
        self._thread = threading.Thread(target=self._live, daemon=True)

    def __enter__(self) -> FakeSpot:
        for add, servicer in _servicers(self):
            add(servicer, self._server)
        self.port = self._server.add_secure_port("127.0.0.1:0", self._credentials)
        self._server.start()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._server.stop(0.2).wait(60.0)
        self._thread.join(60.0)
        assert not self._thread.is_alive()

    def steal(self, who: str) -> None:
        """Let somebody else take the lease."""
        with self._lock:
            self.owner, self._sequence = who, self._sequence + 1
        self.robot.halt()

    def _live(self) -> None:
        last_s = time.monotonic()
        until = last_s + LONGEST_S
        while not self._over.wait(TICK_S) and time.monotonic() < until:
            # its ways end by the clock, so a thread that was held up makes up for it
            last_s, span_s = time.monotonic(), time.monotonic() - last_s
            if self.powered and not self.estopped:
                self.robot.step(span_s)
            if self.robot.moving and time.time() > self._ends_s:
                self.robot.halt()
            silent_s = time.monotonic() - self.checked_in_s
            if self.estop_timeout_s and silent_s > self.estop_timeout_s and not self.estopped:
                self.estopped, self.powered = "bosdyn.commonground", False
                self.robot.halt()

    # ---- what services share ----

    def answer(
        self, request: Any, response: Any, code: int = header_pb2.CommonError.CODE_OK
    ) -> Any:
        """Fill the header of a response."""
        response.header.request_header.CopyFrom(request.header)
        response.header.request_received_timestamp.GetCurrentTime()
        response.header.response_timestamp.GetCurrentTime()
        response.header.error.code = code
        return response

    def lease(self) -> Any:
        return lease_pb2.Lease(resource="body", epoch="e", sequence=[self._sequence])

    def used(self, request: Any, result: Any) -> bool:
        """Fill in how a lease was used; return whether it is the one that counts."""
        result.attempted_lease.CopyFrom(request.lease)
        result.latest_known_lease.CopyFrom(self.lease())
        result.owner.client_name = self.owner
        mine = list(request.lease.sequence)[:1] == [self._sequence]
        ok, older = lease_pb2.LeaseUseResult.STATUS_OK, lease_pb2.LeaseUseResult.STATUS_OLDER
        result.status = ok if mine else older
        return mine

    def number(self) -> int:
        self._numbers += 1
        return self._numbers

    def wait(self, context: Any) -> None:
        time.sleep(self.slow_s)
        if self.mute:
            time.sleep(1.2)
            context.abort(grpc.StatusCode.UNAVAILABLE, "the link is lost")

    def command(self, command: Any) -> int:
        """Carry out a command; return its status."""
        status = robot_command_pb2.RobotCommandResponse
        full, synchronized = command.full_body_command, command.synchronized_command
        if full.HasField("stop_request"):
            self.commands.append("stop")
            self.robot.halt()
            return status.STATUS_OK
        if full.HasField("safe_power_off_request"):
            self.commands.append("off")
            self.powered = False
            return status.STATUS_OK
        if not self.powered:
            return status.STATUS_NOT_POWERED_ON
        mobility = synchronized.mobility_command
        if mobility.HasField("se2_trajectory_request"):
            self.commands.append("trajectory")
            self._drive(mobility)
        elif mobility.HasField("stand_request"):
            self.commands.append("stand")
            self.standing = True
        if synchronized.HasField("gripper_command"):
            self.commands.append("gripper")
            self.robot.held = False
        if synchronized.HasField("arm_command"):
            self.commands.append("arm")
        return status.STATUS_OK

    def _drive(self, mobility: Any) -> None:
        from bosdyn.api.spot import robot_command_pb2 as spot_command_pb2

        params = spot_command_pb2.MobilityParams()
        mobility.params.Unpack(params)
        self.limits.append(params.vel_limit.max_vel.linear.x)
        request = mobility.se2_trajectory_request
        self._ends_s = request.end_time.ToNanoseconds() / 1e9
        points = request.trajectory.points
        if not self.late:
            line = [(p.pose.position.x, p.pose.position.y) for p in points]
            self.robot.follow(line, points[-1].pose.angle)


def _seen(spot: FakeSpot, answer: Any) -> None:
    """Fill in a picture with its camera, or the depth that goes with it: two meters, one pixel unknown."""
    shot, now = answer.shot, time.time()
    shot.acquisition_time.FromNanoseconds(int(now * 1e9))
    shot.frame_name_image_sensor = "eye"
    shot.image.rows, shot.image.cols = 6, 8
    lens = answer.source.pinhole.intrinsics
    lens.focal_length.x = lens.focal_length.y = 7.0
    lens.principal_point.x, lens.principal_point.y = 4.0, 3.0
    edges = shot.transforms_snapshot.child_to_parent_edge_map
    edges["vision"].parent_frame_name = ""
    for child, parent, x in (("body", "vision", spot.robot.x), ("eye", "body", 0.4)):
        edges[child].parent_frame_name = parent
        edges[child].parent_tform_child.position.x = x
        edges[child].parent_tform_child.rotation.w = 1.0
    if "depth" in answer.source.name:
        answer.source.depth_scale = 1000.0
        shot.image.data = b"\0\0" + 47 * (2000).to_bytes(2, "little")
    else:
        shot.image.data = spot.picture


def _servicers(spot: FakeSpot) -> list[tuple[Any, Any]]:
    """Return what adds each service to a server, and the service."""

    class Auth(auth_service_pb2_grpc.AuthServiceServicer):
        def GetAuthToken(self, request: Any, context: Any) -> Any:
            response = auth_pb2.GetAuthTokenResponse(status=auth_pb2.GetAuthTokenResponse.STATUS_OK)
            if (request.username, request.password) != (USER, SECRET) and not request.token:
                response.status = auth_pb2.GetAuthTokenResponse.STATUS_INVALID_LOGIN
            else:
                # an unsigned token that is good for a day
                import jwt

                claims = {"exp": int(time.time()) + 86400, "iss": "robot"}
                response.token = jwt.encode(claims, "k" * 40, algorithm="HS256")
            return spot.answer(request, response)

    class Directory(directory_service_pb2_grpc.DirectoryServiceServicer):
        def ListServiceEntries(self, request: Any, context: Any) -> Any:
            response = directory_pb2.ListServiceEntriesResponse()
            for name, kind in SERVICES.items():
                response.service_entries.add(name=name, type=kind, authority="api.spot.robot")
            return spot.answer(request, response)

    class RobotId(robot_id_service_pb2_grpc.RobotIdServiceServicer):
        def GetRobotId(self, request: Any, context: Any) -> Any:
            response = robot_id_pb2.RobotIdResponse()
            response.robot_id.serial_number = "spot-test"
            response.robot_id.software_release.version.major_version = spot.major
            return spot.answer(request, response)

    class TimeSync(time_sync_service_pb2_grpc.TimeSyncServiceServicer):
        def TimeSyncUpdate(self, request: Any, context: Any) -> Any:
            response = time_sync_pb2.TimeSyncUpdateResponse(clock_identifier="clock")
            response.state.status = time_sync_pb2.TimeSyncState.STATUS_OK
            response.state.best_estimate.round_trip_time.nanos = 1000
            return spot.answer(request, response)

    class Lease(lease_service_pb2_grpc.LeaseServiceServicer):
        def ListLeases(self, request: Any, context: Any) -> Any:
            response = lease_pb2.ListLeasesResponse()
            body = response.resources.add(resource="body")
            body.lease_owner.client_name = spot.owner
            return spot.answer(request, response)

        def AcquireLease(self, request: Any, context: Any) -> Any:
            kind = lease_pb2.AcquireLeaseResponse
            if spot.owner:
                response = kind(status=kind.STATUS_RESOURCE_ALREADY_CLAIMED)
                response.lease_owner.client_name = spot.owner
                return spot.answer(request, response)
            spot.owner = request.header.client_name
            return spot.answer(request, kind(status=kind.STATUS_OK, lease=spot.lease()))

        def TakeLease(self, request: Any, context: Any) -> Any:
            spot.steal(request.header.client_name)
            kind = lease_pb2.TakeLeaseResponse
            return spot.answer(request, kind(status=kind.STATUS_OK, lease=spot.lease()))

        def RetainLease(self, request: Any, context: Any) -> Any:
            response = lease_pb2.RetainLeaseResponse()
            spot.used(request, response.lease_use_result)
            return spot.answer(request, response)

        def ReturnLease(self, request: Any, context: Any) -> Any:
            kind = lease_pb2.ReturnLeaseResponse
            if list(request.lease.sequence)[:1] != [spot._sequence]:
                return spot.answer(request, kind(status=kind.STATUS_NOT_ACTIVE_LEASE))
            spot.owner = ""
            return spot.answer(request, kind(status=kind.STATUS_OK))

    class Estop(estop_service_pb2_grpc.EstopServiceServicer):
        def GetEstopConfig(self, request: Any, context: Any) -> Any:
            response = estop_pb2.GetEstopConfigResponse()
            response.active_config.unique_id = "before"
            return spot.answer(request, response)

        def SetEstopConfig(self, request: Any, context: Any) -> Any:
            kind = estop_pb2.SetEstopConfigResponse
            if spot.powered:
                return spot.answer(request, kind(status=kind.STATUS_MOTORS_ON))
            response = kind(status=kind.STATUS_SUCCESS, active_config=request.config)
            response.active_config.unique_id = "config"
            response.active_config.endpoints[0].unique_id = "endpoint"
            return spot.answer(request, response)

        def RegisterEstopEndpoint(self, request: Any, context: Any) -> Any:
            kind = estop_pb2.RegisterEstopEndpointResponse
            response = kind(status=kind.STATUS_SUCCESS, new_endpoint=request.new_endpoint)
            response.new_endpoint.unique_id = "endpoint"
            return spot.answer(request, response)

        def EstopCheckIn(self, request: Any, context: Any) -> Any:
            spot.wait(context)
            kind = estop_pb2.EstopCheckInResponse
            spot.checked_in_s = time.monotonic()
            spot.estop_timeout_s = request.endpoint.timeout.seconds
            right = request.response == (~request.challenge & 0xFFFFFFFFFFFFFFFF)
            if right and request.stop_level == estop_pb2.ESTOP_LEVEL_NONE:
                spot.estopped = "" if spot.estopped == "bosdyn.commonground" else spot.estopped
            elif request.stop_level != estop_pb2.ESTOP_LEVEL_NONE:
                spot.estopped = "bosdyn.commonground"
            wrong = kind.STATUS_INCORRECT_CHALLENGE_RESPONSE
            response = kind(status=kind.STATUS_OK if right else wrong, challenge=12345)
            return spot.answer(request, response)

    class Power(power_service_pb2_grpc.PowerServiceServicer):
        def PowerCommand(self, request: Any, context: Any) -> Any:
            response = power_pb2.PowerCommandResponse(status=power_pb2.STATUS_SUCCESS)
            if not spot.used(request, response.lease_use_result):
                return spot.answer(request, response)
            if spot.estopped:
                response.status = power_pb2.STATUS_ESTOPPED
            elif request.request in (
                power_pb2.PowerCommandRequest.REQUEST_ON,
                power_pb2.PowerCommandRequest.REQUEST_ON_MOTORS,
            ):
                spot.powered = True
            else:
                spot.powered = False
            return spot.answer(request, response)

    class State(robot_state_service_pb2_grpc.RobotStateServiceServicer):
        def GetRobotState(self, request: Any, context: Any) -> Any:
            spot.wait(context)
            response = robot_state_pb2.RobotStateResponse()
            _tell(spot, response.robot_state)
            return spot.answer(request, response)

        def GetRobotHardwareConfiguration(self, request: Any, context: Any) -> Any:
            response = robot_state_pb2.RobotHardwareConfigurationResponse()
            names = ["body", "arm0.link_wr1"] if spot.arm else ["body"]
            for name in names:
                response.hardware_configuration.skeleton.links.add(name=name)
            return spot.answer(request, response)

    class Command(robot_command_service_pb2_grpc.RobotCommandServiceServicer):
        def RobotCommand(self, request: Any, context: Any) -> Any:
            spot.wait(context)
            response = robot_command_pb2.RobotCommandResponse()
            if spot.used(request, response.lease_use_result):
                response.status = spot.command(request.command)
                response.robot_command_id = spot.number()
            return spot.answer(request, response)

        def RobotCommandFeedback(self, request: Any, context: Any) -> Any:
            spot.wait(context)
            response = robot_command_pb2.RobotCommandFeedbackResponse()
            _feedback(spot, response.feedback)
            return spot.answer(request, response)

    class Hand(manipulation_api_service_pb2_grpc.ManipulationApiServiceServicer):
        def ManipulationApi(self, request: Any, context: Any) -> Any:
            response = manipulation_api_pb2.ManipulationApiResponse(manipulation_cmd_id=7)
            spot.used(request, response.lease_use_result)
            spot.commands.append("grasp")
            return spot.answer(request, response)

        def ManipulationApiFeedback(self, request: Any, context: Any) -> Any:
            response = manipulation_api_pb2.ManipulationApiFeedbackResponse(manipulation_cmd_id=7)
            if spot.grasp_fails:
                spot.grasp_fails -= 1
                response.current_state = manipulation_api_pb2.MANIP_STATE_GRASP_FAILED
            else:
                spot.robot.held = True
                response.current_state = manipulation_api_pb2.MANIP_STATE_GRASP_SUCCEEDED
            return spot.answer(request, response)

    class Image(image_service_pb2_grpc.ImageServiceServicer):
        def GetImage(self, request: Any, context: Any) -> Any:
            response = image_pb2.GetImageResponse()
            for wish in request.image_requests:
                each = response.image_responses.add(status=image_pb2.ImageResponse.STATUS_OK)
                each.source.name = wish.image_source_name
                each.shot.image.data = JPEG
                if spot.picture:
                    _seen(spot, each)
            return spot.answer(request, response)

    return [
        (auth_service_pb2_grpc.add_AuthServiceServicer_to_server, Auth()),
        (directory_service_pb2_grpc.add_DirectoryServiceServicer_to_server, Directory()),
        (robot_id_service_pb2_grpc.add_RobotIdServiceServicer_to_server, RobotId()),
        (time_sync_service_pb2_grpc.add_TimeSyncServiceServicer_to_server, TimeSync()),
        (lease_service_pb2_grpc.add_LeaseServiceServicer_to_server, Lease()),
        (estop_service_pb2_grpc.add_EstopServiceServicer_to_server, Estop()),
        (power_service_pb2_grpc.add_PowerServiceServicer_to_server, Power()),
        (robot_state_service_pb2_grpc.add_RobotStateServiceServicer_to_server, State()),
        (robot_command_service_pb2_grpc.add_RobotCommandServiceServicer_to_server, Command()),
        (
            manipulation_api_service_pb2_grpc.add_ManipulationApiServiceServicer_to_server,
            Hand(),
        ),
        (image_service_pb2_grpc.add_ImageServiceServicer_to_server, Image()),
    ]


def _tell(spot: FakeSpot, state: Any) -> None:
    power = robot_state_pb2.PowerState
    state.power_state.motor_power_state = power.STATE_ON if spot.powered else power.STATE_OFF
    state.power_state.locomotion_charge_percentage.value = spot.battery
    kind = robot_state_pb2.EStopState
    stop = state.estop_states.add(name=spot.estopped or "software", type=kind.TYPE_SOFTWARE)
    stop.state = kind.STATE_ESTOPPED if spot.estopped else kind.STATE_NOT_ESTOPPED
    if spot.arm:
        state.manipulator_state.is_gripper_holding_item = spot.robot.held
    told = state.kinematic_state.acquisition_timestamp
    told.FromNanoseconds(time.time_ns() - int(spot.late_s * 1e9))
    edges = state.kinematic_state.transforms_snapshot.child_to_parent_edge_map
    edges["body"].parent_frame_name = ""
    turn = {"w": math.cos(spot.robot.yaw / 2), "z": -math.sin(spot.robot.yaw / 2)}
    for frame in ("odom", "vision"):
        # frames of odometry hang below the body, as the robot tells them
        edge = edges[frame]
        edge.parent_frame_name = "body"
        c, s = math.cos(spot.robot.yaw), math.sin(spot.robot.yaw)
        x, y = spot.robot.x, spot.robot.y
        edge.parent_tform_child.position.x = -(c * x + s * y)
        edge.parent_tform_child.position.y = -(-s * x + c * y)
        edge.parent_tform_child.position.z = -0.5
        edge.parent_tform_child.rotation.w = turn["w"]
        edge.parent_tform_child.rotation.z = turn["z"]


def _feedback(spot: FakeSpot, feedback: Any) -> None:
    fine = basic_command_pb2.RobotCommandFeedbackStatus.STATUS_PROCESSING
    mobility = feedback.synchronized_feedback.mobility_command_feedback
    mobility.status = fine
    way, goal = mobility.se2_trajectory_feedback, basic_command_pb2.SE2TrajectoryCommand.Feedback
    if spot.late and spot.commands[-1:] == ["trajectory"]:
        late = basic_command_pb2.RobotCommandFeedbackStatus.STATUS_COMMAND_TIMED_OUT
        mobility.status = late if time.time() > spot._ends_s else fine
        way.status = goal.STATUS_GOING_TO_GOAL
    elif spot.robot.moving:
        way.status = goal.STATUS_GOING_TO_GOAL
    else:
        way.status = goal.STATUS_AT_GOAL
    if spot.commands and spot.commands[-1] == "stand":
        stand = basic_command_pb2.StandCommand.Feedback
        mobility.stand_feedback.status = stand.STATUS_IS_STANDING
    arm = feedback.synchronized_feedback.arm_command_feedback
    arm.status = fine
    done = arm_command_pb2.ArmCartesianCommand.Feedback.STATUS_TRAJECTORY_COMPLETE
    arm.arm_cartesian_feedback.status = done
