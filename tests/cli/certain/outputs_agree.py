"""Aligns random pairs with --certify, and compares what each format says of the certificate with JSON.

    outputs_agree.py SEED COUNT

The columns of JSON's path have margins and blocks; every other format must say the same of them.
"""

import collections
import json
import random
import re
import subprocess
import sys

COMPLEMENT = str.maketrans("ACGT", "TGCA")
SCHEMES = [
    [],
    ["--match", "2", "--mismatch", "-1", "--gap-first", "2", "--gap-ext", "1"],
    ["--match", "0.5", "--mismatch", "-1.5", "--gap-first", "2.5", "--gap-ext", "1"],
    ["--match", "1", "--mismatch", "-1", "--gap-first", "1", "--gap-ext", "1"],
    ["--match", "1", "--mismatch", "-2", "--gap-first", "4", "--gap-ext", "2", "--gap-first2", "7", "--gap-ext2", "1"],
]


def related(draw, length):
    """A record with runs of equal letters, and a changed copy."""
    one = ""
    while len(one) < length:
        one += draw.choice("ACGT") * draw.choice((1, 1, 1, 1, 2, 5)) if draw.random() < 0.9 else "CA" * draw.randint(1, 5)
    two = ""
    for letter in one:
        change = draw.random()
        if change < 0.06:
            two += draw.choice("ACGT")
        elif change < 0.09:
            two += letter + draw.choice((letter, "ACGT"[draw.randrange(4)])) * draw.randint(1, 3)
        elif change > 0.03 + 0.06:
            two += letter
    return one, two or "A"


class Certified:
    """An alignment as JSON has it: its columns, each with its nodes, its margin and the letter of its block."""

    def __init__(self, found):
        self.found, self.certificate = found, found["certificate"]
        query, target = found["query"], found["target"]
        self.reverse = query["strand"] == "-"
        margins = [margin for columns, margin in self.certificate["margins"] for _ in range(columns)]
        self.at = query["end"] if self.reverse else query["start"]
        self.columns = []
        i, j = self.at, target["start"]
        for length, kind in re.findall(r"(\d+)([=XID])", found["cigar"]):
            for _ in range(int(length)):
                k, m = i + (kind != "D") * (-1 if self.reverse else 1), j + (kind != "I")
                self.columns.append([i, j, k, m, margins[len(self.columns)], ""])
                i, j = k, m
        assert len(margins) == len(self.columns), (len(margins), len(self.columns))
        self.blocks = [self.unrolled(block) for block in self.certificate["blocks"]]
        for number, block in enumerate(self.blocks):
            (a, b), (c, d) = block["query"], block["target"]
            for column in self.columns:
                if all(a <= i <= b for i in column[:3:2]) and all(c <= j <= d for j in column[1:4:2]):
                    column[5] = block["class"][0]
                    block.setdefault("columns", []).append(column)

    def unrolled(self, block):
        """The block's positions, those of a circle counted on behind the origin as the alignment's are."""
        block = dict(block)
        for name in ("query", "target"):
            side, (start, end) = self.found[name], block[name]
            turned = side["length"] if side["end"] > side["length"] and end <= side["start"] else 0
            block[name] = [start + turned, end + turned]
        return block

    def margins(self):
        return [(margin, letter) for *_, margin, letter in self.columns]


def same(what, one, two):
    if one != two:
        sys.exit(f"{what}: {one} and {two}")


def near(what, one, two):
    if abs(float(one) - float(two)) > 1e-5 * max(1, abs(float(one))):
        sys.exit(f"{what}: {one} and {two}")


def tags_of(words):
    return {word[:2]: word[5:] for word in words if re.match(r"[A-Za-z]\w:[A-Za-z]:", word)}


def check_tags(name, tags, item, columns):
    near(name + " na", tags["na"], item.certificate["log10_alignments"])
    same(name + " un", tags["un"], str(int(item.certificate["unique"])))
    same(name + " am", int(tags["am"]), sum(margin == 0 for margin, _ in columns))
    found = []
    for length, margin, letter in re.findall(r"(\d+):([\d.]+)([sa]?)(?:,|$)", tags["mg"]):
        found += [(float(margin), letter)] * int(length)
    same(name + " mg", found, [(float(margin), letter) for margin, letter in columns])


