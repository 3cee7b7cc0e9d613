"""Reads what clalign wrote, mostly with Biopython and bx-python, and compares it with the JSON object of the same alignment.

    read_back.py OBJECT.json QUERY.fa TARGET.fa FORMAT=FILE...

For each file: the path and the coordinates are those of the object (whose own path is re-scored here, letter by
letter), and so is the score where the format has one. Prints "FORMAT: SCORE" for each.
"""

import json
import math
import re
import subprocess
import sys
import warnings

import Bio
import bx.align.epo
import bx.align.maf
import bx.intervals.io
import numpy
from Bio import Align, AlignIO, BiopythonWarning, SeqIO

warnings.simplefilter("ignore", BiopythonWarning)
from Bio import SearchIO  # noqa: E402 (it warns of a parser that is not used here)

try:
    from pyliftover import LiftOver
except ImportError:
    LiftOver = None

if not hasattr(bx.align.epo, "cumulative_intervals"):  # another spelling in Debian 12
    bx.align.epo.cumulative_intervals = bx.align.epo.cummulative_intervals
numpy.int = int  # a name that numpy dropped, and that Debian 12's bx-python still uses to read chains
BASES = {"R": "AG", "Y": "CT", "S": "CG", "W": "AT", "K": "GT", "M": "AC", "B": "CGT", "D": "AGT", "H": "ACT", "V": "ACG"}
COMPLEMENT = str.maketrans("ACGTRYSWKMBDHVN", "TGCAYRSWMKVHDBN")


class Pair:
    """The two sequences and the alignment as JSON has it."""

    def __init__(self, object_file, query_file, target_file):
        with open(object_file, encoding="utf-8") as file:
            self.object = json.loads(file.readline())
        side = self.object["query"]
        self.reverse = side["strand"] == "-"
        self.query = self.letters(query_file, side["name"])
        self.target = self.letters(target_file, self.object["target"]["name"])
        if self.reverse:
            self.query = self.query.translate(COMPLEMENT)[::-1]
        self.query_start, self.query_end = side["start"], side["end"]
        if self.reverse and side["end"] > 0:  # of the strand that was aligned
            self.query_start, self.query_end = len(self.query) - side["end"], len(self.query) - side["start"]
        self.target_start, self.target_end = self.object["target"]["start"], self.object["target"]["end"]
        self.cigar = self.object["cigar"]
        self.score = self.object["score"]

    def letters(self, file, name):
        for record in SeqIO.parse(file, "fasta"):
            if record.id == name:
                text = str(record.seq).upper()
                return text.replace("U", "T") if self.object["type"] == "dna" else text
        raise SystemExit(f"no {name} in {file}")

    def pair_score(self, query, target):
        scoring = self.object["scoring"]
        if scoring["matrix"] is None:
            if scoring["ambiguity"] == "neutral" and not (query in "ACGT" and target in "ACGT"):
                return 0
            equal = query == target and query in "ACGT"
            return scoring["match"] if equal else scoring["mismatch"]
        letters = scoring["matrix"]["letters"]
        return scoring["matrix"]["scores"][letters.index(query)][letters.index(target)]

    def gap_score(self, length):
        scoring = self.object["scoring"]
        cost = scoring["gap_first"] + (length - 1) * scoring["gap_ext"]
        if scoring["gap_first2"] is not None:
            cost = min(cost, scoring["gap_first2"] + (length - 1) * scoring["gap_ext2"])
        return -cost

    def rescore(self, cigar):
        i, j, score = self.query_start, self.target_start, 0
        for length, operation in operations(cigar):
            if operation in "ID":
                score += self.gap_score(length)
            else:
                for k in range(length):
                    score += self.pair_score(self.query[i + k], self.target[j + k])
            i += length if operation != "D" else 0
            j += length if operation != "I" else 0
        expect("ends of the path", (i, j), (self.query_end, self.target_end))
        return score

    def is_match(self, query, target):
        ambiguous = "RYSWKMBDHVN" if self.object["type"] == "dna" else "BZXJ*"
        return query == target and query not in ambiguous

    def cigar_of_rows(self, query, target):
        """The CIGAR of two rows with gaps, whose letters must be those of the sequences."""
        expect("columns", len(query), len(target))
        expect("query letters", query.replace("-", ""), self.query[self.query_start : self.query_end])
        expect("target letters", target.replace("-", ""), self.target[self.target_start : self.target_end])
        text = ""
        for a, b in zip(query, target):
            text += "D" if a == "-" else "I" if b == "-" else "=" if self.is_match(a, b) else "X"
        return "".join(f"{len(run.group())}{run.group()[0]}" for run in re.finditer(r"(.)\1*", text))


