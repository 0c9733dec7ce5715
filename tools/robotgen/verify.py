"""A second look at what was made: meshes, trees, poses and worlds, by plain brute force."""

import math
import xml.etree.ElementTree as xml

from . import heron, heron_contacts, outlines, solids, stl, worlds
from .shape import bounds
from .urdf import apply, compose, link_poses, rotation


# ---- meshes

def mesh_faults(triangles):
    """What keeps triangles from being closed, outward, 2-manifold shells without slivers."""
    faults = []
    edges, fans, volume = {}, {}, 0.0
    for index, (a, b, c) in enumerate(triangles):
        if a == b or b == c or c == a or _area(a, b, c) <= 0.0:
            faults.append("triangle %d has no area" % index)
        for p, q, r in ((a, b, c), (b, c, a), (c, a, b)):
            edges[p, q] = edges.get((p, q), 0) + 1
            fans.setdefault(p, {})[q] = r
        volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2])
                   + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6.0
    open_edges = sum(1 for p, q in edges if (q, p) not in edges)
    shared = sum(1 for count in edges.values() if count != 1)
    pinched = sum(1 for fan in fans.values() if not _one_cycle(fan))
    for count, what in ((open_edges, "open edges"), (shared, "edges used twice in one direction"),
                        (pinched, "pinched vertices")):
        if count:
            faults.append("%d %s" % (count, what))
    faults += ["a component is inside out"] * _inverted_components(triangles)
    if volume <= 0.0:
        faults.append("volume %g" % volume)
    return faults, volume


def _area(a, b, c):
    u, v = [b[k] - a[k] for k in range(3)], [c[k] - a[k] for k in range(3)]
    n = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    return 0.5 * math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2])


def _one_cycle(fan):
    start = next(iter(fan))
    here, steps = fan[start], 1
    while here != start and steps <= len(fan):
        here, steps = fan.get(here, start), steps + 1
    return steps == len(fan)


def components(triangles):
    """Triangle lists of the welded components."""
    leader = {}

    def find(p):
        while leader[p] != p:
            leader[p] = leader[leader[p]]
            p = leader[p]
        return p

    for triangle in triangles:
        for p in triangle:
            leader.setdefault(p, p)
        for p in triangle[1:]:
            leader[find(p)] = find(triangle[0])
    groups = {}
    for triangle in triangles:
        groups.setdefault(find(triangle[0]), []).append(triangle)
    return list(groups.values())


def _inverted_components(triangles):
    count = 0
    for group in components(triangles):
        o = group[0][0]
        volume = 0.0
        for t in group:
            a, b, c = [[p[k] - o[k] for k in range(3)] for p in t]
            volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2])
                       + a[2] * (b[0] * c[1] - b[1] * c[0]))
        count += volume <= 0.0
    return count


def box_agreement(first, second):
    """Intersection over union of two bounding boxes."""
    (a0, a1), (b0, b1) = bounds(first), bounds(second)
    both = one = other = 1.0
    for k in range(3):
        both *= max(0.0, min(a1[k], b1[k]) - max(a0[k], b0[k]))
        one *= a1[k] - a0[k]
        other *= b1[k] - b0[k]
    return both / (one + other - both)


# ---- trees and numbers

def robot_faults(robot, semantics, text):
    faults = []
    xml.fromstring(text)
    xml.fromstring(semantics.text())
    names = [link.name for link in robot.links]
    if len(set(names)) != len(names):
        faults.append("a link name occurs twice")
    seen = set()
    joints = {j.name: j for j in robot.joints}
    joint_of = {j.child: j for j in robot.joints}
    for name in names:
        if name in joint_of and joint_of[name].parent not in seen:
            faults.append("%s comes before its parent" % name)
        seen.add(name)
    if len(joint_of) != len(names) - 1 or len(joints) != len(robot.joints):
        faults.append("not a tree")
    for link in robot.links:
        if link.inertia and not _physical(link.inertia):
            faults.append("%s: inertia cannot be" % link.name)
    for state, _, values in semantics.states:
        for name, value in values.items():
            limit = joints[name].limit
            if limit and not limit[0] <= value <= limit[1]:
                faults.append("state %s: %s is beyond its limit" % (state, name))
    pairs = [frozenset(row[:2]) for row in semantics.disabled]
    if len(set(pairs)) != len(pairs) or any(not pair <= seen for pair in pairs):
        faults.append("disabled pairs: a pair occurs twice or names no link")
    return faults


