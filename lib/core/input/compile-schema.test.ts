import { expect, test } from "vitest";
import type { InputSchema } from "#lib/contract/json-schema";
import { LIMITS } from "#lib/contract/limits";
import { compileSchema } from "#lib/core/input/compile-schema";

const PIECE = 100_000;
const schemaNamed = (name: string): InputSchema => ({
  type: "object",
  properties: { [name]: { type: "string", description: "x".repeat(PIECE) } },
  required: [],
});

test("validators are kept up to a number of bytes of their schemas, and equal schemas share one", () => {
  const first = compileSchema(schemaNamed("first"));
  expect(compileSchema(schemaNamed("first"))).toBe(first);
  for (let index = 0; index * PIECE < LIMITS.schemaCacheBytes; index += 1) compileSchema(schemaNamed(`p${index}`));
  expect(compileSchema(schemaNamed("first"))).not.toBe(first);
});
