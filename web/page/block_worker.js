// Reads the blocks of the page in a worker: from base64, uncompressed, a module of WebAssembly compiled. The elements of a block come one
// by one, and then what it is.
import { load } from "../graze.js";

function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text); // of newer browsers
  const binary = atob(text), bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

const POSES = 8;

/** Opens a compiled robot and checks some poses. Browsers compile functions of a module when they are called first, and for all who have the
 *  module: here they are called first, in the page they then take a tenth of the time. What is wrong with the robot is said there. */
async function rehearse(wasm, robot) {
  try {
    const scene = await load(robot, { wasm });
    scene.geometry("collision", 0);
    for (let i = 0; i < POSES; i++) {
      const q = i ? scene.sample(1, i) : scene.rest();
      scene.forwardKinematics(q);
      scene.check(q, { answer: "all" });
      scene.contacts(q);
      scene.hiddenContacts(q);
    }
  } catch {
    // The page says it.
  }
}

let module; // of WebAssembly, once it has been read

async function answer(parts, kind) {
  const stream = new Blob(parts).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = await new Response(stream).arrayBuffer();
  if (kind === "module") return self.postMessage({ result: (module = await WebAssembly.compile(bytes)) });
  if (kind === "robot") await rehearse(module, bytes);
  self.postMessage({ result: bytes }, [bytes]);
}

let texts = [], last = Promise.resolve();
self.onmessage = ({ data: { text, kind } }) => {
  if (text !== undefined) return void texts.push(text);
  const block = texts;
  texts = [];
  last = last.then(() => answer(block.map(fromBase64), kind)).catch(({ message }) => self.postMessage({ error: message }));
};
