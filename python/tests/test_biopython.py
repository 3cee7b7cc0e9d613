"""To Biopython and back."""

import pytest
from conftest import related, reverse_complement

import clalign

pytest.importorskip("Bio.Align")
from Bio.Align import PairwiseAligner  # noqa: E402
from Bio.Seq import Seq  # noqa: E402
from Bio.SeqRecord import SeqRecord  # noqa: E402


def columns(alignment: object) -> list[tuple[str, str]]:
    """Pairs of letters, target first, with - for gaps."""
    target, query = alignment[0], alignment[1]  # type: ignore[index]
    return list(zip(target, query))


@pytest.mark.parametrize("mode", ["local", "global"])
@pytest.mark.parametrize("reverse", [False, True])
def test_there_and_back(mode: str, reverse: bool) -> None:
    query, target = related(3, 150)
    alignment = clalign.align(
        reverse_complement(query) if reverse else query,
        target,
        mode=mode,
        strand="reverse" if reverse else "forward",
    )
    assert alignment is not None
    theirs = alignment.to_biopython()
    assert theirs.score == alignment.score
    assert [record.id for record in theirs.sequences] == ["target", "query"]
    pairs = columns(theirs)
    statistics = alignment.statistics
    assert len(pairs) == statistics.columns
    assert sum(a == b for a, b in pairs) == statistics.matches
    assert sum("-" in pair for pair in pairs) == statistics.gap_letters
    assert clalign.from_biopython(theirs) == alignment.path


def test_an_alignment_of_biopythons_as_lower_bound() -> None:
    query, target = related(4, 200)
    aligner = PairwiseAligner(mode="local", match_score=1, mismatch_score=-3, open_gap_score=-5, extend_gap_score=-2)
    theirs = aligner.align(target, query)[0]
    path = clalign.from_biopython(theirs)
    assert path.strand == "forward"
    assert path.score(clalign.Sequence(query), clalign.Sequence(target)) == theirs.score
    alignment = clalign.align(query, target, lower_bound=path)
    assert alignment is not None and alignment.score == theirs.score


def test_objects_of_biopython_are_sequences() -> None:
    record = SeqRecord(Seq("ACGTTGCA"), id="name", description="")
    alignment = clalign.align(record, Seq("ACGTTGCA"))
    assert alignment is not None
    assert (alignment.query.name, alignment.target.name, alignment.score) == ("name", "target", 8)
