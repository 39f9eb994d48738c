import { toApiError } from "#lib/api/admission/error-response";
import { takeWebhookRequest } from "#lib/api/admission/limit-source";
import { readBody } from "#lib/api/admission/read-body";
import { challengeResponse, refuseWebhook, webhookAnswerHeaders } from "#lib/api/webhooks/webhook-route";
import { receiveTestCheck, receiveTestEvent } from "#lib/domain/triggers/tests/receive-test-event";
import { webhookUrl } from "#lib/domain/triggers/webhooks/webhook-url";
import { uuidv7 } from "#lib/support/ids";

/** Serves `POST /webhooks/test/:test_id`, which receives one test event for the canvas. It does not start a run. */
export async function testWebhookRoute(request: Request, testId: string): Promise<Response> {
  const receivedAt = new Date();
  const requestId = uuidv7();
  const headers = webhookAnswerHeaders(requestId);
  try {
    takeWebhookRequest(testId, request.headers);
    const { method, headers: sent } = request;
    const url = webhookUrl(`test/${testId}`) + new URL(request.url).search;
    const body = method === "POST" ? await readBody(request) : Buffer.alloc(0);
    const delivery = { method, url, headers: sent, body, receivedAt };
    if (method !== "POST") return challengeResponse(await receiveTestCheck(testId, delivery), headers);
    const answer = await receiveTestEvent(testId, delivery);
    return "status" in answer ? challengeResponse(answer, headers) : Response.json(answer, { status: 202, headers });
  } catch (thrown) {
    return refuseWebhook(toApiError(thrown, requestId), headers);
  }
}
