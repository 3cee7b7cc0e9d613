"""Alignments as text, in notebooks, and for other packages."""

import io
from pathlib import Path

import pytest
from conftest import letters, related, reverse_complement

import clalign


def made(seed: int, length: int, **options: object) -> clalign.Alignment:
    alignment = clalign.align(*related(seed, length), **options)
    assert alignment is not None
    return alignment


def test_text_is_blocks() -> None:
    lines = str(made(3, 120)).splitlines()
    assert lines[0].startswith("local alignment, forward strand, score ") and len(lines) % 4 == 0
    assert lines[1].startswith("query ") and lines[3].startswith("target ")
    assert str(clalign.align("ACGT", "ACGT", score_only=True)) == (
        "local alignment, forward strand, score 4, without a path"
    )


def test_text_of_a_long_one_is_short() -> None:
    text = str(made(4, 30000))
    assert len(text.splitlines()) < 100 and text.endswith("has all of it")
    # A gap longer than what is shown comes first.
    tail = letters(5, 3000)
    gap = clalign.align(tail[2000:], tail, mode="global")
    assert str(gap).endswith("has all of it")


def test_a_loaded_one_is_shown_without_letters(tmp_path: Path) -> None:
    made(3, 120).save(tmp_path / "saved.cla")
    (loaded,) = clalign.load(tmp_path / "saved.cla")
    assert str(loaded) == repr(loaded) and loaded._repr_html_() is None and loaded._repr_svg_() is None


def test_in_a_notebook() -> None:
    query, target = (clalign.Sequence(text, f"<{name}>") for text, name in zip(related(3, 300), "ab"))
    alignment = clalign.align(query, target)
    assert alignment is not None
    svg, page = alignment._repr_svg_(), alignment._repr_html_()
    assert svg is not None and svg.startswith("<svg") and page is not None
    assert "&lt;a&gt;" in page and "<a>" not in page and page.endswith(svg)


@pytest.mark.parametrize("mode", ["local", "global"])
@pytest.mark.parametrize("reverse", [False, True])
def test_letters_as_an_array(mode: str, reverse: bool) -> None:
    numpy = pytest.importorskip("numpy")
    query, target = related(8, 200)
    strand = "reverse" if reverse else "forward"
    alignment = clalign.align(reverse_complement(query) if reverse else query, target, mode=mode, strand=strand)
    rows = numpy.asarray(alignment)
    counts = alignment.statistics
    assert rows.shape == (2, counts.columns) and rows.dtype == "S1"
    assert int((rows[0] == rows[1]).sum()) == counts.matches
    assert int((rows == b"-").sum()) == counts.gap_letters


def test_letters_of_a_circle() -> None:
    numpy = pytest.importorskip("numpy")
    plasmid = "ACGTTGCATTACGGATCCATGACC"
    for query in (plasmid[9:] + plasmid[:9], reverse_complement(plasmid[9:] + plasmid[:9])):
        alignment = clalign.align(query, plasmid, circular="query", mode="global", strand="both")
        assert numpy.asarray(alignment)[0].tobytes().decode() == plasmid


def test_runs_as_a_table() -> None:
    pytest.importorskip("pandas")
    query, target = related(8, 200)
    for reverse in (False, True):
        alignment = clalign.align(reverse_complement(query) if reverse else query, target, strand="both")
        assert alignment is not None
        frame = alignment.to_pandas()
        assert len(frame) == len(alignment.runs)
        assert (frame.query_start.min(), frame.query_stop.max()) == (alignment.query.start, alignment.query.stop)
        assert (frame.target_start.min(), frame.target_stop.max()) == (alignment.target.start, alignment.target.stop)
        across = frame[frame.kind != "query"]
        assert (across.target_stop - across.target_start == across.length).all()


def test_alignments_as_a_table() -> None:
    pytest.importorskip("pandas")
    frame = clalign.table(clalign.align_many([("ACGT", "ACGT"), ("ACGT", "TTTT")], min_score=2))
    assert list(frame.score)[0] == 4 and frame.score.isna().tolist() == [False, True]
    assert frame.columns[0] == "query" and "cigar" not in frame.columns
    long = [made(8, 20000)]
    assert len(clalign.table(long).to_csv(index=False).splitlines()[1]) < 200
    assert clalign.table(long, cigar=True).cigar[0] == long[0].cigar


def test_plots_elsewhere_than_in_a_file() -> None:
    alignment = made(3, 400)
    for format, begin in ((None, b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")):
        buffer = io.BytesIO()
        alignment.plot(buffer, format=format)
        assert buffer.getvalue().startswith(begin)
    with pytest.raises(clalign.OptionError, match="format"):
        alignment.plot("x.svg", format="png")


def test_plots_on_axes() -> None:
    figure = pytest.importorskip("matplotlib.figure").Figure()
    axes = figure.subplots()
    query, target = related(8, 200)
    alignment = clalign.align(reverse_complement(query), target, strand="both")
    assert alignment is not None
    alignment.plot(axes)
    (line,) = axes.lines
    assert line.get_xdata()[0] == alignment.target.start and line.get_ydata()[0] == alignment.query.stop
    assert axes.get_xlabel() == "target" and "reverse" in line.get_label()
    with pytest.raises(clalign.OptionError):
        alignment.plot(axes, format="png")
