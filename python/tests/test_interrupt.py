"""Progress, cancelling, Ctrl-C, threads."""

import os
import signal
import subprocess
import sys
import threading
from typing import Any

import pytest
from conftest import letters, related

import clalign

# More than any CPU computes in a second, of which some tenths are needed: all of these are given up.
LONG = 1_000_000
ENDLESS: dict[str, Any] = {"score_only": True, "lower_bound": "off"}


@pytest.fixture(scope="module")
def long_pair() -> tuple[clalign.Sequence, clalign.Sequence]:
    return clalign.Sequence(letters(1, LONG)), clalign.Sequence(letters(2, LONG))


def test_progress_is_told(cpu: clalign.Device, long_pair: tuple[clalign.Sequence, clalign.Sequence]) -> None:
    heard: list[clalign.Progress] = []
    with pytest.raises(clalign.Interrupted) as caught:
        clalign.align(*long_pair, device=cpu, **ENDLESS, progress=lambda now: heard.append(now) or len(heard) < 2)
    assert caught.value.status == "interrupted"
    assert len(heard) == 2 and 0 <= heard[0].fraction <= heard[1].fraction <= 1
    assert heard[1].stage == "forward sweep" and heard[1].cells_done > 0 and heard[1].seconds > 0


def test_what_a_progress_function_raises_comes_out(
    cpu: clalign.Device, long_pair: tuple[clalign.Sequence, clalign.Sequence]
) -> None:
    def fail(progress: clalign.Progress) -> None:
        raise LookupError("from the callback")

    with pytest.raises(LookupError, match="from the callback"):
        clalign.align(*long_pair, device=cpu, **ENDLESS, progress=fail)
    # The device goes on being usable.
    alignment = clalign.align("ACGT", "ACGT", device=cpu)
    assert alignment is not None and alignment.score == 4


def test_ctrl_c(cpu: clalign.Device, long_pair: tuple[clalign.Sequence, clalign.Sequence]) -> None:
    def interrupt(progress: clalign.Progress) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        clalign.align(*long_pair, device=cpu, **ENDLESS, progress=interrupt)


PROGRAM = """
import random, sys, clalign
first, second = ("".join(random.Random(seed).choices("ACGT", k=1_000_000)) for seed in (1, 2))
def tell(progress):
    print(progress.stage, flush=True)
try:
    clalign.align(first, second, device=clalign.Device(int(sys.argv[1])), score_only=True, progress=tell)
except KeyboardInterrupt:
    sys.exit(7)
"""


def test_ctrl_c_from_outside(cpu: clalign.Device) -> None:
    """The signal comes at any moment, from a terminal."""
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(cpu.info.index)], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        try:
            assert child.stdout.readline() != ""
            child.send_signal(signal.SIGINT)
            assert child.wait(60) == 7
        finally:
            child.kill()


def test_threads_share_a_device() -> None:
    pairs = [related(seed, 300) for seed in range(6)]
    wanted = [clalign.align(*pair) for pair in pairs]
    found: list[list[clalign.Alignment | None]] = [[], [], []]

    def work(results: list[clalign.Alignment | None]) -> None:
        for pair in pairs:
            results.append(clalign.align(*pair))

    threads = [threading.Thread(target=work, args=(results,)) for results in found]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for results in found:
        assert [one and one.path for one in results] == [one and one.path for one in wanted]
