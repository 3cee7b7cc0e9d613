"""Alignments."""

from __future__ import annotations

import dataclasses
import io
import os
import tempfile
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from . import views
from ._library import bytes_of, ffi, lib, text_of
from .certificate import Certificate, certificate_of
from .errors import call, option_error
from .path import Path, Runs
from .scoring import Score, Scoring, in_points, in_units
from .sequence import Sequence

if TYPE_CHECKING:
    import Bio.Align

STRANDS = {"forward": lib.CLA_STRAND_FORWARD, "reverse": lib.CLA_STRAND_REVERSE, "both": lib.CLA_STRAND_BOTH}
PLACEMENTS = {None: lib.CLA_GAPS_CANONICAL, "left": lib.CLA_GAPS_LEFT, "right": lib.CLA_GAPS_RIGHT}


# Of a record, on its forward strand: from 0, half-open.
Range = tuple[int, int]


def _range(given: Range | None) -> Range:
    begin, end = given if given is not None else (0, 0)
    if not 0 <= begin < end:
        raise option_error(f"a range has letters, from 0 on, which {begin} to {end} has not")
    return begin, end


def _word(words: dict[Any, int], value: int) -> Any:
    return next(word for word, number in words.items() if number == value)


class Side(NamedTuple):
    """One of the two sequences of an alignment. Positions are from 0, half-open, in the whole record on its forward
    strand."""

    name: str
    location: str
    length: int  # of the whole record
    begin: int  # the range that took part
    end: int
    start: int | None  # the aligned part; what is not known of a score alone is None
    stop: int | None
    rotation: int  # of a circular record, by which all positions are rotated


class Statistics(NamedTuple):
    """What is in the columns of an alignment."""

    matches: int  # equal unambiguous letters
    mismatches: int  # every other pair
    positives: int  # pairs that score above 0, and matches
    gap_opens: int
    gap_letters: int
    columns: int


class Metrics(NamedTuple):
    """How an alignment was computed; zero in one that was loaded."""

    cells: int
    cells_computed: int
    seconds: float
    sweep_seconds: float
    build_seconds: float  # before these, for kernels: compiled once for a machine
    device: str
    kernel: str


def _side(side: Any) -> Side:
    start, stop = int(side.start), int(side.stop)
    return Side(
        text_of(side.name),
        text_of(side.location),
        int(side.length),
        int(side.begin),
        int(side.end),
        start if start >= 0 else None,
        stop if stop >= 0 else None,
        int(side.rotation),
    )


