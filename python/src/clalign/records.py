"""Records that another aligner has written: how far they are from the best alignments, and what lies between them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, NamedTuple

from . import errors
from ._library import bytes_of, ffi, lib, text_of
from .aligner import Aligner
from .alignment import STRANDS, Alignment, Range, _word
from .device import Device
from .errors import InputError
from .genomes import GenomeLike, _records
from .scoring import Score, Scoring, in_points, in_units
from .sequence import Sequence

_Sides = tuple[Sequence, Sequence]
_COMPLEMENT = str.maketrans("ACGTRYSWKMBDHVN", "TGCAYRSWMKVHDBN")


class Loss(NamedTuple):
    """A stretch in which a record scores less than the best alignment. Its losses add up to what the record loses."""

    query: Range  # on the forward strands
    target: Range
    score: int | float
    optimal_score: int | float
    pairs: int  # pairs of letters of the best alignment that the record does not make


class Audited(NamedTuple):
    """A record, and how far it is from the best alignment of its region."""

    number: int  # of its line, or of the record in SAM and BAM
    query: str  # name
    query_range: Range
    target: str
    target_range: Range
    strand: str
    score: int | float  # in points; 0 if it is wrong
    optimal_score: int | float
    losses: list[Loss]
    wrong: str | None  # what is wrong with it; None: nothing

    @property
    def lost(self) -> int | float:
        """Points that it loses."""
        return self.optimal_score - self.score


class FillCounts(NamedTuple):
    """What became of the parts of a kind."""

    parts: int  # of which the alignment is in the records that were made
    of: int  # all of them
    letters: tuple[int, int]  # of queries and targets, in these alignments
    gained: int | float  # points


class Filled(NamedTuple):
    """The joined records. Each part of a record is exact; a joined one need not be the best alignment of its region."""

    alignments: list[Alignment]
    read: int  # records
    chains: int
    wrong: list[str]  # what is wrong with records that were left out
    parts: dict[str, FillCounts]  # by kind: "again", "filled", "turned" and "ends", as the program names them
    score_read: int | float
    score_overlaps: int | float  # of records' starts that were cut off, since the record before has these letters
    score: int | float  # of the joined records

    @property
    def gained(self) -> int | float:
        """Points that the joined records have more than the same letters had."""
        return self.score - (self.score_read - self.score_overlaps)


class _Record:
    """A record of the file, with its letters unless it is wrong."""

    def __init__(self, pointer: Any, sides: _Sides | None, wrong: str | None) -> None:
        self.pointer = ffi.gc(pointer, lib.cla_aligned_record_free)
        self.sides, self.wrong = sides, wrong

    @property
    def names(self) -> tuple[str, str]:
        return tuple(text_of(name) if name else "" for name in self.pointer.name)  # type: ignore[return-value]

    @property
    def strand(self) -> str:
        return str(_word(STRANDS, self.pointer.path.strand))

    def scored(self, scoring: Scoring) -> Alignment:
        """The record's own path."""
        assert self.sides
        return _own_path(self.pointer, self.sides, scoring)


def _own_path(record: Any, sides: _Sides, scoring: Scoring) -> Alignment:
    made = ffi.new("cla_alignment **")
    errors.call(
        lib.cla_aligned_record_alignment, made, record, sides[0]._pointer, sides[1]._pointer, scoring._scoring
    )
    return Alignment(made[0], *sides)


class _Genomes:
    """The sequences by their names."""

    def __init__(self, queries: GenomeLike, targets: GenomeLike, alphabet: str) -> None:
        self.alphabet = alphabet
        given = _records(queries, "query", alphabet), _records(targets, "target", alphabet)
        self._by_name = [{record.name: record for record in side} for side in given]
        for side, role in zip(given, ("query", "target")):
            names = sorted(record.name for record in side)
            for name, following in zip(names, names[1:]):
                if name == following:
                    raise InputError(f"two records of the {role} are called {name!r}; rename one", "input")

    def part(self, side: int, name: str, begin: int, end: int) -> Sequence:
        """Letters of a record."""
        whole = self._by_name[side].get(name)
        if whole is None:
            raise InputError(f"no {('query', 'target')[side]} is called {name!r}; give the sequences it was made of", "input")
        if end > len(whole):
            raise InputError(f"it aligns letters {begin + 1} to {end} of {name!r}, which has {len(whole)}", "input")
        return whole._part(f"{name}:{begin + 1}-{end}", begin, end)

    def sides(self, record: Any) -> _Sides:
        """Both sides of a record."""
        query, target = (
            self.part(side, text_of(record.name[side]), record.start[side], record.end[side]) for side in (0, 1)
        )
        return query, target

    def read(self, path: str | os.PathLike[str]) -> Iterator[_Record]:
        """The records of a file, checked."""
        opened = ffi.new("cla_aligned_records **")
        errors.call(lib.cla_aligned_records_open, opened, bytes_of(path))
        file = ffi.gc(opened[0], lib.cla_aligned_records_close)
        while True:
            made = ffi.new("cla_aligned_record **")
            wrong = sides = None
            try:
                errors.call(lib.cla_aligned_records_next, made, file)
                if not made[0]:
                    return
                sides = self.sides(made[0])
                errors.call(lib.cla_aligned_record_check, made[0], sides[0]._pointer, sides[1]._pointer)
            except InputError as reason:
                if not made[0]:
                    raise
                wrong = str(reason)
            yield _Record(made[0], None if wrong else sides, wrong)


