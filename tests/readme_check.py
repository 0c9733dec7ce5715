#!/usr/bin/env python3
"""README.md and docs/ say what is so.

    tests/readme_check.py BUILD_FOLDER

- README.md shows examples/first_check.c word for word.
- Its measured rows are rows of docs/benchmarks.md.
- Every command of a ```console block prints what stands below it. The commands run in a scratch
  folder that holds what a clone holds, build/graze being the one under test; a line `...` stands for
  any number of lines; measured times and the counters of --explain are not compared. `$ echo $?` shows an exit status.
- Every link to a file leads somewhere.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MARK = "\x01end of command\x01"
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")
# Sources in prose: with their folder, or by name alone. Capital letters stand for a name of one's own.
SOURCE = re.compile(r"`((?:(?:src|include)/[a-z0-9_/]+|[a-z0-9_]+)\.(?:c|h|inl|hpp))`")
MEASURED = [(re.compile(r"\b\d+(\.\d+)? (ms|us|s)\b"), r"T \2"),
            (re.compile(r"\b(free|collision)( +\d+){5}"), r"\1 COUNTERS")]


def pages():
    found = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "tests/README.md",
             ROOT / "tools/README.md", ROOT / "CHANGELOG.md"]
    return [page for page in found if page.exists()]


def masked(text):
    for pattern, stand_in in MEASURED:
        text = pattern.sub(stand_in, text)
    return [line.rstrip() for line in text.rstrip("\n").split("\n")] if text.strip() else []


def fits(expected, found):
    """Whether the lines fit, where `...` stands for any number of lines."""
    if not expected:
        return not found
    if expected[0].strip() == "...":
        return any(fits(expected[1:], found[skip:]) for skip in range(len(found) + 1))
    return bool(found) and expected[0] == found[0] and fits(expected[1:], found[1:])


def parse(block):
    """The commands of a console block, each with the lines below it; a command goes on after a \\."""
    entries = []
    goes_on = False
    for line in block.splitlines():
        if goes_on:
            entries[-1][0] += "\n" + line.removeprefix("> ")
        elif line.startswith("$ "):
            entries.append([line[2:], []])
        elif entries:
            entries[-1][1].append(line)
        else:
            raise ValueError("a console block begins with '$ '")
        goes_on = (goes_on or line.startswith("$ ")) and line.endswith("\\")
    return entries


def run_block(entries, folder):
    """Runs the commands in one shell, so that variables and $? go on; returns what each printed."""
    script = "".join(f"{command}\ns=$?; printf '%s\\n' '{MARK}'; (exit $s)\n"
                     for command, _ in entries)
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("GRAZE_", "ROS_", "AMENT_"))}
    result = subprocess.run(["bash", "-c", script], cwd=folder, env=environment, text=True,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, timeout=300)
    return result.stdout.split(MARK + "\n")


def check_commands(page, text, graze):
    faults, count = [], 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for name in ("urdf", "meshes", "worlds", "examples", "tests", "package.xml"):
            (folder / name).symlink_to(ROOT / name)
        (folder / "build").mkdir()
        (folder / "build/graze").symlink_to(graze)
        for language, block in FENCE.findall(text):
            if language != "console":
                continue
            entries = parse(block)
            for (command, expected), found in zip(entries, run_block(entries, folder)):
                count += 1
                if not fits(masked("\n".join(expected)), masked(found)):
                    faults.append(f"{page}: '{command}' prints\n{found.rstrip()}\n--- and not\n"
                                  + "\n".join(expected))
    return faults, count


def check_links(page, text):
    prose = FENCE.sub("", text)
    return [f"{page.relative_to(ROOT)}: link to {target}, which is not there"
            for target in LINK.findall(prose)
            if not re.match(r"[a-z]+:", target) and not (page.parent / target).exists()]


def check_sources(page, text):
    """Files of src, include, tests and examples that a page names and that are gone. The changelog may name them."""
    if page.name == "CHANGELOG.md":
        return []
    names = {path.name for folder in ("src", "include", "tests", "examples", "bench") for path in (ROOT / folder).rglob("*.*")}
    return [f"{page.relative_to(ROOT)}: names {name}, which is not there"
            for name in SOURCE.findall(FENCE.sub("", text))
            if not ((ROOT / name).exists() if "/" in name else name in names or name.startswith("x"))]


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: tests/readme_check.py BUILD_FOLDER")
    graze = (Path(sys.argv[1]) / "graze").resolve()
    if not graze.exists():
        sys.exit(f"{graze}: not there; build it first")
    readme, program = (ROOT / "README.md").read_text(), (ROOT / "examples/first_check.c").read_text()
    faults, commands = [], 0
    if program not in [block for language, block in FENCE.findall(readme) if language == "c"]:
        faults.append("README.md does not show examples/first_check.c word for word")
    measured = (ROOT / "docs/benchmarks.md").read_text().splitlines()
    for row in re.findall(r"^\| (?:graze|FCL|ODE|Bullet).*\d \|$", readme, re.M):
        if row not in measured:
            faults.append(f"README.md: not a row of docs/benchmarks.md: {row}")
    for page in pages():
        text = page.read_text()
        faults += check_links(page, text) + check_sources(page, text)
        page_faults, count = check_commands(page.relative_to(ROOT), text, graze)
        faults += page_faults
        commands += count
    print("\n".join(faults) if faults
          else f"{len(pages())} pages, {commands} commands: what they say is so")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
