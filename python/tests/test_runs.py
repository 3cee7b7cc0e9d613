"""Runs, with numpy and without."""

import gc

import pytest

import clalign


def made() -> clalign.Alignment:
    alignment = clalign.align("ACGTTGCATTACGGATCC", "TTACGTTGCATACGGATCC")
    assert alignment is not None
    return alignment


def test_as_a_sequence() -> None:
    runs = made().runs
    assert len(runs) == 3 and runs[0] == (8, clalign.PAIR) and runs[-1].length == 9
    assert runs[:2] == [runs[0], runs[1]]
    assert runs == clalign.Runs.of([(8, 0), (1, 1), (9, 0)]) and runs != clalign.Runs.of([(8, 0)])
    with pytest.raises(IndexError):
        runs[3]
    with pytest.raises(clalign.OptionError):
        clalign.Runs.of([(0, clalign.PAIR)])


def test_as_bytes_that_outlive_the_alignment() -> None:
    view = made().runs.bytes
    gc.collect()
    filler = [bytes([255]) * 48 for _ in range(1000)]  # what would come to lie there
    assert len(filler) == 1000
    assert view.readonly and view.nbytes == 48
    assert int.from_bytes(view[16:24], "little") == 1
    assert clalign.Runs.of([]).bytes.nbytes == 0


def test_as_an_array_that_outlives_its_alignment() -> None:
    numpy = pytest.importorskip("numpy")
    array = numpy.asarray(made().runs)
    gc.collect()
    assert array.dtype.names == ("length", "kind")
    assert array["length"].tolist() == [8, 1, 9] and array["kind"].tolist() == [0, 1, 0]
    assert array["length"].dtype == numpy.int64 and array["kind"].dtype == numpy.int32
    with pytest.raises(ValueError):
        array["length"][0] = 3
    assert len(numpy.asarray(clalign.Runs.of([]))) == 0


def test_runs_outlive_their_alignment() -> None:
    runs = made().runs
    gc.collect()
    assert [run.length for run in runs] == [8, 1, 9]


def test_letters_and_runs_of_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    alignment = clalign.align(
        numpy.frombuffer(b"ACGTTGCATTACGGATCC", "S1"), numpy.frombuffer(b"TTACGTTGCATACGGATCC", "uint8")
    )
    assert alignment is not None and alignment.runs == made().runs
    again = clalign.Path(0, 2, numpy.asarray(alignment.runs))
    assert again == alignment.path
