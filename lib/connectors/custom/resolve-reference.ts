import { BuildRefused, below } from "#lib/connectors/custom/custom-definition";
import type { JsonObject } from "#lib/contract/json-schema";
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
    current = getPath(document, pathOf(reference));
    if (current === null) {
      const message = `The reference points to ${reference.slice(0, 200)}, which does not exist.`;
      throw new BuildRefused(at, "unknown_reference", message);
    }
  }
  return current;
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
