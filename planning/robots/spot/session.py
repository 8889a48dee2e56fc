"""A session with a Spot: signed in, clocks compared, its lease and an emergency stop held, and given back.

To reach it takes nothing from anybody. What may keep a mission from commanding it is asked first; lease and
emergency stop are taken with its first order.

No message here holds what the robot answered to a sign-in; name and password are in none.
"""

from __future__ import annotations

import logging
import os
import re
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from commonground.adapters import SpotSettings
from commonground.errors import require
from commonground.planning.robots.protocol import RobotError, Unreached

PROBE_S = 2.0
RPC_S = 3.0
"""No call waits longer, but for power."""
ESTOP_S = 5.0
"""The robot sits down and cuts its motors when it hears nothing for so long."""
LEASE_S = 1.0
POWER_S = 20.0
MOTORS_S = 20.0
"""The emergency stop of a program that was killed has let the robot sit down and cut its motors by then."""
PROGRAM = "bosdyn.commonground"
OLDEST = 4
"""Major version of the robot's software from which on its API is spoken here."""


class Session:
    """What this program holds of one Spot while it commands it."""

    def __init__(self, name: str, settings: SpotSettings) -> None:
        require("bosdyn", "spot")
        os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # it tells refused connections by itself
        logging.getLogger("bosdyn").addHandler(logging.NullHandler())
        logging.getLogger("bosdyn").propagate = False
        self.name, self.settings = name, settings
        self.robot: Any = None
        self.arm = False
        self.taken = ""
        """Who took the lease away."""
        self._prefix = ""
        """How the names begin under which this mission, now or before it was killed, holds leases."""
        self._lease: Any = None
        self._estop: Any = None
        self._known = False
        """Whether it was reached once: whatever happens after that is not for its certificate."""
        self._powered = False
        self._power = threading.Lock()

    def open(self, commander: str) -> None:
        """Get what is needed to hear and see what the robot tells; RobotError says what could not be had."""
        self._prefix = f"{PROGRAM}:{commander}:"
        try:
            with self._having("it cannot be reached"):
                self._sign_in()
            with self._having("its clock cannot be compared"):
                self.robot.start_time_sync(1.0)
                self.robot.time_sync.wait_for_sync(timeout_sec=RPC_S)
        except RobotError:
            self.close()
            raise

    def check(self) -> str:
        """Return whose lease would be taken away; RobotError where one may not be, or motors are on."""
        with self._having("its lease cannot be had"):
            if self.commands:
                return ""
            owner = self._owner()
            ours = owner.startswith(self._prefix)
            if owner and not ours and not self.settings.take_lease:
                raise self._held_by(owner)
            if self.settings.estop == "own" and not self._motors_off(MOTORS_S if ours else 0.0):
                by = f"{whose(owner)} drives it, and " if owner and not ours else ""
                raise RobotError(
                    f"{self.where}: {by}its motors are on under another emergency stop; power them off "
                    "first, or set estop: others"
                )
            return "" if ours or not owner else whose(owner)

    def command(self) -> None:
        """Hold lease and emergency stop from now on; RobotError says what could not be had."""
        if self.commands:
            return
        self.check()
        try:
            with self._having("it cannot be asked for its arm"):
                self.arm = self.robot.has_arm(timeout=RPC_S)
            with self._having("its lease cannot be had"):
                self._hold_lease()
            with self._having("no emergency stop can be set up"):
                if self.settings.estop == "own":
                    self._hold_estop()
        except RobotError:
            with suppress(*known_errors()):
                self._give_back()
            self._lease = self._estop = None
            raise
        self.taken = ""

    @property
    def commands(self) -> bool:
        """Whether it was taken; whose it is now is another matter."""
        return self._lease is not None

    @contextmanager
    def _having(self, step: str) -> Iterator[None]:
        """Say of the API's errors which step was not possible."""
        try:
            yield
        except known_errors() as error:
            kind = Unreached if is_link(error) else RobotError
            why = told(error, self.settings, known=self._known)
            raise kind(f"{self.where}: {step}: {why}") from error

    def close(self) -> None:
        """Sit down if this session let the robot stand up, and give back all that it holds."""
        robot = self.robot
        if robot is None:
            return
        for step in (self._sit, self._give_back, robot._shutdown, robot.shutdown):
            try:
                step()
            except known_errors():
                continue  # what cannot be given back ends by itself when nothing is heard
        self.robot = None

    @property
    def where(self) -> str:
        """The robot's name and address, as messages begin."""
        return f"{self.name} ({self.settings.address}:{self.settings.port})"

    def client(self, kind: Any) -> Any:
        return self.robot.ensure_client(kind.default_service_name)

    def stand(self) -> None:
        """Let it stand up, once; bosdyn's errors say why it cannot."""
        from bosdyn.client.robot_command import RobotCommandClient, blocking_stand

        with self._power:
            if self._powered:
                return
            if not self.robot.is_powered_on(timeout=RPC_S):
                self.robot.power_on(timeout_sec=POWER_S, timeout=RPC_S)
            self._powered = True
            blocking_stand(self.client(RobotCommandClient), timeout_sec=POWER_S, update_frequency=5)

    # ---- what is held ----

    def _sign_in(self) -> None:
        from bosdyn.client import create_standard_sdk
        from bosdyn.client.manipulation_api_client import ManipulationApiClient

        user = os.environ.get(self.settings.username_from, "")
        secret = os.environ.get(self.settings.password_from, "")
        if not user or not secret:
            raise RobotError(
                f"{self.where}: set the environment variables {self.settings.username_from} and "
                f"{self.settings.password_from} to its user name and password"
            )
        sdk = create_standard_sdk(self._prefix, [ManipulationApiClient])
        if self.settings.certificate is not None:
            try:
                sdk.load_robot_cert(str(self.settings.certificate))
            except OSError as error:
                raise RobotError(f"{self.settings.certificate}: is no certificate") from error
        self.robot = sdk.create_robot(self.settings.address)
        self.robot.update_secure_channel_port(self.settings.port)
        self.robot.authenticate(user, secret, timeout=RPC_S)
        self._known = True
        release = self.robot.get_cached_robot_id(timeout=RPC_S).software_release.version
        if release.major_version < OLDEST:
            raise RobotError(
                f"{self.where}: it has software {release.major_version}.{release.minor_version}; "
                f"version {OLDEST}.0 or newer is needed"
            )

    def _owner(self) -> str:
        """Return under what name its lease is held; empty where nobody holds it."""
        from bosdyn.client.lease import LeaseClient

        leases = self.client(LeaseClient).list_leases(timeout=RPC_S)
        return next((str(x.lease_owner.client_name) for x in leases if x.resource == "body"), "")

    def _held_by(self, owner: str) -> RobotError:
        return RobotError(
            f"{self.where}: its lease is held by {whose(owner)}; give it back there, or set take_lease: true"
        )

    def _motors_off(self, patience_s: float) -> bool:
        until_s = time.monotonic() + patience_s
        while self.robot.is_powered_on(timeout=RPC_S):
            if time.monotonic() >= until_s:
                return False
            time.sleep(0.2)
        return True

    def _hold_lease(self) -> None:
        from bosdyn.client.lease import LeaseClient, LeaseKeepAlive, ResourceAlreadyClaimedError

        client = self.client(LeaseClient)
        try:
            if self.settings.take_lease or self._owner().startswith(self._prefix):
                client.take(timeout=RPC_S)
            else:
                client.acquire(timeout=RPC_S)
        except ResourceAlreadyClaimedError as error:
            raise self._held_by(error.response.lease_owner.client_name) from error
        self._lease = LeaseKeepAlive(
            client,
            rpc_interval_seconds=LEASE_S,
            on_failure_callback=self._lease_failed,
            warnings=False,
            return_at_exit=True,
        )

    def _lease_failed(self, error: Exception) -> None:
        if is_lease(error):
            self.lost_lease(error)

    def check_lease(self) -> None:
        """Ask whether the lease still counts; one of ``known_errors`` where it does not."""
        from bosdyn.client.lease import LeaseClient

        lease = self.robot.lease_wallet.get_lease()
        self.client(LeaseClient).retain_lease(lease, timeout=RPC_S)

    def lost_lease(self, error: Exception) -> None:
        """Note that somebody else commands the robot now."""
        result = getattr(getattr(error, "response", None), "lease_use_result", None)
        state = self.robot.lease_wallet.get_lease_state()
        owners = [result.owner if result is not None else None, state.lease_owner]
        names = [owner.client_name for owner in owners if owner is not None]
        named = next((n for n in names if n), "")
        self.taken = (whose(named) if named else self.taken) or "somebody else"

    def _hold_estop(self) -> None:
        from bosdyn.client.estop import EstopClient, EstopEndpoint, EstopKeepAlive, MotorsOnError

        endpoint = EstopEndpoint(self.client(EstopClient), PROGRAM, ESTOP_S)
        try:
            endpoint.force_simple_setup()
        except MotorsOnError as error:
            raise RobotError(
                f"{self.where}: its motors are on under another emergency stop; power them off first, or "
                "set estop: others"
            ) from error
        self._estop = EstopKeepAlive(endpoint)
        self._estop.allow()

    def _sit(self) -> None:
        if self._powered and not self.taken:
            self._powered = False
            self.robot.power_off(cut_immediately=False, timeout_sec=10, timeout=RPC_S)

    def _give_back(self) -> None:
        if self._estop is not None:
            self._estop.shutdown()
        if self._lease is not None:
            self._lease.shutdown()


