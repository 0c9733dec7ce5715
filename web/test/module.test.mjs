// The JavaScript package by itself: what its calls take, what they refuse, and files that are damaged.
//
//   GRAZE=PROGRAM GRAZE_PACKAGE=FOLDER node --test module.test.mjs
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";

const root = resolve(import.meta.dirname ?? ".", "../..");
const folder = resolve(process.env.GRAZE_PACKAGE);
const { load, GrazeError } = await import(pathToFileURL(join(folder, "graze.js")));
const { loadInWorker } = await import(pathToFileURL(join(folder, "remote.js")));

function compile(robot, ...more) {
  const source = ["compile", join(root, `urdf/${robot}.urdf`), "--srdf", join(root, `urdf/${robot}.srdf`)];
  return execFileSync(process.env.GRAZE, [...source, ...more, "--quiet", "-o", "-"], { maxBuffer: 1 << 28 });
}
const shelf = ["--world", join(root, "worlds/shelf.json")];
const heron = compile("heron", ...shelf), six = compile("six_axis");

function refuses(call, status, message) {
  assert.throws(call, (e) => e instanceof GrazeError && e.status === status && message.test(e.message));
}

test("model as the description says", async () => {
  const scene = await load(heron);
  assert.equal(scene.name, "heron");
  assert.equal(scene.jointNames()[6], "shoulder_lift_joint");
  const at = scene.jointNames().indexOf("elbow_flex_joint");
  assert.deepEqual([scene.lowerBounds()[at], scene.upperBounds()[at]], [-2.251, 2.251]);
  assert.equal(scene.upperBounds()[0], Infinity);
  assert.deepEqual(scene.boundary(), { min: [-3, -3, 0], max: [3, 3, 3] });
  assert.ok(scene.states().some((s) => s.name === "tuck" && s.group === "arm"));
  assert.equal(scene.objects[0], "board1");
  const triangles = scene.geometries("collision").reduce((sum, g) => sum + g.triangles.length / 3, 0);
  assert.equal(triangles, 38776);
  const ball = scene.geometries("object").find((g) => g.name === "ball");
  assert.deepEqual([ball.shape, ball.radius, ball.origin[3], ball.origin[7], ball.origin[11]],
                   ["sphere", 0.11, 1, -0.2, 0.3755]);
  assert.equal(scene.pairs().filter((p) => p.state === "adjacent").length, 23);
  const joint = scene.joints().find((j) => j.name === "torso_lift_joint");
  assert.deepEqual([joint.type, joint.axis], ["prismatic", [0, 0, 1]]);
});

test("poses: the torso rises by what its joint says", async () => {
  const scene = await load(heron), q = scene.rest(), link = scene.links.indexOf("torso_lift_link");
  const low = scene.forwardKinematics(q)[12 * link + 11];
  q[2] = 0.25;
  assert.ok(Math.abs(scene.forwardKinematics(q)[12 * link + 11] - low - 0.25) < 1e-12);
  assert.equal(scene.forwardKinematics(q, [0, 0, 2, 0, 0, 0])[12 * scene.root + 11], 2);
});

test("contacts name links, and hidden ones their reason", async () => {
  const scene = await load(heron), q = scene.rest();
  q[6] = 1.5;
  q[8] = 1;
  const report = scene.check(q, { answer: "all" }), contacts = scene.contacts(q, { limit: 3 });
  assert.equal(report.verdict, "collision");
  assert.equal(report.contacts[0].linkName, "base_link");
  assert.ok(contacts.pairs.every((p) => p.triangles.length <= 3 && p.depth >= p.least));
  assert.ok(scene.hiddenContacts(scene.rest()).every((c) => c.reason.length > 0));
  assert.ok(scene.hiddenContacts(scene.rest()).length > 0);
  q[8] = 3;
  assert.deepEqual(scene.check(q).violated.map((j) => scene.joints()[j].name), ["elbow_flex_joint"]);
});

