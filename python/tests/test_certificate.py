"""Certificates: margins, blocks and numbers of best alignments."""

import math
import random

import pytest
from conftest import letters, related

import clalign

QUERY = "ACGTTTACGATTACACCCCCAGATTGCATTGACCACTGATGCTGCAGGCTTAGCATG"
TARGET = "ACGTTTTTACGATTACACCCCAGATTGCATTGACCGTCTGATGCTACAGGCTTAGCATG"


def test_the_documented_pair() -> None:
    certificate = clalign.align(QUERY, TARGET, mode="global").certify(optimal=50)
    assert not certificate.unique
    assert round(certificate.alignments) == 40
    assert [(block.kind, block.target, block.query) for block in certificate.blocks] == [
        ("shift", (3, 8), (3, 6)),
        ("shift", (17, 21), (15, 20)),
        ("alternative", (35, 37), (34, 35)),
    ]
    assert [round(10**block.log10_alignments) for block in certificate.blocks] == [4, 5, 2]
    assert len(certificate.optimal) == 40 and certificate.optimal_all
    assert len({alignment.cigar for alignment in certificate.optimal}) == 40
    assert all(alignment.score == certificate.optimal[0].score for alignment in certificate.optimal)


def shares(alignments: list[clalign.Alignment], column: tuple[int, int, int]) -> float:
    return sum(column in columns(one) for one in alignments) / len(alignments)


def columns(alignment: clalign.Alignment) -> list[tuple[int, int, int]]:
    """Kind, and letters before the column's end."""
    row, column = alignment.query.start, alignment.target.start
    listed = []
    for length, kind in alignment.runs:
        for _ in range(length):
            row += kind != clalign.TARGET
            column += kind != clalign.QUERY
            listed.append((kind, row, column))
    return listed


@pytest.mark.parametrize("seed", range(6))
def test_margins_and_supports_are_those_of_all_best_alignments(seed: int) -> None:
    query, target = related(seed, 60)
    alignment = clalign.align(query, target, mode="global", match=1, mismatch=-1, gap_open=1, gap_extend=1)
    certificate = alignment.certify(optimal=60_000)
    assert certificate.optimal_all
    assert len(certificate.optimal) == round(certificate.alignments)
    own = columns(alignment)
    assert len(own) == len(certificate.margins) == len(certificate.supports) == len(certificate.ceilings)
    for column, margin, support in zip(own, certificate.margins, certificate.supports):
        share = shares(certificate.optimal, column)
        assert (margin == 0) == (share < 1)
        assert math.isclose(support, share, rel_tol=1e-5)
    assert certificate.ambiguous == certificate.margins.count(0)


def test_points_are_those_of_the_scheme() -> None:
    whole = clalign.align(QUERY, TARGET, mode="global").certify()
    halves = clalign.align(
        QUERY, TARGET, mode="global", scoring=clalign.Scoring(match=0.5, mismatch=-1.5, gap_first=2.5, gap_ext=1)
    ).certify()
    assert [2 * margin for margin in halves.margins] == whole.margins
    assert halves.delta * 2 == whole.delta


def test_displacements_and_a_small_delta() -> None:
    alignment = clalign.align(QUERY, TARGET, mode="global")
    certificate = alignment.certify(60, displacements=[3])
    assert min(certificate.displacements[3]) == 13
    few = alignment.certify(2)
    assert few.delta == 2 and max(few.margins) == 3


def test_what_has_no_certificate() -> None:
    with pytest.raises(clalign.OptionError):
        clalign.align(QUERY, TARGET, band=30).certify()
    with pytest.raises(clalign.OptionError):
        clalign.align(QUERY, TARGET, score_only=True).certify()
    source = random.Random(1)
    letters_of = letters(source.randrange(100), 300)
    worse = clalign.align(letters_of, letters_of[:150] + letters_of[160:], mode="global", band=290)
    with pytest.raises(clalign.Error):
        worse.certify()
