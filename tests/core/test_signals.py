"""What ends a program in order."""

from __future__ import annotations

import signal

import pytest

from commonground.signals import ended_by_signal


def test_a_signal_that_is_to_be_ignored_ends_nothing() -> None:
    hang_up = getattr(signal, "SIGHUP", None)
    if hang_up is None:
        pytest.skip("no such signal on this system")
    before = signal.signal(hang_up, signal.SIG_IGN)
    try:
        with ended_by_signal():
            signal.raise_signal(hang_up)
        signal.signal(hang_up, signal.SIG_DFL)
        with pytest.raises(KeyboardInterrupt), ended_by_signal():
            signal.raise_signal(hang_up)
        assert signal.getsignal(hang_up) is signal.SIG_DFL
    finally:
        signal.signal(hang_up, before)
