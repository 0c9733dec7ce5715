"""Shapes of heron's torso and head."""

from .outlines import belt, rounded_rectangle
from .shape import Shape
from .solids import body, drum, hoop, prism, turned

TRUNK = [  # z, cx, cy, hx, hy, power
    (0.030, -0.075, 0.0, 0.086, 0.140, 3.6),
    (0.120, -0.072, 0.0, 0.098, 0.156, 3.5),
    (0.240, -0.068, 0.0, 0.104, 0.168, 3.3),
    (0.360, -0.064, 0.0, 0.101, 0.166, 3.1),
    (0.460, -0.056, 0.0, 0.094, 0.148, 2.9),
    (0.530, -0.026, 0.0, 0.089, 0.116, 2.6),
    (0.572, 0.022, 0.0, 0.080, 0.086, 2.3),
    (0.600, 0.046, 0.0, 0.071, 0.073, 2.1)]
PAN_X = 0.119525  # the shoulder's pan axis, as seen from the torso
NECK_X = 0.053125


def torso_lift_link(d):
    n, f = d.around(48), d.fillet_steps
    shape = Shape()
    shape.add(body(TRUNK, n, d.along(20), 0.014, 0.012, f), "shell")
    # the shoulder grows out of the chest and ends in the pod under the pan axis
    shoulder = [(-0.030, 0.0, 0.236, 0.128, 0.060, 3.4), (0.030, 0.0, 0.240, 0.108, 0.056, 3.2),
                (0.080, 0.0, 0.244, 0.075, 0.049, 3.0), (PAN_X, 0.0, 0.246, 0.058, 0.045, 2.8)]
    shape.add(body(shoulder, n, d.along(8), 0.010, 0.010, f).along_x(), "shell")
    pod = turned([(0.0, 0.158, 0.0), (0.046, 0.165, 0.026), (0.0625, 0.222, 0.040),
                  (0.0625, 0.2945, 0.005), (0.0, 0.2945, 0.0)], d.around(44), f + 1)
    shape.add(pod.moved(PAN_X, 0.0, 0.0), "shell")
    hatch = prism(rounded_rectangle(0.092, 0.100, 0.022, d.around(28)), 0.140, 0.1745, 0.004, f)
    shape.add(hatch.along_x().mirrored_x().moved(0.0, 0.0, 0.262), "slate")
    shape.add(drum(0.057, 0.285, 0.2990, 0.002, d.around(40), 1).moved(PAN_X, 0.0, 0.0), "graphite")
    shape.add(drum(0.0545, 0.590, 0.6020, 0.003, d.around(40), f).moved(NECK_X, 0.0, 0.0), "graphite")
    _torso_trim(shape, d, n)
    return shape


def _torso_trim(shape, d, n):
    f = d.fillet_steps
    shape.trim(body(TRUNK, n, 2, 0.0, 0.0, 1, grow=0.0005, cut=(0.098, 0.100)), "seam")
    shape.trim(body(TRUNK, n, 2, 0.001, 0.001, 1, grow=0.0010, cut=(0.062, 0.090)), "heron_blue")
    shape.trim(body(TRUNK, n, 4, 0.0, 0.0, 1, grow=0.0005, cut=(0.482, 0.484)), "seam")
    for row in range(7):
        louvre = prism(rounded_rectangle(0.060, 0.0032, 0.003, d.around(12)), 0.160, 0.1748, 0.0006, 1)
        louvre = louvre.along_x().mirrored_x().moved(0.0, 0.0, 0.268 + 0.0125 * row)
        shape.trim(louvre, "graphite")
    latch = prism(rounded_rectangle(0.022, 0.006, 0.005, d.around(16)), 0.160, 0.1752, 0.0008, 1)
    shape.trim(latch.along_x().mirrored_x().moved(0.0, 0.0, 0.188), "amber")
    ring = hoop([(0.0560, 0.2150), (0.0629, 0.2150), (0.0629, 0.2210), (0.0560, 0.2210)], d.around(44))
    shape.trim(ring.moved(PAN_X, 0.0, 0.0), "heron_blue")
    badge = prism(rounded_rectangle(0.030, 0.006, 0.005, d.around(16)), 0.010, 0.0378, 0.0010, 1)
    shape.trim(badge.along_x().moved(0.0, 0.0, 0.400), "light")


