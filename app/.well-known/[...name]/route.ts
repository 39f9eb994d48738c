import { forMethods, serveDirectly } from "#lib/api/edge/direct-routes";
import { noOauthMetadata } from "#lib/api/mcp/mcp-no-oauth";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveDirectly(
  /^\/\.well-known\/./,
  forMethods({ GET: noOauthMetadata }),
);
