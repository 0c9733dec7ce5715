#!/usr/bin/env python3
"""Makes every allocation of the command fail in turn: it must say so, exit with 4, and leave no
file behind. Needs a build with GRAZE_FAULTS; skips (77) on any other.

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
    (["plan", "gantry.urdf", "--joints", "lift", "--goal", "0.25", "-o", "out.csv"], 0),
    (["plan", "gantry.urdf", "--goal", "travel=9"], 1),
]


def run(graze, command, fail_at, folder):
    environment = dict(os.environ, GRAZE_FAIL_COMMAND_ALLOCATION=str(fail_at))
    return subprocess.run([graze, *command], cwd=folder, env=environment, capture_output=True,
                          text=True, input=(folder / "gantry.urdf").read_text(), timeout=120)


def check_command(graze, command, status, folder):
    """Fails allocation 1, 2, ... until none is left to fail; returns how many there were."""
    for fail_at in range(1, 1000):
        done = run(graze, command, fail_at, folder)
        if done.returncode == status:
            return fail_at - 1
        left = [path.name for path in folder.glob("out*")]
        good = done.returncode == 4 and "out of memory" in done.stderr and not left
        if not good:
            sys.exit(f"graze {' '.join(command)}: allocation {fail_at} fails: exit "
                     f"{done.returncode}, left {left}\n{done.stderr}")
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
            count = check_command(graze, command, status, folder)
            if count == 0:
                print("not a build with GRAZE_FAULTS; skipped")
                return 77
            total += count
    print(f"{total} allocations of {len(COMMANDS)} commands failed, each was told")
    return 0


if __name__ == "__main__":
    sys.exit(main())
