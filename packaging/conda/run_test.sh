#!/bin/bash
# The test of the conda package, on PoCL: the program on the host and on a device, verify, a picture, pkg-config, Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export POCL_CACHE_DIR=$folder/pocl XDG_CACHE_HOME=$folder/cache
clalign --version --json
clalign devices | grep -q . || { echo "no OpenCL device; is pocl installed, and etc/OpenCL/vendors/pocl.icd?"; exit 1; }
clalign simulate --length 20k --output-query q.fa --output-target t.fa
clalign align --mode global --format cigar q.fa t.fa >host
clalign align --device 0 --mode global --format cigar --save a.cla --plot a.png q.fa t.fa >device
cmp host device
clalign verify a.cla q.fa t.fa
head -c 4 a.png | grep -q PNG
python -c 'import sys
from pathlib import Path
import clalign
found = clalign.align(Path("q.fa"), Path("t.fa"), mode="global")
sys.exit(found.cigar != Path("host").read_text().strip())'
