// The page of `graze view` in a real browser, headless: node page.test.mjs NPM_FOLDER GRAZE
// Pictures are judged by their pixels, as they come from the screen. Exit status 77, with a line that says why, where there is no
// Chromium. CHROMIUM names one; PICTURES a folder in which to leave what was seen.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [npm, graze] = process.argv.slice(2);
const root = resolve(dirname(fileURLToPath(import.meta.url)), "../.."), folder = mkdtempSync(join(tmpdir(), "graze-page-"));
const require = createRequire(join(resolve(npm), "index.js"));
const places = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const chromium = places.find((path) => path && existsSync(path));
if (!chromium) {
  console.log("skipped: chromium is not installed");
  process.exit(77);
}

const HERON = ["heron.urdf", "--srdf", "heron.srdf"].map((word) => (word[0] === "-" ? word : join(root, "urdf", word)));
const SHELF = ["--world", join(root, "worlds/shelf.json")];
const HIT = "q.shoulder_lift_joint=0.4&q.elbow_flex_joint=0.2&q.torso_lift_joint=0.1";

function command(...args) {
  return execFileSync(graze, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}
function makePage(name, ...args) {
  const path = join(folder, name);
  command("view", ...args, "--quiet", "-o", path);
  return pathToFileURL(path).href;
}

const tests = [];
const test = (name, run) => tests.push({ name, run });

// ------------------------------------------------------------------------------------ the browser

let browser, eye;

/** A page that fails the test on any message of an error, and on any request but that for itself. */
async function open(url, { width = 1280, height = 800, mayComplain = false } = {}) {
  const page = await browser.newPage({ viewport: { width, height } });
  page.wrong = [];
  page.on("console", (m) => { if (["error", "warning"].includes(m.type())) page.wrong.push(m.text()); });
  page.on("pageerror", (e) => page.wrong.push(e.message));
  page.on("request", (r) => {
    const own = [url.split("#")[0], ...(url.startsWith("http:") ? [...["number", "robot"].map((name) => url.split("#")[0] + name)] : [])];
    if (!/^(data|blob):/.test(r.url()) && !own.includes(r.url().split("#")[0])) page.wrong.push(`request for ${r.url()}`);
  });
  await page.goto(url);
  if (!mayComplain) await page.waitForFunction(() => globalThis.graze !== undefined, null, { timeout: 90000 });
  return page;
}
async function done(page) {
  // Chromium speaks of its own drawing by software; that is no fault of the page.
  const wrong = page.wrong.filter((text) => !/GPU stall|software WebGL|swiftshader/i.test(text));
  assert.deepEqual(wrong, []);
  await page.close();
}

const complete = (page) => page.waitForFunction(() => graze.stage.screen.complete, null, { timeout: 60000 });
/** What is on the screen: how many pixels of the scene have which colour. Decoded by the browser, in another page. */
async function colors(page, name) {
  await complete(page);
  const png = await page.locator("#canvas").screenshot();
  if (process.env.PICTURES) writeFileSync(join(process.env.PICTURES, `${name}.png`), await page.screenshot());
  return eye.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height), context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    // Without what lies over the scene: the verdict at the left, the settings at the right.
    const left = Math.min(230, image.width / 2), right = 310;
    const pixels = context.getImageData(left, 60, image.width - left - right, image.height - 160).data;
    const count = { red: 0, orange: 0, black: 0, all: pixels.length / 4, kinds: new Set() };
    for (let i = 0; i < pixels.length; i += 4) {
      const [r, g, b] = pixels.subarray(i, i + 3);
      count.kinds.add((r >> 4 << 8) | (g >> 4 << 4) | (b >> 4));
      if (r < 12 && g < 12 && b < 12) count.black++;
      if (r > 110 && g < 0.35 * r && b < 0.35 * r) count.red++;
      if (r > 150 && g > 0.4 * r && g < 0.72 * r && b < 0.3 * r) count.orange++;
    }
    return { ...count, kinds: count.kinds.size };
  }, png.toString("base64"));
}
/** How many pixels of two pictures differ by more than a shade. */
const differing = (a, b) => eye.evaluate(async (pair) => {
  const [one, other] = await Promise.all(pair.map(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height).data;
  }));
  let count = 0;
  for (let i = 0; i < one.length; i += 4) if ([0, 1, 2].some((k) => Math.abs(one[i + k] - other[i + k]) > 12)) count++;
  return count;
}, [a, b]);
const sentence = (page) => page.locator("#sentence").textContent();
const q = (page, name) => page.evaluate((n) => graze.posture.q[graze.posture.names.indexOf(n)], name);
const press = (page, keys) => [...keys].reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
const control = (page, name) => page.locator(".controller", { has: page.locator(`.name:text-is("${name}")`) });

// ----------------------------------------------------------------------------------------- tests

test("opens from disk, and shows something", async () => {
  const page = await open(makePage("heron.html", ...HERON, ...SHELF));
  assert.equal(await sentence(page), "free");
  assert.match(await page.title(), /heron/);
  const seen = await colors(page, "free");
  assert.ok(seen.kinds > 40, `${seen.kinds} colours`);
  assert.equal(seen.red, 0, "red pixels though nothing collides");
  await done(page);
});

test("the colliding link is red, what it touches orange, and the words are the command's", async () => {
  const page = await open(`${pathToFileURL(join(folder, "heron.html"))}#${HIT}`);
  const numbers = HIT.split("&").map((part) => part.slice(2)).join();
  const expected = /collision: (\S+) .*hits (\S+)/.exec(askCheck(...HERON, ...SHELF, "-q", numbers));
  assert.equal(await sentence(page), `collision: ${expected[1]} hits ${expected[2]}`);
  const seen = await colors(page, "collision");
  assert.ok(seen.red > 150, `${seen.red} red pixels`);
  assert.ok(seen.orange > 1500, `${seen.orange} orange pixels`);
  // The red ones are where the link is: without it there are none.
  await page.evaluate((name) => {
    for (const mesh of graze.stage.links.find((l) => l.name === name).meshes) mesh.visible = false;
    graze.stage.marks.showContacts([], [], []);
  }, expected[1]);
  const without = await colors(page, "collision-without");
  assert.ok(without.red < seen.red / 10, `${without.red} red pixels without the link`);
  await done(page);
});
function askCheck(...args) {
  try {
    return command("check", ...args);
  } catch (error) {
    return error.stdout;
  }
}

test("the list of contacts is written in its place, not made anew in every frame", async () => {
  const page = await open(`${pathToFileURL(join(folder, "heron.html"))}#${HIT}`);
  const kept = await page.evaluate(() => {
    const item = document.querySelector("#contacts li"), text = item.textContent, { posture } = graze;
    posture.q[posture.names.indexOf("shoulder_lift_joint")] += 0.002;
    posture.changed();
    return { same: document.querySelector("#contacts li") === item, changed: item.textContent !== text };
  });
  assert.deepEqual(kept, { same: true, changed: true });
  await page.evaluate(() => graze.posture.set(graze.engine.rest()));
  assert.equal(await page.locator("#contacts li").count(), 0);
  await done(page);
});

