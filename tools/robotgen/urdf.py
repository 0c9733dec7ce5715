"""A robot description in memory, its URDF and SRDF text, and its forward kinematics."""

import math

from .stl import number


class Link:
    def __init__(self, name, visuals=(), collisions=(), inertia=None):
        self.name = name
        self.visuals = list(visuals)        # Geometry
        self.collisions = list(collisions)  # Geometry
        self.inertia = inertia              # (mass, center, 3x3 about the center)


class Geometry:
    """kind is mesh, box, cylinder or sphere; value is a file name or the dimensions."""

    def __init__(self, kind, value, xyz=(0, 0, 0), rpy=(0, 0, 0), color=None):
        self.kind = kind
        self.value = value
        self.xyz = xyz
        self.rpy = rpy
        self.color = color


class Joint:
    def __init__(self, name, kind, parent, child, xyz=(0, 0, 0), rpy=(0, 0, 0), axis=None,
                 limit=None, effort=0.0, velocity=0.0, damping=None):
        self.name = name
        self.kind = kind
        self.parent = parent
        self.child = child
        self.xyz = xyz
        self.rpy = rpy
        self.axis = axis
        self.limit = limit
        self.effort = effort
        self.velocity = velocity
        self.damping = damping


class Robot:
    def __init__(self, name, remark, palette=None):
        self.name = name
        self.remark = remark
        self.palette = palette or {}
        self.links = []
        self.joints = []

    def moving(self):
        return [j for j in self.joints if j.kind != "fixed"]

    def adjacent(self):
        return {frozenset((j.parent, j.child)) for j in self.joints}


def triple(values):
    return " ".join(number(x, 9) for x in values)


def significant(value):
    """Six figures are more than a density deserves."""
    text = "%.6g" % value
    return "0" if text in ("-0", "0") or abs(value) < 1e-9 else text


def text(robot):
    out = ['<?xml version="1.0"?>', "<!-- %s -->" % robot.remark, '<robot name="%s">' % robot.name]
    for name, (red, green, blue, _) in robot.palette.items():
        out.append('  <material name="%s"><color rgba="%s 1"/></material>'
                   % (name, triple((red, green, blue))))
    joint_of = {j.child: j for j in robot.joints}
    for link in robot.links:
        if link.name in joint_of:
            out += _joint(joint_of[link.name])
        out += _link(link)
    return "\n".join(out + ["</robot>", ""]).encode("utf-8")


def _link(link):
    if not (link.visuals or link.collisions or link.inertia):
        return ['  <link name="%s"/>' % link.name]
    out = ['  <link name="%s">' % link.name]
    if link.inertia:
        mass, center, m = link.inertia
        out += ["    <inertial>", '      <origin xyz="%s" rpy="0 0 0"/>' % triple(
            round(x, 6) for x in center), '      <mass value="%s"/>' % significant(mass),
            '      <inertia ixx="%s" ixy="%s" ixz="%s" iyy="%s" iyz="%s" izz="%s"/>' % tuple(
                significant(x) for x in (m[0][0], m[0][1], m[0][2], m[1][1], m[1][2], m[2][2])),
            "    </inertial>"]
    for tag, shapes in (("visual", link.visuals), ("collision", link.collisions)):
        for shape in shapes:
            out += _geometry(tag, shape)
    return out + ["  </link>"]


def _geometry(tag, shape):
    out = ["    <%s>" % tag, '      <origin xyz="%s" rpy="%s"/>' % (triple(shape.xyz), triple(shape.rpy))]
    if shape.kind == "mesh":
        body = '<mesh filename="%s"/>' % shape.value
    elif shape.kind == "box":
        body = '<box size="%s"/>' % triple(shape.value)
    elif shape.kind == "cylinder":
        body = '<cylinder radius="%s" length="%s"/>' % tuple(number(x) for x in shape.value)
    else:
        body = '<sphere radius="%s"/>' % number(shape.value)
    out.append("      <geometry>%s</geometry>" % body)
    if tag == "visual" and shape.color:
        out.append('      <material name="%s"/>' % shape.color)
    return out + ["    </%s>" % tag]


def _joint(joint):
    out = ['  <joint name="%s" type="%s">' % (joint.name, joint.kind),
           '    <origin xyz="%s" rpy="%s"/>' % (triple(joint.xyz), triple(joint.rpy)),
           '    <parent link="%s"/>' % joint.parent, '    <child link="%s"/>' % joint.child]
    if joint.axis:
        out.append('    <axis xyz="%s"/>' % triple(joint.axis))
    if joint.kind != "fixed":
        span = "" if joint.limit is None else 'lower="%s" upper="%s" ' % tuple(
            number(x) for x in joint.limit)
        out.append('    <limit %seffort="%s" velocity="%s"/>'
                   % (span, number(joint.effort), number(joint.velocity)))
    if joint.damping is not None:
        out.append('    <dynamics damping="%s"/>' % number(joint.damping))
    return out + ["  </joint>"]


