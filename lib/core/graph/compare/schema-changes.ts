import type { InputSchema, PropertySchema } from "#lib/contract/wire/json-schema";
import type { SchemaChange } from "#lib/contract/workflow/workflow";
import { addition, nameOfType, removal, valueChanges } from "#lib/core/graph/compare/value-changes";
import { aliasesOf, currentSchema } from "#lib/core/input/input-aliases";

/**
 * Lists what a new input schema changes for callers of the action (contract, Workflows and versions: renaming a field,
 * making it required and changing its type are breaking; a new optional field is safe). Fields keep their order, with
 * new fields last. A removed and an added field count as one renaming if they are the only ones of their type, or if the
 * new field keeps the old name as an alias, which makes the renaming safe.
 */
export function schemaChanges(beforeSchema: InputSchema, afterSchema: InputSchema): SchemaChange[] {
  const [before, after] = [currentSchema(beforeSchema), currentSchema(afterSchema)];
  const [oldNames, aliases] = [aliasesOf(beforeSchema), aliasesOf(afterSchema)];
  const renamed = findRenamed(before, after, aliases);
  const changes: SchemaChange[] = [];
  for (const [field, property] of Object.entries(before.properties)) {
    const newName = renamed.get(field) ?? (Object.hasOwn(after.properties, field) ? field : aliases.get(field));
    const is = newName === undefined ? undefined : after.properties[newName];
    if (newName === undefined || is === undefined) changes.push(removal(field));
    else if (newName === field) changes.push(...fieldChanges(before, after, { field, newName, was: property, is }));
    else if (!aliases.has(field)) changes.push(renaming(field, newName));
    // Callers may send both of two fields that become one.
    else if (Object.hasOwn(before.properties, newName)) changes.push(merging(field, newName));
    else {
      changes.push(keptRenaming(field, newName));
      changes.push(...fieldChanges(before, after, { field, newName, was: property, is }));
    }
  }
  for (const [alias, name] of oldNames) {
    if (!aliases.has(alias) && !Object.hasOwn(after.properties, alias)) changes.push(aliasRemoval(alias, name));
  }
  const newNames = new Set([
    ...renamed.values(),
    ...[...aliases].flatMap(([alias, name]) => wasNamed(before, alias, name)),
  ]);
  for (const field of Object.keys(after.properties)) {
    if (Object.hasOwn(before.properties, field) || newNames.has(field)) continue;
    changes.push(addition(field, after.required.includes(field)));
  }
  for (const [alias, name] of aliases) {
    if (oldNames.has(alias) || Object.hasOwn(before.properties, alias)) continue;
    changes.push(aliasAddition(alias, name));
  }
  return changes;
}

/** Returns the new name of a field that was renamed and keeps its old name. */
function wasNamed(before: InputSchema, alias: string, name: string): string[] {
  return Object.hasOwn(before.properties, alias) ? [name] : [];
}

/** Maps old names to new names, where the type leaves no doubt which field became which. */
function findRenamed(before: InputSchema, after: InputSchema, aliases: ReadonlyMap<string, string>) {
  const settled = new Set([...aliases].filter(([alias]) => Object.hasOwn(before.properties, alias)).flat());
  const gone = groupByType(before, after, settled);
  const come = groupByType(after, before, settled);
  const renamed = new Map<string, string>();
  for (const [type, [from, ...otherGone]] of gone) {
    const [to, ...otherCome] = come.get(type) ?? [];
    if (from !== undefined && to !== undefined && otherGone.length + otherCome.length === 0) renamed.set(from, to);
  }
  return renamed;
}

/** Groups the fields of `schema` that `other` lacks by type, except those whose renaming is settled. */
function groupByType(schema: InputSchema, other: InputSchema, settled: ReadonlySet<string>): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [field, property] of Object.entries(schema.properties)) {
    if (Object.hasOwn(other.properties, field) || settled.has(field)) continue;
    const type = nameOfType(property);
    groups.set(type, [...(groups.get(type) ?? []), field]);
  }
  return groups;
}

function renaming(field: string, newName: string): SchemaChange {
  const message = `"${field}" is now called "${newName}". Callers that send "${field}" must send "${newName}" instead.`;
  return { field, kind: "renamed", breaking: true, message, new_field: newName };
}

function keptRenaming(field: string, newName: string): SchemaChange {
  const message = `"${field}" is now called "${newName}". Calls that send "${field}" still work: it is kept as an alias.`;
  return { field, kind: "renamed", breaking: false, message, new_field: newName };
}

function merging(field: string, name: string): SchemaChange {
  const message = `"${field}" is now another name of "${name}". Calls that send both are rejected.`;
  return { field, kind: "removed", breaking: true, message };
}

function aliasRemoval(alias: string, name: string): SchemaChange {
  const message = `"${alias}" is no longer accepted as the old name of "${name}". Runs only record the current name, so the callers that still send it are not known.`;
  return { field: alias, kind: "removed", breaking: true, message };
}

function aliasAddition(alias: string, name: string): SchemaChange {
  const message = `"${alias}" is accepted as another name of "${name}".`;
  return { field: alias, kind: "added_optional", breaking: false, message };
}

interface FieldPair {
  field: string;
  newName: string;
  was: PropertySchema;
  is: PropertySchema;
}

function fieldChanges(before: InputSchema, after: InputSchema, { field, newName, was, is }: FieldPair): SchemaChange[] {
  return valueChanges(newName, [was, is], [before.required.includes(field), after.required.includes(newName)]);
}
