"""Checks the ends of --stable's ranges: at an end the alignment is one of the best, and a little beyond it is not.

    range_ends.py QUERY TARGET OPTION...

Prints how many ends were checked, and each end that is wrong. The OPTIONs set no scores but gap-first2 and gap-ext2.
"""

import json
import re
import subprocess
import sys
from fractions import Fraction
from math import lcm

COSTS = ("match", "mismatch", "gap_first", "gap_ext", "gap_first2", "gap_ext2")
BEYOND = Fraction(1, 1000)


def align(options, files):
    """Returns the JSON object of the best alignment."""
    command = ["clalign", "align", "--quiet", "--format", "json", *options, *files]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def score_of(alignment, scores):
    """Returns what the alignment's path scores with other scores."""
    total = alignment["matches"] * scores["match"] + alignment["mismatches"] * scores["mismatch"]
    for letters in map(int, re.findall(r"(\d+)[ID]", alignment["cigar"])):
        costs = [scores["gap_first"] + (letters - 1) * scores["gap_ext"]]
        if "gap_first2" in scores:
            costs.append(scores["gap_first2"] + (letters - 1) * scores["gap_ext2"])
        total -= min(costs)
    return total


def best_score(mode, scores, files):
    """Returns the best score, with fractions as multiples of a smaller unit."""
    units = lcm(*(value.denominator for value in scores.values()))
    options = [word for cost, value in scores.items() for word in ("--" + cost.replace("_", "-"), str(value * units))]
    return Fraction(align([*mode, *options], files)["score"]) / units


def main(query, target, *options):
    mode = [word for word in options if not word.startswith("--gap")]
    files = [query, target]
    alignment = align(["--certify", "--stable", *options], files)
    scheme = {cost: Fraction(alignment["scoring"][cost]) for cost in COSTS if alignment["scoring"][cost] is not None}
    ends = 0
    for cost, found in alignment["certificate"]["stable"].items():
        for end, side in (("low", -1), ("high", 1)):
            if found is None or found[end] is None:
                continue
            value = Fraction(*found[end])
            at, behind = {**scheme, cost: value}, {**scheme, cost: value + side * BEYOND}
            ends += 1
            if best_score(mode, at, files) != score_of(alignment, at):
                print(f"{cost} {value}: not the best there")
            if best_score(mode, behind, files) <= score_of(alignment, behind):
                print(f"{cost} {value}: still the best beyond")
    print(f"{ends} ends")


main(*sys.argv[1:])
