// The settings: lil-gui's folders, which write to the posture and to the stage.
import GUI from "lil-gui";
import { frame, pauseAfterLong } from "./pause.js";
import { BOUNDS } from "./stage.js";

/** Screens below this width have it closed. */
export const NARROW = 700;
const FOLLOW_MS = 150, AT_ONCE = 6, ELSEWHERE = ["shown", "bounds", "level", "state"];
const SHAPES = { box: "box", ball: "sphere", cylinder: "cylinder", capsule: "capsule", cone: "cone" };
const BASE = [["x", 0.01], ["y", 0.01], ["z", 0.01], ["roll", 0.01], ["pitch", 0.01], ["yaw", 0.01]];

export class Panel {
  constructor(element, engine, posture, history, actions) {
    Object.assign(this, { engine, posture, history, actions });
    this.gui = new GUI({ container: element, title: engine.name });
    this.values = { shown: "visual", bounds: "none", level: 3, wireframe: false, frames: false, jointFrames: false, segments: true, hidden: false, nearest: 0,
                    ignoreLimits: false, drag: false, state: "", planarBase: false, trees: true, seconds: 10 };
    this.initial = { ...this.values };
    this.columns = [];
    this.baseControls = [];
    if (innerWidth < NARROW) this.gui.close();
    this.gui.onOpenClose((gui) => { if (gui === this.gui) actions.panelMoved(); });
  }
  /** Makes the folders, some of it in each frame, so that the browser does not lay out all of them at once. */
  async fill() {
    for (const make of [this.#view, this.#joints, this.#base, this.#objects, this.#plan, this.#map]) {
      await make.call(this);
      await frame();
    }
    this.#watchSight(this.gui.domElement.parentElement);
  }

  #view() {
    const folder = this.gui.addFolder("view"), v = this.values;
    this.shown = folder.add(v, "shown", ["visual", "collision", "both"]).name("geometry").onChange(this.actions.show);
    this.bounds = folder.add(v, "bounds", Object.fromEntries(BOUNDS.map((b) => [{ aabb: "box", obb: "oriented box", tree: "tree of boxes" }[b] ?? b, b])))
      .onChange((kind) => {
        this.level.show(kind === "tree");
        this.actions.showBounds(kind, v.level);
      });
    this.level = folder.add(v, "level", 0, 8, 1).name("level of the tree").hide().onChange((level) => this.actions.showBounds("tree", level));
    folder.add(v, "segments").name("contact segments").onChange(this.actions.refresh);
    folder.add(v, "hidden").name("hidden contacts").onChange(this.actions.refresh);
    folder.add(v, "nearest", { none: 0, 1: 1, 3: 3, 8: 8 }).name("nearest pairs").onChange(this.actions.refresh);
    folder.add(v, "frames").name("link frames").onChange((on) => this.actions.showFrames("links", on));
    folder.add(v, "jointFrames").name("joint frames, axes").onChange((on) => this.actions.showFrames("joints", on));
    folder.add(v, "wireframe").onChange(this.actions.wireframe);
    folder.add(v, "drag").name("drag links, objects").onChange(this.actions.keepAddress);
    folder.add(this.actions, "home").name("whole robot (F)");
  }