def _physical(inertia):
    """Positive mass, and the diagonal obeys the triangle inequality with a positive determinant."""
    mass, _, m = inertia
    a, b, c = m[0][0], m[1][1], m[2][2]
    minor = a * b - m[0][1] ** 2
    det = (a * (b * c - m[1][2] ** 2) - m[0][1] * (m[0][1] * c - m[1][2] * m[0][2])
           + m[0][2] * (m[0][1] * m[1][2] - b * m[0][2]))
    return mass > 0 and a > 0 and minor > 0 and det > 0 and a + b > c and b + c > a and a + c > b


# ---- contact of triangle heaps

class Heap:
    """Triangles in the world with their boxes."""

    def __init__(self, triangles):
        self.triangles = triangles
        self.low, self.high = bounds(triangles)
        self.boxes = [([min(a[k], b[k], c[k]) for k in range(3)],
                       [max(a[k], b[k], c[k]) for k in range(3)]) for a, b, c in triangles]


def touch(first, second):
    """A pair of triangles that meet, or None."""
    low = [max(first.low[k], second.low[k]) for k in range(3)]
    high = [min(first.high[k], second.high[k]) for k in range(3)]
    if any(low[k] > high[k] for k in range(3)):
        return None
    near = [_within(heap, low, high) for heap in (first, second)]
    for i in near[0]:
        lo, hi = first.boxes[i]
        for j in near[1]:
            l2, h2 = second.boxes[j]
            if (lo[0] <= h2[0] and l2[0] <= hi[0] and lo[1] <= h2[1] and l2[1] <= hi[1]
                    and lo[2] <= h2[2] and l2[2] <= hi[2]
                    and _triangles_meet(first.triangles[i], second.triangles[j])):
                return i, j
    return None


def _within(heap, low, high):
    return [i for i, (lo, hi) in enumerate(heap.boxes)
            if all(lo[k] <= high[k] and hi[k] >= low[k] for k in range(3))]


def _triangles_meet(s, t):
    for one, other in ((s, t), (t, s)):
        for k in range(3):
            if _pierces(one[k], one[(k + 1) % 3], other):
                return True
    return False


def _pierces(p, q, triangle):
    """Whether segment pq crosses the triangle (lying in its plane does not count)."""
    a, b, c = triangle
    sides = _orient(a, b, c, p), _orient(a, b, c, q)
    if sides[0] * sides[1] > 0.0 or sides == (0.0, 0.0):
        return False
    u, v, w = _orient(p, q, a, b), _orient(p, q, b, c), _orient(p, q, c, a)
    return (u >= 0 and v >= 0 and w >= 0) or (u <= 0 and v <= 0 and w <= 0)


def _orient(a, b, c, d):
    x, y, z = a[0] - d[0], a[1] - d[1], a[2] - d[2]
    p, q, r = b[0] - d[0], b[1] - d[1], b[2] - d[2]
    u, v, w = c[0] - d[0], c[1] - d[1], c[2] - d[2]
    return x * (q * w - r * v) + y * (r * u - p * w) + z * (p * v - q * u)


def _inside(heap, point):
    """Whether a closed heap holds a point, by the parity of a slanted ray."""
    if any(not heap.low[k] <= point[k] <= heap.high[k] for k in range(3)):
        return False
    far = (point[0] + 7.31, point[1] + 5.17, point[2] + 3.79)
    winding = 0
    for a, b, c in heap.triangles:
        if _pierces(point, far, (a, b, c)):
            winding += 1 if _orient(a, b, c, far) > 0 else -1
    return winding != 0


# ---- robots and worlds as heaps

def primitive(kind, value):
    """Triangles of a primitive; round ones are slightly swollen, so that none is missed."""
    swell = 1.003
    if kind == "box":
        x, y, z = (v / 2.0 for v in value)
        ring = [(-x, -y), (x, -y), (x, y), (-x, y)]
        solid = solids.rings([[(a, b, h) for a, b in ring] for h in (-z, z)])
    elif kind == "cylinder":
        solid = solids.drum(value[0] * swell, -value[1] / 2, value[1] / 2, 0.0, 48, 1)
    elif kind == "capsule":
        solid = _ball_ended(value[0] * swell, value[1])
    else:
        solid = _ball_ended(value * swell, 0.0)
    return [tuple(solid.vertices[i] for i in t) for t in solid.triangles]


def _ball_ended(radius, length):
    profile = [(radius * outlines.cosine(angle), radius * math.sin(angle)
                + math.copysign(length / 2.0, k)) for k, angle in
               ((k, math.pi / 2.0 * k / 12) for k in range(-12, 13))]
    return solids.lathe(profile, 48)