def operations(cigar):
    return [(int(length), operation) for length, operation in re.findall(r"(\d+)([=XIDS])", cigar)]


def expect(what, found, wanted):
    if found != wanted:
        raise SystemExit(f"{what}: {str(found)[:300]} and not {str(wanted)[:300]}")


def only(items):
    items = list(items)
    expect("alignments", len(items), 1)
    return items[0]


def check_rows(pair, query, target, score=None):
    expect("path", pair.cigar_of_rows(query, target), pair.cigar)
    if score is not None:
        expect("score", float(score), float(pair.score))


def read_fasta(pair, file):
    query, target = only(AlignIO.parse(file, "fasta", seq_count=2)) if pair.cigar else SeqIO.parse(file, "fasta")
    starts = [dict(word.split("=") for word in record.description.split()[1:]) for record in (query, target)]
    for start, name in zip(starts, ("query", "target")):
        side = pair.object[name]
        expect("head", start, {key: str(side[key]) for key in ("start", "end", "strand", "length")})
    check_rows(pair, str(query.seq), str(target.seq))


def rows_of(alignment):
    """The two rows of Biopython's coordinates, which run down on the reverse strand, and its letters."""
    rows = []
    for row, other, record in zip(alignment.coordinates, alignment.coordinates[::-1], alignment.sequences):
        text = ""
        for k in range(len(row) - 1):
            begin, end = sorted((int(row[k]), int(row[k + 1])))
            part = str(record.seq[begin:end])
            text += part.translate(COMPLEMENT)[::-1] if row[0] > row[-1] else part
            text += "-" * (abs(int(other[k + 1] - other[k])) - len(part))
        rows.append(text)
    return rows


def read_emboss(pair, file):
    alignment = only(Align.parse(file, "emboss"))
    check_rows(pair, *rows_of(alignment))
    if not pair.reverse:  # AlignIO expects positions that run upwards
        query, target = only(AlignIO.parse(file, "emboss"))
        check_rows(pair, str(query.seq), str(target.seq))
    with open(file, encoding="utf-8") as text:
        expect("score", float(re.search(r"^# Score: (\S+)", text.read(), re.M).group(1)), float(pair.score))


def read_maf(pair, file):
    target, query = only(AlignIO.parse(file, "maf"))
    check_rows(pair, str(query.seq), str(target.seq))
    expect("starts", (query.annotations["start"], target.annotations["start"]), (pair.query_start, pair.target_start))
    expect("sizes", (query.annotations["srcSize"], target.annotations["srcSize"]), (len(pair.query), len(pair.target)))
    expect("strand", query.annotations["strand"], -1 if pair.reverse else 1)
    alignment = only(Align.parse(file, "maf"))
    expect("score", float(alignment.score), float(pair.score))
    with open(file, encoding="utf-8") as lines:
        block = only(bx.align.maf.Reader(lines))
    target, query = block.components
    check_rows(pair, query.text, target.text, block.score)
    side = pair.object["query"]
    expect("bx' query", (query.strand, query.forward_strand_start, query.forward_strand_end, query.src_size),
           (side["strand"], side["start"], side["end"], side["length"]))
    expect("bx' target", (target.start, target.end), (pair.target_start, pair.target_end))


