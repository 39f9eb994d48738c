import { forMethods, serveDirectly } from "#lib/api/edge/direct-routes";
import { formRoute } from "#lib/api/webhooks/form-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveDirectly(
  /^\/forms\/[^/]+$/,
  forMethods({ GET: formRoute, POST: formRoute }),
);
