// Compiles types.ts against the package with TypeScript: node types_check.mjs NPM_FOLDER PACKAGE_FOLDER
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const [npm, graze] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "graze-types-"));
try {
  mkdirSync(join(folder, "node_modules"));
  cpSync(graze, join(folder, "node_modules/graze"), { recursive: true });
  cpSync(join(dirname(fileURLToPath(import.meta.url)), "types.ts"), join(folder, "types.ts"));
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  execFileSync(process.execPath, [join(npm, "node_modules/typescript/bin/tsc"), "--noEmit", "--strict", "--module", "nodenext",
                                  "--target", "es2022", "--lib", "es2022,dom", "types.ts"], { cwd: folder, stdio: "inherit" });
} finally {
  rmSync(folder, { recursive: true });
}
