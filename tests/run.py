#!/usr/bin/env python3
"""Runs every check of the repository; what `make test` calls.

Each step prints one line: name, seconds, processor seconds, pass or fail; its output goes to build-logs/NAME.log and is
shown when it fails. The exit status is 0 only when every step passed.

    tests/run.py                    all steps
    tests/run.py --only asan,tsan   some of them
    tests/run.py --check            those to run before each commit; what `make check` calls
    tests/run.py --list             their names

symbols, install, python, readme, bench, platforms and instructions look at what the step release built, the last at what
scalar built, too.
"""

import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOGS = ROOT / "build-logs"

# What a developer runs before each commit: four minutes with a warm build on two cores.
CHECK = ["format", "includes", "words", "mutants", "release"]


def cmake(build, jobs, *options, compiler=None, targets=("all",)):
    """Commands that configure one tree and build targets of it."""
    configure = ["cmake", "-S", str(ROOT), "-B", str(ROOT / build), "-G", "Ninja", *options]
    if compiler:
        configure.append(f"-DCMAKE_C_COMPILER={compiler}")
    return [configure, ["cmake", "--build", str(ROOT / build), "-j", str(jobs), "--target", *targets]]


def ctest(build, *options):
    return [["ctest", "--test-dir", str(ROOT / build), "--output-on-failure", "-j", "2", *options]]


def steps(jobs, coverage_minimum):
    """Name -> (programs it needs, commands). Cheap checks come first, so that a slip shows soon."""
    script = lambda name, *arguments: [str(ROOT / "tests" / name), *arguments]
    release = "build-release"
    unit = "-DGRAZE_BUILD_TESTS=ON"
    oracles = "-DGRAZE_BUILD_ORACLES=ON"
    fast = "-DCMAKE_BUILD_TYPE=Release"
    debuggable = "-DCMAKE_BUILD_TYPE=RelWithDebInfo"
    # Reports of sanitizers need functions and lines, no variables: half the time of compiling.
    traced = "-O1 -g1"
    return {
        "format": ("", [script("format.sh")]),
        "includes": ("", [script("include_check.py")]),
        "words": ("", [script("word_check.py")]),
        "headers": ("", [script("header_check.sh"), ["python3", str(ROOT / "tests/doc_check.py")]]),
        "reference": ("doxygen", [["doxygen", str(ROOT / "docs/Doxyfile")]]),
        "abi": ("gcc abidw abidiff", [script("abi_check.sh")]),
        "setup": ("", [script("setup_check.sh")]),
        "robots": ("", [["python3", str(ROOT / "tools/make_robots.py"), "--check"]]),
        "mutants": ("", [["python3", str(ROOT / "tests/mutation.py"), "--check"]]),
        "proofs": ("gappa", [["python3", str(ROOT / "proofs/check.py")]]),
        "gates": ("gcc nm", [script("gate_check.sh")]),
        "release": ("g++", cmake(release, jobs, fast, unit, oracles, "-DGRAZE_BUILD_BENCH=ON")
                    + ctest(release)),
        "symbols": ("nm", [script("symbol_check.sh", str(ROOT / release))]),
        "install": ("gcc", [script("install_check.sh", str(ROOT / release))]),
        "python": ("", [script("python_check.sh", str(ROOT / release))]),
        "readme": ("", [script("readme_check.py", str(ROOT / release))]),
        "bench": ("g++", [script("bench_check.sh", str(ROOT / release))]),
        # With clang, whose warnings and undefined-behaviour checks differ from gcc's; the step golden holds that
        # both compile the same verdicts. Asserts are on, which prove the bounds of every mesh as it is made. The same
        # run counts which lines the tests run.
        "asan": ("clang llvm-cov",
                 [["find", str(ROOT), "-path", str(ROOT / "build-asan/profiles/*"), "-delete"]]
                 + cmake("build-asan", jobs, debuggable, f"-DCMAKE_C_FLAGS_RELWITHDEBINFO={traced}",
                         f"-DCMAKE_C_FLAGS=-fcoverage-mapping -fprofile-instr-generate={ROOT}/build-asan/profiles/%4m.profraw",
                         unit, "-DGRAZE_FAULTS=ON", "-DGRAZE_SANITIZE=address,undefined",
                         compiler="clang", targets=("unit_tests", "command_tests"))
                 + ctest("build-asan", "-L", "unit|cli", "-LE", "bulk")
                 + [script("coverage.py", str(ROOT / "build-asan"), "--minimum", str(coverage_minimum))]),
        "tsan": ("", cmake("build-tsan", jobs, debuggable, f"-DCMAKE_C_FLAGS_RELWITHDEBINFO={traced} -DNDEBUG", unit,
                           "-DGRAZE_SANITIZE=thread", targets=("threaded_tests",))
                 + ctest("build-tsan", "-L", "threads")),
        "fuzz": ("clang", cmake("build-fuzz", jobs, debuggable, "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O2 -g1 -DNDEBUG",
                                "-DGRAZE_BUILD_FUZZ=ON", "-DGRAZE_BUILD_COMMAND=OFF", compiler="clang")
                 + [["python3", str(ROOT / "tests/fuzz/fuzz.py"), "--build", str(ROOT / "build-fuzz"), "--reach",
                     "--more", "2"]]),
        "scalar": ("", cmake("build-scalar", jobs, fast, unit, "-DGRAZE_SIMD=OFF", targets=("numeric_tests",))
                   + ctest("build-scalar", "-L", "numeric")),
        # Another C library, no other library, no loader: as a port begins. The tests that take long are left out: they
        # look at numbers, and the same code is tested in the steps release and scalar.
        "platforms": ("musl-gcc", cmake("build-musl", jobs, fast, unit, "-DCMAKE_C_FLAGS_RELEASE=-O1",
                                        "-DCMAKE_C_FLAGS=-idirafter /usr/include", "-DGRAZE_LOADER=OFF",
                                        compiler="musl-gcc")
                      + ctest("build-musl", "-E", "test_(tangled_mesh|tree_pair|scene_pair|containment|tiny_meshes|curved"
                              "|shape_pair|point_pair|solid|cap|lattice)$")
                      + [script("platform_check.sh", str(ROOT / release), str(ROOT / "build-musl"))]),
        "instructions": ("valgrind", [script("instruction_count.py", "--build", str(ROOT / release),
                                             "--scalar", str(ROOT / "build-scalar"))]),
        "golden": ("", [["python3", str(ROOT / "tests/golden/run.py"), "--short", "--jobs",
                         str(jobs)]]),
        # The module in WebAssembly, the JavaScript package, the page of `graze view` in a browser.
        "web": ("emcmake npm node npm-registry", cmake("build-web", jobs, fast, unit, "-DGRAZE_BUILD_WEB=ON",
                                          targets=("graze_command", "web_tests")) + ctest("build-web", "-L", "web")),
    }


