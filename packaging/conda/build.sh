#!/bin/bash
# What conda-build and rattler-build run to make the package, in the tree of the sources: library, program, man pages,
# completions, tuning records, and the package of Python, which finds the library below its own prefix.
set -euo pipefail

# Compilers of conda know the processor's ordinary instructions; clalign chooses wider vectors at run time.
# shellcheck disable=SC2086 # several words
cmake -S . -B build-conda -G Ninja ${CMAKE_ARGS:-} -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$PREFIX" \
  -DCMAKE_INSTALL_LIBDIR=lib -DCLALIGN_TESTS=OFF
cmake --build build-conda --parallel "${CPU_COUNT:-2}"
cmake --install build-conda
rm -f "$PREFIX/lib/libclalign.a" # programs link what conda installs beside them
"${PYTHON:-python}" -m pip install --no-deps --no-build-isolation -vv ./python
