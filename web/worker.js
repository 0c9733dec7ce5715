// The script of a worker that owns a scene: plans and batches run here, and the page goes on. Its other side is
// remote.js.
import { load } from "./graze.js";

let scene = null;

function transferable(result) {
  return ArrayBuffer.isView(result) ? [result.buffer] : [];
}

async function answer({ method, args }) {
  if (method === "load") {
    scene = await load(...args);
    return null;
  }
  if (scene === null) throw new Error("no scene is loaded");
  if (typeof scene[method] !== "function") throw new Error(`no method '${method}'`);
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
