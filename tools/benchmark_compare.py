#!/usr/bin/env python3
"""Says what became faster or slower between two runs of `graze bench --csv FILE`.

    tools/benchmark_compare.py OLD.csv NEW.csv
    tools/benchmark_compare.py bench/baselines/fetch.csv NEW.csv --all

A figure has changed when the ranges of the two runs, least to most, lie apart: what lies within them is
the machine's noise. Rows of peers show how much the machine itself differs; --relative LIBRARY divides
each row by how much the rows of that library changed in its environment (the median of them), which
compares runs on machines that differ. Exit status 1: something of graze is slower.
"""

import argparse
import statistics
import sys

from benchmark_csv import read


def drift_of(library, keys, old, new):
    """How much the rows of a library changed, by environment."""
    ratios = {}
    for key in keys:
        if old[key].library == library and old[key].unit == "us" and "each" not in key[1]:
            ratios.setdefault(key[0], []).append(new[key].median / old[key].median)
    return {environment: statistics.median(found) for environment, found in ratios.items()}


def main():
    parser = argparse.ArgumentParser(description="Compares two runs of graze bench.")
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--all", action="store_true", help="also what lies within the noise")
    parser.add_argument("--relative", metavar="LIBRARY", help="to how much this one's rows changed")
    arguments = parser.parse_args()
    (old_notes, old), (new_notes, new) = read(arguments.old), read(arguments.new)
    for name in sorted(set(old_notes) | set(new_notes)):
        was, now = old_notes.get(name, "-"), new_notes.get(name, "-")
        print(f"{name}: {was}" + (f" -> {now}" if was != now else ""))
    keys = [key for key in old if key in new]
    drift = drift_of(arguments.relative, keys, old, new) if arguments.relative else {}
    if arguments.relative and not drift:
        sys.exit(f"benchmark_compare: no rows of {arguments.relative} in both")

    slower = changed = 0
    for key in keys:
        was, now = old[key], new[key]
        scale = drift.get(key[0], 1) if was.unit == "us" else 1
        least, median, most = now.least / scale, now.median / scale, now.most / scale
        # "So many times faster" is the one unit where more is better.
        grown, shrunk = least > was.most, most < was.least
        worse = shrunk if was.unit == "x" else grown
        if not (grown or shrunk or arguments.all) or was.median == 0:
            continue
        changed += grown or shrunk
        slower += worse and was.library == "graze"
        mark = "slower" if worse else "faster" if grown or shrunk else ""
        print(f"  {median / was.median:6.3f} {mark:<6}  {was.median:9.3f} -> {median:9.3f} {was.unit:<3}  "
              f"{was.environment}: {was.library}, {was.method}")
    for name, keys_of, others in [("old", old, new), ("new", new, old)]:
        missing = [key for key in keys_of if key not in others]
        if missing:
            print(f"only in the {name} run: {len(missing)} figures, such as {': '.join(missing[0])}")
    print(f"{len(keys)} figures in both, {changed} beyond the spread, {slower} of graze slower")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
