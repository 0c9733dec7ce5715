// What the page holds: blocks of bytes in base64, compressed.

function fromBase64(text) {
  const binary = atob(text), bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** The bytes of a block. */
export async function readBlock(name) {
  const element = document.getElementById(`graze-${name}`);
  if (!element) throw new Error(`the page has no block '${name}'; it is made by graze view`);
  const stream = new Blob([fromBase64(element.textContent)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The scene's description, with the visual geometries as the engine gives others. */
export async function readScene() {
  const [text, meshes] = await Promise.all([readBlock("scene"), readBlock("visuals")]);
  const scene = JSON.parse(new TextDecoder().decode(text));
  if (scene.format !== "graze-scene-1") throw new Error(`the scene has the format '${scene.format}'; allowed: graze-scene-1`);
  let at = 0;
  for (const g of scene.visuals) {
    if (g.ends) {
      g.ends = [g.ends.slice(0, 3), g.ends.slice(3)];
      continue;
    }
    const floats = 3 * g.vertices, indices = 3 * g.triangles;
    g.vertices = new Float32Array(meshes.buffer, at, floats);
    g.triangles = new Uint32Array(meshes.buffer, at + 4 * floats, indices);
    at += 4 * (floats + indices);
  }
  return scene;
}
