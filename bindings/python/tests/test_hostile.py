"""Whatever is passed where arrays, names, numbers or objects belong: an answer or an exception, and an interpreter that lives.

GRAZE_SOURCE names the sources of graze. tests/python_check.sh --only hostile runs it with the extension under the address sanitizer.
"""

import gc
import itertools
import os
import random
import threading
import time
import unittest
import warnings
from pathlib import Path

import numpy as np

import graze
import graze.joints
import graze.trimesh
from graze import _graze

SOURCE = Path(os.environ["GRAZE_SOURCE"])
ROUNDS = int(os.environ.get("GRAZE_TEST_ROUNDS", 600))


class Strange:
    """Lies about itself wherever it is asked."""

    def __array__(self, *_, **__):
        raise OSError("no array")

    def __len__(self):
        return 2 ** 40

    def __getitem__(self, at):
        raise ZeroDivisionError

    def __fspath__(self):
        return b"\xff\0"

    def __index__(self):
        return 2 ** 70

    def __float__(self):
        raise KeyError("float")


class Shrinks(dict):
    """A dict that loses what it has while it is read."""

    def values(self):
        found = list(super().values())
        self.clear()
        return found


def values(row):
    wide = np.zeros((3, 2 * len(row)))
    released = memoryview(bytearray(8 * len(row)))
    released.release()
    readonly = row.copy()
    readonly.flags.writeable = False
    shaped = np.broadcast_to(row, (2 ** 40, len(row)))
    return [row, row[::-1], wide[::-1, ::-2], np.asfortranarray(wide[:, ::2]), row.astype(np.float32), row.astype(np.float16),
            row.astype(">f8"), row.astype(np.longdouble), row.astype(int), row.astype(bool), row * np.nan, row + np.inf, row * 1e300,
            np.full(len(row), 5e-324), -row * 0, row.astype(complex), row.astype(str), row.astype(object), row.astype("S3"),
            readonly, shaped, np.empty((0, len(row))), np.empty((0, 0)), np.empty(0), np.zeros((2, 2, len(row))), np.array(3.0),
            row.view([("a", "f8")]), np.datetime64("2020-01-01"), row.tolist(), tuple(row), [row.tolist()] * 3, [[1], [1, 2]],
            bytes(8 * len(row)), bytearray(8 * len(row)), released, memoryview(row), "text", b"\xff", None, True, -1, 0, 3, 2 ** 70, 1.5,
            float("nan"), float("inf"), 1j, {}, {"elbow_flex_joint": 0.1}, {"elbow_flex_joint": [1, 2]}, {"knee": 1}, {1: 2}, {-1: 2},
            {None: 1}, Shrinks(elbow_flex_joint=1), set(), object(), Strange(), int, "gripper_link", "\0", "\udcff", "a" * 100000,
            [("a", "b")], [("a",)], [1, 2], [(1, 2, 3)], [("base_link", None, 0.1)], ["elbow_flex_joint"], range(14), lambda: 1,
            np.eye(4), np.eye(4)[:3], np.zeros((4, 4)), -np.eye(4), np.eye(3), graze.pose((1e300, 0, 0))]


