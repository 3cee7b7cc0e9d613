"""The tables that paper 003 adds for many pairs: what its schedules bring on its machines, played."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import simulate  # noqa: E402

SHORT, NO_LONGEST, ALL = range(simulate.SHORT), range(len(simulate.CLASSES) - 1), range(len(simulate.CLASSES))
PLAYED = ((simulate.static, simulate.QS20_NODE, SHORT, "up to 3.2 KB", "8 %", "4.1.3"),
          (simulate.toss, simulate.QS20, ALL, "all", "33.5 %", "4.1.3"),
          (simulate.toss, simulate.QS20, NO_LONGEST, "all but the one above 60 KB", "", ""),
          (simulate.toss, simulate.PS3, ALL, "all", "13.5 %", "4.1.3"),
          (simulate.toss, simulate.PS3, NO_LONGEST, "all but the one above 60 KB", "", ""))


def schedules():
    for schedule, machine, classes, which, published, section in PLAYED:
        first = simulate.makespan(simulate.play(simulate.fcfs, machine, classes))
        seconds = simulate.makespan(simulate.play(schedule, machine, classes))
        yield (schedule.__name__, machine.name, which, f"{first:.2f}", f"{seconds:.2f}", f"{100 * (first / seconds - 1):.1f} %", published, section)


def model_errors():
    """Equation 4.5 against the steps that it stands for, over 1 to 16 cores."""
    for letters in (500, 1000, 2000, 4000, 8192, 51000):
        rows = -(-letters // simulate.TILE)
        errors = [abs(simulate.steps_by_model(rows, cores) / simulate.steps(rows, cores) - 1) for cores in range(1, 17)]
        yield str(letters), str(rows), f"{100 * sum(errors) / len(errors):.1f} %", f"{100 * max(errors):.1f} %"


def tables(_rows):
    return [("The schedules on the thesis' machines, played",
             "Each timetable is checked: every pair once, no core at two pairs, memory enough. Gain: of pairs per second over FCFS.",
             ("schedule", "machine", "pairs", "FCFS, s", "schedule, s", "gain", "published", "section"), list(schedules())),
            ("The model of the time, equation 4.5",
             "Its steps, tiles / cores + cores - 1, against the steps counted one by one, over 1 to 16 cores. The thesis' error "
             "against measured times is 3 % on average in a node, for 8 KB, and 10 % (QS20) or 5 % (PS3) over nodes.",
             ("letters", "rows of tiles", "mean error", "largest"), list(model_errors()))]
