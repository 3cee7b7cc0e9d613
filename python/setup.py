"""What pyproject.toml cannot say: the version is the library's, and cffi writes a module while the wheel is built."""

import re
import sys
from pathlib import Path

from setuptools import setup

sys.path.insert(0, str(Path(__file__).resolve().parent))
from clalign_declarations import header_folder  # noqa: E402

found = re.search(
    r'CLA_VERSION_STRING "([^"]+)"', (header_folder() / "clalign" / "version.h").read_text()
)
if not found:
    raise SystemExit("clalign/version.h does not say its version")
setup(version=found[1], cffi_modules=["clalign_declarations.py:ffi"])