/** Before a page's own scripts: notes the functions of its module that it calls at once, what it calls of WebGL, and what it gives the worker that draws. */
const WATCH_STEPS = () => {
  const steps = (globalThis.steps = [[]]), begin = () => { steps.push([]); };
  const wrap = (owner, name, before) => {
    const own = owner[name];
    owner[name] = function (...args) {
      before(...args);
      return own.apply(this, args);
    };
  };
  // Where the page gives way.
  wrap(MessagePort.prototype, "postMessage", begin);
  wrap(globalThis, "setTimeout", begin);
  wrap(globalThis, "requestAnimationFrame", begin);
  const asked = (globalThis.asked = []);
  for (const { prototype } of [WebGLRenderingContext, WebGL2RenderingContext])
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype)))
      if (typeof value === "function") wrap(prototype, name, () => asked.push(name));
  for (const { prototype } of [HTMLCanvasElement, OffscreenCanvas])
    wrap(prototype, "getContext", (kind) => { if (kind !== "2d") asked.push(kind); });
  globalThis.given = []; // bytes of the lists in each message
  wrap(Worker.prototype, "postMessage", ({ beside }) => { if (beside) globalThis.given.push(beside.map((list) => list.byteLength ?? 0)); });
  const { Instance } = WebAssembly;
  WebAssembly.Instance = function (module, imports) {
    const own = new Instance(module, imports).exports, exports = {};
    for (const [name, value] of Object.entries(own))
      exports[name] = typeof value !== "function" ? value : (...args) => {
        if (!performance.getEntriesByName("graze-shown").length) steps.at(-1).push(name);
        return value(...args);
      };
    return { exports };
  };
};
/** Before a page's own scripts: puts scripts before those of its first workers, which draw and read the blocks. */
const BEFORE_WORKERS = (scripts) => {
  const { createObjectURL } = URL;
  URL.createObjectURL = (blob) => createObjectURL.call(URL, new Blob([scripts.shift() ?? "", blob], { type: blob.type }));
};
const TELL_SCENES = `{ const I = WebAssembly.Instance; WebAssembly.Instance = function (...a) { console.info("a scene of the reader"); return new I(...a); }; }\n`;

test("loading is done in steps, none of which does much at once, and the page calls nothing of WebGL", async () => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } }), told = [];
  page.on("console", (m) => told.push(m.text()));
  await page.addInitScript(WATCH_STEPS);
  await page.addInitScript(BEFORE_WORKERS, ["", TELL_SCENES]);
  await page.goto(pathToFileURL(join(folder, "heron.html")).href);
  await page.waitForFunction(() => globalThis.graze !== undefined, null, { timeout: 90000 });
  const { steps, given } = await page.evaluate(() => ({ steps: globalThis.steps, given: globalThis.given }));
  const long = ["graze_web_open", "graze_web_take_robot", "graze_web_take_world", "graze_web_prepare", "graze_web_begin"];
  const calls = steps.map((list) => list.filter((name) => long.includes(name))).filter((list) => list.length);
  assert.deepEqual(calls.flat(), long);
  assert.equal(calls.length, long.length, `calls of the module that take long share a step: ${JSON.stringify(calls)}`);
  assert.ok(!steps.flat().includes("graze_web_is_closed"), "whether meshes are closed is known");
  // The lists of one mesh: positions, normals, places of a texture, triangles.
  const uploads = given.map((list) => list.filter((bytes) => bytes > 1024)).filter((list) => list.length);
  assert.ok(uploads.length > 15, `${uploads.length} messages with meshes`);
  for (const list of uploads) assert.ok(list.length <= 4, list.join());
  assert.deepEqual(told.filter((text) => /reader/.test(text)), ["a scene of the reader"]);
  await control(page, "nearest pairs").locator("select").selectOption({ label: "3" });
  await control(page, "geometry").locator("select").selectOption({ label: "both" });
  await page.setViewportSize({ width: 1100, height: 700 });
  await complete(page);
  assert.deepEqual(await page.evaluate(() => globalThis.asked), [], "calls of WebGL on the page's thread");
  await page.close();
});

test("a context that the browser takes away and gives back brings the same picture", async () => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.addInitScript(BEFORE_WORKERS, [`{ const { getContext } = OffscreenCanvas.prototype;
    OffscreenCanvas.prototype.getContext = function (...a) { return (self.context = getContext.apply(this, a)); }; }\n`]);
  await page.goto(pathToFileURL(join(folder, "heron.html")).href);
  await page.waitForFunction(() => globalThis.graze?.stage.screen.complete, null, { timeout: 90000 });
  const before = (await page.locator("#canvas").screenshot()).toString("base64"), lost = (wanted) => page.waitForFunction(
    (is) => graze.stage.screen.gl.isContextLost() === is, wanted, { timeout: 20000 });
  const found = await Promise.all(page.workers().map((worker) => worker.evaluate(() => "context" in self)));
  const worker = page.workers()[found.indexOf(true)];
  await worker.evaluate(() => { (self.end = self.context.getExtension("WEBGL_lose_context")).loseContext(); });
  await lost(true);
  await page.evaluate(() => graze.posture.set(graze.engine.rest()));
  await complete(page);
  await worker.evaluate(() => self.end.restoreContext());
  await lost(false);
  await page.waitForFunction(() => !graze.stage.screen.complete);
  await complete(page);
  const pixels = await differing(before, (await page.locator("#canvas").screenshot()).toString("base64"));
  assert.equal(pixels, 0, `${pixels} pixels differ`);
  await page.close();
});

test("a slider is dragged, a value typed, limits are ignored on request", async () => {
  const page = await open(pathToFileURL(join(folder, "heron.html")).href), lift = control(page, "shoulder_lift");
  const box = await lift.locator(".slider").boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.9, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  assert.ok((await q(page, "shoulder_lift_joint")) > 1);
  await lift.locator("input").fill("0.25");
  await page.keyboard.press("Enter");
  assert.equal(await q(page, "shoulder_lift_joint"), 0.25);
  await lift.locator("input").fill("9");
  await page.keyboard.press("Enter");
  assert.equal(await q(page, "shoulder_lift_joint"), 1.518, "typed values keep to the limits");
  await control(page, "ignore limits").locator("input").click();
  await lift.locator("input").fill("2");
  await page.keyboard.press("Enter");
  assert.equal(await q(page, "shoulder_lift_joint"), 2);
  assert.match(await page.locator("#note").textContent(), /shoulder_lift_joint/);
  await done(page);
});

test("visual, collision, both look different, and bounds are drawn", async () => {
  const page = await open(pathToFileURL(join(folder, "heron.html")).href), geometry = control(page, "geometry").locator("select");
  const seen = {};
  for (const kind of ["visual", "collision", "both"]) {
    await geometry.selectOption({ label: kind });
    await complete(page);
    seen[kind] = (await page.locator("#canvas").screenshot()).toString("base64");
    if (process.env.PICTURES) writeFileSync(join(process.env.PICTURES, `${kind}.png`), await page.screenshot());
  }
  assert.equal(new Set(Object.values(seen)).size, 3);
  // Of both, the collision geometry is see-through: with the visual one hidden its pixels change.
  await page.evaluate(() => {
    for (const [mesh] of graze.stage.frames) if (mesh.userData.kind === "visual") mesh.visible = false;
    graze.stage.draw();
  });
  await complete(page);
  const through = await differing(seen.both, (await page.locator("#canvas").screenshot()).toString("base64"));
  assert.ok(through > 20000, `${through} pixels of the robot show what is behind`);
  await geometry.selectOption({ label: "visual" });
  await control(page, "bounds").locator("select").selectOption({ label: "oriented box" });
  for (const level of [0, 3]) {
    await control(page, "bounds").locator("select").selectOption({ label: "tree of boxes" });
    await control(page, "level of the tree").locator("input").fill(String(level));
    await page.keyboard.press("Enter");
    const boxes = await page.evaluate(() => graze.stage.bounding.map(([lines]) => lines.geometry.getAttribute("position").count / 24));
    const meshes = await page.evaluate(() => graze.engine.geometries("collision").filter((g) => g.shape === "mesh").length);
    assert.ok(level === 0 ? boxes.every((n) => n <= 1) && boxes.filter((n) => n).length >= meshes : Math.max(...boxes) > 30, boxes.join());
    await colors(page, `tree-${level}`);
  }
  await page.waitForFunction(() => location.hash.includes("bounds=tree&level=3"));
  await control(page, "bounds").locator("select").selectOption({ label: "none" });
  for (const name of ["link frames", "joint frames, axes", "wireframe"]) {
    await control(page, name).locator("input").click();
    await complete(page);
    const now = (await page.locator("#canvas").screenshot()).toString("base64");
    assert.ok(!Object.values(seen).includes(now), name);
    seen[name] = now;
    await colors(page, name.replaceAll(/\W+/g, "-"));
    if (name !== "wireframe") await control(page, name).locator("input").click();
  }
  // An axis is drawn where the joint is: its own two ends are moved by nothing but the joints above.
  const off = await page.evaluate(() => {
    const { stage, engine } = graze, joints = engine.joints(), k = joints.findIndex((j) => j.name === "elbow_flex_joint"), joint = joints[k];
    const [item] = stage.axes.joints[k], line = item.children[0].geometry.getAttribute("position");
    const end = () => item.position.clone().set(line.getX(1), line.getY(1), line.getZ(1)).applyMatrix4(item.matrix);
    const before = end();
    graze.posture.q[joint.column] += 0.7;
    graze.posture.changed();
    return end().distanceTo(before);
  });
  assert.ok(off < 1e-9, `an end of the elbow's axis has moved by ${off}`);
  await done(page);
});