def read_paf(pair, file):
    with open(file, encoding="utf-8") as lines:
        columns = only(lines).rstrip("\n").split("\t")
    tags = {tag[:2]: tag[5:] for tag in columns[12:]}
    expect("path", tags["cg"], pair.cigar)
    side = pair.object["query"]
    expect("coordinates", [int(columns[k]) for k in (2, 3, 7, 8)],
           [side["start"], side["end"], pair.target_start, pair.target_end])
    expect("strand", columns[4], side["strand"])
    expect("score", int(tags["AS"]) / int(tags.get("su", 1)), float(pair.score))
    if pair.object["type"] == "dna":
        check_rows(pair, *rows_of_cs(pair, tags["cs"]))


def rows_of_cs(pair, text):
    """The rows that a cs tag describes: matches are of the query, all other letters are the tag's own."""
    query, target, i = "", "", pair.query_start
    for mark, letters in re.findall(r"([:*+-])([a-z0-9]+)", text):
        if mark == ":":
            same = pair.query[i : i + int(letters)]
            query, target, i = query + same, target + same, i + len(same)
        elif mark == "*":
            query, target, i = query + letters[1].upper(), target + letters[0].upper(), i + 1
        elif mark == "+":
            query, target, i = query + letters.upper(), target + "-" * len(letters), i + len(letters)
        else:
            query, target = query + "-" * len(letters), target + letters.upper()
    return query, target


def read_sam(pair, file):
    text = subprocess.run(["samtools", "view", file], check=True, capture_output=True, text=True).stdout
    columns = only(text.splitlines()).split("\t")
    tags = {tag[:2]: tag[5:] for tag in columns[11:]}
    if not pair.cigar:
        return expect("an unmapped record", columns[1:6], ["4", "*", "0", "0", "*"])
    found = operations(columns[5])
    clip = found[0][0] if found[0][1] == "S" else 0
    expect("clip", clip, pair.query_start)
    expect("path", "".join(f"{n}{o}" for n, o in found if o != "S"), pair.cigar)
    expect("position", int(columns[3]) - 1, pair.target_start)
    expect("letters", columns[9], pair.query)
    expect("flag", int(columns[1]), 16 if pair.reverse else 0)
    expect("score", int(tags["AS"]) / int(tags.get("su", 1)), float(pair.score))
    differences = sum(n for n, o in operations(pair.cigar) if o != "=")
    expect("NM", int(tags["NM"]), differences)
    if file.endswith(".sam") and not re.search("[^ACGTN]", pair.target):  # of which Biopython knows MD
        only(Align.parse(file, "sam"))


def read_chain(pair, file):
    """Blocks of pairs, and between them the gaps, which touch where there are two: their order is not kept."""
    with open(file, encoding="utf-8") as lines:
        head, *blocks = [line.split() for line in lines if line.strip()]
    expect("score", head[1], str(int(pair.score)))
    expect("sizes and strands", (head[3], head[4], head[8], head[9]),
           (str(len(pair.target)), "+", str(len(pair.query)), "-" if pair.reverse else "+"))
    wanted, i, j = [], pair.query_start, pair.target_start
    for length, operation in operations(pair.cigar):
        if operation in "=X":
            if wanted and wanted[-1][1:] == (i, j):
                wanted[-1] = (wanted[-1][0] + length, i + length, j + length)
            else:
                wanted.append((length, i + length, j + length))
        i += length if operation != "D" else 0
        j += length if operation != "I" else 0
    found, i, j = [], int(head[10]), int(head[5])
    for block in blocks:
        size, in_target, in_query = (int(number) for number in block + ["0"] * (3 - len(block)))
        found.append((size, i + size, j + size))
        i, j = i + size + in_query, j + size + in_target
    expect("ends", (i, j), (int(head[11]), int(head[6])))
    expect("blocks", found, wanted)
    others_read_chain(pair, file, wanted)


