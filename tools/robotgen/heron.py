"""heron: a wheeled base, a lifting torso, a pan-tilt head, a seven-joint arm and a gripper."""

from . import collada, heron_arm, heron_base, heron_contacts, heron_torso, stl
from .shape import mass_properties, mirrored, snap_single
from .urdf import Geometry, Joint, Link, Robot, Semantics

PALETTE = {  # red, green, blue, shine
    "shell": (0.905, 0.902, 0.880, 0.35),
    "slate": (0.315, 0.350, 0.390, 0.25),
    "graphite": (0.140, 0.150, 0.165, 0.20),
    "heron_blue": (0.255, 0.430, 0.565, 0.35),
    "steel": (0.520, 0.545, 0.570, 0.50),
    "silver": (0.760, 0.775, 0.790, 0.65),
    "amber": (0.930, 0.610, 0.170, 0.35),
    "rubber": (0.085, 0.088, 0.095, 0.05),
    "seam": (0.330, 0.335, 0.340, 0.05),
    "glass": (0.055, 0.070, 0.090, 0.90),
    "lens": (0.120, 0.280, 0.420, 0.95),
    "light": (0.420, 0.800, 0.860, 0.60),
    "signal_red": (0.780, 0.120, 0.110, 0.40)}

# mesh name: (builder, density in kg/m^3, colour of the URDF material). Housings are mostly air.
MESHES = {
    "base_link": (heron_base.base_link, 620.0, "shell"),
    "wheel": (heron_base.wheel, 2800.0, "rubber"),
    "caster": (heron_base.caster, 2200.0, "steel"),
    "torso_fixed_link": (heron_base.torso_fixed_link, 1250.0, "steel"),
    "torso_lift_link": (heron_torso.torso_lift_link, 330.0, "shell"),
    "bellows_link": (heron_base.bellows_link, 60.0, "rubber"),
    "head_pan_link": (heron_torso.head_pan_link, 750.0, "shell"),
    "head_tilt_link": (heron_torso.head_tilt_link, 800.0, "shell"),
    "shoulder_pan_link": (heron_arm.shoulder_pan_link, 1050.0, "shell"),
    "shoulder_lift_link": (heron_arm.shoulder_lift_link, 1250.0, "shell"),
    "upperarm_roll_link": (heron_arm.upperarm_roll_link, 1350.0, "shell"),
    "elbow_flex_link": (heron_arm.elbow_flex_link, 1450.0, "shell"),
    "forearm_roll_link": (heron_arm.forearm_roll_link, 1350.0, "shell"),
    "wrist_flex_link": (heron_arm.wrist_flex_link, 1500.0, "shell"),
    "wrist_roll_link": (heron_arm.wrist_roll_link, 1600.0, "shell"),
    "gripper_link": (heron_arm.gripper_link, 1500.0, "slate"),
    "l_gripper_finger_link": (heron_arm.finger, 1900.0, "amber"),
    "r_gripper_finger_link": (lambda d: mirrored(heron_arm.finger(d)), 1900.0, "amber"),
    "laser_link": (heron_base.laser_link, 1500.0, "graphite"),
    "estop_link": (heron_base.estop_link, 1200.0, "signal_red")}

MESH_OF = {name: name for name in MESHES if name not in ("wheel", "caster")}
MESH_OF.update({"l_wheel_link": "wheel", "r_wheel_link": "wheel"})
CASTERS = {"front_left": (0.195, 0.115), "front_right": (0.195, -0.115),
           "rear_left": (-0.205, 0.115), "rear_right": (-0.205, -0.115)}
MESH_OF.update({"caster_%s_link" % where: "caster" for where in CASTERS})

OPTICAL = (-1.57079632679, 0.0, -1.57079632679)  # z forwards, x right: cameras' own convention


