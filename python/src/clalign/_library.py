"""The shared library: where it is, and that it is of the version that this package was built for."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

from ._declarations import ffi as ffi

# The module of declarations has numbers of the headers, but only a loaded library can be asked for them; any does.
_headers = ffi.dlopen(None)
VERSION = (_headers.CLA_VERSION_MAJOR, _headers.CLA_VERSION_MINOR, _headers.CLA_VERSION_PATCH)
SONAME = f"libclalign.so.{VERSION[0]}.{VERSION[1]}"


def _pkg_config_path() -> str | None:
    """Where pkg-config says that the library is."""
    try:
        found = subprocess.run(
            ["pkg-config", "--variable=libdir", "clalign"], capture_output=True, text=True, check=False
        )
    except OSError:
        return None
    path = os.path.join(found.stdout.strip(), SONAME)
    return path if found.returncode == 0 and os.path.exists(path) else None


def _open() -> Any:
    named = os.environ.get("CLALIGN_LIBRARY")
    try:
        return ffi.dlopen(named or SONAME)
    except OSError as reason:
        path = None if named else _pkg_config_path()
        if path:
            return ffi.dlopen(path)
        raise ImportError(
            f"clalign's library cannot be loaded ({reason}); install libclalign {VERSION[0]}.{VERSION[1]}, or name "
            f"it in CLALIGN_LIBRARY"
        ) from None


def _check(library: Any) -> None:
    """Structs are those of one minor version: with another library they would be misread."""
    try:
        text = ffi.string(library.cla_version()).decode()
    except (AttributeError, ffi.error):
        raise ImportError("what CLALIGN_LIBRARY names is a library, but not clalign's; give libclalign.so") from None
    if text.split(".")[:2] != [str(number) for number in VERSION[:2]]:
        raise ImportError(
            f"clalign's library is of version {text}, and this package is for {VERSION[0]}.{VERSION[1]}; install "
            f"the package that goes with the library, or name another library in CLALIGN_LIBRARY"
        )


def _tuning_folder() -> str | None:
    """The tuning records that came with the library: beside it, in share/ of a folder above it."""
    named = os.environ.get("CLALIGN_TUNING_PATH")
    if named:
        return named
    try:
        lines = Path("/proc/self/maps").read_text().splitlines()
    except OSError:
        return None
    for line in lines:
        place = line.find("/")
        if place >= 0 and os.path.basename(line).startswith("libclalign.so"):
            for parent in Path(line[place:]).parents:
                folder = parent / "share" / "clalign" / "tuning"
                if folder.is_dir():
                    return str(folder)
    return None


lib: Any = _open()
_check(lib)
shipped_tuning: str | None = _tuning_folder()


def text_of(pointer: Any) -> str:
    """A text of the library."""
    return str(ffi.string(pointer).decode("utf-8", "surrogateescape"))


def bytes_of(text: str | os.PathLike[str]) -> bytes:
    """A text or a file name for the library, where it ends with its first NUL."""
    encoded = os.fsencode(text)
    if b"\0" in encoded:
        raise ValueError(f"{text!r} holds a NUL character; leave it out")
    return encoded
