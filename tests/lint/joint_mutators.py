"""What breaks joints and masses: mutators of the tiers J and I."""

import math

from description import Node
from mutators import MOVING, NUMBERS, TURNING, misspell, mutator

# ----------------------------------------------------------------------------------- J: joints

def limits_of(r, *types):
    return r.parts("limit", r.joints(*(types or ("revolute", "prismatic"))))


def set_limits(node, lower, upper):
    return node.set("lower", lower).set("upper", upper)


@mutator("J001", "an axis is zero", lambda r: r.parts("axis", r.joints(*MOVING)))
def _(r, node, case):
    return node.set("xyz", "0 0 0")


@mutator("J002", "an axis is too long or too short",
         lambda r: [a for a in r.parts("axis", r.joints(*MOVING)) if any(a.numbers("xyz"))])
def _(r, node, case):
    factor = case.random.choice([2, 0.5, 1.0001, 1e-3, 1e3])
    return node.set("xyz", " ".join("%.17g" % (factor * x) for x in node.numbers("xyz")))


@mutator("J003", "a limit is gone", lambda r: r.joints("revolute", "prismatic"))
def _(r, node, case):
    if node.child("limit"):
        node.child("limit").remove()
    return node


@mutator("J004", "the limits are swapped",
         lambda r: [n for n in limits_of(r) if n.number("lower", 0) < n.number("upper", 0)])
def _(r, node, case):
    return set_limits(node, node.number("upper", 0.0), node.number("lower", 0.0))


@mutator("J005", "both limits are 0", limits_of)
def _(r, node, case):
    return set_limits(node, "0", "0")


@mutator("J005", "the limits are forgotten", limits_of)
def _(r, node, case):
    node.attributes = {n: v for n, v in node.attributes.items() if n not in ("lower", "upper")}
    return node


@mutator("J006", "a continuous joint has limits",
         lambda r: [j for j in r.joints("continuous") if not j.child("limit") or
                    not {"lower", "upper"} & set(j.child("limit").attributes)])
def _(r, node, case):
    return set_limits(node.child("limit") or node.add(Node("limit", {"effort": "1", "velocity": "1"})), "-1", "1")


@mutator("J006", "a revolute joint becomes continuous",
         lambda r: [j for j in r.joints("revolute") if j.child("limit") and
                    {"lower", "upper"} & set(j.child("limit").attributes)])
def _(r, node, case):
    node.set("type", "continuous")
    return node.child("limit")


@mutator("J007", "the limits are degrees",
         lambda r: [n for n in limits_of(r, "revolute")
                    if 0.2 < max(abs(n.number("lower", 0)), abs(n.number("upper", 0))) < 6.5])
def _(r, node, case):
    return set_limits(node, math.degrees(node.number("lower", 0)), math.degrees(node.number("upper", 0)))


def imitate(joint, target, **more):
    """Makes a joint mimic another."""
    if joint.child("mimic"):
        joint.child("mimic").remove()
    return joint.add(Node("mimic", {"joint": target, **more}))


@mutator("J008", "a mimic's joint is misspelled", lambda r: r.joints(*MOVING))
def _(r, node, case):
    return imitate(node, misspell(case.random.choice(r.joints()).get("name"), case))


@mutator("J008", "a mimic names no joint", lambda r: r.joints(*MOVING))
def _(r, node, case):
    mimic = imitate(node, "x")
    del mimic.attributes["joint"]
    return mimic


@mutator("J009", "a joint mimics itself", lambda r: r.joints(*MOVING))
def _(r, node, case):
    return imitate(node, node.get("name"))


@mutator("J009", "joints mimic each other",
         lambda r: r.joints(*MOVING) if len(r.joints(*MOVING)) > 2 else [])
def _(r, node, case):
    others = case.random.sample([j for j in r.joints(*MOVING) if j is not node], case.random.choice([1, 2]))
    ring = [node] + others
    return [imitate(joint, ring[(i + 1) % len(ring)].get("name")) for i, joint in enumerate(ring)]


def kinds(joint):
    return "turns" if joint.get("type") in TURNING else "slides" if joint.get("type") == "prismatic" else "rests"


@mutator("J010", "a joint mimics one that does not move as it does",
         lambda r: [j for j in r.joints(*MOVING) if any(kinds(j) != kinds(o) for o in r.joints())])
