#!/usr/bin/env python3
"""Breaks robots in every way that the linter claims to see, and holds the linter to it.

    tests/lint/mutants.py --graze build/graze                      # the robots that ship
    GRAZE_TEST_DATA=DIR tests/lint/mutants.py --graze build/graze --robots all --sites 3

Each rule has mutators (*_mutators.py). A mutator is applied to each robot at some of the
places where it applies, one at a time. The rule must then speak, at the line of the place, as it did not
before; and no error may be new but those of the rule and of its consequences, listed below. A rule without
a mutator fails, unless it is listed with the reason. Prints a table, and each miss with the file that
shows it; exits with 1 on any.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True  # the source tree stays as it is

import description
import file_mutators  # noqa: F401 (each registers its own)
import joint_mutators  # noqa: F401
import schema_mutators  # noqa: F401
import srdf_mutators  # noqa: F401
import topology_mutators  # noqa: F401
from mutators import MUTATORS, Closing

ROOT = Path(__file__).resolve().parent.parent.parent
DATA = "example-robot-data/robots/"

# Name -> the description, below the repository or GRAZE_TEST_DATA/robots, and its SRDF or "".
SHIPPED = {"heron": ("urdf/heron.urdf", "urdf/heron.srdf"), "six_axis": ("urdf/six_axis.urdf", "urdf/six_axis.srdf"),
           "two_link": ("urdf/two_link.urdf", "urdf/two_link.srdf")}
OTHERS = {"fetch": ("fetch_description/robots/fetch.urdf", "fetch_mbm.srdf"),
          "freight": ("fetch_description/robots/freight.urdf", ""),
          "panda": (DATA + "panda_description/urdf/panda.urdf", DATA + "panda_description/srdf/panda.srdf"),
          "ur5": (DATA + "ur_description/urdf/ur5_robot.urdf", DATA + "ur_description/srdf/ur5.srdf"),
          "fanuc": ("moveit_resources_fanuc_description/urdf/fanuc.urdf", ""),
          "humanoid": (DATA + "simple_humanoid_description/urdf/simple_humanoid.urdf",
                       DATA + "simple_humanoid_description/srdf/simple_humanoid.srdf")}

# Rule -> the other errors that must follow from a mutant of it, each with its reason.
CONSEQUENCES = {
    "U003": {"I007": "urdfdom refuses an <inertial> with a number that it cannot read"},
    "U005": {"G010": "a misspelled size is missing",
             "U009": "a misspelled direction is missing"},
    "U006": {"I007": "urdfdom refuses an <inertial> with a number that it cannot read"},
    "U007": {"I007": "urdfdom refuses an <inertial> with a number that it cannot read"},
    "T004": {"T001": "a link that no joint names as its child is a root"},
    "T005": {"J008": "a joint that has lost its name cannot be mimicked"},
    "T006": {"T001": "a part that hangs from nothing has a root of its own",
             "T004": "the part was cut off by the name of a link that is not there"},
    "A004": {"A001": "a name in other capitals is the name of no file"},
    "A011": {"A005": "an STL file of another length is refused"},
    "I007": {"U003": "a number that cannot be read is no number"},
}

# Rule -> why it has no mutator.
WITHOUT = {"S011": "runs under --audit alone; tests/unit/lint/test_audit.c builds robots that touch at a known angle",
           "U012": "of what stands in front of the tree; tests/lint/examples.py has a file of each kind"}


class Case:
    """What a mutant has of its own: random numbers, a folder for files, and the trees. `home` is the folder
    that relative paths begin in."""

    def __init__(self, seed, folder, home, robot, srdf):
        self.random, self.folder, self.home, self.robot, self.srdf = random.Random(seed), folder, home, robot, srdf


class Subject:
    """A robot to break: its tree, its folder, and what the linter says of it as it is."""

    def __init__(self, graze, name, path, srdf, packages, poses):
        self.name, self.path, self.packages, self.graze = name, path, packages, graze
        self.robot = description.load(path)
        self.srdf = description.load(srdf) if srdf else None
        text = description.write(self.robot.top)
        self.before = {}
        for posed in poses:
            self.before[posed, False] = self.lint(text, posed)
            if self.srdf:
                with tempfile.NamedTemporaryFile("w", suffix=".srdf") as file:
                    file.write(description.write(self.srdf.top))
                    file.flush()
                    self.before[posed, True] = self.lint(text, posed, file.name)

    def lint(self, text, posed, srdf=None, folder=None):
        """The findings about a text; files of its own are package://mutant/. The rules that pose the robot
        take seconds, see nothing of most mutants, and have no errors: they run where they are `posed`."""
        command = [self.graze, "lint", "-", "--format", "json", "--quiet"] + ([] if posed else ["--tier", "self=off"])
        command += ["--package-path", self.packages] if self.packages else []
        command += ["--srdf", srdf] if srdf else []
        command += ["--package", f"mutant={folder}"] if folder else []
        done = subprocess.run(command, input=text, cwd=self.path.parent, capture_output=True, text=True, timeout=60)
        if done.returncode not in (0, 1):
            raise RuntimeError(f"exit status {done.returncode}: {done.stderr}")
        return json.loads(done.stdout)["findings"]


def key(finding):
    return finding["rule"], finding.get("element", ""), finding["message"]


def line_of(place):
    return place.node.end_line if isinstance(place, Closing) else place.line


def judge(rule, before, after, path, lines):
    """(whether the rule speaks at one of the lines as it did not before, the stray errors)."""
    file = str(path) if path else "<stdin>"
    known = collections.Counter(map(key, before))
    new = []
    for finding in after:
        if known[key(finding)] > 0:
            known[key(finding)] -= 1
        else:
            new.append(finding)
    caught = any(f["rule"] == rule and f["file"] == file and f["line"] in lines and not f["suppressed"]
                 for f in new)
    allowed = {rule, *CONSEQUENCES.get(rule, {})}
    errors = collections.Counter(f["rule"] for f in before if f["severity"] == "error")
    strays = collections.Counter(f["rule"] for f in after if f["severity"] == "error" and f["rule"] not in allowed)
    return caught, sorted((strays - errors).elements())


def run_mutant(subject, mutator, site, seed):
    """Breaks a copy of the robot at its site-th element; returns (text, caught, strays)."""
    with tempfile.TemporaryDirectory(prefix="graze-mutant-") as folder:
        robot = subject.robot.copy()
        srdf = subject.srdf.copy() if subject.srdf else None
        case = Case(seed, Path(folder), subject.path.parent, robot, srdf)
        node = (srdf if mutator.srdf else robot).nodes()[site]
        places = mutator.apply(srdf if mutator.srdf else robot, node, case)
        if places is None:
            return None  # it turned out not to apply here
        text, path = description.write(robot.top), None
        if mutator.srdf:
            path = Path(folder) / "robot.srdf"
            path.write_text(description.write(srdf.top))
        lines = {line_of(p) for p in (places if isinstance(places, list) else [places])}
        posed = mutator.rule[0] == "S"
        after = subject.lint(text, posed, path, folder)
        caught, strays = judge(mutator.rule, subject.before[posed, mutator.srdf], after, path, lines)
        return (path.read_text() if path else text), caught, strays, sorted(lines)


def plan(subjects, rules, seed, count, brief):
    """The mutants: (subject, mutator, site, seed). Of a mutator's places some are drawn. In a brief run a robot
    of many meshes stands for the rules that look at meshes alone."""
    for subject in subjects:
        meshes = sum(node.tag == "mesh" for node in subject.robot.nodes())
        for mutator in MUTATORS:
            if mutator.rule not in rules or (mutator.srdf and not subject.srdf):
                continue
            if brief and (mutator.rule[0] in "AGI") != (meshes > 5):
                continue
            robot = subject.srdf if mutator.srdf else subject.robot
            index = {id(node): i for i, node in enumerate(robot.nodes())}
            sites = [index[id(node)] for node in mutator.sites(robot)]
            own = f"{seed} {mutator.rule} {mutator.what} {subject.name}"
            for site in random.Random(own).sample(sites, min(count, len(sites))):
                yield subject, mutator, site, f"{own} {site}"


def subjects_of(graze, which, poses):
    subjects = [Subject(graze, name, ROOT / urdf, ROOT / srdf, None, poses) for name, (urdf, srdf) in SHIPPED.items()]
    if which == "all":
        data = os.environ.get("GRAZE_TEST_DATA")
        if not data:
            sys.exit("--robots all needs GRAZE_TEST_DATA, the folder of the robots that do not ship")
        robots = Path(data).resolve() / "robots"
        subjects += [Subject(graze, name, robots / urdf, robots / srdf if srdf else None, str(robots), poses)
                     for name, (urdf, srdf) in OTHERS.items()]
    return subjects


def rules_of(graze):
    out = subprocess.run([graze, "lint", "--rules"], capture_output=True, text=True, check=True).stdout
    return [line.split()[0] for line in out.splitlines()]


def report(table, rules, robots):
    print(f"{'rule':<6}{'mutants':>8}{'caught':>8}{'stray errors':>14}")
    for rule in rules:
        if table[rule]["mutants"]:
            print(f"{rule:<6}{table[rule]['mutants']:>8}{table[rule]['caught']:>8}{table[rule]['strays']:>14}")
    total = {name: sum(row[name] for row in table.values()) for name in ("mutants", "caught", "strays")}
    print(f"{'all':<6}{total['mutants']:>8}{total['caught']:>8}{total['strays']:>14}   on {robots} robots")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--graze", required=True, type=Path)
    parser.add_argument("--robots", choices=["shipped", "all"], default="shipped")
    parser.add_argument("--sites", type=int, default=1, help="places per mutator and robot")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--rule", action="append", help="only mutants of these rules")
    parser.add_argument("--keep", type=Path, help="folder for the files of what was missed")
    options = parser.parse_args()
    graze = options.graze.resolve()
    rules = rules_of(graze)
    chosen = options.rule or rules
    poses = sorted({rule[0] == "S" for rule in chosen})
    subjects = subjects_of(graze, options.robots, poses)
    mutants = list(plan(subjects, set(chosen), options.seed, options.sites, options.robots == "shipped"))
    table = collections.defaultdict(lambda: collections.Counter(mutants=0, caught=0, strays=0))
    faults = [f"{rule} has no mutator" for rule in chosen if rule not in WITHOUT
              and not any(mutator.rule == rule for mutator in MUTATORS)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(lambda mutant: run_mutant(*mutant), mutants)
        for number, ((subject, mutator, _, _), result) in enumerate(zip(mutants, results)):
            if result is None:
                continue
            text, caught, strays, lines = result
            row = table[mutator.rule]
            row["mutants"] += 1
            row["caught"] += caught
            row["strays"] += len(strays)
            if caught and not strays:
                continue
            said = [] if caught else [f"not found at line {' or '.join(map(str, lines))}"]
            said += [f"stray errors {', '.join(strays)}"] if strays else []
            faults.append(f"{mutator.rule} on {subject.name}, {mutator.what}: {'; '.join(said)} (mutant {number})")
            if options.keep:
                (options.keep / f"mutant_{number}.{'srdf' if mutator.srdf else 'urdf'}").write_text(text)
    report(table, rules, len(subjects))
    idle = [rule for rule in chosen if rule not in WITHOUT and not table[rule]["mutants"]
            and any(mutator.rule == rule for mutator in MUTATORS)]
    print("\n".join(faults) or "every mutant is caught, at its place, with no error that does not follow")
    if idle:
        print(f"no robot here has a place for: {', '.join(idle)}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
