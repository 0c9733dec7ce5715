// The robot and its world in three.js: what is drawn, where, and in which colours.
import * as THREE from "three";
import { coarseShare, madeMesh, spread } from "./making.js";
import { Marks } from "./marks.js";
import { blankLabel, color, paint } from "./paint.js";
import { pause } from "./pause.js";
import { boundLines, boxesLines, boxOf, drawn, hasNoEnd, isFlat, jointAxes, setPose } from "./shapes.js";
import { SearchTrees } from "./trees.js";
import { Viewpoint } from "./viewpoint.js";

const LINKS = [[0.86, 0.87, 0.88], [0.46, 0.51, 0.57], [0.7, 0.74, 0.79]];
const OBJECTS = [[0.44, 0.58, 0.68], [0.62, 0.67, 0.5], [0.7, 0.52, 0.46], [0.56, 0.54, 0.66], [0.78, 0.7, 0.48], [0.42, 0.6, 0.58]];
const WOOD = [0.8, 0.71, 0.58], FLOOR = [0.84, 0.85, 0.86];
export const BOUNDS = ["none", "sphere", "aabb", "obb", "tree"];

const RED = color([0.88, 0.13, 0.12]), ORANGE = color([0.97, 0.58, 0.1]), OVER = color([0.2, 0.5, 0.85]);
const GHOST = { start: color([0.2, 0.45, 0.9]), goal: color([0.1, 0.65, 0.35]) };
const BOUNDARY = color([0.55, 0.6, 0.64]);
/** A shape of the world, by the name of its object and its number there. */
const keyOf = (name, element) => JSON.stringify([name, element]);
/** What a shape of the world is, wherever it stands: an object of one name may be another one later. */
const formOf = ({ shape, uri, size, scale, radius, length }) => JSON.stringify([shape, uri, size, scale, radius, length]);

