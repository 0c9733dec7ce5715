"""What breaks the files and the geometry of a description: mutators of the tiers A and G. Files of a
mutant's own are package://mutant/NAME.
"""

import math
import os
import struct

from description import Node
from mutators import mutator


def shapes(r, *tags, of=("collision",)):
    """The shape elements of those tags in collision or visual geometry."""
    geometries = [g for kind in of for part in r.parts(kind, r.links()) for g in part.children if g.tag == "geometry"]
    return [s for g in geometries for s in g.children if not tags or s.tag in tags]


def link_of(node):
    while node.tag != "link":
        node = node.parent
    return node


def put(case, name, data):
    """Writes a file of the mutant's own; returns its URI."""
    (case.folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())
    return f"package://mutant/{name}"


def use(node, uri):
    """Makes a shape that mesh."""
    node.tag, node.attributes = "mesh", {"filename": uri}
    return node


def binary_stl(triangles, header=b"binary"):
    """Triangles, nine numbers each, as a binary STL file."""
    body = b"".join(struct.pack("<12fH", 0, 0, 0, *t, 0) for t in triangles)
    return header.ljust(80, b" ") + struct.pack("<I", len(triangles)) + body


def box(x=0.0, y=0.0, z=0.0, a=0.05):
    """Twelve triangles, outward, of a cube about a point."""
    corner = [(x + a * (i & 1) - a / 2, y + a * (i >> 1 & 1) - a / 2, z + a * (i >> 2) - a / 2) for i in range(8)]
    faces = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    return [(*corner[p], *corner[q], *corner[r]) for f in faces for p, q, r in (f[:3], (f[0], f[2], f[3]))]


def ball(n, radius=0.05):
    """About 2 n n triangles of a sphere, outward."""
    def point(i, j):
        u, v = math.pi * i / n, 2 * math.pi * (j % n) / n
        flat = 0.0 if i in (0, n) else math.sin(u)
        return radius * flat * math.cos(v), radius * flat * math.sin(v), radius * math.cos(u)
    out = []
    for i in range(n):
        for j in range(n):
            a, b, c, d = point(i, j), point(i + 1, j), point(i + 1, j + 1), point(i, j + 1)
            out += ([(*a, *b, *c)] if i < n - 1 else []) + ([(*a, *c, *d)] if i > 0 else [])
    return out


# ------------------------------------------------------------------------------------ A: files

@mutator("A001", "a file is not there", lambda r: shapes(r, of=("collision", "visual")))
def _(r, node, case):
    return use(node, case.random.choice(["package://mutant/gone.stl", "package://no_such_package/a.stl", "gone.obj"]))


@mutator("A001", "a mesh names no file", lambda r: shapes(r, "mesh", of=("collision", "visual")))
def _(r, node, case):
    node.attributes.pop("filename")
    return node


@mutator("A002", "a path of one machine", shapes)
def _(r, node, case):
    put(case, "part.stl", binary_stl(box()))
    return use(node, case.random.choice(["file://", ""]) + str(case.folder / "part.stl"))


@mutator("A005", "a file is no mesh", lambda r: shapes(r, of=("collision", "visual")))
def _(r, node, case):
    name, data = case.random.choice([("a.stl", b""), ("a.stl", b"no mesh"), ("a.obj", b"v 0 0\n"), ("a.ply", b"ply\n"),
                                     ("a.glb", b"glTF"), ("a.dae", b"<COLLADA/>"), ("a.step", b"ISO-10303-21;"),
                                     ("a.stl", binary_stl([]))])
    return use(node, put(case, name, data))


# --------------------------------------------------------------------------------- G: geometry

@mutator("G001", "the collision geometry is gone",
         lambda r: [link for link in r.links() if link.child("visual") and link.child("collision")])
def _(r, node, case):
    node.children = [c for c in node.children if c.tag != "collision"]
    return node


@mutator("G002", "the visual mesh is the collision mesh",
         lambda r: [s for s in shapes(r) if link_of(s).child("visual")])
