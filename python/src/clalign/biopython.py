"""To Biopython's Alignment and back (Biopython 1.80 or later)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .errors import option_error
from .path import PAIR, QUERY, TARGET, Path

if TYPE_CHECKING:
    import Bio.Align

    from .alignment import Alignment


def to_biopython(alignment: Alignment) -> Bio.Align.Alignment:
    """The alignment as Biopython has it: target and query as SeqRecords of whole records, and coordinates, those of a
    reverse query falling."""
    import numpy
    from Bio.Align import Alignment as BiopythonAlignment
    from Bio.Seq import Seq
    from Bio.SeqRecord import SeqRecord

    query, target = alignment.sequences()
    if alignment.query.rotation or alignment.target.rotation:
        raise option_error("Biopython's alignments know no rotated records; rotate the circular one and align it again")
    path = alignment.path
    runs = numpy.asarray(path.runs)
    along = [
        numpy.concatenate(([start], start + numpy.cumsum(numpy.where(runs["kind"] != gap, runs["length"], 0))))
        for start, gap in ((path.target_start, QUERY), (path.query_start, TARGET))
    ]
    if path.strand == "reverse":
        along[1] = len(query) - along[1]
    records = [SeqRecord(Seq(str(one)), id=one.name, description="") for one in (target, query)]
    made = BiopythonAlignment(records, numpy.array(along))
    made.score = alignment.score
    return made


def from_biopython(alignment: Bio.Align.Alignment) -> Path:
    """The path of an alignment of two sequences, target first: what clalign.align takes as a lower bound, and then
    proves to be optimal or betters."""
    along_target, along_query = (list(map(int, row)) for row in alignment.coordinates)
    strand = "reverse" if along_query[-1] < along_query[0] else "forward"
    if along_target[-1] < along_target[0]:
        raise option_error("the target's strand is the forward one; give the alignment's reverse complement")
    if strand == "reverse":
        length = len(alignment.sequences[1])
        along_query = [length - position for position in along_query]
    steps = zip(along_query, along_query[1:], along_target, along_target[1:])
    runs: list[tuple[int, int]] = []
    for query, next_query, target, next_target in steps:
        runs += _runs_of(next_query - query, next_target - target)
    joined: list[tuple[int, int]] = []
    for length, kind in runs:
        if joined and joined[-1][1] == kind:
            length += joined.pop()[0]
        joined.append((length, kind))
    return Path(along_query[0], along_target[0], joined, strand)


def _runs_of(query: int, target: int) -> list[tuple[int, int]]:
    """The runs of one step of coordinates."""
    if query == target:
        return [(query, PAIR)] if query > 0 else []
    if query > 0 and target == 0:
        return [(query, QUERY)]
    if target > 0 and query == 0:
        return [(target, TARGET)]
    raise option_error(f"a step of {query} query letters and {target} target letters is no run of pairs and no gap")
