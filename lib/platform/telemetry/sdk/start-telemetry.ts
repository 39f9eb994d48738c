import { env } from "#lib/platform/config/env";
import { setTelemetry, telemetry } from "#lib/platform/telemetry/telemetry";

/** Loads the OpenTelemetry SDK if the settings name a collector. Otherwise nothing is loaded. */
export async function startTelemetry(process: "web" | "worker"): Promise<void> {
  const settings = env();
  if (!settings.OTEL_EXPORTER_OTLP_ENDPOINT || telemetry()) return;
  const { openSdk } = await import("#lib/platform/telemetry/sdk/open-sdk");
  setTelemetry(openSdk(process, settings));
}
