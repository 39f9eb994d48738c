import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { buildDefinition } from "#lib/connectors/custom/build-definition";
import { customOperation } from "#lib/connectors/custom/call-custom";
import { FORM_REQUESTS } from "#lib/connectors/custom/vendor-requests/form-requests.fixture";
import { JSON_REQUESTS } from "#lib/connectors/custom/vendor-requests/json-requests.fixture";
import { QUERY_REQUESTS } from "#lib/connectors/custom/vendor-requests/query-requests.fixture";
import type { VendorRequestCase } from "#lib/connectors/custom/vendor-requests/vendor-request.fixture";
import { INLINE_COMPUTE } from "#lib/connectors/inline-compute.fixture";
import { createOutgoingClient } from "#lib/connectors/safe-fetch";
import { parseOutboundAllow } from "#lib/connectors/sdk/outbound-policy";

/** A request as it arrived, byte for byte. */
interface Arrived {
  method: string;
  path: string;
  query: string;
  type: string | undefined;
  body: string;
  headers: Record<string, unknown>;
}

const arrived: Arrived[] = [];
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const [path = "", query = ""] = (request.url ?? "").split("?");
  const { "content-type": type } = request.headers;
  const body = Buffer.concat(chunks).toString("latin1");
  arrived.push({ method: request.method ?? "", path, query, type, body, headers: request.headers });
  response.writeHead(200, { "content-type": "application/json" }).end('{"ok":true,"data":[],"results":[]}');
});
const outgoing = createOutgoingClient(parseOutboundAllow("127.0.0.1"));
let url = "";

await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await outgoing.close();
});

const CASES = [...FORM_REQUESTS, ...QUERY_REQUESTS, ...JSON_REQUESTS];

async function firstRequestOf(call: () => Promise<unknown>): Promise<Arrived> {
  arrived.length = 0;
  // What the client makes of our answer does not matter.
  const failure = await call().then(
    () => null,
    (error: unknown) => error,
  );
  const [request] = arrived;
  if (!request) throw failure ?? new Error("nothing was sent");
  return request;
}

function callConnector({ path, method, operation, params }: VendorRequestCase): Promise<unknown> {
  const document = { openapi: "3.1.0", paths: { [path]: { [method]: { operationId: "call", ...operation } } } };
  const { definition } = buildDefinition({ name: "Vendor", baseUrl: url, auth: "none", document });
  const [built] = definition.operations;
  if (!built) throw new Error("the document has one operation");
  return customOperation(definition, built).call(params, {
    connection: null,
    send: outgoing.send,
    signal: AbortSignal.timeout(10_000),
    idempotencyKey: "run:step:",
    traceparent: "00-0-0-00",
    compute: INLINE_COMPUTE,
    now: () => new Date(),
  });
}

/** Replaces what the sender chooses: the boundary of a multipart body, and the charset of JSON, which is always UTF-8. */
function neutral({ type = "", body, ...request }: Arrived) {
  const boundary = /boundary="?([^";]+)/.exec(type)?.[1];
  const [mime = ""] = type.split(";");
  return {
    ...request,
    type: mime.trim(),
    body: boundary === undefined ? body : body.replaceAll(boundary, "BOUNDARY"),
  };
}

/** The names and values of a query or form, in order. */
function decoded(text: string): string[] {
  return text.split("&").map((pair) => decodeURIComponent(pair.replaceAll("+", " ")));
}

test.each(CASES)("$vendor: $shows", async (request) => {
  const theirs = neutral(await firstRequestOf(() => request.call(url)));
  const ours = neutral(await firstRequestOf(() => callConnector(request)));
  // Without a body, its type means nothing; some clients send one.
  const parts = ({ method, path, type, body }: Arrived) => ({ method, path, type: body === "" ? null : type });
  expect(parts(ours)).toEqual(parts(theirs));
  const read = request.escapes === undefined ? (text: string) => text : decoded;
  expect(read(ours.query)).toEqual(read(theirs.query));
  expect(read(ours.body)).toEqual(read(theirs.body));
  for (const name of request.headers ?? []) expect(ours.headers[name]).toBe(theirs.headers[name]);
});

test("the requests of at least 15 vendors are compared", () => {
  expect(new Set(CASES.map(({ vendor }) => vendor)).size).toBeGreaterThanOrEqual(15);
});
