/** graze in JavaScript: 3D mesh collision of articulated robots, in WebAssembly. Metres, radians, right-handed axes. */

export type Verdict = "free" | "collision";
/** "any": yes or no; "pair": the lowest pair by name; "first": with its triangles; "all": every pair. */
export type Answer = "any" | "pair" | "first" | "all";
export type ContactKind = "self" | "world" | "boundary";
export type Shape = "box" | "sphere" | "cylinder" | "capsule" | "mesh" | "points" | "cone" | "halfspace" | "plane";
export type JointType = "fixed" | "revolute" | "continuous" | "prismatic" | "planar" | "floating";
export type Policy = "solid" | "surface" | "cap";
export type Outcome = "found" | "start-collides" | "goal-collides" | "start-limits" | "goal-limits" | "iterations" |
  "time" | "cancelled" | "unreachable";
export type Vector = number[];
/** A configuration: as many numbers as jointNames() has names. */
export type Configuration = ArrayLike<number>;
/** x y z roll pitch yaw of the root link. */
export type Base = ArrayLike<number>;
export type Bytes = ArrayBuffer | ArrayBufferView;

export const SHAPES: readonly Shape[];
export const JOINT_TYPES: readonly JointType[];
export const OUTCOMES: readonly Outcome[];

/** Every error: a bad argument, a damaged file, no memory. */
export class GrazeError extends Error {
  constructor(status: string, message: string, details?: object);
  /** "argument", "parse", "unsupported", "range", "no-memory" ... as graze_status_name() has them. */
  status: string;
  file?: string;
  element?: string;
}

/** The rules of every check, as the options of `graze check`. */
export interface Rules {
  policy?: Policy;
  noSelf?: boolean;
  noWorld?: boolean;
  ignoreSrdf?: boolean;
  /** Metres, for all pairs. */
  margin?: number;
  domain?: number;
  allow?: [string, string][];
  margins?: { a: string; b?: string | null; margin: number }[];
  policies?: { name: string; policy: Policy }[];
}

export interface LoadOptions {
  /** A compiled world, where the robot's file holds none. */
  world?: Bytes | null;
  rules?: Rules;
  /** Proves all that the files hold first (`graze compile --verify`): for files from elsewhere. */
  prove?: boolean;
  /** The module: bytes, compiled, or where it is; default: graze.wasm beside graze.js. */
  wasm?: Bytes | WebAssembly.Module | URL | string;
}

export interface Joint {
  name: string; type: JointType; parent: number; child: number;
  /** Row-major 3x4 matrix of the child's frame in the parent's at value 0. */
  origin: Vector; axis: Vector;
  /** The first column of q, -1 for fixed and mimic joints; how many. */
  column: number; columns: number;
  limited: boolean; lower: number; upper: number; velocity: number;
  mimic: number; multiplier: number; offset: number; passive: boolean;
}

export interface Geometry {
  name: string; uri: string | null; owner: number; element: number; shape: Shape;
  /** The link whose pose places the vertices; -1 in a world, where `origin` does. */
  frame: number; origin: Vector; size: Vector; scale: Vector; radius: number; length: number;
  vertices: Float64Array; triangles: Uint32Array; ends: [Vector, Vector]; color: Vector | null;
  /** Only its outside can be seen: closed, and wound outward; null where its mesh was not asked for. */
  closed: boolean | null;
}

export interface Bounds {
  empty: boolean; triangles: number;
  sphere: { center: Vector; radius: number };
  aabb: { min: Vector; max: Vector };
  obb: { center: Vector; axes: [Vector, Vector, Vector]; half: Vector };
}

export interface Pair { a: number; b: number; state: string; reason: string }

export interface Contact {
  kind: ContactKind; link: number; element: number; other: number; otherElement: number; contained: boolean;
  triangle: number; otherTriangle: number; segment: [Vector, Vector] | null; point: Vector;
  linkName: string; otherName: string;
  /** Why it does not count; null: it does. */
  reason: string | null;
}

