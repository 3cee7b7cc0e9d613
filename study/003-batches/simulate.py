"""The thesis' machines, played: clusters of Cell nodes that align 100 pairs by FCFS, the static schedule or TOSS.

What a pair takes is counted tile by tile, with the thesis' measured times (Aji 2008, section 4.1.2). A timetable says who did
what when; check() goes over it without knowing how it came about."""

import collections
import math

TILE = 64  # letters of a tile's side
TILE_SECONDS, FETCH_SECONDS = 0.00057, 1e-6  # section 4.1.2, model verification
SERIAL_SECONDS = 0.015 / 8192  # the path, for each letter
CELL_BYTES = 12  # H, E and F
MESSAGE_SECONDS, MESSAGE_BYTES_A_SECOND = 1e-4, 110e6  # gigabit Ethernet; the thesis does not say what it measured

Machine = collections.namedtuple("Machine", "name nodes cores node_bytes")
QS20_NODE = Machine("QS20, 1 node", 1, 16, 1 << 30)
QS20 = Machine("QS20, 4 nodes", 4, 16, 1 << 30)
PS3 = Machine("PS3, 4 nodes", 4, 6, 256 << 20)

# Table 4.2, scaled down to 100: letters from, to, pairs.
CLASSES = ((200, 960, 9), (960, 1600, 36), (1600, 2100, 22), (2100, 3200, 20), (3200, 30000, 12), (60000, 120000, 1))
SHORT = 4  # so many classes fit a node's memory with all their cells (section 4.1.3)

# A piece of work: pair and class, the first core and how many, when, whether all cells are kept.
Piece = collections.namedtuple("Piece", "pair size core cores begin end letters kept")


def pairs(classes=range(len(CLASSES))):
    """(class, letters) of each: evenly on a logarithmic scale within a class."""
    return [(size, round(CLASSES[size][0] * (CLASSES[size][1] / CLASSES[size][0]) ** ((k + 0.5) / CLASSES[size][2])))
            for size in classes for k in range(CLASSES[size][2])]


def steps_by_model(rows, workers):
    """Equation 4.5: the tiles shared out, and S of the beginning."""
    return rows * rows / workers + workers - 1


def steps(rows, workers):
    """The same, counted: row r of tiles waits for the one above, and for its worker."""
    begins = []
    for r in range(rows):
        above = begins[r - 1] + 1 if r else 0
        begins.append(max(above, begins[r - workers] + rows if r >= workers else 0))
    return begins[-1] + rows


def seconds_in_node(letters, cores, path):
    """A pair, or a macro-tile, on some cores of a node."""
    filled = steps(math.ceil(letters / TILE), cores) * (TILE_SECONDS + FETCH_SECONDS)
    return filled + (SERIAL_SECONDS * letters if path else 0)


def seconds_over_nodes(letters, machine, nodes):
    """Macro-tiles, as large as is best, one row of them a node (equation 4.7). No path: it would be read from disk."""
    def seconds(macro_tiles):
        side = letters / macro_tiles
        message = MESSAGE_SECONDS + CELL_BYTES * side / MESSAGE_BYTES_A_SECOND
        return steps(macro_tiles, nodes) * (seconds_in_node(side, machine.cores, False) + message)
    return min(seconds(nodes * times) for times in range(1, 9))


