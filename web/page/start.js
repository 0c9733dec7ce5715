// Starts the page: its script comes in pieces, each compiled for itself, so that none holds the page up.
import { readBlocks } from "./blocks.js";
import { makeContext } from "./context.js";

async function start() {
  const context = makeContext(document.getElementById("canvas")), blocks = await readBlocks();
  context.catch(() => {}); // who waits for it gets the error
  await import(await blocks.threeCore); // it needs no other
  const imports = { "graze:three-core": await blocks.threeCore, "graze:three": await blocks.three };
  const map = document.createElement("script");
  map.type = "importmap";
  map.textContent = JSON.stringify({ imports });
  document.head.append(map);
  await import(imports["graze:three"]);
  const { begin } = await import(await blocks.script);
  await begin(blocks, context);
}

start().catch((error) => {
  document.getElementById("sentence").textContent = "the page could not start";
  const message = document.getElementById("message");
  message.textContent = error.message;
  message.hidden = false;
});
