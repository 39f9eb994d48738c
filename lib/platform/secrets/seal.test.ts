import { expect, test } from "vitest";
import { env } from "#lib/platform/config/env";
import { parseEncryptionKeys, seal, unseal } from "#lib/platform/secrets/seal";

// env() also reads DATABASE_URL, which sealing never opens.
process.env.DATABASE_URL ??= "postgres://localhost/none";

const ONE = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b";
const OTHER = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5c";
const CONTEXT = "output|run|node|";

test("a sealed value opens byte for byte", () => {
  for (const value of [null, "", "тайна 😀", 0, false, [], { a: [1, { b: "x" }] }, "x".repeat(1_000_000)]) {
    expect(unseal(ONE, CONTEXT, seal(ONE, CONTEXT, value))).toEqual(value);
  }
  expect(() => seal(ONE, CONTEXT, undefined)).toThrow("Only a JSON value");
});

test("the same value is never sealed to the same bytes, and none of it is readable", () => {
  const sealed = seal(ONE, CONTEXT, { token: "hunter2" });
  expect(sealed.equals(seal(ONE, CONTEXT, { token: "hunter2" }))).toBe(false);
  expect(sealed.includes("hunter2")).toBe(false);
});

test("the sealed value starts with the key's id, so that keys can be rotated", () => {
  const sealed = seal(ONE, CONTEXT, 1);
  const [id = ""] = env().ENCRYPTION_KEYS.split(":");
  expect([...sealed.subarray(0, 2)]).toEqual([1, id.length]);
  expect(sealed.toString("latin1", 2, 2 + id.length)).toBe(id);
});

test("a sealed value does not open for another workspace or context", () => {
  const sealed = seal(ONE, CONTEXT, { a: 1 });
  expect(() => unseal(OTHER, CONTEXT, sealed)).toThrow("does not open");
  expect(() => unseal(ONE, "output|run|node|0", sealed)).toThrow("does not open");
});

test("a changed, truncated or foreign value is refused with a clear error", () => {
  const sealed = seal(ONE, CONTEXT, { a: 1 });
  for (let index = 0; index < sealed.length; index += 1) {
    const changed = Buffer.from(sealed);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(() => unseal(ONE, CONTEXT, changed)).toThrow(/does not open|is not sealed|does not hold/);
    expect(() => unseal(ONE, CONTEXT, sealed.subarray(0, index))).toThrow(/does not open|is not sealed|does not hold/);
  }
});

test("a removed key is named in the error", () => {
  const sealed = seal(ONE, CONTEXT, 1);
  sealed.write("zz", 2, "latin1");
  expect(() => unseal(ONE, CONTEXT, sealed)).toThrow('Sealed with the key "zz", which ENCRYPTION_KEYS does not hold.');
});

test("the first of several keys encrypts and all of them decrypt", () => {
  const key = (byte: number) => Buffer.alloc(32, byte).toString("base64");
  const keys = parseEncryptionKeys(`new:${key(1)}, old:${key(2)}`);
  expect(keys.currentId).toBe("new");
  expect(keys.masters.get("old")).toEqual(Buffer.alloc(32, 2));
});

test("an invalid key is reported by its position, never by its content", () => {
  const secret = Buffer.alloc(32, 3).toString("base64");
  for (const text of [
    "",
    "nokey",
    `a:${secret}x`,
    "a:c2hvcnQ=",
    `a b:${secret}`,
    `a:${secret},`,
    `a:${secret},a:${secret}`,
  ]) {
    expect(() => parseEncryptionKeys(text)).toThrow(/^ENCRYPTION_KEYS: /);
    try {
      parseEncryptionKeys(text);
    } catch (error) {
      expect(String(error)).not.toContain(secret);
    }
  }
});
