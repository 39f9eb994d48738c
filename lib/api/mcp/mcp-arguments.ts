import type { Tool } from "@modelcontextprotocol/server";
import type { JsonObject } from "#lib/contract/json-schema";
import { assertJsonBounds } from "#lib/core/input/assert-json-bounds";
import { parseMarkingDigits } from "#lib/support/exact-json";
import { isJsonObject } from "#lib/support/json";

interface Schema {
  type?: unknown;
  properties?: Record<string, unknown>;
  items?: unknown;
}

/**
 * Returns the arguments with every nested object or array that arrived as JSON text parsed: models often write
 * `"input": "{\"name\": \"Ada\"}"` (decisions, Actions). Any other text stays as it is, and the operation validates it.
 * @throws ApiError BAD_REQUEST or PAYLOAD_TOO_LARGE if a text is nested too deeply or contains too many values
 */
export function decodeArguments(schema: Tool["inputSchema"], args: JsonObject): JsonObject {
  return decodeFields(schema, args);
}

function decodeFields({ properties = {} }: Schema, given: JsonObject): JsonObject {
  const decoded = { ...given };
  for (const [name, property] of Object.entries(properties)) {
    if (Object.hasOwn(given, name)) decoded[name] = decodeValue(property as Schema, given[name], name);
  }
  return decoded;
}

/** Reads the value of an argument, and the items of a list whose schema says what they contain. */
function decodeValue({ type, items }: Schema, given: unknown, name: string): unknown {
  const isNested = type === "object" || type === "array";
  const value = isNested && typeof given === "string" ? (parseAs(type, given, name) ?? given) : given;
  const item = items as Schema | undefined;
  if (!item?.properties || !Array.isArray(value)) return value;
  return value.map((one) => {
    const read = decodeValue({ type: item.type }, one, name);
    return isJsonObject(read) ? decodeFields(item, read) : read;
  });
}

function parseAs(type: "object" | "array", text: string, name: string): object | null {
  assertJsonBounds(text, name);
  let value: unknown;
  try {
    value = parseMarkingDigits(text);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  return Array.isArray(value) === (type === "array") ? value : null;
}
