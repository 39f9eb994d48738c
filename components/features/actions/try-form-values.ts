import type { FieldError } from "#lib/contract/error/api-error";
import type { InputSchema, JsonObject, PropertySchema } from "#lib/contract/wire/json-schema";
import { describeLongNumber, readTypedJson } from "#lib/core/input/read-typed-json";
import { readNumber } from "#lib/support/numbers/read-number";

/** The texts in the fields, as typed. A field with an empty text is not sent. */
export type FormValues = Readonly<Record<string, string>>;
export type FormErrors = Readonly<Record<string, string>>;

/** Returns the texts that show an input in the form. */
export function toFormValues(schema: InputSchema, input: JsonObject): FormValues {
  return Object.fromEntries(
    Object.entries(schema.properties).map(([name, property]) => [name, toText(property, input[name])]),
  );
}

function toText(property: PropertySchema, value: unknown): string {
  if (value === undefined || value === null) return "";
  if (property.enum === undefined && property.type === "string" && typeof value === "string") return value;
  if (property.enum !== undefined || property.type === "boolean") return JSON.stringify(value);
  return typeof value === "object" ? JSON.stringify(value, null, 2) : String(value);
}

/**
 * Parses the texts into an input. Text that cannot be read as its type is an error here; the server checks everything
 * else, so that the form needs no second set of rules.
 */
export function readFormValues(schema: InputSchema, values: FormValues): { input: JsonObject; errors: FormErrors } {
  const input: JsonObject = {};
  const errors: Record<string, string> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const text = values[name] ?? "";
    if (text === "" && !(property.type === "string" && isSentEmpty(schema, name, property))) continue;
    const { value, problem } = readText(property, text);
    if (problem === null) input[name] = value;
    else errors[name] = problem;
  }
  return { input, errors };
}

/** A required text may be empty on purpose; an optional one is then omitted. */
function isSentEmpty(schema: InputSchema, name: string, property: PropertySchema): boolean {
  return schema.required.includes(name) && property.enum === undefined;
}

const UNREADABLE: Record<PropertySchema["type"], string> = {
  string: "Enter text.",
  number: "Enter a number.",
  integer: "Enter a whole number.",
  boolean: "Choose true or false.",
  object: 'Enter a JSON object such as {"key": "value"}.',
  array: "Enter a JSON array such as [1, 2].",
};

function readText(property: PropertySchema, text: string): { value: unknown; problem: string | null } {
  if (property.enum === undefined && property.type === "string") return { value: text, problem: null };
  const isNumber = property.type === "number" || property.type === "integer";
  const value = isNumber ? readTypedNumber(text) : readTypedJson(text).value;
  const isRead = isNumber ? value !== null : value !== undefined && isOfType(property, value);
  return { value, problem: isRead ? null : (describeLongNumber(text) ?? UNREADABLE[property.type]) };
}

function isOfType(property: PropertySchema, value: unknown): boolean {
  if (property.type === "array") return Array.isArray(value);
  if (property.type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  return true;
}

/** Groups the server's errors by the form field they belong to; a nested error belongs to its top-level field. */
export function toFormErrors(schema: InputSchema, details: readonly FieldError[]): FormErrors {
  const errors: Record<string, string> = {};
  for (const { field, message } of details) {
    const name = Object.keys(schema.properties).find(
      (known) => field === known || field.startsWith(`${known}.`) || field.startsWith(`${known}[`),
    );
    if (name !== undefined) errors[name] ??= field === name ? message : `${field}: ${message}`;
  }
  return errors;
}

/** "1,234" is a thousand to some readers and a little more than one to others. */
const AMBIGUOUS = /^-?[1-9]\d{0,2},\d{3}$/;

/**
 * Reads a number that a person typed, also with a decimal comma, which is the only one on many keyboards of phones.
 * @returns null if it isn't a number, or could be two different ones
 */
function readTypedNumber(text: string): number | null {
  const typed = text.trim();
  return AMBIGUOUS.test(typed) ? null : readNumber(typed.replace(",", "."));
}
