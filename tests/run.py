#!/usr/bin/env python3
"""Runs every check of the repository; what `make test` calls.

Each step prints one line: name, seconds, pass or fail; its output goes to build-logs/NAME.log and is
shown when it fails. The exit status is 0 only when every step passed.

    tests/run.py                    all steps
    tests/run.py --only asan,tsan   some of them
    tests/run.py --list             their names
"""

import argparse
import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOGS = ROOT / "build-logs"


def cmake(build, jobs, *options, compiler=None):
    """Commands that configure and build one tree."""
    configure = ["cmake", "-S", str(ROOT), "-B", str(ROOT / build), "-G", "Ninja", *options]
    if compiler:
        configure.append(f"-DCMAKE_C_COMPILER={compiler}")
    return [configure, ["cmake", "--build", str(ROOT / build), "-j", str(jobs)]]


def ctest(build, *options):
    return [["ctest", "--test-dir", str(ROOT / build), "--output-on-failure", "-j", "2", *options]]


def transcripts(build):
    return [["python3", str(ROOT / "tests/cli/run.py"), "--graze", str(ROOT / build / "graze")]]



def steps(jobs, coverage_minimum):
    """Name -> commands. Cheap checks come first, so that a slip shows soon."""
    script = lambda name, *arguments: [str(ROOT / "tests" / name), *arguments]
    unit = "-DGRAZE_BUILD_TESTS=ON"
    oracles = "-DGRAZE_BUILD_ORACLES=ON"
    release = "-DCMAKE_BUILD_TYPE=Release"
    debuggable = "-DCMAKE_BUILD_TYPE=RelWithDebInfo"
    return {
        "format": [script("format.sh")],
        "includes": [["python3", *script("include_check.py")]],
        "headers": [script("header_check.sh")],
        "release": cmake("build-release", jobs, release, unit, oracles)
        + ctest("build-release")
        + transcripts("build-release"),
        "symbols": [script("symbol_check.sh", str(ROOT / "build-release"))],
        "install": [script("install_check.sh", str(ROOT / "build-release"))],
        "clang": cmake("build-clang", jobs, release, unit, compiler="clang")
        + ctest("build-clang", "-L", "unit"),
        "asan": cmake("build-asan", jobs, debuggable, unit, "-DGRAZE_FAULTS=ON",
                      "-DGRAZE_SANITIZE=address,undefined")
        + ctest("build-asan", "-L", "unit")
        + transcripts("build-asan"),
        "tsan": cmake("build-tsan", jobs, debuggable, unit, "-DGRAZE_SANITIZE=thread")
        + ctest("build-tsan", "-L", "threads"),
        "scalar": cmake("build-scalar", jobs, release, unit, "-DGRAZE_SIMD=OFF")
        + ctest("build-scalar", "-L", "unit"),
        "coverage": cmake("build-coverage", jobs, "-DCMAKE_BUILD_TYPE=Debug", unit,
                          "-DGRAZE_FAULTS=ON", "-DCMAKE_C_FLAGS=--coverage -O1")
        + ctest("build-coverage", "-L", "unit")
        + transcripts("build-coverage")
        + [["gcovr", "--root", str(ROOT), "--filter", str(ROOT / "src/"), "--print-summary",
            "--gcov-ignore-parse-errors", "--sort-uncovered",
            "--fail-under-line", str(coverage_minimum), str(ROOT / "build-coverage")]],
    }


def run_step(name, commands):
    """Runs one step's commands until one fails; returns whether all passed."""
    log_path = LOGS / f"{name}.log"
    start = time.monotonic()
    passed = True
    with open(log_path, "w") as log:
        for command in commands:
            log.write("$ " + " ".join(command) + "\n")
            log.flush()
            environment = dict(os.environ, CTEST_OUTPUT_ON_FAILURE="1")
            result = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log,
                                    stderr=subprocess.STDOUT, env=environment)
            if result.returncode != 0:
                log.write(f"exit status {result.returncode}\n")
                passed = False
                break
    seconds = time.monotonic() - start
    print(f"{'pass' if passed else 'FAIL'}  {name:<10} {seconds:6.1f} s", flush=True)
    text = log_path.read_text(errors="replace")
    for line in text.splitlines():
        if re.search(r"^lines: |tests passed|tests failed|transcripts|skipped", line):
            print(f"      {line.strip()}", flush=True)
    if not passed:
        print("\n".join(text.splitlines()[-60:]), flush=True)
    return passed


def main():
    parser = argparse.ArgumentParser(description="Runs every check of the repository.")
    parser.add_argument("--only", default="", help="names of steps, separated by commas")
    parser.add_argument("--list", action="store_true", help="print the names of the steps")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--coverage-minimum", type=float, default=90)
    arguments = parser.parse_args()
    table = steps(arguments.jobs, arguments.coverage_minimum)
    if arguments.list:
        print("\n".join(table))
        return 0
    chosen = [name for name in arguments.only.split(",") if name] or list(table)
    unknown = [name for name in chosen if name not in table]
    if unknown:
        print(f"unknown step: {', '.join(unknown)}; there are: {', '.join(table)}", file=sys.stderr)
        return 2
    LOGS.mkdir(exist_ok=True)
    if not os.environ.get("GRAZE_TEST_DATA"):
        print("note: GRAZE_TEST_DATA is not set; tests that need real robots skip themselves")
    failed = [name for name in chosen if not run_step(name, table[name])]
    print(f"{len(chosen) - len(failed)} of {len(chosen)} steps passed"
          + (f"; failed: {', '.join(failed)}" if failed else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