def seconds_of(letters, machine, cores):
    """A pair on so many cores: within a node with its path, or on whole nodes."""
    if cores <= machine.cores:
        return seconds_in_node(letters, cores, True)
    return seconds_over_nodes(letters, machine, cores // machine.cores)


def fcfs(machine, todo):
    """First come, first served: each pair on all cores of all nodes."""
    cores, now, timetable = machine.nodes * machine.cores, 0.0, []
    for pair, (size, letters) in enumerate(todo):
        end = now + seconds_of(letters, machine, cores)
        timetable.append(Piece(pair, size, 0, cores, now, end, letters, machine.nodes == 1))
        now = end
    return timetable


def lot(machine, some, first_core, cores, now):
    """Pairs that begin together, each on so many cores, and the time when all are done."""
    pieces = []
    for k, (pair, size, letters) in enumerate(some):
        end, kept = now + seconds_of(letters, machine, cores), cores <= machine.cores
        pieces.append(Piece(pair, size, first_core + k * cores, cores, now, end, letters, kept))
    return pieces, max((piece.end for piece in pieces), default=now)


def lots_on_node(machine, node, some, cores, now, rest_has_more):
    """Lots of as many pairs as the node has room for, one lot after the other."""
    timetable, at_once = [], machine.cores // cores
    for first in range(0, len(some), at_once):
        here = some[first : first + at_once]
        more = machine.cores // len(here) if rest_has_more and len(here) < at_once else cores
        pieces, now = lot(machine, here, node * machine.cores, more, now)
        timetable += pieces
    return timetable, now


def by_class(todo):
    groups = collections.defaultdict(list)
    for pair, (size, letters) in enumerate(todo):
        groups[size].append((pair, size, letters))
    return sorted(groups.items())


def static(machine, todo):
    """Lots of eight pairs of a class, each on an eighth of the cores (figure 4.18)."""
    timetable, now = [], 0.0
    for _, some in by_class(todo):
        pieces, now = lots_on_node(machine, 0, some, machine.cores // 8, now, False)
        timetable += pieces
    return timetable


def cores_a_pair(machine, letters):
    """Where the efficiency is best: as few as memory allows, for all pairs of a lot must fit."""
    bytes_each = CELL_BYTES * letters**2
    return next(cores for cores in range(1, machine.cores + 1)
                if machine.cores // cores * bytes_each <= machine.node_bytes)


def toss(machine, todo):
    """Figure 4.19: short pairs in lots on each node; then long ones, each on two nodes."""
    timetable, now = [], [0.0] * machine.nodes
    for size, some in by_class(todo):
        if size < SHORT:
            cores = cores_a_pair(machine, max(letters for _, _, letters in some))
            for node in range(machine.nodes):
                own = some[node :: machine.nodes]
                pieces, now[node] = lots_on_node(machine, node, own, cores, now[node], True)
                timetable += pieces
            continue
        now = [max(now)] * machine.nodes
        at_once = machine.nodes // 2
        for first in range(0, len(some), at_once):
            here = some[first : first + at_once]
            cores = machine.nodes // len(here) * machine.cores
            pieces, end = lot(machine, here, 0, cores, now[0])
            timetable, now = timetable + pieces, [end] * machine.nodes
    return timetable


def makespan(timetable):
    return max(piece.end for piece in timetable)


def check(timetable, machine, todo):
    """Every pair once, no core at two pairs at a time, each piece as long as it takes, memory enough on each node."""
    if sorted(piece.pair for piece in timetable) != list(range(len(todo))):
        raise ValueError(f"{machine.name}: not every pair has one piece of work")
    for piece in timetable:
        if piece.core < 0 or piece.core + piece.cores > machine.nodes * machine.cores:
            raise ValueError(f"{machine.name}: pair {piece.pair} has cores that are not there")
        if abs(piece.end - piece.begin - seconds_of(todo[piece.pair][1], machine, piece.cores)) > 1e-9:
            raise ValueError(f"{machine.name}: pair {piece.pair} does not take its time")
        beside = [other for other in timetable if other.begin <= piece.begin < other.end]
        if sum(other.core < piece.core + piece.cores and piece.core < other.core + other.cores for other in beside) != 1:
            raise ValueError(f"{machine.name}: pair {piece.pair} shares a core")
        node = piece.core // machine.cores
        held = sum(CELL_BYTES * other.letters**2 for other in beside if other.kept and other.core // machine.cores == node)
        if held > machine.node_bytes:
            raise ValueError(f"{machine.name}: node {node} has no memory for pair {piece.pair}")
    return timetable


def play(schedule, machine, classes=range(len(CLASSES))):
    """A checked timetable."""
    todo = pairs(classes)
    return check(schedule(machine, todo), machine, todo)
