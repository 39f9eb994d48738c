import { concat, sha256 } from "#lib/sandbox/guest/sha256";

let seed: Uint8Array = new Uint8Array(32);
let blocksDrawn = 0;
const state = new Int32Array(4);

/**
 * Starts the call's randomness from 32 bytes of the host's. Every call begins on the same heap, so the interpreter's
 * own generator would give every call the same numbers.
 */
export function seedRandom(hex: string): void {
  seed = Uint8Array.from({ length: hex.length / 2 }, (_, index) =>
    Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16),
  );
  blocksDrawn = 0;
  const words = new DataView(randomBytes(16).buffer);
  for (let index = 0; index < 4; index += 1) state[index] = words.getInt32(index * 4);
}

/** Unpredictable bytes: SHA-256 of the seed and a counter. */
export function randomBytes(count: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(count);
  for (let offset = 0; offset < count; offset += 32) {
    const counter = new DataView(new ArrayBuffer(8));
    counter.setFloat64(0, blocksDrawn++);
    const block = sha256(concat(seed, new Uint8Array(counter.buffer)));
    bytes.set(block.subarray(0, Math.min(32, count - offset)), offset);
  }
  return bytes;
}

/** The next 32 bits of sfc32: quick, for Math.random. */
function nextWord(): number {
  const [a = 0, b = 0, c = 0, counter = 0] = state;
  const word = (a + b + counter) | 0;
  state[3] = counter + 1;
  state[0] = b ^ (b >>> 9);
  state[1] = c + (c << 3);
  state[2] = ((c << 21) | (c >>> 11)) + word;
  return word >>> 0;
}

/** Uniform in [0, 1), 53 bits. */
export function random(): number {
  return ((nextWord() >>> 5) * 0x4000000 + (nextWord() >>> 6)) / 0x20000000000000;
}