def others_read_chain(pair, file, blocks):
    """bx-python; newer releases of Biopython and pyliftover, where they are."""
    chain, sizes, in_target, in_query = only(bx.align.epo.Chain._parse_file(file))
    for start, gaps, column in ((chain.tStart, in_target, 2), (chain.qStart, in_query, 1)):
        found = bx.align.epo.cumulative_intervals(sizes, gaps)
        expect("bx' blocks", [(start + int(a), start + int(b)) for a, b in found],
               [(block[column] - block[0], block[column]) for block in blocks])
    if int(Bio.__version__.split(".")[1]) > 80:
        alignment = only(Align.parse(file, "chain"))
        found = [(t[1] - t[0], t[1]) for t in alignment.aligned[0]]
        expect("Biopython's blocks", [tuple(map(int, t)) for t in found], [(n, j) for n, i, j in blocks])
    if LiftOver and pair.object["target"]["name"].isascii() and pair.object["query"]["name"].isascii():
        lift = LiftOver(file)
        name = pair.object["target"]["name"]
        for length, i, j in blocks:
            at = lift.convert_coordinate(name, j - length)
            expect("lifted", [place[1:3] for place in at],
                   [(len(pair.query) - 1 - i + length if pair.reverse else i - length, "-" if pair.reverse else "+")])


def read_vcf(pair, file):
    """The differences make the query of the target, and read as pairs and gaps they score what the path does."""
    plain = str.maketrans("RYSWKMBDHV", "NNNNNNNNNN")
    query, target = pair.query.translate(plain), pair.target

    def check_alike(what, first, second):
        """Letters, and those of the target."""
        expect(f"{what}, how many", len(first), len(second))
        for a, b in zip(first, second):
            if a != b.translate(plain) and a not in BASES.get(b, ""):
                raise SystemExit(f"{what}: {first[:300]} and not {second[:300]}")

    text = subprocess.run(["bcftools", "view", "-H", file], check=True, capture_output=True, text=True).stdout
    i, j, score = pair.query_start, pair.target_start, 0
    for line in text.splitlines():
        position, _, reference, other = line.split("\t")[1:5]
        start = int(position) - 1
        expect("reference", target[start : start + len(reference)], reference)
        while reference and other and reference[0] == other[0]:
            start, reference, other = start + 1, reference[1:], other[1:]
        while reference and other and reference[-1] == other[-1]:
            reference, other = reference[:-1], other[:-1]
        if start < j:
            raise SystemExit(f"records overlap at {position}")
        check_alike("letters between differences", query[i : i + start - j], target[j:start])
        score += pairs_score(pair, i, j, start - j)
        i, j = i + start - j, start
        expect("other letters", query[i : i + len(other)], other)
        score += difference_score(pair, i, len(other), j, len(reference))
        i, j = i + len(other), j + len(reference)
    check_alike("letters after the differences", query[i : pair.query_end], target[j : pair.target_end])
    score += pairs_score(pair, i, j, pair.target_end - j)
    expect("score", float(score), float(pair.score))


def read_bed(pair, file):
    """The target's letters that the alignment has, as bx-python reads them."""
    name = pair.object["target"]["name"]
    with open(file, encoding="utf-8") as lines:
        found = list(bx.intervals.io.GenomicIntervalReader(lines, chrom_col=0, start_col=1, end_col=2, fix_strand=True))
    wanted = [(pair.target_start, pair.target_end)] if pair.target_start < pair.target_end else []
    expect("parts", [(part.start, part.end) for part in found], wanted)
    if re.fullmatch(r"[\w.|]+", name, re.ASCII):  # others are written with marks in place of what SAM does not take
        expect("names", {part.chrom for part in found}, {name} if wanted else set())


def pairs_score(pair, i, j, length):
    return sum(pair.pair_score(pair.query[i + k], pair.target[j + k]) for k in range(length))


def difference_score(pair, i, inserted, j, deleted):
    """The best of: gaps alone, pairs and a gap behind them, a gap and pairs behind it."""
    gap = lambda length: pair.gap_score(length) if length > 0 else 0
    pairs = min(inserted, deleted)
    rest = gap(inserted - pairs) + gap(deleted - pairs)
    behind = pairs_score(pair, i + inserted - pairs, j + deleted - pairs, pairs)
    return max(gap(inserted) + gap(deleted), pairs_score(pair, i, j, pairs) + rest, behind + rest)


