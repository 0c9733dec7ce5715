"""Shapes of heron's arm and gripper.

The arm alternates two kinds of link. A flex link starts with a barrel about y and ends in a round
neck along x; a roll link starts with a drum about x and ends in a fork that holds the next barrel.
"""

from .outlines import belt, rounded_rectangle
from .shape import Shape
from .solids import body, drum, hoop, prism, turned


class Size:
    """What differs between shoulder, elbow and wrist."""

    def __init__(self, length, barrel, half, neck, next_start, cheek=None):
        self.length = length          # to the next joint
        self.barrel = barrel          # radius about the flex axis
        self.half = half              # half the barrel's width
        self.neck = neck              # radius of the round end
        self.next_start = next_start  # how far before the next joint the next link starts
        self.cheek = cheek            # (inner, outer) |y| of the fork's plates


def flex_link(d, size):
    n, f = d.around(40), d.fillet_steps
    shape = Shape()
    shape.add(drum(size.barrel, -size.half, size.half, 0.004, n, f).along_y(), "slate")
    end = size.length - size.next_start
    start, flange = 0.012, end - 0.014
    r = size.neck
    neck = [(start, 0.0, 0.0, size.half - 0.004, size.barrel - 0.006, 3.6),
            (0.5 * (start + flange), 0.0, 0.0, 0.5 * (size.half + r) - 0.003, r - 0.004, 2.8),
            (flange + 0.004, 0.0, 0.0, r - 0.002, r - 0.002, 2.0)]
    shape.add(body(neck, n, d.along(9), 0.008, 0.0, f).along_x(), "shell")
    shape.add(drum(r + 0.0015, flange, end - 0.0008, 0.003, n, f).along_x(), "graphite")
    ring = hoop([(r - 0.006, flange - 0.010), (r - 0.0012, flange - 0.010),
                 (r - 0.0012, flange - 0.006), (r - 0.006, flange - 0.006)], n)
    shape.trim(ring.along_x(), "heron_blue")
    boss = hoop([(0.45 * size.barrel, size.half - 0.004), (0.62 * size.barrel, size.half - 0.004),
                 (0.62 * size.barrel, size.half - 0.0001), (0.45 * size.barrel, size.half - 0.0001)], n)
    shape.trim_both_sides(boss.along_y(), "graphite")
    return shape


def roll_link(d, size):
    n, f = d.around(40), d.fillet_steps
    shape = Shape()
    r, start = size.neck, -size.next_start
    # the drum: a dark bearing ring, then the white housing that the fork grows out of
    shape.add(turned([(0.0, start, 0.0), (r - 0.003, start, 0.001), (r, start + 0.008, 0.003),
                      (r, 0.016, 0.004), (0.0, 0.016, 0.0)], n, f).along_x(), "shell")
    crotch = size.length - size.barrel - 0.008
    inner, outer = size.cheek
    yoke = [(0.000, 0.0, 0.0, r - 0.001, r - 0.001, 2.0),
            (0.5 * crotch, 0.0, 0.0, outer - 0.003, r - 0.001, 2.6),
            (crotch, 0.0, 0.0, outer - 0.004, size.barrel - 0.008, 3.6)]
    shape.add(body(yoke, n, d.along(8), 0.0, 0.006, f).along_x(), "shell")
    cheek = belt([(size.length, 0.0, size.barrel - 0.002), (0.45 * crotch, 0.0, 0.62 * r)], d.around(40))
    shape.both_sides(prism(cheek, -outer, -inner, 0.004, f).standing(), "shell")
    _pivot(shape, d, size.length, 0.0, 0.70 * size.barrel, outer)
    groove = hoop([(r - 0.004, start + 0.014), (r + 0.00015, start + 0.014),
                   (r + 0.00015, start + 0.0165), (r - 0.004, start + 0.0165)], n)
    shape.trim(groove.along_x(), "seam")
    return shape


def _pivot(shape, d, x, z, radius, outer):
    """The bearing caps outside a fork: a disc with a coloured ring and a dark heart."""
    n, f = d.around(36), d.fillet_steps
    cap = drum(radius, outer - 0.004, outer + 0.0065, 0.003, n, f).along_y().moved(x, 0.0, z)
    shape.both_sides(cap, "heron_blue")
    heart = drum(0.55 * radius, outer, outer + 0.0067, 0.0010, d.around(24), 1)
    shape.trim_both_sides(heart.along_y().moved(x, 0.0, z), "graphite")
    for k in range(6):
        screw = drum(0.0022, outer, outer + 0.0066, 0.0005, 8, 1).along_y()
        screw = screw.moved(0.0, 0.0, 0.76 * radius).turned_y(k * 6.283185307179586 / 6)
        shape.trim_both_sides(screw.moved(x, 0.0, z), "silver")


