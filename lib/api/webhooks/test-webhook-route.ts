import { errorResponse, toApiError } from "#lib/api/admission/error-response";
import { takeWebhookRequest } from "#lib/api/admission/limit-source";
import { readBody } from "#lib/api/admission/read-body";
import { webhookAnswerHeaders } from "#lib/api/webhooks/webhook-route";
import { receiveTestEvent } from "#lib/domain/triggers/tests/receive-test-event";
import { uuidv7 } from "#lib/support/ids";

interface TestContext {
  params: Promise<{ test_id: string }>;
}

/** Serves `POST /webhooks/test/:test_id`, which receives one test event for the canvas. It does not start a run. */
export async function testWebhookRoute(request: Request, context: TestContext): Promise<Response> {
  const receivedAt = new Date();
  const requestId = uuidv7();
  const headers = webhookAnswerHeaders(requestId);
  try {
    const { test_id: testId } = await context.params;
    takeWebhookRequest(testId, request.headers);
    const body = await readBody(request);
    const answer = await receiveTestEvent(testId, { headers: request.headers, body, receivedAt });
    return Response.json(answer, { status: 202, headers });
  } catch (thrown) {
    return errorResponse(toApiError(thrown, requestId), headers);
  }
}
