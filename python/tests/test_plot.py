"""Plots."""

from pathlib import Path

import pytest
from conftest import related

import clalign


def made(**options: bool) -> clalign.Alignment:
    alignment = clalign.align(*related(3, 4000), **options)
    assert alignment is not None
    return alignment


def test_the_name_decides_the_format(tmp_path: Path) -> None:
    alignment = made()
    for ending, begin in ((".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF"), (".html", b"<!DOCTYPE")):
        file = tmp_path / f"plot{ending}"
        alignment.plot(file)
        assert file.read_bytes().startswith(begin)
    with pytest.raises(clalign.OptionError, match=".svg, .pdf or .html"):
        alignment.plot(tmp_path / "plot.jpg")
    with pytest.raises(clalign.OutputError):
        alignment.plot(tmp_path / "none" / "plot.svg")


def test_a_part(tmp_path: Path) -> None:
    alignment, file = made(), tmp_path / "part.svg"
    alignment.plot(file, target=(1000, 1200))
    part = file.read_text()
    alignment.plot(file)
    assert part != file.read_text()
    # The axis of the target names positions within the part.
    assert ">1,100<" in part or ">1100<" in part
    for wrong in ((0, 0), (-1, 5), (7, 7), (9, 5), (0, 10**6)):
        with pytest.raises(clalign.OptionError, match="range|letters"):
            alignment.plot(file, query=wrong)


def test_what_was_computed(tmp_path: Path) -> None:
    alignment, bare = made(keep_work=True), made()
    alignment.plot(tmp_path / "work.svg", work=True)
    bare.plot(tmp_path / "bare.svg")
    assert "computed" in (tmp_path / "work.svg").read_text()
    assert "computed" not in (tmp_path / "bare.svg").read_text()
    # A file keeps it where that is asked for.
    for work, name in ((True, "work.svg"), (False, "bare.svg")):
        alignment.save(tmp_path / "saved.cla", work=work)
        (loaded,) = clalign.load(tmp_path / "saved.cla", *alignment.sequences())
        loaded.plot(tmp_path / "loaded.svg", work=work)
        assert (tmp_path / "loaded.svg").read_text() == (tmp_path / name).read_text()


    with pytest.raises(clalign.OptionError, match="how its matrix was computed"):
        bare.plot(tmp_path / "none.svg", work=True)


def test_how_it_looks(tmp_path: Path) -> None:
    alignment, file = made(), tmp_path / "plot.svg"
    alignment.plot(file, title="Figure 1", size=300, dark=True)
    text = file.read_text()
    assert ">Figure 1<" in text and "#ffffff" not in text
    with pytest.raises(clalign.OptionError, match="200 to 4000"):
        alignment.plot(file, size=100)
    with pytest.raises(TypeError, match="sise"):
        alignment.plot(file, sise=100)


def test_several(tmp_path: Path) -> None:
    found = clalign.Aligner().align_several("ACGTTGCATTACGG", "ACGTTGCATTACGGACGTTGCATTCGG", 2)
    clalign.plot(found, tmp_path / "two.svg")
    found[0].plot(tmp_path / "one.svg")
    assert (tmp_path / "one.svg").read_text() != (tmp_path / "two.svg").read_text()
    with pytest.raises(clalign.OptionError, match="no alignment"):
        clalign.plot([], tmp_path / "none.svg")
