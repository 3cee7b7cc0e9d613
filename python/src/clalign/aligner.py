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
from .errors import option_error
from .many import Batch
from .scoring import Matrix, Score, Scoring
from .sequence import SequenceLike


class Prediction(NamedTuple):
    """What an alignment will take: time, without reading files and compiling kernels, and bytes."""

    bound_seconds: float  # that looking for the lower bound took
    computed_share: float  # of the matrix that the sweep computes, about
    bounds: bool  # levels of bounds may spare far more than the times know
    sweep_seconds: float  # of the forward sweep, by a tuning record or a sample
    traceback_seconds: float  # of the rest: an estimate, because it depends on the alignment
    rough: bool  # no tuning record has timed the kernel: the seconds are by a sample
    host_bytes: int  # of memory, at most
    device_bytes: int
    host_budget_bytes: int  # that may be used; if it is less, align raises, and the bytes are the least that would do
    device_budget_bytes: int
    run_dir_bytes: int  # of disk in a run directory, at most
    run_dir_host_bytes: int  # of host memory then
    kernel: str
    reason: str  # why this kernel, and by which record

    @property
    def seconds(self) -> float:
        """All of it."""
        return self.bound_seconds + self.sweep_seconds + self.traceback_seconds


# Options that make a Scoring.
_PARTS = ("preset", "match", "mismatch", "matrix", "gap_open", "gap_extend")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Aligner:
    """Options for alignments; docs/python.md says what each is for. Sizes are bytes; what is None the plan chooses."""

    mode: str | None = None  # None: the preset's, or local
    free_ends: Iterable[str] = ()
    strand: str = "forward"
    scoring: Scoring | None = None  # a scheme; or its parts, here; what is not given is as in Scoring
    preset: str | None = None
    match: Score | None = None
    mismatch: Score | None = None
    matrix: Matrix | None = None
    gap_open: Score | None = None  # a gap of k letters costs gap_open + k * gap_extend
    gap_extend: Score | None = None
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
        parts = {name: getattr(self, name) for name in _PARTS}
        given = {name: value for name, value in parts.items() if value is not None}
        if self.scoring is not None and given:
            raise option_error(f"scoring says what {', '.join(given)} would say; leave one of them out")
        object.__setattr__(self, "_scheme", self.scoring or Scoring(**given))

    def scheme(self) -> Scoring:
        """The scoring, or what its parts make."""
        scheme: Scoring = getattr(self, "_scheme")
        return scheme

    def align(self, query: SequenceLike, target: SequenceLike) -> Alignment | None:
        """The optimal alignment; None if `min_score` is not reached."""
        call = Call(self, query, target)
        found = ffi.new("cla_alignment **")
        call.run(lib.cla_align, found, release=lambda: lib.cla_alignment_free(found[0]))
        return Alignment(found[0], *call.sequences) if found[0] else None

    def align_several(
        self, query: SequenceLike, target: SequenceLike, most: int = 1, *, split: bool | Score = False
    ) -> list[Alignment]:
        """The `most` best local alignments of which no two use the same pair of letters, best first. With `split`, True or
        a score, the pieces of the best one, cut where the score drops by more than that (docs/splitting.md); with both
        strands also what is inverted between them.

        >>> import clalign
        >>> genome = clalign.Aligner(mode="global", strand="both")
        >>> middle = "GATTTGCAAGCCTAAGTCCGATGA"
        >>> pieces = genome.align_several("ACGTTGCATTAC" + middle + "TTGACCGATAACG", "ACGTTGCATTACTCATCGGACTTAGGCTTGCAAATCTTGACCGATAACG", split=8)
        >>> [(piece.score, piece.strand, piece.target.start, piece.target.stop) for piece in pieces]
        [(24, 'reverse', 12, 36), (13, 'forward', 36, 49), (12, 'forward', 0, 12)]
        """
        call = Call(self, query, target)
        call.set_several(most, split)
        found = ffi.new("cla_results *")

        def release() -> None:
            lib.cla_results_free(found)

        call.run(lib.cla_align_several, found, release=release)
        return take_all(ffi.cast("cla_alignment **", found.alignments), int(found.count), *call.sequences, verify=False)

    def align_many(self, pairs: Iterable[tuple[SequenceLike, SequenceLike]]) -> list[Alignment | None]:
        """The alignments of all pairs, in their order."""
        batch = Batch(self, pairs)
        batch.run()
        return batch.found

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
        as if the sequences had nothing in common. Without a tuning record the device computes a sample."""
        made = ffi.new("cla_prediction *")
        lengths = isinstance(query, int) and isinstance(target, int)
        call = Call(self, query, target, lengths=lengths)
        call.run(lib.cla_predict if lengths else lib.cla_predict_pair, made)
        return Prediction(
            float(made.bound_seconds),
            float(made.computed_share),
            bool(made.bounds),
            float(made.sweep_seconds),
            float(made.traceback_seconds),
            bool(made.rough),
            int(made.host_bytes),
            int(made.device_bytes),
            int(made.host_budget_bytes),
            int(made.device_budget_bytes),
            int(made.run_dir_bytes),
            int(made.run_dir_host_bytes),
            text_of(made.kernel),
            text_of(made.reason),
        )


def align(
    query: SequenceLike,
    target: SequenceLike,
    *,
    mode: str | None = None,
    free_ends: Iterable[str] = (),
    strand: str = "forward",
    scoring: Scoring | None = None,
    preset: str | None = None,
    match: Score | None = None,
    mismatch: Score | None = None,
    matrix: Matrix | None = None,
    gap_open: Score | None = None,
    gap_extend: Score | None = None,
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
    alignment, or None if `min_score` is not reached. The options are those of Aligner.

    >>> import clalign
    >>> alignment = clalign.align("ACGTTGCATTACGGATCC", "TTACGTTGCATACGGATCC", match=2, gap_open=3, gap_extend=1)
    >>> alignment.score, alignment.cigar
    (30, '8=1I9=')
    >>> print(alignment)
    local alignment, forward strand, score 30, identity 94.44 % of 18 columns
    query              1 ACGTTGCATTACGGATCC     18
                         |||||||| |||||||||
    target             3 ACGTTGCA-TACGGATCC     19

    Proteins score by BLOSUM62, unless match, mismatch, matrix or scoring says otherwise:

    >>> clalign.align("MKVLEW", "MRVLEW").score
    31

    A preset sets scores, gap costs and, for some, the mode, as `clalign align --preset` does:

    >>> needle = clalign.align("ACGTTGCATT", "TTACGTAGCATT", preset="needle")
    >>> needle.mode, needle.score
    ('overlap', 41)
    """
    options = {name: value for name, value in locals().items() if name not in ("query", "target")}
    return Aligner(**options).align(query, target)


def align_many(
    pairs: Iterable[tuple[SequenceLike, SequenceLike]], **options: Any
) -> list[Alignment | None]:
    """Aligns many pairs, short ones many at once, and gives their alignments in order; None is one that does not reach
    `min_score`. The options are those of `align`, but for run_dir, keep_work, lower_bound and progress. The first pair
    says what letters all have. An error names the number of its pair, from 0.

    >>> import clalign
    >>> probe = clalign.Sequence("ACGTTGCATT")
    >>> [one.score for one in clalign.align_many((probe, target) for target in ("ACGTTGCATT", "GTTGC", "TTTT"))]
    [10, 5, 2]
    """
    return Aligner(**options).align_many(pairs)


def explain(query: SequenceLike, target: SequenceLike, **options: Any) -> str:
    """The plan of `align` with the same options, as text."""
    return Aligner(**options).explain(query, target)


def predict(query: SequenceLike | int, target: SequenceLike | int, **options: Any) -> Prediction:
    """What `align` with the same options will take, of two sequences or of two lengths, by a tuning record of the device
    or a short sample. `clalign.predict(5_000_000, 5_000_000).seconds`"""
    return Aligner(**options).predict(query, target)
