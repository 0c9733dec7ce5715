#!/usr/bin/env python3
"""Writes measured medians into the tables of README.md and docs/benchmarks.md.

    graze-bench-peers --fetch DATA --csv table.csv
    tools/benchmark_table.py table.csv [FILE.md ...]

A table is known by its header, "| µs per configuration, FK included | ENVIRONMENT | ...": its columns
name environments of the CSV, its rows "LIBRARY, METHOD". A row that the CSV does not have is an
error: no figure is left over from another run. Without files, both pages are written.
"""

import csv
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADER = re.compile(r"^\| µs per configuration, FK included \|")


def plain(name):
    """Names without what only writing adds: "shelf, triangulated" is "shelf triangulated"."""
    return " ".join(re.findall(r"[a-z0-9]+", name.lower()))


def read(path):
    """Median and number of collisions by (environment, library and method)."""
    with open(path, newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {(plain(r["environment"]), plain(f"{r['library']} {r['method']}")): r for r in rows}


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def fill(line, environments, measured):
    label = cells(line)[0]
    if set(label) <= set("-: "):
        return line
    if label.startswith("in collision, of "):
        reference = plain("graze surface, any pair")
        figures = [measured[environment, reference]["collisions"] for environment in environments]
        count = int(measured[environments[0], reference]["rows"])
        label = f"in collision, of {count:,}"
    else:
        figures = []
        for environment in environments:
            row = measured.get((environment, plain(label)))
            if row is None:
                sys.exit(f"benchmark_table: no row '{label}' for '{environment}' in the CSV")
            figures.append(f"{float(row['median_us']):.2f}")
    return "| " + " | ".join([label] + figures) + " |"


def rewrite(path, measured):
    lines, environments = [], None
    for line in path.read_text().split("\n"):
        if HEADER.match(line):
            environments = [plain(cell) for cell in cells(line)[1:]]
        elif not line.startswith("|"):
            environments = None
        elif environments:
            line = fill(line, environments, measured)
        lines.append(line)
    path.write_text("\n".join(lines))


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    pages = [Path(p) for p in sys.argv[2:]] or [ROOT / "README.md", ROOT / "docs/benchmarks.md"]
    measured = read(sys.argv[1])
    for page in pages:
        rewrite(page, measured)


if __name__ == "__main__":
    main()