def part_columns(item, query, target, reverse, cigar):
    """Margins of the columns of a line that may be a part of a circle's alignment, found by their nodes."""
    lengths = item.found["query"]["length"], item.found["target"]["length"]
    turned = {tuple(c[k] % lengths[k % 2] for k in range(4)): tuple(c[4:]) for c in item.columns}
    out, i, j = [], query, target
    for length, kind in re.findall(r"(\d+)([=XID])", cigar):
        for _ in range(int(length)):
            k, m = i + (kind != "D") * (-1 if reverse else 1), j + (kind != "I")
            out.append(turned[i % lengths[0], j % lengths[1], k % lengths[0], m % lengths[1]])
            i, j = k, m
    return out


def read_table(lines):
    return [line.rstrip("\n").split("\t") for line in lines if not line.startswith(("@", "#"))]


def check_paf(item):
    for line in read_table(open("x.paf")):
        tags, reverse = tags_of(line[12:]), line[4] == "-"
        start = int(line[3 if reverse else 2])
        check_tags("paf", tags, item, part_columns(item, start, int(line[7]), reverse, tags["cg"]))


def check_sam(item, lines):
    """Records are lines of PAF, which are checked by their places."""
    local = lambda tags: (tags["mg"], tags["am"], tags["un"])
    tags = [tags_of(record[11:]) for record in read_table(lines)]
    same("sam", sorted(map(local, tags)), sorted(local(tags_of(line[12:])) for line in read_table(open("x.paf"))))
    for found in tags:
        near("sam na", found["na"], item.certificate["log10_alignments"])


