#!/usr/bin/env python3
"""Validates the linter's SARIF against the JSON schema of SARIF 2.1.0.

    npm pack @microsoft/jest-sarif && tar xzf microsoft-jest-sarif-*.tgz     # ships the schema
    GRAZE_SARIF_SCHEMA=package/lib/schemas/sarif-2.1.0-rtm.5.json tests/lint/sarif_schema.py --graze build/graze

Every must-fail description and SRDF, the robots that ship, and names that need quoting. Skips (77), saying
so, without the schema (GRAZE_SARIF_SCHEMA, or an npm installation of that package) or without
python3-jsonschema.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
IN_PACKAGE = "@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"
QUOTED = ("<robot name='r'>\n<!-- graze-lint: off T008 --><link name='a &quot;b&quot; \\ &#9;\U0001f916'/>"
          "<link name='&lt;/c&gt;'/></robot>")


def schema_path():
    """The schema's file, or None."""
    folders = ["/usr/local/lib/node_modules", "/usr/lib/node_modules", str(ROOT / "node_modules"),
               os.environ.get("NODE_PATH", "")]
    places = [os.environ.get("GRAZE_SARIF_SCHEMA", "")] + [f"{folder}/{IN_PACKAGE}" for folder in folders if folder]
    return next((Path(p) for p in places if p and Path(p).is_file()), None)


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def logs(graze):
    """Name -> SARIF log of a run."""
    runs = {str(p.relative_to(ROOT)): ([str(p.relative_to(ROOT))], None)
            for folder in ("tests/bad/urdf", "urdf") for p in sorted((ROOT / folder).glob("*.urdf"))}
    good = "tests/bad/srdf/good.urdf"
    for path in sorted((ROOT / "tests/bad/srdf").glob("*.srdf")):
        runs[str(path.relative_to(ROOT))] = ([good, "--srdf", str(path)], None)
    runs["names that need quoting"] = (["-"], QUOTED)
    for name, (words, text) in runs.items():
        done = subprocess.run([graze, "lint", *words, "--quiet", "--format", "sarif"], input=text, cwd=ROOT,
                              capture_output=True, text=True, timeout=60)
        if done.returncode in (0, 1):
            yield name, json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--graze", required=True, type=Path)
    graze = parser.parse_args().graze.resolve()
    try:
        import jsonschema
    except ImportError:
        skip("python3-jsonschema is not installed")
    path = schema_path()
    if not path:
        skip(f"no schema: set GRAZE_SARIF_SCHEMA, or npm install -g {IN_PACKAGE.split('/lib')[0]}")
    schema = json.loads(path.read_text())
    validator = jsonschema.validators.validator_for(schema)(schema)
    count = results = faults = 0
    for name, log in logs(graze):
        count += 1
        results += sum(len(run["results"]) for run in log["runs"])
        for error in list(validator.iter_errors(log))[:5]:
            faults += 1
            print(f"{name}: {'/'.join(map(str, error.absolute_path))}: {error.message[:200]}")
    # A validator that passes anything would pass this, too.
    broken = dict(log, version="2.0.0")
    if count < 100 or results < 100 or not list(validator.iter_errors(broken)):
        print(f"{count} logs, {results} results: the check is empty")
        return 1
    print(f"{count} logs with {results} results, {faults} faults by {path.name}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