test("the nearest pairs: bounds, points as far apart, names, a threshold", async () => {
  const scene = await load(heron), q = scene.rest(), least = scene.nearest(q), three = scene.nearest(q, { count: 3 });
  assert.equal(least.pairs.length, 1);
  assert.deepEqual(three.pairs[0].points, least.pairs[0].points);
  const cell = 2 ** -34;  // metres: bounds of one cell count as equal, as <graze/distance.h> says
  assert.ok(three.pairs.every((p, i) => i === 0 || p.upper >= three.pairs[i - 1].upper - cell));
  for (const p of three.pairs) {
    const apart = Math.hypot(...p.points[0].map((v, k) => v - p.points[1][k]));
    assert.ok(p.lower <= apart + 1e-9 && p.upper >= apart - 1e-9 && p.upper - p.lower < 1e-9 && !p.overlap);
  }
  assert.equal(scene.nearest(q, { count: 9, threshold: least.lower / 2 }).pairs.length, 0);
  assert.ok((await load(heron, { rules: { margin: least.upper * 1.01 } })).check(q).verdict === "collision");
  q[6] = 1.5;
  q[8] = 1;
  assert.ok(scene.nearest(q, { count: 4 }).pairs[0].overlap && scene.nearest(q).upper === 0);
  for (const count of [0, 1.5, NaN]) assert.throws(() => scene.nearest(q, { count }), /count is/);
  assert.throws(() => scene.nearest(q, { threshold: -1 }), GrazeError);
  assert.throws(() => scene.nearest([1]), /1 numbers/);
});

test("rules count", async () => {
  const q = (await load(six)).rest();
  assert.ok((await load(six)).validate(q));
  assert.ok(!(await load(six, { rules: { margin: 10 } })).validate(q));
  assert.ok((await load(six, { rules: { margin: 10, noSelf: true } })).validate(q));
  const two = await load(heron, { rules: { allow: [["ball", "base_link"]], policies: [{ name: "ball", policy: "surface" }],
                                           margins: [{ a: "ball", margin: 0.01 }] } });
  assert.ok(two.validate(two.rest()));
  await assert.rejects(load(six, { rules: { allow: [["no_such", "link"]] } }), /no_such/);
  await assert.rejects(load(six, { rules: { policy: "wood" } }), /wood.*solid, surface, cap/);
});

/** Two scenes have the same contacts; more than `least` verdicts are others than before. */
function sameContacts(scene, expected, q, before, least) {
  let differ = 0;
  for (let i = 0; i < before.length; i++) {
    const [mine, theirs] = [scene, expected].map((s) => s.check(q(i), { answer: "all" }));
    assert.deepEqual(mine.contacts, theirs.contacts);
    differ += (mine.verdict === "free") !== before[i];
  }
  assert.ok(differ > least, `${differ} verdicts have changed`);
}

test("a world that is changed is the world of a file that says so", async () => {
  const file = JSON.parse(readFileSync(join(root, "worlds/shelf.json"), "utf8")), folder = mkdtempSync(join(tmpdir(), "graze-module-"));
  const board = file.objects.find((o) => o.name === "board2"), path = join(folder, "changed.json");
  for (const o of file.objects) if (o.file) o.file = join(root, "worlds", o.file);
  board.position = [0.7, 0.1, 0.8];
  file.objects = file.objects.filter((o) => o.name !== "crate");
  file.objects.push({ name: "post", shape: "cylinder", radius: 0.1, length: 1.5, position: [0.5, -0.4, 0.75] });
  writeFileSync(path, JSON.stringify(file));
  const expected = await load(compile("heron", "--world", path)), scene = await load(heron), q = (i) => scene.sample(11, i);
  const before = Array.from({ length: 400 }, (_, i) => scene.validate(q(i)));
  const near = (s) => s.nearest(q(0), { count: 3 });
  assert.equal(near(scene).pairs.length, 3);
  scene.moveObject("board2", [1, 0, 0, 0.7, 0, 1, 0, 0.1, 0, 0, 1, 0.8]);
  scene.removeObject("crate");
  scene.addObject("post", { shape: "cylinder", radius: 0.1, length: 1.5 }, [1, 0, 0, 0.5, 0, 1, 0, -0.4, 0, 0, 1, 0.75]);
  assert.deepEqual(scene.objects, expected.objects);
  sameContacts(scene, expected, q, before, 20);
  assert.deepEqual(near(scene), near(expected), "nearest pairs of the world before");
  assert.deepEqual(scene.plan(q(0), q(0)).outcome, expected.plan(q(0), q(0)).outcome);
  refuses(() => scene.moveObject("nothing", [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]), "not-found", /nothing/);
  refuses(() => scene.addObject("post", { shape: "box", size: [1, 1, 1] }, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]), "schema", /post/);
  refuses(() => scene.addObject("p", { shape: "mesh" }, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]), "argument", /mesh/);
  refuses(() => scene.moveObject("post", [2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]), "argument", /./);
  assert.deepEqual(scene.objects, expected.objects);
  const alone = await load(six);
  alone.addObject("wall", { shape: "box", size: [9, 9, 9] }, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
  assert.ok(!alone.validate(alone.rest()));
  rmSync(folder, { recursive: true });
});

