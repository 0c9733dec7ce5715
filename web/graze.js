// graze in JavaScript: the collision engine in WebAssembly. Types and comments for users: graze.d.ts.
//
// A robot and its world come as compiled files (`graze compile`). What is asked here is answered by the same code as in
// the library, bit for bit.

/** Names of numbers as the C headers have them; index = value. */
export const SHAPES = ["box", "sphere", "cylinder", "capsule", "mesh", "points", "cone", "halfspace", "plane"];
/** Those that sizes make. */
const SIZED = SHAPES.filter((shape) => shape !== "mesh" && shape !== "points");
export const JOINT_TYPES = ["fixed", "revolute", "continuous", "prismatic", "planar", "floating"];
export const OUTCOMES = ["found", "start-collides", "goal-collides", "start-limits", "goal-limits", "iterations", "time",
                         "cancelled", "unreachable"];
const PAIR_STATES = ["checked", "static", "adjacent", "disabled", "default", "touch"];
const CONTACT_KINDS = ["self", "world", "boundary"];
const MOTIONS = ["free", "hit", "undecided"];
const POLICIES = ["solid", "surface", "cap"];
const SAMPLERS = ["random", "halton"];
const ANSWERS = ["any", "first", "all", "pair"];
const Q_KINDS = ["line", "circle", "rotation"];
const CHANGES = { move: 0, remove: 1, add: 2 };
const GEOMETRY_KINDS = ["collision", "visual", "object"];
const MESSAGE_SIZE = 1024, PATH_SIZE = 1024;
const DECODER = new TextDecoder();

/** What went wrong, as graze_error has it. */
export class GrazeError extends Error {
  constructor(status, message, details = {}) {
    super(message);
    this.name = "GrazeError";
    this.status = status;
    Object.assign(this, details);
  }
}

/** All that the module imports: it opens no files; it has a clock, and memory that grows. */
function imports(memory, onNode) {
  return {
    wasi_snapshot_preview1: {
      clock_time_get(clock, precision, at) {
        new DataView(memory().buffer).setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
        return 0;
      },
    },
    env: { emscripten_notify_memory_growth() {}, graze_web_node: (tree, parent, x, y, z) => onNode(tree, parent, [x, y, z]) },
  };
}

