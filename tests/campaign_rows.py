"""The rows of tests/campaign.py: what is run, how much of it, and the hash of what it tests."""

import functools
import hashlib
import os
import re
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
import include_check

# name     how the row is called here        title  what the table says
# wanted   in all, in units                  amount units of one slice
# unit     what is counted                   short  units of a run for an estimate
# kind     oracle, fuzz, faults, mutation or cost
# program  of tests/oracle; a fuzz target    option that says how much
# modules    of src that it can reach, with what these include; None: all
# done     the expression that finds how many units a slice did; None: all that it was asked for
Row = namedtuple("Row", "name title wanted amount unit short kind program option modules done")

VERDICT = ("check", "load")
COMPILED = (*VERDICT, "compile")
# What each fuzz target reaches besides VERDICT, where fuzz_exercise.c gets them all.
FUZZ_TARGETS = {"api_calls": ("plan",), "collada": (), "compiled": ("compile",), "configurations": ("cli",),
                "importer": ("import",), "lint": ("lint",), "moveit_scene": (), "obj_ply_gltf": (),
                "planar_scene": ("planar",), "points": (), "problems": (), "robot_mutation": (), "srdf": (), "srdf_review": ("matrix",), "stl": (), "trajectory": ("motion",), "urdf": (),
                "verify_dump": ("verify",), "world_json": (), "world_urdf": (), "world_yaml": ()}
ROWS = [
    Row("pairs", "triangle pairs, 28 categories", 1e8, 5e6, "pairs", 2e5, "oracle", "triangle_pairs",
        "--pairs", ("narrow",), r"^all +(\d+)"),
    Row("contact", "meshes to the last ulp of contact, FCL beside", 1e5, 1e4, "poses", 2000, "oracle",
        "near_contact", "--poses", VERDICT, r"^all +(\d+)"),
    Row("curved", "curved shapes to the last ulp", 1e5, 5e4, "poses", 4000, "oracle", "near_curved",
        "--poses", VERDICT, r"^all +(\d+)"),
    Row("points", "clouds of points to the last ulp", 1e6, 1e5, "poses", 5000, "oracle", "points",
        "--poses", VERDICT, r"^all +(\d+)"),
    Row("bounds", "bounds of nodes and links, in every instruction set", 1e7, 1e6, "node-poses", 1e5,
        "oracle", "bounds", "--tests", VERDICT, r"^all nodes +(\d+)"),
    Row("proxies", "mesh proxies, maps, lanes, world: surely apart, surely meeting", 1e6, 1e5, "poses", 5000,
        "oracle", "proxies", "--poses", VERDICT, r"^two meshes: surely apart +(\d+)"),
    Row("margins", "margins", 1e6, 1.5e5, "pairs near the margin", 5000, "oracle", "margins", "--pairs",
        VERDICT, r"^all +\d+ +(\d+)"),
    Row("posed", "poses from outside against configurations", 1e6, 1e5, "configurations", 5000, "oracle", "posed_verdicts",
        "--configurations", VERDICT, r"^(\d+) configurations"),
    Row("containment", "containment, 30 shapes", 1e5, 1e4, "poses", 1000, "oracle", "containment_poses",
        "--poses", VERDICT, None),
    Row("kinematics", "kinematics and snap, every robot", 1e6, 1e5, "configurations", 3000, "oracle",
        "kinematics", "--configurations", VERDICT, None),
    Row("metamorphic", "the same question in another way", 1e7, 3e4, "questions", 500, "oracle",
        "metamorphic", "--poses", COMPILED, r"(\d+) asked"),
    Row("mixed", "small robots in small worlds, every way to ask", 1e6, 1e5, "configurations", 2000,
        "oracle", "mixed", "--rows", COMPILED, r"^all +(\d+)"),
    Row("slack", "what each error bound needs", 1e6, 1e6, "tries", 20000, "oracle", "slack", "--tries",
        ("narrow",), None),
    *(Row(f"fuzz_{target}", f"fuzzing of `{target}`", 20, 5, "CPU minutes", 0, "fuzz", target, None,
          (*VERDICT, *more), None) for target, more in FUZZ_TARGETS.items()),
    Row("faults", "every allocation, read, file and thread made to fail", 61, 1, "scenarios", 1, "faults",
        None, None, None, None),
    Row("mutation", "small faults put into the engine", 300, 300, "mutants", 0, "mutation", None, None,
        ("check",), None),
    Row("cost", "cost of exactness, Fetch", 1, 1, "runs", 0, "cost", None, None, None, None),
]
NEEDS_DATA = {"cost"}
# Minutes of a row that has no short form, for the estimate: builds and tests of one mutant, measured.
MUTANT_MINUTES = 1.0
COST_MOST = 10.0  # per cent
NOT_RUN = (2, 3, 126, 127)  # wrong words, no data or memory, no program: not a word about the engine


def fail(message, status=3):
    print(f"campaign: {message}", file=sys.stderr)
    sys.exit(status)


