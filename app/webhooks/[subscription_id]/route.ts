import { webhookMethodNotAllowed, webhookRoute } from "#lib/api/webhooks/webhook-route";

export const POST = webhookRoute;
export const GET = webhookMethodNotAllowed;
export const HEAD = webhookMethodNotAllowed;
export const PUT = webhookMethodNotAllowed;
export const PATCH = webhookMethodNotAllowed;
export const DELETE = webhookMethodNotAllowed;
export const OPTIONS = webhookMethodNotAllowed;
