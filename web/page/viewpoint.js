// From where the scene is seen: the camera, how it is turned, where it flies, and what lies behind a place of the canvas.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

const FLIGHT_MS = 450, NEAR = 0.9;

export class Viewpoint {
  /** @param changed what to do when it has changed */
  constructor(canvas, changed) {
    this.changed = changed;
    this.canvas = canvas;
    this.camera = new THREE.PerspectiveCamera(35, 1, 0.01, 200);
    this.camera.up.set(0, 0, 1);
  }
  /** Has the pointer turn it. */
  listen() {
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.addEventListener("change", () => this.#range());
  }
  /** `covered`: what lies over the right of the canvas, in pixels: the middle of the view is the middle of the rest. */
  fit({ x: width, y: height }, covered) {
    this.size = { x: width, y: height };
    this.covered = covered;
    this.camera.aspect = width / height;
    if (covered < width / 2) this.camera.setViewOffset(width, height, covered / 2, 0, width, height);
    else this.camera.clearViewOffset();
  }
  /** Depth as fine as the distance from what is looked at allows. */
  #range() {
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = 0.03 * distance;
    this.camera.far = 20 * distance + 50;
    this.camera.updateProjectionMatrix();
    this.changed();
  }
  /** A three-quarter view of a box. */
  show(box) {
    const { x: width, y: height } = this.size, wide = Math.min(1, (width - this.covered) / height);
    const middle = box.getCenter(new THREE.Vector3()), radius = box.getSize(new THREE.Vector3()).length() / 2;
    this.#look(middle, new THREE.Vector3(-0.62, -1, 0.5), (1.08 * radius) / Math.tan((this.camera.fov * Math.PI) / 360) / wide);
  }
  #look(target, direction, distance) {
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(direction.clone().normalize(), distance);
    this.controls.update();
    this.changed();
  }
  /** Flies to a point of the world, from the side where it is seen now. */
  fly(point) {
    const target = new THREE.Vector3(...point), from = this.controls.target.clone(), eye = this.camera.position.clone();
    const goal = target.clone().addScaledVector(eye.clone().sub(from).normalize(), NEAR);
    const begin = performance.now(), quick = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const step = (now) => {
      const t = quick ? 1 : Math.min((now - begin) / FLIGHT_MS, 1), s = t * t * (3 - 2 * t);
      this.controls.target.lerpVectors(from, target, s);
      this.camera.position.lerpVectors(eye, goal, s);
      this.controls.update();
      if (t < 1) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }
  /** Where the camera is, and the point that it looks at: six numbers. */
  get numbers() { return [...this.camera.position.toArray(), ...this.controls.target.toArray()]; }
  set numbers(six) {
    this.camera.position.set(...six.slice(0, 3));
    this.controls.target.set(...six.slice(3));
    this.controls.update();
  }
  /** A caster of the ray behind a place of the canvas, in pixels. */
  caster(x, y) {
    const { x: width, y: height } = this.size, caster = new THREE.Raycaster();
    caster.setFromCamera(new THREE.Vector2((x / width) * 2 - 1, 1 - (y / height) * 2), this.camera);
    return caster;
  }
  ray(x, y) { return this.caster(x, y).ray; }
}
