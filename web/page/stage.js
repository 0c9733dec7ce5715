// The robot and its world in three.js: what is drawn, in which colours, from where. It is drawn when something has changed.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import { coarseShare, madeMesh, spread } from "./making.js";
import { color, disc, label, paint, targetLikeCanvas } from "./paint.js";
import { pause } from "./pause.js";
import { boundLines, boxesLines, drawn, hasNoEnd, isFlat, jointAxes, setPose } from "./shapes.js";
import { SearchTrees } from "./trees.js";

const LINKS = [[0.86, 0.87, 0.88], [0.46, 0.51, 0.57], [0.7, 0.74, 0.79]];
const OBJECTS = [[0.44, 0.58, 0.68], [0.62, 0.67, 0.5], [0.7, 0.52, 0.46], [0.56, 0.54, 0.66], [0.78, 0.7, 0.48], [0.42, 0.6, 0.58]];
const WOOD = [0.8, 0.71, 0.58], FLOOR = [0.84, 0.85, 0.86];
export const BOUNDS = ["none", "sphere", "aabb", "obb", "tree"];

const RED = color([0.88, 0.13, 0.12]), ORANGE = color([0.97, 0.58, 0.1]), OVER = color([0.2, 0.5, 0.85]);
const GHOST = { start: color([0.2, 0.45, 0.9]), goal: color([0.1, 0.65, 0.35]) };
const BOUNDARY = color([0.55, 0.6, 0.64]);
/** A shape of the world, by the name of its object and its number there. */
const keyOf = (name, element) => JSON.stringify([name, element]);

const UPLOAD = { meshes: 8, bytes: 1 << 20, waiting: 1 << 22 }; // at a time, and until it is waited for

// Pixels drawn for a pixel of the screen: fewer while something moves and frames take long. SAMPLES: of each, for smooth edges, once all stands still.
const SAMPLES = 4, LEAST = 0.4, SLOW_MS = 40, FAST_MS = 20, STILL_MS = [160, 900], POLL_MS = 2;

