const { port1, port2 } = new MessageChannel(), going = [];
port1.onmessage = () => going.shift()();

/** Gives way to what else the page has to do. */
export function pause() {
  return new Promise((go) => {
    going.push(go);
    port2.postMessage(null);
  });
}
