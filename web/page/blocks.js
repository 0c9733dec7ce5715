// What the page holds: blocks of bytes in base64, compressed, each in elements of at most some 200 kB, so that the browser reads
// none of them for long. They are read in a worker while the rest of the page still comes in.
/* global BLOCK_WORKER */
import { pause } from "./pause.js";

const parsed = new Promise((go) => {
  if (document.readyState === "loading") addEventListener("DOMContentLoaded", go, { once: true });
  else go();
});
export const scriptOf = (content) => URL.createObjectURL(new Blob([content], { type: "text/javascript" }));

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
  /** A block's bytes, or of the kind "module" the module of WebAssembly that they are. It is taken out of the page, which has no other use for its text. */
  read(name, kind) {
    const result = this.#last.then(() => this.#send(name, kind));
    this.#last = result.then(() => {}, () => {});
    // Those that wait for it get the error; until then nobody may do so.
    const answer = result.then((given) => given.answer);
    answer.catch(() => {});
    return answer;
  }
  async #send(name, kind) {
    const elements = document.querySelectorAll(`script.graze-${name}`);
    if (!elements.length) throw new Error(`the page has no block '${name}'; it is made by graze view`);
    for (const element of elements) {
      this.worker.postMessage({ text: element.textContent });
      element.remove();
      await pause();
    }
    const answer = new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
    this.worker.postMessage({ kind });
    return { answer }; // the next one is sent while this one is read
  }
  end() { this.worker.terminate(); }
}

/** Begins to read the blocks, while the browser reads the page; a promise for each: bytes, addresses of scripts, a module. */
export async function readBlocks() {
  await pause();
  const reader = new Reader();
  const script = (name) => reader.read(name).then(scriptOf);
  const blocks = { threeCore: script("three-core"), three: script("three"), script: script("script") };
  // The scene stands behind this script.
  const calm = Promise.all([parsed, blocks.script]), read = (name, kind) => calm.then(() => reader.read(name, kind));
  const bytes = (name, kind) => read(name, kind).then((block) => new Uint8Array(block));
  Object.assign(blocks, { wasm: read("wasm", "module"), meshWorker: read("mesh-worker").then(scriptOf), scene: bytes("scene"), visuals: bytes("visuals"),
                          robot: bytes("robot", "robot"), worker: read("worker").then(scriptOf) });
  blocks.worker.finally(() => reader.end()).catch(() => {});
  for (const block of Object.values(blocks)) block.catch(() => {});
  return blocks;
}
