import { testWebhookRoute } from "#lib/api/webhooks/test-webhook-route";
import { webhookMethodNotAllowed } from "#lib/api/webhooks/webhook-route";

export const POST = testWebhookRoute;
export const GET = webhookMethodNotAllowed;
export const HEAD = webhookMethodNotAllowed;
export const PUT = webhookMethodNotAllowed;
export const PATCH = webhookMethodNotAllowed;
export const DELETE = webhookMethodNotAllowed;
export const OPTIONS = webhookMethodNotAllowed;
