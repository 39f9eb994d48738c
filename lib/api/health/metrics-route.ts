import { createHash, timingSafeEqual } from "node:crypto";
import { isLocalClient } from "#lib/api/admission/client-address";
import { errorResponse, toApiError } from "#lib/api/admission/error-response";
import { ApiError } from "#lib/contract/error/api-error";
import { env } from "#lib/platform/config/env";
import { isLoopbackName } from "#lib/platform/config/network-list";
import type { MetricFamily } from "#lib/platform/metrics/metric-family";
import { readMetrics } from "#lib/platform/metrics/read-metrics";
import { uuidv7 } from "#lib/support/ids";

/**
 * Serves `GET /metrics` in Prometheus' text format (decisions, Health and metrics). If METRICS_TOKEN is set, it must be
 * sent as a Bearer token. If not, only programs on this machine may read the metrics, not through a proxy, and only of an
 * instance that no one else uses.
 */
export async function metricsRoute(request: Request): Promise<Response> {
  const requestId = uuidv7();
  const headers = new Headers({ "cache-control": "no-store", "x-request-id": requestId });
  try {
    assertMayRead(request.headers);
    headers.set("content-type", "text/plain; version=0.0.4; charset=utf-8");
    return new Response(renderMetrics(await readMetrics()), { headers });
  } catch (thrown) {
    headers.delete("content-type");
    return errorResponse(toApiError(thrown, requestId), headers);
  }
}

/** @throws ApiError UNAUTHORIZED */
function assertMayRead(headers: Headers): void {
  const { METRICS_TOKEN: token } = env();
  if (token) {
    const given = /^Bearer (.+)$/.exec(headers.get("authorization") ?? "")?.[1] ?? "";
    if (timingSafeEqual(digest(given), digest(token))) return;
    throw new ApiError("UNAUTHORIZED", "Send METRICS_TOKEN as a Bearer token.");
  }
  if (isForThisMachine() && isLocalClient(headers)) return;
  throw new ApiError(
    "UNAUTHORIZED",
    "Only this machine can read the metrics, and only while PUBLIC_BASE_URL is a loopback address. To read them otherwise, set METRICS_TOKEN and send it as a Bearer token.",
  );
}

/**
 * A proxy on this machine that adds no header makes every client look local. It is needed as soon as others use the
 * instance, so they have to prove themselves then.
 */
function isForThisMachine(): boolean {
  return isLoopbackName(new URL(env().PUBLIC_BASE_URL).hostname.replace(/^\[|\]$/g, ""));
}

const digest = (text: string) => createHash("sha256").update(text).digest();

function renderMetrics(families: readonly MetricFamily[]): string {
  const lines = families.flatMap(({ name, type, help, samples }) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map((sample) => `${sample.name}${renderLabels(sample.labels)} ${sample.value}`),
  ]);
  return `${lines.join("\n")}\n`;
}

function renderLabels(labels: Record<string, string>): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}