test("KinEval's keys move base and joints; undo takes it back", async () => {
  const page = await open(pathToFileURL(join(folder, "heron.html")).href);
  await page.locator("#canvas").focus();
  await press(page, "wwa");
  const base = await page.evaluate(() => [...graze.posture.base]);
  assert.ok(Math.abs(base[0] - 0.1) < 1e-12 && Math.abs(base[5] - 0.05) < 1e-12);
  await press(page, "zzz");
  assert.deepEqual(await page.evaluate(() => [...graze.posture.base]), [0, 0, 0, 0, 0, 0]);
  const chosen = () => page.evaluate(() => graze.keys.joints[graze.keys.chosen].name);
  await press(page, "l");
  await press(page, "l");
  assert.equal(await chosen(), "torso_lift_joint");
  await press(page, "j");
  assert.equal(await chosen(), "head_pan_joint");
  await press(page, "lu");
  assert.equal(await chosen(), "shoulder_pan_joint");
  assert.equal(await q(page, "shoulder_pan_joint"), 0.05);
  await press(page, "k");
  assert.equal(await chosen(), "torso_lift_joint");
  // Back and to the sides as the base is turned, the joint on the other side, its other direction, what was undone again.
  const now = () => page.evaluate(() => [...graze.posture.base]), near = (a, b) => a.every((v, i) => Math.abs(v - b[i]) < 1e-12);
  const [c, s] = [Math.cos(0.05), Math.sin(0.05)];
  await press(page, "0as");
  assert.ok(near(await now(), [-0.05 * c, -0.05 * s, 0, 0, 0, 0.05]), "S");
  await press(page, "wq");
  assert.ok(near(await now(), [-0.05 * s, 0.05 * c, 0, 0, 0, 0.05]), "Q");
  await press(page, "eed");
  assert.ok(near(await now(), [0.05 * s, -0.05 * c, 0, 0, 0, 0]), "E, D");
  await press(page, "zzy");
  assert.ok(near(await now(), [0.05 * s, -0.05 * c, 0, 0, 0, 0.05]), "Y");
  await press(page, "0");
  assert.deepEqual(await now(), [0, 0, 0, 0, 0, 0]);
  await press(page, "h");
  assert.notEqual(await chosen(), "torso_lift_joint");
  await press(page, "l");
  assert.equal(await chosen(), "torso_lift_joint", "H and L are each other's way back");
  await press(page, "ui");
  assert.equal(await q(page, "torso_lift_joint"), 0);
  await press(page, "v");
  assert.equal(await page.evaluate(() => graze.stage.shown), "collision");
  const camera = () => page.evaluate(() => graze.stage.view.numbers), seen = await camera();
  await page.evaluate(() => graze.stage.view.fly([2, 2, 2]));
  await page.waitForFunction(() => graze.stage.view.controls.target.x === 2);
  await press(page, "f");
  assert.ok((await camera()).every((v, i) => Math.abs(v - seen[i]) < 1e-6), "F");
  await page.keyboard.press("?");
  assert.ok(await page.locator("#help").isVisible());
  await page.keyboard.press("Escape");
  await done(page);
});

test("named states, a random free pose, hidden contacts, a click on a contact", async () => {
  const page = await open(pathToFileURL(join(folder, "heron.html")).href);
  await control(page, "named state").locator("select").selectOption({ label: "arm/ready" });
  assert.equal(await q(page, "elbow_flex_joint"), 1.5);
  await page.keyboard.press("r");
  assert.equal(await sentence(page), "free");
  assert.notEqual(await q(page, "elbow_flex_joint"), 1.5);
  await control(page, "hidden contacts").locator("input").click();
  assert.match(await page.locator("#contacts button").first().textContent(), /hidden: \w+/);
  const before = await page.evaluate(() => graze.stage.view.numbers);
  await page.locator("#contacts button").first().click();
  await page.waitForTimeout(900);
  const [before3, after3] = [before, await page.evaluate(() => graze.stage.view.numbers)].map((c) => c.slice(3));
  assert.notDeepEqual(after3, before3);
  await done(page);
});

test("the nearest pairs are listed and drawn, each with its distance, and follow the pose", async () => {
  const page = await open(pathToFileURL(join(folder, "heron.html")).href);
  const lines = () => page.evaluate(() => [graze.stage.marks.near.visible, graze.stage.marks.labels.length]);
  assert.deepEqual(await lines(), [false, 0]);
  await control(page, "nearest pairs").locator("select").selectOption({ label: "3" });
  const items = page.locator("#contacts button.nearest");
  assert.equal(await items.count(), 3);
  assert.deepEqual(await lines(), [true, 3]);
  const numbers = (await page.evaluate(() => [...graze.posture.q])).join();
  const expected = JSON.parse(command("distance", ...HERON, ...SHELF, "-q", numbers, "--nearest", "3", "--format", "jsonl", "--quiet"));
  for (let i = 0; i < 3; i++) {
    const p = expected.pairs[i], text = await items.nth(i).textContent();
    assert.equal(text, `${p.link} to ${p.other} ${(Math.floor(p.lower * 1e4) / 10).toFixed(1)} mm`);
  }
  const seen = await colors(page, "nearest");
  const before = await page.evaluate(() => graze.engine.nearest(graze.posture.q, { count: 3 }).upper);
  await page.evaluate(() => { graze.posture.q[graze.posture.names.indexOf("l_gripper_finger_joint")] += 0.01; graze.posture.changed(); });
  assert.notEqual(await page.evaluate(() => graze.engine.nearest(graze.posture.q, { count: 3 }).upper), before);
  assert.deepEqual(await lines(), [true, 3]);
  await control(page, "nearest pairs").locator("select").selectOption({ label: "none" });
  assert.deepEqual(await lines(), [false, 0]);
  assert.ok((await colors(page, "nearest-none")).kinds !== seen.kinds);
  await done(page);
});

