import type { RestAnswers } from "#lib/api/operations/define/define-operation";
import { LIMITS } from "#lib/contract/limits";
import type { OpenApiHeader, OpenApiParameter } from "#lib/contract/openapi/openapi";
import { CORRELATION_ID_PATTERN, IDEMPOTENCY_KEY_PATTERN } from "#lib/contract/run/run";

const integer = { type: "integer", minimum: 0 };

/** Headers of answers. If an answer may lack a header, the answer says so itself. */
export const ANSWER_HEADERS = {
  "x-request-id": {
    description: "Identifies this answer in our log.",
    required: true,
    schema: { type: "string", format: "uuid" },
    example: "0199b7c2-4f6e-7c3a-9a51-3f2b8e7d1c04",
  },
  "x-ratelimit-limit": {
    description: `Requests the key can send in ${LIMITS.rateWindowSeconds} seconds, REST and MCP together.`,
    required: true,
    schema: integer,
    example: 300,
  },
  "x-ratelimit-remaining": {
    description: "Requests left in the current window.",
    required: true,
    schema: integer,
    example: 299,
  },
  "x-ratelimit-reset": {
    description: "Unix time, in seconds, when the oldest counted request leaves the window.",
    required: true,
    schema: integer,
    example: 1_767_225_660,
  },
  "retry-after": {
    description: "Seconds to wait before you send the request again.",
    required: true,
    schema: integer,
    example: 12,
  },
  "www-authenticate": {
    description: "The only supported scheme.",
    required: true,
    schema: { type: "string", const: "Bearer" },
    example: "Bearer",
  },
  "x-correlation-id": {
    description: "The correlation id of the run, or the one you sent if the answer has no run.",
    required: true,
    schema: { type: "string" },
    example: "order-1017",
  },
  "idempotent-replayed": {
    description: "This response repeats the first response to the Idempotency-Key.",
    required: true,
    schema: { type: "string", const: "true" },
    example: "true",
  },
  etag: {
    description: "Changes whenever the answer does. Send it as If-None-Match to read only what changed.",
    required: true,
    schema: { type: "string" },
    example: 'W/"5b0a1f6c92d4e837"',
  },
  "preference-applied": {
    description: "The wait that the server applied.",
    required: true,
    schema: { type: "string" },
    example: "wait=25",
  },
} satisfies Record<string, OpenApiHeader>;
export type AnswerHeader = keyof typeof ANSWER_HEADERS;

/** Returns the headers that an answer always has, by reference, and the optional ones, written out. */
export function describeHeaders(
  always: readonly AnswerHeader[],
  sometimes: readonly AnswerHeader[] = [],
): Record<string, OpenApiHeader | { $ref: string }> {
  return Object.fromEntries([
    ...always.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
    ...sometimes.map((name) => [name, { ...ANSWER_HEADERS[name], required: false }]),
  ]);
}

type RequestHeader = NonNullable<RestAnswers["headers"]>[number] | "if-none-match" | "x-correlation-id";

const REQUEST_HEADERS: Record<RequestHeader, Pick<OpenApiParameter, "name" | "description" | "schema" | "example">> = {
  "idempotency-key": {
    name: "Idempotency-Key",
    description: `Visible ASCII. Repeated calls with the same key and payload within ${LIMITS.idempotencyKeyHours} hours create only one run.`,
    schema: { type: "string", pattern: IDEMPOTENCY_KEY_PATTERN.source },
    example: "order-1017-invoice",
  },
  prefer: {
    name: "Prefer",
    description: `wait=N delays the answer for up to N seconds (at most ${LIMITS.waitSecondsMax}), until the run has ended or waits for approval.`,
    schema: { type: "string" },
    example: "wait=25",
  },
  "if-none-match": {
    name: "If-None-Match",
    description: "The ETag of an earlier answer. If nothing has changed since, the answer is 304 without a body.",
    schema: { type: "string" },
    example: 'W/"5b0a1f6c92d4e837"',
  },
  traceparent: {
    name: "traceparent",
    description: "W3C Trace Context. The run's outgoing calls pass it on.",
    schema: { type: "string" },
    example: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
  },
  "x-correlation-id": {
    name: "x-correlation-id",
    description: "Your own reference. It is stored on a run that the call creates and returned with the answer.",
    schema: { type: "string", pattern: CORRELATION_ID_PATTERN.source },
    example: "order-1017",
  },
};

export function describeRequestHeaders(names: readonly RequestHeader[]): OpenApiParameter[] {
  return names.map((name) => ({ ...REQUEST_HEADERS[name], in: "header", required: false }));
}
