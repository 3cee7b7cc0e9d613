"""How certain each column of an alignment is (docs/certainty.md)."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING, Any, NamedTuple

from ._library import ffi, lib
from .scoring import in_points

if TYPE_CHECKING:
    from .alignment import Alignment

_CLASSES = {lib.CLA_AMBIGUITY_SHIFT: "shift", lib.CLA_AMBIGUITY_OTHER: "alternative"}
_NO_CEILING = 2**63 - 1


class Block(NamedTuple):
    """A smallest part outside of which all best alignments agree. Positions are from 0, half-open, on the records'
    forward strands."""

    query: tuple[int, int]
    target: tuple[int, int]
    columns: tuple[int, int]  # the alignment's columns in the block, from 0, half-open, in the order of the target
    kind: str  # "shift": one gap can move over equal letters; "alternative": all else
    log10_alignments: float  # of the number of best alignments of the block
    margin: int | float  # in points: what is lost if these letters do not stand for each other
    least_support: float  # of the block's columns


@dataclasses.dataclass(frozen=True)
class Certificate:
    """The certainty of an alignment. Lists have an entry for each column, in the order of the target. A margin above
    `delta` means more than `delta`."""

    delta: int | float  # the largest margin that is known exactly, in points
    unique: bool  # it is the only alignment with its score
    log10_alignments: float  # decimal logarithm of the number of best alignments
    ambiguous: int  # number of columns with margin 0
    margins: list[int | float]  # what the best alignment without the column loses
    ceilings: list[int | float]  # the largest margin that the scores allow; infinity: none is known
    supports: list[float]  # share of the best alignments that have the column
    blocks: list[Block]
    displacements: dict[int, list[int | float]]  # by number of diagonals
    optimal: list[Alignment]  # best alignments, each once; the given one is the first
    optimal_all: bool  # there are no others

    @property
    def alignments(self) -> float:
        """The number of best alignments; infinity if it is too large for a float."""
        return float(10.0**self.log10_alignments) if self.log10_alignments < 308 else math.inf


def _points(values: Any, count: int, units: int) -> list[int | float]:
    return [in_points(value, units) if value < _NO_CEILING else math.inf for value in ffi.unpack(values, count)]


def _block(block: Any, units: int) -> Block:
    return Block(
        (int(block.query_start), int(block.query_stop)),
        (int(block.target_start), int(block.target_stop)),
        (int(block.first_column), int(block.first_column + block.columns)),
        _CLASSES[block.kind],
        float(block.log10_alignments),
        in_points(int(block.margin), units),
        float(block.least_support),
    )


def certificate_of(made: Any, units: int, optimal: list[Alignment]) -> Certificate:
    """A cla_certificate as an object."""
    columns = int(made.column_count)
    far = [made.displacements[i] for i in range(made.displacement_count)]
    return Certificate(
        delta=in_points(int(made.delta), units),
        unique=bool(made.unique),
        log10_alignments=float(made.log10_alignments),
        ambiguous=int(made.ambiguous),
        margins=_points(made.margins, columns, units),
        ceilings=_points(made.ceilings, columns, units),
        supports=ffi.unpack(made.supports, columns),
        blocks=[_block(made.blocks[i], units) for i in range(made.block_count)],
        displacements={int(one.diagonals): _points(one.margins, columns, units) for one in far},
        optimal=optimal,
        optimal_all=bool(made.optimal_all),
    )
