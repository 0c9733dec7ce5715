"""Tests of the Python package: what it says is what the command says, and what is wrong is an exception.

GRAZE_SOURCE names the sources of graze, GRAZE_COMMAND the command; with GRAZE_TEST_DATA real robots are tried, too.
"""

import doctest
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings
from pathlib import Path

import numpy as np

import graze

SOURCE = Path(os.environ["GRAZE_SOURCE"])
COMMAND = os.environ.get("GRAZE_COMMAND")
DATA = os.environ.get("GRAZE_TEST_DATA")
BALL = "<robot name='r'><link name='a'><collision><geometry><sphere radius='1'/></geometry></collision></link></robot>"

CORNERS = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]) - 0.5
FACES = [(0, 1, 3), (0, 3, 2), (4, 7, 5), (4, 6, 7), (0, 5, 1), (0, 4, 5), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4),
         (1, 5, 7), (1, 7, 3)]


def heron():
    return graze.load(SOURCE / "urdf/heron.urdf", srdf=SOURCE / "urdf/heron.srdf")


def shelf():
    world = graze.World()
    world.add_file(SOURCE / "worlds/shelf.json")
    return world


def command(*arguments, **more):
    done = subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, **more)
    if done.returncode > 1:  # 1: collisions were found
        raise AssertionError(done.stderr)
    return done.stdout


