#!/usr/bin/env python3
"""Feeds the linter what no friend would write: findings or errors come out, never a crash.

    tests/lint/hostile.py --graze build/graze [--seed N] [--jobs N] [--all]

Every must-fail file of tests/bad, inputs of the fuzz corpora (as a description, an SRDF or a mesh; every 24th of
them, unless --all asks for each), truncations of the descriptions that ship, files of 10,000 elements, deep nesting. Each run must end in
time with an exit status of 0, 1, 3 or 4, and its report must be JSON that agrees with the status. What the
loader refuses, the linter must not pass: a robot without an error loads. On a build with sanitizers their
reports count as crashes.
"""

import argparse
import collections
import concurrent.futures
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
BAD = TESTS / "bad"
sys.path.insert(0, str(TESTS / "fuzz"))
import corpora  # noqa: E402 (the path comes first)
SHIPPED = sorted((TESTS.parent / "urdf").glob("*.urdf"))
MESH_SUFFIXES = {"stl": [".stl"], "collada": [".dae"], "obj_ply_gltf": [".obj", ".ply", ".gltf", ".glb"]}
COUNT = 10000
SECONDS = 5  # of processor time, whatever else the machine does; sanitizers take ten times as long

Input = collections.namedtuple("Input", "group name text srdf agree")

# Files that the loader refuses and the linter passes, and why that is right.
PASSED = {}


def robot(body, name="r"):
    return f"<robot name='{name}'>{body}</robot>".encode()


def with_mesh(path):
    return robot(f"<link name='a'><collision><geometry><mesh filename='{path}'/></geometry></collision></link>")


def bad_files():
    for path in sorted((BAD / "urdf").glob("*.urdf")):
        yield Input("bad urdf", path, None, None, True)
    for path in sorted((BAD / "srdf").glob("*.srdf")):
        yield Input("bad srdf", BAD / "srdf/good.urdf", None, path, True)
    for path in sorted((BAD / "mesh").iterdir()):
        yield Input("bad mesh", path.name, with_mesh(path), None, True)
    for folder in ("world", "config"):
        for path in sorted(p for p in (BAD / folder).iterdir() if p.is_file()):
            yield Input("bad " + folder, path, None, None, False)


def fuzzed(folder):
    """Inputs of the corpora."""
    good = BAD / "srdf/good.urdf"
    for target in corpora.targets():
        corpora.unpack(target, folder / target)
        for path in sorted((folder / target).iterdir()):
            group = "corpus " + target
            if target == "srdf":
                yield Input(group, good, None, path, True)
            elif target in MESH_SUFFIXES:
                data = path.read_bytes()
                if not data:
                    continue
                suffixes = MESH_SUFFIXES[target]
                mesh = folder / (path.name + suffixes[data[0] % len(suffixes)])
                mesh.write_bytes(data[1:] if len(suffixes) > 1 else data)
                yield Input(group, path.name, with_mesh(mesh), None, True)
            elif target in ("urdf", "world_urdf", "lint"):
                yield Input(group, path, None, None, target != "lint")
            else:
                yield Input(group, path, None, None, False)


def truncations(rng):
    for path in SHIPPED:
        data = path.read_bytes()
        for at in sorted(rng.sample(range(len(data)), 50)):
            yield Input("truncated", f"{path.name}[:{at}]", data[:at], None, True)


def nested(tag, depth):
    return (f"<{tag}>" * depth + f"</{tag}>" * depth).encode()


def joint(i, parent, child, more=""):
    return (f"<joint name='j{i}' type='revolute'><parent link='{parent}'/><child link='{child}'/>"
            f"<limit lower='-1' upper='1' effort='1' velocity='1'/>{more}</joint>")


