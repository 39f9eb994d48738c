import { expect } from "vitest";
import { RATE_HEADERS } from "#lib/api/admission/admit";
import { RUNTIME_PREFIX as PREFIX } from "#lib/api/rest/rest-route";
import { answerRuntime } from "#lib/api/runtime/answer-runtime";
import type { JsonObject } from "#lib/contract/wire/json-schema";

interface Call {
  /** A raw key. Null sends no authorization header. */
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

/** For tests: what a request with a streamed body needs, and the types of fetch do not have. */
export const HALF_DUPLEX = { duplex: "half" };

/** For tests: sends one request to the runtime API's handlers, with real Request and Response objects. */
export async function callRest(method: string, pathAndQuery: string, call: Call = {}): Promise<Answer> {
  const url = new URL(`http://localhost${PREFIX}${pathAndQuery}`);
  const headers = new Headers(call.headers);
  if (call.key) headers.set("authorization", `Bearer ${call.key}`);
  const isRaw = typeof call.body === "string" || call.body instanceof Uint8Array || call.body instanceof ReadableStream;
  const body = call.body === undefined ? null : isRaw ? call.body : JSON.stringify(call.body);
  const request = new Request(url, { method, headers, body: body as BodyInit | null, ...HALF_DUPLEX });
  const response = await answerRuntime(request);
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
