// Meshes in the making: the page answers in between.
import { pauseAfterLong } from "./pause.js";
import { MeshMaker } from "./shapes.js";

/** Triangles of visual, and of collision meshes, that are drawn while something moves where all of them take too long. */
const COARSE = 24000;

/** Waits for each of a list, and does something with it, but not for long at a time. */
export async function spread(list, use) {
  for (const item of list) {
    await use(await item);
    await pauseAfterLong();
  }
}
/** Of the triangles of some meshes those that are drawn while something moves where all of them take too long. */
export const coarseShare = (list) => Math.min(COARSE / Math.max(list.reduce((n, g) => n + (g.triangles?.length ?? 0) / 3, 0), 1), 1);
export const madeMesh = (meshes, g, smooth, share) => (g.shape === "mesh" && g.triangles.length ? meshes.make(g, smooth, share) : undefined);

/** Has visual meshes made ready, while there is neither an engine nor a stage.
 *  @param maker the address of the script of mesh_worker.js */
export async function makeVisuals(visuals, maker) {
  const meshes = new MeshMaker(maker), made = [], share = coarseShare(visuals);
  await spread(visuals, (g) => { made.push(madeMesh(meshes, g, true, share)); });
  return { visuals, meshes, made };
}