test("a plan is made, proved, played and stepped", async () => {
  const page = await open(pathToFileURL(join(folder, "heron.html")).href);
  const state = control(page, "named state").locator("select");
  await state.selectOption({ label: "arm/tuck" });
  await page.getByRole("button", { name: "start is here" }).click();
  await state.selectOption({ label: "arm/ready" });
  await page.getByRole("button", { name: "goal is here" }).click();
  await page.locator("#canvas").focus();
  await page.keyboard.press("m");
  await page.locator("#bar").waitFor({ state: "visible", timeout: 60000 });
  assert.match(await page.locator("#message").textContent(), /proved free/);
  assert.match(await page.locator("#place").textContent(), /motion 1 of \d+ proved free/);
  await page.keyboard.press("n");
  const trees = await page.evaluate(() => graze.stage.trees.trees.map((tree) => [tree.points.length, tree.count, tree.lines.visible]));
  assert.ok(trees.every(([points, lines, visible]) => points > 1 && lines === points - 1 && visible), JSON.stringify(trees));
  const second = await page.evaluate(() => [...graze.player.playback.waypoints[1].q]);
  assert.deepEqual(await page.evaluate(() => [...graze.posture.q]), second);
  await page.locator("#clearance").waitFor({ state: "visible", timeout: 60000 });
  assert.match(await page.locator("#place").textContent(), /motion 2 of \d+ proved free, \d+\.\d mm$/);
  const least = Number(/: ([\d.]+) mm$/.exec(await page.locator("#clearance").getAttribute("aria-label"))[1]);
  const bounds = await page.evaluate(() => graze.player.bounds);
  assert.ok(bounds.length === 121 && Math.abs(1000 * Math.min(...bounds) - least) < 0.1 && Math.max(...bounds) > Math.min(...bounds));
  await colors(page, "plan");
  await page.keyboard.press("b");
  await page.keyboard.press(" ");
  await page.waitForFunction(() => graze.player.running && graze.player.at > 0);
  await page.keyboard.press(" ");
  assert.ok(!(await page.evaluate(() => graze.player.running)), "Space plays, and stops it");
  await page.getByRole("button", { name: "play the path" }).click();
  await page.waitForFunction(() => graze.player.at === graze.player.total, null, { timeout: 60000 });
  const last = await page.evaluate(() => [...graze.player.playback.waypoints.at(-1).q]);
  assert.deepEqual(await page.evaluate(() => [...graze.posture.q]), last);
  await page.getByRole("button", { name: "clear" }).click();
  assert.ok(!(await page.locator("#bar").isVisible()));
  await done(page);
});

test("objects are added, moved and removed, and plans know it", async () => {
  const page = await open(pathToFileURL(join(folder, "heron.html")).href);
  await page.getByRole("button", { name: "objects" }).click();
  await page.getByRole("button", { name: "add it" }).click();
  assert.equal(await sentence(page), "free");
  // To where the wrist is.
  const wrist = await page.evaluate(() => {
    const at = 12 * graze.engine.links.indexOf("wrist_flex_link");
    return [3, 7, 11].map((k) => graze.stage.poses[at + k]);
  });
  for (const [k, name] of ["x", "y", "z"].entries()) {
    await control(page, name).last().locator("input").fill(wrist[k].toFixed(3));
    await page.keyboard.press("Enter");
  }
  assert.match(await sentence(page), /collision: .* hits box1/);
  assert.ok((await colors(page, "object")).orange > 300);
  await control(page, "x").last().locator("input").fill("2");
  await page.keyboard.press("Enter");
  assert.equal(await sentence(page), "free");
  // In the robot again: the planner sees it, too.
  await control(page, "x").last().locator("input").fill(wrist[0].toFixed(3));
  await page.keyboard.press("Enter");
  await page.locator("#canvas").focus();
  await page.keyboard.press("m");
  await page.locator("#message", { hasText: "no path: the start collides" }).waitFor();
  await control(page, "yaw").last().locator("input").fill("0.5");
  await page.keyboard.press("Enter");
  const pose = await page.evaluate(() => graze.engine.geometries("object").find((g) => g.name === "box1").origin);
  const c = Math.cos(0.5), s = Math.sin(0.5);
  [c, -s, 0, wrist[0], s, c, 0, wrist[1], 0, 0, 1, wrist[2]].forEach((v, i) => assert.ok(Math.abs(pose[i] - v) < 6e-4, `pose ${i}`));
  // Scaled, it keeps its place, and hits what the smaller one did not.
  await control(page, "x").last().locator("input").fill((wrist[0] + 0.5).toFixed(3));
  await page.keyboard.press("Enter");
  assert.equal(await sentence(page), "free");
  await control(page, "scale it by").locator("input").fill("5");
  await page.keyboard.press("Enter");
  const scaled = await page.evaluate(() => graze.engine.geometries("object").find((g) => g.name === "box1"));
  assert.ok(scaled.size.every((v) => Math.abs(v - 1) < 1e-12) && Math.abs(scaled.origin[3] - wrist[0] - 0.5) < 1e-3, JSON.stringify(scaled.size));
  assert.match(await sentence(page), /collision: .* hits box1/);
  // So is a mesh, which keeps its colour.
  const bowl = () => page.evaluate(() => {
    const { engine, stage } = graze, at = engine.objects.indexOf("bowl"), mesh = stage.objects[at];
    mesh.geometry.computeBoundingBox();
    return { scale: engine.geometry("object", at).scale[0], drawn: mesh.geometry.boundingBox.max.x, color: mesh.userData.own.getHex() };
  });
  const small = await bowl();
  await page.evaluate(() => graze.actions.scaleObject("bowl", 2));
  const large = await bowl();
  assert.deepEqual([large.scale, large.color], [2 * small.scale, small.color]);
  assert.ok(Math.abs(large.drawn - 2 * small.drawn) < 1e-6);
  await page.evaluate(() => graze.panel.chooseObject("box1"));
  await page.getByRole("button", { name: "remove it" }).click();
  assert.equal(await sentence(page), "free");
  assert.ok(!(await page.evaluate(() => graze.engine.objects.includes("box1"))));
  await done(page);
});

test("undo takes back what was done to objects, the base and joints, in order; so does redo, and plans know it", async () => {
  const page = await open(pathToFileURL(join(folder, "heron.html")).href);
  const state = () => page.evaluate(async () => {
    const { engine, posture, stage, planner } = graze, all = (list) => list.map((g) => [g.name, g.shape, g.size, g.scale, g.radius, g.length, g.origin]);
    const remote = await planner.scene(), near = (scene) => scene.nearest(posture.q, { base: posture.base, count: 6 });
    return { objects: all(engine.geometries("object")), q: [...posture.q], base: [...posture.base], drawn: stage.objects.map((mesh) => [mesh.name, ...mesh.matrix.elements]),
             sizes: stage.objects.map((mesh) => { mesh.geometry.computeBoundingBox(); return mesh.geometry.boundingBox.max.toArray(); }),
             color: stage.objects.map((mesh) => mesh.userData.own.getHex()), listed: graze.panel.objectName._names, world: planner.changes.toText(),
             sentence: document.getElementById("sentence").textContent, worker: await near(remote), own: near(engine) };
  });
  const states = [await state()], next = async (change) => {
    await change();
    states.push(await state());
  };
  await page.getByRole("button", { name: "objects" }).click();
  await page.getByRole("button", { name: "base" }).click();
  for (const shape of ["cylinder", "capsule", "cone"]) await next(async () => {
    await control(page, "shape of a new one").locator("select").selectOption({ label: shape });
    await page.getByRole("button", { name: "add it" }).click();
  });
  const fill = (name, value) => next(async () => {
    await control(page, name).locator("input").fill(value);
    await page.keyboard.press("Enter");
  });
  const place = (name, value) => next(async () => {
    await control(page, name).last().locator("input").fill(value);
    await page.keyboard.press("Enter");
  });
  await place("x", "0.6");
  await place("yaw", "0.4");
  await fill("scale it by", "3");
  await next(() => page.evaluate(() => graze.panel.chooseObject("bowl")));
  states.pop(); // nothing to undo
  await next(() => page.getByRole("button", { name: "remove it" }).click());
  await next(async () => {
    await control(page, "x").first().locator("input").fill("0.25");
    await page.keyboard.press("Enter");
  });
  await fill("torso_lift", "0.2");
  await next(() => page.evaluate(() => graze.actions.scaleObject("crate", 1.5)));
  assert.equal(new Set(states.map((s) => JSON.stringify(s))).size, states.length, "each step changes something");
  for (const s of states) assert.deepEqual(s.worker, s.own, "the worker's world");
  // What is refused is no step.
  await page.evaluate(() => graze.actions.scaleObject("nothing", 2));
  await page.locator("#canvas").focus();
  for (let i = states.length - 2; i >= 0; i--) {
    await press(page, "z");
    assert.deepEqual(await state(), states[i], `undone to ${i}`);
  }
  await press(page, "z");
  assert.deepEqual(await state(), states[0], "nothing more to undo");
  if (process.env.PICTURES) await colors(page, "undone");
  for (let i = 1; i < states.length; i++) {
    await press(page, "y");
    assert.deepEqual(await state(), states[i], `redone to ${i}`);
  }
  if (process.env.PICTURES) await colors(page, "redone");
  // A drag is one step.
  const before = await state(), post = before.objects.find(([name]) => name === "cone1").at(-1);
  await dragAt(page, [3, 7, 11].map((k) => post[k]), [40, 10], ["Shift"]);
  assert.notDeepEqual((await state()).objects, before.objects);
  await press(page, "z");
  assert.deepEqual(await state(), before, "a drag undone");
  await done(page);
});

