import { pino } from "pino";

/** A raw API key anywhere in a line leaves only its public prefix (contract, API keys). */
const RAW_KEY = /\b(svc_[A-Za-z0-9_-]{4})[A-Za-z0-9_-]{28}/g;

/** pg hangs the whole connection on its errors, the key that cancels its queries included. */
function describeError(error: Error): object {
  const { client: _, ...described } = pino.stdSerializers.err(error);
  return described;
}

/** Structured logs, one JSON object a line, on stdout. */
export const log = pino(
  {
    // Read here and not through env(): a wrong environment must be loggable too.
    level: process.env.LOG_LEVEL || "info",
    base: null,
    serializers: { err: describeError },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: ["authorization", "cookie", "headers.authorization", "headers.cookie"], censor: "[REDACTED]" },
  },
  { write: (line: string) => process.stdout.write(line.replace(RAW_KEY, "$1…")) },
);
