#!/usr/bin/env python3
"""Alters certificates of motions (`graze motion` and `graze certify --certificate`) and holds that `graze verify` confirms none that is
wrong. What is wrong is decided here without code of graze: by altered_dumps.py, and by looking at many places of each motion.

    tests/cli/altered_certificates.py --graze build/graze [--count 60] [--seed 1] [--samples 60] [--keep DIR]

Exit status 1 when a certificate was confirmed that is wrong, or one of graze's own was not; it is kept under DIR.
"""

import argparse
import json
import math
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import altered_dumps as dumps

MIMIC = '<mimic joint="turn" multiplier="0.7" offset="0.1"/>'
ROBOTS = [dumps.ROBOT, dumps.ROBOT.replace('"turn" type="revolute"', '"turn" type="continuous"').replace(MIMIC, "")]
# From, to, base at the end, more: free ones, and ones that collide on the way.
WAYS = [("0,0", "0.5,0.3", "0,0,0,0,0,0", []), ("0.4,0.2", "1.2,0.5", "0.3,0.2,0,0.1,0,0.4", []),
        ("-0.8,-0.1", "0.9,0.75", "0,0,0,0,0,0", []), ("0,0", "0,0.75", "0,0,0,0,0,0", []),
        ("2.9,0.1", "-2.9,0.3", "0,0,0,0,0,0", []), ("0,0.1", "1.5,0.1", "0,0,0,0,0,3", ["--any"]),
        ("0.2,0", "0.7,0.2", "0.1,0,0,0,0,0", ["--margin", "0.02"]),
        ("-0.5,0.3", "2.5,0.3", "0,0,0,0,0,0", ["--margin", "0.05"])]
# The same while objects of the world move: away, across the way and into it, and with the robot's base.
MOVING_WAYS = [("0,0", "0.5,0.3", "0,0,0,0,0,0", ["--moving", "wall=0.4,0.1,0", "--moving", "post=0,1,0"]),
               ("0.4,0.2", "0.4,0.2", "0,0,0,0,0,0", ["--moving", "post=1.2,-3,0"]),
               ("-0.2,0.1", "0.9,0.3", "0,0,0,0,0,0", ["--moving", "wall=-1.5,0,0"]),
               ("0.1,0", "0.3,0.2", "3,0,0,0,0,0.1", ["--moving", "wall=3,0.2,0", "--margin", "0.03"]),
               ("2.9,0.1", "-2.9,0.3", "0,0,0,0,0,0", ["--moving", "post=-0.5,-0.5,0.2", "--moving", "wall=0,1,0"]),
               ("0,0.1", "1.5,0.1", "0,0,0,0,0,3", ["--any", "--moving", "post=0,0.3,0"])]
# Trajectories: of each point turn and slide, their velocities, their accelerations or none.
POINTS = [([(0, 0, 0.3, 0, None), (0.5, 0.3, 0, 0.2, None), (0.9, 0.4, 0, 0, None)], []),
          ([(-0.8, -0.1, 0, 0, None), (0.2, 0.3, 1, 0.4, None), (0.9, 0.75, 0, 0, None)], []),
          ([(0.2, 0, 0, 0, 0.3), (0.7, 0.2, 0.5, 0, -1), (1, 0.1, 0, 0, 0)], ["--margin", "0.02"]),
          ([(0, 0, 0, 0, 1), (0, 0.75, 0, 0, 2)], ["--any"])]
MOVING_POINTS = [([(0, 0, 0.3, 0, None), (0.5, 0.3, 0, 0.2, None), (0.9, 0.4, 0, 0, None)],
                  ["--moving", "wall=0.2,0,0", "--moving", "post=-0.1,0.1,0"]),
                 ([(-0.8, -0.1, 0, 0, None), (0.2, 0.3, 1, 0.4, None), (0.3, 0.2, 0, 0, None)], ["--moving", "wall=-0.6,0,0"]),
                 ([(0.2, 0, 0, 0, 0.3), (0.7, 0.2, 0.5, 0, -1), (1, 0.1, 0, 0, 0)],
                  ["--margin", "0.02", "--moving", "post=0.1,0.05,0", "--moving", "wall=0.1,0.05,0"])]


