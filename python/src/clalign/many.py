"""Many pairs in one call."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from . import errors
from ._library import ffi, lib
from .alignment import Alignment
from .call import Call
from .errors import option_error
from .sequence import Sequence, SequenceLike, as_sequence

if TYPE_CHECKING:
    from .aligner import Aligner

Pair = tuple[SequenceLike, SequenceLike]


class Batch:
    """The pairs of one call of cla_batch, which takes them one by one and gives back their alignments in order."""

    def __init__(self, aligner: Aligner, pairs: Iterable[Pair]) -> None:
        self._aligner = aligner
        self._pairs = iter(pairs)
        self._held: dict[int, tuple[Sequence, Sequence]] = {}
        self._taken = 0
        self._failure: BaseException | None = None
        self.found: list[Alignment | None] = []
        first = next(self._pairs, None)
        with _numbered(0):
            self._call = None if first is None else Call(aligner, *first)
        self._first = None if self._call is None else self._call.sequences

    def _next_pair(self) -> tuple[Sequence, Sequence] | None:
        if self._first is not None:
            pair, self._first = self._first, None
            return pair
        given = next(self._pairs, None)
        if given is None:
            return None
        with _numbered(self._taken):
            return self._sequence(given[0], "query"), self._sequence(given[1], "target")

    def _sequence(self, given: SequenceLike, role: str) -> Sequence:
        """A further sequence, of the letters of the first ones."""
        assert self._call
        alphabet, own = self._call.alphabet()
        made = as_sequence(
            given, role, alphabet=alphabet, own_letters=own, allow_empty=self._aligner.allow_empty
        )
        wanted = next((one.alphabet for one in self._call.sequences if len(one)), made.alphabet)
        if len(made) and made.alphabet != wanted:
            raise option_error(f"the {role} is {made.alphabet}, and the first pair {wanted}; align each kind in a call")
        return made

    def _give(self, pair: Any, status: Any, error: Any, user: Any) -> bool:
        taken = self._next_pair()
        if taken is None:
            return False
        self._held[self._taken] = taken
        pair.query, pair.target = (one._pointer for one in taken)
        pair.user = ffi.cast("void *", self._taken)
        self._taken += 1
        return True

    def _take(self, result: Any, user: Any) -> bool:
        number = int(ffi.cast("intptr_t", result.pair.user))
        if result.status != lib.CLA_OK:
            message = ffi.string(result.error.message).decode("utf-8", "replace")
            raise errors.error_of(int(result.status), f"pair {number}: {message}")
        pair = self._held.pop(number)
        alignment = None
        if result.count:
            made = ffi.new("cla_alignment **")
            errors.call(lib.cla_alignment_copy, made, result.alignments[0], ffi.NULL)
            alignment = Alignment(made[0], *pair)
        self.found.append(alignment)
        return True

    def _keep(self, kind: object, failure: BaseException, trace: object) -> None:
        if self._failure is None:
            self._failure = failure

    def run(self) -> None:
        """Aligns them all."""
        if self._call is None:
            return
        options = ffi.new("cla_batch_options *")
        lib.cla_batch_options_init(options)
        devices = self._call.fill_batch(options)
        # Only these objects keep the functions alive.
        calls = {"error": False, "onerror": self._keep}
        giving = ffi.callback("bool(cla_batch_pair *, cla_status *, cla_error *, void *)", self._give, **calls)
        taking = ffi.callback("cla_batch_sink", self._take, **calls)
        hearing = ffi.callback("cla_batch_progress_function", self._hear, **calls)
        source = ffi.new("cla_batch_source *")
        source.next, options.sink, options.progress = giving, taking, hearing
        try:
            errors.call(lib.cla_batch, ffi.NULL, ffi.new("cla_device *[]", devices), len(devices), source, options)
        except errors.Error:
            if self._failure is None:
                raise
        if self._failure is not None:
            raise self._failure

    def _hear(self, progress: Any, user: Any) -> bool:
        """That is when Python sees to signals, such as Ctrl-C's; a failure before ends the call."""
        return self._failure is None


@contextlib.contextmanager
def _numbered(number: int) -> Iterator[None]:
    """Errors of the library say which pair they are of."""
    try:
        yield
    except errors.Error as error:
        raise type(error)(f"pair {number}: {error}", error.status) from None
