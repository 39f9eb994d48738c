import { concat, sha256 } from "#lib/platform/sandbox/guest/sha256";

/** The bytes of the seed for Math.random; the rest is for secrets, and never shows in a number. */
const STATE_BYTES = 16;

let seedHex = "";
let blocksDrawn = 0;
let state: Int32Array | null = null;

/**
 * Seeds the call's randomness with 48 bytes from the host, read when they are needed. Every call starts on the same
 * heap, so the interpreter's own generator would return the same numbers in every call.
 */
export function seedRandom(hex: string): void {
  seedHex = hex;
  blocksDrawn = 0;
  state = null;
}

function seedBytes(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(seedHex.length / 2);
  for (let index = 0; index < bytes.length; index += 1) {
    bytes[index] = Number.parseInt(seedHex.slice(index * 2, index * 2 + 2), 16);
  }
  return bytes;
}

/** Returns unpredictable bytes: SHA-256 of the seed and a counter. */
export function randomBytes(count: number): Uint8Array<ArrayBuffer> {
  const secret = seedBytes().subarray(STATE_BYTES);
  const bytes = new Uint8Array(count);
  for (let offset = 0; offset < count; offset += 32) {
    const counter = new DataView(new ArrayBuffer(8));
    counter.setFloat64(0, blocksDrawn++);
    const block = sha256(concat(secret, new Uint8Array(counter.buffer)));
    bytes.set(block.subarray(0, Math.min(32, count - offset)), offset);
  }
  return bytes;
}

/** Returns the next 32 bits of sfc32: fast, for Math.random. */
function nextWord(words: Int32Array): number {
  const [a = 0, b = 0, c = 0, counter = 0] = words;
  const word = (a + b + counter) | 0;
  words[3] = counter + 1;
  words[0] = b ^ (b >>> 9);
  words[1] = c + (c << 3);
  words[2] = ((c << 21) | (c >>> 11)) + word;
  return word >>> 0;
}

/** Returns a number that is uniform in [0, 1), with 53 bits. */
export function random(): number {
  state ??= new Int32Array(seedBytes().buffer, 0, STATE_BYTES / 4);
  return ((nextWord(state) >>> 5) * 0x4000000 + (nextWord(state) >>> 6)) / 0x20000000000000;
}
