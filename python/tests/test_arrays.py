"""Many pairs as arrays."""

import array
import os
import random
import signal
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import pytest
from conftest import letters, related, reverse_complement

import clalign

numpy = pytest.importorskip("numpy")


def some_pairs(seed: int, count: int, most: int = 300) -> list[tuple[str, str]]:
    """Related pairs of several lengths, some with the query on the other strand."""
    source = random.Random(seed)
    pairs = [related(source.randrange(1 << 30), source.randrange(30, most)) for _ in range(count)]
    return [(reverse_complement(query) if source.random() < 0.3 else query, target) for query, target in pairs]


def columns(pairs: Sequence[tuple[str, str]]) -> tuple[list[str], list[str]]:
    return [query for query, _ in pairs], [target for _, target in pairs]


def check(found: clalign.PairResults, i: int, pair: tuple[str, str], **options: Any) -> None:
    """That all that is said of a pair is what `align` says."""
    wanted = clalign.align(*pair, **options)
    assert wanted is not None and found.error(i) is None
    assert found.score[i] == wanted.score and found.raw_score[i] == wanted.raw_score
    assert ("forward", "reverse")[found.strand[i]] == wanted.strand
    ends = found.query_start[i], found.query_end[i], found.target_start[i], found.target_end[i]
    known = wanted.query.start, wanted.query.stop, wanted.target.start, wanted.target.stop
    assert ends == tuple(-1 if end is None else end for end in known)
    if found.runs is not None:
        assert found.cigar(i) == wanted.cigar
        assert found.identity()[i] == pytest.approx(wanted.identity)


