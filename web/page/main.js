// The page of `graze view`: reads what it holds, and joins engine, posture, stage, panel, keys and path.
import { load } from "../graze.js";
import { Address } from "./address.js";
import { clearances } from "./clearance.js";
import { Drag } from "./drag.js";
import { History } from "./history.js";
import { KEYS, Keys } from "./keys.js";
import { makeVisuals } from "./making.js";
import { PoseMap } from "./map.js";
import { element, say } from "./message.js";
import { NARROW, Panel } from "./panel.js";
import { frame, pause } from "./pause.js";
import { Planner, Planning } from "./planning.js";
import { PathPlayback, TimedPlayback } from "./playback.js";
import { Player } from "./player.js";
import { Posture } from "./posture.js";
import { readScene } from "./scene_block.js";
import { Screen } from "./screen.js";
import { Stage } from "./stage.js";
import { Verdict } from "./verdict.js";
import { saveText, worldText } from "./world_file.js";

/** New objects, of a size from end to end. */
const FORMS = {
  box: (size) => ({ size: [size, size, size] }), sphere: (size) => ({ radius: size / 2 }), cylinder: (size) => ({ radius: size / 2, length: size }),
  capsule: (size) => ({ radius: size / 4, length: size / 2 }), cone: (size) => ({ radius: size / 2, length: size }),
};
const RANDOM_TRIES = 20000, PLACES = 120, EXAMINE_MS = 400, PANEL_WIDTH = 300;

