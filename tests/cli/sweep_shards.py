#!/usr/bin/env python3
"""`graze sweep`: what its shards hold, and that a shard depends on its number alone.

    tests/cli/sweep_shards.py --graze build/graze

The chunks are decoded here, bit by bit, and compared with `graze check`; sweeps that are killed, cut
into shares, or run out of space give the bytes of one that is not disturbed. Debian's zarr and xarray
read what was written, where they are installed.
"""

import argparse
import json
import math
import os
import random
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
DATA = HERE / "data"
GANTRY = [str(DATA / "gantry.urdf"), "--world", str(DATA / "room.json")]
HERON = [str(ROOT / "urdf/heron.urdf"), "--srdf", str(ROOT / "urdf/heron.srdf"),
         "--world", str(ROOT / "worlds/shelf.json"), "--pairs", "--count", "120000", "--chunk", "8192"]
GRAZE = ""
ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.startswith(("SLURM_", "OMPI_", "PMI_"))}


def graze(*arguments, status=0, text=True, **keywords):
    keywords.setdefault("env", ENVIRONMENT)
    done = subprocess.run([GRAZE, *map(str, arguments)], capture_output=True, text=text, **keywords)
    assert done.returncode == status, f"{arguments}: {done.returncode}, not {status}: {done.stderr}"
    return done


def sweep(folder, *arguments, status=0, **keywords):
    return graze("sweep", *arguments, "-o", folder, status=status, **keywords).stderr


