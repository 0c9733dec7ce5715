// Geometries of the engine as three.js draws them.
import * as THREE from "three";

const CREASE = Math.cos((35 * Math.PI) / 180);

/** Unit normals of triangles; 0 0 0 of those without area. */
function faceNormals(vertices, triangles) {
  const normals = new Float32Array(triangles.length);
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [3 * triangles[i], 3 * triangles[i + 1], 3 * triangles[i + 2]];
    const ux = vertices[b] - vertices[a], uy = vertices[b + 1] - vertices[a + 1], uz = vertices[b + 2] - vertices[a + 2];
    const vx = vertices[c] - vertices[a], vy = vertices[c + 1] - vertices[a + 1], vz = vertices[c + 2] - vertices[a + 2];
    const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx, length = Math.hypot(x, y, z) || 1;
    normals[i] = x / length;
    normals[i + 1] = y / length;
    normals[i + 2] = z / length;
  }
  return normals;
}

/** The triangles at each vertex: those of vertex v are list[first[v]] ... list[first[v + 1] - 1]. */
function trianglesAt(vertexCount, triangles) {
  const first = new Uint32Array(vertexCount + 2), list = new Uint32Array(triangles.length);
  for (const v of triangles) first[v + 2]++;
  for (let v = 2; v < first.length; v++) first[v] += first[v - 1];
  triangles.forEach((v, i) => { list[first[v + 1]++] = Math.floor(i / 3); });
  return { first, list };
}

/** Every triangle with corners of its own, whose normal is the mean of the triangles there that meet it at less than the crease. */
function creased(vertices, triangles) {
  const faces = faceNormals(vertices, triangles), { first, list } = trianglesAt(vertices.length / 3, triangles);
  const positions = new Float32Array(3 * triangles.length), normals = new Float32Array(3 * triangles.length);
  for (let i = 0; i < triangles.length; i++) {
    const v = triangles[i], f = 3 * Math.floor(i / 3);
    let x = 0, y = 0, z = 0;
    for (let k = first[v]; k < first[v + 1]; k++) {
      const g = 3 * list[k];
      if (faces[f] * faces[g] + faces[f + 1] * faces[g + 1] + faces[f + 2] * faces[g + 2] < CREASE) continue;
      x += faces[g];
      y += faces[g + 1];
      z += faces[g + 2];
    }
    const length = Math.hypot(x, y, z) || 1;
    positions.set([vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]], 3 * i);
    normals.set([x / length, y / length, z / length], 3 * i);
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
  return geometry.setAttribute("normal", new THREE.BufferAttribute(normals, 3));
}

function triangles(g, smooth) {
  if (smooth && g.triangles.length > 0) return creased(g.vertices, g.triangles);
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(Float32Array.from(g.vertices), 3));
  return geometry.setIndex(new THREE.BufferAttribute(g.triangles, 1));
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
