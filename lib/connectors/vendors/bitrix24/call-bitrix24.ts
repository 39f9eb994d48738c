import { z } from "zod";
import { answerOf } from "#lib/connectors/sdk/answer-of";
import { sendToService } from "#lib/connectors/sdk/call-service";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import { waitInBody } from "#lib/connectors/sdk/limit-signs";
import { parseResponseBody } from "#lib/connectors/sdk/parse-response-body";
import { statusError } from "#lib/connectors/sdk/status-error";
import { detailsOf, StepError } from "#lib/contract/run/step-error";
import { AnsweredError } from "#lib/core/engine/answered-error";
import type { OutgoingResponse } from "#lib/core/engine/outgoing-request";
import { isJsonObject } from "#lib/support/json";

const WORDS_CHARACTERS = 300;
/** The request limit recovers at two requests per second. */
const LIMIT_RETRY_MS = 1_000;

/** https://apidocs.bitrix24.com/error-codes.html: error codes that any method can return. */
const EXPIRED: ReadonlySet<string> = new Set([
  "expired_token",
  "invalid_token",
  "NO_AUTH_FOUND",
  "authorization_error",
]);
const LIMITED: ReadonlySet<string> = new Set(["QUERY_LIMIT_EXCEEDED", "OPERATION_TIME_LIMIT"]);

/** Methods of REST 3.0 are below this path. */
export const V3 = "/api";

const answer = z.object({
  result: z.unknown(),
  /** The `start` of the next page. */
  next: z.number().nullish(),
  total: z.number().nullish(),
});
const failure = z.union([
  z.object({ error: z.union([z.string(), z.number()]).transform(String), error_description: z.string().nullish() }),
  // https://apidocs.bitrix24.com/api-reference/rest-v3.html
  z
    .object({ error: z.object({ code: z.string(), message: z.string().nullish() }) })
    .transform(({ error }) => ({ error: error.code, error_description: error.message })),
]);

/**
 * Calls one method of the REST API. The connection adds the credentials.
 * @param isV3 true for a method of REST 3.0
 * @throws StepError by Bitrix24's error code, with its message
 */
export async function callBitrix24(
  service: ServiceContext,
  method: string,
  params: object = {},
  { isV3 = false }: { isV3?: boolean } = {},
): Promise<z.output<typeof answer>> {
  const response = await sendToService(service, {
    method: "POST",
    path: isV3 ? `${V3}/${method}` : `/${method}`,
    json: params,
    readError: (given, host) => readError(given, host, service.now()),
  });
  const parsed = answer.safeParse(parseResponseBody(response));
  if (parsed.success && isNothingDone(parsed.data.result)) {
    const { host } = new URL(service.settings.base_url ?? "https://bitrix24");
    throw new AnsweredError(
      "service_refused",
      `${host} did nothing and gave no reason (${method})`,
      answerOf(response),
    );
  }
  if (parsed.success) return parsed.data;
  throw new StepError("answer_unreadable", "The response can't be read: it does not match the Bitrix24 REST API");
}

/** Reads a failure, which can come with any status, even 200. The error code identifies it. */
function readError(response: OutgoingResponse, host: string, now: Date): StepError | null {
  const told = failure.safeParse(safeBody(response)).data;
  if (!told) return response.status < 400 ? null : statusError(host, response, now);
  const { error: code, error_description: description } = told;
  const words = [code, description]
    .filter((part) => part)
    .join(": ")
    .slice(0, WORDS_CHARACTERS);
  const answered = answerOf(response);
  if (EXPIRED.has(code)) {
    return new AnsweredError("AUTH_EXPIRED", `${host} does not accept the credentials (${words})`, answered);
  }
  const byStatus = response.status < 400 ? null : statusError(host, response, now, words);
  if (LIMITED.has(code)) {
    const asked = byStatus?.retryAfterMs ?? waitInBody(response, now) ?? undefined;
    const retryAfterMs = asked ?? (code === "QUERY_LIMIT_EXCEEDED" ? LIMIT_RETRY_MS : undefined);
    return new AnsweredError("RATE_LIMITED", `${host}: ${words}`, detailsOf({ ...answered, retryAfterMs }));
  }
  return byStatus ?? new AnsweredError("VALIDATION_ERROR", `${host}: ${words}`, answered);
}

/** `false` in place of a result, or in its wrapper such as `{ "task": false }`, means that the method changed nothing. */
function isNothingDone(result: unknown): boolean {
  if (result === false) return true;
  const values = isJsonObject(result) ? Object.values(result) : [];
  return values.length === 1 && values[0] === false;
}

function safeBody(response: OutgoingResponse): unknown {
  try {
    return parseResponseBody(response);
  } catch {
    return null;
  }
}
