"""Aligns the rows of two numpy arrays, pair by pair, and prints how many pairs a second that is.

    python3 align_arrays.py [PAIRS]

It needs the Python package of clalign (docs/python.md) and numpy. No letter is copied, and no Python object is made for
a pair: scores, ends and paths come back as arrays.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy

import clalign

LETTERS = 150
CHANGED = 0.05  # of the letters


def reads(count: int) -> tuple[Any, Any]:
    """So many reads, and what they were before sequencing changed them."""
    source = numpy.random.default_rng(1)
    letters = numpy.frombuffer(b"ACGT", numpy.uint8)
    targets = letters[source.integers(0, 4, (count, LETTERS))]
    changes = source.random((count, LETTERS)) < CHANGED
    queries = numpy.where(changes, letters[source.integers(0, 4, (count, LETTERS))], targets)
    return queries, targets


def sequences(rows: Any) -> clalign.Arrays:
    """The rows as sequences: their letters lie one behind the other already."""
    return clalign.Arrays(rows.reshape(-1), numpy.arange(len(rows) + 1) * rows.shape[1])


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    queries, targets = reads(count)
    begin = time.perf_counter()
    found = clalign.align_arrays(sequences(queries), sequences(targets), mode="global")
    seconds = time.perf_counter() - begin
    print(f"{count:,} pairs of {LETTERS} letters in {seconds:.2f} s: {count / seconds:,.0f} pairs a second")
    print(f"mean score {found.score.mean():.1f}, mean identity {100 * found.identity().mean():.2f} %")
    print(f"the first path: {found.cigar(0)}")
    for index in found.failed[:10]:
        print(f"pair {index} failed: {found.error(index)}")


if __name__ == "__main__":
    main()