  async #joints() {
    const folder = this.gui.addFolder("joints"), joints = this.engine.joints(), owner = this.engine.columnJoints();
    const states = this.engine.states();
    if (states.length) {
      const names = { "choose ...": "" };
      for (const s of states) names[`${s.group}/${s.name}`] = JSON.stringify([s.name, s.group]);
      this.state = folder.add(this.values, "state", names).name("named state").onChange((text) => {
        if (text) this.actions.applyState(...JSON.parse(text));
      });
    }
    folder.add(this.actions, "random").name("random free pose (R)");
    folder.add(this.actions, "begin").name("back to the first pose (0)");
    folder.add(this.values, "ignoreLimits").name("ignore limits").onChange(() => {
      this.#setRanges();
      this.actions.keepAddress();
    });
    this.owner = owner;
    for (const [i, name] of this.posture.names.entries()) {
      if (i % AT_ONCE === 0) await frame();
      await pauseAfterLong();
      const holder = { get value() { return 0; } };
      Object.defineProperty(holder, "value", { get: () => this.posture.q[i], set: (v) => this.#write("q", i, v) });
      const [low, high] = this.posture.range(i, false);
      const controller = folder.add(holder, "value", low, high).name(name.replace(/_joint$/, "")).decimals(3);
      controller.domElement.title = `${name}, ${joints[owner[i]].type}`;
      controller.onFinishChange(() => { this.sliding = false; });
      this.columns.push(controller);
    }
  }
  #setRanges() {
    this.columns.forEach((controller, i) => {
      const [low, high] = this.posture.range(i, this.values.ignoreLimits);
      controller.min(low).max(high).updateDisplay();
    });
  }
  /** A slider's run is one step of undo. */
  #remember() {
    if (!this.sliding) this.history.remember();
    this.sliding = true;
  }
  #write(what, index, value) {
    if (!Number.isFinite(value)) return;
    this.#remember();
    this.posture[what][index] = value;
    this.posture.changed();
  }

  #base() {
    const folder = this.gui.addFolder("base").close(), boundary = this.engine.boundary();
    this.baseControls = BASE.map(([name, step], i) => {
      const holder = {};
      Object.defineProperty(holder, "value", { get: () => this.posture.base[i], set: (v) => this.#write("base", i, v), enumerable: true });
      const [low, high] = i >= 3 ? [-Math.PI, Math.PI] : boundary ? [boundary.min[i], boundary.max[i]] : [-3, 3];
      return folder.add(holder, "value", low, high).name(name).decimals(3).onFinishChange(() => { this.sliding = false; });
    });
  }

  /** The object that is chosen: where it stands, and which are there. */
  #objects() {
    const folder = this.objectFolder = this.gui.addFolder("objects").close(), actions = this.actions;
    this.object = { name: "", x: 0, y: 0, z: 0, yaw: 0, scale: 1, shape: "box", size: 0.2 };
    this.objectName = folder.add(this.object, "name", this.#objectNames()).name("object").onChange(() => this.#followObject());
    const move = () => {
      if (!this.object.name) return;
      this.#remember();
      actions.moveObject(this.object);
    };
    const place = (key, most) => folder.add(this.object, key, -most, most).decimals(3).onChange(move).onFinishChange(() => { this.sliding = false; });
    this.objectPlace = [["x", 3], ["y", 3], ["z", 3], ["yaw", Math.PI]].map(([key, most]) => place(key, most));
    const scale = folder.add(this.object, "scale", 0.2, 5).decimals(2).name("scale it by").onFinishChange((factor) => {
      if (this.object.name && factor > 0 && factor !== 1) actions.scaleObject(this.object.name, factor);
      if (factor !== 1) scale.setValue(1);
    });
    folder.add(this.object, "shape", SHAPES).name("shape of a new one");
    folder.add(this.object, "size", 0.02, 2).decimals(2).name("size of a new one");
    folder.add({ add: () => this.chooseObject(actions.addObject(this.object.shape, this.object.size)) }, "add").name("add it");
    folder.add({ remove: () => { if (this.object.name) actions.removeObject(this.object.name); } }, "remove").name("remove it");
    folder.add(actions, "saveWorld").name("save the world");
  }
  #objectNames() { return Object.fromEntries([["choose ...", ""], ...this.engine.objects.map((name) => [name, name])]); }
  chooseObject(name) {
    this.objectName.setValue(name);
    this.#followObject();
  }
  /** Lists the objects that there are; the chosen one stays, where it is among them. */
  followWorld() {
    this.objectName = this.objectName.options(this.#objectNames()).name("object").onChange(() => this.#followObject());
    this.chooseObject(this.engine.objects.includes(this.object.name) ? this.object.name : "");
  }
  #followObject() {
    const at = this.engine.objects.indexOf(this.object.name);
    if (at >= 0) {
      const m = this.engine.geometry("object", at, { mesh: false }).origin;
      Object.assign(this.object, { x: m[3], y: m[7], z: m[11], yaw: Math.atan2(m[4], m[0]) });
    }
    for (const controller of this.objectPlace) controller.updateDisplay();
  }

  #plan() {
    const folder = this.gui.addFolder("plan"), a = this.actions;
    folder.add(a, "setStart").name("start is here");
    folder.add(a, "setGoal").name("goal is here");
    folder.add(this.values, "planarBase").name("base moves, too").onChange(a.keepAddress);
    folder.add(this.values, "trees").name("show the search").onChange(a.keepAddress);
    folder.add(this.values, "seconds", 1, 60, 1).onChange(a.keepAddress);
    this.planButton = folder.add(a, "plan").name("plan (M)");
    folder.add(a, "clearPath").name("clear");
    folder.add(a, "help").name("keys (?)");
  }

  /** A map over two joints. */
  #map() {
    const folder = this.gui.addFolder("poses of two joints").close(), names = this.posture.names;
    if (names.length < 2) return folder.hide();
    const columns = Object.fromEntries(names.map((name, i) => [name.replace(/_joint$/, ""), i]));
    const chosen = { on: false, right: names.length - 2, up: names.length - 1 };
    const show = () => this.actions.showMap(chosen.on && chosen.right !== chosen.up ? [chosen.right, chosen.up] : null);
    folder.add(chosen, "on").name("map of two joints").onChange(show);
    folder.add(chosen, "right", columns).name("to the right").onChange(show);
    folder.add(chosen, "up", columns).onChange(show);
  }

  // What the address holds of the settings: those in `values` that have no field of their own there.
  #control(name) { return this.gui.controllersRecursive().find((c) => c.object === this.values && c.property === name); }
  knows(name) { return Object.hasOwn(this.values, name) && !ELSEWHERE.includes(name); }
  /** Names and values of those that are not as in the beginning. */
  changed() { return Object.entries(this.values).filter(([name, value]) => this.knows(name) && value !== this.initial[name]); }
  set(name, text) {
    const { initialValue, _values: values, _min: min, _max: max } = this.#control(name), value = Number(text);
    const allowed = typeof initialValue === "boolean" ? [0, 1] : values;
    if (text.trim() === "" || !(allowed ? allowed.includes(value) : value >= min && value <= max))
      throw new Error(`${name} is '${text}'; allowed: ${allowed ? allowed.join(", ") : `${min} to ${max}`}`);
    this.#control(name).setValue(typeof initialValue === "boolean" ? value === 1 : value);
  }

  /** How wide it is; 0: closed. */
  get width() { return this.gui._closed ? 0 : this.gui.domElement.offsetWidth; }
  /** Shows the posture as it is now; while it moves not in every frame, of which sliders would take most of the time. */
  follow() {
    if (!this.inSight) return; // it is still being made
    const soon = this.followedAt + FOLLOW_MS - performance.now();
    if (soon > 0) this.following ??= setTimeout(() => this.#follow(), soon);
    else this.#follow();
  }
  #follow() {
    clearTimeout(this.following);
    this.following = undefined;
    const now = [...this.posture.q, ...this.posture.base], old = this.followed ?? [];
    [...this.columns, ...this.baseControls].forEach((controller, i) => {
      // Those out of sight are shown as they are when they come into it.
      if (now[i] !== old[i] && this.inSight.has(controller.domElement)) controller.updateDisplay();
    });
    this.followed = now;
    this.followedAt = performance.now();
  }
  /** Notices which sliders are in sight. */
  #watchSight(element) {
    this.inSight = new Set();
    this.followedAt = -Infinity;
    const controls = new Map([...this.columns, ...this.baseControls].map((c) => [c.domElement, c]));
    const observer = new IntersectionObserver((list) => {
      for (const { target, isIntersecting } of list) {
        if (!isIntersecting) this.inSight.delete(target);
        else if (this.inSight.add(target)) controls.get(target).updateDisplay();
      }
    }, { root: element, rootMargin: "200px" });
    for (const target of controls.keys()) observer.observe(target);
  }
  choose(joint) {
    this.columns.forEach((controller, i) => {
      controller.domElement.style.outline = i >= joint.column && i < joint.column + joint.columns ? "2px solid #2563a8" : "";
    });
    this.columns[joint.column]?.domElement.scrollIntoView({ block: "nearest" });
  }
}
