"""What breaks the tree of links and joints, and the groups of the SRDF: mutators of the tier T."""

from description import Node, end
from mutators import misspell, mutator


def free_joints(r):
    """Joints that none mimics: what goes with them has nothing to do with mimics."""
    return [j for j in r.joints() if not r.mimicked(j)]


@mutator("T001", "a joint is gone", free_joints)
def _(r, node, case):
    # Of the two roots that there are now, the second in the file is named.
    roots = [r.root_link(), r.link(end(node, "child"))]
    node.remove()
    return max(roots, key=r.root.children.index)


@mutator("T001", "a link belongs to nothing", lambda r: [r.root])
def _(r, node, case):
    roots = [r.root_link(), node.add(Node("link", {"name": "left_over_part"}),
                                     case.random.randrange(len(node.children)))]
    return max(roots, key=r.root.children.index)


@mutator("T002", "a joint's parent is below its child", lambda r: r.joints())
def _(r, node, case):
    child = r.link(end(node, "child"))
    below = sorted(r.below(child))
    lowest = case.random.choice(below)
    node.child("parent").set("link", lowest)
    cycle, link = [node], lowest
    while link != child.get("name"):
        joint = r.parent_joint(r.link(link))
        cycle.append(joint)
        link = end(joint, "parent")
    return cycle


@mutator("T002", "there is no link", lambda r: [r.root])
def _(r, node, case):
    node.children = [c for c in node.children if c.tag != "link" and c.tag != "joint"]
    return node


@mutator("T003", "a second joint moves a link", lambda r: r.joints())
def _(r, node, case):
    child = Node("child", {"link": end(node, "child")})
    r.root.add(Node("joint", {"name": "second_parent_joint", "type": "fixed"},
                    [Node("parent", {"link": r.root_link().get("name")}), child]))
    return child


@mutator("T004", "a parent is misspelled", lambda r: r.parts("parent", r.joints()))
def _(r, node, case):
    return node.set("link", misspell(node.get("link"), case))


@mutator("T004", "a child is misspelled", lambda r: r.parts("child", r.joints()))
def _(r, node, case):
    return node.set("link", misspell(node.get("link"), case))


@mutator("T004", "a child is not named", lambda r: r.parts("child", r.joints()))
def _(r, node, case):
    node.attributes = {}
    return node


@mutator("T004", "a parent is gone", lambda r: r.joints())
def _(r, node, case):
    node.child("parent").remove()
    return node


@mutator("T005", "a link is there twice", lambda r: r.links())
def _(r, node, case):
    return r.root.add(Node("link", {"name": node.get("name")}))


@mutator("T005", "two joints have one name", lambda r: free_joints(r)[1:])
def _(r, node, case):
    before = [j for j in r.joints() if j is not node]
    name = case.random.choice(before).get("name")
    node.set("name", name)
    return [j for j in r.joints() if j.get("name") == name][1]


@mutator("T005", "a joint has no name", free_joints)
def _(r, node, case):
    return node.set("name", "")


@mutator("T005", "a link has no name", lambda r: [r.root])
def _(r, node, case):
    return node.add(Node("link"))


@mutator("T006", "a part is left alone", lambda r: [r.root])
def _(r, node, case):
    return node.add(Node("link", {"name": "left_over_part"}))


@mutator("T006", "a leaf hangs from nothing",
         lambda r: [j for j in free_joints(r) if r.link(end(j, "child")) in r.leaves()
                    and len(r.links()) > 2])
def _(r, node, case):
    node.child("parent").set("link", "no_such_part")
    return r.link(end(node, "child"))


@mutator("T007", "a joint is called as a link", lambda r: r.joints())
def _(r, node, case):
    r.rename_joint(node, case.random.choice(r.links()).get("name"))
    return node


@mutator("T008", "a link's name has a blank", lambda r: r.links())
def _(r, node, case):
    r.rename_link(node, node.get("name") + case.random.choice([" 2", "/pad", "\\b", " "]))
    return node


@mutator("T008", "a joint's name has a slash", lambda r: r.joints())
def _(r, node, case):
    r.rename_joint(node, case.random.choice(["a b", "robot/joint", "it's", "tab\tjoint"]))
    return node


@mutator("T008", "two names differ in case", lambda r: r.links())
def _(r, node, case):
    other = case.random.choice([link for link in r.links() if link is not node])
    r.rename_link(node, other.get("name").swapcase())
    return [node, other]


@mutator("T009", "the root has inertia", lambda r: [link for link in [r.root_link()] if not link.child("inertial")])
def _(r, node, case):
    return node.add(Node("inertial", {}, [Node("mass", {"value": "1"}),
                                          Node("inertia", dict(ixx="0.1", ixy="0", ixz="0", iyy="0.1",
                                                               iyz="0", izz="0.1"))]))


def groups(s):
    return [g for g in s.root.children if g.tag == "group" and g.get("name")]


@mutator("T010", "a group holds itself", groups, srdf=True)
def _(s, node, case):
    return node.add(Node("group", {"name": node.get("name")}))


@mutator("T010", "groups hold each other", lambda s: groups(s)[1:], srdf=True)
def _(s, node, case):
    other = case.random.choice([g for g in groups(s) if g is not node])
    return [a.add(Node("group", {"name": b.get("name")})) for a, b in ((node, other), (other, node))]