def _align_each(
    tasks: list[tuple[str, _Sides]], mode: str, scoring: Scoring, threads: int | None, device: Device | None
) -> list[Alignment | None]:
    """The best alignments of pairs, each on its strand."""
    found: list[Alignment | None] = [None] * len(tasks)
    for strand in ("forward", "reverse"):
        numbers = [number for number, task in enumerate(tasks) if task[0] == strand]
        aligner = Aligner(mode=mode, strand=strand, scoring=scoring, threads=threads, device=device)
        for number, alignment in zip(numbers, aligner.align_many(tasks[number][1] for number in numbers)):
            found[number] = alignment
    return found


def _range_of(record: Any, side: int) -> Range:
    return int(record.start[side]), int(record.end[side])


def _audited(record: _Record, optimal: Alignment | None) -> Audited:
    row = record.pointer
    places = record.names[0], _range_of(row, 0), record.names[1], _range_of(row, 1), record.strand
    if record.sides is None or optimal is None:
        return Audited(int(row.number), *places, 0, 0, [], record.wrong)
    made = ffi.new("cla_audit **")
    query, target = record.sides
    errors.call(lib.cla_audit_make, made, row, optimal._pointer, query._pointer, target._pointer)
    found = ffi.gc(made[0], lib.cla_audit_free)
    units = max(int(optimal._pointer.scoring.units), 1)
    losses = [
        Loss(
            (int(loss.begin[0]), int(loss.end[0])),
            (int(loss.begin[1]), int(loss.end[1])),
            in_points(int(loss.score), units),
            in_points(int(loss.optimal_score), units),
            int(loss.pairs),
        )
        for loss in (found.losses[number] for number in range(found.loss_count))
    ]
    scores = in_points(int(found.score), units), in_points(int(found.optimal_score), units)
    return Audited(int(row.number), *places, *scores, losses, None)


def _scheme(scoring: Scoring | None, usual: Scoring, alphabet: str) -> Scoring:
    number = lib.CLA_ALPHABET_PROTEIN if alphabet == "protein" else lib.CLA_ALPHABET_DNA
    return (scoring or usual).for_alphabet(number)


def audit(
    records: str | os.PathLike[str],
    queries: GenomeLike,
    targets: GenomeLike,
    *,
    scoring: Scoring | None = None,
    alphabet: str = "dna",
    threads: int | None = None,
    device: Device | None = None,
) -> list[Audited]:
    """Compares the records of a file (PAF, SAM, BAM, chain, MAF, delta) with the best alignments of their regions, as
    `clalign audit`. Sequences are given as for `compare`. The scores are the default for the letters, or `scoring`."""
    genomes = _Genomes(queries, targets, alphabet)
    scheme = _scheme(scoring, Scoring(), alphabet)
    read = list(genomes.read(records))
    sound = [record for record in read if record.sides]
    best = iter(_align_each([(one.strand, one.sides) for one in sound if one.sides], "global", scheme, threads, device))
    return [_audited(record, next(best) if record.sides else None) for record in read]


