"""Where model weights are: a path, the weight folder, or the web on a machine that has it."""

from __future__ import annotations

import socket
import zipfile
from pathlib import Path
from urllib.parse import urlparse

from commonground.errors import MappingError
from commonground.installation import weight_folder
from commonground.mapping.perception.small import WEIGHTS, shipped


def local_weights(name: str) -> Path | None:
    """Return the file a name stands for: a path, in the weight folder, or shipped; None if there is none."""
    for path in (Path(name).expanduser(), weight_folder() / name):
        if path.is_file():
            return path
    return shipped(WEIGHTS) if name == WEIGHTS else None


def reachable(url: str) -> bool:
    """Return whether the server's name can be resolved: a quick no instead of minutes of retries."""
    try:
        socket.getaddrinfo(urlparse(url).hostname, 443)
    except OSError:
        return False
    return True


def missing_weights(what: str, name: str, setting: str, reason: str) -> MappingError:
    """Return the error for weights that are not here and cannot be fetched."""
    return MappingError(
        f"{what} weights '{name}' are neither a file nor in {weight_folder()}, and {reason}: copy them "
        f"there, set {setting} to their path, or use perception.backend=classical"
    )


def broken_weights(what: str, path: Path | str, error: Exception) -> MappingError:
    """Return the error for weights that are there but cannot be loaded."""
    reason = " ".join(str(error).split())[:160]
    return MappingError(
        f"{what} weights {path} do not load ({type(error).__name__}: {reason}); fetch them again or "
        "use perception.backend=classical"
    )


def load_errors() -> tuple[type[Exception], ...]:
    """Return what torch and those who build on it raise for a file that is no checkpoint of theirs."""
    import torch

    return (
        torch.serialization.pickle.UnpicklingError,
        zipfile.BadZipFile,
        RuntimeError,
        TypeError,
        ValueError,
        KeyError,
        AttributeError,
        EOFError,
        OSError,
        ImportError,
    )


def best_device(wanted: str) -> str:
    """Return the device to compute on: ``auto`` takes a GPU if there is one."""
    import torch

    if wanted != "auto":
        return wanted
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"
