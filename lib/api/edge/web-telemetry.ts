import { endTraces } from "#lib/domain/runs/traces/export-traces";
import { startTelemetry } from "#lib/platform/telemetry/sdk/start-telemetry";

/**
 * Starts the exports of the web process. Only the server imports this file: the bundle of Next.js uses the SDK that the
 * server loaded, and does not contain it.
 */
export function startWebTelemetry(): Promise<void> {
  return startTelemetry("web");
}

export function endWebTelemetry(): Promise<void> {
  return endTraces();
}
