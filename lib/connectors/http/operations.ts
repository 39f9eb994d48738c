import { z } from "zod";
import { placeOfBody, placeOfQuery } from "#lib/connectors/http/body/place-of-body";
import { httpParamsSchema } from "#lib/connectors/http/build-request";
import { sendHttpRequest } from "#lib/connectors/http/send-http-request";
import type { GuidedOperation } from "#lib/connectors/sdk/connector-operation";
import { textPlacesOf } from "#lib/connectors/sdk/text-places-of";

/** RFC 9110, 9.2.2: repeating these methods has no additional effect. */
const IDEMPOTENT_METHODS: ReadonlySet<unknown> = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

/** The generic HTTP connector (decisions, The graph document: connector `http`, operation `request`). */
export const HTTP_OPERATIONS = {
  request: {
    isIdempotent: (params) => {
      const method = (params as { method?: unknown }).method ?? "GET";
      return IDEMPOTENT_METHODS.has(typeof method === "string" ? method.toUpperCase() : method);
    },
    call: sendHttpRequest,
    isPerOrigin: true,
    textPlaces: {
      ...textPlacesOf(httpParamsSchema)(),
      body: { place: placeOfBody, fields: { query: { place: placeOfQuery } } },
    },
    guide: {
      title: "HTTP request",
      description:
        "Sends an HTTP request. The body is sent as its content-type header says: an object becomes JSON, a form, or multipart; without the header, JSON. Text is sent as it is. Every value can be a template, and the values in the URL are encoded. A status of 400 or more fails the step.",
      params: httpParamsSchema,
      output: z.object({
        status: z.int(),
        headers: z
          .record(z.string(), z.string())
          .describe("With lowercase names. Repeated headers are joined with a comma, set-cookie with line breaks."),
        body: z.unknown().describe("The parsed JSON of the response, or its text. Null if the response has no body."),
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
