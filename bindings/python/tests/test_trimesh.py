"""Tests of graze.trimesh: the examples of trimesh's documentation, and brute force over all pairs of triangles.

The examples are what trimesh's own tests of its CollisionManager assert; the oracle shares nothing with graze.
"""

import doctest
import math
import types
import unittest

import numpy as np

import graze
import graze.trimesh
from graze.trimesh import CollisionManager

CORNERS = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]) - 0.5
FACES = np.array([(0, 1, 3), (0, 3, 2), (4, 7, 5), (4, 6, 7), (0, 5, 1), (0, 4, 5), (2, 3, 7), (2, 7, 6), (0, 2, 6),
                  (0, 6, 4), (1, 5, 7), (1, 7, 3)])


def mesh(vertices, faces, convex):
    return types.SimpleNamespace(vertices=np.asarray(vertices), faces=np.asarray(faces), is_convex=convex)


CUBE = mesh(CORNERS, FACES, True)
SHELL = mesh(CORNERS, FACES, False)


def at(x, y=0.0, z=0.0, rpy=(0, 0, 0)):
    return graze.pose((x, y, z), rpy)


# ------------------------------------------------------------------------------------------ oracle

def corners_of(mesh_, transform):
    return (mesh_.vertices @ transform[:3, :3].T + transform[:3, 3])[mesh_.faces]


def segment_distance(p0, p1, q0, q1):
    """Of two segments, by their middle where the nearest points are inside, and by their ends (Ericson 2005, 5.1.9)."""
    u, v, w = p1 - p0, q1 - q0, p0 - q0
    a, b, c, d, e = u @ u, u @ v, v @ v, u @ w, v @ w
    places = [(s, None) for s in (0.0, 1.0)] + [(None, t) for t in (0.0, 1.0)]
    if a * c - b * b > 1e-14 * a * c:
        s, t = (b * e - c * d) / (a * c - b * b), (a * e - b * d) / (a * c - b * b)
        if 0 <= s <= 1 and 0 <= t <= 1:
            places.append((s, t))
    best = math.inf
    for s, t in places:
        if t is None:
            t = min(max((v @ (p0 + s * u - q0)) / c, 0), 1)
        elif s is None:
            s = min(max((u @ (q0 + t * v - p0)) / a, 0), 1)
        best = min(best, np.linalg.norm(p0 + s * u - q0 - t * v))
    return best


def point_distance(p, triangle):
    """Of a point from the inside of a triangle; infinite where its foot is outside."""
    a, b, c = triangle
    n = np.cross(b - a, c - a)
    foot = p - n * ((p - a) @ n) / (n @ n)
    inside = all(np.cross(y - x, foot - x) @ n >= 0 for x, y in ((a, b), (b, c), (c, a)))
    return abs((p - a) @ n) / math.sqrt(n @ n) if inside else math.inf


def pierces(p, q, triangle):
    """Whether a segment passes through a triangle, which it is not in the plane of."""
    a, b, c = triangle
    n = np.cross(b - a, c - a)
    s, t = (p - a) @ n, (q - a) @ n
    if s * t > 0 or s == t:
        return False
    foot = p + (q - p) * (s / (s - t))
    return all(np.cross(y - x, foot - x) @ n >= 0 for x, y in ((a, b), (b, c), (c, a)))


def triangles_distance(s, t):
    edges = ((0, 1), (1, 2), (2, 0))
    if any(pierces(s[i], s[k], t) or pierces(t[i], t[k], s) for i, k in edges):
        return 0.0
    return min(min(segment_distance(s[i], s[k], t[m], t[n]) for i, k in edges for m, n in edges),
               min(point_distance(p, t) for p in s), min(point_distance(p, s) for p in t))


def brute_distance(a, b):
    """Over all pairs of triangles, the nearest middles first; those farther apart by their spheres are left out."""
    middles = a.mean(1)[:, None] - b.mean(1)[None]
    radii = [np.linalg.norm(t - t.mean(1, keepdims=True), axis=2).max(1) for t in (a, b)]
    least = np.linalg.norm(middles, axis=2) - radii[0][:, None] - radii[1][None]
    best = math.inf
    for i, k in sorted(np.ndindex(least.shape), key=lambda place: least[place]):
        if least[i, k] > best:
            break
        best = min(best, triangles_distance(a[i], b[k]))
    return best


