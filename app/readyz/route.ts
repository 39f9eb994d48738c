import { forMethods, serveDirectly } from "#lib/api/edge/direct-routes";
import { readinessRoute } from "#lib/api/health/health-routes";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveDirectly(
  /^\/readyz$/,
  forMethods({ GET: readinessRoute }),
);
