import type { ToolDefinition } from "#lib/connectors/mcp/tool-definition";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { canonicalJson, isJsonObject } from "#lib/support/json";

/** The limit per tool; no one reads more. */
const CHANGES_MAX = 20;

/** What a server changed in a tool, in words that a person can act on. */
export interface ToolChanges {
  changes: string[];
  /** True if a step that called the tool before can fail now, or gets another result. */
  isBreaking: boolean;
}

/**
 * Compares a tool with what it was. Descriptions are for people and models: they change no call, but a model that reads
 * them follows what the server writes, so a change is shown.
 */
export function compareTools(before: ToolDefinition, after: ToolDefinition): ToolChanges {
  const [old, now] = [propertiesOf(before.inputSchema), propertiesOf(after.inputSchema)];
  const [wasNeeded, isNeeded] = [requiredOf(before.inputSchema), requiredOf(after.inputSchema)];
  const gone = [...old.keys()].filter((name) => !now.has(name)).map((name) => `no longer takes ${name}`);
  const changed = [...now].filter(([name, schema]) => old.has(name) && !isSame(old.get(name), schema));
  const breaking = [
    ...[...isNeeded].filter((name) => !wasNeeded.has(name)).map((name) => `requires ${name}`),
    ...gone,
    ...changed.map(([name]) => `has a different schema for ${name}`),
    ...(isSame(before.outputSchema, after.outputSchema) ? [] : ["returns a different result"]),
    ...(before.isTask === after.isTask
      ? []
      : [after.isTask ? "runs in the background" : "no longer runs in the background"]),
  ];
  const harmless = [
    ...[...now.keys()].filter((name) => !old.has(name) && !isNeeded.has(name)).map((name) => `takes ${name}`),
    ...[...wasNeeded]
      .filter((name) => !isNeeded.has(name) && now.has(name))
      .map((name) => `no longer requires ${name}`),
  ];
  const known = [...breaking, ...harmless];
  const isOther = known.length === 0 && !isSame(before.inputSchema, after.inputSchema);
  const all = [...(isOther ? ["has a different schema"] : known), ...changedWords(before, after)];
  return { changes: all.slice(0, CHANGES_MAX), isBreaking: isOther || breaking.length > 0 };
}

function changedWords(before: ToolDefinition, after: ToolDefinition): string[] {
  const wordsOf = ({ inputSchema, outputSchema }: ToolDefinition) => canonicalJson([inputSchema, outputSchema]);
  if (before.title !== after.title || before.description !== after.description) return ["has a different description"];
  const isSchemaSame = isSame(before.inputSchema, after.inputSchema) && isSame(before.outputSchema, after.outputSchema);
  return isSchemaSame && wordsOf(before) !== wordsOf(after) ? ["describes its fields differently"] : [];
}

function propertiesOf({ properties }: JsonObject): Map<string, unknown> {
  return new Map(Object.entries(isJsonObject(properties) ? properties : {}));
}

function requiredOf({ required }: JsonObject): Set<string> {
  return new Set(Array.isArray(required) ? required.filter((name) => typeof name === "string") : []);
}

function isSame(a: unknown, b: unknown): boolean {
  return canonicalJson(withoutWords(a)) === canonicalJson(withoutWords(b));
}

/** Keywords that people and models read, and that validate nothing. */
const WORDS: ReadonlySet<string> = new Set(["description", "title", "examples", "$comment", "$schema", "$id"]);

/** A property may have the name of a keyword, so names of properties are kept. */
function withoutWords(schema: unknown, isNames = false): unknown {
  if (Array.isArray(schema)) return schema.map((item) => withoutWords(item));
  if (!isJsonObject(schema)) return schema;
  const kept = Object.entries(schema).filter(([key]) => isNames || !WORDS.has(key));
  return Object.fromEntries(
    kept.map(([key, value]) => [key, withoutWords(value, !isNames && /^(?:properties|\$defs|definitions)$/.test(key))]),
  );
}
