"""What breaks an SRDF, or sets it against its robot: mutators of the tier S. The robot is case.robot."""

from description import Node, end
from mutators import misspell, mutator


def pairs(s):
    return [n for n in s.root.children if n.tag == "disable_collisions"]


def named(s):
    return [n for n in s.root.children if n.tag in ("disable_collisions", "passive_joint", "end_effector")]


@mutator("S004", "a name is misspelled", named, srdf=True)
def _(s, node, case):
    name = {"disable_collisions": "link1", "passive_joint": "name", "end_effector": "parent_link"}[node.tag]
    return node.set(name, misspell(node.get(name), case))


def way(robot, name):
    """The links from one up to the root, with the number of moving joints passed."""
    out, moved = {}, 0
    while name:
        out[name] = moved
        joint = robot.parent_joint(robot.link(name)) if robot.link(name) else None
        moved += joint is not None and joint.get("type") != "fixed"
        name = end(joint, "parent") if joint is not None else ""
    return out


def joints_between(robot, a, b):
    up, down = way(robot, a), way(robot, b)
    return min(up[name] + down[name] for name in up if name in down)


def known_pairs(s, case_robot=None):
    return [n for n in pairs(s) if n.get("reason") != "Adjacent"]


@mutator("S005", "a pair is called adjacent that is far apart", pairs, srdf=True)
def _(s, node, case):
    solid = [link.get("name") for link in case.robot.links() if link.child("collision")]
    far = [(a, b) for a in solid for b in solid if a < b and joints_between(case.robot, a, b) >= 2]
    if not far:
        return None
    a, b = case.random.choice(far)
    return node.set("link1", a).set("link2", b).set("reason", "Adjacent")


@mutator("S006", "a pair is there twice", pairs, srdf=True)
def _(s, node, case):
    a, b = case.random.choice([("link1", "link2"), ("link2", "link1")])
    copy = Node(node.tag, {"link1": node.get(a), "link2": node.get(b), "reason": "Never"})
    return [node, s.root.add(copy)]


@mutator("S007", "the SRDF is another robot's", lambda s: [s.root], srdf=True)
def _(s, node, case):
    return node.set("name", node.get("name") + "_2")


def states(s):
    return [j for g in s.root.children if g.tag == "group_state" for j in g.children
            if j.tag == "joint" and j.number("value") is not None]


@mutator("S008", "a state is outside of the limits", states, srdf=True)
def _(s, node, case):
    joint = case.robot.joint(node.get("name"))
    if joint is None or joint.get("type") not in ("revolute", "prismatic"):
        return None
    return node.set("value", case.random.choice(["100", "-100"]))


@mutator("S009", "no pair of links is known", lambda s: [s.root] if pairs(s) else [], srdf=True)
def _(s, node, case):
    node.children = [n for n in node.children if n.tag not in ("enable_collisions", "disable_default_collisions")]
    for pair in pairs(s):
        pair.set("link1", "other_" + pair.get("link1"))
    return [node] + pairs(s)


@mutator("S010", "another pair is not checked", lambda s: [s.root], srdf=True)
def _(s, node, case):
    known = {frozenset((n.get("link1"), n.get("link2"))) for n in pairs(s)}
    solid = [link.get("name") for link in case.robot.links() if link.child("collision")]
    free = [(a, b) for a in solid for b in solid if a < b and frozenset((a, b)) not in known
            and joints_between(case.robot, a, b) >= 2]
    if not free:
        return None
    a, b = case.random.choice(free)
    return [node, node.add(Node("disable_collisions", {"link1": a, "link2": b, "reason": "Never"}))]


@mutator("S012", "a virtual joint holds another link", lambda s: [s.root], srdf=True)
def _(s, node, case):
    for old in [n for n in node.children if n.tag == "virtual_joint"]:
        old.remove()
    root = case.robot.root_link()
    other = case.random.choice([link for link in case.robot.links() if link is not root])
    return node.add(Node("virtual_joint", {"name": "world_joint", "type": "floating", "parent_frame": "world",
                                           "child_link": other.get("name")}))


@mutator("S014", "neighbours are disabled for another reason", lambda s: [s.root], srdf=True)
def _(s, node, case):
    joints = [j for j in case.robot.joints() if j.get("type") != "fixed" and
              all(case.robot.link(end(j, tag)).child("collision") for tag in ("parent", "child"))]
    if not joints:
        return None
    joint = case.random.choice(joints)
    a, b = end(joint, "parent"), end(joint, "child")
    for pair in pairs(s):
        if {pair.get("link1"), pair.get("link2")} == {a, b}:
            pair.remove()
    return node.add(Node("disable_collisions", {"link1": a, "link2": b, "reason": "Never"}))


# --------------------------------------------------------------- contacts that somebody has built

def add_part(robot, name, parent, size, kind="revolute", xyz="0 0 0"):
    """A box on a joint of its own; returns its link."""
    inertial = Node("inertial", {}, [Node("mass", {"value": "1"}),
                                     Node("inertia", dict(ixx="1e-3", ixy="0", ixz="0", iyy="1e-3", iyz="0",
                                                          izz="1e-3"))])
    shape = Node("box", {"size": " ".join(["%g" % size] * 3)})
    link = Node("link", {"name": name}, [inertial, Node("collision", {}, [Node("geometry", {}, [shape])])])
    joint = Node("joint", {"name": name + "_joint", "type": kind},
                 [Node("origin", {"xyz": xyz}), Node("parent", {"link": parent}), Node("child", {"link": name}),
                  Node("axis", {"xyz": "0 0 1"}),
                  Node("limit", dict(lower="0", upper="3", effort="1", velocity="1"))])
    robot.root.add(link)
    robot.root.add(joint)
    return link


def add_pair(robot, kind):
    """Two boxes that meet, far from the robot, each on a joint of its own. Their parent has collision geometry:
    across a link that has none they would be neighbours, which may touch."""
    solid = [link for link in robot.links() if link.child("collision")]
    parent = (robot.root_link() if robot.root_link() in solid else solid[0]).get("name")
    return [add_part(robot, name, parent, 0.4, how, "40 0 0") for name, how in
            (("mutant_one", "revolute"), ("mutant_two", kind))]


@mutator("S001", "two parts touch wherever the joints stand", lambda r: [r.root])
def _(r, node, case):
    return add_pair(r, "revolute")


@mutator("S002", "two parts touch at rest", lambda r: [r.root])
def _(r, node, case):
    return add_pair(r, "prismatic") + [r.root]


@mutator("S003", "a pair is disabled that can touch", lambda s: [s.root], srdf=True)
def _(s, node, case):
    # What touches everywhere is rightly disabled; this touches near the rest position alone.
    add_pair(case.robot, "prismatic")
    return node.add(Node("disable_collisions", {"link1": "mutant_one", "link2": "mutant_two", "reason": "Never"}))


@mutator("S013", "a part is inside its neighbour", lambda r: [r.root])
def _(r, node, case):
    outer = add_part(r, "mutant_outer", r.root_link().get("name"), 1, "revolute", "40 0 0")
    return [outer, add_part(r, "mutant_inner", "mutant_outer", 0.1)]
