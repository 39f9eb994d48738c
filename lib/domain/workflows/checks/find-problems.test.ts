import { describe, expect, test } from "vitest";
import { buildDefinition } from "#lib/connectors/custom/build-definition";
import { wireParameter } from "#lib/connectors/custom/wire/wire-parameter";
import type { JsonObject } from "#lib/contract/wire/json-schema";
import type { GraphNode } from "#lib/contract/workflow/graph";
import { applyGraphOperations } from "#lib/core/graph/edits/apply-graph-operations";
import { graphOperationSchema } from "#lib/core/graph/edits/graph-operations";
import { completeNode, definition } from "#lib/core/graph/graph.fixture";
import { findProblems } from "#lib/domain/workflows/checks/find-problems";
import { NO_SURROUNDINGS, type Surroundings } from "#lib/domain/workflows/checks/load-surroundings";

const start = completeNode("start", "action_input", {
  properties: [{ name: "text", type: "string", required: true }],
});
const CHAT = { connector: "telegram", operation: "send_message", connection_id: "c" };
const SHOP: Surroundings["connectors"] = new Map([
  [
    "shop",
    {
      description: "",
      baseUrl: "https://shop.test",
      auth: "bearer",
      operations: [
        {
          name: "getOrder",
          title: "",
          description: "",
          method: "get",
          path: "/orders/{id}",
          bodyType: null,
          wire: [wireParameter("path", "id"), wireParameter("query", "expand")],
          required: ["path.id"],
          paramsSchema: { properties: { path: { properties: { id: {} } }, query: { properties: { expand: {} } } } },
          outputSchema: { type: "object", properties: { total: { type: "number" } }, additionalProperties: false },
        },
      ],
    },
  ],
]);
const SURROUNDINGS: Surroundings = {
  ...NO_SURROUNDINGS,
  connectors: SHOP,
  otherSlugs: ["greet"],
  actions: new Map([
    [
      "greet",
      {
        slug: "greet",
        status: "active",
        input_schema: {
          type: "object",
          properties: { who: { type: "string" }, count: { type: "integer" } },
          required: ["who"],
        },
        output_schema: { type: "object", properties: { greeting: { type: "string" } } },
      },
    ],
    ["rests", { slug: "rests", status: "paused", input_schema: null, output_schema: null }],
  ]),
};

/** start > work > end, which returns the value. */
function around(work: GraphNode, value: unknown = 1) {
  const end = completeNode("end", "return_output", { properties: [{ name: "x", type: "string", value }] });
  return definition([start, work, end], ["start > work", "work > end"]);
}

function found(work: GraphNode, value?: unknown): string[] {
  const drawn = around(work, value);
  return findProblems(drawn, null, SURROUNDINGS).map((problem) => {
    if (problem.fix) applyGraphOperations(drawn, [graphOperationSchema.parse(problem.fix)]);
    const mark = problem.fix ? "*" : "";
    return `${problem.severity}${mark} ${problem.code} ${problem.field}: ${problem.message.replace(/^\w+: /, "")}`;
  });
}

const calls = (data: JsonObject) => ({ ...completeNode("work", "connector"), data });
const runs = (action_slug: string, input: JsonObject) => completeNode("work", "sub_workflow", { action_slug, input });

test.each([
  [{ chat_id: 1, text: "Hi" }, []],
  [{ chat_id: "{{start.text}}", text: "{{start.text}}", parse_mode: "{{start.text}}" }, []],
  [{ chat_id: 1 }, ["error INVALID_DATA params.text: params.text is required"]],
  [{ chat_id: 1, text: "" }, ["error INVALID_DATA params.text: params.text is required"]],
  [
    { chat_id: 1, text: "Hi", parse_mode: "Html" },
    ["error INVALID_DATA params.parse_mode: params.parse_mode must be one of: HTML, MarkdownV2"],
  ],
  [
    { chat_id: 1, txet: "Hi", text: "Hi" },
    ['error UNKNOWN_KEY params.txet: params.txet is not a parameter of the operation; did you mean "text"?'],
  ],
  [
    { chat_id: 1, text: "Hi", parseMode: "HTML" },
    [
      'error* UNKNOWN_KEY params.parseMode: params.parseMode is not a parameter of the operation; did you mean "parse_mode"?',
    ],
  ],
])("the params %j of a built-in operation are checked against its schema", (params, problems) => {
  expect(found(calls({ ...CHAT, params }))).toEqual(problems);
});

