// The canvas and the graphics processor: what that is given before a picture, when the scene is drawn, and how finely.
import * as THREE from "three";
import { done, release } from "./context.js";
import { targetLikeCanvas } from "./paint.js";
import { pause } from "./pause.js";

const UPLOAD = { meshes: 2, bytes: 1 << 18, waiting: 1 << 20 }; // at a time, and until it is waited for

// Pixels drawn for a pixel of the screen: fewer while something moves and frames take long. SAMPLES: of each, for smooth edges, once all stands still.
const SAMPLES = 4, LEAST = 0.4, SLOW_MS = 40, FAST_MS = 20, STILL_MS = [160, 900], POLL_MS = 2;

const sleep = (ms) => new Promise((go) => setTimeout(go, ms));

export class Screen {
  constructor(canvas, context, scene, camera) {
    Object.assign(this, { canvas, renderer: new THREE.WebGLRenderer({ canvas, context }), scene, camera });
    release(context);
    this.renderer.debug.checkShaderErrors = false; // it would wait for them
    this.formed = []; // geometries of meshes that have a coarse form, too
    this.compiled = new Set(); // kinds of materials, and their programs, that are made
    this.programs = new Set();
    this.onResize = () => {};
  }

  // ---------------------------------------------------------------------------- before a picture

