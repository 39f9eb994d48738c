import type { Tool } from "@modelcontextprotocol/server";
import type { JsonObject } from "#lib/contract/json-schema";
import { assertJsonBounds } from "#lib/core/input/assert-json-bounds";

/**
 * Returns the arguments with every nested object or array that arrived as JSON text parsed: models often write
 * `"input": "{\"name\": \"Ada\"}"` (decisions, Actions). Any other text stays as it is, and the operation validates it.
 * @throws ApiError BAD_REQUEST or PAYLOAD_TOO_LARGE if a text is nested too deeply or contains too many values
 */
export function decodeArguments(schema: Tool["inputSchema"], args: JsonObject): JsonObject {
  const decoded = { ...args };
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    if (typeof value !== "string") continue;
    const type = (property as { type?: unknown }).type;
    if (type === "object" || type === "array") decoded[name] = parseAs(type, value, name) ?? value;
  }
  return decoded;
}

function parseAs(type: "object" | "array", text: string, name: string): object | null {
  assertJsonBounds(text, name);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  return Array.isArray(value) === (type === "array") ? value : null;
}