async function compileModule(wasm) {
  if (wasm instanceof WebAssembly.Module) return wasm;
  if (ArrayBuffer.isView(wasm) || wasm instanceof ArrayBuffer) return WebAssembly.compile(wasm);
  const url = wasm ?? new URL("graze.wasm", import.meta.url);
  if (String(url).startsWith("file:") && typeof process === "object") {
    const { readFile } = await import("node:fs/promises");
    return WebAssembly.compile(await readFile(new URL(url)));
  }
  const response = await fetch(url);
  if (!response.ok) throw new GrazeError("not-found", `${url}: ${response.status} ${response.statusText}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

function indexOf(names, name, what) {
  const index = names.indexOf(name);
  if (index < 0) throw new GrazeError("argument", `${what} is '${name}'; allowed: ${names.join(", ")}`);
  return index;
}

/** Reads a row of numbers from left to right. */
class Row {
  constructor(engine, numbers) {
    this.engine = engine;
    this.numbers = numbers;
    this.at = 0;
  }
  number() { return this.numbers[this.at++]; }
  flag() { return this.number() !== 0; }
  text() { return this.engine.text(this.number()); }
  list(count) { return Array.from(this.numbers.subarray(this.at, this.at += count)); }
  name(names) { return names[this.number()]; }
}

/** The instance with its memory: calls, numbers and texts that go in and out. */
class Engine {
  constructor(module) {
    this.exports = new WebAssembly.Instance(module, imports(() => this.exports.memory, (...node) => this.onNode?.(...node))).exports;
    this.exports._initialize?.();
    this.web = this.exports.graze_web_create();
    if (this.web === 0) throw new GrazeError("no-memory", "out of memory");
    this.error = this.exports.graze_web_error(this.web);
    this.kept = new Map();
  }
  text(pointer) {
    if (pointer === 0) return null;
    const bytes = new Uint8Array(this.exports.memory.buffer);
    return DECODER.decode(bytes.slice(pointer, bytes.indexOf(0, pointer)));
  }
  numbers(pointer, count) { return new Float64Array(this.exports.memory.buffer, pointer, count); }
  allocate(size) {
    const at = this.exports.malloc(Math.max(size, 8));
    if (at === 0) throw new GrazeError("no-memory", `out of memory: ${size} bytes`);
    return at;
  }
  /** Memory of a name, which stays and grows. */
  buffer(name, size) {
    let buffer = this.kept.get(name);
    if (buffer && buffer.size >= size) return buffer.at;
    if (buffer) this.exports.free(buffer.at);
    this.kept.delete(name);
    buffer = { at: this.allocate(size), size };
    this.kept.set(name, buffer);
    return buffer.at;
  }
  put(name, values) {
    const at = this.buffer(name, 8 * values.length);
    this.numbers(at, values.length).set(values);
    return at;
  }
  withText(text, use) {
    const bytes = new TextEncoder().encode(text);
    const at = this.allocate(bytes.length + 1);
    try {
      const memory = new Uint8Array(this.exports.memory.buffer);
      memory.set(bytes, at);
      memory[at + bytes.length] = 0;
      return use(at);
    } finally {
      this.exports.free(at);
    }
  }
  /** Throws what a status other than 0 says. */
  must(status) {
    if (status === 0) return;
    const e = this.error;
    throw new GrazeError(this.text(this.exports.graze_status_name(status)), this.text(e + 12), {
      file: this.text(e + 12 + MESSAGE_SIZE), element: this.text(e + 12 + MESSAGE_SIZE + PATH_SIZE) });
  }
  /** Calls a function that writes a row of `count` numbers behind its other arguments. */
  row(name, count, ...inputs) {
    const at = this.buffer("row", 8 * 64);
    this.must(this.exports[name](this.web, ...inputs, at));
    return new Row(this, this.numbers(at, count).slice());
  }
}

/** A robot, its world and its rules; made by load(). */
export class Scene {
  #engine;
  #size;
  #versions = new Map(); // of the world, that are kept: number and address
  #kept = 0;
  constructor(engine) {
    this.#engine = engine;
    const x = engine.exports;
    this.robot = x.graze_web_robot(engine.web);
    this.#size = x.graze_robot_q_size(this.robot);
    this.name = engine.text(x.graze_robot_name(this.robot));
    this.version = engine.text(x.graze_version());
    this.linkCount = x.graze_robot_link_count(this.robot);
    this.links = Array.from({ length: this.linkCount }, (_, i) => engine.text(x.graze_robot_link_name(this.robot, i)));
    this.root = x.graze_robot_root(this.robot);
    this.#takeWorld();
  }
  #takeWorld() {
    this.objects = Array.from({ length: this.geometryCount("object") }, (_, i) => this.geometry("object", i, { mesh: false }).name);
    this.epsilon = this.#engine.exports.graze_web_epsilon(this.#engine.web);
  }

  // ------------------------------------------------------------------------------------- model

  get dof() { return this.#size; }
  jointNames() {
    const x = this.#engine.exports;
    return Array.from({ length: this.#size }, (_, i) => this.#engine.text(x.graze_robot_q_name(this.robot, i)));
  }
  lowerBounds() { return this.#limits()[0]; }
  upperBounds() { return this.#limits()[1]; }
  #limits() {
    const n = this.#size, at = this.#engine.buffer("limits", 16 * n);
    this.#engine.must(this.#engine.exports.graze_robot_q_limits(this.robot, at, at + 8 * n));
    return [this.#engine.numbers(at, n).slice(), this.#engine.numbers(at + 8 * n, n).slice()];
  }
  columnKinds() {
    const at = this.#engine.buffer("kinds", 4 * this.#size);
    this.#engine.must(this.#engine.exports.graze_robot_q_kinds(this.robot, at));
    return Array.from(new Int32Array(this.#engine.exports.memory.buffer, at, this.#size), (k) => Q_KINDS[k]);
  }
  columnJoints() {
    return Array.from({ length: this.#size }, (_, i) => this.#engine.exports.graze_robot_q_joint(this.robot, i));
  }
  joints() {
    const count = this.#engine.exports.graze_robot_joint_count(this.robot);
    return Array.from({ length: count }, (_, i) => {
      const r = this.#engine.row("graze_web_joint", 29, i);
      return { name: r.text(), type: r.name(JOINT_TYPES), parent: r.number(), child: r.number(), origin: r.list(12),
               axis: r.list(3), column: r.number(), columns: r.number(), limited: r.flag(), lower: r.number(),
               upper: r.number(), velocity: r.number(), mimic: r.number(), multiplier: r.number(), offset: r.number(),
               passive: r.flag() };
    });
  }
  geometryCount(kind) {
    return this.#engine.exports.graze_web_geometry_count(this.#engine.web, indexOf(GEOMETRY_KINDS, kind, "kind"));
  }
  geometry(kind, index, { mesh = true, closed = mesh } = {}) {
    const engine = this.#engine, which = indexOf(GEOMETRY_KINDS, kind, "kind");
    const r = engine.row("graze_web_geometry", 41, which, index);
    const g = { name: r.text(), uri: r.text(), owner: r.number(), element: r.number(), shape: r.name(SHAPES),
                frame: r.number(), origin: r.list(12), size: r.list(3), scale: r.list(3),
                radius: r.number(), length: r.number() };
    const vertexCount = r.number(), vertices = r.number(), triangleCount = r.number(), triangles = r.number();
    g.vertices = engine.numbers(vertices, mesh && vertices ? 3 * vertexCount : 0).slice();
    g.triangles = new Uint32Array(engine.exports.memory.buffer, triangles, mesh && triangles ? 3 * triangleCount : 0).slice();
    g.ends = [r.list(3), r.list(3)];
    const colored = r.flag(), color = r.list(4);
    g.color = colored ? color : null;
    g.closed = closed ? engine.exports.graze_web_is_closed(engine.web, which, index) !== 0 : null;
    return g;
  }
  geometries(kind) {
    return Array.from({ length: this.geometryCount(kind) }, (_, i) => this.geometry(kind, i));
  }
  treeBoxes(kind, index, level) {
    const engine = this.#engine, which = indexOf(GEOMETRY_KINDS, kind, "kind"), call = engine.exports.graze_web_tree_level;
    const count = call(engine.web, which, index, level, 0, 0), at = engine.buffer("boxes", 48 * count);
    call(engine.web, which, index, level, at, count);
    return engine.numbers(at, 6 * count).slice();
  }
  linkBounds(link) {
    const r = this.#engine.row("graze_web_bounds", 27, link);
    return { empty: r.flag(), triangles: r.number(), sphere: { center: r.list(3), radius: r.number() },
             aabb: { min: r.list(3), max: r.list(3) },
             obb: { center: r.list(3), axes: [r.list(3), r.list(3), r.list(3)], half: r.list(3) } };
  }
  pairs() {
    return Array.from({ length: this.#engine.exports.graze_robot_pair_count(this.robot) }, (_, i) => {
      const r = this.#engine.row("graze_web_pair", 4, i);
      return { a: r.number(), b: r.number(), state: r.name(PAIR_STATES), reason: r.text() };
    });
  }
  boundary() {
    const at = this.#engine.buffer("row", 8 * 64);
    if (!this.#engine.exports.graze_web_boundary(this.#engine.web, at)) return null;
    const numbers = this.#engine.numbers(at, 6);
    return { min: Array.from(numbers.subarray(0, 3)), max: Array.from(numbers.subarray(3, 6)) };
  }
  states() {
    return Array.from({ length: this.#engine.exports.graze_robot_state_count(this.robot) }, (_, i) => {
      const r = this.#engine.row("graze_web_state", 2, i);
      return { name: r.text(), group: r.text() };
    });
  }

  // ------------------------------------------------------------------------------ the world

  moveObject(name, pose) { this.#change(CHANGES.move, name, pose); }
  addObject(name, shape, pose) { this.#change(CHANGES.add, name, pose, shape); }
  removeObject(name) { this.#change(CHANGES.remove, name); }
  scaleObject(name, factor) {
    this.#engine.withText(name, (n) => this.#engine.must(this.#engine.exports.graze_web_scale(this.#engine.web, n, factor)));
    this.#takeWorld();
  }
  keepWorld() {
    this.#versions.set(++this.#kept, this.#engine.row("graze_web_keep_world", 1).number());
    return this.#kept;
  }
  restoreWorld(version) {
    this.#engine.must(this.#engine.exports.graze_web_restore_world(this.#engine.web, this.#version(version)));
    this.#takeWorld();
  }
  dropWorld(version) {
    this.#engine.exports.graze_world_free(this.#version(version));
    this.#versions.delete(version);
  }
  #version(number) {
    if (!this.#versions.has(number)) throw new GrazeError("argument", `version is ${number}; allowed: one of keepWorld() that is not dropped`);
    return this.#versions.get(number);
  }
  #change(kind, name, pose = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], { shape = "box", size = [0, 0, 0], radius = 0, length = 0 } = {}) {
    if (pose.length !== 12) throw new GrazeError("argument", `pose has ${pose.length} numbers; allowed: 12`);
    if (size.length !== 3) throw new GrazeError("argument", `size has ${size.length} numbers; allowed: 3`);
    const place = this.#engine.put("pose", pose);
    const kindOf = SHAPES.indexOf(SIZED[indexOf(SIZED, shape, "shape")]);
    const numbers = this.#engine.put("shape", [kindOf, ...size, radius, length]);
    this.#engine.withText(name, (n) =>
      this.#engine.must(this.#engine.exports.graze_web_change(this.#engine.web, kind, n, place, numbers)));
    this.#takeWorld();
  }

  // ----------------------------------------------------------------------------- configurations

  /** Puts a configuration, or rows of them, into memory; the address. */
  #q(name, q, rows = 1) {
    if (q.length !== rows * this.#size)
      throw new GrazeError("argument", `q has ${q.length} numbers; allowed: ${rows * this.#size}`);
    return this.#engine.put(name, q);
  }
  #base(name, base) {
    if (base === undefined || base === null) return 0;
    if (base.length !== 6) throw new GrazeError("argument", `base has ${base.length} numbers; allowed: 6`);
    return this.#engine.put(name, base);
  }
  #outQ() { return this.#engine.buffer("out q", 8 * this.#size); }
  #readQ(at) { return this.#engine.numbers(at, this.#size).slice(); }

  rest() {
    const at = this.#outQ();
    this.#engine.exports.graze_robot_rest(this.robot, at);
    return this.#readQ(at);
  }
  state(name, group = "", q = this.rest()) {
    const at = this.#q("q", q);
    this.#engine.withText(name, (n) => this.#engine.withText(group, (g) =>
      this.#engine.must(this.#engine.exports.graze_robot_apply_state(this.robot, g, n, at, this.#engine.error))));
    return this.#readQ(at);
  }
  clamp(q) {
    const at = this.#q("q", q);
    this.#engine.must(this.#engine.exports.graze_robot_clamp(this.robot, at, this.#size, this.#engine.error));
    return this.#readQ(at);
  }
  sample(seed, index) {
    const at = this.#outQ();
    this.#engine.must(this.#engine.exports.graze_robot_sample(this.robot, BigInt(seed), BigInt(index), 0, 0, at,
                                                              this.#engine.error));
    return this.#readQ(at);
  }
  distance(from, to) {
    const a = this.#q("q", from), b = this.#q("q2", to), out = this.#engine.buffer("row", 8 * 64);
    this.#engine.must(this.#engine.exports.graze_robot_metric(this.robot, a, b, this.#size, 0, out, this.#engine.error));
    return this.#engine.numbers(out, 1)[0];
  }
  interpolate(from, to, t) {
    const a = this.#q("q", from), b = this.#q("q2", to), out = this.#outQ();
    this.#engine.must(this.#engine.exports.graze_robot_interpolate(this.robot, a, b, this.#size, 0, t, out,
                                                                   this.#engine.error));
    return this.#readQ(out);
  }
  forwardKinematics(q, base) {
    const count = 12 * this.linkCount;
    const at = this.#q("q", q), from = this.#base("base", base), out = this.#engine.buffer("poses", 8 * count);
    this.#engine.must(this.#engine.exports.graze_robot_pose(this.robot, at, this.#size, from, out, this.#engine.error));
    return this.#engine.numbers(out, count).slice();
  }

  // ------------------------------------------------------------------------------------ queries

  validate(q, base) { return this.check(q, { base, answer: "any" }).verdict === "free"; }

  check(q, { base, answer = "first" } = {}) {
    const report = this.#engine.row("graze_web_check", 4, indexOf(ANSWERS, answer, "answer"), this.#q("q", q),
                                    this.#base("base", base));
    const verdict = report.number() === 0 ? "free" : "collision", count = report.number();
    const violated = report.number(), list = report.number();
    return { verdict, contacts: this.#contacts(count),
             violated: Array.from(new Int32Array(this.#engine.exports.memory.buffer, list, violated)) };
  }
  hiddenContacts(q, base) {
    const count = this.#engine.row("graze_web_hidden", 1, this.#q("q", q), this.#base("base", base)).number();
    return this.#contacts(count);
  }
  #contacts(count) {
    return Array.from({ length: count }, (_, i) => {
      const r = this.#engine.row("graze_web_contact", 20, i);
      const c = { kind: r.name(CONTACT_KINDS), link: r.number(), element: r.number(), other: r.number(),
                  otherElement: r.number(), contained: r.flag(), triangle: r.number(), otherTriangle: r.number() };
      const has = r.flag(), segment = [r.list(3), r.list(3)];
      return { ...c, segment: has ? segment : null, point: r.list(3), linkName: this.links[c.link], otherName: r.text(),
               reason: r.text() };
    });
  }

  contacts(q, { base, limit = 0, manifolds = true } = {}) {
    const report = this.#engine.row("graze_web_contacts", 4, this.#q("q", q), this.#base("base", base), limit,
                                    manifolds ? 1 : 0);
    const verdict = report.number() === 0 ? "free" : "collision", pairCount = report.number();
    const triangleCount = report.number(), written = report.number();
    const triangles = Array.from({ length: written }, (_, i) => {
      const r = this.#engine.row("graze_web_triangle_pair", 20, i);
      return { kind: r.name(CONTACT_KINDS), link: r.number(), element: r.number(), other: r.number(),
               otherElement: r.number(), triangle: r.number(), otherTriangle: r.number(), overlap: r.flag(),
               segment: [r.list(3), r.list(3)], normals: [r.list(3), r.list(3)] };
    });
    const pairs = Array.from({ length: pairCount }, (_, i) => {
      const r = this.#engine.row("graze_web_contact_pair", 31, i);
      const p = { kind: r.name(CONTACT_KINDS), link: r.number(), element: r.number(), other: r.number(),
                  otherElement: r.number(), contained: r.flag(), triangleCount: r.number() };
      const first = r.number(), listed = r.number(), points = r.number();
      Object.assign(p, { normal: r.list(3), depth: r.number(), least: r.number() });
      p.points = Array.from({ length: 4 }, () => r.list(3)).slice(0, points);
      p.depths = r.list(4).slice(0, points);
      p.triangles = triangles.slice(first, first + listed);
      return p;
    });
    return { verdict, pairs, triangleCount };
  }

  validateBatch(rows, base) {
    const count = rows.length / this.#size;
    if (!Number.isInteger(count))
      throw new GrazeError("argument", `${rows.length} numbers; allowed: a multiple of ${this.#size}`);
    const q = this.#q("rows", rows, count), from = this.#base("base", base);
    const verdicts = this.#engine.buffer("verdicts", count);
    this.#engine.must(this.#engine.exports.graze_web_batch(this.#engine.web, count, q, from, verdicts));
    return new Uint8Array(this.#engine.exports.memory.buffer, verdicts, count).slice();
  }

  nearest(q, { base, count = 1, threshold = Infinity } = {}) {
    if (!Number.isInteger(count) || count < 1) throw new GrazeError("argument", `count is ${count}; allowed: 1, 2, ...`);
    const report = this.#engine.row("graze_web_nearest", 3, count, threshold, this.#q("q", q), this.#base("base", base));
    const found = report.number(), bounds = { lower: report.number(), upper: report.number() };
    const pairs = Array.from({ length: found }, (_, i) => {
      const r = this.#engine.row("graze_web_proximity", 19, i);
      const p = { kind: r.name(CONTACT_KINDS), link: r.number(), element: r.number(), other: r.number(), otherElement: r.number(),
                  triangle: r.number(), otherTriangle: r.number(), overlap: r.flag(), lower: r.number(), upper: r.number(),
                  points: [r.list(3), r.list(3)], normal: r.list(3) };
      return { ...p, ...this.#names(p.kind, p.link, p.other) };
    });
    return { ...bounds, pairs };
  }

  setTrajectory({ degree, times, q, base }) {
    const rows = (times.length - 1) * (degree + 1);
    if (!(rows >= 0) || q.length !== rows * this.#size || base.length !== rows * 6)
      throw new GrazeError("argument", `${q.length} numbers of q and ${base.length} of the base; allowed: ${rows} rows`);
    this.#engine.must(this.#engine.exports.graze_web_set_trajectory(this.#engine.web, degree, times.length - 1, this.#engine.put("times", times),
                                                                    this.#engine.put("rows", q), this.#engine.put("bases", base)));
  }
  trajectoryAt(time) {
    const at = this.#engine.buffer("place", 8 * (this.#size + 6));
    this.#engine.must(this.#engine.exports.graze_web_trajectory_at(this.#engine.web, time, at));
    return { q: this.#readPlace(at, this.#size), base: this.#readPlace(at + 8 * this.#size, 6) };
  }
  #readPlace(at, count) { return this.#engine.numbers(at, count).slice(); }
  checkPiece(piece) { return this.#motionReport(this.#engine.row("graze_web_check_piece", 6, piece)); }

  validateMotion(from, to, options) { return this.motion(from, to, options).verdict === "free"; }

  motion(from, to, { fromBase, toBase, first = false } = {}) {
    const r = this.#engine.row("graze_web_motion", 6, this.#q("q", from), this.#q("q2", to),
                               this.#base("base", fromBase), this.#base("base2", toBase), first ? 1 : 0);
    return this.#motionReport(r);
  }
  #motionReport(r) {
    const report = { verdict: r.name(MOTIONS), earliest: r.number(), latest: r.number(), contact: null };
    if (report.verdict === "hit") report.contact = this.#pairNames(r);
    return report;
  }
  #pairNames(r) {
    const kind = r.name(CONTACT_KINDS), link = r.number(), other = r.number();
    return { kind, link, other, ...this.#names(kind, link, other) };
  }
  #names(kind, link, other) {
    const otherName = kind === "self" ? this.links[other] : kind === "world" ? this.objects[other] : "boundary";
    return { linkName: this.links[link], otherName };
  }

  plan(start, goal, options = {}) {
    const o = { startBase: null, goalBase: null, step: 1, resolution: 0.05, seed: 1, maxIterations: 1e6, maxSeconds: 10,
                shortcutRounds: 800, sampler: "random", planarBase: false, certify: true, columns: null, watch: -1, onNode: null,
                ...options };
    const engine = this.#engine;
    const numbers = engine.put("plan options", [o.step, o.resolution, o.seed, o.maxIterations, o.maxSeconds,
                                                o.shortcutRounds, o.planarBase ? 1 : 0, o.certify ? 1 : 0,
                                                o.onNode ? o.watch : -1, indexOf(SAMPLERS, o.sampler, "sampler")]);
    engine.onNode = o.onNode;
    let columns = 0;
    if (o.columns) {
      columns = engine.buffer("columns", 4 * o.columns.length);
      new Int32Array(engine.exports.memory.buffer, columns, o.columns.length).set(o.columns);
    }
    const r = engine.row("graze_web_plan", 13, this.#q("q", start), this.#base("base", o.startBase),
                         this.#q("q2", goal), this.#base("base2", o.goalBase), numbers, columns, o.columns?.length ?? 0);
    const outcome = r.name(OUTCOMES), path = r.number();
    const result = { outcome, path: path ? this.#path(path) : null, joint: r.number(), iterations: r.number(),
                     configurationsChecked: r.number(), trees: r.list(2), lengthRaw: r.number(), length: r.number(),
                     certified: r.flag(), contact: null };
    if (outcome === "start-collides" || outcome === "goal-collides") result.contact = this.#pairNames(r);
    return result;
  }
  #path(path) {
    const x = this.#engine.exports;
    return Array.from({ length: x.graze_path_count(path) }, (_, i) => ({
      q: this.#readQ(x.graze_path_q(path, i)),
      base: this.#engine.numbers(x.graze_path_base(path, i), 6).slice() }));
  }

  simplifyPath(path) {
    const rows = new Float64Array(path.length * this.#size), bases = new Float64Array(path.length * 6);
    path.forEach((waypoint, i) => {
      rows.set(waypoint.q, i * this.#size);
      bases.set(waypoint.base ?? [0, 0, 0, 0, 0, 0], i * 6);
    });
    const q = this.#q("rows", rows, path.length), base = this.#engine.put("bases", bases);
    const kept = this.#engine.buffer("kept", 4 * path.length);
    const left = this.#engine.row("graze_web_simplify", 1, path.length, q, base, kept).number();
    return Array.from(new Uint32Array(this.#engine.exports.memory.buffer, kept, left), (i) => path[i]);
  }
}

function takeBytes(bytes) {
  if (bytes instanceof ArrayBuffer) return new Uint8Array(bytes);
  if (ArrayBuffer.isView(bytes)) return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  throw new GrazeError("argument", "a compiled file is no bytes; allowed: an ArrayBuffer, or a view of one");
}

/** Lets a page answer between two steps that each take long. */
const turn = () => new Promise((go) => {
  const { port1, port2 } = new MessageChannel(); // a timer would wait longer
  port1.onmessage = () => {
    port1.close();
    go();
  };
  port2.postMessage(null);
});

const COPIED = 1 << 18; // bytes at a time: what is new memory to the module is slow to write

async function openFile(engine, bytes, name, prove) {
  const x = engine.exports, at = x.graze_web_room(bytes.length);
  if (at === 0) throw new GrazeError("no-memory", `out of memory: ${bytes.length} bytes`);
  for (let i = 0; i < bytes.length; i += COPIED) {
    new Uint8Array(x.memory.buffer).set(bytes.subarray(i, i + COPIED), at + i);
    await turn();
  }
  engine.withText(name, (n) => engine.must(x.graze_web_open(engine.web, at, bytes.length, n, prove ? 1 : 0)));
  for (const take of [x.graze_web_take_robot, x.graze_web_take_world]) {
    await turn();
    engine.must(take(engine.web));
  }
  x.graze_web_close(engine.web);
}

function giveRules(engine, rules) {
  const x = engine.exports;
  for (const [a, b] of rules.allow ?? [])
    engine.withText(a, (p) => engine.withText(b, (q) => engine.must(x.graze_web_allow(engine.web, p, q))));
  for (const { a, b = "", margin } of rules.margins ?? [])
    engine.withText(a, (p) => engine.withText(b ?? "", (q) =>
      engine.must(x.graze_web_set_margin(engine.web, p, q, margin))));
  for (const { name, policy } of rules.policies ?? [])
    engine.withText(name, (p) =>
      engine.must(x.graze_web_set_policy(engine.web, p, indexOf(POLICIES, policy, "policy"))));
  const numbers = [indexOf(POLICIES, rules.policy ?? "solid", "policy"), rules.noSelf ? 1 : 0, rules.noWorld ? 1 : 0,
                   rules.ignoreSrdf ? 1 : 0, rules.margin ?? NaN, rules.domain ?? 100];
  engine.must(x.graze_web_prepare(engine.web, engine.put("rules", numbers)));
}

/** Opens a compiled robot, and a world where it is in a file of its own. */
export async function load(compiled, { world = null, rules = {}, prove = false, wasm } = {}) {
  const engine = new Engine(await compileModule(wasm));
  await turn();
  await openFile(engine, takeBytes(compiled), "robot", prove);
  if (world) await openFile(engine, takeBytes(world), "world", prove);
  await turn();
  giveRules(engine, rules);
  await turn();
  engine.must(engine.exports.graze_web_begin(engine.web));
  await turn();
  return new Scene(engine);
}
