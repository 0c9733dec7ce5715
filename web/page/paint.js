// Colours, materials, and what else is drawn with.
import * as THREE from "three";

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

/** A white disc with a dark rim, of which points have the colour inside. */
export function disc() {
  const canvas = document.createElement("canvas"), context = pen(canvas);
  canvas.width = canvas.height = 32;
  context.beginPath();
  context.arc(16, 16, 13, 0, 2 * Math.PI);
  context.fillStyle = "#fff";
  context.fill();
  return new THREE.CanvasTexture(canvas);
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
  const map = new THREE.CanvasTexture(canvas);
  map.colorSpace = THREE.SRGBColorSpace;
  const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ map, sizeAttenuation: false, depthTest: false, transparent: true }));
  sprite.scale.set(0.068, 0.017, 1);
  sprite.center.set(0.5, -0.3);
  sprite.renderOrder = 12;
  return sprite;
}
