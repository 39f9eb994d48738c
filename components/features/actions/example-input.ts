import type { ActionDetailObject } from "#lib/contract/action";
import type { JsonObject, PropertySchema } from "#lib/contract/json-schema";

/** Returns an input that fits the schema: the server's first example, or one built from the required fields. */
export function exampleInput(action: Pick<ActionDetailObject, "examples" | "inputSchema">): JsonObject {
  const given = action.examples[0];
  if (given !== undefined) return given;
  const { properties, required } = action.inputSchema;
  return Object.fromEntries(
    required.flatMap((name) => {
      const property = properties[name];
      return property === undefined ? [] : [[name, exampleValue(property)]];
    }),
  );
}

function exampleValue(property: PropertySchema): unknown {
  if (property.default !== undefined) return property.default;
  if (property.enum && property.enum.length > 0) return property.enum[0];
  switch (property.type) {
    case "string":
      return "text";
    case "number":
    case "integer":
      return 1;
    case "boolean":
      return true;
    case "object":
      return {};
    case "array":
      return [];
  }
}