class Alignment:
    """An optimal alignment, and the sequences that it is of (None in one that was loaded, until they are given).

    It never changes. Alignments are equal that say the same of the same letters, however they were computed and
    wherever the letters were read. `pickle` takes the sequences along.
    """

    def __init__(self, pointer: Any, query: Sequence | None, target: Sequence | None) -> None:
        """Takes over a cla_alignment."""
        self._pointer = ffi.gc(pointer, lib.cla_alignment_free)
        self._query = query
        self._target = target

    # What it says

    @property
    def score(self) -> int | float:
        """In points."""
        return in_points(self.raw_score, max(int(self._pointer.scoring.units), 1))

    @property
    def raw_score(self) -> int:
        """In units of a point (`scoring.units` of them are one): always an integer."""
        return int(self._pointer.score)

    @property
    def mode(self) -> str:
        return text_of(lib.cla_mode_name(self._pointer.mode))

    @property
    def strand(self) -> str:
        """Of the query: "forward" or "reverse"."""
        return str(_word(STRANDS, self._pointer.strand))

    @property
    def gap_placement(self) -> str | None:
        """ "left", "right" or None, which is the canonical one."""
        word = _word(PLACEMENTS, self._pointer.gap_placement)
        return None if word is None else str(word)

    @property
    def exact(self) -> bool:
        """Whether it is proven that no alignment scores more: always, but where a band was asked for."""
        return not self._pointer.has_band

    @property
    def scoring(self) -> Scoring:
        """By which it is optimal."""
        return Scoring.of(ffi.addressof(self._pointer, "scoring"))

    @property
    def query(self) -> Side:
        return _side(self._pointer.query)

    @property
    def target(self) -> Side:
        return _side(self._pointer.target)

    @property
    def has_path(self) -> bool:
        """False where only the score was asked for."""
        return bool(self._pointer.has_path)

    @property
    def runs(self) -> Runs:
        """The path's runs; PAIR runs hold both matches and mismatches."""
        return Runs(self._pointer.runs, int(self._pointer.run_count), self._pointer)

    @property
    def path(self) -> Path:
        """Strand, starts and runs."""
        query = self._pointer.query
        self._need_path()
        reverse = self._pointer.strand == lib.CLA_STRAND_REVERSE
        start = query.length - query.stop if reverse else query.start
        return Path(int(start), int(self._pointer.target.start), self.runs, self.strand)

    @property
    def metrics(self) -> Metrics:
        metrics = self._pointer.metrics
        return Metrics(
            int(metrics.cells),
            int(metrics.cells_computed),
            float(metrics.seconds),
            float(metrics.sweep_seconds),
            float(metrics.build_seconds),
            text_of(metrics.device),
            text_of(metrics.kernel),
        )

    def _need_path(self) -> None:
        if not self._pointer.has_path:
            raise option_error("the alignment has no path; align again without score_only")

    # What can be asked about it and its sequences

    def with_sequences(self, query: Sequence, target: Sequence) -> Alignment:
        """The same with its sequences, for one that was loaded; they must be those that were aligned."""
        call(lib.cla_alignment_verify, self._pointer, query._pointer, target._pointer)
        copy = self._copy()
        copy._query, copy._target = query, target
        return copy

    def sequences(self) -> tuple[Sequence, Sequence]:
        """Query and target."""
        if self._query is None or self._target is None:
            raise option_error("the alignment was loaded without its sequences; give them by with_sequences")
        return self._query, self._target

    def _copy(self) -> Alignment:
        made = ffi.new("cla_alignment **")
        call(lib.cla_alignment_copy, made, self._pointer, ffi.NULL)
        return Alignment(made[0], self._query, self._target)

    def __copy__(self) -> Alignment:
        return self._copy()

    def __deepcopy__(self, memo: object) -> Alignment:
        return self._copy()

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle: the binary alignment, the metrics, which that has not, and the sequences."""
        metrics = bytes(ffi.buffer(ffi.addressof(self._pointer, "metrics")))
        return _restored, (self._packed(), metrics, self._query, self._target)

    def _packed(self) -> bytes:
        """What `save` writes."""
        if self._pointer.work:  # only files take it
            with tempfile.TemporaryDirectory(prefix="clalign-") as folder:
                path = os.path.join(folder, "alignment.cla")
                self.save(path, work=True)
                with open(path, "rb") as file:
                    return file.read()
        packed, length = ffi.new("uint8_t **"), ffi.new("int64_t *")
        call(lib.cla_alignments_pack, packed, length, _pointers([self]), 1)
        try:
            return bytes(ffi.buffer(packed[0], length[0]))
        finally:
            lib.free(packed[0])

    def _identity(self) -> tuple[Any, ...]:
        """All but the path, and what does not count."""
        pointer = self._pointer
        sides = [(*_side(side)._replace(location=""), bytes(side.checksum)) for side in (pointer.query, pointer.target)]
        task = pointer.mode, pointer.free_ends, pointer.strand, pointer.alphabet, pointer.gap_placement
        found = self.raw_score, self.split_drop, pointer.band if pointer.has_band else None, self.has_path
        return *sides, *task, *found

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Alignment):
            return NotImplemented
        if self._identity() != other._identity() or self.scoring != other.scoring:
            return False
        return self.runs == other.runs

    def __hash__(self) -> int:
        return hash(self._identity())

    def verify(self) -> None:
        """Re-scores it letter by letter; VerificationError says what is wrong. New alignments have been verified."""
        query, target = self.sequences()
        call(lib.cla_alignment_verify, self._pointer, query._pointer, target._pointer)

    @property
    def statistics(self) -> Statistics:
        query, target = self.sequences()
        counted = ffi.new("cla_statistics *")
        call(lib.cla_alignment_count, counted, self._pointer, query._pointer, target._pointer)
        return Statistics(*(int(getattr(counted, field)) for field in Statistics._fields))

    @property
    def identity(self) -> float:
        """Matches by columns; 0 without columns."""
        statistics = self.statistics
        return statistics.matches / statistics.columns if statistics.columns else 0.0

    @property
    def gap_compressed_identity(self) -> float:
        """The same with each gap as one column, as minimap2 counts it."""
        statistics = self.statistics
        columns = statistics.columns - statistics.gap_letters + statistics.gap_opens
        return statistics.matches / columns if columns else 0.0

    def place_gaps(self, placement: str) -> Alignment:
        """A copy with each gap as far "left" (VCF) or "right" (HGVS) as it goes."""
        if placement not in ("left", "right"):
            raise option_error(f"gaps are placed left or right, not {placement!r}")
        query, target = self.sequences()
        copy = self._copy()
        call(lib.cla_alignment_place_gaps, copy._pointer, PLACEMENTS[placement], query._pointer, target._pointer)
        return copy

    def part(self, *, query: Range | None = None, target: Range | None = None) -> Alignment | None:
        """The part that pairs the letters of a range of the query or of the target: a global alignment of just the
        letters that it aligns, with their score. None where there is no pair."""
        if (query is None) == (target is None):
            raise option_error("a part is of a range of the query or of the target; give one of them")
        side, given = (lib.CLA_SIDE_QUERY, query) if query is not None else (lib.CLA_SIDE_TARGET, target)
        begin, end = _range(given)
        sequences = self.sequences()
        made = ffi.new("cla_alignment **")
        part = ffi.new("cla_side_range *", {"side": side, "begin": begin, "end": end})
        pointers = [one._pointer for one in sequences]
        call(lib.cla_alignment_part, made, self._pointer, part, *pointers)
        return Alignment(made[0], *sequences) if made[0] else None

    def split(self, drop: Score | None = None) -> list[Alignment]:
        """Its pieces, the best first: it is cut where the score drops by more than `drop` points (docs/splitting.md)."""
        scoring = ffi.addressof(self._pointer, "scoring")
        units = max(int(scoring.units), 1)
        least = lib.cla_split_drop(scoring) if drop is None else in_units(drop, units, "drop")
        sequences = self.sequences()
        made = ffi.new("cla_results *")
        call(lib.cla_alignment_split, made, self._pointer, least, *(one._pointer for one in sequences))
        return take_all(ffi.cast("cla_alignment **", made.alignments), int(made.count), *sequences, verify=False)

    @property
    def split_drop(self) -> int | float | None:
        """Of a piece, where its alignment was cut, in points; else None."""
        units = max(int(self._pointer.scoring.units), 1)
        return in_points(int(self._pointer.split_drop), units) if self._pointer.has_split else None

    def certify(
        self,
        delta: Score | None = None,
        *,
        displacements: Iterable[int] = (),
        optimal: int = 0,
        threads: int = 0,
        memory: int = 0,
    ) -> Certificate:
        """How certain each column is (docs/certainty.md): exactly up to `delta` points; None: every pair's margin.

        `displacements` are numbers of diagonals, for what it costs to be more than so many away. Up to `optimal` of the
        best alignments are listed. VerificationError if an alignment scores more.

        >>> import clalign
        >>> certificate = clalign.align("ACGTTTACGATTACA", "ACGTTTTTACGATTACA", mode="global").certify()
        >>> certificate.unique, round(certificate.alignments), certificate.blocks[0].kind, certificate.blocks[0].target
        (False, 4, 'shift', (3, 8))
        """
        query, target = self.sequences()
        units = max(int(self._pointer.scoring.units), 1)
        options = ffi.new("cla_certify_options *")
        lib.cla_certify_options_init(options)
        if delta is not None:
            options.delta = in_units(delta, units, "delta")
        far = ffi.new("int64_t[]", list(displacements))
        options.displacements, options.displacement_count = far, len(far)
        options.optimal_most, options.threads, options.memory_bytes = optimal, threads, memory
        made = ffi.new("cla_certificate **")
        call(lib.cla_certify, made, self._pointer, query._pointer, target._pointer, options)
        try:
            listed = []
            for i in range(made[0].optimal_count):
                copy = ffi.new("cla_alignment **")
                call(lib.cla_alignment_copy, copy, made[0].optimal[i], ffi.NULL)
                listed.append(Alignment(copy[0], query, target))
            return certificate_of(made[0], units, listed)
        finally:
            lib.cla_certificate_free(made[0])

    # Where it goes

    @property
    def cigar(self) -> str:
        """The path, with = and X; "" for an empty one."""
        self._need_path()
        return self.text("cigar").strip() if len(self.runs) else ""

    def write(
        self, path: str | os.PathLike[str], format: str | None = None, *, command: str | None = None
    ) -> None:
        """Writes it to a file, in the format that the file's name tells (.sam, .paf, .vcf.gz and others), or in `format`."""
        write([self], path, format, command=command)

    def to_bytes(self, format: str) -> bytes:
        """What would be written, of binary formats too."""
        with tempfile.TemporaryDirectory(prefix="clalign-") as folder:
            path = os.path.join(folder, "alignment")
            self.write(path, format)
            with open(path, "rb") as file:
                return file.read()

    def text(self, format: str) -> str:
        """The same as text."""
        return self.to_bytes(format).decode("utf-8", "surrogateescape")

    def save(self, path: str | os.PathLike[str], *, work: bool = False) -> None:
        """Saves the binary alignment (.cla), with `work` also what `keep_work` kept."""
        save([self], path, work=work)

    def plot(
        self,
        where: str | os.PathLike[str] | BinaryIO | Any,
        *,
        format: str | None = None,
        query: Range | None = None,
        target: Range | None = None,
        **look: Any,
    ) -> None:
        """Draws it to a file (.png, .svg, .pdf or .html), to a binary file object (with `format`, "png" if none), or, the path
        alone, on axes of matplotlib: all of the matrix, or a part of it by ranges of one or both sequences. `look`
        is work, dark, title, size or dpi, as Look says.

        >>> import clalign, io
        >>> alignment, buffer = clalign.align("ACGTTGCATT", "ACGTTGCATT"), io.BytesIO()
        >>> alignment.plot(buffer, format="svg")
        >>> buffer.getvalue()[:5]
        b'<?xml'
        """
        plot([self], where, format=format, query=query, target=target, **look)

    def plot_bytes(self, format: str) -> bytes:
        """What `plot` would write."""
        buffer = io.BytesIO()
        plot([self], buffer, format=format)
        return buffer.getvalue()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """For numpy: the letters of query and target in two rows, - in gaps.

        >>> import clalign, numpy
        >>> letters = numpy.asarray(clalign.align("ACGTTGCATTACGG", "ACGTTGCTTACGG", mode="global"))
        >>> letters[1].tobytes()
        b'ACGTTGC-TTACGG'
        >>> int((letters[0] == letters[1]).sum())
        13
        """
        array = views.as_array(self)
        return array if dtype is None or dtype == array.dtype else array.astype(dtype)

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each run of the path, positions from 0 on forward strands; `clalign.table` has a
        row for each of several alignments.

        >>> import clalign
        >>> print(clalign.align("ACGTTGCATTACGG", "ACGTTGCTTACGG", mode="global").to_pandas().to_string(index=False))
         kind  length  query_start  query_stop  target_start  target_stop
         pair       7            0           7             0            7
        query       1            7           8             7            7
         pair       6            8          14             7           13
        """
        return views.as_frame(self)

    def to_biopython(self) -> Bio.Align.Alignment:
        """As an Alignment of Biopython, target first, with `score`."""
        from .biopython import to_biopython

        return to_biopython(self)

    def __str__(self) -> str:
        """What it is, and its letters in blocks; of a long one the first."""
        return repr(self) if self._query is None else views.blocks(self)

    def _repr_svg_(self) -> str | None:
        return None if self._query is None else views.as_svg(self)

    def _repr_html_(self) -> str | None:
        return None if self._query is None else views.as_html(self)

    def __repr__(self) -> str:
        return f"<clalign.Alignment {self.mode}, score {self.score}, {self.strand}, {len(self.runs)} runs>"


def _pointers(alignments: list[Alignment]) -> Any:
    return ffi.new("cla_alignment *[]", [alignment._pointer for alignment in alignments])


def _results(alignments: list[Alignment], pointers: Any) -> Any:
    """The alignments of one pair as the library's writers take them; `pointers` are theirs, and must outlive it."""
    query, target = (one._pointer for one in alignments[0].sequences())
    found = {"alignments": pointers, "count": len(alignments), "query": query, "target": target}
    return ffi.new("cla_results *", found)


