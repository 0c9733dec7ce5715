// What is drawn over the robot and its world: contacts, nearest pairs, the line of a path.
import * as THREE from "three";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import { disc, label } from "./paint.js";

const thickLines = (color) => new LineSegments2(new LineSegmentsGeometry(), new LineMaterial({ color, linewidth: 2, depthTest: false }));

export class Marks {
  /** @param changed what to do when they have changed */
  constructor(scene, changed) {
    Object.assign(this, { scene, changed });
    this.segments = thickLines(0x111111);
    this.near = thickLines(0x17703a);
    const dots = { size: 11, sizeAttenuation: false, depthTest: false, transparent: true, map: disc() };
    this.points = new THREE.Points(new THREE.BufferGeometry(), new THREE.PointsMaterial({ color: 0x111111, ...dots }));
    this.hiddenPoints = new THREE.Points(new THREE.BufferGeometry(), new THREE.PointsMaterial({ color: 0x3c6ea8, ...dots }));
    this.trail = new THREE.Line(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: 0x2563a8 }));
    for (const mark of [this.segments, this.points, this.hiddenPoints, this.trail, this.near]) {
      mark.frustumCulled = false;
      mark.visible = false;
      this.scene.add(mark);
    }
    this.segments.renderOrder = this.near.renderOrder = 10;
    this.points.renderOrder = this.hiddenPoints.renderOrder = 11;
    this.labels = [];
  }
  /** The width of lines is in pixels of a canvas of this size. */
  fit({ x, y }) {
    for (const lines of [this.segments, this.near]) lines.material.resolution.set(x, y);
  }

  /** Segments of contacts, and points of them; of hidden ones points alone. */
  showContacts(segments, points, hidden) {
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
    this.changed();
  }
  /** Lines between the points of the nearest pairs, each with its figure: [{points, text}]. */
  showNearest(list) {
    for (const old of this.labels.splice(0)) {
      old.material.map.dispose();
      old.material.dispose();
      this.scene.remove(old);
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
    this.changed();
  }
  /** A line through places of the tip along a path. */
  showTrail(points) {
    this.trail.visible = points.length > 1;
    this.trail.geometry.dispose();
    this.trail.geometry = new THREE.BufferGeometry().setFromPoints(points.map((p) => new THREE.Vector3(...p)));
    this.changed();
  }
}
