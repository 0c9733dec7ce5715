"""The worlds that ship: four rooms, a clutter of primitives and equivalents of KinEval's worlds.

heron stands at the origin and looks along +x. In its zero configuration the arm reaches to
x = 1.16 at a height of 0.73 to 0.85; every world leaves that free.
"""

import json
import math


class Random:
    """SplitMix64: small, seeded, the same everywhere."""

    def __init__(self, seed):
        self.state = seed

    def bits(self):
        mask = (1 << 64) - 1
        self.state = (self.state + 0x9E3779B97F4A7C15) & mask
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        return z ^ (z >> 31)

    def between(self, low, high):
        return low + (high - low) * ((self.bits() >> 11) * 2.0 ** -53)

    def quaternion(self):
        """Uniform on the rotations, by rejection: square roots alone, no libm to disagree on."""
        while True:
            q = [self.between(-1.0, 1.0) for _ in range(4)]
            norm = sum(x * x for x in q)
            if 0.01 < norm <= 1.0:
                return [x / math.sqrt(norm) for x in q]


class World:
    def __init__(self, name, low, high):
        self.name = name
        self.boundary = (low, high)
        self.objects = []

    def add(self, name, shape, position, quaternion=None, **dimensions):
        entry = {"name": name, "shape": shape}
        for key, value in dimensions.items():
            entry[key] = _tidy(value)
        entry["position"] = _tidy(position)
        if quaternion is not None:
            entry["quaternion"] = [round(x, 9) + 0.0 for x in quaternion]
        self.objects.append(entry)

    def box(self, name, low, high):
        """A box by its corners, as furniture is measured."""
        self.add(name, "box", [(a + b) / 2.0 for a, b in zip(low, high)],
                 size=[b - a for a, b in zip(low, high)])

    def cylinder(self, name, x, y, foot, radius, length):
        self.add(name, "cylinder", [x, y, foot + length / 2.0], radius=radius, length=length)

    def bar(self, name, axis, position, radius, length):
        half = math.sqrt(0.5)
        turn = {"x": [0.0, half, 0.0, half], "y": [half, 0.0, 0.0, half], "z": None}[axis]
        self.add(name, "cylinder", position, turn, radius=radius, length=length)

    def mesh(self, name, file, position, yaw=0.0):
        turn = [0.0, 0.0, math.sin(yaw / 2.0), math.cos(yaw / 2.0)] if yaw else None
        self.add(name, "mesh", position, turn, file="meshes/" + file, scale=[1, 1, 1])

    def text(self):
        low, high = self.boundary
        out = ["{", ' "format": "graze-world-1",', ' "name": %s,' % json.dumps(self.name),
               ' "boundary": {"min": %s, "max": %s},' % (json.dumps(_tidy(low)), json.dumps(_tidy(high)))]
        if not self.objects:
            return ("\n".join(out + [' "objects": []', "}", ""])).encode("ascii")
        lines = ["  " + json.dumps(entry) for entry in self.objects]
        return ("\n".join(out + [' "objects": [', ",\n".join(lines), " ]", "}", ""])).encode("ascii")


def _tidy(value):
    """Coordinates at six decimals, whole ones without a point."""
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple)):
        return [_tidy(x) for x in value]
    rounded = round(value, 6) + 0.0
    return int(rounded) if rounded == int(rounded) else rounded


def shelf():
    """A shelf in front: in the zero configuration the hand rests in its middle bay."""
    world = World("shelf", [-3, -3, 0], [3, 3, 3])
    for k, z in enumerate((0.24, 0.60, 0.98, 1.36)):
        world.box("board%d" % (k + 1), (0.78, -0.50, z), (1.24, 0.50, z + 0.025))
    for name, y in (("right_side", -0.525), ("left_side", 0.50)):
        world.box(name, (0.78, y, 0), (1.24, y + 0.025, 1.60))
    world.box("back", (1.24, -0.525, 0), (1.252, 0.525, 1.60))
    for k, (x, y) in enumerate(((0.95, 0.22), (1.06, 0.30), (0.90, 0.38), (1.12, 0.16))):
        world.cylinder("can%d" % (k + 1), x, y, 0.6255, 0.033, 0.120)
    for k, (x, y, h) in enumerate(((1.00, -0.22, 0.24), (1.02, -0.28, 0.22), (1.00, -0.335, 0.26))):
        world.box("book%d" % (k + 1), (x - 0.085, y - 0.020, 0.6255), (x + 0.085, y + 0.020, 0.6255 + h))
    world.box("carton", (0.90, -0.20, 1.0055), (1.15, 0.12, 1.25))
    world.mesh("bottle1", "bottle.obj", [0.92, 0.30, 1.0055])
    world.mesh("bottle2", "bottle.obj", [1.04, 0.38, 1.0055])
    world.mesh("bowl", "bowl.stl", [1.00, -0.33, 1.0055])
    world.add("ball", "sphere", [1.00, -0.20, 0.3755], radius=0.110)
    world.box("crate", (0.84, 0.06, 0.2655), (1.18, 0.44, 0.50))
    world.box("floor", (-3, -3, -0.060), (3, 3, -0.010))
    return world


