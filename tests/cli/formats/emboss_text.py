"""Compares EMBOSS' text with clalign's: emboss_text.py EMBOSS.txt CLALIGN.txt. Program lines and names of matrices aside."""

import re
import sys


def lines(name):
    text = open(name).read()
    body = text[text.index("#=====") :]
    return [line for line in body.split("\n") if not line.startswith("# Matrix:")]


def paths_differ(one, two):
    """Two alignments of one score may differ; then only what follows from the score counts."""
    rows = [[line.split()[2] for line in text if re.match(r"[ab] ", line)] for text in (one, two)]
    return rows[0] != rows[1]


one, two = lines(sys.argv[1]), lines(sys.argv[2])
if one == two:
    print("same")
elif paths_differ(one, two) and [l for l in one if "Score" in l] == [l for l in two if "Score" in l]:
    print("another path")
else:
    for a, b in zip(one, two):
        if a != b:
            sys.exit(f"{a!r} and {b!r}")
    sys.exit(f"{len(one)} and {len(two)} lines")
