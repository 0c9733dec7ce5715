#!/usr/bin/env python3
"""Alters dumps (numbers, flags, skips, verdicts, lines) and holds that `graze verify --kinematics` confirms none that is
wrong. What is wrong is decided here, by rational numbers and brute force, without code of graze.

    tests/cli/altered_dumps.py --graze build/graze [--count 400] [--seed 1] [--keep DIR]

Exit status 1 when a dump was confirmed that is wrong; it is kept under DIR.
"""

import argparse
import math
import random
import re
import subprocess
import sys
import tempfile
from decimal import Decimal, getcontext
from fractions import Fraction
from pathlib import Path

getcontext().prec = 60

BOX = '<collision><geometry><box size="{}"/></geometry></collision>'
LIMIT = '<limit lower="-3" upper="3" effort="1" velocity="1"/>'


def link(name, shape=""):
    return f'<link name="{name}">{shape}</link>'


def joint(name, kind, parent, child, more=""):
    return (f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>{more}</joint>')


# A chain of boxes with a joint of each simple kind, a link without geometry, and one that follows.
ROBOT = '<robot name="altered">' + "".join([
    link("base", BOX.format("1 1 0.5")), link("arm", BOX.format("1 0.2 0.2")), link("wrist"),
    link("hand", BOX.format("0.3 0.3 0.3")), link("finger", BOX.format("0.1 0.1 0.4")),
    joint("turn", "revolute", "base", "arm", f'<origin xyz="1.2 0 0" rpy="0 0.3 0"/><axis xyz="0 0 1"/>{LIMIT}'),
    joint("weld", "fixed", "arm", "wrist", '<origin xyz="0.6 0 0.1" rpy="0.1 0 0"/>'),
    joint("slide", "prismatic", "wrist", "hand", f'<origin xyz="0.3 0 0"/><axis xyz="1 0 0"/>{LIMIT}'),
    joint("follow", "revolute", "hand", "finger",
          f'<origin xyz="0 0 0.6"/><axis xyz="0 0.6 0.8"/>{LIMIT}<mimic joint="turn" multiplier="0.7" offset="0.1"/>'),
]) + "</robot>"
WORLD = ('{"format": "graze-world-1", "objects": [{"name": "wall", "shape": "box", "size": [0.2, 2, 2], '
         '"position": [3, 0, 0]}, {"name": "post", "shape": "box", "size": [0.2, 0.2, 3], "position": [0, 2, 0]}]}')
ROWS = [(0, 0), (0.4, 0.2), (1.2, 0.5), (-0.8, -0.4), (2.9, -1.1), (0, 0.75), (0, -0.55)]


# ----------------------------------------------------------------------------------------- reading

def number(word):
    return float.fromhex(word)


class Dump:
    """A dump that graze has read: only its form is relied on."""

    def __init__(self, text):
        lines = text.splitlines()
        self.joints, self.frames, self.bodies, self.pairs, self.configurations = [], [], [], [], []
        for line in lines:
            words = re.findall(r'"(?:\\.|[^"\\])*"|\S+', line)
            kind = words[0]
            if kind in ("epsilon", "domain"):
                setattr(self, kind, number(words[1]))
            elif kind == "answer":
                self.all = words[1] == "all"
            elif kind == "tree":
                self.root = int(words[2])
            elif kind == "joint":
                self.joints.append({"type": words[2], "parent": int(words[3]), "child": int(words[4]),
                                    "column": int(words[5]), "mimic": int(words[6]),
                                    "multiplier": number(words[7]), "offset": number(words[8]),
                                    "axis": [number(w) for w in words[9:12]],
                                    "origin": [number(w) for w in words[12:24]],
                                    "limits": [number(w) for w in words[25:27]]})
            elif kind == "frame":
                self.frames.append(int(words[1]))
            elif kind == "link":
                self.bodies.append({"link": True, "policy": words[2], "frame": int(words[3]),
                                    "error": math.inf if words[4] == "unbounded" else number(words[4]),
                                    "v": [], "t": [], "shapes": 0})
            elif kind == "object":
                self.bodies.append({"link": False, "policy": words[2], "pose": [number(w) for w in words[4:16]],
                                    "begin": number(words[17]) if len(words) > 17 else 0.0,
                                    "velocity": [number(w) for w in words[18:21]] or [0.0] * 3,
                                    "v": [], "t": [], "shapes": 0})
            elif kind in ("box", "mesh"):
                self.bodies[-1]["shapes"] += 1
            elif kind == "v":
                self.bodies[-1]["v"].append([number(w) for w in words[1:4]])
            elif kind == "t":
                self.bodies[-1]["t"].append([int(w) for w in words[1:4]])
            elif kind == "pair":
                self.pairs.append((int(words[1]), int(words[2]), number(words[3]), None))
            elif kind == "skip":
                self.pairs.append((int(words[1]), int(words[2]), 0.0, words[3].strip('"')))
            elif kind == "configuration":
                self.configurations.append({"q": [], "poses": [], "contacts": [], "free": None, "time": 0.0})
            elif kind == "time":
                self.configurations[-1]["time"] = number(words[1])
            elif kind == "q" and self.configurations:
                self.configurations[-1]["q"] = [number(w) for w in words[1:]]
            elif kind == "base":
                self.configurations[-1]["base"] = [number(w) for w in words[1:]]
            elif kind == "pose":
                self.configurations[-1]["poses"].append([number(w) for w in words[2:]])
            elif kind == "verdict":
                self.configurations[-1]["free"] = words[1] == "free"
            elif kind == "contact" and words[1] != "boundary":
                self.configurations[-1]["contacts"].append((int(words[1]), int(words[2])))


# ------------------------------------------------------------------------------------ real places

def sine_cosine(x):
    """Taylor's series in decimal, of an angle of some radians."""
    term, sine, cosine, k = Decimal(1), Decimal(0), Decimal(0), 0
    while k < 20 or abs(term) > Decimal("1e-55"):
        if k % 2 == 0:
            cosine += term if k % 4 == 0 else -term
        else:
            sine += term if k % 4 == 1 else -term
        k += 1
        term = term * x / k
    return sine, cosine


def turn(axis, angle):
    length = sum(a * a for a in axis).sqrt()
    x, y, z = (a / length for a in axis)
    s, c = sine_cosine(angle)
    d = 1 - c
    return [[c + x * x * d, x * y * d - z * s, x * z * d + y * s],
            [y * x * d + z * s, c + y * y * d, y * z * d - x * s],
            [z * x * d - y * s, z * y * d + x * s, c + z * z * d]]


IDENTITY = [[Decimal(int(i == j)) for j in range(3)] for i in range(3)]


def compose(a, b):
    (r, t), (s, u) = a, b
    return ([[sum(r[i][k] * s[k][j] for k in range(3)) for j in range(3)] for i in range(3)],
            [sum(r[i][k] * u[k] for k in range(3)) + t[i] for i in range(3)])


def value(dump, joint, q):
    if joint["mimic"] < 0:
        return Decimal(0) if joint["type"] == "fixed" else Decimal(q[joint["column"]])
    other = value(dump, dump.joints[joint["mimic"]], q)
    return Decimal(joint["multiplier"]) * other + Decimal(joint["offset"])


def real_poses(dump, c):
    x, y, z, roll, pitch, yaw = (Decimal(v) for v in c["base"])
    pose = (IDENTITY, [x, y, z])
    for axis, angle in (((0, 0, 1), yaw), ((0, 1, 0), pitch), ((1, 0, 0), roll)):
        pose = compose(pose, (turn([Decimal(a) for a in axis], angle), [Decimal(0)] * 3))
    poses, left = {dump.root: pose}, list(dump.joints)
    while left:
        j = next(j for j in left if j["parent"] in poses)
        left.remove(j)
        m = [Decimal(v) for v in j["origin"]]
        motion, axis = (IDENTITY, [Decimal(0)] * 3), [Decimal(a) for a in j["axis"]]
        if j["type"] == "prismatic":
            length = sum(a * a for a in axis).sqrt()
            motion = (IDENTITY, [a / length * value(dump, j, c["q"]) for a in axis])
        elif j["type"] in ("revolute", "continuous"):
            motion = (turn(axis, value(dump, j, c["q"])), [Decimal(0)] * 3)
        elif j["type"] != "fixed":
            return None  # none of these robots has one
        origin = ([m[0:3], m[4:7], m[8:11]], [m[3], m[7], m[11]])
        poses[j["child"]] = compose(compose(poses[j["parent"]], origin), motion)
    return poses


# -------------------------------------------------------------------------------------- collisions

def snap(pose, v):
    out = []
    for i in range(3):
        w = ((pose[4 * i] * v[0] + pose[4 * i + 1] * v[1]) + pose[4 * i + 2] * v[2]) + pose[4 * i + 3]
        out.append(0.0 if abs(w) < 2.0 ** -100 else w)
    return out


def object_pose(body, time):
    """Where an object is at a time, in doubles, as docs/verify.md states it."""
    pose = list(body["pose"])
    for k in range(3):
        pose[4 * k + 3] += body["velocity"][k] * (time - body["begin"])
    return pose


def side(a, b, c, d):
    """The sign of the volume of four points, exactly."""
    u, v, w = ([Fraction(p[k]) - Fraction(a[k]) for k in range(3)] for p in (b, c, d))
    return ((u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0])
             + u[2] * (v[0] * w[1] - v[1] * w[0])))