def table():
    """A laid table just below the stretched arm."""
    world = World("table", [-3, -3, 0], [3, 3, 3])
    top = 0.680
    world.box("top", (0.55, -0.70, top - 0.035), (1.35, 0.70, top))
    for k, (x, y) in enumerate(((0.60, -0.65), (1.30, -0.65), (1.30, 0.65), (0.60, 0.65))):
        world.cylinder("leg%d" % (k + 1), x, y, 0.0, 0.030, top - 0.0355)
    world.add("plate", "cylinder", [0.80, -0.30, top + 0.0085], radius=0.130, length=0.016)
    world.mesh("mug", "mug.dae", [0.78, 0.24, top + 0.0005], 0.9)
    world.mesh("bowl", "bowl.stl", [1.12, 0.36, top + 0.0005])
    world.mesh("bottle", "bottle.obj", [1.20, -0.22, top + 0.0005])
    world.cylinder("glass1", 0.98, 0.17, top + 0.0005, 0.034, 0.130)
    world.cylinder("glass2", 0.66, -0.46, top + 0.0005, 0.034, 0.130)
    world.box("box", (1.00, -0.58, top + 0.0005), (1.22, -0.40, top + 0.160))
    world.add("orange", "sphere", [0.95, -0.20, top + 0.0405], radius=0.040)
    world.add("lamp_post", "capsule", [1.45, 0.55, 0.800], radius=0.022, length=1.500)
    world.add("lamp", "sphere", [1.45, 0.55, 1.640], radius=0.130)
    world.box("seat", (0.80, -1.25, 0.430), (1.20, -0.85, 0.465))
    world.box("seat_back", (0.80, -1.29, 0.430), (1.20, -1.255, 0.900))
    world.box("floor", (-3, -3, -0.060), (3, 3, -0.010))
    return world


def cage():
    """A safety cage of bars around the robot with a machine behind a window in its front."""
    world = World("cage", [-0.4, -0.4, 0], [0.6, 0.4, 3])
    xs, ys, height = (-0.75, 1.26), (-0.78, 0.78), 1.66
    corners = [(xs[0], ys[0]), (xs[1], ys[0]), (xs[1], ys[1]), (xs[0], ys[1])]
    for k, (x, y) in enumerate(corners):
        world.box("post%d" % (k + 1), (x - 0.03, y - 0.03, 0), (x + 0.03, y + 0.03, height))
    rails = (0.15, 0.50, 0.98, 1.32, 1.635)
    length_x, length_y = xs[1] - xs[0] - 0.07, ys[1] - ys[0] - 0.07
    mid_x = (xs[0] + xs[1]) / 2.0
    for k, z in enumerate(rails):
        world.bar("right_rail%d" % (k + 1), "x", [mid_x, ys[0], z], 0.016, length_x)
        world.bar("left_rail%d" % (k + 1), "x", [mid_x, ys[1], z], 0.016, length_x)
        world.bar("rear_rail%d" % (k + 1), "y", [xs[0], 0.0, z], 0.016, length_y)
        world.bar("front_rail%d" % (k + 1), "y", [xs[1], 0.0, z], 0.016, length_y)
    for k in range(5):
        x = xs[0] + (k + 1) * (xs[1] - xs[0]) / 6.0
        for side, y in (("right", ys[0] - 0.034), ("left", ys[1] + 0.034)):
            world.bar("%s_bar%d" % (side, k + 1), "z", [x, y, height / 2.0], 0.012, height)
    for k in range(5):
        world.bar("roof_bar%d" % (k + 1), "y", [-0.40 + 0.35 * k, 0.0, height - 0.018], 0.016, length_y)
    world.box("machine", (1.36, -0.60, 0), (1.96, 0.60, 1.60))
    world.box("chute", (0.86, 0.26, 0.52), (1.22, 0.60, 0.58))
    world.add("beam", "capsule", [0.72, -0.40, 1.15], radius=0.035, length=0.700)
    world.box("pedestal", (0.70, -0.62, 0), (1.00, -0.28, 0.62))
    world.add("workpiece", "sphere", [0.86, -0.45, 0.6905], radius=0.070)
    return world


