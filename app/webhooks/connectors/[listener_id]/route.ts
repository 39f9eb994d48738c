import { connectorWebhookRoute } from "#lib/surfaces/connector-webhook-route";
import { webhookMethodNotAllowed } from "#lib/surfaces/webhook-route";

export const POST = connectorWebhookRoute;
export const GET = webhookMethodNotAllowed;
export const HEAD = webhookMethodNotAllowed;
export const PUT = webhookMethodNotAllowed;
export const PATCH = webhookMethodNotAllowed;
export const DELETE = webhookMethodNotAllowed;
export const OPTIONS = webhookMethodNotAllowed;
