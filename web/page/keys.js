// Keys, as KinEval has them.

const DRIVE = 0.05, TURN = 0.05, TURN_JOINT = 0.05, MOVE_JOINT = 0.01;

export const KEYS = [
  ["W S", "drive forward and back"], ["A D", "turn left and right"], ["Q E", "move left and right"],
  ["K J", "choose the joint above, below"], ["H L", "choose the joint beside"], ["U I", "move the chosen joint"],
  ["M", "plan to the goal"], ["N B", "to the next waypoint, back"], ["Space", "play the path"],
  ["R", "a random pose that is free"], ["Z Y", "undo, redo"], ["0", "back to the first pose"], ["F", "the whole robot in view"],
  ["V", "visual, collision, both"], ["?", "this list"],
  ["Shift+drag", "a link about its joint; an object on the level"], ["Shift+Alt+drag", "an object up and down"],
  ["Shift+Ctrl+drag", "an object about the vertical"],
];

/** The index of the nearest moving joint from a link towards the root; -1: there is none. */
export function movingAbove(joints, link) {
  for (let i = joints.findIndex((j) => j.child === link); i >= 0; i = joints.findIndex((j) => j.child === joints[i].parent))
    if (joints[i].columns > 0) return i;
  return -1;
}

export class Keys {
  constructor(engine, posture, history, actions) {
    Object.assign(this, { engine, posture, history, actions });
    this.joints = engine.joints();
    this.moving = this.joints.map((j, i) => i).filter((i) => this.joints[i].columns > 0);
    this.chosen = this.moving[0] ?? -1;
    addEventListener("keydown", (event) => this.#press(event));
  }
  #press(event) {
    const typing = event.target.closest?.("input:not([type=range]), select, textarea, dialog");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = this.#actionOf(event.key);
    if (!action) return;
    event.preventDefault();
    action();
  }
  #actionOf(key) {
    const a = this.actions;
    const table = {
      w: () => this.#drive(DRIVE, 0), s: () => this.#drive(-DRIVE, 0), q: () => this.#drive(0, DRIVE), e: () => this.#drive(0, -DRIVE),
      a: () => this.#turn(TURN), d: () => this.#turn(-TURN),
      u: () => this.#move(1), i: () => this.#move(-1),
      k: () => this.#choose(this.#above()), j: () => this.#choose(this.#below()),
      h: () => this.#choose(this.#beside(-1)), l: () => this.#choose(this.#beside(1)),
      m: a.plan, n: () => a.step(1), b: () => a.step(-1), " ": a.play, r: a.random, z: a.undo, y: a.redo, 0: a.begin, f: a.home,
      v: a.nextShown, "?": a.help,
    };
    return table[key.length === 1 ? key.toLowerCase() : key];
  }
  #change(change) {
    this.history.remember();
    const q = this.posture.q.slice(), base = this.posture.base.slice();
    change(q, base);
    this.posture.set(q, base);
  }
  #drive(forward, left) {
    this.#change((q, base) => {
      const yaw = base[5];
      base[0] += forward * Math.cos(yaw) - left * Math.sin(yaw);
      base[1] += forward * Math.sin(yaw) + left * Math.cos(yaw);
    });
  }
  #turn(angle) { this.#change((q, base) => { base[5] += angle; }); }
  #move(sign) {
    if (this.chosen < 0) return;
    const joint = this.joints[this.chosen], column = joint.column;
    this.#change((q) => {
      const [low, high] = this.posture.range(column, this.actions.ignoresLimits());
      const value = q[column] + sign * (joint.type === "prismatic" ? MOVE_JOINT : TURN_JOINT);
      q[column] = joint.limited ? Math.min(Math.max(value, low), high) : value;
    });
  }
  #above() { return this.chosen < 0 ? -1 : movingAbove(this.joints, this.joints[this.chosen].parent); }
  #below() { return this.moving.find((i) => movingAbove(this.joints, this.joints[i].parent) === this.chosen) ?? -1; }
  #beside(by) {
    const above = this.#above(), row = this.moving.filter((i) => movingAbove(this.joints, this.joints[i].parent) === above);
    return row[(row.indexOf(this.chosen) + by + row.length) % row.length];
  }
  #choose(joint) {
    if (joint === undefined || joint < 0) return;
    this.chosen = joint;
    this.actions.chosen(this.joints[joint]);
  }
}