def write(
    alignments: Iterable[Alignment],
    path: str | os.PathLike[str],
    format: str | None = None,
    *,
    command: str | None = None,
) -> None:
    """Writes alignments of the same two sequences to a file, which appears when it is complete. The format is what the
    file's name tells, as for the program's --output, or `format`; a name that ends in .gz or .bgz is compressed."""
    items = list(alignments)
    if not items:
        raise option_error("there is no alignment to write; give at least one")
    options = ffi.new("cla_write_options *")
    number, options.compressed = _format(path, format, all(item.has_path for item in items))
    text = ffi.new("char[]", bytes_of(command)) if command is not None else ffi.NULL
    options.command = text
    pointers = _pointers(items)
    call(lib.cla_write_file, bytes_of(path), number, _results(items, pointers), options)


def _format(path: str | os.PathLike[str], format: str | None, paths: bool) -> tuple[int, bool]:
    """The format of a file, and whether it is compressed; `paths`: the alignments have some."""
    number, compressed = ffi.new("cla_format *"), ffi.new("bool *")
    if format is None:
        standard = lib.CLA_FORMAT_PAIR if paths else lib.CLA_FORMAT_JSON
        call(lib.cla_format_of_file, number, compressed, bytes_of(path), standard)
    else:
        lib.cla_format_from_path(number, compressed, bytes_of(path))
        call(lib.cla_format_from_name, number, bytes_of(format))
    return int(number[0]), bool(compressed[0])