def shoulder_pan_link(d):
    """A turret about z whose neck rises into the fork of the shoulder lift."""
    n, f = d.around(44), d.fillet_steps
    x, z, outer, inner = 0.117, 0.060, 0.066, 0.047
    shape = Shape()
    shape.add(turned([(0.0, -0.0480, 0.0), (0.0600, -0.0480, 0.003), (0.0625, -0.020, 0.010),
                      (0.0610, 0.040, 0.022), (0.038, 0.064, 0.016), (0.0, 0.068, 0.0)], n, f), "shell")
    neck = [(-0.030, 0.0, 0.015, 0.050, 0.036, 3.0), (0.020, 0.0, 0.030, 0.058, 0.046, 3.2),
            (0.060, 0.0, 0.050, 0.0635, 0.046, 3.6)]
    shape.add(body(neck, n, d.along(7), 0.012, 0.006, f).along_x(), "shell")
    cheek = belt([(x, z, 0.052), (0.046, 0.044, 0.040)], d.around(44))
    shape.both_sides(prism(cheek, -outer, -inner, 0.005, f).standing(), "shell")
    _pivot(shape, d, x, z, 0.039, outer)
    band = hoop([(0.056, -0.036), (0.0622, -0.036), (0.0622, -0.030), (0.056, -0.030)], n)
    shape.trim(band, "heron_blue")
    return shape


SHOULDER = Size(0.219, 0.054, 0.0455, 0.0505, 0.0470)
UPPERARM = Size(0.133, 0.048, 0.0330, 0.0500, 0.0470, (0.0345, 0.0515))
ELBOW = Size(0.197, 0.048, 0.0330, 0.0465, 0.0440)
FOREARM = Size(0.1245, 0.044, 0.0300, 0.0460, 0.0440, (0.0315, 0.0475))
WRIST = Size(0.1385, 0.044, 0.0300, 0.0425, 0.0240)


def shoulder_lift_link(d):
    return flex_link(d, SHOULDER)


def upperarm_roll_link(d):
    return roll_link(d, UPPERARM)


def elbow_flex_link(d):
    return flex_link(d, ELBOW)


def forearm_roll_link(d):
    return roll_link(d, FOREARM)


def wrist_flex_link(d):
    return flex_link(d, WRIST)


def wrist_roll_link(d):
    """The tool flange."""
    n, f = d.around(40), d.fillet_steps
    shape = Shape()
    shape.add(turned([(0.0, -0.024, 0.0), (0.040, -0.024, 0.001), (0.0425, -0.016, 0.003),
                      (0.0425, 0.004, 0.004), (0.0345, 0.008, 0.002), (0.0345, 0.0215, 0.002),
                      (0.0, 0.0215, 0.0)], n, f).along_x(), "shell")
    shape.trim(hoop([(0.030, 0.010), (0.0352, 0.010), (0.0352, 0.016), (0.030, 0.016)], n).along_x(),
               "heron_blue")
    return shape


def gripper_link(d):
    """The palm; its frame lies between the finger tips, the wrist behind it."""
    n, f = d.around(40), d.fillet_steps
    shape = Shape()
    palm = [(-0.152, 0.0, 0.0, 0.037, 0.037, 2.1), (-0.128, 0.0, 0.0, 0.044, 0.038, 2.6),
            (-0.095, 0.0, 0.0, 0.060, 0.037, 3.6), (-0.052, 0.0, 0.0, 0.0655, 0.034, 4.4)]
    shape.add(body(palm, n, d.along(9), 0.003, 0.008, f).along_x(), "slate")
    guide = prism(rounded_rectangle(0.0690, 0.0190, 0.006, d.around(20)), -0.062, -0.0400, 0.003, f)
    shape.add(guide.along_x(), "graphite")
    for z in (-0.0105, 0.0105):
        rod = drum(0.0034, -0.066, 0.066, 0.001, d.around(12), 1).along_y()
        shape.add(rod.moved(-0.0375, 0.0, z), "silver")
    lamp = prism(rounded_rectangle(0.020, 0.0030, 0.0025, d.around(12)), 0.030, 0.0372, 0.0004, 1)
    shape.trim(lamp.moved(-0.085, 0.0, 0.0), "light")
    collar = body(palm, n, 2, 0.0, 0.0, 1, grow=0.0003, cut=(-0.140, -0.1345)).along_x()
    shape.trim(collar, "heron_blue")
    return shape


def finger(d):
    """The finger on the left (+y); the other one is its mirror image.

    At closed fingers the pads stay 2 mm apart: in their zero position they do not touch.
    """
    f = d.fillet_steps
    arc = d.around(28)
    shape = Shape()
    carriage = prism(rounded_rectangle(0.0075, 0.0165, 0.004, arc, (-0.0335, 0.0)), -0.016, 0.0125,
                     0.002, f)
    shape.add(carriage.standing(), "graphite")
    blade = belt([(-0.030, -0.010, 0.005), (0.020, -0.0075, 0.004), (0.0265, 0.0, 0.005),
                  (0.020, 0.0075, 0.004), (-0.030, 0.010, 0.005)], arc)
    shape.add(prism(blade, -0.0005, 0.0090, 0.0025, f).standing(), "amber")
    pad = rounded_rectangle(0.0225, 0.0095, 0.0035, arc, (0.0035, 0.0))
    shape.add(prism(pad, 0.0070, 0.0144, 0.0015, f).standing(), "rubber")
    for k in range(5):
        rib = prism(rounded_rectangle(0.0008, 0.0085, 0.0006, d.around(8), (-0.0105 + 0.007 * k, 0.0)),
                    0.012, 0.01443, 0.0, 1)
        shape.trim(rib.standing(), "seam")
    return shape
