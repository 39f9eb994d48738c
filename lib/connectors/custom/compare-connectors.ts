import type { CustomDefinition, CustomOperation } from "#lib/connectors/custom/custom-definition";
import { findBreakingChanges } from "#lib/connectors/custom/find-breaking-changes";
import type { WireParameter } from "#lib/connectors/custom/wire/wire-parameter";
import type { ConnectorChanges } from "#lib/contract/connector/connector";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { canonicalJson, isJsonObject } from "#lib/support/json";

/** The limit per operation; no one reads more. */
const CHANGES_MAX = 20;

/** Describes what a build changes compared with the previous one, in words that a person can act on. */
export function compareConnectors(before: CustomDefinition, after: CustomDefinition): ConnectorChanges {
  const old = new Map(before.operations.map((operation) => [operation.name, operation]));
  const now = new Set(after.operations.map(({ name }) => name));
  return {
    base_url: before.baseUrl === after.baseUrl ? null : { before: before.baseUrl, after: after.baseUrl },
    auth: before.auth === after.auth ? null : { before: before.auth, after: after.auth },
    added: after.operations.flatMap(({ name }) => (old.has(name) ? [] : [name])),
    removed: before.operations.flatMap(({ name }) => (now.has(name) ? [] : [name])),
    changed: after.operations.flatMap((operation) => {
      const former = old.get(operation.name);
      const changes = former ? changesOf(former, operation) : [];
      if (!former || changes.length === 0) return [];
      const breaking = findBreakingChanges(former, operation);
      return [{ operation: operation.name, changes: changes.slice(0, CHANGES_MAX), breaking }];
    }),
  };
}

function changesOf(before: CustomOperation, after: CustomOperation): string[] {
  const route = ({ method, path }: CustomOperation) => `${method.toUpperCase()} ${path}`;
  return [
    ...(route(before) === route(after) ? [] : [`is ${route(after)}, was ${route(before)}`]),
    ...(before.server === after.server ? [] : [`is sent to ${after.server ?? "the base URL"}`]),
    ...paramChanges(before, after),
    ...writingChanges(before, after),
    ...(before.bodyType === after.bodyType || after.bodyType === null ? [] : [`sends ${after.bodyType}`]),
    ...(before.upload?.type === after.upload?.type
      ? []
      : [after.upload ? `sends files as ${after.upload.type}` : "no longer sends files"]),
    ...(isSame(before.outputSchema, after.outputSchema) ? [] : ["returns a different response"]),
  ];
}

function paramChanges(before: CustomOperation, after: CustomOperation): string[] {
  const [old, now] = [paramsOf(before), paramsOf(after)];
  const gone = [...old.keys()].filter((name) => !now.has(name)).map((name) => `no longer takes ${name}`);
  const kept = [...now].flatMap(([name, schema]) => {
    const isRequired = after.required.includes(name);
    if (!old.has(name)) return [isRequired ? `requires ${name}` : `takes ${name}`];
    const wasRequired = before.required.includes(name);
    const need = isRequired === wasRequired ? [] : [isRequired ? `requires ${name}` : `no longer requires ${name}`];
    return isSame(old.get(name), schema) ? need : [...need, `has a different schema for ${name}`];
  });
  return [...gone, ...kept];
}

function writingChanges(before: CustomOperation, after: CustomOperation): string[] {
  const keyOf = (row: WireParameter) => `${row.in}.${row.name}`;
  const old = new Map(before.wire.map((row) => [keyOf(row), row]));
  return after.wire.flatMap((row) => {
    const former = old.get(keyOf(row));
    return former === undefined || isSame(former, row) ? [] : [`writes ${keyOf(row)} in another style`];
  });
}

/** Returns the schemas of the parameters by `place.name`, and that of the body. */
function paramsOf({ paramsSchema }: CustomOperation): Map<string, unknown> {
  const groups: JsonObject = isJsonObject(paramsSchema.properties) ? paramsSchema.properties : {};
  return new Map(
    Object.entries(groups).flatMap(([place, schema]): [string, unknown][] => {
      if (place === "body") return [["body", schema]];
      const properties = isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {};
      return Object.entries(properties).map(([name, property]) => [`${place}.${name}`, withoutWords(property)]);
    }),
  );
}

/** Removes descriptions, which are for people and do not change a request. */
function withoutWords(schema: unknown): unknown {
  if (!isJsonObject(schema)) return schema;
  const { description: _, ...rest } = schema;
  return rest;
}

function isSame(a: unknown, b: unknown): boolean {
  return canonicalJson(a) === canonicalJson(b);
}
