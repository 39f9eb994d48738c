import { noOauthMetadata } from "#lib/surfaces/mcp-no-oauth";

export const GET = noOauthMetadata;
