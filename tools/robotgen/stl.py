"""Binary STL and Wavefront OBJ."""

import math
import struct

from .shape import snap, snap_single

# readers take a file whose first word is "solid" for text, so the header starts otherwise
HEADER = b"graze binary STL, metres, MIT licence"


def binary(triangles):
    """Bytes of triangles whose corners are on the grid."""
    pieces = [HEADER.ljust(80, b" "), struct.pack("<I", len(triangles))]
    for a, b, c in triangles:
        pieces.append(struct.pack("<12fH", *facet_normal(a, b, c), *a, *b, *c, 0))
    return b"".join(pieces)


def facet_normal(a, b, c):
    u = [b[k] - a[k] for k in range(3)]
    v = [c[k] - a[k] for k in range(3)]
    n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
    length = math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2])
    # rounded: a facet normal is a hint, and its last bits are nobody's business
    return [round(x / length, 5) + 0.0 for x in n] if length > 0.0 else [0.0, 0.0, 0.0]


def parse(data):
    count = struct.unpack_from("<I", data, 80)[0]
    triangles = []
    for i in range(count):
        v = struct.unpack_from("<9f", data, 84 + 50 * i + 12)
        triangles.append((v[0:3], v[3:6], v[6:9]))
    return triangles


def collision(shape):
    return binary(shape.triangles(True, snap_single))


def number(value, digits=6):
    text = "%.*f" % (digits, value)
    text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def obj(shape, name):
    """Wavefront OBJ with one object; vertices are shared within a solid."""
    lines = ["# graze, metres, MIT licence", "o " + name]
    base = 1
    faces = []
    for solid, _, _ in shape.parts:
        lines += ["v " + " ".join(number(snap(x)) for x in v) for v in solid.vertices]
        faces += ["f %d %d %d" % (a + base, b + base, c + base) for a, b, c in solid.triangles]
        base += len(solid.vertices)
    return ("\n".join(lines + faces) + "\n").encode("ascii")
