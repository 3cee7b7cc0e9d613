"""Pictures of schedules: timetables of the thesis' machines, played."""

import pathlib
import sys

from pictures import rectangle, svg, text

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import simulate  # noqa: E402

COLOURS = ("#c9d8e8", "#8fb3d9", "#3b6ea5", "#5aa469", "#e8894a", "#b35f9f")
NAMES = ("0.2-0.96", "0.96-1.6", "1.6-2.1", "2.1-3.2", "3.2-30", "60-120")


def pieces(timetable, x, y, width, height, seconds, cores):
    """Cores to the right, time down, as in figures 4.20 and 4.21."""
    across, down = width / cores, height / seconds
    parts = [rectangle(x, y, width, height, "#eee")]
    for piece in timetable:
        parts.append(rectangle(round(x + piece.core * across, 2), round(y + piece.begin * down, 2), round(piece.cores * across, 2),
                               round((piece.end - piece.begin) * down, 2), COLOURS[piece.size], "#fff", 0.3))
    return parts


def compare(schedules, machine, classes, words):
    """FCFS and another schedule beside each other, with one scale of time."""
    tables = [simulate.play(schedule, machine, classes) for schedule in schedules]
    most = max(simulate.makespan(table) for table in tables)
    parts, cores = [], machine.nodes * machine.cores
    for k, (schedule, table) in enumerate(zip(schedules, tables)):
        parts += pieces(table, 4 + 130 * k, 22, 120, 150, most, cores)
        parts.append(text(4 + 130 * k, 15, f"{schedule.__name__}: {simulate.makespan(table):.1f} s"))
    for row, size in enumerate(classes):
        parts += [rectangle(268, 24 + 16 * row, 10, 10, COLOURS[size]), text(282, 33 + 16 * row, f"{NAMES[size]} K")]
    parts += [text(268, 146, "across: cores"), text(268, 162, "down: time"), text(268, 114, "colours: letters"), text(4, 188, words)]
    return svg(372, 194, parts)


SHORT, ALL_BUT_ONE = range(simulate.SHORT), range(len(simulate.CLASSES) - 1)


def first_come():
    return compare([simulate.fcfs], simulate.QS20, ALL_BUT_ONE, f"played: {simulate.QS20.name}, 99 pairs; each on all 64 cores")


def lots():
    return compare([simulate.fcfs, simulate.static], simulate.QS20_NODE, SHORT, f"played: {simulate.QS20_NODE.name}, pairs up to 3.2 K letters")


def greedy():
    return compare([simulate.fcfs, simulate.toss], simulate.QS20, ALL_BUT_ONE, f"played: {simulate.QS20.name}, 99 pairs; grey: nobody works")


def longest_first():
    parts = [rectangle(4, 10, 120, 40, COLOURS[5]), text(130, 34, "a long pair on the whole device")]
    parts += [rectangle(4 + 60 * k, 50, 60, 30, COLOURS[4]) for k in range(2)] + [text(130, 69, "shorter ones on parts of it")]
    parts += [rectangle(4 + 7.5 * k, 80, 7.5, 24, COLOURS[k % 4]) for k in range(16)] + [text(130, 96, "short ones packed, a lane each")]
    return svg(340, 112, parts)
