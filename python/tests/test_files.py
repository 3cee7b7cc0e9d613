"""Writing and saving."""

import copy
import gzip
import io
import json
import pickle
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


def test_the_name_tells_the_format(tmp_path: Path) -> None:
    alignment = clalign.align("ACGTTGCATTACGGATCCATGACC", "ACGTTGCATTACGGTTCCATGACC", mode="global")
    begins = {"x.vcf": "##fileformat=VCF", "x.vcf.gz": "##fileformat=VCF", "x.PAF": "query", "x.sam": "@HD", "x.json": "{"}
    for name, begin in begins.items():
        for file in (tmp_path / name, str(tmp_path / name)):
            alignment.write(file)
            packed = Path(file).read_bytes()
            text = gzip.decompress(packed) if name.endswith(".gz") else packed
            assert text.decode().startswith(begin)
    clalign.write([alignment], tmp_path / "y.bgz", "paf")
    assert gzip.decompress((tmp_path / "y.bgz").read_bytes()).startswith(b"query")
    alignment.write(tmp_path / "x")
    assert (tmp_path / "x").read_text().startswith("####")
    for name in ("x.xyz", "x.json.old"):
        with pytest.raises(ValueError, match="vcf"):
            alignment.write(tmp_path / name)
    with pytest.raises(clalign.OptionError, match="compressed"):
        alignment.write(tmp_path / "x.bam.gz")


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


@pytest.mark.parametrize("options", [{}, {"mode": "global", "strand": "reverse", "match": 1.5}, {"score_only": True}])
def test_pickled_and_copied(tmp_path: Path, options: dict[str, object]) -> None:
    file = tmp_path / "a.fa"
    file.write_text(">one\nAAACGTTGCATTACGGATCCTT\n>two\nTTACGTTGCATACGGATCC\n")
    alignment = clalign.align(Path(f"{file}:one:3-20"), Path(f"{file}:two"), **options)
    assert alignment is not None
    file.unlink()
    for trip in (lambda one: pickle.loads(pickle.dumps(one)), copy.copy, copy.deepcopy):
        other = trip(alignment)
        assert other is not alignment and other == alignment and hash(other) == hash(alignment)
        assert (other.query, other.target, other.scoring) == (alignment.query, alignment.target, alignment.scoring)
        assert other.sequences() == alignment.sequences() and other.metrics == alignment.metrics
        other.verify()
        assert other.text("json") == alignment.text("json")
    bare = alignment.with_sequences(*alignment.sequences())
    assert bare == alignment


def test_what_differs_is_unequal() -> None:
    alignment = made()
    query, target = (str(one) for one in alignment.sequences())
    assert alignment == made() and alignment == clalign.align(query, target, special_rows=3)
    assert alignment != clalign.align(query, target, mode="global")
    assert alignment != clalign.align(query, target, mismatch=-4)
    assert alignment != clalign.align(clalign.Sequence(query, "other"), target)
    # Of unaligned letters, too.
    assert alignment != clalign.align(query, "GG" + target[2:])
    assert alignment != alignment.score and len({alignment, made()}) == 1
    placed = [clalign.align("ACGGGT", "ACGGT", mode="global", gap_placement=where) for where in ("left", "right")]
    assert placed[0] != placed[1] and placed[0].score == placed[1].score


def test_what_an_alignment_has_is_pickled() -> None:
    found = clalign.align("ACGTTGCATTACGGATCC", "TTACGTTGCATACGGATCC", keep_work=True, device=clalign.default_device())
    assert found is not None
    again = pickle.loads(pickle.dumps(found))
    assert again.to_bytes("paf") == found.to_bytes("paf")
    drawn, drawn_again = io.BytesIO(), io.BytesIO()
    found.plot(drawn, format="svg", work=True)
    again.plot(drawn_again, format="svg", work=True)
    assert drawn_again.getvalue() == drawn.getvalue()
    preset = clalign.Scoring(preset="genome", mismatch=-4)
    own = clalign.Sequence("QQZ", "own", own_letters="QZ")
    empty = clalign.Sequence("", "none", allow_empty=True)
    protein = clalign.Sequence("ACGT", alphabet="protein")
    for one in (found.runs, found.path, clalign.Path(0, 0, []), preset, found.scoring, own, empty, protein):
        assert pickle.loads(pickle.dumps(one)) == one and copy.deepcopy(one) == one and copy.copy(one) == one
    assert pickle.loads(pickle.dumps(preset)).for_alphabet(0) == preset.for_alphabet(0)
    aligner = pickle.loads(pickle.dumps(clalign.Aligner(mode="global", preset="needle")))
    assert aligner.align("ACGT", "ACT") == clalign.align("ACGT", "ACT", mode="global", preset="needle")
    with pytest.raises(TypeError, match="process"):
        pickle.dumps(clalign.default_device())
