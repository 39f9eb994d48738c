import { z } from "zod";
import { answerOf } from "#lib/connectors/sdk/answer-of";
import { type ServiceRequest, sendToService } from "#lib/connectors/sdk/call-service";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import { parseResponseBody } from "#lib/connectors/sdk/parse-response-body";
import { statusError } from "#lib/connectors/sdk/status-error";
import { StepError } from "#lib/contract/run/step-error";
import { AnsweredError } from "#lib/core/engine/answered-error";
import type { OutgoingResponse } from "#lib/core/engine/outgoing-request";

/** https://dev.max.ru/docs-api: an error response; the code is a path such as `attachment.not.ready`. */
const failure = z.object({ code: z.string().optional(), message: z.string().optional() });
/** The response of methods that return no data. A failure can come with status 200, too. */
const verdict = z.object({ success: z.boolean(), message: z.string().optional() });
/** MAX is still processing a file that was just uploaded. */
const NOT_READY = "attachment.not.ready";
const NOT_READY_MS = 3_000;

type MaxRequest = Pick<ServiceRequest, "method" | "path" | "query" | "json">;

/**
 * Calls one method of the Bot API.
 * @returns the response body
 * @throws StepError with MAX's own message
 */
export async function callMax(service: ServiceContext, request: MaxRequest): Promise<unknown> {
  const response = await sendToService(service, {
    ...request,
    readError: (failed, host) => (failed.status < 400 ? null : failureOf(failed, host, service.now())),
  });
  const answer = parseResponseBody(response);
  const told = verdict.safeParse(answer).data;
  if (told?.success === false) {
    throw new AnsweredError("VALIDATION_ERROR", `MAX rejected the request: ${told.message ?? "it gave no reason"}`);
  }
  return answer;
}

/**
 * Validates a response against its schema.
 * @throws StepError UPSTREAM_ERROR if it does not match
 */
export function readBotAnswer<Answer>(schema: z.ZodType<Answer>, answer: unknown): Answer {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new StepError("answer_unreadable", "The response can't be read: it does not match the MAX Bot API");
}

function failureOf(response: OutgoingResponse, host: string, now: Date): StepError {
  const told = failure.safeParse(safeBody(response)).data;
  const words = told?.message ?? told?.code;
  if (told?.code === NOT_READY) {
    return new AnsweredError("UPSTREAM_ERROR", `${host}: ${words}`, {
      ...answerOf(response),
      retryAfterMs: NOT_READY_MS,
    });
  }
  return statusError(host, response, now, words);
}

function safeBody(response: OutgoingResponse): unknown {
  try {
    return parseResponseBody(response);
  } catch {
    return null;
  }
}
