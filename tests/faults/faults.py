#!/usr/bin/env python3
"""Makes the inputs of the fault scenarios in a scratch folder and runs fault_driver there.

    tests/faults/faults.py --driver build/tests/faults/fault_driver --graze build/graze
    tests/faults/faults.py ... --all                   every allocation, read, file and thread
    tests/faults/faults.py ... --only "stl binary"     one scenario

Other options go to fault_driver (docs/faults.md).
"""

import argparse
import base64
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
DATA = ROOT / "tests/cli/data"

# A tetrahedron with its corners at the origin and at 0.5 m along each axis.
CORNERS = [(0, 0, 0), (0.5, 0, 0), (0, 0.5, 0), (0, 0, 0.5)]
FACES = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]

SCENE = """made
* table top
1
box
2 1 0.25
1.5 1 0.125
0 0 0 1
0 0 1 0.25
* part
1
mesh
4 4
0 0 0
0.5 0 0
0 0.5 0
0 0 0.5
0 2 1
0 1 3
0 3 2
1 2 3
0 0 0.5
0 0 0 1
0 0 0 0
.
"""

YAML = """name: made
world:
  collision_objects:
    - id: can
      primitives:
        - {type: cylinder, dimensions: [0.5, 0.25]}
        - {type: sphere, dimensions: [0.25]}
      primitive_poses:
        - {position: [0, 0, 0.5], orientation: [0, 0, 0, 1]}
        - {position: [4, 0, 0.5]}
    - id: part
      meshes:
        - vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
          triangles: [[0, 2, 1], {vertex_indices: [0, 1, 3]}, [0, 3, 2], [1, 2, 3]]
        - resource: crate.obj
          dimensions: [1, 1, 1]
      mesh_poses: [{position: [0, 0, 5]}, {position: [0, 0, 9]}]
"""

ARM = """<robot name="arm">
  <link name="base"><collision><geometry><mesh filename="package://made/meshes/binary.stl"/></geometry>
  </collision></link>
  <joint name="slide" type="prismatic"><parent link="base"/><child link="tip"/><axis xyz="0 0 1"/>
    <limit lower="0" upper="1" effort="1" velocity="1"/></joint>
  <link name="tip"><collision><geometry><mesh filename="package://made/meshes/crate.obj"/></geometry>
  </collision></link>
</robot>
"""

# What a linter has a lot to say about.
BAD = """<robot name="bad">
  <link name="a"><inertial><mass value="-1"/></inertial>
    <collision><geometry><mesh filename="missing.stl"/></geometry></collision></link>
  <link name="b"><collision><geometry><box size="1 1"/></geometry></collision></link>
  <joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 2"/></joint>
</robot>
"""


def stl():
    body = b"made".ljust(80) + struct.pack("<I", len(FACES))
    for face in FACES:
        body += struct.pack("<12fH", 0, 0, 0, *(x for i in face for x in CORNERS[i]), 0)
    return body


def ply(binary):
    kind = "binary_little_endian" if binary else "ascii"
    head = (f"ply\nformat {kind} 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
            "property float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n")
    if not binary:
        rows = [" ".join(map(str, c)) for c in CORNERS] + [f"3 {a} {b} {c}" for a, b, c in FACES]
        return (head + "\n".join(rows) + "\n").encode()
    body = b"".join(struct.pack("<3f", *c) for c in CORNERS)
    return head.encode() + body + b"".join(struct.pack("<B3i", 3, *f) for f in FACES)


def gltf_buffer():
    return (b"".join(struct.pack("<3f", *c) for c in CORNERS)
            + b"".join(struct.pack("<3H", *f) for f in FACES))


def gltf(uri):
    buffer = {"byteLength": len(gltf_buffer())}
    if uri:
        buffer["uri"] = uri
    return {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
            "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
            "buffers": [buffer],
            "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 48},
                            {"buffer": 0, "byteOffset": 48, "byteLength": 24}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3",
                           "min": [0, 0, 0], "max": [0.5, 0.5, 0.5]},
                          {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"}]}


def glb():
    text = json.dumps(gltf(None)).encode()
    text += b" " * (-len(text) % 4)
    data = gltf_buffer()
    data += b"\0" * (-len(data) % 4)
    chunks = (struct.pack("<I4s", len(text), b"JSON") + text
              + struct.pack("<I4s", len(data), b"BIN\0") + data)
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def npy(rows):
    columns = len(rows[0])
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({len(rows)}, {columns}), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    body = b"".join(struct.pack(f"<{columns}d", *row) for row in rows)
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + body


def make_inputs(folder, graze):
    """Files of every kind, beside those of the transcripts."""
    shutil.copytree(DATA, folder)
    # travel and lift, of which every other row collides; and all of q.
    rows = [(round(-3.5 + i / 20, 3), -1 if i % 2 else 0) for i in range(120)]
    files = {
        "binary.stl": stl(), "binary.ply": ply(True), "ascii.ply": ply(False), "inside.glb": glb(),
        "outside.gltf": json.dumps(gltf("outside.bin")).encode(), "outside.bin": gltf_buffer(),
        "text.scene": SCENE.encode(), "scene.yaml": YAML.encode(), "bad.urdf": BAD.encode(),
        "many.csv": ("travel,lift\n" + "".join(f"{a},{b}\n" for a, b in rows)).encode(),
        "many.npy": npy([(a, b, 0.0) for a, b in rows]),
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
    package = folder / "packaged"
    for part in ("robots", "meshes"):
        (package / part).mkdir(parents=True)
    (package / "package.xml").write_text("<package><name>made</name></package>")
    (package / "robots/arm.urdf").write_text(ARM)
    for name in ("binary.stl", "crate.obj"):
        shutil.copy(folder / name, package / "meshes")
    hit = ["check", "gantry.urdf", "-q", "lift=-1", "--all", "--policy", "cap", "--world",
           "room.json", "--quiet", "--dump", "good.dump"]
    rows = ["check", "gantry.urdf", "--configs", "three.csv", "--quiet", "--dump", "rows.dump"]
    scene = ["planar", "scene", "--count", "1", "--radii", "0.2,0.3", "--seed", "5", "--save",
             "one.json"]
    for command in (hit, rows, scene):
        done = subprocess.run([graze, *command], cwd=folder, capture_output=True, text=True)
        if done.returncode > 1:
            sys.exit(f"graze {' '.join(command)}: {done.stderr}")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--driver", required=True, type=Path)
    parser.add_argument("--graze", required=True, type=Path)
    arguments, rest = parser.parse_known_args()
    environment = {name: value for name, value in os.environ.items()
                   if not name.endswith(("_PACKAGE_PATH", "_PREFIX_PATH"))}
    # What a sanitizer stops has a status of its own, 99; the driver asks for leaks itself.
    options = "exitcode=99:detect_leaks=1:leak_check_at_exit=0:allocator_may_return_null=1"
    environment.update(ASAN_OPTIONS=options, UBSAN_OPTIONS="print_stacktrace=1:exitcode=99",
                       TERM="dumb")
    with tempfile.TemporaryDirectory(prefix="graze-faults-") as scratch:
        folder = Path(scratch)
        make_inputs(folder / "in", arguments.graze.resolve())
        (folder / "run").mkdir()
        # A page for graze view, without a script.
        (folder / "in/share/web").mkdir(parents=True)
        (folder / "in/share/web/view.html").write_text("<p>before</p><!--graze-scene--><p>behind</p>")
        environment["GRAZE_SHARE"] = str(folder / "in/share")
        return subprocess.run([arguments.driver.resolve(), folder, *rest],
                              env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