def _(r, node, case):
    other = case.random.choice([o for o in r.joints() if kinds(o) != kinds(node)])
    if other.child("mimic"):
        other.child("mimic").remove()
    return imitate(node, other.get("name"))


def wide(joint):
    limit = joint.child("limit")
    return limit is not None and limit.number("upper", 0) - limit.number("lower", 0) > 1e-3


@mutator("J011", "a multiplier is too large",
         lambda r: [j for j in r.joints("revolute", "prismatic") if wide(j) and
                    any(o is not j and kinds(o) == kinds(j) and wide(o) for o in r.joints("revolute", "prismatic"))])
def _(r, node, case):
    others = [o for o in r.joints("revolute", "prismatic") if o is not node and kinds(o) == kinds(node) and wide(o)]
    other = case.random.choice(others)
    if other.child("mimic"):
        other.child("mimic").remove()
    factor = case.random.choice([-1, 1]) * 1e4
    return imitate(node, other.get("name"), multiplier="%g" % factor)


@mutator("J012", "0 is outside the limits", lambda r: [n for n in limits_of(r) if not n.parent.child("mimic")])
def _(r, node, case):
    return set_limits(node, *case.random.choice([("0.1", "0.2"), ("-2", "-1e-3"), ("1e-3", "3")]))


@mutator("J013", "effort or velocity is not above 0", lambda r: limits_of(r, *MOVING))
def _(r, node, case):
    return node.set(case.random.choice(["effort", "velocity"]), case.random.choice(["0", "-1", "-1e-300"]))


@mutator("J013", "effort or velocity is missing",
         lambda r: [n for n in limits_of(r, *MOVING) if "effort" in n.attributes and "velocity" in n.attributes])
def _(r, node, case):
    del node.attributes[case.random.choice(["effort", "velocity"])]
    return node


@mutator("J014", "two sides have other limits",
         lambda r: [j for j in r.joints("revolute", "prismatic")
                    if wide(j) and any(o is not j and o.get("type") == j.get("type") and wide(o) for o in r.joints())])
def _(r, node, case):
    other = case.random.choice([o for o in r.joints(node.get("type")) if o is not node and wide(o)])
    left, right = case.random.choice([("left_arm_joint", "right_arm_joint"), ("l_knee", "r_knee"),
                                      ("finger_joint_Left", "finger_joint_Right")])
    r.rename_joint(node, left)
    r.rename_joint(other, right)
    limit = other.child("limit")
    set_limits(limit, 1.5 * limit.number("lower", 0) - 0.25, 1.5 * limit.number("upper", 0) + 0.5)
    set_limits(node.child("limit"), -0.125, 0.25)
    return limit


@mutator("J014", "two sides are of other types", lambda r: r.joints(*MOVING) if len(r.joints()) > 1 else [])
def _(r, node, case):
    others = [o for o in r.joints() if o is not node and o.get("type") != node.get("type")]
    other = case.random.choice(others) if others else case.random.choice([o for o in r.joints() if o is not node])
    if not others:
        other.set("type", "fixed")
    r.rename_joint(node, "left_arm_joint")
    r.rename_joint(other, "right_arm_joint")
    return other


@mutator("J015", "both soft limits are 0", lambda r: r.joints("revolute", "prismatic"))
def _(r, node, case):
    old = node.child("safety_controller")
    if old:
        old.remove()
    soft = case.random.choice([{}, {"soft_lower_limit": "0", "soft_upper_limit": "0.0"}])
    return node.add(Node("safety_controller", {"k_velocity": "10", "k_position": "15", **soft}))


@mutator("J016", "a fixed joint has an axis", lambda r: [j for j in r.joints("fixed") if not j.child("axis")])
def _(r, node, case):
    return node.add(Node("axis", {"xyz": "0 0 1"}))


@mutator("J017", "a joint with three values mimics",
         lambda r: [j for j in r.joints(*MOVING) if len(r.joints(*MOVING)) > 1 and not r.mimicked(j)])
def _(r, node, case):
    other = case.random.choice([j for j in r.joints(*MOVING) if j is not node])
    node.set("type", case.random.choice(["planar", "floating"]))
    return imitate(node, other.get("name"))


@mutator("J017", "a joint with several values is mimicked",
         lambda r: [j for j in r.joints(*MOVING) if len(r.joints(*MOVING)) > 1 and not r.mimicked(j)])