class _Fill:
    """A cla_fill, with what its parts are aligned by."""

    def __init__(self, genomes: _Genomes, scheme: Scoring, options: tuple[int, int, int]) -> None:
        self.genomes, self.scheme = genomes, scheme
        made = ffi.new("cla_fill **")
        errors.call(lib.cla_fill_begin, made, ffi.new("cla_fill_options *", options))
        self.pointer = ffi.gc(made[0], lib.cla_fill_free)
        self.units = max(int(scheme._scoring.units), 1)
        self.read = self.score_read = self.score_overlaps = self.replaced = 0
        self.wrong: list[str] = []

    def add(self, record: _Record) -> None:
        self.read += 1
        if record.wrong:
            self.wrong.append(f"record {record.pointer.number} ({', '.join(record.names)}): {record.wrong}")
            return
        self.score_read += record.scored(self.scheme).raw_score
        errors.call(lib.cla_fill_add, self.pointer, record.pointer)
        record.pointer = ffi.gc(record.pointer, None)  # it is the fill's now

    def chain(self) -> None:
        errors.call(lib.cla_fill_chain, self.pointer)
        for number in range(lib.cla_fill_parts(self.pointer, lib.CLA_FILL_ANCHORS)):
            overlap = lib.cla_fill_overlap(self.pointer, number)
            if overlap:
                self.score_overlaps += _own_path(overlap, self.genomes.sides(overlap), self.scheme).raw_score

    def _letters(self, part: Any, side: int) -> Sequence:
        name = text_of(part.record.name[side])
        forward = self.genomes.part(side, name, part.begin[side], part.end[side])
        if not part.backwards:
            return forward
        text = forward.letters(forward.begin, forward.end)
        turned = side == 0 and part.strand == lib.CLA_STRAND_REVERSE
        return Sequence(text.translate(_COMPLEMENT) if turned else text[::-1], name, alphabet=self.genomes.alphabet)

    def align(self, kind: int, mode: str, threads: int | None, device: Device | None) -> None:
        """Aligns the parts of a kind."""
        parts = []
        for number in range(lib.cla_fill_parts(self.pointer, kind)):
            part = ffi.new("cla_fill_part *")
            lib.cla_fill_part_of(part, self.pointer, kind, number)
            parts.append(part)
        tasks = [
            ("forward" if part.backwards else str(_word(STRANDS, part.strand)), (self._letters(part, 0), self._letters(part, 1)))
            for part in parts
        ]
        for number, found in enumerate(_align_each(tasks, mode, self.scheme, threads, device)):
            if found is None:
                continue
            errors.call(lib.cla_fill_take, self.pointer, kind, number, found._pointer)
            if kind == lib.CLA_FILL_ANCHORS:
                self.replaced += _own_path(parts[number].record, tasks[number][1], self.scheme).raw_score

    def joined(self) -> Iterator[Alignment]:
        """The joined records."""
        for chain in range(lib.cla_fill_chains(self.pointer)):
            made, count = ffi.new("cla_aligned_record ***"), ffi.new("int64_t *")
            errors.call(lib.cla_fill_records, made, count, self.pointer, chain)
            found = [ffi.gc(made[0][number], lib.cla_aligned_record_free) for number in range(count[0])]
            lib.free(made[0])
            for record in found:
                yield _own_path(record, self.genomes.sides(record), self.scheme)

    def counts(self, kind: int) -> FillCounts:
        found = lib.cla_fill_count(self.pointer, kind)
        gained = int(found.score) - (self.replaced if kind == lib.CLA_FILL_ANCHORS else 0)
        letters = int(found.letters[0]), int(found.letters[1])
        return FillCounts(int(found.parts), int(lib.cla_fill_parts(self.pointer, kind)), letters, in_points(gained, self.units))

    def result(self) -> Filled:
        kinds = {
            "again": lib.CLA_FILL_ANCHORS,
            "filled": lib.CLA_FILL_INTERVALS,
            "turned": lib.CLA_FILL_OTHERS,
            "ends": lib.CLA_FILL_ENDS,
        }
        alignments = list(self.joined())
        sums = self.score_read, self.score_overlaps, sum(one.raw_score for one in alignments)
        return Filled(
            alignments,
            self.read,
            int(lib.cla_fill_chains(self.pointer)),
            self.wrong,
            {name: self.counts(kind) for name, kind in kinds.items()},
            *(in_points(value, self.units) for value in sums),
        )


def fill(
    records: str | os.PathLike[str],
    queries: GenomeLike,
    targets: GenomeLike,
    *,
    interval: int = 100_000,
    extend: int = 1000,
    realign: bool = False,
    one_strand: bool = False,
    min_score: Score | None = None,
    scoring: Scoring | None = None,
    alphabet: str = "dna",
    threads: int | None = None,
    device: Device | None = None,
) -> Filled:
    """Aligns exactly what lies between the records of a file and beyond them, and joins them, as `clalign fill`; the options
    are the program's. The scores are those of the preset genome, or `scoring`. Wrong records are left out and told."""
    scheme = _scheme(scoring, Scoring(preset="genome"), alphabet)
    least = lib.cla_split_drop(scheme._scoring)
    if min_score is not None:
        least = in_units(min_score, max(int(scheme._scoring.units), 1), "min_score")
    made = _Fill(_Genomes(queries, targets, alphabet), scheme, (interval, extend, least))
    for record in made.genomes.read(records):
        made.add(record)
    made.chain()
    if realign:
        made.align(lib.CLA_FILL_ANCHORS, "global", threads, device)
    made.align(lib.CLA_FILL_INTERVALS, "global", threads, device)
    if not one_strand and alphabet == "dna":
        made.align(lib.CLA_FILL_OTHERS, "local", threads, device)
    made.align(lib.CLA_FILL_ENDS, "extend", threads, device)
    return made.result()