test("the checker of plans, made with the first plan, has the rules and the world of then", async () => {
  const rules = { allow: [["crate", "gripper_link"]] }, early = await load(heron, { rules }), late = await load(heron, { rules });
  const [start, goal] = [early.state("tuck", "arm", early.rest()), early.state("ready", "arm", early.rest())];
  early.plan(start, goal); // its checker is of the world before
  for (const scene of [early, late]) {
    scene.removeObject("crate");
    scene.addObject("ball1", { shape: "sphere", radius: 0.1 }, [1, 0, 0, 0.9, 0, 1, 0, 0.3, 0, 0, 1, 0.9]);
  }
  const plan = late.plan(start, goal);
  assert.equal(plan.outcome, "found");
  assert.deepEqual(plan, early.plan(start, goal));
  // Its start is where the new ball is.
  const at = 12 * late.links.indexOf("wrist_flex_link"), poses = late.forwardKinematics(start);
  late.moveObject("ball1", [1, 0, 0, poses[at + 3], 0, 1, 0, poses[at + 7], 0, 0, 1, poses[at + 11]]);
  assert.equal(late.plan(start, goal).outcome, "start-collides");
});

test("an object that is scaled is that of a file with its sizes, meshes and several shapes, too", async () => {
  const file = JSON.parse(readFileSync(join(root, "worlds/shelf.json"), "utf8")), folder = mkdtempSync(join(tmpdir(), "graze-module-"));
  for (const o of file.objects) if (o.file) o.file = join(root, "worlds", o.file);
  const table = (f) => ({ name: "table", position: [0.6, 0.4, 0], rpy: [0, 0, 0.5], shapes: [
    { shape: "box", size: [0.8 * f, 0.4 * f, 0.03 * f], position: [0, 0, 0.5 * f] },
    { shape: "cylinder", radius: 0.04 * f, length: 0.5 * f, position: [0.1 * f, 0, 0.25 * f] },
    { shape: "mesh", file: join(root, "worlds/meshes/bowl.stl"), scale: [f, f, f], position: [0, 0.1 * f, 0.52 * f] }] });
  const write = (name, objects) => {
    writeFileSync(join(folder, name), JSON.stringify({ ...file, objects }));
    return load(compile("heron", "--world", join(folder, name)));
  };
  const [bowl, others] = [file.objects.find((o) => o.name === "bowl"), file.objects.filter((o) => o.name !== "bowl")];
  const scene = await write("small.json", [...file.objects, table(1)]), q = (i) => scene.sample(12, i);
  const expected = await write("large.json", [...others, { ...bowl, scale: [2, 2, 2] }, table(1.5)]);
  const before = Array.from({ length: 400 }, (_, i) => scene.validate(q(i)));
  scene.scaleObject("bowl", 2);
  scene.scaleObject("table", 1.5);
  assert.deepEqual(scene.objects, expected.objects);
  sameContacts(scene, expected, q, before, 5);
  const sizes = (s) => s.geometries("object").map(({ size, scale, radius, length }) => ({ size, scale, radius, length }));
  assert.deepEqual(sizes(scene), sizes(expected));
  refuses(() => scene.scaleObject("nothing", 2), "not-found", /no such object/);
  for (const factor of [0, -1, NaN, Infinity]) refuses(() => scene.scaleObject("bowl", factor), "range", /above 0/);
  scene.addObject("level", { shape: "plane" }, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -1]);
  refuses(() => scene.scaleObject("level", 2), "argument", /no size to scale/);
  refuses(() => scene.addObject("b", { shape: "box", size: [1] }, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]), "argument", /size has 1 numbers; allowed: 3/);
  assert.deepEqual(sizes(scene).slice(0, -1), sizes(expected));
  rmSync(folder, { recursive: true });
});

