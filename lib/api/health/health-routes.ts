import { checkReadiness, type Readiness } from "#lib/api/health/check-readiness";
import { isDraining } from "#lib/platform/config/web-shutdown";
import { untilConnectionsKept } from "#lib/platform/db/keep-connections";
import { uuidv7 } from "#lib/support/ids";

const headersOf = () => ({ "cache-control": "no-store", "x-request-id": uuidv7() });

/** Serves `GET /healthz`: the process answers (decisions, Health and metrics). */
export function healthRoute(): Response {
  return Response.json({ status: "ok" }, { headers: headersOf() });
}

/**
 * Serves `GET /readyz`: 200 if the instance can work, else 503. The body says what is missing. It is 503 as well once the
 * web server was asked to stop.
 */
export async function readinessRoute(): Promise<Response> {
  if (isDraining()) return Response.json({ status: "draining", checks: {} }, { status: 503, headers: headersOf() });
  const checks: Readiness = await checkReadiness();
  if (checks.database === "ok") await untilConnectionsKept();
  const { queues: _, ...needed } = checks;
  const isReady = Object.values(needed).every((check) => check === "ok");
  const body = { status: isReady ? "ready" : "unavailable", checks };
  return Response.json(body, { status: isReady ? 200 : 503, headers: headersOf() });
}
