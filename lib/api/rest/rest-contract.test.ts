import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { describeApi } from "#lib/api/openapi/openapi-document";
import { OPERATIONS } from "#lib/api/operations/registry";
import { type Answer, callRest, expectCommonHeaders } from "#lib/api/rest/rest.fixture";
import {
  COMMON_REFUSALS,
  GOOD_CALLS,
  makeRun,
  makeStage,
  makeTold,
  OWN_REFUSALS,
} from "#lib/api/rest/rest-contract.fixture";
import { API_ERROR_STATUS } from "#lib/contract/error/api-error";
import type { Scope } from "#lib/contract/key/scopes";
import type { RuntimeErrorCode } from "#lib/contract/openapi/api-error-meanings";
import type { OpenApiHeader, OpenApiOperation, OpenApiResponse } from "#lib/contract/openapi/openapi";
import { setRun } from "#lib/domain/runs/execute/run-journal.fixture";
import { openTestDatabase } from "#lib/platform/db/test-database";

// One table: a request for every endpoint, status and code that the OpenAPI document promises.

process.env.RUNS_PER_USER_PER_HOUR = "0";

await openTestDatabase();

const stage = await makeStage();

const DOCUMENT = describeApi("https://signalbox.test");

interface Row {
  method: string;
  path: string;
  status: string;
  code: string;
  operation: OpenApiOperation;
  response: OpenApiResponse;
}

const ROWS: Row[] = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, operation]) =>
    Object.entries(operation.responses).flatMap(([status, response]) =>
      Object.keys(response.content?.["application/json"].examples ?? { none: "" }).map((code) => ({
        method: method.toUpperCase(),
        path,
        status,
        code: status < "400" ? "" : code,
        operation,
        response,
      })),
    ),
  ),
);

