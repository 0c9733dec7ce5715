// What is played: the way of a path, measured in the metric, or a timed trajectory, in seconds. Each is made of motions, which are
// free, or not, as a whole.

const SECONDS_PER_UNIT = 1.2; // of the metric: a radian or a metre

function motionAt(ends, at) {
  let low = 0, high = ends.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (ends[middle] <= at) low = middle;
    else high = middle;
  }
  return low;
}

/** The straight motions between waypoints {q, base}. */
export class PathPlayback {
  constructor(engine, waypoints) {
    Object.assign(this, { engine, waypoints, ends: [0], rate: 1 / SECONDS_PER_UNIT });
    for (let i = 1; i < waypoints.length; i++) this.ends.push(this.ends[i - 1] + this.#length(waypoints[i - 1], waypoints[i]));
    this.total = this.ends.at(-1);
  }
  get count() { return this.waypoints.length - 1; }
  #length(a, b) {
    const turn = Math.atan2(Math.sin(b.base[5] - a.base[5]), Math.cos(b.base[5] - a.base[5]));
    return Math.max(Math.hypot(this.engine.distance(a.q, b.q), b.base[0] - a.base[0], b.base[1] - a.base[1], turn), 1e-9);
  }
  /** Base poses between waypoints: straight, angles the shorter way, as the planner moves them. */
  place(at) {
    const i = motionAt(this.ends, at), [a, b] = [this.waypoints[i], this.waypoints[i + 1]];
    const t = Math.min(Math.max((at - this.ends[i]) / (this.ends[i + 1] - this.ends[i]), 0), 1);
    const base = Array.from(a.base, (v, k) => {
      const d = b.base[k] - v;
      return v + t * (k < 3 ? d : Math.atan2(Math.sin(d), Math.cos(d)));
    });
    return { q: this.engine.interpolate(a.q, b.q, t), base: t === 1 ? b.base : base, motion: i };
  }
  words(motion) { return `motion ${motion + 1} of ${this.count}`; }
  /** Asked in a worker. */
  async verdict(scene, i) {
    const [a, b] = [this.waypoints[i], this.waypoints[i + 1]];
    return (await scene.motion(a.q, b.q, { fromBase: a.base, toBase: b.base })).verdict;
  }
}

/** A timed trajectory, piece by piece, as a controller plays it. */
export class TimedPlayback {
  constructor(engine, trajectory) {
    Object.assign(this, { engine, trajectory, rate: 1 });
    engine.setTrajectory(trajectory);
    this.ends = trajectory.times.map((t) => t - trajectory.times[0]);
    this.total = this.ends.at(-1);
  }
  get count() { return this.ends.length - 1; }
  place(at) {
    const time = Math.min(this.trajectory.times[0] + at, this.trajectory.times.at(-1));
    return { ...this.engine.trajectoryAt(time), motion: motionAt(this.ends, at) };
  }
  words(motion, at) { return `${(this.trajectory.times[0] + at).toFixed(2)} s, piece ${motion + 1} of ${this.count}`; }
  async verdict(scene, i) {
    if (this.scene !== scene) await scene.setTrajectory(this.trajectory);
    this.scene = scene;
    return (await scene.checkPiece(i)).verdict;
  }
}
