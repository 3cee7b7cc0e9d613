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


def _find_preset(name: str) -> Any:
    """The cla_preset of that name."""
    names = []
    for index in range(1000):
        preset = lib.cla_preset_describe(index)
        if not preset:
            break
        names.append(text_of(preset.name))
        if names[-1] == name:
            return preset
    raise option_error(f"no preset is called {name!r}; there are {', '.join(names)}")


class Scoring:
    """A score scheme; what is not given is the default: match 1, mismatch -3, gap_first 5, gap_ext 2, or the gap costs
    that go with a matrix. With gap costs alone proteins score by BLOSUM62.

    >>> import clalign
    >>> clalign.Scoring(match=2, mismatch=-3, gap_open=5, gap_extend=2)
    <clalign.Scoring match=2, mismatch=-3, gap_first=7, gap_ext=2>
    >>> clalign.Scoring(matrix="BLOSUM80")
    <clalign.Scoring matrix=BLOSUM80, gap_first=17, gap_ext=2>

    A preset is a scheme by name (docs/presets.md), which the other values change:

    >>> clalign.Scoring(preset="blastn")
    <clalign.Scoring match=2, mismatch=-3, gap_first=7, gap_ext=2>
    >>> clalign.Scoring(preset="genome", mismatch=-4)
    <clalign.Scoring match=1, mismatch=-4, gap_first=7, gap_ext=2, gap_first2=40, gap_ext2=0>

    A gap of k letters costs gap_first + (k - 1) * gap_ext, and with gap_first2 and gap_ext2 the less of that and
    gap_first2 + (k - 1) * gap_ext2. `gap_open` and `gap_extend` are the NCBI form: open + k * extend. Scores may have
    three decimals; they are computed exactly.
    """

    _wanted: int | None = None  # the alphabet for which a preset is taken; None: DNA if it has scores for that

    def __init__(
        self,
        *,
        preset: str | None = None,
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
        # What makes the scheme anew for letters of another kind, where it follows the letters.
        self._again: dict[str, Any] | None = None
        self._preset: Any = None  # the cla_preset
        self._alphabet = lib.CLA_ALPHABET_DNA  # for which the preset's scheme is
        self._scoring = ffi.new("cla_scoring *")
        lib.cla_scoring_init(self._scoring)
        if (gap_open is None) != (gap_extend is None):
            raise option_error("gap_open and gap_extend go together; give both")
        if gap_open is not None and gap_extend is not None:
            if gap_first is not None or gap_ext is not None:
                raise option_error("gap_first and gap_ext say the same as gap_open and gap_extend; leave one form out")
            gap_first, gap_ext = Decimal(str(gap_open)) + Decimal(str(gap_extend)), gap_extend
        if matrix is not None and (match is not None or mismatch is not None):
            raise option_error("match and mismatch are scores without a matrix; leave them or the matrix out")
        given = (match, mismatch, gap_first, gap_ext, gap_first2, gap_ext2)
        costs = {name: value for name, value in zip(_COSTS, given) if value is not None}
        if preset is not None:
            self._preset = _find_preset(preset)
            if not self._preset.dna:
                self._alphabet = lib.CLA_ALPHABET_PROTEIN
            self._again = {**costs, "preset": preset, "matrix": matrix, "asymmetric": asymmetric, "ambiguity": ambiguity}
            costs = self._take_preset(costs, matrix is not None)
        if matrix is not None:
            self._set_matrix(matrix, asymmetric, "gap_first" in costs and "gap_ext" in costs)
        if ambiguity not in _AMBIGUITIES:
            raise option_error(f"the ambiguity {ambiguity!r} is unknown; use mismatch, neutral or expected")
        self._scoring.ambiguity = _AMBIGUITIES[ambiguity]
        self._set_costs(costs)
        if preset is None and matrix is None and match is None and mismatch is None and ambiguity == "mismatch":
            self._again = costs
        call(lib.cla_scoring_check, self._scoring)

    @classmethod
    def of(cls, pointer: Any) -> Scoring:
        """A copy of a cla_scoring."""
        scoring = cls.__new__(cls)
        scoring._again = scoring._preset = None
        scoring._alphabet = lib.CLA_ALPHABET_DNA
        scoring._scoring = ffi.new("cla_scoring *", pointer[0])
        return scoring

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle: the scheme, and what it follows the letters by."""
        preset = text_of(self._preset.name) if self._preset is not None else None
        follows = self._again, preset, self._alphabet, self._wanted
        return _restored, (bytes(ffi.buffer(self._scoring)), *follows)

    def for_alphabet(self, alphabet: int) -> Scoring:
        """The scheme for sequences of an alphabet (CLA_ALPHABET_...), which it follows where gap costs alone are given."""
        if self._preset is not None:
            return self if alphabet == self._alphabet else self._preset_for(alphabet)
        if self._again is None or alphabet != lib.CLA_ALPHABET_PROTEIN:
            return self
        return Scoring(matrix=Scoring.default_for(alphabet).matrix_name, **self._again)

    def _preset_for(self, alphabet: int) -> Scoring:
        made = Scoring.__new__(Scoring)
        made._wanted = alphabet
        Scoring.__init__(made, **(self._again or {}))
        return made

    def _take_preset(self, costs: dict[str, Score], matrix: bool) -> dict[str, Score]:
        """Takes the preset's scheme, or its gap costs alone, which are added to those given."""
        scheme = ffi.new("cla_scoring *")
        if self._wanted is not None:
            self._alphabet = self._wanted
        call(lib.cla_scoring_init_preset, scheme, self._preset.name, self._alphabet)
        both = "match" in costs and "mismatch" in costs
        if scheme.matrix_size and not both and ("match" in costs or "mismatch" in costs):
            raise option_error("the preset's scores are a matrix; give match and mismatch together, or neither")
        if not matrix and not (both and scheme.matrix_size):
            self._scoring[0] = scheme[0]
            return costs
        units = max(int(scheme.units), 1)
        own = {name: in_points(int(getattr(scheme, name)), units) for name in _COSTS[2:]}
        return {name: value for name, value in own.items() if value or "2" not in name} | costs

    @property
    def mode(self) -> str | None:
        """How the preset aligns; None if nothing is said of that."""
        preset = self._preset
        return text_of(lib.cla_mode_name(preset.mode)) if preset is not None and preset.has_mode else None

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
        preset = self._preset
        if preset is not None and self._again and self._again["matrix"] is None:
            return (None, None) if preset.dna and preset.protein else ("dna" if preset.dna else "protein", None)
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


def _restored(
    content: bytes, again: dict[str, Any] | None, preset: str | None, alphabet: int, wanted: int | None
) -> Scoring:
    """A scheme that was pickled."""
    if len(content) != ffi.sizeof("cla_scoring"):
        raise option_error("the scheme was pickled by another version of clalign; make it anew")
    pointer = ffi.new("cla_scoring *")
    ffi.memmove(pointer, content, len(content))
    scoring = Scoring.of(pointer)
    scoring._again, scoring._alphabet, scoring._wanted = again, alphabet, wanted
    scoring._preset = _find_preset(preset) if preset is not None else None
    call(lib.cla_scoring_check, scoring._scoring)
    return scoring