def known_errors() -> tuple[type[Exception], ...]:
    """Return what the API raises for what is wrong with a robot, its link, or its lease."""
    from bosdyn.client import exceptions, frame_helpers, lease

    return (exceptions.Error, lease.Error, frame_helpers.Error)


def whose(owner: str) -> str:
    """Return in words who holds a lease under a name."""
    name = re.fullmatch(rf"{PROGRAM}:([^:#]*)(?:#[^:]*)?:([^:]*).*", owner)
    if name is None:
        return owner or "somebody else"
    return (
        f"commonground's mission {name[1]} on {name[2]}"
        if name[1]
        else f"commonground on {name[2]}"
    )


def is_link(error: Exception) -> bool:
    """Return whether an error says no more than that the robot is not reached now."""
    from bosdyn.client.exceptions import TimedOutError, UnableToConnectToRobotError

    return isinstance(error, TimedOutError | UnableToConnectToRobotError)


def is_lease(error: Exception) -> bool:
    """Return whether an error says that somebody else has the lease."""
    from bosdyn.client import exceptions, lease

    return isinstance(error, exceptions.LeaseUseError | lease.LeaseNotOwnedByWallet)


def told(error: Exception, settings: SpotSettings, *, known: bool = False) -> str:
    """Return what went wrong in a few words of ours; the API's own may hold whole messages."""
    from bosdyn.client import auth, exceptions, power, robot_command, time_sync

    words: list[tuple[type[Exception], str]] = [
        (
            auth.InvalidLoginError,
            f"its user name or password is wrong ({settings.username_from}, {settings.password_from})",
        ),
        (auth.TemporarilyLockedOutError, "too many wrong passwords; wait a while"),
        (exceptions.UnauthenticatedError, "the sign-in is not valid any more"),
        (exceptions.InvalidClientCertificateError, "its certificate is not the one expected"),
        (exceptions.NonexistentAuthorityError, "its certificate is for another name"),
        (exceptions.UnimplementedError, "its software does not have this service; is it too old?"),
        (exceptions.TimedOutError, "it did not answer in time"),
        (exceptions.LeaseUseError, "somebody else has its lease"),
        (time_sync.TimedOutError, "the clocks could not be compared in time"),
        (power.EstoppedError, "its emergency stop is pressed"),
        (power.FaultedError, "it has a fault that keeps its motors off"),
        (robot_command.CommandFailedErrorWithFeedback, "its command was given up"),
        (robot_command.CommandTimedOutError, "it took too long"),
        (robot_command.NotPoweredOnError, "its motors are off"),
        (robot_command.BehaviorFaultError, "it has a behavior fault, such as after a fall"),
        (exceptions.UnableToConnectToRobotError, "nothing that is a Spot answers there"),
        (exceptions.ProxyConnectionError, "nothing that is a Spot answers there"),
        (exceptions.UnknownDnsNameError, "there is no host of that name"),
    ]
    if isinstance(error, exceptions.UnableToConnectToRobotError) and known:
        return "it does not answer"
    if isinstance(error, exceptions.UnableToConnectToRobotError) and _encrypts(settings):
        return "its certificate is not trusted; name its authority's file with 'certificate'"
    for kind, said in words:
        if isinstance(error, kind):
            return said
    if isinstance(error, ValueError):
        return "it answered what cannot be"
    name = type(error).__name__.removesuffix("Error")
    return f"it answers with an error ({re.sub('(?<=[a-z])(?=[A-Z])', ' ', name).lower()})"


def _encrypts(settings: SpotSettings) -> bool:
    """Return whether something at a robot's address speaks TLS, whoever signed its certificate."""
    anybody = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    anybody.check_hostname, anybody.verify_mode = False, ssl.CERT_NONE
    try:
        with (
            socket.create_connection((settings.address, settings.port), PROBE_S) as plain,
            anybody.wrap_socket(plain),
        ):
            return True
    except OSError:
        return False
