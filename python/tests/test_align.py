"""Alignments, against Biopython's aligner and by hand."""

import dataclasses
import inspect

import pytest
from conftest import related, reverse_complement

import clalign

SECOND = "TTACGTTGCATACGGATCC"
FIRST = "ACGTTGCATTACGGATCC"


def biopython_score(mode: str, query: str, target: str, scoring: clalign.Scoring) -> float:
    align = pytest.importorskip("Bio.Align")
    aligner = align.PairwiseAligner(mode=mode)
    aligner.match_score, aligner.mismatch_score = scoring.match, scoring.mismatch
    aligner.open_gap_score, aligner.extend_gap_score = -scoring.gap_first, -scoring.gap_ext
    return float(aligner.score(target, query))


def test_two_strings() -> None:
    alignment = clalign.align(FIRST, SECOND)
    assert alignment is not None
    assert alignment.score == 12 and isinstance(alignment.score, int)
    assert alignment.cigar == "8=1I9="
    assert (alignment.query.start, alignment.query.stop) == (0, 18)
    assert (alignment.target.start, alignment.target.stop) == (2, 19)
    assert alignment.query.name == "query" and alignment.target.length == 19
    assert list(alignment.runs) == [(8, clalign.PAIR), (1, clalign.QUERY), (9, clalign.PAIR)]
    assert alignment.statistics == (17, 0, 17, 1, 1, 18)
    assert alignment.identity == 17 / 18
    assert alignment.mode == "local" and alignment.strand == "forward" and alignment.exact
    assert alignment.metrics.cells == 18 * 19


def test_an_aligner_keeps_its_free_ends() -> None:
    ends = clalign.Aligner(free_ends=(end for end in ("query-start", "target-end")))
    first, second = ends.align("TTTACGT", "ACGTAAA"), ends.align("TTTACGT", "ACGTAAA")
    assert first is not None and second is not None
    assert first.score == second.score == 4
    assert ends == clalign.Aligner(free_ends=["query-start", "target-end"])


@pytest.mark.parametrize("mode", ["local", "global"])
@pytest.mark.parametrize("seed", range(6))
def test_scores_are_biopythons(mode: str, seed: int) -> None:
    query, target = related(seed, 60 + 40 * seed)
    scoring = clalign.Scoring(match=2, mismatch=-3, gap_first=5, gap_ext=2)
    alignment = clalign.align(query, target, mode=mode, scoring=scoring)
    assert alignment is not None
    assert alignment.score == biopython_score(mode, query, target, scoring)
    alignment.verify()


def test_scores_of_proteins_are_biopythons() -> None:
    align = pytest.importorskip("Bio.Align")
    from Bio.Align import substitution_matrices

    aligner = align.PairwiseAligner(mode="global")
    aligner.substitution_matrix = substitution_matrices.load("PAM250")
    aligner.open_gap_score, aligner.extend_gap_score = -12, -2
    query, target = "MVLSPADKTNVKAAWGKVGAHAGEYGAEAL", "MVHLTPEEKSAVTALWGKVNVDEVGGEAL"
    scoring = clalign.Scoring(matrix=aligner.substitution_matrix, gap_first=12, gap_ext=2)
    alignment = clalign.align(query, target, mode="global", scoring=scoring)
    assert alignment is not None
    assert alignment.score == aligner.score(target, query)
    by_name = clalign.Scoring(matrix="PAM250", gap_first=12, gap_ext=2)
    named = clalign.align(query, target, mode="global", scoring=by_name)
    assert named is not None and named.score == alignment.score


def test_a_protein_is_one_by_its_letters() -> None:
    alignment = clalign.align("MVLSPADKTNVKAAW", "MVLSAADKTNVKGIF")
    assert alignment is not None
    assert alignment.scoring.matrix_name == "BLOSUM62"


