#!/usr/bin/env python3
"""Holds the pages of the lint rules (docs/lint) against the linter.

    tests/lint/examples.py --graze build/graze

Every rule has a page with its name, tier and severity, and stands in the index. The files under
"Fires" make the rule fire, and no error but its own and those that the page names; the files under
"Does not fire" do not make it fire, and are free of errors.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = ROOT / "docs/lint"


def rules(graze):
    """Id -> (name, tier, severity, summary), as the linter lists them."""
    out = subprocess.run([graze, "lint", "--rules"], capture_output=True, text=True, check=True).stdout
    table = {}
    for line in out.splitlines():
        rule, name, tier, severity, summary = line.split(None, 4)
        table[rule] = (name, tier, severity, summary)
    return table


def blocks(text, heading):
    """The files of one section: name -> content."""
    section = re.split(r"^## ", text, flags=re.M)
    for part in section[1:]:
        if part.startswith(heading + "\n"):
            files = dict(re.findall(r"^```(?!sheet|hex)\w+ (\S+)\n(.*?)^```$", part, flags=re.M | re.S))
            for name, digits in re.findall(r"^```hex (\S+)\n(.*?)^```$", part, flags=re.M | re.S):
                files[name] = bytes.fromhex(digits)
            sheet = re.search(r"^```sheet (\d+)$", part, flags=re.M)
            if sheet:
                files["sheet.obj"] = make_sheet(int(sheet.group(1)))
            return files
    return {}


def make_sheet(n):
    """An OBJ file of n x n squares, two triangles each: too long for a page."""
    lines = [f"v {i} {j} 0" for i in range(n + 1) for j in range(n + 1)]
    for i in range(n):
        for j in range(n):
            a = i * (n + 1) + j + 1
            b = a + n + 1
            lines += [f"f {a} {b} {a + 1}", f"f {b} {b + 1} {a + 1}"]
    return "\n".join(lines) + "\n"


def findings(graze, files, options):
    """What the linter says of a folder that holds these files."""
    with tempfile.TemporaryDirectory(prefix="graze-lint-") as folder:
        for name, content in files.items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        command = [graze, "lint", "robot.urdf", "--format", "json", "--quiet", *options]
        if "robot.srdf" in files:
            command += ["--srdf", "robot.srdf"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        report = json.loads(done.stdout)
        if done.returncode != (1 if report["errors"] else 0):
            sys.exit(f"exit status {done.returncode} with {report['errors']} errors")
        return report["findings"]


def check_page(graze, rule, facts, path):
    name, tier, severity, _ = facts
    text = path.read_text()
    faults = []
    if not text.startswith(f"# {rule} {name}\n\nTier {tier}, {severity}.\n"):
        faults.append(f"begins otherwise than '# {rule} {name}' and 'Tier {tier}, {severity}.'")
    allowed = {rule}
    follows = re.search(r"^Other errors that follow from it: (.*)\.$", text, flags=re.M)
    if follows:
        allowed |= set(re.findall(r"[A-Z]\d{3}", follows.group(1)))
    options = re.findall(r"^Option: `(--[a-z-]+)`\.$", text, flags=re.M)
    for heading, wanted in [("Fires", True), ("Does not fire", False)]:
        files = blocks(text, heading)
        if "robot.urdf" not in files:
            faults.append(f"has no robot.urdf under '{heading}'")
            continue
        found = findings(graze, files, options)
        if any(f["rule"] == rule for f in found) != wanted:
            faults.append(f"{'does not fire' if wanted else 'fires'} under '{heading}'")
        errors = {f["rule"] for f in found if f["severity"] == "error"}
        if errors - (allowed if wanted else set()):
            faults.append(f"has other errors under '{heading}': {sorted(errors - allowed)}")
    return [f"docs/lint/{path.name}: {fault}" for fault in faults]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--graze", required=True, type=Path)
    graze = parser.parse_args().graze.resolve()
    table = rules(graze)
    index = (PAGES / "README.md").read_text()
    faults = []
    for rule, facts in table.items():
        name, tier, severity, summary = facts
        if f"| [{rule}]({rule}.md) | {name} | {tier} | {severity} | {summary} |" not in index:
            faults.append(f"docs/lint/README.md: {rule} is missing, or told otherwise")
        path = PAGES / f"{rule}.md"
        faults += check_page(graze, rule, facts, path) if path.exists() else [f"{rule} has no page"]
    faults += [f"docs/lint/{path.name}: no such rule" for path in PAGES.glob("[A-Z][0-9]*.md")
               if path.stem not in table]
    print("\n".join(faults) or f"{len(table)} rules, each with a page that is true")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