export interface Report {
  verdict: Verdict; contacts: Contact[];
  /** Joints outside their limits, which is no collision. */
  violated: number[];
}

export interface TrianglePair {
  kind: ContactKind; link: number; element: number; other: number; otherElement: number; triangle: number;
  otherTriangle: number; overlap: boolean; segment: [Vector, Vector]; normals: [Vector, Vector];
}

export interface ContactPair {
  kind: ContactKind; link: number; element: number; other: number; otherElement: number; contained: boolean;
  triangleCount: number; normal: Vector; depth: number; least: number; points: Vector[]; depths: number[];
  triangles: TrianglePair[];
}

export interface Contacts { verdict: Verdict; pairs: ContactPair[]; triangleCount: number }

export interface PairNames { kind: ContactKind; link: number; other: number; linkName: string; otherName: string }

/** How far apart a pair is: lower <= distance <= upper, metres. The points, a point of each, are `upper` apart; where the pair
 *  overlaps both are 0. */
export interface Proximity extends PairNames {
  element: number; otherElement: number; triangle: number; otherTriangle: number; overlap: boolean;
  lower: number; upper: number; points: [Vector, Vector];
  /** Unit, from the link to the other. */
  normal: Vector;
}
export interface Distances { lower: number; upper: number; pairs: Proximity[] }

export interface MotionOptions {
  fromBase?: Base | null; toBase?: Base | null;
  /** The first collision is wanted, not any. */
  first?: boolean;
}
/** "free" is proved for the whole motion; "undecided" is never to be taken for free. */
export interface MotionReport {
  verdict: "free" | "hit" | "undecided"; earliest: number; latest: number; contact: PairNames | null;
}

/** Pieces of time, each a polynomial by its Bezier control points: `degree` + 1 rows of q and of the base, one piece behind the
 *  other; piece i is from times[i] to times[i + 1]. */
export interface Trajectory { degree: number; times: ArrayLike<number>; q: ArrayLike<number>; base: ArrayLike<number> }

export interface Waypoint { q: Float64Array; base: Float64Array }

export interface PlanOptions {
  startBase?: Base | null; goalBase?: Base | null; step?: number; resolution?: number; seed?: number;
  maxIterations?: number; maxSeconds?: number; shortcutRounds?: number;
  /** Where the samples of the search come from; the seed enters the Halton sequence somewhere. Default "random". */
  sampler?: "random" | "halton";
  /** The base's x, y and yaw are planned, too. */
  planarBase?: boolean;
  /** Each motion of the path is proved free; default true. */
  certify?: boolean;
  /** Columns of q to plan; default: all but passive joints. */
  columns?: number[] | null;
  /** Called for each node of the two trees of the search (0: the start's, 1: the goal's), with the number of its parent in its
   *  tree (-1: it is the root) and where the frame of the link `watch` is. */
  onNode?: ((tree: number, parent: number, point: Vector) => void) | null;
  watch?: number;
}
export interface Plan {
  outcome: Outcome; path: Waypoint[] | null; joint: number; iterations: number; configurationsChecked: number;
  trees: [number, number]; lengthRaw: number; length: number; certified: boolean; contact: PairNames | null;
}

/** A robot, its world and its rules. Methods throw GrazeError; one call at a time. */
export class Scene {
  private constructor();
  readonly name: string;
  readonly version: string;
  readonly links: readonly string[];
  readonly linkCount: number;
  readonly root: number;
  readonly objects: readonly string[];
  readonly epsilon: number;
  readonly dof: number;

