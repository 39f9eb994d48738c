import { z } from "zod";
import { answerOf } from "#lib/connectors/sdk/answer-of";
import { sendToService } from "#lib/connectors/sdk/call-service";
import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import { parseResponseBody } from "#lib/connectors/sdk/parse-response-body";
import { waitOfSeconds } from "#lib/connectors/sdk/parse-wait";
import { statusError } from "#lib/connectors/sdk/status-error";
import { StepError } from "#lib/contract/run/step-error";
import { AnsweredError } from "#lib/core/engine/answered-error";
import type { OutgoingResponse } from "#lib/core/engine/outgoing-request";

/** https://core.telegram.org/bots/api#making-requests: the shape of every response, including failures. */
const answer = z.object({
  ok: z.boolean(),
  result: z.unknown().optional(),
  description: z.string().optional(),
  error_code: z.int().min(400).max(599).optional().catch(undefined),
  parameters: z.object({ retry_after: z.number().optional() }).optional(),
});

/**
 * Calls one method of the Bot API. The connection puts the token into the path.
 * @returns the `result` of the response
 * @throws StepError with Telegram's own message
 */
export async function callTelegram(service: ServiceContext, method: string, params: object = {}): Promise<unknown> {
  const json = Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined && value !== null));
  const response = await sendToService(service, {
    method: "POST",
    path: `/${method}`,
    json,
    readError: (failed, host) => {
      const told = answer.safeParse(safeBody(failed)).data;
      if (failed.status < 400) return told?.ok === false ? refusalOf(failed, told, host, service.now()) : null;
      // Telegram has no route for a malformed token: it responds with 404 instead of 401.
      const isTokenWrong = failed.status === 401 || (failed.status === 404 && told?.description === "Not Found");
      if (isTokenWrong)
        return new AnsweredError("AUTH_EXPIRED", `${host} does not accept the bot token`, answerOf(failed));
      const retryAfterMs = waitOfSeconds(told?.parameters?.retry_after);
      const error = statusError(host, failed, service.now(), told?.description);
      if (retryAfterMs === null) return error;
      return new AnsweredError(error.reason, error.message, { ...error.details, retryAfterMs });
    },
  });
  const parsed = answer.safeParse(parseResponseBody(response));
  if (parsed.data?.ok) return parsed.data.result;
  throw new StepError("answer_unreadable", "The response can't be read: it does not match the Telegram Bot API");
}

/** A failure with a status of success: its own code is the status that it should have. */
function refusalOf(response: OutgoingResponse, told: z.output<typeof answer>, host: string, now: Date): StepError {
  const { error_code: status = 400, description = "it gave no reason", parameters } = told;
  const error = statusError(host, { ...response, status }, now, description);
  const waitMs = waitOfSeconds(parameters?.retry_after);
  if (waitMs === null) return error;
  return new AnsweredError("RATE_LIMITED", error.message, { ...error.details, retryAfterMs: waitMs });
}

function safeBody(response: Parameters<typeof parseResponseBody>[0]): unknown {
  try {
    return parseResponseBody(response);
  } catch {
    return null;
  }
}
