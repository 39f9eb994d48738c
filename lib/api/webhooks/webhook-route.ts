import { errorResponse, toApiError } from "#lib/api/admission/error-response";
import { takeWebhookRequest } from "#lib/api/admission/limit-source";
import { readBody } from "#lib/api/admission/read-body";
import { ApiError } from "#lib/contract/api-error";
import { receiveWebhook } from "#lib/domain/triggers/webhooks/receive-webhook";
import { count } from "#lib/platform/metrics/counters";
import { uuidv7 } from "#lib/support/ids";

interface WebhookContext {
  params: Promise<{ subscription_id: string }>;
}

/** Serves `POST /webhooks/:subscription_id` (contract, Triggers). The signature covers the raw bytes. */
export async function webhookRoute(request: Request, context: WebhookContext): Promise<Response> {
  const receivedAt = new Date();
  const requestId = uuidv7();
  const headers = webhookAnswerHeaders(requestId);
  try {
    const { subscription_id: subscriptionId } = await context.params;
    const { admit } = takeWebhookRequest(subscriptionId, request.headers);
    const body = await readBody(request);
    const answer = await receiveWebhook(subscriptionId, { headers: request.headers, body, receivedAt }, admit);
    return Response.json(answer, { status: answer.accepted ? 202 : 200, headers });
  } catch (thrown) {
    const error = toApiError(thrown, requestId);
    count("signalbox_webhook_rejections_total", { code: error.code });
    return errorResponse(error, headers);
  }
}

/** Answers every other method. */
export async function webhookMethodNotAllowed(): Promise<Response> {
  const headers = webhookAnswerHeaders(uuidv7());
  headers.set("allow", "POST");
  return errorResponse(new ApiError("METHOD_NOT_ALLOWED", "This path supports POST."), headers);
}

export function webhookAnswerHeaders(requestId: string): Headers {
  return new Headers({ "cache-control": "no-store", "x-request-id": requestId });
}