def save(alignments: Iterable[Alignment], path: str | os.PathLike[str], *, work: bool = False) -> None:
    """Saves alignments as a binary alignment (.cla), which load reads, and the program's `show` and `verify`; with
    `work` also how their matrices were computed, where `keep_work` kept it: such files differ between devices."""
    items = list(alignments)
    function = lib.cla_alignment_save_with_work if work else lib.cla_alignment_save
    call(function, bytes_of(path), _pointers(items), len(items))


@dataclasses.dataclass(frozen=True, kw_only=True)
class Look:
    """How a plot looks (docs/plots.md): further options of `plot`."""

    work: bool = False  # also how the first alignment's matrix was computed, which `keep_work` keeps
    dark: bool = False
    title: str | None = None  # None: the names
    size: int = 0  # points of the matrix' longer side; 0: 600
    dpi: int = 0  # of a PNG; 0: 96


def plot(
    alignments: Iterable[Alignment],
    where: str | os.PathLike[str] | BinaryIO | Any,
    *,
    format: str | None = None,
    query: Range | None = None,
    target: Range | None = None,
    **look: Any,
) -> None:
    """Draws alignments of the same two sequences, the first one with its identity and gaps (docs/plots.md): to a file, a
    binary file object, or axes of matplotlib."""
    items = list(alignments)
    if not items:
        raise option_error("there is no alignment to plot; give at least one")
    if hasattr(where, "set_xlabel"):
        if look or format is not None or query is not None or target is not None:
            raise option_error("on axes of matplotlib, these say what is shown and how; leave the other options out")
        for item in items:
            views.draw(item, where)
    elif isinstance(where, (str, os.PathLike)):
        if format is not None:
            raise option_error("the file's name says the format; leave format out")
        _plot_file(items, where, query, target, Look(**look))
    else:
        with tempfile.TemporaryDirectory(prefix="clalign-") as folder:
            path = os.path.join(folder, f"plot.{format or 'png'}")
            _plot_file(items, path, query, target, Look(**look))
            with open(path, "rb") as file:
                where.write(file.read())


