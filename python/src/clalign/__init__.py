"""Exact pairwise alignment of long DNA and protein sequences on OpenCL devices, by the library libclalign.

    >>> import clalign
    >>> alignment = clalign.align("ACGTTGCATTACGGATCC", "TTACGTTGCATACGGATCC")
    >>> alignment.score, alignment.cigar
    (12, '8=1I9=')

`help(clalign.align)` has more; the manual is docs/python.md in clalign's source tree.
"""

from ._library import lib as _lib
from ._library import text_of as _text_of
from .aligner import Aligner, Prediction, align, align_many, explain, predict
from .alignment import Alignment, Metrics, Side, Statistics, load, plot, save, write
from .arrays import Arrays, PairResults, align_arrays, arrays_of
from .biopython import from_biopython
from .call import Progress
from .certificate import Block, Certificate
from .device import Device, DeviceInfo, default_device, devices
from .errors import (
    DeviceError,
    Error,
    InputError,
    Interrupted,
    MemoryBudgetError,
    OptionError,
    OutputError,
    VerificationError,
)
from .genomes import Comparison, Lift, LiftCounts, Lifted, compare
from .path import PAIR, QUERY, TARGET, Path, Run, Runs
from .records import Audited, FillCounts, Filled, Loss, audit, fill
from .scoring import Scoring
from .sequence import Sequence
from .views import table

__version__: str = _text_of(_lib.cla_version())
"""The version of the library that is loaded."""

__all__ = [
    "PAIR",
    "QUERY",
    "TARGET",
    "Aligner",
    "Alignment",
    "Arrays",
    "Audited",
    "Block",
    "Certificate",
    "Comparison",
    "Device",
    "DeviceError",
    "DeviceInfo",
    "Error",
    "FillCounts",
    "Filled",
    "InputError",
    "Interrupted",
    "Lift",
    "LiftCounts",
    "Lifted",
    "Loss",
    "MemoryBudgetError",
    "Metrics",
    "OptionError",
    "OutputError",
    "PairResults",
    "Path",
    "Prediction",
    "Progress",
    "Run",
    "Runs",
    "Scoring",
    "Sequence",
    "Side",
    "Statistics",
    "VerificationError",
    "align",
    "align_arrays",
    "align_many",
    "arrays_of",
    "audit",
    "compare",
    "default_device",
    "devices",
    "explain",
    "fill",
    "from_biopython",
    "load",
    "plot",
    "predict",
    "save",
    "table",
    "write",
]