/** Where a point of the world is on the screen. */
const onScreen = (page, point) => page.evaluate((p) => {
  const { camera, size } = graze.stage.view, at = camera.position.clone().set(...p).project(camera);
  return [((at.x + 1) / 2) * size.x, ((1 - at.y) / 2) * size.y];
}, point);
/** Drags what is drawn at a point of the world by pixels, with keys held. */
async function dragAt(page, point, by, keys) {
  const [x, y] = await onScreen(page, point);
  for (const key of keys) await page.keyboard.down(key);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + by[0], y + by[1], { steps: 5 });
  await page.mouse.up();
  for (const key of keys) await page.keyboard.up(key);
  return page.evaluate(([a, b]) => graze.stage.view.ray(a, b), [x + by[0], y + by[1]]);
}
/** How far a point is from a ray. */
function offRay(point, { origin, direction: d }) {
  const v = ["x", "y", "z"].map((k, i) => point[i] - origin[k]), along = v[0] * d.x + v[1] * d.y + v[2] * d.z;
  return Math.hypot(...["x", "y", "z"].map((k, i) => v[i] - along * d[k]));
}
const objectPose = (page, name) => page.evaluate((n) => Array.from(graze.engine.geometries("object").find((g) => g.name === n).origin), name);

test("links and objects are dragged", async () => {
  const page = await open(pathToFileURL(join(folder, "heron.html")).href);
  const camera = () => page.evaluate(() => graze.stage.view.numbers), seen = await camera();
  // A point of the gripper that can be seen, in its link's frame: the ray's own.
  const held = await page.evaluate(() => {
    const { stage, engine } = graze, link = engine.links.indexOf("gripper_link");
    const mesh = stage.links[link].meshes.find((m) => m.visible), box = mesh.geometry.boundingBox.clone().applyMatrix4(mesh.matrix);
    const middle = box.min.clone().add(box.max).multiplyScalar(0.5).project(stage.view.camera);
    return stage.pick(((middle.x + 1) / 2) * stage.view.size.x, ((1 - middle.y) / 2) * stage.view.size.y);
  });
  const name = await page.evaluate((h) => graze.engine.links[h.link], held), before = await page.evaluate(() => [...graze.posture.q]);
  await dragAt(page, held.point, [0, -40], ["Shift"]);
  const after = await page.evaluate(() => [...graze.posture.q]), changed = after.flatMap((v, i) => (v === before[i] ? [] : [i]));
  assert.equal(changed.length, 1, `${name}: ${changed}`);
  assert.deepEqual(await camera(), seen, "the view stays");
  await page.locator("#canvas").focus();
  await page.keyboard.press("z");
  assert.deepEqual(await page.evaluate(() => [...graze.posture.q]), before, "one step of undo");
  // The ball of the world, on the level, then up.
  const start = await objectPose(page, "ball"), at = [start[3], start[7], start[11]];
  const ball = await page.evaluate((p) => {
    const { stage, engine } = graze, mesh = stage.objects[engine.objects.indexOf("ball")];
    for (const other of [...stage.objects, ...stage.frames.map(([m]) => m)]) other.visible = other === mesh;
    return p;
  }, at);
  const level = await dragAt(page, ball, [-60, 20], ["Shift"]), moved = await objectPose(page, "ball");
  assert.equal(moved[11], start[11]);
  assert.ok(Math.hypot(moved[3] - start[3], moved[7] - start[7]) > 0.05);
  assert.ok(offRay([moved[3], moved[7], moved[11]], level) < 0.12, "within its radius of the pointer");
  await dragAt(page, [moved[3], moved[7], moved[11]], [0, -50], ["Shift", "Alt"]);
  assert.ok((await objectPose(page, "ball"))[11] > start[11] + 0.02);
  // A box is turned about the vertical: what is grabbed stays under the pointer.
  const carton = await objectPose(page, "carton"), corner = [carton[3] - 0.1, carton[7] - 0.1, carton[11] + 0.12225];
  await page.evaluate(() => {
    const { stage, engine } = graze;
    for (const mesh of stage.objects) mesh.visible = mesh === stage.objects[engine.objects.indexOf("carton")];
    stage.draw();
  });
  const ray = await dragAt(page, corner, [50, 10], ["Shift", "Control"]), turned = await objectPose(page, "carton");
  assert.deepEqual([3, 7, 11].map((k) => turned[k]), [3, 7, 11].map((k) => carton[k]));
  assert.ok(Math.abs(turned[0]) < 0.99 && turned[10] === 1, `turned to ${turned}`);
  const t = ((corner[2] - ray.origin.z) / ray.direction.z), at2 = [ray.origin.x + t * ray.direction.x, ray.origin.y + t * ray.direction.y];
  const angle = (x, y) => Math.atan2(y - carton[7], x - carton[3]), way = angle(...at2) - angle(...corner);
  assert.ok(Math.abs(Math.atan2(turned[4], turned[0]) - Math.atan2(Math.sin(way), Math.cos(way))) < 0.05);
  assert.deepEqual(await camera(), seen);
  assert.equal(await page.evaluate(() => graze.planner.changes.list.length), 2, "of each object one change for the planner");
  // Without a key the view turns.
  await dragAt(page, at, [40, 0], []);
  assert.notDeepEqual(await camera(), seen);
  await done(page);
});

