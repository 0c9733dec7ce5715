// The world as a file of graze (docs/worlds.md), as it is now.
import * as THREE from "three";

// Files that hold more than one mesh, or that the meshes of a world are written in: no name of a mesh to load again.
const NO_MESH = /\.(scene|ya?ml|json|urdf)$/i;

/** Position and quaternion of a row-major 3x4 pose. */
function placeOf(m) {
  const matrix = new THREE.Matrix4().set(...m, 0, 0, 0, 1);
  const q = new THREE.Quaternion().setFromRotationMatrix(matrix);
  const turned = m[0] !== 1 || m[5] !== 1 || m[10] !== 1;
  return { position: [m[3], m[7], m[11]], ...(turned && { quaternion: [q.x, q.y, q.z, q.w] }) };
}

const FORMS = {
  box: (g) => ({ size: g.size }),
  sphere: (g) => ({ radius: g.radius }),
  cylinder: (g) => ({ radius: g.radius, length: g.length }),
  capsule: (g) => ({ radius: g.radius, length: g.length }),
  cone: (g) => ({ radius: g.radius, length: g.length }),
  halfspace: () => ({}),
  plane: () => ({}),
  mesh: (g) => ({ file: g.uri, scale: g.scale }),
  points: (g) => ({ file: g.uri, scale: g.scale, radius: g.radius }),
};

/** The text of a world file. Throws where an object has no file of its own that a world file could name. */
export function worldText(engine, name) {
  const geometries = engine.geometries("object");
  const lost = geometries.filter((g) => (g.shape === "mesh" || g.shape === "points") && (!g.uri || NO_MESH.test(g.uri)));
  if (lost.length)
    throw new Error(`the world cannot be saved: ${lost.map((g) => g.name).join(", ")} stands in no mesh file of its own`);
  const shapeOf = (g) => ({ shape: g.shape, ...FORMS[g.shape](g), ...placeOf(g.origin) });
  const objects = geometries.filter((g) => g.element === 0).map(({ name }) => {
    const shapes = geometries.filter((g) => g.name === name).map(shapeOf);
    return shapes.length === 1 ? { name, ...shapes[0] } : { name, shapes };
  });
  const boundary = engine.boundary();
  const lines = objects.map((object) => `  ${JSON.stringify(object)}`).join(",\n");
  return `{\n "format": "graze-world-1",\n "name": ${JSON.stringify(name)},\n`
    + (boundary ? ` "boundary": ${JSON.stringify(boundary)},\n` : "") + ` "objects": [\n${lines}\n ]\n}\n`;
}

/** Has the browser keep a text as a file. */
export function saveText(text, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
