"""Predictions, by a tuning record that any device takes."""

from pathlib import Path

import pytest
from conftest import letters, related

import clalign
import clalign.device

RECORD = """clalign tuning record 1
platform *
device *
driver *
units any
signature any
local 10000 wave32 32 2 128 diagonals 0 0.5 0.001 0.002 1e-06
end
"""


@pytest.fixture
def timed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> clalign.Device:
    """A device for which that record holds and no other."""
    (tmp_path / "any.txt").write_text(RECORD)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "none"))
    monkeypatch.setattr(clalign.device, "shipped_tuning", str(tmp_path))
    return clalign.Device()


def test_of_lengths(timed: clalign.Device) -> None:
    one = clalign.predict(100_000, 200_000, device=timed)
    assert one.kernel == "wave32" and "any.txt" in one.reason
    assert one.computed_share == 1 and one.bound_seconds == 0 and one.traceback_seconds > 0
    assert one.seconds == one.sweep_seconds + one.traceback_seconds
    both = clalign.predict(100_000, 200_000, device=timed, strand="both", score_only=True)
    assert both.sweep_seconds == 2 * one.sweep_seconds and both.traceback_seconds == 0
    with pytest.raises(clalign.OptionError, match="1 to"):
        clalign.predict(0, 5, device=timed)
    with pytest.raises(clalign.OptionError, match="two lengths"):
        clalign.predict(5, 5, device=timed, lower_bound="some.paf")


def test_of_a_pair(timed: clalign.Device) -> None:
    alike = clalign.predict(*related(5, 30_000), device=timed)
    strange = clalign.predict(letters(1, 30_000), letters(2, 30_000), device=timed)
    assert alike.computed_share < strange.computed_share == 1
    with pytest.raises(TypeError, match="letters, a path"):
        clalign.predict("ACGT", 4, device=timed)


def test_without_a_record_it_is_rough(timed: clalign.Device) -> None:
    made = clalign.predict(3_000, 3_000, device=clalign.Device(tuning=False))
    assert made.rough and made.sweep_seconds > 0
    assert not clalign.predict(3_000, 3_000, device=timed).rough
    pair = clalign.predict(letters(1, 3_000), letters(2, 3_000), device=clalign.Device(tuning=False))
    assert pair.rough and pair.sweep_seconds > 0


def test_of_memory(timed: clalign.Device) -> None:
    enough = clalign.predict(100_000, 200_000, device=timed)
    assert enough.host_bytes <= enough.host_budget_bytes and enough.device_bytes <= enough.device_budget_bytes
    assert enough.run_dir_bytes > 200_000 < enough.run_dir_host_bytes < enough.host_bytes
    short = clalign.predict(100_000, 200_000, device=timed, memory=1 << 20)
    assert short.host_budget_bytes == 1 << 20 < short.host_bytes <= enough.host_bytes
