// Makes the page of `graze view`, one HTML file without a scene:
//   node build_page.mjs NPM_FOLDER WASM PAGE
// The command puts a scene where the mark <!--graze-scene--> is.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateSync } from "node:zlib";

const [npm, wasm, page] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url)), packages = resolve(npm, "node_modules");
const esbuild = createRequire(join(packages, "index.js"))("esbuild");

const text = (path) => readFileSync(path, "utf8");

const beside = { name: "three.js beside", setup(build) {
  build.onResolve({ filter: /^three$/ }, () => ({ path: "graze:three", external: true }));
} };

/** In one script; `format`: "esm", or "iife" for workers, which browsers start as modules from no file on disk. three.js is beside. */
async function bundle(entry, format, define = {}) {
  const built = await esbuild.build({
    entryPoints: [join(here, entry)], bundle: true, minify: true, write: false, format, target: "es2022", nodePaths: [packages],
    legalComments: "inline", external: ["node:*"], plugins: [beside],
    define: { ...(format === "iife" && { "import.meta.url": "undefined" }), ...define } });
  return built.outputFiles[0].text;
}

const ELEMENT_BYTES = 147456; // as in src/cli/view/scene_page.c
/** A block of the page, as graze view writes those of a scene. */
function block(name, bytes) {
  const packed = deflateSync(bytes, { level: 9 }), elements = [];
  for (let at = 0; at < packed.length; at += ELEMENT_BYTES)
    elements.push(`<script type="application/octet-stream" class="graze-${name}">${packed.subarray(at, at + ELEMENT_BYTES).toString("base64")}</script>`);
  return elements.join("\n");
}

const workers = { BLOCK_WORKER: JSON.stringify(await bundle("page/block_worker.js", "iife")),
                  DRAWING_WORKER: JSON.stringify(await bundle("page/drawing_worker.js", "iife")) };
const three = join(packages, "three/build");
const values = {
  style: text(join(here, "page/style.css")),
  // Nothing in it may end the element that it stands in.
  start: (await bundle("page/start.js", "iife", workers)).replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--"),
};
const blocks = [
  block("three-core", text(join(three, "three.core.min.js"))),
  block("three", text(join(three, "three.module.min.js")).replaceAll("./three.core.min.js", "graze:three-core")),
  block("script", await bundle("page/main.js", "esm")),
  block("wasm", readFileSync(wasm)),
  block("mesh-worker", await bundle("page/mesh_worker.js", "iife")),
  block("worker", await bundle("worker.js", "iife")),
];
const html = text(join(here, "page/view.html")).replace("<!--graze-blocks-->", blocks.join("\n"))
  .replace(/\/\*graze:(\w+)\*\//g, (mark, name) => values[name]);
// The mark of UTF-8 saves browsers a long look at what the encoding of a file may be.
writeFileSync(page, `\uFEFF${html}`);
