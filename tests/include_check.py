#!/usr/bin/env python3
"""Fails when an #include points against the arrows between the rooms (docs/architecture.md).

The arrows, and who may use which outside library, are the tables below: this file is their only
place, the document refers here.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Room -> rooms whose headers it may include, besides its own and the public ones it implements.
ROOMS = {
    "base": set(),
    "math": {"base"},
    "mesh": {"base", "math"},
    "robot": {"base", "math", "mesh"},
    "world": {"base", "math", "mesh"},
    "pose": {"base", "math", "robot", "mesh"},
    "broad": {"base", "math", "mesh", "robot", "world"},
    "narrow": {"base", "math", "mesh"},
    "check": {"base", "math", "mesh", "robot", "world", "pose", "broad", "narrow"},
    "load": {"base", "math", "mesh", "robot", "world"},
    "plan": {"base"},
    "planar": {"base", "math"},
    "cli": {"picture"},
    "picture": set(),
}

# Outside headers that only some rooms may see.
OUTSIDE = {
    r"assimp/": {"load"},
    r"expat\.h|jansson\.h|yaml\.h": {"load"},
    r"png\.h": {"picture"},
    r"pthread\.h": {"base", "load"},
    r"cglm/": {"math"},
}

# Calls that open files: the loader, and the command's own input and output.
FILES = re.compile(r"\b(fopen|open|opendir|fdopen|mkstemp|stat)\s*\(")
FILE_ROOMS = {"load", "cli", "picture"}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def check_file(path, room):
    faults = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        where = f"{path.relative_to(ROOT)}:{number}"
        match = INCLUDE.match(line)
        if match:
            faults += check_include(where, room, match.group(2))
        elif room not in FILE_ROOMS and not line.lstrip().startswith("//") and FILES.search(line):
            faults.append(f"{where}: {room} must not open files")
    return faults


def check_include(where, room, name):
    for pattern, allowed in OUTSIDE.items():
        if re.match(pattern, name) and room not in allowed:
            return [f"{where}: only {', '.join(sorted(allowed))} may include <{name}>"]
    target = name.split("/")[0]
    if target in ROOMS and target != room and target not in ROOMS[room]:
        allowed = ", ".join(sorted(ROOMS[room])) or "no other room"
        return [f'{where}: {room} includes "{name}"; allowed: {allowed}']
    return []


def main():
    faults, files = [], 0
    for path in sorted((ROOT / "src").glob("*/*.[ch]")):
        room = path.parent.name
        if room not in ROOMS:
            faults.append(f"src/{room}: not a room of docs/architecture.md")
            continue
        files += 1
        faults += check_file(path, room)
    names = {}
    for path in sorted((ROOT / "src").glob("*/*.[ch]")):
        other = names.setdefault(path.name, path)
        if other != path:
            faults.append(f"{path.relative_to(ROOT)}: the name is taken by {other.relative_to(ROOT)}")
    for path in sorted((ROOT / "include/graze").glob("*.h")):
        files += 1
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if match and match.group(1) == '"' and "/" in match.group(2):
                faults.append(f"{path.relative_to(ROOT)}:{number}: public headers include each other")
    print("\n".join(faults) if faults else f"{files} files, every arrow points the right way")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