def test_parts_of_a_scheme() -> None:
    whole = clalign.Scoring(match=2, mismatch=-1, gap_open=3, gap_extend=1)
    parts = clalign.align(FIRST, SECOND, match=2, mismatch=-1, gap_open=3, gap_extend=1)
    assert parts is not None and parts.scoring == whole
    protein = clalign.align("MKVLEW", "MRVLEW", gap_open=9, gap_extend=2)
    assert protein is not None
    assert (protein.scoring.matrix_name, protein.scoring.gap_first, protein.score) == ("BLOSUM62", 11, 31)
    by_scheme = clalign.align("MKVLEW", "MRVLEW", scoring=clalign.Scoring(gap_open=9, gap_extend=2))
    assert by_scheme is not None and by_scheme.scoring == protein.scoring
    plain = clalign.align("MKVLEW", "MRVLEW", match=1, mismatch=-3)
    assert plain is not None and plain.score == 4
    named = clalign.align("MKVLEW", "MRVLEW", matrix="PAM30")
    assert named is not None and named.scoring.matrix_name == "PAM30"
    for wrong in ({"match": 1, "scoring": whole}, {"match": 1, "matrix": "PAM30"}, {"gap_open": 1}):
        with pytest.raises(clalign.OptionError):
            clalign.align(FIRST, SECOND, **wrong)


def test_strands() -> None:
    query, target = related(7, 200)
    forward = clalign.align(query, target)
    reverse = clalign.align(reverse_complement(query), target, strand="both")
    assert forward is not None and reverse is not None
    assert reverse.strand == "reverse" and reverse.score == forward.score
    assert reverse.cigar == forward.cigar
    assert reverse.path == clalign.Path(
        forward.path.query_start, forward.path.target_start, forward.runs, "reverse"
    )


def test_free_ends() -> None:
    whole = clalign.align("ACGT", "GGACGTGG", free_ends=["target-start", "target-end"])
    assert whole is not None and whole.mode == "semi-global" and whole.score == 4
    one = clalign.align("ACGT", "GGACGT", free_ends=["target-start"])
    assert one is not None and one.mode == "free-ends" and one.score == 4


def test_fractions_are_exact() -> None:
    scoring = clalign.Scoring(match=0.1, mismatch=-0.3, gap_first=0.5, gap_ext=0.125)
    alignment = clalign.align("ACGT" * 3, "ACGT" * 3, scoring=scoring)
    assert alignment is not None
    assert scoring.units == 40
    assert alignment.raw_score == 48 and alignment.score == 1.2


def test_a_least_score() -> None:
    assert clalign.align(FIRST, SECOND, min_score=13) is None
    found = clalign.align(FIRST, SECOND, min_score=12)
    assert found is not None and found.score == 12


def test_only_the_score() -> None:
    alignment = clalign.align(FIRST, SECOND, score_only=True)
    assert alignment is not None
    assert alignment.score == 12 and not alignment.has_path and alignment.query.start is None
    with pytest.raises(clalign.OptionError, match="score_only"):
        alignment.cigar
    with pytest.raises(clalign.OptionError, match="score_only"):
        alignment.path


def test_without_letters() -> None:
    with pytest.raises(clalign.InputError, match="no letters"):
        clalign.align("", "ACGT")
    empty = clalign.align("", "ACGT", allow_empty=True, mode="global")
    assert empty is not None and empty.cigar == "4D" and empty.score == -11
    nothing = clalign.align("", "", allow_empty=True)
    assert nothing is not None and nothing.cigar == "" and nothing.score == 0


def test_a_band_is_not_exact() -> None:
    alignment = clalign.align(FIRST, SECOND, band=4)
    assert alignment is not None and not alignment.exact


def test_a_circle() -> None:
    plasmid = "ACGTTGCATTACGGATCCATGACC"
    alignment = clalign.align(plasmid[9:] + plasmid[:9], plasmid, circular="query", mode="global")
    assert alignment is not None
    assert alignment.score == len(plasmid) and alignment.query.rotation == len(plasmid) - 9


def test_several() -> None:
    found = clalign.Aligner().align_several("ACGTTGCATTACGG", "ACGTTGCATTACGGACGTTGCATTCGG", 2)
    assert [alignment.score for alignment in found] == [14, 10]
    for alignment in found:
        alignment.verify()
    with pytest.raises(clalign.OptionError):
        clalign.Aligner().align_several("ACGT", "ACGT", 0)


def test_gaps_left_and_right() -> None:
    alignment = clalign.align("ACAAAGT", "ACAAGT", mode="global")
    assert alignment is not None
    assert alignment.place_gaps("left").cigar == "2=1I4="
    assert alignment.place_gaps("right").cigar == "4=1I2="
    direct = clalign.align("ACAAAGT", "ACAAGT", mode="global", gap_placement="right")
    assert direct is not None and direct.cigar == "4=1I2=" and direct.gap_placement == "right"
    with pytest.raises(clalign.OptionError):
        alignment.place_gaps("up")


