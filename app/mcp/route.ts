import { mcpMethodNotAllowed, mcpRoute } from "#lib/api/mcp/mcp-edge";
import { OPERATIONS } from "#lib/api/operations/registry";

export const POST = mcpRoute(OPERATIONS);
export const GET = mcpMethodNotAllowed;
export const HEAD = mcpMethodNotAllowed;
export const PUT = mcpMethodNotAllowed;
export const PATCH = mcpMethodNotAllowed;
export const DELETE = mcpMethodNotAllowed;
export const OPTIONS = mcpMethodNotAllowed;