test("the map over two joints has the engine's verdicts, follows the pose, and a click moves there", async () => {
  const page = await open(pathToFileURL(join(folder, "heron.html")).href);
  const made = () => page.waitForFunction(() => graze.map.made);
  await page.getByRole("button", { name: "poses of two joints" }).click();
  for (const [name, joint] of [["to the right", "shoulder_lift"], ["up", "elbow_flex"]])
    await control(page, name).locator("select").selectOption({ label: joint });
  await control(page, "map of two joints").locator("input").click();
  await made();
  const wrong = await page.evaluate(() => {
    const { map, posture, engine } = graze, cells = Math.sqrt(map.made.verdicts.length), q = posture.q.slice();
    const [x, y] = map.columns, place = (c, i) => posture.lower[c] + ((i + 0.5) / cells) * (posture.upper[c] - posture.lower[c]);
    let count = 0;
    for (let i = 0; i < map.made.verdicts.length; i += 37) {
      q[x] = place(x, i % cells);
      q[y] = place(y, Math.floor(i / cells));
      if (engine.validate(q, posture.base) !== (map.made.verdicts[i] === 0)) count++;
    }
    return { count, kinds: new Set(map.made.verdicts).size };
  });
  assert.deepEqual(wrong, { count: 0, kinds: 2 });
  if (process.env.PICTURES) writeFileSync(join(process.env.PICTURES, "map.png"), await page.screenshot());
  const box = await page.locator("#map-canvas").boundingBox();
  await page.mouse.click(box.x + 0.75 * box.width, box.y + 0.5 * box.height);
  const [low, high] = await page.evaluate(() => graze.posture.range(graze.map.columns[0], false));
  assert.ok(Math.abs((await q(page, "shoulder_lift_joint")) - (low + 0.75 * (high - low))) < 0.01 * (high - low));
  const before = await page.evaluate(() => graze.map.made.key);
  await control(page, "torso_lift").locator("input").fill("0.2");
  await page.keyboard.press("Enter");
  await page.waitForFunction((key) => graze.map.made && graze.map.made.key !== key, before);
  await page.evaluate(() => graze.actions.addObject("box", 0.2));
  await made();
  await control(page, "map of two joints").locator("input").click();
  assert.ok(!(await page.locator("#map").isVisible()));
  await done(page);
});

test("a saved world is the world: the command finds the same contacts in it", async () => {
  const page = await open(`${pathToFileURL(join(folder, "heron.html"))}#${HIT}`);
  await page.evaluate(() => {
    graze.actions.moveObject({ name: "ball", x: 1, y: -0.2, z: 0.5, yaw: 0 });
    for (const shape of ["box", "sphere", "cylinder", "capsule", "cone"]) graze.actions.addObject(shape, 0.2);
    graze.actions.scaleObject("bowl", 2);
  });
  await page.getByRole("button", { name: "objects" }).click();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "save the world" }).click()]);
  assert.equal(download.suggestedFilename(), "world.json");
  const saved = join(folder, "world.json");
  await download.saveAs(saved);
  cpSync(join(root, "worlds/meshes"), join(folder, "meshes"), { recursive: true });
  const world = JSON.parse(readFileSync(saved, "utf8")), original = JSON.parse(readFileSync(join(root, "worlds/shelf.json"), "utf8"));
  assert.deepEqual(world.boundary, original.boundary);
  original.objects.find((o) => o.name === "ball").position = [1, -0.2, 0.5];
  const bowl = original.objects.splice(original.objects.findIndex((o) => o.name === "bowl"), 1)[0];
  const added = { box: { size: [0.2, 0.2, 0.2] }, sphere: { radius: 0.1 }, cylinder: { radius: 0.1, length: 0.2 }, capsule: { radius: 0.05, length: 0.1 },
                  cone: { radius: 0.1, length: 0.2 } };
  original.objects.push(...Object.entries(added).map(([shape, sizes]) => ({ name: `${shape}1`, shape, ...sizes, position: [1, 0, 0.5] })),
                        { ...bowl, scale: [2, 2, 2] });
  writeFileSync(join(folder, "expected.json"), JSON.stringify(original));
  const numbers = HIT.split("&").map((part) => part.slice(2)).join();
  const ask = (file) => askCheck(...HERON, "--world", file, "-q", numbers, "--all", "--format", "json");
  assert.equal(ask(saved), ask(join(folder, "expected.json")));
  assert.match(ask(saved), /box1/);
  await done(page);
});

test("findings of the linter are listed, and a click flies to the link", async () => {
  const robot = join(folder, "linted.urdf"), text = readFileSync(join(root, "urdf/two_link.urdf"), "utf8");
  writeFileSync(robot, text.replace(/<limit [^>]*\/>/, '<limit lower="-1" upper="1" effort="0" velocity="0"/>'));
  const listed = JSON.parse(askLint(robot)).findings, page = await open(makePage("linted.html", robot, "--lint"));
  await page.locator("#findings summary").click();
  assert.equal(await page.locator("#findings button").count(), listed.length);
  assert.match(await page.locator("#findings").textContent(), new RegExp(listed[0].rule));
  const before = await page.evaluate(() => graze.stage.view.numbers.slice(3));
  const linked = await page.evaluate(() => [...document.querySelectorAll("#findings small")].findIndex((s) => /_link/.test(s.textContent)));
  assert.ok(linked >= 0);
  await page.locator("#findings button").nth(linked).click();
  await page.waitForTimeout(900);
  assert.notDeepEqual(await page.evaluate(() => graze.stage.view.numbers.slice(3)), before);
  await colors(page, "findings");
  await done(page);
});
function askLint(robot) {
  try {
    return command("lint", robot, "--format", "json");
  } catch (error) {
    return error.stdout;
  }
}

test("why there is no plan is said", async () => {
  const page = await open(`${pathToFileURL(join(folder, "heron.html"))}#${HIT}`);
  await page.keyboard.press("m");
  await page.locator("#message", { hasText: "no path: the start collides: gripper_link hits crate" }).waitFor();
  await done(page);
});

test("a path of graze plan is played, and its motions are proved", async () => {
  const path = join(folder, "path.csv");
  command("plan", ...HERON, ...SHELF, "--start-state", "arm/tuck", "--goal-state", "arm/ready", "--quiet", "-o", path);
  const page = await open(makePage("path.html", ...HERON, ...SHELF, "--path", path));
  const rows = readFileSync(path, "utf8").trim().split("\n").length - 1;
  await page.waitForFunction(() => graze.player.verdicts?.every((v) => v === "free"));
  assert.equal(await page.evaluate(() => graze.player.playback.waypoints.length), rows);
  await page.locator("#scrub").fill("1");
  assert.equal(await q(page, "elbow_flex_joint"), 1.5);
  // A path straight through the shelf.
  writeFileSync(path, "shoulder_lift_joint,torso_lift_joint\n-1,0.3\n1.2,0.3\n");
  const bad = await open(makePage("bad-path.html", ...HERON, ...SHELF, "--path", path));
  await bad.waitForFunction(() => graze.player.verdicts?.[0] === "hit");
  await done(page);
  await done(bad);
});