export class Stage {
  /** A stage of nothing yet, without a screen; made in steps, so that the page answers in between. */
  static async make(canvas) {
    const stage = new Stage(canvas);
    for (const step of [() => stage.view.listen(), () => stage.#addMarks(), () => { stage.trees = new SearchTrees(stage); }]) {
      await pause();
      step();
    }
    return stage;
  }
  constructor(canvas) {
    this.canvas = canvas;
    this.frames = []; // of meshes: the link whose pose places it
    this.objects = [];
    this.shown = "visual";
    this.bounds = "none";
    this.level = 3;
    this.boundMaterial = new THREE.LineBasicMaterial({ color: 0x2563a8 });
    this.bounding = []; // lines of bounds, and the link whose pose places them
    this.axes = {}; // of links, of joints: what is drawn, and the link whose pose places it
    this.ghosts = {};
    this.covered = 0;
    this.scene = new THREE.Scene();
    this.scene.background = new THREE.Color(0xe9edf0);
    this.#light();
    this.view = new Viewpoint(canvas, () => this.draw());
  }
  #addMarks() { this.marks = new Marks(this.scene, () => this.draw()); }
  /** Takes what is drawn first of the robot and its world, mesh by mesh, so that the page answers in between. */
  async fill(engine, { visuals, made, meshes }, closed) {
    this.engine = engine;
    this.closed = closed; // of collision geometries and objects, as the scene has them in the beginning
    this.meshes = meshes;
    this.links = engine.links.map((name, i) => ({ name, base: color(LINKS[i % 3]), meshes: [] }));
    this.withVisual = new Set(visuals.map((g) => g.owner));
    const alone = []; // links without visuals are drawn first, too
    this.later = [];
    await spread(Array(engine.geometryCount("collision")).keys(), (i) =>
      (this.withVisual.has(engine.geometry("collision", i, { mesh: false }).owner) ? this.later : alone).push(i));
    await spread(visuals.entries(), async ([i, g]) => this.#addGeometry("visual", g, await made[i]));
    await this.#addCollisions(alone);
    await this.#addObjects();
  }
  /** Takes the screen that it is drawn on, to which it hands what is there. */
  async showOn(screen) {
    this.screen = screen;
    screen.onResize = (size) => {
      this.view.fit(size, this.covered);
      this.marks.fit(size);
    };
    for (const [mesh] of this.frames) this.#listForms(mesh);
    screen.begin();
    const visible = [];
    this.scene.traverseVisible((object) => visible.push(object));
    await screen.compile(visible);
    await screen.upload([...this.frames.map(([mesh]) => mesh), ...this.objects]);
    screen.ready = true;
  }
  /** Takes the rest, while the first picture is there: collision geometry behind visuals. */
  async fillRest() {
    await this.#addCollisions(this.later);
    this.meshes.end();
    this.meshes = this.later = null;
    if (this.poses) this.pose(this.poses);
    this.#restyle();
    if (this.shown === "visual") await this.screen.upload(this.frames.map(([mesh]) => mesh).filter((mesh) => !mesh.visible));
  }
  /** Makes ready the ways in which meshes may be drawn later, once the picture is as fine as it gets. */
  async prepareLater() {
    await this.screen.completed();
    await this.screen.compile([...this.scene.children, ...this.#later()]);
  }
  /** Objects of the materials that the first picture is drawn with. */
  firstMaterials() {
    const list = [], lines = new THREE.BoxGeometry();
    for (const flatShading of [false, true])
      for (const closed of [true, false]) list.push(new THREE.Mesh(lines, paint(0xffffff, flatShading, closed)));
    return [...list, new THREE.LineSegments(lines, this.boundMaterial)];
  }
  /** Objects of the materials that are not in the scene yet. */
  #later() {
    const box = new THREE.BoxGeometry(), kinds = [[false, true], [true, true], [true, false]];
    const paints = kinds.map(([flat, closed]) => Object.assign(paint(0xffffff, flat, closed), { transparent: true }));
    return [blankLabel(), ...paints.map((material) => new THREE.Mesh(box, material))];
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
    // Boxes and the like have no normals; of visual meshes they are made.
    const material = paint(own, kind !== "visual" || (isFlat(g) && !made), g.closed);
    if (kind === "visual" && g.color && g.color[3] < 1) Object.assign(material, { transparent: true, opacity: g.color[3] });
    const mesh = drawn(g, material, made);
    mesh.userData = { link: g.owner, kind, own, alone: kind === "collision" && !this.withVisual.has(g.owner) };
    mesh.visible = kind === this.shown || mesh.userData.alone;
    link.meshes.push(mesh);
    this.frames.push([mesh, g.frame]);
    this.#listForms(mesh);
    this.scene.add(mesh);
  }
  #listForms({ geometry }) { if (geometry.userData.forms) this.screen?.formed.push(geometry); }
  /** Asks for the mesh of each of a list, then uses them in turn. */
  async #each(list, ask, use) {
    const asked = [];
    await spread(list, (g) => asked.push(ask(g)?.then((made) => [g, made]) ?? [g]));
    await spread(asked, ([g, made]) => use(g, made));
  }
  async #geometries(kind, indices) {
    const list = [];
    await spread(indices, (i) => list.push({ ...this.engine.geometry(kind, i, { closed: false }), closed: this.closed[kind][i] }));
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
  /** Draws the objects of the world that are new, or of another size, those in their old colours, and no more those that are gone. */
  updateObjects() {
    const names = this.engine.objects, known = new Map(this.objects.map((mesh) => [keyOf(mesh.name, mesh.userData.element), mesh]));
    this.objects = names.map((each, i) => {
      const g = this.engine.geometry("object", i, { mesh: false }), { origin, element } = g, key = keyOf(each, element);
      const old = known.get(key), mesh = old?.userData.form === formOf(g) ? old : this.#makeObject(i, old?.userData.own);
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
    mesh.userData = { object: i, element: g.element, form: formOf(g), own };
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

  // ------------------------------------------------------------------------------------- drawing

  draw() { this.screen?.draw(); }
  /** What lies over the right of the canvas, in pixels. */
  cover(width) {
    this.covered = width;
    this.screen?.resize();
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
  // ------------------------------------------------------------------------------- what is seen

  /** What the robot occupies, as it is posed. */
  robotBox() {
    const box = new THREE.Box3(), part = new THREE.Box3();
    for (const [mesh] of this.frames) box.union(part.copy(boxOf(mesh)).applyMatrix4(mesh.matrix));
    if (box.isEmpty()) box.set(new THREE.Vector3(-0.5, -0.5, 0), new THREE.Vector3(0.5, 0.5, 1));
    return box;
  }
  /** Shows the robot and what is near. */
  home() {
    const box = this.robotBox(), size = box.getSize(new THREE.Vector3()).length();
    for (const mesh of this.objects) {
      const other = boxOf(mesh).clone().applyMatrix4(mesh.matrix);
      if (other.getSize(new THREE.Vector3()).length() < 2 * size && other.distanceToPoint(box.getCenter(new THREE.Vector3())) < size)
        box.union(other);
    }
    this.view.show(box);
  }
  /** Flies to a link, and draws a box around it for a while. */
  flyToLink(link) {
    const box = new THREE.Box3();
    for (const mesh of this.links[link].meshes) box.union(boxOf(mesh).clone().applyMatrix4(mesh.matrix));
    const origin = new THREE.Vector3().setFromMatrixPosition(this.framePose(link));
    if (box.isEmpty()) box.setFromCenterAndSize(origin, new THREE.Vector3(0.05, 0.05, 0.05));
    const frame = new THREE.Box3Helper(box, OVER);
    this.scene.add(frame);
    setTimeout(() => {
      this.scene.remove(frame);
      this.draw();
    }, 2500);
    this.view.fly(box.getCenter(new THREE.Vector3()).toArray());
  }
  /** The pose of a link. */
  framePose(link) {
    const matrix = new THREE.Matrix4();
    setPose(matrix, this.poses, 12 * link);
    return matrix;
  }
  /** The link or object under a place of the canvas, in pixels. */
  pick(x, y) {
    const meshes = [...this.frames.map(([mesh]) => mesh), ...this.objects].filter((mesh) => mesh.visible);
    const hit = this.view.caster(x, y).intersectObjects(meshes, false)[0];
    return hit ? { ...hit.object.userData, point: hit.point.toArray() } : null;
  }
}
