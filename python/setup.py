"""What pyproject.toml cannot say: the version is the library's, cffi writes a module while the wheel is built, and the
package notes the tree's build folder, if there is one, to find the library there."""

import re
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))
from clalign_declarations import header_folder  # noqa: E402

found = re.search(
    r'CLA_VERSION_STRING "([^"]+)"', (header_folder() / "clalign" / "version.h").read_text()
)
if not found:
    raise SystemExit("clalign/version.h does not say its version")


class BuildPy(build_py):
    def run(self) -> None:
        super().run()
        build = FOLDER.parent / "build"
        note = Path(self.build_lib) / "clalign" / "library_folder.txt"
        if (build / "libclalign.so").exists():
            note.write_text(f"{build}\n")
        else:
            note.unlink(missing_ok=True)  # of an earlier wheel


setup(version=found[1], cmdclass={"build_py": BuildPy}, cffi_modules=["clalign_declarations.py:ffi"])
