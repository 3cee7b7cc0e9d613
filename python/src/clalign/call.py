"""One call of the library: its options made from an Aligner's, and its callbacks."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, Union

from . import errors
from ._library import bytes_of, ffi, lib, text_of
from .alignment import PLACEMENTS, STRANDS
from .device import Device, default_device
from .errors import option_error
from .path import Path
from .scoring import Score, in_units
from .sequence import ALPHABETS, Sequence, SequenceLike, as_sequence

if TYPE_CHECKING:
    from .aligner import Aligner

_CIRCULAR = {
    None: lib.CLA_CIRCULAR_NONE,
    "query": lib.CLA_CIRCULAR_QUERY,
    "target": lib.CLA_CIRCULAR_TARGET,
}
# Functions that ask for a device only if they need one.
_CHOOSING = (lib.cla_align, lib.cla_align_several, lib.cla_align_arrays, lib.cla_pair_arrays_tell)
_FREE_ENDS = {
    "query-start": lib.CLA_FREE_QUERY_START,
    "query-end": lib.CLA_FREE_QUERY_END,
    "target-start": lib.CLA_FREE_TARGET_START,
    "target-end": lib.CLA_FREE_TARGET_END,
}


class Progress(NamedTuple):
    """How far an alignment is."""

    stage: str  # "lower bound search", "kernel compilation, once for this machine", "forward sweep", "traceback" and others
    fraction: float  # of all predicted work, 0 to 1, never falling
    cells_done: int  # of this stage, with those that were passed over
    cells_passed_over: int  # of these: proven not to matter, and not computed
    seconds: float  # since the stages began
    seconds_left: float | None  # estimate; None while unknown


# Returns False to cancel; anything else, None too, goes on.
ProgressFunction = Callable[[Progress], Union[bool, None]]

# "auto", "off", a score, a file with an alignment of the pair (PAF, SAM, BAM, .cla), or a path.
LowerBound = Union[str, int, float, "os.PathLike[str]", Path]


def _choice(words: dict[Any, int], word: Any, what: str) -> int:
    if word in words:
        return words[word]
    known = ", ".join(str(one) for one in words if one is not None)
    raise option_error(f"the {what} {word!r} is unknown; use one of {known}")


def _progress_of(progress: Any) -> Progress:
    left = float(progress.seconds_left)
    return Progress(
        text_of(progress.stage),
        float(progress.fraction),
        int(progress.cells_done),
        int(progress.cells_passed_over),
        float(progress.seconds),
        left if left >= 0 else None,
    )


class Call:
    """A call, with all that must live until it returns: for two sequences, or, where these do, for two `lengths`."""

    def __init__(
        self, aligner: Aligner, query: SequenceLike | int, target: SequenceLike | int, *, lengths: bool = False
    ) -> None:
        self._kept: list[Any] = []
        self._failure: BaseException | None = None
        self._sequences: tuple[Sequence, Sequence] | None = None
        self._letters: tuple[str | None, str | None] = None, None
        if lengths:
            self._operands: tuple[Any, ...] = query, target
        else:
            self._take_sequences(aligner, query, target)
        self._given_device = aligner.device
        self._options = ffi.new("cla_align_options *")
        lib.cla_align_options_init(self._options)
        self._set_task(aligner)
        self._set_work(aligner)
        self._set_callbacks(aligner)
        self._set_bound(aligner.lower_bound)

    @property
    def _device(self) -> Device:
        return self._given_device or default_device()

    def _pointer_for(self, alone: bool) -> Any:
        """The device; none where the library asks for one if it needs it, as opening takes a tenth of a second and more."""
        if alone and self._given_device is None:
            opened = ffi.callback("cla_device_function", self._open_late, error=lib.CLA_ERROR_DEVICE, onerror=self._keep)
            self._kept.append(opened)
            self._options.callbacks.device = opened
            return ffi.NULL
        self._options.tuning = self._device._tuning
        return self._device._pointer

    def _open_late(self, device: Any, tuning: Any, user: Any, error: Any) -> int:
        device[0], tuning[0] = self._device._pointer, self._device._tuning
        return int(lib.CLA_OK)

    def _keep(self, kind: object, failure: BaseException, trace: object) -> None:
        """Keeps what a callback raised, for `run`."""
        if self._failure is None:
            self._failure = failure

    def _take_sequences(self, aligner: Aligner, query: SequenceLike, target: SequenceLike) -> None:
        alphabet, own_letters = aligner.alphabet, None
        if alphabet is None:
            alphabet, own_letters = aligner.scheme().alphabet()
        self._letters = alphabet, own_letters
        options: dict[str, Any] = {
            "alphabet": alphabet,
            "own_letters": own_letters,
            "allow_empty": aligner.allow_empty,
        }
        self._sequences = as_sequence(query, "query", **options), as_sequence(target, "target", **options)
        self._operands = tuple(one._pointer for one in self._sequences)

    @property
    def sequences(self) -> tuple[Sequence, Sequence]:
        """Query and target."""
        if self._sequences is None:
            raise option_error("a file is of two sequences and says nothing of two lengths; leave lower_bound out")
        return self._sequences

    def alphabet(self) -> tuple[str | None, str | None]:
        """What further sequences have to be for the same scheme: "dna" or "protein", or own letters."""
        if self._letters != (None, None):
            return self._letters
        kind = self._letters_kind()
        return next(name for name, number in ALPHABETS.items() if number == kind), None

    def fill_batch(self, options: Any) -> list[Any]:
        """The options of the call as those of each pair of a batch. Returns the devices; without a given one the
        library asks for it when a pair needs it."""
        pointer = self._pointer_for(alone=True)
        options.align = self._options[0]
        options.align.callbacks.progress = ffi.NULL
        options.fail_fast = True
        if not pointer:
            return []
        options.align.tuning = ffi.NULL
        tunings = ffi.new("cla_tuning *[]", [self._device._tuning])
        self._kept.append(tunings)
        options.tunings = tunings
        return [pointer]

    def set_several(self, most: int, split: bool | Score) -> None:
        """Asks for so many alignments, or for the pieces of one: True is the library's own drop."""
        several = self._options.several
        several.most = most
        several.split = split is not False
        if not isinstance(split, bool):
            several.drop = in_units(split, self._units, "split")
            if several.drop < 0:
                raise option_error(f"an alignment cannot be cut at a drop of {split}; give 0 or more")

    def _text(self, text: str | os.PathLike[str] | None) -> Any:
        if text is None:
            return ffi.NULL
        self._kept.append(ffi.new("char[]", bytes_of(text)))
        return self._kept[-1]

    def _set_task(self, aligner: Aligner) -> None:
        """What is to be aligned, and what counts."""
        options = self._options
        scoring = aligner.scheme().for_alphabet(self._alphabet(aligner))
        options.scoring = scoring._scoring[0]
        self._units = scoring.units
        self._set_mode(aligner)
        options.strand = _choice(STRANDS, aligner.strand, "strand")
        options.circular = _choice(_CIRCULAR, aligner.circular, "circular sequence")
        options.gap_placement = _choice(PLACEMENTS, aligner.gap_placement, "gap placement")
        if aligner.band is not None:
            options.has_band, options.band = True, aligner.band
        if aligner.min_score is not None:
            options.has_min_score = True
            options.min_score = in_units(aligner.min_score, self._units, "min_score")
        options.allow_empty = aligner.allow_empty
        options.score_only = aligner.score_only
        options.keep_work = aligner.keep_work

    def _alphabet(self, aligner: Aligner) -> int:
        if self._sequences is None:
            return _choice(ALPHABETS, aligner.alphabet or "dna", "alphabet")
        return self._letters_kind()

    def _letters_kind(self) -> int:
        # An empty sequence counts as DNA; the other one says what both are.
        query, target = self.sequences
        return int(lib.cla_sequence_alphabet((query if len(query) else target)._pointer))

    def _set_mode(self, aligner: Aligner) -> None:
        ends = 0
        for end in aligner.free_ends:
            ends |= _choice(_FREE_ENDS, end, "free end")
        mode = ffi.new("cla_mode *")
        if ends:
            if aligner.mode not in (None, "local"):
                raise option_error(f"free ends are a mode of their own; leave mode={aligner.mode!r} or them out")
            mode[0] = lib.cla_free_ends_mode(ends)
        elif not lib.cla_mode_find(mode, bytes_of(aligner.mode or aligner.scheme().mode or "local")):
            names = [text_of(lib.cla_mode_name(number)) for number in range(lib.CLA_MODE_FREE_ENDS)]
            raise option_error(f"the mode {aligner.mode!r} is unknown; use one of {', '.join(names)}")
        self._options.mode = mode[0]
        self._options.free_ends = ends if mode[0] == lib.CLA_MODE_FREE_ENDS else 0

    def _set_work(self, aligner: Aligner) -> None:
        """How it is to be done."""
        options = self._options
        options.budgets.special_rows = -1 if aligner.special_rows is None else aligner.special_rows
        options.budgets.memory_bytes = aligner.memory or 0
        options.budgets.device_memory_bytes = aligner.device_memory or 0
        options.budgets.disk_bytes = aligner.disk or 0
        options.budgets.threads = aligner.threads or 0
        options.run.directory = self._text(aligner.run_dir)
        options.run.resume = aligner.resume
        options.kernel.name = self._text(aligner.kernel)
        options.kernel.settings = self._text(aligner.settings)
        if aligner.device is None:
            options.host_cells = lib.CLA_HOST_CELLS

    def _set_bound(self, given: LowerBound) -> None:
        bound = self._options.lower_bound
        if given == "auto" or given == "off":
            bound.kind = lib.CLA_LOWER_BOUND_AUTO if given == "auto" else lib.CLA_LOWER_BOUND_OFF
        elif isinstance(given, Path):
            path = given.pointer()
            self._kept += [path, given]
            bound.kind, bound.path = lib.CLA_LOWER_BOUND_PATH, path
        elif isinstance(given, (str, os.PathLike)):
            path = ffi.gc(ffi.new("cla_path *"), lib.cla_path_free)
            self._kept.append(path)
            query, target = self.sequences
            strand = self._options.strand
            errors.call(lib.cla_path_read, path, bytes_of(given), query._pointer, target._pointer, strand)
            bound.kind, bound.path = lib.CLA_LOWER_BOUND_PATH, path
        else:
            bound.kind = lib.CLA_LOWER_BOUND_SCORE
            bound.score = in_units(given, self._units, "lower_bound")

    def _set_callbacks(self, aligner: Aligner) -> None:
        """Progress is always heard: that is when Python sees to signals, such as Ctrl-C's."""
        progress, note = aligner.progress, aligner.note

        def hear(heard: Any, user: Any) -> bool:
            if self._failure is not None:
                return False
            return progress is None or progress(_progress_of(heard)) is not False

        def take_note(text: Any, user: Any) -> None:
            if note is not None:
                note(text_of(text))

        # Only these objects keep the functions alive; what is read back from the options does not.
        heard = ffi.callback("cla_progress_function", hear, error=False, onerror=self._keep)
        noted = ffi.callback("cla_note_function", take_note, onerror=self._keep)
        self._kept += [heard, noted]
        self._options.callbacks.progress, self._options.callbacks.note = heard, noted

    def run(self, function: Any, *outputs: Any, release: Callable[[], object] | None = None) -> None:
        """Calls the function; what a callback raised is raised here, after `release` of what there is."""
        alone = function in _CHOOSING
        device = self._pointer_for(alone)
        try:
            errors.call(
                function,
                *outputs,
                device,
                *self._operands,
                self._options,
            )
        except errors.Error:
            if self._failure is None:
                raise
        if self._failure is not None:
            if release is not None:
                release()
            raise self._failure