def placed(triangles, pose):
    return [tuple(apply(pose, p) for p in t) for t in triangles]


def link_heaps(robot, meshes, values):
    """{link: Heap} of the collision geometry at a configuration."""
    heaps = {}
    poses = link_poses(robot, values)
    for link in robot.links:
        triangles = []
        for geometry in link.collisions:
            local = (meshes[geometry.value] if geometry.kind == "mesh"
                     else primitive(geometry.kind, geometry.value))
            pose = compose(poses[link.name], (rotation(geometry.rpy), list(geometry.xyz)))
            triangles += placed(local, pose)
        if triangles:
            heaps[link.name] = Heap(triangles)
    return heaps


def self_contacts(robot, semantics, heaps):
    allowed = robot.adjacent() | {frozenset(row[:2]) for row in semantics.disabled}
    names = list(heaps)
    return ["%s meets %s" % (a, b) for i, a in enumerate(names) for b in names[i + 1:]
            if frozenset((a, b)) not in allowed and touch(heaps[a], heaps[b])]


def quaternion_rotation(q):
    x, y, z, w = q
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]]


def object_heap(entry, meshes):
    kind = entry["shape"]
    if kind == "mesh":
        local = meshes[entry["file"].split("/")[-1]]
    else:
        value = {"box": lambda: entry["size"], "sphere": lambda: entry["radius"],
                 "cylinder": lambda: (entry["radius"], entry["length"]),
                 "capsule": lambda: (entry["radius"], entry["length"])}[kind]()
        local = primitive(kind, value)
    pose = quaternion_rotation(entry.get("quaternion", [0, 0, 0, 1])), entry["position"]
    return Heap(placed(local, pose))


def world_contacts(heaps, world, meshes):
    found = []
    for entry in world.objects:
        thing = object_heap(entry, meshes)
        for name, heap in heaps.items():
            if any(thing.low[k] > heap.high[k] or thing.high[k] < heap.low[k] for k in range(3)):
                continue
            if (touch(heap, thing) or _inside(thing, heap.triangles[0][0])
                    or _inside(heap, thing.triangles[0][0])):
                found.append("%s meets %s" % (name, entry["name"]))
    return found


# ---- the report

def report(made, files):
    faults = _report_meshes(made, files)
    robots = [(made.heron, made.semantics)] + made.small
    meshes = {"package://graze/" + path: stl.parse(data) for path, data in files.items()
              if path.startswith("meshes/heron/collision/")}
    for robot, semantics in robots:
        faults += _report_robot(robot, semantics, meshes, files)
        if robot is made.heron:
            faults += _report_never(made, meshes)
    faults += _report_worlds(made, meshes)
    print("\n%s" % ("\n".join("FAULT " + fault for fault in faults) or "no faults"))
    return 1 if faults else 0


def _report_meshes(made, files):
    faults, totals = [], [0, 0]
    print("%-24s %9s %7s %6s %9s  %s" % ("mesh", "collision", "visual", "shells", "volume/l", "box IoU"))
    uses = {}
    for link in made.heron.links:
        for geometry in link.collisions:
            name = geometry.value.split("/")[-1][:-4]
            uses[name] = uses.get(name, 0) + 1
    for name in heron.MESHES:
        data = files["meshes/heron/collision/%s.stl" % name]
        triangles, visual = stl.parse(data), made.fine[name].triangles(False)
        found, volume = mesh_faults(triangles)
        agreement = box_agreement(triangles, visual)
        if agreement < 0.99:
            found.append("visual and collision boxes agree to %.4f only" % agreement)
        if data[:5].lower() == b"solid":
            found.append("binary STL that begins like text")
        faults += ["%s: %s" % (name, fault) for fault in found]
        totals[0] += uses[name] * len(triangles)
        totals[1] += uses[name] * len(visual)
        print("%-24s %9d %7d %6d %9.3f  %.5f%s" % (name, len(triangles), len(visual), len(components(
            triangles)), volume * 1e3, agreement, "  x%d" % uses[name] if uses[name] > 1 else ""))
    print("%-24s %9d %7d" % ("heron, all links", totals[0], totals[1]))
    if not 20000 <= totals[0] <= 40000:
        faults.append("heron has %d collision triangles, not 20000 to 40000" % totals[0])
    for name, shape in made.scenery.items():
        found, _ = mesh_faults(shape.triangles(True))
        faults += ["%s: %s" % (name, fault) for fault in found]
    return faults


