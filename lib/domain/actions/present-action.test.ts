import { expect, test } from "vitest";
import { type InputSchema, PROPERTY_TYPES, type PropertySchema } from "#lib/contract/wire/json-schema";
import { validateInput } from "#lib/core/input/validate-input";
import { exampleInputs } from "#lib/domain/actions/present-action";

function schema(properties: Record<string, PropertySchema>, required: string[]): InputSchema {
  return { type: "object", properties, required };
}

const every = Object.fromEntries(PROPERTY_TYPES.map((type) => [`a_${type}`, { type }]));
const lists = Object.fromEntries(
  PROPERTY_TYPES.map((type) => [`of_${type}`, { type: "array" as const, items: { type } }]),
);

test.each([
  ["every type", schema(every, Object.keys(every))],
  ["lists of every type", schema(lists, ["of_string"])],
  [
    "words to choose from",
    schema({ size: { type: "string", enum: ["S", "M"] }, n: { type: "integer", enum: [3] } }, ["n"]),
  ],
  ["defaults", schema({ n: { type: "number", default: 0.5 }, flag: { type: "boolean", default: false } }, [])],
  ["no fields", schema({}, [])],
])("examples of a schema with %s satisfy it", (_, input) => {
  const examples = exampleInputs(input);
  expect(examples.length).toBeGreaterThan(0);
  expect(examples.length).toBeLessThanOrEqual(3);
  for (const example of examples) expect(validateInput(input, example)).toEqual([]);
});

test("a second example leaves out the optional fields, if there are any", () => {
  const two = schema({ name: { type: "string" }, size: { type: "string", enum: ["S"] } }, ["name"]);
  expect(exampleInputs(two)).toEqual([{ name: "text", size: "S" }, { name: "text" }]);
  expect(exampleInputs(schema({ name: { type: "string" } }, ["name"]))).toEqual([{ name: "text" }]);
});
