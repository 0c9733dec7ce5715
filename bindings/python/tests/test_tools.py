"""Tests of the Python package: dicts and orders of joints, inverse kinematics, SRDFs, pictures, and interrupts.

GRAZE_SOURCE names the sources of graze, GRAZE_COMMAND the command.
"""

import os
import signal
import struct
import subprocess
import tempfile
import threading
import time
import unittest
import warnings
import zlib
from pathlib import Path

import numpy as np

import graze
import graze.joints

SOURCE = Path(os.environ["GRAZE_SOURCE"])
COMMAND = os.environ.get("GRAZE_COMMAND")
HERON = [str(SOURCE / "urdf/heron.urdf"), "--srdf", str(SOURCE / "urdf/heron.srdf")]


def heron(**more):
    return graze.load(HERON[0], srdf=HERON[2], **more)


def shelf():
    world = graze.World()
    world.add_file(SOURCE / "worlds/shelf.json")
    return world


def numbers(values):
    return ",".join(map(repr, np.asarray(values).tolist()))


class Names(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.robot = heron()
        cls.checker = graze.Checker(cls.robot, shelf())
        cls.q = cls.robot.sample(300, seed=5)
        cls.expected = cls.checker.check(cls.q)

    def test_dicts(self):
        names, row = self.robot.joint_names, dict(zip(self.robot.joint_names, self.q[7]))
        self.assertEqual(self.checker.check(row), self.expected[7])
        self.assertTrue((self.checker.check(dict(zip(names, self.q.T))) == self.expected).all())
        some = {"elbow_flex_joint": 0.3, "torso_lift_joint": [0.1, 0.2, 0.3]}
        whole = np.tile(self.robot.rest, (3, 1))
        for name, value in some.items():
            whole[:, names.index(name)] = value
        self.assertTrue((self.checker.check(some) == self.checker.check(whole)).all())
        self.assertTrue((self.robot.pose(some) == self.robot.pose(whole)).all())
        self.assertTrue((self.checker.distance(some).upper == self.checker.distance(whole).upper).all())
        self.assertEqual(self.checker.contacts(row), self.checker.contacts(self.q[7]))
        self.assertEqual(self.checker.check({}), self.checker.check(self.robot.rest))
        self.assertEqual(self.checker.check_motion({}, some | {"torso_lift_joint": 0.1}),
                         self.checker.check_motion(self.robot.rest, whole[0]))
        self.assertEqual(self.checker.plan({}, {"torso_lift_joint": 0.01}).waypoints[-1][names.index("torso_lift_joint")], 0.01)

    def test_the_order_of_another_library(self):
        # yourdfpy: the joints that move and mimic no other, in the order of the file or any other.
        order = list(self.robot.joint_names)[::-1]
        q = self.q[:, ::-1]
        self.assertTrue((self.checker.check(q, joints=order) == self.expected).all())
        self.assertTrue((self.robot.pose(q, joints=order) == self.robot.pose(self.q)).all())
        self.assertTrue((graze.joints.whole(self.robot, q, order) == self.q).all())

    def test_wrong_names_and_numbers(self):
        fails = self.assertRaisesRegex
        check = self.checker.check
        fails(graze.ArgumentError, "no joint 'knee'; allowed: ", check, {"knee": 1})
        fails(graze.ArgumentError, "no joint 14", check, {14: 1})
        fails(graze.ArgumentError, "named twice", check, self.q[:, :2], joints=["elbow_flex_joint"] * 2)
        fails(graze.ArgumentError, "named twice", check, {"elbow_flex_joint": 1, self.robot.joint_names.index("elbow_flex_joint"): 1})
        fails(ValueError, "is a dict, and joints are given", check, {"elbow_flex_joint": 1}, joints=["elbow_flex_joint"])
        fails(ValueError, "more than one dimension", check, {"elbow_flex_joint": np.zeros((2, 2))})
        fails(ValueError, "", check, {"elbow_flex_joint": [1, 2], "torso_lift_joint": [0.1, 0.2, 0.3]})
        for bad in (1j, "1", None, object()):
            fails(TypeError, "", check, {"elbow_flex_joint": bad})
        fails(TypeError, "", check, self.q[:, :1].astype(complex), joints=["elbow_flex_joint"])
        fails(graze.ArgumentError, "nan", check, {"elbow_flex_joint": np.nan})
        fails(graze.ArgumentError, "", self.checker.plan, {"knee": 1}, {})


class InverseKinematics(unittest.TestCase):
    def setUp(self):
        self.robot = heron()
        self.checker = graze.Checker(self.robot, shelf())

    def test_solutions_are_free_and_at_the_pose(self):
        link = self.robot.link_names.index("gripper_link")
        free = [q for q in self.robot.sample(40, seed=3) if not self.checker.check(q)][:6]
        for q in free:
            pose = self.robot.pose(q)[link]
            found = self.checker.ik("gripper_link", pose, count=3, starts=50)
            self.assertEqual((len(found.solutions) > 0, found.position_error < 1e-8), (True, True))
            self.assertFalse(self.checker.check(found.solutions).any())
            self.assertLess(abs(self.robot.pose(found.solutions)[:, link] - pose).max(), 1e-7)
            again = self.checker.ik("gripper_link", pose, self.robot.rest, count=3, starts=50)
            self.assertTrue((again.solutions == found.solutions).all())

    @unittest.skipUnless(COMMAND, "GRAZE_COMMAND is not set")
    def test_solutions_are_the_command_s(self):
        link = self.robot.link_names.index("gripper_link")
        pose = self.robot.pose(self.robot.state("ready"))[link]
        done = subprocess.run([COMMAND, "ik", *HERON, "--world", SOURCE / "worlds/shelf.json", "--link", "gripper_link",
                               "--pose", numbers([*pose[:3, 3], 0, 0, 0]), "--count", "2", "--position-only"],
                              capture_output=True, text=True)
        rows = [[float(x) for x in line.split(",")] for line in done.stdout.splitlines()[1:]]
        found = self.checker.ik("gripper_link", pose, count=2, position_only=True)
        self.assertTrue(len(rows) > 0, done.stderr)
        self.assertTrue((np.array(rows)[:, -14:] == found.solutions).all(), done.stdout)

    def test_some_joints_frames_and_bases(self):
        link, q = self.robot.link_names.index("gripper_link"), self.robot.state("ready")
        frame = graze.pose((0, 0, 0.1), (0.1, 0.2, 0.3))
        base = np.array([1, 2, 0, 0, 0, 0.5])
        checker = graze.Checker(self.robot)
        pose = self.robot.pose(q, base=base)[link] @ frame
        joints = [n for n in self.robot.joint_names if n != "torso_lift_joint"]
        found = checker.ik("gripper_link", pose, q, joints, base, frame=frame)
        self.assertTrue(len(found.solutions))
        column = self.robot.joint_names.index("torso_lift_joint")
        self.assertTrue((found.solutions[:, column] == q[column]).all())
        self.assertLess(abs(self.robot.pose(found.solutions[0], base=base)[link] @ frame - pose).max(), 1e-7)

    def test_none_is_none(self):
        found = self.checker.ik("gripper_link", graze.pose((9, 9, 9)), starts=5)
        self.assertEqual((found.solutions.shape, found.starts, found.reached), ((0, 14), 5, 0))
        self.assertGreater(found.position_error, 5)
        inside = graze.Checker(self.robot, world := shelf())
        self.assertIsNotNone(world)
        low = inside.ik("gripper_link", graze.pose((0.8, 0, -0.5)), starts=20, position_only=True)
        self.assertEqual(len(low.solutions), 0)

    def test_wrong_arguments(self):
        fails, ik = self.assertRaisesRegex, self.checker.ik
        fails(KeyError, "no link 'hand'", ik, "hand", np.eye(4))
        fails(ValueError, "pose is no transform", ik, "gripper_link", np.zeros((4, 4)))
        fails(graze.ArgumentError, "", ik, "gripper_link", np.diag([2, 1, 1, 1.0]))
        fails(graze.ArgumentError, "", ik, "gripper_link", graze.pose((np.nan, 0, 0)))
        fails(ValueError, "count is 0", ik, "gripper_link", np.eye(4), count=0)
        fails(ValueError, "starts is 0", ik, "gripper_link", np.eye(4), starts=0)
        fails(graze.ArgumentError, "", ik, "gripper_link", np.eye(4), position_tolerance=-1)
        fails(ValueError, "start has 2 rows; allowed: one configuration", ik, "gripper_link", np.eye(4), self.robot.sample(2))
        fails(ValueError, "the base of start has 2 rows; allowed: one", ik, "gripper_link", np.eye(4), base=np.zeros((2, 6)))
        fails(ValueError, "start has the shape", ik, "gripper_link", np.eye(4), [1])
        fails(OverflowError, "", ik, "gripper_link", np.eye(4), count=2 ** 80)
        fails(ValueError, "threads is -1", self.checker.plan, {}, {}, threads=-1)
        fails(ValueError, "threads is -1", self.checker.first_pairs, self.robot.rest, threads=-1)


class Plans(unittest.TestCase):
    def test_bases(self):
        robot = heron()
        checker = graze.Checker(robot, shelf())
        there = (0, 1.0, 0, 0, 0, 1.0)
        plan = checker.plan(robot.state("tuck"), robot.state("tuck"), planar_base=True, start_base=(-1.5, 0, 0, 0, 0, 0), goal_base=there)
        self.assertEqual((plan.outcome, plan.certified), ("found", True))
        self.assertEqual(tuple(plan.bases[-1]), there)
        self.assertFalse(checker.check(plan.waypoints, base=plan.bases).any())
        same = checker.plan(robot.state("tuck"), robot.state("ready"), start_base=(-1.5, 0, 0, 0, 0, 0))
        self.assertTrue((same.bases == (-1.5, 0, 0, 0, 0, 0)).all())

    def test_policies_of_single_objects(self):
        ball = "<robot name='r'><link name='a'><collision><geometry><sphere radius='0.1'/></geometry></collision></link></robot>"
        world = graze.World()
        corners = 2 * (np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]) - 0.5)
        world.add_mesh("room", corners, [(0, 1, 3), (0, 3, 2), (4, 7, 5), (4, 6, 7), (0, 5, 1), (0, 4, 5), (2, 3, 7),
                                         (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)])
        robot = graze.load("<memory>", text=ball)
        self.assertTrue(graze.Checker(robot, world).check([]))
        self.assertFalse(graze.Checker(robot, world, policies=[("room", "surface")]).check([]))
        for bad in ([("room", "soft")], [("room",)], [(1, "solid")], [("hall", "solid")]):
            with self.assertRaises((ValueError, TypeError)):
                graze.Checker(robot, world, policies=bad)


