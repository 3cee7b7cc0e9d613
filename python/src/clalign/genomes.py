"""Two genomes: what differs between them, and annotations of one at their places in the other."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable
from typing import Any, NamedTuple, Union

from . import errors
from ._library import bytes_of, ffi, lib, text_of
from .alignment import PLACEMENTS, Alignment
from .call import ProgressFunction, _choice, _progress_of
from .device import Device, default_device
from .errors import option_error
from .scoring import Scoring
from .sequence import Sequence, SequenceLike, as_sequence, sequence_options

# A file, of which all records are read, or one or more sequences.
GenomeLike = Union["os.PathLike[str]", SequenceLike, Iterable[SequenceLike]]

_TEXTS = {
    "summary": lib.CLA_COMPARISON_SUMMARY,
    "json": lib.CLA_COMPARISON_JSON,
    "blocks": lib.CLA_COMPARISON_BLOCKS,
    "events": lib.CLA_COMPARISON_EVENTS,
    "unaligned-query": lib.CLA_COMPARISON_UNALIGNED_QUERY,
    "unaligned-target": lib.CLA_COMPARISON_UNALIGNED_TARGET,
    "vcf": lib.CLA_COMPARISON_VCF,
    "callable": lib.CLA_COMPARISON_CALLABLE,
}
_ANNOTATIONS = {"bed": lib.CLA_ANNOTATION_BED, "gff3": lib.CLA_ANNOTATION_GFF3, "gtf": lib.CLA_ANNOTATION_GTF}


def _read_file(path: str | os.PathLike[str], alphabet: str) -> list[Sequence]:
    """All records of a file."""
    opened = ffi.new("cla_sequence_file **")
    errors.call(lib.cla_sequence_file_open, opened, bytes_of(path))
    file = ffi.gc(opened[0], lib.cla_sequence_file_close)
    options, _ = sequence_options(alphabet, None, False)
    records: list[Sequence] = []
    made = ffi.new("cla_sequence **")
    while True:
        errors.call(lib.cla_sequence_file_next, made, file, options)
        if not made[0]:
            return records
        record = Sequence.__new__(Sequence)
        record._hold(made[0], None)
        records.append(record)


def _records(given: GenomeLike, role: str, alphabet: str = "dna") -> list[Sequence]:
    if isinstance(given, os.PathLike):
        return _read_file(given, alphabet)
    one = isinstance(given, (str, bytes, bytearray, Sequence)) or hasattr(given, "seq")
    if one or not isinstance(given, Iterable):
        return [as_sequence(given, role, alphabet=alphabet)]
    return [as_sequence(item, f"{role}{number}", alphabet=alphabet) for number, item in enumerate(given, 1)]


class _Genome:
    """A cla_genome, with what must live as long as it."""

    def __init__(self, given: GenomeLike, role: str, circular: bool) -> None:
        self.records = _records(given, role)
        self._pointers = ffi.new("cla_sequence *[]", [record._pointer for record in self.records])
        marks = [circular or lib.cla_sequence_circular(record._pointer) for record in self.records]
        self._circular = ffi.new("bool[]", marks)
        self.pointer = ffi.new("cla_genome *", (self._pointers, self._circular, len(self.records)))


class Comparison:
    """The blocks that two genomes share, and the events between them. It never changes."""

    def __init__(self, pointer: Any, query: _Genome, target: _Genome, least_event: int) -> None:
        self._pointer = pointer
        self._query, self._target = query, target
        self._events = ffi.gc(ffi.new("cla_events *"), lib.cla_events_free)
        errors.call(lib.cla_events_find, self._events, pointer, least_event)

    def write(self, path: str | os.PathLike[str], what: str = "summary") -> None:
        """Writes a text to a file: "summary", "json", "events", "blocks", "vcf" (compressed if the name ends with .gz),
        "callable", "unaligned-query" or "unaligned-target"."""
        number = _choice(_TEXTS, what, "text of a comparison")
        options = ffi.new("cla_write_options *")
        options.compressed = os.fspath(path).endswith(".gz")
        errors.call(lib.cla_comparison_write_file, bytes_of(path), number, self._pointer, self._events, options)

    def text(self, what: str = "summary") -> str:
        """The same as text."""
        with tempfile.TemporaryDirectory(prefix="clalign-") as folder:
            path = os.path.join(folder, "text")
            self.write(path, what)
            with open(path, encoding="utf-8", errors="surrogateescape") as file:
                return file.read()

    def __str__(self) -> str:
        return self.text()

    @property
    def data(self) -> dict[str, Any]:
        """Everything that compare.json has: shared letters, variants, events and blocks (docs/compare.md)."""
        found: dict[str, Any] = json.loads(self.text("json"))
        return found

    @property
    def events(self) -> list[dict[str, Any]]:
        """The events of `data`: each has a kind, the intervals of target and query, a strand and letters."""
        found: list[dict[str, Any]] = self.data["events"]
        return found

    def alignments(self, *, copies: bool = False) -> list[Alignment]:
        """The exact alignments of all primary blocks; with `copies` those of further copies too."""
        found = []
        for number in range(self._pointer.block_count):
            block = self._pointer.blocks[number]
            if block.role != lib.CLA_BLOCK_PRIMARY and not copies:
                continue
            for piece in range(block.piece_count):
                copied = ffi.new("cla_alignment **")
                errors.call(lib.cla_alignment_copy, copied, block.pieces[piece], ffi.NULL)
                query, target = self._query.records[block.query], self._target.records[block.target]
                found.append(Alignment(copied[0], query, target))
        return found


def _listen(options: Any, device: Device | None, progress: ProgressFunction | None) -> tuple[list[Any], list[BaseException]]:
    """Sets the callbacks. Returns what must live until the call ends, and a list of what they raise."""
    failures: list[BaseException] = []

    def keep(kind: object, failure: BaseException, trace: object) -> None:
        failures.append(failure)

    def hear(heard: Any, user: Any) -> bool:
        return not failures and (progress is None or progress(_progress_of(heard)) is not False)

    def open_late(pointer: Any, tuning: Any, user: Any, error: Any) -> int:
        opened = device or default_device()
        pointer[0], tuning[0] = opened._pointer, opened._tuning
        return int(lib.CLA_OK)

    heard = ffi.callback("cla_progress_function", hear, error=False, onerror=keep)
    opened = ffi.callback("cla_device_function", open_late, error=lib.CLA_ERROR_DEVICE, onerror=keep)
    options.align.callbacks.progress, options.align.callbacks.device = heard, opened
    return [heard, opened], failures


def compare(
    query: GenomeLike,
    target: GenomeLike,
    *,
    circular: bool = False,
    scoring: Scoring | None = None,
    least_block: int = 0,
    most_gap: int = 0,
    least_event: int = 0,
    gap_placement: str | None = None,
    threads: int = 0,
    device: Device | None = None,
    progress: ProgressFunction | None = None,
) -> Comparison:
    """Compares two genomes, as `clalign compare`: a `pathlib.Path`, of which all records are read, or sequences.

    `circular`: all records are circles; else those whose headers say so. 0 is the default of `least_block`, `most_gap`
    and `least_event`, in letters. The scores are those of the preset genome, or `scoring`.

        >>> import random
        >>> old = "".join(random.Random(1).choices("ACGT", k=6000))
        >>> new = old[:2000] + old[4000:1999:-1].translate(str.maketrans("ACGT", "TGCA")) + old[4001:]
        >>> [(event["kind"], event["target"]["begin"], event["target"]["end"]) for event in compare(new, old).events]
        [('inversion', 2000, 4001)]
    """
    sides = _Genome(query, "query", circular), _Genome(target, "target", circular)
    options = ffi.new("cla_compare_options *")
    lib.cla_compare_options_init(options)
    if scoring is not None:
        options.align.scoring = scoring.for_alphabet(lib.CLA_ALPHABET_DNA)._scoring[0]
    options.align.gap_placement = _choice(PLACEMENTS, gap_placement, "gap placement")
    options.align.budgets.threads = threads
    options.least_block, options.most_gap = least_block, most_gap
    kept, failures = _listen(options, device, progress)
    found = ffi.gc(ffi.new("cla_comparison *"), lib.cla_comparison_free)
    try:
        errors.call(lib.cla_compare, found, ffi.NULL, sides[0].pointer, sides[1].pointer, options)
    except errors.Error:
        if not failures:
            raise
    del kept
    if failures:
        raise failures[0]
    return Comparison(found, *sides, least_event)


class Lifted(NamedTuple):
    """The place of an interval in the other genome, or why it has none."""

    fate: str  # "lifted", or the reason, such as "deleted" or "split"
    part: float  # of its letters that one alignment pairs, 0 to 1
    name: str | None  # the record; None: not lifted
    begin: int  # from 0; 0 if not lifted
    end: int
    strand: str  # "+", or "-": on the other strand


class LiftCounts(NamedTuple):
    """What became of a file's features."""

    features: int  # all of them
    fates: dict[str, int]  # features by fate
    incomplete: int  # lifted features with a child that was not
    unknown: int  # features of records that the alignment does not have


