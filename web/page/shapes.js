// Geometries of the engine as three.js draws them.
import * as THREE from "three";

/** The worker in which meshes are made ready; it answers in the order of its questions. */
export class MeshMaker {
  constructor(address) {
    this.worker = new Worker(address);
    this.waiting = [];
    this.worker.onmessage = ({ data }) => this.waiting.shift().resolve(data);
    this.worker.onerror = (event) => { for (const w of this.waiting.splice(0)) w.reject(new Error(event.message)); };
  }
  /** A mesh as it is drawn. `smooth`: normals are averaged; `share`: of the triangles that its coarse form keeps. */
  async make({ vertices, triangles }, smooth, share) {
    const made = await new Promise((resolve, reject) => {
      // Of what they are views of, all would be copied.
      const own = { vertices: vertices.slice(), triangles: triangles.slice() };
      this.waiting.push({ resolve, reject });
      this.worker.postMessage({ ...own, smooth, share }, [own.vertices.buffer, own.triangles.buffer]);
    });
    const geometry = new THREE.BufferGeometry(), box = new THREE.Box3(new THREE.Vector3(...made.min), new THREE.Vector3(...made.max));
    geometry.setAttribute("position", new THREE.BufferAttribute(made.positions, 3));
    if (made.normals) geometry.setAttribute("normal", new THREE.BufferAttribute(made.normals, 3));
    geometry.setIndex(new THREE.BufferAttribute(made.index, 1)).setDrawRange(0, made.fine);
    geometry.boundingBox = box;
    geometry.boundingSphere = box.getBoundingSphere(new THREE.Sphere());
    if (made.index.length > made.fine) geometry.userData.forms = [[0, made.fine], [made.fine, made.index.length - made.fine]];
    return geometry;
  }
  end() { this.worker.terminate(); }
}

function triangles(g) {
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

/** What has no end is drawn as a square around the origin of its frame. */
export const hasNoEnd = (g) => g.shape === "halfspace" || g.shape === "plane";
/** Whether a geometry has triangles. */
export const isFlat = (g) => g.triangles.length > 0;

/** One drawn geometry; `made`: of its mesh, where there is one. */
export function drawn(g, material, made) {
  const mesh = g.shape === "points" ? cloud(g, material)
    : new THREE.Mesh(made ?? (hasNoEnd(g) ? new THREE.PlaneGeometry(6, 6) : isFlat(g) ? triangles(g) : curved(g)), material);
  mesh.matrixAutoUpdate = false;
  return mesh;
}

/** What a drawn geometry occupies in its frame. */
export function boxOf(mesh) {
  const owner = mesh.isInstancedMesh ? mesh : mesh.geometry;
  if (!owner.boundingBox) owner.computeBoundingBox();
  return owner.boundingBox;
}

/** Sets a matrix from a row-major 3x4 one of twelve numbers. */
export function setPose(matrix, numbers, at = 0) {
  const m = numbers.subarray ? numbers.subarray(at, at + 12) : numbers;
  matrix.set(m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8], m[9], m[10], m[11], 0, 0, 0, 1);
}

function boxLines(half) {
  return new THREE.EdgesGeometry(new THREE.BoxGeometry(2 * half[0], 2 * half[1], 2 * half[2]));
}

const EDGES = [[0, 1], [0, 2], [0, 4], [1, 3], [1, 5], [2, 3], [2, 6], [3, 7], [4, 5], [4, 6], [5, 7], [6, 7]];

/** Lines of boxes, min and max of each. */
export function boxesLines(boxes, material) {
  const points = new Float32Array(12 * boxes.length);
  let at = 0;
  for (let i = 0; i < boxes.length; i += 6)
    for (const edge of EDGES) for (const corner of edge) for (let k = 0; k < 3; k++) points[at++] = boxes[i + ((corner >> k) & 1 ? 3 : 0) + k];
  const geometry = new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(points, 3));
  const lines = new THREE.LineSegments(geometry, material);
  lines.matrixAutoUpdate = false;
  return lines;
}

const AXIS_LENGTH = 0.16, RING = 0.05, RING_SIDES = 24;
const AXIS_COLORS = { revolute: 0xc026d3, continuous: 0xc026d3, prismatic: 0xd97706 };

/** The frame of a joint, as its child link has it, with the joint's axis: through a ring where it turns, alone where it slides. */
export function jointAxes({ type, axis }) {
  const frame = new THREE.AxesHelper(0.07), colour = AXIS_COLORS[type];
  if (colour === undefined) return frame;
  const along = new THREE.Vector3(...axis), points = [along.clone().multiplyScalar(-AXIS_LENGTH), along.clone().multiplyScalar(AXIS_LENGTH)];
  const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), along);
  for (let i = 0; type !== "prismatic" && i < 2 * RING_SIDES; i++) {
    const angle = (Math.ceil(i / 2) * 2 * Math.PI) / RING_SIDES;
    points.push(new THREE.Vector3(RING * Math.cos(angle), RING * Math.sin(angle), 0).applyQuaternion(turn));
  }
  frame.add(new THREE.LineSegments(new THREE.BufferGeometry().setFromPoints(points), new THREE.LineBasicMaterial({ color: colour })));
  return frame;
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
