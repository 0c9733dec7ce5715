// The context in which the page draws. Browsers take long to begin to draw, and whoever asks the graphics process for something waits until
// all that it was given before is done: here it is asked for one thing at a time, when it has nothing else to do.
import { pause } from "./pause.js";
import { scriptOf } from "./blocks.js";

const POLL_MS = 2;

/** Waits until what was asked of the graphics process is done, beside this page's thread; resolves to the milliseconds since `begun`. */
export function done(gl, begun) {
  const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
  gl.flush();
  return new Promise((go) => {
    const look = () => {
      if (!gl.isContextLost() && gl.getSyncParameter(fence, gl.SYNC_STATUS) === gl.UNSIGNALED) return void setTimeout(look, POLL_MS);
      gl.deleteSync(fence);
      go(performance.now() - begun);
    };
    setTimeout(look, 0);
  });
}

/** The first one to want WebGL waits until the browser's graphics process is there: this is a worker. */
async function wake() {
  await pause();
  const address = scriptOf("new OffscreenCanvas(1, 1).getContext('webgl2'); postMessage(0)");
  await pause();
  const worker = new Worker(address);
  await new Promise((go) => { worker.onmessage = worker.onerror = go; });
  worker.terminate();
}

/** Of the extensions that three.js gets as it begins, the one that the page has a use for: programs tell whether they are made. */
const EXTENSION = "KHR_parallel_shader_compile";
const PARAMETERS = ["VERSION", "VIEWPORT"]; // of those it gets, what the browser has to ask for, too

/** The context of a canvas of the size in which it is shown: for another one it would be made anew. */
export async function makeContext(canvas) {
  await wake();
  const { clientWidth: width, clientHeight: height } = canvas;
  await pause();
  Object.assign(canvas, { width: Math.floor(width * devicePixelRatio), height: Math.floor(height * devicePixelRatio) });
  const context = canvas.getContext("webgl2", { alpha: false, antialias: false, stencil: false });
  if (!context) throw new Error("this browser draws no WebGL 2, which the page needs");
  performance.mark("graze-context");
  const known = new Map(), precision = (shader) => () => context.getShaderPrecisionFormat(shader, context.HIGH_FLOAT);
  const get = (name) => () => known.set(context[name], context.getParameter(context[name]));
  for (const question of [() => known.set(EXTENSION, context.getExtension(EXTENSION)), ...PARAMETERS.map(get),
                          precision(context.VERTEX_SHADER), precision(context.FRAGMENT_SHADER)]) {
    await done(context, 0);
    question();
  }
  await done(context, 0);
  context.getParameter = (name) => known.get(name) ?? Object.getPrototypeOf(context).getParameter.call(context, name);
  context.getExtension = (name) => known.get(name) ?? null;
  return context;
}
/** Whoever has begun with a context gets its own answers from then on; extensions stay as they are known. */
export function release(context) { delete context.getParameter; }
