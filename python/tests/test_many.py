"""Many pairs in one call."""

from collections.abc import Iterator

import pytest
from conftest import letters, related

import clalign


def test_each_is_as_by_itself() -> None:
    pairs = [related(seed, 40 + 30 * seed) for seed in range(12)]
    found = clalign.align_many(pairs, mode="global", match=2)
    for pair, one in zip(pairs, found, strict=True):
        alone = clalign.align(*pair, mode="global", match=2)
        assert one is not None and alone is not None
        assert one.path == alone.path and one.score == alone.score
        one.verify()


def test_pairs_are_taken_one_by_one() -> None:
    def given() -> Iterator[tuple[str, clalign.Sequence]]:
        for seed in range(3):
            yield letters(seed, 50), target

    target = clalign.Sequence(letters(0, 50), "first")
    found = clalign.Aligner(min_score=50).align_many(given())
    assert [one and one.score for one in found] == [50, None, None]
    assert found[0] is not None and found[0].target.name == "first"
    assert clalign.align_many([]) == []


def test_proteins() -> None:
    found = clalign.align_many([("MKVLEW", "MRVLEW"), ("ACGT", "ACGT")])
    assert [one and one.scoring.matrix_name for one in found] == ["BLOSUM62", "BLOSUM62"]


def test_errors_name_the_pair() -> None:
    good = ("ACGT", "ACGT")
    with pytest.raises(clalign.InputError, match="pair 2: .*position 3"):
        clalign.align_many([good, good, ("AC1T", "ACGT")])
    with pytest.raises(clalign.InputError, match="pair 0: "):
        clalign.align_many([("", "ACGT"), good])
    with pytest.raises(clalign.OptionError, match="pair 1: the query is protein"):
        clalign.align_many([good, (clalign.Sequence("MKVLEW"), "ACGT")])
    with pytest.raises(clalign.OptionError, match="run directory"):
        clalign.align_many([good], run_dir="run")


def test_an_exception_of_the_source_ends_it() -> None:
    def given() -> Iterator[tuple[str, str]]:
        yield "ACGT", "ACGT"
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        clalign.align_many(given())
