import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import { errorWords } from "#lib/connectors/sdk/error-words";
import { parseResponseBody } from "#lib/connectors/sdk/parse-response-body";
import { statusError } from "#lib/connectors/sdk/status-error";
import { StepError } from "#lib/contract/run/step-error";
import type { OutgoingResponse } from "#lib/core/engine/outgoing-request";
import { isDotSegment } from "#lib/core/expressions/places/url-place";

/** A query value. Undefined and null are omitted; each item of a list is sent. */
type QueryValue = string | number | boolean | null | undefined | readonly (string | number)[];

export interface ServiceRequest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The name of the setting with the address; `base_url` by default. */
  address?: string;
  /** The path below the address. `pathOf` encodes values in it. */
  path: string;
  query?: Readonly<Record<string, QueryValue>>;
  /** A body to send as JSON. */
  json?: unknown;
  /** A body to send as a form. */
  form?: Readonly<Record<string, QueryValue>>;
  headers?: Readonly<Record<string, string>>;
  /** Reads a failure if the service has its own error format; null applies the usual meaning of the status. */
  readError?(response: OutgoingResponse, host: string): StepError | null;
}

/**
 * Sends one request to a connection's service.
 * @returns the response body: JSON, or text, or null
 * @throws StepError by status, with the service's own message if there is one
 */
export async function callService(service: ServiceContext, request: ServiceRequest): Promise<unknown> {
  return parseResponseBody(await sendToService(service, request));
}

/** Sends one request and returns the body with its status and headers. */
export async function sendToService(service: ServiceContext, request: ServiceRequest): Promise<OutgoingResponse> {
  const address = request.address ?? "base_url";
  const base = service.settings[address];
  if (base === undefined) throw new Error(`The connector has no address ${address}.`);
  const url = new URL(base.replace(/\/+$/, "") + request.path);
  appendTo(url.searchParams, request.query ?? {});
  const response = await service.send({
    method: request.method,
    url: url.href,
    headers: { accept: "application/json", ...service.headers, ...contentType(request), ...request.headers },
    ...bodyOf(request),
    signal: service.signal,
  });
  const own = request.readError?.(response, url.host);
  if (own) throw own;
  if (response.status >= 400) throw statusError(url.host, response, service.now(), errorWords(response));
  return response;
}

/** Builds a path in which every value is exactly one segment, so no value can lead to another path. */
export function pathOf(parts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return parts.reduce((path, part, index) => path + segment(values[index - 1] ?? "") + part);
}

function segment(value: string | number): string {
  const text = encodeURIComponent(String(value).toWellFormed());
  if (text === "") throw new StepError("VALIDATION_ERROR", "An empty text can't be used in a URL path");
  // Segments that mean other folders, also when encoded; no id looks like them.
  if (isDotSegment(text)) throw new StepError("VALIDATION_ERROR", `${value} can't be used in a URL path`);
  return text;
}

function contentType({ json, form }: ServiceRequest): Record<string, string> {
  if (json !== undefined) return { "content-type": "application/json" };
  return form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" };
}

function bodyOf({ json, form }: ServiceRequest): { body?: string } {
  if (json !== undefined) return { body: JSON.stringify(json) };
  if (form === undefined) return {};
  const fields = new URLSearchParams();
  appendTo(fields, form);
  return { body: fields.toString() };
}

function appendTo(target: URLSearchParams, values: Readonly<Record<string, QueryValue>>): void {
  for (const [name, value] of Object.entries(values)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== null && item !== undefined) target.append(name, String(item));
    }
  }
}
