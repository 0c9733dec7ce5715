// Plans: the worker in which they are made, and what of them is shown.
import { loadInWorker } from "../remote.js";
import { WorldChanges } from "./changes.js";
import { say } from "./message.js";
import { PathPlayback } from "./playback.js";
import { tipOf } from "./player.js";

/** A worker with a scene of its own, made when it is first needed. A change of the world ends what it is busy with. */
export class Planner {
  changes = new WorldChanges();
  #untold = []; // changes that the worker's scene has not seen
  constructor(compiled, options) { Object.assign(this, { compiled, options }); }
  async scene() {
    const loading = (this.remote ??= this.#load([...this.changes.list])), remote = await loading;
    if (this.remote === loading) this.loaded = remote;
    await Promise.all(this.#untold.splice(0).map((change) => remote.call(...change)));
    return remote;
  }
  async #load(changes) {
    this.#untold = [];
    const remote = await loadInWorker(new Worker(this.options.worker), this.compiled, this.options.load);
    await Promise.all(changes.map((change) => remote.call(...change)));
    return remote;
  }
  change(...change) {
    this.changes.add(...change);
    if (this.loaded?.busy) this.end();
    else if (this.remote) this.#untold.push(change);
  }
  /** Another world, which a list of changes makes of the one in the file. */
  replaceChanges(list) {
    this.changes.list = list;
    this.end();
  }
  async end() {
    const remote = this.remote;
    this.remote = this.loaded = undefined;
    (await remote)?.terminate();
  }
}

const OUTCOMES = {
  "start-collides": "the start collides", "goal-collides": "the goal collides", "start-limits": "the start is outside the limits",
  "goal-limits": "the goal is outside the limits", iterations: "the iterations are spent", time: "the time is spent",
  cancelled: "ended", unreachable: "start and goal differ in what is not planned",
};

export class Planning {
  constructor(app) {
    this.app = app;
    this.start = null;
    this.goal = null;
    this.path = null; // the playback of what was planned here
  }
  /** Plays a path that was planned. */
  take(playback, certified) {
    this.path = playback;
    this.app.play(playback, certified);
  }
  here() { return { q: this.app.posture.q.slice(), base: this.app.posture.base.slice() }; }
  #poses(place) { return place && this.app.engine.forwardKinematics(place.q, place.base); }
  setStart(place = this.here()) { this.#set("start", place); }
  setGoal(place = this.here()) { this.#set("goal", place); }
  #set(end, place) {
    this[end] = place;
    this.app.stage.ghost(end, this.#poses(place));
    this.app.address.write();
  }
  clear() {
    this.path = null;
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
    this.take(new PathPlayback(this.app.engine, plan.path), plan.certified);
    say(`a path of ${plan.path.length} waypoints, ${plan.certified ? "proved free" : "not proved"}, length ${plan.length.toFixed(2)}`);
  }
}
