"""Tests of graze.sweep: what `graze sweep` writes, read with numpy, against the checker; and the example of docs/sweep.md."""

import contextlib
import io
import json
import os
import re
import tempfile
import unittest
from pathlib import Path

import numpy as np

import graze
import graze.sweep

SOURCE = Path(os.environ["GRAZE_SOURCE"])
COMMAND = os.environ["GRAZE_COMMAND"]
ROBOT = [SOURCE / "urdf/heron.urdf", "--srdf", SOURCE / "urdf/heron.srdf"]
SHELF = SOURCE / "worlds/shelf.json"


class Folder(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def sweep(self, name, *words):
        graze.sweep.run([*ROBOT, *words, "-o", self.folder / name], command=COMMAND)
        return self.folder / name


class Reading(Folder):
    def setUp(self):
        super().setUp()
        self.robot, world = graze.load(SOURCE / "urdf/heron.urdf", srdf=SOURCE / "urdf/heron.srdf"), graze.World()
        world.add_file(SHELF)
        self.checker = graze.Checker(self.robot, world)

    def test_a_dataset(self):
        folder = self.sweep("d", "--world", SHELF, "--count", 700, "--chunk", 200, "--distances", "--pairs", "--with-q")
        parts = list(graze.sweep.shards(folder))
        self.assertEqual([len(p["q"]) for p in parts], [200, 200, 200, 100])
        q = np.concatenate([p["q"] for p in parts])
        self.assertTrue((q == self.robot.sample(700, seed=1)).all())
        self.assertEqual(graze.sweep.manifest(folder)["columns"], list(self.robot.joint_names))
        self.assertTrue((np.concatenate([p["collision"] for p in parts]) == self.checker.check(q)).all())
        found = self.checker.distance(q)
        self.assertTrue((np.concatenate([p["distance"] for p in parts]) == np.stack([found.lower, found.upper], 1)).all())
        names = graze.sweep.manifest(folder)["names"]
        pair = self.checker.first_pair(q[parts[0]["collision"].argmax()])
        self.assertEqual([names[i] for i in parts[0]["pair"][parts[0]["collision"].argmax()]], [pair.link, pair.other])
        (folder / "distance/2.0").unlink()
        (folder / "collision/0").write_bytes(b"\0")
        self.assertEqual([len(p["q"]) for p in graze.sweep.shards(folder)], [200, 100])
        self.assertEqual([len(p["q"]) for p in graze.sweep.shards(folder, ["q"])], [200, 200, 200, 100])

    def test_a_reachability_map(self):
        folder = self.sweep("r", "--world", SHELF, "--count", 3000, "--chunk", 1000, "--reachability", "gripper_link",
                            "--voxel", 0.25, "--box", "-0.5,-1,0,1,1,2")
        q = self.robot.sample(3000, seed=1)
        place = np.array([self.robot.pose(row)[self.robot.link_names.index("gripper_link"), :3, 3] for row in q])
        wanted = [np.histogramdd(place[~self.checker.check(q)] if of else place, (6, 8, 8), ((-0.5, 1), (-1, 1), (0, 2)))[0]
                  for of in (0, 1)]
        found = graze.sweep.reachability(folder)
        self.assertEqual((found.link, found.voxel, found.low.tolist(), found.missing), ("gripper_link", 0.25, [-0.5, -1, 0], 0))
        self.assertTrue((found.reached == wanted[0]).all() and (found.free == wanted[1]).all())
        self.assertEqual(found.reached.sum() + found.outside[0], 3000)
        self.assertGreater(found.outside[0], 0)
        (folder / "reached_free/1.0.0.0").unlink()
        self.assertEqual(graze.sweep.reachability(folder).missing, 1)

    def test_a_roadmap_in_two_worlds(self):
        nodes = self.robot.sample(40, seed=2)
        edges = np.random.default_rng(1).integers(0, 40, (90, 2))
        np.save(self.folder / "nodes.npy", nodes)
        np.save(self.folder / "edges.npy", edges)
        clutter = SOURCE / "worlds/clutter.json"
        folder = self.sweep("e", "--configs", self.folder / "nodes.npy", "--edges", self.folder / "edges.npy", "--chunk", 50,
                            "--worlds", SHELF, "--worlds", clutter)
        other = graze.World()
        other.add_file(clutter)
        for i, checker in enumerate((self.checker, graze.Checker(self.robot, other))):
            verdicts = checker.check_motion(nodes[edges[:, 0]], nodes[edges[:, 1]])[0]
            parts = list(graze.sweep.shards(folder, world=i))
            self.assertEqual([sorted(p) for p in parts], [["collision", "edge"], ["edge"]])
            self.assertTrue((np.concatenate([p["edge"] for p in parts]) == verdicts).all())
            self.assertTrue((parts[0]["collision"] == checker.check(nodes)).all())
        with self.assertRaisesRegex(ValueError, "world is 2; allowed: 0 to 1"):
            next(graze.sweep.shards(folder, world=2))

    def test_what_is_no_sweep(self):
        folder = self.sweep("n", "--count", 10)
        with self.assertRaisesRegex(ValueError, "has no reachability map"):
            graze.sweep.reachability(folder)
        with self.assertRaisesRegex(RuntimeError, "belongs to another sweep"):
            self.sweep("n", "--count", 11)
        head = json.loads((folder / "collision/.zarray").read_text())
        for change in ({"shape": []}, {"shape": [-1]}, {"shape": "x"}, {"chunks": [0]}, {"chunks": [1, 1]}, {"dtype": "|O"},
                       {"dtype": None}, {"filters": [{"id": "pickle"}]}, {"compressor": {"id": "zlib"}}, {"order": "F"}, {"zarr_format": 3},
                       {"shape": [2**80], "chunks": [2**80]}, {"shape": [2**53], "chunks": [8]}):
            (folder / "collision/.zarray").write_text(json.dumps({**head, **change}))
            try:
                self.assertEqual(list(graze.sweep.shards(folder)), [], change)
            except ValueError as error:
                self.assertIn("is not of an array that graze sweep writes", str(error))
        (folder / "collision/.zarray").write_text("[]")
        with self.assertRaisesRegex(ValueError, "is not of an array"):
            list(graze.sweep.shards(folder))
        for text in ("{}", "[]", '{"format": "graze-sweep-1"}', "x"):
            (folder / ".zattrs").write_text(text)
            with self.assertRaises(ValueError):
                list(graze.sweep.shards(folder))


class Example(unittest.TestCase):
    def test_the_example_of_the_page(self):
        text = (SOURCE / "docs/sweep.md").read_text()
        code = re.search(r"```python\n(import numpy as np\nimport graze\.sweep.*?)```", text, re.S)[1]
        told = re.search(r"```\n(guessing free.*?)```", text, re.S)[1]
        with tempfile.TemporaryDirectory() as folder:
            before = os.getcwd()
            self.addCleanup(os.chdir, before)
            os.chdir(folder)
            for name in ("package.xml", "urdf", "meshes", "worlds"):
                os.symlink(SOURCE / name, name)
            path = os.environ["PATH"]
            self.addCleanup(os.environ.__setitem__, "PATH", path)
            os.environ["PATH"] = f"{Path(COMMAND).parent}:{path}"
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(code, {})
        said, wanted = (re.findall(r"\d+\.\d+|\d+", t) for t in (out.getvalue(), told))
        self.assertEqual(len(said), len(wanted), out.getvalue())
        # Sums of products round as the machine's BLAS does.
        self.assertTrue(np.allclose([float(x) for x in said], [float(x) for x in wanted], atol=0.3), (said, wanted))


if __name__ == "__main__":
    unittest.main()
