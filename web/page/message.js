// Elements of the page, and the line in which it speaks.

export const element = (id) => document.getElementById(id);

export function say(text, seconds = 6) {
  const message = element("message");
  message.textContent = text;
  message.hidden = false;
  clearTimeout(say.timer);
  if (seconds) say.timer = setTimeout(() => { message.hidden = true; }, 1000 * seconds);
}
