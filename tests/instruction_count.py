#!/usr/bin/env python3
"""Counts the instructions of a check, and fails where they have grown.

    tests/instruction_count.py --build build-release --scalar build-scalar
    tests/instruction_count.py --build build-release --scalar build-scalar --update

Times say little on a machine that others use; instructions are the same every time. The program
tests/instruction_driver of a build (bench/instruction_driver.c) does a fixed amount of work under
callgrind: the shipped heron and, where GRAZE_TEST_DATA names real robots, Fetch; in no world, at a shelf,
in a clutter; in batches, one by one, and from poses of the links; with the kernels for SSE2 and AVX2 of --build and those of
--scalar, a build with -DGRAZE_SIMD=OFF. What is counted are the checks alone, per configuration.

bench/baselines/instructions.json holds the counts, with the compiler and the flags that they hold for:
another compiler's are not compared, and the script says so. More than 3 % above the record is a
failure, as is another number of collisions; more than 3 % below asks for --update, which writes the
record anew (what could not be measured here stays).
"""

import argparse
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RECORD = ROOT / "bench/baselines/instructions.json"
TOLERANCE = 0.03


def cached(build, name):
    match = re.search(rf"^{name}:\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.M)
    return match[1].strip() if match else ""


def compiler_of(build):
    """What the counts of a build depend on, in words."""
    [described] = build.glob("CMakeFiles/*/CMakeCCompiler.cmake")
    text = described.read_text()
    value = lambda name: re.search(rf'set\({name} "([^"]*)"\)', text)[1]
    words = [value("CMAKE_C_COMPILER_ID"), value("CMAKE_C_COMPILER_VERSION"),
             cached(build, "CMAKE_BUILD_TYPE"), cached(build, "CMAKE_C_FLAGS")]
    words += [name for name in ("GRAZE_FAULTS", "GRAZE_SANITIZE") if cached(build, name) not in ("", "OFF")]
    return " ".join(word for word in words if word)


def processor_has(feature):
    return re.search(rf"^flags\s*:.*\b{feature}\b", Path("/proc/cpuinfo").read_text(), re.M)


def count(build, lanes, data):
    """Instructions and collisions by the name of the work, as one set of instructions does it."""
    driver = build / "tests/instruction_driver"
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GRAZE")}
    environment["GRAZE_ISA"] = lanes
    with tempfile.TemporaryDirectory(prefix="graze-callgrind-") as folder:
        done = subprocess.run(["valgrind", "--tool=callgrind", "--instr-atstart=no", "--quiet",
                               f"--callgrind-out-file={folder}/cost", str(driver), str(ROOT), *data],
                              env=environment, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{driver} under callgrind: status {done.returncode}\n{done.stderr}")
        costs = {}
        for path in Path(folder).iterdir():
            text = path.read_text()
            name = re.search(r"^desc: Trigger: Client Request: (\S+)$", text, re.M)
            if name:
                costs[name[1]] = int(re.search(r"^totals: (\d+)$", text, re.M)[1])
    first, *lines = done.stdout.splitlines()
    if first != ("lanes scalar" if lanes == "scalar" else "lanes vector"):
        raise RuntimeError(f"{driver}: {first}; this is not the build for {lanes}")
    found = {}
    for line in lines:
        name, configurations, collisions = line.split()
        if costs.get(name, 0) == 0:
            raise RuntimeError(f"callgrind counted nothing for {name}")
        found[name] = {"instructions": round(costs[name] / int(configurations), 1),
                       "collisions": int(collisions)}
    return found


def measure(builds, data):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        jobs = {lanes: pool.submit(count, build, lanes, data) for lanes, build in builds.items()}
        return {lanes: job.result() for lanes, job in jobs.items()}


def compare(lanes, name, recorded, found):
    """Prints a line; returns what is wrong, or ""."""
    if recorded is None:
        print(f"{lanes:<7} {name:<20} {'-':>9} {found['instructions']:9.0f}")
        return "not recorded; --update records it"
    was, now = recorded["instructions"], found["instructions"]
    change = now / was - 1
    note = "" if change >= -TOLERANCE else "   update the baseline"
    print(f"{lanes:<7} {name:<20} {was:9.0f} {now:9.0f} {100 * change:+7.1f} %{note}")
    if recorded["collisions"] != found["collisions"]:
        return f"{found['collisions']} collisions, recorded {recorded['collisions']}"
    if change > TOLERANCE:
        return f"{now:.0f} instructions, recorded {was:.0f}: {100 * change:+.1f} %; allowed: +{100 * TOLERANCE:.0f} %"
    return ""


def disagreements(measured):
    """Verdicts must not depend on the instructions."""
    for name in sorted({name for found in measured.values() for name in found}):
        hits = {lanes: found[name]["collisions"] for lanes, found in measured.items() if name in found}
        if len(set(hits.values())) > 1:
            yield f"{name}: collisions differ: {hits}"


def main():
    parser = argparse.ArgumentParser(description="Counts the instructions of a check.")
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--scalar", type=Path, help="a build with -DGRAZE_SIMD=OFF")
    parser.add_argument("--record", type=Path, default=RECORD)
    parser.add_argument("--update", action="store_true")
    arguments = parser.parse_args()
    record = json.loads(arguments.record.read_text()) if arguments.record.exists() else {}
    compiler = compiler_of(arguments.build)
    if not shutil.which("valgrind"):
        return print("skipped: valgrind is not installed")
    if record and compiler != record["compiler"] and not arguments.update:
        return print(f"skipped: the counts are those of {record['compiler']}, this build is by {compiler}")

    builds = {"sse2": arguments.build, "avx2": arguments.build, "scalar": arguments.scalar}
    if not processor_has("avx2"):
        print("skipped: avx2, which this processor does not have")
        del builds["avx2"]
    if arguments.scalar is None or not (arguments.scalar / "tests/instruction_driver").exists():
        print("skipped: scalar, of which there is no build")
        del builds["scalar"]
    elif compiler_of(arguments.scalar) != compiler:
        sys.exit(f"{arguments.scalar} is by {compiler_of(arguments.scalar)}, {arguments.build} by {compiler}")
    data = [os.environ["GRAZE_TEST_DATA"]] if os.environ.get("GRAZE_TEST_DATA") else []
    if not data:
        print("skipped: fetch; GRAZE_TEST_DATA is not set")

    measured = measure(builds, data)
    print(f"{'kernels':<7} {'work':<20} {'recorded':>9} {'now':>9}    instructions per configuration")
    known = record.get("counts", {}) if record.get("compiler") == compiler else {}
    faults = list(disagreements(measured))
    for lanes, found in measured.items():
        for name, figures in found.items():
            wrong = compare(lanes, name, known.get(lanes, {}).get(name), figures)
            if wrong:
                faults.append(f"{lanes} {name}: {wrong}")
        gone = set(known.get(lanes, {})) - set(found)
        faults += [f"{lanes} {name}: recorded, and not measured" for name in sorted(gone)
                   if data or not name.startswith("fetch/")]
    if arguments.update and not any(disagreements(measured)):
        counts = {lanes: {**known.get(lanes, {}), **measured.get(lanes, {})}
                  for lanes in ("scalar", "sse2", "avx2") if lanes in known or lanes in measured}
        arguments.record.write_text(json.dumps({"compiler": compiler, "counts": counts}, indent=1) + "\n")
        return print(f"{arguments.record} is written")
    if faults:
        sys.exit("\n".join(faults))
    print("no count has grown by more than 3 %")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (RuntimeError, OSError) as error:
        sys.exit(f"instruction_count: {error}")
