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

/** In one script; `format`: "esm", or "iife" for workers, which browsers start as modules from no file on disk. */
async function bundle(entry, format) {
  const built = await esbuild.build({ entryPoints: [join(here, entry)], bundle: true, minify: true, write: false, format,
                                      target: "es2022", nodePaths: [packages], legalComments: "inline", external: ["node:*"],
                                      define: format === "iife" ? { "import.meta.url": "undefined" } : {} });
  // Nothing in it may end the element that it stands in.
  return built.outputFiles[0].text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
}

const values = {
  style: readFileSync(join(here, "page/style.css"), "utf8"),
  wasm: deflateSync(readFileSync(wasm), { level: 9 }).toString("base64"),
  worker: await bundle("worker.js", "iife"),
  script: await bundle("page/main.js", "esm"),
};
const html = readFileSync(join(here, "page/view.html"), "utf8")
  .replace(/\/\*graze:(\w+)\*\//g, (mark, name) => values[name]);
writeFileSync(page, html);
