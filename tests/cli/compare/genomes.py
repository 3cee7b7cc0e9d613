"""Two genomes with known events, and the events that clalign found.

    genomes.py make SEED LETTERS QUERY.fa TARGET.fa TRUTH.json
    genomes.py check TRUTH.json EVENTS.tsv

The target has two records. The query has two inversions, a translocation, three insertions, a duplication, a
loss, and 1 % substitutions. Each event must be found with its ends within ten letters, and no other one.
"""

import csv
import json
import random
import sys

COMPLEMENT = str.maketrans("ACGT", "TGCA")
LENGTHS = {"chr1": 700, "chr2": 300}  # thousandths of all letters
NEAR = 10


def turned(text):
    return text.translate(COMPLEMENT)[::-1]


def write(name, records):
    with open(name, "w", encoding="utf-8") as file:
        for record, text in records.items():
            print(f">{record}", *(text[at : at + 80] for at in range(0, len(text), 80)), sep="\n", file=file)


def make(seed, letters, query_name, target_name, truth_name):
    draw = random.Random(int(seed))
    novel = lambda count: "".join(draw.choices("ACGT", k=count))
    unit = int(letters) // 1000
    target = {name: novel(unit * length) for name, length in LENGTHS.items()}
    at = lambda place: unit * place + draw.randint(-5 * unit, 5 * unit)
    inversions = [(at(100), 5 * unit), (at(200), 20 * unit)]
    moved, to = (at(300), 10 * unit), at(150)
    insertions = [(at(400), 200), (at(450), 1_000), (at(500), 3_000)]
    copied, copy_to = (at(550), 2_000), at(620)
    lost = (at(60), 800)
    truth, edits = [], {"chr1": [], "chr2": []}  # edits: begin, end, letters in their place
    first, second = target["chr1"], target["chr2"]
    for begin, count in inversions:
        edits["chr1"].append((begin, begin + count, turned(first[begin : begin + count])))
        truth.append(["inversion", "chr1", begin, begin + count])
    edits["chr1"].append((moved[0], sum(moved), ""))
    edits["chr2"].append((to, to, first[moved[0] : sum(moved)]))
    truth.append(["translocation", "chr1", moved[0], sum(moved)])
    for begin, count in insertions:
        edits["chr1"].append((begin, begin, novel(count)))
        truth.append(["insertion", "chr1", begin, begin])
    edits["chr1"].append((copy_to, copy_to, first[copied[0] : sum(copied)]))
    truth.append(["duplication", "chr1", copied[0], sum(copied)])
    edits["chr2"].append((lost[0], sum(lost), ""))
    truth.append(["deletion", "chr2", lost[0], sum(lost)])
    query = {}
    for name, text in {"chr1": first, "chr2": second}.items():
        for begin, end, new in sorted(edits[name], reverse=True):
            text = text[:begin] + new + text[end:]
        changed = list(text)
        for i, letter in enumerate(changed):
            if draw.random() < 0.01:
                changed[i] = draw.choice("ACGT".replace(letter, ""))
        query["q" + name] = "".join(changed)
    write(query_name, query)
    write(target_name, target)
    with open(truth_name, "w", encoding="utf-8") as file:
        json.dump(truth, file)


def check(truth_name, events_name):
    with open(truth_name, encoding="utf-8") as file:
        truth = json.load(file)
    with open(events_name, encoding="utf-8") as file:
        found = list(csv.DictReader(file, delimiter="\t"))
    for kind, record, begin, end in truth:
        fits = [it for it in found if it["kind"] == kind and it["target"] == record
                and abs(int(it["target_begin"]) - begin) <= NEAR and abs(int(it["target_end"]) - end) <= NEAR]
        if len(fits) == 1:
            found.remove(fits[0])
            print(kind, "found")
        else:
            print(kind, record, begin, end, "found", len(fits), "times")
    for it in found:
        print("too many:", *it.values())


{"make": make, "check": check}[sys.argv[1]](*sys.argv[2:])
