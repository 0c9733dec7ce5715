// The state of the page in its address, and back: the pose, what is shown, how the world has changed, start, goal and path.
import { changesFrom } from "./changes.js";
import { say } from "./message.js";
import { PathPlayback } from "./playback.js";
import { BOUNDS } from "./stage.js";

const WRITE_MS = 150, WAYPOINTS_MAX = 500, SHOWN = ["visual", "collision", "both"];
const FIELDS = ["show", "bounds", "level", "camera", "world", "start", "goal", "path", "at"];

export class Address {
  constructor(app) {
    this.app = app;
    addEventListener("hashchange", () => this.read());
  }
  /** Soon; not before what the page was opened with has been read. */
  write() {
    if (!this.begun) return;
    clearTimeout(this.writing);
    this.writing = setTimeout(() => {
      this.text = `#${this.#parts()}`;
      try {
        history.replaceState(null, "", this.text);
      } catch {
        // Some browsers refuse it for files; the page works without.
      }
    }, WRITE_MS);
  }
  #parts() {
    const { posture, stage, panel, planner, planning, player } = this.app, parts = posture.toText();
    if (stage.shown !== "visual") parts.set("show", stage.shown);
    if (stage.bounds !== "none") parts.set("bounds", stage.bounds);
    if (stage.bounds === "tree") parts.set("level", stage.level);
    for (const [name, value] of panel.changed()) parts.set(name, Number(value));
    if (planner.changes.list.length) parts.set("world", planner.changes.toText());
    for (const end of ["start", "goal"]) if (planning[end]) parts.set(end, posture.placesToText([planning[end]]));
    if (planning.path && player.playback === planning.path && planning.path.waypoints.length <= WAYPOINTS_MAX) {
      parts.set("path", posture.placesToText(planning.path.waypoints));
      parts.set("at", Number(player.at.toPrecision(12)));
    }
    parts.set("camera", stage.view.numbers.map((v) => v.toFixed(3)).join());
    return parts;
  }

  /** Takes what the address says; what is wrong in it is named. */
  read() {
    this.begun = true;
    if (location.hash.length < 2 || location.hash === this.text) return;
    const parts = new URLSearchParams(location.hash.slice(1)), wrong = [];
    const take = (name, use) => {
      if (!parts.has(name)) return;
      try {
        use(parts.get(name));
      } catch (error) {
        wrong.push(error.message);
      }
    };
    take("world", (text) => this.#world(text));
    this.#view(parts, take);
    for (const end of ["start", "goal"]) take(end, (text) => this.#end(end, text));
    take("path", (text) => this.#path(text, parts.get("at")));
    wrong.push(...this.app.posture.fromText(parts));
    for (const name of parts.keys())
      if (!/^(q|base)\./.test(name) && !FIELDS.includes(name) && !this.app.panel.knows(name)) wrong.push(`there is no '${name}'`);
    if (wrong.length) say(`the address: ${wrong.join("; ")}`, 10);
  }
  #view(parts, take) {
    const { panel, stage } = this.app;
    const oneOf = (name, allowed, use) => take(name, (text) => {
      if (!allowed.includes(text)) throw new Error(`${name} is '${text}'; allowed: ${allowed.join(", ")}`);
      use(text);
    });
    oneOf("show", SHOWN, (shown) => panel.shown.setValue(shown));
    oneOf("level", ["0", "1", "2", "3", "4", "5", "6", "7", "8"], (level) => panel.level.setValue(Number(level)));
    oneOf("bounds", BOUNDS, (bounds) => panel.bounds.setValue(bounds));
    for (const name of parts.keys()) if (panel.knows(name)) take(name, (text) => panel.set(name, text));
    take("camera", (text) => {
      const camera = text.split(",").map(Number);
      if (camera.length !== 6 || !camera.every((v) => Number.isFinite(v) && Math.abs(v) < 1e4)) throw new Error("camera is no six numbers");
      stage.view.numbers = camera;
    });
  }
  #world(text) {
    const { app } = this, { changes } = app.planner, list = changesFrom(text);
    if (text === changes.toText()) return;
    // What has changed here is in no address: the page begins anew with that.
    if (changes.list.length) return location.reload();
    for (const change of list) app.tryChange(...change);
  }
  #end(end, text) {
    const { planning, posture } = this.app, places = posture.placesFromText(end, text);
    if (places.length !== 1) throw new Error(`${end} has ${places.length} places; allowed: 1`);
    planning[end === "start" ? "setStart" : "setGoal"](places[0]);
  }
  #path(text, at) {
    const { app } = this, places = app.posture.placesFromText("path", text);
    if (places.length < 2 || places.length > WAYPOINTS_MAX) throw new Error(`path has ${places.length} waypoints; allowed: 2 to ${WAYPOINTS_MAX}`);
    app.planning.take(new PathPlayback(app.engine, places), false);
    app.player.seek(Number.isFinite(Number(at)) ? Number(at) : 0);
  }
}
