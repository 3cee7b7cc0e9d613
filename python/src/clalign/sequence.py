"""Sequences: letters from memory or from a file."""

from __future__ import annotations

import os
import re
from typing import Any, Union

from ._library import bytes_of, ffi, lib, text_of
from .errors import InputError, call, option_error

# What may be given for a sequence: letters, a file, or an object of Biopython (a Seq or a SeqRecord).
SequenceLike = Union["Sequence", str, bytes, "os.PathLike[str]", Any]

ALPHABETS = {"dna": lib.CLA_ALPHABET_DNA, "protein": lib.CLA_ALPHABET_PROTEIN}


def sequence_options(alphabet: str | None, own_letters: str | None, allow_empty: bool) -> tuple[Any, Any]:
    """A cla_sequence_options, and what must live as long as it."""
    options = ffi.new("cla_sequence_options *")
    kept = None
    options.allow_empty = allow_empty
    if own_letters is not None:
        kept = ffi.new("char[]", bytes_of(own_letters))
        options.known, options.alphabet, options.own = True, lib.CLA_ALPHABET_OWN, kept
    elif alphabet is not None:
        if alphabet not in ALPHABETS:
            raise option_error(f"the alphabet {alphabet!r} is unknown; use 'dna' or 'protein', or own_letters")
        options.known, options.alphabet = True, ALPHABETS[alphabet]
    return options, kept


# The end of a sequence file's name, perhaps compressed, with a record and a range behind it.
_FILE_ENDING = re.compile(r"\.(fa|fas|fasta|fna|ffn|faa|frn|mfa|mpfa|pep|seq|fq|fastq|txt)(\.(gz|bgz|bgzf))?(:|$)", re.I)
_FILE_NAME_MOST = 4096


def _is_file_name(text: str) -> bool:
    """Whether a text that is no sequence of letters looks like the name of a file."""
    if len(text) > _FILE_NAME_MOST or not text.isprintable():
        return False
    return "/" in text or os.sep in text or bool(_FILE_ENDING.search(text)) or os.path.exists(text.partition(":")[0])


