"""Small pairs that begin and end with gaps or unlike letters, and what VCF says of them.

small_pairs.py make SEED COUNT       q.fa, t.fa, whole.tsv and parts.tsv (regions of both records)
small_pairs.py check NAME REVERSE    NAME.vcf makes the aligned part of each query of that of its target, in NAME.paf;
                                     NAME.norm, what bcftools norm made of it, is the same
"""

import random
import sys

COMPLEMENT = str.maketrans("ACGTRYSWKMBDHVN", "TGCAYRSWMKVHDBN")
PLAIN = str.maketrans("RYSWKMBDHV", "NNNNNNNNNN")


def letters(draw, most, alphabet):
    return "".join(draw.choice(alphabet) for _ in range(draw.randint(0, most)))


def ends_differ(draw, alphabet):
    """A core with a few changes in the middle, and ends that both, one or none has."""
    core = letters(draw, 14, alphabet) + draw.choice(alphabet)
    query = core
    for _ in range(draw.randint(0, 3)):
        at, cut = draw.randint(0, len(query)), draw.choice((0, 0, 1, 2, 3))
        query = query[:at] + letters(draw, 3, alphabet) + query[at + cut :]
    sides = [letters(draw, draw.choice((0, 0, 1, 2, 5)), alphabet) for _ in range(4)]
    return sides[0] + query + sides[1] or "A", sides[2] + core + sides[3]


def part(draw, length):
    start = draw.randint(1, length)
    return f"{start}-{draw.randint(start, length)}"


def make(seed, count):
    draw = random.Random(seed)
    with open("q.fa", "w") as queries, open("t.fa", "w") as targets:
        with open("whole.tsv", "w") as whole, open("parts.tsv", "w") as parts:
            for number in range(count):
                alphabet = draw.choice(("AC", "ACG", "ACGT", "ACGTN", "AAAAC"))
                query, target = ends_differ(draw, alphabet)
                queries.write(f">q{number}\n{query}\n")
                targets.write(f">t{number}\n{target}\n")
                whole.write(f"q.fa:q{number}\tt.fa:t{number}\n")
                parts.write(
                    f"q.fa:q{number}:{part(draw, len(query))}\tt.fa:t{number}:{part(draw, len(target))}\n"
                )


def read_fasta(name):
    records = {}
    for line in open(name):
        if line[0] == ">":
            records[line[1:].strip()] = ""
        else:
            records[next(reversed(records))] += line.strip()
    return records


def read_records(name):
    """By contig, as they stand in the file."""
    records = {}
    for line in open(name):
        if line[0] != "#":
            fields = line.rstrip("\n").split("\t")
            records.setdefault(fields[0], []).append((int(fields[1]) - 1, fields[3], fields[4]))
    return records


def apply(target, records, contig):
    made, done = "", 0
    for start, reference, other in records:
        if start < done:
            raise SystemExit(f"{contig}: records overlap: {records}")
        if target[start : start + len(reference)] != reference:
            raise SystemExit(f"{contig}: not the target's letters: {records}")
        made, done = made + target[done:start] + other, start + len(reference)
    return made + target[done:]


def begins_with_a_gap(record, start):
    """bcftools does not know which part was aligned, and may move such a gap out of it."""
    at, reference, other = record
    return at == start - 1 and reference[0] == other[0]


def check(name, reverse):
    queries, targets = read_fasta("q.fa"), read_fasta("t.fa")
    records, norm, pairs = read_records(f"{name}.vcf"), read_records(f"{name}.norm"), 0
    for line in open(f"{name}.paf"):
        query, _, query_start, query_end, _, contig, _, start, end = line.split("\t")[:9]
        target, start, end = targets[contig].translate(PLAIN), int(start), int(end)
        piece = queries[query].translate(PLAIN)[int(query_start) : int(query_end)]
        if reverse:
            piece = piece.translate(COMPLEMENT)[::-1]
        have, want = records.get(contig, []), norm.get(contig, [])
        if apply(target, have, contig) != target[:start] + piece + target[end:]:
            raise SystemExit(f"{contig}: {have} does not make {piece} of {target}[{start}:{end}]")
        skip = 1 if have and begins_with_a_gap(have[0], start) else 0
        if have[skip:] != want[skip:]:
            raise SystemExit(f"{contig}: {have}, but bcftools norm makes {want} of {target} to {piece}")
        pairs += 1
    if pairs < 100 or len(records) < 10:
        raise SystemExit(f"only {pairs} pairs, and differences between {len(records)} of them")
    print(name)


if sys.argv[1] == "make":
    make(int(sys.argv[2]), int(sys.argv[3]))
else:
    check(sys.argv[2], len(sys.argv) > 3)
