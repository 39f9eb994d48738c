import { OPERATIONS } from "#lib/operations/registry";
import { mcpMethodNotAllowed, mcpRoute } from "#lib/surfaces/mcp-edge";

export const POST = mcpRoute(OPERATIONS);
export const GET = mcpMethodNotAllowed;
export const HEAD = mcpMethodNotAllowed;
export const PUT = mcpMethodNotAllowed;
export const PATCH = mcpMethodNotAllowed;
export const DELETE = mcpMethodNotAllowed;
export const OPTIONS = mcpMethodNotAllowed;
