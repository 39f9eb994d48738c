import { webhookRoute } from "#lib/api/webhooks/webhook-route";

/** For tests: sends one delivery, through the handler and with real Request and Response objects. */
export async function post(id: string, body: string | Buffer | null, headers: Record<string, string> = {}) {
  const request = new Request(`http://localhost/webhooks/${id}`, { method: "POST", body: body as BodyInit, headers });
  const response = await webhookRoute(request, { params: Promise.resolve({ subscription_id: id }) });
  return { status: response.status, headers: response.headers, body: await response.json() };
}