export class Stage {
  /** A stage of nothing yet. Browsers take long to begin to draw: it is made in steps. */
  static async make(canvas) {
    const context = canvas.getContext("webgl2", { alpha: false, antialias: false, stencil: false });
    if (!context) throw new Error("this browser draws no WebGL 2, which the page needs");
    await pause();
    const renderer = new THREE.WebGLRenderer({ canvas, context });
    await pause();
    const stage = new Stage(canvas, renderer);
    await pause();
    return stage;
  }
  constructor(canvas, renderer) {
    this.canvas = canvas;
    this.frames = []; // of meshes: the link whose pose places it
    this.objects = [];
    this.compiled = new Set(); // kinds of materials, and their programs, that are made
    this.programs = new Set();
    this.shown = "visual";
    this.bounds = "none";
    this.level = 3;
    this.renderer = renderer;
    this.renderer.debug.checkShaderErrors = false; // it would wait for them
    this.scene = new THREE.Scene();
    this.scene.background = new THREE.Color(0xe9edf0);
    this.#light();
    this.camera = new THREE.PerspectiveCamera(35, 1, 0.01, 200);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener("change", () => this.#range());
    this.#addMarks();
    this.trees = new SearchTrees(this);
  }
  /** Takes what is drawn first of the robot and its world, mesh by mesh, so that the page answers in between. */
  async fill(engine, { visuals, made, meshes }) {
    this.engine = engine;
    this.meshes = meshes;
    this.links = engine.links.map((name, i) => ({ name, base: color(LINKS[i % 3]), meshes: [] }));
    this.withVisual = new Set(visuals.map((g) => g.owner));
    const collisions = Array.from({ length: engine.geometryCount("collision") }, (_, i) => i);
    this.later = collisions.filter((i) => this.withVisual.has(engine.geometry("collision", i, { mesh: false }).owner));
    await spread(visuals.entries(), async ([i, g]) => this.#addGeometry("visual", g, await made[i]));
    await this.#addCollisions(collisions.filter((i) => !this.later.includes(i)));
    await this.#addObjects();
    new ResizeObserver(() => this.#resize()).observe(this.canvas);
    this.#resize();
    this.#setSize(devicePixelRatio);
    const visible = [];
    this.scene.traverseVisible((object) => visible.push(object));
    await this.#compile(visible);
    await this.#upload([...this.frames.map(([mesh]) => mesh), ...this.objects]);
    this.ready = true;
  }
  /** Takes the rest, while the first picture is there: collision geometry behind visuals, and the ways in which meshes may be drawn later. */
  async fillRest() {
    await this.#addCollisions(this.later);
    this.meshes.end();
    this.meshes = this.later = null;
    if (this.poses) this.pose(this.poses);
    this.#restyle();
    await this.#compile([...this.scene.children, ...this.#later()]);
    if (this.shown === "visual") await this.#upload(this.frames.map(([mesh]) => mesh).filter((mesh) => !mesh.visible));
  }
  /** Makes ready what the first picture is drawn with, of which nothing else is known yet. */
  async prepare() {
    const list = [], lines = new THREE.BoxGeometry();
    for (const flatShading of [false, true])
      for (const closed of [true, false]) list.push(new THREE.Mesh(lines, paint(0xffffff, flatShading, closed)));
    await this.#compile([...list, new THREE.LineSegments(lines, this.boundMaterial)]);
  }
  /** Objects of the materials that are not in the scene yet. */
  #later() {
    const box = new THREE.BoxGeometry(), kinds = [[false, true], [true, true], [true, false]];
    const paints = kinds.map(([flat, closed]) => Object.assign(paint(0xffffff, flat, closed), { transparent: true }));
    return [label(""), ...paints.map((material) => new THREE.Mesh(box, material))];
  }
  /** Has the materials of objects made ready while the page goes on; the first frame with them would wait for it. */
  async #compile(list) {
    const { renderer } = this;
    for (const object of list.filter((o) => o.material)) {
      const { type, side, flatShading, transparent } = object.material, key = [object.type, type, side, flatShading, transparent].join();
      if (this.compiled.has(key)) continue;
      this.compiled.add(key);
      await pause();
      renderer.compile(object, this.camera, this.scene);
      for (const program of renderer.info.programs.filter((p) => !this.programs.has(p))) {
        // Whoever asks for a program waits until it is made, and until all is drawn: it is asked for afterwards.
        await this.#idle();
        this.programs.add(program);
        program.getUniforms();
      }
    }
  }
  /** Hands meshes to the graphics processor, some at a time: draws each in one pixel, before what is drawn of them next. */
  async #upload(all) {
    const { renderer } = this, meshes = all.map((mesh) => [mesh, mesh.visible]);
    for (const mesh of all) Object.assign(mesh, { frustumCulled: false });
    for (let waiting = 0; meshes.length; ) {
      const some = [];
      // With the first one three.js makes ready more than that.
      const most = meshes.length === all.length ? 1 : UPLOAD.meshes;
      let bytes = 0;
      while (meshes.length && some.length < most && bytes < UPLOAD.bytes) {
        some.push(meshes.pop());
        bytes += some.at(-1)[0].geometry.getAttribute("position").array.byteLength;
      }
      const others = this.scene.children.filter((o) => o.visible);
      for (const other of others) other.visible = other.isLight ?? false;
      for (const [mesh] of some) mesh.visible = true;
      renderer.setRenderTarget(this.pixel ??= targetLikeCanvas(1, 1, 0));
      renderer.render(this.scene, this.camera);
      renderer.setRenderTarget(null);
      for (const [mesh, visible] of some) mesh.visible = visible;
      for (const other of others) other.visible = true;
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
  /** Waits until nothing is being drawn. */
  async #idle() {
    do {
      await this.#done(performance.now());
    } while (this.drawing);
  }

  #light() {
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0xb9b4ac, 1.9));
    for (const [x, y, z, strength] of [[4, -3, 6, 1.5], [-4, 5, 3, 0.6]]) {
      const light = new THREE.DirectionalLight(0xffffff, strength);
      light.position.set(x, y, z);
      this.scene.add(light);
    }
  }

  // ------------------------------------------------------------------------------- what there is

  async #addCollisions(indices) {
    const list = await this.#geometries("collision", indices), share = coarseShare(list);
    await this.#each(list, (g) => this.#made(g, false, share), (g, made) => this.#addGeometry("collision", g, made));
  }
  #addGeometry(kind, g, made) {
    const link = this.links[g.owner], own = g.color ? color(g.color) : link.base;
    const material = paint(own, kind !== "visual", g.closed);
    if (kind === "visual" && g.color && g.color[3] < 1) Object.assign(material, { transparent: true, opacity: g.color[3] });
    const mesh = drawn(g, material, made);
    mesh.userData = { link: g.owner, kind, own, alone: kind === "collision" && !this.withVisual.has(g.owner) };
    mesh.visible = kind === this.shown || mesh.userData.alone;
    link.meshes.push(mesh);
    this.frames.push([mesh, g.frame]);
    this.scene.add(mesh);
  }
  /** Asks for the mesh of each of a list, then uses them in turn. */
  async #each(list, ask, use) {
    const asked = [];
    await spread(list, (g) => asked.push(ask(g)?.then((made) => [g, made]) ?? [g]));
    await spread(asked, ([g, made]) => use(g, made));
  }
  async #geometries(kind, indices) {
    const list = [];
    await spread(indices, (i) => list.push(this.engine.geometry(kind, i)));
    return list;
  }
  #made(g, smooth, share) { return madeMesh(this.meshes, g, smooth, share); }

  /** Puts the shapes of an object where the engine has them. */
  placeObject(name) {
    const names = this.engine.objects;
    for (let i = names.indexOf(name); i >= 0 && names[i] === name; i++) {
      setPose(this.objects[i].matrix, this.engine.geometry("object", i, { mesh: false }).origin);
      this.objects[i].matrixWorldNeedsUpdate = true;
    }
  }
  /** Draws the objects of the world that are new, and no more those that are gone. `name`: of the one that is another, in its old colours. */
  updateObjects(name) {
    const names = this.engine.objects, known = new Map(this.objects.map((mesh) => [keyOf(mesh.name, mesh.userData.element), mesh]));
    this.objects = names.map((each, i) => {
      const { origin, element } = this.engine.geometry("object", i, { mesh: false }), key = keyOf(each, element);
      const old = known.get(key), mesh = old && old.name !== name ? old : this.#makeObject(i, old?.userData.own);
      if (mesh === old) known.delete(key);
      mesh.userData.object = i;
      setPose(mesh.matrix, origin);
      mesh.matrixWorldNeedsUpdate = true;
      return mesh;
    });
    for (const mesh of known.values()) {
      this.scene.remove(mesh);
      mesh.geometry.dispose();
    }
    this.#restyle();
  }
  #makeObject(i, old = null, g = this.engine.geometry("object", i), made = undefined) {
    const height = g.shape === "box" ? g.size[2] : Infinity;
    const own = old ?? (g.color ? color(g.color) : color(/floor|ground/i.test(g.name) ? FLOOR
      : height < 0.06 || /board|table|shelf|side|back/i.test(g.name) ? WOOD : OBJECTS[i % 6]));
    const mesh = drawn(g, paint(own, isFlat(g), g.closed && !hasNoEnd(g)), made);
    setPose(mesh.matrix, g.origin);
    mesh.name = g.name;
    mesh.userData = { object: i, element: g.element, own };
    this.scene.add(mesh);
    return mesh;
  }
  async #addObjects() {
    await this.#each(await this.#geometries("object", this.engine.objects.keys()), (g) => this.#made(g, false, 1),
                     (g, made) => this.objects.push(this.#makeObject(this.objects.length, null, g, made)));
    const boundary = this.engine.boundary();
    if (boundary) {
      const box = new THREE.Box3(new THREE.Vector3(...boundary.min), new THREE.Vector3(...boundary.max));
      this.boundary = new THREE.Box3Helper(box, BOUNDARY);
      this.scene.add(this.boundary);
    }
    if (!this.objects.length) {
      const grid = new THREE.GridHelper(4, 16, 0xa4aeb8, 0xcbd3da);
      grid.rotation.x = Math.PI / 2;
      this.scene.add(grid);
    }
  }

  #addMarks() {
    this.segments = new LineSegments2(new LineSegmentsGeometry(),
                                      new LineMaterial({ color: 0x111111, linewidth: 2, depthTest: false }));
    this.segments.renderOrder = 10;
    const dots = { size: 11, sizeAttenuation: false, depthTest: false, transparent: true, map: disc() };
    this.points = new THREE.Points(new THREE.BufferGeometry(), new THREE.PointsMaterial({ color: 0x111111, ...dots }));
    this.hiddenPoints = new THREE.Points(new THREE.BufferGeometry(), new THREE.PointsMaterial({ color: 0x3c6ea8, ...dots }));
    this.trail = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: 0x2563a8 }));
    for (const mark of [this.segments, this.points, this.hiddenPoints, this.trail]) {
      mark.frustumCulled = false;
      mark.visible = false;
      this.scene.add(mark);
    }
    this.points.renderOrder = this.hiddenPoints.renderOrder = 11;
    this.near = new LineSegments2(new LineSegmentsGeometry(), new LineMaterial({ color: 0x17703a, linewidth: 2, depthTest: false }));
    this.near.frustumCulled = false;
    this.near.visible = false;
    this.near.renderOrder = 10;
    this.labels = [];
    this.scene.add(this.near);
    this.boundMaterial = new THREE.LineBasicMaterial({ color: 0x2563a8 });
    this.bounding = []; // lines of bounds, and the link whose pose places them
    this.axes = {}; // of links, of joints: what is drawn, and the link whose pose places it
    this.ghosts = {};
  }

  // ------------------------------------------------------------------------------------- drawing

  /** What lies over the right of the canvas, in pixels: the middle of the view is the middle of the rest. */
  cover(width) {
    this.covered = width;
    this.#resize();
  }
  #resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas, covered = this.covered ?? 0;
    if (!width || !height) return;
    this.size = { x: width, y: height };
    this.camera.aspect = width / height;
    if (covered < width / 2) this.camera.setViewOffset(width, height, covered / 2, 0, width, height);
    else this.camera.clearViewOffset();
    for (const lines of [this.segments, this.near]) lines?.material.resolution.set(width, height);
    this.draw();
  }
  /** Depth as fine as the distance from what is looked at allows. */
  #range() {
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = 0.03 * distance;
    this.camera.far = 20 * distance + 50;
    this.camera.updateProjectionMatrix();
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
      if (took > SLOW_MS && !this.coarse && this.frames.some(([mesh]) => mesh.geometry.userData.forms)) this.coarse = true;
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
    for (const [mesh] of this.frames) {
      const forms = mesh.geometry.userData.forms;
      if (forms) mesh.geometry.setDrawRange(...forms[moves && this.coarse ? 1 : 0]);
    }
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
  #done(begun) {
    const gl = this.renderer.getContext(), fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    return new Promise((done) => {
      const look = () => {
        if (!gl.isContextLost() && gl.getSyncParameter(fence, gl.SYNC_STATUS) === gl.UNSIGNALED) return void setTimeout(look, POLL_MS);
        gl.deleteSync(fence);
        done(performance.now() - begun);
      };
      setTimeout(look, 0);
    });
  }

  /** Puts everything where the poses of the links say. */
  pose(poses) {
    this.poses = poses;
    for (const [mesh, frame] of this.frames) this.#place(mesh, poses, frame);
    for (const [lines, frame] of this.bounding) this.#place(lines, poses, frame);
    for (const list of Object.values(this.axes)) for (const [item, link] of list) this.#place(item, poses, link);
    this.draw();
  }
  #place(item, poses, link) {
    setPose(item.matrix, poses, 12 * link);
    item.matrixWorldNeedsUpdate = true;
  }

  /** Which geometry is drawn: visual, collision, both. */
  show(shown) {
    this.shown = shown;
    this.#restyle();
  }
  /** Colliding links red, what they touch orange. */
  highlight(contacts) {
    this.red = new Set(contacts.map((c) => c.link));
    this.orangeLinks = new Set(contacts.filter((c) => c.kind === "self").map((c) => c.other));
    this.orangeObjects = new Set(contacts.filter((c) => c.kind === "world").map((c) => c.other));
    this.outside = contacts.some((c) => c.kind === "boundary");
    this.#restyle();
  }
  #restyle() {
    for (const [mesh] of this.frames) {
      const { link, kind, own, alone } = mesh.userData;
      const hit = this.red?.has(link) ? RED : this.orangeLinks?.has(link) ? ORANGE : null;
      mesh.material.color.copy(hit ?? own);
      const over = this.shown === "both" && kind === "collision" && !alone;
      mesh.visible = this.shown === "both" || alone || kind === this.shown;
      if (kind === "collision") {
        if (mesh.material.transparent !== over) mesh.material.needsUpdate = true; // its program is another
        Object.assign(mesh.material, { transparent: over, opacity: over ? 0.45 : 1, depthWrite: !over });
        if (over && !hit) mesh.material.color.copy(OVER);
        Object.assign(mesh.material, { polygonOffset: over, polygonOffsetFactor: -2, polygonOffsetUnits: -8 });
      }
    }
    this.objects.forEach((mesh, i) => mesh.material.color.copy(this.orangeObjects?.has(i) ? ORANGE : mesh.userData.own));
    this.boundary?.material.color.copy(this.outside ? ORANGE : BOUNDARY);
    this.draw();
  }
  wireframe(on) {
    for (const [mesh] of this.frames) mesh.material.wireframe = on;
    for (const mesh of this.objects) mesh.material.wireframe = on;
    this.draw();
  }

  /** Lines of bounds of one kind, of every link; `tree`: the boxes of a level of every mesh's bounding-volume hierarchy. */
  showBounds(kind, level = this.level) {
    Object.assign(this, { bounds: kind, level });
    for (const [lines] of this.bounding) {
      this.scene.remove(lines);
      lines.geometry.dispose();
    }
    this.bounding = kind === "none" ? [] : kind === "tree" ? this.#treeLines(level) : this.#linkLines(kind);
    for (const [lines] of this.bounding) this.scene.add(lines);
    if (this.poses) this.pose(this.poses);
  }
  #linkLines(kind) {
    return this.links.map((_, link) => [this.engine.linkBounds(link), link]).filter(([bounds]) => !bounds.empty)
      .map(([bounds, link]) => [boundLines(bounds, kind, this.boundMaterial), link]);
  }
  #treeLines(level) {
    return Array.from({ length: this.engine.geometryCount("collision") }, (_, i) => [
      boxesLines(this.engine.treeBoxes("collision", i, level), this.boundMaterial),
      this.engine.geometry("collision", i, { mesh: false }).frame]);
  }
  /** Axes of the frames of links, or of joints, at which a line shows the axis that one turns about or slides along. */
  showFrames(kind, on) {
    this.axes[kind] ??= (kind === "links" ? this.links.map((_, link) => [new THREE.AxesHelper(0.12), link])
      : this.engine.joints().map((joint) => [jointAxes(joint), joint.child])).map(([item, link]) => {
      item.matrixAutoUpdate = false;
      // Over what is see-through, too.
      item.traverse((each) => { Object.assign(each, { renderOrder: 9 }); Object.assign(each.material, { depthTest: false, transparent: true }); });
      this.scene.add(item);
      return [item, link];
    });
    for (const [item] of this.axes[kind]) item.visible = on;
    if (this.poses) this.pose(this.poses);
  }

  /** Segments of contacts, and points of them; of hidden ones points alone. */
  mark(segments, points, hidden) {
    this.segments.visible = segments.length > 0;
    if (segments.length) {
      this.segments.geometry.dispose();
      this.segments.geometry = new LineSegmentsGeometry().setPositions(segments.flat(2));
    }
    for (const [mark, list] of [[this.points, points], [this.hiddenPoints, hidden]]) {
      mark.visible = list.length > 0;
      if (!list.length) continue;
      mark.geometry.dispose();
      mark.geometry = new THREE.BufferGeometry().setFromPoints(list.map((p) => new THREE.Vector3(...p)));
    }
    this.draw();
  }

  /** Lines between the points of the nearest pairs, each with its figure: [{points, text}]. */
  markNearest(list) {
    for (const label of this.labels.splice(0)) {
      label.material.map.dispose();
      label.material.dispose();
      this.scene.remove(label);
    }
    this.near.visible = list.length > 0;
    if (list.length) {
      this.near.geometry.dispose();
      this.near.geometry = new LineSegmentsGeometry().setPositions(list.flatMap((p) => p.points).flat());
    }
    for (const { points: [a, b], text } of list) {
      const sprite = label(text);
      sprite.position.set(...a.map((v, k) => (v + b[k]) / 2));
      this.labels.push(sprite);
      this.scene.add(sprite);
    }
    this.draw();
  }

  /** A see-through robot at a pose; null removes it. */
  ghost(name, poses) {
    if (this.ghosts[name]) this.scene.remove(this.ghosts[name]);
    delete this.ghosts[name];
    if (poses) {
      const group = new THREE.Group();
      // Behind what is drawn in the same place.
      const material = new THREE.MeshLambertMaterial({ color: GHOST[name], flatShading: true, transparent: true, opacity: 0.35,
                                                       polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 8 });
      for (const [mesh, frame] of this.frames) {
        if (mesh.userData.kind !== "collision") continue;
        const copy = new THREE.Mesh(mesh.geometry, material);
        copy.matrixAutoUpdate = false;
        setPose(copy.matrix, poses, 12 * frame);
        group.add(copy);
      }
      this.ghosts[name] = group;
      this.scene.add(group);
    }
    this.draw();
  }
  /** A line through places of the tip along a path. */
  showTrail(points) {
    this.trail.visible = points.length > 1;
    this.trail.geometry.dispose();
    this.trail.geometry = new THREE.BufferGeometry().setFromPoints(points.map((p) => new THREE.Vector3(...p)));
    this.draw();
  }

  // -------------------------------------------------------------------------------------- camera

  /** What the robot occupies, as it is posed. */
  robotBox() {
    const box = new THREE.Box3(), part = new THREE.Box3();
    this.scene.updateMatrixWorld();
    for (const [mesh] of this.frames) {
      mesh.geometry.computeBoundingBox();
      box.union(part.copy(mesh.geometry.boundingBox).applyMatrix4(mesh.matrix));
    }
    if (box.isEmpty()) box.set(new THREE.Vector3(-0.5, -0.5, 0), new THREE.Vector3(0.5, 0.5, 1));
    return box;
  }
  /** A three-quarter view of the robot and what is near. */
  home() {
    const box = this.robotBox(), size = box.getSize(new THREE.Vector3()).length();
    for (const mesh of this.objects) {
      mesh.geometry.computeBoundingBox();
      const other = mesh.geometry.boundingBox.clone().applyMatrix4(mesh.matrix);
      if (other.getSize(new THREE.Vector3()).length() < 2 * size && other.distanceToPoint(box.getCenter(new THREE.Vector3())) < size)
        box.union(other);
    }
    const { clientWidth: width, clientHeight: height } = this.canvas, wide = Math.min(1, (width - (this.covered ?? 0)) / height);
    const middle = box.getCenter(new THREE.Vector3()), radius = box.getSize(new THREE.Vector3()).length() / 2;
    this.look(middle, new THREE.Vector3(-0.62, -1, 0.5), (1.08 * radius) / Math.tan((this.camera.fov * Math.PI) / 360) / wide);
  }
  look(target, direction, distance) {
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(direction.clone().normalize(), distance);
    this.controls.update();
    this.draw();
  }
  /** Flies to a point of the world, from the side where it is seen now. */
  fly(point) {
    const target = new THREE.Vector3(...point), from = this.controls.target.clone(), eye = this.camera.position.clone();
    const goal = target.clone().addScaledVector(eye.clone().sub(from).normalize(), 0.9);
    const begin = performance.now(), quick = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const step = (now) => {
      const t = quick ? 1 : Math.min((now - begin) / 450, 1), s = t * t * (3 - 2 * t);
      this.controls.target.lerpVectors(from, target, s);
      this.camera.position.lerpVectors(eye, goal, s);
      this.controls.update();
      if (t < 1) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }
  /** Flies to a link, and draws a box around it for a while. */
  flyToLink(link) {
    const box = new THREE.Box3();
    for (const mesh of this.links[link].meshes) {
      mesh.geometry.computeBoundingBox();
      box.union(mesh.geometry.boundingBox.clone().applyMatrix4(mesh.matrix));
    }
    const origin = new THREE.Vector3().setFromMatrixPosition(this.framePose(link));
    if (box.isEmpty()) box.setFromCenterAndSize(origin, new THREE.Vector3(0.05, 0.05, 0.05));
    const frame = new THREE.Box3Helper(box, OVER);
    this.scene.add(frame);
    setTimeout(() => {
      this.scene.remove(frame);
      this.draw();
    }, 2500);
    this.fly(box.getCenter(new THREE.Vector3()).toArray());
  }
  cameraState() { return [...this.camera.position.toArray(), ...this.controls.target.toArray()]; }
  setCamera(numbers) {
    this.camera.position.set(...numbers.slice(0, 3));
    this.controls.target.set(...numbers.slice(3));
    this.controls.update();
  }

  #caster(x, y) {
    const { x: width, y: height } = this.size, caster = new THREE.Raycaster();
    const at = new THREE.Vector2((x / width) * 2 - 1, 1 - (y / height) * 2);
    caster.setFromCamera(at, this.camera);
    return caster;
  }
  /** The ray of the world behind a place of the canvas, in pixels. */
  ray(x, y) { return this.#caster(x, y).ray; }
  /** The pose of a link. */
  framePose(link) {
    const matrix = new THREE.Matrix4();
    setPose(matrix, this.poses, 12 * link);
    return matrix;
  }
  /** The link or object under a place of the canvas, in pixels. */
  pick(x, y) {
    const caster = this.#caster(x, y);
    const meshes = [...this.frames.map(([mesh]) => mesh), ...this.objects].filter((mesh) => mesh.visible);
    const hit = caster.intersectObjects(meshes, false)[0];
    return hit ? { ...hit.object.userData, point: hit.point.toArray() } : null;
  }
}