  jointNames(): string[];
  /** -Infinity and Infinity where there is no limit. */
  lowerBounds(): Float64Array;
  upperBounds(): Float64Array;
  columnKinds(): ("line" | "circle" | "rotation")[];
  /** The joint that each column of q belongs to. */
  columnJoints(): number[];
  joints(): Joint[];
  geometryCount(kind: "collision" | "visual" | "object"): number;
  /** `mesh: false` leaves out vertices and triangles, which are copied, and whether it is closed; `closed: false` the latter. */
  geometry(kind: "collision" | "visual" | "object", index: number, options?: { mesh?: boolean; closed?: boolean }): Geometry;
  geometries(kind: "collision" | "visual" | "object"): Geometry[];
  /** Boxes of a level of a mesh's bounding-volume hierarchy, in the frame of its vertices: min and max of each. Level 0 is one. */
  treeBoxes(kind: "collision" | "visual" | "object", index: number, level: number): Float64Array;
  /** In the link's frame. */
  linkBounds(link: number): Bounds;
  pairs(): Pair[];
  boundary(): { min: Vector; max: Vector } | null;
  /** Named states of the SRDF. */
  states(): { name: string; group: string }[];

  /** The world changes: objects by name; poses are twelve numbers, row-major 3x4. Rules stay. */
  moveObject(name: string, pose: ArrayLike<number>): void;
  addObject(name: string, shape: { shape: Exclude<Shape, "mesh" | "points">; size?: Vector; radius?: number; length?: number },
            pose: ArrayLike<number>): void;
  removeObject(name: string): void;
  /** About the origin of its frame; of meshes, too. It then stands at the end of `objects`. A half-space or plane is refused. */
  scaleObject(name: string, factor: number): void;
  /** The world as it is now, to go back to: a number, for as long as it is not dropped. What does not change is shared. */
  keepWorld(): number;
  /** Makes the world what it was then; the version stays. */
  restoreWorld(version: number): void;
  dropWorld(version: number): void;

  rest(): Float64Array;
  /** A named state, on top of q (default: rest). */
  state(name: string, group?: string, q?: Configuration): Float64Array;
  clamp(q: Configuration): Float64Array;
  /** Configuration `index` of the random sequence of a seed. */
  sample(seed: number, index: number): Float64Array;
  /** The metric of configurations, not a clearance. */
  distance(from: Configuration, to: Configuration): number;
  interpolate(from: Configuration, to: Configuration, t: number): Float64Array;
  /** Twelve numbers for each link: its pose as a row-major 3x4 matrix. */
  forwardKinematics(q: Configuration, base?: Base | null): Float64Array;

  /** Whether a configuration is free. */
  validate(q: Configuration, base?: Base | null): boolean;
  check(q: Configuration, options?: { base?: Base | null; answer?: Answer }): Report;
  /** Contacts of pairs that do not count: adjacent, disabled by the SRDF, allowed. */
  hiddenContacts(q: Configuration, base?: Base | null): Contact[];
  /** Every pair of geometries that collides, with its pairs of triangles (at most `limit`; 0: all) and, unless `manifolds` is
   *  false, normal, depth and points. */
  contacts(q: Configuration, options?: { base?: Base | null; limit?: number; manifolds?: boolean }): Contacts;
  /** One byte for each row: 0 free, 1 collision. */
  validateBatch(rows: ArrayLike<number>, base?: Base | null): Uint8Array;
  /** The nearest pairs, and bounds of the least distance of all that are checked, in metres. */
  nearest(q: Configuration, options?: { base?: Base | null; count?: number; threshold?: number }): Distances;
  /** Whether the whole straight motion is proved free. */
  validateMotion(from: Configuration, to: Configuration, options?: MotionOptions): boolean;
  motion(from: Configuration, to: Configuration, options?: MotionOptions): MotionReport;
  plan(start: Configuration, goal: Configuration, options?: PlanOptions): Plan;
  /** Takes a timed trajectory, of which the next two are. */
  setTrajectory(trajectory: Trajectory): void;
  trajectoryAt(time: number): Waypoint;
  /** Whether a piece is proved free at every time; times in s. */
  checkPiece(piece: number): MotionReport;
  /** Leaves out waypoints that a motion proved free skips. */
  simplifyPath(path: { q: Configuration; base?: Base }[]): Waypoint[];
}

/** Opens a compiled robot (`graze compile`). */
export function load(compiled: Bytes, options?: LoadOptions): Promise<Scene>;