def crosses(p, q, t):
    """Whether a segment crosses a triangle's inside properly: a contact beyond doubt."""
    if side(*t, p) * side(*t, q) >= 0:
        return False
    signs = [side(p, q, t[i], t[(i + 1) % 3]) for i in range(3)]
    return all(s > 0 for s in signs) or all(s < 0 for s in signs)


def boxes_apart(a, b, gap=0.0):
    return any(max(p[k] for p in a) + gap < min(p[k] for p in b) or max(p[k] for p in b) + gap < min(p[k] for p in a)
               for k in range(3))


def meet(a, b):
    """Whether two lists of triangles surely meet: an edge of one crosses a triangle of the other."""
    for s in a:
        for t in b:
            if boxes_apart(s, t):
                continue
            if any(crosses(s[i], s[(i + 1) % 3], t) or crosses(t[i], t[(i + 1) % 3], s) for i in range(3)):
                return True
    return False


def surely_apart(a, b):
    """Whether some plane separates all corners of the two, exactly: a proof for convex bodies and others."""
    if boxes_apart([p for t in a for p in t], [p for t in b for p in t]):
        return True
    for x, y in ((a, b), (b, a)):
        corners_x, corners_y = ({tuple(p) for t in s for p in t} for s in (x, y))
        for t in x:
            mine = [side(*t, p) for p in corners_x]
            other = [side(*t, p) for p in corners_y]
            if (max(mine) <= 0 and min(other) > 0) or (min(mine) >= 0 and max(other) < 0):
                return True
    return False