test("a timed trajectory is played in its time, and its pieces are certified", async () => {
  const file = join(folder, "trajectory.json");
  command("plan", ...HERON, ...SHELF, "--start-state", "arm/tuck", "--goal-state", "arm/ready", "--quiet", "-o", join(folder, "way.csv"),
          "--trajectory", file, "--acceleration", "2");
  assert.match(command("certify", ...HERON, file, ...SHELF), /^free/);
  const page = await open(makePage("timed.html", ...HERON, ...SHELF, "--trajectory", file));
  await page.waitForFunction(() => graze.player.verdicts?.every((v) => v === "free"), null, { timeout: 60000 });
  const { points, joint_names: joints } = JSON.parse(readFileSync(file, "utf8")), { playback } = await page.evaluate(() => ({
    playback: { total: graze.player.total, count: graze.player.playback.count, rate: graze.player.playback.rate } }));
  assert.equal(playback.count, points.length - 1);
  assert.equal(playback.rate, 1);
  const seconds = (t) => (typeof t === "number" ? t : (t.sec ?? t.secs) + (t.nanosec ?? t.nsecs) * 1e-9), end = seconds(points.at(-1).time_from_start);
  assert.ok(Math.abs(playback.total - end) < 1e-9, `${playback.total} s, not ${end}`);
  const middle = points[points.length >> 1];
  await page.evaluate((t) => graze.player.seek(t), seconds(middle.time_from_start));
  for (const [i, name] of joints.entries()) assert.ok(Math.abs((await q(page, name)) - middle.positions[i]) < 1e-9, name);
  await page.locator("#clearance").waitFor({ state: "visible", timeout: 60000 });
  assert.match(await page.locator("#place").textContent(), /^\d+\.\d\d s, piece \d+ of \d+ proved free, \d+\.\d mm$/);
  await colors(page, "trajectory");
  // Something comes into its way: what was proved before counts no more.
  await page.evaluate(() => {
    const at = 12 * graze.engine.links.indexOf("gripper_link"), [x, y, z] = [3, 7, 11].map((k) => graze.stage.poses[at + k]);
    graze.actions.moveObject({ name: graze.actions.addObject("sphere", 0.2), x, y, z, yaw: 0 });
  });
  assert.ok(await page.evaluate(() => graze.player.verdicts.every((v) => v === "unknown") && graze.player.bounds === null));
  await page.waitForFunction(() => graze.player.verdicts.includes("hit") && !graze.player.verdicts.includes("unknown"), null, { timeout: 60000 });
  await done(page);
});

test("the address brings the pose back, and a wrong one is named", async () => {
  const url = pathToFileURL(join(folder, "heron.html")).href, page = await open(url);
  await control(page, "elbow_flex").locator("input").fill("0.7");
  await page.keyboard.press("Enter");
  await control(page, "geometry").locator("select").selectOption({ label: "both" });
  await page.waitForFunction(() => ["elbow_flex_joint=0.7", "show=both"].every((part) => location.hash.includes(part)));
  const address = page.url(), again = await open(address);
  assert.equal(await q(again, "elbow_flex_joint"), 0.7);
  assert.equal(await again.evaluate(() => graze.stage.shown), "both");
  const near = (a, b) => a.every((v, i) => Math.abs(v - b[i]) < 2e-3);
  assert.ok(near(...await Promise.all([page, again].map((p) => p.evaluate(() => graze.stage.view.numbers)))));
  await page.evaluate(async () => {
    const { actions, planning, posture } = graze;
    actions.addObject("box", 0.2);
    actions.moveObject({ name: "box1", x: -1, y: 0.5, z: 0.25, yaw: 0.5 });
    actions.scaleObject("bowl", 1.5);
    actions.removeObject("can1");
    planning.setStart({ q: graze.engine.state("tuck", "arm", graze.engine.rest()), base: posture.base.slice() });
    planning.setGoal({ q: graze.engine.state("ready", "arm", graze.engine.rest()), base: posture.base.slice() });
    await planning.plan();
    graze.player.seek(0.4 * graze.player.total);
  });
  await page.waitForFunction(() => location.hash.includes("at="));
  const state = (p) => p.evaluate(() => {
    const { engine, player, planning, posture } = graze, places = (list) => list.map(({ q, base }) => [...q, ...base].join());
    return { objects: engine.geometries("object").map((g) => JSON.stringify([g.name, g.size, g.scale, [...g.origin]])), at: player.at.toFixed(9),
             waypoints: places(player.playback.waypoints), ends: places([planning.start, planning.goal]), ghosts: Object.keys(graze.stage.ghosts),
             q: [...posture.q].map((v) => v.toFixed(9)) };
  });
  const whole = await open(page.url());
  assert.deepEqual(await state(whole), await state(page));
  await whole.waitForFunction(() => graze.player.verdicts.every((v) => v === "free"), null, { timeout: 60000 });
  await done(whole);
  const other = await open(`${url}#q.nothing=1`);
  await other.locator("#message", { hasText: "the address: there is no joint 'nothing'" }).waitFor();
  for (const wrong of ["q.elbow_flex_joint=much", "base.x=1e99", "show=x", "camera=1,2", "q.elbow_flex_joint=", "bounds=%3Cscript%3E", "level=9",
                       "q.__proto__=1", "nothing=1", "toString=1", "hidden=2", "nearest=5", "seconds=1e9", "start=[]", "start=[[]]",
                       "path=[[%22q.nothing%22],[1],[2]]", "path=[[%22q.elbow_flex_joint%22],[1],[null]]", "world=7", "world=[[%22eval%22,%22x%22]]",
                       "world=[[%22moveObject%22,%22ball%22,[1]]]", "world=[[%22moveObject%22,%22ball%22,null]]",
                       "world=[[%22addObject%22,%22x%22,{%22shape%22:%22box%22,%22size%22:[1]},[1,0,0,0,0,1,0,0,0,0,1,0]]]"]) {
    await other.evaluate((hash) => {
      document.getElementById("message").hidden = true;
      location.hash = hash;
    }, wrong);
    await other.locator("#message", { hasText: "the address:" }).waitFor({ timeout: 10000 }).catch(() => assert.fail(`${wrong} is taken`));
    assert.equal(await q(other, "elbow_flex_joint"), 0);
  }
  await done(other);
  await done(page);
  await done(again);
});

test("rules of the command line count in the page", async () => {
  const rules = ["--allow", "crate,gripper_link", "-q", HIT.split("&").map((part) => part.slice(2)).join()];
  const page = await open(makePage("allowed.html", ...HERON, ...SHELF, ...rules));
  assert.equal(await sentence(page), "free");
  const apart = await open(makePage("margin.html", ...HERON, ...SHELF, "--margin", "0.5"));
  assert.match(await sentence(apart), /^collision/);
  await done(page);
  await done(apart);
});

test("a robot without meshes, without a world, without an SRDF", async () => {
  const page = await open(makePage("arm.html", join(root, "urdf/two_link.urdf")));
  assert.equal(await sentence(page), "free");
  const seen = await colors(page, "two_link");
  assert.ok(seen.kinds > 10);
  assert.equal(seen.black, 0, "boxes are lit");
  await done(page);
});

test("a damaged page says so", async () => {
  const text = readFileSync(join(folder, "heron.html"), "utf8"), at = text.indexOf('class="graze-robot">') + 20000;
  const path = join(folder, "damaged.html");
  writeFileSync(path, text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1));
  const page = await open(pathToFileURL(path).href, { mayComplain: true });
  await page.locator("#sentence", { hasText: "could not start" }).waitFor();
  assert.ok((await page.locator("#message").textContent()).length > 10);
  await page.close();
});

// ------------------------------------------------------------------------------------- the server

/** Starts graze view; its address, what it says on stderr so far, and a way to end it. */
async function serve(args, environment = {}) {
  const child = spawn(graze, ["view", ...args], { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...environment } });
  const server = { child, errors: "" };
  child.stderr.on("data", (text) => { server.errors += text; });
  const ended = new Promise((end) => child.on("exit", (code) => end(code)));
  server.end = () => { child.kill("SIGINT"); return ended; };
  server.address = await new Promise((found, failed) => {
    child.stdout.once("data", (text) => found(String(text).trim()));
    ended.then(() => failed(new Error(`graze view has ended: ${server.errors}`)));
  });
  return server;
}
/** The status of a request with these headers, which a browser would not let a page set. */
function ask(address, { method = "GET", host, path, headers = {}, body } = {}) {
  const url = new URL(address);
  return new Promise((answer, failed) => {
    const sent = request({ host: url.hostname, port: url.port, method, path: path ?? url.pathname, setHost: false,
                           headers: { ...headers, ...(host !== null && { host: host ?? url.host }) } }, (response) => {
      response.resume();
      answer(response.statusCode);
    });
    sent.on("error", failed);
    sent.end(body);
  });
}