def _(r, node, case):
    data = binary_stl(ball(30))
    shown = link_of(node).child("visual").child("geometry")
    shown.children = []
    use(shown.add(Node("mesh")), put(case, "shown.stl", data))
    return use(node, put(case, case.random.choice(["shown.stl", "copied.stl"]), data))


@mutator("G003", "a link has too many triangles", shapes)
def _(r, node, case):
    use(node, put(case, "fine.stl", binary_stl(ball(52))))
    return link_of(node)


def sized(r):
    return shapes(r, "box", "sphere", "cylinder", "capsule", of=("collision", "visual"))


SIZES = {"box": ["size"], "sphere": ["radius"], "cylinder": ["radius", "length"], "capsule": ["radius", "length"]}


@mutator("G010", "a size is negative or huge", sized)
def _(r, node, case):
    name = case.random.choice(SIZES[node.tag])
    words = node.get(name).split()
    words[case.random.randrange(len(words))] = case.random.choice(["-0.1", "-1e-30", "1e7"])
    return node.set(name, " ".join(words))


@mutator("G010", "a size is missing", sized)
def _(r, node, case):
    del node.attributes[case.random.choice(SIZES[node.tag])]
    return node


@mutator("G010", "a mesh becomes a shape of no size", lambda r: shapes(r, "mesh"))
def _(r, node, case):
    node.tag, node.attributes = "cylinder", {"radius": "1", "length": case.random.choice(["0", "-1"])}
    return node


@mutator("G010", "a scale flattens, or is huge", lambda r: shapes(r, "mesh"))
def _(r, node, case):
    scale = ["1", "1", "1"]
    scale[case.random.randrange(3)] = case.random.choice(["0", "-0.0", "1e7"])
    return node.set("scale", " ".join(scale))


@mutator("G011", "a scale mirrors", lambda r: shapes(r, "mesh"))
def _(r, node, case):
    scale = ["1", "1", "1"]
    scale[case.random.randrange(3)] = case.random.choice(["-1", "-0.001"])
    return node.set("scale", " ".join(scale))


# ------------------------------------------------------------------------ A: more about files

def around(node):
    """The shape and what holds it, up to its link: rules about meshes name one of these."""
    places = [node]
    while places[-1].tag != "link":
        places.append(places[-1].parent)
    return places


def collada(triangles, unit='<unit name="meter" meter="1"/>', up="Z_UP", scene=""):
    """A Collada file of those triangles; `scene` is put into the node beside them."""
    values = " ".join(f"{x:g}" for t in triangles for x in t)
    indices = " ".join(map(str, range(3 * len(triangles))))
    return (f'<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset>{unit}'
            f'<up_axis>{up}</up_axis></asset><library_geometries><geometry id="g"><mesh><source id="p">'
            f'<float_array id="a" count="{9 * len(triangles)}">{values}</float_array><technique_common>'
            f'<accessor source="#a" count="{3 * len(triangles)}" stride="3"><param name="X" type="float"/>'
            '<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>'
            '<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>'
            f'<triangles count="{len(triangles)}"><input semantic="VERTEX" source="#v" offset="0"/><p>{indices}</p>'
            '</triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="s"><node>'
            f'<instance_geometry url="#g"/>{scene}</node></visual_scene></library_visual_scenes><scene>'
            '<instance_visual_scene url="#s"/></scene></COLLADA>')


def brick(a=0.06, b=0.04, c=0.025):
    """A box of three different sides with one corner drawn in, which no simple shape fits."""
    out = []
    for t in box(a=1.0):
        points = [[t[3 * i] * a, t[3 * i + 1] * b, t[3 * i + 2] * c] for i in range(3)]
        out.append(tuple(x * (0.5 if all(v > 0 for v in p) else 1) for p in points for x in p))
    return out


@mutator("A003", "a path beside the URDF", shapes)
def _(r, node, case):
    put(case, "part.stl", binary_stl(brick()))
    return use(node, os.path.relpath(case.folder / "part.stl", case.home))