def kitchen():
    """Counters on the left and in front, an island on the right, with sink, tap, board and hob."""
    world = World("kitchen", [-1.5, -1.5, 0], [0.9, 0.25, 3])
    top = 0.900
    # the left worktop leaves a hole for the sink, so it comes in four pieces
    world.box("left_cabinet", (-0.80, 0.64, 0.10), (1.24, 1.18, 0.70))
    world.box("worktop_rear", (-0.80, 0.60, top - 0.04), (0.24, 1.22, top))
    world.box("worktop_ahead", (0.66, 0.60, top - 0.04), (1.26, 1.22, top))
    world.box("worktop_near", (0.24, 0.60, top - 0.04), (0.66, 0.70, top))
    world.box("worktop_wall", (0.24, 1.10, top - 0.04), (0.66, 1.22, top))
    world.mesh("sink", "sink.stl", [0.45, 0.90, top + 0.0035])
    world.mesh("tap", "tap.dae", [0.45, 1.162, top + 0.0005], -math.pi / 2.0)
    world.box("front_cabinet", (1.30, -0.60, 0.10), (1.88, 1.22, top - 0.0405))
    world.box("front_worktop", (1.262, -0.62, top - 0.04), (1.90, 1.22, top))
    world.box("island", (0.16, -1.22, 0.0), (0.94, -0.58, top - 0.0405))
    world.box("island_top", (0.12, -1.26, top - 0.04), (0.98, -0.54, top))
    world.mesh("fruit_bowl", "bowl.stl", [0.40, -0.80, top + 0.0005])
    world.add("apple", "sphere", [0.40, -0.80, top + 0.0565], radius=0.040)
    world.mesh("carafe", "bottle.obj", [0.74, -0.72, top + 0.0005])
    world.add("board", "box", [0.02, 0.83, top + 0.0115], [0, 0, math.sin(0.1), math.cos(0.1)],
              size=[0.34, 0.24, 0.022])
    world.mesh("mug", "mug.dae", [0.88, 0.74, top + 0.0005], 2.2)
    world.mesh("mug2", "mug.dae", [0.97, 0.86, top + 0.0005], -0.7)
    world.mesh("bowl", "bowl.stl", [-0.42, 0.88, top + 0.0005])
    world.mesh("bottle", "bottle.obj", [1.05, 1.10, top + 0.0005])
    world.add("pot", "cylinder", [1.55, -0.30, top + 0.0905], radius=0.110, length=0.160)
    world.add("hob", "box", [1.58, -0.42, top + 0.0045], size=[0.50, 0.56, 0.008])
    world.add("melon", "sphere", [1.48, 0.30, top + 0.0905], radius=0.090)
    world.box("wall_cabinet_left", (-0.80, 0.90, 1.38), (1.90, 1.235, 2.05))
    world.box("wall_left", (-1.20, 1.24, 0), (2.00, 1.295, 2.40))
    world.box("wall_front", (1.905, -1.60, 0), (1.96, 1.2395, 2.40))
    world.box("fridge", (1.24, -1.30, 0), (1.88, -0.64, 1.80))
    world.box("floor", (-2, -2, -0.060), (2, 1.3, -0.010))
    return world


def _keeps_clear(x, y, z, reach):
    """Whether a ball at x, y, z stays out of the room that heron takes at zero, with a margin."""
    if z - reach < 0.50 and math.hypot(x, y) - reach < 0.45:
        return False
    if z - reach < 1.25 and math.hypot(x + 0.10, y) - reach < 0.42:
        return False
    dx = max(0.0 - x, 0.0, x - 1.20)
    dy = max(abs(y) - 0.11, 0.0)
    dz = max(0.68 - z, 0.0, z - 0.90)
    return math.sqrt(dx * dx + dy * dy + dz * dz) > reach + 0.03


