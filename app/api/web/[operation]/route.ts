import { webMethodNotAllowed, webRoute } from "#lib/api/web/web-route";

export const POST = webRoute;
export const GET = webMethodNotAllowed;
export const PUT = webMethodNotAllowed;
export const PATCH = webMethodNotAllowed;
export const DELETE = webMethodNotAllowed;
