// The canvas and the graphics processor: what that is given before a picture, when the scene is drawn, and how finely.
import * as THREE from "three";
import { targetLikeCanvas } from "./paint.js";
import { pauseAfterLong } from "./pause.js";

// Pixels drawn for a pixel of the screen: fewer while something moves and frames take long. SAMPLES: of each, for smooth edges, once all stands still.
const SAMPLES = 4, LEAST = 0.4, SLOW_MS = 40, FAST_MS = 20, STILL_MS = [160, 900];

const sleep = (ms) => new Promise((go) => setTimeout(go, ms));

export class Screen {
  constructor(canvas, context, scene, camera) {
    Object.assign(this, { canvas, gl: context, renderer: new THREE.WebGLRenderer({ canvas: context.canvas, context }), scene, camera });
    this.renderer.debug.checkShaderErrors = false; // it would ask for them
    context.canvas.addEventListener("webglcontextrestored", () => this.draw());
    this.formed = []; // geometries of meshes that have a coarse form, too
    this.watching = []; // who waits for the next picture
    this.onResize = () => {};
  }

  // ---------------------------------------------------------------------------- before a picture

  /** Has the programs that objects are drawn with made while the page goes on. */
  async compile(list) {
    for (const object of list) {
      this.#compile(object);
      await pauseAfterLong();
    }
    await this.gl.made();
  }
  /** Where three.js would do so with the next picture. */
  #compile(object) {
    const { renderer } = this, { material } = object;
    if (!material) return;
    const { currentProgram, __version: version, instancing } = renderer.properties.get(material);
    if (!currentProgram || version !== material.version || instancing !== (object.isInstancedMesh === true)) renderer.compile(object, this.camera, this.scene);
  }
  /** Waits until the next picture is drawn. */
  picture() { return new Promise((go) => this.watching.push(go)); }
  /** Waits until all is drawn as finely as it gets. */
  async completed() {
    while (!this.complete) await sleep(STILL_MS[0]);
  }
  /** Hands meshes to the graphics processor, one at a time: draws each in one pixel, before what is drawn of them next. */
  async upload(meshes) {
    this.pixel ??= targetLikeCanvas(1, 1, 0);
    for (const mesh of meshes) {
      this.#drawInPixel(mesh);
      this.gl.flush();
      await pauseAfterLong();
    }
  }
  #drawInPixel(mesh) {
    const { renderer } = this, { visible, frustumCulled } = mesh, others = this.scene.children.filter((o) => o.visible);
    for (const other of others) other.visible = other.isLight ?? false;
    Object.assign(mesh, { visible: true, frustumCulled: false });
    renderer.setRenderTarget(this.pixel);
    renderer.render(this.scene, this.camera);
    renderer.setRenderTarget(null);
    for (const other of others) other.visible = true;
    Object.assign(mesh, { visible, frustumCulled });
  }

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
      for (const go of this.watching.splice(0)) go();
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
  /** Draws, and resolves to how many milliseconds that took where it is done: nothing else is drawn in between. `smooth`: with smooth edges. */
  async #render(ratio, moves, smooth = false) {
    const { renderer, gl } = this, begun = performance.now();
    if (!this.size) return 0;
    this.drawing = true;
    try {
      while (this.#areProgramsMissing()) await gl.made();
      this.ratio = ratio;
      this.#setSize(ratio);
      for (const geometry of this.formed) geometry.setDrawRange(...geometry.userData.forms[moves && this.coarse ? 1 : 0]);
      if (smooth) this.#renderSmooth();
      else renderer.render(this.scene, this.camera);
      await gl.drawn();
    } finally {
      this.drawing = false; // what stands against this picture may not be there for the next one
    }
    return performance.now() - begun;
  }
  #areProgramsMissing() {
    this.scene.traverseVisible((object) => this.#compile(object));
    return this.gl.making;
  }
  /** Draws beside the canvas, with several samples of each pixel, then into it. */
  #renderSmooth() {
    const { renderer, gl } = this, { width, height } = gl.canvas, target = (this.smooth ??= targetLikeCanvas(width, height, SAMPLES));
    target.setSize(width, height);
    renderer.setRenderTarget(target);
    renderer.render(this.scene, this.camera);
    renderer.setRenderTarget(null);
    renderer.state.bindFramebuffer(gl.READ_FRAMEBUFFER, renderer.properties.get(target).__webglFramebuffer);
    gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, gl.COLOR_BUFFER_BIT, gl.NEAREST);
    renderer.state.bindFramebuffer(gl.READ_FRAMEBUFFER, null);
  }
  #setSize(ratio) {
    const { renderer, size, set } = this;
    if (set?.x === size.x && set.y === size.y && set.ratio === ratio) return;
    renderer.setDrawingBufferSize(size.x, size.y, ratio);
    this.set = { ...size, ratio };
  }
}
