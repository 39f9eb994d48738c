import type { ServiceContext } from "#lib/connectors/sdk/define-connector";
import { errorWords } from "#lib/connectors/sdk/error-words";
import { parseResponseBody } from "#lib/connectors/sdk/parse-response-body";
import { statusError } from "#lib/connectors/sdk/status-error";
import { StepError } from "#lib/contract/step-error";
import type { OutgoingResponse } from "#lib/core/engine/outgoing-request";

/** A value of a query; those that are undefined or null are left out, of a list each is sent. */
type QueryValue = string | number | boolean | null | undefined | readonly (string | number)[];

export interface ServiceRequest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The setting that holds the address; `base_url` when left out. */
  address?: string;
  /** Below the address. Values in it are encoded by `pathOf`. */
  path: string;
  query?: Readonly<Record<string, QueryValue>>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as a form. */
  form?: Readonly<Record<string, QueryValue>>;
  headers?: Readonly<Record<string, string>>;
  /** What a failure means, where the service says it in a way of its own; null for the usual reading of its status. */
  readError?(response: OutgoingResponse, host: string): StepError | null;
}

/**
 * One request to a connection's service.
 * @returns its answer: JSON, or text, or null
 * @throws StepError by the status, in the service's words where they can be read
 */
export async function callService(service: ServiceContext, request: ServiceRequest): Promise<unknown> {
  return parseResponseBody(await sendToService(service, request));
}

/** The same, with status and headers. */
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

/** A path with every value as one segment, whatever it holds: none leads to another path. */
export function pathOf(parts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return parts.reduce((path, part, index) => path + segment(values[index - 1] ?? "") + part);
}

function segment(value: string | number): string {
  const text = String(value);
  // They mean other folders, also encoded; no id looks like that.
  if (text === "." || text === "..") throw new StepError("VALIDATION_ERROR", `${text} cannot stand in an address`);
  return encodeURIComponent(text);
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
