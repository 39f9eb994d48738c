import { createHash, createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { atob as guestAtob, btoa as guestBtoa } from "#lib/platform/sandbox/guest/base64";
import { crypto as guestCrypto } from "#lib/platform/sandbox/guest/crypto";
import { random, randomBytes, seedRandom } from "#lib/platform/sandbox/guest/random";
import { structuredClone as guestClone } from "#lib/platform/sandbox/guest/structured-clone";
import { TextDecoder as GuestDecoder, TextEncoder as GuestEncoder } from "#lib/platform/sandbox/guest/text-encoding";
import { seededRandom } from "#lib/support/seeded-random.fixture";

/** Compares the library of user code with the platform's, which the sandbox does not have. */
const draw = seededRandom(20_261_121);
const bytesOf = (length: number) => Uint8Array.from({ length }, () => draw.below(256));
const LENGTHS = Array.from({ length: 200 }, (_, length) => length);

describe("digests equal the platform's", () => {
  test("sha256 of every length over several blocks", () => {
    for (const length of LENGTHS) {
      const bytes = bytesOf(length);
      for (const form of ["hex", "base64", "base64url"] as const) {
        expect(guestCrypto.createHash("sha256").update(bytes).digest(form)).toBe(
          createHash("sha256").update(bytes).digest(form),
        );
      }
    }
  });

  test("hmac with keys shorter and longer than a block", () => {
    for (const length of LENGTHS) {
      const [key, message] = [bytesOf(length), bytesOf(length * 2)];
      expect(guestCrypto.createHmac("SHA256", key).update(message).digest("hex")).toBe(
        createHmac("sha256", key).update(message).digest("hex"),
      );
    }
  });

  test("text is UTF-8, updates are concatenated, and digest() without an encoding returns bytes", () => {
    const hash = guestCrypto.createHash("sha-256").update("Grü").update("ße 😀");
    expect([...hash.digest()]).toEqual([...createHash("sha256").update("Grüße 😀").digest()]);
  });

  test("other algorithms and encodings are refused by name", () => {
    expect(() => guestCrypto.createHash("md5")).toThrow('"md5" is not available; "sha256" is');
    expect(() => guestCrypto.createHash("sha256").digest("latin1" as "hex")).toThrow('not "latin1"');
    expect(() => guestCrypto.createHash("sha256").update(1 as unknown as string)).toThrow("a string or a Uint8Array");
  });
});

describe("text and bytes", () => {
  test("UTF-8 is encoded and decoded as the platform does it, broken or not", () => {
    for (const length of LENGTHS) {
      const bytes = bytesOf(length).map((byte) => (draw.below(2) === 0 ? byte | 0x80 : byte));
      expect(new GuestDecoder().decode(bytes)).toBe(new TextDecoder().decode(bytes));
      const text = String.fromCodePoint(...Array.from({ length }, () => draw.below(0x110000)));
      expect([...new GuestEncoder().encode(text)]).toEqual([...new TextEncoder().encode(text)]);
    }
  });

  test("byte order marks and options follow the standard", () => {
    const marked = new Uint8Array([0xef, 0xbb, 0xbf, 0x61]);
    expect(new GuestDecoder().decode(marked)).toBe("a");
    expect(new GuestDecoder("UTF-8", { ignoreBOM: true }).decode(marked.buffer)).toBe("\ufeffa");
    expect(() => new GuestDecoder("utf8", { fatal: true }).decode(new Uint8Array([0xff]))).toThrow(TypeError);
    expect(() => new GuestDecoder("latin1")).toThrow(RangeError);
  });

  test("base64 works both ways", () => {
    for (const length of LENGTHS) {
      const text = String.fromCharCode(...bytesOf(length));
      expect(guestBtoa(text)).toBe(btoa(text));
      expect(guestAtob(btoa(text))).toBe(text);
      expect(guestAtob(btoa(text).replace(/=+$/, ""))).toBe(text);
    }
    expect(guestAtob(" Y Q = =\n")).toBe("a");
    for (const wrong of ["a", "=", "a===", "YQ=", "Y-Q_", "YQ==="]) {
      expect(() => guestAtob(wrong)).toThrow();
      expect(() => atob(wrong)).toThrow();
    }
    expect(() => guestBtoa("€")).toThrow("U+00FF");
  });
});

describe("randomness", () => {
  test("depends only on the seed", () => {
    const drawAll = (seed: string) => {
      seedRandom(seed);
      return [random(), random(), guestCrypto.randomUUID(), [...randomBytes(40)]];
    };
    const [a, b] = ["11".repeat(48), "12".repeat(32)];
    expect(drawAll(a)).toEqual(drawAll(a));
    expect(drawAll(a)).not.toEqual(drawAll(b));
  });

  test("is spread evenly over the range", () => {
    seedRandom("ab".repeat(48));
    const counts = new Array<number>(16).fill(0);
    for (let call = 0; call < 16_000; call += 1)
      counts[Math.floor(random() * 16)] = (counts[Math.floor(random() * 16)] ?? 0) + 1;
    expect(guestCrypto.randomUUID()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Math.min(...counts)).toBeGreaterThan(800);
    expect(Math.max(...counts)).toBeLessThan(1_200);
  });
});

describe("structuredClone", () => {
  test("keeps what the platform keeps", () => {
    const shared = { a: 1 };
    const value: Record<string, unknown> = {
      date: new Date(5),
      map: new Map<unknown, unknown>([[shared, new Set([1, shared])]]),
      list: [1, "x", null, undefined, 5n],
      pattern: /a+/giu,
      bytes: new Uint16Array([1, 2, 3]).subarray(1),
      view: new DataView(new ArrayBuffer(8), 2, 4),
      boxed: Object("text"),
      error: new RangeError("bad", { cause: shared }),
      shared,
    };
    value.self = value;
    const copy = guestClone(value);
    expect(copy).toEqual(structuredClone(value));
    expect(copy.self).toBe(copy);
    expect(copy.shared).not.toBe(shared);
    expect([...(copy.map as Map<unknown, unknown>).keys()][0]).toBe(copy.shared);
  });

  test.each([[() => 1], [Symbol("x")], [{ f() {} }], [new WeakMap()], [Promise.resolve()]])("refuses %s", (value) => {
    expect(() => guestClone(value)).toThrow(expect.objectContaining({ name: "DataCloneError" }));
  });
});
