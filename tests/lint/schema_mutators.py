"""What breaks the XML and its numbers: mutators of the tier U, of the URDF and the SRDF."""

from description import Node
from mutators import MOVING, NUMBERS, Closing, mutator

# ------------------------------------------------------------------------------------ U: numbers

def numeric(r):
    """Elements with an attribute of numbers, those that extensions hold left out."""
    inside = [n for part in r.links() + r.joints() for n in part.walk()]
    return [n for n in inside if any(n.numbers(name) for name in NUMBERS.get(n.tag, []))]


def vectors(r):
    return [n for n in numeric(r) if n.tag in ("origin", "axis", "box")]


def pick(node, case):
    return case.random.choice([name for name in NUMBERS[node.tag] if node.numbers(name)])


def replace_number(node, case, word):
    """Writes a word for one of the numbers of an attribute."""
    name = pick(node, case)
    words = node.get(name).split()
    words[case.random.randrange(len(words))] = word
    node.set(name, " ".join(words))
    return node


@mutator("U001", "an end tag is missing", lambda r: [n for n in r.links() + r.joints() if n.children])
def _(r, node, case):
    node.closed = False
    return Closing(node.parent)


@mutator("U001", "an end tag of a part is missing",
         lambda r: [c for n in r.links() for c in n.children if c.tag == "collision" and c.children])
def _(r, node, case):
    node.closed = False
    return Closing(node.parent)


@mutator("U001", "the root is another element", lambda r: [r.root])
def _(r, node, case):
    node.tag = case.random.choice(["sdf", "mujoco", "Robot"])
    return node


@mutator("U001", "the robot has no name", lambda r: [r.root])
def _(r, node, case):
    node.set("name", "")
    return node


@mutator("U002", "a value is an expression of xacro", numeric)
def _(r, node, case):
    node.set(pick(node, case), "${%s}" % case.random.choice(["length", "2*pi", "-M_PI/2"]))
    return node


@mutator("U002", "an element is xacro's", lambda r: [r.root])
def _(r, node, case):
    return node.add(Node("xacro:wheel", {"side": "left"}), case.random.randrange(len(node.children)))


@mutator("U003", "a number is a word", numeric)
def _(r, node, case):
    return replace_number(node, case, case.random.choice(["x", "1.0m", "90deg", "0x10", "1e", "--1", "1.2.3"]))


@mutator("U003", "a number too few or too many", numeric)
def _(r, node, case):
    name = pick(node, case)
    words = node.get(name).split()
    node.set(name, " ".join(words[:-1] if len(words) > 1 and case.random.random() < 0.5 else words + ["0"]))
    return node


@mutator("U003", "a value is empty", numeric)
def _(r, node, case):
    return node.set(pick(node, case), "")


@mutator("U003", "a quaternion is zero", lambda r: r.parts("origin", r.joints()))
def _(r, node, case):
    node.attributes.pop("rpy", None)
    return node.set("quat_xyzw", "0 0 0 0")


@mutator("U004", "a tab or a line break between numbers", vectors)
def _(r, node, case):
    name = next(n for n in NUMBERS[node.tag] if node.numbers(n))
    space = case.random.choice(["\t", "\n", " \t "])
    return node.set(name, space.join(node.get(name).split()))


def spelled(r):
    return [c for n in r.links() + r.joints() for c in n.children
            if c.tag in ("collision", "visual", "origin", "dynamics", "mimic")]


@mutator("U005", "an element is misspelled", spelled)
def _(r, node, case):
    at = case.random.randrange(1, len(node.tag) - 1)
    node.tag = node.tag[:at] + node.tag[at + 1:]
    return node


@mutator("U005", "an attribute is misspelled", vectors)
def _(r, node, case):
    name = pick(node, case)
    node.attributes = {("xzy" if name == "xyz" else name[::-1]) if n == name else n: v
                       for n, v in node.attributes.items()}
    return node


@mutator("U005", "an element stands where it does not belong", lambda r: r.joints())
def _(r, node, case):
    return node.add(Node("inertial"))


@mutator("U006", "a number is not finite", numeric)
def _(r, node, case):
    return replace_number(node, case, case.random.choice(["nan", "inf", "-inf", "1e999"]))


@mutator("U006", "an origin is far away", lambda r: r.parts("origin", r.joints()))
def _(r, node, case):
    if not node.numbers("xyz") and not node.numbers("rpy"):
        node.set("xyz", "0 0 0")
    return replace_number(node, case, case.random.choice(["2e6", "-1e18"]))


@mutator("U007", "a decimal comma", numeric)
def _(r, node, case):
    return replace_number(node, case, case.random.choice(["0,5", "-1,25", "1,5e-3"]))


@mutator("U008", "the version is newer", lambda r: [r.root])
def _(r, node, case):
    return node.set("version", case.random.choice(["1.1", "1.2", "2.0"]))


