"""Two robots of primitives alone: a planar two-link arm and a six-axis industrial arm."""

from .urdf import Geometry, Joint, Link, Robot, Semantics

PALETTE = {
    "stone": (0.760, 0.765, 0.755, 0.2),
    "slate": (0.315, 0.350, 0.390, 0.2),
    "graphite": (0.140, 0.150, 0.165, 0.2),
    "amber": (0.930, 0.610, 0.170, 0.3),
    "teal": (0.180, 0.520, 0.540, 0.3)}

MADE = " Made by tools/make_robots.py: edit that. MIT licence."
LYING_X = (0, 1.57079632679, 0)   # a cylinder's z turned to x
LYING_Y = (1.57079632679, 0, 0)   # ... to y


def _link(name, shapes, mass, center, inertia):
    moments = [[inertia[0], 0.0, 0.0], [0.0, inertia[1], 0.0], [0.0, 0.0, inertia[2]]]
    return Link(name, shapes, shapes, (mass, center, moments))


def _brick_inertia(mass, size):
    """A brick's moments stand in for a link of a few primitives: plausible and valid."""
    x, y, z = (s * s for s in size)
    return [mass * (y + z) / 12.0, mass * (x + z) / 12.0, mass * (x + y) / 12.0]


def _brick(name, shapes, mass, center, size):
    return _link(name, shapes, mass, center, _brick_inertia(mass, size))


def two_link():
    robot = Robot("two_link", "A planar arm with two links." + MADE, PALETTE)

    def bar(length, color):
        """A bar with round ends; all three parts share one height, so the arm stays planar."""
        return [Geometry("box", (length, 0.060, 0.050), (0.5 * length, 0, 0), color=color),
                Geometry("cylinder", (0.030, 0.050), color=color),
                Geometry("cylinder", (0.030, 0.050), (length, 0, 0), color=color)]

    robot.links = [
        _brick("base_link", [Geometry("cylinder", (0.050, 0.140), (0, 0, 0.070), color="slate")],
               2.0, (0, 0, 0.070), (0.100, 0.100, 0.140)),
        _brick("upper_link", bar(0.500, "teal"), 1.6, (0.25, 0, 0), (0.560, 0.060, 0.050)),
        _brick("lower_link", bar(0.460, "amber"), 1.4, (0.23, 0, 0), (0.520, 0.060, 0.050)),
        Link("tip_frame")]
    robot.joints = [
        Joint("shoulder_joint", "revolute", "base_link", "upper_link", (0, 0, 0.070), axis=(0, 0, 1),
              limit=(-3.1, 3.1), effort=40, velocity=2),
        Joint("elbow_joint", "revolute", "upper_link", "lower_link", (0.500, 0, 0), axis=(0, 0, 1),
              limit=(-3.05, 3.05), effort=25, velocity=2),
        Joint("tip_joint", "fixed", "lower_link", "tip_frame", (0.490, 0, 0))]
    semantics = _semantics(robot, ["shoulder_joint", "elbow_joint"], {
        "zero": (0, 0), "ready": (0.6, 1.2), "folded": (0, 2.6)})
    return robot, semantics