# ----------------------------------------------------------------------------------------- motions

class Motion:
    """What a certificate says of the motion at a configuration."""

    def __init__(self, c):
        self.c, self.to, self.base, self.shorter, self.verdict, self.times = c, [], [], True, None, None


def motions_of(text, dump):
    out, index = [], -1
    for line in text.splitlines():
        words = line.split(" ")
        if words[0] == "configuration":
            index += 1
        elif words[0] in ("straight", "curve"):
            out.append((index, Motion(dump.configurations[index])))
            out[-1][1].shorter = words[1] == "shorter"
            if words[0] == "curve":
                out[-1][1].times = [dumps.number(w) for w in words[2:4]]
        elif words[0] in ("to", "to-base"):
            rows = out[-1][1].to if words[0] == "to" else out[-1][1].base
            rows.append([dumps.number(w) for w in words[1:]])
        elif words[0] == "motion":
            out[-1][1].verdict = words[1]
            out[-1][1].ends = [dumps.number(w) for w in words[2:4]] if words[1] != "free" else [1.0, 1.0]
    return out


def circles(dump):
    """Columns of which a full turn changes nothing."""
    out = {j["column"] for j in dump.joints if j["type"] == "continuous" and j["mimic"] < 0}
    for j in dump.joints:
        source = j
        while source["mimic"] >= 0:
            source = dump.joints[source["mimic"]]
        whole = j["multiplier"] == math.floor(j["multiplier"]) and len(j["limits"]) < 2
        if j["mimic"] >= 0 and not (whole and j["type"] in ("revolute", "continuous")):
            out.discard(source["column"])
        if j["mimic"] < 0 and j["type"] != "continuous":
            out.discard(j["column"])
    return out


def place(x, y, t, circle):
    way = y - x
    if circle and abs(way) > math.pi:
        way = math.remainder(way, 2 * math.pi)
    return x + t * way


def bezier(points, t):
    """The sum over Bernstein's polynomials."""
    d = len(points) - 1
    return math.fsum(math.comb(d, i) * (1 - t) ** (d - i) * t ** i * x for i, x in enumerate(points))


def at(dump, m, t):
    """q and base at t, as floats."""
    if m.times:
        return ([bezier(column, t) for column in zip(m.c["q"], *m.to)],
                [bezier(column, t) for column in zip(m.c["base"], *m.base)])
    round_ones = circles(dump)
    q = [place(x, y, t, m.shorter and i in round_ones) for i, (x, y) in enumerate(zip(m.c["q"], m.to[0]))]
    base = [place(x, y, t, m.shorter and i >= 3) for i, (x, y) in enumerate(zip(m.c["base"], m.base[0]))]
    return q, base


def jumps(a, b):
    """Whether a piece of a trajectory does not begin where and when the one before it ends."""
    return a.times and b.times and (a.times[1] != b.times[0] or a.to[-1] != b.c["q"] or a.base[-1] != b.c["base"])


def time_at(m, t):
    """The time of objects that move."""
    begin, end = m.times or (0.0, 1.0)
    return begin + t * (end - begin)


def turn(axis, angle):
    length = math.sqrt(sum(a * a for a in axis))
    x, y, z = (a / length for a in axis)
    s, c = math.sin(angle), math.cos(angle)
    d = 1 - c
    return [[c + x * x * d, x * y * d - z * s, x * z * d + y * s],
            [y * x * d + z * s, c + y * y * d, y * z * d - x * s],
            [z * x * d - y * s, z * y * d + x * s, c + z * z * d]]


IDENTITY = [[float(i == j) for j in range(3)] for i in range(3)]


def value(dump, joint, q):
    if joint["mimic"] < 0:
        return 0.0 if joint["type"] == "fixed" else q[joint["column"]]
    return joint["multiplier"] * value(dump, dump.joints[joint["mimic"]], q) + joint["offset"]


