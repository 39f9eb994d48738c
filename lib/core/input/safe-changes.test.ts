import { expect, test } from "vitest";
import type { InputSchema, JsonObject, PropertySchema } from "#lib/contract/wire/json-schema";
import { schemaChanges } from "#lib/core/graph/compare/schema-changes";
import { validateInput } from "#lib/core/input/validate-input";
import { fitsType } from "#lib/support/json";
import { seededRandom } from "#lib/support/seeded-random.fixture";

const random = seededRandom(42);
const VALUES = ["s", "m", "", 0, 1, 1.5, true, false, {}, { a: 1 }, [], ["s"], [1], null] as const;

function anyProperty(): PropertySchema {
  const type = random.pick(["string", "number", "integer", "boolean", "object", "array"] as const);
  const fitting = VALUES.filter((value) => fitsType(type, value));
  return {
    type,
    ...(random.next() < 0.3 ? { enum: fitting.slice(random.below(fitting.length)) } : {}),
    ...(type === "array" && random.next() < 0.5 ? { items: { type: random.pick(["string", "integer"]) } } : {}),
  };
}

function anySchema(): InputSchema {
  const names = ["a", "b", "c"].filter(() => random.next() < 0.7);
  return {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, anyProperty()])),
    required: names.filter(() => random.next() < 0.4),
  };
}

/** Returns the schema with a small random change. */
function changed(schema: InputSchema): InputSchema {
  const next = structuredClone(schema);
  for (const name of ["a", "b", "c"]) {
    const draw = random.next();
    if (draw < 0.15) next.properties[name] = anyProperty();
    else if (draw < 0.2) delete next.properties[name];
    else if (draw < 0.3 && next.properties[name]?.enum) next.properties[name].enum?.push("new");
    else if (draw < 0.4) delete next.properties[name]?.enum;
    else if (draw < 0.5) delete next.properties[name]?.items;
  }
  next.required = Object.keys(next.properties).filter((name) =>
    schema.required.includes(name) ? random.next() < 0.8 : random.next() < 0.05,
  );
  return next;
}

test("a change that is not reported as breaking rejects no call that was accepted before", () => {
  let safe = 0;
  let calls = 0;
  for (let round = 0; round < 400; round += 1) {
    const before = anySchema();
    const after = changed(before);
    if (schemaChanges(before, after).some((change) => change.breaking)) continue;
    safe += 1;
    for (let call = 0; call < 20; call += 1) {
      // Checks declared fields only: an undeclared field that a caller sent may have another type than a new field of
      // that name.
      const fields = Object.keys(before.properties).filter(() => random.next() < 0.8);
      const input: JsonObject = Object.fromEntries(fields.map((name) => [name, random.pick(VALUES)]));
      if (validateInput(before, input).length > 0) continue;
      calls += 1;
      expect(validateInput(after, input)).toEqual([]);
    }
  }
  expect(safe).toBeGreaterThan(50);
  expect(calls).toBeGreaterThan(200);
});