def check_text(item):
    lines = open("x.pair").read().split("\n")
    rows = [lines[i + 1][21:] for i, line in enumerate(lines) if line.startswith("t ")]
    wanted = ["*" if margin > 9 else str(int(-(-margin // 1))) for margin, _ in item.margins()]
    same("digits", "".join(rows), "".join(wanted))


def check_blocks(item):
    side, lines = item.found["target"], read_table(open("x.blocks"))
    wanted = []
    for block in item.certificate["blocks"]:
        sign = item.found["query"]["strand"]
        wanted.append([*block["target"], block["class"], int(1000 * block["least_support"] + 0.5), sign, *block["query"]])
    wanted.sort(key=lambda line: line[0])
    found = [[int(a), int(b), kind, int(support), sign, int(c), int(d)] for _, a, b, kind, support, sign, c, d, *_ in lines]
    if side["end"] <= side["length"]:
        if [line[:3] + line[4:] for line in found] != [line[:3] + line[4:] for line in wanted]:
            sys.exit(f"blocks: {found} and {wanted}")
        for one, two in zip(found, wanted):
            assert abs(one[3] - two[3]) <= 1, (one, two)
        order = sorted(item.certificate["blocks"], key=lambda block: block["target"][0])
        for line, block in zip(lines, order):
            near("number of a block", line[8], block["log10_alignments"])
            same("margin of a block", float(line[9]), float(block["margin"]))
        return
    for name, at in ("target", 0), ("query", 5):
        length = item.found[name]["length"]
        letters = sorted((j % length, block["class"]) for block in item.blocks for j in range(*block[name]))
        same("letters of blocks", sorted((j % length, line[2]) for line in found for j in range(line[at], line[at + 1])), letters)


def letter_margins(item):
    length = item.found["target"]["length"]
    return {j % length: margin for _, j, _, m, margin, _ in item.columns if m > j}


def check_tracks(item, mask):
    wanted, found = letter_margins(item), {}
    for line in open("x.bg"):
        _, start, end, margin = line.split("\t")
        for j in range(int(start), int(end)):
            assert j not in found
            found[j] = float(margin)
    same("bedgraph", found, {j: float(margin) for j, margin in wanted.items()})
    letters = [j for line in open("x.bed") for j in range(*map(int, line.split("\t")[1:3]))]
    same("bed", letters, sorted(j for j, margin in wanted.items() if margin >= mask))


def difference(position, ref, alt):
    """The target letters of a record and the number of query letters in their place, without the letter beside a gap."""
    if len(ref) == len(alt):
        return position, len(ref), len(alt)
    if ref[0] == alt[0]:
        return position + 1, len(ref) - 1, len(alt) - 1
    if position == 0 and ref[-1] == alt[-1]:
        return position, len(ref) - 1, len(alt) - 1
    return position, len(ref), len(alt)


def check_vcf(item):
    """The query position of a record follows from the records before it."""
    lines = read_table(open("x.vcf"))
    sign = -1 if item.reverse else 1
    i, j = item.at, item.found["target"]["start"]
    by_target = {c[1]: n for n, c in enumerate(item.columns) if c[3] > c[1]}
    by_query = {c[0]: n for n, c in enumerate(item.columns) if c[2] != c[0]}
    for _, position, _, ref, alt, _, verdict, info, *_ in lines:
        target, deleted, inserted = difference(int(position) - 1, ref, alt)
        i, j = i + sign * (target - j), target
        ranges = []
        if deleted:
            ranges.append((by_target[j], by_target[j + deleted - 1]))
        if inserted:
            ranges.append((by_query[i], by_query[i + sign * (inserted - 1)]))
        i, j = i + sign * inserted, j + deleted
        columns = [n for first, last in ranges for n in range(first, last + 1)]
        fields = dict(word.split("=") for word in info.split(";"))
        same("MG", float(fields["MG"]), float(min(item.columns[n][4] for n in columns)))
        within = item.columns[min(columns) : max(columns) + 1]
        blocks = [block for block in item.blocks if any(c in within for c in block.get("columns", []))]
        other = len(blocks) > 1 or any(block["class"] == "alternative" for block in blocks)
        same("FILTER", verdict, "ambiguous" if other else "PASS")
        same("ACL", fields.get("ACL"), None if not blocks else "alternative" if other else "shift")
        if not blocks:
            continue
        same("BMG", float(fields["BMG"]), float(min(block["margin"] for block in blocks)))
        same("AMB", fields["AMB"], f"{blocks[0]['target'][0] + 1},{blocks[-1]['target'][1]}")
        number = 10 ** sum(block["log10_alignments"] for block in blocks)
        near("NPL", float(fields["NPL"]) / number, 1 if number > 1e6 else round(number) / number)
    return len(lines)


def compare(draw, counts):
    one, two = related(draw, draw.choice((12, 40, 90)))
    options, circle = draw.choice(SCHEMES), False
    options = options + ["--mode", draw.choice(("global", "local", "semi-global", "overlap"))]
    options += draw.choice(([], ["--gap-placement", "left"], ["--gap-placement", "right"]))
    kind = draw.choice(("forward", "reverse", "circle"))
    if kind == "reverse" or (kind == "circle" and draw.random() < 0.5):
        two = two.translate(COMPLEMENT)[::-1]
        options += ["--strand", "reverse"]
    if kind == "circle":
        turn = draw.randrange(len(one))
        one, options[options.index("--mode") + 1] = one[turn:] + one[:turn], draw.choice(("global", "local"))
        options += ["--circular", draw.choice(("target", "query"))]
    certify, mask = draw.choice((("--certify", 1), ("--certify", 3), ("--certify=6", 5), ("--certify=30", 5)))
    for name, letters in ("q.fa", two), ("t.fa", one):
        with open(name, "w") as file:
            file.write(f">{name[0]}\n{letters}\n")
    names = ["x.json", "x.paf", "x.sam", "x.bam", "x.pair", "x.blocks", "x.bg", "x.bed", "x.vcf"]
    command = ["clalign", "align", "--quiet", certify, "--mask-below", str(mask), *options]
    command += [word for name in names for word in ("-o", name)] + ["q.fa", "t.fa"]
    print(*command, file=sys.stderr)
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    same("clalign", (done.returncode, done.stderr), (0, ""))
    found = json.load(open("x.json"))
    same("a certificate if there are columns", "certificate" in found, found["columns"] > 0)
    if found["columns"] == 0:
        return
    item = Certified(found)
    counts[kind] += 1
    check_paf(item)
    check_sam(item, open("x.sam"))
    view = subprocess.run(["samtools", "view", "x.bam"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True, text=True)
    check_sam(item, view.stdout.splitlines())
    check_text(item)
    check_blocks(item)
    check_tracks(item, mask)
    if item.found["target"]["end"] <= item.found["target"]["length"]:
        counts["difference"] += check_vcf(item)


seed, count = map(int, sys.argv[1:3])
draw, counts = random.Random(seed), collections.Counter()
for _ in range(count):
    compare(draw, counts)
print(dict(counts), file=sys.stderr)
print("of each kind" if all(counts[kind] > 0 for kind in ("forward", "reverse", "circle", "difference")) else counts)
