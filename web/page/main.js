// The page of `graze view`: reads what it holds, and joins engine, posture, stage, panel, keys and path.
import { load } from "../graze.js";
import { loadInWorker } from "../remote.js";
import { pause, readBlock, readModule, readScript } from "./blocks.js";
import { clearances, millimetres } from "./clearance.js";
import { PathPlayback, TimedPlayback } from "./playback.js";
import { Drag } from "./drag.js";
import { KEYS, Keys } from "./keys.js";
import { PoseMap } from "./map.js";
import { Panel } from "./panel.js";
import { Player, tipOf } from "./player.js";
import { Posture } from "./posture.js";
import { readScene } from "./scene_block.js";
import { BOUNDS, Stage } from "./stage.js";
import { saveText, worldText } from "./world_file.js";

const element = (id) => document.getElementById(id);
const SCALED = ["box", "sphere", "cylinder", "capsule", "cone"];
const SEGMENT_LIMIT = 300, RANDOM_TRIES = 20000, LISTED = 12, PLACES = 120, EXAMINE_MS = 400;

function say(text, seconds = 6) {
  const message = element("message");
  message.textContent = text;
  message.hidden = false;
  clearTimeout(say.timer);
  if (seconds) say.timer = setTimeout(() => { message.hidden = true; }, 1000 * seconds);
}

// ------------------------------------------------------------------------------------- the verdict

function describe(c) {
  const at = c.point.map((v) => v.toFixed(4)).join(", ");
  if (c.kind === "boundary") return [`${c.linkName} leaves the boundary`, ""];
  const verb = !c.contained ? "hits" : c.triangle >= 0 ? "is inside" : "holds";
  return [`${c.linkName} ${verb} ${c.otherName}`, `at (${at})`];
}

/** An item of the list; a click flies to the point. */
function listItem(what, where, kind, point, stage) {
  const item = document.createElement("li"), button = document.createElement("button"), small = document.createElement("small");
  button.type = "button";
  button.append(what, " ", small);
  small.textContent = where;
  button.className = kind;
  button.addEventListener("click", () => stage.fly(point));
  item.append(button);
  return item;
}
function contactItem(c, stage) {
  const [what, where] = describe(c);
  return listItem(what, c.reason ? `${where}, hidden: ${c.reason}` : where, c.reason ? "hidden" : "", c.point, stage);
}

function nearestItem(p, stage) {
  const middle = p.points[0].map((v, k) => (v + p.points[1][k]) / 2);
  return listItem(`${p.linkName} to ${p.otherName}`, millimetres(p.lower), "nearest", middle, stage);
}

/** The findings of the linter; a click flies to the link that one concerns. */
function showFindings(findings, app) {
  const details = element("findings"), count = (severity) => findings.filter((f) => f.severity === severity).length;
  details.hidden = false;
  details.querySelector("summary").textContent = `lint: ${count(3)} errors, ${count(2)} warnings, ${count(1)} notes`;
  details.querySelector("ol").replaceChildren(...findings.map((f) => {
    const item = document.createElement("li"), button = document.createElement("button"), small = document.createElement("small");
    button.type = "button";
    button.className = ["", "info", "warning", "error"][f.severity];
    button.title = f.advice;
    small.textContent = [f.rule, f.link >= 0 ? app.engine.links[f.link] : "", f.line ? `${f.file}:${f.line}` : f.file].filter(Boolean).join(", ");
    button.append(f.message, " ", small);
    button.addEventListener("click", () => { if (f.link >= 0) app.stage.flyToLink(f.link); else say(f.advice); });
    item.append(button);
    return item;
  }));
}

