"""What cffi has to know of libclalign, read from its public headers while the wheel is built.

The headers are those of the source tree that this folder is a part of, else those of an installed clalign
(pkg-config). Nothing is compiled: the result is a Python module, clalign/_declarations.py, with the functions, structs
and constants of one minor version of the library.
"""

import re
import subprocess
from pathlib import Path

from cffi import FFI


def header_folder() -> Path:
    """The folder that has clalign/clalign.h."""
    beside = Path(__file__).resolve().parent.parent / "include"
    if (beside / "clalign" / "clalign.h").exists():
        return beside
    found = subprocess.run(
        ["pkg-config", "--variable=includedir", "clalign"], capture_output=True, text=True
    )
    if found.returncode == 0 and (Path(found.stdout.strip()) / "clalign" / "clalign.h").exists():
        return Path(found.stdout.strip())
    raise SystemExit(
        "clalign's headers are needed to build the package: build it in clalign's source tree, or install "
        "libclalign-dev (or whatever has clalign.pc)"
    )


def in_order(folder: Path, name: str, seen: list[str]) -> list[str]:
    """The headers that `name` includes, each behind those it includes itself."""
    text = (folder / name).read_text()
    for included in re.findall(r'#include "(clalign/\w+\.h)"', text):
        if included not in seen:
            in_order(folder, included, seen)
    seen.append(name)
    return seen


def declarations(folder: Path) -> str:
    """The headers as the C that cffi reads: no preprocessor but numbers."""
    text = "\n".join((folder / name).read_text() for name in in_order(folder, "clalign/clalign.h", []))
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
    text = re.sub(r"#ifdef __cplusplus.*?#endif", " ", text, flags=re.DOTALL)
    numbers = {
        name: int(value)
        for name, value in re.findall(r"#define (\w+) (?:INT64_C\()?(-?\d+)\)?\s*$", text, flags=re.MULTILINE)
    }
    text = re.sub(r"^#.*$", "", text, flags=re.MULTILINE)
    for name, value in numbers.items():
        text = re.sub(rf"\b{name}\b", str(value), text)
    # Sizes of arrays such as 32 * 32 and 32 + 1.
    text = re.sub(r"\[(\d+) \* (\d+)\]", lambda found: f"[{int(found[1]) * int(found[2])}]", text)
    text = re.sub(r"\[(\d+) \+ (\d+)\]", lambda found: f"[{int(found[1]) + int(found[2])}]", text)
    defines = "\n".join(f"#define {name} {value}" for name, value in numbers.items())
    return defines + "\n" + text


ffi = FFI()
ffi.cdef(declarations(header_folder()))
ffi.cdef("void free(void *);")  # with which some texts end; found through what the library itself links
ffi.set_source("clalign._declarations", None)

if __name__ == "__main__":
    print(declarations(header_folder()))