class App {
  constructor(engine, stage, scene, planner) {
    Object.assign(this, { engine, stage, planner, posture: new Posture(engine, scene.q, scene.base) });
    this.history = new History(engine, this.posture, planner, () => this.#showWorld());
    this.player = new Player(engine, this.posture, this.stage, { bar: element("bar"), scrub: element("scrub"), play: element("play"),
                                                                 strip: element("strip"), clearance: element("clearance"), place: element("place") });
    this.planning = new Planning(this);
    this.actions = this.#actions();
    this.panel = new Panel(element("panel"), engine, this.posture, this.history, this.actions);
    this.keys = new Keys(engine, this.posture, this.history, this.actions);
    this.drag = new Drag(this);
    this.map = new PoseMap(this, { section: element("map"), canvas: element("map-canvas"), text: element("map-text") });
    this.verdict = new Verdict(engine, this.posture, this.stage, this.panel.values);
    this.posture.onChange(() => this.refresh());
    this.stage.view.controls.addEventListener("end", () => this.address.write());
    element("canvas").addEventListener("dblclick", (event) => this.#pick(event));
    this.address = new Address(this);
  }
  #actions() {
    const { posture, stage, history } = this;
    return {
      show: (shown) => { stage.show(shown); this.address.write(); },
      nextShown: () => {
        const kinds = ["visual", "collision", "both"], next = kinds[(kinds.indexOf(stage.shown) + 1) % 3];
        this.panel.shown.setValue(next);
      },
      showBounds: (kind, level) => { stage.showBounds(kind, level); this.address.write(); },
      showFrames: (kind, on) => { stage.showFrames(kind, on); this.address.write(); },
      wireframe: (on) => { stage.wireframe(on); this.address.write(); },
      keepAddress: () => this.address.write(),
      home: () => stage.home(),
      refresh: () => this.refresh(),
      random: () => this.#random(),
      begin: () => { history.remember(); posture.set(posture.initial.q, posture.initial.base); },
      applyState: (name, group) => { history.remember(); posture.set(this.engine.state(name, group, posture.q)); },
      undo: () => history.undo(), redo: () => history.redo(),
      setStart: () => this.planning.setStart(), setGoal: () => this.planning.setGoal(),
      plan: () => this.planning.plan(), clearPath: () => this.planning.clear(),
      step: (by) => this.player.step(by), play: () => this.player.toggle(),
      moveObject: (object) => this.#moveObject(object),
      addObject: (shape, size) => this.#addObject(shape, size),
      scaleObject: (name, factor) => this.#editWorld("scaleObject", name, factor),
      removeObject: (name) => this.#editWorld("removeObject", name),
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
    this.address.write();
  }
  /** Changes the world, of which the worker is told. Throws what the engine refuses. */
  tryChange(method, name, ...args) {
    this.engine[method](name, ...args);
    this.planner.change(method, name, ...args);
    if (method === "moveObject") this.stage.placeObject(name);
    else {
      this.stage.updateObjects();
      this.panel.followWorld();
    }
    this.#forgetWorld();
    this.refresh();
  }
  /** What is known of the world before counts no more. */
  #forgetWorld() {
    this.map.made = null;
    this.turn = null; // what is being examined is of another world
    if (this.player.playback) {
      this.player.forget();
      clearTimeout(this.examining);
      this.examining = setTimeout(() => this.#examine(this.player.playback, false), EXAMINE_MS);
    }
  }
  /** Shows a world that undoing has brought back. */
  #showWorld() {
    this.stage.updateObjects();
    this.#forgetWorld();
    this.panel.followWorld();
  }
  /** Whether a change was taken. */
  #changeWorld(...change) {
    try {
      this.tryChange(...change);
      return true;
    } catch (error) {
      say(error.message);
      return false;
    }
  }
  /** A change that is one step of undo. */
  #editWorld(...change) {
    const before = this.history.now;
    if (this.#changeWorld(...change)) this.history.remember(before);
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
    this.#editWorld("addObject", name, { shape, ...FORMS[shape](size) }, [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z]);
    return name;
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
      this.history.remember();
      return this.posture.set(q);
    }
    say(`none of ${RANDOM_TRIES} random poses is free here`);
  }
  #pick(event) {
    const hit = this.stage.pick(event.clientX, event.clientY);
    if (!hit) return;
    say(hit.link !== undefined ? this.engine.links[hit.link] : this.engine.objects[hit.object], 3);
    if (hit.object !== undefined) this.panel.chooseObject(this.engine.objects[hit.object]);
    this.stage.view.fly(hit.point);
  }

  /** Plays a playback; what is not known of its motions is asked in the worker. */
  play(playback, certified = false) {
    this.player.set(playback);
    for (let i = 0; i < playback.count && certified; i++) this.player.mark(i, "free");
    this.player.seek(0);
    this.#examine(playback, certified);
    this.address.write();
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

  /** Takes what the address says, and what there is to play. */
  open({ path, trajectory }) {
    this.address.read();
    if (path.length && !this.planning.path) this.play(new PathPlayback(this.engine, path));
    if (trajectory) this.play(new TimedPlayback(this.engine, trajectory));
  }
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

/** What the address says of the pose, for the first picture: what is wrong with it is said later. */
function firstPlace(engine, scene) {
  const posture = new Posture(engine, scene.q, scene.base);
  posture.fromText(new URLSearchParams(location.hash.slice(1)));
  return posture;
}

async function loadEngine(blocks, reading) {
  const scene = await reading, compiled = await blocks.robot;
  const options = { load: { rules: scene.rules, wasm: await blocks.wasm }, worker: await blocks.worker };
  const engine = await load(compiled, options.load);
  performance.mark("graze-engine");
  return { scene, engine, planner: new Planner(compiled, options) };
}
const prepareVisuals = async (blocks, reading) => makeVisuals((await reading).visuals, await blocks.meshWorker);

async function prepareScreen(making, drawing) {
  const [stage, context] = await Promise.all([making, drawing]);
  performance.mark("graze-drawing");
  await pause();
  const screen = new Screen(stage.canvas, context, stage.scene, stage.view.camera);
  await screen.compile(stage.firstMaterials());
  performance.mark("graze-screen");
  return screen;
}

/** Shows the page, of blocks that are being read and a context that is made while it begins: the robot as soon as it can be drawn, then all else. */
export async function begin(blocks, drawing) {
  const reading = readScene(blocks), making = Stage.make(element("canvas")), screening = prepareScreen(making, drawing);
  screening.catch(() => {}); // who waits for it gets the error
  const [{ scene, engine, planner }, visuals, stage] = await Promise.all([
    loadEngine(blocks, reading), prepareVisuals(blocks, reading), making]);
  await pause();
  const place = firstPlace(engine, scene);
  stage.cover(innerWidth < NARROW ? 0 : PANEL_WIDTH);
  await stage.fill(engine, visuals, scene.closed);
  performance.mark("graze-meshes");
  await stage.showOn(await screening);
  await pause();
  stage.pose(engine.forwardKinematics(place.q, place.base));
  stage.home();
  stage.screen.picture().then(() => performance.mark("graze-shown"));
  await frame();
  const app = new App(engine, stage, scene, planner);
  await pause();
  app.posture.set(place.q, place.base);
  performance.mark("graze-verdict");
  await pause();
  await app.panel.fill();
  stage.cover(app.panel.width);
  document.title = `${engine.name} - graze`;
  await stage.fillRest();
  const width = engine.dof + 6;
  app.open({ trajectory: scene.trajectory,
             path: scene.path.map((row) => ({ base: Float64Array.from(row.slice(0, 6)), q: Float64Array.from(row.slice(6, width)) })) });
  if (scene.findings) showFindings(scene.findings, app);
  acceptDrops();
  if (scene.number) follow(scene.number);
  stage.prepareLater().catch((error) => say(error.message));
  globalThis.graze = app; // for tests, and for people who look at it in the console
}