def tree(folder):
    """Every file below a folder, unfinished ones too, with its bytes."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in Path(folder).rglob("*") if p.is_file()}


def metadata(folder, array):
    return json.loads((folder / array / ".zarray").read_text())


def bits(folder):
    """The verdicts of a sweep whose shards are all there."""
    found, head = [], metadata(folder, "collision")
    size, chunk = head["shape"][0], head["chunks"][0]
    for i in range(-(-size // chunk)):
        data = (folder / "collision" / str(i)).read_bytes()
        assert data[0] == -chunk % 8 and len(data) == 1 + -(-chunk // 8), "a chunk is cut"
        values = [byte >> (7 - bit) & 1 for byte in data[1:] for bit in range(8)][:chunk]
        found += values
    return found[:size]


def items(folder, array, code, width, world=None):
    found, head = [], metadata(folder, array)
    axis = world is not None
    size, chunk = head["shape"][axis], head["chunks"][axis]
    for i in range(-(-size // chunk)):
        data = (folder / array / (f"{world}." * axis + f"{i}" + ".0" * (width > 1))).read_bytes()
        values = struct.unpack(f"<{chunk * width}{code}", data)
        found += [values[k:k + width] for k in range(0, len(values), width)]
    return found[:size]


def write_rows(path, rows):
    path.write_text("travel,lift,base_yaw\n" + "".join(f"{a!r},{b!r},{c!r}\n" for a, b, c in rows))


def test_rows_of_a_file_have_the_verdicts_of_check(scratch):
    source = random.Random(5)
    rows = [(source.uniform(0, 2), source.uniform(-0.4, 0.4), source.uniform(-3, 3)) for _ in range(997)]
    write_rows(scratch / "q.csv", rows)
    sweep(scratch / "file.zarr", *GANTRY, "--configs", scratch / "q.csv", "--chunk", "100", "--pairs")
    graze("check", *GANTRY, "--configs", scratch / "q.csv", "--format", "npy", "-o", scratch / "v.npy",
          status=1)
    wanted = list((scratch / "v.npy").read_bytes()[-997:])
    found = bits(scratch / "file.zarr")
    assert found == wanted and 0 < sum(found) < 997, (sum(found), sum(wanted))
    names = json.loads((scratch / "file.zarr/.zattrs").read_text())["names"]
    out = graze("check", *GANTRY, "--configs", scratch / "q.csv", "--format", "jsonl", status=1).stdout
    for line, pair in zip(out.splitlines(), items(scratch / "file.zarr", "pair", "h", 2), strict=True):
        row = json.loads(line)
        told = (row["link"], row["other"]) if row["collision"] else None
        assert told == (None if pair == (-1, -1) else (names[pair[0]], names[pair[1]])), (line, pair)
    # Motions, also those from one shard to the next, as `graze motion` has them.
    write_rows(scratch / "few.csv", rows[:23])
    sweep(scratch / "way.zarr", *GANTRY, "--configs", scratch / "few.csv", "--chunk", "11", "--motion")
    ways = [w[0] for w in items(scratch / "way.zarr", "motion", "B", 1)]
    assert len(ways) == 22 and not (scratch / "way.zarr/motion/2").exists()
    for i, way in enumerate(ways):
        write_rows(scratch / "two.csv", rows[i:i + 2])
        done = subprocess.run([GRAZE, "motion", *GANTRY, "--path", str(scratch / "two.csv"), "--any"],
                              capture_output=True, text=True)
        word = done.stdout.split()[1 if done.returncode else 0]
        assert word == ["free", "collision", "undecided"][way], (i, way, done.stdout)


def test_a_grid_is_the_file_of_its_points(scratch):
    points = [(2 * i / 20, -0.4 + 0.8 * k / 30, 0.25) for i in range(21) for k in range(31)]
    points = [(min(a, 2.0), 0.4 if k % 31 == 30 else b, c) for k, (a, b, c) in enumerate(points)]
    write_rows(scratch / "grid.csv", points)
    common = [*GANTRY, "--chunk", "64"]
    sweep(scratch / "a.zarr", *common, "--grid", "travel=0:2:21", "--grid", "lift=-0.4:0.4:31",
          "--base", "0,0,0,0,0,0.25")
    sweep(scratch / "b.zarr", *common, "--configs", scratch / "grid.csv")
    assert bits(scratch / "a.zarr") == bits(scratch / "b.zarr")
    assert 0 < sum(bits(scratch / "a.zarr")) < len(points)


def test_shards_threads_and_shares_change_no_answer(scratch):
    count = ["--count", "30011", "--seed", "7"]
    sweep(scratch / "whole.zarr", *GANTRY, *count)
    wanted = bits(scratch / "whole.zarr")
    assert 0 < sum(wanted) < len(wanted)
    sweep(scratch / "other.zarr", *GANTRY, "--count", "30011", "--seed", "8")
    assert bits(scratch / "other.zarr") != wanted
    cut = [*GANTRY, *count, "--chunk", "1001"]
    sweep(scratch / "one.zarr", *cut, "--threads", "2")
    assert bits(scratch / "one.zarr") == wanted
    for i in (2, 0, 1):
        told = sweep(scratch / "three.zarr", *cut, "--shard", f"{i}/3")
    assert "0 of 30 shards missing" in told, told
    assert tree(scratch / "one.zarr") == tree(scratch / "three.zarr")
    for i in range(4):
        slurm = {"SLURM_ARRAY_TASK_ID": str(5 + 2 * i), "SLURM_ARRAY_TASK_MIN": "5",
                 "SLURM_ARRAY_TASK_MAX": "11", "SLURM_ARRAY_TASK_STEP": "2", "SLURM_ARRAY_TASK_COUNT": "4"}
        told = sweep(scratch / "slurm.zarr", *cut, env=ENVIRONMENT | slurm)
        assert (i == 3) == ("0 of 30" in told), told
        mpi = {"OMPI_COMM_WORLD_RANK": str(i), "OMPI_COMM_WORLD_SIZE": "4"}
        sweep(scratch / "mpi.zarr", *cut, env=ENVIRONMENT | mpi)
        sweep(scratch / "mpich.zarr", *cut, env=ENVIRONMENT | {"PMI_RANK": str(i), "PMI_SIZE": "4"})
        shards = len(list((scratch / "mpich.zarr/collision").glob("[0-9]*")))
        assert shards == len(range(0, 30, 4)) + sum(len(range(k, 30, 4)) for k in range(1, i + 1)), (i, shards)
    assert tree(scratch / "one.zarr") == tree(scratch / "slurm.zarr") == tree(scratch / "mpi.zarr")
    assert tree(scratch / "one.zarr") == tree(scratch / "mpich.zarr")
    uneven = slurm | {"SLURM_ARRAY_TASK_COUNT": "3"}
    assert "MIN-MAX:STEP" in sweep(scratch / "no.zarr", *cut, env=ENVIRONMENT | uneven, status=2)
    # The batch script is run by a shell, as Slurm does.
    odd = scratch / "it's a $place"
    odd.mkdir()
    script = graze("sweep", *cut, "-o", odd / "s.zarr", "--slurm", "3").stdout
    assert "#SBATCH --array=0-2\n" in script and "#SBATCH --requeue\n" in script, script
    for i in range(3):
        subprocess.run(["sh", "-s"], input=script, text=True, check=True, stderr=subprocess.DEVNULL,
                       env=ENVIRONMENT | {"SLURM_ARRAY_TASK_ID": str(i)})
    assert tree(scratch / "one.zarr") == tree(odd / "s.zarr")


def npy(path, code, rows):
    """Writes rows of as many numbers as an NPY file."""
    width = len(rows[0])
    head = f"{{'descr': '<{code[1:]}', 'fortran_order': False, 'shape': ({len(rows)}, {width}), }}".ljust(117) + "\n"
    path.write_bytes(b"\x93NUMPY\1\0" + struct.pack("<H", len(head)) + head.encode() +
                     struct.pack(f"<{len(rows) * width}{code[0]}", *(x for row in rows for x in row)))


def test_rows_and_distances_are_those_of_the_commands(scratch):
    sweep(scratch / "d.zarr", *GANTRY, "--count", "1501", "--chunk", "400", "--pairs", "--distances", "--with-q")
    attributes = json.loads((scratch / "d.zarr/.zattrs").read_text())
    assert attributes["columns"] == ["travel", "lift", "turn"], attributes
    rows = items(scratch / "d.zarr", "q", "d", 3)
    npy(scratch / "q.npy", "df8", rows)
    sweep(scratch / "again.zarr", *GANTRY, "--configs", scratch / "q.npy", "--chunk", "400")
    assert bits(scratch / "d.zarr") == bits(scratch / "again.zarr") and 0 < sum(bits(scratch / "d.zarr")) < 1501
    told = graze("distance", *GANTRY, "--configs", scratch / "q.npy", "--format", "jsonl").stdout.splitlines()
    found = zip(told, items(scratch / "d.zarr", "distance", "d", 2), items(scratch / "d.zarr", "nearest", "h", 2),
                bits(scratch / "d.zarr"), strict=True)
    for line, bounds, pair, collides in found:
        row = json.loads(line)
        assert bounds == (row["lower"], row["upper"]), (bounds, line)
        assert [attributes["names"][side] for side in pair] == [row["pairs"][0]["link"], row["pairs"][0]["other"]]
        assert not collides or bounds[0] == 0 or pair == (-1, -1) or bounds[0] < 1e-3, (collides, bounds)
    # With columns of the base, they are in front.
    write_rows(scratch / "b.csv", [(0.5, 0.1, 0.25), (0.25, 0, -1)])
    sweep(scratch / "b.zarr", *GANTRY, "--configs", scratch / "b.csv", "--with-q")
    assert items(scratch / "b.zarr", "q", "d", 9) == [(0, 0, 0, 0, 0, 0.25, 0.5, 0.1, 0), (0, 0, 0, 0, 0, -1, 0.25, 0, 0)]
    assert json.loads((scratch / "b.zarr/.zattrs").read_text())["columns"][5:] == ["base_yaw", "travel", "lift", "turn"]


def jaw_cell(q, low, size, voxel, n):
    """The cell of the jaw's x axis and origin, by hand; None: outside."""
    travel, lift, turn = q
    out = 0.5 + 0.5 * lift
    x = (math.cos(turn), math.sin(turn), 0)
    place = [travel + out * x[0], out * x[1], 0.5 + lift]
    cell = 0
    for at, first, count in zip(place, low, size, strict=True):
        k = math.floor((at - first) / voxel)
        if not 0 <= k < count:
            return None
        cell = cell * count + k
    axis = 0 if abs(x[0]) > abs(x[1]) else 1
    u = [math.floor(n * (1 + v / abs(x[axis])) / 2) for k, v in enumerate(x) if k != axis]
    return ((cell * 6 + 2 * axis + (x[axis] < 0)) * n + min(u[0], n - 1)) * n + u[1]


