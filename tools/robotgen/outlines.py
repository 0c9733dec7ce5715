"""Closed planar curves that solids are lofted and extruded from.

An outline is a list of (x, y, nx, ny): points in anticlockwise order with their outward unit
normals. Carrying the normal makes an inset a subtraction, and that is all a filleted edge needs.
"""

import math

TURN = 2.0 * math.pi


def cosine(angle):
    """cos that is exactly 0 on the axes: extremes of coarse and fine curves must coincide."""
    value = math.cos(angle)
    return 0.0 if abs(value) < 1e-12 else value


def sine(angle):
    value = math.sin(angle)
    return 0.0 if abs(value) < 1e-12 else value


def circle(radius, count, center=(0.0, 0.0)):
    return superellipse(radius, radius, 2.0, count, center)


def superellipse(hx, hy, power, count, center=(0.0, 0.0)):
    """|x/hx|^power + |y/hy|^power = 1; power 2 is an ellipse, 4 and more a soft box."""
    points = []
    for i in range(count):
        c, s = cosine(TURN * i / count), sine(TURN * i / count)
        u = math.copysign(abs(c) ** (2.0 / power), c)
        v = math.copysign(abs(s) ** (2.0 / power), s)
        nx = math.copysign(abs(u) ** (power - 1.0), u) / hx
        ny = math.copysign(abs(v) ** (power - 1.0), v) / hy
        length = math.hypot(nx, ny)
        points.append((center[0] + hx * u, center[1] + hy * v, nx / length, ny / length))
    return points


def belt(circles, steps):
    """The tight belt around circles (x, y, r), given anticlockwise: plates, cheeks, rocker arms."""
    points = []
    count = len(circles)
    tangents = [_belt_normal(circles[i], circles[(i + 1) % count]) for i in range(count)]
    for i, (x, y, r) in enumerate(circles):
        start, end = tangents[i - 1], tangents[i]
        while end <= start:
            end += TURN
        arc = max(2, int(math.ceil(steps * (end - start) / TURN)))
        for k in range(arc + 1):
            angle = start + (end - start) * k / arc
            nx, ny = cosine(angle), sine(angle)
            points.append((x + r * nx, y + r * ny, nx, ny))
    return points


def _belt_normal(a, b):
    """Direction of the outward normal on the tangent that runs from circle a to circle b."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    distance = math.hypot(dx, dy)
    return math.atan2(dy, dx) - math.acos((a[2] - b[2]) / distance)


def rounded_rectangle(hx, hy, radius, steps, center=(0.0, 0.0)):
    cx, cy = hx - radius, hy - radius
    corners = [(cx, -cy), (cx, cy), (-cx, cy), (-cx, -cy)]
    return belt([(center[0] + x, center[1] + y, radius) for x, y in corners], steps)


def inset(outline, distance):
    return [(x - distance * nx, y - distance * ny) for x, y, nx, ny in outline]


def rounded_polyline(corners, steps):
    """An open polyline (x, y, fillet) with each inner corner replaced by an arc: lathe profiles."""
    points = [corners[0][:2]]
    for before, corner, after in zip(corners, corners[1:], corners[2:]):
        points.extend(_corner_arc(before, corner, after, steps))
    points.append(corners[-1][:2])
    return points


def _corner_arc(before, corner, after, steps):
    x, y, radius = corner
    if radius <= 0.0:
        return [(x, y)]
    ax, ay = _unit(before[0] - x, before[1] - y)
    bx, by = _unit(after[0] - x, after[1] - y)
    half = 0.5 * math.acos(max(-1.0, min(1.0, ax * bx + ay * by)))
    mx, my = _unit(ax + bx, ay + by)
    reach = radius / math.sin(half)
    cx, cy = x + reach * mx, y + reach * my
    sweep = math.pi - 2.0 * half
    side = 1.0 if ax * by - ay * bx < 0.0 else -1.0
    trim = radius / math.tan(half)
    sx, sy = x + trim * ax - cx, y + trim * ay - cy
    arc = []
    for k in range(steps + 1):
        angle = side * sweep * k / steps
        c, s = math.cos(angle), math.sin(angle)
        arc.append((cx + c * sx - s * sy, cy + s * sx + c * sy))
    return arc


def _unit(x, y):
    length = math.hypot(x, y)
    return x / length, y / length