class Anything(unittest.TestCase):
    def test_every_method_with_everything(self):
        warnings.simplefilter("ignore")
        robot = graze.load(SOURCE / "urdf/heron.urdf", srdf=SOURCE / "urdf/heron.srdf")
        world = graze.World()
        world.add_box("box", (0.1, 0.1, 0.1), graze.pose((2, 0, 0)))
        checker = graze.Checker(robot, world)
        manager = graze.trimesh.CollisionManager()
        c = checker
        calls = [c.check, c.first_pairs, c.first_pair, c.contacts, c.distance, c.nearest, c.check_motion, c.explain, c.certify,
                 c.columns, c._posed, c._posed_contacts, c._first_pairs, c._nearest, c._ik, c._plan, c._distances, c._certify,
                 c._check_motion, c._check_motions, c._contacts, c._explain, robot.pose, robot.group, robot.state, world.moved,
                 lambda *a: graze.World().add_box(*a), lambda *a: graze.World().add_mesh(*a), lambda *a: graze.World().add_points(*a),
                 lambda *a: graze.World().add_sphere("s", *a), lambda *a: graze.World().add_file(*a),
                 lambda *a: graze.World()._add_shared(*a), lambda *a: graze.World().set_boundary(*a), graze.World,
                 lambda *a: c.ik("gripper_link", *a, starts=2), lambda *a: c.plan(*a[:3], seconds=0.001),
                 lambda *a: graze.Checker(robot, *a),
                 lambda *a: graze.Checker(robot, allowed=a), lambda *a: graze.Checker(robot, margins=a[:1]),
                 lambda *a: graze.Checker(robot, policies=a[:1]), lambda *a: _graze.Checker(robot, None, *a), _graze.Checker,
                 _graze.Robot, _graze.Mesh, _graze.bodies, _graze.lint, _graze.World, graze.load, graze.lint, graze.pose,
                 lambda *a: graze.load("<x>", text=a[0]), lambda *a: graze.joints.whole(robot, *a), manager.add_object,
                 manager.set_transform, manager.in_collision_single, manager.min_distance_single, manager.in_collision_other,
                 lambda *a: manager.add_object("it", a)]
        things, source = values(robot.rest), random.Random(7)
        for arguments in (things[6:14:3], things[18:24:3], things[40::5]):  # drawing takes its time
            calls.append(lambda *a, own=iter(arguments): c.picture(next(own), None, *a[1:], size=(16, 16)))
        answers = errors = 0
        for call, thing in itertools.chain(itertools.product(calls, things), ((source.choice(calls), None) for _ in range(ROUNDS))):
            arguments = [thing] if thing is not None else [source.choice(things) for _ in range(source.randrange(8))]
            try:
                call(*arguments)
                answers += 1
            except MemoryError:
                errors += 1
            except Exception as error:
                self.assertNotIsInstance(error, SystemError, (call, arguments))
                errors += 1
        self.assertTrue(answers > 100 and errors > 1000, (answers, errors))
        self.assertFalse(checker.check(robot.rest))

    def test_types_that_nobody_made(self):
        for kind in (_graze.Robot, _graze.World, _graze.Checker, _graze.Mesh):
            with self.assertRaises(TypeError):
                object.__new__(kind)
        with self.assertRaises(TypeError):
            _graze.Robot.__new__(_graze.World)
        class Mine(graze.World):
            def commit(self):
                raise KeyError("mine")
        with self.assertRaises(KeyError):
            graze.Checker(graze.load(SOURCE / "urdf/two_link.urdf"), Mine())


    def test_no_name_is_cut_at_a_null_character(self):
        path = str(SOURCE / "urdf/two_link.urdf")
        for call in (lambda: graze.load(path + "\0x"), lambda: graze.load(path, base_dir="a\0"), lambda: graze.World().add_file(path + "\0"),
                     lambda: graze.load(path, srdf="a\0"), lambda: graze.load(path, packages={"a\0": "b"}), lambda: graze.lint(path + "\0"),
                     lambda: graze.Checker(graze.load(path), allowed=[("upper_link\0", "base_link")])):
            with self.assertRaisesRegex(ValueError, "null"):
                call()


class WhileUsed(unittest.TestCase):
    def test_what_a_batch_reads_is_neither_freed_nor_moved(self):
        robot = graze.load(SOURCE / "urdf/heron.urdf", srdf=SOURCE / "urdf/heron.srdf")
        q = robot.sample(40000, seed=1)
        expected = graze.Checker(robot).check(q)
        checker, given, found, tried = graze.Checker(robot), q.copy(), [], [0]
        given = np.array(given)
        worker = threading.Thread(target=lambda: found.append(checker.check(given)))
        worker.start()
        while worker.is_alive() and tried[0] < 1000:
            with self.assertRaises(ValueError):
                given.resize((1, 14))
            tried[0] += 1
        del checker, robot
        gc.collect()
        worker.join()
        self.assertTrue((found[0] == expected).all() and tried[0] > 0)

    def test_a_world_that_another_thread_adds_to(self):
        source = np.random.default_rng(1)
        points, faces = source.uniform(-1, 1, (20000, 3)), source.integers(0, 20000, (20000, 3))
        world, robot, refused = graze.World(), graze.load(SOURCE / "urdf/two_link.urdf"), 0
        worker = threading.Thread(target=world.add_mesh, args=("mesh", points, faces))
        worker.start()
        while worker.is_alive():
            time.sleep(0.002)
            for call in (world.commit, lambda: world.add_sphere("s", 1.0), lambda: world.object_names, lambda: world.moved({}),
                         lambda: world._warnings, lambda: _graze.Checker(robot, world), lambda: graze.Checker(robot, world)):
                try:
                    if not world._warnings:
                        call()
                        break
                except RuntimeError as error:
                    self.assertIn("another thread adds", str(error))
                    refused += 1
                except graze.Error:
                    pass
        worker.join()
        self.assertGreater(refused, 0)


if __name__ == "__main__":
    unittest.main()