def poses_at(dump, q, base):
    pose = (IDENTITY, base[:3])
    for axis, angle in (((0, 0, 1), base[5]), ((0, 1, 0), base[4]), ((1, 0, 0), base[3])):
        pose = dumps.compose(pose, (turn(axis, angle), [0.0] * 3))
    poses, left = {dump.root: pose}, list(dump.joints)
    while left:
        j = next(j for j in left if j["parent"] in poses)
        left.remove(j)
        m, motion = j["origin"], (IDENTITY, [0.0] * 3)
        if j["type"] == "prismatic":
            length = math.sqrt(sum(a * a for a in j["axis"]))
            motion = (IDENTITY, [a / length * value(dump, j, q) for a in j["axis"]])
        elif j["type"] in ("revolute", "continuous"):
            motion = (turn(j["axis"], value(dump, j, q)), [0.0] * 3)
        origin = ([m[0:3], m[4:7], m[8:11]], [m[3], m[7], m[11]])
        poses[j["child"]] = dumps.compose(dumps.compose(poses[j["parent"]], origin), motion)
    return poses


def triangles_at(dump, q, base, time):
    poses, out = poses_at(dump, q, base), []
    for body in dump.bodies:
        r, t = poses[dump.frames[body["frame"]]] if body["link"] else (
            [body["pose"][0:3], body["pose"][4:7], body["pose"][8:11]],
            [body["pose"][4 * i + 3] + body["velocity"][i] * (time - body["begin"]) for i in range(3)])
        w = [[sum(r[i][k] * v[k] for k in range(3)) + t[i] for i in range(3)] for v in body["v"]]
        out.append([[w[i] for i in corners] for corners in body["t"]] if body["shapes"] == 1 else [])
    return out


# ------------------------------------------------------------------------------------------- oracle

def segments_apart(p, q, r, s):
    """The distance of two segments, from above (Ericson 2005, section 5.1.9)."""
    d, e, f = ([b - a for a, b in zip(x, y)] for x, y in ((p, q), (r, s), (r, p)))
    a, b, c, g, h = (sum(x * y for x, y in zip(u, v)) for u, v in ((d, d), (d, e), (d, f), (e, e), (e, f)))
    if a == 0 or g == 0:
        return math.dist(p, r)
    det = a * g - b * b
    x = min(max((b * h - c * g) / det, 0), 1) if det > 0 else 0
    y = min(max((b * x + h) / g, 0), 1)
    x = min(max((b * y - c) / a, 0), 1)
    return math.dist([u + x * w for u, w in zip(p, d)], [u + y * w for u, w in zip(r, e)])


def within(a, b, margin):
    """Whether two lists of triangles are surely closer than a margin: some edges are."""
    if not a or not b or dumps.boxes_apart([p for t in a for p in t], [p for t in b for p in t], margin):
        return False
    edges = [{tuple(map(tuple, sorted((t[i], t[i - 1])))) for t in s for i in range(3)} for s in (a, b)]
    return any(segments_apart(p, q, r, s) < margin * (1 - 1e-9) for p, q in edges[0] for r, s in edges[1])