class Verdict {
  constructor(engine, posture, stage, values) {
    Object.assign(this, { engine, posture, stage, values, joints: engine.joints() });
  }
  update() {
    const { engine, posture, stage } = this;
    let report, hidden = [], near = [], poses;
    try {
      poses = engine.forwardKinematics(posture.q, posture.base);
      report = engine.check(posture.q, { base: posture.base, answer: "all" });
      if (this.values.hidden) hidden = engine.hiddenContacts(posture.q, posture.base);
      if (this.values.nearest) near = this.#nearest();
    } catch (error) {
      return this.#write("unknown", `no verdict: ${error.message}`, [], []);
    }
    stage.pose(poses);
    stage.highlight(report.contacts);
    const segments = this.#segments(report), points = segments.length ? [] : report.contacts.filter((c) => c.kind !== "boundary");
    stage.mark(segments, points.map((c) => c.point), hidden.map((c) => c.point));
    stage.markNearest(near.map((p) => ({ points: p.points, text: millimetres(p.lower) })));
    const count = report.contacts.length;
    const [what] = count ? describe(report.contacts[0]) : [""];
    this.#write(report.verdict, count ? `collision: ${what}${count > 1 ? `, and ${count - 1} more` : ""}` : "free",
                [...report.contacts, ...hidden], report.violated, near);
    return report;
  }
  /** The nearest pairs of those that do not touch. */
  #nearest() {
    const { posture, values } = this;
    for (let count = values.nearest; ; count *= 2) {
      const { pairs } = this.engine.nearest(posture.q, { base: posture.base, count }), apart = pairs.filter((p) => !p.overlap);
      if (apart.length >= values.nearest || pairs.length < count) return apart.slice(0, values.nearest);
    }
  }
  #segments(report) {
    if (!this.values.segments || report.verdict === "free") return [];
    const { pairs } = this.engine.contacts(this.posture.q, { base: this.posture.base, limit: SEGMENT_LIMIT, manifolds: false });
    return pairs.flatMap((p) => p.triangles.map((t) => t.segment));
  }
  #write(verdict, sentence, contacts, violated, near = []) {
    const text = element("sentence");
    text.className = verdict;
    if (text.textContent !== sentence) text.textContent = sentence;
    const items = contacts.slice(0, LISTED).map((c) => contactItem(c, this.stage));
    element("contacts").replaceChildren(...items, ...near.map((p) => nearestItem(p, this.stage)));
    const more = contacts.length - items.length;
    const outside = violated.length ? `outside the limits: ${violated.map((j) => this.joints[j].name).join(", ")}` : "";
    element("note").textContent = [outside, more > 0 ? `${more} more contacts are not listed` : ""].filter(Boolean).join("; ");
  }
}

// ------------------------------------------------------------------------------------- planning

/** A worker with a scene of its own, made again when it is needed after a change. */
class Planner {
  constructor(compiled, options) { Object.assign(this, { compiled, options, changes: [] }); }
  async scene() {
    this.remote ??= loadInWorker(new Worker(this.options.worker), this.compiled, this.options.load).then(async (remote) => {
      for (const change of this.changes) await remote.call(...change);
      return remote;
    });
    return this.remote;
  }
  /** A change of the world, for the worker that is there and for later ones. */
  change(...change) {
    const last = this.changes.at(-1), again = change[0] === "moveObject" && last?.[0] === change[0] && last[1] === change[1];
    this.changes.splice(this.changes.length - (again ? 1 : 0), Infinity, change);
    this.end();
  }
  async end() {
    const remote = this.remote;
    this.remote = undefined;
    (await remote)?.terminate();
  }
}

const OUTCOMES = {
  "start-collides": "the start collides", "goal-collides": "the goal collides", "start-limits": "the start is outside the limits",
  "goal-limits": "the goal is outside the limits", iterations: "the iterations are spent", time: "the time is spent",
  cancelled: "ended", unreachable: "start and goal differ in what is not planned",
};

