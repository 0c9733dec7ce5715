// Meshes in the making: the page answers in between.
import { pause } from "./pause.js";
import { MeshMaker } from "./shapes.js";

const TASK_MS = 10;
/** Triangles of visual, and of collision meshes, that are drawn while something moves where all of them take too long. */
const COARSE = 24000;

/** Waits for each of a list, and does something with it, but not for long at a time. */
export async function spread(list, use) {
  let begun = performance.now();
  for (const item of list) {
    await use(await item);
    if (performance.now() - begun < TASK_MS) continue;
    await pause();
    begun = performance.now();
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