class Interrupts(unittest.TestCase):
    def test_control_c_ends_what_takes_long(self):
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        robot = heron()
        checker = graze.Checker(robot, shelf())
        nowhere = graze.World()
        nowhere.add_box("wall", (0.1, 20, 20), graze.pose((2, 0, 0)))
        walled = graze.Checker(robot, nowhere)
        for call in (lambda: walled.plan(robot.state("tuck"), robot.state("tuck"), seconds=60, planar_base=True,
                                         start_base=(0, 0, 0, 0, 0, 0), goal_base=(4, 0, 0, 0, 0, 0)),
                     lambda: checker.ik("gripper_link", graze.pose((9, 9, 9)), starts=10 ** 8),
                     lambda: graze.srdf(robot, prove=True, samples=10 ** 8)):
            timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                call()
                time.sleep(5)
            timer.join()

    def test_others_run_meanwhile(self):
        checker, ticks, ended = graze.Checker(heron()), [0], threading.Event()

        def count():
            while not ended.is_set():
                ticks[0] += 1
                time.sleep(0)

        counter = threading.Thread(target=count)
        counter.start()
        before = ticks[0]
        checker.ik("gripper_link", graze.pose((9, 9, 9)), starts=300)
        after = ticks[0]
        ended.set()
        counter.join()
        self.assertGreater(after, before)


