import { redactCredentials, redactNamed } from "#lib/core/redaction/redact-credentials";
import { REDACTED } from "#lib/core/redaction/redact-text";
import { isJsonObject, setOwn } from "#lib/support/json";

/** A credential that a person typed into a document. */
export interface TypedCredential {
  /** Where it is, from the value that was searched. */
  path: (string | number)[];
  /** The text of that place. */
  text: string;
  /** The same text without the credential. */
  masked: string;
}

/**
 * Finds the credentials in a document by the names of its fields and by their texts. In `{ name, value }`, as in the
 * fields of a step, the name is that of the value.
 */
export function findCredentials(value: unknown): TypedCredential[] {
  const found: TypedCredential[] = [];
  visit(value, null, [], (path, text, masked) => {
    if (masked !== text) found.push({ path, text, masked });
    return text;
  });
  return found;
}

/** Returns a copy without credentials, or the same reference if there are none. */
export function maskCredentials<T>(value: T, name: string | null = null): T {
  return visit(value, name, [], (_path, _text, masked) => masked) as T;
}

/** Finds the texts that contain a mask instead of a value, as in a document that was exported. */
export function findMasks(value: unknown): (string | number)[][] {
  const found: (string | number)[][] = [];
  visit(value, null, [], (path, text) => {
    if (text.includes(REDACTED)) found.push(path);
    return text;
  });
  return found;
}

type Visit = (path: (string | number)[], text: string, masked: string) => string;

function visit(value: unknown, name: string | null, path: (string | number)[], see: Visit): unknown {
  if (typeof value === "string")
    return see(path, value, name === null ? redactCredentials(value) : redactNamed(name, value));
  if (Array.isArray(value)) {
    const items = value.map((item, index) => visit(item, name, [...path, index], see));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isJsonObject(value)) return value;
  const copy = { ...value };
  let hasChanged = false;
  for (const [key, item] of Object.entries(value)) {
    const isNamedValue = (key === "value" || key === "default") && typeof value.name === "string";
    const clean = visit(item, isNamedValue ? String(value.name) : key, [...path, key], see);
    if (clean === item) continue;
    setOwn(copy, key, clean);
    hasChanged = true;
  }
  return hasChanged ? copy : value;
}
