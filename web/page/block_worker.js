// Reads the blocks of the page in a worker: from base64, uncompressed, a module of WebAssembly compiled.

function fromBase64(text) {
  const binary = atob(text), bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function answer({ texts, compile }) {
  const stream = new Blob(texts.map(fromBase64)).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = await new Response(stream).arrayBuffer();
  if (compile) self.postMessage({ result: await WebAssembly.compile(bytes) });
  else self.postMessage({ result: bytes }, [bytes]);
}

let last = Promise.resolve();
self.onmessage = ({ data }) => { last = last.then(() => answer(data)).catch(({ message }) => self.postMessage({ error: message })); };