@unittest.skipUnless(COMMAND, "GRAZE_COMMAND is not set")
class SameAsTheCommand(unittest.TestCase):
    def test_srdf(self):
        robot = graze.load(SOURCE / "urdf/two_link.urdf")
        made = graze.srdf(robot, seed=4, samples=500)
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([COMMAND, "srdf", SOURCE / "urdf/two_link.urdf", "--seed", "4", "--samples", "500", "-o",
                            f"{folder}/x.srdf"], check=True, capture_output=True)
            self.assertEqual(made, Path(f"{folder}/x.srdf").read_text())
            Path(f"{folder}/old.srdf").write_text("<robot name='two_link'><!-- mine --><group name='g'/></robot>")
            self.assertIn("<!-- mine -->", graze.srdf(robot, f"{folder}/old.srdf", samples=500))
            Path(f"{folder}/bad.srdf").write_text("<robot")
            with self.assertRaises(graze.Error) as caught:
                graze.srdf(robot, f"{folder}/bad.srdf", samples=500)
            self.assertEqual((caught.exception.file, caught.exception.line), (f"{folder}/bad.srdf", 1))
            Path(f"{folder}/bad.srdf").write_bytes(b"\xff\xfe")
            with self.assertRaises(UnicodeDecodeError):
                graze.srdf(robot, f"{folder}/bad.srdf", samples=500)
        with self.assertRaises(FileNotFoundError):
            graze.srdf(robot, "/no/such.srdf")
        with self.assertRaises(graze.ArgumentError):
            graze.srdf(robot, samples=0)
        self.assertEqual(graze.srdf(robot, seed=4, samples=500, threads=2), made)

    def test_pictures(self):
        robot, world = heron(visuals=True), shelf()
        checker = graze.Checker(robot, world)
        q = robot.sample(40, seed=4)
        q = q[checker.check(q)][0]
        with tempfile.TemporaryDirectory() as folder:
            small = checker.picture(q, f"{folder}/small.png", size=(96, 64), view=(30, 20, 0), visuals=True)
            self.assertEqual((small.shape, small.dtype), ((64, 96, 3), np.uint8))
            self.assertTrue((self.read(f"{folder}/small.png") == small).all())
            self.assertTrue((checker.picture(q, size=(96, 64), view=(90, 20, 2)) != small).any())
            hit = checker.picture({}, base=(0.5, 0, 0, 0, 0, 0), size=(96, 72))
            self.assertGreater((hit[..., 0].astype(int) - hit[..., 2] > 100).sum(), 500)  # the shelf, orange
            other = graze.Checker(graze.load(SOURCE / "urdf/two_link.urdf", visuals=True))
            other.picture([0.5, 0.7], f"{folder}/mine.png", visuals=True)
            subprocess.run([COMMAND, "check", SOURCE / "urdf/two_link.urdf", "-q", "0.5,0.7", "--all", "--picture",
                            f"{folder}/its.png"], capture_output=True)
            self.assertEqual(Path(f"{folder}/mine.png").read_bytes(), Path(f"{folder}/its.png").read_bytes())
            with self.assertRaises(FileNotFoundError):
                checker.picture(q, f"{folder}/none/x.png", size=(16, 16))
        with self.assertRaises(OSError):
            checker.picture(q, "/dev/full", size=(160, 160))
        for size in ((15, 64), (64, 16385), (2 ** 40, 9), (-5, 64)):
            with self.assertRaises((ValueError, OverflowError)):
                checker.picture(q, size=size)
        with self.assertRaises(ValueError):
            checker.picture(robot.sample(2))
        with self.assertRaises(TypeError):
            checker.picture(q, size=(32, 32), view=5)

    def read(self, path):
        """The pixels of a PNG of 8-bit colours."""
        data, at, body = Path(path).read_bytes(), 8, b""
        while at < len(data):
            size, kind = struct.unpack_from(">I4s", data, at)
            if kind == b"IHDR":
                width, height = struct.unpack_from(">II", data, at + 8)
            body += data[at + 8:at + 8 + size] if kind == b"IDAT" else b""
            at += 12 + size
        rows = np.frombuffer(zlib.decompress(body), np.uint8).reshape(height, 1 + 3 * width)
        out = np.zeros((height + 1, 3 * width + 3), np.uint8)
        for y, row in enumerate(rows):
            for x, value in enumerate(row[1:]):
                a, b, c = int(out[y + 1, x]), int(out[y, x + 3]), int(out[y, x])
                paeth = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
                out[y + 1, x + 3] = (int(value) + (0, a, b, (a + b) // 2, paeth)[row[0]]) % 256
        return out[1:, 3:].reshape(height, width, 3)


if __name__ == "__main__":
    warnings.simplefilter("ignore", graze.LoadWarning)
    unittest.main()
