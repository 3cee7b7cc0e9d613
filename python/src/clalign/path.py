"""Runs of equal steps, and paths, which are runs and where they start."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, overload
import collections.abc

from ._library import ffi, lib
from .errors import call, option_error
from .scoring import Scoring, in_points
from .sequence import Sequence

PAIR = lib.CLA_RUN_PAIR
"""A letter of each: match or mismatch."""
QUERY = lib.CLA_RUN_QUERY
"""Query letters against a gap: CIGAR I."""
TARGET = lib.CLA_RUN_TARGET
"""Target letters against a gap: CIGAR D."""


class Run(NamedTuple):
    """A run of equal steps of a path."""

    length: int
    kind: int  # PAIR, QUERY or TARGET


class Runs(collections.abc.Sequence[Run]):
    """The runs of a path, in the library's memory: nothing is copied, and nothing can be written.

    numpy.asarray(runs) is a structured array of the same memory, with the fields "length" (int64) and "kind" (int32);
    `bytes` are its bytes, 16 for each run.
    """

    def __init__(self, runs: Any, count: int, owner: object) -> None:
        # A pointer that holds on to whoever frees the runs: views of them hold on to the pointer.
        self._runs = ffi.gc(runs, lambda _, keep=owner: None) if count else ffi.NULL
        self._count = count

    @classmethod
    def of(cls, runs: Iterable[tuple[int, int]]) -> Runs:
        """Runs of one's own."""
        made = [Run(int(length), int(kind)) for length, kind in runs]
        for run in made:
            if run.length < 1 or run.kind not in (PAIR, QUERY, TARGET):
                raise option_error(f"a run has at least one letter and is PAIR, QUERY or TARGET, not {run}")
        array = ffi.new("cla_run[]", max(len(made), 1))
        for i, run in enumerate(made):
            array[i].length, array[i].kind = run
        return cls(array, len(made), array)

    @classmethod
    def _from_bytes(cls, content: bytes) -> Runs:
        """A copy of what `bytes` gave."""
        array = ffi.new("cla_run[]", max(len(content) // ffi.sizeof("cla_run"), 1))
        ffi.memmove(array, content, len(content))
        return cls(array, len(content) // ffi.sizeof("cla_run"), array)

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle."""
        return Runs._from_bytes, (bytes(self.bytes),)

    def __copy__(self) -> Runs:
        return self

    def __deepcopy__(self, memo: object) -> Runs:
        return self

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Run: ...

    @overload
    def __getitem__(self, index: slice) -> list[Run]: ...

    def __getitem__(self, index: int | slice) -> Run | list[Run]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self._count))]
        place = index + self._count if index < 0 else index
        if not 0 <= place < self._count:
            raise IndexError(f"run {index} of {self._count}")
        run = self._runs[place]
        return Run(int(run.length), int(run.kind))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Runs):
            return NotImplemented
        return self._fields() == other._fields()

    def _fields(self) -> tuple[memoryview, memoryview]:
        """All lengths and all kinds, without the bytes between them that mean nothing."""
        return self.bytes.cast("q")[::2], self.bytes.cast("i")[2::4]

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = ", ".join(f"({run.length}, {'PQT'[run.kind]})" for run in self[:8])
        return f"<clalign.Runs {shown}{', ...' if len(self) > 8 else ''}>"

    def pointer(self) -> Any:
        """The cla_run that is the first."""
        return ffi.cast("cla_run *", self._runs)

    @property
    def bytes(self) -> memoryview:
        """The runs as they lie in memory, read-only; they stay there as long as the view does."""
        buffer = ffi.buffer(self._runs, self._count * ffi.sizeof("cla_run")) if self._count else b""
        return memoryview(buffer).toreadonly()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """For numpy: an array of the same memory, which keeps it alive."""
        import numpy

        fields: Any = {"names": ["length", "kind"], "formats": ["<i8", "<i4"], "offsets": [0, 8]}
        fields["itemsize"] = ffi.sizeof("cla_run")
        array = numpy.frombuffer(self.bytes, numpy.dtype(fields))
        if dtype is not None and dtype != array.dtype:
            return array.astype(dtype)
        return array.copy() if copy else array


class Path:
    """Where an alignment leads: the strand of the query, the positions where it starts, and its runs.

    Positions count from 0 in whole records; on the reverse strand those of the query are of its reverse complement. A
    path is no proof that nothing scores more; as the lower bound of an alignment (`lower_bound` of clalign.align) it
    spares what cannot reach its score.
    """

    def __init__(
        self, query_start: int, target_start: int, runs: Iterable[tuple[int, int]], strand: str = "forward"
    ) -> None:
        if strand not in ("forward", "reverse"):
            raise option_error(f"a path's strand is forward or reverse, not {strand!r}")
        self.strand = strand
        self.query_start = query_start
        self.target_start = target_start
        self.runs = runs if isinstance(runs, Runs) else Runs.of(runs)

    def coordinates(self) -> tuple[list[int], list[int]]:
        """Positions in the query and in the target where runs begin and end, on the path's strand."""
        query, target = [self.query_start], [self.target_start]
        for run in self.runs:
            query.append(query[-1] + (run.length if run.kind != TARGET else 0))
            target.append(target[-1] + (run.length if run.kind != QUERY else 0))
        return query, target

    def score(self, query: Sequence, target: Sequence, scoring: Scoring | None = None) -> int | float:
        """What the path scores, in points, by a scheme (None: the default for the sequences' alphabet)."""
        scheme = scoring or Scoring.default_for(lib.cla_sequence_alphabet(query._pointer))
        found = ffi.new("int64_t *")
        call(lib.cla_path_score, found, self.pointer(), query._pointer, target._pointer, scheme._scoring)
        return in_points(int(found[0]), scheme.units)

    def pointer(self) -> Any:
        """A cla_path of the same runs; this object must live as long."""
        path = ffi.new("cla_path *")
        path.strand = lib.CLA_STRAND_REVERSE if self.strand == "reverse" else lib.CLA_STRAND_FORWARD
        path.query_start, path.target_start = self.query_start, self.target_start
        path.runs, path.run_count = self.runs.pointer(), len(self.runs)
        return path

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Path):
            return NotImplemented
        mine = (self.strand, self.query_start, self.target_start)
        return mine == (other.strand, other.query_start, other.target_start) and self.runs == other.runs

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<clalign.Path {self.strand}, query {self.query_start}, target {self.target_start}, {self.runs!r}>"