def read_blast(pair, file, comments=False):
    result = only(SearchIO.parse(file, "blast-tab", comments=comments))
    found = result[0][0]
    counts = pair.object
    expect("columns", found.aln_span, counts["columns"])
    expect("mismatches and gaps", (found.mismatch_num, found.gapopen_num), (counts["mismatches"], counts["gap_opens"]))
    side = counts["query"]
    expect("query", (found.query_start, found.query_end), (side["start"], side["end"]))
    expect("target", (found.hit_start, found.hit_end), (pair.target_start, pair.target_end))
    if counts["type"] == "dna" and pair.target_end - pair.target_start > 1:  # of one letter the table does not tell
        expect("strand", found.hit_strand, -1 if pair.reverse else 1)
    identity = 100 * counts["matches"] / counts["columns"]
    if abs(found.ident_pct - identity) > 0.001:
        raise SystemExit(f"identity {found.ident_pct} and not {identity}")
    if not math.isnan(found.bitscore) and found.bitscore < 0:
        raise SystemExit(f"{found.bitscore} bits")


def read_cla(pair, file):
    text = subprocess.run(["clalign", "show", "--format", "json", file], check=True, capture_output=True, text=True)
    shown = json.loads(text.stdout)
    for key in ("score", "cigar", "query", "target", "mode", "scoring", "matches", "columns"):
        expect(key, shown[key], pair.object[key])


def read_cigar(pair, file):
    with open(file, encoding="utf-8") as lines:
        expect("path", only(lines).rstrip("\n"), pair.cigar)


def read_tsv(pair, file):
    with open(file, encoding="utf-8") as lines:
        head, line = lines.read().splitlines()
    row = dict(zip(head.lstrip("#").split("\t"), line.split("\t"), strict=True))
    counts, side = pair.object, pair.object["query"]
    expect("score", float(row["score"]), float(pair.score))
    expect("path", row["cigar"], pair.cigar or "*")
    expect("query", (int(row["query_start"]), int(row["query_end"])), (side["start"], side["end"]))
    expect("target", (int(row["target_start"]), int(row["target_end"])), (pair.target_start, pair.target_end))
    identity = 100 * counts["matches"] / counts["columns"] if counts["columns"] else 0
    if abs(float(row["identity"]) - identity) > 0.001:
        raise SystemExit(f"identity {row['identity']} and not {identity}")


def has_none(file, marks="#@"):
    """That nothing but a head is there."""
    with open(file, encoding="utf-8") as lines:
        for line in lines:
            if line.strip() and line[0] not in marks:
                raise SystemExit(f"a line of an empty alignment: {line}")


READERS = {
    "fasta": read_fasta,
    "pair": read_emboss,
    "srspair": read_emboss,
    "maf": read_maf,
    "paf": read_paf,
    "sam": read_sam,
    "bam": read_sam,
    "chain": read_chain,
    "vcf": read_vcf,
    "bed": read_bed,
    "blast": read_blast,
    "blast7": lambda pair, file: read_blast(pair, file, comments=True),
    "cla": read_cla,
    "cigar": read_cigar,
    "tsv": read_tsv,
}
NOTHING_WITHOUT_LETTERS = ("pair", "srspair", "maf", "paf", "chain", "vcf", "bed", "blast", "blast7")


def main():
    pair = Pair(*sys.argv[1:4])
    expect("score of the path", float(pair.rescore(pair.cigar)), float(pair.score))
    for argument in sys.argv[4:]:
        name, file = argument.split("=", 1)
        try:
            if not pair.cigar and name in NOTHING_WITHOUT_LETTERS:
                has_none(file)
            else:
                READERS[name](pair, file)
        except SystemExit as error:
            raise SystemExit(f"{file}: {error}") from error
        print(f"{name}: {pair.score}")


main()
