"""The played machines: steps that can be counted by hand, and timetables that are wrong."""

import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import simulate  # noqa: E402

SHORT = range(simulate.SHORT)


class Steps(unittest.TestCase):
    def test_steps_counted_by_hand(self):
        for rows, workers, steps in ((1, 1, 1), (4, 1, 16), (4, 2, 9), (4, 4, 7), (4, 8, 7), (3, 2, 6)):
            self.assertEqual(simulate.steps(rows, workers), steps)

    def test_the_model_counts_right_where_rows_are_shared_out_evenly(self):
        for workers in (1, 2, 4, 8, 16):
            self.assertEqual(simulate.steps_by_model(128, workers), simulate.steps(128, workers))


class Timetables(unittest.TestCase):
    machines = ((simulate.static, simulate.QS20_NODE, SHORT), (simulate.toss, simulate.QS20, range(len(simulate.CLASSES))),
                (simulate.fcfs, simulate.PS3, range(len(simulate.CLASSES))), (simulate.toss, simulate.PS3, SHORT))

    def broken(self, change):
        """Each timetable after `change` is refused."""
        for schedule, machine, classes in self.machines:
            todo = simulate.pairs(classes)
            timetable = simulate.play(schedule, machine, classes)
            with self.assertRaises(ValueError):
                simulate.check(change(timetable, machine), machine, todo)

    def test_a_pair_that_is_left_out(self):
        self.broken(lambda timetable, _: timetable[1:])

    def test_a_core_that_has_two_pairs(self):
        self.broken(lambda timetable, _: [piece._replace(begin=0.0, end=piece.end - piece.begin) for piece in timetable])

    def test_a_core_that_is_not_there(self):
        self.broken(lambda timetable, machine: [timetable[0]._replace(core=machine.nodes * machine.cores)] + timetable[1:])

    def test_a_pair_that_ends_too_soon(self):
        self.broken(lambda timetable, _: [timetable[0]._replace(end=timetable[0].end / 2)] + timetable[1:])

    def test_a_node_without_memory(self):
        self.broken(lambda timetable, machine: [timetable[0]._replace(letters=machine.node_bytes, kept=True)] + timetable[1:])


if __name__ == "__main__":
    unittest.main()
