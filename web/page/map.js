// A map of the poses over two joints: free or colliding, all other joints and the base as they are. It follows them, and a click on
// it moves the robot there.
import { pen } from "./paint.js";

const CELLS = 120, WAIT_MS = 120;
const FREE = [226, 236, 226, 255], COLLISION = [196, 74, 62, 255], MARK = "#1d2329";

export class PoseMap {
  constructor(app, { section, canvas, text }) {
    Object.assign(this, { app, section, canvas, text, columns: null });
    canvas.width = canvas.height = 2 * CELLS;
    canvas.addEventListener("click", (event) => this.#click(event));
  }
  /** Shows the map over two columns of q, that of the first to the right; null hides it. */
  show(columns) {
    this.columns = columns;
    this.section.hidden = !columns;
    this.made = null;
    if (!columns) return;
    const names = columns.map((c) => this.app.posture.names[c]);
    this.text.textContent = `${names[0]} to the right, ${names[1]} up`;
    this.canvas.setAttribute("aria-label", `which poses of ${names.join(" and ")} collide; a click moves there`);
    this.follow();
  }
  #ranges() { return this.columns.map((c) => this.app.posture.range(c, this.app.panel.values.ignoreLimits)); }
  /** All that the map depends on. */
  #key() {
    const { q, base } = this.app.posture, others = [...q].filter((_, i) => !this.columns.includes(i));
    return JSON.stringify([others, [...base], this.columns, this.#ranges()]);
  }
  /** Draws where the robot is, and has the map made anew where it is of another pose. */
  follow() {
    if (!this.columns) return;
    this.#paint();
    if (this.made?.key === this.#key()) return;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.#make(), WAIT_MS);
  }
  async #make() {
    if (!this.columns) return;
    const { posture, planner } = this.app, key = this.#key(), [[x0, x1], [y0, y1]] = this.#ranges(), n = posture.q.length;
    const rows = new Float64Array(CELLS * CELLS * n), [cx, cy] = this.columns;
    for (let i = 0; i < CELLS * CELLS; i++) {
      rows.set(posture.q, i * n);
      rows[i * n + cx] = x0 + ((i % CELLS + 0.5) / CELLS) * (x1 - x0);
      rows[i * n + cy] = y0 + ((Math.floor(i / CELLS) + 0.5) / CELLS) * (y1 - y0);
    }
    let verdicts;
    try {
      verdicts = await (await planner.scene()).validateBatch(rows, posture.base);
    } catch {
      return; // the worker was ended: the change that ended it has the map made anew
    }
    if (!this.columns || this.#key() !== key) return this.follow();
    this.made = { key, verdicts, image: this.#image(verdicts) };
    this.#paint();
  }
  #image(verdicts) {
    const size = this.canvas.width, image = new ImageData(size, size);
    for (let y = 0; y < size; y++)
      for (let x = 0; x < size; x++) {
        const free = verdicts[(CELLS - 1 - (y >> 1)) * CELLS + (x >> 1)] === 0;
        image.data.set(free ? FREE : COLLISION, 4 * (y * size + x));
      }
    return image;
  }
  #paint() {
    const context = pen(this.canvas), size = this.canvas.width;
    context.fillStyle = "#cbd3da";
    context.fillRect(0, 0, size, size);
    if (this.made) context.putImageData(this.made.image, 0, 0);
    const [x, y] = this.#ranges().map(([low, high], k) => (this.app.posture.q[this.columns[k]] - low) / (high - low));
    context.strokeStyle = MARK;
    context.lineWidth = 2;
    context.beginPath();
    context.arc(x * size, (1 - y) * size, 5, 0, 2 * Math.PI);
    context.stroke();
  }
  #click(event) {
    const rect = this.canvas.getBoundingClientRect(), { posture } = this.app, q = posture.q.slice();
    const at = [(event.clientX - rect.left) / rect.width, 1 - (event.clientY - rect.top) / rect.height];
    this.#ranges().forEach(([low, high], k) => { q[this.columns[k]] = low + Math.min(Math.max(at[k], 0), 1) * (high - low); });
    this.app.history.remember();
    posture.set(q);
  }
}
