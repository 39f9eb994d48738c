import { z } from "zod";
import { httpParamsSchema } from "#lib/connectors/http/build-request";
import type { JsonObject } from "#lib/contract/json-schema";

/** What whoever fills in a connector step must know of its operation. */
interface OperationGuide {
  title: string;
  description: string;
  params: z.ZodType;
  /** What the step's output is like; an operation that answers anything says so. */
  output: z.ZodType;
  /** `params` that can be published. */
  example: JsonObject;
}

/** By connector, then by operation; the operations that a connector step may name. */
export const OPERATION_GUIDES: Readonly<Record<string, Readonly<Record<string, OperationGuide>>>> = {
  http: {
    request: {
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
};