def six_axis():
    robot = Robot("six_axis", "A six-axis arm made of boxes, cylinders and spheres." + MADE, PALETTE)
    g = Geometry
    robot.links = [
        _brick("base_link", [
            g("box", (0.260, 0.260, 0.040), (0, 0, 0.020), color="graphite"),
            g("cylinder", (0.095, 0.130), (0, 0, 0.095), color="slate")],
            14.0, (0, 0, 0.070), (0.260, 0.260, 0.160)),
        _brick("turret_link", [
            g("cylinder", (0.100, 0.070), (0, 0, 0.045), color="amber"),
            g("box", (0.150, 0.110, 0.140), (0.035, 0, 0.110), color="amber"),
            g("cylinder", (0.072, 0.130), (0.070, 0, 0.170), LYING_Y, "slate")],
            11.0, (0.035, 0, 0.110), (0.200, 0.180, 0.200)),
        _brick("upperarm_link", [
            g("cylinder", (0.068, 0.070), (0, 0.105, 0), LYING_Y, "amber"),
            g("box", (0.090, 0.060, 0.440), (0, 0.105, 0.220), color="amber"),
            g("cylinder", (0.060, 0.070), (0, 0.105, 0.440), LYING_Y, "amber")],
            8.0, (0, 0.105, 0.220), (0.110, 0.070, 0.540)),
        _brick("elbow_link", [
            g("cylinder", (0.058, 0.120), (0, 0.005, 0), LYING_Y, "slate"),
            g("box", (0.130, 0.095, 0.100), (0.045, 0, 0.025), color="amber"),
            g("cylinder", (0.048, 0.050), (0.130, 0, 0.030), LYING_X, "slate")],
            5.0, (0.045, 0, 0.015), (0.200, 0.120, 0.110)),
        _brick("forearm_link", [
            g("cylinder", (0.045, 0.180), (0.105, 0, 0), LYING_X, "amber"),
            g("box", (0.070, 0.080, 0.070), (0.185, 0, 0), color="amber")],
            3.5, (0.120, 0, 0), (0.240, 0.090, 0.090)),
        _brick("wrist_link", [
            g("sphere", 0.042, color="slate"),
            g("cylinder", (0.030, 0.060), (0.038, 0, 0), LYING_X, "slate")],
            1.2, (0.015, 0, 0), (0.110, 0.080, 0.080)),
        _brick("flange_link", [
            g("cylinder", (0.032, 0.018), color="stone"),
            g("cylinder", (0.018, 0.030), (0.022, 0, 0), LYING_X, "graphite")],
            0.3, (0.005, 0, 0), (0.040, 0.064, 0.064)),
        Link("tool_frame")]
    robot.links[6].visuals[0].rpy = robot.links[6].collisions[0].rpy = LYING_X
    rows = [("base_link", "turret_link", (0, 0, 0.150), (0, 0, 1), (-2.97, 2.97), 300, 2.0),
            ("turret_link", "upperarm_link", (0.070, 0, 0.170), (0, 1, 0), (-1.40, 2.20), 300, 1.8),
            ("upperarm_link", "elbow_link", (0, 0, 0.440), (0, 1, 0), (-2.60, 1.20), 160, 2.0),
            ("elbow_link", "forearm_link", (0.160, 0, 0.030), (1, 0, 0), (-3.10, 3.10), 60, 3.5),
            ("forearm_link", "wrist_link", (0.260, 0, 0), (0, 1, 0), (-2.00, 2.00), 40, 3.5),
            ("wrist_link", "flange_link", (0.078, 0, 0), (1, 0, 0), (-6.10, 6.10), 20, 6.0)]
    robot.joints = [Joint("joint_%d" % (k + 1), "revolute", parent, child, xyz, axis=axis, limit=limit,
                          effort=effort, velocity=velocity)
                    for k, (parent, child, xyz, axis, limit, effort, velocity) in enumerate(rows)]
    robot.joints.append(Joint("tool_joint", "fixed", "flange_link", "tool_frame", (0.037, 0, 0)))
    semantics = _semantics(robot, [j.name for j in robot.moving()], {
        "zero": (0,) * 6, "ready": (0, -0.4, 0.5, 0, 1.2, 0), "low": (0.8, 1.3, -0.6, 0, 0.9, 0)})
    # sampled: in 50 000 configurations these stayed at least 6 mm apart
    semantics.disabled += [(a, b, "Never") for a, b in (
        ("base_link", "upperarm_link"), ("base_link", "elbow_link"), ("turret_link", "elbow_link"),
        ("upperarm_link", "forearm_link"), ("upperarm_link", "wrist_link"),
        ("upperarm_link", "flange_link"), ("elbow_link", "wrist_link"), ("elbow_link", "flange_link"))]
    return robot, semantics


def _semantics(robot, joints, states):
    semantics = Semantics(robot, robot.name + "'s groups, states and adjacent links." + MADE)
    semantics.groups = [("arm", [("joint", name) for name in joints])]
    semantics.states = [(name, "arm", dict(zip(joints, values))) for name, values in states.items()]
    bodies = {link.name for link in robot.links if link.collisions}
    semantics.disabled = [(j.parent, j.child, "Adjacent") for j in robot.joints
                          if j.parent in bodies and j.child in bodies]
    return semantics
