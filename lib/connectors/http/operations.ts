import { z } from "zod";
import { httpParamsSchema } from "#lib/connectors/http/build-request";
import { sendHttpRequest } from "#lib/connectors/http/send-http-request";
import type { GuidedOperation } from "#lib/connectors/sdk/connector-operation";

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
    guide: {
      title: "HTTP request",
      description:
        "One request. An object or array as body is sent as JSON, a text as it is. Every value may be a template. A status of 400 or more fails the step.",
      params: httpParamsSchema,
      output: z.object({
        status: z.int(),
        headers: z.record(z.string(), z.string()),
        body: z.unknown().describe("What JSON the answer holds, else its text; null when there is none."),
      }),
      example: {
        method: "POST",
        url: "https://api.example.com/orders/{{action_input.order_id}}",
        headers: { "X-Team": "support" },
        body: { note: "{{action_input.note}}" },
      },
    },
  },
} satisfies Record<string, GuidedOperation>;
