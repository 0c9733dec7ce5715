"""Reads what `graze bench --csv FILE` writes; the other benchmark_*.py use it."""

import csv
import re
import sys
from dataclasses import dataclass


@dataclass
class Figure:
    environment: str
    library: str
    method: str
    unit: str  # us (of one configuration), ms, MiB, or x (so many times)
    rows: int
    median: float
    least: float
    most: float
    collisions: int  # -1: not a row of verdicts


def plain(name):
    """Names without what only writing adds: "shelf, triangulated" is "shelf triangulated"."""
    return " ".join(re.findall(r"[a-z0-9]+", name.lower()))


def read(path):
    """(what the comments say by name, figures by the plain (environment, library and method))."""
    comments, lines = {}, []
    try:
        with open(path, newline="") as file:
            for line in file:
                if line.startswith("# ") and ": " in line:
                    name, value = line[2:].rstrip("\n").split(": ", 1)
                    comments[name] = value
                else:
                    lines.append(line)
        figures = {}
        for r in csv.DictReader(lines):
            key = plain(r["environment"]), plain(f"{r['library']} {r['method']}")
            if key in figures:
                sys.exit(f"{path}: two rows for {r['environment']}: {r['library']}, {r['method']}")
            figures[key] = Figure(r["environment"], r["library"], r["method"], r["unit"], int(r["rows"]),
                                  float(r["median"]), float(r["least"]), float(r["most"]),
                                  int(r["collisions"] or -1))
    except OSError as error:
        sys.exit(f"{path}: {error.strerror}")
    except (KeyError, ValueError) as error:
        sys.exit(f"{path}: not a table of graze bench: {error}")
    if not figures:
        sys.exit(f"{path}: no figures")
    return comments, figures
