// Makes docs/pictures/view.png, the page of graze view as a browser shows it:
//   node tools/make_view_picture.mjs BUILD_FOLDER        (a build with -DGRAZE_BUILD_WEB=ON; needs chromium)
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const build = resolve(process.argv[2]), root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const { chromium } = createRequire(join(build, "web/npm/index.js"))("playwright-core");
const folder = mkdtempSync(join(tmpdir(), "graze-picture-")), page = join(folder, "scene.html");
try {
  execFileSync(join(build, "graze"), ["view", join(root, "urdf/heron.urdf"), "--srdf", join(root, "urdf/heron.srdf"), "--world",
                                      join(root, "worlds/shelf.json"), "-q",
                                      "shoulder_lift_joint=0.4,elbow_flex_joint=0.2,torso_lift_joint=0.1", "-o", page]);
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: [
    "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] });
  const tab = await browser.newPage({ viewport: { width: 1100, height: 688 } });
  await tab.goto(pathToFileURL(page).href);
  await tab.waitForFunction(() => globalThis.graze);
  await tab.waitForTimeout(3000); // all edges are smooth once it stands still
  await tab.screenshot({ path: join(root, "docs/pictures/view.png") });
  await browser.close();
} finally {
  rmSync(folder, { recursive: true });
}
