// What the page holds: blocks of bytes in base64, compressed, each in elements of at most some 200 kB, so that the browser reads
// none of them for long. They are read in two workers while the rest of the page still comes in.
/* global BLOCK_WORKER */
import { pause } from "./pause.js";

const parsed = new Promise((go) => {
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", go, { once: true });
  else go();
});
const scriptOf = (content) => URL.createObjectURL(new Blob([content], { type: "text/javascript" }));

/** A worker that reads blocks, one after the other, each in the order of the calls. */
class Reader {
  #waiting = [];
  #last = Promise.resolve();
  constructor() {
    this.worker = new Worker(scriptOf(BLOCK_WORKER)); // its text: build_page.mjs puts it here
    this.worker.onmessage = ({ data: { result, error } }) => {
      const { resolve, reject } = this.#waiting.shift();
      if (error !== undefined) reject(new Error(`the page is damaged: ${error}`));
      else resolve(result);
    };
    this.worker.onerror = ({ message }) => { for (const { reject } of this.#waiting.splice(0)) reject(new Error(message)); };
  }
  /** A block's bytes, or with `compile` the module of WebAssembly that they are. It is taken out of the page, which has no other use for its text. */
  read(name, compile = false) {
    const result = this.#last.then(() => this.#send(name, compile));
    this.#last = result.then(() => {}, () => {});
    // Those that wait for it get the error; until then nobody may do so.
    const answer = result.then((given) => given.answer);
    answer.catch(() => {});
    return answer;
  }
  async #send(name, compile) {
    const elements = document.querySelectorAll(`script.graze-${name}`);
    if (!elements.length) throw new Error(`the page has no block '${name}'; it is made by graze view`);
    for (const element of elements) {
      this.worker.postMessage({ text: element.textContent });
      element.remove();
      await pause();
    }
    const answer = new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
    this.worker.postMessage({ compile });
    return { answer }; // the next one is sent while this one is read
  }
  end() { this.worker.terminate(); }
}

/** The first to ask for WebGL waits until the browser's graphics process is there: this is a worker. */
function beginToDraw() {
  const worker = new Worker(scriptOf("new OffscreenCanvas(1, 1).getContext('webgl2'); postMessage(0)"));
  return new Promise((go) => {
    worker.onmessage = worker.onerror = go;
  }).then(() => worker.terminate());
}

/** Begins to read all blocks, while the browser reads the page; a promise for each: bytes, addresses of scripts, a module. */
export async function readBlocks() {
  const drawing = beginToDraw();
  await pause();
  const scripts = new Reader();
  await pause();
  const data = new Reader();
  // Those of the scene stand behind this script.
  const bytes = (reader, name) => parsed.then(() => reader.read(name)).then((read) => new Uint8Array(read));
  const script = (reader, name) => reader.read(name).then(scriptOf);
  const blocks = { threeCore: script(scripts, "three-core"), three: script(scripts, "three"), script: script(scripts, "script"),
                   wasm: data.read("wasm", true), meshWorker: script(data, "mesh-worker"), worker: script(data, "worker"),
                   scene: bytes(data, "scene"), visuals: bytes(data, "visuals"), robot: bytes(scripts, "robot"), drawing };
  blocks.visuals.finally(() => data.end()).catch(() => {});
  blocks.robot.finally(() => scripts.end()).catch(() => {});
  for (const block of Object.values(blocks)) block.catch(() => {});
  return blocks;
}
