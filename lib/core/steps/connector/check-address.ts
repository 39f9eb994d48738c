import type { JsonObject } from "#lib/contract/json-schema";
import type { ValueMisfit } from "#lib/core/steps/define-step-kind";
import { isJsonObject } from "#lib/support/json";

const FIELD = "params.url";
const SCHEMES = ["https://", "http://"];

/** Finds a URL that can't be called, whatever its expressions are: one that does not start with http:// or https://. */
export function checkAddress({ connector, params }: JsonObject): ValueMisfit[] {
  if (connector !== "http" || !isJsonObject(params) || typeof params.url !== "string") return [];
  const start = (params.url.split("{{")[0] ?? "").trim().toLowerCase();
  const isOpen = params.url.includes("{{");
  if (start === "" || SCHEMES.some((scheme) => start.startsWith(scheme) || (isOpen && scheme.startsWith(start))))
    return [];
  return [{ field: FIELD, message: "must start with https:// or http://" }];
}
