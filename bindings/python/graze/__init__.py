"""Collision checks of articulated robots on exact triangle meshes.

    import graze
    robot = graze.load("heron.urdf")
    world = graze.World()
    world.add_box("table", (1, 1, 0.1), graze.pose((0.8, 0, 0.4)))
    checker = graze.Checker(robot, world)
    checker.check(robot.rest)                # True where it collides
    checker.check(robot.sample(1000000))     # bool[1000000]

Lengths are metres, angles radians, arrays float64. A configuration q has a number for each of robot.joint_names. What
goes wrong is a graze.Error, never a verdict; what a file has that is doubtful is a Python warning (graze.LoadWarning).
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from graze import _graze
from graze._graze import ArgumentError, Error, NotFoundError, Robot, version

__all__ = ["ArgumentError", "Checker", "Contact", "Error", "Explanation", "Finding", "LoadWarning", "NotFoundError",
           "Pair", "Plan", "Robot", "World", "lint", "load", "pose", "version"]

_COLLADA = {"ros": 0, "spec": 1, "moveit": 2, "auto": 3}
_USE_VISUAL = {"never": 0, "missing": 1, "always": 2}
_POLICY = {"solid": 0, "surface": 1, "cap": 2}
_LEVEL = {"mesh": 0, "bounds": 1}
_KINDS = ("self", "world", "boundary")


class LoadWarning(UserWarning):
    """Something in a file that was repaired or left out: code, message, file, line, element."""

    def __init__(self, code, message, file, line, element):
        place = f"{file}:{line}: " if file and line else f"{file}: " if file else ""
        super().__init__(f"{place}{message} [{code}]")
        self.code, self.message, self.file, self.line, self.element = code, message, file, line or None, element


class Contact(NamedTuple):
    """One colliding pair: what graze_contact says of it. Points are x y z in the world frame."""

    kind: str
    link: str
    other: str
    element: int
    other_element: int
    contained: bool
    triangle: int
    other_triangle: int
    segment: tuple | None
    point: tuple


class Explanation(NamedTuple):
    """What became of one pair: the last stage that it reached, and why it does not count where it is allowed."""

    kind: str
    link: str
    other: str
    stage: str
    collides: bool
    allowed: bool
    reason: str
    margin: float


class Pair(NamedTuple):
    """The two that collide; kind is self, world or boundary."""

    kind: str
    link: str
    other: str


class Plan(NamedTuple):
    """How a plan ended; waypoints is float64[n, columns] where outcome is "found", else None."""

    outcome: str
    waypoints: np.ndarray | None
    contact: Contact | None
    iterations: int
    checked: int
    length: float
    seconds: float
    certified: bool  # each motion of the path is proved free on its whole way


class Finding(NamedTuple):
    """One finding of the linter."""

    rule: str
    name: str
    severity: str
    line: int | None
    file: str
    column: int | None
    element: str
    link: str
    message: str
    suppressed: bool


def _choose(choices, value, what):
    if value not in choices:
        raise ValueError(f"{what} is {value!r}; allowed: {', '.join(choices)}")
    return choices[value]


def _warn(found):
    for entry in found:
        warnings.warn(LoadWarning(*entry), stacklevel=3)


def _packages(packages):
    """A mapping from names to folders, or folders to look in, as (name, folder) pairs and a path."""
    if packages is None:
        return None, None
    if isinstance(packages, Mapping):
        return [(str(name), os.fspath(folder)) for name, folder in packages.items()], None
    if isinstance(packages, (str, os.PathLike)):
        return None, os.fspath(packages)
    return None, os.pathsep.join(os.fspath(folder) for folder in packages)


def load(urdf, srdf=None, packages=None, *, text=None, base_dir=None, collada="ros", use_visual="never"):
    """Loads a robot from a URDF file, or opens a compiled one.

    urdf: a path; with text, what errors call the text. srdf: path of an SRDF. packages: a dict from package names to
    folders, or folders to look in. text: the URDF itself (str), meshes relative to base_dir.
    Raises graze.Error with file, line and element; warns with graze.LoadWarning.

    >>> robot = load("<memory>", text="<robot name='r'><link name='a'/></robot>")
    >>> robot.link_names
    ('a',)
    """
    pairs, path = _packages(packages)
    robot = Robot(os.fspath(urdf), text, os.fspath(base_dir) if base_dir is not None else None,
                  os.fspath(srdf) if srdf is not None else None, pairs, path, _choose(_COLLADA, collada, "collada"),
                  _choose(_USE_VISUAL, use_visual, "use_visual"))
    _warn(robot._warnings)
    return robot


def pose(xyz=(0, 0, 0), rpy=(0, 0, 0)):
    """A rigid transform, float64[4, 4]: a translation, metres, and roll, pitch, yaw about fixed axes, radians.

    >>> pose((1, 2, 3))[:3, 3]
    array([1., 2., 3.])
    """
    (sr, sp, sy), (cr, cp, cy) = np.sin(rpy), np.cos(rpy)
    out = np.eye(4)
    out[:3, :3] = [[cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
                   [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
                   [-sp, cp * sr, cp * cr]]
    out[:3, 3] = xyz
    return out


class World(_graze.World):
    """Objects around a robot. Add them, then make a Checker, which ends the adding.

    >>> world = World()
    >>> world.add_sphere("ball", 0.1, pose((1, 0, 0)))
    >>> world.object_names
    ('ball',)
    """

    def add_file(self, path, packages=None, collada="ros"):
        """Adds what a file holds: a graze world, a URDF, a MoveIt scene, a MotionBenchMaker scene, or a mesh."""
        pairs, where = _packages(packages)
        known = len(self._warnings)
        self._add_file(os.fspath(path), pairs, where, _choose(_COLLADA, collada, "collada"))
        _warn(self._warnings[known:])


class Checker(_graze.Checker):
    """A robot and a world with the rules of a check; immutable, any number of threads may use it.

    policy: "solid", "surface" or "cap". margin: metres, for all pairs. margins: (a, b, metres) or (a, None, metres).
    allowed: pairs of names that may touch. level: "mesh" or "bounds".

    >>> robot = load("<memory>", text="<robot name='r'><link name='a'><collision><geometry><sphere radius='1'/>"
    ...              "</geometry></collision></link></robot>")
    >>> world = World()
    >>> world.add_box("box", (1, 1, 1), pose((1.4, 0, 0)))
    >>> Checker(robot, world).check([])
    True
    >>> Checker(robot, world).first_pair([])
    Pair(kind='world', link='a', other='box')
    """

    def __new__(cls, robot, world=None, *, policy="solid", level="mesh", no_self=False, ignore_srdf=False,
                margin=None, margins: Iterable[tuple] = (), allowed: Iterable[tuple] = (), domain=None):
        if world is not None:
            world.commit()
        more = {} if domain is None else {"domain": domain}
        return super().__new__(cls, robot, world, _choose(_POLICY, policy, "policy"), _choose(_LEVEL, level, "level"),
                               no_self, ignore_srdf, float("nan") if margin is None else margin,
                               [tuple(pair) for pair in allowed], [tuple(entry) for entry in margins], **more)

    def __init__(self, *arguments, **named):
        super().__init__()

    def columns(self, joints: Sequence) -> np.ndarray:
        """Columns of q of joints: names as in robot.joint_names, or column numbers; int32[n]."""
        places = {name: i for i, name in enumerate(self.robot.joint_names)}
        out = []
        for joint in joints:
            column = places.get(joint, -1) if isinstance(joint, str) else int(joint)
            if not 0 <= column < len(places):
                raise ArgumentError(f"no joint {joint!r}; allowed: {', '.join(places)}")
            out.append(column)
        return np.array(out, dtype=np.int32)

    def _whole(self, q, joints):
        """Whole configurations out of some columns, the others at rest."""
        columns, part = self.columns(joints), np.asarray(q, dtype=np.float64)
        if part.ndim not in (1, 2) or part.shape[-1] != len(columns):
            raise ValueError(f"q has the shape {list(part.shape)}; allowed: [{len(columns)}] or [N, {len(columns)}]")
        out = np.array(np.broadcast_to(self.robot.rest, (*part.shape[:-1], len(self.robot.joint_names))))
        out[..., columns] = part
        return out

    def first_pairs(self, q, joints=None, base=None, threads=1):
        """Kind (0 self, 1 world, 2 boundary), link and other of the lowest pair of each row, -1 where it is free.

        int32[N, 3], by index (robot.link_names, world.object_names).
        """
        return self._first_pairs(q, joints, base, threads)

    def first_pair(self, q, joints=None, base=None):
        """The lowest pair in check order that collides in a configuration, or None where it is free."""
        kind, link, other = self._first_pairs(q, joints, base)[0]
        if kind < 0:
            return None
        links = self.robot.link_names
        name = links[other] if kind == 0 else self.world.object_names[other] if kind == 1 else "boundary"
        return Pair(_KINDS[kind], links[link], name)

    def contacts(self, q, joints=None, base=None):
        """All colliding pairs of a configuration, each with its lowest triangles: a list of Contact."""
        return [Contact(*entry) for entry in self._contacts(q, joints, base)]

    def explain(self, q, joints=None, base=None):
        """What became of every pair, allowed ones too: a list of Explanation."""
        return [Explanation(*entry) for entry in self._explain(q, joints, base)]

    def plan(self, start, goal, joints=None, *, seed=1, seconds=10.0, resolution=0.05, step=1.0, threads=1):
        """Plans a path with RRT-Connect and proves it free; the same seed gives the same path. "No path" is never claimed as proved."""
        columns = None if joints is None else self.columns(joints)
        outcome, path, contact, *rest = self._plan(start, goal, columns, seed, seconds, resolution, step, threads)
        return Plan(outcome, path, None if contact is None else Contact(*contact), *rest)


def lint(urdf, srdf=None, packages=None):
    """Runs the linter on a URDF file: a list of Finding, sorted by file, line, column and rule."""
    pairs, path = _packages(packages)
    found = _graze.lint(os.fspath(urdf), os.fspath(srdf) if srdf is not None else None, pairs, path)
    return [Finding(rule, name, severity, line or None, file, column or None, *rest)
            for rule, name, severity, line, file, column, *rest in found]