@unittest.skipUnless(COMMAND, "GRAZE_COMMAND is not set")
class SameAsTheCommand(unittest.TestCase):
    def verdicts(self, robot_arguments, robot, world, q):
        with tempfile.TemporaryDirectory() as folder:
            np.save(f"{folder}/q.npy", q)
            command("check", *robot_arguments, "--configs", f"{folder}/q.npy", "--format", "npy", "-o",
                    f"{folder}/v.npy", "--threads", 2)
            expected = np.load(f"{folder}/v.npy")
        found = graze.Checker(robot, world).check(q, threads=2)
        self.assertEqual(found.dtype, np.bool_)
        self.assertEqual(found.shape, expected.shape)
        self.assertTrue((found == (expected == 1)).all())
        self.assertTrue(0 < found.sum() < len(found))

    def test_verdicts_of_the_shipped_robot(self):
        robot = heron()
        arguments = [SOURCE / "urdf/heron.urdf", "--srdf", SOURCE / "urdf/heron.srdf"]
        self.verdicts([*arguments, "--world", SOURCE / "worlds/shelf.json"], robot, shelf(), robot.sample(20000, seed=9))
        self.verdicts(arguments, robot, None, robot.sample(5000, seed=8))

    def test_contacts_and_first_pairs(self):
        robot, world = heron(), shelf()
        checker = graze.Checker(robot, world)
        q = robot.sample(150, seed=4)
        pairs = checker.first_pairs(q)
        for row, (kind, link, other) in zip(q, pairs):
            text = ",".join(map(repr, row.tolist()))
            said = subprocess.run([COMMAND, "check", SOURCE / "urdf/heron.urdf", "--srdf", SOURCE / "urdf/heron.srdf",
                                   "--world", SOURCE / "worlds/shelf.json", "-q", text, "--all", "--format", "json"],
                                  capture_output=True, text=True).stdout
            contacts = checker.contacts(row)
            first = checker.first_pair(row)
            self.assertEqual(first is None, kind < 0)
            self.assertEqual(bool(contacts), kind >= 0)
            for c in contacts:
                self.assertIn(f'"{c.link}"', said)
                self.assertIn(f'"{c.other}"', said)
            if first:
                self.assertEqual((first.link, first.other), (contacts[0].link, contacts[0].other))
                self.assertEqual(robot.link_names[link], first.link)

    def test_plans(self):
        robot, world = heron(), shelf()
        checker = graze.Checker(robot, world)
        q = robot.sample(60, seed=2)
        goals = q[~checker.check(q)][:3]
        for goal in goals:
            plan = checker.plan(robot.rest, goal, seed=5)
            again = checker.plan(robot.rest, goal, seed=5, threads=2)
            self.assertEqual((plan.outcome, plan.certified), ("found", True))
            self.assertTrue((plan.waypoints == again.waypoints).all())
            self.assertTrue((plan.waypoints[0] == robot.rest).all() and (plan.waypoints[-1] == goal).all())
            self.assertFalse(checker.check(plan.waypoints).any())
            text = command("plan", SOURCE / "urdf/heron.urdf", "--srdf", SOURCE / "urdf/heron.srdf", "--world",
                           SOURCE / "worlds/shelf.json", "--goal", ",".join(map(repr, goal.tolist())), "--seed", 5,
                           "--margin", 0, "--format", "csv", text=True)
            rows = [[float(x) for x in line.split(",")] for line in text.splitlines()[1:]]
            self.assertTrue((np.array(rows)[:, 6:] == plan.waypoints).all())

    def test_shorter_plans(self):
        robot, world = heron(), shelf()
        checker = graze.Checker(robot, world)
        q = robot.sample(200, seed=2)
        goals = q[~checker.check(q)][:12]
        first = [checker.plan(robot.rest, goal) for goal in goals]
        better = [checker.plan(robot.rest, goal, improve=3000) for goal in goals]
        self.assertTrue(all(b.certified and b.length <= f.length for f, b in zip(first, better)))
        self.assertTrue(any(b.length < f.length for f, b in zip(first, better)))
        good = checker.plan(robot.rest, goals[0], improve=3000, good_length=100)
        self.assertTrue((good.waypoints == first[0].waypoints).all())
        with self.assertRaisesRegex(graze.Error, "good_length"):
            checker.plan(robot.rest, goals[0], good_length=-1)

    def test_plans_by_the_halton_sequence(self):
        robot, world = heron(), shelf()
        checker = graze.Checker(robot, world)
        q = robot.sample(200, seed=2)
        goals = q[~checker.check(q)][:12]
        paths = [[checker.plan(robot.rest, goal, sampler=s, seed=7) for goal in goals] for s in ("random", "halton", "halton")]
        for one, two, again in zip(*paths):
            self.assertTrue(one.certified and two.certified)
            self.assertTrue((two.waypoints == again.waypoints).all())
        self.assertTrue(any(a.iterations != b.iterations for a, b in zip(paths[0], paths[1])))
        with self.assertRaisesRegex(ValueError, "sampler"):
            checker.plan(robot.rest, goals[0], sampler="sobol")

    @unittest.skipUnless(DATA, "GRAZE_TEST_DATA is not set")
    def test_verdicts_on_which_other_libraries_agree(self):
        data = Path(DATA or "")
        robot = graze.load(data / "robots/fetch_description/robots/fetch.urdf", data / "verdicts/fetch_75.srdf",
                           packages=[data / "robots"])
        q = np.load(data / "verdicts/fetch_configs.npy")
        joints = ["torso_lift_joint", "shoulder_pan_joint", "shoulder_lift_joint", "upperarm_roll_joint",
                  "elbow_flex_joint", "forearm_roll_joint", "wrist_flex_joint", "wrist_roll_joint"]
        world = graze.World()
        world.add_file(data / "worlds/clutter.ply")
        for name, objects in ("self", None), ("clutter", world):
            checker = graze.Checker(robot, objects, policy="surface")
            expected = np.load(data / f"verdicts/fetch_{name}.npy") == 1
            self.assertTrue((checker.check(q, joints=joints) == expected).all())