const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addFormat("uuid", /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
ajv.addFormat("date-time", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/);
ajv.addSchema(DOCUMENT, "openapi.json");

function problemsOf({ path, method, status }: Row, body: unknown): unknown {
  const pointer = ["paths", path, method.toLowerCase(), "responses", status, "content", "application/json", "schema"];
  const escaped = pointer.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")));
  const validate = ajv.compile({ $ref: `openapi.json#/${escaped.join("/")}` });
  return validate(body) ? [] : validate.errors;
}

/** Headers of HTTP itself, which the OpenAPI document leaves out. */
const PLAIN = ["content-type", "cache-control", "vary", "access-control-allow-origin"];

function expectDescribed(row: Row, answer: Answer): void {
  expect([answer.status, answer.body.code ?? ""]).toEqual([Number(row.status), row.code]);
  expect(problemsOf(row, answer.body)).toEqual([]);
  // The public document may be cached. Every answer to a key must not be.
  if (answer.headers.get("cache-control")?.startsWith("public") !== true) expectCommonHeaders(answer);
  expectHeaders(row, answer);
}

/** Checks that an answer has the headers that are described, and no others. */
function expectHeaders(row: Row, answer: Answer): void {
  const described = Object.entries(row.response.headers).map(([name, header]): [string, OpenApiHeader] => [
    name,
    "$ref" in header ? (DOCUMENT.components.headers[name] as OpenApiHeader) : header,
  ]);
  for (const [name, { required, schema }] of described) {
    const value = answer.headers.get(name);
    if (required) expect(value, name).not.toBeNull();
    if (value !== null)
      expect(ajv.validate(schema, schema.type === "integer" ? Number(value) : value), name).toBe(true);
  }
  const names = [...PLAIN, ...described.map(([name]) => name)];
  expect([...answer.headers.keys()].filter((name) => !names.includes(name))).toEqual([]);
}

/** Checks that the body of a success contains only fields of its schema. */
function expectNothingMore({ operation }: Row, answer: Answer): void {
  const schema = OPERATIONS.find(({ name }) => name === operation.operationId)?.output;
  if (schema) expect(schema.parse(answer.body)).toEqual(answer.body);
}

async function callOf({ method, operation }: Row) {
  const { path, body } = GOOD_CALLS[operation.operationId] ?? { path: () => "" };
  const target = await path(stage);
  const send = (more: Parameters<typeof callRest>[2] = {}, instead = target) =>
    callRest(method, instead, { key: stage.key, body, ...more });
  return { target, send };
}

const named = (row: Row): [string, Row] => [`${row.method} ${row.path} ${row.status} ${row.code}`.trim(), row];

describe("successes", () => {
  /** Further successful calls with different answers. */
  const MORE: Record<string, () => Promise<[query: string, call: Parameters<typeof callRest>[2]][]>> = {
    "GET /actions 200": async () => [["/actions?status=all&limit=1", {}]],
    "POST /actions/{slug}/run 202": async () => [
      ["/actions/held/run", {}],
      ["/actions/greet/run", { body: { input: { name: "Ada" }, dry_run: true } }],
      ["/actions/greet/run", { headers: { "idempotency-key": "twice", "x-correlation-id": "c-1" } }],
      ["/actions/greet/run", { headers: { "idempotency-key": "twice" } }],
    ],
    "GET /runs 200": async () => [["/runs?include=steps", { headers: { "x-correlation-id": "c-1" } }]],
    "POST /actions/{slug}/runs 202": async () => [
      ["/actions/held/runs", {}],
      ["/actions/greet/runs", { body: { items: [7] }, headers: { "x-correlation-id": "c-1" } }],
      [
        "/actions/greet/runs",
        { body: { items: [{ input: { name: "Ada" } }] }, headers: { "idempotency-key": "both" } },
      ],
      [
        "/actions/greet/runs",
        { body: { items: [{ input: { name: "Ada" } }] }, headers: { "idempotency-key": "both" } },
      ],
    ],
    "GET /runs/{run_id} 200": async () => [
      [`/runs/${await makeTold(stage)}?include=events`, { headers: { prefer: "wait=1" } }],
      [`/runs/${await makeRun(stage, "held")}`, {}],
    ],
    "POST /runs/{run_id}/approve 200": async () => [
      [`/runs/${await makeRun(stage, "held")}/approve`, { body: { decision: "rejected", comment: "no" } }],
    ],
    "GET /openapi.json 200": async () => [["/openapi.json", { key: null }]],
  };

  test.each(ROWS.filter(({ response }) => !response.content).map(named))("%s", async (_, row) => {
    const answer = await (await callOf(row)).send({ headers: { "if-none-match": "*" } });
    expect([answer.status, answer.body, answer.headers.get("content-type")]).toEqual([304, {}, null]);
    expectHeaders(row, answer);
  });

  test.each(ROWS.filter(({ code, response }) => code === "" && response.content).map(named))(
    "%s",
    async (name, row) => {
      const { send, target } = await callOf(row);
      // Only a running run is 202: a worker still stops it. Every other cancelled run has ended.
      if (name === "POST /runs/{run_id}/cancel 202") await setRun(target.split("/")[2] ?? "", "running");
      const answers = [await send()];
      for (const [path, call] of (await MORE[name]?.()) ?? []) answers.push(await send(call, path));
      for (const answer of answers) {
        expectDescribed(row, answer);
        expectNothingMore(row, answer);
      }
    },
  );
});

describe("refusals", () => {
  test.each(ROWS.filter(({ code }) => code !== "").map(named))("%s", async (_, row) => {
    const code = row.code as RuntimeErrorCode;
    expect(API_ERROR_STATUS[code]).toBe(Number(row.status));
    const { send, target } = await callOf(row);
    const scope = row.operation.security.flatMap((scheme) => scheme.bearer ?? [])[0] as Scope | undefined;
    const own = OWN_REFUSALS[row.operation.operationId]?.[code];
    const common = COMMON_REFUSALS[code];
    const answer = own
      ? await own(stage, send)
      : await common?.(send, { path: target, scope, isPost: row.method === "POST" });
    if (!answer) throw new Error("no call here leads to this answer");
    expectDescribed(row, answer);
  });
});

test("this file contains no refusal that the OpenAPI document does not promise", () => {
  const promised = ROWS.map(({ operation, code }) => `${operation.operationId} ${code}`);
  const own = Object.entries(OWN_REFUSALS).flatMap(([name, codes]) =>
    Object.keys(codes).map((code) => `${name} ${code}`),
  );
  expect(own.filter((pair) => !promised.includes(pair))).toEqual([]);
});
