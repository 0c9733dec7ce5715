// A scene that lives in a worker: the methods of Scene, each with a promise. The worker runs worker.js.
import { GrazeError } from "./graze.js";

export class RemoteScene {
  #worker;
  #waiting = new Map();
  #next = 0;

  constructor(worker) {
    this.#worker = worker;
    worker.onmessage = ({ data }) => {
      const call = this.#waiting.get(data.id);
      if (!call) return;
      if (data.nodes) return void call.onNodes?.(data.nodes);
      this.#waiting.delete(data.id);
      if (data.error) call.reject(new GrazeError(data.error.status, data.error.message, data.error));
      else call.resolve(data.result);
    };
    worker.onerror = (event) => this.#end(new GrazeError("argument", event.message ?? "the worker failed to start"));
  }

  /** Whether calls wait for their results. */
  get busy() { return this.#waiting.size > 0; }
  /** Calls a method of the scene. */
  call(method, ...args) { return this.#call(null, method, ...args); }
  #call(onNodes, method, ...args) {
    if (this.#worker === null) return Promise.reject(new GrazeError("cancelled", "the worker was ended"));
    return new Promise((resolve, reject) => {
      this.#waiting.set(++this.#next, { resolve, reject, onNodes });
      this.#worker.postMessage({ id: this.#next, method, args });
    });
  }
  /** `watch`: a link; `onNodes` then gets the nodes of the search, some at a time: rows of tree, parent, x, y, z. */
  plan(start, goal, { onNodes = null, ...options } = {}) { return this.#call(onNodes, "plan", start, goal, options); }
  setTrajectory(trajectory) { return this.call("setTrajectory", trajectory); }
  checkPiece(piece) { return this.call("checkPiece", piece); }
  simplifyPath(path) { return this.call("simplifyPath", path); }
  validateBatch(rows, base) { return this.call("validateBatch", rows, base); }
  nearest(q, options) { return this.call("nearest", q, options); }
  validateMotion(from, to, options) { return this.call("validateMotion", from, to, options); }
  motion(from, to, options) { return this.call("motion", from, to, options); }

  /** Ends the worker; calls that wait are rejected. */
  terminate() { this.#end(new GrazeError("cancelled", "the worker was ended")); }
  #end(error) {
    this.#worker?.terminate();
    this.#worker = null;
    for (const call of this.#waiting.values()) call.reject(error);
    this.#waiting.clear();
  }
}

/** Loads a scene in a worker that runs worker.js; arguments as load(), `wasm` as bytes, module or URL. */
export async function loadInWorker(worker, compiled, options) {
  const scene = new RemoteScene(worker);
  await scene.call("load", compiled, options);
  return scene;
}
