import { RATE_HEADERS } from "#lib/api/admission/admit";
import { type AnswerHeader, describeHeaders } from "#lib/api/openapi/openapi-headers";
import { schemaRef } from "#lib/api/openapi/openapi-schemas";
import type { RestBinding } from "#lib/api/operations/define/define-operation";
import { API_ERROR_STATUS } from "#lib/contract/error/api-error";
import { reasonOfCode } from "#lib/contract/error/error-reasons";
import { API_ERROR_MEANINGS, type RuntimeErrorCode } from "#lib/contract/openapi/api-error-meanings";
import type { OpenApiResponse } from "#lib/contract/openapi/openapi";
import { ERROR_SCHEMAS } from "#lib/contract/openapi/wire-errors";
import type { JsonObject } from "#lib/contract/wire/json-schema";

/** Errors that any request can get, whatever the operation (decisions, Runs: order of checks). */
export const COMMON_ERRORS: readonly RuntimeErrorCode[] = [
  "UNAUTHORIZED",
  "RATE_LIMIT_EXCEEDED",
  "INTERNAL_ERROR",
  "SERVICE_UNAVAILABLE",
];

/**
 * Returns every code an operation can answer over REST: the common codes, those its path and method imply, and those it
 * declares.
 */
export function errorCodesOf(rest: RestBinding): RuntimeErrorCode[] {
  const codes: RuntimeErrorCode[] = [...COMMON_ERRORS, "BAD_REQUEST", "FORBIDDEN", ...(rest.answers.errors ?? [])];
  if (rest.method === "POST") codes.push("PAYLOAD_TOO_LARGE");
  if (rest.path.includes(":slug")) codes.push("ACTION_NOT_FOUND");
  if (rest.path.includes(":run_id")) codes.push("RUN_NOT_FOUND");
  return codes;
}

/** Describes one response per status. If it has several codes, the body distinguishes them by `code`. */
export function describeErrors(codes: readonly RuntimeErrorCode[]): Record<string, OpenApiResponse> {
  const statuses = [...new Set(codes.map((code) => API_ERROR_STATUS[code]))].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const own = Object.keys(API_ERROR_MEANINGS).filter(
        (code): code is RuntimeErrorCode =>
          codes.includes(code as RuntimeErrorCode) && API_ERROR_STATUS[code as RuntimeErrorCode] === status,
      );
      return [String(status), describeStatus(status, own)];
    }),
  );
}

function describeStatus(status: number, codes: readonly RuntimeErrorCode[]): OpenApiResponse {
  const [first, ...others] = codes.map((code) => schemaRef(ERROR_SCHEMAS[code]));
  const schema: JsonObject =
    first !== undefined && others.length === 0
      ? first
      : {
          oneOf: [first, ...others],
          discriminator: {
            propertyName: "code",
            mapping: Object.fromEntries(codes.map((code) => [code, schemaRef(ERROR_SCHEMAS[code]).$ref])),
          },
        };
  return {
    description: codes.map((code) => `\`${code}\`: ${API_ERROR_MEANINGS[code].when}`).join("\n\n"),
    headers: headersOf(status),
    content: {
      "application/json": {
        schema,
        examples: Object.fromEntries(codes.map((code) => [code, { summary: code, value: exampleOf(code) }])),
      },
    },
  };
}

function exampleOf(code: RuntimeErrorCode): JsonObject {
  const { error, ...details } = API_ERROR_MEANINGS[code].example;
  return { error, code, reason: reasonOfCode(code), ...details };
}

/**
 * Before the key is known there is no window to report. A server error, a body that is too large and a 429 can happen
 * before or after that.
 */
function headersOf(status: number): OpenApiResponse["headers"] {
  const always: AnswerHeader[] = ["x-request-id"];
  const sometimes: AnswerHeader[] = ["x-correlation-id"];
  if (status >= 500 || status === 413 || status === 429) sometimes.push(...RATE_HEADERS);
  else if (status !== 401) always.push(...RATE_HEADERS);
  if (status === 401) always.push("www-authenticate");
  if (status === 429) always.push("retry-after");
  return describeHeaders(always, sometimes);
}
