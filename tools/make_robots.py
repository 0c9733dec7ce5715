#!/usr/bin/env python3
"""Makes everything under urdf/, meshes/ and worlds/ from nothing but the Python standard library.

  python3 tools/make_robots.py            write the files
  python3 tools/make_robots.py --check    compare with the files on disk; exit 1 when they differ
  python3 tools/make_robots.py --verify   look the made things over: meshes, trees, poses, worlds
"""

import argparse
import os
import sys

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tools"))

from robotgen import heron, scenery, shape, small_robots, urdf, verify, worlds  # noqa: E402

OWNED = ("meshes/heron", "worlds")  # folders in which a file that nothing makes is a leftover


class Made:
    """All that is made, as objects for --verify and as {path: bytes} for the disk."""

    def __init__(self):
        self.coarse = heron.shapes(shape.COARSE)
        self.fine = heron.shapes(shape.FINE)
        self.heron = heron.robot(self.coarse)
        self.semantics = heron.semantics(self.heron)
        self.small = [small_robots.two_link(), small_robots.six_axis()]
        self.scenery = scenery.shapes()
        self.worlds = worlds.worlds()

    def files(self):
        out = heron.mesh_files(self.coarse, self.fine)
        for robot, semantics in [(self.heron, self.semantics)] + self.small:
            out["urdf/%s.urdf" % robot.name] = urdf.text(robot)
            out["urdf/%s.srdf" % robot.name] = semantics.text()
        out.update(scenery.files(self.scenery))
        out.update(worlds.files(self.worlds))
        return out


def write(files):
    for path, data in files.items():
        full = os.path.join(ROOT, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "wb") as file:
            file.write(data)
    print("wrote %d files, %d bytes" % (len(files), sum(len(data) for data in files.values())))


def differences(files):
    """Lines that say how the disk departs from what would be made."""
    found = []
    for path, data in files.items():
        full = os.path.join(ROOT, path)
        if not os.path.exists(full):
            found.append("missing: " + path)
        elif open(full, "rb").read() != data:
            found.append("differs: " + path)
    for folder in OWNED:
        for where, _, names in os.walk(os.path.join(ROOT, folder)):
            for name in names:
                path = os.path.relpath(os.path.join(where, name), ROOT).replace(os.sep, "/")
                if path not in files and not name.endswith(".md"):
                    found.append("left over: " + path)
    return sorted(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--check", action="store_true", help="compare with the files on disk")
    mode.add_argument("--verify", action="store_true", help="look the made things over")
    arguments = parser.parse_args()
    made = Made()
    files = made.files()
    if arguments.check:
        found = differences(files)
        print("\n".join(found) if found else "all %d files are as made" % len(files))
        return 1 if found else 0
    if arguments.verify:
        return verify.report(made, files)
    write(files)
    return 0


if __name__ == "__main__":
    sys.exit(main())