def _joints():
    """The tree, parents first; the order of the file is the order of the configuration."""
    rows = [
        Joint("r_wheel_joint", "continuous", "base_link", "r_wheel_link", (0, -0.187, 0.060),
              axis=(0, 1, 0), effort=8.85, velocity=17.4),
        Joint("l_wheel_joint", "continuous", "base_link", "l_wheel_link", (0, 0.187, 0.060),
              axis=(0, 1, 0), effort=8.85, velocity=17.4)]
    rows += [Joint("caster_%s_joint" % where, "fixed", "base_link", "caster_%s_link" % where,
                   (x, y, heron_base.CASTER_RADIUS)) for where, (x, y) in CASTERS.items()]
    rows += [
        Joint("torso_fixed_joint", "fixed", "base_link", "torso_fixed_link", (-0.086875, 0, 0.377425)),
        Joint("torso_lift_joint", "prismatic", "torso_fixed_link", "torso_lift_link", (0, 0, 0.000005),
              axis=(0, 0, 1), limit=(0, 0.38615), effort=450, velocity=0.1, damping=100),
        Joint("bellows_joint", "fixed", "torso_lift_link", "bellows_link"),
        Joint("head_pan_joint", "revolute", "torso_lift_link", "head_pan_link", (0.053125, 0, 0.603),
              axis=(0, 0, 1), limit=(-1.57, 1.57), effort=0.32, velocity=1.57),
        Joint("head_tilt_joint", "revolute", "head_pan_link", "head_tilt_link", (0.1425, 0, 0.058),
              axis=(0, 1, 0), limit=(-0.76, 1.45), effort=0.68, velocity=1.57),
        Joint("head_camera_joint", "fixed", "head_tilt_link", "head_camera_link", (0.048, 0, 0)),
        Joint("head_camera_rgb_optical_joint", "fixed", "head_camera_link",
              "head_camera_rgb_optical_frame", (0, 0.012, 0), OPTICAL),
        Joint("head_camera_depth_optical_joint", "fixed", "head_camera_link",
              "head_camera_depth_optical_frame", (0, 0.040, 0), OPTICAL),
        Joint("shoulder_pan_joint", "revolute", "torso_lift_link", "shoulder_pan_link",
              (0.119525, 0, 0.34858), axis=(0, 0, 1), limit=(-1.6056, 1.6056), effort=33.82,
              velocity=1.256, damping=1),
        Joint("shoulder_lift_joint", "revolute", "shoulder_pan_link", "shoulder_lift_link",
              (0.117, 0, 0.06), axis=(0, 1, 0), limit=(-1.221, 1.518), effort=131.76, velocity=1.454,
              damping=1),
        Joint("upperarm_roll_joint", "continuous", "shoulder_lift_link", "upperarm_roll_link",
              (0.219, 0, 0), axis=(1, 0, 0), effort=76.94, velocity=1.571, damping=5),
        Joint("elbow_flex_joint", "revolute", "upperarm_roll_link", "elbow_flex_link", (0.133, 0, 0),
              axis=(0, 1, 0), limit=(-2.251, 2.251), effort=66.18, velocity=1.521, damping=1),
        Joint("forearm_roll_joint", "continuous", "elbow_flex_link", "forearm_roll_link", (0.197, 0, 0),
              axis=(1, 0, 0), effort=29.35, velocity=1.571, damping=5),
        Joint("wrist_flex_joint", "revolute", "forearm_roll_link", "wrist_flex_link", (0.1245, 0, 0),
              axis=(0, 1, 0), limit=(-2.16, 2.16), effort=25.7, velocity=2.268, damping=1),
        Joint("wrist_roll_joint", "continuous", "wrist_flex_link", "wrist_roll_link", (0.1385, 0, 0),
              axis=(1, 0, 0), effort=7.36, velocity=2.268, damping=5),
        Joint("gripper_axis", "fixed", "wrist_roll_link", "gripper_link", (0.16645, 0, 0)),
        Joint("l_gripper_finger_joint", "prismatic", "gripper_link", "l_gripper_finger_link",
              (0, 0.015425, 0), axis=(0, 1, 0), limit=(0, 0.05), effort=60, velocity=0.05, damping=100),
        Joint("r_gripper_finger_joint", "prismatic", "gripper_link", "r_gripper_finger_link",
              (0, -0.015425, 0), axis=(0, -1, 0), limit=(0, 0.05), effort=60, velocity=0.05,
              damping=100),
        Joint("laser_joint", "fixed", "base_link", "laser_link", (0.228, 0, 0.286)),
        Joint("estop_joint", "fixed", "base_link", "estop_link", (-0.105, 0.190, 0.362))]
    return rows


