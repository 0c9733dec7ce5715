// How a page loads in a Chromium that nothing drives: it runs, and is asked for a tab with the file; no script is put into that, and nobody
// speaks with it until it has its picture. What the page's own clock and observer say is read afterwards.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const FLAGS = ["--headless", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-first-run",
               "--disable-extensions", "--disable-background-networking", "--disable-component-update", "--window-size=1280,800",
               "--force-device-scale-factor=1", "--remote-debugging-port=0"];
const CATEGORIES = ["toplevel", "blink.user_timing", "devtools.timeline", "v8", "disabled-by-default-v8.compile"];
const SETTLE_MS = 2000, AFTER_MS = 1500, WAIT_MS = 60000, TASK_MS = 50;

const sleep = (ms) => new Promise((go) => setTimeout(go, ms));

/** Starts the browser, and waits until it has nothing to do. */
async function start(chromium, folder, more) {
  const child = spawn(chromium, [...FLAGS, `--user-data-dir=${folder}`, ...more, "about:blank"], { stdio: ["ignore", "ignore", "ignore"] }), begun = Date.now();
  const port = join(folder, "DevToolsActivePort");
  while (!existsSync(port) || !readFileSync(port, "utf8").includes("\n")) {
    if (Date.now() - begun > WAIT_MS || child.exitCode !== null) throw new Error(`${chromium} has not started`);
    await sleep(50);
  }
  const ended = new Promise((end) => child.on("exit", end)), number = Number(readFileSync(port, "utf8").split("\n")[0]);
  await sleep(SETTLE_MS);
  return { port: number, ended, child };
}

async function end(driver, browser) {
  await (await driver.newBrowserCDPSession()).send("Browser.close");
  await browser.ended;
}

/** Opens a file in a tab, and waits for the title that the page gets with its picture, by the browser's list of pages: the page does nothing for it. */
async function openTab(port, file, title) {
  await fetch(`http://127.0.0.1:${port}/json/new?${pathToFileURL(file).href}`, { method: "PUT" });
  for (const begun = Date.now(); Date.now() - begun < WAIT_MS; await sleep(200)) {
    const list = await fetch(`http://127.0.0.1:${port}/json/list`).then((r) => r.json(), () => []);
    if (list.some((target) => target.type === "page" && target.title === title)) return;
  }
  throw new Error(`no page has got the title '${title}'`);
}

/** In the page, once it is loaded: its marks, and the tasks that the browser has noted as longer than 50 ms. */
const READ = () => new Promise((done) => {
  const tasks = [];
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map((e) => [Math.round(e.startTime), Math.round(e.duration)])))
    .observe({ type: "longtask", buffered: true });
  const marks = performance.getEntriesByType("mark").map((m) => [m.name, Math.round(m.startTime)]);
  setTimeout(() => done({ marks: Object.fromEntries(marks), tasks, begun: performance.timeOrigin }), 200);
});

/** Loads a file once: {marks, tasks} in ms from the navigation on. */
export async function loadOnce(playwright, chromium, file, title) {
  const folder = mkdtempSync(join(tmpdir(), "graze-load-"));
  const browser = await start(chromium, folder, []);
  try {
    await openTab(browser.port, file, title);
    await sleep(AFTER_MS);
    const driven = Date.now(); // what drives the browser has the page laid out anew
    const driver = await playwright.chromium.connectOverCDP(`http://127.0.0.1:${browser.port}`);
    const page = driver.contexts().flatMap((c) => c.pages()).find((p) => p.url().startsWith("file:"));
    const { marks, tasks, begun } = await page.evaluate(READ);
    await end(driver, browser);
    return { marks, tasks: tasks.filter(([at]) => begun + at < driven) };
  } finally {
    browser.child.kill();
    await browser.ended;
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

/** Tasks of the page's thread by the browser's trace, longest first by the thread's own time: {at, wall, cpu, what} in ms. */
export async function traceTasks(playwright, chromium, file, title) {
  const folder = mkdtempSync(join(tmpdir(), "graze-load-")), trace = join(folder, "trace.json");
  let driven;
  const browser = await start(chromium, folder, [`--trace-startup=${CATEGORIES}`, `--trace-startup-file=${trace}`, "--trace-startup-format=json",
                                                 "--trace-startup-duration=0"]);
  try {
    await openTab(browser.port, file, title);
    await sleep(AFTER_MS);
    driven = Number(process.hrtime.bigint() / 1000n); // the trace's clock (Linux)
    // What is ended otherwise writes no trace.
    await end(await playwright.chromium.connectOverCDP(`http://127.0.0.1:${browser.port}`), browser);
  } finally {
    browser.child.kill();
  }
  const { traceEvents } = JSON.parse(readFileSync(trace, "utf8"));
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  return tasksOf(traceEvents, driven);
}

/** What a task does: the longest events inside it, none inside another one of the list. */
function contentOf(task, events) {
  const inside = events.filter((e) => e !== task && e.ts >= task.ts && e.ts + e.dur <= task.ts + task.dur && e.dur > 0.15 * task.dur);
  return inside.filter((e) => !inside.some((o) => o !== e && o.ts >= e.ts && o.ts + o.dur <= e.ts + e.dur && o.dur < e.dur)).map((e) =>
    `${e.name} ${Math.round(e.dur / 1000)}${e.args?.data?.url || e.args?.data?.functionName ? ` ${e.args.data.functionName ?? ""}` : ""}`).join(", ");
}
function tasksOf(events, until) {
  const mark = events.find((e) => e.name === "graze-shown" && e.args?.data?.startTime !== undefined);
  if (!mark) throw new Error("the trace has no mark graze-shown");
  const { pid, tid } = mark, begun = mark.ts - 1000 * mark.args.data.startTime;
  const own = events.filter((e) => e.pid === pid && e.tid === tid && e.ph === "X" && e.dur > 0);
  const tasks = own.filter((e) => /RunTask$/.test(e.name) && e.ts >= begun && e.ts < until);
  // The trace leaves out a time of the thread that is 0.
  return tasks.map((e) => ({ at: Math.round((e.ts - begun) / 1000), wall: e.dur / 1000, cpu: (e.tdur ?? 0) / 1000, what: e.dur > 1000 * TASK_MS / 5 ? contentOf(e, own) : "" }))
    .sort((a, b) => b.wall - a.wall);
}
