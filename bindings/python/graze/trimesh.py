"""A collision manager with the methods and results of trimesh.collision.CollisionManager, decided by graze.

    from graze.trimesh import CollisionManager

needs neither trimesh nor python-fcl. A mesh is anything with `vertices` (float[V, 3]) and `faces` (int[F, 3]), such as a
trimesh.Trimesh, or a pair of both. What its `is_convex` says is a solid: what lies inside it collides. Other meshes, and
those without that attribute, are surfaces. Touching is colliding. Transforms are rigid, float[4, 4].

Distances are those of the triangles, to 2e-10 m. Of two convex meshes that overlap a distance is negative: minus the
length of a translation that parts them, near to the shortest (docs/contacts.md); where another mesh overlaps it is 0.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any

import numpy as np

from graze import _graze
from graze._graze import ArgumentError

__all__ = ["CollisionManager", "ContactData", "DistanceData", "scene_to_collision"]

_EXTERNAL = "__external"
_MOST_CONTACTS = 100_000  # of one pair of meshes, as trimesh asks FCL for


class ContactData:
    """One contact: two faces that meet, or, where a mesh lies inside a convex one, the two meshes.

    names: set of two names. point: float64[3], in the middle of where the faces meet. normal: float64[3], unit, the
    way that parts the two meshes. depth: metres, how far along it.
    """

    def __init__(self, names, faces, normal, point, depth):
        self.names = set(names)
        self.normal = np.array(normal)
        self.point = np.array(point)
        self.depth = depth
        self._faces = dict(zip(names, faces))

    def index(self, name: Hashable) -> int:
        """The face of that mesh, by its index; -1 where its faces do not meet the other's."""
        return self._faces[name]


class DistanceData:
    """The nearest two meshes. names: set of two names. distance: metres."""

    def __init__(self, names, faces, points, distance):
        self.names = set(names)
        self.distance = distance
        self._faces = dict(zip(names, faces))
        self._points = dict(zip(names, (np.array(point) for point in points)))

    def index(self, name: Hashable) -> int:
        """The face of that mesh which is nearest, by its index; -1 where the two overlap."""
        return self._faces[name]

    def point(self, name: Hashable) -> np.ndarray:
        """The point of that mesh which is nearest, float64[3]; the two are as far apart as the distance."""
        return self._points[name]


def _rigid(transform: Any) -> np.ndarray:
    """A transform in double; rotations that only float32 has rounded become rotations again."""
    if transform is None:
        return np.eye(4)
    out = np.array(np.asarray(transform).astype(np.float64, casting="same_kind"))
    if out.shape != (4, 4):
        raise ValueError("transform must be (4,4)!")
    if not np.isfinite(out).all() or (out[3] != (0, 0, 0, 1)).any():
        raise ArgumentError("transform is no rigid one; allowed: finite numbers, with the last row 0 0 0 1")
    error = np.abs(out[:3, :3] @ out[:3, :3].T - np.eye(3)).max()
    if error > 1e-5 or np.linalg.det(out[:3, :3]) < 0:
        raise ArgumentError("transform is no rigid one; allowed: a rotation, without scale or mirror, and a translation")
    if error > 1e-12:
        u, _, v = np.linalg.svd(out[:3, :3])
        out[:3, :3] = u @ v
    return out


def _quaternion(r: np.ndarray) -> list[float]:
    """x y z w of a rotation, by its greatest component."""
    square = np.array([1 + r[0, 0] - r[1, 1] - r[2, 2], 1 - r[0, 0] + r[1, 1] - r[2, 2],
                       1 - r[0, 0] - r[1, 1] + r[2, 2], 1 + r[0, 0] + r[1, 1] + r[2, 2]])
    sums = {(0, 1): r[0, 1] + r[1, 0], (0, 2): r[0, 2] + r[2, 0], (1, 2): r[1, 2] + r[2, 1],
            (0, 3): r[2, 1] - r[1, 2], (1, 3): r[0, 2] - r[2, 0], (2, 3): r[1, 0] - r[0, 1]}
    most = int(np.argmax(square))
    return [square[most] if i == most else sums[min(i, most), max(i, most)] for i in range(4)]


class _Body:
    """A mesh and where it is."""

    def __init__(self, mesh, transform):
        vertices, faces = mesh if isinstance(mesh, tuple) else (mesh.vertices, mesh.faces)
        self.mesh = _graze.Mesh(np.asarray(vertices), np.asarray(faces))
        self.solid = not isinstance(mesh, tuple) and bool(getattr(mesh, "is_convex", False))
        self.transform = _rigid(transform)