test("an operation or a connector that does not exist names the nearest one", () => {
  expect(found(calls({ ...CHAT, operation: "sendMessage", params: {} }))[0]).toContain('did you mean "send_message"');
  expect(found(calls({ ...CHAT, connector: "telegramm", params: {} }))[0]).toContain('did you mean "telegram"');
});

describe("the params of a connector that was built from a document", () => {
  const parameters = [
    { name: "id", in: "path", required: true, schema: { type: "integer" } },
    { name: "limit", in: "query", schema: { type: "integer", maximum: 100 } },
    { name: "status", in: "query", schema: { enum: ["open", "paid"] } },
  ];
  const properties = {
    title: { type: "string" },
    lines: {
      type: "array",
      items: { type: "object", properties: { sku: { type: "string" } }, additionalProperties: false },
    },
  };
  const content = { "application/json": { schema: { type: "object", properties, required: ["title"] } } };
  const put = { operationId: "putOrder", parameters, requestBody: { required: true, content } };
  const built = buildDefinition({
    name: "Store",
    baseUrl: "https://store.test",
    auth: "none",
    document: { openapi: "3.1.0", paths: { "/orders/{id}": { put } } },
  });
  const surroundings = { ...NO_SURROUNDINGS, connectors: new Map([["store", built.definition]]) };
  const valid = {
    path: { id: "7" },
    query: { limit: 10, status: "open" },
    body: { title: "A", lines: [{ sku: "x" }] },
  };

  test.each([
    [valid, []],
    [{ ...valid, path: "{{start.text}}", query: { limit: "{{start.text}}" }, body: "{{start.text}}" }, []],
    [{ ...valid, body: { title: "{{start.text}}", lines: ["{{start.text}}"] } }, []],
    [{ ...valid, path: {} }, ["INVALID_DATA params.path.id is required"]],
    [{ ...valid, query: { limit: "ten" } }, ["INVALID_DATA params.query.limit must be an integer"]],
    [{ ...valid, query: { limit: 200 } }, ["INVALID_DATA params.query.limit must be at most 100"]],
    [{ ...valid, query: { status: "closed" } }, ['INVALID_DATA params.query.status must be one of "open", "paid"']],
    [
      { ...valid, query: { limti: 1 } },
      ['UNKNOWN_KEY params.query.limti is not a parameter of the operation; did you mean "limit"?'],
    ],
    [{ ...valid, body: { title: 5, lines: [] } }, ["INVALID_DATA params.body.title must be text"]],
    [{ ...valid, body: { lines: [] } }, ["INVALID_DATA params.body.title is required"]],
    [
      { ...valid, body: { title: "A", lines: [{ sko: "x" }] } },
      ['UNKNOWN_KEY params.body.lines.0.sko is not a known field; did you mean "sku"?'],
    ],
    [
      { ...valid, headers: {} },
      ['UNKNOWN_KEY params.headers is not a parameter of the operation; its parameters are "path", "query" and "body"'],
    ],
  ])("are checked against its schemas before publishing: %j has the problems %j", (params, problems) => {
    const work = calls({ connector: "store", operation: "putOrder", params });
    const messages = findProblems(around(work), null, surroundings).map(({ code, message }) => {
      return `${code} ${message.replace(/^\w+: /, "")}`;
    });
    expect(messages).toEqual(problems);
  });
});

