"""Where model weights are: a path, the weight folder, caches of hubs, or the web on a machine that has it."""

from __future__ import annotations

import importlib.util
import io
import os
import socket
import zipfile
from contextlib import redirect_stdout
from pathlib import Path
from urllib.parse import urlparse

from commonground.errors import MappingError
from commonground.installation import weight_folder
from commonground.mapping.perception.small import WEIGHTS, shipped
from commonground.names import within
from commonground.reasons import reason


def local_weights(name: str) -> Path | None:
    """Return the file of a name: a path, in the weight folder or torch's cache, or shipped; else None."""
    for path in (Path(name).expanduser(), weight_folder() / name, _torch_cache() / name):
        if path.is_file():
            return path
    return shipped(WEIGHTS) if name == WEIGHTS else None


def _torch_cache() -> Path:
    """Return where torch.hub keeps what it downloaded, without importing torch."""
    home = os.environ.get("TORCH_HOME") or Path.home() / ".cache" / "torch"
    return Path(home) / "hub" / "checkpoints"


def local_clip(model: str, name: str) -> Path | None:
    """Return the file of CLIP's weights: as ``local_weights``, or a tag in the cache of its hub."""
    path = local_weights(name)
    if path is not None or not all(map(importlib.util.find_spec, ("open_clip", "huggingface_hub"))):
        return path
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.constants import HF_HUB_CACHE

    if not any(Path(HF_HUB_CACHE).glob("models--*")):
        return None  # nothing was ever downloaded: no need to load open_clip
    import open_clip

    repository = (open_clip.get_pretrained_cfg(model, name) or {}).get("hf_hub", "").strip("/")
    for file in ("open_clip_model.safetensors", "open_clip_pytorch_model.bin"):
        if repository:
            hit = try_to_load_from_cache(repository, file)
            if isinstance(hit, str):
                return Path(hit)
    return None


def hub_folder(name: str) -> Path | None:
    """Return the folder of a model of transformers: a path, in the weight folder, or in its hub's cache."""
    for folder in (Path(name).expanduser(), weight_folder() / name):
        if (folder / "config.json").is_file():
            return folder
    if importlib.util.find_spec("huggingface_hub") is None:
        return None
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    try:
        hit = try_to_load_from_cache(name, "config.json")
    except HFValidationError:
        return None
    return Path(hit).parent if isinstance(hit, str) else None


def segmenter_file(name: str, setting: str) -> Path:
    """Return the checkpoint of a network of ultralytics, downloaded if it is not on this machine."""
    from ultralytics.utils.downloads import attempt_download_asset

    path = local_weights(name)
    if path is not None:
        return path
    if Path(name).name != name:
        raise missing_weights("segmenter", name, setting, "a path is not downloaded")
    if not reachable("https://github.com"):
        raise missing_weights("segmenter", name, setting, "there is no network to download them")
    target = within(weight_folder(), name)
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        with redirect_stdout(io.StringIO()):
            attempt_download_asset(str(target))
    except (OSError, RuntimeError, ValueError) as error:
        raise missing_weights(
            "segmenter", name, setting, f"downloading failed ({reason(error)})"
        ) from error
    if not target.is_file():
        raise missing_weights("segmenter", name, setting, "the web has none of that name")
    return target


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
    from safetensors import SafetensorError

    return (
        SafetensorError, torch.serialization.pickle.UnpicklingError, zipfile.BadZipFile,
        RuntimeError, TypeError, ValueError, KeyError, AttributeError, EOFError, OSError,
        ImportError, IndexError, AssertionError, NotImplementedError,
    )  # fmt: skip


def best_device(wanted: str) -> str:
    """Return the device to compute on: ``auto`` takes a GPU if there is one."""
    import torch

    if wanted != "auto":
        return wanted
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"
