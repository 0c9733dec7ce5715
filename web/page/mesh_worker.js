// Makes meshes as they are drawn, in a worker: normals, vertices that triangles share, bounds, and a coarse form of large ones.

const CREASE = Math.cos((35 * Math.PI) / 180), SAME = 0.9999;

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

/** A corner's normal is the mean of the triangles at its vertex that meet its own at less than the crease; corners of one vertex
 *  and one normal are one. */
function creased(vertices, triangles) {
  const faces = faceNormals(vertices, triangles), { first, list } = trianglesAt(vertices.length / 3, triangles);
  const positions = new Float32Array(3 * triangles.length), normals = new Float32Array(3 * triangles.length);
  const index = new Uint32Array(triangles.length), latest = new Int32Array(vertices.length / 3).fill(-1);
  const before = new Int32Array(triangles.length);
  let count = 0;
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
    x /= length;
    y /= length;
    z /= length;
    let at = latest[v];
    while (at >= 0 && normals[3 * at] * x + normals[3 * at + 1] * y + normals[3 * at + 2] * z < SAME) at = before[at];
    if (at < 0) {
      at = count++;
      for (let k = 0; k < 3; k++) positions[3 * at + k] = vertices[3 * v + k];
      normals.set([x, y, z], 3 * at);
      before[at] = latest[v];
      latest[v] = at;
    }
    index[i] = at;
  }
  return { positions: positions.slice(0, 3 * count), normals: normals.slice(0, 3 * count), index };
}

function boundsOf(positions) {
  const min = [Infinity, Infinity, Infinity], max = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    const k = i % 3, v = positions[i];
    if (v < min[k]) min[k] = v;
    if (v > max[k]) max[k] = v;
  }
  return { min, max };
}

/** Vertex clustering (Rossignac and Borrel, "Multi-resolution 3D approximations for rendering complex scenes", 1993): one vertex
 *  stands for all in a cell of a grid, `cells` along the longest side, and triangles that lose a side go. */
function clustered(positions, index, { min, max }, cells) {
  const size = Math.max(...max.map((v, k) => v - min[k]), 1e-9) / cells, of = new Map(), stands = new Uint32Array(positions.length / 3);
  for (let v = 0; v < stands.length; v++) {
    const [x, y, z] = [0, 1, 2].map((k) => Math.floor((positions[3 * v + k] - min[k]) / size)), key = (x * 1024 + y) * 1024 + z;
    const known = of.get(key);
    if (known === undefined) of.set(key, v);
    stands[v] = known ?? v;
  }
  const kept = new Uint32Array(index.length);
  let count = 0;
  for (let i = 0; i < index.length; i += 3) {
    const a = stands[index[i]], b = stands[index[i + 1]], c = stands[index[i + 2]];
    if (a === b || b === c || a === c) continue;
    kept[count++] = a;
    kept[count++] = b;
    kept[count++] = c;
  }
  return kept.subarray(0, count);
}
/** About `share` of the triangles, as indices of the same vertices. */
function coarse(positions, index, bounds, share) {
  const wanted = share * index.length;
  let cells = Math.min(Math.max(Math.round(Math.sqrt(wanted / 9)), 4), 1000), kept;
  for (let i = 0; i < 5 && cells >= 2; i++, cells = Math.floor(0.75 * cells)) {
    kept = clustered(positions, index, bounds, cells);
    if (kept.length <= wanted) break;
  }
  return kept;
}

function make({ vertices, triangles, smooth, share }) {
  const shape = smooth ? creased(vertices, triangles) : { positions: Float32Array.from(vertices), normals: null, index: triangles };
  const bounds = boundsOf(shape.positions), fine = shape.index.length;
  if (share < 1) {
    const less = coarse(shape.positions, shape.index, bounds, share), both = new Uint32Array(fine + less.length);
    both.set(shape.index);
    both.set(less, fine);
    shape.index = both;
  }
  return { ...shape, ...bounds, fine };
}

self.onmessage = ({ data }) => {
  const made = make(data), buffers = [made.positions.buffer, made.index.buffer];
  if (made.normals) buffers.push(made.normals.buffer);
  self.postMessage(made, buffers);
};
