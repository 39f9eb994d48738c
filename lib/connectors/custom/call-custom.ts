import type { CustomDefinition, CustomOperation } from "#lib/connectors/custom/custom-definition";
import { sendHttpRequest } from "#lib/connectors/http/send-http-request";
import type { JsonObject } from "#lib/contract/json-schema";
import { StepError } from "#lib/contract/step-error";
import type { ConnectorOperation } from "#lib/core/engine/ports";
import { getPath } from "#lib/support/get-path";
import { isJsonObject } from "#lib/support/json";

const IDEMPOTENT: ReadonlySet<string> = new Set(["get", "head", "options", "put", "delete"]);

/**
 * Defines an operation of a custom connector as steps call it: the definition becomes the params of an HTTP request,
 * and the HTTP connector does the rest. Its credentials are a connection of `http`, whose hosts a person confirmed, so
 * rebuilding the connector with another base_url does not send the credentials there.
 */
export function customOperation(definition: CustomDefinition, operation: CustomOperation): ConnectorOperation {
  return {
    connectionOf: "http",
    isIdempotent: () => IDEMPOTENT.has(operation.method),
    call: async (params, context) => {
      if (!context.connection && definition.auth !== "none") {
        const what = definition.auth.startsWith("oauth2")
          ? "with the access token as the bearer token"
          : definition.auth;
        const message = `connection_id: is required. This connector needs a connection of the HTTP API connector (${what})`;
        throw new StepError("VALIDATION_ERROR", message);
      }
      return sendHttpRequest(toHttpParams(definition.baseUrl, operation, params), context);
    },
  };
}

/** @throws StepError VALIDATION_ERROR naming the parameter */
export function toHttpParams(baseUrl: string, operation: CustomOperation, params: unknown): JsonObject {
  const missing = operation.required.find((name) => isAbsent(valueAt(params, name)));
  if (missing !== undefined) throw new StepError("VALIDATION_ERROR", `${missing}: is required`);
  const path = operation.path.replace(/\{([^{}]+)\}/g, (_, name: string) =>
    segment(name, valueAt(params, `path.${name}`)),
  );
  const body = operation.bodyType === null ? null : getPath(params, ["body"]);
  const { bodyType } = operation;
  return {
    method: operation.method.toUpperCase(),
    url: baseUrl.replace(/\/+$/, "") + path,
    query: given(operation, params, "query"),
    headers: {
      ...given(operation, params, "header"),
      ...(isAbsent(body) || bodyType === null ? {} : { "content-type": bodyType }),
    },
    ...(isAbsent(body)
      ? {}
      : { body: bodyType === "application/x-www-form-urlencoded" ? form(body) : jsonOrText(body, bodyType) }),
  };
}

function valueAt(params: unknown, name: string): unknown {
  const dot = name.indexOf(".");
  return getPath(params, dot < 0 ? [name] : [name.slice(0, dot), name.slice(dot + 1)]);
}

function isAbsent(value: unknown): boolean {
  return value === null || value === undefined || value === "";
}

/** Encodes a value as one segment, so that it never leads to another path. */
function segment(name: string, value: unknown): string {
  const text = typeof value === "object" ? "" : String(value);
  if (text === "" || text === "." || text === "..") {
    throw new StepError("VALIDATION_ERROR", `path.${name}: must be text or a number that can be used in a URL path`);
  }
  return encodeURIComponent(text);
}

/** Returns the params of one place that the definition knows; others are not sent. */
function given({ paramsSchema }: CustomOperation, params: unknown, place: "query" | "header"): JsonObject {
  const known = getPath(paramsSchema, ["properties", place, "properties"]);
  if (!isJsonObject(known)) return {};
  const entries = Object.keys(known).map((name) => [name, getPath(params, [place, name])] as const);
  return Object.fromEntries(
    entries
      .filter(([, value]) => !isAbsent(value))
      .map(([name, value]) => [name, isJsonObject(value) ? JSON.stringify(value) : value]),
  );
}

function jsonOrText(body: unknown, type: string | null): unknown {
  return type?.endsWith("json") && typeof body !== "object" ? JSON.stringify(body) : body;
}

function form(body: unknown): string {
  const fields = new URLSearchParams();
  for (const [name, value] of Object.entries(isJsonObject(body) ? body : {})) {
    if (!isAbsent(value)) fields.append(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  }
  return fields.toString();
}
