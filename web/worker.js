// The script of a worker that owns a scene: plans and batches run here, and the page goes on. Its other side is
// remote.js.
import { load } from "./graze.js";

let scene = null;

function transferable(result) {
  return ArrayBuffer.isView(result) ? [result.buffer] : [];
}

const TELL_NODES = 400, TELL_MS = 60;

/** Plans, and tells of the search's nodes, some at a time: rows of tree, parent, x, y, z. */
function planWatched(id, start, goal, options) {
  let nodes = [], told = performance.now();
  const tell = () => {
    if (nodes.length) self.postMessage({ id, nodes: Float64Array.from(nodes) });
    nodes = [];
    told = performance.now();
  };
  const onNode = (tree, parent, point) => {
    nodes.push(tree, parent, ...point);
    if (nodes.length >= 5 * TELL_NODES || performance.now() - told > TELL_MS) tell();
  };
  const plan = scene.plan(start, goal, { ...options, onNode });
  tell();
  return plan;
}

async function answer({ id, method, args }) {
  if (method === "load") {
    scene = await load(...args);
    return null;
  }
  if (scene === null) throw new Error("no scene is loaded");
  if (typeof scene[method] !== "function") throw new Error(`no method '${method}'`);
  if (method === "plan" && args[2]?.watch >= 0) return planWatched(id, ...args);
  return scene[method](...args);
}

self.onmessage = async ({ data }) => {
  try {
    const result = await answer(data);
    self.postMessage({ id: data.id, result }, transferable(result));
  } catch (error) {
    const { name, message, status, file, element } = error;
    self.postMessage({ id: data.id, error: { name, message, status, file, element } });
  }
};
