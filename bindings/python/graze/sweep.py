"""Sweeps: `graze sweep` run, and what it wrote read with numpy alone.

    graze.sweep.run(["cell.graze", "--count", 10 ** 6, "--distances", "--with-q", "-o", "training.zarr"])
    for shard in graze.sweep.shards("training.zarr"):
        shard["q"], shard["collision"], shard["distance"]      # float64[n, columns], bool[n], float64[n, 2]

zarr and xarray read the folder, too (docs/sweep.md). There a chunk that is missing reads as its fill value; here it is left out.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

__all__ = ["Reachability", "manifest", "reachability", "run", "shards"]

_TYPES = ("|b1", "|u1", "<i2", "<u4", "<f8")


class Reachability(NamedTuple):
    """How many configurations put the origin of a frame of `link` into each voxel. low: float64[3], the lower corner of voxel
    0 0 0, and voxel: its edge, metres, world frame. reached: uint64[x, y, z], or with [..., 6 n n] directions; free: of these,
    those without a collision. outside: uint64[2], both, of configurations outside the voxels. missing: shards not yet counted.
    A count of 0 means that no configuration of the sweep came there, not that none can."""

    link: str
    low: np.ndarray
    voxel: float
    reached: np.ndarray
    free: np.ndarray
    outside: np.ndarray
    missing: int


class _Array:
    """An array of the folder, by its chunks."""

    def __init__(self, folder: Path, name: str):
        self.folder = folder / name
        path = self.folder / ".zarray"
        with open(path, encoding="utf-8") as file:
            head: dict[str, Any] = json.load(file)
        if not isinstance(head, dict):
            head = {}
        packed = head.get("filters") == [{"id": "packbits"}]
        known = head.get("zarr_format") == 2 and head.get("compressor", 0) is None and head.get("order") == "C" and \
            head.get("dtype") in _TYPES and (packed or head.get("filters", 0) is None)
        axes = head.get("shape"), head.get("chunks")
        if not known or not all(isinstance(a, list) and a and all(isinstance(n, int) and n > 0 for n in a) for a in axes) \
                or len(head["shape"]) != len(head["chunks"]):
            raise ValueError(f"{path} is not of an array that graze sweep writes")
        self.shape, self.chunks = tuple(head["shape"]), tuple(head["chunks"])
        self.dtype, self.packed = np.dtype(str(head["dtype"])), packed

    def numbers(self, front: tuple[int, ...]) -> set[int]:
        """The chunks that have a file, behind these indices."""
        names = (name.split(".") for name in os.listdir(self.folder) if name.replace(".", "").isdecimal())
        first = [str(i) for i in front]
        return {int(n[len(first)]) for n in names if len(n) == len(self.shape) and n[:len(first)] == first and all(n)}

    def chunk(self, place: tuple[int, ...]) -> np.ndarray | None:
        """A chunk, cut where the array ends; None where it is not there."""
        count = int(np.prod(self.chunks, dtype=object))
        try:
            data = (self.folder / ".".join(map(str, place))).read_bytes()
        except FileNotFoundError:
            return None
        if len(data) != (1 + (count + 7) // 8 if self.packed else count * self.dtype.itemsize):
            return None  # what a power failure left
        values = np.unpackbits(np.frombuffer(data, np.uint8, offset=1))[:count].astype(bool) if self.packed else \
            np.frombuffer(data, self.dtype)
        rest = (min(c, s - i * c) for i, c, s in zip(place, self.chunks, self.shape))
        return values.reshape(self.chunks)[tuple(slice(0, n) for n in rest)]


def run(arguments: Sequence, *, command: str = "graze") -> None:
    """Runs `graze sweep` with these words, as in a shell; numbers and paths may be among them. Raises RuntimeError with what
    the command said. Ctrl-C ends it; what is written stays, and the same call goes on from there."""
    words = [os.fspath(word) if isinstance(word, os.PathLike) else str(word) for word in arguments]
    done = subprocess.run([command, "sweep", *words], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"graze sweep ended with {done.returncode}: {done.stderr.strip()[-2000:]}")


def manifest(folder: str | os.PathLike) -> dict[str, Any]:
    """What the folder is of: robot, rules, configurations, answers, and the names that pairs count through. Raises ValueError
    where it is no sweep."""
    path = Path(folder) / ".zattrs"
    with open(path, encoding="utf-8") as file:
        found = json.load(file)
    if not isinstance(found, dict) or found.get("format") != "graze-sweep-1" or not isinstance(found.get("answers"), list):
        raise ValueError(f"{path} is no manifest of a sweep")
    return found


def shards(folder: str | os.PathLike, answers: Sequence[str] | None = None, *, world: int = 0) -> Iterator[dict[str, np.ndarray]]:
    """The shards that are there, in order: for each a dict from answers to arrays, read-only. answers: those to be read
    ("q", "collision", "distance", "pair", "nearest", "edge", "motion"; default: all that the sweep has). world: of a sweep
    of several, by index. A shard is left out where one of its chunks is missing. Raises ValueError for what is no sweep."""
    folder, found = Path(folder), manifest(folder)
    several = "worlds" in found
    arrays = {name: _Array(folder, name) for name in (found["answers"] if answers is None else answers)}
    if several and not 0 <= world < len(found["worlds"]):
        raise ValueError(f"world is {world}; allowed: 0 to {len(found['worlds']) - 1}")
    fronts = {name: (world,) if several and name != "q" else () for name in arrays}
    for k in sorted(set().union(*(array.numbers(fronts[name]) for name, array in arrays.items()))):
        shard: dict[str, np.ndarray] | None = {}
        for name, array in arrays.items():
            front = fronts[name]
            if shard is None or k * array.chunks[len(front)] >= array.shape[len(front)]:
                continue
            values = array.chunk((*front, k, *(0,) * (len(array.shape) - len(front) - 1)))
            if values is None:
                shard = None
            else:
                shard[name] = values[0] if front else values
        if shard:
            yield shard


def reachability(folder: str | os.PathLike, *, world: int = 0) -> Reachability:
    """Adds up the counts of all shards of a sweep with --reachability: sums of integers, so that their order does not count."""
    found = manifest(folder)
    said = found.get("reachability")
    if not isinstance(said, dict):
        raise ValueError(f"{os.fspath(folder)} has no reachability map; allowed: a sweep with --reachability")
    head, several = _Array(Path(folder), "reached"), "worlds" in found
    size = head.shape[1 + several:]
    reached, free, outside = np.zeros(size, np.uint64), np.zeros(size, np.uint64), np.zeros(2, np.uint64)
    there = 0
    for shard in shards(folder, ("reached", "reached_free", "outside"), world=world):
        reached += shard["reached"][0]
        free += shard["reached_free"][0]
        outside += shard["outside"][0]
        there += 1
    return Reachability(said["link"], np.array(said["low"]), float(said["voxel"]), reached, free, outside,
                        head.shape[several] - there)
