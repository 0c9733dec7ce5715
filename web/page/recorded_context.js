// What three.js takes for the context of the canvas. Its calls are noted, and done by the worker that draws (drawing_worker.js); what it asks
// is answered from what the worker has said.
import { Commands, Kept } from "./commands.js";

const webgl = globalThis.WebGL2RenderingContext?.prototype ?? {}, ANSWERING = /^(get|is|check|read|client|finish|flush)/;
/** Methods that can be noted, as they answer nothing but what they have made: those of WebGL, and OWN of drawing_worker.js. */
export const METHODS = [...Object.keys(webgl).filter((name) => /^[a-z]/.test(name) && !ANSWERING.test(name)),
                        "getUniformLocation", "describe", "sayWhenDrawn", "resize", "goOn"];

/** Notes calls. */
class Recorder {
  commands = new Commands();
  #made = 0;

  static {
    Object.setPrototypeOf(this.prototype, webgl); // which has the constants
    METHODS.forEach((name, method) => {
      const value = /^create|^getUniformLocation/.test(name) ? function (...args) { return this.#make(method, args); }
        : name.startsWith("delete") ? function (made) { if (made) this.commands.add(method, made.number, [made]); }
        : function (...args) { this.commands.add(method, 0, args); };
      Object.defineProperty(this.prototype, name, { value });
    });
  }
  #make(method, args) {
    const made = new Kept(++this.#made);
    this.commands.add(method, made.number, args);
    return made;
  }
}

/** What three.js takes for the canvas; the pointer is over the page's own. */
class Surface extends EventTarget {
  #size;
  #resize;
  constructor(size, resize) {
    super();
    this.#size = size;
    this.#resize = resize;
  }
  get width() { return this.#size.width; }
  get height() { return this.#size.height; }
  set width(width) { this.#set({ ...this.#size, width }); }
  set height(height) { this.#set({ ...this.#size, height }); }
  #set(size) {
    if (size.width === this.width && size.height === this.height) return;
    this.#size = size;
    this.#resize(size.width, size.height);
  }
}

export class RecordedContext extends Recorder {
  canvas;
  #worker;
  #known;
  #lost = false;
  #undrawn = []; // who waits until all is drawn
  #unmade = new Map(); // programs that are being made, by their numbers
  #waiting = []; // who waits for them

  /** @param known what the worker has said first */
  constructor(worker, size, { attributes, parameters, precisions }) {
    super();
    this.#worker = worker;
    this.#known = { attributes, parameters: new Map(parameters), precisions: new Map(precisions) };
    this.canvas = new Surface(size, (width, height) => this.resize(width, height));
    worker.onmessage = ({ data }) => this.#take(data);
  }
  /** Has the worker do what is noted. */
  flush() {
    const taken = this.commands.take();
    if (taken) this.#worker.postMessage(taken.message, taken.moved);
  }
  /** Waits until all that is noted is drawn. */
  drawn() {
    this.sayWhenDrawn();
    this.flush();
    return new Promise((go) => this.#undrawn.push(go));
  }
  #take({ drawn, program, description, event }) {
    if (drawn) this.#undrawn.shift()();
    if (program) this.#describe(program, description);
    if (event) this.#change(event);
  }
  /** The browser takes the context away, or gives it back empty: what has been noted in between is of no use. */
  #change(event) {
    this.#lost = event === "webglcontextlost";
    this.#unmade.clear();
    this.#goOn();
    if (!this.#lost) {
      this.commands.take();
      this.goOn();
    }
    this.canvas.dispatchEvent(new Event(event));
  }
  isContextLost() { return this.#lost; }

  // ------------------------------------------------------------------------------------ programs

  linkProgram(program) {
    super.linkProgram(program);
    if (this.#lost) return;
    this.#unmade.set(program.number, program);
    this.describe(program.number);
  }
  get making() { return this.#unmade.size > 0; }
  /** Waits until all programs are made: whoever draws with another one is refused. */
  made() {
    this.flush();
    return new Promise((go) => {
      this.#waiting.push(go);
      this.#goOn();
    });
  }
  #goOn() { if (!this.making) for (const go of this.#waiting.splice(0)) go(); }
  #describe(number, description) {
    const program = this.#unmade.get(number);
    if (!program) return;
    program.description = description;
    if (description.error) console.error(description.error);
    this.#unmade.delete(number);
    this.#goOn();
  }
  #described({ description }) {
    if (!description) throw new Error("a program is drawn with before it is made");
    return description;
  }
  getProgramParameter(program, name) {
    const { uniforms, attributes } = this.#described(program), known = { [this.ACTIVE_UNIFORMS]: uniforms.length, [this.ACTIVE_ATTRIBUTES]: attributes.length };
    return answer(known[name], name);
  }
  getActiveUniform(program, index) { return this.#described(program).uniforms[index]; }
  getActiveAttrib(program, index) { return this.#described(program).attributes[index]; }
  getAttribLocation(program, name) { return this.#described(program).attributes.find((each) => each.name === name)?.location ?? -1; }

  // ------------------------------------------------------------------------------ of the context

  getContextAttributes() { return this.#known.attributes; }
  getExtension() { return null; } // the page has a use for none
  getParameter(name) { return answer(this.#known.parameters.get(name), name); }
  getShaderPrecisionFormat(shader) { return answer(this.#known.precisions.get(shader), shader); }
}
function answer(known, name) {
  if (known === undefined) throw new Error(`${name} of WebGL is asked for, which the page does not know`);
  return known;
}