test("an HTTP request is checked, too", () => {
  const request = (params: JsonObject) => found(calls({ connector: "http", operation: "request", params }));
  expect(request({ url: "https://a.test", methd: "GET" })[0]).toContain('did you mean "method"');
  expect(request({ url: "https://a.test", method: "FETCH" })[0]).toContain("params.method must be one of GET, POST");
  expect(request({ method: "GET" })).toEqual(["error INVALID_DATA params.url: params.url is required"]);
  expect(request({ url: "{{start.text}}", method: "{{start.text}}", timeout_ms: "{{start.text}}" })).toEqual([]);
});

test("a custom connector reports a missing connection, required params and unknown params like any other", () => {
  const call = (params: JsonObject, connection_id?: string) =>
    found(calls({ connector: "shop", operation: "getOrder", params, ...(connection_id ? { connection_id } : {}) }));
  expect(call({ path: { id: 1 } })).toEqual(["error INVALID_DATA connection_id: connection_id is required"]);
  expect(call({ path: "{{start.text}}" }, "c")).toEqual([]);
  expect(call({}, "c")).toEqual(["error INVALID_DATA params.path.id: params.path.id is required"]);
  expect(call({ path: { id: "{{start.text}}" }, query: { expnad: 1 } }, "c")).toEqual([
    'error* UNKNOWN_KEY params.query.expnad: params.query.expnad is not a parameter of the operation; did you mean "expand"?',
  ]);
});

test("a path that a service does not document is only a warning", () => {
  const call = calls({ connector: "shop", operation: "getOrder", connection_id: "c", params: { path: { id: 1 } } });
  expect(found(call, "{{work.body.totl}}")).toEqual([
    'warning* UNKNOWN_FIELD properties.0.value: {{work.body.totl}} in properties.0.value reads "totl", which "body" does not have; did you mean "total"?',
  ]);
});

test.each([
  [{ who: "Ada", count: 3 }, []],
  [{ who: "{{start.text}}", count: "{{length(start.text)}}" }, []],
  [
    { who: "{{start.text}}", count: "{{start.text}}" },
    ["warning TYPE_MISMATCH input.count: input.count of the action expects a whole number, but gets text"],
  ],
  [{}, ["error INVALID_DATA input.who: input.who is required by the action"]],
  [{ who: 5 }, ["error INVALID_DATA input.who: input.who must be a string"]],
  [
    { who: "Ada", coutn: 1 },
    ['warning* UNKNOWN_KEY input.coutn: input.coutn is not an input of the action; did you mean "count"?'],
  ],
])("the input %j of another action is checked against its schema", (input, problems) => {
  expect(found(runs("greet", input))).toEqual(problems);
});

test("an action that does not exist or cannot be called is a warning, because it can be published later", () => {
  expect(found(runs("great", {}))).toEqual([
    'warning* UNKNOWN_ACTION action_slug: there is no action "great"; did you mean "greet"?',
  ]);
  expect(found(runs("rests", {}))[0]).toContain('the action "rests" is paused, so this step would fail');
});

test("the output of another action has exactly the fields of its schema", () => {
  expect(found(runs("greet", { who: "Ada" }), "{{work.greeting}}")).toEqual([]);
  expect(found(runs("greet", { who: "Ada" }), "{{work.greting}}")[0]).toMatch(/^error\* UNKNOWN_FIELD .*"greeting"/);
  expect(found(runs("great", {}), "{{work.anything}}")).toHaveLength(1);
});

test("a field next to the answer of a service is an error with its place, and a field inside it is a warning", () => {
  const order = (value: string) =>
    found(
      calls({ connector: "shop", operation: "getOrder", connection_id: "c", params: { path: { id: 1 } } }),
      value,
    ).filter((problem) => problem.includes("_FIELD"));
  expect(order("{{work.total}}")).toEqual([
    expect.stringMatching(/^error\* UNKNOWN_FIELD .* did you mean \{\{work\.body\.total\}\}\?$/),
  ]);
  expect(order("{{work.body.sum}}")).toEqual([expect.stringMatching(/^warning UNKNOWN_FIELD /)]);
  expect(order("{{work.body.total}}")).toEqual([]);
});
