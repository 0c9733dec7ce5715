// The two trees of a search as they grow: a line from where a link's frame is at each node to where it is at its parent.
import * as THREE from "three";

const COLORS = [0x3373e6, 0x1aa659], NODES_MAX = 60000;

class Tree {
  constructor(scene, color) {
    this.points = [];
    this.positions = new THREE.BufferAttribute(new Float32Array(6 * NODES_MAX), 3);
    this.lines = new THREE.LineSegments(new THREE.BufferGeometry().setAttribute("position", this.positions),
                                        new THREE.LineBasicMaterial({ color, transparent: true, opacity: 0.7 }));
    this.lines.frustumCulled = false;
    scene.add(this.lines);
    this.clear();
  }
  clear() {
    this.points.length = this.count = 0;
    this.lines.geometry.setDrawRange(0, 0);
    this.lines.visible = false;
  }
  /** Nodes beyond NODES_MAX are not drawn. */
  add(parent, point) {
    this.points.push(point);
    if (parent < 0 || this.count === NODES_MAX) return;
    this.positions.array.set([...this.points[parent], ...point], 6 * this.count);
    this.positions.addUpdateRange(6 * this.count++, 6);
    this.positions.needsUpdate = this.lines.visible = true;
    this.lines.geometry.setDrawRange(0, 2 * this.count);
  }
}

export class SearchTrees {
  constructor(stage) {
    this.stage = stage;
    this.trees = COLORS.map((color) => new Tree(stage.scene, color));
  }
  /** Rows of tree, parent, x, y, z. */
  add(nodes) {
    for (let i = 0; i < nodes.length; i += 5) this.trees[nodes[i]].add(nodes[i + 1], [...nodes.subarray(i + 2, i + 5)]);
    this.stage.draw();
  }
  clear() {
    for (const tree of this.trees) tree.clear();
    this.stage.draw();
  }
}
