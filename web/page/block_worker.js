// Reads the blocks of the page in a worker: from base64, uncompressed, a module of WebAssembly compiled. The elements of a block come one
// by one, and then what it is.

function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text); // of newer browsers
  const binary = atob(text), bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function answer(parts, compile) {
  const stream = new Blob(parts).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = await new Response(stream).arrayBuffer();
  if (compile) self.postMessage({ result: await WebAssembly.compile(bytes) });
  else self.postMessage({ result: bytes }, [bytes]);
}

let texts = [], last = Promise.resolve();
self.onmessage = ({ data: { text, compile } }) => {
  if (text !== undefined) return void texts.push(text);
  const block = texts;
  texts = [];
  last = last.then(() => answer(block.map(fromBase64), compile)).catch(({ message }) => self.postMessage({ error: message }));
};
