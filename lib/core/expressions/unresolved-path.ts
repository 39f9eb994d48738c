import { LIMITS } from "#lib/contract/limits";
import type { RunWarning } from "#lib/contract/run/journal";
import type { Reference } from "#lib/core/expressions/expression";
import { writePath } from "#lib/core/expressions/write-expression";
import { isJsonObject } from "#lib/support/json";

/** A path of a template that led nowhere, so its value is null; or another warning, which has a code. */
export interface UnresolvedPath {
  code?: RunWarning["code"];
  /** The place of the template in the node's data, as a dotted path. */
  field: string;
  /** The path, as the template has it. */
  path: string;
  /** The part of it that exists; empty if not even its first name does. */
  resolvedUntil: string;
  /** What was there: the kind of the value, of an object the names of its fields. Never a value. */
  has: string;
}

const SHOWN_NAMES = 20;

/**
 * Finds where a path stops. A path whose last value is null exists.
 * @param scope the output of each node by id
 * @returns null if the path exists
 */
export function findStop({ name, path }: Reference, scope: Record<string, unknown>): UnresolvedPath | null {
  let current: unknown = scope;
  for (const [depth, key] of [name, ...path].entries()) {
    const next = readKey(current, key);
    if (next === undefined) {
      const resolvedUntil = depth === 0 ? "" : shortened(writePath(name, path.slice(0, depth - 1)));
      return {
        field: "",
        path: shortened(writePath(name, path)),
        resolvedUntil,
        has: shortened(depth === 0 ? describe(current) : describeOnce(current)),
      };
    }
    current = next;
  }
  return null;
}

/** Returns the warning of a number that another service sent, and that became a text to keep its digits. */
export function numberAsText(field: string, path: string): UnresolvedPath {
  const place = shortened(path);
  return { code: "NUMBER_AS_TEXT", field, path: place, resolvedUntil: place, has: "a text" };
}

/** Returns the warning of a value whose tags were escaped: its author may have meant them. */
export function markupAsText(source: string): UnresolvedPath {
  const path = shortened(source.replace(/^\{\{\s*|\s*\}\}$/g, ""));
  return { code: "MARKUP_AS_TEXT", field: "", path, resolvedUntil: path, has: "a text" };
}

/** Adds a note, unless the step has enough of them or this one already. */
export function addUnresolved(notes: UnresolvedPath[], note: UnresolvedPath): void {
  if (notes.length >= LIMITS.stepWarnings) return;
  if (!notes.some(({ field, path }) => field === note.field && path === note.path)) notes.push(note);
}

/** Puts a part of a path before the fields of the notes that were added last. */
export function prefixFields(notes: UnresolvedPath[], from: number, key: string | number): void {
  for (const note of notes.slice(from)) note.field = shortened(note.field === "" ? `${key}` : `${key}.${note.field}`);
}

const INDEX = /^(?:0|[1-9]\d{0,8})$/;

/** Reads what `getPath` reads. */
function readKey(value: unknown, key: string | number): unknown {
  if (Array.isArray(value)) return typeof key === "number" || INDEX.test(key) ? value[Number(key)] : undefined;
  if (typeof value !== "object" || value === null || key === "__proto__") return undefined;
  return Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

const described = new WeakMap<object, string>();

/** Describes a part of an output, which never changes. Reading the names of a large object takes milliseconds. */
function describeOnce(value: unknown): string {
  if (!isJsonObject(value)) return describe(value);
  const text = described.get(value) ?? describe(value);
  described.set(value, text);
  return text;
}

function describe(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (!isJsonObject(value)) return typeof value === "string" ? "a text" : `a ${typeof value}`;
  const names: string[] = [];
  for (const name in value) {
    if (names.push(name.slice(0, LIMITS.warningCharacters)) > SHOWN_NAMES) break;
  }
  const more = names.length > SHOWN_NAMES ? [...names.slice(0, SHOWN_NAMES), "…"] : names;
  return `{${more.join(", ")}}`;
}

function shortened(text: string): string {
  return text.length > LIMITS.warningCharacters ? `${text.slice(0, LIMITS.warningCharacters - 1)}…` : text;
}
