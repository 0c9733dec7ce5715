"""Closed triangle shells: lathes, lofts, filleted prisms and tubes.

Every function returns a Solid that is closed and faces outwards; a link is a heap of such solids.
"""

import math

from . import outlines
from .outlines import TURN, cosine, sine


class Solid:
    """Vertices and triangles of one closed shell."""

    def __init__(self, vertices, triangles):
        self.vertices = vertices
        self.triangles = triangles

    def mapped(self, function, flip=False):
        triangles = [(a, c, b) for a, b, c in self.triangles] if flip else list(self.triangles)
        return Solid([function(v) for v in self.vertices], triangles)

    def moved(self, dx, dy, dz):
        return self.mapped(lambda v: (v[0] + dx, v[1] + dy, v[2] + dz))

    def along_x(self):
        """z becomes x (and x becomes y): a lathe about z becomes one about x."""
        return self.mapped(lambda v: (v[2], v[0], v[1]))

    def along_y(self):
        """z becomes y (and x becomes z): a lathe about z becomes one about y."""
        return self.mapped(lambda v: (v[1], v[2], v[0]))

    def standing(self):
        """A drawing in (x, z), extruded along y: what cheeks and side plates are drawn in."""
        return self.mapped(lambda v: (v[0], -v[2], v[1]))

    def mirrored_y(self):
        return self.mapped(lambda v: (v[0], -v[1], v[2]), flip=True)

    def mirrored_x(self):
        return self.mapped(lambda v: (-v[0], v[1], v[2]), flip=True)

    def turned_y(self, angle):
        c, s = math.cos(angle), math.sin(angle)
        return self.mapped(lambda v: (c * v[0] + s * v[2], v[1], c * v[2] - s * v[0]))

    def turned_z(self, angle):
        c, s = math.cos(angle), math.sin(angle)
        return self.mapped(lambda v: (c * v[0] - s * v[1], s * v[0] + c * v[1], v[2]))


def outward(solid):
    """The same shell with its triangles facing outwards, whichever way its curves ran."""
    volume = 0.0
    for a, b, c in solid.triangles:
        p, q, r = solid.vertices[a], solid.vertices[b], solid.vertices[c]
        volume += (p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2])
                   + p[2] * (q[0] * r[1] - q[1] * r[0]))
    if volume >= 0.0:
        return solid
    return Solid(solid.vertices, [(a, c, b) for a, b, c in solid.triangles])


def strip(triangles, first, second, count):
    for i in range(count):
        j = (i + 1) % count
        triangles.append((first + i, first + j, second + j))
        triangles.append((first + i, second + j, second + i))


def rings(ring_list):
    """A shell through rings of equally many points; both ends are closed by fans."""
    count = len(ring_list[0])
    vertices = [p for ring in ring_list for p in ring]
    triangles = []
    for k in range(len(ring_list) - 1):
        strip(triangles, k * count, (k + 1) * count, count)
    last = (len(ring_list) - 1) * count
    for start, back in ((0, True), (last, False)):
        ring = vertices[start:start + count]
        center = tuple(math.fsum(p[k] for p in ring) / count for k in range(3))
        vertices.append(center)
        tip = len(vertices) - 1
        for i in range(count):
            j = (i + 1) % count
            triangles.append((tip, start + j, start + i) if back else (tip, start + i, start + j))
    return outward(Solid(vertices, triangles))


def lathe(profile, count):
    """Surface of revolution about z of (r, z) points; the first and last lie on the axis."""
    vertices, triangles = [(0.0, 0.0, profile[0][1])], []
    inner = profile[1:-1]
    for r, z in inner:
        for i in range(count):
            vertices.append((r * cosine(TURN * i / count), r * sine(TURN * i / count), z))
    for k in range(len(inner) - 1):
        strip(triangles, 1 + k * count, 1 + (k + 1) * count, count)
    vertices.append((0.0, 0.0, profile[-1][1]))
    tip, last = len(vertices) - 1, 1 + (len(inner) - 1) * count
    for i in range(count):
        j = (i + 1) % count
        triangles.append((0, 1 + j, 1 + i))
        triangles.append((tip, last + i, last + j))
    return outward(Solid(vertices, triangles))


def hoop(profile, count):
    """Surface of revolution about z of a closed (r, z) curve that stays off the axis: tyres."""
    vertices, triangles = [], []
    for r, z in profile:
        for i in range(count):
            vertices.append((r * cosine(TURN * i / count), r * sine(TURN * i / count), z))
    for k in range(len(profile)):
        strip(triangles, k * count, (k + 1) % len(profile) * count, count)
    return outward(Solid(vertices, triangles))


def turned(corners, count, steps):
    """Lathe of a polyline (r, z, fillet) whose inner corners are rounded."""
    return lathe(outlines.rounded_polyline(corners, steps), count)


def drum(radius, low, high, fillet, count, steps):
    """A filleted disc or barrel about z."""
    return turned([(0.0, low, 0.0), (radius, low, fillet), (radius, high, fillet),
                   (0.0, high, 0.0)], count, steps)


