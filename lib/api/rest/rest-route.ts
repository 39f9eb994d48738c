import { hash } from "node:crypto";
import type { z } from "zod";
import { admit, rateLimitHeaders } from "#lib/api/admission/admit";
import { errorResponse, toApiError } from "#lib/api/admission/error-response";
import { assertDeclaredSize, parseJsonBody, readBody } from "#lib/api/admission/read-body";
import type { KeyCaller, RequestContext } from "#lib/api/operations/define/caller";
import {
  authorizeKey,
  invoke,
  notePath,
  type Operation,
  type RestBinding,
} from "#lib/api/operations/define/define-operation";
import { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import { CORRELATION_ID_PATTERN } from "#lib/contract/run/run";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import { isStorableText } from "#lib/core/input/assert-storable";
import type { TakenRequest } from "#lib/domain/limits/take-request";
import { noteRequestId, requestTraceparent } from "#lib/platform/telemetry/telemetry";
import { uuidv7 } from "#lib/support/ids";

/** The prefix of every path of the runtime API (contract, Versioning). */
export const RUNTIME_PREFIX = "/api/v1/runtime";

/** @param params the path parameters, decoded */
export type RestHandler = (request: Request, params: Record<string, string>) => Promise<Response>;

/** Returns the handler of an operation's path under /api/v1/runtime. */
export function restRoute<Schema extends z.ZodObject, Output>(operation: Operation<Schema, Output>): RestHandler {
  const { rest } = operation;
  if (!rest) throw new Error(`${operation.name} has no REST binding`);
  return async (request, params) => {
    const { searchParams } = new URL(request.url);
    const take = rest.take?.bind(rest);
    return answerAdmitted(
      request,
      async ({ caller, context, body }) => {
        authorizeKey(operation, caller);
        const given = rest.method === "GET" ? readQuery(searchParams) : await readFields(rest, caller, params, body);
        try {
          const output = await invoke(operation, caller, { ...given, ...params }, context);
          return { status: context.answerStatus ?? rest.status ?? 200, output };
        } catch (error) {
          if (error instanceof ApiError && error.code === "BAD_REQUEST") await rest.assertTarget?.(caller, params);
          throw error;
        }
      },
      take && ((keyId, context) => take(keyId, { ...Object.fromEntries(searchParams), ...params }, context)),
    );
  };
}

/**
 * Answers a method that a path does not have: 405 with the allowed methods. OPTIONS returns them without a key.
 * @param bound the methods that the path has
 */
export async function answerOtherMethod(request: Request, bound: readonly string[]): Promise<Response> {
  const allow = [...bound, ...(bound.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
  if (request.method === "OPTIONS") {
    return new Response(null, {
      status: 204,
      headers: { allow, "cache-control": "no-store", "x-request-id": uuidv7() },
    });
  }
  return answerAdmitted(request, async ({ headers }) => {
    headers.set("allow", allow);
    throw new ApiError("METHOD_NOT_ALLOWED", `This path supports ${allow}.`);
  });
}

/** Answers any path under /api/v1/runtime that has no operation. Like every path, it requires the key first. */
export function unknownRoute(request: Request): Promise<Response> {
  return answerAdmitted(request, async () => {
    throw new ApiError("NOT_FOUND", "There is no such endpoint.");
  });
}

interface Admitted {
  caller: KeyCaller;
  context: RequestContext;
  /** Headers of the answer, whatever its status. */
  headers: Headers;
  body: Buffer;
}

/**
 * Does what is the same for all runtime requests, in the order of decisions, Runs: declared size, key, rate limit, body, then
 * `work`.
 * Every answer has a request id, and once the key is known also the headers of its window (contract, Limits).
 * @param take spends the request of a key in a way of its own
 */
export async function answerAdmitted(
  request: Request,
  work: (admitted: Admitted) => Promise<{ status: number; output: unknown }>,
  take?: (keyId: string, context: RequestContext) => Promise<TakenRequest>,
): Promise<Response> {
  const context = readContext(request.headers);
  const headers = new Headers({ "cache-control": "no-store", "x-request-id": context.requestId });
  if (context.correlationId && CORRELATION_ID_PATTERN.test(context.correlationId)) {
    headers.set("x-correlation-id", context.correlationId);
  }
  try {
    assertDeclaredSize(request);
    const { caller, window } = await admit(request.headers, take && ((keyId) => take(keyId, context)));
    for (const [name, value] of Object.entries(rateLimitHeaders(window))) headers.set(name, value);
    if (!window.isAllowed) throw new ApiError("RATE_LIMIT_EXCEEDED", "Rate limit exceeded");
    // Only now: a caller without a valid key cannot make this process hold a body.
    const body = await readBody(request);
    notePath(caller, new URL(request.url).pathname);
    const { status, output } = await work({ caller, context, headers, body });
    for (const [name, value] of Object.entries(context.answerHeaders ?? {})) headers.set(name, value);
    return request.method === "POST"
      ? Response.json(output, { status, headers })
      : conditionalResponse(output, { status, headers, knownTags: context.knownTags });
  } catch (thrown) {
    const error = toApiError(thrown, context.requestId);
    const response = errorResponse(error, headers);
    // Only a 429 has it (contract, Limits).
    if (error.status !== 429) response.headers.delete("retry-after");
    return response;
  }
}

function readContext(headers: Headers): RequestContext {
  const waitSeconds = readWait(headers);
  const knownTags = headers.get("if-none-match");
  const requestId = uuidv7();
  noteRequestId(requestId);
  return {
    requestId,
    findUnknownFields: null,
    ...readTracing(headers),
    ...(waitSeconds === null ? {} : { waitSeconds }),
    ...(knownTags === null ? {} : { knownTags }),
  };
}

/**
 * Reads the headers that correlate and trace a request. An invalid traceparent is ignored; the operation validates the
 * rest.
 */
export function readTracing(headers: Headers): Omit<RequestContext, "requestId" | "findUnknownFields"> {
  const correlationId = headers.get("x-correlation-id");
  const idempotencyKey = headers.get("idempotency-key");
  const traceparent = requestTraceparent(headers);
  return {
    ...(correlationId === null ? {} : { correlationId }),
    ...(idempotencyKey === null ? {} : { idempotencyKey }),
    ...(traceparent === null ? {} : { traceparent }),
  };
}

/**
 * Reads `Prefer: wait=N` (decisions, Reading runs), at most 25. A preference that cannot be read is ignored (RFC 7240).
 */
function readWait(headers: Headers): number | null {
  const wait = /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,6})"?\s*(?=$|[,;])/i.exec(headers.get("prefer") ?? "")?.[1];
  return wait === undefined ? null : Math.min(Number(wait), LIMITS.waitSecondsMax);
}

/**
 * @throws ApiError BAD_REQUEST for a parameter that is sent twice, because neither value is certain to be the intended
 * one
 */
function readQuery(searchParams: URLSearchParams): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, value] of searchParams) {
    if (Object.hasOwn(query, name)) throw new ApiError("BAD_REQUEST", `${name.slice(0, 100)}: sent more than once`);
    if (!isStorableText(value)) throw new ApiError("BAD_REQUEST", `${name.slice(0, 100)}: contains NUL`);
    Object.defineProperty(query, name, { value, enumerable: true });
  }
  return query;
}