REMARK = ("heron, a mobile manipulator of graze's own design. Made by tools/make_robots.py: edit that. "
          "MIT licence.")


def shapes(detail):
    return {name: build(detail) for name, (build, _, _) in MESHES.items()}


def robot(coarse):
    heron = Robot("heron", REMARK, PALETTE)
    heron.joints = _joints()
    inertias = {name: mass_properties(shape.triangles(True, snap_single), MESHES[name][1])
                for name, shape in coarse.items()}
    for name in ["base_link"] + [joint.child for joint in heron.joints]:
        mesh = MESH_OF.get(name)
        if mesh is None:
            heron.links.append(Link(name))
            continue
        where = "package://graze/meshes/heron/%s/" + mesh
        heron.links.append(Link(
            name, [Geometry("mesh", where % "visual" + ".dae", color=MESHES[mesh][2])],
            [Geometry("mesh", where % "collision" + ".stl")], inertias[mesh]))
    return heron


def mesh_files(coarse, fine):
    files = {}
    for name in MESHES:
        files["meshes/heron/collision/%s.stl" % name] = stl.collision(coarse[name])
        files["meshes/heron/visual/%s.dae" % name] = collada.document(fine[name], name, PALETTE)
    return files


ARM = ["shoulder_pan_joint", "shoulder_lift_joint", "upperarm_roll_joint", "elbow_flex_joint",
       "forearm_roll_joint", "wrist_flex_joint", "wrist_roll_joint"]
FINGERS = ["l_gripper_finger_joint", "r_gripper_finger_joint"]
READY = (0.0, -0.55, 0.0, 1.50, 0.0, 0.62, 0.0)
TUCK = (1.32, 1.40, -0.20, 1.72, 0.0, 1.66, 0.0)


def semantics(heron):
    srdf = Semantics(heron, "heron's groups, states and allowed contacts. Made by "
                            "tools/make_robots.py: edit that. MIT licence.")
    srdf.virtual_joint = ("world_joint", "planar", "world", "base_link")
    srdf.groups = [
        ("arm", [("joint", name) for name in ARM]),
        ("arm_with_torso", [("joint", name) for name in ["torso_lift_joint"] + ARM]),
        ("gripper", [("link", "gripper_link")] + [("joint", name) for name in FINGERS]),
        ("head", [("joint", "head_pan_joint"), ("joint", "head_tilt_joint")]),
        ("base", [("joint", "world_joint")])]
    zero, ready, tuck = (0.0,) * 7, READY, TUCK
    for name, values, lift in (("zero", zero, 0.0), ("ready", ready, 0.10), ("tuck", tuck, 0.0)):
        arm = dict(zip(ARM, values))
        srdf.states.append((name, "arm", arm))
        srdf.states.append((name, "arm_with_torso", {"torso_lift_joint": lift, **arm}))
    srdf.states += [
        ("closed", "gripper", {name: 0.0 for name in FINGERS}),
        ("open", "gripper", {name: 0.05 for name in FINGERS}),
        ("zero", "head", {"head_pan_joint": 0.0, "head_tilt_joint": 0.0}),
        ("ready", "head", {"head_pan_joint": 0.0, "head_tilt_joint": 0.45})]
    srdf.effectors = [("gripper", "gripper", "wrist_roll_link", "arm")]
    srdf.passive = ["r_wheel_joint", "l_wheel_joint"]
    srdf.disabled = _disabled(heron)
    return srdf


def _disabled(heron):
    order = {link.name: k for k, link in enumerate(heron.links)}
    bodies = {link.name for link in heron.links if link.collisions}
    rows = [(j.parent, j.child, "Adjacent") for j in heron.joints
            if j.parent in bodies and j.child in bodies]
    rows += [(a, b, "Default") for a, b in heron_contacts.DEFAULT]
    rows += [(a, b, "Never") for a, b in heron_contacts.never()]
    rows = [(a, b, why) if order[a] < order[b] else (b, a, why) for a, b, why in rows]
    return sorted(rows, key=lambda row: (order[row[0]], order[row[1]]))
