#!/usr/bin/env python3
"""Keeps docs/lint-review.md true: what the linter says of every robot of GRAZE_TEST_DATA, and of those that
ship, is what the page explains, count by count.

    GRAZE_TEST_DATA=DIR tests/lint/review.py --graze build/graze [--print TIER]

Each tier has a section, "## schema (U)" and so on, with a table of robot, rule, severity, count, whether it
is true, and why. A section's rows must be exactly what is found; tiers without a section are not looked at.
--print writes the rows of a tier as found, for the page. Skips (77) without GRAZE_TEST_DATA.
"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs/lint-review.md"
EXAMPLES = "example-robot-data/robots/"

# Name -> URDF and SRDF below GRAZE_TEST_DATA/robots; those that ship are below the repository.
ROBOTS = {
    "fetch": ("fetch_description/robots/fetch.urdf", "fetch_moveit_config/config/fetch.srdf"),
    "fetch_mbm": ("fetch_description/robots/fetch.urdf", "fetch_mbm.srdf"),
    "freight": ("fetch_description/robots/freight.urdf", ""),
    "panda": (EXAMPLES + "panda_description/urdf/panda.urdf", EXAMPLES + "panda_description/srdf/panda.srdf"),
    "panda_mbm": ("panda_mbm/panda.urdf", "panda_mbm/panda.srdf"),
    "ur5": (EXAMPLES + "ur_description/urdf/ur5_robot.urdf", EXAMPLES + "ur_description/srdf/ur5.srdf"),
    "fanuc": ("moveit_resources_fanuc_description/urdf/fanuc.urdf", ""),
    "anymal": (EXAMPLES + "anymal_c_simple_description/urdf/anymal.urdf",
               EXAMPLES + "anymal_c_simple_description/srdf/anymal.srdf"),
    "icub": (EXAMPLES + "icub_description/robots/icub.urdf", EXAMPLES + "icub_description/srdf/icub.srdf"),
    "humanoid": (EXAMPLES + "simple_humanoid_description/urdf/simple_humanoid.urdf",
                 EXAMPLES + "simple_humanoid_description/srdf/simple_humanoid.srdf"),
    "heron": ("urdf/heron.urdf", "urdf/heron.srdf"),
    "six_axis": ("urdf/six_axis.urdf", "urdf/six_axis.srdf"),
    "two_link": ("urdf/two_link.urdf", "urdf/two_link.srdf"),
}


def findings(graze, robots, urdf, srdf, tiers):
    """What is found; the tier that poses the robot takes seconds, and runs where it is asked for."""
    base = ROOT if urdf.startswith("urdf/") else robots
    command = [graze, "lint", str(base / urdf), "--format", "json", "--quiet", "--package-path", str(robots)]
    command += [] if "self" in tiers else ["--tier", "self=off"]
    done = subprocess.run(command + (["--srdf", str(base / srdf)] if srdf else []), capture_output=True, text=True,
                          timeout=120)
    if done.returncode not in (0, 1):
        sys.exit(f"{urdf}: exit status {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)["findings"]


def found_rows(graze, robots, tiers):
    """(tier, robot, rule, severity) -> how many findings."""
    rows = collections.Counter()
    for name, (urdf, srdf) in ROBOTS.items():
        for f in findings(graze, robots, urdf, srdf, tiers):
            rows[f["tier"], name, f["rule"], f["severity"]] += 1
    return rows


def told_rows(text):
    """The same from the page, and what is wrong with its tables."""
    rows, tiers, faults, tier = collections.Counter(), set(), [], None
    for number, line in enumerate(text.splitlines(), 1):
        heading = re.match(r"## (\w+) \([A-Z]\)$", line)
        if heading:
            tier = heading.group(1)
            tiers.add(tier)
        elif line.startswith("## "):
            tier = None
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if tier is None or len(cells) < 6 or not re.fullmatch(r"[A-Z]\d{3}", cells[1]):
            continue
        names, rule, severity, count, true, why = cells[0], *cells[1:5], "|".join(cells[5:])
        if true not in ("yes", "no", "partly") or len(why) < 10 or not count.isdigit():
            faults.append(f"docs/lint-review.md:{number}: allowed: a count, yes, no or partly, and a reason")
            continue
        if severity == "error" and true != "yes":
            faults.append(f"docs/lint-review.md:{number}: an error that is not true")
        for name in names.split(", "):
            rows[tier, name, rule, severity] += int(count)
    return rows, tiers, faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--graze", required=True, type=Path)
    parser.add_argument("--print", dest="shown", help="write the rows of this tier and stop")
    options = parser.parse_args()
    data = os.environ.get("GRAZE_TEST_DATA")
    if not data:
        print("skipped: GRAZE_TEST_DATA is not set")
        return 77
    told, tiers, faults = told_rows(PAGE.read_text()) if PAGE.exists() else ({}, set(), [])
    tiers |= {options.shown} if options.shown else set()
    found = found_rows(options.graze.resolve(), Path(data).resolve() / "robots", tiers)
    if options.shown:
        for (tier, robot, rule, severity), count in sorted(found.items(), key=lambda item: item[0][2]):
            if tier == options.shown:
                print(f"| {robot} | {rule} | {severity} | {count} | yes |  |")
        return 0
    found = collections.Counter({row: count for row, count in found.items() if row[0] in tiers})
    for row in sorted(set(found) | set(told)):
        if found[row] != told[row]:
            faults.append(f"{' '.join(row)}: {found[row]} found, {told[row]} in docs/lint-review.md")
    errors = sum(count for row, count in found.items() if row[3] == "error")
    print("\n".join(faults) or f"{sum(found.values())} findings, {errors} of them errors, on {len(ROBOTS)} robots "
          f"are as docs/lint-review.md explains them, tiers {', '.join(sorted(tiers))}")
    return 1 if faults or not tiers else 0


if __name__ == "__main__":
    sys.exit(main())
