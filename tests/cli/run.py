#!/usr/bin/env python3
"""Runs the command transcripts: tests/cli/*.txt, exact output and exit status of `graze`.

    tests/cli/run.py --graze build/graze [--update] [NAME ...]

A transcript is a list of entries:

    # a comment
    $ graze check arm.urdf -q 0,0      a shell command, run in a scratch folder
    | free                             what it must print on stdout, line by line
    ! graze: ...                       ... and on stderr
    = 0                                its exit status

The scratch folder holds a copy of tests/cli/data, one per transcript; commands see SRC (the
repository) and BAD (tests/bad/config), and the helpers in tests/cli/tools. Measured times become T,
counts of work N, before they are compared. --update writes what was found into the transcripts, for review by
reading the difference.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent

# What differs from run to run or is the business of the engine alone, and what stands for it.
MEASURED = [
    (re.compile(r"mean \d+\.\d+ us/config"), "mean T us/config"),
    (re.compile(r"\d+ iterations, trees of \d+ and \d+, \d+ configurations checked, \d+\.\d+ s"),
     "N iterations, trees of N and N, N configurations checked, T s"),
    (re.compile(r'^("(iterations|configurations_checked|edges_checked)":)\d+', re.M), r"\1N"),
    (re.compile(r"in \d+ ms\b"), "in T ms"),
    (re.compile(r"nodes searched, \d+\.\d+ ms"), "nodes searched, T ms"),
    (re.compile(r"\d+\.\d+ us each"), "T us each"),
]


class Entry:
    """One command with what is expected of it."""

    def __init__(self, head, command, number):
        self.head = head  # comments and blank lines in front
        self.command = command
        self.number = number
        self.out, self.err, self.status = [], [], 0

    def text(self):
        lines = self.head + ["$ " + line if i == 0 else "> " + line
                             for i, line in enumerate(self.command)]
        lines += ["| " + line if line else "|" for line in self.out]
        lines += ["! " + line if line else "!" for line in self.err]
        return lines + [f"= {self.status}"]


def parse(path):
    entries, head = [], []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        mark, rest = line[:1], line[2:]
        if mark == "$":
            entries.append(Entry(head, [rest], number))
            head = []
        elif mark == ">" and entries:
            entries[-1].command.append(rest)
        elif mark == "|" and entries:
            entries[-1].out.append(rest)
        elif mark == "!" and entries:
            entries[-1].err.append(rest)
        elif mark == "=" and entries:
            entries[-1].status = int(rest)
        elif mark in ("#", ""):
            head.append(line)
        else:
            sys.exit(f"{path}:{number}: not a line of a transcript: {line}")
    return entries, head


def environment(graze, scratch):
    env = {name: value for name, value in os.environ.items()
           if not name.startswith(("GRAZE", "ROS_", "AMENT", "LC_"))}
    env.update(PATH=f"{HERE / 'tools'}:{scratch / '.bin'}:{os.environ['PATH']}", LC_ALL="C.UTF-8",
               SRC=str(ROOT), BAD=str(ROOT / "tests/bad/config"), TERM="xterm", PYTHONDONTWRITEBYTECODE="1")
    env.pop("NO_COLOR", None)
    (scratch / ".bin").mkdir()
    (scratch / ".bin" / "graze").symlink_to(graze)
    return env


def tidy(data):
    """Output as lines, without what differs from machine to machine."""
    text = data.decode("utf-8", "backslashreplace")
    # Control characters are shown, so that a transcript stays text.
    text = re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", lambda m: f"^{chr(ord(m[0]) ^ 64)}", text)
    text = text.replace(str(ROOT), "SRC")
    for pattern, stand_in in MEASURED:
        text = pattern.sub(stand_in, text)
    lines = text.split("\n")
    if lines[-1] == "":
        return lines[:-1]
    return lines[:-1] + [lines[-1] + " (no newline)"]


def run_file(path, graze, update):
    entries, tail = parse(path)
    faults = 0
    with tempfile.TemporaryDirectory(prefix="graze-cli-") as folder:
        scratch = Path(folder) / "run"
        shutil.copytree(HERE / "data", scratch)
        env = environment(graze, scratch)
        for entry in entries:
            done = subprocess.run(["bash", "-c", "\n".join(entry.command)], cwd=scratch, env=env,
                                  stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
            found = tidy(done.stdout), tidy(done.stderr), done.returncode
            expected = entry.out, entry.err, entry.status
            if found == expected:
                continue
            if update:
                entry.out, entry.err, entry.status = found
            else:
                faults += 1
                report(path, entry, found, expected)
    if update:
        lines = [line for entry in entries for line in entry.text()] + tail
        path.write_text("\n".join(lines) + "\n")
    return len(entries), faults


def report(path, entry, found, expected):
    print(f"{path.relative_to(ROOT)}:{entry.number}: $ {' '.join(entry.command)}")
    for name, got, wanted in zip(("stdout", "stderr", "status"), found, expected):
        if got != wanted:
            print(f"  {name} expected:")
            for line in wanted if isinstance(wanted, list) else [wanted]:
                print(f"    {line}")
            print(f"  {name} found:")
            for line in got if isinstance(got, list) else [got]:
                print(f"    {line}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--graze", required=True, type=Path)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("names", nargs="*", help="transcripts, e.g. check_formats")
    arguments = parser.parse_args()
    graze = arguments.graze.resolve()
    if not os.access(graze, os.X_OK):
        sys.exit(f"{graze} is not a program")
    # The tour runs commands that other transcripts have, on a larger robot: under sanitizers for half a minute.
    left_out = {"demo"} if b"__asan_init" in graze.read_bytes() and not arguments.names else set()
    total = faults = 0
    for path in sorted(HERE.glob("*.txt")):
        if path.stem in left_out or (arguments.names and path.stem not in arguments.names):
            continue
        count, wrong = run_file(path, graze, arguments.update)
        total += count
        faults += wrong
    print(f"transcripts: {total} commands, {faults} not as expected")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
