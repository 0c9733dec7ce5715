// A path or a trajectory: played, scrubbed, stepped; its motions marked by what is proved of them, with the distance along it.
import { millimetres } from "./clearance.js";
import { pen } from "./paint.js";

const COLORS = { free: "#17703a", hit: "#b3201d", undecided: "#d98a00", unknown: "#9aa5b0" };
const CLEARANCE_HEIGHT = 28;

export class Player {
  constructor(engine, posture, stage, elements) {
    Object.assign(this, { engine, posture, stage, ...elements });
    this.playback = null;
    this.at = 0;
    this.scrub.addEventListener("input", () => {
      this.stop();
      this.seek(this.scrub.value * this.total);
    });
    this.play.addEventListener("click", () => this.toggle());
    new ResizeObserver(() => this.#paint()).observe(this.strip);
  }

  get total() { return this.playback.total; }
  get ends() { return this.playback.ends; }

  /** Takes a playback (playback.js); null: there is none. */
  set(playback) {
    this.stop();
    this.playback = playback;
    this.at = 0;
    this.bar.hidden = !playback;
    this.forget();
    if (!playback) return this.stage.marks.showTrail([]);
    this.#trail();
  }
  /** What is known of the playback counts no more: the world is another. */
  forget() {
    this.bounds = null;
    this.clearance.hidden = true;
    this.verdicts = new Array(this.playback?.count ?? 0).fill("unknown");
    this.#paint();
  }
  mark(motion, verdict) {
    this.verdicts[motion] = verdict;
    if (this.playback.place(this.at).motion === motion) this.#tell(motion);
    this.#paint();
  }
  /** Configurations {q, base} along the path, `count` steps apart. */
  places(count) { return Array.from({ length: count + 1 }, (_, k) => this.playback.place((k / count) * this.total)); }
  /** Shows how far the robot is from what it may hit: lower bounds, at places() along the path. */
  showClearance(bounds) {
    if (!bounds) return;
    this.bounds = bounds;
    this.clearance.hidden = false;
    this.clearance.setAttribute("aria-label", `distance along the path, the least of ${bounds.length} places: ${millimetres(Math.min(...bounds))}`);
    this.#paint();
    this.#tell();
  }
  seek(at) {
    this.at = Math.min(Math.max(at, 0), this.total);
    const place = this.playback.place(this.at);
    this.scrub.value = this.at / this.total;
    this.#tell(place.motion);
    this.posture.set(place.q, place.base);
  }
  #tell(motion = this.playback.place(this.at).motion) {
    const words = { free: "proved free", hit: "collides", undecided: "undecided", unknown: "" };
    const lower = this.bounds?.[Math.round((this.at / this.total) * (this.bounds.length - 1))];
    this.place.value = `${this.playback.words(motion, this.at)} ${words[this.verdicts[motion]]}` +
      (lower === undefined ? "" : `, ${millimetres(lower)}`);
  }
  /** To the next waypoint, or the one before. */
  step(by) {
    if (!this.playback) return;
    this.stop();
    const near = this.ends.findIndex((end) => end >= this.at - 1e-9);
    const exact = Math.abs(this.ends[near] - this.at) < 1e-9;
    const next = by > 0 ? (exact ? near + 1 : near) : near - 1;
    this.seek(this.ends[Math.min(Math.max(next, 0), this.ends.length - 1)]);
  }
  toggle() {
    if (this.running) return this.stop();
    if (!this.playback) return;
    if (this.at >= this.total) this.at = 0;
    let last = performance.now();
    this.running = true;
    this.play.textContent = "\u23F8";
    this.play.setAttribute("aria-label", "pause");
    const tick = (now) => {
      if (!this.running) return;
      this.seek(this.at + ((now - last) / 1000) * this.playback.rate);
      last = now;
      if (this.at >= this.total) this.stop();
      else requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }
  stop() {
    this.running = false;
    this.play.textContent = "\u25B6";
    this.play.setAttribute("aria-label", "play the path");
  }

  #trail() {
    const link = tipOf(this.engine), points = [];
    for (let k = 0; k <= 120; k++) {
      const place = this.playback.place((k / 120) * this.total), poses = this.engine.forwardKinematics(place.q, place.base);
      points.push([3, 7, 11].map((i) => poses[12 * link + i]));
    }
    this.stage.marks.showTrail(points);
  }
  #paint() {
    const width = this.strip.clientWidth;
    if (!this.playback || !width) return;
    this.strip.width = width;
    const context = pen(this.strip), gap = 6 * this.verdicts.length < width ? 1 : 0;
    this.verdicts.forEach((verdict, i) => {
      const [from, to] = [this.ends[i], this.ends[i + 1]].map((v) => (v / this.total) * width);
      context.fillStyle = COLORS[verdict];
      context.fillRect(from, 0, Math.max(to - from - gap, 1), 6);
    });
    if (!this.clearance.hidden) this.#paintClearance(width);
  }
  #paintClearance(width) {
    const context = pen(this.clearance), last = this.bounds.length - 1, most = Math.max(...this.bounds) || 1;
    [this.clearance.width, this.clearance.height] = [width, CLEARANCE_HEIGHT];
    context.moveTo(0, CLEARANCE_HEIGHT);
    this.bounds.forEach((v, k) => context.lineTo((k / last) * width, (1 - 0.9 * v / most) * CLEARANCE_HEIGHT));
    context.lineTo(width, CLEARANCE_HEIGHT);
    context.fillStyle = "#17703a66";
    context.fill();
  }
}

/** The link that most moving joints move. */
export function tipOf(engine) {
  const joints = engine.joints(), parent = new Map(joints.map((j) => [j.child, j]));
  const depth = (link) => {
    let count = 0;
    for (let j = parent.get(link); j; j = parent.get(j.parent)) count += j.type === "fixed" ? 0 : 1;
    return count;
  };
  return engine.links.reduce((best, _, i) => (depth(i) > depth(best) ? i : best), engine.root);
}