def may_be_joined(dump, a, b):
    """Whether the bodies' rigid bodies are joined, by a joint or through links without geometry."""
    if not (dump.bodies[a]["link"] and dump.bodies[b]["link"]):
        return False
    group = {dump.root: dump.root}
    for _ in dump.joints:
        for j in dump.joints:
            if j["parent"] in group:
                group[j["child"]] = group[j["parent"]] if j["type"] == "fixed" else j["child"]
    sizes, full = {}, {}
    for g in group.values():
        sizes[g] = sizes.get(g, 0) + 1
    for body in dump.bodies:
        if body["link"]:
            g = group[dump.frames[body["frame"]]]
            full[g] = full.get(g, 0) + 1
    start, goal = (group[dump.frames[dump.bodies[k]["frame"]]] for k in (a, b))
    seen, todo = {start}, [start]
    while todo:
        at = todo.pop()
        for j in dump.joints:
            ends = group[j["parent"]], group[j["child"]]
            for one, other in (ends, ends[::-1]):
                if one == at and other not in seen:
                    if other == goal:
                        return True
                    if sizes[other] > full.get(other, 0):
                        seen.add(other)
                        todo.append(other)
    return start == goal


def judge(dump):
    """Why what a dump claims is wrong; None where nothing here shows it."""
    slack = Decimal(1e-12) * Decimal(max(dump.domain, 100))
    # Where a turn without limits follows another, rounding its value at 2^20 rad counts (docs/epsilon.md).
    most = 1e-8 if any(j["type"] == "continuous" and j["mimic"] >= 0 for j in dump.joints) else 1e-10
    if dump.epsilon > most * max(1, dump.domain / 100):
        return f"epsilon {dump.epsilon}"
    for a, b, _, why in dump.pairs:
        if why == "adjacent" and not may_be_joined(dump, a, b):
            return f"{a}, {b} are not adjacent"
    for index, c in enumerate(dump.configurations):
        poses = real_poses(dump, c)
        triangles = []
        for body in dump.bodies:
            pose = c["poses"][body["frame"]] if body["link"] else object_pose(body, c["time"])
            w = [snap(pose, v) for v in body["v"]]
            if body["link"] and poses:
                r, t = poses[dump.frames[body["frame"]]]
                for v, at in zip(body["v"], w):
                    for i in range(3):
                        real = sum(r[i][k] * Decimal(v[k]) for k in range(3)) + t[i]
                        if abs(real - Decimal(at[i])) > slack:
                            return f"{index}: a link is {float(abs(real - Decimal(at[i]))):.2g} m off"
            triangles.append([[w[i] for i in t] for t in body["t"]] if body["shapes"] == 1 else [])
        for a, b, margin, why in dump.pairs:
            if why not in (None, "Never"):
                continue
            within = all(len(j["limits"]) < 2 or j["mimic"] >= 0 or j["column"] < 0
                         or j["limits"][0] <= c["q"][j["column"]] <= j["limits"][1] for j in dump.joints)
            fixed = dump.bodies[b]["link"] and dump.bodies[a]["frame"] == dump.bodies[b]["frame"]
            if fixed or (why and not within):
                continue
            claimed = (a, b) in c["contacts"]
            if not claimed and (dump.all or c["free"] or why) and meet(triangles[a], triangles[b]):
                return f"{index}: {a}, {b} collide, which is {'said never to be' if why else 'not claimed'}"
            if claimed and margin == 0 and triangles[a] and triangles[b] and surely_apart(triangles[a], triangles[b]):
                return f"{index}: {a}, {b} are apart, and claimed to collide"
    return None


