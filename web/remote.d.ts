import type { Base, Bytes, Configuration, Distances, LoadOptions, MotionOptions, MotionReport, Plan, PlanOptions, Trajectory, Waypoint }
  from "./graze.js";

/** `onNodes`: in place of onNode, gets nodes some at a time, where `watch` is a link: rows of tree, parent, x, y, z. */
export type RemotePlanOptions = Omit<PlanOptions, "onNode"> & { onNodes?: ((nodes: Float64Array) => void) | null };

/** A scene in a worker: methods of Scene with promises. */
export class RemoteScene {
  constructor(worker: Worker);
  /** Whether calls wait for their results. */
  readonly busy: boolean;
  call(method: string, ...args: unknown[]): Promise<unknown>;
  plan(start: Configuration, goal: Configuration, options?: RemotePlanOptions): Promise<Plan>;
  setTrajectory(trajectory: Trajectory): Promise<void>;
  checkPiece(piece: number): Promise<MotionReport>;
  simplifyPath(path: Waypoint[]): Promise<Waypoint[]>;
  validateBatch(rows: Float64Array, base?: Base | null): Promise<Uint8Array>;
  nearest(q: Configuration, options?: { base?: Base | null; count?: number; threshold?: number }): Promise<Distances>;
  validateMotion(from: Configuration, to: Configuration, options?: MotionOptions): Promise<boolean>;
  motion(from: Configuration, to: Configuration, options?: MotionOptions): Promise<MotionReport>;
  /** Ends the worker; calls that wait are rejected. */
  terminate(): void;
}
/** Loads a scene in a worker that runs "graze/worker". */
export function loadInWorker(worker: Worker, compiled: Bytes, options?: LoadOptions): Promise<RemoteScene>;
