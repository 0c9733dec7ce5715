#!/usr/bin/env python3
"""Writes measured figures into the tables of README.md and docs/benchmarks.md.

    graze bench --fetch DATA --csv table.csv
    tools/benchmark_table.py table.csv [FILE.md ...]

A table is known by the first cell of its header:

    µs per configuration, FK included               medians
    each configuration alone, µs: mean / 99th %     as it says
    times as fast                                   of two threads
    load, median of N fresh processes               times and memory, in columns "ms" and "peak MiB"

The other columns name environments of the CSV, the rows "LIBRARY, METHOD" (load: "LIBRARY: WHAT"). A row
that the CSV does not have is an error: no figure is left over from another run. Without files, both pages
are written.
"""

import re
import sys
from pathlib import Path

from benchmark_csv import plain, read

ROOT = Path(__file__).resolve().parent.parent


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


class Figures:
    def __init__(self, figures):
        self.figures = figures

    def row(self, environment, name):
        figure = self.figures.get((plain(environment), plain(name)))
        if figure is None:
            sys.exit(f"benchmark_table: no row '{name}' for '{environment}' in the CSV")
        return figure

    def medians(self, label, columns):
        if not label.startswith("in collision, of "):
            return label, [f"{self.row(column, label).median:.2f}" for column in columns]
        rows = [self.row(column, "graze, surface, any pair") for column in columns]
        return f"in collision, of {rows[0].rows:,}", [str(row.collisions) for row in rows]

    def alone(self, label, columns):
        both = [[self.row(column, f"{label}, each: {what}").median for what in ("mean", "99th percentile")]
                for column in columns]
        return label, [f"{mean:.2f} / {high:.1f}" for mean, high in both]

    def ratios(self, label, columns):
        return label, [f"{self.row(column, label).median:.2f}" for column in columns]

    def load(self, label, columns):
        # Words in brackets explain, and are no part of the name.
        name = re.sub(r" *\([^)]*\)", "", label)
        suffixes = {"ms": "", "CPU ms": ", CPU", "peak MiB": ", peak"}
        rows = [self.row("load", name + suffixes[column]) for column in columns]
        return label, [f"{row.median:.0f}" if row.median >= 100 else f"{row.median:.1f}" for row in rows]


KINDS = [(re.compile(r"µs per configuration, FK included$"), Figures.medians),
         (re.compile(r"each configuration alone, µs: mean / 99th %$"), Figures.alone),
         (re.compile(r"times as fast$"), Figures.ratios),
         (re.compile(r"load, median of \d+ fresh processes$"), Figures.load)]


def rewrite(path, figures):
    lines, fill, columns = [], None, []
    for line in path.read_text().split("\n"):
        if not line.startswith("|"):
            fill = None
        elif fill is None:
            first, *columns = cells(line)
            fill = next((fill for header, fill in KINDS if header.match(first)), False)
        elif fill and not set(line) <= set("|-: "):
            label, values = fill(figures, cells(line)[0], columns)
            line = "| " + " | ".join([label] + values) + " |"
        lines.append(line)
    path.write_text("\n".join(lines))


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    pages = [Path(p) for p in sys.argv[2:]] or [ROOT / "README.md", ROOT / "docs/benchmarks.md"]
    _, figures = read(sys.argv[1])
    for page in pages:
        rewrite(page, Figures(figures))


if __name__ == "__main__":
    main()
