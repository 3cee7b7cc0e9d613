"""Where equal gaps may lie: what clalign says, and what others say.

equal_places.py make SEED LETTERS      q.fa and t.fa: repeats of units of 1 to 30 letters that lost or gained some, and flanks
equal_places.py right NAME             of NAME.vcf the gaps, each at its right-most place, as VCF on stdout
equal_places.py beyond NAME            the same, a letter further on
equal_places.py check NAME SCORES      compares NAME.vcf and NAME.blocks with right.norm and beyond.norm, of which bcftools norm
                                       made the left-most gaps, with a normaliser of its own, and with a count of its own.
                                       SCORES: match, mismatch, then first and further letters of each piece of gap costs, with
                                       commas; behind them `reverse`, if the query is on that strand

The normaliser is that of GA4GH VRS and NCBI's SPDI: the deleted or inserted letters roll along the reference, to both sides, as
long as the letter that they leave behind is the letter that they meet.
"""

import random
import sys

LONGEST_COUNT = 1200  # pairs of letters
COMPLEMENT = str.maketrans("ACGT", "TGCA")


def make(seed, length):
    draw = random.Random(seed)
    query, target = [], []

    def both(text, rate):
        target.append(text)
        query.append("".join(draw.choice("ACGT".replace(c, "")) if draw.random() < rate else c for c in text))

    while sum(map(len, target)) < length:
        both("".join(draw.choices("ACGT", k=draw.randint(20, 60))), 0.02)
        unit = "".join(draw.choices("ACGT", k=draw.choice((1, 1, 1, 2, 2, 3, 4, 5, 7, 12, 30))))
        copies, part = draw.randint(1, 12), unit[: draw.randint(0, len(unit))]
        changed = draw.choice((-3, -2, -1, -1, 0, 1, 1, 2, 3))
        longer, shorter = (target, query) if changed < 0 else (query, target)
        both(unit * draw.randint(0, copies), draw.choice((0, 0, 0, 0.03)))
        longer.append(unit * abs(changed))
        both(unit * draw.randint(0, copies) + part, draw.choice((0, 0, 0, 0.03)))
    with open("q.fa", "w") as queries, open("t.fa", "w") as targets:
        print(">query", "".join(query), sep="\n", file=queries)
        print(">target", "".join(target), sep="\n", file=targets)


def read_fasta(name):
    return "".join(line.strip() for line in open(name) if line[0] != ">")


def read_vcf(name):
    """The head, and by the record's number or its ID: position from 0, reference, other, filter, INFO."""
    head, records = [], {}
    for line in open(name):
        if line[0] == "#":
            head.append(line)
            continue
        fields = line.rstrip("\n").split("\t")
        info = dict(entry.split("=") for entry in fields[7].split(";") if "=" in entry)
        number = len(records) if fields[2] == "." else int(fields[2])
        records[number] = (int(fields[1]) - 1, fields[3], fields[4], fields[6], info)
    return head, records


def gap_of(target, record):
    """Position, deleted and inserted letters; None if the record is no gap alone."""
    at, reference, other = record[:3]
    if at == 0 and reference[-1] == other[-1] and reference[0] != other[0]:  # an anchor behind, at the record's begin
        reference, other = reference[:-1], other[:-1]
    elif reference[0] == other[0]:
        at, reference, other = at + 1, reference[1:], other[1:]
    if bool(reference) == bool(other) or target[at : at + len(reference)] != reference:
        return None
    return at, reference, other


def places(target, gap):
    """The fully-justified interval: how many letters the gap rolls to the left, and to the right."""
    at, deleted, inserted = gap
    letters, left, right = deleted or inserted, 0, 0
    while left < at and target[at - 1 - left] == letters[-1 - left % len(letters)]:
        left += 1
    end = at + len(deleted)
    while end + right < len(target) and target[end + right] == letters[right % len(letters)]:
        right += 1
    return left, right


def moved(target, gap, by):
    """The gap `by` letters further on, whether or not that makes the same sequence."""
    at, deleted, inserted = gap
    turn = by % len(inserted) if inserted else 0
    return at + by, target[at + by : at + by + len(deleted)], inserted[turn:] + inserted[:turn]


def print_moved(name, further):
    target = read_fasta("t.fa")
    head, records = read_vcf(f"{name}.vcf")
    sys.stdout.writelines(head)
    lines = []
    for number, record in records.items():
        gap = gap_of(target, record)
        if not gap or record[3] != "PASS":
            continue
        at, deleted, inserted = moved(target, gap, int(record[4].get("HOMLEN", 0)) + further)
        if 0 < at and at + len(deleted) <= len(target):
            anchor = target[at - 1]
            lines.append((at, f"target\t{at}\t{number}\t{anchor + deleted}\t{anchor + inserted}\t.\t.\t.\tGT\t1"))
    print("\n".join(line for _, line in sorted(lines)))


