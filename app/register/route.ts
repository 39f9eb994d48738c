import { refuseClientRegistration } from "#lib/api/mcp/mcp-no-oauth";

export const POST = refuseClientRegistration;
