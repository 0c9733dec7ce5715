// Writes a robot of a given size: a tree of links, each with a collision mesh and a visual mesh of its own.
//   node big_robot.mjs FOLDER [LINKS COLLISION_TRIANGLES VISUAL_TRIANGLES]      (100 200000 1000000, about a PR2)
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const BRANCHES = 5, SIZE = 0.07;

/** A closed body that is not round, as binary STL: rings of a swept outline, with a pole at each end. */
function body(triangles, seed) {
  const around = Math.max(Math.round(Math.sqrt(triangles)), 6), rings = Math.max(Math.round(triangles / (2 * around)), 2);
  const point = (ring, k) => {
    const v = ring / rings, u = (2 * Math.PI * k) / around, wave = 1 + 0.12 * Math.sin(5 * u + seed) * Math.sin(7 * v + 2 * seed);
    const r = SIZE * Math.sin(Math.PI * v) ** 0.6 * wave;
    return [r * Math.cos(u), 0.8 * r * Math.sin(u), 0.02 + 0.16 * v];
  };
  const faces = [];
  for (let ring = 0; ring < rings; ring++)
    for (let k = 0; k < around; k++) {
      const [a, b, c, d] = [[ring, k], [ring, (k + 1) % around], [ring + 1, k], [ring + 1, (k + 1) % around]];
      if (ring > 0) faces.push([a, b, d]);
      if (ring + 1 < rings) faces.push([a, d, c]);
    }
  const buffer = Buffer.alloc(84 + 50 * faces.length);
  buffer.writeUInt32LE(faces.length, 80);
  faces.forEach((face, i) => face.forEach(([ring, k], corner) => {
    // The poles are points.
    const p = ring === 0 ? [0, 0, 0.02] : ring === rings ? [0, 0, 0.18] : point(ring, k);
    p.forEach((x, axis) => buffer.writeFloatLE(x, 84 + 50 * i + 12 + 12 * corner + 4 * axis));
  }));
  return buffer;
}

/** Writes robot.urdf and its meshes; the path of the first. */
export function writeBigRobot(folder, links = 100, collision = 200000, visual = 1000000) {
  mkdirSync(folder, { recursive: true });
  const parts = [];
  for (let i = 0; i < links; i++) {
    for (const [kind, triangles] of [["collision", collision], ["visual", visual]])
      writeFileSync(join(folder, `${kind}${i}.stl`), body(triangles / links, i + (kind === "visual" ? 0.1 : 0)));
    const mesh = (kind) => `<${kind}><geometry><mesh filename="${kind}${i}.stl"/></geometry></${kind}>`;
    parts.push(`<link name="link${i}">${mesh("visual")}${mesh("collision")}</link>`);
    if (i === 0) continue;
    const first = i <= BRANCHES, parent = first ? 0 : i - BRANCHES, turn = (2 * Math.PI * i) / BRANCHES;
    const origin = first ? `xyz="${0.2 * Math.cos(turn)} ${0.2 * Math.sin(turn)} 0.1" rpy="0 0.9 ${turn}"` : 'xyz="0 0 0.21"';
    parts.push(`<joint name="joint${i}" type="revolute"><parent link="link${parent}"/><child link="link${i}"/><origin ${origin}/>` +
               `<axis xyz="${i % 2} ${1 - (i % 2)} 0"/><limit lower="-1.5" upper="1.5" effort="1" velocity="1"/></joint>`);
  }
  const robot = join(folder, "robot.urdf");
  writeFileSync(robot, `<robot name="big">${parts.join("\n")}</robot>\n`);
  return robot;
}

if (process.argv[1] && import.meta.url === pathToFileURL(resolve(process.argv[1])).href) {
  const [folder, ...sizes] = process.argv.slice(2);
  console.log(writeBigRobot(folder, ...sizes.map(Number)));
}
