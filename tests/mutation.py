#!/usr/bin/env python3
"""Do the tests notice small faults of the engine? Puts them in, one at a time, and runs the tests.

    tests/mutation.py --work DIR [--jobs N] [--only TEXT] [--share X] [--seed N] [--until HH:MM]
    tests/mutation.py --work DIR --bounds N       N mutants of bounds instead, which the seed draws
    tests/mutation.py --list [--only TEXT]        the mutants, without running any
    tests/mutation.py --check                     whether each that is written by hand or explained exists

The mutants are those of tests/mutation_operators.py: all that are written by hand, and of each file of
src/narrow, src/broad and src/math the share that the seed draws. Those of --bounds halve constants, change safety
factors by 1e-4, or leave out a loop's last turn, in src/check, kinematics, mesh, narrow and plan; the proofs of
proofs/ look at all of them first, where there is Gappa. A copy of the tree is made under DIR
and built once; then each mutant changes one file there. Quick tests come first, chosen by the file's
module; what survives them meets every unit test and the short form of every oracle (--quick leaves that
out). What does not compile is no mutant; an endless loop is killed by its time limit.

The state is kept in DIR/state.json: a run that was cut off goes on where it stopped. --refresh copies
the tree anew; --again runs the survivors once more, for tests that were added since: those of
tests/mutation_survivors.txt too, which otherwise meet the quick tests only.

Every survivor must stand, with a reason, in tests/mutation_survivors.txt. Exit status 1 when one does
not, or when one that stands there is not generated any more.
"""

import argparse
import datetime
import filecmp
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter, namedtuple
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import mutation_operators as operators

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "proofs"))
import check as proofs

REVIEWED = ROOT / "tests/mutation_survivors.txt"
KINDS = ("equivalent", "performance", "slack", "undefined")
COPIED = ("CMakeLists.txt", "LICENSE", "README.md", "package.xml", "bench", "bindings", "cmake", "docs", "examples",
          "include", "meshes", "proofs", "src", "tests", "tools", "urdf", "worlds")

Test = namedtuple("Test", "name target command")
CHUNK = 3
QUICK_SECONDS = 3  # a unit test of the module that takes longer is not quick, but for its own file

# Quick runs of the oracles.
ORACLES = {
    "curved": ("near_curved", "--poses 1500"),
    "pairs": ("triangle_pairs", "--pairs 4000"),
    "contact": ("near_contact", "--poses 300"),
    "relations": ("metamorphic", "--poses 60"),
    "near triangles": ("margins", "--pairs 600 --only triangles"),
    "near meshes": ("margins", "--pairs 20000 --only brick"),
    "near shapes": ("margins", "--pairs 3000 --only shapes"),
    "solids": ("containment_poses", "--poses 300"),
    "bounds": ("bounds", "--tests 20000"),
    "proxies": ("proxies", "--poses 2000"),
    "slack": ("slack", "--tries 20000"),
    "kinematics": ("kinematics", "--configurations 200"),
    "chains": ("pose_intervals", ""),
    "motions": ("motion_bound", "--samples 4000"),
    "distances": ("distances", "--poses 300"),
    "depths": ("distance_depths", "--poses 60"),
    "points": ("points", "--poses 1000"),
    "clusters": ("points", "--poses 60000 --only cluster"),
    "versions": ("world_versions", "--changes 2000"),
    "mixed": ("mixed", "--rows 2000"),
    "robot": ("brute_force", "--rows 6")}

