// Measures the page of `graze view` in a headless Chromium that draws by software: node measure.mjs NPM_FOLDER GRAZE
// How it loads, with nothing that drives the browser (load_times.mjs): how soon there is a picture, and how long the page is blocked.
// Then how long it is blocked while it is used (the browser's own observer of long tasks), how long the verdict of a slider takes,
// checks a second in a worker beside the command's, and frames a second of a large robot. docs/web.md has the figures.
// ONLY: heron, big, or load, which is the first of all for heron. LOADS: how many of them.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { loadavg, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { writeBigRobot } from "./big_robot.mjs";
import { loadOnce, traceTasks } from "./load_times.mjs";

const [npm, graze] = process.argv.slice(2), only = process.env.ONLY;
const root = resolve(dirname(fileURLToPath(import.meta.url)), "../.."), folder = mkdtempSync(join(tmpdir(), "graze-measure-"));
const playwright = createRequire(join(resolve(npm), "index.js"))("playwright-core"), { chromium } = playwright;
const program = process.env.CHROMIUM ?? "/usr/bin/chromium";
const HERON = [join(root, "urdf/heron.urdf"), "--srdf", join(root, "urdf/heron.srdf"), "--world", join(root, "worlds/shelf.json")];
const ROWS = 20000, TURNS = 60, LISTED = 5, loads = (usual) => Number(process.env.LOADS ?? usual);

/** Notes every long task with its time, from before the page's own scripts run. */
const OBSERVE = `globalThis.longTasks = [];
new PerformanceObserver((list) => { for (const e of list.getEntries()) longTasks.push([Math.round(e.startTime), Math.round(e.duration)]); })
  .observe({ type: "longtask", buffered: true });`;

async function open(browser, file) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.on("pageerror", (e) => console.log(`error in the page: ${e.message}`));
  await page.addInitScript(OBSERVE);
  await page.goto(pathToFileURL(file).href);
  await page.waitForFunction(() => globalThis.graze && performance.getEntriesByName("graze-shown").length, null, { timeout: 120000 });
  return page;
}
async function longTasks(page, what) {
  await page.waitForTimeout(1500);
  const list = await page.evaluate(() => globalThis.longTasks.splice(0));
  const longest = Math.max(0, ...list.map(([, ms]) => ms));
  console.log(`  blocked ${what}: longest ${longest ? `${longest} ms` : "under 50 ms"}` +
              (list.length ? ` (${list.map(([at, ms]) => `${ms} at ${at}`).join(", ")})` : ""));
}
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

function makePage(name, args) {
  const file = join(folder, `${name}.html`);
  execFileSync(graze, ["view", ...args, "--quiet", "-o", file]);
  console.log(`${name}: ${(statSync(file).size / 1e6).toFixed(2)} MB, ${(gzipSync(readFileSync(file)).length / 1e6).toFixed(2)} MB with gzip`);
  return file;
}
/** Loads a page some times in browsers of its own; then once more with the browser's trace, which says what its tasks were. */
async function measureLoading(file, title, loads) {
  const marks = {}, blocked = [];
  console.log(`  load of the machine: ${loadavg().map((v) => v.toFixed(1)).join(" ")}`);
  for (let i = 0; i < loads; i++) {
    const read = await loadOnce(playwright, program, file, title), tasks = read.tasks.map(([at, ms]) => `${ms} at ${at}`);
    for (const [name, at] of Object.entries(read.marks)) (marks[name] ??= []).push(at);
    blocked.push(Math.max(0, ...read.tasks.map(([, ms]) => ms)));
    console.log(`  loaded: picture after ${read.marks["graze-shown"]} ms, tasks of 50 ms and more: ${tasks.join(", ") || "none"}`);
  }
  console.log(`  medians after: ${Object.entries(marks).map(([name, list]) => `${name.slice(6)} ${median(list)} ms`).join(", ")}`);
  console.log(`  blocked while it loads: longest ${median(blocked) || "under 50"} ms (median of ${loads}), ${Math.max(...blocked) || "under 50"} ms (most)`);
  const tasks = await traceTasks(playwright, program, file, title), cpu = [...tasks].sort((a, b) => b.cpu - a.cpu);
  console.log(`  by the trace: ${tasks.length} tasks of the page, ${Math.round(tasks.reduce((n, t) => n + t.cpu, 0))} ms of processor in all; of the longest:`);
  for (const { at, wall, cpu: own, what } of cpu.slice(0, LISTED))
    console.log(`    ${own.toFixed(0)} ms of processor, ${wall.toFixed(0)} ms by the clock, at ${at}: ${what.slice(0, 100) || "script"}`);
}
async function measurePage(browser, file) {
  const page = await open(browser, file);
  await longTasks(page, "while it loads, driven");
  const slider = await page.evaluate((turns) => {
    const { posture, verdict } = graze, times = [];
    for (let i = 0; i < turns; i++) {
      for (let k = 0; k < posture.q.length; k++)
        posture.q[k] = Math.min(Math.max(posture.lower[k], 0.3 * Math.sin(i + k)), posture.upper[k]);
      const begun = performance.now();
      verdict.update();
      times.push(performance.now() - begun);
    }
    return times;
  }, TURNS);
  console.log(`  verdict of a pose: median ${median(slider).toFixed(1)} ms, longest ${Math.max(...slider).toFixed(1)} ms`);
  for (const shownKind of ["visual", "collision", "both"]) {
    await page.evaluate((kind) => graze.panel.shown.setValue(kind), shownKind);
    await page.waitForTimeout(1200);
    await page.evaluate(() => globalThis.longTasks.splice(0));
    const { pictures, ratio } = await page.evaluate((ms) => new Promise((done) => {
      const { posture, stage } = graze, { renderer } = stage.screen, { render } = renderer, times = [], begun = performance.now();
      // No picture is begun before the last one is drawn.
      renderer.render = (...args) => {
        times.push(performance.now() - begun);
        render.apply(renderer, args);
      };
      const turn = (now) => {
        for (let k = 0; k < posture.q.length; k++)
          posture.q[k] = Math.min(Math.max(posture.lower[k], 0.2 * Math.sin(now / 500 + k)), posture.upper[k]);
        posture.changed();
        stage.view.camera.position.applyAxisAngle(stage.view.camera.up, 0.02);
        stage.view.controls.update();
        if (performance.now() - begun < ms) return requestAnimationFrame(turn);
        renderer.render = render;
        const late = times.filter((t) => t > ms / 3);
        done({ pictures: (1000 * (late.length - 1)) / (late.at(-1) - late[0]), ratio: stage.screen.ratio });
      };
      requestAnimationFrame(turn);
    }), 5000);
    console.log(`  ${shownKind}: ${pictures.toFixed(1)} pictures a second, all joints and the camera moving` +
                (ratio < 1 ? `, with ${ratio.toFixed(2)} of the screen's pixels each way` : ""));
    await longTasks(page, `while ${shownKind} moves`);
  }
  const at = await page.evaluate(() => { const r = graze.stage.canvas.getBoundingClientRect(); return [0.4 * r.width, 0.5 * r.height]; });
  await page.mouse.dblclick(...at);
  await longTasks(page, "by picking");
  return page;
}

