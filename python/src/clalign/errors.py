"""Errors of the library as exceptions.

Each carries the library's message, one line that says what was being done, to what, and what to do, and the status as a
word. Each kind is also the built-in exception that comes closest, so that `except ValueError` and the like work.
"""

from __future__ import annotations

from typing import Any

from ._library import ffi, lib


class Error(Exception):
    """An error of the library. `status` is its status as a word, such as "input"."""

    status: str

    def __init__(self, message: str, status: str = "") -> None:
        super().__init__(message)
        self.status = status


class OptionError(Error, ValueError):
    """An option or a score is out of its range."""


class InputError(Error, ValueError):
    """An input file, record, range or letter."""


class DeviceError(Error, RuntimeError):
    """An OpenCL device, driver or kernel build."""


class MemoryBudgetError(Error, MemoryError):
    """Host or device memory, or a budget too small."""


class OutputError(Error, OSError):
    """An output file."""


class Interrupted(Error):
    """The progress function asked to stop."""


class VerificationError(Error):
    """An alignment does not re-score to its score, or does not fit its sequences."""


def _kinds() -> dict[int, type[Error]]:
    return {
        lib.CLA_ERROR_OPTION: OptionError,
        lib.CLA_ERROR_INPUT: InputError,
        lib.CLA_ERROR_DEVICE: DeviceError,
        lib.CLA_ERROR_MEMORY: MemoryBudgetError,
        lib.CLA_ERROR_OUTPUT: OutputError,
        lib.CLA_ERROR_INTERRUPTED: Interrupted,
        lib.CLA_ERROR_VERIFICATION: VerificationError,
    }


def call(function: Any, *arguments: Any) -> None:
    """Calls a function of the library that returns a status and takes the error last."""
    error = ffi.new("cla_error *")
    status = function(*arguments, error)
    if status == lib.CLA_OK:
        return
    raise error_of(status, ffi.string(error.message).decode("utf-8", "replace"))


def error_of(status: int, message: str) -> Error:
    """The exception that a status of the library is."""
    word = ffi.string(lib.cla_status_name(status)).decode()
    return _kinds().get(status, Error)(message, word)


def option_error(message: str) -> OptionError:
    """The same for what this package finds out itself."""
    return OptionError(message, "option")