# Which of them come first for a file, by the longest beginning of its name.
QUICK = {
    "batch_filter": ["proxies", "mixed", "robot"], "query_filter": ["proxies", "mixed", "robot"], "filter_": ["robot", "mixed", "chains"],
    "hull_distance": ["distances"], "tree_distance": ["distances"], "shape_distance": ["distances", "curved"],
    "shape_depth": ["depths"], "cap": ["solids", "relations"], "penetration": ["depths"], "manifold": ["depths"],
    "curved": ["curved", "near shapes"], "convex": ["curved", "near shapes", "slack"],
    "double_double": ["curved"], "shape_pair": ["curved", "near shapes", "contact"],
    "triangle_distance": ["near triangles", "near meshes", "slack"], "wide_integer": ["near triangles"],
    "containment": ["solids", "relations"], "winding": ["solids"],
    "solid_report": ["solids"],
    "predicate": ["slack", "pairs", "contact"], "expansion": ["slack", "pairs", "contact"],
    "trigonometry": ["kinematics"], "motion_bound": ["motions"], "bound_test": ["bounds", "robot"],
    "world_query": ["proxies", "robot", "versions"],
    "proxy_pair": ["proxies", "mixed", "robot"], "scene_pair": ["proxies", "mixed", "robot"],
    "component_pair": ["proxies", "mixed", "robot"],
    "cell_lanes": ["proxies", "robot", "relations"], "kernel": ["bounds", "proxies", "contact", "relations"],
    "lanes": ["bounds", "proxies", "robot"], "float_quad": ["proxies", "robot"], "point": ["points", "clusters"],
    "tree_pair": ["bounds", "contact", "relations", "near meshes"],
    "triangle": ["pairs", "contact", "relations", "slack"], "transform": ["kinematics", "contact", "curved"]}
# Whose folders of unit tests come first for a file besides those of its module, by the beginning of its path.
FOLDERS = {"src/narrow/distance": ["distance"], "src/narrow/curved": ["distance"], "src/narrow/penetration": ["distance"],
           "src/narrow/manifold": ["distance"], "src/mesh/bvh": ["narrow"], "src/mesh/cap": ["narrow"],
           "src/mesh/prefilter": ["narrow"]}
# Unit tests that belong to a file of another name, and come first for it however long they take.
OWN = {"penetration": "test_manifold", "query_filter": "test_call_rules"}
FALLBACK = ["pairs", "contact", "relations", "curved", "bounds", "near triangles"]


class Stopped(Exception):
    pass


class Broken(Exception):
    """The tree does not build, or a test fails, without any mutant."""