class Planning {
  constructor(app) {
    this.app = app;
    this.start = null;
    this.goal = null;
  }
  here() { return { q: this.app.posture.q.slice(), base: this.app.posture.base.slice() }; }
  #poses(place) { return place && this.app.engine.forwardKinematics(place.q, place.base); }
  setStart(place = this.here()) {
    this.start = place;
    this.app.stage.ghost("start", this.#poses(place));
  }
  setGoal(place = this.here()) {
    this.goal = place;
    this.app.stage.ghost("goal", this.#poses(place));
  }
  clear() {
    this.app.player.set(null);
    this.app.stage.trees.clear();
    this.setStart(null);
    this.setGoal(null);
  }
  async plan() {
    const { app } = this, { values, planButton } = app.panel;
    if (this.busy) return app.planner.end();
    const start = this.start ?? this.here(), goal = this.goal ?? { q: app.posture.initial.q, base: app.posture.initial.base };
    this.busy = true;
    planButton.name("end the search (M)");
    say("planning ...", 0);
    try {
      const scene = await app.planner.scene();
      app.stage.trees.clear();
      const watched = values.trees ? { watch: tipOf(app.engine), onNodes: (nodes) => app.stage.trees.add(nodes) } : {};
      const plan = await scene.plan(start.q, goal.q, { startBase: start.base, goalBase: goal.base, planarBase: values.planarBase,
                                                       maxSeconds: values.seconds, maxIterations: 1e7, ...watched });
      this.#show(plan, start, goal);
    } catch (error) {
      say(error.status === "cancelled" ? "the search was ended" : `no plan: ${error.message}`);
    } finally {
      this.busy = false;
      planButton.name("plan (M)");
    }
  }
  #show(plan, start, goal) {
    if (plan.outcome !== "found") {
      const c = plan.contact, pair = c ? `: ${c.linkName} hits ${c.otherName}` : "";
      return say(`no path: ${OUTCOMES[plan.outcome]}${pair}`);
    }
    this.setStart(start);
    this.setGoal(goal);
    this.app.play(new PathPlayback(this.app.engine, plan.path), plan.certified);
    say(`a path of ${plan.path.length} waypoints, ${plan.certified ? "proved free" : "not proved"}, length ${plan.length.toFixed(2)}`);
  }
}

// ------------------------------------------------------------------------------------- the page

class App {
  constructor(engine, stage, scene, planner) {
    Object.assign(this, { engine, stage, planner, posture: new Posture(engine, scene.q, scene.base) });
    this.player = new Player(engine, this.posture, this.stage, { bar: element("bar"), scrub: element("scrub"), play: element("play"),
                                                                 strip: element("strip"), clearance: element("clearance"), place: element("place") });
    this.planning = new Planning(this);
    this.actions = this.#actions();
    this.panel = new Panel(element("panel"), engine, this.posture, this.actions);
    this.keys = new Keys(engine, this.posture, this.actions);
    this.drag = new Drag(this);
    this.map = new PoseMap(this, { section: element("map"), canvas: element("map-canvas"), text: element("map-text") });
    this.verdict = new Verdict(engine, this.posture, this.stage, this.panel.values);
    this.posture.onChange(() => this.refresh());
    this.stage.controls.addEventListener("end", () => this.#writeAddress());
    element("canvas").addEventListener("dblclick", (event) => this.#pick(event));
    addEventListener("hashchange", () => this.#readAddress());
  }
  #actions() {
    const { posture, stage } = this;
    return {
      show: (shown) => { stage.show(shown); this.#writeAddress(); },
      nextShown: () => {
        const kinds = ["visual", "collision", "both"], next = kinds[(kinds.indexOf(stage.shown) + 1) % 3];
        this.panel.shown.setValue(next);
      },
      showBounds: (kind, level) => { stage.showBounds(kind, level); this.#writeAddress(); },
      showFrames: (kind, on) => stage.showFrames(kind, on),
      wireframe: (on) => stage.wireframe(on),
      home: () => stage.home(),
      refresh: () => this.refresh(),
      random: () => this.#random(),
      begin: () => { posture.remember(); posture.set(posture.initial.q, posture.initial.base); },
      applyState: (name, group) => { posture.remember(); posture.set(this.engine.state(name, group, posture.q)); },
      undo: () => posture.undo(), redo: () => posture.redo(),
      setStart: () => this.planning.setStart(), setGoal: () => this.planning.setGoal(),
      plan: () => this.planning.plan(), clearPath: () => this.planning.clear(),
      step: (by) => this.player.step(by), play: () => this.player.toggle(),
      moveObject: (object) => this.#moveObject(object),
      addObject: (shape, size) => this.#addObject(shape, size),
      scaleObject: (name, factor) => this.#scaleObject(name, factor),
      removeObject: (name) => this.#changeWorld("removeObject", name),
      showMap: (columns) => this.map.show(columns),
      saveWorld: () => this.#saveWorld(),
      chosen: (joint) => { this.panel.choose(joint); say(joint.name, 2); },
      ignoresLimits: () => this.panel.values.ignoreLimits,
      help: () => showHelp(), panelMoved: () => this.stage.cover(this.panel?.width ?? 0),
    };
  }
  refresh() {
    this.report = this.verdict.update();
    this.panel.follow();
    this.map.follow();
    this.#writeAddress();
  }
  /** Changes the world of the page and of the worker. */
  #changeWorld(method, ...args) {
    try {
      this.engine[method](...args);
    } catch (error) {
      return say(error.message);
    }
    this.planner.change(method, ...args);
    if (method === "moveObject") this.stage.placeObject(args[0]);
    else this.stage.updateObjects();
    this.map.made = null;
    if (this.player.playback) {
      this.player.forget();
      clearTimeout(this.examining);
      this.examining = setTimeout(() => this.#examine(this.player.playback, false), EXAMINE_MS);
    }
    this.refresh();
  }
  /** About the vertical through its origin it is turned by what the yaw has changed. */
  #moveObject({ name, x, y, z, yaw }) {
    const m = this.engine.geometry("object", this.engine.objects.indexOf(name), { mesh: false }).origin;
    const turn = yaw - Math.atan2(m[4], m[0]), c = Math.cos(turn), s = Math.sin(turn);
    const rows = [0, 1, 2].map((k) => [c * m[k] - s * m[4 + k], s * m[k] + c * m[4 + k]]);
    const pose = turn === 0 ? [...m] : [rows[0][0], rows[1][0], rows[2][0], 0, rows[0][1], rows[1][1], rows[2][1], 0, ...m.slice(8)];
    [pose[3], pose[7], pose[11]] = [x, y, z];
    this.#changeWorld("moveObject", name, pose);
  }
  #addObject(shape, size) {
    let number = 1;
    while (this.engine.objects.includes(`${shape}${number}`)) number++;
    const name = `${shape}${number}`, [x, y, z] = [1, 0, 0.5];
    const form = shape === "box" ? { shape, size: [size, size, size] } : { shape, radius: size / 2 };
    this.#changeWorld("addObject", name, form, [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z]);
    return name;
  }
  /** An object of one shape with a size of its own is replaced by a larger or smaller one in its place. */
  #scaleObject(name, factor) {
    const at = this.engine.objects.indexOf(name), g = this.engine.geometry("object", at, { mesh: false });
    if (!SCALED.includes(g.shape) || this.engine.objects.lastIndexOf(name) !== at)
      return say(`${name} cannot be scaled; allowed: an object of one ${SCALED.join(", ")}`);
    const { shape, origin } = g, [size, radius, length] = [g.size.map((v) => factor * v), factor * g.radius, factor * g.length];
    this.#changeWorld("removeObject", name);
    this.#changeWorld("addObject", name, { shape, size, radius, length }, origin);
  }
  #saveWorld() {
    try {
      saveText(worldText(this.engine, this.engine.name), "world.json");
      say("world.json: keep it where the world's file is, whose meshes it names");
    } catch (error) {
      say(error.message);
    }
  }
  #random() {
    const seed = (this.seed ??= Math.floor(Math.random() * 2 ** 31));
    const passive = this.engine.joints().filter((j) => j.passive);
    for (let i = 0; i < RANDOM_TRIES; i++) {
      const q = this.engine.sample(seed, this.tried = (this.tried ?? 0) + 1);
      for (const j of passive) for (let k = 0; k < j.columns; k++) q[j.column + k] = this.posture.q[j.column + k];
      if (!this.engine.validate(q, this.posture.base)) continue;
      this.posture.remember();
      return this.posture.set(q);
    }
    say(`none of ${RANDOM_TRIES} random poses is free here`);
  }
  #pick(event) {
    const hit = this.stage.pick(event.clientX, event.clientY);
    if (!hit) return;
    say(hit.link !== undefined ? this.engine.links[hit.link] : this.engine.objects[hit.object], 3);
    if (hit.object !== undefined) this.panel.chooseObject(this.engine.objects[hit.object]);
    this.stage.fly(hit.point);
  }

  /** Plays a playback; what is not known of its motions is asked in the worker. */
  play(playback, certified = false) {
    this.player.set(playback);
    for (let i = 0; i < playback.count && certified; i++) this.player.mark(i, "free");
    this.player.seek(0);
    this.#examine(playback, certified);
  }
  async #examine(playback, certified) {
    const { player } = this, turn = (this.turn = {}), ended = () => this.turn !== turn || player.playback !== playback;
    try {
      const scene = await this.planner.scene();
      for (let i = 0; i < playback.count && !certified && !ended(); i++) {
        const verdict = await playback.verdict(scene, i);
        if (!ended()) player.mark(i, verdict);
      }
      const bounds = ended() ? null : await clearances(scene, player.places(PLACES));
      if (!ended()) player.showClearance(bounds);
    } catch (error) {
      if (error.status !== "cancelled") say(error.message);
    }
  }

  #writeAddress() {
    clearTimeout(this.writing);
    this.writing = setTimeout(() => {
      const parts = this.posture.toText();
      if (this.stage.shown !== "visual") parts.set("show", this.stage.shown);
      if (this.stage.bounds !== "none") parts.set("bounds", this.stage.bounds);
      if (this.stage.bounds === "tree") parts.set("level", this.stage.level);
      parts.set("camera", this.stage.cameraState().map((v) => v.toFixed(3)).join());
      this.address = `#${parts}`;
      try {
        history.replaceState(null, "", this.address);
      } catch {
        // Some browsers refuse it for files; the page works without.
      }
    }, 150);
  }
  #readAddress() {
    if (location.hash.length < 2 || location.hash === this.address) return;
    const parts = new URLSearchParams(location.hash.slice(1)), wrong = this.posture.fromText(parts);
    const shown = parts.get("show"), bounds = parts.get("bounds"), camera = parts.get("camera")?.split(",").map(Number);
    if (["visual", "collision", "both"].includes(shown)) this.panel.shown.setValue(shown);
    else if (shown !== null) wrong.push(`show is '${shown}'; allowed: visual, collision, both`);
    const level = parts.get("level");
    if (level !== null && /^[0-8]$/.test(level)) this.panel.level.setValue(Number(level));
    else if (level !== null) wrong.push(`level is '${level}'; allowed: 0 to 8`);
    if (BOUNDS.includes(bounds)) this.panel.bounds.setValue(bounds);
    else if (bounds !== null) wrong.push(`bounds is '${bounds}'; allowed: ${BOUNDS.join(", ")}`);
    if (camera?.length === 6 && camera.every((v) => Number.isFinite(v) && Math.abs(v) < 1e4)) this.stage.setCamera(camera);
    else if (camera) wrong.push("camera is no six numbers");
    if (wrong.length) say(`the address: ${wrong.join("; ")}`, 10);
  }
  begin({ path, trajectory }) {
    this.stage.cover(this.panel.width);
    this.refresh();
    this.stage.home();
    this.#readAddress();
    if (path.length) this.play(new PathPlayback(this.engine, path));
    if (trajectory) this.play(new TimedPlayback(this.engine, trajectory));
  }
}

