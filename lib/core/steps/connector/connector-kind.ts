import type { JsonObject } from "#lib/contract/wire/json-schema";
import { ANY_OBJECT, closedObject, scalar, UNKNOWN } from "#lib/core/shapes/shape";
import { checkBody } from "#lib/core/steps/connector/check-body";
import { defineStepKind, type ValueMisfit } from "#lib/core/steps/define-step-kind";
import { isJsonObject } from "#lib/support/json";

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
  keywords: "fetch api rest get post put curl url endpoint service openapi swagger",
  baseId: "http_request",
  canContinue: true,
  newData: () => ({ connector: "http", operation: "request", params: { method: "GET", url: "" } }),
  example: { connector: "http", operation: "request", params: { method: "GET", url: "https://api.example.com/rates" } },
  least: { connector: "http", operation: "request", params: { url: "https://example.com" } },
  output: "the output of the operation; for http {status, headers, body}, read as {{id.body.field}}",
  outputShape: ({ connector, operation, connection_id: id }, { catalog }) => {
    if (connector === "http") return HTTP_OUTPUT;
    return catalog.findOutput(String(connector), String(operation), typeof id === "string" ? id : null);
  },
  isDocumented: ({ connector }) => connector !== "http",
  templates: ["params"],
  findMisfits: (data, typeOf) => [...checkAddress(data), ...checkBody(data, typeOf)],
  repeatsSettings: false,
  effects: "calls",
  handler: async () => (await import("#lib/core/steps/connector/connector")).prepareConnector,
});

const FIELD = "params.url";
const SCHEMES = ["https://", "http://"];

/** Finds a URL that can't be called, whatever its expressions are: one that does not start with http:// or https://. */
function checkAddress({ connector, params }: JsonObject): ValueMisfit[] {
  if (connector !== "http" || !isJsonObject(params) || typeof params.url !== "string") return [];
  const start = (params.url.split("{{")[0] ?? "").trim().toLowerCase();
  const isOpen = params.url.includes("{{");
  if (start === "" || SCHEMES.some((scheme) => start.startsWith(scheme) || (isOpen && scheme.startsWith(start))))
    return [];
  return [{ field: FIELD, message: "must start with https:// or http://" }];
}
