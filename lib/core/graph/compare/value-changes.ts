import type { PropertySchema } from "#lib/contract/wire/json-schema";
import type { SchemaChange } from "#lib/contract/workflow/workflow";
import { canonicalJson } from "#lib/support/json";

/** The bounds of a value. A higher lower bound refuses more values, and so does a lower upper bound. */
const BOUNDS = {
  minLength: "lower",
  maxLength: "upper",
  minimum: "lower",
  maximum: "upper",
  minItems: "lower",
  maxItems: "upper",
} as const;
type Bound = keyof typeof BOUNDS;

/**
 * Lists what changes for callers about the value of a field and about everything inside it. A field inside an object is
 * named `customer.email`, one inside the items of a list `lines[].sku`.
 */
export function valueChanges(
  field: string,
  [was, is]: readonly [PropertySchema, PropertySchema],
  [wasRequired, isRequired]: readonly [boolean, boolean],
): SchemaChange[] {
  return [
    ...typeChange(field, was, is),
    ...requirementChange(field, wasRequired, isRequired),
    ...enumChange(field, was.enum, is.enum),
    ...boundChanges(field, was, is),
    ...patternChange(field, was.pattern, is.pattern),
    ...defaultChange(field, was.default, is.default),
    ...descriptionChange(field, was.description, is.description),
    ...(was.items && is.items && was.items.type === is.items.type
      ? valueChanges(`${field}[]`, [was.items, is.items], [true, true])
      : []),
    ...(was.type === is.type ? innerChanges(field, was, is) : []),
  ];
}

/** Lists the changes of the fields of an object. An object without declared fields accepts any. */
function innerChanges(field: string, was: PropertySchema, is: PropertySchema): SchemaChange[] {
  const [before, after] = [was.properties ?? {}, is.properties ?? {}];
  if (was.properties === undefined && Object.keys(after).length > 0) {
    const message = `"${field}" now declares its fields, and calls are checked against them.`;
    return [tightened(field, message)];
  }
  if (is.properties === undefined && Object.keys(before).length > 0) {
    const message = `"${field}" no longer declares its fields, so calls can send any.`;
    return [loosened(field, message)];
  }
  const isRequired = (schema: PropertySchema, name: string) => schema.required?.includes(name) ?? false;
  const kept = Object.entries(before).flatMap(([name, property]) => {
    const inner = `${field}.${name}`;
    const next = Object.hasOwn(after, name) ? after[name] : undefined;
    if (next === undefined) return [removal(inner)];
    return valueChanges(inner, [property, next], [isRequired(was, name), isRequired(is, name)]);
  });
  const added = Object.keys(after).filter((name) => !Object.hasOwn(before, name));
  return [...kept, ...added.map((name) => addition(`${field}.${name}`, isRequired(is, name)))];
}

function boundChanges(field: string, was: PropertySchema, is: PropertySchema): SchemaChange[] {
  return (Object.keys(BOUNDS) as Bound[]).flatMap((bound) => {
    const [old, now] = [was[bound], is[bound]];
    if (old === now) return [];
    if (now === undefined) return [loosened(field, `"${field}" no longer has ${bound}.`)];
    const message = `"${field}" now has ${bound} ${now}${old === undefined ? "" : `, instead of ${old}`}.`;
    const isTighter = old === undefined || (BOUNDS[bound] === "lower" ? now > old : now < old);
    return [isTighter ? tightened(field, message) : loosened(field, message)];
  });
}

function patternChange(field: string, was: string | undefined, is: string | undefined): SchemaChange[] {
  if (was === is) return [];
  if (is === undefined) return [loosened(field, `"${field}" no longer has a pattern.`)];
  return [tightened(field, `"${field}" must now match the pattern ${is}.`)];
}

function tightened(field: string, message: string): SchemaChange {
  return { field, kind: "constraint_tightened", breaking: true, message };
}

function loosened(field: string, message: string): SchemaChange {
  return { field, kind: "constraint_loosened", breaking: false, message };
}

export function nameOfType(property: PropertySchema): string {
  return property.items ? `${property.type} of ${property.items.type}` : property.type;
}

function valueWords(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(", ");
}

export function removal(field: string): SchemaChange {
  const message = `"${field}" was removed. Callers may still send it, but nothing reads it.`;
  return { field, kind: "removed", breaking: true, message };
}

export function addition(field: string, isRequired: boolean): SchemaChange {
  return isRequired
    ? {
        field,
        kind: "added_required",
        breaking: true,
        message: `"${field}" is new and required. Calls without it are rejected.`,
      }
    : { field, kind: "added_optional", breaking: false, message: `"${field}" is new and optional.` };
}

function typeChange(field: string, was: PropertySchema, is: PropertySchema): SchemaChange[] {
  if (nameOfType(was) === nameOfType(is)) return [];
  if (was.type !== is.type || (was.items && is.items)) {
    const message = `The type of "${field}" changed from ${nameOfType(was)} to ${nameOfType(is)}.`;
    return [{ field, kind: "type_changed", breaking: true, message }];
  }
  if (is.items) {
    const message = `"${field}" now only accepts items of type ${is.items.type}.`;
    return [tightened(field, message)];
  }
  const message = `"${field}" now accepts items of any type.`;
  return [loosened(field, message)];
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
    return was ? [loosened(field, message)] : [];
  }
  if (!was) {
    const message = `"${field}" now only accepts ${valueWords(is)}.`;
    return [tightened(field, message)];
  }
  const lost = without(was, is);
  const gained = without(is, was);
  if (lost.length > 0) {
    const message = `"${field}" no longer accepts ${valueWords(lost)}.`;
    return [tightened(field, message)];
  }
  if (gained.length === 0) return [];
  const message = `"${field}" now also accepts ${valueWords(gained)}.`;
  return [loosened(field, message)];
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
