// The module against the command, bit for bit: verdicts and every contact of random configurations, the nearest pairs, and
// paths of plans, for the robots and worlds that ship.
//
//   node compare.mjs --graze PROGRAM --package FOLDER [--rows N] [--plans N]
//
// FOLDER holds graze.js and graze.wasm. N rows for each of nine scenes.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const { values: options } = parseArgs({ options: {
  graze: { type: "string" }, package: { type: "string" }, rows: { type: "string", default: "2300" },
  plans: { type: "string", default: "2" } } });
const { load } = await import(pathToFileURL(resolve(options.package, "graze.js")));
const ROBOTS = ["heron", "six_axis", "two_link"], WORLDS = ["shelf", "clutter", "cage"];

function run(...args) {
  return execFileSync(options.graze, args, { encoding: "utf8", maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "pipe"] });
}

/** Like run(), where exit status 1 and 4 are answers, too. */
function ask(...args) {
  try {
    return run(...args);
  } catch (error) {
    if (error.status === 1 || error.status === 4) return error.stdout;
    throw new Error(`${args.join(" ")}: ${error.stderr}`);
  }
}

/** An NPY file of doubles. */
function npy(rows, columns) {
  let header = `{'descr': '<f8', 'fortran_order': False, 'shape': (${rows.length / columns}, ${columns}), }`;
  header = header.padEnd(Math.ceil((header.length + 11) / 64) * 64 - 11) + "\n";
  const head = Buffer.alloc(10);
  head.write("\x93NUMPY\x01\x00", "latin1");
  head.writeUInt16LE(header.length, 8);
  return Buffer.concat([head, Buffer.from(header, "latin1"), Buffer.from(rows.buffer)]);
}

/** What `graze check --format jsonl --all` writes of a contact. */
function asWritten(c) {
  const out = { kind: c.kind, link: c.linkName, other: c.otherName, contained: c.contained, point: c.point };
  const index = (value) => (value < 0 ? null : value);
  Object.assign(out, { element: index(c.element), other_element: index(c.otherElement), triangle: index(c.triangle),
                       other_triangle: index(c.otherTriangle), segment: c.segment });
  return out;
}

/** Fields that both have, compared as written; -0 and 0 are different. */
function sameContact(found, expected) {
  for (const [key, value] of Object.entries(expected)) {
    const mine = found[key] ?? null;
    if (Array.isArray(value)) value.flat().forEach((v, i) => assert.ok(Object.is(mine.flat()[i], v), `${key} ${i}`));
    else assert.equal(mine, value, key);
  }
}

async function compareScene(robot, world, folder) {
  const urdf = join(root, `urdf/${robot}.urdf`), srdf = join(root, `urdf/${robot}.srdf`);
  const place = join(root, `worlds/${world}.json`), compiled = join(folder, "scene.graze");
  run("compile", urdf, "--srdf", srdf, "--world", place, "-o", compiled, "--quiet");
  const scene = await load(readFileSync(compiled));
  const count = Number(options.rows), rows = new Float64Array(count * scene.dof);
  for (let i = 0; i < count; i++) rows.set(scene.sample(7, i), i * scene.dof);
  writeFileSync(join(folder, "q.npy"), npy(rows, scene.dof));
  const given = ["--srdf", srdf, "--world", place, "--quiet"];
  const lines = ask("check", urdf, ...given, "--configs", join(folder, "q.npy"), "--all", "--format", "jsonl")
    .trim().split("\n").map((line) => JSON.parse(line));
  assert.equal(lines.length, count);
  const verdicts = scene.validateBatch(rows);
  let contacts = 0, collisions = 0;
  lines.forEach((line, i) => {
    const q = rows.subarray(i * scene.dof, (i + 1) * scene.dof);
    const report = scene.check(q, { answer: "all" }), where = `${robot} ${world} row ${i}`;
    assert.equal(report.verdict === "collision", line.collision, where);
    assert.equal(verdicts[i] === 1, line.collision, where);
    assert.equal(scene.validate(q), !line.collision, where);
    assert.equal(report.contacts.length, line.contacts.length, where);
    report.contacts.forEach((c, k) => sameContact(asWritten(c), line.contacts[k]));
    contacts += report.contacts.length;
    collisions += line.collision ? 1 : 0;
  });
  return { scene, compiled, urdf, given, rows, verdicts, count, contacts, collisions };
}