class Semantics:
    """What an SRDF says."""

    def __init__(self, robot, remark):
        self.robot = robot
        self.remark = remark
        self.virtual_joint = None   # (name, type, parent frame, child link)
        self.groups = []            # (name, ["joint"|"link"|"chain"|"group", value...] rows)
        self.states = []            # (name, group, {joint: value})
        self.effectors = []         # (name, group, parent link, parent group)
        self.passive = []           # joint names
        self.disabled = []          # (link, link, reason)

    def text(self):
        out = ['<?xml version="1.0"?>', "<!-- %s -->" % self.remark,
               '<robot name="%s">' % self.robot.name]
        if self.virtual_joint:
            out.append('  <virtual_joint name="%s" type="%s" parent_frame="%s" child_link="%s"/>'
                       % self.virtual_joint)
        for name, rows in self.groups:
            out.append('  <group name="%s">' % name)
            for row in rows:
                if row[0] == "chain":
                    out.append('    <chain base_link="%s" tip_link="%s"/>' % (row[1], row[2]))
                else:
                    out.append('    <%s name="%s"/>' % row)
            out.append("  </group>")
        for name, group, values in self.states:
            out.append('  <group_state name="%s" group="%s">' % (name, group))
            out += ['    <joint name="%s" value="%s"/>' % (j, number(v)) for j, v in values.items()]
            out.append("  </group_state>")
        for name, group, link, parent in self.effectors:
            out.append('  <end_effector name="%s" group="%s" parent_link="%s" parent_group="%s"/>'
                       % (name, group, link, parent))
        out += ['  <passive_joint name="%s"/>' % name for name in self.passive]
        out += ['  <disable_collisions link1="%s" link2="%s" reason="%s"/>' % row
                for row in self.disabled]
        return "\n".join(out + ["</robot>", ""]).encode("utf-8")


# ---- forward kinematics: poses are (3x3 rows, translation)

def rotation(rpy):
    cr, sr = math.cos(rpy[0]), math.sin(rpy[0])
    cp, sp = math.cos(rpy[1]), math.sin(rpy[1])
    cy, sy = math.cos(rpy[2]), math.sin(rpy[2])
    return [[cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr]]


def about(axis, angle):
    length = math.sqrt(sum(x * x for x in axis))
    x, y, z = (v / length for v in axis)
    c, s = math.cos(angle), math.sin(angle)
    t = 1.0 - c
    return [[t * x * x + c, t * x * y - s * z, t * x * z + s * y],
            [t * x * y + s * z, t * y * y + c, t * y * z - s * x],
            [t * x * z - s * y, t * y * z + s * x, t * z * z + c]]


def compose(a, b):
    (ra, ta), (rb, tb) = a, b
    r = [[sum(ra[i][k] * rb[k][j] for k in range(3)) for j in range(3)] for i in range(3)]
    return r, [sum(ra[i][k] * tb[k] for k in range(3)) + ta[i] for i in range(3)]


def apply(pose, point):
    r, t = pose
    return tuple(r[i][0] * point[0] + r[i][1] * point[1] + r[i][2] * point[2] + t[i] for i in range(3))


def link_poses(robot, values):
    """{link: pose}; joints that values leaves out stand at zero, or at the nearest limit."""
    children = {j.child for j in robot.joints}
    poses = {link.name: (rotation((0, 0, 0)), [0.0, 0.0, 0.0])
             for link in robot.links if link.name not in children}
    joint_of = {j.child: j for j in robot.joints}
    for link in robot.links:  # parents precede children, which the sanity check asserts
        joint = joint_of.get(link.name)
        if joint is None:
            continue
        q = values.get(joint.name, 0.0)
        if joint.limit is not None:
            q = max(joint.limit[0], min(joint.limit[1], q))
        pose = compose(poses[joint.parent], (rotation(joint.rpy), list(joint.xyz)))
        if joint.kind in ("revolute", "continuous"):
            pose = compose(pose, (about(joint.axis, q), [0.0, 0.0, 0.0]))
        elif joint.kind == "prismatic":
            pose = compose(pose, (rotation((0, 0, 0)), [q * x for x in joint.axis]))
        poses[link.name] = pose
    return poses