def test_a_reachability_map_counts_configurations(scratch):
    voxel, n, count = 0.25, 3, 6000
    cut = [*GANTRY, "--count", str(count), "--chunk", "1000", "--with-q", "--reachability", "jaw", "--voxel", str(voxel)]
    turned = ["--frame", "0,0,0,0,1.5707963267948966,0", "--directions", str(n)]
    box = ["--box", "-4,-1,-2,3,1,2"]
    for more in ([], box):
        folder = scratch / f"r{len(more)}.zarr"
        sweep(folder, *cut, *turned, *more, "--threads", "2")
        said = json.loads((folder / ".zattrs").read_text())["reachability"]
        size = said["size"]
        cells = size[0] * size[1] * size[2] * 6 * n * n
        assert metadata(folder, "reached")["shape"] == [6, *size, 6 * n * n]
        wanted = [[0] * cells, [0] * cells]
        outside = [0, 0]
        for q, collides in zip(items(folder, "q", "d", 3), bits(folder), strict=True):
            cell = jaw_cell(q, said["low"], size, voxel, n)
            for of in range(2 - collides):
                if cell is None:
                    outside[of] += 1
                else:
                    wanted[of][cell] += 1
        for of, array in enumerate(("reached", "reached_free")):
            found = [0] * cells
            for shard in range(6):
                values = struct.unpack(f"<{cells}I", (folder / array / f"{shard}.0.0.0.0").read_bytes())
                found = [a + b for a, b in zip(found, values)]
            # What rounds to another cell, as this is computed in another order.
            assert sum(a != b for a, b in zip(found, wanted[of])) <= 4, (array, sum(found), sum(wanted[of]))
            assert sum(found) > 1000 and sum(x > 0 for x in found) > 50
        told = [sum(struct.unpack("<2I", (folder / f"outside/{k}.0").read_bytes())[of] for k in range(6)) for of in (0, 1)]
        assert abs(told[0] - outside[0]) <= 2 and (told[0] > 100) == bool(more), (told, outside)
    sweep(scratch / "one.zarr", *cut, *turned, *box)
    assert tree(scratch / "one.zarr") == tree(folder)
    told = sweep(scratch / "no.zarr", *GANTRY, "--count", "10", "--reachability", "jaww", status=2)
    assert "the robot has no link 'jaww'" in told, told
    for wrong in (["--box", "0,0,0,1,1"], ["--box", "0,0,0,1,1,0"], ["--box", "nan,0,0,1,1,1"], ["--box", "0,0,0,inf,1,1"]):
        assert "--box is" in sweep(scratch / "no.zarr", *cut, *wrong, status=2), wrong
    assert "the map has" in sweep(scratch / "no.zarr", *GANTRY, "--count", "10", "--reachability", "jaw",
                                  "--voxel", "1e-7", status=2)


