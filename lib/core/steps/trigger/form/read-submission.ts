import { z } from "zod";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { FormField } from "#lib/core/steps/trigger/form/form-config";
import type { TextFieldType } from "#lib/core/steps/trigger/form/form-fields";
import { setOwn } from "#lib/support/json";

const line = (max = 1_000) => z.string().max(max, `must be at most ${max} characters long`);
const numeral = z
  .string()
  .max(40, "must be a number")
  .transform((text) => Number(text.replace(",", ".")));

/** How a text that is not empty is read. The messages are ends of a sentence. */
const TEXTS: Record<TextFieldType, z.ZodType<unknown, string>> = {
  text: line(),
  long_text: line(20_000),
  email: line(254).pipe(z.email("must be an email address, such as ada@example.com")),
  url: line().pipe(z.url({ protocol: /^https?$/, error: "must be a web address, such as https://example.com" })),
  phone: line(40).regex(/^[\d\s()+./-]{3,}$/, "must be a phone number, such as +49 30 123456"),
  number: numeral.pipe(z.number("must be a number")),
  integer: numeral.pipe(z.int("must be a whole number")),
  date: line(10).pipe(z.iso.date("must be a date, such as 2026-03-31")),
};

/** The texts that a browser sent, by the name of the field. */
export type SentTexts = ReadonlyMap<string, readonly string[]>;

export interface Submission {
  /** The values of the fields; an empty text has none. */
  values: JsonObject;
  /** The end of a sentence for each field that cannot be read, in the order of the fields. */
  errors: ReadonlyMap<string, string>;
}

/** Groups the entries of a form body by their name. Entries with the names of no field are ignored later. */
export function gatherTexts(entries: Iterable<readonly [name: string, text: string]>): SentTexts {
  const texts = new Map<string, string[]>();
  for (const [name, text] of entries) texts.set(name, [...(texts.get(name) ?? []), text]);
  return texts;
}

/** Reads what was sent for the fields of a form, all of them, so that a person can correct everything at once. */
export function readSubmission(fields: readonly FormField[], texts: SentTexts): Submission {
  const values: JsonObject = {};
  const errors = new Map<string, string>();
  for (const field of fields) {
    const answer = readField(field, texts.get(field.name) ?? []);
    if (answer.error !== undefined) errors.set(field.name, answer.error);
    else if (answer.value !== undefined) setOwn(values, field.name, answer.value);
  }
  return { values, errors };
}

type Answer = { value?: unknown; error?: undefined } | { error: string };

function readField({ type, required, options }: FormField, texts: readonly string[]): Answer {
  const offered = options ?? [];
  switch (type) {
    case "checkbox":
      return required && texts.length === 0 ? { error: "must be checked" } : { value: texts.length > 0 };
    case "choices": {
      if (required && texts.length === 0) return { error: "is required" };
      const isOffered = texts.every((text) => offered.includes(text));
      return isOffered ? { value: offered.filter((option) => texts.includes(option)) } : { error: NOT_OFFERED };
    }
    case "choice": {
      const [text = ""] = texts;
      if (text === "") return required ? { error: "is required" } : {};
      return offered.includes(text) ? { value: text } : { error: NOT_OFFERED };
    }
    default:
      return readText(type, required, texts[0] ?? "");
  }
}

const NOT_OFFERED = "must be one of the options";

function readText(type: TextFieldType, isRequired: boolean, sent: string): Answer {
  // Browsers send the line breaks of a text as CRLF (HTML, Constructing the entry list).
  const text = sent.replaceAll("\r\n", "\n").trim();
  if (text === "") return isRequired ? { error: "is required" } : {};
  const { success, data, error } = TEXTS[type].safeParse(text);
  return success ? { value: data } : { error: error.issues[0]?.message ?? "is not valid" };
}
