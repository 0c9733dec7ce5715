// Draws, in a worker: has the context of the page's canvas, and does the calls that the page has noted for it (recorded_context.js).
import { replay } from "./commands.js";

const POLL_MS = 2;
const sleep = () => new Promise((go) => setTimeout(go, POLL_MS));

let gl, parallel, methods, lost = false;
const kept = new Map([[0, null]]); // what methods have made, by the numbers that the page has given it

/** Says what there is in a program, once it is made. */
async function describe(number) {
  const program = kept.get(number);
  while (parallel && gl.getProgramParameter(program, parallel.COMPLETION_STATUS_KHR) === false) await sleep();
  if (lost) return;
  const list = (count, get) => Array.from({ length: gl.getProgramParameter(program, count) }, (_, i) => {
    const { name, type, size } = get.call(gl, program, i);
    return { name, type, size };
  });
  const attributes = list(gl.ACTIVE_ATTRIBUTES, gl.getActiveAttrib), uniforms = list(gl.ACTIVE_UNIFORMS, gl.getActiveUniform);
  for (const each of attributes) each.location = gl.getAttribLocation(program, each.name);
  const error = gl.getProgramParameter(program, gl.LINK_STATUS) ? "" : `a program for drawing: ${gl.getProgramInfoLog(program)}`;
  postMessage({ program: number, description: { attributes, uniforms, error } });
}
/** Says when all that the graphics process was given before is done. */
async function sayWhenDrawn() {
  const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
  gl.flush();
  do {
    await sleep();
  } while (fence && !lost && gl.getSyncParameter(fence, gl.SYNC_STATUS) === gl.UNSIGNALED);
  gl.deleteSync(fence);
  postMessage({ drawn: true });
}
/** Calls of the page that WebGL has not. */
const OWN = {
  describe, sayWhenDrawn,
  /** One of both is another: each that is set costs as much as a picture. */
  resize(width, height) {
    if (gl.canvas.width !== width) gl.canvas.width = width;
    else gl.canvas.height = height;
  },
  goOn() { lost = false; },
};

function call(method, result, args) {
  const { name, run } = methods[method];
  if (lost && name !== "goOn" && name !== "sayWhenDrawn") return;
  const made = run.apply(gl, args);
  if (result && made) kept.set(result, made);
  else if (result) kept.delete(result);
}

/** What three.js asks for as it begins. */
function known(parameters, shaders) {
  const precision = (shader) => {
    const { rangeMin, rangeMax, precision } = gl.getShaderPrecisionFormat(shader, gl.HIGH_FLOAT);
    return { rangeMin, rangeMax, precision };
  };
  return { attributes: gl.getContextAttributes(), parameters: parameters.map((name) => [gl[name], gl.getParameter(gl[name])]),
           precisions: shaders.map((name) => [gl[name], precision(gl[name])]) };
}
function begin({ canvas, methods: names, attributes, parameters, shaders }) {
  gl = canvas.getContext("webgl2", attributes);
  if (!gl) return postMessage({});
  const extend = () => { parallel = gl.getExtension("KHR_parallel_shader_compile"); };
  extend();
  methods = names.map((name) => ({ name, run: OWN[name] ?? gl[name] }));
  canvas.addEventListener("webglcontextlost", (event) => {
    event.preventDefault(); // it is given back then
    lost = true;
    kept.clear();
    kept.set(0, null);
    postMessage({ event: event.type });
  });
  canvas.addEventListener("webglcontextrestored", (event) => {
    extend();
    postMessage({ event: event.type });
  });
  postMessage({ known: known(parameters, shaders) });
}
self.onmessage = ({ data }) => {
  if (data.canvas) begin(data);
  else replay(data, kept, call);
};