def roadmap(scratch, nodes=61, edges=403):
    source = random.Random(3)
    rows = [(source.uniform(-2, 2), source.uniform(-0.4, 0.4), source.uniform(-3, 3)) for _ in range(nodes)]
    ends = [(source.randrange(nodes), source.randrange(nodes)) for _ in range(edges)]
    npy(scratch / "nodes.npy", "df8", rows)
    npy(scratch / "edges.npy", "qi8", ends)
    (scratch / "pole.json").write_text('{"format": "graze-world-1", "objects": [{"name": "pole", "shape": "sphere", '
                                       '"radius": 0.4, "position": [1, 0, 1]}]}')
    return rows, ends, ["--configs", scratch / "nodes.npy", "--edges", scratch / "edges.npy", "--chunk", "100"]


def test_edges_of_a_roadmap_in_several_worlds(scratch):
    rows, ends, cut = roadmap(scratch)
    robot, worlds = [str(DATA / "gantry.urdf")], [str(DATA / "room.json"), str(scratch / "pole.json")]
    many = [word for world in worlds for word in ("--worlds", world)]
    told = sweep(scratch / "one.zarr", *robot, *cut, *many, "--pairs", "--with-q")
    assert "928 configurations and edges checked; 0 of 10 shards missing" in told, told
    said = json.loads((scratch / "one.zarr/.zattrs").read_text())
    assert [w["name"] for w in said["worlds"]] == ["world", "world"] and said["worlds"][1]["names"][-2:] == ["pole", "boundary"]
    for w, world in enumerate(worlds):
        alone = scratch / f"alone{w}.zarr"
        sweep(alone, *robot, *cut, "--world", world, "--pairs")
        found = [v[0] for v in items(scratch / "one.zarr", "edge", "B", 1, w)]
        assert found == [v[0] for v in items(alone, "edge", "B", 1)]
        assert items(scratch / "one.zarr", "pair", "h", 2, w) == items(alone, "pair", "h", 2)
        assert (scratch / f"one.zarr/collision/{w}.0").read_bytes() == (alone / "collision/0").read_bytes()
        assert len(set(found)) > 1 and 255 not in found, set(found)
        for i in range(0, len(ends), 37):
            write_rows(scratch / "two.csv", [(*rows[k][:2], 0) for k in ends[i]])
            npy(scratch / "two.npy", "df8", [rows[k] for k in ends[i]])
            done = subprocess.run([GRAZE, "motion", *robot, "--world", world, "--path", str(scratch / "two.npy"), "--any"],
                                  capture_output=True, text=True)
            word = done.stdout.split()[1 if done.returncode else 0]
            assert word == ["free", "collision", "undecided"][found[i]], (i, found[i], done.stdout, done.stderr)
    assert items(scratch / "one.zarr", "edge", "B", 1, 0) != items(scratch / "one.zarr", "edge", "B", 1, 1)
    for i in (1, 0, 2):
        sweep(scratch / "three.zarr", *robot, *cut, *many, "--pairs", "--with-q", "--shard", f"{i}/3", "--threads", "2")
    assert tree(scratch / "one.zarr") == tree(scratch / "three.zarr")
    (scratch / "three.zarr/edge/1.2").unlink()
    assert "100 configurations and edges checked" in sweep(scratch / "three.zarr", *robot, *cut, *many, "--pairs", "--with-q")
    assert tree(scratch / "one.zarr") == tree(scratch / "three.zarr")
    npy(scratch / "edges.npy", "qi8", [(a, b) for b, a in ends])
    told = sweep(scratch / "one.zarr", *robot, *cut, *many, "--pairs", "--with-q", status=3)
    assert "belongs to another sweep" in told, told


