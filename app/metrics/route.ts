import { forMethods, serveDirectly } from "#lib/api/edge/direct-routes";
import { metricsRoute } from "#lib/api/health/metrics-route";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveDirectly(
  /^\/metrics$/,
  forMethods({ GET: metricsRoute }),
);
