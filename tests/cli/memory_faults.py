#!/usr/bin/env python3
"""Makes allocations of the command and its library fail, one a run: it must say so, exit with 4, and
leave no file behind. The first 3 fail in turn, later ones at growing distances (tests/faults makes
every one of the library's fail). Needs a build with GRAZE_FAULTS; skips (77) on any other.

    tests/cli/memory_faults.py --graze build/graze
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
HIT = "lift=-1"

# What to run, and the exit status when nothing fails.
COMMANDS = [
    (["check", "gantry.urdf", "-q", HIT, "--all", "--explain", "--allow", "slab,tong"], 1),
    (["check", "gantry.urdf", "--world", "room.json", "--package", "a=.", "--state", "low", "--srdf",
      "gantry.srdf", "--picture", "out.png"], 1),
    (["check", "gantry.urdf", "--configs", "three.csv", "-o", "out.txt"], 1),
    (["check", "gantry.urdf", "--configs", "three.csv", "--format", "npy", "-o", "out.npy"], 1),
    (["check", "gantry.urdf", "--configs", "based.csv", "--masked", "-o", "out.txt"], 0),
    (["check", "-", "-q", "0,0", "--joints", "lift,turn"], 0),
    (["info", "gantry.urdf", "-o", "out.txt"], 0),
    (["info", "stall.urdf", "--loader-diff", "--no-visuals", "-o", "out.txt"], 0),
    (["info", "gantry.urdf", "--cost", "--samples", "5", "-o", "out.txt"], 0),
    (["lint", "gantry.urdf", "--suppressions", "accepted.txt", "-o", "out.txt"], 0),
    (["lint", "askew.urdf", "--srdf", "askew.srdf", "--diff", "-o", "out.txt"], 0),
    (["plan", "gantry.urdf", "--joints", "lift", "--goal", "0.25", "-o", "out.csv"], 0),
    (["plan", "gantry.urdf", "--goal", "travel=9"], 1),
    (["plan", "gantry.urdf", "--goal-pose", "tong=1,0,0.5,0,0,0.5", "-o", "out.csv"], 0),
    (["ik", "gantry.urdf", "--link", "tong", "--pose", "1,0,0.5,0,0,0.5", "--joints", "travel,lift,turn", "-o", "out.csv"], 0),
    (["roadmap", "build", "gantry.urdf", "--world", "room.json", "--joints", "travel,lift", "--nodes", "12", "-o", "out.roadmap"], 0),
    (["roadmap", "query", "gantry.urdf", "good.roadmap", "--goal", "lift=0.25", "-o", "out.csv"], 0),
    (["roadmap", "update", "gantry.urdf", "good.roadmap", "--world", "room.json", "-o", "out.roadmap"], 0),
    (["distance", "gantry.urdf", "--configs", "based.csv", "--format", "npy", "-o", "out.npy"], 0),
    (["distance", "gantry.urdf", "--world", "room.json", "--all", "--reach", "2", "--gradient", "-o", "out.txt"], 0),
    (["motion", "gantry.urdf", "--to", "travel=2", "--world", "room.json", "-o", "out.txt"], 1),
    (["motion", "gantry.urdf", "--path", "based.csv", "--format", "json", "-o", "out.json"], 0),
    (["certify", "gantry.urdf", "way.yaml", "--clearance", "2", "--profile", "out.csv", "-o", "out.json", "--format", "json"], 0),
    (["certify", "gantry.urdf", "way.yaml", "--clearance", "2", "--picture", "out.svg", "-o", "out.txt"], 0),
    (["certify", "gantry.urdf", "way.yaml", "--world", "room.json", "--moving", "post=1,0,0", "--clearance", "2", "-o", "out.txt"], 0),
    (["certify", "gantry.urdf", "based.csv", "--world", "room.json", "--moving", "drum=0,-3,0", "--certificate", "out.dump", "-o", "out.txt"], 1),
    (["certify", "gantry.urdf", "based.csv", "--world", "room.json", "--certificate", "out.dump", "-o", "out.txt"], 1),
    (["check", "gantry.urdf", "-q", HIT, "--all", "--dump", "out.dump", "--world", "room.json"], 1),
    (["plan", "gantry.urdf", "--joints", "lift", "--goal", "0.25", "-o", "out.csv", "--dump", "out.dump"], 0),
    (["verify", "good.dump", "--kinematics", "--format", "json", "-o", "out.json"], 0),
    (["verify", "way.dump", "-o", "out.json"], 0),
    (["motion", "gantry.urdf", "--to", "travel=2", "--world", "room.json", "--certificate", "out.dump", "-o", "out.txt"], 1),
    (["planar", "scene", "--count", "20", "--save", "out.json"], 0),
    (["planar", "cspace", "--count", "3", "--body", "0,0,0.1,0,0,0.1", "--size", "4x4", "--picture", "out.svg"], 0),
    (["planar", "cspace", "--arm", "1,1", "--obstacle", "circle:1,1,0.2", "--size", "4x4", "--picture", "out.png"], 0),
    (["planar", "field", "--first", "circle:0,0,1", "--second", "polygon:4,1,5,1,4.2,1.2,4,2", "--size", "4x4", "--picture", "out.svg"], 0),
    (["planar", "constraint", "--segment", "0,0,1,1", "--circle", "2,0,1", "--picture", "out.svg"], 0),
    (["planar", "obstacle", "--first", "circle:0,0,1", "--second", "circle:4,0,1", "--picture", "out.svg"], 0),
]


# Whose allocations fail: those of the command and its library, and of what verifies for it.
COMMAND, VERIFY = "GRAZE_FAIL_COMMAND_ALLOCATION", "GRAZE_FAIL_VERIFY_ALLOCATION"

# A dump for verify: with a world, caps, and more than one contact.
DUMP = ["check", "gantry.urdf", "-q", HIT, "--all", "--policy", "cap", "--world", "room.json", "--dump",
        "good.dump", "--quiet"]
WAY = ["motion", "gantry.urdf", "--to", "travel=2", "--policy", "cap", "--world", "room.json", "--certificate", "way.dump"]

ROADMAP = ["roadmap", "build", "gantry.urdf", "--nodes", "12", "-o", "good.roadmap", "--quiet"]


def run(graze, command, fail_at, folder, variable=COMMAND):
    environment = dict(os.environ, **{variable: str(fail_at)})
    return subprocess.run([graze, *command], cwd=folder, env=environment, capture_output=True,
                          text=True, input=(folder / "gantry.urdf").read_text(), timeout=120)


def check_command(graze, command, status, folder, variable=COMMAND):
    """Fails allocation 1, 2, ... until none is left to fail; returns how many failed."""
    fail_at = 1
    for failed in range(1000):
        done = run(graze, command, fail_at, folder, variable)
        if done.returncode == status:
            return failed
        left = [path.name for path in folder.glob("out*")]
        good = done.returncode == 4 and "out of memory" in done.stderr and not left
        if not good:
            sys.exit(f"graze {' '.join(command)}: allocation {fail_at} fails: exit "
                     f"{done.returncode}, left {left}\n{done.stderr}")
        fail_at += 1 + fail_at // 3
    sys.exit(f"graze {' '.join(command)}: never ends well")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--graze", required=True, type=Path)
    graze = parser.parse_args().graze.resolve()
    total = 0
    for command, status in COMMANDS:
        with tempfile.TemporaryDirectory(prefix="graze-cli-") as scratch:
            folder = Path(scratch) / "run"
            shutil.copytree(HERE / "data", folder)
            if command[0] == "roadmap":
                run(graze, ROADMAP, 0, folder)
            if command[0] == "verify":
                run(graze, WAY if command[1] == "way.dump" else DUMP, 0, folder)
                total += check_command(graze, command, status, folder, VERIFY)
                (folder / "out.json").unlink(missing_ok=True)
            count = check_command(graze, command, status, folder)
            if count == 0:
                print("not a build with GRAZE_FAULTS; skipped")
                return 77
            total += count
    print(f"{total} allocations of {len(COMMANDS)} commands failed, each was told")
    return 0


if __name__ == "__main__":
    sys.exit(main())
