import { isJsonObject } from "#lib/support/json";

const NONE: ReadonlySet<string> = new Set();

/**
 * Returns the sentences that name no hidden tool: an agent that reads about a tool calls it, and one that its list does not
 * have is refused.
 */
export function keepListed(sentences: readonly string[], hiddenTools: ReadonlySet<string> = NONE): string[] {
  return sentences.filter((sentence) => !(sentence.match(/\w+/g) ?? []).some((word) => hiddenTools.has(word)));
}

/** Returns a text without the sentences that name a hidden tool. */
export function keepListedText(text: string, hiddenTools: ReadonlySet<string> = NONE): string {
  if (hiddenTools.size === 0) return text;
  const lines = text.split("\n").map((line) => keepListed(line.split(/(?<=\.)\s/), hiddenTools).join(" "));
  return lines.join("\n").trim();
}

/** Returns a JSON Schema whose descriptions name no hidden tool, at any depth. */
export function keepListedSchema<Schema>(schema: Schema, hiddenTools: ReadonlySet<string> = NONE): Schema {
  return hiddenTools.size === 0 ? schema : (visit(schema, hiddenTools) as Schema);
}

function visit(schema: unknown, hiddenTools: ReadonlySet<string>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => visit(item, hiddenTools));
  if (!isJsonObject(schema)) return schema;
  const entries = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (key !== "description" || typeof value !== "string") return [[key, visit(value, hiddenTools)]];
    const kept = keepListedText(value, hiddenTools);
    return kept === "" ? [] : [[key, kept]];
  });
  return Object.fromEntries(entries);
}
