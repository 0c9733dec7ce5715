const { port1, port2 } = new MessageChannel(), going = [];
let begun = performance.now(); // the task that runs, or an earlier one
port1.onmessage = () => {
  begun = performance.now();
  going.shift()();
};

const TASK_MS = 4;

/** Gives way to what else the page has to do. */
export function pause() {
  return new Promise((go) => {
    going.push(go);
    port2.postMessage(null);
  });
}
/** Gives way where the task has lasted for some time. */
export const pauseAfterLong = () => (performance.now() - begun > TASK_MS ? pause() : undefined);

/** Waits until the browser has brought the page to the screen as it is now. */
export const frame = () => new Promise((go) => requestAnimationFrame(() => setTimeout(go, 0)));