class Questions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.robot = heron()
        cls.checker = graze.Checker(cls.robot, shelf())
        cls.q = cls.robot.sample(3000, seed=1)
        cls.expected = cls.checker.check(cls.q)

    def test_rows_one_by_one(self):
        self.assertEqual([self.checker.check(row) for row in self.q], self.expected.tolist())
        self.assertIs(type(self.checker.check(self.q[0])), bool)

    def test_any_array_that_numpy_takes(self):
        q = self.q
        wide = np.zeros((len(q), 2 * q.shape[1]))
        wide[:, ::2] = q
        forms = [wide[:, ::2], np.asfortranarray(q), q[::-1][::-1], q.tolist(), np.ascontiguousarray(q.astype(">f8"))]
        for form in forms:
            self.assertTrue((self.checker.check(form) == self.expected).all())
        single = q.astype(np.float32)
        self.assertTrue((self.checker.check(single) == self.checker.check(single.astype(float))).all())
        self.assertEqual(self.checker.check(q[:0]).shape, (0,))

    def test_some_joints_and_the_others_at_rest(self):
        names = ["shoulder_pan_joint", "elbow_flex_joint"]
        columns = [self.robot.joint_names.index(name) for name in names]
        whole = np.tile(self.robot.rest, (len(self.q), 1))
        whole[:, columns] = self.q[:, columns]
        expected = self.checker.check(whole)
        self.assertTrue((self.checker.check(self.q[:, columns], joints=names) == expected).all())
        self.assertTrue((self.checker.check(self.q[:, columns], columns) == expected).all())
        self.assertEqual(self.checker.check(self.q[0, columns], joints=names), expected[0])

    def test_bases(self):
        bases = np.zeros((len(self.q), 6))
        bases[:, 0] = np.linspace(-3, 3, len(self.q))
        found = self.checker.check(self.q, base=bases, threads=2)
        self.assertEqual([self.checker.check(q, base=b) for q, b in zip(self.q, bases)], found.tolist())
        self.assertTrue((self.checker.check(self.q, base=bases[7]) ==
                         [self.checker.check(q, base=bases[7]) for q in self.q]).all())

    def test_poses_are_those_of_the_links(self):
        poses = self.robot.pose(self.q[:5])
        self.assertEqual(poses.shape, (5, len(self.robot.link_names), 4, 4))
        self.assertTrue((poses[3] == self.robot.pose(self.q[3])).all())
        base = (1, 2, 3, 0.1, 0.2, 0.3)
        moved = self.robot.pose(self.q[0], base=base)
        expected = graze.pose(base[:3], base[3:]) @ poses[0]
        self.assertLess(abs(moved - expected).max(), 1e-14)

    def test_explanations_and_contacts_agree(self):
        row = self.q[int(np.argmax(self.expected))]
        colliding = [(e.link, e.other) for e in self.checker.explain(row) if e.collides and not e.allowed]
        self.assertEqual(colliding, [(c.link, c.other) for c in self.checker.contacts(row)])

    def test_groups_and_states(self):
        lower, upper = self.robot.limits
        self.assertTrue((lower <= self.robot.rest).all() and (self.robot.rest <= upper).all())
        with self.assertRaises(KeyError):
            self.robot.group("nothing")
        self.assertTrue((self.robot.sample(3, seed=7, first=2)[0] == self.robot.sample(3, seed=7)[2]).all())

    def test_moved_worlds(self):
        world = graze.World()
        world.add_box("box", (0.5, 0.5, 0.5), graze.pose((9, 0, 0)))
        far = graze.Checker(self.robot, world)
        near = graze.Checker(self.robot, world.moved({"box": graze.pose((0, 0, 0.4))}))
        self.assertFalse(far.check(self.robot.rest))
        self.assertTrue(near.check(self.robot.rest))
        self.assertFalse(far.check(self.robot.rest))


class Rules(unittest.TestCase):
    def setUp(self):
        self.robot = graze.load("<memory>", text=BALL)

    def test_shapes(self):
        shapes = {"add_box": ((1, 1, 1),), "add_sphere": (0.5,), "add_cylinder": (0.5, 1.0), "add_capsule": (0.5, 1.0), "add_cone": (0.5, 1.0),
                  "add_mesh": (CORNERS, FACES), "add_points": (CORNERS, 0.1)}
        for name, arguments in shapes.items():
            for place, expected in (1.2, True), (3, False):
                world = graze.World()
                getattr(world, name)("it", *arguments, graze.pose((place, 0, 0)))
                self.assertEqual(graze.Checker(self.robot, world).check([]), expected, name)

    def test_halfspaces_and_planes(self):
        for name in "add_halfspace", "add_plane":
            for offset, expected in (-3, False), (0.2, True), (3, name == "add_halfspace"):
                world = graze.World()
                getattr(world, name)("it", (0, 0, 2), 2 * offset)
                self.assertEqual(graze.Checker(self.robot, world).check([]), expected, name)

    def test_margins_policies_and_allowed_pairs(self):
        world = graze.World()
        world.add_box("box", (1, 1, 1), graze.pose((2, 0, 0)))
        self.assertFalse(graze.Checker(self.robot, world, margin=0.4).check([]))
        self.assertTrue(graze.Checker(self.robot, world, margin=0.6).check([]))
        self.assertTrue(graze.Checker(self.robot, world, margins=[("a", "box", 0.6)]).check([]))
        self.assertFalse(graze.Checker(self.robot, world, margin=0.6, allowed=[("a", "box")]).check([]))
        inside = graze.World()
        inside.add_mesh("box", 8 * CORNERS, FACES)
        self.assertTrue(graze.Checker(self.robot, inside).check([]))
        self.assertFalse(graze.Checker(self.robot, inside, policy="surface").check([]))