/** Distances, with their points, of the first rows. */
function compareDistances({ scene, urdf, given, rows }, folder) {
  const count = Math.min(Number(options.rows), 200);
  writeFileSync(join(folder, "few.npy"), npy(rows.slice(0, count * scene.dof), scene.dof));
  const lines = run("distance", urdf, ...given, "--configs", join(folder, "few.npy"), "--nearest", "3", "--format", "jsonl")
    .trim().split("\n").map((line) => JSON.parse(line));
  assert.equal(lines.length, count);
  lines.forEach((line, i) => {
    const found = scene.nearest(rows.subarray(i * scene.dof, (i + 1) * scene.dof), { count: 3 });
    assert.ok(Object.is(found.lower, line.lower) && Object.is(found.upper, line.upper), `row ${i}`);
    assert.equal(found.pairs.length, line.pairs.length);
    found.pairs.forEach((p, k) => {
      const theirs = line.pairs[k];
      assert.deepEqual([p.kind, p.linkName, p.otherName, p.overlap], [theirs.kind, theirs.link, theirs.other, theirs.overlap]);
      assert.ok(Object.is(p.lower, theirs.lower) && Object.is(p.upper, theirs.upper), `row ${i} pair ${k}`);
      if (!p.overlap) p.points.flat().forEach((v, n) => assert.ok(Object.is(v, theirs.points.flat()[n]), `row ${i} point ${n}`));
    });
  });
  return `${count} times the nearest pairs`;
}

/** Plans between free rows, of the module and of the command, both of the compiled file: its tables spare some configurations. */
function comparePlans({ scene, compiled, rows, verdicts }) {
  const free = [...verdicts.keys()].filter((i) => verdicts[i] === 0).slice(0, 2 * Number(options.plans));
  let found = 0, waypoints = 0;
  for (let k = 0; k + 1 < free.length; k += 2) {
    const [start, goal] = [free[k], free[k + 1]].map((i) => rows.slice(i * scene.dof, (i + 1) * scene.dof));
    const sampler = k % 4 === 0 ? "random" : "halton";
    // Passive joints stay, and 2,000 iterations take no second.
    scene.columnJoints().forEach((joint, i) => { if (scene.joints()[joint].passive) goal[i] = start[i]; });
    const written = JSON.parse(ask("plan", compiled, "--quiet", "--start", start.join(), "--goal", goal.join(), "--time", "inf",
                                   "--iterations", "2000", "--seed", "3", "--sampler", sampler, "--format", "json"));
    const plan = scene.plan(start, goal, { maxSeconds: Infinity, maxIterations: 2000, seed: 3, sampler });
    assert.equal(plan.outcome, written.outcome);
    for (const [mine, theirs] of [["iterations", "iterations"], ["configurationsChecked", "configurations_checked"]])
      assert.equal(plan[mine], written[theirs], mine);
    if (plan.outcome !== "found") continue;
    assert.equal(plan.certified, written.certified);
    assert.ok(Object.is(plan.length, written.length) && Object.is(plan.lengthRaw, written.length_raw));
    const path = plan.path.map((w) => [...w.base, ...w.q]);
    assert.equal(path.length, written.waypoints.length);
    path.flat().forEach((v, i) => assert.ok(Object.is(v, written.waypoints.flat()[i]), `waypoint number ${i}`));
    const shorter = scene.simplifyPath(plan.path);
    assert.deepEqual([shorter[0], shorter.at(-1)], [plan.path[0], plan.path.at(-1)]);
    if (plan.certified)
      shorter.slice(1).forEach((w, i) => assert.ok(scene.validateMotion(shorter[i].q, w.q), "a motion that is not free"));
    found++;
    waypoints += path.length;
  }
  return `${found} paths of ${waypoints} waypoints`;
}

const folder = mkdtempSync(join(tmpdir(), "graze-web-"));
try {
  let rows = 0, contacts = 0;
  for (const robot of ROBOTS) {
    for (const world of WORLDS) {
      const compared = await compareScene(robot, world, folder);
      const plans = comparePlans(compared), distances = compareDistances(compared, folder);
      console.log(`${robot} ${world}: ${compared.count} configurations, ${compared.collisions} collide, ` +
                  `${compared.contacts} contacts, ${plans}, ${distances}: the same bits`);
      rows += compared.count;
      contacts += compared.contacts;
    }
  }
  assert.ok(contacts > 0);
  console.log(`${rows} configurations and ${contacts} contacts are the same`);
} finally {
  rmSync(folder, { recursive: true });
}
