// What the page holds: blocks of bytes in base64, compressed, each in elements of at most some 200 kB, so that the browser reads
// none of them for long. They are read in a worker.
/* global BLOCK_WORKER */

const { port1, port2 } = new MessageChannel(), going = [];
port1.onmessage = () => going.shift()();

/** Gives way to what else the page has to do. */
export function pause() {
  return new Promise((go) => {
    going.push(go);
    port2.postMessage(null);
  });
}

const scriptOf = (content) => URL.createObjectURL(new Blob([content], { type: "text/javascript" }));
let worker = null;
const waiting = []; // for its answers, which come in the order of the questions

function startWorker() {
  worker = new Worker(scriptOf(BLOCK_WORKER)); // its text: build_page.mjs puts it here
  worker.onmessage = ({ data: { result, error } }) => {
    const { resolve, reject } = waiting.shift();
    if (error !== undefined) reject(new Error(`the page is damaged: ${error}`));
    else resolve(result);
    if (waiting.length) return;
    worker.terminate();
    worker = null;
  };
  worker.onerror = ({ message }) => { for (const { reject } of waiting.splice(0)) reject(new Error(message)); };
}

/** A block's bytes, or the module of WebAssembly that they are. It is taken out of the page, which has no other use for its text. */
async function read(name, compile) {
  const elements = document.querySelectorAll(`script.graze-${name}`), texts = [];
  if (!elements.length) throw new Error(`the page has no block '${name}'; it is made by graze view`);
  for (const element of elements) {
    texts.push(element.textContent);
    element.remove();
    await pause();
  }
  return new Promise((resolve, reject) => {
    waiting.push({ resolve, reject });
    if (!worker) startWorker();
    worker.postMessage({ texts, compile });
  });
}

export const readBlock = async (name) => new Uint8Array(await read(name, false));
export const readModule = (name) => read(name, true);
/** A block as the address of a script. */
export const readScript = async (name) => scriptOf(await read(name, false));
