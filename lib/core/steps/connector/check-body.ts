import type { JsonObject, PropertyType } from "#lib/contract/wire/json-schema";
import { bodyFormOf, describeBodyMisfit, describeTextMisfit, readBodyType } from "#lib/core/steps/connector/body-type";
import type { ValueMisfit } from "#lib/core/steps/define-step-kind";
import { isJsonObject } from "#lib/support/json";

const FIELD = "params.body";

/** Finds a body that the content type of an HTTP request can't hold, whatever the values of its expressions are. */
export function checkBody(
  { connector, params }: JsonObject,
  typeOf: (template: unknown) => PropertyType | null,
): ValueMisfit[] {
  if (connector !== "http" || !isJsonObject(params)) return [];
  const { headers, body } = params;
  const given = isJsonObject(headers) ? Object.entries(headers) : [];
  const header = given.findLast(([name, value]) => name.trim().toLowerCase() === "content-type" && value !== null)?.[1];
  if (typeof header !== "string" || header.includes("{{")) return [];
  if (body === undefined || body === null || body === "") return [];
  const type = readBodyType(header);
  const message = isLiteralText(body) ? describeLiteral(type, body) : describeValue(type, body, typeOf(body));
  return message === null ? [] : [{ field: FIELD, message }];
}

type Type = ReturnType<typeof readBodyType>;

function isLiteralText(body: unknown): body is string {
  return typeof body === "string" && !body.includes("{{");
}

function describeLiteral(type: Type, text: string): string | null {
  return describeBodyMisfit(type, "string") ?? describeTextMisfit(type, text);
}

function describeValue(type: Type, body: unknown, kind: PropertyType | null): string | null {
  // An object can be a file, and an expression that is a text can be empty: no body at all.
  if (kind === null || (kind === "object" && bodyFormOf(type) === "bytes")) return null;
  return kind === "string" && typeof body === "string" ? null : describeBodyMisfit(type, kind);
}