class _Meeting:
    """Meshes as the links of a robot, and those that they may meet: each other, or the objects of a world."""

    def __init__(self, bodies, names, others=None):
        links = [f"l{i}" for i in range(len(bodies))]
        solid = [(link, 0) for link, body in zip(links, bodies) if body.solid]
        world = None
        self.bodies, self.names, self.others = bodies, names, names
        self.solid = self.other_solid = [body.solid for body in bodies]
        if others is not None:
            world = others._as_world()
            self.others = list(others._bodies)
            self.other_solid = [body.solid for body in others._bodies.values()]
            solid += [(f"o{i}", 0) for i, is_solid in enumerate(self.other_solid) if is_solid]
        robot = _graze.bodies([(link, body.mesh) for link, body in zip(links, bodies)], world is None)
        self.checker = _graze.Checker(robot, world, 1, 0, world is not None, False, math.nan, [], [], policies=solid)

    def _poses(self):
        return np.array([np.eye(4), *(body.transform for body in self.bodies)]).reshape(-1, 16)

    def collides(self):
        return self.checker._posed(self._poses())

    def _other(self, kind, other):
        return self.others[other - 1 if kind == 0 else other]

    def contacts(self):
        """Every pair that collides, as two names, whether both are solid, depth, normal, a point, and faces that meet."""
        for kind, link, other, contained, depth, normal, point, faces in self.checker._posed_contacts(
                self._poses(), _MOST_CONTACTS):
            both = self.solid[link - 1] and self.other_solid[other - 1 if kind == 0 else other]
            names = self.names[link - 1], self._other(kind, other)
            yield names, both, depth, normal, point, faces if not contained else [(-1, -1, *point)]

    def nearest(self):
        """The least distance, and DistanceData of the pair; infinite and None where there is no pair."""
        q = [number for body in self.bodies for number in (*body.transform[:3, 3], *_quaternion(body.transform[:3, :3]))]
        found = self.checker._nearest(q, None, None, 1, math.inf)
        if not found:
            return math.inf, (None, None), None
        kind, link, other, _, _, face, other_face, _, upper, overlap, points, _ = found[0]
        if overlap or upper <= 0:
            return self._deepest()
        index = int(other[1:]) + (1 if kind == "self" else 0)
        names = self.names[int(link[1:])], self._other(0 if kind == "self" else 1, index)
        return upper, names, DistanceData(names, (face, other_face), points, upper)

    def _deepest(self):
        best = None
        for names, both, depth, normal, point, faces in self.contacts():
            signed = -depth if both else 0.0
            if best is None or signed < best[0]:
                half = np.multiply(normal, -signed / 2)
                best = signed, names, (faces[0][2:] if not both and faces else point), half, faces
        if best is None:  # they touch to rounding
            return 0.0, (None, None), None
        signed, names, point, half, faces = best
        face = faces[0][:2] if faces else (-1, -1)
        return signed, names, DistanceData(names, face, (np.add(point, half), np.subtract(point, half)), signed)


def _result(first, *wanted):
    """The first answer, and of the others those that are wanted: alone, or a tuple."""
    more = [make for want, make in wanted if want]
    return (first, *more) if more else first


