"""Collision checks of articulated robots on exact triangle meshes.

    import graze
    robot = graze.load("heron.urdf")
    world = graze.World()
    world.add_box("table", (1, 1, 0.1), graze.pose((0.8, 0, 0.4)))
    checker = graze.Checker(robot, world)
    checker.check(robot.rest)                # True where it collides
    checker.check(robot.sample(1000000))     # bool[1000000]

Lengths are metres, angles radians, arrays float64. A configuration q has a number for each of robot.joint_names; or it
is a dict from names of joints to numbers, the others at rest. What
goes wrong is a graze.Error, never a verdict; what a file has that is doubtful is a Python warning (graze.LoadWarning).
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from graze import _graze, joints as _joints
from graze._graze import ArgumentError, Error, NotFoundError, Robot, version

__all__ = ["ArgumentError", "Checker", "Contact", "Distance", "Error", "Explanation", "Finding", "LoadWarning", "Motion",
           "NotFoundError", "Pair", "Plan", "Proximity", "Reach", "Robot", "Trajectory", "World", "lint", "load", "pose",
           "srdf", "version"]

_COLLADA = {"ros": 0, "spec": 1, "moveit": 2, "auto": 3}
_USE_VISUAL = {"never": 0, "missing": 1, "always": 2}
_POLICY = {"solid": 0, "surface": 1, "cap": 2}
_SAMPLER = {"random": 0, "halton": 1}
_LEVEL = {"mesh": 0, "bounds": 1}
_KINDS = ("self", "world", "boundary")
_MOTIONS = ("free", "hit", "undecided")


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


class Proximity(NamedTuple):
    """How far apart a pair is, metres: lower <= distance <= upper. points: one of each, world frame, as far apart as
    upper; where the pair overlaps both bounds are 0. normal: unit, from link to other."""

    kind: str
    link: str
    other: str
    element: int
    other_element: int
    triangle: int
    other_triangle: int
    lower: float
    upper: float
    overlap: bool
    points: tuple
    normal: tuple


class Distance(NamedTuple):
    """The least distance of one configuration, or of N: then each field has N rows.

    lower, upper: metres, bounds of the distance. pair: int32[5], kind (0 self, 1 world), link, element, other and its
    element, by index; -1 where there is no pair. points: float64[2, 3], a point of each, world frame. normal:
    float64[3], unit, from the link to the other. overlap: whether the pair collides at margin 0. gradient: float64[columns] or None,
    d distance / d q; smooth: whether it is that, not only one-sided.
    """

    lower: np.ndarray
    upper: np.ndarray
    pair: np.ndarray
    points: np.ndarray
    normal: np.ndarray
    overlap: np.ndarray
    gradient: np.ndarray | None
    smooth: np.ndarray


class Motion(NamedTuple):
    """What is known of a motion. Only "free" may be taken for free: it is proved for every t. "hit": check() finds the
    collision of `pair` at t = latest. "undecided": neither. Free is proved for t in [0, earliest)."""

    verdict: str
    earliest: float
    latest: float
    pair: Pair | None


class Trajectory(NamedTuple):
    """As Motion, of a timed trajectory: piece is the one that is not free (their number where all are), times in seconds."""

    verdict: str
    piece: int
    earliest: float
    latest: float
    pair: Pair | None


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
    bases: np.ndarray | None  # of the waypoints, float64[n, 6]: x y z roll pitch yaw


class Reach(NamedTuple):
    """What inverse kinematics found: solutions is float64[n, columns], nearest to the start first, none where n is 0, which
    proves nothing. Of `starts` starting points `reached` ended at the pose, `beyond` of these with a mimic joint outside its
    limits, `collided` in collision: contact is that of the first. Errors, m and rad: the greatest of the solutions; without
    one the least of all starts."""

    solutions: np.ndarray
    starts: int
    reached: int
    beyond: int
    collided: int
    position_error: float
    angle_error: float
    contact: Contact | None


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


def _is_row(q):
    """Whether it is one configuration, not N."""
    return all(np.ndim(value) == 0 for value in q.values()) if isinstance(q, dict) else np.ndim(q) == 1


def _moving(moving):
    """A mapping from names of objects to velocities, as a list of (name, x, y, z)."""
    return None if moving is None else [(name, *map(float, velocity)) for name, velocity in moving.items()]


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


def load(urdf, srdf=None, packages=None, *, text=None, base_dir=None, collada="ros", use_visual="never",
         visuals=False):
    """Loads a robot from a URDF file, or opens a compiled one.

    urdf: a path; with text, what errors call the text. srdf: path of an SRDF. packages: a dict from package names to
    folders, or folders to look in. text: the URDF itself (str), meshes relative to base_dir.
    visuals: also load what pictures show in place of collision geometry. Raises graze.Error with file, line and element; warns with graze.LoadWarning.

    >>> robot = load("<memory>", text="<robot name='r'><link name='a'/></robot>")
    >>> robot.link_names
    ('a',)
    """
    pairs, path = _packages(packages)
    robot = Robot(os.fspath(urdf), text, os.fspath(base_dir) if base_dir is not None else None,
                  os.fspath(srdf) if srdf is not None else None, pairs, path, _choose(_COLLADA, collada, "collada"),
                  _choose(_USE_VISUAL, use_visual, "use_visual"), visuals)
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
    allowed: pairs of names that may touch. policies: (name, policy) of a link or an object in place of `policy`.
    level: "mesh" or "bounds".

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
                margin=None, margins: Iterable[tuple] = (), allowed: Iterable[tuple] = (), policies: Iterable[tuple] = (),
                domain=None):
        if world is not None:
            world.commit()
        more = {} if domain is None else {"domain": domain}
        more["policies"] = [(name, _choose(_POLICY, kind, "policy")) for name, kind in policies]
        return super().__new__(cls, robot, world, _choose(_POLICY, policy, "policy"), _choose(_LEVEL, level, "level"),
                               no_self, ignore_srdf, float("nan") if margin is None else margin,
                               [tuple(pair) for pair in allowed], [tuple(entry) for entry in margins], **more)

    def __init__(self, *arguments, **named):
        super().__init__()

    def columns(self, joints: Sequence) -> np.ndarray:
        """Columns of q of joints: names as in robot.joint_names, or column numbers; int32[n]."""
        return _joints.columns(self.robot, joints)

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

    def distance(self, q, joints=None, base=None, *, gradients=False, accuracy=0.0, threads=1):
        """The least distance of all pairs that are checked, with bounds, pair and witnesses: a Distance.

        q, joints, base, threads: as check(). gradients: also d distance / d q. accuracy: metres, how far apart the bounds
        may be; 0: to rounding. Margins are not subtracted. Raises graze.Error. The lock of the interpreter is free meanwhile.

        >>> robot = load("<memory>", text="<robot name='r'><link name='a'><collision><geometry><sphere radius='1'/>"
        ...              "</geometry></collision></link></robot>")
        >>> world = World()
        >>> world.add_sphere("ball", 1, pose((3, 0, 0)))
        >>> found = Checker(robot, world).distance([])
        >>> bool(found.lower <= 1 <= found.upper), found.normal
        (True, array([1., 0., 0.]))
        """
        found = Distance(*self._distances(q, joints, base, gradients, accuracy, threads))
        if not _is_row(q) or np.ndim(base if base is not None else 0) == 2:
            return found
        return Distance._make(None if field is None else field[0] for field in found)

    def nearest(self, q, joints=None, base=None, *, count=1, threshold=float("inf")):
        """The `count` nearest pairs of one configuration within the threshold, metres, nearest first: a list of Proximity."""
        return [Proximity(*entry) for entry in self._nearest(q, joints, base, count, threshold)]

    def check_motion(self, q0, q1, joints=None, base0=None, base1=None, *, first=False, threads=1, moving=None):
        """Whether the whole straight motion from q0 to q1 is free, proved, not sampled.

        q0, q1: float64[columns]: a Motion; or [N, columns] each: verdict int32[N] (0 free, 1 hit, 2 undecided),
        earliest float64[N] and latest float64[N]. Continuous joints take the shorter turn. base0, base1: x y z roll pitch
        yaw, m and rad, one row or N; base1 is base0 where it is not given. first: the first collision is wanted, to 1e-3 of t, not any.
        moving, of one motion: a dict of objects that move straight meanwhile: name to metres from begin to end, (x, y, z).
        """
        if _is_row(q0) and _is_row(q1):
            verdict, earliest, latest, pair = self._check_motion(q0, q1, joints, base0, base1, first, _moving(moving))
            return Motion(_MOTIONS[verdict], earliest, latest, pair and Pair(*pair))
        if moving is not None:
            raise ValueError("moving is given with many motions; allowed: one motion")
        return self._check_motions(q0, q1, joints, base0, base1, first, threads)

    def certify(self, times, positions, velocities=None, accelerations=None, base=None, *, moving=None):
        """Whether a timed trajectory is free at every time, proved: a Trajectory.

        times: float64[N], s, ascending. positions: float64[N, columns], velocities and accelerations likewise or None:
        between two knots the motion is straight, cubic or quintic, as ros2_control plays a JointTrajectory. base: one row or N.
        moving: a dict of objects that move straight, from the first time on: name to metres a second, (x, y, z).
        """
        verdict, piece, earliest, latest, pair = self._certify(times, positions, velocities, accelerations, base,
                                                               _moving(moving))
        return Trajectory(_MOTIONS[verdict], piece, earliest, latest, pair and Pair(*pair))

    def explain(self, q, joints=None, base=None):
        """What became of every pair, allowed ones too: a list of Explanation."""
        return [Explanation(*entry) for entry in self._explain(q, joints, base)]

    def plan(self, start, goal, joints=None, *, seed=1, seconds=10.0, resolution=0.05, step=1.0, threads=1,
             start_base=None, goal_base=None, planar_base=False, improve=0, good_length=0.0,
             sampler="random"):
        """Plans a path with RRT-Connect and proves it free; the same seed gives the same path: a Plan.

        start, goal: float64[columns] or dicts. joints: those that may move. start_base, goal_base: x y z roll pitch yaw;
        planar_base: x, y and yaw may move, too. improve: samples for shorter paths once there is one (many: as there are
        seconds for), good_length: a path as short is not improved, radians and metres alike. sampler: "random", or
        "halton" for the Halton sequence, which the seed enters somewhere. "No path" is never claimed as proved. Ctrl-C ends
        it, as it ends ik().
        """
        columns = None if joints is None else self.columns(joints)
        outcome, path, contact, *rest = self._plan(start, goal, columns, seed, seconds, resolution, step, threads,
                                                   start_base, start_base if goal_base is None else goal_base, planar_base,
                                                   improve, good_length, _choose(_SAMPLER, sampler, "sampler"))
        return Plan(outcome, path, None if contact is None else Contact(*contact), *rest)

    def ik(self, link, pose, start=None, joints=None, base=None, *, frame=None, count=1, position_only=False,
           colliding=False, seed=1, starts=200, position_tolerance=1e-8, angle_tolerance=1e-8, distinct=0.1):
        """Configurations free of collision that put a link at a pose: a Reach, with at most `count` solutions.

        pose: float64[4, 4], of the link's frame, or of `frame` on it, in the world. start: the first starting point, and
        where joints stay that may not move (not in `joints`); None: at rest. base: x y z roll pitch yaw. Tolerances: metres
        and radians. Solutions are at least `distinct` apart. The same arguments give the same solutions.

        >>> text = ("<robot name='r'><link name='a'/><link name='b'/><joint name='j' type='prismatic'><axis xyz='1 0 0'/>"
        ...         "<limit lower='0' upper='2' effort='1' velocity='1'/><parent link='a'/><child link='b'/></joint></robot>")
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("ignore")
        ...     robot = load("<memory>", text=text)
        >>> Checker(robot).ik("b", pose((1.5, 0, 0))).solutions.round(6)
        array([[1.5]])
        """
        columns = None if joints is None else self.columns(joints)
        *found, contact = self._ik(
            link, pose, self.robot.rest if start is None else start, columns, base, frame, count, position_only, colliding,
            seed, starts, position_tolerance, angle_tolerance, distinct)
        return Reach._make((*found, None if contact is None else Contact(*contact)))

    def picture(self, q, file=None, joints=None, base=None, *, size=(1280, 960), view=None, visuals=False):
        """Draws a configuration: uint8[height, width, 3]; what collides is red, what it touches orange.

        file: also written there, as PNG. view: azimuth and elevation of the eye, degrees, and its distance, metres (0: as
        near as it fits); None: from where most is seen. visuals: as the robot looks, where it was loaded with visuals.
        """
        width, height = size
        if view is not None:
            azimuth, elevation, distance = view
            view = float(azimuth), float(elevation), float(distance)
        pixels, png = self._picture(q, file is not None, joints, base, width, height, visuals, view)
        if file is not None:
            with open(file, "wb") as out:
                out.write(png)
        return pixels


def lint(urdf, srdf=None, packages=None):
    """Runs the linter on a URDF file: a list of Finding, sorted by file, line, column and rule."""
    pairs, path = _packages(packages)
    found = _graze.lint(os.fspath(urdf), os.fspath(srdf) if srdf is not None else None, pairs, path)
    return [Finding(rule, name, severity, line or None, file, column or None, *rest)
            for rule, name, severity, line, file, column, *rest in found]


def srdf(robot, srdf=None, *, prove=False, samples=10000, seed=1, threads=1):
    """The SRDF that says which pairs of links need not be checked, with the evidence for each as a comment: str.

    srdf: path of one whose other elements stay as they are, while its rules about pairs are replaced. prove: search and
    prove for minutes, not seconds: in seconds only what is proved is left out. samples: for each pair. Ctrl-C ends it.
    """
    name = "<memory>" if srdf is None else os.fspath(srdf)
    text = None
    if srdf is not None:
        with open(name, "rb") as file:
            text = file.read().decode("utf-8")
    return _graze.srdf(robot, text, name, samples, seed, not prove, threads)
