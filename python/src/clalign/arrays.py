"""Many pairs as arrays: letters and indices in, scores and paths out, without an object for each pair."""

from __future__ import annotations

import dataclasses
from typing import Any

from . import errors
from ._library import ffi, lib, text_of
from .aligner import Aligner
from .call import Call
from .errors import InputError, option_error
from .sequence import ALPHABETS, Sequence

# Letters of the queries, and as many of the targets, that tell the alphabet.
_TELLING = 5000
# Room for runs that a call begins with, if its paths could have more. A page that is not written takes no memory.
_RUNS_FIRST = 1 << 28
# Options of Aligner that say how many alignments a pair has, or where they lie.
_REFUSED = (
    *("band", "circular", "gap_placement", "min_score", "keep_work"),
    *("lower_bound", "run_dir", "resume", "kernel", "settings"),
)
_OPERATIONS = {
    lib.CLA_PACKED_QUERY: "I",
    lib.CLA_PACKED_TARGET: "D",
    lib.CLA_PACKED_MATCH: "=",
    lib.CLA_PACKED_OTHER: "X",
}
_ARROW_OFFSETS = {"string": "int32", "binary": "int32", "large_string": "int64", "large_binary": "int64"}


def _numpy() -> Any:
    try:
        import numpy
    except ImportError:
        raise ImportError("sequences as arrays need numpy, which is not installed: pip install numpy") from None
    return numpy


def _letters(given: Any) -> Any:
    """Letters as an array of bytes, of the same memory where that has no gaps."""
    numpy = _numpy()
    letters = given if isinstance(given, numpy.ndarray) else numpy.asarray(memoryview(given))
    if letters.ndim != 1 or letters.dtype.itemsize != 1 or letters.dtype.kind not in "uiS":
        shape = f"{letters.dtype} in {letters.ndim} dimensions"
        raise TypeError(f"letters are a line of bytes, such as uint8, and not of {shape}")
    return numpy.ascontiguousarray(letters).view(numpy.uint8)


def _integers(given: Any, what: str) -> Any:
    """Integers as the library has them, of the same memory where they are so already."""
    numpy = _numpy()
    numbers = numpy.asarray(given)
    if numbers.ndim != 1 or (numbers.dtype.kind not in "iu" and numbers.size):
        raise TypeError(f"{what} are a line of integers, and not of {numbers.dtype} in {numbers.ndim} dimensions")
    return numpy.require(numbers, numpy.int64, ["C", "A"])


def _offsets(lengths: Any) -> Any:
    """Where sequences of these lengths begin, and the last one ends."""
    numpy = _numpy()
    offsets = numpy.zeros(len(lengths) + 1, numpy.int64)
    numpy.cumsum(lengths, out=offsets[1:])
    return offsets


class Arrays:
    """Sequences as two arrays: the letters of all of them, and the offset of each one's first letter, with one more
    offset behind the last sequence. Letters are ASCII text in either case: an array of bytes, or any buffer.

    Neither is copied if `letters` is contiguous and `offsets` is int64. They must not change while they are aligned.
    """

    def __init__(self, letters: Any, offsets: Any) -> None:
        self.letters: Any = _letters(letters)
        self.offsets: Any = _integers(offsets, "offsets")
        if not len(self.offsets):
            raise option_error("there is one more offset than sequences: give [0] for no sequence")
        first, last = int(self.offsets[0]), int(self.offsets[-1])
        if not 0 <= first <= last <= len(self.letters):
            raise option_error(f"offsets from {first} to {last} do not lie in {len(self.letters)} letters")

    def __len__(self) -> int:
        """How many sequences there are."""
        return len(self.offsets) - 1

    def __getitem__(self, index: int) -> bytes:
        """The letters of a sequence."""
        i = range(len(self))[index]
        return bytes(self.letters[self.offsets[i] : self.offsets[i + 1]])

    def __repr__(self) -> str:
        return f"<clalign.Arrays, {len(self)} sequences of {self.offsets[-1] - self.offsets[0]} letters>"