class Mistakes(unittest.TestCase):
    def setUp(self):
        self.robot = heron()
        self.checker = graze.Checker(self.robot)

    def fails(self, kind, said, function, *arguments, **named):
        with self.assertRaises(kind) as caught:
            function(*arguments, **named)
        self.assertIn(said, str(caught.exception))
        return caught.exception

    def test_files(self):
        error = self.fails(graze.NotFoundError, "No such file", graze.load, "/no/such.urdf")
        self.assertEqual((error.status, error.file), ("not-found", "/no/such.urdf"))
        error = self.fails(graze.Error, "", graze.load, "<memory>", text="<robot name='r'><link name='a'/>\n<link name='a'/></robot>")
        self.assertEqual((error.line, error.status), (2, "schema"))
        self.fails(graze.Error, "", graze.World().add_file, "/no/such.json")
        self.fails(ValueError, "allowed: ros, spec, moveit, auto", graze.load, "x", collada="z")

    def test_warnings_of_files_are_warnings_of_python(self):
        text = BALL.replace("</robot>", "<link name='b'/><joint name='j' type='continuous'><axis xyz='0 0 2'/>"
                            "<parent link='a'/><child link='b'/></joint></robot>")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            graze.load("<memory>", text=text)
        self.assertEqual([w.message.code for w in caught], ["axis-not-unit"])

    def test_arrays(self):
        q = self.robot.sample(9)
        check = self.checker.check
        self.fails(ValueError, "has the shape [3]; allowed: [14] or [N, 14]", check, [1, 2, 3])
        self.fails(ValueError, "has the shape [9, 1, 14]", check, q[:, None])
        self.fails((ValueError, TypeError), "", check, "text")
        self.fails((ValueError, TypeError), "", check, None)
        self.fails((ValueError, TypeError), "", check, np.array([object()] * 14))
        self.fails((ValueError, TypeError), "", check, q.astype(complex))
        self.fails(ValueError, "base has the shape [5]", check, q, base=np.zeros(5))
        self.fails(ValueError, "base has 4 rows; allowed: 1 or those of q, 9", check, q, base=np.zeros((4, 6)))
        self.fails(ValueError, "threads is -1", check, q, threads=-1)
        self.fails(TypeError, "lacks q", check)
        self.fails(TypeError, "that it does not have", check, q, wrong=1)
        self.fails(TypeError, "twice", check, q, q=q)
        self.fails(graze.ArgumentError, "no joint 'knee'", check, q[:, :1], joints=["knee"])
        q[5, 3] = np.nan
        self.assertEqual(self.fails(graze.ArgumentError, "row 5", check, q).element, "row 5")
        self.fails(graze.ArgumentError, "nan", check, q[5])
        late = np.tile(self.robot.rest, (70000, 1))
        late[69999, 0] = np.inf
        self.assertEqual(self.fails(graze.ArgumentError, "row 69999", check, late).element, "row 69999")

    def test_worlds(self):
        world = graze.World()
        self.fails(graze.ArgumentError, "radius", world.add_sphere, "ball", -1)
        self.fails(ValueError, "pose is no transform", world.add_sphere, "ball", 1, np.zeros((4, 4)))
        self.fails(graze.ArgumentError, "rigid", world.add_sphere, "ball", 1, np.diag([2, 1, 1, 1.0]))
        self.fails(TypeError, "same_kind", world.add_mesh, "mesh", np.eye(3), [(0.5, 1, 2)])
        self.fails(graze.Error, "", world.add_mesh, "mesh", np.eye(3), [(0, 1, 7)])
        self.fails(ValueError, "triangle 0 names the vertex -1", world.add_mesh, "mesh", np.eye(3), [(0, 1, -1)])
        world.add_sphere("ball", 1)
        self.fails(graze.Error, "", world.add_sphere, "ball", 1)
        world.commit()
        self.fails(graze.ArgumentError, "", world.add_sphere, "other", 1)
        self.fails(TypeError, "world is no graze.World", graze._graze.Checker, self.robot, 3)
        self.fails(graze.Error, "nobody", graze.Checker, self.robot, allowed=[("nobody", "base_link")])

    def test_parts_outlive_what_is_deleted(self):
        world = shelf()
        checker = graze.Checker(heron(), world)
        del world
        self.assertIn("board2", checker.world.object_names)
        self.assertEqual(checker.contacts(checker.robot.rest), [])


