import type { JsonObject } from "#lib/contract/wire/json-schema";
import { setOwn } from "#lib/support/json";

const DEPTH_MAX = 12;
/** More fields than any real form has: fifty leads with all their fields are ten thousand. */
const FIELDS_MAX = 50_000;

/**
 * Parses a form with names such as `leads[add][0][id]`, which some services use for their events, into nested objects.
 * A level with the names 0, 1, 2, … becomes an array. Every value is a string.
 */
export function parseForm(body: Buffer): JsonObject {
  const root: JsonObject = {};
  let fields = 0;
  for (const [name, value] of new URLSearchParams(body.toString("utf8"))) {
    fields += 1;
    if (fields > FIELDS_MAX) break;
    const [first = "", ...rest] = name.split("[");
    const path = [first, ...rest.map((part) => part.replace(/\]$/, ""))].slice(0, DEPTH_MAX);
    put(root, path, value);
  }
  return arranged(root) as JsonObject;
}

function put(target: JsonObject, path: readonly string[], value: string): void {
  let level = target;
  for (const name of path.slice(0, -1)) {
    const known = Object.hasOwn(level, name) ? level[name] : undefined;
    const next = isLevel(known) ? known : {};
    setOwn(level, name, next);
    level = next;
  }
  const last = path.at(-1) ?? "";
  // `ids[]=1&ids[]=2`
  setOwn(level, last === "" ? String(Object.keys(level).length) : last, value);
}

function isLevel(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null;
}

function arranged(value: unknown): unknown {
  if (!isLevel(value)) return value;
  const entries = Object.entries(value).map(([name, item]) => [name, arranged(item)] as const);
  if (entries.length > 0 && entries.every(([name], index) => name === String(index)))
    return entries.map(([, item]) => item);
  const result: JsonObject = {};
  for (const [name, item] of entries) setOwn(result, name, item);
  return result;
}