test("a world that was kept comes back, whatever was done to it; dropped, it does not", async () => {
  const scene = await load(heron), untouched = await load(heron), q = (i) => scene.sample(13, i), kept = scene.keepWorld();
  const place = [1, 0, 0, 0.5, 0, 1, 0, -0.4, 0, 0, 1, 0.75];
  scene.moveObject("ball", place);
  const moved = scene.keepWorld(), poses = () => scene.geometries("object");
  const then = poses();
  scene.scaleObject("bowl", 2);
  scene.removeObject("crate");
  scene.addObject("post", { shape: "capsule", radius: 0.1, length: 1.5 }, place);
  const changed = Array.from({ length: 400 }, (_, i) => scene.validate(q(i)));
  scene.restoreWorld(moved);
  assert.deepEqual(poses(), then);
  scene.restoreWorld(kept);
  assert.deepEqual(poses(), untouched.geometries("object"));
  sameContacts(scene, untouched, q, changed, 5);
  scene.restoreWorld(moved);
  assert.deepEqual(poses(), then);
  scene.dropWorld(kept);
  for (const method of ["restoreWorld", "dropWorld"]) refuses(() => scene[method](kept), "argument", /version is 1; allowed/);
  assert.deepEqual(poses(), then);
  const alone = await load(six), none = alone.keepWorld();
  alone.addObject("wall", { shape: "box", size: [9, 9, 9] }, [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
  assert.ok(!alone.validate(alone.rest()));
  alone.restoreWorld(none);
  assert.ok(alone.validate(alone.rest()));
  assert.deepEqual(alone.objects, []);
});

test("a second robot is refused", async () => {
  await assert.rejects(load(six, { world: heron }), /a second robot/);
});

test("wrong arguments are errors, and the scene goes on", async () => {
  const scene = await load(six), q = scene.rest();
  refuses(() => scene.check([1, 2]), "argument", /2 numbers; allowed: 6/);
  refuses(() => scene.check(q, { base: [1] }), "argument", /base has 1/);
  refuses(() => scene.check(q, { answer: "some" }), "argument", /any, first, all, pair/);
  refuses(() => scene.check(q.map(() => NaN)), "range", /./);
  refuses(() => scene.validateBatch(new Float64Array(7)), "argument", /multiple of 6/);
  refuses(() => scene.state("no such state"), "not-found", /no such state/);
  refuses(() => scene.geometry("collision", 99), "argument", /./);
  refuses(() => scene.plan(q, q, { step: -1 }), "range", /step is -1/);
  refuses(() => scene.plan(q, q, { sampler: "sobol" }), "argument", /sobol/);
  assert.ok(scene.validate(q));
});

test("damaged files are refused", async () => {
  await assert.rejects(load(new Uint8Array(0)), GrazeError);
  await assert.rejects(load("text"), /no bytes/);
  for (let i = 0; i < 60; i++) await assert.rejects(load(six.subarray(0, i < 20 ? 8 * i : Math.floor((six.length * i) / 60))), GrazeError);
  await assert.rejects(load(Buffer.concat([six, Buffer.alloc(64)])), GrazeError);
  // The header: byte order, format, layout, version.
  for (const [at, value, message] of [[8, 1, /another byte order/], [12, 250, /format 250/], [16, 255, /structures differ/], [24, 57, /by graze 9/]]) {
    const other = Uint8Array.from(six);
    other[at] = value;
    await assert.rejects(load(other), (e) => e instanceof GrazeError && message.test(e.message), `byte ${at}`);
  }
  for (let i = 0; i < 200; i++) {
    const bad = Uint8Array.from(six);
    bad[(i * 7919) % bad.length] ^= 1 << (i % 8);
    await assert.rejects(load(bad), (e) => e instanceof GrazeError && ["parse", "unsupported"].includes(e.status));
  }
  assert.ok((await load(six, { prove: true })).validate(await load(six).then((s) => s.rest())));
});

test("a worker answers as the scene does", async () => {
  const scene = await load(heron), a = scene.state("tuck"), b = scene.state("ready");
  const worker = nodeWorker(join(folder, "worker.js"));
  const remote = await loadInWorker(worker, heron, { wasm: readFileSync(join(folder, "graze.wasm")) });
  const plan = await remote.plan(a, b, { seed: 5 }), expected = scene.plan(a, b, { seed: 5 });
  assert.deepEqual(plan.path, expected.path);
  assert.deepEqual(await remote.validateBatch(Float64Array.of(...a, ...b)), Uint8Array.of(0, 0));
  await assert.rejects(remote.plan([1], b), /1 numbers/);
  await assert.rejects(remote.call("no_such"), /no_such/);
  const waits = remote.plan(a, b);
  remote.terminate();
  await assert.rejects(waits, /ended/);
  await assert.rejects(remote.plan(a, b), /ended/);
});

/** A worker of Node.js with the face of a browser's. */
function nodeWorker(path) {
  const text = `import { parentPort } from "node:worker_threads";
    globalThis.self = { postMessage: (m, t) => parentPort.postMessage(m, t) };
    await import(${JSON.stringify(pathToFileURL(path).href)});
    parentPort.on("message", (data) => self.onmessage({ data }));`;
  const worker = new Worker(new URL("data:text/javascript," + encodeURIComponent(text)));
  const face = { postMessage: (m) => worker.postMessage(m), terminate: () => worker.terminate() };
  worker.on("message", (data) => face.onmessage({ data }));
  worker.on("error", (error) => face.onerror(error));
  return face;
}
