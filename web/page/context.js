// The context in which the page draws: of the canvas, in a worker. Whoever asks the browser's graphics process for something waits for it, and
// the making of a context is such a question: the page's own thread asks for nothing.
/* global DRAWING_WORKER */
import { scriptOf } from "./blocks.js";
import { pause } from "./pause.js";
import { METHODS, RecordedContext } from "./recorded_context.js";

const ATTRIBUTES = { alpha: false, antialias: false, stencil: false };
/** What three.js asks for as it begins. */
const PARAMETERS = ["MAX_TEXTURE_IMAGE_UNITS", "MAX_VERTEX_TEXTURE_IMAGE_UNITS", "MAX_COMBINED_TEXTURE_IMAGE_UNITS", "MAX_TEXTURE_SIZE",
                    "MAX_CUBE_MAP_TEXTURE_SIZE", "MAX_VERTEX_ATTRIBS", "MAX_VERTEX_UNIFORM_VECTORS", "MAX_FRAGMENT_UNIFORM_VECTORS",
                    "MAX_VARYING_VECTORS", "MAX_UNIFORM_BUFFER_BINDINGS", "MAX_SAMPLES", "VERSION", "SCISSOR_BOX", "VIEWPORT"];
const SHADERS = ["VERTEX_SHADER", "FRAGMENT_SHADER"];

/** The context of a canvas of the size in which it is shown: for another one it would be made anew. */
export async function makeContext(canvas) {
  await pause();
  const worker = new Worker(scriptOf(DRAWING_WORKER)); // its text: build_page.mjs puts it here
  await pause();
  const { clientWidth: width, clientHeight: height } = canvas;
  const size = { width: Math.floor(width * devicePixelRatio), height: Math.floor(height * devicePixelRatio) };
  await pause();
  const surface = Object.assign(canvas, size).transferControlToOffscreen?.();
  const known = surface && await new Promise((go, fail) => {
    worker.onmessage = ({ data }) => go(data.known);
    worker.onerror = ({ message }) => fail(new Error(message));
    worker.postMessage({ canvas: surface, methods: METHODS, attributes: ATTRIBUTES, parameters: PARAMETERS, shaders: SHADERS }, [surface]);
  });
  if (!known) throw new Error("this browser draws no WebGL 2 in workers, which the page needs");
  performance.mark("graze-context");
  return new RecordedContext(worker, size, known);
}