def clutter():
    """320 primitives in the air around the robot, which in its zero configuration is free."""
    world = World("clutter", [-3, -3, 0], [3, 3, 3])
    random = Random(20240229)
    kinds = ("box", "cylinder", "sphere", "capsule")
    while len(world.objects) < 320:
        x, y, z = random.between(-1.5, 1.5), random.between(-1.5, 1.5), random.between(0.03, 1.9)
        kind = kinds[random.bits() % 8 % 4] if len(world.objects) % 16 == 15 else kinds[random.bits() % 3]
        a, b, c = (random.between(0.03, 0.16) for _ in range(3))
        turn = random.quaternion()
        reach = {"box": 0.5 * math.sqrt(a * a + b * b + c * c), "sphere": a / 2.0,
                 "cylinder": math.hypot(a / 3.0, b), "capsule": a / 3.0 + b}[kind]
        if not _keeps_clear(x, y, z, reach) or math.hypot(x, y) > 1.5:
            continue
        name = "%s%03d" % (kind, len(world.objects) + 1)
        if kind == "box":
            world.add(name, kind, [x, y, z], turn, size=[a, b, c])
        elif kind == "sphere":
            world.add(name, kind, [x, y, z], radius=a / 2.0)
        else:
            world.add(name, kind, [x, y, z], turn, radius=a / 3.0, length=2.0 * b)
    return world


# ---- KinEval's worlds, turned from Y-up: its x, y, z are x, z, -y here. Boundaries and balls are
# KinEval's but where a remark says otherwise.

def _balls(name, boundary, rows):
    (x0, y0), (x1, y1) = boundary
    world = World(name, [x0, y0, 0], [x1, y1, 3])
    for k, (x, y, z, radius) in enumerate(rows):
        world.add("ball%d" % (k + 1), "sphere", [x, y, z], radius=radius)
    return world


SQUARE = ((-5, -5), (5, 5))


def kineval_empty():
    return _balls("kineval_empty", SQUARE, [])


def kineval_basic():
    return _balls("kineval_basic", SQUARE, [(0, -2, 0.5, 0.5), (2, 0, 0.5, 0.5), (-2, 0, 0.5, 0.5)])


def kineval_local_minima():
    """The ball ahead moves from x = 2 to 2.4: heron's arm, stretched forwards, needs the room."""
    return _balls("kineval_local_minima", SQUARE,
                  [(0, 2, 0.5, 1.0), (2.4, 0, 0.5, 1.0), (-2, 0, 0.5, 1.0)])


def kineval_barrier():
    """A gate of three large balls across a long room, one of them overhead."""
    return _balls("kineval_barrier", ((-5, -5), (5, 20)),
                  [(0, 10, 5.0, 2.0), (3, 10, 1.0, 2.0), (-3, 10, 1.0, 2.0)])


def kineval_s():
    """Two walls of balls that make the way an S; both gaps are 1.5 m wide."""
    first = [(-2, y, 0.5, 0.5) for y in range(-2, 9)]
    second = [(-6, y, 0.5, 0.5) for y in range(0, 11)]
    return _balls("kineval_s", ((-10, -2), (2, 10)), first + second)


def kineval_random():
    """A hundred balls in KinEval's large room; KinEval draws them anew each time, here a seed does.

    They stay 1.2 m apart, from the rim and from heron, so that every gap is a passage and no
    pocket is closed.
    """
    random = Random(592)
    low, high, gap = (-50.0, -2.0), (2.0, 50.0), 1.2
    rows = []
    while len(rows) < 100:
        x, y = random.between(low[0], high[0]), random.between(low[1], high[1])
        z, radius = random.between(-0.6, 1.6), random.between(0.25, 2.25)
        inside = min(x - low[0], high[0] - x, y - low[1], high[1] - y) > radius + gap
        apart = all(math.hypot(x - a, y - b) > radius + r + gap for a, b, _, r in rows)
        if inside and apart and math.hypot(x - 0.45, y) > radius + 0.75 + gap:
            rows.append(tuple(round(v, 3) for v in (x, y, z, radius)))
    return _balls("kineval_random", (low, high), rows)


ALL = (shelf, table, cage, kitchen, clutter, kineval_empty, kineval_basic, kineval_barrier,
       kineval_local_minima, kineval_s, kineval_random)


def worlds():
    return [build() for build in ALL]


def files(made):
    return {"worlds/%s.json" % world.name: world.text() for world in made}