# --------------------------------------------------------------------------------------- alterations

def alter_number(rng, x):
    how = rng.randrange(7)
    if how == 0:
        return math.nextafter(x, rng.choice([-math.inf, math.inf]))
    if how == 1:
        return -x
    if how == 2:
        return x * rng.choice([0.5, 2, 1 + 2 ** -20, 1e3, 1e9])
    if how == 3:
        return x + rng.choice([-1, 1]) * 10.0 ** rng.randint(-14, 1)
    if how == 4:
        return rng.choice([0.0, 1.0, 6e-5, 9e-5, 1e-9, 2.0 ** 20, 1e10])
    return x + rng.gauss(0, 1) * 10.0 ** rng.randint(-13, 0)


def pick(rng, lines, pattern):
    found = [i for i, line in enumerate(lines) if re.match(pattern, line)]
    return rng.choice(found) if found else None


def alter_a_number(rng, lines):
    kinds = ["epsilon", "domain", "joint", "link", "object", "v ", "pair", "q 0|q -", "base", "pose", "boundary", "time"]
    i = pick(rng, lines, rng.choice(kinds))
    if i is None:
        return
    words = lines[i].split(" ")
    at = [k for k, w in enumerate(words) if re.fullmatch(r"-?0x[0-9a-f.]+p[+-]\d+", w)]
    if at:
        k = rng.choice(at)
        words[k] = alter_number(rng, number(words[k])).hex()
        lines[i] = " ".join(words)


def alter_a_flag(rng, lines):
    old, new = rng.choice([(" solid ", " surface "), (" solid ", " cap "), (" revolute ", " continuous "),
                           (" revolute ", " fixed "), (" prismatic ", " revolute "), (" fixed ", " revolute "),
                           ("answer all", "answer first"), (" limits ", " limits "), (" meets ", " inside ")])
    i = pick(rng, lines, ".*" + old)
    if i is not None:
        lines[i] = lines[i].replace(old, new, 1)


def alter_a_skip(rng, lines):
    i = pick(rng, lines, "pair [0-9]|skip ")
    if i is None:
        return
    words = lines[i].split(" ")
    if rng.random() < 0.2:
        lines[i] = f"pair {words[1]} {words[2]} {rng.choice([0.0, 1e-3, 0.1]).hex()}"
    else:
        lines[i] = f'skip {words[1]} {words[2]} "{rng.choice(["adjacent", "Never", "Never", "adjacent", "allowed"])}"'