class Documented(unittest.TestCase):
    """What trimesh's tests say of a unit cube."""

    def test_one_against_many(self):
        m = CollisionManager()
        m.add_object("cube0", CUBE)
        m.add_object("cube1", CUBE, at(5))
        self.assertIs(m.in_collision_single(CUBE), True)
        found, names, data = m.in_collision_single(CUBE, at(5), return_names=True, return_data=True)
        self.assertIs(found, True)
        self.assertEqual(names, {"cube1"})
        self.assertTrue(data and all(len(d.point) == 3 and d.names == {"cube1", "__external"} for d in data))
        self.assertTrue(all(0 <= d.index("cube1") < 12 and 0 <= d.index("__external") < 12 for d in data))
        self.assertEqual(m.in_collision_single(CUBE, at(-5), True, True), (False, set(), []))

    def test_adding_moving_and_removing(self):
        m = CollisionManager()
        m.add_object("cube0", CUBE)
        m.add_object("cube1", CUBE, at(5))
        self.assertIs(m.in_collision_internal(), False)
        m.add_object("cube2", CUBE, at(5))
        self.assertEqual(m.in_collision_internal(return_names=True), (True, {("cube1", "cube2")}))
        for place, expected in (-5, False), (5, True):
            m.set_transform("cube2", at(place))
            self.assertIs(m.in_collision_internal(), expected)
        m.add_object("cube2", CUBE, at(-5))  # replaces
        self.assertIs(m.in_collision_internal(), False)
        m.remove_object("cube2")
        self.assertIs(m.in_collision_internal(), False)
        self.assertIs(m.in_collision_single(CUBE, at(-5)), False)

    def test_managers_against_each_other(self):
        m, n = CollisionManager(), CollisionManager()
        m.add_object("cube0", CUBE)
        m.add_object("cube1", CUBE, at(5))
        n.add_object("cube0", CUBE, at(-5))
        self.assertIs(m.in_collision_other(n), False)
        n.add_object("cube3", CUBE, at(5))
        self.assertEqual(m.in_collision_other(n, return_names=True), (True, {("cube1", "cube3")}))
        self.assertEqual(n.in_collision_other(m, return_names=True), (True, {("cube3", "cube1")}))
        n.set_transform("cube3", at(9))
        self.assertIs(m.in_collision_other(n), False)

    def test_distances(self):
        m = CollisionManager()
        m.add_object("cube1", CUBE, at(5))
        self.assertAlmostEqual(m.min_distance_single(CUBE), 4, delta=1e-9)
        self.assertAlmostEqual(m.min_distance_single(CUBE, at(5.75)), -0.25, delta=1e-9)
        m.add_object("cube2", CUBE, at(-5))
        for place, name in (2, "cube1"), (-2, "cube2"):
            distance, found = m.min_distance_single(CUBE, at(place), return_name=True)
            self.assertAlmostEqual(distance, 2, delta=1e-9)
            self.assertEqual(found, name)
        self.assertAlmostEqual(m.min_distance_internal(), 9, delta=1e-9)
        m.add_object("cube3", CUBE, at(2))
        self.assertEqual(m.min_distance_internal(return_names=True)[1], ("cube1", "cube3"))
        m.set_transform("cube3", at(-2))
        self.assertEqual(m.min_distance_internal(return_names=True)[1], ("cube2", "cube3"))

    def test_distances_of_managers(self):
        m, n = CollisionManager(), CollisionManager()
        m.add_object("cube0", CUBE)
        m.add_object("cube1", CUBE, at(5))
        n.add_object("cube4", CUBE, at(-5))
        for added, expected in (None, (4, "cube4")), ("cube5", (1, "cube5")):
            if added:
                n.add_object(added, CUBE, at(-2))
            distance, names, data = m.min_distance_other(n, return_names=True, return_data=True)
            self.assertAlmostEqual(distance, expected[0], delta=1e-9)
            self.assertEqual(names, ("cube0", expected[1]))
            self.assertEqual(data.names, set(names))
            self.assertAlmostEqual(np.linalg.norm(data.point(names[0]) - data.point(names[1])), distance, delta=1e-9)
            self.assertIn(data.index("cube0"), range(12))

    def test_a_scene(self):
        graph = types.SimpleNamespace(nodes_geometry=["a", "b"], __getitem__=None)
        places = {"a": (at(0), "cube"), "b": (at(0.5), "cube")}
        graph = type("Graph", (), {"nodes_geometry": ["a", "b"], "__getitem__": lambda self, name: places[name]})()
        manager, objects = graze.trimesh.scene_to_collision(types.SimpleNamespace(graph=graph, geometry={"cube": CUBE}))
        self.assertIs(manager.in_collision_internal(), True)
        self.assertEqual(set(objects), {"a", "b"})