class Lift:
    """An alignment as a map from its targets to its queries, or with `reverse` from its queries to its targets.

    `alignment` is a file: chains, PAF with the tag cg, or .cla. Threads may share a Lift.
    """

    def __init__(self, alignment: str | os.PathLike[str], *, reverse: bool = False) -> None:
        made = ffi.new("cla_lift **")
        errors.call(lib.cla_lift_open, made, bytes_of(alignment), reverse)
        self._pointer = ffi.gc(made[0], lib.cla_lift_close)

    def interval(self, name: str, begin: int, end: int, *, min_match: float = 0.95) -> Lifted:
        """Where letters `begin` to `end` of the record `name` are, from 0, half-open."""
        if not 0 <= begin <= end:
            raise option_error(f"{begin} to {end} is no interval; give 0 <= begin <= end")
        out, given = ffi.new("cla_lifted *"), ffi.new("cla_lift_range *", (begin, end))
        lib.cla_lift_interval(out, self._pointer, bytes_of(name), given, min_match)
        record = text_of(out.name) if out.name else None
        fate, part = text_of(lib.cla_lift_fate_name(out.fate)), float(out.part)
        if record is None:
            return Lifted(fate, part, None, 0, 0, "+")
        return Lifted(fate, part, record, int(out.range.begin), int(out.range.end), "-" if out.reverse else "+")

    def file(
        self,
        annotations: str | os.PathLike[str],
        output: str | os.PathLike[str],
        *,
        unlifted: str | os.PathLike[str] | None = None,
        format: str | None = None,
        min_match: float = 0.95,
        bed_columns: int = 0,
    ) -> LiftCounts:
        """Lifts a file of BED, GFF3 or GTF, as `clalign lift`; `format` is told by the name unless given."""
        paths = [ffi.new("char[]", bytes_of(one)) for one in (annotations, output)]
        lost = ffi.NULL if unlifted is None else ffi.new("char[]", bytes_of(unlifted))
        kind = ffi.new("cla_annotation *")
        if format is None:
            errors.call(lib.cla_annotation_of_file, kind, paths[0])
        else:
            kind[0] = _choice(_ANNOTATIONS, format, "format of annotations")
        job = ffi.new("cla_lift_job *")
        job.path, job.output, job.unlifted, job.format = paths[0], paths[1], lost, kind[0]
        job.min_match, job.bed_columns = min_match, bed_columns
        counts = ffi.new("cla_lift_counts *")
        errors.call(lib.cla_lift_file, counts, self._pointer, job)
        fates = {
            text_of(lib.cla_lift_fate_name(fate)): int(number) for fate, number in enumerate(counts.fates) if number > 0
        }
        return LiftCounts(int(counts.features), fates, int(counts.incomplete), int(counts.unknown))
