"""Lifts BED6 along a chain file letter by letter, by liftOver's rules: liftover.py CHAIN BED."""
import sys

COMPLEMENT = {"+": "-", "-": "+"}


def read_chains(path):
    chains = []
    with open(path) as lines:
        for line in lines:
            if line.startswith("chain"):
                head = line.split()
                target, query = int(head[5]), int(head[10])
                chains.append((head[2], head[7], int(head[8]), head[9], {}))
            elif line.strip():
                numbers = [int(word) for word in line.split()]
                _, _, size, strand, letters = chains[-1]
                for step in range(numbers[0]):
                    place = query + step
                    letters[target + step] = place if strand == "+" else size - 1 - place
                target += numbers[0] + (numbers[1] if len(numbers) > 1 else 0)
                query += numbers[0] + (numbers[2] if len(numbers) > 1 else 0)
    return chains


def main(chain_path, bed_path):
    chains = read_chains(chain_path)
    with open(bed_path) as lines:
        for line in lines:
            name, begin, end, *rest = line.rstrip("\n").split("\t")
            begin, end = int(begin), int(end)
            found = []
            for target, query, _, strand, letters in chains:
                places = [letters[at] for at in range(begin, end) if at in letters and target == name]
                if places and len(places) >= 0.95 * (end - begin):
                    found.append((query, min(places), max(places) + 1, strand))
            if len(found) == 1:
                query, low, high, strand = found[0]
                rest[2] = rest[2] if strand == "+" else COMPLEMENT[rest[2]]
                print(query, low, high, *rest, sep="\t")


main(*sys.argv[1:])