def _plot_file(
    items: list[Alignment],
    path: str | os.PathLike[str],
    query: Range | None,
    target: Range | None,
    look: Look,
) -> None:
    sequences = items[0].sequences()
    options = ffi.new("cla_plot_options *")
    for name, given in (("query", query), ("target", target)):
        if given is not None:
            part = getattr(options, name)
            begin, part.to = _range(given)
            setattr(part, "from", begin)  # a word of Python
    text = ffi.NULL if look.title is None else ffi.new("char[]", bytes_of(look.title))
    options.title = text
    options.work, options.dark, options.size, options.dpi = look.work, look.dark, look.size, look.dpi
    call(lib.cla_plot_check, bytes_of(path), options, *(one._pointer for one in sequences))
    pointers = _pointers(items)
    call(lib.cla_plot_write, bytes_of(path), _results(items, pointers), options)


def load(
    path: str | os.PathLike[str], query: Sequence | None = None, target: Sequence | None = None
) -> list[Alignment]:
    """The alignments of a .cla file. With the sequences they are verified, and can be written and counted."""
    if (query is None) != (target is None):
        raise option_error("query and target go together; give both or neither")
    loaded, count = ffi.new("cla_alignment ***"), ffi.new("size_t *")
    call(lib.cla_alignment_load, loaded, count, bytes_of(path))
    return take_all(loaded[0], int(count[0]), query, target, verify=True)


def take_all(
    array: Any, count: int, query: Sequence | None, target: Sequence | None, *, verify: bool
) -> list[Alignment]:
    """The alignments of a library's array, each on its own: copies, so that one can outlive the others."""
    copies = []
    try:
        for i in range(count):
            if verify and query is not None and target is not None:
                call(lib.cla_alignment_verify, array[i], query._pointer, target._pointer)
            made = ffi.new("cla_alignment **")
            call(lib.cla_alignment_copy, made, array[i], ffi.NULL)
            copies.append(Alignment(made[0], query, target))
    finally:
        lib.cla_alignments_free(array, count)
    return copies


def _restored(packed: bytes, metrics: bytes, query: Sequence | None, target: Sequence | None) -> Alignment:
    """An alignment that was pickled. Of metrics of another version nothing is known."""
    loaded, count = ffi.new("cla_alignment ***"), ffi.new("size_t *")
    call(lib.cla_alignments_unpack, loaded, count, packed, len(packed), b"a pickled alignment")
    (restored,) = take_all(loaded[0], int(count[0]), query, target, verify=False)
    if len(metrics) == ffi.sizeof("cla_metrics"):
        ffi.memmove(ffi.addressof(restored._pointer, "metrics"), metrics, len(metrics))
    return restored
