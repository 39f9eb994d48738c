import { errorResponse, toApiError } from "#lib/api/admission/error-response";
import { takeWebhookRequest } from "#lib/api/admission/limit-source";
import { readBody } from "#lib/api/admission/read-body";
import { ApiError } from "#lib/contract/error/api-error";
import { receiveDraftEvent } from "#lib/domain/triggers/tests/receive-draft-event";
import type { Delivery } from "#lib/domain/triggers/verification/delivery";
import type { WebhookResponse } from "#lib/domain/triggers/webhooks/answer-challenge";
import { receiveWebhook } from "#lib/domain/triggers/webhooks/receive-webhook";
import { webhookUrl } from "#lib/domain/workflows/webhook-url";
import { count } from "#lib/platform/metrics/counters";
import { noteRequestId } from "#lib/platform/telemetry/telemetry";
import { uuidv7 } from "#lib/support/ids";
import { isJsonObject } from "#lib/support/json";

/**
 * Serves `/webhooks/:subscription_id` (contract, Triggers), with the methods of its trigger. The signature covers the raw
 * bytes. Senders that check an address with another method get the response that they expect.
 */
export async function webhookRoute(request: Request, subscriptionId: string): Promise<Response> {
  const receivedAt = new Date();
  const requestId = uuidv7();
  const headers = webhookAnswerHeaders(requestId);
  try {
    const { admit } = takeWebhookRequest(subscriptionId, request.headers);
    const { method } = request;
    const url = webhookUrl(subscriptionId) + new URL(request.url).search;
    const delivery = { method, url, headers: request.headers, body: await readWebhookBody(request), receivedAt };
    const answer = await receiveDelivery(subscriptionId, delivery, admit);
    if ("response" in answer && answer.response) return challengeResponse(answer.response, headers);
    if ("status" in answer) return challengeResponse(answer, headers);
    return Response.json(answer, { status: answer.accepted ? 202 : 200, headers });
  } catch (thrown) {
    const error = toApiError(thrown, requestId);
    count("signalbox_webhook_rejections_total", { code: error.code });
    return refuseWebhook(error, headers);
  }
}

/** A webhook that was never published has its address already, and takes test events there. */
async function receiveDelivery(subscriptionId: string, delivery: Delivery, admit: () => void) {
  try {
    return await receiveWebhook(subscriptionId, delivery, admit);
  } catch (error) {
    const isUnknown = error instanceof ApiError && (error.status === 404 || error.status === 405);
    const answer = isUnknown ? await receiveDraftEvent(subscriptionId, delivery) : null;
    if (answer === null) throw error;
    return answer;
  }
}

/** A request that only asks has no body; one that the sender gave it anyway is not read. */
export async function readWebhookBody(request: Request): Promise<Buffer> {
  return request.method === "GET" || request.method === "HEAD" ? Buffer.alloc(0) : readBody(request);
}

export function refuseWebhook(error: ApiError, headers: Headers): Response {
  if (error.code === "METHOD_NOT_ALLOWED") headers.set("allow", allowedMethods(error.details).join(", "));
  return errorResponse(error, headers);
}

function allowedMethods(details: unknown): unknown[] {
  return isJsonObject(details) && Array.isArray(details.allow) ? details.allow : ["POST"];
}

/** The body may contain what an unknown caller sent, so a browser must not take it for a page. */
export function challengeResponse({ status, headers, body }: WebhookResponse, common: Headers): Response {
  for (const [name, value] of Object.entries(headers)) common.set(name, value);
  common.set("x-content-type-options", "nosniff");
  return new Response(body, { status, headers: common });
}

/** Answers every other method. */
export function webhookMethodNotAllowed(): Response {
  return refuseWebhook(new ApiError("METHOD_NOT_ALLOWED", "This path supports POST."), webhookAnswerHeaders(uuidv7()));
}

export function webhookAnswerHeaders(requestId: string): Headers {
  noteRequestId(requestId);
  return new Headers({ "cache-control": "no-store", "x-request-id": requestId });
}