OPTIONS: list[dict[str, Any]] = [
    {},
    {"mode": "global", "match": 2, "mismatch": -3, "gap_open": 4, "gap_extend": 1},
    {"mode": "semi-global", "strand": "both"},
    {"preset": "genome", "mode": "overlap"},
    {"match": 1.5, "mismatch": -2.25},
    {"free_ends": ["target-start"], "strand": "reverse"},
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("threads", [1, 3])
def test_each_is_as_by_itself(options: dict[str, Any], threads: int) -> None:
    pairs = some_pairs(len(str(options)), 200)
    found = clalign.align_arrays(*columns(pairs), threads=threads, **options)
    assert len(found) == 200 and not len(found.failed) and found.cells_computed > 0
    for i in range(0, 200, 7):
        check(found, i, pairs[i], **options)
    alone = clalign.align_arrays(*columns(pairs), threads=threads, paths=False, **options)
    assert numpy.array_equal(alone.score, found.score) and alone.runs is None
    assert (alone.target_start == -1).all()
    for i in range(0, 200, 29):
        check(alone, i, pairs[i], score_only=True, **options)
    with pytest.raises(clalign.OptionError, match="paths=True"):
        alone.cigar(0)
    with pytest.raises(clalign.OptionError, match="paths=True"):
        alone.identity()


def test_long_pairs() -> None:
    pairs = [related(1, 6000), related(2, 100), (letters(3, 4000), letters(4, 3000))]
    found = clalign.align_arrays(*columns(pairs), mode="global")
    for i, pair in enumerate(pairs):
        check(found, i, pair, mode="global")


def test_a_given_device(cpu: clalign.Device) -> None:
    pairs = [*some_pairs(9, 10), related(5, 12_000)]
    found = clalign.align_arrays(*columns(pairs), device=cpu, mode="global", threads=2)
    for i, pair in enumerate(pairs):
        check(found, i, pair, mode="global", device=cpu)


def test_proteins() -> None:
    found = clalign.align_arrays(["MKVLEW", "ACGT"], ["MRVLEW", "ACGT"])
    check(found, 0, ("MKVLEW", "MRVLEW"))
    check(found, 1, ("ACGT", "ACGT"), alphabet="protein")
    assert clalign.align_arrays(["ACGT"], ["ACGT"], alphabet="protein").score[0] == found.score[1]
    assert clalign.align_arrays(["ACGT"], ["ACGT"], matrix="BLOSUM62").score[0] == found.score[1]
    assert clalign.align_arrays(["acgu"], ["ACGT"]).score.tolist() == [4]


def test_own_letters() -> None:
    matrix = {(a, b): 2 if a == b else -1 for a in "XYZ" for b in "XYZ"}
    options: dict[str, Any] = {"matrix": matrix, "gap_open": 2, "gap_extend": 1}
    found = clalign.align_arrays(["XYZZY", "YYXZ"], ["XYZY", "YXXZ"], **options)
    check(found, 0, ("XYZZY", "XYZY"), **options)
    check(found, 1, ("YYXZ", "YXXZ"), **options)


def inputs(texts: list[str]) -> dict[str, Any]:
    """The same sequences in every way."""
    arrays = clalign.arrays_of(texts)
    spaced = numpy.zeros(2 * len(arrays.letters), numpy.uint8)
    spaced[::2] = arrays.letters
    whole = arrays.letters.tobytes()
    frozen = arrays.letters.copy()
    frozen.flags.writeable = False
    return {
        "strings": texts,
        "tuple": tuple(texts),
        "bytes": [text.encode() for text in texts],
        "fixed": numpy.array(texts, "S"),
        "fixed, spaced": numpy.repeat(numpy.array(texts, "S"), 2)[::2],
        "unicode": numpy.array(texts),
        "objects": numpy.array(texts, object),
        "arrays": arrays,
        "bytes and a list": clalign.Arrays(whole, arrays.offsets.tolist()),
        "a view and int32": clalign.Arrays(memoryview(whole), arrays.offsets.astype(numpy.int32)),
        "an array of array": clalign.Arrays(array.array("b", whole), array.array("q", arrays.offsets.tolist())),
        "read-only": clalign.Arrays(frozen, arrays.offsets),
        "spaced": clalign.Arrays(spaced[::2], numpy.repeat(arrays.offsets, 3)[::3]),
        "backwards": clalign.Arrays(arrays.letters[::-1].copy()[::-1], arrays.offsets),
        "big endian": clalign.Arrays(arrays.letters, arrays.offsets.astype(">i8")),
        "within others": clalign.Arrays(b"1234" + whole + b"5", arrays.offsets + 4),
    }


@pytest.mark.parametrize("kind", inputs(["A", "C"]))
def test_every_kind_of_input(kind: str) -> None:
    pairs = some_pairs(7, 40)
    queries, targets = (inputs(texts)[kind] for texts in columns(pairs))
    wanted = clalign.align_arrays(*columns(pairs))
    found = clalign.align_arrays(queries, targets)
    assert clalign.arrays_of(queries)[-1] == pairs[-1][0].encode() and len(clalign.arrays_of(targets)) == 40
    for name in ("score", "query_start", "query_end", "target_start", "target_end", "status", "runs", "run_offsets"):
        assert numpy.array_equal(getattr(found, name), getattr(wanted, name)), name


def test_columns_of_pyarrow() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    texts = ["ACGTTGCATT", "", "GTTGC", "ACGGT"]
    for kind in (pyarrow.string(), pyarrow.large_string(), pyarrow.binary(), pyarrow.large_binary()):
        column = pyarrow.array(texts, kind)
        chunks = pyarrow.chunked_array([column[:1], column[1:1], column[1:]])
        for given in (column, pyarrow.array(["A", *texts], kind)[1:], pyarrow.chunked_array([column]), chunks):
            arrays = clalign.arrays_of(given)
            assert [arrays[i].decode() for i in range(4)] == texts
        assert len(clalign.arrays_of(column[:0])) == len(clalign.arrays_of(pyarrow.chunked_array([], kind))) == 0
    column = pyarrow.array(texts, pyarrow.large_string())
    arrays = clalign.arrays_of(column)
    assert arrays.letters.ctypes.data == column.buffers()[2].address
    assert arrays.offsets.ctypes.data == column.buffers()[1].address
    with pytest.raises(clalign.OptionError, match="1 sequences of the column are null"):
        clalign.arrays_of(pyarrow.array(["A", None]))
    with pytest.raises(TypeError, match="not of int64; cast it"):
        clalign.arrays_of(pyarrow.array([1, 2]))


def test_letters_are_not_copied() -> None:
    whole = numpy.frombuffer(b"ACGTACGGACGT", numpy.uint8)
    offsets = numpy.array([0, 4, 8, 12])
    arrays = clalign.Arrays(whole, offsets)
    assert numpy.shares_memory(arrays.letters, whole) and numpy.shares_memory(arrays.offsets, offsets)
    fixed = numpy.array(["ACGT", "ACGG"], "S4")
    assert numpy.shares_memory(clalign.arrays_of(fixed).letters, fixed)
    assert clalign.arrays_of(arrays) is arrays and repr(arrays) == "<clalign.Arrays, 3 sequences of 12 letters>"


def test_indices() -> None:
    pairs = some_pairs(3, 12)
    source = numpy.random.default_rng(5)
    first, second = source.integers(0, 12, 60), source.integers(0, 12, 60)
    found = clalign.align_arrays(*columns(pairs), pairs=(first, second), strand="both")
    assert len(found) == 60
    for i in range(60):
        check(found, i, (pairs[first[i]][0], pairs[second[i]][1]), strand="both")
    spaced = clalign.align_arrays(*columns(pairs), pairs=(first[::2].astype(numpy.uint8), list(second[::2])))
    assert numpy.array_equal(spaced.score, clalign.align_arrays(*columns(pairs), pairs=(first, second)).score[::2])
    one = clalign.align_arrays([pairs[0][0]], columns(pairs)[1], pairs=([0] * 12, range(12)))
    check(one, 11, (pairs[0][0], pairs[11][1]))
    with pytest.raises(clalign.OptionError, match="pair 1 is about sequence 12 of 12 queries"):
        clalign.align_arrays(*columns(pairs), pairs=([0, 12], [0, 0]))
    with pytest.raises(clalign.OptionError, match="sequence -1 of 12 targets"):
        clalign.align_arrays(*columns(pairs), pairs=([0], [-1]))
    with pytest.raises(clalign.OptionError, match="sequence 0 of 0 targets"):
        clalign.align_arrays(["ACGT"], [], pairs=([0], [0]))
    with pytest.raises(clalign.OptionError, match="there are 1 and 2 indices"):
        clalign.align_arrays(*columns(pairs), pairs=([0], [0, 1]))
    with pytest.raises(clalign.OptionError, match="two arrays of indices, of queries and of targets, not 3"):
        clalign.align_arrays(*columns(pairs), pairs=numpy.zeros((3, 2), int))
    with pytest.raises(TypeError, match="indices of targets are a line of integers"):
        clalign.align_arrays(*columns(pairs), pairs=([0], [0.5]))


def test_pairs_that_fail() -> None:
    found = clalign.align_arrays(["ACGT", "AC1T", "", "ACGT"], ["ACGT", "ACGT", "ACGT", "ACGT\0"])
    assert found.failed.tolist() == [1, 2, 3] and repr(found) == "<clalign.PairResults, 4 pairs, 3 failed>"
    assert found.score.tolist() == [4, 0, 0, 0] and found.cigar(0) == "4=" and found.cigar(1) == ""
    assert found.identity().tolist() == [1, 0, 0, 0]
    assert "'1' at position 3" in (found.error(1) or "") and "no letters" in (found.error(-2) or "")
    assert found.error(0) is None and found.error(3) is not None
    with pytest.raises(IndexError):
        found.error(4)
    empty = clalign.align_arrays(["", "AC"], ["ACGT", ""], mode="global", allow_empty=True)
    assert not len(empty.failed) and [empty.cigar(0), empty.cigar(1)] == ["4D", "2I"]


def test_nothing() -> None:
    kinds: list[Any] = [[], clalign.Arrays(b"", [0]), numpy.array([], "S5"), numpy.array([], object)]
    for nothing in kinds:
        found = clalign.align_arrays(nothing, nothing)
        assert len(found) == len(found.failed) == len(found.score) == len(found.runs) == len(found.identity()) == 0
        assert found.run_offsets.tolist() == [0]
    assert len(clalign.align_arrays(["ACGT"], ["ACGT"], pairs=([], []))) == 0
    blank = clalign.align_arrays(numpy.array(["", ""], "S"), ["", ""], allow_empty=True)
    assert blank.score.tolist() == [0, 0] and not len(blank.failed)


def test_what_is_refused() -> None:
    with pytest.raises(clalign.OptionError, match="there are 1 and 2 queries and targets"):
        clalign.align_arrays(["ACGT"], ["ACGT", "ACGT"])
    with pytest.raises(clalign.OptionError, match="has no min_score; .* align_many"):
        clalign.align_arrays(["ACGT"], ["ACGT"], min_score=3)
    with pytest.raises(clalign.OptionError, match="alphabet 'rna' is unknown"):
        clalign.align_arrays(["ACGT"], ["ACGT"], alphabet="rna")
    with pytest.raises(clalign.InputError, match="alphabet='dna' or 'protein'"):
        clalign.align_arrays(["RYSWKM"], ["RYSWKM"])
    with pytest.raises(clalign.InputError, match="only DNA has another strand"):
        clalign.align_arrays(["MKVLEW"], ["MKVLEW"], strand="both")
    with pytest.raises(clalign.OptionError, match="offsets of the queries fall at index 1"):
        clalign.align_arrays(clalign.Arrays(b"ACGT", [0, 3, 1, 4]), ["A", "A", "A"])
    for offsets in ([0, 5], [-1, 4], [3, 2]):
        with pytest.raises(clalign.OptionError, match="do not lie in 4 letters"):
            clalign.Arrays(b"ACGT", offsets)
    with pytest.raises(clalign.OptionError, match="one more offset than sequences"):
        clalign.Arrays(b"ACGT", [])
    for wrong in ("ACGT", b"ACGT", [1, 2], [None], numpy.zeros(4, numpy.uint8), numpy.zeros((2, 2), "S4")):
        with pytest.raises(TypeError):
            clalign.arrays_of(wrong)
    for wrong in (numpy.zeros(4), numpy.zeros((2, 2), numpy.uint8), "ACGT"):
        with pytest.raises(TypeError):
            clalign.Arrays(wrong, [0, 4])


def test_more_runs_than_room(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = some_pairs(11, 50)
    wanted = clalign.align_arrays(*columns(pairs))
    monkeypatch.setattr("clalign.arrays._RUNS_FIRST", 10)
    found = clalign.align_arrays(*columns(pairs))
    assert numpy.array_equal(found.runs, wanted.runs) and numpy.array_equal(found.run_offsets, wanted.run_offsets)


def test_a_table() -> None:
    pytest.importorskip("pandas")
    found = clalign.align_arrays(["ACGTTGCA", "ACGTTGCA", "1"], ["ACGTTGCA", "TGCAACGT", "A"], strand="both")
    table = found.to_pandas(cigar=True)
    assert table["strand"].tolist() == ["forward", "reverse", "forward"]
    assert table["status"].tolist() == ["ok", "ok", "input"] and table["cigar"].tolist() == ["8=", "8=", ""]
    assert table["identity"].tolist() == [1, 1, 0]


def many(count: int) -> tuple[Any, Any]:
    texts = numpy.array([letters(seed, 150) for seed in range(100)])
    return numpy.tile(texts.astype("S"), count // 100), numpy.tile(texts[::-1].astype("S"), count // 100)


def test_progress_and_ctrl_c() -> None:
    queries, targets = many(20_000)
    heard: list[clalign.Progress] = []
    clalign.align_arrays(queries, targets, progress=heard.append, threads=1)
    assert heard and 0 < heard[0].fraction <= heard[-1].fraction <= 1
    with pytest.raises(clalign.Interrupted):
        clalign.align_arrays(queries, targets, progress=lambda now: False, threads=1)

    def interrupt(progress: clalign.Progress) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        clalign.align_arrays(queries, targets, progress=interrupt, threads=2)


def test_without_numpy() -> None:
    program = (
        "import sys; sys.modules['numpy'] = None; import clalign; assert clalign.align('ACGT', 'ACGT').score == 4\n"
        "try: clalign.align_arrays(['A'], ['A'])\n"
        "except ImportError as error: print(error)"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert "numpy, which is not installed" in said
