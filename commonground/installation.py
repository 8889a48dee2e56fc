"""Checks of an installation: libraries, programs, weights and ports, each with its remedy."""

from __future__ import annotations

import ctypes.util
import importlib.metadata
import importlib.util
import os
import platform
import shutil
import socket
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the doctor's report."""

    name: str
    status: Literal["ok", "missing", "optional"]
    """``optional``: absent, and something falls back to its embedded default."""
    detail: str
    remedy: str = ""

    def as_json(self) -> dict[str, str]:
        """Return the check as JSON values."""
        return asdict(self)


LIBRARIES = (
    ("numpy", "numpy", ""),
    ("spark-dsg", "spark_dsg", ""),
    ("rapidfuzz", "rapidfuzz", ""),
    ("open3d", "open3d", "mapping"),
    ("gtsam", "gtsam", "mapping"),
    ("numba", "numba", ""),
    ("opencv-python", "cv2", "mapping"),
    ("pillow", "PIL", "mapping"),
    ("rosbags", "rosbags", "mapping"),
    ("torch", "torch", "perception"),
    ("ultralytics", "ultralytics", "perception"),
    ("open_clip_torch", "open_clip", "perception"),
    ("transformers", "transformers", "perception"),
    ("up-fast-downward", "up_fast_downward", "planning"),
    ("ortools", "ortools", "planning"),
    ("httpx", "httpx", "language"),
    ("swiplserver", "swiplserver", "language"),
    ("websockets", "websockets", "nav2"),
    ("cbor2", "cbor2", "nav2"),
    ("bosdyn-client", "bosdyn", "spot"),
    ("py_trees", "py_trees", "behavior"),
    ("distributed", "distributed", "cluster"),
    ("viser", "viser", "console"),
)
"""Distribution, module, and the extra that brings it ('' is the base installation)."""


def missing_library(module: str | None) -> str | None:
    """Return the line about a library that could not be imported; None where it is none of ours."""
    top = (module or "").partition(".")[0]
    for distribution, name, extra in LIBRARIES:
        if name == top:
            what = f"commonground[{extra}]" if extra else "commonground"
            return f"this needs the Python package '{distribution}': pip install '{what}'"
    return None


CONSOLE_PORT = 8080


def check_installation() -> list[Check]:
    """Run every check, quickest first; none of them loads a heavy library."""
    return [
        _python(),
        *(_library(*entry) for entry in LIBRARIES),
        _shared_library("libusb", "usb-1.0", "libusb-1.0-0", "open3d does not import without it"),
        _shared_library("OpenGL", "GL", "libgl1", "open3d and OpenCV do not import without it"),
        _shared_library("EGL", "EGL", "libegl1", "open3d's renderer needs it"),
        _program("SWI-Prolog", "swipl", "swi-prolog-nox", "assembly planning needs it"),
        _gpu(),
        _model_server(),
        _port(CONSOLE_PORT),
    ]


def _python() -> Check:
    version = platform.python_version()
    if sys.version_info[:2] in ((3, 11), (3, 12)):
        return Check("Python", "ok", f"{version} on {platform.system()} {platform.machine()}")
    return Check("Python", "missing", version, "use Python 3.11 or 3.12")


def _library(distribution: str, module: str, extra: str) -> Check:
    if importlib.util.find_spec(module) is None:
        what = f"commonground[{extra}]" if extra else "commonground"
        return Check(
            distribution,
            "optional" if extra else "missing",
            "not installed",
            f"pip install '{what}'",
        )
    try:
        version = importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        version = "installed, version unknown"
    return Check(distribution, "ok", f"{version}{f' [{extra}]' if extra else ''}")


def _shared_library(name: str, soname: str, package: str, why: str) -> Check:
    found = ctypes.util.find_library(soname)
    if found:
        return Check(name, "ok", found)
    return Check(name, "missing", f"not found: {why}", f"sudo apt-get install {package}")


def _program(name: str, command: str, package: str, why: str) -> Check:
    path = shutil.which(command)
    if path:
        return Check(name, "ok", path)
    return Check(name, "optional", f"not found: {why}", f"sudo apt-get install {package}")


def _gpu() -> Check:
    program = shutil.which("nvidia-smi")
    if program is None:
        return Check("GPU", "optional", "none found: everything runs on the CPU", "")
    query = [program, "--query-gpu=name,memory.total", "--format=csv,noheader"]
    try:
        answer = subprocess.run(query, capture_output=True, text=True, timeout=10, check=True)
    except (subprocess.SubprocessError, OSError) as error:
        return Check("GPU", "optional", f"nvidia-smi fails: {error}", "check the NVIDIA driver")
    return Check("GPU", "ok", answer.stdout.strip().replace("\n", "; "))


def weight_folder() -> Path:
    """Return where model weights are looked for: COMMONGROUND_WEIGHTS, else the user's cache folder."""
    return Path(
        os.environ.get("COMMONGROUND_WEIGHTS")
        or Path.home() / ".cache" / "commonground" / "weights"
    )


def _model_server() -> Check:
    url = os.environ.get("OPENAI_BASE_URL")
    if url or os.environ.get("OPENAI_API_KEY"):
        return Check("language model", "ok", url or "OpenAI's own server (OPENAI_API_KEY is set)")
    return Check(
        "language model",
        "optional",
        "none set: instructions, reports and jobs are read offline",
        "set OPENAI_BASE_URL and OPENAI_API_KEY",
    )


def _port(port: int) -> Check:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return Check(
                f"port {port}",
                "optional",
                "in use by another program",
                "pass --port to the console",
            )
    return Check(f"port {port}", "ok", "free")