class DistancesAndMotions(unittest.TestCase):
    def setUp(self):
        self.robot = heron()
        self.checker = graze.Checker(self.robot, shelf())
        self.q = self.robot.sample(700, seed=4)

    @unittest.skipUnless(COMMAND, "GRAZE_COMMAND is not set")
    def test_distances_are_the_command_s(self):
        with tempfile.TemporaryDirectory() as folder:
            np.save(f"{folder}/q.npy", self.q)
            command("distance", SOURCE / "urdf/heron.urdf", "--srdf", SOURCE / "urdf/heron.srdf", "--world", SOURCE / "worlds/shelf.json",
                    "--configs", f"{folder}/q.npy", "--format", "npy", "-o", f"{folder}/d.npy", "--quiet")
            expected = np.load(f"{folder}/d.npy")
        for threads in (1, 3):
            found = self.checker.distance(self.q, threads=threads)
            self.assertTrue((np.stack([found.lower, found.upper], 1) == expected).all())
        self.assertTrue(0 < found.overlap.sum() < len(self.q))

    def test_one_row_is_a_row_of_many(self):
        many = self.checker.distance(self.q, gradients=True)
        self.assertEqual([field.shape for field in many], [(700,), (700,), (700, 5), (700, 2, 3), (700, 3), (700,), (700, 14), (700,)])
        for i in (0, 5, 699):
            one = self.checker.distance(self.q[i], gradients=True)
            self.assertTrue(all((a[i] == b).all() for a, b in zip(many, one)))
            near = self.checker.nearest(self.q[i], count=3)
            self.assertEqual((near[0].lower, near[0].upper), (one.lower, one.upper))
            uppers = [p.upper for p in near]
        self.assertTrue(all(b >= a - 2**-34 for a, b in zip(uppers, uppers[1:])), uppers)
        self.assertEqual(self.checker.nearest(self.q[0], count=9, threshold=0.0), [p for p in self.checker.nearest(self.q[0], count=9) if p.upper == 0])

    def test_witnesses_and_gradients(self):
        found = self.checker.distance(self.q, gradients=True)
        apart = np.linalg.norm(found.points[:, 0] - found.points[:, 1], axis=1)
        free = ~found.overlap
        self.assertLess(np.abs(apart - found.upper)[free].max(), 1e-9)
        tried, step = 0, 1e-6
        for i in np.flatnonzero(free & found.smooth)[:40]:
            for k in (2, 5, 6, 8):
                near = np.array([self.q[i], self.q[i]])
                near[:, k] += (-step, step)
                low, high = self.checker.distance(near).upper
                if (self.checker.distance(near).pair == found.pair[i]).all():
                    self.assertLess(abs((high - low) / (2 * step) - found.gradient[i, k]), 1e-3)
                    tried += 1
        self.assertGreater(tried, 60)

    def test_bases(self):
        base = np.tile([0.0, 0, 0, 0, 0, 0], (3, 1))
        base[1, 0] = -0.5
        rest = np.tile(self.robot.rest, (3, 1))
        many = self.checker.distance(rest, base=base)
        self.assertEqual(many.upper[0], many.upper[2])
        self.assertEqual(many.upper[1], self.checker.distance(self.robot.rest, base=base[1]).upper)
        self.assertTrue((self.checker.distance(rest, base=base[0]).upper == many.upper[0]).all())
        moved = self.checker.check_motion(self.robot.rest, self.robot.rest, base0=base[1], base1=base[0] + [0.9, 0, 0, 0, 0, 0])
        self.assertEqual((moved.verdict, moved.pair.kind), ("hit", "world"))
        self.assertEqual(self.checker.check_motion(self.robot.rest, self.robot.rest, base0=base[1]).verdict, "free")

    def test_objects_that_move(self):
        world = graze.World()
        world.add_box("plate", (1e-6, 2, 2), graze.pose((3, 0, 1)))
        checker, rest = graze.Checker(self.robot, world), self.robot.rest
        across = checker.check_motion(rest, rest, moving={"plate": (-6, 0, 0)}, first=True)
        self.assertEqual((across.verdict, across.pair.other), ("hit", "plate"))
        timed = checker.certify([5, 7], [rest, rest], moving={"plate": (-3, 0, 0)})
        self.assertTrue(5 + 2 * across.earliest <= timed.latest)
        self.assertEqual(timed.verdict, "hit")
        for free in ({}, {"plate": (0, 6, 0)}):
            self.assertEqual(checker.check_motion(rest, rest, moving=free).verdict, "free")
        fails = self.assertRaisesRegex
        with fails(ValueError, "moving has 'disc'; allowed: names of objects"):
            checker.check_motion(rest, rest, moving={"disc": (1, 0, 0)})
        with fails(ValueError, "moving is given with many motions"):
            checker.check_motion([rest], [rest], moving={"plate": (1, 0, 0)})
        with fails(graze.Error, "the velocity of"):
            checker.certify([0, 1], [rest, rest], moving={"plate": (float("nan"), 0, 0)})

    def test_motions(self):
        free = self.q[~self.checker.check(self.q)]
        count = len(free) // 2
        verdicts, earliest, latest = self.checker.check_motion(free[:count], free[count:2 * count], threads=2)
        self.assertTrue({0, 1} <= set(verdicts.tolist()) <= {0, 1, 2})
        self.assertTrue(((earliest == 1) == (verdicts == 0)).all())
        for i in range(0, count, 7):
            one = self.checker.check_motion(free[i], free[count + i])
            self.assertEqual((("free", "hit", "undecided").index(one.verdict), one.earliest, one.latest), (verdicts[i], earliest[i], latest[i]))
            self.assertEqual(one.pair is None, one.verdict == "free")
            line = self.checker.check_motion(free[i], free[count + i], first=True)
            timed = self.checker.certify([0, 2], [free[i], free[count + i]])
            self.assertEqual(one.verdict == "free", line.verdict == "free")
            self.assertEqual(timed.piece, 1 if timed.verdict == "free" else 0)
            # Dense samples: none collides before it may. No joint of these is continuous over more than half a turn.
            q = free[i] + np.linspace(0, 1, 200, endpoint=False)[:, None] * (free[count + i] - free[i])
            times = 2 * np.linspace(0, 1, 200, endpoint=False)
            self.assertFalse(self.checker.check(q[times < timed.earliest]).any())
        path = self.checker.plan(self.robot.state("tuck"), self.robot.state("ready"))
        self.assertEqual(path.outcome, "found")
        verdicts, _, _ = self.checker.check_motion(path.waypoints[:-1], path.waypoints[1:])
        self.assertFalse(verdicts.any())
        n = len(path.waypoints)
        self.assertEqual(self.checker.certify(range(n), path.waypoints).verdict, "free")
        stops = np.zeros_like(path.waypoints)
        self.assertEqual(self.checker.certify(range(n), path.waypoints, stops).verdict, "free")
        self.assertEqual(self.checker.certify(range(n), path.waypoints, stops, stops).latest, n - 1)

    def test_wrong_arguments(self):
        fails = lambda what, text, call, *a, **k: self.assertRaisesRegex(what, text, call, *a, **k)
        checker, q = self.checker, self.q
        fails(ValueError, "allowed: .14. or .N, 14.", checker.distance, q[:, :3])
        fails(graze.Error, "", checker.distance, q, accuracy=-1)
        fails((graze.Error, TypeError, ValueError), "", checker.distance, q.astype(complex))
        fails(OverflowError, "", checker.distance, q, threads=2 ** 70)
        fails(ValueError, "threads is -1", checker.check_motion, q, q, threads=-1)
        bad = q.copy()
        bad[600, 3] = np.nan
        with self.assertRaises(graze.ArgumentError) as caught:
            checker.distance(bad)
        self.assertEqual(caught.exception.element, "row 600")
        with self.assertRaises(graze.ArgumentError) as caught:
            checker.check_motion(q, bad)
        self.assertEqual(caught.exception.element, "motion 600")
        fails(ValueError, "count is 0", checker.nearest, q[0], count=0)
        fails(graze.Error, "", checker.nearest, q[0], threshold=-1.0)
        fails(ValueError, "q1 has 2 rows; allowed: those of q0, 3", checker.check_motion, q[:3], q[:2])
        fails(ValueError, "base1 is given without base0", checker.check_motion, q[0], q[1], base1=np.zeros(6))
        fails(ValueError, "times has the shape", checker.certify, [0, 1, 2], q[:2])
        fails(ValueError, "times has two dimensions", checker.certify, [[0, 1], [0, 1]], q[:2])
        fails(ValueError, "velocities has 3 rows", checker.certify, [0, 1], q[:2], q[:3])
        fails(graze.ArgumentError, "", checker.certify, [0, 1], q[:2], None, q[:2])
        fails(graze.ArgumentError, "", checker.certify, [1, 0], q[:2])
        fails(graze.ArgumentError, "", checker.certify, [0], q[:1])
        strided = np.tile(q, (1, 2))[::-1, ::-2]
        self.assertTrue((checker.distance(strided).upper == checker.distance(np.ascontiguousarray(strided)).upper).all())
        self.assertEqual(checker.distance(q[:0]).pair.shape, (0, 5))
        self.assertEqual(checker.check_motion(q[:0], q[:0])[0].shape, (0,))

    def test_an_interrupt_ends_a_batch(self):
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        for call in (lambda q: self.checker.distance(q), lambda q: self.checker.check_motion(q, q[::-1])):
            timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                call(np.tile(self.q, (100, 1)))
                time.sleep(5)
            timer.join()

    def test_an_interrupt_ends_one_trajectory(self):
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        rest = self.checker.robot.rest
        many = np.tile([rest, rest + 0.001], (200000, 1))  # some ten seconds
        self.assertEqual(self.checker.certify(np.arange(100), many[:100]).verdict, "free")
        timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
        start = time.monotonic()
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            self.checker.certify(np.arange(len(many)), many)
            time.sleep(60)
        self.assertLess(time.monotonic() - start, 5)  # it was ended, not waited for
        timer.join()


