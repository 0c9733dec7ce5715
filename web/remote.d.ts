import type { Base, Bytes, Configuration, Distances, LoadOptions, MotionOptions, MotionReport, Plan, PlanOptions, Waypoint }
  from "./graze.js";

/** A scene in a worker: methods of Scene with promises. */
export class RemoteScene {
  constructor(worker: Worker);
  call(method: string, ...args: unknown[]): Promise<unknown>;
  plan(start: Configuration, goal: Configuration, options?: PlanOptions): Promise<Plan>;
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
