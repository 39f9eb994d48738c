import { errorResponse } from "#lib/api/admission/error-response";
import { measureRequest } from "#lib/api/admission/measure-request";
import { connectorWebhookRoute } from "#lib/api/webhooks/connector-webhook-route";
import { testWebhookRoute } from "#lib/api/webhooks/test-webhook-route";
import { webhookAnswerHeaders, webhookMethodNotAllowed, webhookRoute } from "#lib/api/webhooks/webhook-route";
import { ApiError } from "#lib/contract/api-error";
import { uuidv7 } from "#lib/support/ids";
import { matchPath } from "#lib/support/match-path";

const PATHS = [
  // Some senders check an address before they use it.
  { route: "/webhooks/:id", methods: ["POST", "GET", "HEAD"], receive: webhookRoute },
  { route: "/webhooks/test/:id", methods: ["POST", "GET", "HEAD"], receive: testWebhookRoute },
  { route: "/webhooks/connectors/:id", methods: ["POST"], receive: connectorWebhookRoute },
].map((path) => ({ ...path, match: matchPath(path.route) }));

/** Answers every request to a path under /webhooks. */
export async function answerWebhook(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  for (const { route, match, methods, receive } of PATHS) {
    const id = match(pathname)?.id;
    if (id === undefined) continue;
    return measureRequest(request, route, async () =>
      methods.includes(request.method) ? receive(request, id) : webhookMethodNotAllowed(),
    );
  }
  return errorResponse(new ApiError("NOT_FOUND", "There is no such address."), webhookAnswerHeaders(uuidv7()));
}
