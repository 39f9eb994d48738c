import { z } from "zod";
import { work } from "#lib/core/engine/work-settings";
import { ANY_OBJECT, closedObject, scalar, UNKNOWN } from "#lib/core/shapes/shape";
import { defineStepKind } from "#lib/core/steps/define-step-kind";
import { label } from "#lib/core/steps/node-data";

const required = z.string().min(1, "is required").max(200, "must be at most 200 characters long");
/** The parameter that the generic HTTP connector requires; the others are checked when the step runs. */
const httpParams = z.looseObject({ url: z.string("must be text").trim().min(1, "is required") });
const HTTP_OUTPUT = closedObject(
  ["status", scalar("integer"), "The HTTP status, for example 200"],
  ["headers", ANY_OBJECT, "The response headers, with lowercase names"],
  ["body", UNKNOWN, "The response body, parsed if it is JSON"],
);

export const connectorKind = defineStepKind({
  type: "connector",
  title: "HTTP request",
  category: "call",
  description: "Call an HTTP API or a connected service",
  guidance:
    "For any HTTP API: connector http, operation request, params {method, url, headers?, query?, body?, timeout_ms?}; a " +
    "status of 400 or more fails the step. For other services, see list_connectors.",
  keywords: "fetch api rest webhook get post connector url service telegram hubspot crm message",
  baseId: "http_request",
  data: z
    .object({
      ...label,
      ...work,
      connector: required,
      operation: required,
      connection_id: z.string().nullish(),
      params: z.record(z.string(), z.unknown()).default({}),
    })
    .superRefine((data, context) => {
      if (data.connector !== "http") return;
      for (const issue of httpParams.safeParse(data.params).error?.issues ?? []) {
        const message = issue.path.length > 0 && data.params.url === undefined ? "is required" : issue.message;
        context.addIssue({ code: "custom", path: ["params", ...issue.path], message });
      }
    }),
  newData: () => ({ connector: "http", operation: "request", params: { method: "GET", url: "" } }),
  example: { connector: "http", operation: "request", params: { method: "GET", url: "https://api.example.com/rates" } },
  least: { connector: "http", operation: "request", params: { url: "https://example.com" } },
  output: "the output of the operation; for http {status, headers, body}, read as {{id.body.field}}",
  outputShape: ({ connector, operation }, { catalog }) => {
    if (connector === "http") return HTTP_OUTPUT;
    return catalog.findOutput(String(connector), String(operation));
  },
  isDocumented: ({ connector }) => connector !== "http",
  templates: ["params"],
  effects: "calls",
  handler: async () => (await import("#lib/core/steps/connector/connector")).prepareConnector,
});
