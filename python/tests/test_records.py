"""Records of another aligner: audited, and filled."""

import pathlib

import pytest
from conftest import letters, reverse_complement

import clalign

TARGET = letters(5, 4000)
# Each 20th letter is another one, and letters 1500 to 2300 are turned around.
QUERY = "".join({"A": "C", "C": "G", "G": "T", "T": "A"}[one] if at % 20 == 7 else one for at, one in enumerate(TARGET))
QUERY = QUERY[:1500] + reverse_complement(QUERY[1500:2300]) + QUERY[2300:]
SIDES = clalign.Sequence(QUERY, "q"), clalign.Sequence(TARGET, "t")


def paf(query: tuple[int, int], target: tuple[int, int], cigar: str, strand: str = "+") -> str:
    return f"q\t4000\t{query[0]}\t{query[1]}\t{strand}\tt\t4000\t{target[0]}\t{target[1]}\t1\t1\t60\tcg:Z:{cigar}\n"


def score_of(matches: int, mismatches: int, gaps: int = 0) -> int:
    return matches - 3 * mismatches - gaps


@pytest.fixture
def records(tmp_path: pathlib.Path) -> pathlib.Path:
    path = tmp_path / "x.paf"
    path.write_text(
        paf((100, 1000), (100, 1000), "900M")
        + paf((950, 1400), (950, 1400), "450M")
        + paf((1520, 2280), (1520, 2280), "760M", "-")
        + paf((2400, 3000), (2400, 3000), "300M1I1D299M")
        + paf((3000, 3100), (3000, 3099), "100M")
    )
    return path


def test_audit(records: pathlib.Path) -> None:
    found = clalign.audit(records, *SIDES)
    assert [one.number for one in found] == [1, 2, 3, 4, 5]
    assert [one.strand for one in found] == ["forward", "forward", "reverse", "forward", "forward"]
    assert found[0].score == score_of(855, 45) and found[0].lost == 0 and found[0].losses == []
    assert found[3].query_range == (2400, 3000) and found[3].score == score_of(569, 30, 10)
    assert found[3].lost == sum(loss.optimal_score - loss.score for loss in found[3].losses) == 11
    assert "99" in str(found[4].wrong) and found[4].score == 0
    best = clalign.align(QUERY[2400:3000], TARGET[2400:3000], mode="global")
    assert best is not None and best.score == found[3].optimal_score


def test_fill(records: pathlib.Path) -> None:
    found = clalign.fill(records, *SIDES)
    assert found.read == 5 and len(found.wrong) == 1 and "record 5" in found.wrong[0]
    assert sum(one.score for one in found.alignments) == found.score
    for one in found.alignments:
        one.verify()
    # The last 50 letters of the first record are the second one's, too: 47 or 48 matches.
    overlap = sum(1 if QUERY[at] == TARGET[at] else -3 for at in range(950, 1000))
    assert found.score_overlaps == overlap
    assert found.gained == found.score - found.score_read + overlap
    # Nothing is left out: the parts have all that was gained, as no neighbours have a lone gap between them.
    assert found.gained == sum(counts.gained for counts in found.parts.values())
    assert found.parts["ends"].parts > 0 and found.parts["again"].parts == 0
    assert {one.strand for one in found.alignments} == {"forward", "reverse"}


def test_fill_of_an_inversion(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "x.paf"
    path.write_text(paf((100, 1400), (100, 1400), "1300M") + paf((2400, 3000), (2400, 3000), "300M1I1D299M"))
    found = clalign.fill(path, *SIDES, extend=0, realign=True)
    turned = next(one for one in found.alignments if one.strand == "reverse")
    assert turned.query.start == pytest.approx(1500, abs=3) and turned.query.stop == pytest.approx(2300, abs=3)
    assert found.parts["turned"].parts == 1 and found.parts["again"].gained > 0 and found.chains == 1
    assert len(clalign.fill(path, *SIDES, one_strand=True).alignments) == 1
    assert len(clalign.fill(path, *SIDES, min_score=5000).alignments) == 1
    assert len(clalign.fill(path, *SIDES, interval=100).alignments) == 2


def test_files_and_proteins(tmp_path: pathlib.Path, records: pathlib.Path) -> None:
    for name, sequence in zip(("q", "t"), SIDES):
        (tmp_path / f"{name}.fa").write_text(f">{name}\n{sequence}\n")
    files = tmp_path / "q.fa", tmp_path / "t.fa"
    assert clalign.audit(records, *files) == clalign.audit(records, *SIDES)
    path = tmp_path / "p.paf"
    path.write_text("q\t12\t0\t12\t+\tt\t11\t0\t11\t1\t1\t60\tcg:Z:6M1I5M\n")
    one = clalign.Sequence("MKVLAWQWRTYW", "q"), clalign.Sequence("MKVLAWWRTYW", "t")
    found = clalign.audit(path, *one, alphabet="protein")
    best = clalign.align(*one, mode="global")
    assert best is not None and found[0].optimal_score == best.score


def test_wrong_files(tmp_path: pathlib.Path) -> None:
    with pytest.raises(clalign.InputError, match="gone"):
        clalign.audit("gone.paf", *SIDES)
    path = tmp_path / "x.paf"
    path.write_text(paf((0, 10), (0, 10), "10M"))
    assert "no query is called 'q'" in str(clalign.audit(path, "ACGTACGTACGT", SIDES[1])[0].wrong)
    with pytest.raises(clalign.InputError, match="two records of the target are called 't'"):
        clalign.audit(path, SIDES[0], [SIDES[1], SIDES[1]])
    with pytest.raises(clalign.OptionError, match="0 letters or more"):
        clalign.fill(path, *SIDES, extend=-1)