def arrays_of(strings: Any) -> Arrays:
    """Sequences as Arrays: strings or bytes, an array of numpy such as 'S150', or a column of pyarrow.

    An array of numpy without shorter items and a column of pyarrow keep their memory.

    >>> import clalign
    >>> arrays = clalign.arrays_of(["ACGTTGCATT", "GTTGC"])
    >>> arrays.offsets
    array([ 0, 10, 15])
    >>> arrays[1]
    b'GTTGC'
    """
    numpy = _numpy()
    if isinstance(strings, Arrays):
        return strings
    if type(strings).__module__.partition(".")[0] == "pyarrow":
        return _of_column(strings)
    if isinstance(strings, numpy.ndarray):
        if strings.ndim != 1 or strings.dtype.kind not in "SUO":
            raise TypeError("an array of sequences is a line of 'S' or 'U'; letters with offsets are clalign.Arrays")
        if strings.dtype.kind == "S":
            return _of_fixed(strings)
        strings = strings.tolist()
    if isinstance(strings, (str, bytes, bytearray)):
        raise TypeError("one sequence was given for several; give a list of them")
    texts = [_text(one) for one in strings]
    return Arrays(b"".join(texts), _offsets(numpy.fromiter(map(len, texts), numpy.int64, len(texts))))


def _text(given: Any) -> bytes:
    if isinstance(given, str):
        return given.encode("utf-8", "surrogateescape")
    if isinstance(given, (bytes, bytearray, memoryview)):
        return bytes(given)
    raise TypeError(f"a sequence of many is a str or bytes, not {type(given).__name__}")


def _of_fixed(strings: Any) -> Arrays:
    """Of items of fixed length, whose end may be NUL characters."""
    numpy = _numpy()
    count, width = len(strings), strings.dtype.itemsize
    letters = numpy.ascontiguousarray(strings).view(numpy.uint8).reshape(count, width)
    if count and letters[:, -1].all():
        return Arrays(letters.reshape(-1), numpy.arange(count + 1) * width)
    lengths = numpy.char.str_len(strings)
    return Arrays(letters[numpy.arange(width) < lengths[:, None]], _offsets(lengths))


def _of_column(column: Any) -> Arrays:
    """Of an Array or ChunkedArray of pyarrow."""
    numpy = _numpy()
    kind = str(getattr(column, "type", type(column).__name__))
    if kind not in _ARROW_OFFSETS:
        raise TypeError(f"a column of sequences is of strings or binary, not of {kind}; cast it to large_string")
    if column.null_count:
        raise option_error(f"{column.null_count} sequences of the column are null; give an empty string, or drop them")
    if hasattr(column, "chunks"):
        parts = [_of_column(chunk) for chunk in column.chunks]
        if len(parts) == 1:
            return parts[0]
        lengths = [numpy.diff(part.offsets) for part in parts]
        letters = [part.letters[part.offsets[0] : part.offsets[-1]] for part in parts]
        return Arrays(numpy.concatenate(letters), _offsets(numpy.concatenate(lengths))) if parts else Arrays(b"", [0])
    if not len(column):
        return Arrays(b"", [0])
    _, offsets, letters = column.buffers()
    places = numpy.frombuffer(offsets, _ARROW_OFFSETS[kind])
    return Arrays(b"" if letters is None else letters, places[column.offset : column.offset + len(column) + 1])


class _ArraysCall(Call):
    """A call of cla_align_arrays, and later ones of cla_pair_arrays_tell, with the arrays that they read."""

    def __init__(self, aligner: Aligner, sides: tuple[Arrays, Arrays], of: tuple[Any, Any] | None) -> None:
        alphabet, own_letters = aligner.alphabet, None
        if alphabet is None:
            alphabet, own_letters = aligner.scheme().alphabet()
        if alphabet is None and own_letters is None:
            alphabet = _alphabet_of(sides)
        super().__init__(dataclasses.replace(aligner, alphabet=alphabet), 0, 0, lengths=True)
        self._operands = ()
        self.units = self._units
        self.paths = not aligner.score_only
        self.pairs = ffi.new("cla_pair_arrays *")
        self.pairs.alphabet = lib.CLA_ALPHABET_OWN if alphabet is None else ALPHABETS[alphabet]
        for i, side in enumerate(sides):
            self.pairs.letters[i] = self.keep("uint8_t[]", side.letters)
            self.pairs.offsets[i] = self.keep("int64_t[]", side.offsets)
            self.pairs.sequences[i] = len(side)
            self.pairs.of[i] = ffi.NULL if of is None else self.keep("int64_t[]", of[i])
        self.pairs.pairs = len(sides[0]) if of is None else len(of[0])
        self.most_runs = sum(_letters_of_pairs(side, of[i] if of else None) for i, side in enumerate(sides))

    def keep(self, kind: str, array: Any) -> Any:
        """The memory of an array, which then lives as long as the call."""
        self._kept.append(ffi.from_buffer(kind, array))
        return self._kept[-1]