def head_pan_link(d):
    """Neck, cranium and the two cheeks that hold the face."""
    n, f = d.around(40), d.fillet_steps
    shape = Shape()
    shape.add(turned([(0.0, -0.002, 0.0), (0.054, -0.002, 0.003), (0.046, 0.014, 0.010),
                      (0.044, 0.040, 0.002), (0.0, 0.040, 0.0)], n, f), "graphite")
    skull = [(-0.088, 0.0, 0.060, 0.050, 0.026, 2.4), (-0.050, 0.0, 0.058, 0.071, 0.037, 2.6),
             (0.000, 0.0, 0.057, 0.081, 0.041, 2.9), (0.045, 0.0, 0.057, 0.084, 0.041, 3.2),
             (0.082, 0.0, 0.058, 0.083, 0.038, 3.4)]
    shape.add(body(skull, n, d.along(9), 0.010, 0.006, f + 1).along_x(), "shell")
    cheek = belt([(0.046, 0.057, 0.037), (0.1425, 0.058, 0.034)], d.around(36))
    shape.both_sides(prism(cheek, -0.0935, -0.0785, 0.005, f).standing(), "heron_blue")
    pivot = drum(0.021, 0.088, 0.0985, 0.0025, d.around(28), f).along_y().moved(0.1425, 0.0, 0.058)
    shape.both_sides(pivot, "graphite")
    crest = prism(rounded_rectangle(0.055, 0.010, 0.0095, d.around(20)), 0.090, 0.1000, 0.003, f)
    shape.add(crest.moved(0.005, 0.0, 0.0), "heron_blue")
    seam = body(skull, n, 2, 0.0, 0.0, 1, grow=0.0005, cut=(-0.020, -0.018)).along_x()
    shape.trim(seam, "seam")
    return shape


def head_tilt_link(d):
    """The face: a soft bar with a dark visor, three eyes and a brow."""
    n, f = d.around(40), d.fillet_steps
    shape = Shape()
    bar = [(-0.0745, 0.0, 0.0, 0.036, 0.040, 2.8), (-0.030, 0.0, 0.0, 0.040, 0.044, 3.0),
           (0.030, 0.0, 0.0, 0.040, 0.044, 3.0), (0.0745, 0.0, 0.0, 0.036, 0.040, 2.8)]
    # along_y turns x into z: the drawing's hx is the height, its hy the depth
    shape.add(body(bar, n, d.along(7), 0.014, 0.014, f + 1).along_y(), "shell")
    visor = prism(rounded_rectangle(0.063, 0.022, 0.020, d.around(32)), 0.020, 0.0480, 0.004, f)
    shape.add(visor.along_x(), "glass")
    brow = [(-0.034, 0.0, 0.0275, 0.056, 0.0150, 3.2), (0.010, 0.0, 0.0320, 0.0640, 0.0150, 3.4),
            (0.040, 0.0, 0.0345, 0.0640, 0.0110, 3.4), (0.060, 0.0, 0.0345, 0.0560, 0.0060, 2.4)]
    shape.add(body(brow, n, d.along(8), 0.004, 0.0015, f).along_x(), "heron_blue")
    for y, r in ((-0.040, 0.0095), (0.040, 0.0095), (0.012, 0.0065)):
        lens = turned([(0.0, 0.040, 0.0), (r, 0.040, 0.0), (r, 0.0486, 0.0008), (0.7 * r, 0.0486, 0.0),
                       (0.5 * r, 0.0482, 0.0), (0.0, 0.0485, 0.0)], d.around(24), 1)
        shape.trim(lens.along_x().moved(0.0, y, 0.0), "graphite")
        eye = turned([(0.0, 0.044, 0.0), (0.55 * r, 0.044, 0.0), (0.55 * r, 0.0484, 0.0),
                      (0.0, 0.0488, 0.0)], d.around(20), 1)
        shape.trim(eye.along_x().moved(0.0, y, 0.0), "lens")
    lamp = prism(rounded_rectangle(0.008, 0.0025, 0.002, d.around(12)), 0.040, 0.0484, 0.0004, 1)
    shape.trim(lamp.along_x().moved(0.0, -0.014, 0.0), "light")
    ear = hoop([(0.012, 0.070), (0.016, 0.070), (0.016, 0.0747), (0.012, 0.0747)], d.around(24))
    shape.trim_both_sides(ear.along_y(), "graphite")
    return shape
