// Starts the page: its script comes in pieces, each compiled for itself, so that none holds the page up.
import { readScript } from "./blocks.js";

async function start() {
  const imports = {};
  for (const name of ["three-core", "three"]) imports[`graze:${name}`] = await readScript(name);
  const map = document.createElement("script");
  map.type = "importmap";
  map.textContent = JSON.stringify({ imports });
  document.head.append(map);
  for (const name in imports) await import(imports[name]);
  await import(await readScript("script"));
}

start().catch((error) => {
  document.getElementById("sentence").textContent = "the page could not start";
  const message = document.getElementById("message");
  message.textContent = error.message;
  message.hidden = false;
});
