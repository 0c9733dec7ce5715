#!/usr/bin/env python3
"""Loads robots with oddities of real files: each loads, as whole as another parser counts it, with exactly the
warnings that expected.tsv names, and with --strict only where it names none. With GRAZE_TEST_DATA all robots there
are loaded, too, with the warnings of expected_data.tsv.

    tests/odd/check.py --graze build/graze [--update-data]
"""

import argparse
import json
import os
import subprocess
import sys
import xml.etree.ElementTree
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent


def read_table(path):
    rows = (line.split("\t") for line in path.read_text().splitlines() if line and not line.startswith("#"))
    return {name: warnings for name, warnings in rows}


def warnings_of(said):
    counts = Counter()
    for warning in said["warnings"]:
        counts[warning["code"]] += warning["count"]
    return " ".join(f"{code}={count}" for code, count in sorted(counts.items())) or "-"


def count_elements(path):
    """Links, joints and collision elements, by another parser: blanks in front and the mark are left out."""
    root = xml.etree.ElementTree.fromstring(path.read_bytes().removeprefix(b"\xef\xbb\xbf").lstrip())
    return len(root.findall("link")), len(root.findall("joint")), len(root.findall("link/collision"))


def load(graze, path, *options):
    run = subprocess.run([graze, "info", str(path), "--format", "json", "--quiet", *options], capture_output=True,
                         text=True, timeout=120)
    return run.returncode, json.loads(run.stdout) if run.returncode == 0 else run.stderr


def check_one(graze, path, wanted, *options):
    """What is wrong with the load of one robot; None if nothing is."""
    status, said = load(graze, path, *options)
    if status:
        return f"exit status {status}: {said}"
    found = warnings_of(said)
    if found != wanted:
        return f"warnings {found}, not {wanted}"
    counts = len(said["links"]), len(said["joints"]), len(said["collision_elements"])
    if counts != count_elements(path):
        return f"(links, joints, collisions) {counts}, not {count_elements(path)}"
    strict, _ = load(graze, path, "--strict", *options)
    if strict != (0 if wanted == "-" else 3):
        return f"exit status {strict} with --strict"
    return None


def check_unused_vertex(graze):
    """A vertex that no triangle uses, 50 m away, is in no bound."""
    _, said = load(graze, HERE / "obj_unused_vertex.urdf")
    sphere = said["links"][0]["bounds"]["sphere"]
    return None if sphere["radius"] < 0.1 else f"bounds of unused vertices: {sphere}"


def check_data(graze, data, update):
    robots = sorted(p for p in Path(data).rglob("*.urdf"))
    table = HERE / "expected_data.tsv"
    packages = f"{data}/robots:{data}/robots/example-robot-data/robots"
    if update:
        rows = []
        for path in robots:
            status, said = load(graze, path, "--package-path", packages)
            rows.append(f"{path.relative_to(data)}\t{warnings_of(said) if status == 0 else 'refused'}")
        table.write_text("# Robots of GRAZE_TEST_DATA, and the warnings with which they load.\n" + "\n".join(rows) + "\n")
    wrong = []
    for name, wanted in read_table(table).items():
        if wanted == "refused":
            status, _ = load(graze, Path(data) / name, "--package-path", packages)
            found = None if status == 3 else f"exit status {status}, not 3"
        else:
            found = check_one(graze, Path(data) / name, wanted, "--package-path", packages)
        wrong += [f"{name}: {found}"] if found else []
    print(f"{len(robots)} robots of GRAZE_TEST_DATA: {len(wrong)} not as expected")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graze", required=True)
    parser.add_argument("--update-data", action="store_true")
    arguments = parser.parse_args()
    graze = os.path.abspath(arguments.graze)
    expected = read_table(HERE / "expected.tsv")
    wrong = [f"{path.name}: is not in expected.tsv" for path in HERE.glob("*.urdf") if path.name not in expected]
    for name, wanted in expected.items():
        found = check_one(graze, HERE / name, wanted, "--package-path", str(HERE / "packages"))
        wrong += [f"{name}: {found}"] if found else []
    unused = check_unused_vertex(graze)
    wrong += [unused] if unused else []
    print(f"{len(expected)} odd robots: {len(wrong)} not as expected")
    data = os.environ.get("GRAZE_TEST_DATA")
    if data:
        wrong += check_data(graze, data, arguments.update_data)
    else:
        print("GRAZE_TEST_DATA is not set: no real robots to load")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