@mutator("A016", "a slash too many behind package:", shapes)
def _(r, node, case):
    put(case, "part.stl", binary_stl(brick()))
    return use(node, "package:///mutant/part.stl")


@mutator("A004", "a file's name has other capitals", lambda r: shapes(r, of=("collision", "visual")))
def _(r, node, case):
    put(case, "Part.STL", binary_stl(brick()))
    return use(node, "package://mutant/" + case.random.choice(["part.stl", "Part.stl", "PART.STL"]))


@mutator("A006", "a unit and an axis that programs read differently", shapes)
def _(r, node, case):
    unit, up = case.random.choice([("0.0125", "Z_UP"), ("1", "X_UP"), ("0.0125", "Y_UP")])
    data = collada([tuple(20 * x for x in t) for t in brick()], f'<unit name="u" meter="{unit}"/>', up)
    return use(node, put(case, "turned.dae", data))


@mutator("A007", "a unit whose name is another", shapes)
def _(r, node, case):
    name, unit = case.random.choice([("centimeter", "1"), ("meter", "0.01"), ("millimeter", "0.01"), ("inch", "1")])
    return use(node, put(case, "named.dae", collada(brick(), f'<unit name="{name}" meter="{unit}"/>')))


@mutator("A008", "a mesh in other units", lambda r: shapes(r, of=("collision", "visual")))
def _(r, node, case):
    use(node, put(case, "part.stl", binary_stl(brick())))
    factor = case.random.choice(["1000", "0.001"])
    return node.set("scale", " ".join([factor] * 3))


@mutator("A009", "what collides is of another size",
         lambda r: [link for link in r.links() if link.child("visual") and link.child("collision")])
def _(r, node, case):
    node.children = [c for c in node.children if c.tag not in ("visual", "collision")]
    uri = put(case, "part.stl", binary_stl(brick()))
    for tag, factor in (("visual", "1"), ("collision", case.random.choice(["10", "25.4", "0.1"]))):
        mesh = Node("mesh", {"filename": uri, "scale": " ".join([factor] * 3)})
        node.add(Node(tag, {}, [Node("geometry", {}, [mesh])]))
    return node


@mutator("A010", "a binary STL begins as a text", lambda r: shapes(r, of=("collision", "visual")))
def _(r, node, case):
    return use(node, put(case, "part.stl", binary_stl(brick(), b"solid part")))


@mutator("A011", "a binary STL was cut, or grew", lambda r: shapes(r, of=("collision", "visual")))
def _(r, node, case):
    data = binary_stl(brick())
    return use(node, put(case, "part.stl", case.random.choice([data[:-1], data[:-25], data + b"\0", data + data])))


@mutator("A012", "a mesh that nothing names", shapes)
def _(r, node, case):
    put(case, case.random.choice(["spare.stl", "old.DAE", "part.obj"]), b"")
    return around(use(node, put(case, "part.stl", binary_stl(brick())))) + [r.root]


@mutator("A013", "a light that is not there", shapes)
def _(r, node, case):
    scene = case.random.choice(['<instance_light url="#no-light"/>', '<instance_camera url="#no-camera"/>'])
    return around(use(node, put(case, "lit.dae", collada(brick(), scene=scene))))


