// Not run: `tsc --noEmit` holds that the types of the package allow what its users write, and refuse what is wrong.
import { load, type Plan, type Scene } from "graze";
import { loadInWorker } from "graze/remote";

export async function use(bytes: Uint8Array, worker: Worker): Promise<number> {
  const scene: Scene = await load(bytes, { rules: { margin: 0.01, allow: [["a", "b"]], policy: "cap" }, wasm: bytes });
  const names: string[] = scene.jointNames(), rest: Float64Array = scene.rest();
  if (!scene.validate(rest, [0, 0, 0, 0, 0, 0])) return scene.check(rest, { answer: "all" }).contacts[0].point[2];
  const plan: Plan = scene.plan(rest, scene.state("ready", "arm"), { seed: 2, columns: [1, 2] });
  const remote = await loadInWorker(worker, bytes);
  const verdicts: Uint8Array = await remote.validateBatch(new Float64Array(names.length));
  const near: number = scene.nearest(rest, { count: 2, threshold: 1 }).pairs[0].points[1][2] + (await remote.nearest(rest)).lower;
  await remote.setTrajectory({ degree: 1, times: [0, 1], q: new Float64Array(2 * names.length), base: new Array(12).fill(0) });
  if ((await remote.checkPiece(0)).verdict === "free") await remote.plan(rest, rest, { watch: 1, onNodes: (nodes) => nodes.subarray(5) });
  scene.restoreWorld(scene.keepWorld());
  // @ts-expect-error there is no such policy
  await load(bytes, { rules: { policy: "wood" } });
  // @ts-expect-error a plan may have no path
  plan.path.length;
  return scene.simplifyPath(plan.path ?? []).length + verdicts[0] + scene.contacts(rest).pairs.length + near;
}
