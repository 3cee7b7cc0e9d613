"""The shared library: where it is, and that it is of the version that this package was built for."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from ._declarations import ffi as ffi

# The module of declarations has numbers of the headers, but only a loaded library can be asked for them; any does.
_headers = ffi.dlopen(None)
VERSION = (_headers.CLA_VERSION_MAJOR, _headers.CLA_VERSION_MINOR, _headers.CLA_VERSION_PATCH)
SONAME = f"libclalign.so.{VERSION[0]}.{VERSION[1]}"


def _libraries_below(prefix: Path) -> list[Path]:
    """The folders in which a prefix has its libraries."""
    names = ["lib", f"lib/{sysconfig.get_config_var('MULTIARCH') or ''}", "lib64"]
    return [prefix / name for name in dict.fromkeys(name.rstrip("/") for name in names)]


def _built_folder() -> list[Path]:
    """The build folder of the source tree that the wheel was built in, if it had one (setup.py)."""
    noted = Path(__file__).with_name("library_folder.txt")
    return [Path(noted.read_text().strip())] if noted.exists() else []


def _folders() -> list[Path]:
    """Where the library may lie, the most likely first: beside the package, in a build folder, below a prefix."""
    package = Path(__file__).resolve().parent
    above = list(package.parents)
    builds = _built_folder() + [parent / "build" for parent in above if (parent / "include" / "clalign").is_dir()]
    prefixes = [parent.parent for parent in above if parent.name in ("lib", "lib64")]
    prefixes += [Path(sys.prefix), Path("/usr/local")]
    folders = [package, *builds]
    for prefix in prefixes:
        folders += _libraries_below(prefix)
    return list(dict.fromkeys(folders))


def _pkg_config_folder() -> Path | None:
    """Where pkg-config says that the library is."""
    try:
        found = subprocess.run(
            ["pkg-config", "--variable=libdir", "clalign"], capture_output=True, text=True, check=False
        )
    except OSError:
        return None
    return Path(found.stdout.strip()) if found.returncode == 0 else None


def _driver_of(icd: Path) -> Path | None:
    """The library that an .icd file names: that file, or one of its name beside it or in the environment's lib/, because
    pip does not correct paths."""
    named = Path(icd.read_text().strip())
    places = [named, icd.parent / named.name, Path(sys.prefix) / "lib" / named.name]
    return next((place for place in places if place.is_absolute() and place.is_file()), None)


def _name_drivers() -> None:
    """Names OpenCL drivers that pip installed into this environment to Khronos' loader, which is in the wheel, unless the
    user chose. They come beside the system's."""
    if any(os.environ.get(name) for name in ("OCL_ICD_FILENAMES", "OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH")):
        return
    site = Path(__file__).resolve().parent.parent
    files = [*Path(sys.prefix).glob("etc/OpenCL/vendors/*.icd"), *site.glob("pyopencl/.libs/*.icd")]
    drivers = [str(driver) for driver in map(_driver_of, files) if driver]
    if drivers:
        os.environ["OCL_ICD_FILENAMES"] = ":".join(drivers)


def _name_linker() -> None:
    """Names clalign-pocl's linker to the compiler inside pip's PoCL, which would end the process without one. Where the
    system has gcc, that compiler takes gcc's, and the variable, which gcc reads too, is left alone."""
    folder = Path(__file__).resolve().parent.parent / "clalign_pocl"
    if folder.is_dir() and not shutil.which("gcc"):
        os.environ.setdefault("COMPILER_PATH", str(folder))


class _Search:
    """The places that were tried, with what was wrong there."""

    def __init__(self) -> None:
        self.tried: list[str] = []

    def open(self, name: str, place: str) -> Any:
        """The library of that name, or None."""
        try:
            return ffi.dlopen(name)
        except OSError as reason:
            self.tried.append(f"{place} ({reason})")
            return None

    def open_in(self, folder: Path) -> Any:
        """The library in that folder, or None."""
        path = folder / SONAME
        if path.exists():
            return self.open(str(path), str(path))
        self.tried.append(str(folder))
        return None


def _open_named(name: str) -> Any:
    search = _Search()
    library = search.open(name, "CLALIGN_LIBRARY")
    if library is None:
        raise ImportError(
            f"clalign's library cannot be loaded from {search.tried[0]}; name {SONAME} in CLALIGN_LIBRARY, or unset it"
        )
    return library


def _open() -> Any:
    named = os.environ.get("CLALIGN_LIBRARY")
    if named:
        return _open_named(named)
    search = _Search()
    for folder in _folders():
        if library := search.open_in(folder):
            return library
    if library := search.open(SONAME, "the system's loader"):
        return library
    folder_named = _pkg_config_folder()
    if folder_named and (library := search.open_in(folder_named)):
        return library
    raise ImportError(
        f"clalign's library {SONAME} was not found. Install it (cmake --install build), or name its file in the "
        f"environment variable CLALIGN_LIBRARY. Tried: CLALIGN_LIBRARY, which is not set; {'; '.join(search.tried)}; "
        f"pkg-config{'' if folder_named else ', which knows no clalign'}"
    )


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


def _loaded_path() -> Path | None:
    """The file of the library that is loaded, where the system tells."""
    try:
        lines = Path("/proc/self/maps").read_text().splitlines()
    except OSError:
        return None
    for line in lines:
        place = line.find("/")
        if place >= 0 and os.path.basename(line).startswith("libclalign.so"):
            return Path(line[place:])
    return None


def _check_structs(library: Any) -> None:
    """A library of the same version may be of another state of the sources: what it fills in shows the size that it
    knows of the largest struct."""
    size = ffi.sizeof("cla_align_options")
    room = ffi.new("unsigned char[]", b"\xa5" * (2 * size))
    library.cla_align_options_init(ffi.cast("cla_align_options *", room))
    filled = len(bytes(ffi.buffer(room, 2 * size)).rstrip(b"\xa5"))
    if filled != size:
        raise ImportError(
            f"clalign's library {_loaded_path() or ''} and this package were built from different sources: its options "
            f"have {filled} bytes, not {size}; build both again from one source tree"
        )


def _tuning_folder() -> str | None:
    """The tuning records that came with the library: beside it, in share/ of a folder above it."""
    named = os.environ.get("CLALIGN_TUNING_PATH")
    if named:
        return named
    loaded = _loaded_path()
    for parent in loaded.parents if loaded else ():
        folder = parent / "share" / "clalign" / "tuning"
        if folder.is_dir():
            return str(folder)
    return None


_name_drivers()
_name_linker()
lib: Any = _open()
_check(lib)
_check_structs(lib)
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