def test_edges_that_are_none_are_refused(scratch):
    rows, ends, cut = roadmap(scratch)
    path = scratch / "edges.npy"
    good = path.read_bytes()
    for code, bad, told in (("qi8", [(0, 61)], "edge 0 has the end of no configuration; allowed: 0 to 60"),
                            ("qi8", [(0, 1), (-1, 2)], "edge 1 has the end of no"), ("ii4", [(0, -1)], "edge 0 has"),
                            ("qi8", [(0, 1, 2)], "the shape [edges, 2]"), ("df8", [(0, 1)], "numbers of type '<f8'"),
                            ("hi2", [(0, 1)], "numbers of type '<i2'"), ("qu8", [(2**62, 1)], "edge 0 has")):
        npy(path, code, bad)
        said = sweep(scratch / "no.zarr", *GANTRY, *cut, status=3)
        assert told in said, (bad, said)
    head = good[:128]
    for text in (b"", b"x", good[:-1], good + b"\0", good[:100], head.replace(b"403, 2", b"0, 2  "),
                 head.replace(b"403, 2", b"9223372036854775807, 2").replace(b" " * 19 + b"\n", b"\n"),
                 good.replace(b"(403, 2)", b"(806,)  "), good.replace(b"False", b"True ")):
        path.write_bytes(text)
        sweep(scratch / "no.zarr", *GANTRY, *cut, status=3)
    path.unlink()
    assert "cannot be opened" in sweep(scratch / "no.zarr", *GANTRY, *cut, status=3)
    assert not (scratch / "no.zarr").exists()


