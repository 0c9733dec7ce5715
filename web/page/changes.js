// What has changed in the world since the page was made: calls of a scene, the method and its arguments, of which the second is the
// object's name. Carried out in this order they make the world that is there.

export const METHODS = ["moveObject", "addObject", "removeObject", "scaleObject"];
const CHANGES_MAX = 1000, POSE_AT = { moveObject: 2, addObject: 3 };

export class WorldChanges {
  list = [];
  /** Adds one; what it makes void goes. */
  add(method, name, ...args) {
    const { list } = this, at = list.findLastIndex((c) => c[1] === name), last = list[at];
    if (method === "moveObject" && POSE_AT[last?.[0]]) list[at] = last.with(POSE_AT[last[0]], args[0]);
    else if (method === "removeObject") {
      const added = list.find((c) => c[1] === name)?.[0] === "addObject";
      this.list = list.filter((c) => c[1] !== name);
      if (!added) this.list.push([method, name]);
    } else list.push([method, name, ...args]);
  }
  toText() { return JSON.stringify(this.list, (key, value) => (ArrayBuffer.isView(value) ? [...value] : value)); }
}

/** The changes that a text lists. Whether a scene takes them is another question. */
export function changesFrom(text) {
  let list;
  try {
    list = JSON.parse(text);
  } catch {
    throw new Error("world is no list of changes");
  }
  if (!Array.isArray(list) || list.length > CHANGES_MAX) throw new Error(`world is no list of at most ${CHANGES_MAX} changes`);
  for (const change of list)
    if (!Array.isArray(change) || !METHODS.includes(change[0]) || typeof change[1] !== "string")
      throw new Error(`world has '${JSON.stringify(change)}'; allowed: ${METHODS.join(", ")} of an object's name`);
  return list;
}
