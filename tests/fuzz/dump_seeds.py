#!/usr/bin/env python3
"""Small dumps of verdicts, as `graze check --dump` and `--certificate` of `graze motion` and `graze certify` write them
today: what the target `verify_dump` starts from.

    tests/fuzz/dump_seeds.py --graze build/graze            verifies those of the corpus, and that they are today's
    tests/fuzz/dump_seeds.py --graze build/graze --write    writes them anew, where the format has changed

A fuzzer starts from inputs that are accepted, or it never gets behind the first line that it cannot guess. So each is
replayed by `graze verify`, whole and confirmed, and equals byte for byte what is written today.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import corpora

TARGET = "verify_dump"

BOX = '<collision><geometry><box size="1 1 1"/></geometry></collision>'
LIMIT = '<limit lower="-3" upper="3" effort="1" velocity="1"/>'


def link(name, content=""):
    return f'<link name="{name}">{content}</link>'


def joint(name, kind, parent, child, content=""):
    return (f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{content}</joint>')


def robot(*elements):
    return "<robot name=\"seed\">" + "".join(elements) + "</robot>"


def world(*objects, boundary=4):
    return ('{"format": "graze-world-1", "boundary": {"min": [%g, %g, %g], "max": [%g, %g, %g]}, "objects": [%s]}'
            % (*[-boundary] * 3, *[boundary] * 3, ", ".join(objects)))


def shaped(name, shape, position="[0, 0, 0]"):
    return '{"name": "%s", "position": %s, %s}' % (name, position, shape)


# One joint of every kind, one that follows another, and a link that is in one body with its parent.
EVERY_JOINT = robot(
    link("a", BOX), link("b"), link("c"), link("d"), link("e"), link("f", BOX), link("g"),
    joint("turn", "revolute", "a", "b", f'<origin xyz="2 0 0" rpy="0.5 0 0"/><axis xyz="0 0 1"/>{LIMIT}'),
    joint("spin", "continuous", "b", "c", '<axis xyz="0 0.6 0.8"/>'),
    joint("slide", "prismatic", "c", "d", f'<mimic joint="turn" multiplier="0.5" offset="1"/>{LIMIT}'),
    joint("flat", "planar", "d", "e", '<axis xyz="0 0 1"/>'), joint("free", "floating", "e", "f"),
    joint("weld", "fixed", "f", "g", '<origin xyz="0 0 1"/>'))
# A link of every shape, pulled along x.
SHAPES = "".join(f'<collision><origin xyz="{x} 0 0"/><geometry>{shape}</geometry></collision>' for x, shape in (
    (0, '<sphere radius="0.5"/>'), (2, '<cylinder radius="0.5" length="1"/>'),
    (4, '<capsule radius="0.5" length="1"/>')))
SLIDER = [link("base"), joint("slide", "prismatic", "base", "hand", f'<axis xyz="1 0 0"/>{LIMIT}')]
SHAPED = robot(*SLIDER, link("hand", SHAPES))
BOXED = robot(*SLIDER, link("hand", BOX))
SMALL = robot(*SLIDER, link("hand", BOX.replace("1 1 1", "0.25 0.25 0.25")))
# A pyramid without its base, and one with.
OPEN_MESH = "v 1 1 0\nv -1 1 0\nv -1 -1 0\nv 1 -1 0\nv 0 0 2\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n"
CLOSED_MESH = OPEN_MESH + "f 1 4 3\nf 1 3 2\n"
CLOUD = "2 0 0\n0 3 0\n0 0 3\n"
MESH = '"shape": "mesh", "file": "%s.obj"'

# Name -> robot, world or None, rows of the configurations, options.
SEEDS = {
    "joints": (EVERY_JOINT, None, "turn,spin,flat/x,free/z\n0.25,1,0.5,0.1\n2,700,3,0\n", []),
    "base": (BOXED, world(), "slide,base_x,base_yaw\n0,1,0.5\n1,4.5,0\nnan,0,0\n", ["--all"]),
    "shapes": (SHAPED, world(shaped("post", '"shape": "capsule", "radius": 0.25, "length": 1', "[0, 0.5, 0]")),
               "slide\n0\n-3\n-2.0625\n", ["--all"]),
    "shapes_margin": (SHAPED,
                      world(shaped("drum", '"shape": "cylinder", "radius": 0.25, "length": 1', "[0, 0.875, 0]")),
                      "slide\n0\n3\n", ["--all", "--margin", "0.15"]),
    "box_margin": (BOXED, world(shaped("crate", '"shape": "box", "size": [1, 1, 1]', "[1.5, 0, 0]")),
                   "slide\n0\n0.5\n-0.01\n", ["--margin", "0.005"]),
    "meets": (BOXED, world(shaped("wedge", MESH % "closed", "[2, 0, 0]")), "slide\n0\n0.5\n1\n-1\n", ["--all"]),
    "inside": (BOXED, world(shaped("hall", '"shape": "box", "size": [3, 3, 3]')), "slide\n0\n2\n3\n", []),
    "surface": (SMALL, world(shaped("tent", MESH % "closed", "[0, 0, -0.5]")), "slide\n0\n1\n",
                ["--policy", "surface"]),
    "cap": (SMALL, world(shaped("tent", MESH % "open", "[0, 0, -0.5]")), "slide\n0\n1\n3\n", ["--policy", "cap"]),
    "cloud": (BOXED, world(shaped("cloud", '"shape": "points", "file": "cloud.xyz", "radius": 0.125')),
              "slide\n0\n1.5\n", ["--all"]),
    "allowed": (BOXED, world(shaped("post", '"shape": "sphere", "radius": 0.25')), "slide\n0\n",
                ["--allow", "hand,post", "--no-self"]),
    # Certificates of motions: the rows are a path.
    "way": (BOXED, world(shaped("crate", '"shape": "box", "size": [1, 1, 1]', "[2.5, 0, 0]")),
            "slide,base_yaw\n0,0\n0.5,0.25\n2,0\n", []),
    # The rows are a trajectory.
    "curve": (BOXED, world(shaped("crate", '"shape": "box", "size": [1, 1, 1]', "[2.5, 0, 0]")),
              '{"joint_names": ["slide"], "points": [{"positions": [0], "velocities": [0], "time_from_start": 0}, '
              '{"positions": [0.5], "velocities": [0.5], "time_from_start": 1}, '
              '{"positions": [2], "velocities": [0], "time_from_start": 2.5}]}', []),
    "way_joints": (EVERY_JOINT, None, "turn,spin,flat/x,free/z\n0.25,1,0.5,0.1\n2,3,0.25,0.2\n", []),
}


def run(command, allowed):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode not in allowed:
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def make(graze, folder, name):
    """The dump of a seed."""
    robot_text, world_text, rows, options = SEEDS[name]
    files = {"robot.urdf": robot_text, "rows.csv": rows, "world.json": world_text, "open.obj": OPEN_MESH,
             "closed.obj": CLOSED_MESH, "cloud.xyz": CLOUD}
    for file, text in files.items():
        if text:
            (folder / file).write_text(text)
    scene = ["--world", folder / "world.json"] if world_text else []
    dump = folder / f"made-{name}"
    if name == "curve":
        (folder / "rows.json").write_text(rows)
    what = ["motion", "--path", folder / "rows.csv", "--certificate", dump] if name.startswith("way") else [
        "certify", folder / "rows.json", "--certificate", dump] if name == "curve" else [
        "check", "--configs", folder / "rows.csv", "--quiet", "--dump", dump]
    run([graze, what[0], folder / "robot.urdf", *scene, *what[1:], *options, "-o", folder / "verdicts"], (0, 1, 3))
    return dump.read_bytes()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graze", required=True, type=Path, help="the command")
    parser.add_argument("--write", action="store_true", help="put what is made into the corpus")
    arguments = parser.parse_args()
    wrong, kept = 0, corpora.read(TARGET)
    with tempfile.TemporaryDirectory() as folder:
        for name in SEEDS:
            made, file = make(arguments.graze, Path(folder), name), f"made-{name}"
            if arguments.write:
                kept[file] = made
            elif kept.get(file) != made:
                print(f"{corpora.path_of(TARGET)}: {file} is not what graze writes today: see --write")
                wrong += 1
            # A row without a verdict is status 3; so is a dump that cannot be read, which says nothing of rows.
            shown = run([arguments.graze, "verify", "--kinematics", Path(folder) / f"made-{name}"],
                        (3,) if "nan" in SEEDS[name][2] else (0,))
            if " 0 undecided, " not in shown or " 0 refuted\n" not in shown:
                print(f"{name}: {shown}")
                wrong += 1
    if arguments.write:
        corpora.write(TARGET, kept)
    print(f"{len(SEEDS)} seeds, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