test("served: follows changes of the files, says when they are broken, and when it has ended", async () => {
  const robot = join(folder, "served.urdf"), good = readFileSync(join(root, "urdf/two_link.urdf"), "utf8");
  writeFileSync(robot, good);
  const server = await serve([robot, "--no-browser"]);
  const page = await open(`${server.address}#q.elbow_joint=0.5`);
  assert.equal(await q(page, "elbow_joint"), 0.5);
  writeFileSync(robot, good.replace('robot name="two_link"', 'robot name="other"'));
  await page.waitForFunction(() => globalThis.graze?.engine.name === "other");
  assert.equal(await q(page, "elbow_joint"), 0.5, "the pose is kept");
  writeFileSync(robot, "<robot");
  await page.locator("#message", { hasText: "cannot be read" }).waitFor();
  assert.match(server.errors, /served\.urdf:1/);
  assert.equal(await page.evaluate(() => graze.engine.name), "other", "the last good one stays");
  writeFileSync(robot, good);
  await page.waitForFunction(() => globalThis.graze?.engine.name === "two_link");
  assert.equal(await server.end(), 130);
  await page.locator("#message", { hasText: "has ended" }).waitFor();
  page.wrong = page.wrong.filter((text) => !/ERR_CONNECTION_REFUSED|Failed to load resource/.test(text));
  await done(page);
});

test("served: a URDF dropped on the page is read by the server; a broken one is refused, and so are others than the page", async () => {
  const server = await serve([...HERON, ...SHELF, "-q", "torso_lift_joint=0.1", "--no-browser"]), { address } = server;
  const page = await open(address), text = readFileSync(join(root, "urdf/two_link.urdf"), "utf8");
  const drop = (content) => page.evaluate((t) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([t], "mine.urdf"));
    dispatchEvent(new DragEvent("drop", { dataTransfer, cancelable: true }));
  }, content);
  await drop("<robot");
  await page.locator("#message", { hasText: "mine.urdf: the robot cannot be read" }).waitFor();
  assert.match(server.errors, /<dropped>:1/);
  assert.equal(await page.evaluate(() => graze.engine.name), "heron", "the last one stays");
  await drop(text);
  await page.waitForFunction(() => globalThis.graze?.engine.name === "two_link", null, { timeout: 60000 });
  assert.ok(await page.evaluate(() => graze.engine.objects.includes("crate")), "the world stays");
  const path = `${new URL(address).pathname}robot`, origin = new URL(address).origin;
  const put = (o) => ask(address, { method: "POST", path, body: text, ...o });
  assert.equal(await put({ headers: { origin } }), 200);
  for (const headers of [{ origin: "http://evil.example" }, { origin: "null" }, { origin: `${origin}.evil.example` }])
    assert.equal(await put({ headers }), 405, headers.origin);
  assert.equal(await put({ host: "evil.example" }), 403);
  assert.equal(await put({ path: "/robot" }), 405);
  assert.equal(await put({ body: Buffer.alloc(17 << 20, 32) }), 413);
  assert.equal(await put({ body: '<robot name="x"><link name="a"><collision><geometry><mesh filename="/etc/passwd"/></geometry></collision></link></robot>' }), 422);
  assert.ok(!/root:/.test(server.errors), "nothing of a file that is no mesh is quoted");
  assert.equal(await server.end(), 130);
  page.wrong = page.wrong.filter((line) => !/ERR_CONNECTION_REFUSED|Failed to load resource/.test(line));
  await done(page);
});

test("served: nobody else gets in", async () => {
  const server = await serve([join(root, "urdf/two_link.urdf"), "--no-browser"]), { address } = server;
  const port = new URL(address).port, token = new URL(address).pathname;
  assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/$/);
  assert.equal(await ask(address), 200);
  assert.equal(await ask(address, { method: "HEAD" }), 200);
  assert.equal(await ask(address, { host: `localhost:${port}` }), 200);
  for (const host of ["evil.example", `evil.example:${port}`, "127.0.0.1", `127.0.0.1.evil.example:${port}`, `[::1]:${port}`, ""])
    assert.equal(await ask(address, { host }), 403, `host '${host}'`);
  assert.ok((await ask(address, { host: null })) >= 400);
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) assert.equal(await ask(address, { method }), 405, method);
  const wrong = token.slice(0, -2) + (token.at(-2) === "0" ? "1" : "0") + "/";
  for (const path of ["/", "/number", wrong, token.slice(0, -1), token.slice(0, 9), `${token}x`, `${token}../../etc/passwd`, `${token}%00`,
                      `/${"a".repeat(3000)}`])
    assert.equal(await ask(address, { path }), 404, path);
  // A page of another origin can neither read it nor show it in a frame.
  const other = await browser.newPage();
  await other.goto("about:blank");
  assert.equal(await other.evaluate((a) => fetch(a).then(() => "read", () => "refused"), address), "refused");
  await other.close();
  assert.notEqual(address.split("/")[3], (await (async () => {
    const second = await serve([join(root, "urdf/two_link.urdf"), "--no-browser"]);
    await second.end();
    return second.address;
  })()).split("/")[3]);
  await server.end();
});

test("served: the browser is opened by a file that only its owner can read", async () => {
  const bin = join(folder, "bin"), log = join(folder, "opened");
  mkdirSync(bin);
  writeFileSync(join(bin, "xdg-open"), `#!/bin/sh\nstat -c %a "$1" > ${log}.new; echo "$1" >> ${log}.new; cat "$1" >> ${log}.new; mv ${log}.new ${log}\n`);
  chmodSync(join(bin, "xdg-open"), 0o755);
  const server = await serve([join(root, "urdf/two_link.urdf")], { PATH: `${bin}:${process.env.PATH}`, DISPLAY: ":9" });
  for (let i = 0; !existsSync(log) && i < 100; i++) await new Promise((r) => setTimeout(r, 50));
  const [mode, file, ...text] = readFileSync(log, "utf8").split("\n");
  assert.equal(mode, "600");
  assert.match(file, /\.html$/);
  assert.ok(text.join().includes(`url=${server.address}`));
  await server.end();
  assert.ok(!existsSync(file));
});

test("accessible: axe finds nothing serious, on large and small screens", async () => {
  for (const size of [{ width: 1280, height: 800 }, { width: 390, height: 740 }]) {
    const page = await open(`${pathToFileURL(join(folder, "heron.html"))}#${HIT}`, size);
    await page.evaluate(readFileSync(require.resolve("axe-core/axe.min.js"), "utf8"));
    const { violations } = await page.evaluate(() => axe.run());
    const serious = violations.filter((v) => ["serious", "critical"].includes(v.impact));
    assert.deepEqual(serious.map((v) => `${v.id}: ${v.nodes.map((n) => n.html).join(" ").slice(0, 300)}`), []);
    await colors(page, `size-${size.width}`);
    await done(page);
  }
});

let failed = 0;
try {
  browser = await require("playwright-core").chromium.launch({ executablePath: chromium, args: [
    "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] });
  eye = await browser.newPage();
  const only = process.env.ONLY;
  for (const { name, run } of tests.filter((t, i) => !only || i === 0 || only.split("|").some((part) => t.name.includes(part)))) {
    try {
      await run();
      console.log(`ok    ${name}`);
    } catch (error) {
      failed++;
      console.log(`FAIL  ${name}\n${error.stack}`);
    }
  }
} finally {
  await browser?.close();
  rmSync(folder, { recursive: true });
}
console.log(failed ? `${failed} of ${tests.length} failed` : `${tests.length} tests of the page passed`);
process.exit(failed ? 1 : 0);