class Runner:
    """Starts commands, each in a process group of its own, and ends them when the run ends."""

    def __init__(self, until):
        self.until, self.children, self.stopping = until, set(), False
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self.stop)

    def stop(self, *_):
        self.stopping = True
        for child in list(self.children):
            self.kill(child)

    @staticmethod
    def kill(child):
        try:
            os.killpg(child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def check(self):
        if self.stopping or (self.until and datetime.datetime.now() >= self.until):
            raise Stopped

    def run(self, command, limit, cwd=None, log=None):
        """The exit status; None when the limit, in seconds, ended it: of processor time, as others may
        use the machine too, and ten times that on the clock, for what waits for ever."""
        self.check()
        out = open(log, "ab") if log else subprocess.DEVNULL
        limited = ["prlimit", f"--cpu={int(limit) + 1}:{int(limit) + 2}", *[str(c) for c in command]]
        child = subprocess.Popen(limited, cwd=cwd, stdout=out, stderr=subprocess.STDOUT,
                                 stdin=subprocess.DEVNULL, start_new_session=True)
        self.children.add(child)
        try:
            status = child.wait(timeout=10 * limit)
            status = None if status == -signal.SIGXCPU else status
        except subprocess.TimeoutExpired:
            status = None
        finally:
            self.kill(child)
            child.wait()
            self.children.discard(child)
            if log:
                out.close()
        if self.stopping:
            raise Stopped
        return status


# ------------------------------------------------------------------------------ trees and builds


def sync(source, target):
    """Makes the target's files those of the source, touching only what differs."""
    target.mkdir(parents=True, exist_ok=True)
    names = set()
    for path in source.iterdir():
        if path.name in ("__pycache__", ".git") or (path.is_dir() and path.name.startswith("build")):
            continue
        names.add(path.name)
        other = target / path.name
        if path.is_dir():
            sync(path, other)
        elif not other.exists() or not filecmp.cmp(path, other, shallow=False):
            shutil.copyfile(path, other)
            shutil.copymode(path, other)
    for other in target.iterdir():
        if other.name not in names:
            shutil.rmtree(other) if other.is_dir() else other.unlink()


def copy_tree(target):
    for name in COPIED:
        path = ROOT / name
        if path.is_dir():
            sync(path, target / name)
        elif path.exists():
            target.mkdir(parents=True, exist_ok=True)
            if not (target / name).exists() or not filecmp.cmp(path, target / name, shallow=False):
                shutil.copyfile(path, target / name)


class Bench:
    """A copy of the tree with its build, in which one mutant at a time is tried."""

    def __init__(self, work, number, runner):
        self.tree, self.build = work / f"tree-{number}", work / f"build-{number}"
        self.log, self.runner = work / f"log-{number}.txt", runner
        sync(work / "tree", self.tree)
        # Optimised little: compiling takes longer than running. Types must agree: a call whose
        # arguments are swapped is a mutant only where the compiler takes it.
        flags = "-O1 -Werror=incompatible-pointer-types -Werror=int-conversion"
        if runner.run(["cmake", "-S", self.tree, "-B", self.build, "-G", "Ninja",
                       "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_C_FLAGS_RELEASE={flags}",
                       "-DGRAZE_WERROR=OFF", "-DGRAZE_BUILD_TESTS=ON", "-DGRAZE_BUILD_ORACLES=ON",
                       "-DGRAZE_BUILD_EXAMPLES=OFF"], 300, log=self.log) != 0:
            raise Broken(f"the tree does not configure; see {self.log}")

    def make(self, targets, limit=600):
        return self.runner.run(["ninja", "-j1", "-C", self.build, *sorted(set(targets))], limit, log=self.log)

    def known(self):
        """What ctest knows, as it lists it."""
        shown = subprocess.run(["ctest", "--test-dir", str(self.build), "--show-only=json-v1"],
                               capture_output=True, text=True, check=True).stdout
        return json.loads(shown)["tests"]

    def set_up(self):
        """Makes the files that some tests read, as ctest does before these."""
        for test in self.known():
            if any(p["name"] == "FIXTURES_SETUP" for p in test.get("properties", [])):
                if self.runner.run(test["command"], 300, cwd=self.build, log=self.log) != 0:
                    raise Broken(f"{test['name']} makes no files; see {self.log}")

    def tests(self):
        """Every unit test and oracle that ctest knows: name -> Test, with the short form's arguments."""
        out = {}
        for test in self.known():
            command = test.get("command", [])
            if not command or not command[0].startswith(str(self.build / "tests")):
                continue
            program = Path(command[0])
            if program.parent.name in ("tests", "oracle"):
                out[test["name"]] = Test(test["name"], program.name, command)
        return out

    def quick(self, file, tests):
        """The tests that come first for a mutant of a file."""
        module, stem = Path(file).parts[1], Path(file).stem
        folders = [module] + [f for begin, more in FOLDERS.items() if file.startswith(begin) for f in more]
        names = [p.stem for f in folders for p in sorted((self.tree / "tests/unit" / f).glob("test_*.c"))]
        fitting = [key for key in QUICK if stem.startswith(key)]
        oracles = QUICK[max(fitting, key=len)] if fitting else FALLBACK
        chosen = [tests[n] for n in names if n in tests]
        for program, options in (ORACLES[name] for name in oracles):
            if program in tests:
                command = [tests[program].command[0], *options.split()]
                chosen.append(Test(f"{program} {options}", program, command))
        return chosen


# -------------------------------------------------------------------------------------- the run


def follow(script, original, start, end, instead):
    """A proof's script with a mutant of the source in its statements, wherever these have what it replaces."""
    def squeezed(text):
        return re.sub(r"\s+", "", text)

    code = operators.blank(original)
    before, changed, after = (squeezed(part) for part in (code[:start], code[start:end], code[end:]))
    whole, lines = before + changed + after, script.split("\n")
    for i, line in enumerate(lines):
        if line[:2] not in ("#=", "#?"):
            continue
        statement, semicolon, rest = line[2:].partition(";")
        own = squeezed(statement)
        at = whole.find(own)
        while at >= 0 and not at <= len(before) <= len(before + changed) <= at + len(own):
            at = whole.find(own, at + 1)
        if at >= 0:
            places = [k for k, c in enumerate(statement) if not c.isspace()]
            first, last = places[len(before) - at], places[len(before) - at + len(changed) - 1]
            lines[i] = line[:2] + statement[:first] + instead + statement[last + 1:] + semicolon + rest
    return "\n".join(lines)


class Run:
    def __init__(self, arguments, chosen, runner):
        self.arguments, self.chosen, self.runner = arguments, chosen, runner
        self.path = arguments.work / "state.json"
        self.state = json.loads(self.path.read_text()) if self.path.exists() else {"mutants": {}, "times": {}}
        self.lock, self.broken, self.passed = threading.Lock(), False, set()
        self.reviewed = read_reviewed()

    def save(self):
        text = json.dumps(self.state, indent=1, sort_keys=True)
        aside = self.path.with_suffix(".new")
        aside.write_text(text)
        aside.replace(self.path)

    def kills(self):
        return Counter(m["by"] for m in self.state["mutants"].values() if m["verdict"] == "killed")

    def time_of(self, bench, test):
        """Seconds that a test takes without a mutant; in each run it must first pass without one."""
        times = self.state["times"]
        if test.name not in self.passed:
            if bench.make([test.target]) != 0:
                raise Broken(f"{test.target} does not build; see {bench.log}")
            start = time.monotonic()
            status = self.runner.run(test.command, 900, cwd=bench.build, log=bench.log)
            if status not in (0, 77):
                raise Broken(f"{test.name} fails without a mutant; see {bench.log}")
            with self.lock:
                times[test.name] = time.monotonic() - start
                self.passed.add(test.name)
        return times[test.name]

    def try_tests(self, bench, tests):
        """The name of the test that notices, "" where none does, and None where it does not compile.

        Those that have killed most for their time come first, a few built at a time.
        """
        kills = self.kills()
        if self.arguments.again:  # what has killed little is new, or was not reached
            tests = sorted(tests, key=lambda t: (0.2 + self.state["times"][t.name]) * (1 + kills[t.name]))
        else:
            tests = sorted(tests, key=lambda t: (0.2 + self.state["times"][t.name]) / (1 + kills[t.name]))
        for first in range(0, len(tests), CHUNK):
            if bench.make([t.target for t in tests[first:first + CHUNK]]) != 0:
                return None
            for test in tests[first:first + CHUNK]:
                limit = 20 + 10 * self.state["times"][test.name]
                status = self.runner.run(test.command, limit, cwd=bench.build, log=bench.log)
                if status not in (0, 77):
                    return test.name + (" (time)" if status is None else "")
        return ""

    def refuted(self, bench, mutant, original, start, end, instead):
        """"proofs" where a proof that is about the mutant's file does not hold any more, not even with the same
        change in its own statements; "proofs (statement)" where only these are gone; else ""."""
        paths = [p for p in sorted((bench.tree / "proofs").glob("*.g")) if mutant.file in p.read_text()
                 or mutant.file in proofs.HEADERS]
        command = [sys.executable, bench.tree / "proofs/check.py", *[p.stem for p in paths]]
        if not paths or not shutil.which("gappa") or self.runner.run(command, 240, log=bench.log) == 0:
            return ""
        kept = {p: p.read_text() for p in paths}
        try:
            for path, text in kept.items():
                path.write_text(follow(text, original, start, end, instead))
            return "proofs" if self.runner.run(command, 240, log=bench.log) else "proofs (statement)"
        finally:
            for path, text in kept.items():
                path.write_text(text)

    def judge(self, bench, tests, mutant, start, end, instead):
        path = bench.tree / mutant.file
        original = path.read_text()
        mutated = original[:start] + instead + original[end:]
        try:
            path.write_text(mutated)
            by = self.refuted(bench, mutant, original, start, end, instead)
            if by:
                return "killed", by
            path.write_text(original)
            quick = bench.quick(mutant.file, tests)
            for test in quick if self.arguments.quick else [*quick, *tests.values()]:
                self.time_of(bench, test)
            stem = Path(mutant.file).stem
            own = "test_" + stem
            quick = [t for t in quick if self.state["times"][t.name] < QUICK_SECONDS or " " in t.name
                     or own.startswith(t.name) or t.name.startswith(own) or t.name == OWN.get(stem)]
            path.write_text(mutated)
            by = self.try_tests(bench, quick)
            # What is known to survive, and why, has met the other tests before.
            if by == "" and not self.arguments.quick and (self.arguments.again or
                                                          mutant.key not in self.reviewed):
                by = self.try_tests(bench, tests.values())
            if by is None:
                return "uncompiled", None
            return ("killed", by) if by else ("survived", None)
        finally:
            path.write_text(original)

    def work(self, number, todo):
        try:
            bench = Bench(self.arguments.work, number, self.runner)
            if bench.make(["all"], 3600) != 0:
                raise Broken(f"the tree does not build; see {bench.log}")
            bench.set_up()
            tests = bench.tests()
            if len(tests) < 50:  # ctest names no command of a program that is not built
                raise Broken(f"ctest knows {len(tests)} tests in {bench.build}: too few to judge by")
            while todo:
                mutant, start, end, instead = todo.pop(0)
                self.runner.check()
                began = time.monotonic()
                verdict, by = self.judge(bench, tests, mutant, start, end, instead)
                with self.lock:
                    self.state["mutants"][mutant.key] = {"verdict": verdict, "by": by,
                                                         "quick": self.arguments.quick}
                    self.save()
                    print(f"{verdict:10} {mutant.file}:{mutant.line} {mutant.operator} {mutant.name}"
                          f" {time.monotonic() - began:.1f} s{' by ' + by if by else ''}", flush=True)
        except Stopped:
            pass
        except Broken as fault:
            print(fault, file=sys.stderr, flush=True)
            self.runner.stopping = self.broken = True

    def is_due(self, mutant):
        known = self.state["mutants"].get(mutant.key)
        if known is None:
            return True
        return known["verdict"] == "survived" and (
            self.arguments.again or (known["quick"] and not self.arguments.quick))

    def go(self):
        todo = [c for c in self.chosen if self.is_due(c[0])]
        # What is explained comes last, and of that what has been run before.
        todo.sort(key=lambda c: (c[0].key in self.reviewed) + (c[0].key in self.reviewed and c[0].key in self.state["mutants"]))
        threads = [threading.Thread(target=self.work, args=(i, todo)) for i in range(self.arguments.jobs)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


# ------------------------------------------------------------------------------------ the report


def read_reviewed():
    """Key -> (kind, reason) of tests/mutation_survivors.txt."""
    out, key, lines = {}, None, []
    if not REVIEWED.exists():
        return out
    for line in REVIEWED.read_text().splitlines() + ["end"]:
        if line.startswith(("    ", "#")) or not line.strip():
            if line.startswith("    ") and line[4:6] not in ("- ", "+ "):
                lines.append(line.strip())
            continue
        if key:
            kind, _, reason = " ".join(lines).partition(": ")
            if kind not in KINDS or not reason:
                sys.exit(f"{REVIEWED.name}: {key}: the reason begins with one of {', '.join(KINDS)}:")
            out[key] = (kind, reason)
        key, lines = line.strip(), []
    return out


def show(mutant):
    print(mutant.key, f"(line {mutant.line})")
    for mark, text in (("-", mutant.before), ("+", mutant.after)):
        for line in text.splitlines():
            print(f"    {mark} {line.strip()}")


def report_stale(reviewed):
    """Prints and returns the explained survivors that are no mutants of this tree."""
    every = {m.key for m, *_ in operators.by_hand(ROOT)}
    for file in operators.files(ROOT):
        every |= {c[0].key for c in operators.candidates(ROOT, file)}
    every |= {c[0].key for c in operators.bounds(ROOT)}
    stale = [key for key in reviewed if key not in every]
    for key in stale:
        print(f"{REVIEWED.name}: not generated any more: {key}")
    return stale


def report(chosen, state):
    reviewed, verdicts, unexplained = read_reviewed(), Counter(), []
    kinds, table = Counter(), {}
    for mutant, *_ in chosen:
        known = state["mutants"].get(mutant.key)
        verdict = known["verdict"] if known else "not run"
        row = table.setdefault(mutant.operator, Counter())
        row[verdict] += 1
        verdicts[verdict] += 1
        if verdict == "survived" and mutant.key in reviewed:
            kinds[reviewed[mutant.key][0]] += 1
        elif verdict == "survived":
            unexplained.append(mutant)
    print(f"{'operator':12} {'killed':>8} {'survived':>8} {'no mutant':>9} {'not run':>8}")
    for name, row in [*sorted(table.items()), ("all", verdicts)]:
        print(f"{name:12} {row['killed']:8} {row['survived']:8} {row['uncompiled']:9} {row['not run']:8}")
    print(", ".join(f"{kinds[k]} survivors reviewed as {k}" for k in KINDS))
    by = Counter(known["by"] for m, *_ in chosen if (known := state["mutants"].get(m.key)) and known["verdict"] == "killed")
    own = by["proofs"] + by["proofs (statement)"]
    print(f"killed: {by['proofs']} by a proof whose bound fails, {by['proofs (statement)']} as a proof's statement is gone, "
          f"{by.total() - own} by tests")
    if unexplained:
        print(f"{len(unexplained)} survivors are not in {REVIEWED.name}:")
        for mutant in unexplained:
            show(mutant)
    stale = report_stale(reviewed)
    left = verdicts["not run"]
    if left:
        print(f"{left} mutants have not been run; the same command goes on")
    return 1 if unexplained or stale or left else 0


def choose(root, arguments):
    if arguments.bounds is None:
        return operators.choose(root, arguments.share, arguments.seed, arguments.only)
    drawn = operators.draw_bounds(root, arguments.bounds, arguments.seed)
    return [c for c in drawn if not arguments.only or any(w in c[0].key for w in arguments.only.split(","))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, help="folder for copies, builds and the state")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", metavar="TEXT", help="mutants whose file or key holds one of these (comma between), in this order")
    parser.add_argument("--share", type=float, default=0.065, help="of each file's mutants (default 0.065)")
    parser.add_argument("--bounds", type=int, metavar="N", help="so many mutants of bounds in place of the others")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--until", metavar="HH:MM", help="stop then; the state is kept")
    parser.add_argument("--quick", action="store_true", help="only the quick tests")
    parser.add_argument("--refresh", action="store_true", help="copy the tree anew")
    parser.add_argument("--again", action="store_true", help="run survivors again")
    parser.add_argument("--list", action="store_true", help="print the mutants")
    parser.add_argument("--check", action="store_true", help="run nothing; exit status 1 where the code has moved on from a mutant")
    parser.add_argument("--report", action="store_true", help="print the report of the state, run nothing")
    arguments = parser.parse_args()
    if arguments.list:
        for mutant, *_ in choose(ROOT, arguments):
            show(mutant)
        return 0
    if arguments.check:
        return 1 if report_stale(read_reviewed()) else 0
    if not arguments.work:
        parser.error("--work DIR is needed")
    arguments.work = arguments.work.resolve()
    until = None
    if arguments.until:
        now, at = datetime.datetime.now(), datetime.datetime.strptime(arguments.until, "%H:%M")
        until = now.replace(hour=at.hour, minute=at.minute, second=0)
    if arguments.refresh or not (arguments.work / "tree").exists():
        copy_tree(arguments.work / "tree")
    chosen = choose(arguments.work / "tree", arguments)
    run = Run(arguments, chosen, Runner(until))
    if not arguments.report:
        run.go()
    return 2 if run.broken else report(chosen, run.state)


if __name__ == "__main__":
    sys.exit(main())
