import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that a vendor's server received. */
export interface VendorRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** The raw body, followed by the body parsed as its declared JSON or form. */
  text: string;
  json: Record<string, unknown>;
  form: URLSearchParams;
}

export interface VendorAnswer {
  status?: number;
  headers?: Record<string, string>;
  json?: unknown;
  text?: string;
}

export interface TestVendor {
  url: string;
  requests: VendorRequest[];
  /** Responses to return one by one, such as outages and limits, before the vendor's own responses continue. */
  failures: VendorAnswer[];
  close(): void;
}

/**
 * For tests: starts a vendor's server on loopback. `answer` behaves as the vendor documents.
 * @param answer null becomes a 404
 */
export async function startVendor(
  answer: (request: VendorRequest) => VendorAnswer | null | Promise<VendorAnswer | null>,
): Promise<TestVendor> {
  const requests: VendorRequest[] = [];
  const failures: VendorAnswer[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString("utf8");
    const url = new URL(incoming.url ?? "/", "http://vendor.invalid");
    const isJson = (incoming.headers["content-type"] ?? "").includes("json");
    const request: VendorRequest = {
      method: incoming.method ?? "",
      path: decodeURI(url.pathname),
      query: url.searchParams,
      headers: incoming.headers,
      text,
      json: isJson && text !== "" ? (JSON.parse(text) as Record<string, unknown>) : {},
      form: new URLSearchParams(isJson ? "" : text),
    };
    requests.push(request);
    const given = failures.shift() ?? (await answer(request)) ?? { status: 404, json: { message: "Not Found" } };
    const body = given.text ?? (given.json === undefined ? "" : JSON.stringify(given.json));
    const type = given.text === undefined ? "application/json" : "text/plain";
    response.writeHead(given.status ?? 200, { ...(body === "" ? {} : { "content-type": type }), ...given.headers });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, requests, failures, close };
}
