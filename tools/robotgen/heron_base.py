"""Shapes of heron's base: hull, wheels, casters, column, laser and stop button.

Each function takes a Detail and returns the Shape of one link, drawn in that link's frame.
"""

from .outlines import belt, rounded_polyline, rounded_rectangle, superellipse
from .shape import Shape
from .solids import body, drum, hoop, prism, rings, turned

HULL = [  # z, cx, cy, hx, hy, power
    (0.100, 0.000, 0.0, 0.236, 0.216, 2.8),
    (0.135, 0.002, 0.0, 0.268, 0.248, 2.8),
    (0.190, 0.003, 0.0, 0.281, 0.262, 2.8),
    (0.264, 0.000, 0.0, 0.270, 0.252, 2.8)]
DECK = [
    (0.308, 0.0, 0.0, 0.267, 0.250, 2.8),
    (0.362, -0.004, 0.0, 0.252, 0.237, 2.8)]

WHEEL_RADIUS = 0.060
CASTER_RADIUS = 0.035


def base_link(d):
    n, f = d.around(48), d.fillet_steps
    shape = Shape()
    shape.add(prism(rounded_rectangle(0.165, 0.152, 0.045, d.around(24)), 0.032, 0.150, 0.012, f),
              "graphite")
    shape.add(body(HULL, n, d.along(8), 0.016, 0.012, f), "shell")
    shape.add(body(HULL, n, 2, 0.004, 0.004, f, grow=0.0035, cut=(0.120, 0.146)), "rubber")
    # the waist is the slot through which the laser looks around
    shape.add(body([(0.240, -0.022, 0.0, 0.213, 0.200, 2.8), (0.330, -0.022, 0.0, 0.213, 0.200, 2.8)],
                   n, 2, 0.0, 0.0, f), "graphite")
    shape.add(body(DECK, n, d.along(3), 0.006, 0.014, f), "shell")
    shape.add(prism(_deck_mat(n), 0.352, 0.3645, 0.002, f), "slate")
    _base_trim(shape, d, n)
    return shape


def _deck_mat(n):
    return superellipse(0.224, 0.209, 2.8, n, (-0.004, 0.0))


def _base_trim(shape, d, n):
    f = d.fillet_steps
    shape.trim(body(HULL, n, 2, 0.001, 0.001, 1, grow=0.0008, cut=(0.205, 0.213)), "light")
    shape.trim(body(HULL, n, 2, 0.0, 0.0, 1, grow=0.0004, cut=(0.174, 0.176)), "seam")
    shape.trim(body(DECK, n, 2, 0.0, 0.0, 1, grow=0.0005, cut=(0.330, 0.334)), "heron_blue")
    # charging port at the front, vents at the back: plates that sink into the hull
    port = prism(rounded_rectangle(0.055, 0.012, 0.010, d.around(16)), 0.262, 0.2838, 0.002, f)
    shape.trim(port.along_x().moved(0.0, 0.0, 0.158), "graphite")
    for side in (-0.022, 0.022):
        pin = prism(rounded_rectangle(0.012, 0.004, 0.003, d.around(12)), 0.270, 0.2842, 0.0005, 1)
        shape.trim(pin.along_x().moved(0.0, side, 0.158), "amber")
    for row in range(4):
        slot = prism(rounded_rectangle(0.070, 0.0035, 0.003, d.around(12)), 0.250, 0.2725, 0.001, 1)
        shape.trim(slot.along_x().mirrored_x().moved(-0.0052, 0.0, 0.155 + 0.014 * row), "graphite")
    for x, y in ((0.15, 0.11), (0.15, -0.11), (0.0, 0.17), (0.0, -0.17), (0.18, 0.0)):
        shape.trim(drum(0.006, 0.3600, 0.3650, 0.0004, d.around(12), 1).moved(x, y, 0.0), "steel")


def wheel(d):
    """A drive wheel about y: rubber tyre with rounded shoulders on a dished hub."""
    n, f = d.around(48), d.fillet_steps
    half, r = 0.021, WHEEL_RADIUS
    section = rounded_polyline(
        [(0.041, 0.0, 0.0), (0.041, half, 0.003), (0.054, half, 0.009), (r, 0.008, 0.012),
         (r, -0.008, 0.012), (0.054, -half, 0.009), (0.041, -half, 0.003), (0.041, 0.0, 0.0)], f)
    shape = Shape()
    shape.add(hoop(section[:-1], n).along_y(), "rubber")
    hub = [(0.0, -0.012, 0.0), (0.018, -0.012, 0.002), (0.024, -0.016, 0.003),
           (0.0435, -0.019, 0.002), (0.0435, 0.019, 0.002), (0.024, 0.016, 0.003),
           (0.018, 0.012, 0.002), (0.0, 0.012, 0.0)]
    shape.add(turned(hub, n, f).along_y(), "silver")
    for side in (1.0, -1.0):
        cap = drum(0.012, 0.010, 0.0165, 0.002, d.around(20), f).along_y()
        shape.trim(cap if side > 0.0 else cap.mirrored_y(), "heron_blue")
    for k in range(5):
        bolt = drum(0.0032, 0.010, 0.0188, 0.001, 8, 1).along_y()
        bolt = bolt.moved(0.0, 0.0, 0.033).turned_y(k * 6.283185307179586 / 5)
        shape.trim_both_sides(bolt, "graphite")
    # grooves read as dark rings; they stay within the tyre's outline
    for y in (-0.005, 0.005):
        ring = hoop([(0.050, y - 0.0008), (0.0601, y - 0.0008), (0.0601, y + 0.0008),
                     (0.050, y + 0.0008)], n)
        shape.trim(ring.along_y(), "seam")
    return shape


