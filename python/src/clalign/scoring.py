"""Score schemes: what pairs of letters are worth and what gaps cost."""

from __future__ import annotations

import os
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Union

from ._library import bytes_of, ffi, lib, text_of
from .errors import call, option_error

# An integer, or a number of at most three decimals.
Score = Union[int, float, Decimal]
# A matrix' name, its file, or scores by pairs of letters, such as Biopython's substitution matrices are.
Matrix = Union[str, "os.PathLike[str]", Mapping[tuple[str, str], float], Any]

_AMBIGUITIES = {
    "mismatch": lib.CLA_AMBIGUITY_MISMATCH,
    "neutral": lib.CLA_AMBIGUITY_NEUTRAL,
    "expected": lib.CLA_AMBIGUITY_EXPECTED,
}
_COSTS = ("match", "mismatch", "gap_first", "gap_ext", "gap_first2", "gap_ext2")


def in_units(value: Score, units: int, what: str) -> int:
    """A score in points as an integer of units of a point."""
    # By its shortest text: 0.1 is a tenth, and not the nearest binary fraction.
    exact = Decimal(str(value)) * units
    if not exact.is_finite() or exact != exact.to_integral_value():
        raise option_error(f"{what} {value} is no multiple of 1/{units} of a point; use at most three decimals")
    return int(exact)


def in_points(value: int, units: int) -> int | float:
    """An integer of units of a point as points: an int where it is whole."""
    return value // units if value % max(units, 1) == 0 else value / units


def _set_pairs(scoring: Any, matrix: Mapping[tuple[str, str], Any]) -> None:
    """Fills in a matrix by its pairs of letters."""
    letters = getattr(matrix, "alphabet", None) or "".join(sorted({pair[0] for pair in matrix.keys()}))
    letters = "".join(letters).upper()
    if not 1 <= len(letters) <= lib.CLA_MATRIX_STRIDE:
        raise option_error(f"a matrix has 1 to {lib.CLA_MATRIX_STRIDE} letters, not {len(letters)}")
    scoring.units = lib.CLA_UNITS_LIMIT
    scoring.match = scoring.mismatch = 0
    scoring.matrix_size = len(letters)
    scoring.letters = bytes_of(letters)
    scoring.matrix_name = b""
    for row, first in enumerate(letters):
        for column, second in enumerate(letters):
            try:
                value = matrix[first, second]
            except (KeyError, IndexError):
                message = f"the matrix has no score for {first} and {second}; give one for each pair"
                raise option_error(message) from None
            scoring.matrix[row * lib.CLA_MATRIX_STRIDE + column] = _checked(
                in_units(float(value), lib.CLA_UNITS_LIMIT, f"the score of {first} and {second},"), "a score"
            )


def _checked(value: int, what: str) -> int:
    if not -(2**31) <= value < 2**31:
        raise option_error(f"{what} is beyond {lib.CLA_SCORE_LIMIT} points; use smaller scores")
    return value


