// What can be undone: where the robot is, its base, and the world.

const UNDO_LIMIT = 200;

/** Versions of the world, each with the changes that led to it; two of the same world are one. */
class Versions {
  constructor(engine, planner) {
    Object.assign(this, { engine, planner });
    // A version is dropped with the last step of undo that names it.
    this.dropped = new FinalizationRegistry((kept) => engine.dropWorld(kept));
  }
  get now() {
    const changes = this.planner.changes.list;
    if (!this.last || changes.length !== this.last.changes.length || changes.some((change, i) => change !== this.last.changes[i])) {
      this.last = { kept: this.engine.keepWorld(), changes: [...changes] };
      this.dropped.register(this.last, this.last.kept);
    }
    return this.last;
  }
  restore(version) {
    this.engine.restoreWorld(version.kept);
    this.planner.replaceChanges([...version.changes]);
    this.last = version;
  }
}

export class History {
  #undo = [];
  #redo = [];
  /** @param worldChanged what to do when the world is another */
  constructor(engine, posture, planner, worldChanged) {
    Object.assign(this, { posture, worldChanged, versions: new Versions(engine, planner) });
  }
  /** All as it is. */
  get now() { return { q: this.posture.q.slice(), base: this.posture.base.slice(), world: this.versions.now }; }
  /** Remembers what was before a change. */
  remember(before = this.now) {
    this.#undo.push(before);
    if (this.#undo.length > UNDO_LIMIT) this.#undo.shift();
    this.#redo.length = 0;
  }
  #swap(from, to) {
    const before = from.pop(), { now } = this;
    if (!before) return;
    to.push(now);
    if (before.world !== now.world) {
      this.versions.restore(before.world);
      this.worldChanged();
    }
    this.posture.set(before.q, before.base);
  }
  undo() { this.#swap(this.#undo, this.#redo); }
  redo() { this.#swap(this.#redo, this.#undo); }
}
