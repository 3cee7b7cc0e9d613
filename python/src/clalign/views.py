"""What an alignment looks like: as text, in a notebook, for numpy, pandas and matplotlib."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from .path import PAIR, QUERY, TARGET

if TYPE_CHECKING:
    from .alignment import Alignment

# Of an alignment, more than this many letters of the target and lines are not printed.
_LETTERS_SHOWN = 1000
_LINES_SHOWN = 80

_KINDS = {PAIR: "pair", QUERY: "query", TARGET: "target"}
_FORWARD, _REVERSE = "#0072b2", "#d55e00"  # as in the library's plots


def headline(alignment: Alignment) -> str:
    """Mode, strand, score and identity in a line."""
    text = f"{alignment.mode} alignment, {alignment.strand} strand, score {alignment.score}"
    if not alignment.has_path:
        return text + ", without a path"
    counts = alignment.statistics
    return f"{text}, identity {100 * alignment.identity:.2f} % of {counts.columns:,} columns"


def blocks(alignment: Alignment) -> str:
    """The headline and the letters in blocks; of a long alignment the first ones."""
    if not alignment.has_path or not len(alignment.runs):
        return headline(alignment)
    first, start = None, alignment.target.start or 0
    if alignment.statistics.columns > _LETTERS_SHOWN:
        first = alignment.part(target=(start, min(start + _LETTERS_SHOWN, alignment.target.stop or 0)))
    lines = [line for line in (first or alignment).text("pair").splitlines() if not line.startswith("#")]
    text = "\n".join(lines[:_LINES_SHOWN]).strip("\n")
    if first is not None or len(lines) > _LINES_SHOWN:
        text += "\n\n... and more: alignment.text('pair') has all of it"
    return f"{headline(alignment)}\n{text}"


def as_html(alignment: Alignment) -> str:
    """A table of what is known of the alignment, and its plot."""
    rows = [("alignment", headline(alignment))]
    for role, side in (("query", alignment.query), ("target", alignment.target)):
        aligned = "" if side.start is None else f", {side.start:,} to {side.stop:,}"
        rows.append((role, f"{side.name}, {side.length:,} letters{aligned}"))
    rows.append(("scoring", str(alignment.scoring).strip("<>")))
    table = "".join(f"<tr><th>{name}</th><td>{html.escape(text)}</td></tr>" for name, text in rows)
    return f"<table>{table}</table>{as_svg(alignment)}"


def as_svg(alignment: Alignment) -> str:
    """The plot, without the line that only a file of its own may begin with."""
    text = alignment.plot_bytes("svg").decode()
    return text[text.index("<svg") :]


def as_array(alignment: Alignment) -> Any:
    """The letters of query and target in two rows, with - where there is a gap."""
    import numpy

    lines = alignment.text("fasta").split("\n")
    letters = "".join(line for line in lines if not line.startswith(">"))
    return numpy.array(bytearray(letters, "ascii")).view("S1").reshape(2, len(letters) // 2)


def as_frame(alignment: Alignment) -> Any:
    """A row for each run of the path."""
    import numpy
    import pandas

    path = alignment.path
    along_query, along_target = (numpy.array(line) for line in path.coordinates())
    if path.strand == "reverse":
        along_query = alignment.query.length - along_query
    runs = numpy.asarray(path.runs)
    return pandas.DataFrame(
        {
            "kind": [_KINDS[int(kind)] for kind in runs["kind"]],
            "length": runs["length"],
            "query_start": numpy.minimum(along_query[:-1], along_query[1:]),
            "query_stop": numpy.maximum(along_query[:-1], along_query[1:]),
            "target_start": along_target[:-1],
            "target_stop": along_target[1:],
        }
    )


def table(alignments: Iterable[Alignment | None], *, cigar: bool = False) -> Any:
    """Alignments as a pandas DataFrame with a row for each; one that is None has a row without values. With `cigar` the
    last column has the paths, which are as long as the alignments.

    >>> import clalign
    >>> found = clalign.align_many([("ACGTTGCA", "ACGTTGCA"), ("ACGTTGCA", "TGCAACGT")], strand="both")
    >>> print(clalign.table(found)[["score", "strand", "identity", "columns"]])
       score   strand  identity  columns
    0      8  forward       1.0        8
    1      8  reverse       1.0        8
    """
    import pandas

    return pandas.DataFrame([{} if one is None else _row(one, cigar) for one in alignments])


def _row(alignment: Alignment, cigar: bool) -> dict[str, Any]:
    query, target = alignment.query, alignment.target
    row: dict[str, Any] = {
        "query": query.name,
        "target": target.name,
        "score": alignment.score,
        "strand": alignment.strand,
        "query_start": query.start,
        "query_stop": query.stop,
        "target_start": target.start,
        "target_stop": target.stop,
    }
    if alignment.has_path:
        row |= {"identity": alignment.identity, **alignment.statistics._asdict()}
    if alignment.has_path and cigar:
        row["cigar"] = alignment.cigar
    return row


def draw(alignment: Alignment, axes: Any) -> Any:
    """The path on axes of matplotlib, target across and query upwards."""
    along_query, along_target = alignment.path.coordinates()
    reverse = alignment.strand == "reverse"
    if reverse:
        along_query = [alignment.query.length - position for position in along_query]
    axes.plot(
        along_target,
        along_query,
        color=_REVERSE if reverse else _FORWARD,
        label=f"{alignment.strand} strand, {100 * alignment.identity:.1f} %",
    )
    axes.set_xlabel(alignment.target.name)
    axes.set_ylabel(alignment.query.name)
    return axes
