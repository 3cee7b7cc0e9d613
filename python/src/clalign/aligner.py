"""Options for alignments, and what is done with them."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Iterable

from typing import Any, NamedTuple

from ._library import ffi, lib, text_of
from .alignment import Alignment, take_all
from .call import Call, LowerBound, ProgressFunction
from .device import Device
from .scoring import Score, Scoring
from .sequence import SequenceLike


class Prediction(NamedTuple):
    """How long an alignment will take, without reading files and compiling kernels."""

    bound_seconds: float  # that looking for the lower bound took
    computed_share: float  # of the matrix that the sweep computes, about
    sweep_seconds: float  # of the forward sweep, by a tuning record
    traceback_seconds: float  # of the rest: an estimate, because it depends on the alignment
    kernel: str
    reason: str  # why this kernel, and by which record

    @property
    def seconds(self) -> float:
        """All of it."""
        return self.bound_seconds + self.sweep_seconds + self.traceback_seconds


@dataclasses.dataclass(frozen=True, kw_only=True)
class Aligner:
    """Options for alignments; docs/python.md says what each is for. Sizes are bytes; what is None the plan chooses."""

    mode: str = "local"
    free_ends: Iterable[str] = ()
    strand: str = "forward"
    scoring: Scoring | None = None  # None: the default for the sequences' alphabet
    alphabet: str | None = None  # "dna" or "protein"; None: by the matrix, or by the letters
    band: int | None = None
    circular: str | None = None
    gap_placement: str | None = None
    allow_empty: bool = False
    min_score: Score | None = None
    score_only: bool = False
    keep_work: bool = False
    lower_bound: LowerBound = "auto"
    special_rows: int | None = None
    memory: int | None = None
    device_memory: int | None = None
    disk: int | None = None
    threads: int | None = None
    run_dir: str | os.PathLike[str] | None = None
    resume: bool = False
    kernel: str | None = None
    settings: str | None = None
    device: Device | None = None  # None: default_device()
    progress: ProgressFunction | None = None
    note: Callable[[str], object] | None = None

    def __post_init__(self) -> None:
        # What can be gone through once only must do for every call.
        object.__setattr__(self, "free_ends", tuple(self.free_ends))

    def align(self, query: SequenceLike, target: SequenceLike) -> Alignment | None:
        """The optimal alignment; None if `min_score` is not reached."""
        call = Call(self, query, target)
        found = ffi.new("cla_alignment **")
        call.run(lib.cla_align, found, release=lambda: lib.cla_alignment_free(found[0]))
        return Alignment(found[0], *call.sequences) if found[0] else None

    def align_several(self, query: SequenceLike, target: SequenceLike, most: int) -> list[Alignment]:
        """The `most` best local alignments of which no two use the same pair of letters, best first."""
        call = Call(self, query, target)
        found, count = ffi.new("cla_alignment ***"), ffi.new("size_t *")

        def release() -> None:
            lib.cla_alignments_free(found[0], count[0])

        call.run(lib.cla_align_several, found, count, most=most, release=release)
        if not found[0]:
            return []
        return take_all(found[0], int(count[0]), *call.sequences, verify=False)

    def explain(self, query: SequenceLike, target: SequenceLike) -> str:
        """The plan for these sequences as text: kernel, tiles, rows, memory and time."""
        text = ffi.new("char **")
        Call(self, query, target).run(lib.cla_explain, text, release=lambda: lib.free(text[0]))
        try:
            return text_of(text[0])
        finally:
            lib.free(text[0])

    def predict(self, query: SequenceLike | int, target: SequenceLike | int) -> Prediction:
        """How long `align` will take: of two sequences, for which the lower bound is looked for, or of two lengths,
        as if the sequences had nothing in common. DeviceError if no tuning record has timed the kernel."""
        made = ffi.new("cla_prediction *")
        lengths = isinstance(query, int) and isinstance(target, int)
        call = Call(self, query, target, lengths=lengths)
        call.run(lib.cla_predict if lengths else lib.cla_predict_pair, made)
        return Prediction(
            float(made.bound_seconds),
            float(made.computed_share),
            float(made.sweep_seconds),
            float(made.traceback_seconds),
            text_of(made.kernel),
            text_of(made.reason),
        )


def align(
    query: SequenceLike,
    target: SequenceLike,
    *,
    mode: str = "local",
    free_ends: Iterable[str] = (),
    strand: str = "forward",
    scoring: Scoring | None = None,
    alphabet: str | None = None,
    band: int | None = None,
    circular: str | None = None,
    gap_placement: str | None = None,
    allow_empty: bool = False,
    min_score: Score | None = None,
    score_only: bool = False,
    keep_work: bool = False,
    lower_bound: LowerBound = "auto",
    special_rows: int | None = None,
    memory: int | None = None,
    device_memory: int | None = None,
    disk: int | None = None,
    threads: int | None = None,
    run_dir: str | os.PathLike[str] | None = None,
    resume: bool = False,
    kernel: str | None = None,
    settings: str | None = None,
    device: Device | None = None,
    progress: ProgressFunction | None = None,
    note: Callable[[str], object] | None = None,
) -> Alignment | None:
    """Aligns two sequences, each letters, a path, a Sequence, or a Seq or SeqRecord of Biopython. Gives the optimal
    alignment, or None if `min_score` is not reached. The options are those of Aligner."""
    options = {name: value for name, value in locals().items() if name not in ("query", "target")}
    return Aligner(**options).align(query, target)


def explain(query: SequenceLike, target: SequenceLike, **options: Any) -> str:
    """The plan of `align` with the same options, as text."""
    return Aligner(**options).explain(query, target)


def predict(query: SequenceLike | int, target: SequenceLike | int, **options: Any) -> Prediction:
    """How long `align` with the same options will take, of two sequences or of two lengths."""
    return Aligner(**options).predict(query, target)
