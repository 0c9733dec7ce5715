"""Small things for the worlds: mug, bottle, bowl, sink and tap, each a heap of closed solids."""

import math

from . import collada, stl
from .outlines import rounded_polyline, rounded_rectangle
from .shape import COARSE, Shape
from .solids import Solid, drum, lathe, outward, strip, tube, turned

PALETTE = {"glaze": (0.860, 0.870, 0.850, 0.6), "clay": (0.690, 0.360, 0.230, 0.3),
           "steel": (0.700, 0.715, 0.730, 0.8), "glass": (0.250, 0.470, 0.400, 0.9)}


def mug(d):
    """A thrown mug: base at z = 0, 95 mm high, its ear along +x."""
    n = d.around(36)
    wall = rounded_polyline([
        (0.0, 0.0, 0.0), (0.036, 0.0, 0.004), (0.041, 0.095, 0.0012), (0.0382, 0.095, 0.0012),
        (0.0335, 0.006, 0.004), (0.0, 0.006, 0.0)], d.fillet_steps)
    shape = Shape()
    shape.add(lathe(wall, n), "glaze")
    path = []
    for k in range(15):
        angle = math.radians(112.0 - 224.0 * k / 14)
        path.append((0.0385 + 0.027 * max(-0.12, math.cos(angle)), 0.0, 0.047 + 0.030 * math.sin(angle)))
    shape.add(tube(path, [0.0048] * len(path), d.around(14)), "glaze")
    return shape


def bottle(d):
    """A wine bottle, base at z = 0, 300 mm high; solid, for nothing reaches into it."""
    n = d.around(36)
    shape = Shape()
    shape.add(turned([(0.0, 0.0, 0.0), (0.037, 0.0, 0.005), (0.037, 0.185, 0.040),
                      (0.0145, 0.225, 0.020), (0.0135, 0.286, 0.0), (0.0160, 0.288, 0.0006),
                      (0.0160, 0.299, 0.001), (0.0, 0.300, 0.0)], n, d.along(4)), "glass")
    return shape


def bowl(d):
    n = d.around(44)
    shape = Shape()
    shape.add(turned([(0.0, 0.0, 0.0), (0.045, 0.0, 0.003), (0.048, 0.008, 0.003), (0.100, 0.030, 0.030),
                      (0.130, 0.075, 0.001), (0.1265, 0.076, 0.001), (0.095, 0.036, 0.030),
                      (0.040, 0.012, 0.010), (0.0, 0.012, 0.0)], n, d.along(3)), "clay")
    return shape


def sink(d):
    """A drawn steel basin, rim at z = 0, 0.46 x 0.40 m and 0.17 m deep, one closed sheet."""
    arc = d.around(32)
    f = d.fillet_steps
    ring_list = []
    sheet = [(0.230, 0.200, 0.040, -0.0025), (0.230, 0.200, 0.040, 0.0), (0.206, 0.176, 0.040, 0.0),
             (0.202, 0.172, 0.040, -0.004), (0.194, 0.164, 0.044, -0.150), (0.182, 0.152, 0.044, -0.166),
             (0.168, 0.138, 0.044, -0.170), (0.168, 0.138, 0.044, -0.1725),
             (0.184, 0.154, 0.044, -0.1685), (0.197, 0.167, 0.044, -0.151),
             (0.206, 0.176, 0.040, -0.0025)]
    for hx, hy, r, z in sheet:
        ring_list.append([(x, y, z) for x, y, _, _ in rounded_rectangle(hx, hy, r, arc)])
    shape = Shape()
    shape.add(_basin(ring_list), "steel")
    shape.add(drum(0.034, -0.1735, -0.1675, 0.002, d.around(28), f), "steel")
    return shape


def _basin(ring_list):
    """The sheet's underside and inside: rings from rim to floor, floor closed on both faces.

    The list runs from under the rim over the inside to the floor, and back along the underside.
    """
    count = len(ring_list[0])
    vertices = [p for ring in ring_list for p in ring]
    triangles = []
    inner_floor = 6
    last = len(ring_list) - 1
    for k in list(range(inner_floor)) + list(range(inner_floor + 1, last)):
        strip(triangles, k * count, (k + 1) * count, count)
    strip(triangles, last * count, 0, count)
    for ring, down in ((inner_floor, False), (inner_floor + 1, True)):
        vertices.append((0.0, 0.0, ring_list[ring][0][2]))
        tip = len(vertices) - 1
        for i in range(count):
            a, b = ring * count + i, ring * count + (i + 1) % count
            triangles.append((tip, b, a) if down else (tip, a, b))
    return outward(Solid(vertices, triangles))


def tap(d):
    """A swan-necked tap: foot at z = 0, spout over +x, 0.29 m high."""
    f = d.fillet_steps
    shape = Shape()
    shape.add(drum(0.027, 0.0, 0.012, 0.003, d.around(28), f), "steel")
    shape.add(drum(0.0205, 0.010, 0.070, 0.004, d.around(28), f), "steel")
    path = [(0.0, 0.0, 0.060 + 0.030 * k) for k in range(5)]
    for k in range(1, 13):
        angle = math.pi * k / 12
        path.append((0.080 - 0.080 * math.cos(angle), 0.0, 0.200 + 0.080 * math.sin(angle)))
    path.append((0.160, 0.0, 0.165))
    shape.add(tube(path, [0.0125] * len(path), d.around(20)), "steel")
    shape.add(tube([(0.0, -0.010, 0.046), (0.0, -0.045, 0.052), (0.0, -0.085, 0.070)],
                   [0.0070, 0.0065, 0.0055], d.around(14)), "steel")
    return shape


BUILDERS = {"mug.dae": mug, "bottle.obj": bottle, "bowl.stl": bowl, "sink.stl": sink, "tap.dae": tap}


def shapes():
    return {name: build(COARSE) for name, build in BUILDERS.items()}


def files(made):
    out = {}
    for name, shape in made.items():
        stem, kind = name.split(".")
        path = "worlds/meshes/" + name
        if kind == "stl":
            out[path] = stl.collision(shape)
        elif kind == "obj":
            out[path] = stl.obj(shape, stem)
        else:
            out[path] = collada.document(shape, stem, PALETTE)
    return out
