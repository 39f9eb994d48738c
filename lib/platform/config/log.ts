import { pino } from "pino";
import { logFields } from "#lib/platform/telemetry/telemetry";

/** Replaces a raw API key anywhere in a line with its public prefix (contract, API keys). */
const RAW_KEY = /\b(svc_[A-Za-z0-9_-]{4})[A-Za-z0-9_-]{28}/g;

/** pg attaches the whole connection to its errors, including the key that cancels its queries. */
function describeError(error: Error): object {
  const { client: _, ...described } = pino.stdSerializers.err(error);
  return described;
}

/** Structured logs on stdout, one JSON object per line. */
export const log = pino(
  {
    // Read here and not through env(), because an invalid environment must be loggable too.
    level: process.env.LOG_LEVEL || "info",
    base: null,
    mixin: logFields,
    serializers: { err: describeError },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: ["authorization", "cookie", "headers.authorization", "headers.cookie"], censor: "[REDACTED]" },
  },
  { write: (line: string) => process.stdout.write(line.replace(RAW_KEY, "$1…")) },
);
