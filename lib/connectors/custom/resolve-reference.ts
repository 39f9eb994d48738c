import { BuildRefused, below } from "#lib/connectors/custom/custom-definition";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { getPath } from "#lib/support/get-path";
import { isJsonObject } from "#lib/support/json";

const REFERENCES_MAX = 20;

/**
 * Follows `$ref` until it reaches something else.
 * @throws BuildRefused for references to other documents, to nothing and in circles
 */
export function resolveReference(document: JsonObject, value: unknown, pointer: string): unknown {
  let current = value;
  for (let hop = 0; isJsonObject(current) && typeof current.$ref === "string"; hop += 1) {
    const { $ref: reference } = current;
    const at = below(pointer, "$ref");
    if (!reference.startsWith("#")) {
      const message = `The reference points to another document (${reference.slice(0, 100)}). Put everything into one document.`;
      throw new BuildRefused(at, "external_reference", message);
    }
    if (hop === REFERENCES_MAX) {
      const message = `The reference leads to itself, or through more than ${REFERENCES_MAX} others.`;
      throw new BuildRefused(at, "circular_reference", message);
    }
    current = isPointer(reference) ? getPath(document, pathOf(reference)) : findAnchor(document, reference.slice(1));
    if (current === null) {
      const message = `The reference points to ${reference.slice(0, 200)}, which does not exist.`;
      throw new BuildRefused(at, "unknown_reference", message);
    }
  }
  return current;
}

function isPointer(reference: string): boolean {
  return reference === "#" || reference.startsWith("#/");
}

const anchors = new WeakMap<JsonObject, ReadonlyMap<string, unknown>>();

/** Finds the schema with a `$anchor` or `$dynamicAnchor`. The whole document is searched once, when it has one. */
function findAnchor(document: JsonObject, name: string): unknown {
  const known = anchors.get(document) ?? listAnchors(document);
  anchors.set(document, known);
  return known.get(name) ?? null;
}

function listAnchors(document: JsonObject): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  const seen = new Set<unknown>();
  const open: unknown[] = [document];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null || seen.has(next)) continue;
    seen.add(next);
    for (const key of ["$anchor", "$dynamicAnchor"]) {
      const name = getPath(next, [key]);
      if (typeof name === "string" && !found.has(name)) found.set(name, next);
    }
    open.push(...Object.values(next).reverse());
  }
  return found;
}

function pathOf(reference: string): string[] {
  const names = reference.split("/").slice(1);
  return names.map((name) => decode(name).replaceAll("~1", "/").replaceAll("~0", "~"));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