def _report_robot(robot, semantics, meshes, files):
    faults = robot_faults(robot, semantics, files["urdf/%s.urdf" % robot.name])
    mass = sum(link.inertia[0] for link in robot.links if link.inertia)
    print("\n%s: %d links, %d joints (%d moving), %.1f kg, %d disabled pairs" % (
        robot.name, len(robot.links), len(robot.joints), len(robot.moving()), mass,
        len(semantics.disabled)))
    for name, group, values in [("rest", "all", {})] + semantics.states:
        found = self_contacts(robot, semantics, link_heaps(robot, meshes, values))
        print("  %-6s (%s): %s" % (name, group, ", ".join(found) or "free"))
        faults += ["%s %s: %s" % (robot.name, name, what) for what in found]
    return faults


SAMPLES = 16


def _report_never(made, meshes):
    """A few random configurations, often at a limit: no pair under Never may meet in one."""
    random, faults, met = worlds.Random(7), [], 0
    never = {frozenset(pair) for pair in heron_contacts.never()}
    allowed = made.heron.adjacent() | {frozenset(row[:2]) for row in made.semantics.disabled}
    for _ in range(SAMPLES):
        values = {}
        for joint in made.heron.moving():
            low, high = joint.limit or (-math.pi, math.pi)
            values[joint.name] = max(low, min(high, random.between(low - 0.2 * (high - low),
                                                                   high + 0.2 * (high - low))))
        heaps = link_heaps(made.heron, meshes, values)
        names, hit = list(heaps), False
        for i, a in enumerate(names):
            for b in names[i + 1:]:
                pair = frozenset((a, b))
                if pair in never and touch(heaps[a], heaps[b]):
                    faults.append("never? %s meets %s" % (a, b))
                elif pair not in allowed and not hit:
                    hit = touch(heaps[a], heaps[b]) is not None
        met += hit
    print("  %d random configurations: %d in self-collision, %d pairs under Never met"
          % (SAMPLES, met, len(faults)))
    return faults


# ---- passages for the base

CELL = 0.05


def _regions(world, radius):
    """How many separate regions of the floor a disc's centre can be in."""
    (x0, y0, _), (x1, y1, _) = world.boundary
    columns, rows = int(round((x1 - x0) / CELL)) + 1, int(round((y1 - y0) / CELL)) + 1
    free = [[True] * columns for _ in range(rows)]
    for entry in world.objects:
        (a, b, c), r = entry["position"], entry["radius"]
        lift = max(0.0, c - 1.1)  # the silhouette below heron's head
        reach = (math.sqrt(r * r - lift * lift) if r > lift else -radius) + radius
        for j in range(rows):
            dy = y0 + j * CELL - b
            if abs(dy) < reach:
                half = math.sqrt(reach * reach - dy * dy)
                first = max(0, int(math.ceil((a - half - x0) / CELL)))
                for i in range(first, min(columns, int((a + half - x0) / CELL) + 1)):
                    free[j][i] = False
    regions = 0
    for j in range(rows):
        for i in range(columns):
            if free[j][i]:
                regions += 1
                _flood(free, i, j)
    return regions


def _flood(free, i, j):
    stack = [(i, j)]
    free[j][i] = False
    while stack:
        x, y = stack.pop()
        for v in range(max(0, y - 1), min(len(free), y + 2)):
            row = free[v]
            for u in range(max(0, x - 1), min(len(row), x + 2)):
                if row[u]:
                    row[u] = False
                    stack.append((u, v))


def _report_worlds(made, meshes):
    faults = []
    print("\nheron at zero in each world")
    heaps = link_heaps(made.heron, meshes, {})
    things = {name: shape.triangles(True) for name, shape in made.scenery.items()}
    for world in made.worlds:
        low, high = world.boundary
        found = world_contacts(heaps, world, things)
        if any(not low[k] <= 0.0 <= high[k] for k in range(3)):
            found.append("the origin is out of bounds")
        if world.name.startswith("kineval"):
            # 0.5 m: every passage used is a metre wide; 0.3 m: no pocket is left for the base
            regions = [_regions(world, radius) for radius in (0.50, 0.30)]
            if regions != [1, 1]:
                found.append("%d, %d regions of the floor" % tuple(regions))
        print("  %-22s %3d objects: %s" % (world.name, len(world.objects), ", ".join(found) or "free"))
        faults += ["%s: %s" % (world.name, what) for what in found]
    return faults
