// What graze export writes, read by three.js: node export.test.mjs NPM_FOLDER GRAZE PACKAGE_FOLDER
// Every mesh lies where the engine poses it, and has the colour of its part in the collision.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [npm, graze, folder] = process.argv.slice(2);
const root = resolve(dirname(fileURLToPath(import.meta.url)), "../.."), modules = resolve(npm, "node_modules/three");
const THREE = await import(pathToFileURL(join(modules, "build/three.module.js")));
const { GLTFLoader } = await import(pathToFileURL(join(modules, "examples/jsm/loaders/GLTFLoader.js")));
const { load } = await import(pathToFileURL(join(resolve(folder), "graze.js")));

const run = (...args) => execFileSync(graze, args, { maxBuffer: 1 << 28 });
const robot = [join(root, "urdf/heron.urdf"), "--srdf", join(root, "urdf/heron.srdf"), "--world", join(root, "worlds/shelf.json"), "--quiet"];
const glb = run("export", ...robot, "-q", "shoulder_lift_joint=0.4,elbow_flex_joint=0.2,torso_lift_joint=0.1", "--geometry", "collision", "-o", "-");
const scene = await load(run("compile", ...robot, "-o", "-"));
const q = scene.rest();
for (const [name, value] of [["shoulder_lift_joint", 0.4], ["elbow_flex_joint", 0.2], ["torso_lift_joint", 0.1]])
  q[scene.jointNames().indexOf(name)] = value;
const poses = scene.forwardKinematics(q), contacts = scene.check(q, { answer: "all" }).contacts;
const gltf = await new GLTFLoader().parseAsync(glb.buffer.slice(glb.byteOffset, glb.byteOffset + glb.length), "");
gltf.scene.updateMatrixWorld(true);

/** The box of a geometry as the engine poses it, y up. */
function boxOf(g, pose) {
  const box = new THREE.Box3();
  for (let i = 0; i < g.vertices.length; i += 3) {
    const [x, y, z] = [0, 4, 8].map((r) => pose[r] * g.vertices[i] + pose[r + 1] * g.vertices[i + 1] + pose[r + 2] * g.vertices[i + 2] + pose[r + 3]);
    box.expandByPoint(new THREE.Vector3(x, z, -y));
  }
  return box;
}
const found = new Map();
gltf.scene.traverse((node) => { if (node.isMesh) found.set(node.name, node); });
const far = (a, b) => Math.max(a.min.distanceTo(b.min), a.max.distanceTo(b.max));
let compared = 0;
const compare = (name, g, pose, color) => {
  const mesh = found.get(THREE.PropertyBinding.sanitizeNodeName(name));
  assert.ok(mesh, name);
  assert.ok(far(new THREE.Box3().setFromObject(mesh), boxOf(g, pose)) < 1e-5, name);
  const { r, g: green } = mesh.material.color, seen = r > 0.7 && green < 0.05 ? "red" : r > 0.8 && green < 0.4 ? "orange" : "none";
  assert.equal(seen, color, name);
  compared++;
};
for (const g of scene.geometries("collision")) {
  const hit = contacts.some((c) => c.link === g.owner), touched = contacts.some((c) => c.kind === "self" && c.other === g.owner);
  compare(scene.links[g.owner], g, poses.subarray(12 * g.frame, 12 * g.frame + 12), hit ? "red" : touched ? "orange" : "none");
}
for (const g of scene.geometries("object").filter((o) => o.vertices.length))
  compare(g.name, g, g.origin, contacts.some((c) => c.kind === "world" && c.other === g.owner) ? "orange" : "none");
assert.ok(contacts.length > 0 && compared > 35);
console.log(`${compared} meshes lie where the engine poses them`);
