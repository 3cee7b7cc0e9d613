# The module is written by cffi while the package is built (clalign_declarations.py). cffi's objects have no types.
from typing import Any

ffi: Any
