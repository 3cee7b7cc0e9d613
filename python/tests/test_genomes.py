"""Two genomes: what differs, and annotations lifted."""

import json
import pathlib

import pytest
from conftest import letters, reverse_complement

import clalign

OLD = letters(1, 9000)
# An inversion of 3000 letters, another letter, and 700 letters lost.
NEW = OLD[:2000] + reverse_complement(OLD[2000:5000]) + OLD[5000:6000] + OLD[6700:]
NEW = NEW[:1000] + {"A": "C", "C": "G", "G": "T", "T": "A"}[NEW[1000]] + NEW[1001:]


def write_fasta(path: pathlib.Path, records: dict[str, str]) -> pathlib.Path:
    path.write_text("".join(f">{name}\n{text}\n" for name, text in records.items()))
    return path


def test_events_and_variants() -> None:
    found = clalign.compare(NEW, OLD)
    places = {event["kind"]: event["target"] for event in found.events}
    assert places["inversion"]["begin"] == pytest.approx(2000, abs=3)
    assert places["inversion"]["end"] == pytest.approx(5000, abs=3)
    assert places["deletion"]["end"] - places["deletion"]["begin"] == 700
    assert found.data["variants"]["snps"] == 1
    assert "inversions      1" in str(found)
    assert [line.split("\t")[1] for line in found.text("vcf").splitlines() if "BLOCK=" in line and "SVTYPE" not in line][:1] == ["1001"]


def test_alignments_are_those_of_the_records() -> None:
    found = clalign.compare(clalign.Sequence(NEW, "new"), clalign.Sequence(OLD, "old"))
    pieces = found.alignments()
    assert sorted(piece.strand for piece in pieces) == ["forward"] * (len(pieces) - 1) + ["reverse"]
    for piece in pieces:
        piece.verify()
    assert sum(piece.statistics.matches for piece in pieces) == found.data["variants"]["matches"]


def test_files_of_many_records(tmp_path: pathlib.Path) -> None:
    query = write_fasta(tmp_path / "q.fa", {"one": OLD[:4000], "two": reverse_complement(OLD[4000:])})
    target = write_fasta(tmp_path / "t.fa", {"old circular=true": OLD})
    found = clalign.compare(query, target)
    assert [record["counterpart"]["strand"] for record in found.data["query"]["records"]] == ["+", "-"]
    assert found.data["target"]["records"][0]["circular"]
    found.write(tmp_path / "out.json", "json")
    assert json.loads((tmp_path / "out.json").read_text())["events"] == found.events
    found.write(tmp_path / "out.vcf.gz", "vcf")
    assert (tmp_path / "out.vcf.gz").read_bytes()[:2] == b"\x1f\x8b"


def test_wrong_values() -> None:
    with pytest.raises(clalign.InputError, match="position 4"):
        clalign.compare("MKVLEW", OLD)
    with pytest.raises(clalign.OptionError, match="unknown; use one of summary"):
        clalign.compare(OLD, OLD).text("word")
    with pytest.raises(clalign.InputError, match="no.fa"):
        clalign.compare(pathlib.Path("no.fa"), OLD)
    with pytest.raises(clalign.InputError, match="no records"):
        clalign.compare([], OLD)


def test_what_progress_raises() -> None:
    def stop(progress: clalign.Progress) -> bool:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        clalign.compare(NEW, OLD, progress=stop)


def test_lift(tmp_path: pathlib.Path) -> None:
    pieces = clalign.compare(clalign.Sequence(NEW, "new"), clalign.Sequence(OLD, "old")).alignments()
    (tmp_path / "map.chain").write_text("".join(piece.text("chain") for piece in pieces))
    lift = clalign.Lift(tmp_path / "map.chain")
    forward, turned = lift.interval("old", 100, 200), lift.interval("old", 3000, 3100)
    assert forward == ("lifted", 1.0, "new", 100, 200, "+")
    assert NEW[turned.begin : turned.end] == reverse_complement(OLD[3000:3100]) and turned.strand == "-"
    assert lift.interval("old", 8000, 8100)[:5] == ("lifted", 1.0, "new", 7300, 7400)
    assert lift.interval("old", 6100, 6200).name is None
    assert clalign.Lift(tmp_path / "map.chain", reverse=True).interval("new", 100, 200).name == "old"
    with pytest.raises(clalign.OptionError, match="no interval"):
        lift.interval("old", 5, 4)
    with pytest.raises(clalign.InputError, match="gone"):
        clalign.Lift("gone.chain")


def test_lift_of_a_file(tmp_path: pathlib.Path) -> None:
    pieces = clalign.compare(clalign.Sequence(NEW, "new"), clalign.Sequence(OLD, "old")).alignments()
    (tmp_path / "map.chain").write_text("".join(piece.text("chain") for piece in pieces))
    (tmp_path / "genes.bed").write_text("old\t100\t200\ta\nold\t6100\t6200\tb\n")
    lift = clalign.Lift(tmp_path / "map.chain")
    counts = lift.file(tmp_path / "genes.bed", tmp_path / "lifted.bed", unlifted=tmp_path / "lost.bed")
    assert counts.features == 2 and counts.fates["lifted"] == 1 and sum(counts.fates.values()) == 2
    assert (tmp_path / "lifted.bed").read_text() == "new\t100\t200\ta\n"
    assert (tmp_path / "lost.bed").read_text().endswith("old\t6100\t6200\tb\n")
    (tmp_path / "genes.txt").write_text("old\t100\t200\ta\n")
    with pytest.raises(clalign.OptionError, match="tells no format"):
        lift.file(tmp_path / "genes.txt", tmp_path / "lifted.bed")
    assert lift.file(tmp_path / "genes.txt", tmp_path / "lifted.bed", format="bed").features == 1
