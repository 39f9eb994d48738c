import type { OutgoingResponse } from "#lib/core/engine/outgoing-request";
import { getPath } from "#lib/support/get-path";
import { isJsonObject } from "#lib/support/json";
import { parseBoundedJson } from "#lib/support/scan-json";

const CHARACTERS = 300;
/** Field errors that are worth reading in one sentence. */
const FIELDS_MAX = 3;

/** Where APIs put the message for a person, the most specific place first. */
const PLACES: readonly (readonly (string | number)[])[] = [
  ["error", "message"],
  ["error", "detail"],
  ["error", "error_description"],
  ["error", "error_msg"],
  ["error", "msg"],
  ["error_description"],
  ["errors", 0, "detail"],
  ["errors", 0, "message"],
  ["errors", 0, "title"],
  ["errors", 0],
  ["errorMessages", 0],
  ["detail"],
  ["detail", 0, "msg"],
  ["fault", "faultstring"],
  ["error_message"],
  ["errorMessage"],
  ["error_msg"],
  ["errmsg"],
  ["base_resp", "status_msg"],
  ["Fault", "Error", 0, "Detail"],
  ["Fault", "Error", 0, "Message"],
];
/** General names, which say less where one of the places above has words, too. */
const GENERAL: readonly (readonly string[])[] = [["message"], ["error"], ["title"], ["msg"], ["reason"], ["Message"]];

/**
 * Returns the service's own error message, if its response contains one: JSON in a form that many APIs use, such as
 * `error.message`, `errors[0].detail` or the detail of application/problem+json (RFC 9457).
 */
export function errorWords(response: Pick<OutgoingResponse, "body">): string | undefined {
  try {
    const body = parseBoundedJson(response.body.toString("utf8").replace(/^\uFEFF/, ""));
    const given = Array.isArray(body) ? body[0] : body;
    const words = wordsAt(given, PLACES) ?? fieldWords(given) ?? wordsAt(given, GENERAL);
    return words?.replace(/\s+/g, " ").trim().slice(0, CHARACTERS);
  } catch {
    return undefined;
  }
}

function wordsAt(body: unknown, places: readonly (readonly (string | number)[])[]): string | undefined {
  for (const place of places) {
    const value = getPath(body, place);
    if (typeof value === "string" && value.trim() !== "") return value;
  }
  return undefined;
}

/** `{ errors: { email: ["is invalid"] } }` */
function fieldWords(body: unknown): string | undefined {
  const errors = getPath(body, ["errors"]);
  if (!isJsonObject(errors)) return undefined;
  const words = Object.entries(errors).flatMap(([field, value]) => {
    const first: unknown = Array.isArray(value) ? value[0] : value;
    return typeof first === "string" ? [`${field}: ${first}`] : [];
  });
  return words.length === 0 ? undefined : words.slice(0, FIELDS_MAX).join("; ");
}
