// Where the robot is: q, base, and the address that holds it.

const BASE_NAMES = ["x", "y", "z", "roll", "pitch", "yaw"];
const LARGEST = 1e6;

export class Posture {
  #listeners = [];
  constructor(engine, q, base) {
    this.engine = engine;
    this.names = engine.jointNames();
    this.lower = engine.lowerBounds();
    this.upper = engine.upperBounds();
    this.kinds = engine.columnKinds();
    this.q = Float64Array.from(q);
    this.base = Float64Array.from(base);
    this.initial = { q: this.q.slice(), base: this.base.slice() };
  }
  onChange(listener) { this.#listeners.push(listener); }
  changed() { for (const listener of this.#listeners) listener(); }

  set(q, base = this.base) {
    this.q.set(q);
    this.base.set(base);
    this.changed();
  }
  /** The range of a column, on which a slider moves. */
  range(column, ignoreLimits) {
    const bounded = Number.isFinite(this.lower[column]) && Number.isFinite(this.upper[column]);
    if (this.kinds[column] === "rotation") return [-1, 1];
    const [low, high] = bounded ? [this.lower[column], this.upper[column]]
      : this.kinds[column] === "circle" ? [-Math.PI, Math.PI] : [-2 * Math.PI, 2 * Math.PI];
    if (!ignoreLimits || !bounded) return [low, high];
    const more = Math.max(0.5 * (high - low), 0.1);
    return [low - more, high + more];
  }

  /** The place as text for the address. */
  toText() {
    const number = (v) => String(Number(v.toPrecision(12)));
    const named = [...this.names].map((name, i) => [name, this.q[i]]).filter(([, v], i) => v !== this.initial.q[i]);
    const base = BASE_NAMES.map((name, i) => [name, this.base[i]]).filter(([, v], i) => v !== this.initial.base[i]);
    const parts = new URLSearchParams();
    for (const [name, v] of named) parts.set(`q.${name}`, number(v));
    for (const [name, v] of base) parts.set(`base.${name}`, number(v));
    return parts;
  }
  /** Takes a place from an address; returns what of it is wrong. */
  fromText(parts) {
    const wrong = [], q = this.initial.q.slice(), base = this.initial.base.slice();
    for (const [key, text] of parts) {
      const [kind, ...rest] = key.split("."), name = rest.join(".");
      if (kind !== "q" && kind !== "base") continue;
      const at = kind === "q" ? this.names.indexOf(name) : BASE_NAMES.indexOf(name), value = Number(text);
      if (at < 0) wrong.push(`there is no ${kind === "q" ? "joint" : "base coordinate"} '${name}'`);
      else if (text.trim() === "" || !Number.isFinite(value) || Math.abs(value) > LARGEST)
        wrong.push(`${name} is '${text}'; allowed: a number of at most 1e6`);
      else (kind === "q" ? q : base)[at] = value;
    }
    if (!wrong.length) this.set(q, base);
    return wrong;
  }

  /** Places {q, base} as text: the names of the coordinates that some of them have other than in the beginning, and their numbers. */
  placesToText(places) {
    const names = this.#coordinates(), rows = places.map(({ q, base }) => [...q, ...base]), initial = [...this.initial.q, ...this.initial.base];
    const columns = names.map((_, i) => i).filter((i) => rows.some((row) => row[i] !== initial[i]));
    return JSON.stringify([columns.map((i) => names[i]), ...rows.map((row) => columns.map((i) => row[i]))]);
  }
  placesFromText(what, text) {
    const all = this.#coordinates(), size = this.q.length, fail = (why) => { throw new Error(`${what} ${why}`); };
    let table = null;
    try {
      table = JSON.parse(text);
    } catch {
      // Said below.
    }
    if (!Array.isArray(table) || !table.length || !table.every(Array.isArray)) fail("is no table of places");
    const [names, ...rows] = table, columns = names.map((name) => all.indexOf(name));
    if (columns.includes(-1)) fail(`names '${names[columns.indexOf(-1)]}', which there is not`);
    return rows.map((row) => {
      const wrong = row.find((v) => typeof v !== "number" || Math.abs(v) > LARGEST);
      if (row.length !== columns.length || wrong !== undefined) fail(`has a place of ${JSON.stringify(row)}; allowed: ${columns.length} numbers of at most 1e6`);
      const place = Float64Array.of(...this.initial.q, ...this.initial.base);
      columns.forEach((at, i) => { place[at] = row[i]; });
      return { q: place.slice(0, size), base: place.slice(size) };
    });
  }
  #coordinates() { return [...this.names.map((name) => `q.${name}`), ...BASE_NAMES.map((name) => `base.${name}`)]; }
}