def count_best(query, target, scores):
    """The number of best global alignments. An alignment is its columns: so a gap is taken whole, with its cheapest piece."""
    match, mismatch, pieces = scores[0], scores[1], [scores[i : i + 2] for i in range(2, len(scores), 2)]
    cost = [0] + [min(first + (k - 1) * ext for first, ext in pieces) for k in range(1, len(query) + len(target) + 1)]
    none = (-(10**9), 0)
    best = {}  # by node and the last column: a pair or none, a deletion, an insertion

    def join(ways):
        score = max(score for score, _ in ways)
        return score, sum(number for other, number in ways if other == score)

    for i in range(len(query) + 1):
        for j in range(len(target) + 1):
            pair = (0, 1) if i == j == 0 else none
            if i and j:
                score, number = join(best[i - 1, j - 1])
                pair = score + (match if query[i - 1] == target[j - 1] else mismatch), number
            deletion = insertion = none
            for k in range(1, j + 1):
                score, number = join(best[i, j - k][::2])
                deletion = join([deletion, (score - cost[k], number)])
            for k in range(1, i + 1):
                score, number = join(best[i - k, j][:2])
                insertion = join([insertion, (score - cost[k], number)])
            best[i, j] = pair, deletion, insertion
    return join(best[len(query), len(target)])[1]


class Check:
    """Of a file of differences."""

    def __init__(self, name, scores, reverse):
        self.query, self.target = read_fasta("q.fa"), read_fasta("t.fa")
        length = len(self.query)
        if reverse:
            self.query = self.query.translate(COMPLEMENT)[::-1]
        self.records = read_vcf(f"{name}.vcf")[1]
        self.right, self.beyond = read_vcf("right.norm")[1], read_vcf("beyond.norm")[1]
        self.scores = scores
        self.blocks = {}
        for line in open(f"{name}.blocks"):
            fields = line.split("\t")
            start, stop = int(fields[6]), int(fields[7])
            self.blocks[int(fields[1]), int(fields[2])] = (length - stop, length - start) if reverse else (start, stop)
        self.ends = sorted((at, at + len(reference), number) for number, (at, reference, *_) in self.records.items())

    def others(self, first, last, number):
        """Differences that touch the interval."""
        return any(a <= last and first <= b and n != number for a, b, n in self.ends if first - 500 <= a <= last)

    def count(self, number):
        """The number of best alignments of the record's blocks, by the DP; None if they are too long for it."""
        first, last = map(int, self.records[number][4]["AMB"].split(","))
        product = 1
        for (start, stop), (from_, to) in self.blocks.items():
            if first - 1 <= start and stop <= last:
                if (to - from_) * (stop - start) > LONGEST_COUNT:
                    return None
                product *= count_best(self.query[from_:to], self.target[start:stop], self.scores)
        return product

    def outcome_of_others(self, number):
        """Of pairs of unlike letters, and of gaps that touch others. They never move alone."""
        _, reference, other, said, info = self.records[number]
        if said != ("ambiguous" if "AMB" in info else "PASS") or "HOMLEN" in info:
            raise SystemExit(f"record {number}, {self.records[number]}")
        return "unlike pairs" if len(reference) == len(other) else "with another gap"

    def outcome(self, number):
        """How clalign and the others compare. Ends with an error where they contradict each other."""
        record = self.records[number]
        gap, info = gap_of(self.target, record), record[4]
        if not gap:
            return self.outcome_of_others(number)
        left, right = places(self.target, gap)
        said = int(info.get("HOMLEN", 0))
        first, last = gap[0] - left, gap[0] + len(gap[1]) + right
        number_said = float(info.get("NPL", 1))
        where = f"record {number}, {record}: rolls {left} to the left and {right} to the right"
        if "AMB" in info:
            counted = self.count(number)
            if counted is not None and abs(counted - number_said) > 1e-4 * counted:
                raise SystemExit(f"{where}; {counted} best alignments")
        if record[3] == "ambiguous":
            if "HOMLEN" in info or number_said < 2:
                raise SystemExit(f"{where}; no shift has other alignments")
            if number_said > right + 1:
                return "with other alignments"
            if not self.others(gap[0], last, number):
                raise SystemExit(f"{where}; there is no other difference")
            return "with a difference that moves, too"
        same = left == 0 and said == right and number_said == right + 1
        if right > 0:
            same = same and info["AMB"] == f"{first + 1},{last}" and info["CIPOS"] == f"0,{right}"
            same = same and info["HOMSEQ"] == self.target[gap[0] : gap[0] + right]
        normal = [form[:3] if form else None for form in (self.right.get(number), self.beyond.get(number))]
        if not same or normal[0] != record[:3] or normal[1] == record[:3]:
            raise SystemExit(f"{where}; of the right-most, and of one beyond, bcftools norm makes {normal}")
        return "the same"


def check(name, scores, reverse):
    checking = Check(name, scores, reverse)
    counts = {}
    for number in checking.records:
        outcome = checking.outcome(number)
        counts[outcome] = counts.get(outcome, 0) + 1
    print(f"{name}: {counts.pop('the same')} gaps the same")
    print(*(f"{what}: {number}" for what, number in sorted(counts.items())), sep="\n")


if sys.argv[1] == "make":
    make(int(sys.argv[2]), int(sys.argv[3]))
elif sys.argv[1] == "check":
    check(sys.argv[2], [int(score) for score in sys.argv[3].split(",")], len(sys.argv) > 4)
else:
    print_moved(sys.argv[2], int(sys.argv[1] == "beyond"))