/** Of a page that is served: loads the next one when the files have changed. The address keeps the pose. */
function follow(number) {
  let failing = false;
  const timer = setInterval(async () => {
    let now;
    try {
      now = await (await fetch("number", { cache: "no-store" })).json();
    } catch {
      clearInterval(timer);
      return say("graze view has ended; the page goes on without it");
    }
    if (now.number !== number) location.reload();
    else if (now.failing && !failing) say("the files have changed and cannot be read: the terminal says why", 0);
    failing = now.failing;
  }, 1000);
}

/** A URDF that is dropped on the page is read by graze view, and shown in the world that is there. */
function acceptDrops() {
  const served = location.protocol === "http:";
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", async (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    if (!served) return say("a robot can be dropped on the page that graze view serves; this one is a file");
    say(`${file.name} is read ...`, 0);
    try {
      const answer = await fetch("robot", { method: "POST", body: file });
      if (!answer.ok) return say(`${file.name}: ${await answer.text()}`);
    } catch {
      return say("graze view has ended");
    }
    // The pose in the address is another robot's.
    history.replaceState(null, "", location.pathname);
    location.reload();
  });
}

function showHelp() {
  const dialog = element("help"), list = document.createElement("dl"), title = document.createElement("h2");
  title.textContent = "keys";
  for (const [keys, what] of KEYS) {
    const term = document.createElement("dt"), text = document.createElement("dd");
    for (const key of keys.split(" ")) {
      const shown = document.createElement("kbd");
      shown.textContent = key;
      term.append(shown, " ");
    }
    text.textContent = what;
    list.append(term, text);
  }
  dialog.replaceChildren(title, list);
  dialog.onclick = () => dialog.close();
  dialog.showModal();
}