class Threads(unittest.TestCase):
    def setUp(self):
        self.robot = heron()
        self.checker = graze.Checker(self.robot, shelf())
        self.q = self.robot.sample(60000, seed=3)
        self.expected = self.checker.check(self.q)

    def test_others_run_while_a_batch_does(self):
        steps, ended = [0], threading.Event()

        def count():
            while not ended.is_set():
                steps[0] += 1
                time.sleep(0)

        counter = threading.Thread(target=count)
        counter.start()
        before = steps[0]
        self.checker.check(self.q)
        after = steps[0]
        ended.set()
        counter.join()
        self.assertGreater(after, before)

    def test_one_checker_in_many_threads(self):
        results = [None] * 8

        def work(i):
            results[i] = [self.checker.check(self.q[k]) for k in range(i, 4000, 8)] + \
                self.checker.check(self.q).tolist()

        workers = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        for i, result in enumerate(results):
            self.assertEqual(result, self.expected[i:4000:8].tolist() + self.expected.tolist())

    def test_an_interrupt_ends_a_batch(self):
        many = np.tile(self.q, (200, 1))
        # Programs that a shell starts in the background ignore the signal, and so would this one.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            self.checker.check(many)
            time.sleep(5)
        timer.join()

    def test_a_million_calls_leak_nothing(self):
        row, bad = self.q[0], np.full(14, np.nan)

        def use(count):
            for _ in range(count):
                self.checker.check(row)
                self.checker.check(self.q[:2])
                self.checker.contacts(row)
                try:
                    self.checker.check(bad)
                except graze.Error:
                    pass

        use(3000)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        use(12000)
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, 2000)


class Documents(unittest.TestCase):
    def test_examples_in_docstrings(self):
        failed, tried = doctest.testmod(graze)
        self.assertEqual(failed, 0)
        self.assertGreater(tried, 5)

    def test_lint(self):
        self.assertEqual([f for f in graze.lint(SOURCE / "urdf/heron.urdf") if f.severity == "error"], [])
        with tempfile.NamedTemporaryFile("w", suffix=".urdf") as file:
            file.write(BALL.replace("radius='1'", "radius='-1'"))
            file.flush()
            found = [f for f in graze.lint(file.name) if f.severity == "error"]
        self.assertEqual([(f.line, f.link) for f in found], [(1, "a")])


if __name__ == "__main__":
    warnings.simplefilter("ignore", graze.LoadWarning)
    print(f"graze {graze.version} of {graze.__file__}, Python {sys.version.split()[0]}")
    unittest.main()
