"""Pairs of sequences with known differences, and what clalign says of them.

    truth.py make SEED QUERY.fa TARGET.fa TRUTH.json
    truth.py check TRUTH.json FILE.vcf FILE.bed FILE.paf

The target is random; the query is it with 2 % of the letters replaced, short insertions and deletions, two insertions of
3,000 letters, and two parts of 5,000 letters that are inverted. `check` counts how many of the differences outside these
parts are records, and how many records are differences.
"""

import json
import random
import sys

LENGTH, INVERTED, INSERTED = 60000, 5000, 3000
INVERSIONS = [(15000, 15000 + INVERTED), (40000, 40000 + INVERTED)]
LONG_INSERTIONS = [8000, 30000]
COMPLEMENT = str.maketrans("ACGT", "TGCA")
LEAST = 0.995


def letters(draw, count):
    return "".join(draw.choices("ACGT", k=count))


def events_of(draw, target):
    """Differences (position, deleted, inserted) in order; beside insertions and deletions 15 letters are left alone."""
    gaps, at = [], 50
    while at < LENGTH - 50:
        length = min(1 + int(draw.expovariate(0.4)), 12)
        gaps.append((at, "", letters(draw, length)) if draw.random() < 0.5 else (at, target[at : at + length], ""))
        at += 40 + int(draw.expovariate(1 / 450))
    gaps = [gap for gap in gaps if all(abs(gap[0] - place) > 60 for place in LONG_INSERTIONS)]
    gaps += [(place, "", letters(draw, INSERTED)) for place in LONG_INSERTIONS]
    alone = {place for at, deleted, _ in gaps for place in range(at - 15, at + len(deleted) + 15)}
    changed = [
        (at, target[at], draw.choice("ACGT".replace(target[at], "")))
        for at in range(LENGTH)
        if draw.random() < 0.02 and at not in alone
    ]
    edges = {place for part in INVERSIONS for edge in part for place in range(edge - 20, edge + 20)}
    return sorted(event for event in gaps + changed if event[0] not in edges)


def mutate(target, events, begin, end):
    text, at = "", begin
    for place, deleted, inserted in events:
        if begin <= place < end:
            text += target[at:place] + inserted
            at = place + len(deleted)
    return text + target[at:end]


def make(seed, query_file, target_file, truth_file):
    draw = random.Random(int(seed))
    target = letters(draw, LENGTH)
    events = events_of(draw, target)
    query, at = "", 0
    for begin, end in INVERSIONS:
        query += mutate(target, events, at, begin)
        query += mutate(target, events, begin, end).translate(COMPLEMENT)[::-1]
        at = end
    query += mutate(target, events, at, LENGTH)
    for file, name, text in ((query_file, "query", query), (target_file, "target", target)):
        with open(file, "w", encoding="utf-8") as out:
            print(f">{name}\n{text}", file=out)
    with open(truth_file, "w", encoding="utf-8") as out:
        json.dump({"target": target, "events": events}, out)


def leftmost(target, place, deleted, inserted):
    """The same difference as far left as it goes."""
    text = deleted or inserted
    while place > 0 and target[place - 1] == text[-1]:
        text = text[-1] + text[:-1]
        place -= 1
    return (place, text, "") if deleted else (place, "", text)


def bare(line):
    """A record's place and letters, without those that both have."""
    place, reference, other = int(line[1]) - 1, line[3], line[4]
    while reference and other and reference[-1] == other[-1]:
        reference, other = reference[:-1], other[:-1]
    while reference and other and reference[0] == other[0]:
        place, reference, other = place + 1, reference[1:], other[1:]
    return place, reference, other


def is_inside(place):
    return any(begin <= place < end for begin, end in INVERSIONS)


def share(part, whole):
    return len(part & whole) / len(whole)


def check(truth_file, vcf, bed, paf):
    with open(truth_file, encoding="utf-8") as file:
        truth = json.load(file)
    target = truth["target"]
    wanted = {
        event if len(event[1]) == len(event[2]) else leftmost(target, *event)
        for event in map(tuple, truth["events"])
        if not is_inside(event[0])
    }
    with open(vcf, encoding="utf-8") as file:
        found = {bare(line.split("\t")) for line in file if line[0] != "#"}
    assert not [one for one in found if is_inside(one[0])], "records inside inverted parts"
    for kind, is_kind in (("substitutions", lambda it: len(it[1]) == len(it[2])), ("gaps", lambda it: len(it[1]) != len(it[2]))):
        here, there = set(filter(is_kind, wanted)), set(filter(is_kind, found))
        recall, precision = share(there, here), share(here, there)
        enough = min(recall, precision) >= LEAST
        print(f"{kind}: {'enough' if enough else f'recall {recall:.4f}, precision {precision:.4f}'}")
    assert sum(len(one[2]) == INSERTED for one in found) == len(LONG_INSERTIONS), "long insertions"
    with open(bed, encoding="utf-8") as file:
        parts = [tuple(map(int, line.split("\t")[1:])) for line in file]
    assert parts == sorted(parts) and all(a[1] <= b[0] for a, b in zip(parts, parts[1:])), "parts overlap"
    between = list(zip([0] + [to for _, to in parts], [begin for begin, _ in parts] + [LENGTH]))
    left = [part for part in between if part[1] - part[0] > 100]
    near = lambda a, b: max(abs(x - y) for x, y in zip(a, b)) <= 100
    assert len(left) == 2 and all(map(near, left, INVERSIONS)), f"not callable: {left}"
    with open(paf, encoding="utf-8") as file:
        turned = sorted(tuple(map(int, line.split("\t")[7:9])) for line in file if line.split("\t")[4] == "-")
    assert len(turned) == 2 and all(map(near, turned, INVERSIONS)), f"inversions: {turned}"


{"make": make, "check": check}[sys.argv[1]](*sys.argv[2:])
