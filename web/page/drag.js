// Links and objects that are dragged: the joint above a link turns or slides after the pointer, an object follows it.
import * as THREE from "three";
import { movingAbove } from "./keys.js";

// A plane that is seen from its edge by less than this sine says nothing of where the pointer is on it.
const FLAT = 0.2;

const vector = (numbers) => new THREE.Vector3(...numbers);
const across = (v, axis) => v.clone().addScaledVector(axis, -v.dot(axis));

export class Drag {
  constructor(app) {
    Object.assign(this, { app, joints: app.engine.joints() });
    const canvas = app.stage.canvas;
    canvas.addEventListener("pointerdown", (event) => this.#begin(event), { capture: true });
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    for (const kind of ["pointerup", "pointercancel"]) canvas.addEventListener(kind, () => { this.held = null; });
  }
  #begin(event) {
    const { app } = this, wanted = event.button === 0 && (event.shiftKey || app.panel.values.drag);
    const hit = wanted && app.stage.pick(event.clientX, event.clientY);
    if (!hit) return;
    this.held = hit.object !== undefined ? this.#holdObject(hit, event) : this.#holdLink(hit);
    if (!this.held) return;
    event.stopImmediatePropagation(); // the view stays
    app.stage.canvas.setPointerCapture(event.pointerId);
  }
  #holdLink({ link, point }) {
    const index = movingAbove(this.joints, link), joint = this.joints[index], { stage, posture, history } = this.app;
    if (!joint || joint.columns !== 1) return null;
    const frame = stage.framePose(joint.parent).multiply(new THREE.Matrix4().set(...joint.origin, 0, 0, 0, 1));
    history.remember();
    return { move: joint.type === "prismatic" ? this.#slide : this.#turn, joint, start: posture.q[joint.column], turned: 0,
             grabbed: vector(point), origin: new THREE.Vector3().setFromMatrixPosition(frame),
             axis: vector(joint.axis).transformDirection(frame) };
  }
  #holdObject({ object, point }, { altKey: upright, ctrlKey, metaKey }) {
    this.app.history.remember();
    // Of several shapes the first one is where the object is.
    const { objects } = this.app.engine, name = objects[object];
    const m = this.app.engine.geometry("object", objects.indexOf(name), { mesh: false }).origin;
    const place = new THREE.Vector3(m[3], m[7], m[11]), held = { grabbed: vector(point), name, place, yaw: Math.atan2(m[4], m[0]), upright };
    if (!ctrlKey && !metaKey) return { ...held, move: this.#carry };
    return { ...held, move: this.#spin, origin: place, axis: new THREE.Vector3(0, 0, 1), turned: 0 };
  }
  #move(event) {
    if (!this.held) return;
    const ray = this.app.stage.view.ray(event.clientX, event.clientY);
    this.held.move.call(this, this.held, ray);
  }
  /** Where a ray meets the plane through a point; null: nowhere, or at too small an angle. */
  #onPlane(ray, point, normal) {
    if (Math.abs(ray.direction.dot(normal)) < FLAT) return null;
    return ray.intersectPlane(new THREE.Plane().setFromNormalAndCoplanarPoint(normal, point), new THREE.Vector3());
  }
  #onScreen(ray, point) {
    return this.#onPlane(ray, point, this.app.stage.view.camera.getWorldDirection(new THREE.Vector3()));
  }
  /** By how much what is held has been turned about its axis. */
  #angle(held, ray) {
    const { axis, origin, grabbed } = held, arm = across(grabbed.clone().sub(origin), axis);
    if (arm.lengthSq() < 1e-10) return held.turned;
    const at = this.#onPlane(ray, grabbed, axis);
    if (at) {
      const now = across(at.sub(origin), axis);
      const angle = Math.atan2(axis.dot(arm.clone().cross(now)), arm.dot(now));
      held.turned += Math.atan2(Math.sin(angle - held.turned), Math.cos(angle - held.turned)); // more than half a turn, too
    } else {
      const to = this.#onScreen(ray, grabbed);
      if (to) held.turned = to.sub(grabbed).dot(axis.clone().cross(arm)) / arm.lengthSq();
    }
    return held.turned;
  }
  #turn(held, ray) { this.#set(held.joint, held.start + this.#angle(held, ray)); }
  /** An object about the vertical through its origin. */
  #spin(held, ray) {
    const { name, place: { x, y, z }, yaw } = held;
    this.app.actions.moveObject({ name, x, y, z, yaw: yaw + this.#angle(held, ray) });
  }
  /** To the point of the joint's line that is nearest to the ray. */
  #slide(held, ray) {
    const { axis, grabbed } = held, along = ray.direction.dot(axis), apart = grabbed.clone().sub(ray.origin);
    if (1 - along * along < FLAT * FLAT) return;
    this.#set(held.joint, held.start + (along * apart.dot(ray.direction) - apart.dot(axis)) / (1 - along * along));
  }
  #set({ column, limited }, value) {
    const { posture, panel } = this.app, q = posture.q.slice();
    const [low, high] = posture.range(column, panel.values.ignoreLimits);
    q[column] = limited ? Math.min(Math.max(value, low), high) : value;
    posture.set(q);
  }
  #carry(held, ray) {
    const up = new THREE.Vector3(0, 0, 1), at = held.upright ? this.#onScreen(ray, held.grabbed) : this.#onPlane(ray, held.grabbed, up);
    if (!at) return;
    const place = held.place.clone().add(at.sub(held.grabbed));
    if (!held.upright) place.z = held.place.z;
    this.app.actions.moveObject({ name: held.name, x: place.x, y: place.y, z: place.z, yaw: held.yaw });
  }
}
