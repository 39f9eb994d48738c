import type { InputSchema, JsonObject } from "#lib/contract/json-schema";
import { exampleObject } from "#lib/core/input/example-value";
import { currentSchema } from "#lib/core/input/input-aliases";
import { validateInput } from "#lib/core/input/validate-input";

/**
 * Derives inputs that satisfy the schema (decisions, Actions): one with every field, and one with only
 * the required fields if that differs. An input that would not match a pattern is left out.
 */
export function exampleInputs(published: InputSchema): JsonObject[] {
  const schema = currentSchema(published);
  const names = Object.keys(schema.properties);
  const required = names.filter((name) => schema.required.includes(name));
  const lists = required.length === names.length ? [names] : [names, required];
  return lists
    .map((list) => exampleObject(schema.properties, list))
    .filter((example) => validateInput(schema, example).length === 0);
}
