import { noOauthMetadata } from "#lib/api/mcp/mcp-no-oauth";

export const GET = noOauthMetadata;