class Sequence:
    """One sequence. It never changes, and threads may share it. Sequences are equal whose records have the same name and
    letters, and of which the same range takes part.

    The alphabet is detected by the letters, unless `alphabet` ("dna" or "protein") or `own_letters` (those of a score
    matrix, in its order) says what it is.
    """

    def __init__(
        self,
        letters: str | bytes,
        name: str = "",
        *,
        alphabet: str | None = None,
        own_letters: str | None = None,
        allow_empty: bool = False,
    ) -> None:
        text = letters.encode("utf-8", "surrogateescape") if isinstance(letters, str) else bytes(letters)
        options, kept = sequence_options(alphabet, own_letters, allow_empty)
        made = ffi.new("cla_sequence **")
        try:
            call(lib.cla_sequence_from_letters_with, made, bytes_of(name), text, len(text), options)
        except InputError as reason:
            shown = text.decode("utf-8", "replace")
            if not _is_file_name(shown):
                raise
            message = f"{shown!r} is no sequence of letters, but looks like a file name; give pathlib.Path({shown!r})"
            raise InputError(message, reason.status) from None
        self._hold(made[0], own_letters)
        del kept

    @classmethod
    def read(
        cls,
        location: str | os.PathLike[str],
        *,
        alphabet: str | None = None,
        own_letters: str | None = None,
        allow_empty: bool = False,
    ) -> Sequence:
        """Reads FILE, FILE:RECORD, FILE:RECORD:FROM-TO (1-based, inclusive) or FILE:FROM-TO; FASTA or FASTQ, plain,
        gzip or bgzf."""
        options, kept = sequence_options(alphabet, own_letters, allow_empty)
        made = ffi.new("cla_sequence **")
        call(lib.cla_sequence_read_with, made, bytes_of(location), options)
        sequence = cls.__new__(cls)
        sequence._hold(made[0], own_letters)
        del kept
        return sequence

    def _hold(self, pointer: Any, own_letters: str | None) -> None:
        self._pointer = ffi.gc(pointer, lib.cla_sequence_free)
        self._own_letters = own_letters

    def _part(self, location: str, begin: int, end: int) -> Sequence:
        """The same record, of which another range takes part."""
        made = ffi.new("cla_sequence **")
        call(lib.cla_sequence_part, made, self._pointer, bytes_of(location), begin, end)
        part = Sequence.__new__(Sequence)
        part._hold(made[0], self._own_letters)
        return part

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle: the letters, so that another process needs no file."""
        kind = lib.cla_sequence_alphabet(self._pointer)
        known = next((name for name, number in ALPHABETS.items() if number == kind), None)
        label = self.name, known, self._own_letters, self.location, self.begin, self.end
        return _restored, (self.letters().encode("ascii"), *label)

    def __copy__(self) -> Sequence:
        return self

    def __deepcopy__(self, memo: object) -> Sequence:
        return self

    def _identity(self) -> tuple[Any, ...]:
        return self.name, self.alphabet, self._own_letters, len(self), self.begin, self.end, self.checksum

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    @property
    def name(self) -> str:
        """First word of the header, or the name that was given."""
        return text_of(lib.cla_sequence_name(self._pointer))

    @property
    def location(self) -> str:
        """Where it was read from; "" from memory."""
        return text_of(lib.cla_sequence_location(self._pointer))

    @property
    def alphabet(self) -> str:
        """ "DNA", "protein" or "own letters"."""
        return text_of(lib.cla_alphabet_name(lib.cla_sequence_alphabet(self._pointer)))

    @property
    def begin(self) -> int:
        """First letter of the range that takes part, from 0."""
        return int(lib.cla_sequence_begin(self._pointer))

    @property
    def end(self) -> int:
        """Behind the last letter of that range."""
        return int(lib.cla_sequence_end(self._pointer))

    def __len__(self) -> int:
        """Letters of the whole record."""
        return int(lib.cla_sequence_length(self._pointer))

    def letters(self, start: int = 0, stop: int | None = None) -> str:
        """The upper-case letters of the record from `start` to `stop`, as in a slice (a nucleotide U is T)."""
        first, last, _ = slice(start, stop).indices(len(self))
        last = max(first, last)
        buffer = ffi.new("char[]", max(last - first, 1))
        lib.cla_sequence_letters(buffer, self._pointer, first, last)
        return str(ffi.unpack(buffer, last - first).decode("ascii"))

    def __str__(self) -> str:
        return self.letters()

    @property
    def checksum(self) -> bytes:
        """XXH3-128 of the whole record's upper-case letters."""
        checksum = ffi.new("uint8_t[16]")
        lib.cla_sequence_checksum(self._pointer, checksum)
        return bytes(checksum)

    def __repr__(self) -> str:
        return f"<clalign.Sequence {self.name!r}, {self.alphabet}, {len(self)} letters>"


def _restored(
    letters: bytes, name: str, alphabet: str | None, own_letters: str | None, location: str, begin: int, end: int
) -> Sequence:
    """A sequence that was pickled."""
    whole = Sequence(letters, name, alphabet=alphabet, own_letters=own_letters, allow_empty=True)
    return whole._part(location, begin, end)


def as_sequence(
    given: SequenceLike,
    name: str,
    *,
    alphabet: str | None = None,
    own_letters: str | None = None,
    allow_empty: bool = False,
) -> Sequence:
    """A sequence of whatever may be given for one; letters without a name of their own get `name`."""
    if isinstance(given, Sequence):
        return given
    options: dict[str, Any] = {"alphabet": alphabet, "own_letters": own_letters, "allow_empty": allow_empty}
    if isinstance(given, (str, bytes, bytearray)):
        return Sequence(given if isinstance(given, str) else bytes(given), name, **options)
    if isinstance(given, os.PathLike):
        return Sequence.read(given, **options)
    if hasattr(given, "seq") and hasattr(given, "id"):  # Biopython's SeqRecord
        return Sequence(bytes(given.seq), str(given.id), **options)
    if hasattr(given, "__len__"):  # Biopython's Seq; of a number, bytes would make so many zeros
        return Sequence(bytes(given), name, **options)
    kind = type(given).__name__
    raise TypeError(f"a sequence is letters, a path, a clalign.Sequence or an object of Biopython, not {kind}")