class Scoring:
    """A score scheme; what is not given is the default: match 1, mismatch -3, gap_first 5, gap_ext 2, or the gap costs
    that go with a matrix. With gap costs alone proteins score by BLOSUM62.

    >>> import clalign
    >>> clalign.Scoring(match=2, mismatch=-3, gap_open=5, gap_extend=2)
    <clalign.Scoring match=2, mismatch=-3, gap_first=7, gap_ext=2>
    >>> clalign.Scoring(matrix="BLOSUM80")
    <clalign.Scoring matrix=BLOSUM80, gap_first=17, gap_ext=2>

    A gap of k letters costs gap_first + (k - 1) * gap_ext, and with gap_first2 and gap_ext2 the less of that and
    gap_first2 + (k - 1) * gap_ext2. `gap_open` and `gap_extend` are the NCBI form: open + k * extend. Scores may have
    three decimals; they are computed exactly.
    """

    def __init__(
        self,
        *,
        matrix: Matrix | None = None,
        asymmetric: bool = False,
        match: Score | None = None,
        mismatch: Score | None = None,
        gap_first: Score | None = None,
        gap_ext: Score | None = None,
        gap_open: Score | None = None,
        gap_extend: Score | None = None,
        gap_first2: Score | None = None,
        gap_ext2: Score | None = None,
        ambiguity: str = "mismatch",
    ) -> None:
        # The costs, where nothing says what pairs score: that then follows the letters.
        self._costs: dict[str, Any] | None = None
        self._scoring = ffi.new("cla_scoring *")
        lib.cla_scoring_init(self._scoring)
        if (gap_open is None) != (gap_extend is None):
            raise option_error("gap_open and gap_extend go together; give both")
        if gap_open is not None and gap_extend is not None:
            if gap_first is not None or gap_ext is not None:
                raise option_error("gap_first and gap_ext say the same as gap_open and gap_extend; leave one form out")
            gap_first, gap_ext = Decimal(str(gap_open)) + Decimal(str(gap_extend)), gap_extend
        if matrix is not None:
            if match is not None or mismatch is not None:
                raise option_error("match and mismatch are scores without a matrix; leave them or the matrix out")
            self._set_matrix(matrix, asymmetric, gap_first is not None and gap_ext is not None)
        if ambiguity not in _AMBIGUITIES:
            raise option_error(f"the ambiguity {ambiguity!r} is unknown; use mismatch, neutral or expected")
        self._scoring.ambiguity = _AMBIGUITIES[ambiguity]
        given = (match, mismatch, gap_first, gap_ext, gap_first2, gap_ext2)
        costs = {name: value for name, value in zip(_COSTS, given) if value is not None}
        self._set_costs(costs)
        if matrix is None and match is None and mismatch is None and ambiguity == "mismatch":
            self._costs = costs
        call(lib.cla_scoring_check, self._scoring)

    @classmethod
    def of(cls, pointer: Any) -> Scoring:
        """A copy of a cla_scoring."""
        scoring = cls.__new__(cls)
        scoring._costs = None
        scoring._scoring = ffi.new("cla_scoring *", pointer[0])
        return scoring

    def for_alphabet(self, alphabet: int) -> Scoring:
        """The scheme for sequences of an alphabet (CLA_ALPHABET_...), which it follows where gap costs alone are given."""
        if self._costs is None or alphabet != lib.CLA_ALPHABET_PROTEIN:
            return self
        return Scoring(matrix=Scoring.default_for(alphabet).matrix_name, **self._costs)

    @classmethod
    def default_for(cls, alphabet: int) -> Scoring:
        """The default for sequences of an alphabet (CLA_ALPHABET_...)."""
        scoring = cls()
        lib.cla_scoring_init_for(scoring._scoring, alphabet)
        return scoring

    def _set_matrix(self, matrix: Matrix, asymmetric: bool, has_costs: bool) -> None:
        if isinstance(matrix, str):
            call(lib.cla_scoring_set_matrix, self._scoring, bytes_of(matrix))
        elif isinstance(matrix, os.PathLike):
            call(lib.cla_scoring_read_matrix, self._scoring, bytes_of(matrix), asymmetric)
        elif has_costs:
            _set_pairs(self._scoring, matrix)
        else:
            raise option_error("nothing is known of this matrix' gap costs; give gap_first and gap_ext")

    def _set_costs(self, costs: dict[str, Score]) -> None:
        """Sets costs in points, in the smallest units that there are; then as few units as do."""
        call(lib.cla_scoring_set_units, self._scoring, lib.CLA_UNITS_LIMIT)
        for name, value in costs.items():
            units = in_units(value, lib.CLA_UNITS_LIMIT, name)
            setattr(self._scoring, name, _checked(units, name))
        call(lib.cla_scoring_set_units, self._scoring, 0)

    def _points(self, name: str) -> int | float:
        return in_points(int(getattr(self._scoring, name)), self.units)

    @property
    def units(self) -> int:
        """Into how many parts a point is cut: 1 where all scores are integers."""
        return max(int(self._scoring.units), 1)

    @property
    def match(self) -> int | float:
        return self._points("match")

    @property
    def mismatch(self) -> int | float:
        return self._points("mismatch")

    @property
    def gap_first(self) -> int | float:
        return self._points("gap_first")

    @property
    def gap_ext(self) -> int | float:
        return self._points("gap_ext")

    @property
    def gap_first2(self) -> int | float | None:
        """None where gaps have one piece."""
        return self._points("gap_first2") if self._scoring.gap_first2 else None

    @property
    def gap_ext2(self) -> int | float | None:
        """None where gaps have one piece."""
        return self._points("gap_ext2") if self._scoring.gap_first2 else None

    @property
    def matrix_name(self) -> str | None:
        """None without a matrix, "" if its name is not known."""
        return text_of(self._scoring.matrix_name) if self._scoring.matrix_size else None

    @property
    def letters(self) -> str | None:
        """Those of the matrix; None without one."""
        return text_of(self._scoring.letters) if self._scoring.matrix_size else None

    def alphabet(self) -> tuple[str | None, str | None]:
        """The alphabet that the matrix is for, or its own letters; None and None without one."""
        if not self._scoring.matrix_size:
            return None, None
        kind = lib.cla_scoring_alphabet(self._scoring)
        names = {lib.CLA_ALPHABET_DNA: "dna", lib.CLA_ALPHABET_PROTEIN: "protein"}
        return (names[kind], None) if kind in names else (None, self.letters)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scoring):
            return NotImplemented
        return bytes(ffi.buffer(self._scoring)) == bytes(ffi.buffer(other._scoring))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        pairs = f"match={self.match}, mismatch={self.mismatch}"
        if self.letters is not None:
            pairs = f"matrix={self.matrix_name or 'letters ' + self.letters}"
        second = f", gap_first2={self.gap_first2}, gap_ext2={self.gap_ext2}" if self.gap_first2 is not None else ""
        return f"<clalign.Scoring {pairs}, gap_first={self.gap_first}, gap_ext={self.gap_ext}{second}>"
