#!/usr/bin/env python3
"""Golden hashes: the same answers, bit for bit, whatever has compiled graze and runs it.

The program golden (golden.c) asks the shipped robots in the shipped worlds some 20,000 questions (a
million in the long form) and prints a hash for each robot, world and mode: link poses; verdicts; the
lowest contact and all contacts; policies; a margin; bounds; where, to the last bit, a motion comes to
contact or nearer than a margin; paths of the planner. hashes.txt holds what
they are. Here the program is built and run in many ways; each must print exactly that.

    tests/golden/run.py --short     what `make test` runs: the builds of the other steps (gcc, clang,
                                    scalar) with 1, 2, 3 and 8 threads and the widest instruction set of this
                                    processor, 3 threads with the others, gcc -O0, WebAssembly -O3 under Node.js,
                                    and aarch64 -O3 under qemu-user (4,000 of them)
    tests/golden/run.py --million   the same over a million questions (aarch64 and WebAssembly: 20,000), every number of
                                    threads with every instruction set
    tests/golden/run.py --long      that, and gcc and clang at -O0 to -O3 with and without vector
                                    instructions, aarch64 at -O0 to -O3, at one of them over a million
    ... --update                    writes the part of hashes.txt anew that was asked for, if all agree

Where robots and worlds come from: gcc's build loads the files and records what the loader tells the
builders, call by call; clang's and the scalar build load them too, and must record the same bytes. The
builds at other levels, aarch64 and WebAssembly are made without the loader (GRAZE_LOADER=OFF), which would need
all its libraries for each, and are told what was recorded.

A way for which something is not installed is skipped, and named. Exit status 1 when anything differs.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
HASHES = Path(__file__).resolve().parent / "hashes.txt"
FOLDER = ROOT / "build-golden"
SIZES = {"quick": 16, "short": 80, "long": 4000}
PLANS = {"quick": 0, "short": 2, "long": 10}
THREADS = (1, 2, 3, 8)
LEVELS = ("-O0", "-O1", "-O2", "-O3")
QEMU = ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"]
# Emscripten 3.1.6 takes a fetch() for a browser's; Node.js has one since version 18.
NODE = ["node", "--no-experimental-fetch"]

HEADER = """\
# What tests/golden/golden prints: rows per robot, world and mode; robot; world; mode; hash.
# Written by tests/golden/run.py --update. A change here is a change of what graze answers.
"""


class Failed(Exception):
    pass


def instruction_sets():
    """Values of GRAZE_ISA that this processor can follow."""
    found = ["sse2"]
    try:
        flags = Path("/proc/cpuinfo").read_text().split()
    except OSError:
        flags = []
    return found + (["avx2"] if "avx2" in flags else [])


def build(folder, jobs, *options, before=()):
    """Builds the program golden in a folder, which is configured unless it is already."""
    commands = [["cmake", "--build", str(folder), "-j", str(jobs), "--target", "golden"]]
    if not (folder / "CMakeCache.txt").exists():
        commands.insert(0, [*before, "cmake", "-S", str(ROOT), "-B", str(folder), "-G", "Ninja",
                            "-DCMAKE_BUILD_TYPE=Release", "-DGRAZE_BUILD_TESTS=ON", *options])
    # Where Debian keeps the module of Node.js with which emcc makes scripts smaller.
    environment = {"NODE_PATH": "/usr/share/nodejs", **os.environ}
    for command in commands:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, env=environment)
        if done.returncode != 0:
            raise Failed(f"{' '.join(command)}\n{done.stdout[-4000:]}")
    return folder / "tests/golden/golden"


class Campaign:
    """Runs programs and compares what they print with what is expected."""

    def __init__(self, size, expected):
        self.size = size
        self.expected = expected  # size -> lines; of a size that is not there: what comes first
        self.ways = self.differing = 0
        self.scenes = FOLDER / "scenes.bin"

    def run(self, name, program, *options, isa=None, emulator=(), size=None):
        size = size or self.size
        environment = {k: v for k, v in os.environ.items() if k != "GRAZE_ISA"}
        if isa:
            environment["GRAZE_ISA"] = isa
        start = time.monotonic()
        done = subprocess.run([*emulator, str(program), "--configurations", str(SIZES[size]),
                               "--plans", str(PLANS[size]), *map(str, options)],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              env=environment)
        found = done.stdout.splitlines()
        expected = self.expected.setdefault(size, found)
        self.ways += 1
        fault = None
        if done.returncode != 0:
            fault = f"exit status {done.returncode}"
        elif found != expected:
            fault = f"{sum(a != b for a, b in zip(found, expected))} lines differ"
            if len(found) != len(expected):
                fault += f", {len(found)} lines for {len(expected)}"
        print(f"{'FAIL' if fault else 'same'}  {name:<34} {time.monotonic() - start:6.1f} s  "
              f"{fault or done.stderr.strip()}", flush=True)
        if fault:
            self.differing += 1
            print("\n".join(f"      found {a}, expected {b}" for a, b in
                            [pair for pair in zip(found, expected) if pair[0] != pair[1]][:12]))
            print("\n".join(f"      {line}" for line in done.stderr.splitlines()[-8:]), flush=True)

    def run_recording(self, name, program):
        """Loads the files; the first recording is kept, every other must be the same bytes."""
        first = not hasattr(self, "recorded")
        path = self.scenes if first else FOLDER / "scenes-other.bin"
        self.run(f"{name}, from the files", program, "--record", path)
        if first:
            self.recorded = path.read_bytes()
        elif path.read_bytes() != self.recorded:
            self.differing += 1
            print(f"FAIL  {name}: the loader makes other robots or worlds of the same files")

    def run_compiled(self, name, program, **more):
        """Compiles what was recorded, byte for byte as the first, and opens what the first has compiled."""
        first = not hasattr(self, "compiled")
        folder = FOLDER / ("compiled" if first else "compiled-other")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        self.run(f"{name}, compiling", program, "--scenes", self.scenes, "--compile", folder, **more)
        found = {path.name: path.read_bytes() for path in folder.iterdir()}
        if first:
            self.compiled = found
        elif found != self.compiled:
            self.differing += 1
            differ = [n for n in sorted(self.compiled) if found.get(n) != self.compiled[n]]
            print(f"FAIL  {name}: compiled files differ from those of another machine: {' '.join(differ)}")
        else:
            self.run(f"{name}, opening files of x86-64", program, "--compiled", FOLDER / "compiled", **more)

    def run_recorded(self, name, program, **more):
        self.run(name, program, "--scenes", self.scenes, **more)


def skip(way, *programs):
    """Names what is not installed; whether anything is missing."""
    missing = [program for program in programs if not shutil.which(program)]
    if missing:
        print(f"skipped: {way}: {', '.join(missing)} not installed", flush=True)
    return bool(missing)


def threaded_ways(size):
    """Instruction sets and numbers of threads. In the short form the first recording is the way with the
    widest set and one thread."""
    sets = instruction_sets()
    if size == "short":
        return [(isa, 3) for isa in sets[:-1]] + [(sets[-1], threads) for threads in THREADS[1:]]
    return [(isa, threads) for isa in sets for threads in THREADS]


def run_loading(campaign, jobs):
    """The builds of the steps release, clang and scalar."""
    release = build(ROOT / "build-release", jobs, "-DGRAZE_BUILD_ORACLES=ON")
    campaign.run_recording("gcc -O3", release)
    campaign.run_compiled("gcc -O3 (16 rows)", release, size="quick")  # what other machines are compared with
    for isa, threads in threaded_ways(campaign.size):
        campaign.run(f"gcc -O3, {isa}, {threads} threads", release, "--scenes",
                     campaign.scenes, "--threads", threads, isa=isa)
    if "avx2" not in instruction_sets():
        print("skipped: avx2: this processor has none")
    if not skip("clang", "clang"):
        clang = build(ROOT / "build-clang", jobs, "-DCMAKE_C_COMPILER=clang")
        campaign.run_recording("clang -O3", clang)
    campaign.run_recording("gcc -O3, scalar",
                           build(ROOT / "build-scalar", jobs, "-DGRAZE_SIMD=OFF"))


def run_native(campaign, jobs, compiler, level, simd):
    name = f"{compiler} {level}" + ("" if simd else ", scalar")
    if skip(name, compiler):
        return
    program = build(FOLDER / f"{compiler}{level}{'' if simd else '-scalar'}", jobs,
                    f"-DCMAKE_C_COMPILER={compiler}", f"-DCMAKE_C_FLAGS_RELEASE={level}",
                    f"-DGRAZE_SIMD={'ON' if simd else 'OFF'}", "-DGRAZE_LOADER=OFF")
    sets = instruction_sets() if simd else [None]
    for isa in sets[-1:] if campaign.size == "short" else sets:
        campaign.run_recorded(name + (f", {isa}" if isa else ""), program, isa=isa)


def run_aarch64(campaign, jobs, size, level="-O3"):
    name = f"aarch64 gcc {level} ({SIZES[size]} rows)"
    if skip(name, "aarch64-linux-gnu-gcc", QEMU[0]):
        return
    program = build(FOLDER / f"aarch64{level}", jobs, "-DCMAKE_SYSTEM_NAME=Linux",
                    "-DCMAKE_SYSTEM_PROCESSOR=aarch64",
                    "-DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc",
                    f"-DCMAKE_C_FLAGS_RELEASE={level}", "-DGRAZE_LOADER=OFF")
    campaign.run_compiled(name, program, emulator=QEMU, size=size)


def run_wasm(campaign, jobs, size):
    name = f"wasm -O3 ({SIZES[size]} rows)"
    if skip(name, "emcmake", NODE[0]):
        return
    # <xxhash.h> alone, headers without a library, comes from this machine. Vectors are those of SSE2 in 128-bit SIMD.
    program = build(FOLDER / "wasm", jobs, "-DGRAZE_LOADER=OFF",
                    "-DCMAKE_C_FLAGS=-idirafter /usr/include -msimd128 -msse2",
                    "-DCMAKE_EXE_LINKER_FLAGS=-sNODERAWFS=1 -sALLOW_MEMORY_GROWTH=1", before=["emcmake"])
    campaign.run_compiled(name, program.with_suffix(".js"), emulator=NODE, size=size)


def run_all(kind, expected, jobs):
    campaign = Campaign("short" if kind == "short" else "long", expected)
    FOLDER.mkdir(exist_ok=True)
    run_loading(campaign, jobs)
    if kind != "long":
        run_native(campaign, jobs, "gcc", "-O0", True)
        run_wasm(campaign, jobs, "short")  # as users build it
        run_aarch64(campaign, jobs, "quick" if kind == "short" else "short")
        return campaign
    for compiler in ("gcc", "clang"):
        for level in LEVELS:
            for simd in (True, False):
                run_native(campaign, jobs, compiler, level, simd)
    for level in LEVELS:
        run_aarch64(campaign, jobs, "long" if level == "-O2" else "short", level)
    run_wasm(campaign, jobs, "short")
    return campaign


def read_hashes():
    """Size -> lines as golden prints them."""
    expected = {size: [] for size in SIZES}
    names = {str(rows): size for size, rows in SIZES.items()}
    text = HASHES.read_text() if HASHES.exists() else ""
    for line in text.splitlines():
        if line and not line.startswith("#"):
            rows, _, rest = line.partition(" ")
            expected[names[rows]].append(rest)
    return expected


def write_hashes(campaign):
    """The hashes that this campaign has found, and the others as they were."""
    lines = [f"{SIZES[size]} {line}" for size in SIZES for line in campaign.expected[size]]
    HASHES.write_text(HEADER + "".join(line + "\n" for line in lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    kinds = parser.add_mutually_exclusive_group(required=True)
    for name in ("short", "million", "long"):
        kinds.add_argument(f"--{name}", dest="kind", action="store_const", const=name)
    parser.add_argument("--update", action="store_true", help="write hashes.txt, if all agree")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    expected = read_hashes()
    if arguments.update:
        for size in ("quick", "short") if arguments.kind == "short" else ("long",):
            del expected[size]
    try:
        campaign = run_all(arguments.kind, expected, arguments.jobs)
    except Failed as failure:
        print(f"FAIL  {failure}")
        return 1
    print(f"golden: {campaign.ways} ways, {campaign.differing} of them differ")
    if arguments.update and not campaign.differing:
        write_hashes(campaign)
    return 1 if campaign.differing else 0


if __name__ == "__main__":
    sys.exit(main())
