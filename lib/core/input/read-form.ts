import { ApiError } from "#lib/contract/api-error";
import type { JsonObject } from "#lib/contract/json-schema";
import { LIMITS } from "#lib/contract/limits";
import { parseJson } from "#lib/core/input/parse-json";
import { isJsonObject, setOwn } from "#lib/support/json";

const SHOWN_CHARACTERS = 100;
const FORM = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i;

export function isForm(headers: Headers): boolean {
  return FORM.test(headers.get("content-type") ?? "");
}

/**
 * Reads a form body as an object (decisions, Inbound webhooks: body). A name that is repeated gives a list, and brackets
 * give an object: `data[email]` is `{data: {email}}`. A form with the single field `payload` that contains JSON is that
 * JSON, as GitHub and Slack send it. JSON that is called a form is JSON: curl sends it so by default.
 * @throws ApiError BAD_REQUEST for JSON that cannot be read and names that contradict each other, PAYLOAD_TOO_LARGE for
 * too many fields
 */
export function readForm(bytes: Uint8Array): unknown {
  if (isJson(bytes)) return parseJson(bytes);
  const fields = readFields(bytes);
  if (!fields) throw new ApiError("PAYLOAD_TOO_LARGE", `The form has more than ${LIMITS.formFields} fields.`);
  const [first] = fields;
  if (first?.[0] === "payload" && fields.length === 1 && /^\s*[{[]/.test(first[1])) {
    return parseJson(new TextEncoder().encode(first[1]));
  }
  const form: JsonObject = {};
  for (const [name, value] of fields) addField(form, pathOf(name), value);
  return form;
}

/** Returns the names and values of a form in their order; null if there are too many. */
export function readFields(bytes: Uint8Array): [name: string, value: string][] | null {
  const text = new TextDecoder().decode(bytes);
  const isTooLarge = text.split("&", LIMITS.formFields + 1).length > LIMITS.formFields;
  return isTooLarge ? null : [...new URLSearchParams(text)];
}

/** A form has no braces, brackets or quotes where JSON starts, and a name without a value is no form that a sender sends. */
function isJson(bytes: Uint8Array): boolean {
  const start = new TextDecoder().decode(bytes.subarray(0, SHOWN_CHARACTERS)).trim();
  return /^[{["]/.test(start) || /^(?:true|false|null|-?\d[\d.eE+-]*)$/.test(start);
}

/** `a[b][c]` as `a`, `b`, `c`; `a[]` as `a`. A name with other brackets is one name. */
function pathOf(name: string): string[] {
  const parts = /^([^[\]]+)((?:\[[^[\]]*\]){1,5})$/.exec(name);
  if (!parts) return [name];
  const inner = [...(parts[2] ?? "").matchAll(/\[([^[\]]*)\]/g)].map(([, key = ""]) => key);
  return [parts[1] ?? name, ...inner.filter((key) => key !== "")];
}

function addField(form: JsonObject, path: string[], value: string): void {
  let owner = form;
  for (const key of path.slice(0, -1)) {
    const next = Object.hasOwn(owner, key) ? owner[key] : {};
    if (!isJsonObject(next)) throw contradiction(path);
    setOwn(owner, key, next);
    owner = next;
  }
  const last = path.at(-1) ?? "";
  const before = Object.hasOwn(owner, last) ? owner[last] : undefined;
  if (isJsonObject(before)) throw contradiction(path);
  if (Array.isArray(before)) before.push(value);
  else setOwn(owner, last, before === undefined ? value : [before, value]);
}

function contradiction(path: string[]): ApiError {
  const name = path.join(".").slice(0, SHOWN_CHARACTERS);
  return new ApiError("BAD_REQUEST", `The form field ${name} is both a value and an object.`);
}
