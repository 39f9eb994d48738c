import { parameterKey } from "#lib/connectors/custom/read-parameters";
import type { CustomAuth } from "#lib/contract/connector/connector";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { getPath } from "#lib/support/get-path";
import { isJsonObject } from "#lib/support/json";

/**
 * Returns the parameters that the connection sends, as `parameterKey` spells them: many documents declare the header of an
 * API key as a parameter, too, and no step should ask for it again.
 */
export function sentByConnection(document: JsonObject, auth: CustomAuth): ReadonlySet<string> {
  const keys = listRequiredKeys(document);
  if (auth === "api_key") return new Set(keys.slice(0, 1));
  return new Set(auth === "api_keys" ? keys : []);
}

/** Returns the first security requirement that asks for something: an empty one only says that the others are optional. */
export function requirementOf(document: JsonObject): JsonObject | null {
  const { security } = document;
  const requirements = (Array.isArray(security) ? security : []).filter(isJsonObject);
  return requirements.find((requirement) => Object.keys(requirement).length > 0) ?? null;
}

/** Returns the API keys that a call needs together: those that the document requires, or all that it defines. */
export function listRequiredKeys(document: JsonObject): string[] {
  const schemes = getPath(document, ["components", "securitySchemes"]);
  const required = requirementOf(document);
  if (!isJsonObject(schemes)) return [];
  return Object.keys(required ?? schemes).flatMap((name) => {
    const scheme = getPath(schemes, [name]);
    const isKey = isJsonObject(scheme) && scheme.type === "apiKey" && typeof scheme.name === "string";
    return isKey ? [parameterKey(scheme.in, String(scheme.name))] : [];
  });
}
