import { answerWebhook } from "#lib/api/webhooks/answer-webhook";
import { webhookRoute } from "#lib/api/webhooks/webhook-route";

/** For tests: sends one delivery to the handler, with real Request and Response objects. */
export async function post(id: string, body: string | Buffer | null, headers: Record<string, string> = {}) {
  const request = new Request(`http://localhost/webhooks/${id}`, { method: "POST", body: body as BodyInit, headers });
  const response = await webhookRoute(request, id);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** For tests: sends any request to a path or an address below /webhooks, and returns the response's text. */
export async function request(
  method: string,
  url: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: string } = {},
) {
  const response = await answerWebhook(
    new Request(new URL(url, "http://localhost"), { method, headers, ...(body !== undefined && { body }) }),
  );
  return { status: response.status, headers: response.headers, text: await response.text() };
}