def large_files(folder):
    """Files with COUNT of something, most of them made so that a search in a search would never end."""
    n = range(COUNT)
    chain = "".join(f"<link name='l{i}'/>" for i in range(COUNT + 1)) + "".join(joint(i, f"l{i}", f"l{i + 1}") for i in n)
    files = {
        "unknown names": "".join(f"<link name='link{i}'/>" + joint(i, f"lnik{i}", f"linkk{i}") for i in n),
        "a chain": chain,
        "a star": "<link name='o'/>" + "".join(f"<link name='l{i}'/>" + joint(i, "o", f"l{i}") for i in n),
        "links alone": "".join(f"<link name='l{i}'/>" for i in n),
        "one name": "<link name='a'/>" * COUNT + joint(0, "a", "a") * COUNT,
        "names of one case": "".join(f"<link name='{'aA'[i % 2]}{i // 2}'/>" for i in n),
        "a circle": "".join(f"<link name='l{i}'/>" + joint(i, f"l{i}", f"l{(i + 1) % COUNT}") for i in n),
        "many circles": "".join(f"<link name='a{i}'/><link name='b{i}'/>" + joint(f"i{i}", f"a{i}", f"b{i}") +
                                joint(f"k{i}", f"b{i}", f"a{i}") for i in range(3 * COUNT)),
        "many parents": "<link name='o'/><link name='a'/>" + "".join(joint(i, "o", "a") for i in n),
        "mimics in a circle": "<link name='o'/>" + "".join(
            f"<link name='l{i}'/>" + joint(i, "o", f"l{i}", f"<mimic joint='j{(i + 1) % COUNT}'/>") for i in n),
        "sides": "<link name='o'/>" + "".join(
            f"<link name='l{i}'/>" + joint(f"{'left' if i % 2 else 'right'}_{i // 2}", "o", f"l{i}") for i in n),
        "boxes in one link": "<link name='a'>" + "<collision><geometry><box size='1 1 1'/></geometry></collision>" * COUNT + "</link>",
        # A tenth of them: for each the folders above are listed, to see whether a name differs in case alone.
        "meshes that are not there": "<link name='a'>" + "".join(
            f"<collision><geometry><mesh filename='package://p/{i}.stl'/></geometry></collision>"
            for i in range(COUNT // 10)) + "</link>",
        "parts that are there twice": "<link name='a'>" + "<inertial/><visual/>" * COUNT + "</link>",
        "unknown elements": "".join(f"<lnik{i}/>" for i in n),
        "unknown attributes": "<link name='a' " + " ".join(f"a{i}='1'" for i in n) + "/>",
        "words for numbers": "<link name='a'/><link name='b'/>" + joint(0, "a", "b", f"<origin xyz='{'x ' * COUNT}'/>"),
        "comments": "<!-- graze-lint: off " + "J001, " * COUNT + " -->" + "<link name='a'/>" * COUNT,
    }
    for name, body in files.items():
        yield Input("large", name, robot(body), None, False)
    groups = "".join(f"<group name='g{i}'><group name='g{(i + 1) % COUNT}'/></group>" for i in n)
    pairs = "".join(f"<disable_collisions link1='x{i}' link2='y{i}' reason='Never'/>" for i in n)
    known = "".join(f"<disable_collisions link1='l{i}' link2='l{i + 2}' reason='Adjacent'/>" for i in range(COUNT - 2))
    states = "<group name='g'/>" + "".join(f"<group_state name='s{i}' group='g'><joint name='j{i}' value='9'/></group_state>" for i in n)
    for name, body in {"groups": groups, "pairs": pairs, "known pairs": known, "states": states}.items():
        path = folder / (name.replace(" ", "_") + ".srdf")
        path.write_bytes(robot(body))
        yield Input("large", "SRDF of " + name, robot(chain), path, False)
    yield from colliding_pairs(folder)


def colliding_pairs(folder):
    """Robots whose pairs of solid links all meet: the ends of a long chain, sometimes, and under many rules for one."""
    box = "<collision><geometry><box size='1 1 1'/></geometry></collision>"
    few = 10
    ends = "".join(f"<link name='l{i}'>{box if min(i, COUNT - i) < few else ''}</link>" for i in range(COUNT + 1)) + \
        "".join(joint(i, f"l{i}", f"l{i + 1}") for i in range(COUNT)).replace(
            f"'j{few}' type='revolute'", f"'j{few}' type='prismatic'").replace("upper='1'", "upper='3'")
    hidden = "".join(f"<disable_collisions link1='l{a}' link2='l{COUNT - b}' reason='Never'/>"
                     for a in range(few) for b in range(few))
    ball = "<collision><geometry><sphere radius='1'/></geometry></collision>"
    star = f"<link name='o'>{ball}</link>" + "".join(
        f"<link name='l{i}'>{ball}</link>" + joint(i, "o", f"l{i}") for i in range(250))
    rules = "<disable_collisions link1='o' link2='l0' reason='Adjacent'/>" * 10 * COUNT
    for name, body, srdf in (("hidden pairs", ends, hidden), ("one pair", star, rules)):
        path = folder / (name.replace(" ", "_") + ".srdf")
        path.write_bytes(robot(srdf))
        yield Input("large", "SRDF of " + name, robot(body), path, False)


def deep_files():
    for depth in (60, 64, 65, 1000, 100000):
        yield Input("deep", f"{depth} elements", b"<robot name='r'>" + nested("link", depth) + b"</robot>", None, True)
        yield Input("deep", f"{depth} extensions", b"<robot name='r'><link name='a'/>" + nested("gazebo", depth) + b"</robot>",
                    None, True)
    yield Input("deep", "one long name", robot("<link name='" + "a" * 10**6 + "'/>"), None, True)
    yield Input("deep", "one long word", robot("<link name='a'/><joint name='j' type='" + "9" * 10**6 + "'/>"), None, True)
    yield Input("deep", "one long tag", b"<robot name='r'><" + b"a" * 10**6 + b"/></robot>", None, False)


def command_of(graze, verb, item, limit):
    source = "-" if item.text is not None else str(item.name)
    return ["prlimit", f"--cpu={limit}", "--", graze, verb, source, "--quiet"] + (["--srdf", str(item.srdf)] if item.srdf else []) + \
        (["--format", "json"] if verb == "lint" else [])


def run(graze, verb, item, limit):
    """Exit status, output and messages of a command; -1 where it does not end."""
    try:
        done = subprocess.run(command_of(graze, verb, item, limit), input=item.text if item.text is not None else b"",
                              capture_output=True, timeout=30 * limit)
        return done.returncode, done.stdout, done.stderr.decode(errors="replace")
    except subprocess.TimeoutExpired:
        return -1, b"", f"no end after {30 * limit} s"


def report_fault(status, out):
    """What is wrong with a report, or None."""
    if status in (3, 4):
        return "output beside an error" if out else None
    try:
        report = json.loads(out)
    except ValueError as error:
        return f"the report is no JSON: {error}"
    errors = sum(f["severity"] == "error" and not f["suppressed"] for f in report["findings"])
    if errors != report["errors"] or (errors > 0) != (status == 1):
        return f"{errors} errors are listed, {report['errors']} counted, and the exit status is {status}"
    return None


def judge(graze, item, limit):
    """(faults, seconds) of one input."""
    start = time.monotonic()
    status, out, messages = run(graze, "lint", item, limit)
    seconds = time.monotonic() - start
    faults = []
    if status not in (0, 1, 3, 4) or "Sanitizer" in messages or "runtime error" in messages:
        faults.append(f"exit status {status}: {messages.strip()[-600:]}")
    elif report_fault(status, out):
        faults.append(report_fault(status, out))
    if item.agree and status == 0:
        loads, _, why = run(graze, "info", item, limit)
        if loads == 3 and Path(str(item.srdf or item.name)).name not in PASSED:
            faults.append(f"without an error, but it does not load: {why.strip()[-300:]}")
    return faults, seconds


def sanitized(graze):
    return b"__asan_init" in graze.read_bytes()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--graze", required=True, type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--all", action="store_true", help="every input of every fuzz corpus")
    parser.add_argument("--group", action="append", help="only inputs of these groups")
    options = parser.parse_args()
    graze = options.graze.resolve()
    limit = SECONDS * (10 if sanitized(graze) else 1)
    with tempfile.TemporaryDirectory(prefix="graze-hostile-") as folder, \
            concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        folder = Path(folder)
        corpus = list(fuzzed(folder))
        items = [*bad_files(), *corpus[::1 if options.all else 24], *truncations(random.Random(options.seed)), *large_files(folder),
                 *deep_files()]
        items = [item for item in items if not options.group or item.group in options.group]
        results = list(pool.map(lambda item: judge(graze, item, limit), items))
    table = collections.defaultdict(lambda: [0, 0.0, 0])
    for item, (faults, seconds) in zip(items, results):
        row = table[item.group]
        table[item.group] = [row[0] + 1, max(row[1], seconds), row[2] + len(faults)]
        for fault in faults:
            print(f"{item.group}, {item.name}{' with ' + str(item.srdf) if item.srdf else ''}: {fault}")
    print(f"{'inputs':<24}{'runs':>7}{'slowest':>11}{'faults':>9}")
    for group, (runs, slowest, faults) in table.items():
        print(f"{group:<24}{runs:>7}{slowest:>9.2f} s{faults:>9}")
    return 1 if any(faults for faults, _ in results) else 0


if __name__ == "__main__":
    sys.exit(main())
