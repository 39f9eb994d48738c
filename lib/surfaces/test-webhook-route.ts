import { uuidv7 } from "#lib/support/ids";
import { errorResponse, toApiError } from "#lib/surfaces/error-response";
import { readBody } from "#lib/surfaces/read-body";
import { parseEvent, webhookAnswerHeaders } from "#lib/surfaces/webhook-route";
import { receiveTestEvent } from "#lib/triggers/receive-test-event";

interface TestContext {
  params: Promise<{ test_id: string }>;
}

/** `POST /webhooks/test/:test_id`: one event for whoever listens at the canvas. It starts nothing. */
export async function testWebhookRoute(request: Request, context: TestContext): Promise<Response> {
  const receivedAt = new Date();
  const requestId = uuidv7();
  const headers = webhookAnswerHeaders(requestId);
  try {
    const body = await readBody(request);
    const { test_id: testId } = await context.params;
    const answer = await receiveTestEvent(testId, { headers: request.headers, body, receivedAt }, parseEvent);
    return Response.json(answer, { status: 202, headers });
  } catch (thrown) {
    return errorResponse(toApiError(thrown, requestId), headers);
  }
}