class CollisionManager:
    """Named meshes that move: which collide, and how far apart they are; with trimesh's methods.

    >>> import numpy as np
    >>> corners = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]) - 0.5
    >>> faces = [(0, 1, 3), (0, 3, 2), (4, 7, 5), (4, 6, 7), (0, 5, 1), (0, 4, 5), (2, 3, 7), (2, 7, 6), (0, 2, 6),
    ...          (0, 6, 4), (1, 5, 7), (1, 7, 3)]
    >>> there = np.eye(4)
    >>> there[0, 3] = 3
    >>> manager = CollisionManager()
    >>> manager.add_object("here", (corners, faces))
    >>> manager.add_object("there", (corners, faces), there)
    >>> manager.in_collision_internal(return_names=True)
    (False, set())
    >>> distance, names = manager.min_distance_internal(return_names=True)
    >>> round(distance, 9), names
    (2.0, ('here', 'there'))
    """

    def __init__(self):
        self._bodies: dict[Hashable, _Body] = {}
        self._forget()

    def _forget(self):
        self._internal = self._world = None
        self._stale: dict[str, np.ndarray] = {}

    def _as_world(self):
        """All as objects of a world: made once, and then moved."""
        if self._world is None:
            self._world = _graze.World()
            for i, body in enumerate(self._bodies.values()):
                self._world._add_shared(f"o{i}", body.mesh, body.transform)
            self._world.commit()
        elif self._stale:
            self._world = self._world.moved(self._stale)
        self._stale = {}
        return self._world

    def _among(self):
        if self._internal is None:
            self._internal = _Meeting(list(self._bodies.values()), list(self._bodies))
        return self._internal

    def _with(self, other):
        return _Meeting(list(self._bodies.values()), list(self._bodies), other)

    def _single(self, mesh, transform):
        return _Meeting([_Body(mesh, transform)], [_EXTERNAL], self)

    def add_object(self, name: Hashable, mesh: Any, transform: Any = None) -> None:
        """Adds a mesh, or replaces the one of that name."""
        body = _Body(mesh, transform)
        self._bodies[name] = body
        self._forget()

    def remove_object(self, name: Hashable) -> None:
        """Removes a mesh; ValueError where there is none of that name."""
        if name not in self._bodies:
            raise ValueError(f"{name} not in collision manager!")
        del self._bodies[name]
        self._forget()

    def set_transform(self, name: Hashable, transform: Any) -> None:
        """Moves a mesh; ValueError where there is none of that name. Costs nothing until the next question."""
        if name not in self._bodies:
            raise ValueError(f"{name} not in collision manager!")
        self._bodies[name].transform = _rigid(transform)
        if self._world is not None:
            self._stale[f"o{list(self._bodies).index(name)}"] = self._bodies[name].transform

    def _collisions(self, meeting, name_of, return_names, return_data):
        if not (return_names or return_data):
            return meeting.collides()
        names, data = set(), []
        for pair, _, depth, normal, _, faces in meeting.contacts():
            names.add(name_of(pair))
            data += [ContactData(pair, face[:2], normal, face[2:], depth) for face in faces]
        return _result(bool(names), (return_names, names), (return_data, data))

    def in_collision_internal(self, return_names: bool = False, return_data: bool = False) -> Any:
        """Whether any two collide; then the set of pairs, names sorted; then a list of ContactData."""
        return self._collisions(self._among(), lambda pair: tuple(sorted(pair)), return_names, return_data)

    def in_collision_single(self, mesh: Any, transform: Any = None, return_names: bool = False,
                            return_data: bool = False) -> Any:
        """Whether a mesh collides with any; then the set of their names; then a list of ContactData, in which the mesh
        is '__external'."""
        return self._collisions(self._single(mesh, transform), lambda pair: pair[1], return_names, return_data)

    def in_collision_other(self, other_manager: CollisionManager, return_names: bool = False,
                           return_data: bool = False) -> Any:
        """Whether any collides with any of the other manager; then the set of pairs, this manager's name first; then a
        list of ContactData."""
        return self._collisions(self._with(other_manager), tuple, return_names, return_data)

    def min_distance_internal(self, return_names: bool = False, return_data: bool = False) -> Any:
        """The least distance of any two, inf of fewer; then their names, sorted; then DistanceData."""
        distance, names, data = self._among().nearest()
        names = None if data is None else tuple(sorted(names))
        return _result(distance, (return_names, names), (return_data, data))

    def min_distance_single(self, mesh: Any, transform: Any = None, return_name: bool = False,
                            return_data: bool = False) -> Any:
        """The least distance of a mesh from any; then the name of that; then DistanceData."""
        distance, names, data = self._single(mesh, transform).nearest()
        return _result(distance, (return_name, names[1]), (return_data, data))

    def min_distance_other(self, other_manager: CollisionManager, return_names: bool = False,
                           return_data: bool = False) -> Any:
        """The least distance of any from any of the other manager; then both names, this manager's first; then
        DistanceData."""
        distance, names, data = self._with(other_manager).nearest()
        return _result(distance, (return_names, None if data is None else names), (return_data, data))


def scene_to_collision(scene: Any) -> tuple[CollisionManager, dict]:
    """A manager of the meshes of a trimesh.Scene by the names of their nodes, and these meshes."""
    manager, objects = CollisionManager(), {}
    for node in scene.graph.nodes_geometry:
        transform, geometry = scene.graph[node]
        objects[node] = scene.geometry[geometry]
        manager.add_object(node, objects[node], transform)
    return manager, objects
