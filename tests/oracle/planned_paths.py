#!/usr/bin/env python3
"""Samples planned paths and timed trajectories densely, and has each configuration checked on its own.

    tests/oracle/planned_paths.py --graze build-release/graze [--robot FILE --problems FILE.json [--srdf FILE] [--packages DIR]]
                                  [--every N] [--samples N] [--seed N]

Takes every Nth problem of each family of a set (mbm-1), plans it with `graze plan`, shortened and proved, and in time, and samples each
motion of the path N times and each cubic of the trajectory a tenth as often, by interpolation of its own. All goes to `graze check`, which knows
nothing of motions. Fails where a sample collides. Without a robot it is MotionBenchMaker's Panda in GRAZE_TEST_DATA. Exit status 77 where that, or
numpy, is not there.
"""

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy as np
except ImportError:
    print("skipped: numpy is not there")
    sys.exit(77)

KEYS = {"box": ["size"], "sphere": ["radius"], "cylinder": ["radius", "length"]}


def run(command, **options):
    done = subprocess.run([str(c) for c in command], capture_output=True, **options)
    if done.returncode > 1 or (done.returncode == 1 and "check" not in command):
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr.decode()}")
    return done


def write_world(problem, path):
    objects = [{"name": o["name"], "shape": o["type"], "position": o["position"], "quaternion": o["quaternion"],
                **{key: o[key] for key in KEYS[o["type"]]}} for o in problem["objects"]]
    path.write_text(json.dumps({"format": "graze-world-1", "name": "problem", "objects": objects}))


def read_rows(path):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    return rows[0], np.array(rows[1:], dtype=float)


class Robot:
    def __init__(self, options):
        self.options = options
        self.given = [options.robot] + (["--srdf", options.srdf] if options.srdf else []) + \
            (["--package-path", options.packages] if options.packages else [])
        said = json.loads(run([options.graze, "info", *self.given, "--format", "json"]).stdout)
        self.turns = {joint["name"] for joint in said["joints"] if joint["type"] == "continuous"}

    def plan(self, name, folder):
        """The path's columns and waypoints, those of the trajectory, and whether all is proved; None where there is no path."""
        o = self.options
        command = [o.graze, "plan", *self.given, "--problems", o.problems, "--problem", name, "--seed", o.seed, "--quiet", "--velocity", 2,
                   "--acceleration", 10, "--trajectory", folder / "t.csv", "-o", folder / "p.csv"]
        done = subprocess.run([str(c) for c in command], capture_output=True)
        if done.returncode:
            return None
        return read_rows(folder / "p.csv"), read_rows(folder / "t.csv")

    def collisions(self, names, rows, world, folder):
        np.save(folder / "q.npy", rows)
        done = run([self.options.graze, "check", *self.given, "--world", world, "--configs", folder / "q.npy", "--joints", ",".join(names),
                    "--threads", 0, "--format", "npy", "-o", folder / "v.npy"])
        verdicts = np.load(folder / "v.npy")
        if len(verdicts) != len(rows):
            sys.exit(f"{len(verdicts)} verdicts of {len(rows)}: {done.stderr.decode()}")
        return int(np.count_nonzero(verdicts != 0))


def sample_motions(names, waypoints, turns, count):
    """Straight between neighbours, continuous joints the shorter way."""
    way = np.diff(waypoints, axis=0)
    for i, name in enumerate(names):
        if name in turns:
            way[:, i] = np.remainder(way[:, i] + np.pi, 2 * np.pi) - np.pi
    t = np.linspace(0, 1, count)
    return (waypoints[:-1, None, :] + t[None, :, None] * way[:, None, :]).reshape(-1, waypoints.shape[1])


def sample_cubics(times, places, speeds, count):
    """Hermite's cubics, in Bernstein's form."""
    third = np.diff(times)[:, None] / 3
    control = [places[:-1], places[:-1] + third * speeds[:-1], places[1:] - third * speeds[1:], places[1:]]
    t = np.linspace(0, 1, count)
    weights = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3]
    return sum(w[None, :, None] * c[:, None, :] for w, c in zip(weights, control)).reshape(-1, places.shape[1])


def columns_of(header, table, words):
    """The columns of joints, by name; of a fixed base there are none."""
    wanted = [i for i, name in enumerate(header) if name.endswith(words) and not name.startswith("base_") and name != "time" and
              (words or not name.endswith(" velocity"))]
    return [header[i].removesuffix(words) for i in wanted], table[:, wanted]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--graze", required=True)
    for name in ("robot", "problems", "srdf", "packages"):
        p.add_argument("--" + name)
    p.add_argument("--every", type=int, default=100)
    p.add_argument("--samples", type=int, default=10000)
    p.add_argument("--seed", type=int, default=1)
    options, data = p.parse_args(), os.environ.get("GRAZE_TEST_DATA")
    if not options.robot:
        if not data:
            print("skipped: GRAZE_TEST_DATA is not set")
            sys.exit(77)
        options.robot, options.srdf = (f"{data}/robots/panda_mbm/panda.{end}" for end in ("urdf", "srdf"))
        options.problems = f"{data}/mbm/panda.json"
    robot, problems = Robot(options), json.loads(Path(options.problems).read_text())["problems"]
    planned = missed = motions = pieces = samples = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for family, list_of in problems.items():
            for problem in list_of[::options.every]:
                name = f"{family}/{problem['index']}"
                found = robot.plan(name, folder)
                if not found:
                    missed += 1
                    print(f"{name}: no path, or one that is not proved")
                    continue
                write_world(problem, folder / "w.json")
                (header, path), (timed, table) = found
                names, waypoints = columns_of(header, path, "")
                joints, places = columns_of(timed, table, "")
                speeds = columns_of(timed, table, " velocity")[1]
                fixed = [names.index(joint) for joint in joints]
                rows = sample_motions(names, waypoints, robot.turns, options.samples)
                cubics = sample_cubics(table[:, 0], places, speeds, max(2, options.samples // 10))
                whole = np.tile(waypoints[0], (len(cubics), 1))
                whole[:, fixed] = cubics
                bad = robot.collisions(names, rows, folder / "w.json", folder) + \
                    robot.collisions(names, whole, folder / "w.json", folder)
                if bad:
                    print(f"{name}: {bad} samples collide")
                planned, motions, pieces = planned + 1, motions + len(path) - 1, pieces + len(table) - 1
                samples, wrong = samples + len(rows) + len(whole), wrong + bad
    print(f"{planned} paths of {planned + missed}: {motions} motions, {pieces} cubics, {samples} samples, {wrong} collide")
    sys.exit(wrong > 0 or planned == 0)


main()