def test_killed_at_random_and_resumed_gives_the_same_bytes(scratch):
    sweep(scratch / "calm.zarr", *HERON)
    source = random.Random()
    killed = 0
    for _ in range(10):
        run = subprocess.Popen([GRAZE, "sweep", *HERON, "-o", str(scratch / "killed.zarr")],
                               stderr=subprocess.DEVNULL, env=ENVIRONMENT)
        time.sleep(source.uniform(0, 0.15))
        run.send_signal(signal.SIGKILL)
        killed += run.wait() == -signal.SIGKILL
    assert killed > 0, "every run had ended before it was killed"
    assert "0 of 15 shards missing" in sweep(scratch / "killed.zarr", *HERON)
    assert tree(scratch / "calm.zarr") == tree(scratch / "killed.zarr"), f"after {killed} kills"
    # What a power failure leaves is computed again.
    (scratch / "killed.zarr/collision/3").write_bytes(b"")
    (scratch / "killed.zarr/pair/4.0").unlink()
    assert "16384 configurations checked" in sweep(scratch / "killed.zarr", *HERON)
    assert tree(scratch / "calm.zarr") == tree(scratch / "killed.zarr")


def test_a_full_disk_is_an_error_and_loses_nothing(scratch):
    def limit():
        os.environ["LLVM_PROFILE_FILE"] = "/dev/null"  # of a build for line coverage, not under the limit
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    cut = [*GANTRY, "--count", "100000", "--chunk", "50000"]
    told = sweep(scratch / "full.zarr", *cut, status=3, preexec_fn=limit)
    assert "write failed" in told and "File too large" in told, told
    assert sorted(p.name for p in (scratch / "full.zarr/collision").iterdir()) == [".zarray", ".zattrs"]
    sweep(scratch / "full.zarr", *cut)
    sweep(scratch / "free.zarr", *cut)
    assert tree(scratch / "full.zarr") == tree(scratch / "free.zarr")


def test_what_belongs_to_another_sweep_is_refused(scratch):
    folder = scratch / "mine.zarr"
    cut = [*GANTRY, "--count", "500", "--chunk", "100"]
    sweep(folder, *cut)
    mine = tree(folder)
    rack = scratch / "rack.json"
    rack.write_text('{"format": "graze-world-1", "objects": [{"name": "pole", "shape": "sphere", "radius": 0.1, "position": [5, 5, 1]}]}')
    for others in (["--seed", "2"], ["--margin", "0.01"], ["--pairs"], ["--no-self"],
                   ["--allow", "jaw,post"], ["--rest", "lift=0.1"], ["--world", str(rack)]):
        told = sweep(folder, *cut, *others, status=3)
        assert "belongs to another sweep" in told, (others, told)
        assert tree(folder) == mine, others
    for name in (".zattrs", ".zgroup", "collision/.zarray", "collision/.zattrs"):
        for change in (b"", b"{}\n", mine[name][:-1], mine[name] + b"\0", mine[name].replace(b"1", b"3") + b" "):
            (folder / name).write_bytes(change)
            assert "belongs to another sweep" in sweep(folder, *cut, status=3), (name, change)
        (folder / name).write_bytes(mine[name])
    assert "0 configurations checked" in sweep(folder, *cut)
    (scratch / "else").mkdir()
    (scratch / "else/thesis.txt").write_text("x")
    assert "no manifest of a sweep" in sweep(scratch / "else", *cut, status=3)
    assert "cannot be made" in sweep(scratch / "none/there.zarr", *cut, status=3)
    assert sweep(scratch / "else/thesis.txt", *cut, status=3)
    assert list((scratch / "else").iterdir()) == [scratch / "else/thesis.txt"]