def judge(text, samples):
    """Why a certificate is wrong; None where nothing here shows it."""
    dump = dumps.Dump(text)
    why = dumps.judge(dump)
    if why:
        return why
    motions = motions_of(text, dump)
    for (_, a), (index, b) in zip(motions, motions[1:]):
        if jumps(a, b):
            return f"{index}: a jump between two pieces"
    timed = text.startswith("graze-dump 2")
    for index, m in motions:
        if timed and m.c["time"] != time_at(m, 0):
            return f"{index}: it begins at another time"
        if m.verdict == "collision":
            behind = dump.configurations[index + 1] if index + 1 < len(dump.configurations) else None
            if not behind or behind["free"]:
                return f"{index}: no collision behind the motion"
            q, base = at(dump, m, m.ends[1])
            off = [x - y for x, y in zip(q + base, behind["q"] + behind["base"])]
            if timed and abs(time_at(m, m.ends[1]) - behind["time"]) > 1e-9:
                return f"{index}: the collision is at another time than the motion's"
            if any(abs(math.remainder(x, 2 * math.pi)) > 1e-6 for x in off):
                return f"{index}: the collision is not on the motion"
        for k in range(samples + 1):
            t = m.ends[0] * k / samples
            if m.ends[0] == 0:
                break
            triangles = triangles_at(dump, *at(dump, m, t), time_at(m, t))
            for a, b, margin, skipped in dump.pairs:
                if skipped or (dump.bodies[b]["link"] and dump.bodies[a]["frame"] == dump.bodies[b]["frame"]):
                    continue
                if dumps.meet(triangles[a], triangles[b]) or (
                        margin > 1e-9 and within(triangles[a], triangles[b], margin)):
                    return f"{index}: {a}, {b} collide, or are closer than {margin:g} m, at t = {t}"
    return None


# -------------------------------------------------------------------------------------- alterations

def alter_an_end(rng, lines):
    i = dumps.pick(rng, lines, rng.choice(["to ", "to ", "to-base ", "q [0-]"]))
    words = lines[i].split(" ") if i is not None else [""]
    if len(words) > 1:
        k = rng.randrange(1, len(words))
        x = dumps.number(words[k])
        words[k] = rng.choice([dumps.alter_number(rng, x), x + rng.gauss(0, 1), x + 2 * math.pi, -x]).hex()
        lines[i] = " ".join(words)


def alter_a_claim(rng, lines):
    i = dumps.pick(rng, lines, "motion ")
    if i is None:
        return
    words = lines[i].split(" ")
    ends = [dumps.number(w) for w in words[2:4]] or [1.0, 1.0]
    how = rng.randrange(5)
    if how == 0:
        lines[i] = "motion free"
        return
    if how == 1:
        ends[0] = rng.uniform(ends[0], ends[1])
    elif how == 2:
        ends = sorted([ends[0] + (1 - ends[0]) * rng.random() ** 3, ends[1] + (1 - ends[1]) * rng.random()])
    elif how == 3:
        ends[0] = ends[1]
    else:
        ends = sorted([rng.random(), rng.random()])
    lines[i] = f"motion collision {min(ends[0], 1.0).hex()} {min(ends[1], 1.0).hex()}"


def alter_the_turn(rng, lines):
    i = dumps.pick(rng, lines, "(straight|curve) ")
    if i is None:
        return
    if lines[i].startswith("straight"):
        lines[i] = rng.choice(["straight shorter", "straight as-given", "curve 1 0x0p+0 0x1p+0"])
        return
    words = lines[i].split(" ")
    k = rng.randrange(1, 4)
    words[k] = str(rng.randrange(9)) if k == 1 else (dumps.number(words[k]) + rng.gauss(0, 1)).hex()
    lines[i] = rng.choice(["straight as-given", " ".join(words), " ".join(words)])


def alter_a_margin(rng, lines):
    i = dumps.pick(rng, lines, "pair [0-9]")
    if i is not None:
        lines[i] = " ".join(lines[i].split(" ")[:3] + [(10.0 ** rng.uniform(-3, 0.2)).hex()])


def alter_a_movement(rng, lines):
    """Where an object that moves begins, when, and how fast; or that it does not, or that one does that stands."""
    i = dumps.pick(rng, lines, rng.choice(["object .* moves", "object .* moves", "time ", "object "]))
    if i is None:
        return
    words, added = lines[i].split(" "), ["moves", "0x0p+0", *(rng.gauss(0, 1).hex() for _ in range(3))]
    if words[0] == "time":
        words[1] = (dumps.number(words[1]) + rng.choice([1e-12, 1e-3, 1, -1]) * rng.random()).hex()
    elif "moves" not in words:
        words += added
    elif rng.random() < 0.2:
        words = words[:words.index("moves")]
    else:
        k = rng.randrange(words.index("moves") + 1, len(words))
        x = dumps.number(words[k])
        words[k] = rng.choice([dumps.alter_number(rng, x), x + rng.gauss(0, 1), -x, 0.5 * x]).hex()
    lines[i] = " ".join(words)


