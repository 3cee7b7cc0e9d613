"""Draws pairs with an inversion, few kinds of letters and a biased matrix, and looks at the pieces that clalign reports.

    inversions.py SEED COUNT

Between two neighbouring pieces no alignment on the other strand may be left that scores more than the drop. Textbook
dynamic programming says so, which shares nothing with clalign. The query turned around gives the same pieces mirrored.
"""

import json
import random
import subprocess
import sys

COMPLEMENT = str.maketrans("ACGT", "TGCA")
MODES = ("global", "local", "semi-global", "overlap", "extend")
MOST_CELLS = 40_000


def turned(text):
    return text.translate(COMPLEMENT)[::-1]


def drawn(draw, *counts):
    """Texts of so many letters, all of one to three kinds."""
    kinds = draw.sample("ACGT", draw.choice((1, 1, 2, 3)))
    return ["".join(draw.choices(kinds, k=count)) for count in counts]


def local_score(query, target, scores, first, ext):
    best, above = 0, [(0, -(10**9))] * (len(target) + 1)
    for letter in query:
        row, gap = [(0, -(10**9))], -(10**9)
        for j, other in enumerate(target):
            down = max(above[j + 1][0] - first, above[j + 1][1] - ext)
            gap = max(row[j][0] - first, gap - ext)
            value = max(0, above[j][0] + scores[letter + other], down, gap)
            row.append((value, down))
            best = max(best, value)
        above = row
    return best


def write(name, text):
    with open(name, "w", encoding="utf-8") as file:
        print(f">{name[0]}\n{text}", file=file)


def pieces_of(query, words):
    write("q.fa", query)
    text = subprocess.run(["clalign", "align", "-q", *words, "q.fa", "t.fa"], check=True, stdout=subprocess.PIPE, text=True).stdout
    found = [json.loads(line) for line in text.splitlines()]
    place = lambda it: (it["target"]["start"], it["target"]["end"], it["query"]["start"], it["query"]["end"], it["score"])
    return sorted((*place(it), it["query"]["strand"] == "-") for it in found)


def whole_is_turned(query, words):
    write("q.fa", query)
    words = [word for word in words if not word.startswith("--split")]
    text = subprocess.run(["clalign", "align", "-q", *words, "q.fa", "t.fa"], check=True, stdout=subprocess.PIPE, text=True).stdout
    return json.loads(text)["query"]["strand"] == "-"


def rests(pieces, query, target, is_turned):
    """What lies between neighbouring pieces that follow each other as the whole alignment runs."""
    at = [0, len(query)]
    last = 0
    for begin, end, first, stop, _, _ in [*pieces, (len(target), 0, *((0, 0) if is_turned else (len(query), 0)), 0, False)]:
        low, high = (stop, at[1]) if is_turned else (at[0], first)
        if (begin, end) == (len(target), 0) and is_turned:
            low = 0
        if low < high and last < begin:
            yield query[low:high], target[last:begin]
        last, at = end, [stop, first]


def look(draw, counts):
    scores = {a + b: draw.choice((1, 2, 9)) if a == b else -draw.randint(4, 9) for a in "ACGT" for b in "ACGT"}
    with open("m.txt", "w", encoding="utf-8") as file:
        print("", *"ACGT", file=file)
        for a in "ACGT":
            print(a, *(scores[a + b] for b in "ACGT"), file=file)
    flanks, (inverted,) = drawn(draw, draw.randint(30, 200), draw.randint(30, 200)), drawn(draw, draw.randint(5, 60))
    target = flanks[0] + turned(inverted) + flanks[1]
    query = flanks[0] + inverted + flanks[1]
    write("t.fa", target)
    first, ext, drop = draw.randint(4, 12), draw.randint(1, 3), draw.randint(5, 120)
    costs = ["--type", "dna", "--matrix", "m.txt", "--asymmetric", "--gap-first", str(first), "--gap-ext", str(ext)]
    words = [*costs, "--mode", draw.choice(MODES), "--strand", "both", "--split", f"--split-drop={drop}", "--format", "json"]
    results = []
    for text in (query, turned(query)):
        is_turned, pieces = whole_is_turned(text, words), pieces_of(text, words)
        results.append((is_turned, pieces))
        for left, right in rests(pieces, text, target, is_turned):
            if len(left) * len(right) > MOST_CELLS:
                continue
            counts["rests"] += 1
            best = local_score(left if is_turned else turned(left), right, scores, first, ext)
            assert best <= drop, f"{words}: {best} is left of {text} and {target}"
        counts["inversions"] += any(piece[5] != is_turned for piece in pieces)
    if results[0][0] == results[1][0]:  # both strands score the same: forward is taken
        return
    mirrored = [(a, b, len(query) - d, len(query) - c, score, not reverse) for a, b, c, d, score, reverse in results[1][1]]
    assert results[0][1] == mirrored, f"{words}: {query} and {target}: {results[0][1]}, mirrored {mirrored}"
    counts["mirrored"] += 1


def main(seed, count):
    print("seed", seed, file=sys.stderr)
    draw, counts = random.Random(int(seed)), {"rests": 0, "inversions": 0, "mirrored": 0}
    for _ in range(int(count)):
        look(draw, counts)
    for name, least in (("rests", 0.3), ("inversions", 0.3), ("mirrored", 0.5)):
        assert counts[name] >= least * int(count), f"too few {name}: {counts}"


main(*sys.argv[1:])