def _(r, node, case):
    other = case.random.choice([j for j in r.joints(*MOVING) if j is not node])
    other.set("type", case.random.choice(["planar", "floating"]))
    if other.child("mimic"):
        other.child("mimic").remove()
    mimics = [m for m in r.parts("mimic", r.joints()) if m.get("joint") == other.get("name")]
    return mimics + [imitate(node, other.get("name"))]


# ---------------------------------------------------------------------------------- I: inertia

MOMENTS = NUMBERS["inertia"]


def whole(r):
    """The <inertia> of links whose <inertial> lacks nothing and whose mass is above 0."""
    parts = [link.child("inertial") for link in r.links() if link.child("inertial")]
    return [i.child("inertia") for i in parts
            if i.child("mass") and (i.child("mass").number("value") or 0) > 0 and i.child("inertia")
            and all(i.child("inertia").number(name) is not None for name in MOMENTS)]


def owner(node):
    while node.tag != "link":
        node = node.parent
    return node


def shown(r):
    return [i for i in whole(r) if owner(i).child("collision") or owner(i).child("visual")]


def set_moments(node, *values):
    for name, value in zip(MOMENTS, values):
        node.set(name, float(value))
    return node


@mutator("I001", "an inertial is gone", lambda r: [link for link in r.links() if r.moved(link) and link.child("inertial")])
def _(r, node, case):
    node.child("inertial").remove()
    return node


@mutator("I002", "a mass is negative", lambda r: [i.parent.child("mass") for i in whole(r)])
def _(r, node, case):
    return node.set("value", case.random.choice(["-1", "-1e-9"]))


@mutator("I002", "a moving part weighs nothing",
         lambda r: [i.parent.child("mass") for i in shown(r) if r.moved(owner(i))])
def _(r, node, case):
    return node.set("value", "0")


@mutator("I003", "a moment is negative or 0", whole)
def _(r, node, case):
    scale = max(abs(node.number(name)) for name in MOMENTS) or 1e-3
    return set_moments(node, *case.random.choice([(-scale, 0, 0, scale, 0, scale), (scale, 0, 0, 0, 0, 0),
                                                  (scale, 0, 0, scale, 0, 0)]))


@mutator("I003", "the products are too large", whole)
def _(r, node, case):
    scale = max(abs(node.number(name)) for name in MOMENTS) or 1e-3
    return set_moments(node, scale, 2 * scale, 0, scale, 0, scale)


@mutator("I004", "a moment is more than the others together", whole)
def _(r, node, case):
    scale = max(abs(node.number(name)) for name in MOMENTS) or 1e-3
    values = [0.25 * scale, 0.25 * scale, scale]
    case.random.shuffle(values)
    return set_moments(node, values[0], 0, 0, values[1], 0, values[2])


@mutator("I005", "a centre of mass is far away", shown)
def _(r, node, case):
    inertial = node.parent
    origin = inertial.child("origin") or inertial.add(Node("origin"), 0)
    far = [0.0, 0.0, 0.0]
    far[case.random.randrange(3)] = case.random.choice([-1, 1]) * 50.0
    return origin.set("xyz", " ".join(map(str, far)))


@mutator("I006", "the inertia is of other units", shown)
def _(r, node, case):
    factor = case.random.choice([1e6, 1e9])
    scale = max(abs(node.number(name)) for name in MOMENTS) or 1e-3
    return set_moments(node, factor * scale, 0, 0, factor * scale, 0, factor * scale)


def inertials(r):
    return [i.parent for i in whole(r)]


@mutator("I007", "the mass is gone", inertials)
def _(r, node, case):
    node.child("mass").remove()
    return node


@mutator("I007", "the mass has no value", inertials)
def _(r, node, case):
    node.child("mass").attributes = {}
    return node


@mutator("I007", "the inertia is gone", inertials)
def _(r, node, case):
    node.child("inertia").remove()
    return node


@mutator("I007", "one of the six numbers is gone", inertials)
def _(r, node, case):
    del node.child("inertia").attributes[case.random.choice(MOMENTS)]
    return node


@mutator("I007", "one of the numbers is no number", inertials)
def _(r, node, case):
    if case.random.random() < 0.5:
        node.child("mass").set("value", "heavy")
    else:
        node.child("inertia").set(case.random.choice(MOMENTS), "1e")
    return node


@mutator("I007", "the origin is no origin", inertials)
def _(r, node, case):
    (node.child("origin") or node.add(Node("origin"), 0)).set("xyz", "0 0")
    return node
