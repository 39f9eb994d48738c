import type { InputSchema, JsonObject } from "#lib/contract/wire/json-schema";
import { setOwn } from "#lib/support/json";

/** A field of an input, and its old names. */
export interface AliasedField {
  name: string;
  isRequired: boolean;
  aliases: readonly string[];
}

/**
 * Returns the rule of an input schema for the old names of a field, in keywords of JSON Schema alone, because validators
 * refuse keywords that they don't know: exactly one of the names if the field is required, and at most one otherwise.
 */
export function aliasRules({ name, isRequired, aliases }: AliasedField): NonNullable<InputSchema["allOf"]> {
  const names = [name, ...aliases];
  if (isRequired) return [{ oneOf: names.map((each) => ({ required: [each] })) }];
  return names.flatMap((each, index) => names.slice(index + 1).map((other) => ({ not: { required: [each, other] } })));
}

/** Returns the current name of each old name that a schema accepts. */
export function aliasesOf(schema: InputSchema): Map<string, string> {
  const aliases = new Map<string, string>();
  for (const rule of schema.allOf ?? []) {
    const [name, ...old] = rule.oneOf?.flatMap(({ required }) => required) ?? rule.not?.required ?? [];
    // The rule about two old names of an optional field follows those that name the field itself.
    if (name === undefined || aliases.has(name)) continue;
    for (const alias of old) aliases.set(alias, name);
  }
  return aliases;
}

const current = new WeakMap<InputSchema, InputSchema>();

/** Returns the schema as a new caller should use it: without old names, and with every required field. */
export function currentSchema(schema: InputSchema): InputSchema {
  if (schema.allOf === undefined) return schema;
  const known = current.get(schema);
  if (known) return known;
  const aliases = aliasesOf(schema);
  const entries = Object.entries(schema.properties).filter(([name]) => !aliases.has(name));
  const needed = schema.allOf.flatMap(({ oneOf }) => oneOf?.[0]?.required ?? []);
  const required = new Set([...schema.required, ...needed]);
  const plain: InputSchema = {
    type: "object",
    properties: Object.fromEntries(entries),
    // In the order of the fields.
    required: entries.map(([name]) => name).filter((name) => required.has(name)),
  };
  current.set(schema, plain);
  return plain;
}

interface Renamed {
  input: JsonObject;
  /** The old name under which each renamed field was sent. */
  sentAs: ReadonlyMap<string, string>;
  /** Old names that were sent in addition to another name of their field, which is ambiguous. */
  conflicts: readonly { alias: string; name: string }[];
}

/** Returns the input with the current names of its fields. Never changes the caller's object. */
export function renameAliases(schema: InputSchema, input: JsonObject): Renamed {
  const sentAs = new Map<string, string>();
  const conflicts: { alias: string; name: string }[] = [];
  let renamed: JsonObject | null = null;
  for (const [alias, name] of schema.allOf === undefined ? [] : aliasesOf(schema)) {
    if (!Object.hasOwn(input, alias)) continue;
    if (Object.hasOwn(input, name) || sentAs.has(name)) {
      conflicts.push({ alias, name: sentAs.get(name) ?? name });
      continue;
    }
    sentAs.set(name, alias);
    renamed ??= { ...input };
    setOwn(renamed, name, input[alias]);
    Reflect.deleteProperty(renamed, alias);
  }
  return { input: renamed ?? input, sentAs, conflicts };
}