class Against(unittest.TestCase):
    def shapes(self, source):
        """Not convex: a cube with a dented side, and what random corners make of it."""
        vertices = np.vstack([CORNERS, (0.5, 0, 0)])
        faces = [f for f in FACES.tolist() if set(f) not in ({4, 7, 5}, {4, 6, 7})] + [(4, 6, 8), (6, 7, 8), (7, 5, 8), (5, 4, 8)]
        vertices[8, 0] = source.uniform(-0.3, 0.3)
        return mesh(vertices + source.uniform(-0.15, 0.15, vertices.shape), faces, False)

    def test_booleans_names_and_distances_by_brute_force(self):
        source = np.random.default_rng(3)
        seen = [0, 0]
        for _ in range(12):
            shapes = [self.shapes(source) for _ in range(3)]
            places = [at(*source.uniform(-0.9, 0.9, 3), source.uniform(-3, 3, 3)) for _ in range(3)]
            m, n = CollisionManager(), CollisionManager()
            for i in (0, 1):
                m.add_object(str(i), shapes[i], places[i])
            n.add_object("2", shapes[2], places[2])
            triangles = [corners_of(s, p) for s, p in zip(shapes, places)]
            expected = {(i, k): brute_distance(triangles[i], triangles[k]) for i, k in ((0, 1), (0, 2), (1, 2))}
            if any(0 < d < 1e-9 for d in expected.values()):
                continue
            for d in expected.values():
                seen[int(d > 0)] += 1
            hit, names, data = m.in_collision_internal(True, True)
            self.assertEqual((hit, names), (expected[0, 1] == 0, {("0", "1")} if expected[0, 1] == 0 else set()))
            for d in data:
                faces = triangles[0][d.index("0")], triangles[1][d.index("1")]
                self.assertLess(triangles_distance(*faces), 1e-9)
                self.assertLess(min(point_distance(d.point, f) for f in faces), 1e-7)
            self.assertAlmostEqual(m.min_distance_internal(), expected[0, 1], delta=1e-9)
            others = {i for i in (0, 1) if expected[i, 2] == 0}
            self.assertEqual(m.in_collision_other(n, True), (bool(others), {(str(i), "2") for i in others}))
            self.assertEqual(m.in_collision_single(shapes[2], places[2], True), (bool(others), set(map(str, others))))
            least = min(expected[0, 2], expected[1, 2])
            self.assertAlmostEqual(m.min_distance_other(n), least, delta=1e-9)
            distance, data = m.min_distance_single(shapes[2], places[2], return_data=True)
            self.assertAlmostEqual(distance, least, delta=1e-9)
            if least > 0:
                name = next(x for x in data.names if x != "__external")
                self.assertAlmostEqual(expected[int(name), 2], least, delta=1e-9)
                for who, k in (name, int(name)), ("__external", 2):
                    face = triangles[k][data.index(who)]
                    self.assertLess(triangles_distance(np.array([data.point(who)] * 3) + 1e-13 * np.eye(3), face), 1e-9)
        self.assertTrue(min(seen) > 4, seen)

    def test_moved_managers_are_those_that_are_built_there(self):
        source = np.random.default_rng(8)
        moved, other = CollisionManager(), CollisionManager()
        for i in range(6):
            moved.add_object(i, CUBE if i % 2 else SHELL)
        other.add_object("x", self.shapes(source))
        for _ in range(25):
            built = CollisionManager()
            places = [at(*source.uniform(-2, 2, 3), source.uniform(-3, 3, 3)) for _ in range(6)]
            for i, place in enumerate(places):
                built.add_object(i, CUBE if i % 2 else SHELL, place)
                if i != 3:
                    moved.set_transform(i, place)
            moved.set_transform(3, places[3])
            self.assertEqual(moved.in_collision_internal(True), built.in_collision_internal(True))
            self.assertEqual(moved.in_collision_internal(), built.in_collision_internal())
            self.assertEqual(other.in_collision_other(moved, True), other.in_collision_other(built, True))
            self.assertEqual(moved.min_distance_internal(True), built.min_distance_internal(True))
            self.assertEqual(moved.min_distance_single(CUBE, return_name=True), built.min_distance_single(CUBE, return_name=True))

    def test_convex_is_solid_and_what_is_not_is_a_surface(self):
        small = {kind: mesh(0.2 * CORNERS, FACES, kind) for kind in (True, False)}
        for outer in (True, False):
            for inner in (True, False):
                m = CollisionManager()
                m.add_object("outer", mesh(CORNERS, FACES, outer))
                hit, names, data = m.in_collision_single(small[inner], None, True, True)
                self.assertEqual((hit, names), (outer, {"outer"} if outer else set()), (outer, inner))
                if outer:
                    self.assertEqual([d.index("outer") for d in data], [-1])
                else:
                    self.assertAlmostEqual(m.min_distance_single(small[inner]), 0.4, delta=1e-9)
        m = CollisionManager()
        m.add_object("outer", CUBE)
        self.assertAlmostEqual(m.min_distance_single(small[True]), -0.6, delta=1e-9)


