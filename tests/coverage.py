#!/usr/bin/env python3
"""Counts which lines of src/ the programs of a build have run, and fails below a minimum.

    tests/coverage.py BUILD [--minimum PERCENT]

BUILD was compiled by clang with -fcoverage-mapping -fprofile-instr-generate=BUILD/profiles/%4m.profraw: each program
adds its counts, when it ends, to one of four files of its own. Prints the files of which less than 90 % is run.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NOTABLE = 90  # percent


def count_lines(build):
    """Path below src/ -> (lines, lines that were run)."""
    merged = build / "profiles/all.profdata"
    raw = sorted(str(path) for path in (build / "profiles").glob("*.profraw"))
    if not raw:
        sys.exit(f"{build}/profiles holds no profile: was the build made for coverage, and were its programs run?")
    subprocess.run(["llvm-profdata", "merge", "-sparse", "-o", merged, *raw], check=True)
    # Not the programs: each holds only what it calls.
    objects = sorted(build.glob("CMakeFiles/*.dir/src/**/*.o"))
    text = subprocess.run(["llvm-cov", "export", "-summary-only", f"-instr-profile={merged}", objects[0],
                           *(f"-object={path}" for path in objects[1:])], check=True, capture_output=True).stdout
    counted = {}
    for file in json.loads(text)["data"][0]["files"]:
        path = Path(os.path.normpath(file["filename"]))
        if path.is_relative_to(ROOT / "src"):
            lines = file["summary"]["lines"]
            counted[str(path.relative_to(ROOT))] = lines["count"], lines["covered"]
    return counted


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=Path)
    parser.add_argument("--minimum", type=float, default=NOTABLE)
    arguments = parser.parse_args()
    counted = count_lines(arguments.build.resolve())
    percent = {path: 100 * run / lines for path, (lines, run) in counted.items() if lines}
    for path in sorted((p for p in percent if percent[p] < NOTABLE), key=percent.get):
        print(f"{path} {counted[path][0]} {counted[path][1]} {percent[path]:.0f}%")
    lines, run = (sum(numbers[i] for numbers in counted.values()) for i in (0, 1))
    total = 100 * run / lines if lines else 0
    print(f"lines: {total:.1f}% ({run} of {lines})")
    return total < arguments.minimum


if __name__ == "__main__":
    sys.exit(main())
