"""What several tests use."""

import random

import pytest

import clalign


def letters(seed: int, length: int) -> str:
    return "".join(random.Random(seed).choices("ACGT", k=length))


def related(seed: int, length: int) -> tuple[str, str]:
    """Two sequences of which the second is the first with a tenth of it changed."""
    source = random.Random(seed)
    first = letters(seed, length)
    second = ""
    for letter in first:
        chance = source.random()
        if chance < 0.05:
            second += source.choice("ACGT")
        elif chance < 0.08:
            second += letter + source.choice("ACGT")
        elif chance > 0.03 + 0.08:
            second += letter
    return first, second


@pytest.fixture(scope="session")
def cpu() -> clalign.Device:
    """A device that needs a while for a large matrix."""
    for info in clalign.devices():
        if info.kind == "CPU":
            return clalign.Device(info.index)
    pytest.skip("no CPU device")


COMPLEMENT = str.maketrans("ACGT", "TGCA")


def reverse_complement(text: str) -> str:
    return text.translate(COMPLEMENT)[::-1]
