import { forMethods, serveDirectly } from "#lib/api/edge/direct-routes";
import { refuseClientRegistration } from "#lib/api/mcp/mcp-no-oauth";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveDirectly(
  /^\/register$/,
  forMethods({ POST: refuseClientRegistration }),
);
