// The verdict of the pose as it is: its sentence, the list of contacts, and what of them is drawn.
import { millimetres } from "./clearance.js";
import { element } from "./message.js";

// Segments that are drawn of a pair, and of all: a thousand take longer to list than a frame lasts.
const SEGMENTS = { pair: 300, all: 600 }, LISTED = 12;

function describe(c) {
  const at = c.point.map((v) => v.toFixed(4)).join(", ");
  if (c.kind === "boundary") return [`${c.linkName} leaves the boundary`, ""];
  const verb = !c.contained ? "hits" : c.triangle >= 0 ? "is inside" : "holds";
  return [`${c.linkName} ${verb} ${c.otherName}`, `at (${at})`];
}

/** Lines of the list: what, where, the style, and the point to which a click flies. */
function contactEntry(c) {
  const [what, where] = describe(c);
  return [what, c.reason ? `${where}, hidden: ${c.reason}` : where, c.reason ? "hidden" : "", c.point];
}
const nearestEntry = (p) => [`${p.linkName} to ${p.otherName}`, millimetres(p.lower), "nearest",
                             p.points[0].map((v, k) => (v + p.points[1][k]) / 2)];

/** The list under the sentence. While the robot moves it is written in every frame: what stays is not made anew. */
class List {
  #lines = [];
  constructor(list, stage) { Object.assign(this, { list, stage }); }
  show(entries) {
    entries.forEach((entry, i) => this.#write((this.#lines[i] ??= this.#add()), entry));
    for (const { item } of this.#lines.splice(entries.length)) item.remove();
  }
  #add() {
    const [item, button, what, small] = ["li", "button", "span", "small"].map((kind) => document.createElement(kind)), line = { item, button, what, small };
    button.type = "button";
    button.append(what, " ", small);
    button.addEventListener("click", () => this.stage.view.fly(line.point));
    item.append(button);
    this.list.append(item);
    return line;
  }
  #write(line, [what, where, kind, point]) {
    line.point = point;
    if (line.what.textContent !== what) line.what.textContent = what;
    if (line.small.textContent !== where) line.small.textContent = where;
    if (line.button.className !== kind) line.button.className = kind;
  }
}

export class Verdict {
  constructor(engine, posture, stage, values) {
    Object.assign(this, { engine, posture, stage, values, joints: engine.joints(), list: new List(element("contacts"), stage) });
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
    stage.marks.showContacts(segments, points.map((c) => c.point), hidden.map((c) => c.point));
    stage.marks.showNearest(near.map((p) => ({ points: p.points, text: millimetres(p.lower) })));
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
    const limit = Math.min(SEGMENTS.pair, Math.ceil(SEGMENTS.all / report.contacts.length));
    const { pairs } = this.engine.contacts(this.posture.q, { base: this.posture.base, limit, manifolds: false });
    return pairs.flatMap((p) => p.triangles.map((t) => t.segment));
  }
  #write(verdict, sentence, contacts, violated, near = []) {
    const text = element("sentence");
    if (text.className !== verdict) text.className = verdict;
    if (text.textContent !== sentence) text.textContent = sentence;
    this.list.show([...contacts.slice(0, LISTED).map(contactEntry), ...near.map(nearestEntry)]);
    const more = Math.max(contacts.length - LISTED, 0);
    const outside = violated.length ? `outside the limits: ${violated.map((j) => this.joints[j].name).join(", ")}` : "";
    const note = [outside, more > 0 ? `${more} more contacts are not listed` : ""].filter(Boolean).join("; ");
    if (element("note").textContent !== note) element("note").textContent = note;
  }
}