def _letters_of_pairs(side: Arrays, of: Any) -> int:
    """How many letters the pairs have of one side. The library says which index is none of a sequence."""
    lengths = _numpy().diff(side.offsets)
    return max(int((lengths if of is None or not len(side) else lengths.take(of, mode="clip")).sum()), 0)


def _alphabet_of(sides: tuple[Arrays, Arrays]) -> str:
    """What the first letters are; what is no letter fails with its pair only."""
    starts = [int(side.offsets[0]) for side in sides]
    ends = [min(start + _TELLING, int(side.offsets[-1])) for start, side in zip(starts, sides)]
    text = b"".join(bytes(side.letters[start:end]) for side, start, end in zip(sides, starts, ends))
    text = bytes(letter for letter in text if letter < 128 and chr(letter).isalpha())
    try:
        kind = lib.cla_sequence_alphabet(Sequence(text, "the first letters", allow_empty=True)._pointer)
    except InputError as reason:
        raise InputError(f"{reason}; here by alphabet='dna' or 'protein'", reason.status) from None
    return next(name for name, number in ALPHABETS.items() if number == kind)


class PairResults:
    """What was found of each pair, as arrays of numpy. Of a pair that failed all values are 0.

    Positions are from 0, half-open, on the forward strands. Without paths runs and run_offsets are None, and starts are
    -1; of a query on its reverse strand the end is -1 instead.
    """

    score: Any  # in points: integers, or float64 where scores have decimals
    raw_score: Any  # int64, in units of a point
    query_start: Any  # int64
    query_end: Any
    target_start: Any
    target_end: Any
    strand: Any  # uint8, of the query: 0 forward, 1 reverse
    status: Any  # uint8: 0, or what failed
    runs: Any  # uint32, of all paths, as in BAM: 16 times a length, and 1 (I), 2 (D), 7 (=) or 8 (X)
    run_offsets: Any  # int64, of each pair's first run, and behind the last one
    cells_computed: int

    def __init__(self, call: _ArraysCall) -> None:
        """Aligns all pairs."""
        numpy = _numpy()
        self._call = call
        count = int(call.pairs.pairs)
        for name in ("raw_score", "query_start", "query_end", "target_start", "target_end"):
            setattr(self, name, numpy.zeros(count, numpy.int64))
        self.strand, self.status = numpy.zeros(count, numpy.uint8), numpy.zeros(count, numpy.uint8)
        self.runs = self.run_offsets = None
        self._run(call.paths)
        self.score = self.raw_score if call.units == 1 else self.raw_score / call.units

    def _run(self, paths: bool) -> None:
        numpy = _numpy()
        found = ffi.new("cla_pair_results *")
        places = (self.raw_score, self.query_start, self.target_start, self.query_end, self.target_end)
        longs = [ffi.from_buffer("int64_t[]", place) for place in places]
        found.score, found.start, found.end = longs[0], longs[1:3], longs[3:5]
        shorts = [ffi.from_buffer("uint8_t[]", place) for place in (self.strand, self.status)]
        found.strand, found.status = shorts
        if paths:
            self.run_offsets = numpy.zeros(len(self) + 1, numpy.int64)
            offsets = ffi.from_buffer("int64_t[]", self.run_offsets)
            found.run_offsets, found.runs_capacity = offsets, min(self._call.most_runs, _RUNS_FIRST)
        while True:
            if paths:
                self.runs = numpy.empty(max(int(found.runs_capacity), 1), numpy.uint32)
                runs = ffi.from_buffer("uint32_t[]", self.runs)
                found.runs = runs
            try:
                self._call.run(lib.cla_align_arrays, found, self._call.pairs)
                break
            except errors.OptionError:
                if found.runs_wanted <= found.runs_capacity:
                    raise
                found.runs_capacity = found.runs_wanted
        self.cells_computed = int(found.cells_computed)
        if paths:
            self.runs = self.runs[: int(found.runs_wanted)].copy()

    def __len__(self) -> int:
        """How many pairs there are."""
        return len(self.status)

    def __repr__(self) -> str:
        return f"<clalign.PairResults, {len(self)} pairs, {len(self.failed)} failed>"

    @property
    def failed(self) -> Any:
        """The indices of the pairs that failed."""
        return _numpy().flatnonzero(self.status)

    def error(self, index: int) -> str | None:
        """Why a pair failed, for which it is aligned again; None if it did not."""
        i = range(len(self))[index]
        if not self.status[i]:
            return None
        try:
            self._call.run(lib.cla_pair_arrays_tell, self._call.pairs, i)
        except errors.Error as reason:
            return str(reason)
        return None

    def cigar(self, index: int) -> str:
        """The path of a pair, with = and X; "" for an empty one."""
        i = range(len(self))[index]
        self._need_paths()
        runs = self.runs[self.run_offsets[i] : self.run_offsets[i + 1]].tolist()
        return "".join(f"{run >> 4}{_OPERATIONS[run & 15]}" for run in runs)

    def identity(self) -> Any:
        """Matches by columns of each pair, as float64; 0 without columns."""
        numpy = _numpy()
        self._need_paths()
        lengths = (self.runs >> 4).astype(numpy.int64)
        columns = numpy.diff(_offsets(lengths)[self.run_offsets])
        lengths[self.runs & 15 != lib.CLA_PACKED_MATCH] = 0
        return numpy.diff(_offsets(lengths)[self.run_offsets]) / numpy.maximum(columns, 1)

    def to_pandas(self, *, cigar: bool = False) -> Any:
        """A row for each pair; with `cigar` the last column has the paths."""
        import pandas

        names = ("score", "strand", "query_start", "query_end", "target_start", "target_end")
        columns = {name: getattr(self, name) for name in names}
        columns["strand"] = _numpy().array(["forward", "reverse"])[self.strand]
        columns["status"] = [text_of(lib.cla_status_name(status)) for status in self.status.tolist()]
        if self.runs is not None:
            columns["identity"] = self.identity()
        if cigar:
            columns["cigar"] = [self.cigar(i) for i in range(len(self))]
        return pandas.DataFrame(columns)

    def _need_paths(self) -> None:
        if self.runs is None:
            raise option_error("the pairs have no paths; align again with paths=True")