def loft(section, heights, low_fillet, high_fillet, steps):
    """A shell along z through section(z) outlines; both ends are rounded inwards.

    heights are the stations, the first and last being the ends. Stations that fall into a rounded
    end are left out.
    """
    low, high = heights[0], heights[-1]
    stations = [(low + low_fillet - rise, cut) for rise, cut in _rises(low_fillet, steps)]
    body = [z for z in heights if low + 1.05 * low_fillet < z < high - 1.05 * high_fillet]
    stations += [(z, 0.0) for z in body]
    stations += [(high - high_fillet + rise, cut) for rise, cut in reversed(_rises(high_fillet, steps))]
    return rings([[(x, y, z) for x, y in outlines.inset(section(z), cut)] for z, cut in stations])


def _rises(fillet, steps):
    """(rise towards the end, inset) along a quarter circle, starting at the end's cap."""
    if fillet <= 0.0:
        return [(0.0, 0.0)]
    quarter = 0.5 * math.pi
    return [(fillet * cosine(quarter * k / steps), fillet * (1.0 - sine(quarter * k / steps)))
            for k in range(steps + 1)]


def prism(outline, low, high, fillet, steps):
    """An outline extruded along z with filleted rims."""
    return loft(lambda z: outline, [low, high], fillet, fillet, steps)


class Keys:
    """Numbers that vary smoothly along an axis, without overshoot between the given stations."""

    def __init__(self, rows):
        self.rows = rows
        self.slopes = [self._slopes(k) for k in range(1, len(rows[0]))]

    def _slopes(self, column):
        rows = self.rows
        secants = [(b[column] - a[column]) / (b[0] - a[0]) for a, b in zip(rows, rows[1:])]
        slopes = [secants[0]]
        for left, right in zip(secants, secants[1:]):
            # the harmonic mean keeps a monotone run monotone; a turning point gets a flat tangent
            slopes.append(2.0 * left * right / (left + right) if left * right > 0.0 else 0.0)
        return slopes + [secants[-1]]

    def at(self, t):
        rows = self.rows
        t = max(rows[0][0], min(rows[-1][0], t))
        k = 0
        while k < len(rows) - 2 and t > rows[k + 1][0]:
            k += 1
        a, b = rows[k], rows[k + 1]
        h = b[0] - a[0]
        s = (t - a[0]) / h
        values = []
        for column, slopes in enumerate(self.slopes, start=1):
            values.append((1 + 2 * s) * (1 - s) ** 2 * a[column] + s * (1 - s) ** 2 * h * slopes[k]
                          + s * s * (3 - 2 * s) * b[column] + s * s * (s - 1) * h * slopes[k + 1])
        return values

    def span(self, count):
        """Even stations and the given ones: where a body is widest, every fineness looks."""
        low, high = self.rows[0][0], self.rows[-1][0]
        given = [row[0] for row in self.rows]
        even = [low + (high - low) * i / count for i in range(1, count)]
        apart = 0.35 * (high - low) / count
        return sorted(given + [z for z in even if min(abs(z - g) for g in given) > apart])


def body(rows, count, stations, low_fillet, high_fillet, steps, grow=0.0, cut=None):
    """A smooth loft along z of superellipses: rows are (z, cx, cy, hx, hy, power).

    grow swells every section and cut = (low, high) keeps a slice: trim bands that hug a body.
    """
    keys = Keys(rows)

    def section(z):
        cx, cy, hx, hy, power = keys.at(z)
        return outlines.superellipse(hx + grow, hy + grow, power, count, (cx, cy))

    heights = keys.span(stations)
    if cut is not None:
        low, high = cut
        heights = [low] + [z for z in heights if low < z < high] + [high]
    return loft(section, heights, low_fillet, high_fillet, steps)


def tube(path, radii, count):
    """A round tube along a polyline, its frame carried along without twist."""
    normal = None
    ring_list = []
    for k, point in enumerate(path):
        before, after = path[max(0, k - 1)], path[min(len(path) - 1, k + 1)]
        tangent = _unit3([after[i] - before[i] for i in range(3)])
        if normal is None:
            seed = (0.0, 0.0, 1.0) if abs(tangent[2]) < 0.9 else (1.0, 0.0, 0.0)
            normal = seed
        lean = sum(normal[i] * tangent[i] for i in range(3))
        normal = _unit3([normal[i] - lean * tangent[i] for i in range(3)])
        side = (tangent[1] * normal[2] - tangent[2] * normal[1],
                tangent[2] * normal[0] - tangent[0] * normal[2],
                tangent[0] * normal[1] - tangent[1] * normal[0])
        ring = []
        for i in range(count):
            c, s = radii[k] * cosine(TURN * i / count), radii[k] * sine(TURN * i / count)
            ring.append(tuple(point[j] + c * normal[j] + s * side[j] for j in range(3)))
        ring_list.append(ring)
    return rings(ring_list)


def _unit3(v):
    length = math.sqrt(sum(x * x for x in v))
    return tuple(x / length for x in v)
