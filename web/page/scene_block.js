// The scene that graze view has put into the page.
/** The scene's description, with the visual geometries as the engine gives others. */
export async function readScene(blocks) {
  const [text, meshes] = await Promise.all([blocks.scene, blocks.visuals]);
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
