"""What a link is made of: solids with a material, some of them only to be looked at."""

import math
import struct

GRID = 1e6  # coordinates are kept on a micrometre grid, so that a libm's last bit cannot show


def snap(value):
    return round(value * GRID) / GRID + 0.0


def snap_single(value):
    """The grid value as binary STL stores it."""
    return struct.unpack("<f", struct.pack("<f", snap(value)))[0]


class Detail:
    """How finely round things are divided: one for collision meshes, one for visual ones."""

    def __init__(self, name, scale, fillet_steps, stations):
        self.name = name
        self.scale = scale
        self.fillet_steps = fillet_steps
        self.stations = stations

    def around(self, count):
        """Segments of a full turn: a multiple of four, so that the extremes are always met."""
        return max(8, 4 * int(math.floor(count * self.scale / 4.0 + 0.5)))

    def along(self, count):
        return max(2, int(math.floor(count * self.stations + 0.5)))


COARSE = Detail("collision", 0.7, 2, 0.72)
FINE = Detail("visual", 1.0, 3, 1.0)


class Shape:
    """The solids of one link."""

    def __init__(self):
        self.parts = []

    def add(self, solid, material):
        self.parts.append((solid, material, True))

    def trim(self, solid, material):
        """Something to look at that a collision mesh has no use for."""
        self.parts.append((solid, material, False))

    def both_sides(self, solid, material):
        self.add(solid, material)
        self.add(solid.mirrored_y(), material)

    def trim_both_sides(self, solid, material):
        self.trim(solid, material)
        self.trim(solid.mirrored_y(), material)

    def triangles(self, collision_only, grid=snap):
        """Corner triples on the grid, solid after solid."""
        corners = []
        for solid, _, solid_counts in self.parts:
            if solid_counts or not collision_only:
                points = [tuple(grid(x) for x in v) for v in solid.vertices]
                corners.extend((points[a], points[b], points[c]) for a, b, c in solid.triangles)
        return corners

    def by_material(self):
        """(material, [Solid]) in order of first use, vertices on the grid."""
        order, groups = [], {}
        for solid, material, _ in self.parts:
            if material not in groups:
                groups[material] = []
                order.append(material)
            groups[material].append(solid)
        return [(material, groups[material]) for material in order]


def mirrored(shape):
    twin = Shape()
    twin.parts = [(solid.mirrored_y(), material, counts) for solid, material, counts in shape.parts]
    return twin


def bounds(triangles):
    low = [min(p[k] for t in triangles for p in t) for k in range(3)]
    high = [max(p[k] for t in triangles for p in t) for k in range(3)]
    return low, high


def mass_properties(triangles, density):
    """Mass, centre and inertia about the centre, by integrals over signed tetrahedra.

    Solids that overlap count twice there: a denser core, still a physical body.
    """
    volume = 0.0
    first = [0.0] * 3
    second = [[0.0] * 3 for _ in range(3)]
    for a, b, c in triangles:
        det = (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2])
               + a[2] * (b[0] * c[1] - b[1] * c[0]))
        volume += det / 6.0
        total = [a[k] + b[k] + c[k] for k in range(3)]
        for k in range(3):
            first[k] += det * total[k] / 24.0
            for m in range(3):
                second[k][m] += det * (total[k] * total[m] + a[k] * a[m] + b[k] * b[m]
                                       + c[k] * c[m]) / 120.0
    center = [f / volume for f in first]
    moment = [[density * (second[k][m] - volume * center[k] * center[m]) for m in range(3)]
              for k in range(3)]
    trace = moment[0][0] + moment[1][1] + moment[2][2]
    inertia = [[(trace if k == m else 0.0) - moment[k][m] for m in range(3)] for k in range(3)]
    return density * volume, center, inertia
