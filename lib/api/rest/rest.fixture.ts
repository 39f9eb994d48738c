import { expect } from "vitest";
import { RATE_HEADERS } from "#lib/api/admission/rate-limit-headers";
import { RUNTIME_PREFIX as PREFIX } from "#lib/api/openapi/openapi-document";
import { openApiRoute } from "#lib/api/openapi/openapi-route";
import { DESCRIPTION_PATH } from "#lib/api/openapi/openapi-self";
import { OPERATIONS } from "#lib/api/operations/registry";
import { otherMethods, restRoute, unknownRoute } from "#lib/api/rest/rest-route";
import type { JsonObject } from "#lib/contract/json-schema";

interface Call {
  /** A raw key; null sends no authorization header. */
  key?: string | null;
  /** Sent as JSON. A string or bytes are sent unchanged. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  headers: Headers;
  body: JsonObject;
}

interface Target {
  handlers: ReturnType<typeof otherMethods>;
  params: Record<string, string> | undefined;
}

/** The handlers that the files under app/api/v1/runtime export for a path, and the settings Next reads from them. */
function route(path: string): Target | null {
  if (path === DESCRIPTION_PATH) return { handlers: { ...otherMethods("GET"), GET: openApiRoute }, params: undefined };
  const given = path.split("/");
  const bound = OPERATIONS.filter((operation) => operation.rest).map((operation) => ({
    operation,
    rest: operation.rest,
  }));
  for (const { operation, rest } of bound) {
    const pattern = rest?.path.split("/") ?? [];
    const fits =
      pattern.length === given.length && pattern.every((part, i) => part.startsWith(":") || part === given[i]);
    if (!fits || !rest) continue;
    const params = pattern.flatMap((part, i) =>
      part.startsWith(":") ? [[part.slice(1), decodeURIComponent(given[i] ?? "")]] : [],
    );
    return {
      handlers: { ...otherMethods(rest.method), [rest.method]: restRoute(operation) },
      // Next passes no object at all for a path without parameters.
      params: params.length > 0 ? Object.fromEntries(params) : undefined,
    };
  }
  return null;
}

/** For tests: the routes under app/api/v1/runtime. */
export async function answerRest(request: Request): Promise<Response> {
  const target = route(new URL(request.url).pathname.slice(PREFIX.length));
  // Next answers HEAD like GET, without the body.
  const exported = request.method === "HEAD" ? "GET" : request.method;
  const handler = target?.handlers[exported as keyof Target["handlers"]] ?? unknownRoute;
  return handler(request, { params: Promise.resolve(target?.params) });
}

/** For tests: sends one request to the runtime API, through the handlers and with real Request and Response objects. */
export async function callRest(method: string, pathAndQuery: string, call: Call = {}): Promise<Answer> {
  const url = new URL(`http://localhost${PREFIX}${pathAndQuery}`);
  const headers = new Headers(call.headers);
  if (call.key) headers.set("authorization", `Bearer ${call.key}`);
  const isRaw = typeof call.body === "string" || call.body instanceof Uint8Array || call.body instanceof ReadableStream;
  const body = call.body === undefined ? null : isRaw ? call.body : JSON.stringify(call.body);
  const request = new Request(url, { method, headers, body: body as BodyInit | null, ...{ duplex: "half" } });
  const response = await answerRest(request);
  const text = method === "HEAD" ? "" : await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? {} : (JSON.parse(text) as JsonObject),
  };
}

export function expectRateHeaders({ headers }: Answer): void {
  for (const name of RATE_HEADERS) expect(headers.get(name), name).toMatch(/^\d+$/);
}

export function expectCommonHeaders({ headers }: Answer): void {
  expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("content-type")).toBe("application/json");
  expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
}