/** An array of doubles, rows of `width`, as NumPy's file. */
function npy(numbers, width) {
  const header = `{'descr': '<f8', 'fortran_order': False, 'shape': (${numbers.length / width}, ${width}), }`;
  const padded = header.padEnd(Math.ceil((header.length + 11) / 64) * 64 - 11) + "\n", size = Buffer.alloc(2);
  size.writeUInt16LE(padded.length);
  return Buffer.concat([Buffer.from("\x93NUMPY\x01\x00", "latin1"), size, Buffer.from(padded), Buffer.from(new Float64Array(numbers).buffer)]);
}

/** Checks a second: one worker of the page, and the command on one thread, one after the other. */
async function measureChecks(page) {
  const { numbers, width } = await page.evaluate((rows) => {
    const { engine } = graze;
    globalThis.rows = new Float64Array(rows * engine.dof);
    for (let i = 0; i < rows; i++) globalThis.rows.set(engine.sample(1, i), i * engine.dof);
    return { numbers: [...globalThis.rows], width: engine.dof };
  }, ROWS);
  const file = join(folder, "rows.npy"), worker = [], native = [];
  writeFileSync(file, npy(numbers, width));
  for (let i = 0; i < 7; i++) {
    worker.push(await page.evaluate(async () => {
      const scene = await graze.planner.scene(), begun = performance.now();
      await scene.validateBatch(globalThis.rows);
      return (performance.now() - begun) / 1000;
    }));
    const { stderr } = spawnSync(graze, ["check", ...HERON, "--configs", file, "--threads", "1", "--stats", "--format", "npy", "-o",
                                         join(folder, "verdicts.npy")], { encoding: "utf8" });
    native.push(Number(/mean ([\d.]+) us/.exec(stderr)?.[1]) || stderr);
  }
  const [inPage, byCommand] = [ROWS / median(worker), 1e6 / median(native)];
  console.log(`  checks a second: ${Math.round(inPage)} in a worker, ${Math.round(byCommand)} by the command: ${(inPage / byCommand).toFixed(2)} of it`);
}

const wanted = (name) => !only || only === name;
async function measure(name, title, args, loads, more) {
  const file = makePage(name, args);
  await measureLoading(file, title, loads);
  if (only === "load") return;
  const browser = await chromium.launch({ executablePath: program, args: [
    "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] });
  try {
    const page = await measurePage(browser, file);
    await more?.(page);
  } finally {
    await browser.close();
  }
}
try {
  if (wanted("heron") || wanted("load")) await measure("heron", "heron - graze", HERON, loads(5), measureChecks);
  if (wanted("big")) await measure("big", "big - graze", [writeBigRobot(join(folder, "robot"))], loads(2));
} finally {
  rmSync(folder, { recursive: true });
}
