import { errorResponse, toApiError } from "#lib/api/admission/error-response";
import { takeWebhookRequest } from "#lib/api/admission/limit-source";
import { measureRequest } from "#lib/api/admission/measure-request";
import { readBody } from "#lib/api/admission/read-body";
import {
  challengeResponse,
  readWebhookBody,
  refuseWebhook,
  webhookAnswerHeaders,
  webhookMethodNotAllowed,
  webhookRoute,
} from "#lib/api/webhooks/webhook-route";
import { ApiError } from "#lib/contract/error/api-error";
import { LIMITS } from "#lib/contract/limits";
import { WEBHOOK_METHODS } from "#lib/contract/trigger/trigger";
import { receiveConnectorEvent } from "#lib/domain/triggers/listeners/receive-connector-event";
import { receiveTestEvent } from "#lib/domain/triggers/tests/receive-test-event";
import { webhookUrl } from "#lib/domain/workflows/webhook-url";
import { count } from "#lib/platform/metrics/counters";
import { outgoingSend } from "#lib/platform/outgoing/outgoing";
import { uuidv7 } from "#lib/support/ids";
import { matchPath } from "#lib/support/match-path";

/** The trigger says which of them start runs. Some senders check an address before they use it. */
const METHODS = [...WEBHOOK_METHODS, "HEAD"] as const;

const PATHS: readonly { route: string; methods: readonly string[]; receive: typeof webhookRoute }[] = [
  { route: "/webhooks/:id", methods: METHODS, receive: webhookRoute },
  { route: "/webhooks/test/:id", methods: METHODS, receive: testWebhookRoute },
  { route: "/webhooks/connectors/:id", methods: ["POST"], receive: connectorWebhookRoute },
];
const MATCHES = PATHS.map(({ route, methods, receive }) => ({ route, methods, receive, match: matchPath(route) }));

/** Answers every request to a path under /webhooks. */
export async function answerWebhook(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  for (const { route, match, methods, receive } of MATCHES) {
    const id = match(pathname)?.id;
    if (id === undefined) continue;
    return measureRequest(request, route, async () =>
      methods.includes(request.method) ? receive(request, id) : webhookMethodNotAllowed(),
    );
  }
  return errorResponse(new ApiError("NOT_FOUND", "There is no such address."), webhookAnswerHeaders(uuidv7()));
}

/** Serves `POST /webhooks/test/:test_id`, which receives one test event for the canvas. It does not start a run. */
export async function testWebhookRoute(request: Request, testId: string): Promise<Response> {
  const receivedAt = new Date();
  const requestId = uuidv7();
  const headers = webhookAnswerHeaders(requestId);
  try {
    takeWebhookRequest(testId, request.headers);
    const { method, headers: sent } = request;
    const url = webhookUrl(`test/${testId}`) + new URL(request.url).search;
    const delivery = { method, url, headers: sent, body: await readWebhookBody(request), receivedAt };
    const answer = await receiveTestEvent(testId, delivery);
    return "status" in answer ? challengeResponse(answer, headers) : Response.json(answer, { status: 202, headers });
  } catch (thrown) {
    return refuseWebhook(toApiError(thrown, requestId), headers);
  }
}

/** Serves `POST /webhooks/connectors/:listener_id`, to which services send the events of connector triggers. */
export async function connectorWebhookRoute(request: Request, listenerId: string): Promise<Response> {
  const receivedAt = new Date();
  const requestId = uuidv7();
  const headers = new Headers({ "cache-control": "no-store", "x-request-id": requestId });
  try {
    const { admit } = takeWebhookRequest(listenerId, request.headers);
    const body = await readBody(request, LIMITS.inlineJsonBytes);
    const query = new URL(request.url).searchParams;
    const delivery = { headers: request.headers, body, query, receivedAt };
    return Response.json(await receiveConnectorEvent(listenerId, delivery, { send: outgoingSend(), admit }), {
      headers,
    });
  } catch (thrown) {
    const error = toApiError(thrown, requestId);
    count("signalbox_webhook_rejections_total", { code: error.code });
    return errorResponse(error, headers);
  }
}