def caster(d):
    """A swivel caster, its frame in the wheel's centre: fixed, for the swivel changes nothing."""
    n, f = d.around(28), d.fillet_steps
    shape = Shape()
    tread = [(0.0, -0.011, 0.0), (0.028, -0.011, 0.004), (CASTER_RADIUS, -0.007, 0.005),
             (CASTER_RADIUS, 0.007, 0.005), (0.028, 0.011, 0.004), (0.0, 0.011, 0.0)]
    shape.add(turned(tread, n, f).along_y(), "rubber")
    cheek = belt([(0.0, 0.0, 0.011), (0.030, 0.047, 0.010), (0.008, 0.047, 0.010)], d.around(20))
    shape.both_sides(prism(cheek, -0.0175, -0.0135, 0.001, 1).standing(), "steel")
    shape.add(drum(0.026, 0.044, 0.055, 0.003, n, f).moved(0.018, 0.0, 0.0), "steel")
    shape.add(drum(0.017, 0.050, 0.090, 0.002, n, f).moved(0.018, 0.0, 0.0), "graphite")
    shape.trim_both_sides(drum(0.005, 0.012, 0.0178, 0.001, d.around(12), 1).along_y(), "silver")
    return shape


def torso_fixed_link(d):
    """The column that the torso climbs, with its foot on the deck."""
    f = d.fillet_steps
    arc = d.around(24)
    shape = Shape()
    foot = rounded_rectangle(0.078, 0.132, 0.042, arc, (-0.073, 0.0))
    shape.add(prism(foot, -0.026, 0.002, 0.006, f), "slate")
    shape.add(prism(rounded_rectangle(0.048, 0.098, 0.022, arc, (-0.075, 0.0)),
                    -0.020, 0.440, 0.004, f), "steel")
    for x in (-0.105, -0.045):
        rail = drum(0.009, -0.010, 0.436, 0.001, d.around(16), 1).moved(x, 0.097, 0.0)
        shape.both_sides(rail, "silver")
    for x, y in ((-0.136, 0.110), (-0.136, -0.110), (-0.010, 0.110), (-0.010, -0.110)):
        shape.trim(drum(0.006, -0.004, 0.0035, 0.001, d.around(12), 1).moved(x, y, 0.0), "silver")
    return shape


def bellows_link(d):
    """A pleated cover that hangs from the torso around the column and dips into the base."""
    count = d.around(40)
    pleats, top, bottom = 11, 0.045, -0.245
    outline = rounded_rectangle(0.064, 0.118, 0.030, count, (-0.075, 0.0))
    pitch = (top - bottom) / (2 * pleats)
    ring_list = []
    for k in range(2 * pleats + 1):
        depth = 0.0 if k % 2 else 0.007
        z = bottom + pitch * k
        ring_list.append([(x - depth * nx, y - depth * ny, z) for x, y, nx, ny in outline])
    shape = Shape()
    shape.add(rings(ring_list), "rubber")
    return shape


def laser_link(d):
    """A small scanner: housing, window and lid."""
    n, f = d.around(28), d.fillet_steps
    shape = Shape()
    shape.add(drum(0.030, -0.021, -0.007, 0.003, n, f), "graphite")
    shape.add(turned([(0.0, -0.010, 0.0), (0.026, -0.010, 0.001), (0.026, 0.012, 0.001),
                      (0.0, 0.012, 0.0)], n, 1), "glass")
    shape.add(drum(0.030, 0.009, 0.020, 0.005, n, f), "graphite")
    shape.trim(hoop([(0.027, 0.0130), (0.03005, 0.0130), (0.03005, 0.0144), (0.027, 0.0144)], n),
               "amber")
    return shape


def estop_link(d):
    """A mushroom button on a collar."""
    n, f = d.around(24), d.fillet_steps
    shape = Shape()
    shape.add(drum(0.024, -0.006, 0.009, 0.003, n, f), "amber")
    shape.add(drum(0.011, 0.006, 0.020, 0.001, n, 1), "graphite")
    shape.add(turned([(0.0, 0.017, 0.0), (0.015, 0.017, 0.001), (0.0205, 0.024, 0.004),
                      (0.0185, 0.034, 0.006), (0.0, 0.0365, 0.0)], n, f), "signal_red")
    return shape