def altered(rng, text):
    if rng.random() < 0.35:
        return dumps.altered(rng, text)
    lines = text.splitlines()
    for _ in range(rng.choice([1, 1, 2])):
        rng.choice([alter_an_end, alter_an_end, alter_a_claim, alter_a_claim, alter_the_turn, alter_a_margin,
                    alter_a_movement, alter_a_movement, dumps.alter_a_number, dumps.alter_a_skip])(rng, lines)
    return "\n".join(lines) + "\n"


# ------------------------------------------------------------------------------------------ campaign

def certificate(graze, folder, command, *more):
    done = subprocess.run([graze, command, folder / "r.urdf", *more, "--world", folder / "w.json", "--certificate",
                           folder / "m.dump"], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"graze {command}: {done.stderr}")
    return done.stdout, (folder / "m.dump").read_text()


def write_trajectory(path, points):
    rows = []
    for i, (turn_to, slide, turning, sliding, speeding) in enumerate(points):
        row = {"positions": [turn_to, slide], "velocities": [turning, sliding], "time_from_start": 1.25 * i}
        rows.append(row if speeding is None else row | {"accelerations": [speeding, 0.5]})
    path.write_text(json.dumps({"joint_names": ["turn", "slide"], "points": rows}))


def make(graze, folder):
    out = []
    (folder / "w.json").write_text(dumps.WORLD)
    for robot in ROBOTS:
        (folder / "r.urdf").write_text(robot)
        for start, end, base, more in WAYS + MOVING_WAYS:
            ends = ["turn={},slide={}".format(*q.split(",")) for q in (start, end)]
            out.append(certificate(graze, folder, "motion", f"--from={ends[0]}", f"--to={ends[1]}", f"--to-base={base}",
                                   *more))
        for points, more in POINTS + MOVING_POINTS:
            write_trajectory(folder / "t.json", points)
            out.append(certificate(graze, folder, "certify", folder / "t.json", *more))
    return out


def verify(graze, text):
    done = subprocess.run([graze, "verify", "--quiet", "-"], input=text, capture_output=True, text=True, check=False,
                          timeout=300)
    return done.returncode, done.stdout + done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graze", required=True)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--samples", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    arguments = parser.parse_args()
    rng, tally, wrong, known = random.Random(arguments.seed), {}, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        sound = make(arguments.graze, Path(folder))
    for answer, text in sound:
        status, said = verify(arguments.graze, text)
        why = judge(text, arguments.samples)
        if status != 0 or why:
            sys.exit(f"a certificate of graze is not confirmed, or is wrong here: {why}\n{answer}{said}")
    hits = sum(answer.startswith("collision") for answer, _ in sound)
    for i in range(arguments.count):
        text = altered(rng, rng.choice(sound)[1])
        status, said = verify(arguments.graze, text)
        tally[status] = tally.get(status, 0) + 1
        if status not in (0, 1, 3):
            sys.exit(f"altered certificate {i}: exit status {status}\n{said}")
        if status == 1:
            known += "REFUTED" in said
        why = judge(text, arguments.samples) if status == 0 else None
        if why:
            wrong += 1
            print(f"altered certificate {i} is confirmed, and wrong: {why}")
            if arguments.keep:
                arguments.keep.mkdir(parents=True, exist_ok=True)
                (arguments.keep / f"{i}.dump").write_text(text)
    print(f"{len(sound)} certificates confirmed, {hits} of them of collisions; {arguments.count} altered: "
          f"{tally.get(0, 0)} confirmed, {tally.get(1, 0)} refuted or undecided ({known} refuted), "
          f"{tally.get(3, 0)} refused; {wrong} confirmed and wrong")
    return 1 if wrong or known == 0 or hits in (0, len(sound)) else 0


if __name__ == "__main__":
    sys.exit(main())