/** Reads the fields of the body. If the body cannot be read, the path is checked first. */
async function readFields(
  rest: RestBinding,
  caller: KeyCaller,
  params: Record<string, string>,
  body: Buffer,
): Promise<JsonObject> {
  try {
    return parseJsonBody(body);
  } catch (error) {
    await rest.assertTarget?.(caller, params);
    throw error;
  }
}

interface ConditionalAnswer {
  status: number;
  headers: Headers;
  /** The entity tags that the caller knows, as `If-None-Match` has them. */
  knownTags: string | undefined;
}

/**
 * Creates the answer to a read. An operation that knows a tag before it reads has set it and the status; every other
 * answer is tagged by its body. A caller that knows the tag gets 304 without a body (RFC 9110, If-None-Match).
 */
function conditionalResponse(output: unknown, { status, headers, knownTags }: ConditionalAnswer): Response {
  if (status === 304) return new Response(null, { status, headers });
  const body = JSON.stringify(output);
  if (!headers.has("etag")) {
    const tag = `"${hash("sha1", body, "base64url")}"`;
    headers.set("etag", `W/${tag}`);
    if (knownTags?.includes(tag) || knownTags === "*") return new Response(null, { status: 304, headers });
  }
  headers.set("content-type", "application/json");
  return new Response(body, { status, headers });
}
