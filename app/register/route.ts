import { refuseClientRegistration } from "#lib/surfaces/mcp-no-oauth";

export const POST = refuseClientRegistration;