def run_commands(commands, log):
    """Runs a step's commands; returns whether all passed. After a build that failed nothing else
    runs; after tests that failed the other tests still do."""
    passed = True
    environment = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS")}
    for command in commands:
        log.write("$ " + " ".join(command) + "\n")
        log.flush()
        status = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log,
                                stderr=subprocess.STDOUT, env=environment).returncode
        if status != 0:
            log.write(f"exit status {status}\n")
            passed = False
            if command[0] == "cmake":
                break
    return passed


def processor_seconds():
    """Of all processes that this one has started and that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def is_missing(need):
    """Whether a program, or the registry of npm ("npm-registry"), is not there."""
    if need != "npm-registry":
        return not shutil.which(need)
    try:
        return subprocess.run(["npm", "ping"], capture_output=True, timeout=60).returncode != 0
    except (OSError, subprocess.TimeoutExpired):
        return True


def run_step(name, needs, commands):
    """Runs one step and prints its lines; returns "pass", "FAIL" or "skip"."""
    log_path = LOGS / f"{name}.log"
    missing = [need for need in needs.split() if is_missing(need)]
    if missing:
        print(f"skip  {name:<12} skipped: {', '.join(missing)} not there", flush=True)
        return "skip"
    start, used = time.monotonic(), processor_seconds()
    with open(log_path, "w") as log:
        result = "pass" if run_commands(commands, log) else "FAIL"
    print(f"{result}  {name:<12} {time.monotonic() - start:6.1f} s  {processor_seconds() - used:6.1f} s of processor",
          flush=True)
    lines = log_path.read_text(errors="replace").splitlines()
    # The last one: files of which less than 90 % of the lines are run.
    notable = re.compile(r"^lines: |tests passed|tests failed|transcripts|^skipped|\*\*\*Skipped"
                         r"|^src/\S+ \d+ \d+ \d+%")
    for line in lines:
        if notable.search(line):
            print(f"      {line.strip()}", flush=True)
    if result == "FAIL":
        show_failure(log_path, lines)
    return result


def show_failure(log_path, lines):
    """What went wrong, found among thousands of lines, and then the end of them."""
    wrong = re.compile(r"\*\*\*(Failed|Timeout|Exception)|\[ +(FAILED|ERROR) +\]|\berror:|^FAIL|"
                       r"(Address|Thread|Leak)Sanitizer|runtime error|exit status")
    for line in [line for line in lines if wrong.search(line)][:40]:
        print("    | " + line, flush=True)
    # ctest puts what a test has printed right after the line that says that it failed.
    failed = [i for i, line in enumerate(lines) if "***" in line and "Skipped" not in line]
    for i in failed[:4]:
        print(f"    line {i + 1} and what follows it:", flush=True)
        print("\n".join("    | " + line for line in lines[i:i + 40]), flush=True)
    print(f"    the end of {log_path.relative_to(ROOT)}:", flush=True)
    print("\n".join("    | " + line for line in lines[-40:]), flush=True)


def main():
    parser = argparse.ArgumentParser(description="Runs every check of the repository.")
    parser.add_argument("--only", default="", help="names of steps, separated by commas")
    parser.add_argument("--check", action="store_true", help="the steps to run before each commit: " + ", ".join(CHECK))
    parser.add_argument("--list", action="store_true", help="print the names of the steps")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--coverage-minimum", type=float, default=90)
    arguments = parser.parse_args()
    table = steps(arguments.jobs, arguments.coverage_minimum)
    if arguments.list:
        print("\n".join(table))
        return 0
    chosen = [name for name in arguments.only.split(",") if name] or (CHECK if arguments.check else list(table))
    unknown = [name for name in chosen if name not in table]
    if unknown:
        print(f"unknown step: {', '.join(unknown)}; there are: {', '.join(table)}", file=sys.stderr)
        return 2
    LOGS.mkdir(exist_ok=True)
    if not os.environ.get("GRAZE_TEST_DATA"):
        print("note: GRAZE_TEST_DATA is not set; tests that need real robots skip themselves")
    start = time.monotonic()
    results = {name: run_step(name, *table[name]) for name in chosen}
    of = lambda result: [name for name in chosen if results[name] == result]
    if of("FAIL"):
        print(f"failed steps: {', '.join(of('FAIL'))}")
    print(f"{time.monotonic() - start:.0f} s in all, {processor_seconds():.0f} s of processor")
    print(f"{len(of('pass'))} passed, {len(of('FAIL'))} failed, {len(of('skip'))} skipped")
    return 1 if of("FAIL") else 0


if __name__ == "__main__":
    sys.exit(main())
