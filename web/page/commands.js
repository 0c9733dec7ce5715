// Calls of WebGL, as numbers for another thread: of each the method, the number under which its result is kept, and the arguments, each behind
// its kind. What is no number and no short list of them stands beside.

const NUMBER = 0, KEPT = 1, BESIDE = 2, FLOATS = 3, SHORT = 64;

/** What stands for a result of a method, as long as only the other thread has it. */
export class Kept {
  constructor(number) { this.number = number; }
}

/** Notes calls; lists are copied at once, for whoever calls may use them again. */
export class Commands {
  #numbers = new Float64Array(1 << 12);
  #used = 0;
  #beside = [];

  /** @param result the number under which the result is kept; 0: there is none */
  add(method, result, args) {
    while (this.#used + 3 + args.length * (2 + SHORT) > this.#numbers.length) this.#grow();
    for (const number of [method, result, args.length]) this.#numbers[this.#used++] = number;
    for (const value of args) this.#addValue(value);
  }
  #grow() {
    const numbers = new Float64Array(2 * this.#numbers.length);
    numbers.set(this.#numbers);
    this.#numbers = numbers;
  }
  #put(kind, number) {
    this.#numbers[this.#used++] = kind;
    this.#numbers[this.#used++] = number;
  }
  #addValue(value) {
    if (typeof value === "number" || typeof value === "boolean") return this.#put(NUMBER, value);
    if (value === null) return this.#put(KEPT, 0);
    if (value instanceof Kept) return this.#put(KEPT, value.number);
    if (value instanceof Float32Array && value.length <= SHORT) {
      this.#put(FLOATS, value.length);
      this.#numbers.set(value, this.#used);
      this.#used += value.length;
      return;
    }
    this.#put(BESIDE, this.#beside.length);
    this.#beside.push(ArrayBuffer.isView(value) ? value.slice() : value);
  }
  /** What has been noted since the last time, as a message, and what of it moves to the other thread; null: nothing. */
  take() {
    if (!this.#used) return null;
    const message = { numbers: this.#numbers.slice(0, this.#used), beside: this.#beside };
    this.#used = 0;
    this.#beside = [];
    return { message, moved: [message.numbers, ...message.beside.filter(ArrayBuffer.isView)].map((list) => list.buffer) };
  }
}

const lists = new Map(); // of floats, by their length: a method reads one before the next call
function floats(numbers, at, length) {
  if (!lists.has(length)) lists.set(length, new Float32Array(length));
  const list = lists.get(length);
  for (let i = 0; i < length; i++) list[i] = numbers[at + i];
  return list;
}

/** Does the calls of a message.
 *  @param kept results, by their numbers; 0: null
 *  @param call takes a method, the number of its result, and arguments */
export function replay({ numbers, beside }, kept, call) {
  for (let at = 0; at < numbers.length; ) {
    const method = numbers[at++], result = numbers[at++], args = new Array(numbers[at++]);
    for (let i = 0; i < args.length; i++) {
      const kind = numbers[at++], number = numbers[at++];
      if (kind === FLOATS) {
        args[i] = floats(numbers, at, number);
        at += number;
      } else args[i] = kind === NUMBER ? number : kind === KEPT ? kept.get(number) : beside[number];
    }
    call(method, result, args);
  }
}
