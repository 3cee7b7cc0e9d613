"""Circular records in the formats whose positions are along the records.

circles.py SEED COUNT    draws pairs, aligns each with clalign, and compares the pairs of letters that PAF, SAM, BAM, MAF
                         and chain tell with those of JSON; VCF must make the query, turned, of the target
"""

import json
import random
import re
import subprocess
import sys

COMPLEMENT = str.maketrans("ACGT", "TGCA")
LINEAR = ("paf", "sam", "bam", "maf", "chain", "blast", "bed", "vcf")
SCORES = ("--match", "2", "--mismatch", "-1", "--gap-first", "3", "--gap-ext", "1")


def letters(draw, count):
    return "".join(draw.choice("ACGT") for _ in range(count))


def draw_pair(draw):
    """Two circles with a gap at or near the origin of the second one, and a few other changes."""
    target = letters(draw, draw.randint(60, 120))
    query = list(target)
    for _ in range(draw.randint(0, 4)):
        query[draw.randrange(len(query))] = letters(draw, 1)
    at, size = draw.choice((0, 0, 0, 1, 3, 50)), draw.randint(0, 6)
    turn = draw.randrange(5, len(target) - 5)
    kind = draw.choice(("insertion", "deletion", "both sides", "none"))
    if kind == "insertion":
        query[at : at] = letters(draw, size)
    elif kind == "deletion":
        del query[at : at + size]
    elif kind == "both sides":
        del query[-size - 1 :]
        del query[: size // 2]
    query = "".join(query)
    turn %= len(query)
    return query[turn:] + query[:turn], target


def turned(text):
    return text.translate(COMPLEMENT)[::-1]


class Side:
    """Positions of a strand's letters on the record, by their numbers."""

    def __init__(self, length, reverse):
        self.length, self.reverse = length, reverse

    def place(self, position):
        position %= self.length
        return self.length - 1 - position if self.reverse else position


def walk(cigar, query, query_side, target, target_length):
    """The pairs of letters from these positions on the strand on."""
    pairs = set()
    for count, kind in re.findall(r"(\d+)([=XIDSH])", cigar):
        for _ in range(int(count)):
            if kind in "=X":
                pairs.add((query_side.place(query), target % target_length))
            query += kind in "=XI"
            target += kind in "=XD"
    return pairs


def inside(what, *ranges):
    for start, stop, length in ranges:
        if not 0 <= start < stop <= length:
            raise SystemExit(f"{what}: {start}-{stop} of {length}")


def rows(name, comment="#"):
    return [line.rstrip("\n").split("\t") for line in open(name) if line.strip() and line[0] not in comment]


def from_paf(query, target):
    pairs = set()
    for row in rows("out.paf"):
        start, stop, first, last = (int(row[i]) for i in (2, 3, 7, 8))
        inside("paf", (start, stop, len(query)), (first, last, len(target)))
        if "tp:A:P" not in row:
            raise SystemExit("paf: a part is no primary alignment")
        side = Side(len(query), row[4] == "-")
        cigar = next(field[5:] for field in row if field.startswith("cg:Z:"))
        pairs |= walk(cigar, len(query) - stop if side.reverse else start, side, first, len(target))
    return pairs


def sam_lines(name):
    return subprocess.run(["samtools", "view", name], check=True, capture_output=True, text=True).stdout.splitlines()


def from_sam(query, target):
    pairs, lines = set(), sam_lines("out.sam")
    if lines != sam_lines("out.bam"):
        raise SystemExit("bam: not as sam")
    for number, line in enumerate(lines):
        row = line.split("\t")
        flag, cigar = int(row[1]), row[5]
        if bool(flag & 2048) != (number > 0) or ("SA:Z:" in line) != (len(lines) > 1):
            raise SystemExit(f"sam: flag {flag} or no SA: {line}")
        side = Side(len(query), bool(flag & 16))
        clip = int((re.match(r"(\d+)[SH]", cigar) or [0, 0])[1])
        pairs |= walk(cigar, clip, side, int(row[3]) - 1, len(target))
        strand = turned(query) if side.reverse else query
        hard = clip if "H" in cigar else 0
        if strand[hard : hard + len(row[9])] != row[9]:
            raise SystemExit(f"sam: other letters: {line}")
    return pairs


def from_maf(query, target):
    pairs = set()
    lines = [line.split() for line in open("out.maf") if line.startswith("s ")]
    for below, above in zip(lines[::2], lines[1::2]):
        side = Side(len(query), above[4] == "-")
        strand, at, other = turned(query) if side.reverse else query, int(above[2]), int(below[2])
        inside("maf", (at, at + int(above[3]), len(query)), (other, other + int(below[3]), len(target)))
        if above[6].replace("-", "") != strand[at : at + int(above[3])]:
            raise SystemExit("maf: other letters of the query")
        if below[6].replace("-", "") != target[other : other + int(below[3])]:
            raise SystemExit("maf: other letters of the target")
        for one, two in zip(above[6], below[6]):
            if one != "-" and two != "-":
                pairs.add((side.place(at), other))
            at, other = at + (one != "-"), other + (two != "-")
    return pairs


def from_chain(query, target):
    pairs, side, at, other = set(), None, 0, 0
    for line in open("out.chain"):
        row = line.split()
        if line.startswith("chain"):
            at, other, side = int(row[10]), int(row[5]), Side(len(query), row[9] == "-")
            inside("chain", (at, int(row[11]), len(query)), (other, int(row[6]), len(target)))
        elif row:
            for _ in range(int(row[0])):
                pairs.add((side.place(at), other))
                at, other = at + 1, other + 1
            if len(row) > 1:
                at, other = at + int(row[2]), other + int(row[1])
    return pairs


def check_blast(pairs, query, target):
    lines = rows("out.blast")
    for row in lines:
        at, stop, first, last = map(int, row[6:10])
        inside("blast", (at - 1, stop, len(query)), (min(first, last) - 1, max(first, last), len(target)))
    if sum(int(row[3]) for row in lines) < len(pairs):
        raise SystemExit("blast: too few columns")


def check_vcf(reverse, mode, query, target):
    made, done, lines = "", 0, rows("out.vcf")
    for row in lines:
        start = int(row[1]) - 1
        if start < done or target[start : start + len(row[3])] != row[3]:
            raise SystemExit(f"vcf: {lines}")
        made, done = made + target[done:start] + row[4], start + len(row[3])
    made += target[done:]
    if mode == "global" and (turned(made) if reverse else made) not in query + query:
        raise SystemExit(f"vcf: not the query: {lines}")
    if mode == "global" and len(made) != len(query):
        raise SystemExit(f"vcf: {len(made)} letters")


def run(number, draw):
    query, target = draw_pair(draw)
    circle, mode = draw.choice(("query", "target")), draw.choice(("global", "local"))
    strand = draw.choice(("forward", "reverse"))
    given = turned(query) if strand == "reverse" else query
    open("q.fa", "w").write(f">q\n{given}\n")
    open("t.fa", "w").write(f">t\n{target}\n")
    outputs = [word for name in ("json", *LINEAR) for word in ("--format", name, "--output", f"out.{name}")]
    subprocess.run(
        ["clalign", "align", "--quiet", "--mode", mode, "--circular", circle, "--strand", strand, *SCORES, *outputs]
        + ["q.fa", "t.fa"],
        check=True,
    )
    found = json.load(open("out.json"))
    side = Side(len(query), strand == "reverse")
    start = found["query"]["start"] if strand == "forward" else len(query) - found["query"]["end"] % len(query)
    want = walk(found["cigar"], start, side, found["target"]["start"], len(target))
    for name, got in (("paf", from_paf), ("sam", from_sam), ("maf", from_maf), ("chain", from_chain)):
        if got(given, target) != want:
            raise SystemExit(f"pair {number}, {mode}, circular {circle}, {strand}: {name} has other pairs")
    check_blast(want, given, target)
    check_vcf(strand == "reverse", mode, given, target)
    return found["query"]["rotation"] + found["target"]["rotation"] > 0


def main():
    draw = random.Random(int(sys.argv[1]))
    crossing = sum(run(number, draw) for number in range(int(sys.argv[2])))
    print("some cross the origin" if crossing > int(sys.argv[2]) // 4 else f"only {crossing} cross the origin")


main()