def test_lower_bounds() -> None:
    query, target = related(9, 3000)
    alignment = clalign.align(query, target)
    assert alignment is not None
    for bound in ("off", alignment.score, alignment.path):
        again = clalign.align(query, target, lower_bound=bound)
        assert again is not None and again.path == alignment.path
    with pytest.raises(clalign.OptionError, match="lower bound"):
        clalign.align(query, target, lower_bound=alignment.score + 1)


def test_options_that_cannot_be() -> None:
    for wrong in (
        {"mode": "lokal"},
        {"strand": "up"},
        {"circular": "both"},
        {"free_ends": ["query"]},
        {"free_ends": ["query-end"], "mode": "global"},
        {"alphabet": "rna"},
        {"gap_placement": "up"},
        {"kernel": "none"},
        {"min_score": 0.5},
    ):
        with pytest.raises(clalign.OptionError) as caught:
            clalign.align(FIRST, SECOND, **wrong)
        assert caught.value.status == "option" and isinstance(caught.value, ValueError)
    for number in (3.5, 4):
        with pytest.raises(TypeError, match="letters, a path"):
            clalign.align(number, SECOND)


def test_letters_that_cannot_be() -> None:
    with pytest.raises(clalign.InputError, match="position 3") as caught:
        clalign.align("AC1T", SECOND, alphabet="dna")
    assert caught.value.status == "input"


def test_a_part() -> None:
    query, target = related(11, 500)
    alignment = clalign.align(query, target)
    assert alignment is not None
    part = alignment.part(target=(100, 200))
    assert part is not None and part.mode == "global"
    assert part.target.start == 100 and part.target.stop == 200
    again = clalign.align(query[part.query.start : part.query.stop], target[100:200], mode="global")
    assert again is not None and again.score == part.score
    of_query = alignment.part(query=(part.query.start or 0, part.query.stop or 0))
    assert of_query is not None and of_query.path == part.path
    gap = clalign.align("ACGTACGTTTTTGCATGCAT", "ACGTACGTGCATGCAT", mode="global")
    assert gap is not None and gap.cigar == "7=4I9=" and gap.part(query=(8, 10)) is None
    for wrong in ({}, {"query": (0, 5), "target": (0, 5)}, {"query": (5, 5)}):
        with pytest.raises(clalign.OptionError):
            alignment.part(**wrong)
    with pytest.raises(clalign.InputError):
        alignment.part(query=(0, 10**6))


def test_the_plan_is_told() -> None:
    assert "vector" in clalign.Aligner(kernel="vector16").explain(FIRST, SECOND)
    assert "vector" in clalign.explain(FIRST, SECOND, kernel="vector16")
    with pytest.raises(TypeError, match="letters, a path"):
        clalign.explain(5, 6)


def test_align_takes_the_aligners_options() -> None:
    options = {field.name: field.default for field in dataclasses.fields(clalign.Aligner)}
    parameters = list(inspect.signature(clalign.align).parameters.values())[2:]
    assert {one.name: one.default for one in parameters} == options


def test_an_alignment_is_cut_into_pieces() -> None:
    query, target = related(3, 900)
    other = related(4, 300)[0]
    query = query[:300] + other + query[600:]
    aligner = clalign.Aligner(mode="global")
    whole = aligner.align(query, target)
    pieces = aligner.align_several(query, target, split=True)
    assert whole is not None and whole.split_drop is None
    assert len(pieces) == 2 and [one.score for one in pieces] == [one.score for one in whole.split()]
    assert all(one.split_drop == 60 and one.score > 60 and one.mode == "global" for one in pieces)
    assert all(0 < one.identity <= one.gap_compressed_identity <= 1 for one in pieces)
    for one in pieces:
        one.verify()
    assert len(whole.split(10)) >= 2
    assert whole.split(100000) == []
    with pytest.raises(clalign.OptionError):
        whole.split(-1)
    with pytest.raises(clalign.OptionError):
        aligner.align_several(query, target, split=-1)
    with pytest.raises(clalign.OptionError):
        aligner.align_several(query, target, 2, split=True)
    with pytest.raises(clalign.OptionError):
        clalign.Aligner(score_only=True).align_several(query, target, split=True)
