"""Checks the polygons of --stable-plot: at each point of a grid one polygon tells the best score, as align finds it.

    plane_grid.py JSON TSV QUERY TARGET OPTION...

Prints how many points were checked, and each that is wrong. The TSV must have the same polygons.
"""

import json
import subprocess
import sys
from fractions import Fraction
from math import lcm

COSTS = ("match", "mismatch", "gap_first", "gap_ext", "gap_first2", "gap_ext2")
STEPS = 4


def value(pair):
    return Fraction(*pair)


def scheme_of(options, files):
    """Returns the scheme of the options."""
    command = ["clalign", "align", "--quiet", "--format", "json", *options, *files]
    scoring = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)["scoring"]
    return {cost: Fraction(str(scoring[cost])) for cost in COSTS if scoring[cost] is not None}


def best_score(mode, scores, files):
    """Returns the best score, with fractions as multiples of a smaller unit."""
    units = lcm(*(score.denominator for score in scores.values()))
    options = [word for cost, score in scores.items() for word in ("--" + cost.replace("_", "-"), str(score * units))]
    command = ["clalign", "align", "--quiet", "--score-only", "--format", "json", *mode, *options, *files]
    return Fraction(json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)["score"]) / units


def side(a, b, point):
    return (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])


def has(corners, point):
    return all(side(a, b, point) >= 0 for a, b in zip(corners, corners[1:] + corners[:1]))


def tsv_corners(path):
    with open(path, encoding="ascii") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines if not line.startswith("#")]
    return [[tuple(map(Fraction, corner.split(","))) for corner in row[-1].split(";")] for row in rows]


def main(plane_file, table_file, query, target, *options):
    with open(plane_file, encoding="utf-8") as file:
        plane = json.load(file)
    files = [query, target]
    mode = [word for index, word in enumerate(options) if word == "--mode" or index > 0 and options[index - 1] == "--mode"]
    scheme = scheme_of(options, files)
    x, y = plane["x"], plane["y"]
    polygons = [[(value(corner["x"]), value(corner["y"])) for corner in polygon["corners"]] for polygon in plane["polygons"]]
    if polygons != tsv_corners(table_file):
        print("the TSV has other polygons")
    own = Fraction(str(scheme[x["cost"]])), Fraction(str(scheme[y["cost"]]))
    if not any(polygon["own"] and has(corners, own) for polygon, corners in zip(plane["polygons"], polygons)):
        print("no polygon of the alignment's own has the given scores")
    points = 0
    for i in range(STEPS + 1):
        for k in range(STEPS + 1):
            point = (value(x["from"]) + Fraction(i, STEPS) * (value(x["to"]) - value(x["from"])),
                     value(y["from"]) + Fraction(k, STEPS) * (value(y["to"]) - value(y["from"])))
            scores = {**scheme, x["cost"]: point[0], y["cost"]: point[1]}
            if scores["gap_ext"] > scores["gap_first"] or scores.get("gap_ext2", 0) >= scores["gap_ext"]:
                continue
            told = {value(polygon["score"]["constant"]) + polygon["score"][x["cost"]] * point[0] +
                    polygon["score"][y["cost"]] * point[1]
                    for polygon, corners in zip(plane["polygons"], polygons) if has(corners, point)}
            best = best_score(mode, scores, files)
            points += 1
            if told != {best}:
                print(f"{point}: told {told}, found {best}")
    print(f"{points} points, {len(polygons)} polygons, exact: {plane['exact']}")


main(*sys.argv[1:])
