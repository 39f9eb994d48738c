import type { FieldError } from "#lib/contract/api-error";

/** What is wrong with a form: words per field, and words for what belongs to none of them. */
export interface FormFaults {
  byField: Record<string, string>;
  general: string | null;
}

interface Naming {
  /** The form's fields, dotted. */
  names: readonly string[];
  /** The form's field of an input's field, if the two have different names. */
  fields: Readonly<Record<string, string>>;
}

/** Sorts faults of an operation's input to the fields of its form. The first fault of a field is shown. */
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

/** `a.b.0` is in `a.b.0`, in `a.b` and in `a`. */
function outwards(field: string): string[] {
  const parts = field.split(".");
  return parts.map((_, index) => parts.slice(0, parts.length - index).join("."));
}

/** The server says "must have at least 10 characters"; under a field that reads as a sentence of its own. */
function sentence(message: string): string {
  const words = /^(is|has) /.test(message) ? `This ${message}` : message;
  const ending = /[.!?]$/.test(words) ? "" : ".";
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}${ending}`;
}