def alter_a_verdict(rng, lines):
    i = pick(rng, lines, "verdict (free|collision [0-9])")
    if i is None:
        return
    count = int(lines[i].split(" ")[2]) if "collision" in lines[i] else 0
    if count and rng.random() < 0.6:
        keep = rng.randrange(count) if rng.random() < 0.5 else 0
        del lines[i + 1 + keep:min(i + 1 + count, len(lines))]
        lines[i] = f"verdict collision {keep}" if keep else "verdict free"
    elif count:
        k = min(i + 1 + rng.randrange(count), len(lines) - 1)
        words = lines[k].split(" ")
        words[min(rng.randrange(1, 5), len(words) - 1)] = str(rng.randrange(5))
        lines[k] = " ".join(words)
    else:
        lines[i] = f"verdict collision 1\ncontact {rng.randrange(3)} {rng.randrange(1, 6)} 0 0 meets {rng.randrange(12)} {rng.randrange(12)}"


def alter_a_line(rng, lines):
    i = rng.randrange(len(lines))
    if rng.random() < 0.5:
        del lines[i]
    else:
        k = pick(rng, lines, re.escape(lines[i].split(" ")[0]))
        lines[i], lines[k] = lines[k], lines[i]


def forge_a_place(rng, lines):
    """A link that stands beside its place, with bounds that cover it."""
    by = 10.0 ** rng.uniform(-12, -4.2)
    i = pick(rng, lines, "link")
    if i is None:
        return
    words = lines[i].split(" ")
    frame = words[3]
    words[4] = (1.5 * by).hex()
    lines[i] = " ".join(words)
    for n, line in enumerate(lines):
        if line.startswith("epsilon"):
            lines[n] = "epsilon " + min(4 * by, 1e-4).hex()
        if line.startswith(f"pose {frame} ") and frame != "0":
            pose = line.split(" ")
            place = rng.choice([5, 9, 13])
            pose[place] = (number(pose[place]) + by).hex()
            lines[n] = " ".join(pose)


def altered(rng, text):
    lines = text.splitlines()
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        rng.choice([alter_a_number, alter_a_number, alter_a_flag, alter_a_skip, alter_a_verdict, alter_a_line,
                    forge_a_place])(rng, lines)
        lines = "\n".join(lines).split("\n")
    return "\n".join(lines) + "\n"


# ------------------------------------------------------------------------------------------ campaign

def make(graze, folder):
    """Sound dumps, one a row and policy."""
    (folder / "r.urdf").write_text(ROBOT)
    (folder / "w.json").write_text(WORLD)
    out = []
    for turned, slid in ROWS:
        for answer in ([], ["--all"]):
            subprocess.run([graze, "check", folder / "r.urdf", "--world", folder / "w.json", "-q",
                            f"turn={turned},slide={slid}", "--dump", folder / "d.dump", "--quiet", *answer],
                           capture_output=True, check=False)
            out.append((folder / "d.dump").read_text())
    return out


def verify(graze, text):
    done = subprocess.run([graze, "verify", "--kinematics", "--quiet", "-"], input=text, capture_output=True,
                          text=True, check=False, timeout=60)
    return done.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graze", required=True)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    arguments = parser.parse_args()
    rng, tally, wrong, known = random.Random(arguments.seed), {}, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        sound = make(arguments.graze, Path(folder))
    for text in sound:
        if verify(arguments.graze, text) != 0 or judge(Dump(text)):
            sys.exit(f"a dump of graze is not confirmed, or is wrong here: {judge(Dump(text))}")
    for i in range(arguments.count):
        text = altered(rng, rng.choice(sound))
        status = verify(arguments.graze, text)
        tally[status] = tally.get(status, 0) + 1
        if status not in (0, 1, 3):
            sys.exit(f"altered dump {i}: exit status {status}")
        if status == 1:
            known += judge_or_none(text) is not None
        why = judge(Dump(text)) if status == 0 else None
        if why:
            wrong += 1
            print(f"altered dump {i} is confirmed, and wrong: {why}")
            if arguments.keep:
                arguments.keep.mkdir(parents=True, exist_ok=True)
                (arguments.keep / f"{i}.dump").write_text(text)
    print(f"{arguments.count} altered dumps: {tally.get(0, 0)} confirmed, {tally.get(1, 0)} refuted or undecided "
          f"({known} of them wrong by this script), {tally.get(3, 0)} refused; {wrong} confirmed and wrong")
    if known == 0:
        print("nothing altered was found wrong here: the script tests nothing")
    return 1 if wrong or known == 0 else 0


def judge_or_none(text):
    """The judgement of a dump that was refuted: what is in it may be too odd to be judged."""
    try:
        return judge(Dump(text))
    except (ArithmeticError, IndexError, KeyError, StopIteration, ValueError, RecursionError):
        return None


if __name__ == "__main__":
    sys.exit(main())
