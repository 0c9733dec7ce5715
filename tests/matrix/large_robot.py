"""A large robot as test data: URDF and STL files, from a seed alone, with the standard library.

    python3 tests/matrix/large_robot.py FOLDER [--kind tree|hands|closed] [--links 100] [--triangles 200000] [--seed 1]

Kinds: "tree" has a torso and limbs of random length; "hands" two arms with five fingers each, whose middle and end
joints follow the first (mimic); "closed" pairs of arms that a bar closes to a loop at rest, one end of it a joint, the other
contact. Meshes are bent, bumpy tubes of known size; neighbours overlap a little at their joints, as those of real robots do.
"""
import argparse
import math
import pathlib
import random
import struct


def tube(rng, length, radius, triangles):
    """A closed tube along x from 0 to length: rings of bumpy radius, and two ends."""
    sides = max(6, int(math.sqrt(triangles / 4)))
    rings = max(2, round(triangles / (2 * sides)))
    phase, waves, bend = rng.uniform(0, 6), rng.randint(2, 5), rng.uniform(-0.2, 0.2) * radius

    def point(i, k):
        s, t = i / (rings - 1), 2 * math.pi * k / sides
        r = radius * (0.85 + 0.15 * math.sin(waves * (t + phase) + 7 * s))
        return length * s, r * math.cos(t) + bend * math.sin(math.pi * s), r * math.sin(t)

    grid = [[point(i, k) for k in range(sides)] for i in range(rings)]
    faces = []
    for i in range(rings - 1):
        for k in range(sides):
            a, b = grid[i][k], grid[i][(k + 1) % sides]
            c, d = grid[i + 1][k], grid[i + 1][(k + 1) % sides]
            faces += [(a, c, b), (b, c, d)]
    for row, x in ((grid[0], 0.0), (grid[-1], length)):
        for k in range(sides):
            edge = (row[k], row[(k + 1) % sides])
            faces.append((*(edge if x == 0 else edge[::-1]), (x, 0.0, 0.0)))
    return faces


def write_stl(path, faces):
    with open(path, "wb") as f:
        f.write(b"\0" * 80 + struct.pack("<I", len(faces)))
        for face in faces:
            f.write(struct.pack("<12fH", 0, 0, 0, *face[0], *face[1], *face[2], 0))


class Robot:
    def __init__(self, folder, kind, links, triangles, seed):
        self.folder, self.rng = pathlib.Path(folder), random.Random(f"{kind} {links} {triangles} {seed}")
        self.budget = max(24, triangles // links)
        self.most, self.count, self.lines = links, 0, []
        self.folder.mkdir(parents=True, exist_ok=True)
        self.lines.append(f'<robot name="{kind}_{links}_{seed}">')

    def link(self, name, length, radius):
        write_stl(self.folder / f"{name}.stl", tube(self.rng, length, radius, self.budget))
        self.lines.append(f'<link name="{name}"><collision><geometry><mesh filename="{name}.stl"/></geometry></collision></link>')
        self.count += 1
        return name

    def joint(self, parent, child, xyz, rpy, axis, low, high, mimic=None):
        follow = f'<mimic joint="{mimic}" multiplier="0.8"/>' if mimic else ""
        self.lines.append(
            f'<joint name="{child}_joint" type="revolute"><parent link="{parent}"/><child link="{child}"/>'
            f'<origin xyz="{xyz[0]:.4f} {xyz[1]:.4f} {xyz[2]:.4f}" rpy="{rpy[0]:.4f} {rpy[1]:.4f} {rpy[2]:.4f}"/>'
            f'<axis xyz="{axis}"/><limit lower="{low:.3f}" upper="{high:.3f}" effort="1" velocity="1"/>{follow}</joint>')
        return f"{child}_joint"

    def chain(self, parent, prefix, start, rpy, count, length, radius, reach=2.0):
        """`count` links, each 5 mm into the one before; axes y, z and x in turn."""
        names = []
        for i in range(count):
            if self.count >= self.most:
                break
            size = length * self.rng.uniform(0.8, 1.2)
            name = self.link(f"{prefix}_{i}", size, radius)
            axis = ("0 1 0", "0 0 1", "1 0 0")[i % 3]
            self.joint(parent, name, start, rpy, axis, -self.rng.uniform(0.3, reach), self.rng.uniform(0.3, reach))
            parent, start, rpy = name, (size - 0.005, 0, 0), (0, 0, 0)
            radius *= 0.93
            names.append(name)
        return names, start

    def fingers(self, palm, prefix, end, size):
        for f in range(5):
            parent, start, first = palm, (end[0], (f - 2) * 0.025, 0), None
            for i in range(3):
                if self.count >= self.most:
                    return
                name = self.link(f"{prefix}_finger{f}_{i}", size, 0.009)
                joint = self.joint(parent, name, start, (0, 0, (f - 2) * 0.1 if i == 0 else 0), "0 1 0", 0, 1.4, first)
                first = first or joint
                parent, start = name, (size - 0.002, 0, 0)

    def write(self):
        self.lines.append("</robot>")
        path = self.folder / "robot.urdf"
        path.write_text("\n".join(self.lines) + "\n")
        return path


def make(folder, kind, links, triangles, seed):
    robot = Robot(folder, kind, links, triangles, seed)
    rng = robot.rng
    torso = robot.link("torso", 0.8, 0.12)
    limb = 0
    while robot.count < links:
        turn, along = 2.4 * limb, 0.8 * ((limb * 0.37) % 1)
        start = (along, 0.11 * math.cos(turn), 0.11 * math.sin(turn))
        outward = (0, -turn, math.pi / 2)  # x of the limb points away from the torso
        if kind == "tree":
            robot.chain(torso, f"limb{limb}", start, outward, rng.randint(4, 8), 0.18, 0.045)
        elif kind == "hands":
            arm, end = robot.chain(torso, f"arm{limb}", start, outward, 7, 0.16, 0.045)
            if len(arm) == 7:
                robot.fingers(arm[-1], f"hand{limb}", end, 0.03)
        else:
            one, end = robot.chain(torso, f"loop{limb}_one", start, outward, 4, 0.15, 0.03, 1.0)
            other = (min(start[0] + 0.2, 0.9), start[1], start[2])
            robot.chain(torso, f"loop{limb}_two", other, outward, 4, 0.15, 0.03, 1.0)
            if len(one) == 4 and robot.count < links:  # the bar that closes the loop
                bar = robot.link(f"loop{limb}_bar", 0.2, 0.02)
                robot.joint(one[-1], bar, end, (0, 0, math.pi / 2), "0 0 1", -1.0, 1.0)
        limb += 1
    return robot.write()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--kind", choices=("tree", "hands", "closed"), default="tree")
    parser.add_argument("--links", type=int, default=100)
    parser.add_argument("--triangles", type=int, default=200000)
    parser.add_argument("--seed", type=int, default=1)
    o = parser.parse_args()
    print(make(o.folder, o.kind, o.links, o.triangles, o.seed))


if __name__ == "__main__":
    main()
