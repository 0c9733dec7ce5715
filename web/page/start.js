// Starts the page: its script comes in pieces, each compiled for itself, so that none holds the page up.
import { readScript } from "./blocks.js";

async function start() {
  const core = await readScript("three-core");
  const three = await readScript("three", (text) => text.replaceAll("./three.core.min.js", core));
  await import(core);
  await import(three);
  await import(await readScript("script", (text) => text.replaceAll("graze:three", three)));
}

start().catch((error) => {
  document.getElementById("sentence").textContent = "the page could not start";
  const message = document.getElementById("message");
  message.textContent = error.message;
  message.hidden = false;
});