# ------------------------------------------------------------------------------ the state of the tree


C_BLANK = re.compile(rb"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|((?:\s+|//[^\n]*|/\*.*?\*/)+)""", re.S)


def code_of(path):
    """What a file says to a compiler: C without comments, one blank or line end for any number of them."""
    text = path.read_bytes()
    if path.suffix not in (".c", ".h", ".inl", ".cpp"):
        return text
    block = re.compile(rb"/\*.*?\*/", re.S)
    return C_BLANK.sub(lambda m: m[1] or (b"\n" if b"\n" in block.sub(b"", m[2]) else b" "), text).strip()


def hash_files(paths):
    digest = hashlib.sha256()
    for path, name in paths:
        digest.update(name.encode() + b"\0" + code_of(path) + b"\0")
    return digest.hexdigest()[:16]


def modules_of(names):
    """Modules and all that they may include, by the table."""
    out, left = set(), list(names)
    while left:
        module = left.pop()
        if module not in out:
            out.add(module)
            left += include_check.MODULES[module]
    return sorted(out)


def program_of(row):
    """The name of the program that runs an oracle's or a fuzz target's row."""
    return row.program if row.kind == "oracle" else f"fuzz_{row.program}"


def defined(path):
    """The symbols that a program or a library defines, as (file, kind, name)."""
    shown = subprocess.run(["nm", "-A", "--defined-only", path], capture_output=True, text=True, check=True)
    return [(line.split(":")[-2], *line.split()[-2:]) for line in shown.stdout.splitlines()]


defined_in_library = functools.cache(defined)  # one library, asked for each of its programs


def reached(tree, library, program):
    """The modules of the library that a built program has functions or data of, by its symbols."""
    files = [p for p in (tree / "src").rglob("*.c") if not p.name.startswith("kernels_")]
    modules = {f"{p.name}.o": p.relative_to(tree / "src").parts[0] for p in files}
    own = {(kind.upper(), name) for _, kind, name in defined(program)}
    return {modules[member] for member, kind, name in defined_in_library(library)
            if member in modules and kind in "TDRB" and (kind, name) in own}


def oracle_sources(tree, program):
    """The files of tests/oracle that a program is made of, by its line in CMakeLists.txt."""
    folder = tree / "tests/oracle"
    text = (folder / "CMakeLists.txt").read_text()
    match = re.search(rf"add_oracle\({program}\s+([^)]*)\)", text)
    if not match:
        fail(f"no oracle {program}")
    out = []
    for name in match.group(1).split():
        path = folder / name
        if path.exists():
            out.append(path)
            out += [p for p in [path.with_suffix(".h")] if p.exists()]
    return sorted(set(out) | set(folder.glob("*.inl")) & {folder / f"{p.stem}.inl" for p in out}
                  | {p for p in folder.glob("*.inl") if any(f'"{p.name}"' in q.read_text() for q in out)})


def fuzz_sources(tree, target):
    """The files of tests that a fuzz target is made of."""
    folder = tree / "tests/fuzz"
    own = folder / f"fuzz_{target}.c"
    beside = [tree / "tests" / name for name in re.findall(r'#include "(unit/[^"]+)"', own.read_text())]
    return [own, *(folder / name for name in ("fuzz_exercise.c", "fuzz_ground.c", "fuzz.h")), *beside]


def is_importer(path):
    """Of the importer's host, which runs where a loader's option names an importer."""
    return "load/importer" in path.as_posix()


def state_of(tree, row):
    """The hash of what a row's slices depend on."""
    folders = [tree / "src"] if row.modules is None else [tree / "src" / r for r in modules_of(row.modules)]
    paths = [p for folder in [*folders, tree / "include"] for p in folder.rglob("*") if p.is_file()]
    if row.kind == "oracle":
        own = oracle_sources(tree, row.program)
        if not any("importer" in p.read_text() for p in own):
            paths = [p for p in paths if not is_importer(p)]
        paths += own
    elif row.kind == "fuzz":
        paths += fuzz_sources(tree, row.program)
    elif row.kind == "faults":
        paths += [p for p in (tree / "tests/faults").iterdir() if p.is_file()]
    elif row.kind == "cost":
        paths += (tree / "bench").glob("exactness*")
    # The tests are what mutation tests: a mutant that survived once may be killed by a new test, and
    # the script itself keeps count of that.
    data = b"data" if os.environ.get("GRAZE_TEST_DATA") else b"none"
    pairs = sorted((p, str(p.relative_to(tree))) for p in set(paths))
    return hash_files(pairs) + "-" + data.decode()


def git(*words):
    done = subprocess.run(["git", "--no-optional-locks", "-C", str(ROOT), *words], capture_output=True,
                          text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def commit_name():
    commit = git("rev-parse", "--short=12", "HEAD") or "no commit"
    changed = git("status", "--porcelain", "--", "src", "include", "tests", "bench")
    return commit + (" with changes" if changed else "")
