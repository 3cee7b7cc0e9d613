"""Sequences from memory and from files."""

import gzip
from pathlib import Path

import pytest

import clalign

FASTA = ">first one\nACGTTGCATTACGG\n>second\nTTACGTTGCATACGGATCC\n"


def test_letters() -> None:
    sequence = clalign.Sequence("acgun", "x")
    assert (str(sequence), sequence.name, sequence.alphabet, len(sequence)) == ("ACGTN", "x", "DNA", 5)
    assert sequence.letters(1, 3) == "CG" and sequence.letters(-2) == "TN" and sequence.letters(4, 2) == ""
    assert clalign.Sequence(b"ACGTN").checksum == sequence.checksum
    assert clalign.Sequence("ACG", alphabet="protein").alphabet == "protein"
    assert clalign.Sequence("QQ", own_letters="QZ").alphabet == "own letters"


def test_a_name_is_never_cut() -> None:
    with pytest.raises(ValueError, match="NUL"):
        clalign.Sequence("ACGT", "before\0behind")
    with pytest.raises(ValueError, match="NUL"):
        clalign.Sequence.read("a.fa\0:1-2")


def test_files(tmp_path: Path) -> None:
    plain, packed = tmp_path / "a.fa", tmp_path / "b.fa.gz"
    plain.write_text(FASTA)
    packed.write_bytes(gzip.compress(FASTA.encode()))
    first = clalign.Sequence.read(f"{plain}:first")
    assert (first.name, first.location, len(first)) == ("first", f"{plain}:first", 14)
    part = clalign.Sequence.read(f"{packed}:second:3-10")
    assert (part.begin, part.end, len(part)) == (2, 10, 19)
    with pytest.raises(clalign.InputError, match="several|2 records|records"):
        clalign.Sequence.read(plain)
    alignment = clalign.align(Path(f"{plain}:first"), Path(f"{packed}:second"))
    assert alignment is not None
    assert alignment.query.name == "first" and alignment.score == 9


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(clalign.InputError, match="nothing.fa") as caught:
        clalign.align(tmp_path / "nothing.fa", "ACGT")
    assert caught.value.status == "input"


def test_a_file_name_is_no_letters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "chr1").write_text(FASTA)
    for name in ("x.fa.gz", "genomes/ecoli", "X.FASTQ", "ref.fa:chr1:1-1000", "chr1", "chr1:second", b"x.fna"):
        for pair in ((name, "ACGT"), ("ACGT", name)):
            with pytest.raises(clalign.InputError, match=r"pathlib\.Path\(") as caught:
                clalign.align(*pair)
            assert caught.value.status == "input"
    with pytest.raises(clalign.InputError, match="Path"):
        clalign.align_many([("ACGT", "ACGT"), ("ACGT", "x.fa")])
    for letters in ("ACGT.", "AC-GT", "chr2", "ACGT/\n", "ACGT5" * 5000):
        with pytest.raises(clalign.InputError) as caught:
            clalign.align(letters, "ACGT")
        assert "Path" not in str(caught.value)


def test_names_beyond_ascii(tmp_path: Path) -> None:
    file = tmp_path / "fünf \"quoted\" 'names'.fa"
    file.write_text(">é\nACGT\n", encoding="utf-8")
    sequence = clalign.Sequence.read(file)
    assert sequence.name == "é" and sequence.location == str(file)