class Mistakes(unittest.TestCase):
    def test_wrong_arguments(self):
        m = CollisionManager()
        m.add_object("a", CUBE)
        scaled, sheared = np.diag([2.0, 2, 2, 1]), at(0)
        sheared[0, 1] = 0.1
        nan = at(math.nan)
        mirrored = np.diag([-1.0, 1, 1, 1])
        for bad in (scaled, sheared, nan, mirrored, np.eye(4)[::-1], np.zeros((4, 4))):
            with self.assertRaises(graze.ArgumentError):
                m.set_transform("a", bad)
            with self.assertRaises(graze.ArgumentError):
                m.add_object("b", CUBE, bad)
        for bad in (np.eye(3), np.eye(4)[:3], 5):
            with self.assertRaisesRegex(ValueError, r"\(4,4\)"):
                m.set_transform("a", bad)
        with self.assertRaises(TypeError):
            m.set_transform("a", np.eye(4) * 1j)
        for call in (lambda: m.remove_object("z"), lambda: m.set_transform("z", np.eye(4))):
            with self.assertRaisesRegex(ValueError, "z not in collision manager"):
                call()
        for vertices, faces in ((CORNERS * math.nan, FACES), (CORNERS, FACES + 9), (CORNERS, FACES - 1), (CORNERS[:, :2], FACES),
                                (CORNERS, FACES[:0]), (CORNERS, FACES * 1.5), (np.zeros((0, 3)), FACES), ("text", FACES)):
            with self.assertRaises((graze.Error, ValueError, TypeError)):
                m.add_object("b", (vertices, faces))
        self.assertEqual(list(m._bodies), ["a"])
        self.assertIs(m.in_collision_single(CUBE), True)

    def test_rotations_in_float32_are_rotations(self):
        m = CollisionManager()
        m.add_object("a", CUBE, at(3, 0, 0, (0.3, 0.4, 0.5)).astype(np.float32))
        exact = CollisionManager()
        exact.add_object("a", CUBE, at(3, 0, 0, (0.3, 0.4, 0.5)))
        self.assertAlmostEqual(m.min_distance_single(CUBE), exact.min_distance_single(CUBE), delta=1e-6)

    def test_too_few_to_meet(self):
        m = CollisionManager()
        self.assertIs(m.in_collision_internal(), False)
        self.assertEqual(m.min_distance_internal(True, True), (math.inf, None, None))
        self.assertEqual(m.in_collision_single(CUBE, None, True, True), (False, set(), []))
        self.assertEqual(m.min_distance_single(CUBE, None, True, True), (math.inf, None, None))
        self.assertEqual(m.in_collision_other(CollisionManager()), False)
        m.add_object("a", CUBE)
        self.assertEqual(m.in_collision_internal(True, True), (False, set(), []))
        self.assertEqual(m.min_distance_internal(), math.inf)
        self.assertEqual(m.min_distance_other(CollisionManager()), math.inf)

    def test_strided_and_integer_meshes(self):
        wide = np.zeros((8, 6))
        wide[:, ::2] = CORNERS
        for vertices in (wide[:, ::2], np.asfortranarray(CORNERS), (2 * CORNERS).astype(int), CORNERS[::-1].copy()[::-1]):
            m = CollisionManager()
            m.add_object("a", (vertices, np.asfortranarray(FACES.astype(np.int32))))
            self.assertTrue(m.in_collision_single(CUBE, at(0.9)))


class Examples(unittest.TestCase):
    def test_docstrings(self):
        failed, tried = doctest.testmod(graze.trimesh)
        self.assertEqual(failed, 0)
        self.assertGreater(tried, 5)


if __name__ == "__main__":
    unittest.main()
