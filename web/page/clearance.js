// Distances: as they are written, and along a path.

/** Rounded down: so far apart they are, as is proved. */
export const millimetres = (distance) => `${(Math.floor(distance * 1e4) / 10).toFixed(1)} mm`;

const PAIRS = 16, STILL = 1e-6;

/** Lower bounds of the distance at places {q, base}, of the pairs that come nearer or go away: fingers that keep a gap, wheels
 *  over the floor would hide all else. Null where no pair does. `scene`: one in a worker. */
export async function clearances(scene, places) {
  const found = [], seen = new Map();
  for (const { q, base } of places) {
    const { pairs } = await scene.nearest(q, { base, count: PAIRS });
    found.push(pairs);
    for (const p of pairs) {
      const key = [p.kind, p.link, p.other].join(), range = seen.get(key) ?? { low: Infinity, high: -Infinity, count: 0 };
      seen.set(key, { low: Math.min(range.low, p.lower), high: Math.max(range.high, p.lower), count: range.count + 1 });
    }
  }
  const still = (p) => {
    const { low, high, count } = seen.get([p.kind, p.link, p.other].join());
    return count === places.length && high - low < STILL;
  };
  if (found.every((pairs) => pairs.every(still))) return null;
  // Where all that is listed stays as it is, nothing else is nearer than the last.
  return found.map((pairs) => (pairs.find((p) => !still(p)) ?? pairs.at(-1) ?? { lower: 0 }).lower);
}