  /** Has the materials of objects made ready while the page goes on; the first frame with them would wait for it. */
  async compile(list) {
    const { renderer } = this;
    for (const object of list.filter((o) => o.material)) {
      const { type, side, flatShading, transparent } = object.material, key = [object.type, type, side, flatShading, transparent].join();
      if (this.compiled.has(key)) continue;
      this.compiled.add(key);
      await pause();
      renderer.compile(object, this.camera, this.scene);
    }
    for (const program of renderer.info.programs.filter((p) => !this.programs.has(p))) {
      // Whoever asks for a program waits until it is made, and until all is drawn: it is asked for afterwards.
      while (!program.isReady() && !renderer.getContext().isContextLost()) await sleep(POLL_MS);
      await this.#idle();
      this.programs.add(program);
      program.getUniforms();
    }
  }
  /** Waits until all is drawn as finely as it gets. */
  async completed() {
    while (!this.complete) await sleep(STILL_MS[0]);
  }
  /** Hands meshes to the graphics processor, some at a time: draws each in one pixel, before what is drawn of them next. */
  async upload(all) {
    const { renderer } = this, meshes = all.map((mesh) => [mesh, mesh.visible]);
    for (const mesh of all) Object.assign(mesh, { frustumCulled: false });
    await pause();
    renderer.initRenderTarget(this.pixel ??= targetLikeCanvas(1, 1, 0));
    await pause();
    for (let waiting = 0; meshes.length; ) {
      const some = [];
      // With the first one three.js makes ready more than that.
      const most = meshes.length === all.length ? 1 : UPLOAD.meshes;
      let bytes = 0;
      while (meshes.length && some.length < most && bytes < UPLOAD.bytes) {
        some.push(meshes.pop());
        bytes += some.at(-1)[0].geometry.getAttribute("position").array.byteLength;
      }
      this.#drawInPixel(some);
      waiting += bytes;
      if (waiting < UPLOAD.waiting) {
        await pause();
        continue;
      }
      await this.#idle();
      waiting = 0;
    }
    for (const mesh of all) mesh.frustumCulled = true;
  }
  #drawInPixel(some) {
    const { renderer } = this, others = this.scene.children.filter((o) => o.visible);
    for (const other of others) other.visible = other.isLight ?? false;
    for (const [mesh] of some) mesh.visible = true;
    renderer.setRenderTarget(this.pixel);
    renderer.render(this.scene, this.camera);
    renderer.setRenderTarget(null);
    for (const [mesh, visible] of some) mesh.visible = visible;
    for (const other of others) other.visible = true;
  }
  /** Waits until nothing is being drawn. */
  async #idle() {
    do {
      await this.#done(performance.now());
    } while (this.drawing);
  }
  #done(begun) { return done(this.renderer.getContext(), begun); }

  // ------------------------------------------------------------------------------------- drawing

  /** All is ready for pictures: they are of the canvas's size, and drawn when something has changed. */
  begin() {
    new ResizeObserver(() => this.resize()).observe(this.canvas);
    this.resize();
    this.#setSize(devicePixelRatio);
  }
  resize() {
    const { clientWidth: x, clientHeight: y } = this.canvas;
    if (!x || !y) return;
    this.size = { x, y };
    this.onResize(this.size);
    this.draw();
  }
  draw() {
    this.wanted = true;
    this.complete = false; // true: all is drawn, as finely as it gets
    if (this.ready && !this.drawing) this.waiting ??= requestAnimationFrame(() => this.#frame());
  }
  #frame() {
    this.waiting = undefined;
    this.wanted = false;
    clearTimeout(this.still);
    this.#render(Math.min(this.moving ??= devicePixelRatio, devicePixelRatio), true).then((took) => {
      if (took > SLOW_MS && !this.coarse && this.formed.length) this.coarse = true;
      else if (took > SLOW_MS) this.moving = Math.max(LEAST, 0.8 * this.moving);
      else if (took < FAST_MS) this.moving = Math.min(devicePixelRatio, 1.1 * this.moving);
      if (this.wanted) this.draw();
      else this.#drawStill(0);
    });
  }
  #drawStill(step) {
    this.still = setTimeout(async () => {
      if (step > 0 || devicePixelRatio > this.ratio || this.coarse) await this.#render(devicePixelRatio, false, step > 0);
      if (this.wanted) this.draw();
      else if (step + 1 < STILL_MS.length) this.#drawStill(step + 1);
      else this.complete = true;
    }, STILL_MS[step]);
  }
  /** Draws, and resolves to how many milliseconds that took where it is done: beside this page's thread. Nothing else is asked for in
   *  between: that would wait for it. `smooth`: with smooth edges, beside the canvas, which another size would hold the page up. Fewer pixels than the screen has go into a corner of the canvas, which is drawn larger: another
   *  size of the canvas costs as much as a frame. */
  async #render(ratio, moves, smooth = false) {
    const { renderer, size } = this, less = ratio / devicePixelRatio, begun = performance.now();
    if (!size) return 0;
    this.drawing = true;
    this.ratio = ratio;
    this.#setSize(devicePixelRatio);
    const [width, height] = [Math.ceil(less * size.x), Math.ceil(less * size.y)];
    renderer.setViewport(0, 0, width, height);
    renderer.setScissor(0, 0, width, height);
    renderer.setScissorTest(less < 1);
    this.canvas.style.transform = less < 1 ? `scale(${size.x / width}, ${size.y / height})` : "";
    for (const geometry of this.formed) geometry.setDrawRange(...geometry.userData.forms[moves && this.coarse ? 1 : 0]);
    if (smooth) this.#renderSmooth();
    else renderer.render(this.scene, this.camera);
    const took = await this.#done(begun);
    this.drawing = false;
    return took;
  }
  #renderSmooth() {
    const { renderer } = this, gl = renderer.getContext(), { width, height } = this.canvas;
    this.smooth ??= targetLikeCanvas(width, height, SAMPLES);
    this.smooth.setSize(width, height);
    renderer.setRenderTarget(this.smooth);
    renderer.render(this.scene, this.camera);
    renderer.setRenderTarget(null);
    renderer.state.bindFramebuffer(gl.READ_FRAMEBUFFER, renderer.properties.get(this.smooth).__webglFramebuffer);
    gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, gl.COLOR_BUFFER_BIT, gl.NEAREST);
    renderer.state.bindFramebuffer(gl.READ_FRAMEBUFFER, null);
  }
  #setSize(ratio) {
    const { renderer, size, set } = this;
    if (set?.x === size.x && set.y === size.y && set.ratio === ratio) return;
    renderer.setPixelRatio(ratio);
    renderer.setSize(size.x, size.y, false);
    this.set = { ...size, ratio };
  }
}
