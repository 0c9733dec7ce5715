// Geometries of the engine as three.js draws them.
import * as THREE from "three";
import { toCreasedNormals } from "three/examples/jsm/utils/BufferGeometryUtils.js";

const CREASE = (35 * Math.PI) / 180;

function triangles(g, smooth) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(Float32Array.from(g.vertices), 3));
  geometry.setIndex(new THREE.BufferAttribute(g.triangles, 1));
  if (!smooth || g.triangles.length === 0) return geometry;
  return toCreasedNormals(geometry, CREASE);
}

/** A curved shape between the ends of its axis. */
function curved(g) {
  const a = new THREE.Vector3(...g.ends[0]), b = new THREE.Vector3(...g.ends[1]);
  const axis = b.clone().sub(a), length = axis.length();
  const geometry = g.shape === "sphere" ? new THREE.SphereGeometry(g.radius, 32, 20)
    : g.shape === "cylinder" ? new THREE.CylinderGeometry(g.radius, g.radius, length, 36)
    : new THREE.CapsuleGeometry(g.radius, length, 8, 28);
  const turn = new THREE.Quaternion();
  if (length > 0) turn.setFromUnitVectors(new THREE.Vector3(0, 1, 0), axis.divideScalar(length));
  geometry.applyQuaternion(turn);
  const middle = a.add(b).multiplyScalar(0.5);
  return geometry.translate(middle.x, middle.y, middle.z);
}

function cloud(g, material) {
  const ball = new THREE.SphereGeometry(Math.max(g.radius, 1e-3), 8, 6), count = g.vertices.length / 3;
  const mesh = new THREE.InstancedMesh(ball, material, count), matrix = new THREE.Matrix4();
  for (let i = 0; i < count; i++) mesh.setMatrixAt(i, matrix.makeTranslation(...g.vertices.slice(3 * i, 3 * i + 3)));
  return mesh;
}

/** One drawn geometry. `smooth`: for visuals, whose normals are averaged; others show their triangles. */
export function drawn(g, material, smooth) {
  const mesh = g.shape === "points" ? cloud(g, material)
    : g.shape === "mesh" || g.shape === "box" ? new THREE.Mesh(triangles(g, smooth), material)
    : new THREE.Mesh(curved(g), material);
  mesh.matrixAutoUpdate = false;
  return mesh;
}

/** Sets a matrix from a row-major 3x4 one of twelve numbers. */
export function setPose(matrix, numbers, at = 0) {
  const m = numbers.subarray ? numbers.subarray(at, at + 12) : numbers;
  matrix.set(m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8], m[9], m[10], m[11], 0, 0, 0, 1);
}

function boxLines(half) {
  return new THREE.EdgesGeometry(new THREE.BoxGeometry(2 * half[0], 2 * half[1], 2 * half[2]));
}

/** Lines of a link's bound, in the link's frame. */
export function boundLines(bounds, kind, material) {
  let lines;
  if (kind === "sphere") {
    const points = [], r = bounds.sphere.radius;
    for (const [x, y] of [[0, 1], [1, 2], [0, 2]])
      for (let i = 0; i < 48; i++)
        for (const k of [i, i + 1]) {
          const p = [0, 0, 0];
          p[x] = r * Math.cos((k * Math.PI) / 24);
          p[y] = r * Math.sin((k * Math.PI) / 24);
          points.push(...p);
        }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
    lines = new THREE.LineSegments(geometry.translate(...bounds.sphere.center), material);
  } else if (kind === "aabb") {
    const { min, max } = bounds.aabb;
    const half = min.map((v, i) => (max[i] - v) / 2), middle = min.map((v, i) => (max[i] + v) / 2);
    lines = new THREE.LineSegments(boxLines(half).translate(...middle), material);
  } else {
    const { axes, center, half } = bounds.obb, geometry = boxLines(half);
    geometry.applyMatrix4(new THREE.Matrix4().makeBasis(...axes.map((a) => new THREE.Vector3(...a))).setPosition(...center));
    lines = new THREE.LineSegments(geometry, material);
  }
  lines.matrixAutoUpdate = false;
  return lines;
}
