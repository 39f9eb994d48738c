import { sendHttpRequest } from "#lib/connectors/http/send-http-request";
import type { ConnectorOperation } from "#lib/engine/ports";

/** RFC 9110, 9.2.2: doing these twice does no more than once. */
const IDEMPOTENT_METHODS: ReadonlySet<unknown> = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

/** The generic HTTP connector (decisions, The graph document: connector `http`, operation `request`). */
export const HTTP_OPERATIONS = {
  request: {
    isIdempotent: (params) => {
      const method = (params as { method?: unknown }).method ?? "GET";
      return IDEMPOTENT_METHODS.has(typeof method === "string" ? method.toUpperCase() : method);
    },
    call: sendHttpRequest,
  },
} satisfies Record<string, ConnectorOperation>;