def test_a_row_without_a_verdict_is_never_written(scratch):
    write_rows(scratch / "bad.csv", [(0.1, 0, 0)] * 30 + [(1e300, 0, 0)] + [(0.1, 0, 0)] * 30)
    told = sweep(scratch / "bad.zarr", *GANTRY, "--configs", scratch / "bad.csv", "--chunk", "10",
                 status=3)
    assert "configuration 30 has no verdict: value of 'travel' is 1e+300" in told, told
    assert (scratch / "bad.zarr/collision/2").exists()
    assert not (scratch / "bad.zarr/collision/3").exists()


READ = """
import sys, zarr, xarray, numpy
group = zarr.open_group(sys.argv[1], mode="r")
wanted = numpy.array([int(c) for c in sys.stdin.read()], bool)
collision = group["collision"]
assert collision.nchunks == 15 and collision.nchunks_initialized == 14, collision.info
read = collision[:]
assert (read == wanted).all(), "zarr reads other verdicts"
data = xarray.open_zarr(sys.argv[1], consolidated=False, mask_and_scale=False)
assert data["collision"].dims == ("configuration",) and (data["collision"].values == wanted).all()
pair = data["pair"]
assert pair.dims == ("configuration", "side") and pair.dtype == numpy.int16
there = numpy.delete(numpy.arange(wanted.size), range(5 * 8192, 6 * 8192))
assert ((pair.values[there, 0] == -1) == ~wanted[there]).all()
assert data.attrs["names"][pair.values[0:8192].max()]
more = xarray.open_zarr(sys.argv[2], consolidated=False, mask_and_scale=False)
assert more["reached"].dims == ("world", "shard", "x", "y", "z", "direction") and more["edge"].dims == ("world", "edge_number")
assert more["q"].dims == ("configuration", "column") and more["distance"].dims == ("world", "configuration", "bound")
assert more["nearest"].dims == ("world", "configuration", "side") and (more["edge"].values[1, 100:200] == 255).all()
assert (more["edge"].values[0] < 3).all() and not numpy.isnan(more["q"].values).any()
assert (more["reached"].sum(axis=(1, 2, 3, 4, 5)) + more["outside"].values[:, :, 0].sum(axis=1) == more["q"].shape[0]).all()
free = more["reached_free"].sum(axis=(1, 2, 3, 4, 5)) + more["outside"].values[:, :, 1].sum(axis=1)
assert (free == (~more["collision"]).sum(axis=1)).all()
"""


def test_zarr_and_xarray_read_it(scratch):
    python = "/usr/bin/python3"
    asked = subprocess.run([python, "-c", "import zarr, xarray"], capture_output=True)
    if asked.returncode != 0:
        print("python3-zarr or python3-xarray is not there: not read back")
        return
    sweep(scratch / "read.zarr", *HERON)
    values = bits(scratch / "read.zarr")
    # A shard that is missing is read as one that collides, never as free.
    (scratch / "read.zarr/collision/5").unlink()
    values[5 * 8192:6 * 8192] = [1] * 8192
    _, _, cut = roadmap(scratch)
    sweep(scratch / "more.zarr", str(DATA / "gantry.urdf"), *cut, "--worlds", DATA / "room.json", "--worlds", scratch / "pole.json",
          "--distances", "--with-q", "--reachability", "jaw", "--directions", "2", "--voxel", "0.5")
    (scratch / "more.zarr/edge/1.1").unlink()
    done = subprocess.run([python, "-c", READ, str(scratch / "read.zarr"), str(scratch / "more.zarr")], capture_output=True, text=True,
                          input="".join(map(str, values)))
    assert done.returncode == 0, done.stderr


def main():
    global GRAZE
    parser = argparse.ArgumentParser()
    parser.add_argument("--graze", required=True)
    GRAZE = str(Path(parser.parse_args().graze).resolve())
    tests = [(n, f) for n, f in globals().items() if n.startswith("test_")]
    for name, test in tests:
        with tempfile.TemporaryDirectory() as folder:
            test(Path(folder))
    print(f"{len(tests)} tests of sweeps")
    return 0


if __name__ == "__main__":
    sys.exit(main())
