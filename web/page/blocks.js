// What the page holds: blocks of bytes in base64, compressed, each in elements of at most some 200 kB, so that neither the browser's
// reading nor ours of one takes long.

/** Gives way to what else the page has to do. */
export function pause() {
  return new Promise((go) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      go();
    };
    port2.postMessage(null);
  });
}

function fromBase64(text) {
  const binary = atob(text), bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** The bytes of a block. It is taken out of the page, which has no other use for its text. */
export async function readBlock(name) {
  const elements = document.querySelectorAll(`script.graze-${name}`), pieces = [];
  if (!elements.length) throw new Error(`the page has no block '${name}'; it is made by graze view`);
  for (const element of elements) {
    pieces.push(fromBase64(element.textContent));
    element.remove();
    await pause();
  }
  const stream = new Blob(pieces).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** A block as the address of a script. */
export async function readScript(name, edit = (text) => text) {
  const text = edit(new TextDecoder().decode(await readBlock(name)));
  return URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
}
