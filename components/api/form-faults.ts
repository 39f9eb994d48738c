import type { z } from "zod";
import { type FieldError, toFieldErrors } from "#lib/contract/error/api-error";
import { ClientError } from "@/components/api/client-error";

/** The errors of a form: texts per field, and texts that belong to no field. */
export interface FormFaults {
  byField: Record<string, string>;
  general: string | null;
}

interface Naming {
  /** The form's fields, with dots. */
  names: readonly string[];
  /** Maps an input field to the form's field, if the names differ. */
  fields: Readonly<Record<string, string>>;
}

/** Assigns the errors of an operation's input to the fields of its form. Each field shows its first error. */
export function sortFaults(faults: readonly FieldError[], { names, fields }: Naming): FormFaults {
  const byField: Record<string, string> = {};
  let general: string | null = null;
  for (const { field, message } of faults) {
    const outer = outwards(field).find((part) => names.includes(fields[part] ?? part));
    // A place in the input is written as it is.
    if (outer === undefined) general ??= `${field}: ${message}`;
    else byField[fields[outer] ?? outer] ??= outer === field ? sentence(message) : `${field}: ${message}`;
  }
  return { byField, general };
}

interface RefusalNaming extends Naming {
  /** The field that an error code is about. */
  about: Partial<Record<string, string>>;
}

/** Explains a failed request in the form that sent it. */
export function faultsOfRefusal(error: Error, { about, ...naming }: RefusalNaming): FormFaults {
  if (!(error instanceof ClientError)) return { byField: {}, general: describeFailure(error) };
  // For a workflow's input, the details name fields of that input, which can have the same names as ours.
  const details = error.code === "INPUT_VALIDATION_FAILED" ? [] : error.fieldErrors;
  const { byField } = sortFaults(details, naming);
  const subject = about[error.code];
  if (subject !== undefined) byField[subject] ??= error.message;
  return { byField, general: Object.keys(byField).length > 0 ? null : describeFailure(error) };
}

/** Says why nothing was sent or done, and what happens to the entered values. */
export function describeFailure(error: Error): string {
  if (!(error instanceof ClientError)) return "The request failed on our side. Try again in a moment.";
  if (error.code === "NETWORK" && !navigator.onLine) {
    return "You're offline. Your input stays here; try again when you're connected.";
  }
  return error.message;
}

interface CheckedValues {
  values: object;
  names?: Naming["names"];
  fields?: Naming["fields"];
  /** The message for a required field that is empty. */
  missing?: Readonly<Record<string, string | undefined>>;
}

/** Returns the errors that a schema finds in the input of a form. */
export function checkBySchema(
  schema: z.ZodType,
  input: unknown,
  { values, names = Object.keys(values), fields = {}, missing = {} }: CheckedValues,
): FormFaults {
  const parsed = schema.safeParse(input);
  if (parsed.success) return { byField: {}, general: null };
  const { byField, general } = sortFaults(toFieldErrors(parsed.error), { names, fields });
  const held = new Map(Object.entries(values));
  const said = Object.entries(byField).map(([name, message]) => [
    name,
    isEmpty(held.get(name)) ? (missing[name] ?? message) : message,
  ]);
  return { byField: Object.fromEntries(said), general };
}

/** The faults of fields that hold something: what a user is shown who is still typing. */
export function faultsOfFilled({ byField }: FormFaults, values: object): FormFaults {
  const held = new Map(Object.entries(values));
  const filled = Object.entries(byField).filter(([name]) => !isEmpty(held.get(name)));
  return { byField: Object.fromEntries(filled), general: null };
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : typeof value === "string" && value.trim() === "";
}

/** `a.b.0` is in `a.b.0`, in `a.b` and in `a`. */
function outwards(field: string): string[] {
  const parts = field.split(".");
  return parts.map((_, index) => parts.slice(0, parts.length - index).join("."));
}

/** The server says "must have at least 10 characters"; below a field it becomes a full sentence. */
function sentence(message: string): string {
  const words = /^(is|has) /.test(message) ? `This ${message}` : message;
  const ending = /[.!?]$/.test(words) ? "" : ".";
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}${ending}`;
}
