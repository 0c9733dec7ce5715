// Colours, materials, and what else is drawn with.
import * as THREE from "three";

const DISC = 13; // radius in pixels

export const color = (rgb) => new THREE.Color().setRGB(...rgb.slice(0, 3), THREE.SRGBColorSpace);
/** Of closed shapes only the outside is drawn: half the work. */
export const paint = (base, flat, closed) =>
  new THREE.MeshLambertMaterial({ color: base, flatShading: flat, side: closed ? THREE.FrontSide : THREE.DoubleSide });

/** What is drawn into it has the colours, and so the programs, of the canvas: three.js takes it for a screen. */
export function targetLikeCanvas(width, height, samples) {
  const target = new THREE.WebGLRenderTarget(width, height, { samples, generateMipmaps: false, minFilter: THREE.NearestFilter });
  target.isXRRenderTarget = true;
  Object.assign(target.texture, { colorSpace: THREE.SRGBColorSpace, internalFormat: "RGBA8" });
  return target;
}

/** What draws on a canvas, without the graphics processor: to wait for that would hold the page up longer than to draw. */
export const pen = (canvas) => canvas.getContext("2d", { willReadFrequently: true });

/** A white disc, of which points have the colour. Of numbers: the first canvas that is painted on waits for the graphics process. */
export function disc() {
  const size = 32, pixels = new Uint8Array(4 * size * size).fill(255);
  for (let i = 0; i < size * size; i++) {
    const inside = DISC - Math.hypot((i % size) + 0.5 - size / 2, Math.floor(i / size) + 0.5 - size / 2);
    pixels[4 * i + 3] = 255 * Math.min(Math.max(inside + 0.5, 0), 1);
  }
  return picture(pixels, size);
}
function picture(pixels, size) {
  const texture = new THREE.DataTexture(pixels, size, size);
  texture.minFilter = texture.magFilter = THREE.LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

const spriteOf = (map) => new THREE.Sprite(new THREE.SpriteMaterial({ map, sizeAttenuation: false, depthTest: false, transparent: true }));
/** A sprite as label() makes them, without text. */
export function blankLabel() {
  const map = picture(new Uint8Array(4), 1);
  map.colorSpace = THREE.SRGBColorSpace;
  return spriteOf(map);
}

/** Text that faces the camera, of the same size from everywhere. */
export function label(text) {
  const canvas = document.createElement("canvas"), context = pen(canvas);
  [canvas.width, canvas.height] = [160, 40];
  context.font = "600 26px system-ui, sans-serif";
  const width = Math.min(context.measureText(text).width + 16, 160);
  context.fillStyle = "#fffffff0";
  context.fillRect((160 - width) / 2, 2, width, 36);
  Object.assign(context, { fillStyle: "#0d4f28", textAlign: "center", textBaseline: "middle" });
  context.fillText(text, 80, 21);
  const map = new THREE.Texture(context.getImageData(0, 0, 160, 40)); // what another thread draws with is no canvas
  map.needsUpdate = true;
  map.colorSpace = THREE.SRGBColorSpace;
  const sprite = spriteOf(map);
  sprite.scale.set(0.068, 0.017, 1);
  sprite.center.set(0.5, -0.3);
  sprite.renderOrder = 12;
  return sprite;
}
