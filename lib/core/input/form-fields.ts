import { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { setOwn } from "#lib/support/json";

const SHOWN_CHARACTERS = 100;

/** The values of one name, or the fields below it. */
type Node = unknown[] | Fields;
interface Fields extends Map<string, Node> {}

/**
 * Builds the object of a form (decisions, Inbound webhooks: names in a form). A name that is repeated gives a list, and
 * brackets give an object: `data[email]` is `{data: {email}}`.
 * @throws ApiError BAD_REQUEST for names that contradict each other
 */
export function formObject(fields: Iterable<readonly [name: string, value: unknown]>): JsonObject {
  const form: Fields = new Map();
  for (const [name, value] of fields) addField(form, pathOf(name), value);
  return objectOf(form);
}

export function tooManyFields(): ApiError {
  return new ApiError("PAYLOAD_TOO_LARGE", `The form has more than ${LIMITS.formFields} fields.`);
}

/** `a[b][c]` as `a`, `b`, `c`; `a[]` as `a`. A name with other brackets is one name. */
function pathOf(name: string): string[] {
  const parts = /^([^[\]]+)((?:\[[^[\]]*\]){1,5})$/.exec(name);
  if (!parts) return [name];
  const inner = [...(parts[2] ?? "").matchAll(/\[([^[\]]*)\]/g)].map(([, key = ""]) => key);
  return [parts[1] ?? name, ...inner.filter((key) => key !== "")];
}

function addField(form: Fields, path: string[], value: unknown): void {
  let owner = form;
  for (const key of path.slice(0, -1)) {
    const next: Node = owner.get(key) ?? new Map();
    if (Array.isArray(next)) throw contradiction(path);
    owner.set(key, next);
    owner = next;
  }
  const last = path.at(-1) ?? "";
  const before = owner.get(last) ?? [];
  if (!Array.isArray(before)) throw contradiction(path);
  before.push(value);
  owner.set(last, before);
}

function objectOf(fields: Fields): JsonObject {
  const object: JsonObject = {};
  for (const [name, node] of fields) {
    setOwn(object, name, Array.isArray(node) ? (node.length === 1 ? node[0] : node) : objectOf(node));
  }
  return object;
}

function contradiction(path: string[]): ApiError {
  const name = path.join(".").slice(0, SHOWN_CHARACTERS);
  return new ApiError("BAD_REQUEST", `The form field ${name} is both a value and an object.`);
}
