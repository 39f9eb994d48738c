import { errorResponse, toApiError } from "#lib/api/admission/error-response";
import { takeWebhookRequest } from "#lib/api/admission/limit-source";
import { readBody } from "#lib/api/admission/read-body";
import { LIMITS } from "#lib/contract/limits";
import { receiveConnectorEvent } from "#lib/domain/triggers/listeners/receive-connector-event";
import { count } from "#lib/platform/metrics/counters";
import { outgoingSend } from "#lib/platform/outgoing/outgoing";
import { uuidv7 } from "#lib/support/ids";

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
