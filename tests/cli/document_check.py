#!/usr/bin/env python3
"""Fails when --help, docs/cli.md, docs/graze.1 and the completion do not name the same options.

    tests/cli/document_check.py --graze build/graze
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
ROADMAP = ["build", "query", "update", "info"]
PLANAR = ["distance", "approach", "obstacle", "field", "constraint", "scene", "cspace"]
COMMANDS = ["demo", "info", "check", "compile", "cspace", "lint", "srdf", "distance", "motion", "certify", "plan", "ik", "sweep", "view", "export", "verify", "bench"] + [f"planar {name}" for name in PLANAR] + [f"roadmap {name}" for name in ROADMAP]


def helped(graze, command):
    """The long options that a command's help lists."""
    text = subprocess.run([graze, *command.split(), "--help"], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"^ +(?:-\w, )?--([\w-]+)", text, re.M))


def completed(command):
    """The options that the completion offers for a command."""
    script = f"""source {ROOT}/src/cli/completion.bash
COMP_WORDS=(graze {command} --) COMP_CWORD={len(command.split()) + 1}
_graze; printf '%s\\n' "${{COMPREPLY[@]}}" """
    text = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True).stdout
    return {word[2:] for word in text.split()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--graze", required=True)
    graze = parser.parse_args().graze
    manual = (ROOT / "docs/graze.1").read_text()
    in_manual = set(re.findall(r"(?:Fl|,) (?:\w , )?-([a-z][\w-]+)", manual))
    in_page = set(re.findall(r"--([a-z][\w-]+)", (ROOT / "docs/cli.md").read_text()))
    known, faults = {"help", "version"}, []
    for command in COMMANDS:
        options = helped(graze, command)
        known |= options
        for place, found in [("docs/graze.1", in_manual), ("docs/cli.md", in_page),
                             ("completion.bash", completed(command))]:
            faults += [f"{place} lacks --{name} of {command}" for name in sorted(options - found)]
        faults += [f"completion.bash offers --{name}, which {command} does not know"
                   for name in sorted(completed(command) - options)]
    for place, found in [("docs/graze.1", in_manual), ("docs/cli.md", in_page)]:
        faults += [f"{place} names --{name}, which no command knows"
                   for name in sorted(found - known - {"conf", "name"})]
    print("\n".join(faults) or f"{len(known)} options, the same everywhere")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
