"""Writing and saving."""

import json
from pathlib import Path

import pytest

import clalign


def made() -> clalign.Alignment:
    alignment = clalign.align("ACGTTGCATTACGGATCC", "TTACGTTGCATACGGATCC")
    assert alignment is not None
    return alignment


def test_formats(tmp_path: Path) -> None:
    alignment = made()
    assert json.loads(alignment.text("json"))["score"] == 12
    assert alignment.text("paf").split("\t")[:4] == ["query", "18", "0", "18"]
    assert alignment.to_bytes("bam").startswith(b"\x1f\x8b")
    file = tmp_path / "a.sam"
    alignment.write(file, "sam", command="a test")
    assert "CL:a test" in file.read_text()
    with pytest.raises(clalign.OptionError, match="format|formats"):
        alignment.text("word")
    with pytest.raises(clalign.OutputError) as caught:
        alignment.write(tmp_path / "none" / "a", "paf")
    assert isinstance(caught.value, OSError)


def test_saved_and_loaded(tmp_path: Path) -> None:
    alignment, file = made(), tmp_path / "a.cla"
    alignment.save(file)
    (bare,) = clalign.load(file)
    assert bare.path == alignment.path and bare.score == 12
    with pytest.raises(clalign.OptionError, match="with_sequences"):
        bare.text("paf")
    query, target = alignment.sequences()
    assert bare.with_sequences(query, target).text("paf") == alignment.text("paf")
    (whole,) = clalign.load(file, query, target)
    assert whole.statistics == alignment.statistics
    with pytest.raises(clalign.VerificationError):
        clalign.load(file, target, query)
    file.write_bytes(file.read_bytes()[:-3])
    with pytest.raises(clalign.InputError, match="a.cla"):
        clalign.load(file)


def test_several_in_one_file(tmp_path: Path) -> None:
    found = clalign.Aligner().align_several("ACGTTGCATTACGG", "ACGTTGCATTACGGACGTTGCATTCGG", 2)
    clalign.save(found, tmp_path / "two.cla")
    clalign.write(found, tmp_path / "two.paf", "paf")
    assert [one.score for one in clalign.load(tmp_path / "two.cla")] == [14, 10]
    assert len((tmp_path / "two.paf").read_text().splitlines()) == 2
    with pytest.raises(clalign.OptionError):
        clalign.write([], tmp_path / "none.paf", "paf")


def test_a_run_directory(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    begun = clalign.align("ACGTTGCATTACGG", "ACGTTGCATTCGG", run_dir=folder)
    resumed = clalign.align("ACGTTGCATTACGG", "ACGTTGCATTCGG", run_dir=folder, resume=True)
    assert begun is not None and resumed is not None and resumed.path == begun.path
    with pytest.raises(clalign.OptionError):
        clalign.align("ACGTTGCATTACGG", "ACGTTGCATTCGG", run_dir=folder)