@mutator("U008", "a quaternion", lambda r: r.parts("origin", r.joints()))
def _(r, node, case):
    node.attributes.pop("rpy", None)
    return node.set("quat_xyzw", "0 0 0 1")


@mutator("U008", "a limit of jerk", lambda r: r.parts("limit", r.joints()))
def _(r, node, case):
    return node.set(case.random.choice(["jerk", "acceleration", "deceleration"]), 10)


@mutator("U008", "a capsule", lambda r: [n for g in r.parts("collision", r.links()) for n in g.walk()
                                         if n.tag in ("box", "cylinder", "sphere", "mesh")])
def _(r, node, case):
    node.tag, node.attributes = "capsule", {"radius": "0.05", "length": "0.1"}
    return node


@mutator("U009", "a joint has no type", lambda r: r.joints())
def _(r, node, case):
    del node.attributes["type"]
    return node


@mutator("U009", "an axis has no direction", lambda r: r.parts("axis", r.joints(*MOVING)))
def _(r, node, case):
    node.attributes = {}
    return node


@mutator("U010", "a part is there twice",
         lambda r: [c for j in r.joints() for c in j.children
                    if c.tag in ("origin", "axis", "limit", "child", "parent", "mimic")])
def _(r, node, case):
    return node.parent.add(Node(node.tag, node.attributes), node.parent.children.index(node) + 1)


@mutator("U010", "a geometry has two shapes", lambda r: r.parts("geometry", r.parts("collision", r.links())))
def _(r, node, case):
    return node.add(Node("sphere", {"radius": "0.1"}))


@mutator("U010", "a shape has two origins", lambda r: r.parts("origin", r.parts("collision", r.links())))
def _(r, node, case):
    return node.parent.add(Node("origin", {"xyz": "0 0 1"}), node.parent.children.index(node) + 1)


@mutator("U010", "an origin has angles and a quaternion", lambda r: r.parts("origin", r.joints()))
def _(r, node, case):
    return node.set("rpy", "0 0 1").set("quat_xyzw", "0 0 0 1")


@mutator("U011", "a joint's type is no type", lambda r: r.joints())
def _(r, node, case):
    return node.set("type", case.random.choice(["Revolute", "rotational", "hinge", "ball", node.get("type") + " "]))


# ------------------------------------------------------------------------- U of the SRDF

WORDS = {"disable_collisions": ["link1", "link2"], "group": ["name"], "group_state": ["name", "group"],
         "virtual_joint": ["name", "type", "child_link"], "end_effector": ["name", "group", "parent_link"],
         "passive_joint": ["name"]}


def srdf_parts(s):
    return [n for n in s.root.children if n.tag in WORDS]


@mutator("U009", "the SRDF lacks a name", srdf_parts, srdf=True)
def _(s, node, case):
    name = case.random.choice([name for name in WORDS[node.tag] if name in node.attributes])
    if case.random.random() < 0.5:
        del node.attributes[name]
    else:
        node.set(name, "")
    return node


@mutator("U005", "an element of the SRDF is misspelled", srdf_parts, srdf=True)
def _(s, node, case):
    at = case.random.randrange(1, len(node.tag) - 1)
    node.tag = node.tag[:at] + node.tag[at + 1:]
    return node


def state_values(s):
    return [j for g in s.root.children if g.tag == "group_state" for j in g.children if j.tag == "joint"]


@mutator("U003", "a state's value is no number", state_values, srdf=True)
def _(s, node, case):
    return node.set("value", case.random.choice(["open", "", "1 2", "1 2 3 4 5", "90deg"]))


@mutator("U006", "a state's value is not finite", state_values, srdf=True)
def _(s, node, case):
    return node.set("value", case.random.choice(["nan", "-inf", "1e400"]))


@mutator("U007", "a state's value has a comma", state_values, srdf=True)
def _(s, node, case):
    return node.set("value", "0,5")


@mutator("U011", "a virtual joint is of no type",
         lambda s: [n for n in s.root.children if n.tag == "virtual_joint"], srdf=True)
def _(s, node, case):
    return node.set("type", case.random.choice(["revolute", "Fixed", "floating,"]))


@mutator("U001", "an end tag of the SRDF is missing",
         lambda s: [n for n in s.root.children if n.children], srdf=True)
def _(s, node, case):
    node.closed = False
    return Closing(node.parent)


@mutator("U002", "the SRDF is a template", lambda s: [s.root], srdf=True)
def _(s, node, case):
    return node.add(Node("xacro:include", {"filename": "arm.srdf.xacro"}))


@mutator("U013", "a visual names a material that nobody defines",
         lambda r: [n for part in r.links() for v in part.children if v.tag == "visual" for n in v.children
                    if n.tag == "material"])
def _(r, node, case):
    node.children = []
    node.set("name", "unobtainium")
    return node
