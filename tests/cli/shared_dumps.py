#!/usr/bin/env python3
"""Fetch's shared configurations (GRAZE_TEST_DATA): dumped by `graze check`, every verdict replayed by
`graze verify`, and compared with what FCL, Coal and ODE agree on. Skips (77) without the data.

    tests/cli/shared_dumps.py --graze build/graze [--rows 200] [--first 0]
"""

import argparse
import json
import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

JOINTS = ["torso_lift_joint", "shoulder_pan_joint", "shoulder_lift_joint", "upperarm_roll_joint",
          "elbow_flex_joint", "forearm_roll_joint", "wrist_flex_joint", "wrist_roll_joint"]

# What is checked, and the shared verdicts that it must give; the last ones' worlds and policies have
# none, or none that hold for them.
CASES = [("self", ["--policy", "surface"], "fetch_self.npy"),
         ("shelf", ["--world", "worlds/shelf.json", "--policy", "surface"], "fetch_shelf.npy"),
         ("clutter", ["--world", "worlds/clutter.ply", "--policy", "surface"], "fetch_clutter.npy"),
         ("self, all pairs", ["--all"], None),
         ("self, capped", ["--policy", "cap"], None),
         ("self, margin 1 mm", ["--margin", "0.001"], None)]


def read_npy(path):
    """The bytes of an array behind its header."""
    data = path.read_bytes()
    size, = struct.unpack("<H", data[8:10])
    return data[10 + size:]


def write_rows(path, data, first, count):
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({count}, {len(JOINTS)}), }}"
    header = header.ljust(117) + "\n"
    row = 8 * len(JOINTS)
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
                     + data[first * row:(first + count) * row])


def run(command, allowed):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in allowed:
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stdout[-2000:]}{done.stderr}")
    return done.stdout


def replay(graze, data, folder, case, first, count):
    """Dumps and replays one case; returns its faults."""
    name, options, shared = case
    options = [str(data / o) if o.startswith("worlds/") else o for o in options]
    run([graze, "check", data / "robots/fetch_description/robots/fetch.urdf", "--srdf",
         data / "verdicts/fetch_75.srdf", "--package-path", data / "robots", "--joints", ",".join(JOINTS),
         "--configs", folder / "rows.npy", "--quiet", "--format", "jsonl", "-o", folder / "verdicts.jsonl",
         "--dump", folder / "fetch.dump", *options], (0, 1))
    found = json.loads(run([graze, "verify", "--format", "json", folder / "fetch.dump"], (0, 1)))
    summary = found["summary"]
    print(f"{name}: {summary['free']} free, {summary['collision']} in collision confirmed, "
          f"{summary['tolerated']} tolerated, {summary['undecided']} undecided, {summary['refuted']} refuted; "
          f"{summary['pairs']} pairs, {summary['triangle_pairs']} triangle pairs")
    faults = [f"{name}: {r['index']}: {r['result']}: {r['message']}" for r in found["results"]
              if r["result"] in ("refuted", "undecided", "no-verdict")]
    if len(found["results"]) != count:
        faults.append(f"{name}: {len(found['results'])} configurations; expected {count}")
    if shared:
        expected = read_npy(data / "verdicts" / shared)[first:first + count]
        faults += [f"{name}: {r['index']}: collision is {r['collision']}, shared is {expected[i]}"
                   for i, r in enumerate(found["results"]) if r["collision"] != bool(expected[i])]
    return faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--graze", required=True, type=Path)
    parser.add_argument("--rows", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    arguments = parser.parse_args()
    data = os.environ.get("GRAZE_TEST_DATA")
    if not data:
        print("GRAZE_TEST_DATA is not set; skipped")
        return 77
    data = Path(data)
    faults = []
    with tempfile.TemporaryDirectory(prefix="graze-dump-") as scratch:
        folder = Path(scratch)
        write_rows(folder / "rows.npy", read_npy(data / "verdicts/fetch_configs.npy"), arguments.first,
                   arguments.rows)
        for case in CASES:
            faults += replay(arguments.graze.resolve(), data, folder, case, arguments.first, arguments.rows)
    print("\n".join(faults))
    print(f"{len(faults)} violations")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
