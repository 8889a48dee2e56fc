"""User's Python module with the procedures of streams: what may be loaded, and what it may define."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import inspect
import os
import re
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

import numpy as np

from commonground.errors import PlanningError, did_you_mean

_DOTTED = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")


@dataclass(frozen=True, slots=True)
class UserModule:
    """The user's module; what it says is asked for by name."""

    name: str
    module: ModuleType
    rng: np.random.Generator

    def get(self, name: str, default: Any = None) -> Any:
        """Return what the module says under a name, called where it is a function."""
        value = getattr(self.module, name, default)
        if not callable(value):
            return value
        try:
            arguments = (self.rng,) if inspect.signature(value).parameters else ()
            return value(*arguments)
        except (Exception, SystemExit) as error:
            raise PlanningError(f"{self.name}: {name}() failed: {_told(error)}") from error

    def require(self, name: str) -> Any:
        """Return what the module says under a name; raises PlanningError where it says nothing."""
        value = self.get(name)
        if value is None:
            known = [n for n in vars(self.module) if not n.startswith("_")]
            hint = did_you_mean(name, known)
            raise PlanningError(f"{self.name}: it has no '{name}'; define one.{hint}")
        return value


@contextlib.contextmanager
def ends_with_a_word() -> Iterator[None]:
    """Let the user's code end the program only as ``sys.exit`` does, which is told; not in silence.

    Processes that the user's code forks end as ever.
    """
    real, here = os._exit, os.getpid()

    def told(status: int) -> NoReturn:
        if os.getpid() == here:
            raise SystemExit(status)
        real(status)

    os._exit = told
    try:
        yield
    finally:
        os._exit = real


def load_user_module(name: str, rng: np.random.Generator) -> UserModule:
    """Import a module by its dotted name or from a ``.py`` file; importing runs its code.

    A file that users other than its owner could have written is refused.
    """
    if name.endswith(".py") or os.sep in name:
        return UserModule(name, _from_file(Path(name)), rng)
    if not _DOTTED.fullmatch(name):
        raise PlanningError(f"stream map '{name}': give a .py file or a module's dotted name")
    try:
        return UserModule(name, importlib.import_module(name), rng)
    except (Exception, SystemExit) as error:
        raise PlanningError(f"stream map '{name}' cannot be imported: {_told(error)}") from error


def _from_file(path: Path) -> ModuleType:
    _require_safe(path)
    title = f"commonground_streams_{re.sub(r'[^0-9a-zA-Z]', '_', path.stem)}"
    spec = importlib.util.spec_from_file_location(title, path)
    if spec is None or spec.loader is None:
        raise PlanningError(f"stream map {path}: it is no Python file; its name must end in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[title] = module  # dataclasses look their module up there
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        sys.modules.pop(title, None)
        raise PlanningError(f"stream map {path} cannot be loaded: {_told(error)}") from error
    return module


def _require_safe(path: Path) -> None:
    """Raise unless a file is one that only its owner, who is the caller or root, can have written."""
    try:
        status = path.stat()
    except OSError as error:
        raise PlanningError(
            f"stream map {path}: cannot be read: {error.strerror}; give the path of a .py file"
        ) from error
    if not stat.S_ISREG(status.st_mode):
        raise PlanningError(f"stream map {path}: it is no regular file; give a .py file")
    if hasattr(os, "getuid") and status.st_uid not in (os.getuid(), 0):
        raise PlanningError(
            f"stream map {path}: another user owns it, and loading runs it; copy it if you trust it"
        )
    if os.name == "posix" and status.st_mode & stat.S_IWOTH:
        raise PlanningError(
            f"stream map {path}: everybody may change it, and loading runs it; chmod o-w it first"
        )


def _told(error: BaseException) -> str:
    """Return an error of the user's code in one line, with the line it came from."""
    if isinstance(error, SyntaxError):
        return f"{Path(error.filename or '').name}:{error.lineno}:{error.offset}: {error.msg}"
    trace = error.__traceback__
    line = 0
    while trace is not None:
        line, trace = trace.tb_lineno, trace.tb_next
    text = " ".join(f"{type(error).__name__}: {error}".split())
    if isinstance(error, ModuleNotFoundError) and (error.name or "").startswith("pddlstream"):
        text += "; import these names from commonground.planning.streams instead"
    return f"{text} (line {line})"