@mutator("A014", "a format that not every program reads", shapes)
def _(r, node, case):
    points = [t[3 * i:3 * i + 3] for t in brick() for i in range(3)]
    faces = "".join(f"3 {3 * i} {3 * i + 1} {3 * i + 2}\n" for i in range(len(points) // 3))
    data = (f"ply\nformat ascii 1.0\nelement vertex {len(points)}\nproperty float x\nproperty float y\n"
            f"property float z\nelement face {len(points) // 3}\nproperty list uchar int vertex_indices\nend_header\n"
            + "".join("%g %g %g\n" % tuple(p) for p in points) + faces)
    return around(use(node, put(case, "part.ply", data))) + [r.root]


@mutator("A015", "two meshes have one name", lambda r: shapes(r) if len(shapes(r)) > 1 else [])
def _(r, node, case):
    other = case.random.choice([s for s in shapes(r) if s is not node])
    for folder, shape, size in (("one", node, 0.06), ("two", other, 0.07)):
        (case.folder / folder).mkdir()
        put(case, f"{folder}/part.stl", binary_stl(brick(size)))
        use(shape, f"package://mutant/{folder}/part.stl")
    return around(node) + around(other)


# --------------------------------------------------------------------- G: more about geometry

def wear(node, case, triangles):
    """Makes a shape a mesh of these triangles; returns where a rule may speak of it."""
    return around(use(node, put(case, "part.stl", binary_stl(triangles))))


@mutator("G004", "a mesh has a hole, or an edge of three triangles", shapes)
def _(r, node, case):
    whole = brick()
    fin = whole[0][:6] + (0.1, 0.1, 0.1)
    return wear(node, case, case.random.choice([whole[1:], whole[:4] + whole[5:], whole + [fin]]))


def turned(t):
    return t[:3] + t[6:] + t[3:6]


@mutator("G005", "a mesh is wound inside out, or against itself", shapes)
def _(r, node, case):
    whole = brick()
    one = case.random.randrange(len(whole))
    return wear(node, case, case.random.choice([[turned(t) for t in whole],
                                                whole[:one] + [turned(whole[one])] + whole[one + 1:]]))


@mutator("G006", "triangles without area, or twice", shapes)
def _(r, node, case):
    whole = brick()
    return wear(node, case, whole + [case.random.choice([whole[3], whole[0][:3] * 3, whole[0][:6] + whole[0][:3]])])


@mutator("G007", "a part inside a part, or a great many", shapes)
def _(r, node, case):
    inside = [tuple(0.25 * x for x in t) for t in brick()]
    many = [t for i in range(60) for t in box(x=0.02 * i, a=0.01)]
    return wear(node, case, case.random.choice([brick() + inside, many]))


def clothed(r):
    return [link for link in r.links() if link.child("visual") and link.child("collision")]


def dress(link, shown, solid):
    """Gives a link one visual and one collision shape; returns where a rule may speak of them."""
    link.children = [c for c in link.children if c.tag not in ("visual", "collision")]
    parts = [link.add(Node(tag, {}, [Node("geometry", {}, [shape])]))
             for tag, shape in (("visual", shown), ("collision", solid))]
    return [link] + parts + [shape for part in parts for shape in part.children[0].children]


@mutator("G008", "the visual reaches out of the collision geometry", clothed)
def _(r, node, case):
    return dress(node, Node("box", {"size": "0.2 0.2 1"}), Node("box", {"size": "0.2 0.2 0.5"}))


@mutator("G009", "the collision geometry reaches out of the visual", clothed)
def _(r, node, case):
    return dress(node, Node("box", {"size": "0.2 0.2 0.4"}), Node("box", {"size": "0.2 0.2 1"}))


@mutator("G012", "a mesh that is a simple shape", shapes)
def _(r, node, case):
    bar = [tuple(x * s for x, s in zip(t, (1, 2, 3) * 3)) for t in box()]
    return wear(node, case, case.random.choice([bar, ball(40), box()]))


@mutator("G013", "a mesh far from its link", shapes)
def _(r, node, case):
    places = wear(node, case, brick())
    part = next(p for p in places if p.tag == "collision")
    (part.child("origin") or part.add(Node("origin"), 0)).set("xyz", case.random.choice(["0 3 0", "-1 0 0", "2 2 2"]))
    return places


@mutator("G014", "a shape is none that there is", shapes)
def _(r, node, case):
    node.tag = case.random.choice(["ellipsoid", "plane", "Box", "heightmap"])
    return around(node)


@mutator("G014", "a geometry is empty or gone", shapes)
def _(r, node, case):
    geometry = node.parent
    places = around(geometry)
    if case.random.random() < 0.5:
        geometry.children = []
    else:
        geometry.remove()
    return places
