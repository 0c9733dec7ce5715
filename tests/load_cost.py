#!/usr/bin/env python3
"""Compare what loading robots costs two builds of the command: instructions and peak memory.

    tests/load_cost.py OLD NEW [--data DIR]

OLD and NEW are `graze` commands. Each URDF that ships and each below DIR (GRAZE_TEST_DATA) is loaded
by `graze info URDF`, once under valgrind's callgrind (instructions of the process, without the
importer's) and three times without, for the median of the peak resident memory. Prints a line a robot with both ratios, and
ends with status 1 where one is above 1.03. For use by hand: needs valgrind and two builds.
"""

import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIMIT = 1.03


def instructions(command: list) -> int:
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(['valgrind', '--tool=callgrind', f'--callgrind-out-file={folder}/out', *command],
                             capture_output=True, text=True)
    counted = re.search(r'Collected : (\d+)', run.stderr)
    if run.returncode or not counted:
        raise SystemExit(f'{" ".join(map(str, command))} ended with status {run.returncode}:\n{run.stderr}')
    return int(counted[1])


def peak_memory(command: list) -> float:
    """The largest resident size in KiB, median of three runs."""
    runs = []
    for _ in range(3):
        timed = subprocess.run(['/usr/bin/time', '-f', 'peak %M', *command], capture_output=True, text=True, check=True)
        runs.append(int(re.search(r'^peak (\d+)$', timed.stderr, re.M)[1]))
    return statistics.median(runs)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('old', type=pathlib.Path)
    parser.add_argument('new', type=pathlib.Path)
    parser.add_argument('--data', type=pathlib.Path, default=os.environ.get('GRAZE_TEST_DATA'))
    arguments = parser.parse_args()
    robots = sorted((ROOT / 'urdf').rglob('*.urdf'))
    if arguments.data:
        robots += sorted(pathlib.Path(arguments.data).rglob('*.urdf'))
    worse = 0
    print(f'{"robot":40} {"instructions":>24} {"peak memory, KiB":>24}')
    for robot in robots:
        counts, memory = [], []
        for graze in (arguments.old, arguments.new):
            command = [graze, 'info', robot, '--quiet']
            counts.append(instructions(command))
            memory.append(peak_memory(command))
        ratios = counts[1] / counts[0], memory[1] / memory[0]
        worse += max(ratios) > LIMIT
        print(f'{robot.name:40} {counts[1]:15,} {ratios[0]:8.3f} {memory[1]:15,.0f} {ratios[1]:8.3f}', flush=True)
    print(f'{len(robots)} robots, {worse} dearer by more than {LIMIT - 1:.0%}')
    return 1 if worse else 0


if __name__ == '__main__':
    sys.exit(main())
