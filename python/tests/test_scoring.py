"""Score schemes."""

from pathlib import Path

import pytest

import clalign


def test_defaults() -> None:
    scoring = clalign.Scoring()
    assert (scoring.match, scoring.mismatch, scoring.gap_first, scoring.gap_ext) == (1, -3, 5, 2)
    assert scoring.gap_first2 is None and scoring.matrix_name is None and scoring.units == 1


def test_the_ncbi_form() -> None:
    scoring = clalign.Scoring(gap_open=10, gap_extend=0.5)
    assert (scoring.gap_first, scoring.gap_ext) == (10.5, 0.5)
    assert scoring == clalign.Scoring(gap_first=10.5, gap_ext=0.5)


def test_two_pieces() -> None:
    scoring = clalign.Scoring(gap_first2=24, gap_ext2=1)
    assert (scoring.gap_first2, scoring.gap_ext2) == (24, 1)


def test_matrices_by_name() -> None:
    scoring = clalign.Scoring(matrix="ednafull")
    assert (scoring.matrix_name, scoring.gap_first, scoring.gap_ext) == ("EDNAFULL", 10, 0.5)
    assert scoring.alphabet() == ("dna", None)
    assert clalign.Scoring(matrix="BLOSUM45", gap_first=14).gap_first == 14
    with pytest.raises(clalign.InputError):
        clalign.Scoring(matrix="BLOSUM1")


def test_matrices_from_files(tmp_path: Path) -> None:
    file = tmp_path / "own.txt"
    file.write_text("   X  Y\nX  4 -1\nY -1  2\n")
    scoring = clalign.Scoring(matrix=file, gap_first=3, gap_ext=1)
    assert scoring.letters == "XY"
    alignment = clalign.align("XXYX", "XYX", mode="global", scoring=scoring)
    assert alignment is not None and alignment.score == 4 + 2 + 4 - 3
    file.write_text("   X  Y\nX  4 -1\nY -2  2\n")
    with pytest.raises(clalign.InputError):
        clalign.Scoring(matrix=file)
    asymmetric = clalign.Scoring(matrix=file, asymmetric=True)
    found = clalign.align("X", "Y", mode="global", scoring=asymmetric)
    turned = clalign.align("Y", "X", mode="global", scoring=asymmetric)
    assert found is not None and turned is not None and (found.score, turned.score) == (-1, -2)


def test_matrices_by_pairs() -> None:
    pairs = {("A", "A"): 2, ("A", "B"): -1.5, ("B", "A"): -1.5, ("B", "B"): 3}
    scoring = clalign.Scoring(matrix=pairs, gap_first=4, gap_ext=1)
    alignment = clalign.align("ABBA", "ABAA", mode="global", scoring=scoring)
    assert alignment is not None and alignment.score == 2 + 3 - 1.5 + 2
    with pytest.raises(clalign.OptionError, match="gap costs"):
        clalign.Scoring(matrix=pairs)
    del pairs["B", "A"]
    with pytest.raises(clalign.OptionError, match="B and A"):
        clalign.Scoring(matrix=pairs, gap_first=4, gap_ext=1)


@pytest.mark.parametrize(
    "wrong",
    [
        {"match": -1},
        {"mismatch": 1},
        {"gap_first": 1, "gap_ext": 2},
        {"gap_open": 3},
        {"gap_open": 3, "gap_extend": 1, "gap_first": 4},
        {"match": 0.0001},
        {"match": float("nan")},
        {"match": 10**7},
        {"match": 1, "matrix": "BLOSUM62"},
        {"ambiguity": "maybe"},
        {"gap_first2": 4},
    ],
)
def test_schemes_that_cannot_be(wrong: dict[str, object]) -> None:
    with pytest.raises(clalign.OptionError):
        clalign.Scoring(**wrong)


def test_presets() -> None:
    genome = clalign.Scoring(preset="genome")
    assert (genome.match, genome.mismatch, genome.gap_first, genome.gap_ext) == (1, -3, 7, 2)
    assert (genome.gap_first2, genome.gap_ext2, genome.mode) == (40, 0, None)
    assert genome.alphabet() == ("dna", None)
    assert clalign.Scoring(preset="genome", gap_open=6, gap_extend=1).gap_first == 7
    assert clalign.Scoring(preset="blastp").matrix_name == "BLOSUM62"
    assert clalign.Scoring(preset="needle").alphabet() == (None, None)
    assert clalign.Scoring(preset="needle", match=5, mismatch=-4).matrix_name is None
    assert clalign.Scoring(preset="blastp", matrix="BLOSUM80").gap_first == 12
    with pytest.raises(clalign.OptionError, match="there are genome, strain"):
        clalign.Scoring(preset="genomes")
    with pytest.raises(clalign.OptionError, match="together"):
        clalign.Scoring(preset="needle", match=5)


def test_presets_follow_the_letters() -> None:
    dna = clalign.align("ACGTTGCATT", "ACGTAGCATT", preset="needle")
    protein = clalign.align("MKVLEWHH", "MRVLEWHH", preset="needle")
    assert dna is not None and protein is not None
    assert (dna.mode, protein.mode) == ("overlap", "overlap")
    assert (dna.scoring.matrix_name, protein.scoring.matrix_name) == ("EDNAFULL", "EBLOSUM62")
    local = clalign.align("ACGTTGCATT", "ACGTAGCATT", preset="needle", mode="global")
    assert local is not None and local.mode == "global"
    with pytest.raises(clalign.OptionError, match="genome"):
        clalign.align("MKVLEW", "MRVLEW", preset="genome", alphabet="protein")
    with pytest.raises(clalign.OptionError, match="preset"):
        clalign.align("ACGT", "ACGT", preset="genome", scoring=clalign.Scoring())