async function begin() {
  const scene = await readScene(), compiled = await readBlock("robot"), wasm = await readModule("wasm");
  const options = { load: { rules: scene.rules, wasm }, worker: await readScript("worker") };
  // The worker is the first to load: of WebAssembly each function is compiled when it is first called, for this thread as well.
  const planner = new Planner(compiled, options);
  await planner.scene();
  const engine = await load(compiled, options.load);
  document.title = `${engine.name} - graze`;
  const width = engine.dof + 6;
  const path = scene.path.map((row) => ({ base: Float64Array.from(row.slice(0, 6)), q: Float64Array.from(row.slice(6, width)) }));
  await pause();
  const stage = await Stage.make(element("canvas"), engine);
  await stage.fill(scene.visuals, await readScript("mesh-worker"));
  const app = new App(engine, stage, scene, planner);
  await pause();
  app.begin({ path, trajectory: scene.trajectory });
  requestAnimationFrame(() => setTimeout(() => performance.mark("graze-shown"), 0)); // there is a picture
  if (scene.findings) showFindings(scene.findings, app);
  acceptDrops();
  if (scene.number) follow(scene.number);
  globalThis.graze = app; // for tests, and for people who look at it in the console
}

begin().catch((error) => {
  element("sentence").textContent = "the page could not start";
  say(error.message, 0);
});
