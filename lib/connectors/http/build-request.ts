import { validateHeaderName, validateHeaderValue } from "node:http";
import { z } from "zod";
import { writeHttpBody } from "#lib/connectors/http/body/write-http-body";
import { writtenAs } from "#lib/contract/action/field-places";
import { LIMITS } from "#lib/contract/limits";
import { StepError } from "#lib/contract/run/step-error";
import type { OutgoingRequest } from "#lib/core/engine/outgoing-request";
import type { OperationContext } from "#lib/core/engine/ports";
import { parseGiven } from "#lib/support/leave-out-nulls";
import { numeric } from "#lib/support/numbers/numeric";
import { appendQuery, encodePair } from "#lib/support/urls/url-query";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] as const;
const USER_AGENT = "signalbox";

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()], "must be text, a number or a boolean");

export const httpParamsSchema = z.object({
  method: z
    .string()
    .transform((method) => method.trim().toUpperCase())
    .pipe(z.enum(METHODS, `must be one of ${METHODS.join(", ")}`))
    .default("GET")
    .meta({ enum: [...METHODS], description: "GET by default." }),
  url: z.string("must be text").trim().min(1, "is required").meta(writtenAs("url")),
  headers: z.record(z.string(), scalar).nullish(),
  query: z.record(z.string(), z.union([scalar, z.array(scalar)])).nullish(),
  body: z.unknown().optional(),
  timeout_ms: numeric(z.number().int().min(1).max(LIMITS.stepTimeoutMs)).optional(),
});
export type HttpParams = z.output<typeof httpParamsSchema>;

/** Headers that belong to the connection, or could send the request somewhere other than its URL says. */
export const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** @throws StepError VALIDATION_ERROR naming the parameter */
export function parseParams(params: unknown): HttpParams {
  const parsed = parseGiven(httpParamsSchema, params);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new StepError("VALIDATION_ERROR", `${issue?.path.join(".") || "params"}: ${issue?.message}`);
}

/**
 * Builds a request. The body is written as the content-type header says; without one, an object or array is sent as JSON
 * and text as it is. Headers that the workflow sets override ours.
 * @throws StepError VALIDATION_ERROR naming the parameter
 */
export function buildRequest(params: HttpParams, context: OperationContext): Omit<OutgoingRequest, "signal"> {
  const { method, body } = params;
  const url = urlWithQuery(params.url, params.query ?? {});
  const headers = { ...baseHeaders(context), ...ownHeaders(params.headers ?? {}, "headers") };
  if (body === undefined || body === null || body === "") return { method, url, headers };
  const written = writeHttpBody(headers["content-type"], body, context.idempotencyKey);
  const typed = written.type === null ? headers : { ...headers, "content-type": written.type };
  return { method, url, headers: typed, body: written.body };
}

/** The headers of every request of a step, unless the request sets them. */
export function baseHeaders({ idempotencyKey, traceparent }: OperationContext): Record<string, string> {
  return {
    accept: "application/json, text/*;q=0.9, */*;q=0.5",
    "user-agent": USER_AGENT,
    "idempotency-key": idempotencyKey,
    traceparent,
  };
}

/**
 * Returns the headers that the workflow sets, with lowercase names.
 * @param group the name of the headers in the params, for errors
 * @throws StepError VALIDATION_ERROR naming the header
 */
export function ownHeaders(
  given: Readonly<Record<string, string | number | boolean | null>>,
  group: string,
): Record<string, string> {
  const headers: [string, string][] = [];
  for (const [rawName, rawValue] of Object.entries(given)) {
    if (rawValue === null) continue;
    const name = rawName.trim().toLowerCase();
    const value = String(rawValue).trim();
    if (RESERVED_HEADERS.has(name)) throw new StepError("VALIDATION_ERROR", `${group}.${name} can't be set`);
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch (cause) {
      throw new StepError("VALIDATION_ERROR", `${group}.${rawName} is not a valid HTTP header`, { cause });
    }
    headers.push([name, value]);
  }
  return Object.fromEntries(headers);
}

/** A URL that cannot be parsed passes, too: the guard rejects it with the same message for every connector. */
function urlWithQuery(url: string, query: NonNullable<HttpParams["query"]>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    const items = Array.isArray(value) ? value : [value];
    return items.flatMap((item) => (item === null ? [] : [encodePair(name, String(item))]));
  });
  return appendQuery(url, pairs.join("&"));
}