def align_arrays(
    queries: Any,
    targets: Any,
    *,
    pairs: tuple[Any, Any] | None = None,
    paths: bool = True,
    threads: int | None = None,
    **options: Any,
) -> PairResults:
    """Aligns many pairs, the i-th query with the i-th target, or those of two arrays of indices, `pairs`. The scores,
    ends and paths are those of `align`.

    Sequences are Arrays, or whatever arrays_of takes. The options are those of `align`, but for those that say how many
    alignments there are, or where they lie. All letters have the alphabet of the first ones, unless `alphabet` says it.
    A pair that fails does not end the call.

    >>> import clalign
    >>> found = clalign.align_arrays(["ACGTTGCATTACGG", "GTTGC"], ["ACGTTGCTTACGG", "ACGTTGCATT"], mode="global")
    >>> found.score, found.cigar(0)
    (array([  8, -11]), '7=1I6=')
    >>> found.identity().round(2)
    array([0.93, 0.5 ])
    >>> clalign.align_arrays(["ACGTTGCATT"], ["ACGT", "GCAT", "AC1T"], pairs=([0, 0, 0], [0, 1, 2])).failed
    array([2])
    """
    aligner = Aligner(threads=threads, **options)
    for name in _REFUSED:
        if getattr(aligner, name) != getattr(Aligner, name):
            raise option_error(f"align_arrays has no {name}; leave it out, or use align_many")
    sides = arrays_of(queries), arrays_of(targets)
    of = None
    if pairs is not None:
        if len(pairs) != 2:
            raise option_error(f"pairs are two arrays of indices, of queries and of targets, not {len(pairs)}")
        of = _integers(pairs[0], "indices of queries"), _integers(pairs[1], "indices of targets")
    counts = tuple(len(side) for side in of or sides)
    if counts[0] != counts[1]:
        what = "queries and targets" if of is None else "indices of queries and of targets"
        raise option_error(f"there are {counts[0]} and {counts[1]} {what}; give as many of each, or other pairs")
    aligner = dataclasses.replace(aligner, score_only=aligner.score_only or not paths)
    return PairResults(_ArraysCall(aligner, sides, of))
