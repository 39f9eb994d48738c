import { callbackMethodNotAllowed, callbackRoute } from "#lib/api/webhooks/callback-route";

export const POST = callbackRoute;
export const GET = callbackMethodNotAllowed;
export const HEAD = callbackMethodNotAllowed;
export const PUT = callbackMethodNotAllowed;
export const PATCH = callbackMethodNotAllowed;
export const DELETE = callbackMethodNotAllowed;
export const OPTIONS = callbackMethodNotAllowed;
