import type { InputSchema, PropertySchema } from "#lib/contract/json-schema";
import type { SchemaChange } from "#lib/contract/workflow";
import { canonicalJson } from "#lib/support/json";

/**
 * Lists what a new input schema changes for callers of the action (contract, Workflows and versions: renaming a field,
 * making it required and changing its type are breaking; a new optional field is safe). Fields keep their order, with
 * new fields last. A removed and an added field count as one renaming if they are the only ones of their type.
 */
export function schemaChanges(before: InputSchema, after: InputSchema): SchemaChange[] {
  const renamed = findRenamed(before, after);
  const changes: SchemaChange[] = [];
  for (const [field, property] of Object.entries(before.properties)) {
    const newName = renamed.get(field);
    if (newName !== undefined) changes.push(renaming(field, newName));
    else if (!Object.hasOwn(after.properties, field)) changes.push(removal(field));
    else changes.push(...fieldChanges(before, after, field, property, after.properties[field] ?? property));
  }
  const newNames = new Set(renamed.values());
  for (const field of Object.keys(after.properties)) {
    if (Object.hasOwn(before.properties, field) || newNames.has(field)) continue;
    changes.push(addition(field, after.required.includes(field)));
  }
  return changes;
}

/** Maps old names to new names, where the type leaves no doubt which field became which. */
function findRenamed(before: InputSchema, after: InputSchema): Map<string, string> {
  const gone = groupByType(before, after);
  const come = groupByType(after, before);
  const renamed = new Map<string, string>();
  for (const [type, [from, ...otherGone]] of gone) {
    const [to, ...otherCome] = come.get(type) ?? [];
    if (from !== undefined && to !== undefined && otherGone.length + otherCome.length === 0) renamed.set(from, to);
  }
  return renamed;
}

/** Groups the fields of `schema` that `other` lacks by type. */
function groupByType(schema: InputSchema, other: InputSchema): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [field, property] of Object.entries(schema.properties)) {
    if (Object.hasOwn(other.properties, field)) continue;
    const type = typeWords(property);
    groups.set(type, [...(groups.get(type) ?? []), field]);
  }
  return groups;
}

function typeWords(property: PropertySchema): string {
  return property.items ? `${property.type} of ${property.items.type}` : property.type;
}

function valueWords(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(", ");
}

function renaming(field: string, newName: string): SchemaChange {
  const message = `"${field}" is now called "${newName}". Callers that send "${field}" must send "${newName}" instead.`;
  return { field, kind: "renamed", breaking: true, message, new_field: newName };
}

function removal(field: string): SchemaChange {
  const message = `"${field}" was removed. Callers may still send it, but nothing reads it.`;
  return { field, kind: "removed", breaking: true, message };
}

function addition(field: string, isRequired: boolean): SchemaChange {
  return isRequired
    ? {
        field,
        kind: "added_required",
        breaking: true,
        message: `"${field}" is new and required. Calls without it are rejected.`,
      }
    : { field, kind: "added_optional", breaking: false, message: `"${field}" is new and optional.` };
}

function fieldChanges(
  before: InputSchema,
  after: InputSchema,
  field: string,
  was: PropertySchema,
  is: PropertySchema,
): SchemaChange[] {
  return [
    ...typeChange(field, was, is),
    ...requirementChange(field, before.required.includes(field), after.required.includes(field)),
    ...enumChange(field, was.enum, is.enum),
    ...defaultChange(field, was.default, is.default),
    ...descriptionChange(field, was.description, is.description),
  ];
}

function typeChange(field: string, was: PropertySchema, is: PropertySchema): SchemaChange[] {
  if (typeWords(was) === typeWords(is)) return [];
  if (was.type !== is.type || (was.items && is.items)) {
    const message = `The type of "${field}" changed from ${typeWords(was)} to ${typeWords(is)}.`;
    return [{ field, kind: "type_changed", breaking: true, message }];
  }
  if (is.items) {
    const message = `"${field}" now only accepts items of type ${is.items.type}.`;
    return [{ field, kind: "constraint_tightened", breaking: true, message }];
  }
  const message = `"${field}" now accepts items of any type.`;
  return [{ field, kind: "constraint_loosened", breaking: false, message }];
}

function requirementChange(field: string, wasRequired: boolean, isRequired: boolean): SchemaChange[] {
  if (wasRequired === isRequired) return [];
  return isRequired
    ? [
        {
          field,
          kind: "became_required",
          breaking: true,
          message: `"${field}" is now required. Calls without it are rejected.`,
        },
      ]
    : [{ field, kind: "became_optional", breaking: false, message: `"${field}" is no longer required.` }];
}

function enumChange(field: string, was: unknown[] | undefined, is: unknown[] | undefined): SchemaChange[] {
  if (!is) {
    const message = `"${field}" now accepts any value of its type.`;
    return was ? [{ field, kind: "constraint_loosened", breaking: false, message }] : [];
  }
  if (!was) {
    const message = `"${field}" now only accepts ${valueWords(is)}.`;
    return [{ field, kind: "constraint_tightened", breaking: true, message }];
  }
  const lost = without(was, is);
  const gained = without(is, was);
  if (lost.length > 0) {
    const message = `"${field}" no longer accepts ${valueWords(lost)}.`;
    return [{ field, kind: "constraint_tightened", breaking: true, message }];
  }
  if (gained.length === 0) return [];
  const message = `"${field}" now also accepts ${valueWords(gained)}.`;
  return [{ field, kind: "constraint_loosened", breaking: false, message }];
}

/** Returns the values of `list` that `other` lacks. */
function without(list: readonly unknown[], other: readonly unknown[]): unknown[] {
  const known = new Set(other.map((value) => canonicalJson(value)));
  return list.filter((value) => !known.has(canonicalJson(value)));
}

function defaultChange(field: string, was: unknown, is: unknown): SchemaChange[] {
  if (canonicalJson(was ?? null) === canonicalJson(is ?? null)) return [];
  const change = { field, kind: "default_changed", breaking: false } as const;
  if (is === undefined) return [{ ...change, message: `"${field}" no longer has a default.` }];
  return [{ ...change, message: `If "${field}" is not sent, it is now ${JSON.stringify(is)}.` }];
}

function descriptionChange(field: string, was: string | undefined, is: string | undefined): SchemaChange[] {
  if (was === is) return [];
  return [{ field, kind: "description_changed", breaking: false, message: `The description of "${field}" changed.` }];
}
