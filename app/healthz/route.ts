import { forMethods, serveDirectly } from "#lib/api/edge/direct-routes";
import { healthRoute } from "#lib/api/health/health-routes";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveDirectly(
  /^\/healthz$/,
  forMethods({ GET: healthRoute }),
);
