import type { Tool } from "@modelcontextprotocol/server";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { assertJsonBounds, repeatedName } from "#lib/core/input/parse-json";
import { findRepeatedName, type PathInJson, parseMarkingDigits } from "#lib/support/exact-json";
import { isJsonObject } from "#lib/support/json";

interface Schema {
  type?: unknown;
  properties?: Record<string, unknown>;
  items?: unknown;
}

/**
 * Returns the arguments with every nested object or array that arrived as JSON text parsed: models often write
 * `"input": "{\"name\": \"Ada\"}"` (decisions, Actions). Any other text stays as it is, and the operation validates it.
 * @throws ApiError BAD_REQUEST or PAYLOAD_TOO_LARGE if a text is nested too deeply, contains too many values, or has a name
 * twice in an object
 */
export function decodeArguments(schema: Tool["inputSchema"], args: JsonObject): JsonObject {
  return decodeFields(schema, args, []);
}

function decodeFields({ properties = {} }: Schema, given: JsonObject, at: PathInJson): JsonObject {
  const decoded = { ...given };
  for (const [name, property] of Object.entries(properties)) {
    if (Object.hasOwn(given, name)) decoded[name] = decodeValue(property as Schema, given[name], [...at, name]);
  }
  return decoded;
}

/** Reads the value of an argument, and the items of a list whose schema says what they contain. */
function decodeValue({ type, items }: Schema, given: unknown, at: PathInJson): unknown {
  const isNested = type === "object" || type === "array";
  const value = isNested && typeof given === "string" ? (parseAs(type, given, at) ?? given) : given;
  const item = items as Schema | undefined;
  if (!item?.properties || !Array.isArray(value)) return value;
  return value.map((one, index) => {
    const read = decodeValue({ type: item.type }, one, [...at, index]);
    return isJsonObject(read) ? decodeFields(item, read, [...at, index]) : read;
  });
}

function parseAs(type: "object" | "array", text: string, at: PathInJson): object | null {
  assertJsonBounds(text, at.join("."));
  let value: unknown;
  try {
    value = parseMarkingDigits(text);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  const repeated = findRepeatedName(text, value);
  if (repeated !== null) throw repeatedName([...at, ...repeated]);
  return Array.isArray(value) === (type === "array") ? value : null;
}
